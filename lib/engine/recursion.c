/* SPDX-License-Identifier: MIT
 * Recursion from both sides. The relation between the entry and the exit of a recursive procedure that
 * changes dozens of variables which influence each other is large beyond hope. So where sets grow large,
 * the exploration pauses now and then for two others that need no such relation (contexts.c):
 *
 * - one in which recursive procedures return to whoever called them, from all of their contexts
 *   together; what it does not reach cannot be reached;
 * - one that enters recursion a few levels deep only (a bound on the depth of calls, as context bounds are
 *   for threads: Qadeer & Rehof, TACAS 2005), in single contexts; what it reaches can be reached, and what
 *   it does not reach neither when nothing was cut off. */
#include "engine/query.h"

enum { MOST_DEPTH = 4, LEAST_PLACES = 12 };

static void end(bp_query *q, bpi_side *side)
{
  if (side->engine) q->steps += side->engine->steps;
  bpi_engine_unref(side->engine);
  side->engine = NULL;
}

void bpi_recursion_clear(bp_query *q)
{
  end(q, &q->recursion.above);
  end(q, &q->recursion.below);
  end(q, &q->recursion.traced);
  q->recursion = (bpi_recursion){.depth = 0};
}

/* An exploration with that bound; 0: of contexts together. */
static bool make(bp_query *q, bpi_side *side, uint32_t depth)
{
  end(q, side);
  const bpi_engine_options options = {.goals = q->goals.at,
                                      .goal_count = q->goals.count,
                                      .group_count = q->targets.count,
                                      .init = q->init.at,
                                      .init_count = q->init.count,
                                      .shallow = depth,
                                      .merged = !depth,
                                      .every_context = side == &q->recursion.traced,
                                      .off = q->off & ~(uint32_t)BP_ENGINE_CONTEXT};
  return bpi_engine_new(&side->engine, q->m, q->cfg, &options) == BP_OK;
}

bp_status bpi_query_shallow(bp_query *q, uint32_t depth, bpi_engine **out)
{
  bpi_side *side = &q->recursion.traced;
  *out = NULL;
  if ((!side->engine || side->engine->shallow != depth) && !make(q, side, depth))
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
    r->depth = 1;
    r->above.off = r->below.off = (q->off & BP_ENGINE_RECURSION) || !recurs(q) ||
                                  (!always && q->engine->a.places < LEAST_PLACES);
  }
  return !r->above.off || !r->below.off;
}

static void decide(bp_query *q, uint32_t t, const bpi_engine *e)
{
  bpi_target *target = &q->targets.at[t];
  const bool hit = e->group_hit[t] != BP_NONE;
  bpi_engine_close_group(q->engine, t);
  target->verdict = hit ? BP_REACHABLE : BP_UNREACHABLE;
  if (hit) target->vertex = e->group_hit[t];
  if (hit) target->depth = e->shallow;
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

static bool begin(bp_query *q, bpi_side *side, uint32_t depth)
{
  if (side->engine && side->engine->shallow == depth) return true;
  if (!make(q, side, depth)) return false;
  for (uint32_t t = 0; t < q->targets.count; t++)
    if (q->engine->group_hit[t] != BP_NONE) bpi_engine_close_group(side->engine, t);
  return true;
}

static bool explore(bp_query *q, bpi_engine *e)
{
  if (!bpi_query_ready(q, e)) return false;
  bpi_engine_start(e, q->init.at, q->init.count);
  return bpi_engine_work(e, BP_NONE, true) && bpi_going(e);
}

/* Works at a side; true: to the end. */
static bool work(bp_query *q, bpi_side *side, uint32_t depth, uint64_t budget)
{
  if (!begin(q, side, depth)) {
    side->off = true;
    return false;
  }
  bpi_engine *e = side->engine;
  const uint64_t outer = bpi_bdd_budget(q->m, budget);
  const bool done = explore(q, e);
  const bp_reason why = bpi_engine_reason(e);
  const bool spent = bpi_bdd_end_budget(q->m, outer);
  take(q, e, done);
  if (done || spent) return done;
  side->off = !bpi_must_stop(why);
  if (!side->off) q->engine->stop = why;
  return false;
}

void bpi_recursion_work(bp_query *q, uint64_t budget)
{
  bpi_recursion *r = &q->recursion;
  if (!r->above.off && q->engine->groups_left && work(q, &r->above, 0, budget / 2)) {
    r->above.off = true;
    end(q, &r->above);
  }
  const uint64_t first = bpi_bdd_work(q->m);
  uint64_t spent = 0;
  while (!r->below.off && q->engine->groups_left && q->engine->stop == BP_REASON_NONE &&
         spent <= budget / 2 && work(q, &r->below, r->depth, budget / 2 - spent)) {
    r->below.off = !r->below.engine->cut || r->depth == MOST_DEPTH || !q->engine->groups_left;
    if (!r->below.off) r->depth++;
    spent = bpi_bdd_work(q->m) - first;
  }
}
