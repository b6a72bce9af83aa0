/* SPDX-License-Identifier: MIT
 * Relations of rules as conjunctions of factors (partitioned transition relations: Burch, Clarke & Long, VLSI
 * 1991). A conjunct whose BDD would be large by itself, as a comparison of array elements at two indices is,
 * is evaluated each time within the set that it is applied to. */
#include "pushdown/pushdown.h"

#ifndef BPI_MOST_FACTOR /* 0 for tests: each conjunct is a factor, evaluated within sets */
#define BPI_MOST_FACTOR 1000
#endif

enum {
  MOST_NODES = BPI_MOST_FACTOR, /* of a factor made of several conjuncts */
  MOST_WORK = 64                /* for making the BDD of a conjunct */
};

/* ---- conjuncts --------------------------------------------------------------- */

/* The conjuncts of an expression, in order: where each ends. */
typedef struct conjuncts {
  BPI_VEC(uint32_t) begins; /* by instruction: where the expression that it ends begins */
  BPI_VEC(uint32_t) stack;  /* scratch */
  BPI_VEC(uint32_t) ends;
} conjuncts;

/* Whether what a conjunct reads from a register was kept in the same one. */
static bool independent(conjuncts *k, const bpi_instr *code, bool *memory)
{
  k->stack.count = 0; /* by register: the conjunct that kept it */
  for (uint32_t c = 0, i = 0; c < k->ends.count; c++)
    for (; i <= k->ends.at[c]; i++) {
      const uint32_t number = code[i].arg;
      if (code[i].op != BPI_OP_KEEP && code[i].op != BPI_OP_KEPT) continue;
      while (k->stack.count <= number)
        if (!bpi_vec_push(&k->stack, BP_NONE)) return *memory = false;
      if (code[i].op == BPI_OP_KEEP)
        k->stack.at[number] = c;
      else if (k->stack.at[number] != c)
        return false;
    }
  return true;
}

static bool split(conjuncts *k, const bpi_instr *code, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t arity = bpi_op_arity(code[i].op);
    const uint32_t begin = arity ? k->stack.at[k->stack.count - arity] : i;
    k->stack.count -= arity;
    if (!bpi_vec_push(&k->stack, begin) || !bpi_vec_push(&k->begins, begin)) return false;
  }
  k->stack.count = 0;
  if (count && !bpi_vec_push(&k->stack, count - 1)) return false;
  while (k->stack.count) {
    const uint32_t last = k->stack.at[--k->stack.count];
    if (code[last].op != BPI_OP_AND) {
      if (!bpi_vec_push(&k->ends, last)) return false;
      continue;
    }
    const uint32_t left = k->begins.at[last - 1] - 1;
    if (!bpi_vec_push(&k->stack, last - 1) || !bpi_vec_push(&k->stack, left)) return false;
  }
  bool memory = true;
  if (!independent(k, code, &memory)) {
    k->ends.at[0] = count - 1;
    k->ends.count = 1;
  }
  return memory;
}

/* ---- factors ----------------------------------------------------------------- */

/* Adds one, which is given away, to the last if both together stay small. */
static void add(bpi_run *run, bpi_factors *factors, bpi_factor one)
{
  bpi_factor *last = factors->count ? &factors->at[factors->count - 1] : NULL;
  if (last && !last->code.count && !one.code.count &&
      bpi_bdd_node_count(run->m, last->rel) <= MOST_NODES &&
      bpi_bdd_node_count(run->m, one.rel) <= MOST_NODES) {
    const bpi_bdd both = bpi_bdd_and(run->m, last->rel, one.rel);
    const bool small = bpi_bdd_node_count(run->m, both) <= MOST_NODES;
    bpi_bdd_drop(run->m, small ? last->rel : both);
    if (small) {
      bpi_bdd_drop(run->m, one.rel);
      last->rel = both;
      return;
    }
  }
  if (factors->count) bpi_run_tick(run);
  if (bpi_vec_push(factors, one)) return;
  bpi_bdd_drop(run->m, one.rel);
  bpi_run_no_memory(run);
}

/* A conjunct of the rule: its BDD, or its code. */
static void add_conjunct(bpi_run *run, const bpi_rule *rule, const bpi_view *view, bpi_slice code,
                         bpi_factors *factors)
{
  const bpi_instr *first = bpi_rule_code(run->p, rule) + code.first;
  bpi_factor one = {BPI_FALSE, BPI_FALSE, code};
  bool large = !MOST_NODES;
  if (!large) {
    const uint64_t outer = bpi_bdd_budget(run->m, MOST_WORK);
    one.rel = bpi_relation_encode(run, first, code.count, view);
    large = bpi_bdd_end_budget(run->m, outer);
  }
  if (!large) one.code.count = 0;
  add(run, factors, one);
}

