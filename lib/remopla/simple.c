/* SPDX-License-Identifier: MIT */
#include "remopla/lower.h"

/* ---- conditions --------------------------------------------------------- */

/* With `overflow` an assertion comes first: the guard has a value, and where it holds the statement has one.
 * Answers what is left to be demanded. */
static bool demand(bpi_lowering *l, bpi_rguard guard, uint32_t ok, uint32_t *condition)
{
  bpi_circuit *c = l->c;
  *condition = bpi_gate_and(c, guard.ok, bpi_gate_and(c, guard.bit, ok));
  if (!l->w->overflow_fails) return true;
  const uint32_t defined =
      bpi_gate_and(c, guard.ok, bpi_gate_or(c, bpi_gate_not(c, guard.bit), ok));
  *condition = guard.bit;
  return defined == BPI_GATE_TRUE || bpi_lower_condition(l, BP_STMT_ASSERT, defined, true);
}

/* The same for a statement that cannot carry a condition. */
static bool demand_before(bpi_lowering *l, bpi_rguard guard, uint32_t ok)
{
  uint32_t condition;
  if (!demand(l, guard, ok, &condition)) return false;
  return condition == BPI_GATE_TRUE || bpi_lower_condition(l, BP_STMT_ASSUME, condition, true);
}

bool bpi_lower_guard(bpi_lowering *l, bpi_rguard guard)
{
  uint32_t condition;
  if (!demand(l, guard, BPI_GATE_TRUE, &condition)) return false;
  if (condition == BPI_GATE_TRUE) return bpi_lower_put(l, bpi_stmt_blank(BP_STMT_SKIP));
  return bpi_lower_condition(l, BP_STMT_ASSUME, condition, false);
}

static bool lower_skip(bpi_lowering *l, const bpi_rstmt *s, bpi_rguard guard)
{
  bpi_rvalue v;
  if (!s->expr.count) return bpi_lower_guard(l, guard);
  if (!bpi_read_condition(l->r, s->expr, &v)) return false;
  guard.ok = bpi_gate_and(l->c, guard.ok, bpi_gate_or(l->c, bpi_gate_not(l->c, guard.bit), v.ok));
  guard.bit = bpi_gate_and(l->c, guard.bit, v.bit);
  return bpi_lower_guard(l, guard);
}

/* ---- values ------------------------------------------------------------- */

/* The bits of a value that a place of `width` bits (0: a bool), of an enum of `values` constants (0: none),
 * takes; *ok: also that they are enough. */
static bool take_bits(bpi_lowering *l, const bpi_rvalue *v, uint32_t width, uint32_t values,
                      uint32_t *bits, uint32_t *ok)
{
  const uint32_t count = width ? width : 1;
  if (v->undef) {
    for (uint32_t i = 0; i < count; i++)
      bits[i] = bpi_gate_choice(l->c);
    return true;
  }
  const bpi_number x = bpi_value_number(l->r, v);
  for (uint32_t i = 0; i < count; i++)
    bits[i] = bpi_number_bit(l->c, x, i);
  *ok = bpi_gate_and(l->c, *ok, bpi_gate_and(l->c, v->ok, bpi_lower_fits(l, x, count, values)));
  return l->c->memory || bpi_lower_no_memory(l);
}

static uint32_t now(bpi_lowering *l, uint32_t var)
{
  return l->touched.at[var] ? l->gates.at[var] : bpi_gate_var(l->c, var);
}

/* An element of an array becomes the bits where the index is its own. */
static bool store_element(bpi_lowering *l, const bpi_datum *datum, uint32_t element, uint32_t here,
                          const bpi_rvalue *v, const uint32_t *bits)
{
  const uint32_t width = datum->bits ? datum->bits : 1;
  for (uint32_t i = 0; i < width; i++) {
    const uint32_t var = l->p->data_vars.at[datum->first + element * width + i];
    const uint32_t bit = v->undef ? bpi_gate_choice(l->c) : bits[i];
    if (!bpi_lower_becomes(l, var, bpi_gate_cond(l->c, here, bit, now(l, var)))) return false;
  }
  return true;
}

