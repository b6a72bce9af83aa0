/* SPDX-License-Identifier: MIT
 * Explorations from both sides. The relation between the entry and the exit of a recursive procedure that
 * changes dozens of variables which influence each other is large beyond hope. So where sets grow large,
 * the exploration pauses now and then for others that need no such relation (contexts.c):
 *
 * - one in which recursive procedures return to whoever called them, from all of their contexts
 *   together; what it does not reach cannot be reached;
 * - one that enters recursion a few levels deep only (a bound on the depth of calls, as context bounds are
 *   for threads: Qadeer & Rehof, TACAS 2005), in single contexts; what it reaches can be reached, and what
 *   it does not reach neither when nothing was cut off;
 * - one that goes on with a part of what it reaches (narrow.c), where there is no recursion too. */
#include "engine/query.h"

#ifndef BPI_FEW_NODES /* 1 for tests: of every set only a part */
#define BPI_FEW_NODES 20
#endif

enum {
  MOST_DEPTH = 4,
  LEAST_PLACES = 12,
  FEW_NODES = BPI_FEW_NODES, /* that a part has at most, then so many times as many, in turn */
  GROWTH = 4,
  SIZES = 3,
  MOST_ROUNDS = 24,
  IMAGES = 128 /* of small sets, for a piece of work */
};

typedef struct bound {
  uint32_t depth, nodes;
} bound;

static void end(bp_query *q, bpi_side *side)
{
  bpi_query_retire(q, &side->engine);
}

void bpi_recursion_clear(bp_query *q)
{
  end(q, &q->recursion.above);
  end(q, &q->recursion.below);
  end(q, &q->recursion.some);
  end(q, &q->recursion.traced);
  q->recursion = (bpi_recursion){.depth = 0};
}

void bpi_recursion_give_up(bp_query *q)
{
  const bool recurs = q->recursion.recurs;
  bpi_recursion_clear(q);
  q->recursion = (bpi_recursion){
      .depth = 1, .recurs = recurs, .above.off = true, .below.off = true, .some.off = true};
}

static bool make(bp_query *q, bpi_side *side, bound within)
{
  end(q, side);
  const bpi_engine_options options = {.goals = q->goals.at,
                                      .goal_count = q->goals.count,
                                      .group_count = q->targets.count,
                                      .init = q->init.at,
                                      .init_count = q->init.count,
                                      .shallow = within.depth,
                                      .narrow = within.nodes,
                                      .merged = side == &q->recursion.above,
                                      .every_context = side == &q->recursion.traced,
                                      .off = q->off & ~(uint32_t)BP_ENGINE_CONTEXT};
  return bpi_engine_new(&side->engine, q->m, q->cfg, &options) == BP_OK;
}

bp_status bpi_query_shallow(bp_query *q, uint32_t depth, bpi_engine **out)
{
  bpi_side *side = &q->recursion.traced;
  *out = NULL;
  if ((!side->engine || side->engine->shallow != depth) && !make(q, side, (bound){.depth = depth}))
    return bpi_query_stopped(q, NULL);
  *out = side->engine;
  return bpi_query_ready(q, side->engine) ? BP_OK : bpi_query_stopped(q, side->engine);
}

/* A recursive procedure is called; runs do not begin in one. */
static bool recurs(const bp_query *q)
{
  const bp_cfg *cfg = q->cfg;
  bool some = false;
  for (uint32_t p = 0; p < cfg->procs.count; p++)
    some |= cfg->procs.at[p].recursive && q->engine->a.explore[cfg->procs.at[p].entry];
  return some && !cfg->procs.at[q->p->entry].recursive;
}

bool bpi_recursion_worth(bp_query *q, bool always)
{
  bpi_recursion *r = &q->recursion;
  if (!r->depth) {
    const bool small = !always && q->engine->a.places < LEAST_PLACES;
    r->depth = 1;
    r->recurs = recurs(q);
    r->above.off = r->below.off = (q->off & BP_ENGINE_RECURSION) || !r->recurs || small;
    r->some.off = (q->off & BP_ENGINE_NARROW) || small;
  }
  return !r->above.off || !r->below.off || !r->some.off;
}

