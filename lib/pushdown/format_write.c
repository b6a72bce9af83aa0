/* SPDX-License-Identifier: MIT
 * Systems as text: docs/pushdown.md. */
#include "pushdown/pushdown.h"

#include "base/sink.h"
#include "program/sharing.h"

/* What is still to be written: an expression by where its code ends, or a piece of text. */
typedef struct task {
  const char *text; /* NULL: the expression */
  uint32_t last;
} task;

typedef struct writer {
  const bp_pushdown *p;
  bpi_out out;
  bp_status status; /* BP_OK, BP_E_NOMEM, BP_E_UNSUPPORTED */
  BPI_VEC(task) tasks;
  BPI_VEC(uint32_t) begins; /* by instruction: where the expression that it ends begins */
  BPI_VEC(uint32_t) stack;  /* scratch */
  bpi_code written;         /* scratch */
} writer;

/* ---- names ---------------------------------------------------------------------- */

static bool is_plain(const char *name)
{
  if (*name == '#' || !strcmp(name, "->") || !strcmp(name, "when")) return false;
  return !strpbrk(name, " \"\\");
}

static void write_name(writer *w, const char *name)
{
  bpi_out_char(&w->out, ' ');
  if (is_plain(name)) {
    bpi_out_text(&w->out, name);
    return;
  }
  bpi_out_char(&w->out, '"');
  for (; *name; name++) {
    if (*name == '"' || *name == '\\') bpi_out_char(&w->out, '\\');
    bpi_out_char(&w->out, *name);
  }
  bpi_out_char(&w->out, '"');
}

/* ---- relations -------------------------------------------------------------------- */

/* How an operator is written: before, between and behind its operands. */
static const char *const shapes[][4] = {
    [BPI_OP_NOT] = {"!", ""},
    [BPI_OP_AND] = {"(", " & ", ")"},
    [BPI_OP_OR] = {"(", " | ", ")"},
    [BPI_OP_XOR] = {"(", " ^ ", ")"},
    [BPI_OP_NE] = {"(", " != ", ")"},
    [BPI_OP_EQ] = {"(", " = ", ")"},
    [BPI_OP_IMPLIES] = {"(", " => ", ")"},
    [BPI_OP_SCHOOSE] = {"schoose [", ", ", "]"},
    [BPI_OP_COND] = {"(", " ? ", " : ", ")"},
};

static const char *variable(const bp_pushdown *p, const bpi_rule *rule, bpi_instr in)
{
  const uint32_t id = in.arg & ~(uint32_t)BPI_LOCAL;
  if (!(in.arg & BPI_LOCAL)) return bp_pushdown_global_name(p, id);
  const uint32_t symbol = in.op == BPI_OP_VAR    ? rule->symbol
                          : in.op == BPI_OP_NEXT ? rule->top
                                                 : rule->below;
  return bp_pushdown_local_name(p, symbol, id);
}

static void write_leaf(writer *w, const bpi_rule *rule, bpi_instr in)
{
  switch (in.op) {
  case BPI_OP_FALSE: bpi_out_char(&w->out, '0'); return;
  case BPI_OP_TRUE: bpi_out_char(&w->out, '1'); return;
  case BPI_OP_NONDET: bpi_out_char(&w->out, '*'); return;
  default: break;
  }
  if (in.op != BPI_OP_VAR) bpi_out_char(&w->out, '\'');
  bpi_out_text(&w->out, variable(w->p, rule, in));
  if (in.op == BPI_OP_MIXED_NEXT) bpi_out_char(&w->out, '$');
}

static void find_begins(writer *w, const bpi_instr *code, uint32_t count)
{
  w->begins.count = w->stack.count = 0;
  for (uint32_t i = 0; i < count && w->status == BP_OK; i++) {
    const uint32_t arity = bpi_op_arity(code[i].op);
    const uint32_t begin = arity ? w->stack.at[w->stack.count - arity] : i;
    w->stack.count -= arity;
    if (!bpi_vec_push(&w->stack, begin) || !bpi_vec_push(&w->begins, begin)) w->status = BP_E_NOMEM;
  }
}

