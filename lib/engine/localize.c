/* SPDX-License-Identifier: MIT
 * Localization (Kurshan, "Computer-Aided Verification of Coordinating Processes", 1994): a target that
 * is not reached while most variables may have any value at any time is not reached at all. Where the
 * sets of the exploration grow large, it pauses now and then for one that tracks only the variables of
 * the targets' own conditions, for a third of the work done so far, then more of them, for an eighth; what
 * that reaches says nothing. */
#include "engine/query.h"

#ifndef BPI_LOCALIZE_FROM /* 0 for tests: at once, without bound */
#define BPI_LOCALIZE_FROM 8
#endif

enum {
  FIRST_WORK = BPI_LOCALIZE_FROM, /* work before the first pause */
  LEAST_PLACES = FIRST_WORK ? 12 : 0,
  MOST_LEVELS = 8,
  FIRST_SHARE = 3, /* of the work, for the targets' own conditions */
  SHARE = 8,       /* the same, for the levels behind */
  WINDOWS_SHARE = 8,
  LEAST_WINDOWS = 32, /* work before the first window */
  IMAGES = 1024,      /* of small sets cost as much as a piece of work */
  FIRST_BACK = 256,   /* work, for a look backwards */
  EXECUTIONS_SHARE = 4,
  EAGER_BACK = 64, /* for executions in tests, which may never end */
  LARGE_SETS = 64, /* images for a piece of work, at most */
  HUGE_SETS = 16,  /* the same, where parts of them are worth it */
  MANY_ROUNDS = 32 /* images for an edge, at least */
};

static void end_fewer(bp_query *q, bpi_fewer *f)
{
  bpi_query_retire(q, &f->engine);
}

static void clear_fewer(bp_query *q, bpi_fewer *f)
{
  end_fewer(q, f);
  bpi_release(f->tracked);
}

void bpi_localize_clear(bp_query *q)
{
  bpi_localize *l = &q->local;
  clear_fewer(q, &l->levels);
  clear_fewer(q, &l->windows);
  bpi_vec_free(&l->goals);
  bpi_influence_end(&l->influence);
  bpi_release(l->distance);
  *l = (bpi_localize){.work = 0};
}

/* ---- explorations of fewer variables ------------------------------------- */

typedef bool next_tracked(bp_query *q);

/* Goals of the targets that are open. */
static bool open_goals(bp_query *q)
{
  bpi_localize *l = &q->local;
  l->goals.count = 0;
  for (uint32_t g = 0; g < q->goals.count; g++)
    if (q->engine->group_hit[q->goals.at[g].group] == BP_NONE &&
        !bpi_vec_push(&l->goals, q->goals.at[g]))
      return false;
  return true;
}

static bool begin(bp_query *q)
{
  bpi_localize *l = &q->local;
  const bpi_analysis *a = &q->engine->a;
  const uint32_t nodes = q->p->vars.count + a->result_first[q->p->procs.count];
  if (l->distance) return true;
  if (!open_goals(q)) return false;
  l->distance = bpi_distances(a, l->goals.at, l->goals.count, &l->influence);
  l->levels.tracked = bpi_zalloc(nodes, 1);
  l->windows.tracked = bpi_zalloc(nodes, 1);
  return l->distance && l->levels.tracked && l->windows.tracked;
}

static bool make(bp_query *q, bpi_fewer *f, next_tracked *next)
{
  bpi_localize *l = &q->local;
  if (!begin(q) || !next(q) || !open_goals(q)) return false;
  const bpi_engine_options options = {.goals = l->goals.at,
                                      .goal_count = l->goals.count,
                                      .group_count = q->targets.count,
                                      .init = q->init.at,
                                      .init_count = q->init.count,
                                      .off = q->off,
                                      .tracked = f->tracked};
  if (bpi_engine_new(&f->engine, q->m, q->cfg, &options) != BP_OK) return false;
  for (uint32_t t = 0; t < q->targets.count; t++)
    if (q->engine->group_hit[t] != BP_NONE) bpi_engine_close_group(f->engine, t);
  return true;
}

/* What one that was explored to the end did not reach cannot be reached. */
static void take(bp_query *q, const bpi_engine *e)
{
  for (uint32_t t = 0; t < q->targets.count; t++) {
    if (e->group_hit[t] != BP_NONE) continue;
    bpi_engine_close_group(q->engine, t);
    q->targets.at[t].verdict = BP_UNREACHABLE;
  }
}

/* True: to the end, or until it has reached every target. */
static bool explore(bp_query *q, bpi_engine *e)
{
  if (!bpi_query_ready(q, e)) return false;
  bpi_engine_start(e, q->init.at, q->init.count);
  return bpi_engine_work(e, BP_NONE, true) && bpi_going(e);
}

/* One after the other, while a budget lasts. */
static void work(bp_query *q, bpi_fewer *f, next_tracked *next, uint64_t budget)
{
  uint64_t spent = 0;
  while (!f->off && q->engine->groups_left && spent < budget) {
    if (!f->engine && !make(q, f, next)) {
      f->off = true;
      break;
    }
    const uint64_t first = bpi_bdd_work(q->m), images = f->engine->steps;
    const uint64_t outer = bpi_bdd_budget(q->m, FIRST_WORK ? budget - spent : UINT64_MAX / 2);
    const bool done = explore(q, f->engine);
    const bp_reason why = bpi_engine_reason(f->engine);
    if (bpi_bdd_end_budget(q->m, outer)) return;
    if (!done && bpi_must_stop(why)) {
      q->engine->stop = why;
      return;
    }
    spent += bpi_bdd_work(q->m) - first + (f->engine->steps - images) / IMAGES;
    if (done) take(q, f->engine);
    f->off = !done;
    end_fewer(q, f);
  }
  if (f->off) end_fewer(q, f);
}