static void decide(bp_query *q, uint32_t t, const bpi_engine *e)
{
  bpi_target *target = &q->targets.at[t];
  const bool hit = e->group_hit[t] != BP_NONE;
  bpi_engine_close_group(q->engine, t);
  target->verdict = hit ? BP_REACHABLE : BP_UNREACHABLE;
  if (hit) target->vertex = e->group_hit[t];
  if (hit) target->depth = q->recursion.recurs ? e->shallow : 0;
  if (hit) target->apart = e->narrow != 0;
}

/* Takes over what a side tells of the targets that are open; `done`: it was explored to the end. */
static void take(bp_query *q, const bpi_engine *e, bool done)
{
  for (uint32_t t = 0; t < q->targets.count; t++) {
    if (q->engine->group_hit[t] != BP_NONE || e->group_hit[t] == BPI_CLOSED) continue;
    const bool hit = e->group_hit[t] != BP_NONE;
    if (hit ? !e->merged : done && !e->cut) decide(q, t, e);
  }
}

static bool begin(bp_query *q, bpi_side *side, bound within)
{
  const bpi_engine *e = side->engine;
  if (e && e->shallow == within.depth && e->narrow == within.nodes) return true;
  if (!make(q, side, within)) return false;
  for (uint32_t t = 0; t < q->targets.count; t++)
    if (q->engine->group_hit[t] != BP_NONE) bpi_engine_close_group(side->engine, t);
  return true;
}

/* Works at a side; true: to the end. */
static bool work(bp_query *q, bpi_side *side, bound within, uint64_t budget)
{
  if (!begin(q, side, within)) {
    side->off = true;
    return false;
  }
  bpi_engine *e = side->engine;
  const uint64_t outer = bpi_bdd_budget(q->m, budget);
  const bool done = bpi_query_explore_side(q, e);
  const bp_reason why = bpi_engine_reason(e);
  const bool spent = bpi_bdd_end_budget(q->m, outer);
  take(q, e, done);
  if (done || spent) return done;
  side->off = !bpi_must_stop(why);
  if (!side->off) q->engine->stop = why;
  return false;
}

static void work_below(bp_query *q, uint64_t budget)
{
  bpi_recursion *r = &q->recursion;
  const uint64_t first = bpi_bdd_work(q->m);
  uint64_t spent = 0;
  while (!r->below.off && q->engine->groups_left && q->engine->stop == BP_REASON_NONE &&
         spent <= budget && work(q, &r->below, (bound){.depth = r->depth}, budget - spent)) {
    r->below.off = !r->below.engine->cut || r->depth == MOST_DEPTH || !q->engine->groups_left;
    if (!r->below.off) r->depth++;
    spent = bpi_bdd_work(q->m) - first;
  }
}

/* Small parts at every depth first, then larger ones. Where the entry is recursive there is no depth. */
static bound round_of(const bpi_recursion *r)
{
  const uint32_t depths = r->recurs ? MOST_DEPTH : 1;
  bound within = {.depth = r->recurs ? 1 + r->round % depths : 0, .nodes = FEW_NODES};
  for (uint32_t i = 0; i < r->round / depths % SIZES; i++)
    within.nodes *= GROWTH;
  within.nodes += r->round / depths / SIZES; /* other nodes, other parts */
  return within;
}

/* Images of small sets cost more than their work; what a round takes too much the next ones lack. */
static void work_on_some(bp_query *q, uint64_t budget)
{
  bpi_recursion *r = &q->recursion;
  uint64_t spent = r->debt;
  bool done = true;
  while (done && !r->some.off && q->engine->groups_left && q->engine->stop == BP_REASON_NONE &&
         spent < budget) {
    const uint64_t first = bpi_bdd_work(q->m), images = bpi_query_steps(q, q->engine);
    done = work(q, &r->some, round_of(r), budget - spent);
    spent += bpi_bdd_work(q->m) - first + (bpi_query_steps(q, q->engine) - images) / IMAGES;
    if (!done) break;
    r->round++;
    r->some.off = !r->some.engine->cut || r->round == MOST_ROUNDS;
  }
  r->debt = spent > budget ? spent - budget : 0;
  if (r->some.off) end(q, &r->some);
}

void bpi_recursion_work(bp_query *q, uint64_t budget, bool large)
{
  bpi_recursion *r = &q->recursion;
  if (large) work_on_some(q, budget / 2);
  if (!r->above.off && q->engine->groups_left && q->engine->stop == BP_REASON_NONE &&
      work(q, &r->above, (bound){0}, budget / 2)) {
    r->above.off = true;
    end(q, &r->above);
  }
  work_below(q, budget / 2);
}
