/* SPDX-License-Identifier: MIT */
#include "answer/smt.h"
#include "base/json.h"

static const char *const CURRENT = "c", *const CHOICE = "k";

/* ---- pieces -------------------------------------------------------------- */

static void poll_stop(bpi_smt *s)
{
  if (s->status == BP_OK && bpi_watch_expired(s->watch)) s->status = BP_E_LIMIT;
}

static void put_symbol(bpi_smt *s, bpi_symbol symbol)
{
  bpi_out_text(&s->out, symbol.name);
  if (symbol.number != BP_NONE) bpi_out_u64(&s->out, symbol.number);
  poll_stop(s);
}

void bpi_smt_comment(bpi_smt *s, const char *text)
{
  for (size_t len = strlen(text); len;) {
    const size_t n = bpi_utf8_length(text, len);
    if (n && (unsigned char)*text >= ' ')
      bpi_out_bytes(&s->out, text, n);
    else
      bpi_out_char(&s->out, '?');
    text += n ? n : 1;
    len -= n ? n : 1;
  }
}

void bpi_smt_declare(bpi_smt *s, bpi_symbol relation, uint64_t arity)
{
  bpi_out_text(&s->out, "(declare-fun ");
  put_symbol(s, relation);
  bpi_out_text(&s->out, " (");
  for (uint64_t i = 0; i < arity && bpi_smt_going(s); i++) {
    bpi_out_text(&s->out, i ? " Bool" : "Bool");
    poll_stop(s);
  }
  bpi_out_text(&s->out, ") Bool)\n");
}

void bpi_smt_clear(bpi_smt *s)
{
  bpi_vec_free(&s->sizes);
  bpi_vec_free(&s->tasks);
  bpi_vec_free(&s->written);
}

/* ---- expressions --------------------------------------------------------- */

static bool is_choice(uint32_t op)
{
  return op == BPI_OP_NONDET || op == BPI_OP_MIXED || op == BPI_OP_MIXED_NEXT;
}

static const char *opening(uint32_t op)
{
  switch (op) {
  case BPI_OP_NOT: return "(not ";
  case BPI_OP_AND: return "(and ";
  case BPI_OP_OR: return "(or ";
  case BPI_OP_XOR:
  case BPI_OP_NE: return "(xor ";
  case BPI_OP_EQ: return "(= ";
  case BPI_OP_IMPLIES: return "(=> ";
  default: return "(ite ";
  }
}

static void put_choice(bpi_smt *s)
{
  put_symbol(s, (bpi_symbol){CHOICE, s->choices++});
}

static void put_leaf(bpi_smt *s, bpi_instr in, bpi_reading reading)
{
  if (is_choice(in.op)) {
    put_choice(s);
  } else if (in.op == BPI_OP_FALSE || in.op == BPI_OP_TRUE) {
    bpi_out_text(&s->out, in.op == BPI_OP_TRUE ? "true" : "false");
    poll_stop(s);
  } else {
    const bool after =
        reading == BPI_READ_AFTER || (reading == BPI_READ_PRIMED && in.op == BPI_OP_NEXT);
    put_symbol(s, after ? s->now[in.arg] : (bpi_symbol){CURRENT, in.arg});
  }
}

static bool push(bpi_smt *s, const char *text, uint32_t node, uint32_t above)
{
  return bpi_vec_push(&s->tasks, (bpi_smt_task){text, node, above});
}

/* `a b` becomes ((not b and a choice) or a): the choice comes first, so that it gets its number now. */
static bool open_schoose(bpi_smt *s, uint32_t a, uint32_t b)
{
  bpi_out_text(&s->out, "(or (and ");
  put_choice(s);
  bpi_out_text(&s->out, " (not ");
  return push(s, ")", 0, 0) && push(s, NULL, a, BPI_OP_SCHOOSE) && push(s, ")) ", 0, 0) &&
         push(s, NULL, b, BPI_OP_SCHOOSE);
}

/* Writes what begins a node and leaves the rest as tasks, the last one first. */
static bool open_node(bpi_smt *s, const bpi_instr *code, bpi_smt_task t, bpi_reading reading)
{
  const uint32_t op = code[t.node].op;
  const uint32_t arity = bpi_op_arity(op);
  uint32_t child = t.node - 1; /* the last operand */
  if (!arity) {
    put_leaf(s, code[t.node], reading);
    return true;
  }
  if (op == BPI_OP_SCHOOSE) return open_schoose(s, child - s->sizes.at[child], child);
  /* A chain of one associative operator is one term, so that it does not nest. */
  const bool joined = op == t.above && (op == BPI_OP_AND || op == BPI_OP_OR);
  if (!joined) bpi_out_text(&s->out, opening(op));
  bool good = joined || push(s, ")", 0, 0);
  for (uint32_t i = 0; i < arity && good; i++, child -= s->sizes.at[child])
    good = (!i || push(s, " ", 0, 0)) && push(s, NULL, child, op);
  return good;
}