/* Tracks what is near enough: more than at the last level. False when that is nearly everything. */
static bool next_level(bp_query *q)
{
  bpi_localize *l = &q->local;
  bpi_fewer *f = &l->levels;
  const bpi_analysis *a = &q->engine->a;
  const uint32_t vars = q->p->vars.count, nodes = vars + a->result_first[q->p->procs.count];
  const uint32_t last = f->count;
  while (f->count == last && l->level < MOST_LEVELS) {
    uint32_t all = 0;
    f->count = 0;
    for (uint32_t i = 0; i < nodes; i++) {
      f->tracked[i] = l->distance[i] <= l->level;
      f->count += i < vars && f->tracked[i];
      all += i < vars && a->var_matters[i];
    }
    l->level++;
    if (f->count >= (FIRST_WORK ? all / 4 * 3 : all)) return false;
  }
  return f->count > last;
}

static void work_on_fewer(bp_query *q)
{
  bpi_localize *l = &q->local;
  work(q, &l->levels, next_level, l->work / (l->level > 1 ? SHARE : FIRST_SHARE) + 1);
  if (q->engine->stop == BP_REASON_NONE && (l->work >= LEAST_WINDOWS || !FIRST_WORK))
    work(q, &l->windows, bpi_next_window, l->work / WINDOWS_SHARE + 1);
}

static bool worth_trying(const bp_query *q)
{
  return !(q->off & BP_ENGINE_LOCALIZE) && !(q->local.levels.off && q->local.windows.off) &&
         q->engine->a.places >= LEAST_PLACES;
}

static bool worth_looking_back(const bp_query *q)
{
  return !(q->off & BP_ENGINE_BACKWARD) && !(q->backward.off && q->executions.off) &&
         q->engine->a.places >= LEAST_PLACES;
}

/* Images of the exploration itself. */
static uint64_t own_steps(const bp_query *q)
{
  return q->engine->steps - q->local.back_steps;
}

/* So few images for a piece of work, or less. */
static bool has_large_sets(const bp_query *q, uint32_t images)
{
  return q->local.work > own_steps(q) / images;
}

/* An eighth of the first work, half as much of the rest. */
static uint64_t back_share(uint64_t work)
{
  return (work < FIRST_BACK ? work : (work + FIRST_BACK) / 2) / SHARE + 1;
}

static void look_back(bp_query *q, uint64_t budget)
{
  const uint64_t before = q->engine->steps;
  if (!q->backward.off) bpi_backward_work(q, budget);
  if (!q->executions.off && q->engine->stop == BP_REASON_NONE && q->engine->groups_left)
    bpi_executions_work(q, FIRST_WORK ? q->local.work / EXECUTIONS_SHARE + 1 : EAGER_BACK);
  q->local.back_steps += q->engine->steps - before;
}

/* A pause for what sees less, or too much: a look backwards, explorations of fewer variables, of
 * recursion. False when the query has to stop, then the pause goes on the next time. Their images count
 * for its limit. */
static bool pause_for_others(bp_query *q)
{
  const uint64_t share = FIRST_WORK ? q->local.work + 1 : UINT64_MAX / 2;
  const bool large = !FIRST_WORK || has_large_sets(q, LARGE_SETS);
  if (large && worth_looking_back(q)) look_back(q, FIRST_WORK ? back_share(share) : share);
  if (q->engine->stop == BP_REASON_NONE && worth_trying(q)) work_on_fewer(q);
  if (q->engine->stop == BP_REASON_NONE && bpi_recursion_worth(q, !FIRST_WORK))
    bpi_recursion_work(q, share, !FIRST_WORK || has_large_sets(q, HUGE_SETS));
  q->local.pausing = q->engine->stop != BP_REASON_NONE;
  return !q->local.pausing && bpi_query_ready(q, q->engine);
}

/* ---- in between ---------------------------------------------------------- */

/* Large sets, or ever new ones at the same places. */
static bool is_hard(const bp_query *q)
{
  return has_large_sets(q, LARGE_SETS) || own_steps(q) / MANY_ROUNDS > q->cfg->succs.count;
}

bool bpi_query_explore(bp_query *q)
{
  bpi_engine *e = q->engine;
  bpi_localize *l = &q->local;
  if ((!FIRST_WORK || l->pausing) && !pause_for_others(q)) return false;
  while (worth_trying(q) || worth_looking_back(q) || bpi_recursion_worth(q, !FIRST_WORK)) {
    const uint64_t before = bpi_bdd_work(e->m);
    if (l->due <= l->work) l->due = l->work ? 3 * l->work : FIRST_WORK + 1;
    const uint64_t outer = bpi_bdd_budget(e->m, l->due - l->work);
    const bool done = bpi_engine_work(e, BP_NONE, true);
    const bool spent = bpi_bdd_end_budget(e->m, outer);
    l->work += bpi_bdd_work(e->m) - before;
    if (!spent) return done;
    if (is_hard(q) && !pause_for_others(q)) return false;
  }
  return bpi_engine_work(e, BP_NONE, true);
}
