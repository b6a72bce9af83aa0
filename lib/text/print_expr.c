/* SPDX-License-Identifier: MIT */
#include "program/sharing.h"
#include "text/print.h"

/* How tight each operator binds in the default precedence. */
static const uint8_t levels[] = {
    [BPI_OP_FALSE] = 7, [BPI_OP_TRUE] = 7,    [BPI_OP_NONDET] = 7,     [BPI_OP_VAR] = 7,
    [BPI_OP_NEXT] = 7,  [BPI_OP_MIXED] = 7,   [BPI_OP_MIXED_NEXT] = 7, [BPI_OP_NOT] = 6,
    [BPI_OP_AND] = 4,   [BPI_OP_OR] = 2,      [BPI_OP_XOR] = 3,        [BPI_OP_EQ] = 5,
    [BPI_OP_NE] = 5,    [BPI_OP_IMPLIES] = 1, [BPI_OP_SCHOOSE] = 7,    [BPI_OP_COND] = 0,
};

/* What is to be written next: a text, or the expression whose last instruction is `node`. */
typedef struct task {
  const char *text;
  uint32_t node;
} task;

typedef struct writer {
  bpi_out *out;
  const bp_program *p;
  const bpi_instr *code;
  uint32_t *sizes; /* by instruction: how many make up its expression */
  BPI_VEC(task) tasks;
} writer;

static bool binary(uint32_t op)
{
  return op >= BPI_OP_AND && op <= BPI_OP_IMPLIES;
}

static bool doubtful(uint32_t op)
{
  return op == BPI_OP_EQ || op == BPI_OP_NE || op == BPI_OP_XOR;
}

/* Parentheses also where the reader would warn of a doubtful mixture. */
static bool needs_parentheses(uint32_t above, uint32_t below, bool right)
{
  if (above == BPI_OP_NOT) return levels[below] < levels[BPI_OP_NOT];
  if (above == BPI_OP_COND) return below == BPI_OP_COND;
  if (!binary(above) || levels[below] >= levels[BPI_OP_NOT]) return false;
  if (below == BPI_OP_COND || levels[below] < levels[above]) return true;
  /* The tables group a chain of these from different ends. */
  const bool chained = above == BPI_OP_IMPLIES || above == BPI_OP_EQ || above == BPI_OP_NE;
  if (below == above) return right || chained;
  return doubtful(above) || doubtful(below);
}

/* ---- tasks, pushed in reverse ------------------------------------------ */

static bool push_text(writer *w, const char *text)
{
  return bpi_vec_push(&w->tasks, (task){text, 0});
}

static bool push_child(writer *w, uint32_t above, uint32_t node, bool right)
{
  const bool parentheses = needs_parentheses(above, w->code[node].op, right);
  return (!parentheses || push_text(w, ")")) && bpi_vec_push(&w->tasks, (task){NULL, node}) &&
         (!parentheses || push_text(w, "("));
}

static const char *spelling(uint32_t op)
{
  switch (op) {
  case BPI_OP_AND: return " & ";
  case BPI_OP_OR: return " | ";
  case BPI_OP_XOR: return " ^ ";
  case BPI_OP_EQ: return " = ";
  case BPI_OP_NE: return " != ";
  case BPI_OP_IMPLIES: return " => ";
  default: return ", ";
  }
}

static void write_leaf(writer *w, const bpi_instr *i)
{
  switch (i->op) {
  case BPI_OP_FALSE: bpi_out_char(w->out, '0'); return;
  case BPI_OP_TRUE: bpi_out_char(w->out, '1'); return;
  case BPI_OP_NONDET: bpi_out_char(w->out, '*'); return;
  default: break;
  }
  if (i->op == BPI_OP_NEXT || i->op == BPI_OP_MIXED_NEXT) bpi_out_char(w->out, '\'');
  bpi_out_text(w->out, bpi_name(w->p, w->p->vars.at[i->arg].name));
  if (i->op == BPI_OP_MIXED || i->op == BPI_OP_MIXED_NEXT) bpi_out_char(w->out, '$');
}

static bool open_node(writer *w, uint32_t node)
{
  const uint32_t op = w->code[node].op;
  const uint32_t last = node - 1; /* the last operand */
  if (!bpi_op_arity(op)) {
    write_leaf(w, &w->code[node]);
    return true;
  }
  if (op == BPI_OP_NOT) return push_child(w, op, last, false) && push_text(w, "!");
  const uint32_t middle = last - w->sizes[last];
  if (op == BPI_OP_COND)
    return push_child(w, op, last, true) && push_text(w, " : ") &&
           push_child(w, op, middle, false) && push_text(w, " ? ") &&
           push_child(w, op, middle - w->sizes[middle], false);
  if (op == BPI_OP_SCHOOSE)
    return push_text(w, "]") && push_child(w, op, last, true) && push_text(w, ", ") &&
           push_child(w, op, middle, false) && push_text(w, "schoose[");
  return push_child(w, op, last, true) && push_text(w, spelling(op)) &&
         push_child(w, op, middle, false);
}

static void measure(writer *w, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    uint32_t size = 1;
    for (uint32_t n = bpi_op_arity(w->code[i].op); n > 0; n--)
      size += w->sizes[i - size];
    w->sizes[i] = size;
  }
}

static bp_status print_written(bpi_out *out, const bp_program *program, const bpi_instr *code,
                               uint32_t count)
{
  writer w = {.out = out, .p = program, .code = code};
  w.sizes = bpi_alloc(count, sizeof *w.sizes);
  if (!w.sizes) return BP_E_NOMEM;
  measure(&w, count);
  bool good = bpi_vec_push(&w.tasks, (task){NULL, count - 1});
  while (good && w.tasks.count) {
    const task t = w.tasks.at[--w.tasks.count];
    if (t.text)
      bpi_out_text(out, t.text);
    else
      good = open_node(&w, t.node);
  }
  bpi_vec_free(&w.tasks);
  bpi_release(w.sizes);
  return good ? BP_OK : BP_E_NOMEM;
}

bp_status bpi_print_expression(bpi_out *out, const bp_program *program, const bpi_instr *code,
                               uint32_t count)
{
  bpi_code written = {0};
  if (!count) return BP_OK;
  bp_status status = bpi_unshare(&written, &code, &count);
  if (status == BP_OK) status = print_written(out, program, code, count);
  bpi_vec_free(&written);
  return status;
}