static bool measure(bpi_smt *s, const bpi_instr *code, uint32_t count)
{
  s->sizes.count = 0;
  if (!bpi_vec_reserve(&s->sizes, count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t size = 1;
    for (uint32_t n = bpi_op_arity(code[i].op); n > 0; n--)
      size += s->sizes.at[i - size];
    s->sizes.at[s->sizes.count++] = size;
  }
  return true;
}

static void put_expression(bpi_smt *s, const bpi_conjunct *c)
{
  const bpi_instr *code = c->code;
  uint32_t count = c->count;
  s->tasks.count = 0;
  const bp_status status = bpi_unshare(&s->written, &code, &count);
  if (status != BP_OK) {
    s->status = status;
    return;
  }
  bool good = measure(s, code, count) && push(s, NULL, count - 1, BPI_OP_NOT);
  while (good && s->tasks.count && bpi_smt_going(s)) {
    const bpi_smt_task t = s->tasks.at[--s->tasks.count];
    if (t.text)
      bpi_out_text(&s->out, t.text);
    else
      good = open_node(s, code, t, c->reading);
  }
  if (!good) s->status = BP_E_NOMEM;
}

/* ---- clauses ------------------------------------------------------------- */

static void put_conjunct(bpi_smt *s, const bpi_conjunct *c)
{
  if (c->symbol.name) {
    bpi_out_text(&s->out, "(= ");
    put_symbol(s, c->symbol);
    bpi_out_char(&s->out, ' ');
  } else if (c->fails) {
    bpi_out_text(&s->out, "(not ");
  }
  put_expression(s, c);
  if (c->symbol.name || c->fails) bpi_out_char(&s->out, ')');
}

static void put_atom(bpi_smt *s, const bpi_clause *clause, const bpi_atom *atom)
{
  if (atom->args.count) bpi_out_char(&s->out, '(');
  put_symbol(s, atom->relation);
  for (uint32_t i = 0; i < atom->args.count; i++) {
    bpi_out_char(&s->out, ' ');
    put_symbol(s, clause->args.at[atom->args.first + i]);
  }
  if (atom->args.count) bpi_out_char(&s->out, ')');
}

static void put_binder(bpi_smt *s, bpi_symbol symbol)
{
  bpi_out_char(&s->out, '(');
  put_symbol(s, symbol);
  bpi_out_text(&s->out, " Bool)");
}

static uint32_t count_choices(const bpi_clause *clause)
{
  uint32_t choices = 0;
  for (uint32_t i = 0; i < clause->conjuncts.count; i++)
    for (uint32_t k = 0; k < clause->conjuncts.at[i].count; k++) {
      const uint32_t op = clause->conjuncts.at[i].code[k].op;
      choices += is_choice(op) || op == BPI_OP_SCHOOSE;
    }
  return choices;
}

static void put_body(bpi_smt *s, const bpi_clause *clause)
{
  const uint32_t atoms = clause->count - 1, all = atoms + clause->conjuncts.count;
  if (!all) bpi_out_text(&s->out, "true");
  if (all > 1) bpi_out_text(&s->out, "(and ");
  for (uint32_t i = 0; i < all && bpi_smt_going(s); i++) {
    if (i) bpi_out_char(&s->out, ' ');
    if (i < atoms)
      put_atom(s, clause, &clause->atoms[i]);
    else
      put_conjunct(s, &clause->conjuncts.at[i - atoms]);
  }
  if (all > 1) bpi_out_char(&s->out, ')');
}

void bpi_smt_clause(bpi_smt *s, const bpi_clause *clause)
{
  const uint32_t choices = count_choices(clause);
  const bool quantified = choices || clause->bound.count;
  if (!bpi_smt_going(s)) return;
  bpi_out_text(&s->out, quantified ? "(assert (forall (" : "(assert ");
  for (uint32_t i = 0; i < clause->bound.count; i++)
    put_binder(s, clause->bound.at[i]);
  for (uint32_t i = 0; i < choices; i++)
    put_binder(s, (bpi_symbol){CHOICE, i});
  bpi_out_text(&s->out, quantified ? ")\n  (=> " : "(=> ");
  s->choices = 0;
  put_body(s, clause);
  bpi_out_text(&s->out, quantified ? "\n    " : " ");
  put_atom(s, clause, &clause->atoms[clause->count - 1]);
  bpi_out_text(&s->out, quantified ? ")))\n" : "))\n");
}
