/* SPDX-License-Identifier: MIT
 * What is tried in between. Where the sets of the exploration grow large it pauses, each time after twice
 * as much work, for others that see less or too much, each for a share of the work done so far: looks backwards from
 * the targets, explorations of fewer variables, of recursion from both sides, of parts of sets. */
#include "engine/query.h"

#ifndef BPI_SLICE_IMAGES /* some for tests: between pauses, where there is no bound */
#define BPI_SLICE_IMAGES 0
#endif

enum {
  SLICE_IMAGES = BPI_SLICE_IMAGES > 0 ? BPI_SLICE_IMAGES : 1,
  FIRST_WORK = BPI_LOCALIZE_FROM, /* before the first pause */
  LEAST_PLACES = FIRST_WORK ? 12 : 0,
  BACK_SHARE = 8,     /* of the work, for a look backwards */
  FIRST_BACK = 256,   /* work; of what comes behind half as much */
  EAGER_EXECUTE = 64, /* work for executions where there is no bound: they may never end */
  EXECUTE_SHARE = 4,  /* of the work, for executions */
  LARGE_SETS = 64,    /* images for a piece of work, at most */
  HUGE_SETS = 16,     /* the same, where parts of them are worth it */
  MANY_ROUNDS = 32    /* images for an edge, at least */
};

static bool has_part(const bp_query *q, uint32_t part)
{
  return !(q->off & part) && q->engine->a.places >= LEAST_PLACES;
}

static bool worth_backward(const bp_query *q)
{
  return has_part(q, BP_ENGINE_BACKWARD) && !q->backward.off;
}

static bool worth_executions(const bp_query *q)
{
  return has_part(q, BP_ENGINE_EXECUTE) && !q->executions.off;
}

static bool worth_fewer(const bp_query *q)
{
  return has_part(q, BP_ENGINE_LOCALIZE) && bpi_localize_worth(q);
}

static bool worth_pausing(bp_query *q)
{
  return worth_fewer(q) || worth_backward(q) || worth_executions(q) ||
         bpi_recursion_worth(q, !FIRST_WORK);
}

/* Images of the exploration itself. */
static uint64_t own_steps(const bp_query *q)
{
  return q->engine->steps - q->pauses.back_steps;
}

/* So few images for a piece of work, or less. */
static bool has_large_sets(const bp_query *q, uint32_t images)
{
  return !FIRST_WORK || q->pauses.work > own_steps(q) / images;
}

static uint64_t back_share(uint64_t work)
{
  return (work < FIRST_BACK ? work : (work + FIRST_BACK) / 2) / BACK_SHARE + 1;
}

static void look_back(bp_query *q)
{
  const uint64_t before = q->engine->steps, work = q->pauses.work;
  if (has_large_sets(q, LARGE_SETS) && worth_backward(q))
    bpi_backward_work(q, FIRST_WORK ? back_share(work + 1) : UINT64_MAX / 2);
  q->pauses.back_steps += q->engine->steps - before;
}

static void execute(bp_query *q)
{
  const uint64_t before = q->engine->steps, work = q->pauses.work;
  if (has_large_sets(q, LARGE_SETS) && worth_executions(q))
    bpi_executions_work(q, FIRST_WORK ? work / EXECUTE_SHARE + 1 : EAGER_EXECUTE);
  q->pauses.back_steps += q->engine->steps - before;
}

static void localize(bp_query *q)
{
  if (worth_fewer(q)) bpi_localize_work(q, q->pauses.work);
}

static void bound_recursion(bp_query *q)
{
  if (bpi_recursion_worth(q, !FIRST_WORK))
    bpi_recursion_work(q, FIRST_WORK ? q->pauses.work / 4 * 3 + 1 : UINT64_MAX / 2,
                       has_large_sets(q, HUGE_SETS));
}

/* False when the query has to stop, then the pause goes on the next time where it was. The images of others count for
 * its limit. */
static bool pause_for_others(bp_query *q)
{
  static void (*const others[])(bp_query *) = {look_back, execute, localize, bound_recursion};
  bpi_pauses *p = &q->pauses;
  while (p->others < sizeof others / sizeof *others) {
    if (q->engine->groups_left) others[p->others](q);
    p->pausing = q->engine->stop != BP_REASON_NONE;
    if (p->pausing) return false;
    p->others++;
  }
  p->others = 0;
  return bpi_query_ready(q, q->engine);
}

/* What others hold counts for the limit of nodes, so they are given up before the exploration is. False: there was
 * nothing. */
static bool give_up_others(bp_query *q)
{
  if (bpi_engine_reason(q->engine) != BP_REASON_NODES || !worth_pausing(q)) return false;
  bpi_backward_clear(q);
  bpi_executions_clear(q);
  bpi_localize_clear(q);
  bpi_recursion_give_up(q);
  q->backward.off = q->executions.off = q->local.levels.off = q->local.windows.off = true;
  return bpi_query_ready(q, q->engine);
}

bool bpi_query_explore_side(bp_query *q, bpi_engine *e)
{
  if (!bpi_query_ready(q, e)) return false;
  bpi_engine_start(e, q->init.at, q->init.count);
  return bpi_engine_work(e, BP_NONE, true) && bpi_going(e);
}

/* Large sets, or ever new ones at the same places. */
static bool is_hard(const bp_query *q)
{
  return has_large_sets(q, LARGE_SETS) || own_steps(q) / MANY_ROUNDS > q->cfg->succs.count;
}

/* Pauses after every few images, the same ones wherever it was stopped. */
static bool explore_in_slices(bp_query *q)
{
  bpi_engine *e = q->engine;
  if (q->pauses.pausing && !pause_for_others(q)) return false;
  while (worth_pausing(q)) {
    const uint64_t limit = e->step_limit, next = (e->steps / SLICE_IMAGES + 1) * SLICE_IMAGES;
    if (next < limit) e->step_limit = next;
    const bool done = bpi_engine_work(e, BP_NONE, true);
    e->step_limit = limit;
    if (done || e->stop != BP_REASON_STEPS) return done;
    q->pauses.pausing = e->steps == next;
    if (e->steps >= limit) return false;
    e->stop = BP_REASON_NONE;
    if (!pause_for_others(q)) return false;
  }
  return bpi_engine_work(e, BP_NONE, true);
}

bool bpi_query_explore(bp_query *q)
{
  bpi_engine *e = q->engine;
  bpi_pauses *p = &q->pauses;
  if (!FIRST_WORK && SLICE_IMAGES > 1) return explore_in_slices(q);
  if ((!FIRST_WORK || p->pausing) && !pause_for_others(q)) return false;
  while (worth_pausing(q)) {
    const uint64_t before = bpi_bdd_work(e->m);
    if (p->due <= p->work) p->due = p->work ? 2 * p->work : FIRST_WORK + 1;
    const uint64_t outer = bpi_bdd_budget(e->m, p->due - p->work);
    const bool done = bpi_engine_work(e, BP_NONE, true);
    const bool spent = bpi_bdd_end_budget(e->m, outer);
    p->work += bpi_bdd_work(e->m) - before;
    if (!done && !spent && give_up_others(q)) continue;
    if (!spent) return done;
    if (is_hard(q) && !pause_for_others(q)) return false;
  }
  return bpi_engine_work(e, BP_NONE, true);
}
