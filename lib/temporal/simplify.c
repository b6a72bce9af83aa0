/* SPDX-License-Identifier: MIT */
#include "temporal/simplify.h"

enum { DEEP = 40, PASSES = 4 };

bool bpi_simplifier_init(bpi_simplifier *s, bpi_ltl *l)
{
  *s = (bpi_simplifier){.l = l};
  s->known = bpi_zalloc(BPI_KNOWN, sizeof *s->known);
  return s->known || bpi_job_no_memory(l->job);
}

void bpi_simplifier_free(bpi_simplifier *s)
{
  bpi_vec_free(&s->traits);
  bpi_vec_free(&s->negations);
  bpi_release(s->known);
}

static bool has(bpi_simplifier *s, uint32_t id, unsigned traits)
{
  return (bpi_traits(s, id) & traits) == traits;
}

static bool is_op(const bpi_simplifier *s, uint32_t id, bp_formula_op op)
{
  return bpi_ltl_op(s->l, id) == op;
}

static uint32_t arg(const bpi_simplifier *s, uint32_t id, uint32_t index)
{
  return bpi_ltl_arg(s->l, id, index);
}

/* ---- negation ---------------------------------------------------------- */

static uint32_t make_negation(bpi_simplifier *s, uint32_t id)
{
  const bp_formula_op op = bpi_ltl_op(s->l, id);
  if (op == BP_FORMULA_ATOM) return bpi_ltl_unary(s->l, BP_FORMULA_NOT, id);
  if (op == BP_FORMULA_NOT) return arg(s, id, 0);
  bpi_ids args = {0};
  uint32_t made = BP_NONE;
  if (bpi_vec_reserve(&args, bpi_ltl_count(s->l, id) + 1)) {
    for (uint32_t i = 0; i < bpi_ltl_count(s->l, id); i++)
      args.at[args.count++] = s->negations.at[arg(s, id, i)];
    if (op == BP_FORMULA_AND || op == BP_FORMULA_OR) bpi_ids_sort(&args);
    made = bpi_ltl_node(s->l, bpi_ltl_dual(op), args.at, args.count);
  } else {
    bpi_job_no_memory(s->l->job);
  }
  bpi_vec_free(&args);
  return made;
}

static bool note_negation(bpi_simplifier *s, uint32_t id, uint32_t negation)
{
  const uint32_t most = id > negation ? id : negation;
  while (s->negations.count <= most)
    if (!bpi_vec_push(&s->negations, BP_NONE)) return bpi_job_no_memory(s->l->job);
  s->negations.at[id] = negation;
  s->negations.at[negation] = id;
  return true;
}

/* Only what is below is negated: nodes that come before it and are not yet. */
uint32_t bpi_simple_not(bpi_simplifier *s, uint32_t a)
{
  if (a == BP_NONE) return BP_NONE;
  if (a < s->negations.count && s->negations.at[a] != BP_NONE) return s->negations.at[a];
  bpi_ids stack = {0};
  uint32_t result = BP_NONE;
  bool enough = bpi_vec_push(&stack, a);
  while (enough && stack.count && bpi_job_going(s->l->job)) {
    const uint32_t id = stack.at[stack.count - 1], before = stack.count;
    const bool leaf = is_op(s, id, BP_FORMULA_ATOM) || is_op(s, id, BP_FORMULA_NOT);
    for (uint32_t i = 0; enough && !leaf && i < bpi_ltl_count(s->l, id); i++) {
      const uint32_t below = arg(s, id, i);
      if (below >= s->negations.count || s->negations.at[below] == BP_NONE)
        enough = bpi_vec_push(&stack, below);
    }
    if (!enough || stack.count > before) continue;
    stack.count--;
    result = make_negation(s, id);
    if (result == BP_NONE || !note_negation(s, id, result)) break;
  }
  if (!enough) bpi_job_no_memory(s->l->job);
  bpi_vec_free(&stack);
  return s->l->job->status == BP_OK ? s->negations.at[a] : BP_NONE;
}

