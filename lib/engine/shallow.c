/* SPDX-License-Identifier: MIT
 * Shallow recursion. The relation between the entry and the exit of a recursive procedure that changes
 * dozens of variables which influence each other is large beyond hope, but what can go wrong in it mostly
 * does so before the recursion is deep. So where sets grow large the exploration pauses now and then for
 * one that enters recursion a few levels deep only (a bound on the depth of calls, as context bounds are
 * for threads: Qadeer & Rehof, TACAS 2005), each level in single contexts (contexts.c). What that reaches
 * is reachable; what it does not reach is open, unless nothing was cut off. */
#include "engine/query.h"

enum { MOST_LEVELS = 4, LEAST_PLACES = 12 };

void bpi_shallow_clear(bp_query *q)
{
  bpi_shallow *s = &q->shallow;
  if (s->engine) q->steps += s->engine->steps;
  bpi_engine_unref(s->engine);
  *s = (bpi_shallow){.off = false};
}

/* Another depth. */
static bool make(bp_query *q, uint32_t depth)
{
  bpi_shallow *s = &q->shallow;
  if (s->engine) q->steps += s->engine->steps;
  bpi_engine_unref(s->engine);
  const bpi_engine_options options = {.goals = q->goals.at,
                                      .goal_count = q->goals.count,
                                      .group_count = q->targets.count,
                                      .init = q->init.at,
                                      .init_count = q->init.count,
                                      .shallow = depth,
                                      .off = q->off & ~(uint32_t)BP_ENGINE_CONTEXT};
  return bpi_engine_new(&s->engine, q->m, q->cfg, &options) == BP_OK;
}

bp_status bpi_query_shallow(bp_query *q, uint32_t depth, bpi_engine **out)
{
  bpi_shallow *s = &q->shallow;
  *out = NULL;
  if ((!s->engine || s->engine->shallow != depth) && !make(q, depth))
    return bpi_query_stopped(q, NULL);
  *out = s->engine;
  return bpi_query_ready(q, s->engine) ? BP_OK : bpi_query_stopped(q, s->engine);
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

bool bpi_shallow_worth(bp_query *q, bool always)
{
  bpi_shallow *s = &q->shallow;
  if (s->off || s->depth) return !s->off;
  s->depth = 1;
  s->off = (q->off & BP_ENGINE_SHALLOW) || !recurs(q) ||
           (!always && q->engine->a.places < LEAST_PLACES);
  return !s->off;
}

/* Takes over what was reached, and when all was explored, what was not. Answers whether there is something
 * new. */
static bool take(bp_query *q, bool all)
{
  bpi_engine *e = q->shallow.engine;
  bool some = false;
  for (uint32_t t = 0; t < q->targets.count; t++) {
    bpi_target *target = &q->targets.at[t];
    if (q->engine->group_hit[t] != BP_NONE || e->group_hit[t] == BPI_CLOSED) continue;
    const bool hit = e->group_hit[t] != BP_NONE;
    if (!hit && !all) continue;
    bpi_engine_close_group(q->engine, t);
    target->verdict = hit ? BP_REACHABLE : BP_UNREACHABLE;
    if (hit) target->vertex = e->group_hit[t];
    if (hit) target->depth = e->shallow;
    some = true;
  }
  return some;
}

static bool begin(bp_query *q)
{
  bpi_shallow *s = &q->shallow;
  if (s->engine && s->engine->shallow == s->depth) return true;
  if (!make(q, s->depth)) return false;
  for (uint32_t t = 0; t < q->targets.count; t++)
    if (q->engine->group_hit[t] != BP_NONE) bpi_engine_close_group(s->engine, t);
  return true;
}

static bool explore(bp_query *q)
{
  bpi_engine *e = q->shallow.engine;
  if (!bpi_query_ready(q, e)) return false;
  bpi_engine_start(e, q->init.at, q->init.count);
  return bpi_engine_work(e, BP_NONE, true) && bpi_going(e);
}

void bpi_shallow_work(bp_query *q, uint64_t budget)
{
  bpi_shallow *s = &q->shallow;
  const uint64_t first = bpi_bdd_work(q->m);
  while (!s->off && q->engine->groups_left && bpi_bdd_work(q->m) - first < budget) {
    if (!begin(q)) {
      s->off = true;
      return;
    }
    const uint64_t outer = bpi_bdd_budget(q->m, budget - (bpi_bdd_work(q->m) - first));
    const bool done = explore(q);
    const bp_reason why = bpi_engine_reason(s->engine);
    const bool spent = bpi_bdd_end_budget(q->m, outer);
    const bool whole = done && !s->engine->cut && s->engine->groups_left;
    take(q, whole);
    if (spent) return;
    if (!done && bpi_must_stop(why)) {
      q->engine->stop = why;
      return;
    }
    s->off = !done || whole || s->depth == MOST_LEVELS || !q->engine->groups_left;
    if (!s->off) s->depth++;
  }
}
