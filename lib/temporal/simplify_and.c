/* SPDX-License-Identifier: MIT
 * Conjunctions: flat, sorted, without what the others imply, with operands of one form merged. */
#include "temporal/simplify.h"

enum { PAIRWISE = 48, DEEP = 20 };

typedef struct set {
  bpi_simplifier *s;
  bpi_ids ids;
} set;

static bool add(set *c, uint32_t id)
{
  if (id == BP_NONE) return false;
  return bpi_vec_push(&c->ids, id) || bpi_job_no_memory(c->s->l->job);
}

static bool flatten(set *c, const uint32_t *args, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    if (args[i] == BP_NONE) return false;
    if (bpi_ltl_op(c->s->l, args[i]) != BP_FORMULA_AND) {
      if (args[i] != BPI_LTL_TRUE && !add(c, args[i])) return false;
      continue;
    }
    for (uint32_t k = 0; k < bpi_ltl_count(c->s->l, args[i]); k++)
      if (!add(c, bpi_ltl_arg(c->s->l, args[i], k))) return false;
  }
  return bpi_job_going(c->s->l->job);
}

static bool contains(const bpi_ids *ids, uint32_t id)
{
  uint32_t low = 0, high = ids->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (ids->at[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < ids->count && ids->at[low] == id;
}

/* Whether an atom stands there with its negation, or false. */
static bool clashes(const set *c)
{
  for (uint32_t i = 0; i < c->ids.count; i++) {
    const uint32_t id = c->ids.at[i];
    if (id == BPI_LTL_FALSE) return true;
    if (bpi_ltl_op(c->s->l, id) == BP_FORMULA_NOT && contains(&c->ids, bpi_ltl_arg(c->s->l, id, 0)))
      return true;
  }
  return false;
}

/* Drops what another one implies. False when two of them exclude each other. */
static bool absorb(set *c)
{
  for (uint32_t i = 0; i < c->ids.count; i++)
    for (uint32_t k = 0; k < c->ids.count; k++) {
      const uint32_t a = c->ids.at[i], b = c->ids.at[k];
      if (a == b || a == BPI_LTL_TRUE || b == BPI_LTL_TRUE) continue;
      if (bpi_implies(c->s, a, b))
        c->ids.at[k] = BPI_LTL_TRUE;
      else if (i < k && bpi_implies(c->s, a, bpi_simple_not(c->s, b)))
        return false;
    }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->ids.count; i++)
    if (c->ids.at[i] != BPI_LTL_TRUE) c->ids.at[kept++] = c->ids.at[i];
  c->ids.count = kept;
  return true;
}

/* ---- merging two ------------------------------------------------------- */

static uint32_t both(set *c, uint32_t a, uint32_t b)
{
  const uint32_t args[2] = {a, b};
  return bpi_simple_and(c->s, args, 2);
}

static bool is_suspendable(set *c, uint32_t id)
{
  const unsigned all = BPI_EVENTUAL | BPI_UNIVERSAL;
  return (bpi_traits(c->s, id) & all) == all;
}

static uint32_t merge_equal_ops(set *c, bp_formula_op op, const uint32_t x[2], const uint32_t y[2])
{
  switch (op) {
  case BP_FORMULA_NEXT: return bpi_simple_unary(c->s, op, both(c, x[0], y[0]));
  case BP_FORMULA_ALWAYS: return bpi_simple_unary(c->s, op, both(c, x[0], y[0]));
  case BP_FORMULA_UNTIL:
  case BP_FORMULA_WEAK_UNTIL:
    return x[1] == y[1] ? bpi_simple_binary(c->s, op, both(c, x[0], y[0]), x[1]) : BP_NONE;
  case BP_FORMULA_RELEASE:
  case BP_FORMULA_STRONG_RELEASE:
    return x[0] == y[0] ? bpi_simple_binary(c->s, op, x[0], both(c, x[1], y[1])) : BP_NONE;
  default: return BP_NONE;
  }
}

/* G (y | u) with F !y, u universal: up to the first !y there is y, and there u, which stays. */
static uint32_t merge_first(set *c, uint32_t both_of, uint32_t not_y)
{
  bool found = false;
  if (bpi_ltl_op(c->s->l, both_of) != BP_FORMULA_OR) return BP_NONE;
  for (uint32_t i = 0; i < bpi_ltl_count(c->s->l, both_of); i++) {
    const uint32_t part = bpi_ltl_arg(c->s->l, both_of, i);
    const bool is_y = !found && bpi_simple_not(c->s, part) == not_y;
    if (!is_y && !(bpi_traits(c->s, part) & BPI_UNIVERSAL)) return BP_NONE;
    found = found || is_y;
  }
  return found ? bpi_simple_binary(c->s, BP_FORMULA_STRONG_RELEASE, not_y, both_of) : BP_NONE;
}

/* With an eventuality a weak operator becomes strong; a with XGa is Ga. */
static uint32_t merge_unequal(set *c, bp_formula_op op, const uint32_t x[2], uint32_t other)
{
  const bpi_ltl *l = c->s->l;
  const bp_formula_op o = bpi_ltl_op(l, other);
  const uint32_t o0 =
      o == BP_FORMULA_ATOM || !bpi_ltl_count(l, other) ? BP_NONE : bpi_ltl_arg(l, other, 0);
  if (op == BP_FORMULA_WEAK_UNTIL && o == BP_FORMULA_EVENTUALLY && o0 == x[1])
    return bpi_simple_binary(c->s, BP_FORMULA_UNTIL, x[0], x[1]);
  if (op == BP_FORMULA_RELEASE && o == BP_FORMULA_EVENTUALLY && o0 == x[0])
    return bpi_simple_binary(c->s, BP_FORMULA_STRONG_RELEASE, x[0], x[1]);
  if (op == BP_FORMULA_WEAK_UNTIL && o == BP_FORMULA_UNTIL && bpi_ltl_arg(l, other, 1) == x[1])
    return bpi_simple_binary(c->s, BP_FORMULA_UNTIL, both(c, x[0], o0), x[1]);
  if (op == BP_FORMULA_RELEASE && o == BP_FORMULA_STRONG_RELEASE && o0 == x[0])
    return bpi_simple_binary(c->s, BP_FORMULA_STRONG_RELEASE, x[0],
                             both(c, x[1], bpi_ltl_arg(l, other, 1)));
  if (op == BP_FORMULA_ALWAYS && o == BP_FORMULA_EVENTUALLY) return merge_first(c, x[0], o0);
  if (op == BP_FORMULA_NEXT && bpi_ltl_op(l, x[0]) == BP_FORMULA_ALWAYS &&
      bpi_ltl_arg(l, x[0], 0) == other)
    return x[0];
  return BP_NONE;
}

/* FG a and FG b: one FG. */
static uint32_t merge_persistent(set *c, uint32_t a, uint32_t b)
{
  const bpi_ltl *l = c->s->l;
  if (bpi_ltl_op(l, a) != BP_FORMULA_EVENTUALLY || bpi_ltl_op(l, b) != BP_FORMULA_EVENTUALLY)
    return BP_NONE;
  const uint32_t x = bpi_ltl_arg(l, a, 0), y = bpi_ltl_arg(l, b, 0);
  if (bpi_ltl_op(l, x) != BP_FORMULA_ALWAYS || bpi_ltl_op(l, y) != BP_FORMULA_ALWAYS)
    return BP_NONE;
  return bpi_simple_unary(c->s, BP_FORMULA_EVENTUALLY, both(c, x, y));
}

static uint32_t merge(set *c, uint32_t a, uint32_t b)
{
  const bpi_ltl *l = c->s->l;
  const bp_formula_op op = bpi_ltl_op(l, a);
  const uint32_t count = op == BP_FORMULA_ATOM ? 0 : bpi_ltl_count(l, a);
  if (!count || op == BP_FORMULA_NOT || op == BP_FORMULA_OR) return BP_NONE;
  if (is_suspendable(c, a) && is_suspendable(c, b)) return merge_persistent(c, a, b);
  if (is_suspendable(c, a) || is_suspendable(c, b)) return BP_NONE;
  const uint32_t x[2] = {bpi_ltl_arg(l, a, 0), count > 1 ? bpi_ltl_arg(l, a, 1) : BP_NONE};
  if (bpi_ltl_op(l, b) != op) return merge_unequal(c, op, x, b);
  const uint32_t y[2] = {bpi_ltl_arg(l, b, 0), count > 1 ? bpi_ltl_arg(l, b, 1) : BP_NONE};
  return merge_equal_ops(c, op, x, y);
}

/* Merges the first two that can be; whether there were any. */
static bool merge_some(set *c)
{
  for (uint32_t i = 0; i < c->ids.count; i++)
    for (uint32_t k = 0; k < c->ids.count; k++) {
      const uint32_t a = c->ids.at[i], b = c->ids.at[k];
      const uint32_t merged = i == k ? BP_NONE : merge(c, a, b);
      if (merged == BP_NONE) continue;
      c->ids.at[i] = merged;
      c->ids.at[k] = c->ids.at[--c->ids.count];
      return true;
    }
  return false;
}

static uint32_t result(set *c)
{
  if (!c->ids.count) return BPI_LTL_TRUE;
  if (c->ids.count == 1) return c->ids.at[0];
  return bpi_ltl_node(c->s->l, BP_FORMULA_AND, c->ids.at, c->ids.count);
}

static uint32_t simplified(set *c)
{
  bpi_ids_sort_unique(&c->ids);
  if (clashes(c)) return BPI_LTL_FALSE;
  if (c->ids.count > PAIRWISE || c->s->depth > DEEP) return result(c);
  if (!absorb(c)) return BPI_LTL_FALSE;
  if (merge_some(c)) return bpi_simple_and(c->s, c->ids.at, c->ids.count);
  return result(c);
}

uint32_t bpi_simple_conjunction(bpi_simplifier *s, const uint32_t *args, uint32_t count)
{
  set c = {.s = s};
  const uint32_t made = flatten(&c, args, count) ? simplified(&c) : BP_NONE;
  bpi_vec_free(&c.ids);
  return s->l->job->status == BP_OK ? made : BP_NONE;
}