/* ---- X and G ----------------------------------------------------------- */

static uint32_t next(bpi_simplifier *s, uint32_t a)
{
  if (has(s, a, BPI_EVENTUAL | BPI_UNIVERSAL)) return a; /* [BKRS]: suspendable */
  return bpi_ltl_unary(s->l, BP_FORMULA_NEXT, a);
}

/* Splits the operands of `a`, an AND or OR, by a trait: the formula of those that have it, and of the
 * others. False when all or none have it. */
static bool split(bpi_simplifier *s, uint32_t a, unsigned traits, uint32_t *with, uint32_t *without)
{
  bpi_ids yes = {0}, no = {0};
  bool good = true;
  for (uint32_t i = 0; good && i < bpi_ltl_count(s->l, a); i++)
    good = bpi_vec_push(has(s, arg(s, a, i), traits) ? &yes : &no, arg(s, a, i));
  if (!good) bpi_job_no_memory(s->l->job);
  good = good && yes.count && no.count;
  if (good) {
    const bool all = is_op(s, a, BP_FORMULA_AND);
    *with = (all ? bpi_simple_and : bpi_simple_or)(s, yes.at, yes.count);
    *without = (all ? bpi_simple_and : bpi_simple_or)(s, no.at, no.count);
  }
  bpi_vec_free(&yes);
  bpi_vec_free(&no);
  return good;
}

static uint32_t pair(bpi_simplifier *s, bp_formula_op op, uint32_t a, uint32_t b)
{
  const uint32_t args[2] = {a, b};
  return (op == BP_FORMULA_AND ? bpi_simple_and : bpi_simple_or)(s, args, 2);
}

/* What is eventual is true always when it is true again and again, so of GF (x & e) and G (x & e) it
 * goes its own way. */
static uint32_t always_eventual(bpi_simplifier *s, uint32_t a)
{
  uint32_t with, without;
  const uint32_t inner = is_op(s, a, BP_FORMULA_EVENTUALLY) ? arg(s, a, 0) : a;
  if (!is_op(s, inner, BP_FORMULA_AND) || !split(s, inner, BPI_EVENTUAL, &with, &without))
    return BP_NONE;
  if (inner != a) without = bpi_simple_unary(s, BP_FORMULA_EVENTUALLY, without);
  with = bpi_simple_unary(s, BP_FORMULA_ALWAYS, with);
  without = bpi_simple_unary(s, BP_FORMULA_ALWAYS, without);
  return pair(s, BP_FORMULA_AND, with, without);
}

static uint32_t always(bpi_simplifier *s, uint32_t a)
{
  uint32_t with, without;
  if (has(s, a, BPI_UNIVERSAL)) return a;
  with = always_eventual(s, a);
  if (with != BP_NONE) return with;
  switch (bpi_ltl_op(s->l, a)) {
  case BP_FORMULA_NEXT:
    return bpi_simple_unary(s, BP_FORMULA_NEXT,
                            bpi_simple_unary(s, BP_FORMULA_ALWAYS, arg(s, a, 0)));
  case BP_FORMULA_RELEASE: return bpi_simple_unary(s, BP_FORMULA_ALWAYS, arg(s, a, 1));
  case BP_FORMULA_WEAK_UNTIL:
    return bpi_simple_unary(s, BP_FORMULA_ALWAYS,
                            pair(s, BP_FORMULA_OR, arg(s, a, 0), arg(s, a, 1)));
  case BP_FORMULA_STRONG_RELEASE:
    with = bpi_simple_unary(s, BP_FORMULA_EVENTUALLY, arg(s, a, 0));
    with = bpi_simple_unary(s, BP_FORMULA_ALWAYS, with);
    without = bpi_simple_unary(s, BP_FORMULA_ALWAYS, arg(s, a, 1));
    return pair(s, BP_FORMULA_AND, with, without);
  case BP_FORMULA_AND:
    if (split(s, a, BPI_UNIVERSAL, &with, &without))
      return pair(s, BP_FORMULA_AND, with, bpi_simple_unary(s, BP_FORMULA_ALWAYS, without));
    break;
  case BP_FORMULA_OR:
    if (split(s, a, BPI_EVENTUAL | BPI_UNIVERSAL, &with, &without))
      return pair(s, BP_FORMULA_OR, with, bpi_simple_unary(s, BP_FORMULA_ALWAYS, without));
    break;
  default: break;
  }
  return bpi_ltl_unary(s->l, BP_FORMULA_ALWAYS, a);
}