static bool store_indexed(bpi_lowering *l, const bpi_datum *datum, bpi_slice index,
                          const bpi_rvalue *v, const uint32_t *bits, uint32_t *ok)
{
  bpi_rvalue at;
  if (!bpi_read_value(l->r, index, &at)) return false;
  const bpi_number x = bpi_value_number(l->r, &at);
  *ok = bpi_gate_and(l->c, *ok, bpi_gate_and(l->c, at.ok, bpi_index_fits(l->r, x, datum->length)));
  for (uint32_t k = 0; k < datum->length; k++) {
    if ((int64_t)k < x.low || (int64_t)k > x.high) continue;
    const bpi_number number = bpi_number_constant(l->c, k);
    const uint32_t here = bpi_number_equal(l->c, x, number);
    l->c->bits.count = number.first;
    if (!bpi_draft_going(l->d) || !store_element(l, datum, k, here, v, bits)) return false;
  }
  return true;
}

/* The decl that a side assigns to; NULL after an error. */
static const bpi_rdecl *target_of(bpi_lowering *l, const bpi_rside *side)
{
  const uint32_t decl = bpi_world_variable(l->w, side->name);
  const bpi_rdecl *d = decl == BP_NONE ? NULL : &l->t->decls.at[decl];
  if (!d)
    bpi_world_error(l->w, BPI_MSG_UNDECLARED, side->at, side->name, " is not a variable here");
  else if (!d->size && side->index.count)
    bpi_world_error(l->w, BPI_MSG_TYPE, side->at, side->name, " is no array");
  else if (d->size && !side->index.count)
    bpi_world_error(l->w, BPI_MSG_TYPE, side->at, side->name, " is an array: it needs an index");
  else
    return d;
  return NULL;
}

static bool store(bpi_lowering *l, const bpi_rside *side, const bpi_rvalue *v, uint32_t *ok)
{
  uint32_t bits[BPI_MOST_BITS];
  const bpi_rdecl *decl = target_of(l, side);
  if (!decl || !take_bits(l, v, decl->width, decl->values.count, bits, ok)) return false;
  const bpi_datum *datum = &l->p->data.at[decl->datum];
  if (datum->length) return store_indexed(l, datum, side->index, v, bits, ok);
  for (uint32_t i = 0; i < (datum->bits ? datum->bits : 1); i++)
    if (!bpi_lower_becomes(l, l->p->data_vars.at[datum->first + i], bits[i])) return false;
  return true;
}

/* `undef` is one of the constants of an enum. */
static bool end_unless_constants(bpi_lowering *l, const bpi_rstmt *s)
{
  uint32_t gate = BPI_GATE_TRUE;
  for (uint32_t i = 0; i < s->sides.count; i++) {
    const bpi_rside *side = &l->t->sides.at[s->sides.first + i];
    if (l->t->code.at[side->value.first].op != BPI_ROP_UNDEF) continue;
    const bpi_rdecl *decl = &l->t->decls.at[bpi_world_variable(l->w, side->name)];
    gate = bpi_lower_datum_within(l, gate, &l->p->data.at[decl->datum]);
  }
  return bpi_lower_end_unless(l, gate);
}

static bool lower_assign(bpi_lowering *l, const bpi_rstmt *s, bpi_rguard guard)
{
  uint32_t ok = BPI_GATE_TRUE, condition;
  for (uint32_t i = 0; i < s->sides.count; i++) {
    const bpi_rside *side = &l->t->sides.at[s->sides.first + i];
    bpi_rvalue v;
    if (!bpi_read_value(l->r, side->value, &v) || !store(l, side, &v, &ok)) return false;
  }
  return demand(l, guard, ok, &condition) && bpi_lower_assign(l, condition, false) &&
         end_unless_constants(l, s);
}

/* ---- calls and returns -------------------------------------------------- */

/* The arguments' bits in the order of the callee's variables: interleaved. */
static bool push_args(bpi_lowering *l, const bpi_rmodule *callee, const uint32_t *bits)
{
  bool more = true;
  for (uint32_t bit = 0; more; bit++) {
    more = false;
    for (uint32_t i = 0; i < callee->formals.count; i++) {
      const uint32_t width = l->t->decls.at[callee->formals.first + i].width;
      if (bit >= (width ? width : 1)) continue;
      more = true;
      if (!bpi_lower_expr(l, bits[(size_t)i * BPI_MOST_BITS + bit])) return false;
    }
  }
  return true;
}

