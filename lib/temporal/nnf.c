/* SPDX-License-Identifier: MIT */
#include "temporal/ltl.h"

bp_formula_op bpi_ltl_dual(bp_formula_op op)
{
  switch (op) {
  case BP_FORMULA_FALSE: return BP_FORMULA_TRUE;
  case BP_FORMULA_TRUE: return BP_FORMULA_FALSE;
  case BP_FORMULA_AND: return BP_FORMULA_OR;
  case BP_FORMULA_OR: return BP_FORMULA_AND;
  case BP_FORMULA_EVENTUALLY: return BP_FORMULA_ALWAYS;
  case BP_FORMULA_ALWAYS: return BP_FORMULA_EVENTUALLY;
  case BP_FORMULA_UNTIL: return BP_FORMULA_RELEASE;
  case BP_FORMULA_RELEASE: return BP_FORMULA_UNTIL;
  case BP_FORMULA_WEAK_UNTIL: return BP_FORMULA_STRONG_RELEASE;
  case BP_FORMULA_STRONG_RELEASE: return BP_FORMULA_WEAK_UNTIL;
  default: return op;
  }
}

/* For each node, 2 * id: is it needed as it is, 2 * id + 1: is its negation. */
typedef struct work {
  bpi_ltl *l;
  uint8_t *need;
  uint32_t *made;
  bpi_ids args;
} work;

static void need_operands(work *w, uint32_t id, unsigned negated)
{
  const bp_formula_op op = bpi_ltl_op(w->l, id);
  if (op == BP_FORMULA_ATOM) return;
  for (uint32_t i = 0; i < bpi_ltl_count(w->l, id); i++) {
    const size_t below = 2 * (size_t)bpi_ltl_arg(w->l, id, i);
    const bool flip = op == BP_FORMULA_NOT || (op == BP_FORMULA_IMPLIES && i == 0);
    w->need[below + (negated ^ flip)] = 1;
    if (op == BP_FORMULA_IFF) w->need[below] = w->need[below + 1] = 1;
  }
}

static uint32_t make_iff(work *w, uint32_t id, unsigned negated)
{
  const size_t a = 2 * (size_t)bpi_ltl_arg(w->l, id, 0), b = 2 * (size_t)bpi_ltl_arg(w->l, id, 1);
  const uint32_t both = bpi_ltl_binary(w->l, BP_FORMULA_AND, w->made[a], w->made[b + negated]);
  const uint32_t none = bpi_ltl_binary(w->l, BP_FORMULA_AND, w->made[a + 1], w->made[b + !negated]);
  return bpi_ltl_binary(w->l, BP_FORMULA_OR, both, none);
}

static uint32_t make(work *w, uint32_t id, unsigned negated)
{
  bp_formula_op op = bpi_ltl_op(w->l, id);
  if (op == BP_FORMULA_ATOM) return negated ? bpi_ltl_unary(w->l, BP_FORMULA_NOT, id) : id;
  if (op == BP_FORMULA_NOT) return w->made[2 * (size_t)bpi_ltl_arg(w->l, id, 0) + !negated];
  if (op == BP_FORMULA_IFF) return make_iff(w, id, negated);
  w->args.count = 0;
  for (uint32_t i = 0; i < bpi_ltl_count(w->l, id); i++) {
    const bool flip = op == BP_FORMULA_IMPLIES && i == 0;
    const size_t below = 2 * (size_t)bpi_ltl_arg(w->l, id, i) + (negated ^ flip);
    if (!bpi_vec_push(&w->args, w->made[below])) {
      bpi_job_no_memory(w->l->job);
      return BP_NONE;
    }
  }
  if (op == BP_FORMULA_IMPLIES) op = BP_FORMULA_OR;
  return bpi_ltl_node(w->l, negated ? bpi_ltl_dual(op) : op, w->args.at, w->args.count);
}

uint32_t bpi_ltl_nnf(bpi_ltl *l, uint32_t root, bool negate)
{
  if (root == BP_NONE) return BP_NONE;
  const size_t size = 2 * ((size_t)root + 1), top = 2 * (size_t)root + negate;
  work w = {.l = l, .need = bpi_zalloc(size, 1)};
  w.made = w.need ? bpi_alloc(size, sizeof *w.made) : NULL;
  if (!w.made) bpi_job_no_memory(l->job);
  if (w.made) w.need[top] = 1;
  for (uint32_t id = root + 1; w.made && id-- > 0;)
    for (unsigned n = 0; n < 2; n++)
      if (w.need[2 * (size_t)id + n]) need_operands(&w, id, n);
  for (uint32_t id = 0; w.made && id <= root; id++)
    for (unsigned n = 0; n < 2; n++)
      if (w.need[2 * (size_t)id + n]) w.made[2 * (size_t)id + n] = make(&w, id, n);
  const uint32_t result = w.made && l->job->status == BP_OK ? w.made[top] : BP_NONE;
  bpi_vec_free(&w.args);
  bpi_release(w.need);
  bpi_release(w.made);
  return result;
}

/* ---- the public calls -------------------------------------------------- */

/* A copy of the formula to work on, changed by `change`. */
static bp_status changed(bp_formula **out, bp_context *ctx, const bp_formula *formula,
                         uint32_t (*change)(bpi_ltl *l, uint32_t root), const char *doing)
{
  bpi_job job;
  bpi_ltl l;
  bpi_job_begin(&job, ctx);
  if (bpi_ltl_init(&l, &job)) {
    const uint32_t root = bpi_ltl_copy(&l, &formula->ltl, formula->root);
    bpi_ltl_finish(&l, root == BP_NONE ? root : change(&l, root), formula->name, out);
  }
  bpi_ltl_free(&l);
  return bpi_job_end(&job, doing);
}

static uint32_t negated(bpi_ltl *l, uint32_t root)
{
  return bpi_ltl_nnf(l, root, true);
}

static uint32_t normalised(bpi_ltl *l, uint32_t root)
{
  return bpi_ltl_nnf(l, root, false);
}

#define CHECK(out, ctx, formula)                                                                   \
  do {                                                                                             \
    if (out) *(out) = NULL;                                                                        \
    if (!(ctx)) return BP_E_INVALID;                                                               \
    if (!(out) || !(formula)) return bpi_invalid(ctx, "%s is NULL", (out) ? "formula" : "out");    \
  } while (0)

bp_status bp_formula_negate(bp_formula **out, bp_context *ctx, const bp_formula *formula)
{
  CHECK(out, ctx, formula);
  return changed(out, ctx, formula, negated, "negating a formula");
}

bp_status bp_formula_nnf(bp_formula **out, bp_context *ctx, const bp_formula *formula)
{
  CHECK(out, ctx, formula);
  return changed(out, ctx, formula, normalised, "normalising a formula");
}

bp_status bp_formula_simplify(bp_formula **out, bp_context *ctx, const bp_formula *formula)
{
  CHECK(out, ctx, formula);
  return changed(out, ctx, formula, bpi_ltl_simplify, "simplifying a formula");
}