uint32_t bpi_simple_unary(bpi_simplifier *s, bp_formula_op op, uint32_t a)
{
  if (a == BP_NONE || a == BPI_LTL_FALSE || a == BPI_LTL_TRUE) return a;
  if (s->depth >= DEEP) return bpi_ltl_unary(s->l, op, a);
  uint32_t made;
  s->depth++;
  if (op == BP_FORMULA_NEXT)
    made = next(s, a);
  else if (op == BP_FORMULA_ALWAYS)
    made = always(s, a);
  else
    made = bpi_simple_not(s, bpi_simple_unary(s, BP_FORMULA_ALWAYS, bpi_simple_not(s, a)));
  s->depth--;
  return made;
}

/* ---- R and W ----------------------------------------------------------- */

/* The conjunction or disjunction `a` without the operands of these traits that `b` implies, or that imply `b`. */
static uint32_t without(bpi_simplifier *s, uint32_t a, uint32_t b, unsigned traits)
{
  const bp_formula_op op = bpi_ltl_op(s->l, a);
  bpi_ids rest = {0};
  bool good = true;
  for (uint32_t i = 0; good && i < bpi_ltl_count(s->l, a); i++) {
    const uint32_t x = arg(s, a, i);
    const bool drop = op == BP_FORMULA_AND ? bpi_implies(s, b, x) : bpi_implies(s, x, b);
    if (!drop || !has(s, x, traits)) good = bpi_vec_push(&rest, x);
  }
  if (!good) bpi_job_no_memory(s->l->job);
  uint32_t made = a;
  if (good && rest.count < bpi_ltl_count(s->l, a))
    made = (op == BP_FORMULA_AND ? bpi_simple_and : bpi_simple_or)(s, rest.at, rest.count);
  bpi_vec_free(&rest);
  return good ? made : BP_NONE;
}

static uint32_t both_next(bpi_simplifier *s, bp_formula_op op, uint32_t a, uint32_t b)
{
  return bpi_simple_unary(s, BP_FORMULA_NEXT, bpi_simple_binary(s, op, arg(s, a, 0), arg(s, b, 0)));
}

static uint32_t split_right(bpi_simplifier *s, bp_formula_op op, uint32_t a, uint32_t b)
{
  uint32_t with, rest;
  const bool all = is_op(s, b, BP_FORMULA_AND), some = is_op(s, b, BP_FORMULA_OR);
  const unsigned traits = all ? BPI_UNIVERSAL : BPI_EVENTUAL | BPI_UNIVERSAL;
  if ((all || some) && split(s, b, traits, &with, &rest))
    return pair(s, all ? BP_FORMULA_AND : BP_FORMULA_OR, with, bpi_simple_binary(s, op, a, rest));
  return bpi_ltl_binary(s->l, op, a, b);
}

/* a R (x & y) where y is F a in some form: a M x. */
static uint32_t strong(bpi_simplifier *s, uint32_t a, uint32_t b)
{
  const uint32_t later = bpi_simple_unary(s, BP_FORMULA_EVENTUALLY, a);
  if (!bpi_implies(s, b, later)) return BP_NONE;
  const uint32_t less = without(s, b, a, BPI_EVENTUAL);
  return less == b ? BP_NONE : bpi_simple_binary(s, BP_FORMULA_STRONG_RELEASE, a, less);
}