static bool read_args(bpi_lowering *l, const bpi_rstmt *s, const bpi_rmodule *callee,
                      uint32_t *bits, uint32_t *ok)
{
  for (uint32_t i = 0; i < s->args.count; i++) {
    bpi_rvalue v;
    if (!bpi_read_value(l->r, l->t->args.at[s->args.first + i], &v) ||
        !take_bits(l, &v, l->t->decls.at[callee->formals.first + i].width,
                   l->t->decls.at[callee->formals.first + i].values.count,
                   bits + (size_t)i * BPI_MOST_BITS, ok))
      return false;
  }
  return true;
}

/* The targets of the call: the variable itself, or the spare ones. */
static bool push_targets(bpi_lowering *l, const bpi_rmodule *callee, const bpi_rdecl *decl,
                         bool spare)
{
  const uint32_t first = l->t->modules.at[l->w->module].spares;
  for (uint32_t i = 0; i < (callee->width ? callee->width : 1); i++) {
    const uint32_t var =
        spare ? first + i : l->p->data_vars.at[l->p->data.at[decl->datum].first + i];
    if (!bpi_vec_push(&l->p->ids, var)) return bpi_lower_no_memory(l);
  }
  return true;
}

/* From the spare variables to where the result belongs. */
static bool take_result(bpi_lowering *l, const bpi_rside *side, const bpi_rmodule *callee)
{
  const uint32_t spares = l->t->modules.at[l->w->module].spares;
  uint32_t ok = BPI_GATE_TRUE, condition;
  bpi_rvalue v = {.truth = !callee->width, .ok = BPI_GATE_TRUE, .at = side->at};
  bpi_reader_empty(l->r);
  if (v.truth) v.bit = bpi_gate_var(l->c, spares);
  const uint32_t first = l->c->bits.count;
  for (uint32_t i = 0; i < callee->width; i++)
    if (!bpi_vec_push(&l->c->bits, bpi_gate_var(l->c, spares + i))) return bpi_lower_no_memory(l);
  if (!v.truth) v.number = bpi_number_of_bits(l->c, first);
  if (callee->values.count) v.number.high = (int64_t)callee->values.count - 1;
  l->always.count = 0; /* control is behind the labels now */
  return store(l, side, &v, &ok) &&
         demand(l, (bpi_rguard){BPI_GATE_TRUE, BPI_GATE_TRUE}, ok, &condition) &&
         bpi_lower_assign(l, condition, true);
}

/* A module of an enum that ends without a value returns any of its constants. */
static bool end_unless_result(bpi_lowering *l, const bpi_rmodule *callee, const bpi_rdecl *decl,
                              bool spare)
{
  uint32_t vars[BPI_MOST_BITS];
  const uint32_t first = l->t->modules.at[l->w->module].spares;
  for (uint32_t i = 0; i < callee->width; i++)
    vars[i] = spare ? first + i : l->p->data_vars.at[l->p->data.at[decl->datum].first + i];
  return bpi_lower_end_unless(
      l, bpi_lower_within(l, BPI_GATE_TRUE, vars, callee->width, callee->values.count));
}

static bool check_call(bpi_lowering *l, const bpi_rstmt *s, const bpi_rmodule *callee)
{
  if (s->args.count != callee->formals.count) {
    char text[96];
    snprintf(text, sizeof text, " takes %u argument%s, not %u", (unsigned)callee->formals.count,
             callee->formals.count == 1 ? "" : "s", (unsigned)s->args.count);
    return bpi_world_error(l->w, BPI_MSG_ARGUMENTS, s->at, s->name, text);
  }
  if (s->sides.count && callee->of.type == BPI_RTYPE_VOID)
    return bpi_world_error(l->w, BPI_MSG_RESULTS, s->at, s->name, " returns nothing");
  return true;
}