static void later(writer *w, const char *text, uint32_t last)
{
  const task t = {text, last};
  if (!bpi_vec_push(&w->tasks, t)) w->status = BP_E_NOMEM;
}

static void write_expr(writer *w, const bpi_rule *rule, const bpi_instr *code, uint32_t count)
{
  w->tasks.count = 0;
  if (w->status == BP_OK) w->status = bpi_unshare(&w->written, &code, &count);
  find_begins(w, code, count);
  later(w, NULL, count - 1);
  while (w->status == BP_OK && w->tasks.count) {
    const task t = w->tasks.at[--w->tasks.count];
    if (t.text) {
      bpi_out_text(&w->out, t.text);
      continue;
    }
    const uint32_t op = code[t.last].op, arity = bpi_op_arity(op);
    if (!arity) {
      write_leaf(w, rule, code[t.last]);
      continue;
    }
    uint32_t last = t.last - 1;
    for (uint32_t i = arity; i-- > 0;) {
      later(w, shapes[op][i + 1], 0);
      later(w, NULL, last);
      last = w->begins.at[last] - 1;
    }
    bpi_out_text(&w->out, shapes[op][0]);
  }
}

/* ---- lines -------------------------------------------------------------------------- */

static void write_when(writer *w, const bpi_rule *rule, bpi_slice code)
{
  if (code.count) {
    bpi_out_text(&w->out, " when ");
    write_expr(w, rule, w->p->code.at + code.first, code.count);
  }
  bpi_out_char(&w->out, '\n');
}

static void write_rule(writer *w, const bpi_rule *rule)
{
  const bp_pushdown *p = w->p;
  bpi_out_text(&w->out, "rule");
  write_name(w, bp_pushdown_control_name(p, rule->from));
  write_name(w, bp_pushdown_symbol_name(p, rule->symbol));
  bpi_out_text(&w->out, " ->");
  write_name(w, bp_pushdown_control_name(p, rule->to));
  if (rule->top != BP_NONE) write_name(w, bp_pushdown_symbol_name(p, rule->top));
  if (rule->below != BP_NONE) write_name(w, bp_pushdown_symbol_name(p, rule->below));
  write_when(w, rule, rule->code);
}

static void write_all(writer *w)
{
  const bp_pushdown *p = w->p;
  bpi_out_text(&w->out, "pushdown\n");
  for (uint32_t i = 0; i < p->controls.count; i++) {
    bpi_out_text(&w->out, "control");
    write_name(w, bp_pushdown_control_name(p, i));
    bpi_out_char(&w->out, '\n');
  }
  for (uint32_t i = 0; i < p->globals.count; i++) {
    bpi_out_text(&w->out, "global");
    write_name(w, bp_pushdown_global_name(p, i));
    bpi_out_char(&w->out, '\n');
  }
  for (uint32_t i = 0; i < p->symbols.count; i++) {
    bpi_out_text(&w->out, "symbol");
    write_name(w, bp_pushdown_symbol_name(p, i));
    for (uint32_t k = 0; k < bp_pushdown_local_count(p, i); k++)
      write_name(w, bp_pushdown_local_name(p, i, k));
    bpi_out_char(&w->out, '\n');
  }
  for (uint32_t i = 0; i < p->rules.count && w->status == BP_OK && w->out.status == BP_OK; i++)
    write_rule(w, &p->rules.at[i]);
  if (p->start == BP_NONE) return;
  bpi_out_text(&w->out, "start");
  write_name(w, bp_pushdown_symbol_name(p, p->start));
  write_when(w, &(bpi_rule){0}, p->start_code);
}

bp_status bp_pushdown_write(const bp_pushdown *p, const bp_sink *sink)
{
  if (!p || bpi_sink_check(sink) != BP_OK) return BP_E_INVALID;
  writer w = {.p = p};
  bpi_out_init(&w.out, sink);
  write_all(&w);
  bpi_vec_free(&w.tasks);
  bpi_vec_free(&w.begins);
  bpi_vec_free(&w.stack);
  bpi_vec_free(&w.written);
  const bp_status status = bpi_out_flush(&w.out);
  return w.status == BP_OK ? status : w.status;
}