static uint32_t release(bpi_simplifier *s, uint32_t a, uint32_t b)
{
  const bp_formula_op op = BP_FORMULA_RELEASE;
  if (b == BPI_LTL_TRUE || b == BPI_LTL_FALSE || a == BPI_LTL_TRUE) return b;
  if (a == BPI_LTL_FALSE) return bpi_simple_unary(s, BP_FORMULA_ALWAYS, b);
  if (has(s, b, BPI_UNIVERSAL) || bpi_implies(s, b, a)) return b;
  if (bpi_implies(s, b, bpi_simple_not(s, a))) return bpi_simple_unary(s, BP_FORMULA_ALWAYS, b);
  if (is_op(s, a, BP_FORMULA_NEXT) && is_op(s, b, BP_FORMULA_NEXT)) return both_next(s, op, a, b);
  if (is_op(s, a, BP_FORMULA_AND)) {
    const uint32_t less = without(s, a, b, 0);
    if (less != a) return bpi_simple_binary(s, op, less, b);
  }
  if ((is_op(s, a, BP_FORMULA_RELEASE) || is_op(s, a, BP_FORMULA_STRONG_RELEASE)) &&
      arg(s, a, 1) == b)
    return bpi_simple_binary(s, op, arg(s, a, 0), b);
  if (is_op(s, b, BP_FORMULA_RELEASE)) {
    if (bpi_implies(s, arg(s, b, 0), a)) return b;
    if (bpi_implies(s, a, arg(s, b, 0))) return bpi_simple_binary(s, op, a, arg(s, b, 1));
  }
  const uint32_t made = is_op(s, b, BP_FORMULA_AND) ? strong(s, a, b) : BP_NONE;
  return made != BP_NONE ? made : split_right(s, op, a, b);
}

static uint32_t weak_until(bpi_simplifier *s, uint32_t a, uint32_t b)
{
  const bp_formula_op op = BP_FORMULA_WEAK_UNTIL;
  if (a == BPI_LTL_TRUE || b == BPI_LTL_TRUE) return BPI_LTL_TRUE;
  if (a == BPI_LTL_FALSE) return b;
  if (b == BPI_LTL_FALSE) return bpi_simple_unary(s, BP_FORMULA_ALWAYS, a);
  if (bpi_implies(s, a, b)) return b;
  if (bpi_implies(s, bpi_simple_not(s, a), b)) return BPI_LTL_TRUE;
  if (has(s, a, BPI_UNIVERSAL)) return pair(s, BP_FORMULA_OR, a, b);
  if (is_op(s, a, BP_FORMULA_NEXT) && is_op(s, b, BP_FORMULA_NEXT)) return both_next(s, op, a, b);
  if (is_op(s, a, BP_FORMULA_OR)) {
    const uint32_t less = without(s, a, b, 0);
    if (less != a) return bpi_simple_binary(s, op, less, b);
  }
  if (is_op(s, b, BP_FORMULA_OR)) {
    const uint32_t less = without(s, b, a, BPI_UNIVERSAL);
    if (less != b) return bpi_simple_binary(s, op, a, less);
  }
  if ((is_op(s, a, BP_FORMULA_WEAK_UNTIL) || is_op(s, a, BP_FORMULA_UNTIL)) && arg(s, a, 1) == b)
    return a;
  if (is_op(s, b, BP_FORMULA_WEAK_UNTIL)) {
    if (bpi_implies(s, a, arg(s, b, 0))) return b;
    if (bpi_implies(s, arg(s, b, 0), a)) return bpi_simple_binary(s, op, a, arg(s, b, 1));
  }
  return bpi_ltl_binary(s->l, op, a, b);
}

