/* SPDX-License-Identifier: MIT
 * Localization (Kurshan, "Computer-Aided Verification of Coordinating Processes", 1994): a target that
 * is not reached while most variables may have any value at any time is not reached at all. So there are
 * explorations that track only the variables of the targets' own conditions, for a third of the work done so
 * far, then more of them, for an eighth; and, for a quarter, windows (windows.c). What they reach says nothing. */
#include "engine/query.h"

enum {
  BOUND = BPI_LOCALIZE_FROM > 0,
  MOST_LEVELS = 8,
  FIRST_SHARE = 3, /* of the work, for the targets' own conditions */
  SHARE = 8,       /* the same, for the levels behind */
  WINDOWS_SHARE = 4,
  LEAST_WINDOWS = 32, /* work before the first window */
  IMAGES = 1024       /* of small sets, for a piece of work */
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
  *l = (bpi_localize){.level = 0};
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
  if (!l->distance && open_goals(q))
    l->distance = bpi_distances(a, l->goals.at, l->goals.count, &l->influence);
  if (l->distance && !l->levels.tracked) l->levels.tracked = bpi_zalloc(nodes, 1);
  if (l->distance && !l->windows.tracked) l->windows.tracked = bpi_zalloc(nodes, 1);
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
    const uint64_t outer = bpi_bdd_budget(q->m, BOUND ? budget - spent : UINT64_MAX / 2);
    const bool done = bpi_query_explore_side(q, f->engine);
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
    if (f->count >= (BOUND ? all / 4 * 3 : all)) return false;
  }
  return f->count > last;
}

bool bpi_localize_worth(const bp_query *q)
{
  return !q->local.levels.off || !q->local.windows.off;
}

void bpi_localize_work(bp_query *q, uint64_t done)
{
  bpi_localize *l = &q->local;
  work(q, &l->levels, next_level, done / (l->level > 1 ? SHARE : FIRST_SHARE) + 1);
  if (q->engine->stop == BP_REASON_NONE && (done >= LEAST_WINDOWS || !BOUND))
    work(q, &l->windows, bpi_next_window, done / WINDOWS_SHARE + 1);
}