/* The variables that a factor mentions. */
static bpi_bdd mentioned(bpi_run *run, const bpi_rule *rule, const bpi_view *view,
                         const bpi_factor *factor)
{
  bpi_vars vars = {0};
  const bpi_instr *code = bpi_rule_code(run->p, rule);
  bool memory = factor->code.count || bpi_bdd_support(run->m, factor->rel, &vars);
  for (uint32_t i = factor->code.first; i < factor->code.first + factor->code.count; i++)
    if (code[i].op == BPI_OP_VAR || code[i].op == BPI_OP_NEXT || code[i].op == BPI_OP_MIXED_NEXT)
      memory &= bpi_vec_push(&vars, bpi_relation_var(run->p, code[i], view));
  if (!memory) bpi_run_no_memory(run);
  const bpi_bdd set = bpi_bdd_set(run->m, vars.at, vars.count);
  bpi_vec_free(&vars);
  return set;
}

/* A variable of `set` goes with the last factor that mentions it, or else with the first. */
static void share_out(bpi_run *run, const bpi_rule *rule, const bpi_view *view, bpi_bdd set,
                      bpi_factors *factors)
{
  bpi_bdd left = bpi_bdd_keep(run->m, set);
  for (uint32_t i = factors->count; i-- > 1 && bpi_run_good(run);) {
    const bpi_bdd here = mentioned(run, rule, view, &factors->at[i]);
    /* Sets are conjunctions: what both have is what is left without the rest of either. */
    const bpi_bdd others = bpi_bdd_exists(run->m, left, here);
    factors->at[i].gone = bpi_bdd_exists(run->m, left, others);
    bpi_bdd_drop(run->m, here);
    bpi_bdd_drop(run->m, left);
    left = others;
  }
  if (factors->count)
    factors->at[0].gone = left;
  else
    bpi_bdd_drop(run->m, left);
}

void bpi_rule_factors(bpi_run *run, const bpi_rule *rule, const bpi_view *view, bpi_bdd set,
                      bpi_factors *factors)
{
  conjuncts k = {0};
  if (!split(&k, bpi_rule_code(run->p, rule), rule->code.count)) bpi_run_no_memory(run);
  if (bpi_run_good(run))
    add(run, factors, (bpi_factor){bpi_rule_keeps(run, rule, view), BPI_FALSE, {0, 0}});
  for (uint32_t i = 0; i < k.ends.count && bpi_run_good(run); i++) {
    const uint32_t begin = k.begins.at[k.ends.at[i]];
    add_conjunct(run, rule, view, (bpi_slice){begin, k.ends.at[i] - begin + 1}, factors);
  }
  if (bpi_run_good(run)) share_out(run, rule, view, set, factors);
  bpi_vec_free(&k.begins);
  bpi_vec_free(&k.stack);
  bpi_vec_free(&k.ends);
}

void bpi_factors_free(bpi_run *run, bpi_factors *factors)
{
  for (uint32_t i = 0; i < factors->count; i++) {
    bpi_bdd_drop(run->m, factors->at[i].rel);
    bpi_bdd_drop(run->m, factors->at[i].gone);
  }
  bpi_vec_free(factors);
}

/* ---- images ------------------------------------------------------------------ */

bpi_bdd bpi_factors_image(bpi_run *run, const bpi_rule *rule, const bpi_view *view,
                          const bpi_factors *factors, bpi_bdd set, bool rename)
{
  bp_manager *m = run->m;
  const bpi_instr *code = bpi_rule_code(run->p, rule);
  bpi_bdd at = bpi_bdd_keep(m, set);
  for (uint32_t i = 0; i < factors->count && bpi_run_good(run); i++) {
    const bpi_factor *f = &factors->at[i];
    bpi_bdd rel = bpi_bdd_keep(m, f->rel);
    if (i && !bpi_run_tick(run)) break;
    if (f->code.count)
      rel = bpi_relation_within(run, code + f->code.first, f->code.count, view, at);
    const bpi_bdd next = rename && i + 1 == factors->count
                             ? bpi_bdd_image(m, at, rel, f->gone)
                             : bpi_bdd_and_exists(m, at, rel, f->gone);
    bpi_bdd_drop(m, rel);
    bpi_bdd_drop(m, at);
    at = next;
  }
  return at;
}