uint32_t bpi_simple_binary(bpi_simplifier *s, bp_formula_op op, uint32_t a, uint32_t b)
{
  if (a == BP_NONE || b == BP_NONE) return BP_NONE;
  if (s->depth >= DEEP) return bpi_ltl_binary(s->l, op, a, b);
  uint32_t made;
  s->depth++;
  if (op == BP_FORMULA_RELEASE) {
    made = release(s, a, b);
  } else if (op == BP_FORMULA_WEAK_UNTIL) {
    made = weak_until(s, a, b);
  } else {
    const uint32_t x = bpi_simple_not(s, a), y = bpi_simple_not(s, b);
    made = bpi_simple_not(s, bpi_simple_binary(s, bpi_ltl_dual(op), x, y));
  }
  s->depth--;
  return made;
}

/* ---- AND and OR -------------------------------------------------------- */

uint32_t bpi_simple_and(bpi_simplifier *s, const uint32_t *args, uint32_t count)
{
  s->depth++;
  const uint32_t made = bpi_simple_conjunction(s, args, count);
  s->depth--;
  return made;
}

uint32_t bpi_simple_or(bpi_simplifier *s, const uint32_t *args, uint32_t count)
{
  bpi_ids negations = {0};
  bool good = true;
  for (uint32_t i = 0; good && i < count; i++)
    good = bpi_vec_push(&negations, bpi_simple_not(s, args[i])) || bpi_job_no_memory(s->l->job);
  const uint32_t made =
      good ? bpi_simple_not(s, bpi_simple_and(s, negations.at, negations.count)) : BP_NONE;
  bpi_vec_free(&negations);
  return made;
}

/* ---- all --------------------------------------------------------------- */

static uint32_t make(bpi_simplifier *s, uint32_t id, const uint32_t *made, bpi_ids *args)
{
  const bp_formula_op op = bpi_ltl_op(s->l, id);
  const uint32_t count = op == BP_FORMULA_ATOM ? 0 : bpi_ltl_count(s->l, id);
  if (!count || op == BP_FORMULA_NOT) return id;
  if (op == BP_FORMULA_AND || op == BP_FORMULA_OR) {
    args->count = 0;
    for (uint32_t i = 0; i < count; i++)
      if (!bpi_vec_push(args, made[arg(s, id, i)])) {
        bpi_job_no_memory(s->l->job);
        return BP_NONE;
      }
    return (op == BP_FORMULA_AND ? bpi_simple_and : bpi_simple_or)(s, args->at, count);
  }
  if (count == 1) return bpi_simple_unary(s, op, made[arg(s, id, 0)]);
  return bpi_simple_binary(s, op, made[arg(s, id, 0)], made[arg(s, id, 1)]);
}

static uint32_t pass(bpi_simplifier *s, uint32_t root)
{
  bpi_ids args = {0};
  uint8_t *marks = bpi_ltl_below(s->l, root);
  uint32_t *made = marks ? bpi_alloc(root + (size_t)1, sizeof *made) : NULL, result = BP_NONE;
  if (!made) bpi_job_no_memory(s->l->job);
  for (uint32_t id = 0; made && id <= root && bpi_job_going(s->l->job); id++)
    if (marks[id]) result = made[id] = make(s, id, made, &args);
  bpi_vec_free(&args);
  bpi_release(made);
  bpi_release(marks);
  return s->l->job->status == BP_OK ? result : BP_NONE;
}

uint32_t bpi_simple_all(bpi_simplifier *s, uint32_t root)
{
  for (uint32_t i = 0; i < PASSES && root != BP_NONE; i++) {
    const uint32_t better = pass(s, root);
    if (better == root) break;
    root = better;
  }
  return root;
}

uint32_t bpi_ltl_simplify(bpi_ltl *l, uint32_t root)
{
  bpi_simplifier s;
  uint32_t result = BP_NONE;
  root = bpi_ltl_nnf(l, root, false);
  if (bpi_simplifier_init(&s, l)) result = root == BP_NONE ? root : bpi_simple_all(&s, root);
  bpi_simplifier_free(&s);
  return result;
}