static bool lower_call(bpi_lowering *l, const bpi_rstmt *s, bpi_rguard guard)
{
  const uint32_t index = bpi_world_module(l->w, s->name, s->at);
  if (index == BP_NONE || !check_call(l, s, &l->t->modules.at[index])) return false;
  const bpi_rmodule *callee = &l->t->modules.at[index];
  const bpi_rside *side = s->sides.count ? &l->t->sides.at[s->sides.first] : NULL;
  const bpi_rdecl *decl = side ? target_of(l, side) : NULL;
  if (side && !decl) return false;
  const bool spare = side && bpi_needs_spares(side, decl, callee);
  uint32_t ok = BPI_GATE_TRUE;
  uint32_t *bits = bpi_alloc((size_t)s->args.count * BPI_MOST_BITS, sizeof *bits);
  if (!bits) return bpi_lower_no_memory(l);
  bpi_stmt call = bpi_stmt_blank(BP_STMT_CALL);
  call.callee = s->name;
  bool good = read_args(l, s, callee, bits, &ok) && demand_before(l, guard, ok);
  call.targets = (bpi_slice){l->p->ids.count, 0};
  call.exprs = (bpi_slice){l->p->exprs.count, 0};
  good = good && (!side || push_targets(l, callee, decl, spare)) && push_args(l, callee, bits);
  bpi_release(bits);
  call.targets.count = l->p->ids.count - call.targets.first;
  call.exprs.count = l->p->exprs.count - call.exprs.first;
  if (good && !bpi_vec_push(&l->p->ids, s->name)) return bpi_lower_no_memory(l);
  good = good && bpi_lower_put(l, call);
  if (good && side) good = end_unless_result(l, callee, decl, spare);
  return good && (!spare || take_result(l, side, callee));
}

static bool lower_return(bpi_lowering *l, const bpi_rstmt *s, bpi_rguard guard)
{
  const bpi_rmodule *m = &l->t->modules.at[l->w->module];
  uint32_t bits[BPI_MOST_BITS], ok = BPI_GATE_TRUE;
  bpi_stmt out = bpi_stmt_blank(BP_STMT_RETURN);
  if (s->expr.count) {
    bpi_rvalue v;
    if (m->of.type == BPI_RTYPE_VOID)
      return bpi_reader_error(l->r, BPI_MSG_RETURNS, l->t->code.at[s->expr.first].at, 1,
                              "this module returns nothing");
    if (!bpi_read_value(l->r, s->expr, &v) ||
        !take_bits(l, &v, m->width, m->values.count, bits, &ok))
      return false;
    out.exprs.count = m->width ? m->width : 1;
  }
  if (!demand_before(l, guard, ok)) return false;
  out.exprs.first = l->p->exprs.count;
  for (uint32_t i = 0; i < out.exprs.count; i++)
    if (!bpi_lower_expr(l, bits[i])) return false;
  return bpi_lower_put(l, out);
}

/* ---- jumps -------------------------------------------------------------- */

static bool lower_goto(bpi_lowering *l, const bpi_rstmt *s, bpi_rguard guard)
{
  bpi_stmt out = bpi_stmt_blank(BP_STMT_GOTO);
  const bpi_rmeanings *m = &l->w->names.at[s->name];
  if (m->label_module != l->w->module)
    return bpi_world_error(l->w, BPI_MSG_NO_LABEL, s->at, s->name, " is no label of this module");
  if (!demand_before(l, guard, BPI_GATE_TRUE)) return false;
  out.targets = (bpi_slice){l->p->ids.count, 1};
  return bpi_vec_push(&l->p->ids, s->name) ? bpi_lower_put(l, out) : bpi_lower_no_memory(l);
}

static bool lower_break(bpi_lowering *l, bpi_rguard guard)
{
  uint32_t i = l->blocks.count;
  while (i && l->t->stmts.at[l->blocks.at[i - 1].stmt].kind != BPI_RSTMT_DO)
    i--;
  if (!i) {
    bpi_draft_error(l->d, BPI_MSG_SYNTAX, NULL, &l->range, "'break' stands in no 'do'");
    return false;
  }
  bpi_rblock *b = &l->blocks.at[i - 1];
  b->left = true;
  const uint32_t end = b->end;
  return demand_before(l, guard, BPI_GATE_TRUE) && bpi_lower_goto(l, end, 1, false);
}

bool bpi_lower_simple(bpi_lowering *l, const bpi_rstmt *s, bpi_rguard guard)
{
  switch (s->kind) {
  case BPI_RSTMT_SKIP: return lower_skip(l, s, guard);
  case BPI_RSTMT_ASSIGN: return lower_assign(l, s, guard);
  case BPI_RSTMT_CALL: return lower_call(l, s, guard);
  case BPI_RSTMT_RETURN: return lower_return(l, s, guard);
  case BPI_RSTMT_GOTO: return lower_goto(l, s, guard);
  default: return lower_break(l, guard);
  }
}
