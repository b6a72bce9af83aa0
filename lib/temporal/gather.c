/* SPDX-License-Identifier: MIT
 * Disjunctions that wait. F a & s, where s is true at all positions or at none, is F (a & s) too; the
 * simplifier prefers the former. Of a disjunction of several such ones, F (a & s) or F (b & t), the one that
 * it will be is chosen only when it begins: F (a & s or b & t). */
#include "temporal/translate.h"

typedef struct gatherer {
  bpi_translation *t;
  bpi_ids args, rest;
  bpi_ids waiting; /* the a & s of the F (a & s) */
  bool divided;    /* one of them stood as F a & s */
  bool recurs;     /* GF g is there too, which waits with them */
} gatherer;

static bool push(gatherer *g, bpi_ids *ids, uint32_t node)
{
  return node != BP_NONE && (bpi_vec_push(ids, node) || bpi_job_no_memory(g->t->job));
}

static bool is_suspendable(const gatherer *g, uint32_t node)
{
  const unsigned all = BPI_EVENTUAL | BPI_UNIVERSAL;
  return (bpi_traits(g->t->simple, node) & all) == all;
}

static bool is_eventually(const gatherer *g, uint32_t node)
{
  return bpi_ltl_op(g->t->ltl, node) == BP_FORMULA_EVENTUALLY;
}

/* Which operand of a conjunction is the F a, when the others are suspendable; BP_NONE: none is. */
static uint32_t find_eventually(const gatherer *g, uint32_t node)
{
  uint32_t found = BP_NONE;
  bool sure = false;
  for (uint32_t i = 0; i < bpi_ltl_count(g->t->ltl, node); i++) {
    const uint32_t x = bpi_ltl_arg(g->t->ltl, node, i);
    const bool suspendable = is_suspendable(g, x);
    if (!suspendable && (sure || !is_eventually(g, x))) return BP_NONE;
    if (!suspendable || (found == BP_NONE && is_eventually(g, x))) found = i;
    sure = sure || !suspendable;
  }
  return found;
}

/* The a & s of a node F a, or F a & s; BP_NONE when it is neither. */
static uint32_t awaited(gatherer *g, uint32_t node)
{
  const bpi_ltl *l = g->t->ltl;
  if (is_eventually(g, node)) return bpi_ltl_arg(l, node, 0);
  const uint32_t at = bpi_ltl_op(l, node) == BP_FORMULA_AND ? find_eventually(g, node) : BP_NONE;
  if (at == BP_NONE) return BP_NONE;
  g->divided = true;
  g->args.count = 0;
  for (uint32_t i = 0; i < bpi_ltl_count(l, node); i++) {
    const uint32_t x = bpi_ltl_arg(l, node, i);
    if (!push(g, &g->args, i == at ? bpi_ltl_arg(l, x, 0) : x)) return BP_NONE;
  }
  return bpi_simple_and(g->t->simple, g->args.at, g->args.count);
}

static uint32_t gather_or(gatherer *g, uint32_t node)
{
  bpi_ltl *l = g->t->ltl;
  g->waiting.count = g->rest.count = 0;
  g->divided = g->recurs = false;
  for (uint32_t i = 0; i < bpi_ltl_count(l, node); i++) {
    const uint32_t x = bpi_ltl_arg(l, node, i), a = awaited(g, x);
    g->recurs = g->recurs || bpi_ltl_recurrent(l, x) != BP_NONE;
    if (!push(g, a == BP_NONE ? &g->rest : &g->waiting, a == BP_NONE ? x : a)) return BP_NONE;
  }
  if (!g->divided || (g->waiting.count < 2 && !g->recurs)) return node;
  const uint32_t some = bpi_simple_or(g->t->simple, g->waiting.at, g->waiting.count);
  if (!push(g, &g->rest, bpi_ltl_unary(l, BP_FORMULA_EVENTUALLY, some))) return BP_NONE;
  bpi_ids_sort_unique(&g->rest);
  return bpi_ltl_chain(l, BP_FORMULA_OR, &g->rest);
}

static uint32_t make(gatherer *g, uint32_t node, const uint32_t *made)
{
  bpi_ltl *l = g->t->ltl;
  const bp_formula_op op = bpi_ltl_op(l, node);
  if (op == BP_FORMULA_ATOM || op == BP_FORMULA_NOT) return node;
  g->args.count = 0;
  for (uint32_t i = 0; i < bpi_ltl_count(l, node); i++)
    if (!push(g, &g->args, made[bpi_ltl_arg(l, node, i)])) return BP_NONE;
  const uint32_t same = bpi_ltl_node(l, op, g->args.at, g->args.count);
  return op == BP_FORMULA_OR && same != BP_NONE ? gather_or(g, same) : same;
}

uint32_t bpi_gather(bpi_translation *t, uint32_t root)
{
  gatherer g = {.t = t};
  uint8_t *below = bpi_ltl_below(t->ltl, root);
  uint32_t *made = below ? bpi_alloc(root + (size_t)1, sizeof *made) : NULL, result = BP_NONE;
  if (!made) bpi_job_no_memory(t->job);
  for (uint32_t id = 0; made && id <= root && bpi_job_going(t->job); id++)
    if (below[id]) result = made[id] = make(&g, id, made);
  bpi_vec_free(&g.args);
  bpi_vec_free(&g.rest);
  bpi_vec_free(&g.waiting);
  bpi_release(made);
  bpi_release(below);
  return t->job->status == BP_OK ? result : BP_NONE;
}
