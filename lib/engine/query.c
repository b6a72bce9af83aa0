/* SPDX-License-Identifier: MIT
 * The life of a query, and its run. */
#include "engine/query.h"

#include "cfg/shown.h"

/* ---- life ---------------------------------------------------------------- */

bp_status bp_query_new(bp_query **out, bp_context *ctx, bp_manager *manager, bp_cfg *cfg,
                       const bp_query_options *options)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || !manager || !cfg)
    return bpi_invalid(ctx, "%s is NULL", !out ? "out" : !manager ? "manager" : "cfg");
  if (options && options->size != sizeof *options)
    return bpi_invalid(ctx, "options->size is not sizeof(bp_query_options)");
  if (options && options->off & ~(uint32_t)BP_ENGINE_ALL)
    return bpi_invalid(ctx, "options->off has a bit that is no bp_engine");
  bpi_context_begin(ctx);
  bp_query *q = bpi_zalloc(1, sizeof *q);
  if (!q) return bpi_no_memory(ctx);
  atomic_init(&q->refs, 1);
  q->asked = &q->cancel;
  q->ctx = bp_context_ref(ctx);
  q->m = bp_manager_ref(manager);
  q->cfg = bp_cfg_ref(cfg);
  q->p = cfg->program;
  q->off = options ? options->off : 0;
  q->reason = BP_REASON_NOT_RUN;
  *out = q;
  return BP_OK;
}

bp_query *bp_query_ref(bp_query *q)
{
  if (q) atomic_fetch_add_explicit(&q->refs, 1, memory_order_relaxed);
  return q;
}

void bp_query_unref(bp_query *q)
{
  if (!q || atomic_fetch_sub_explicit(&q->refs, 1, memory_order_acq_rel) != 1) return;
  bpi_localize_clear(q);
  bpi_recursion_clear(q);
  bpi_backward_clear(q);
  bpi_executions_clear(q);
  bpi_engine_unref(q->engine);
  bpi_engine_unref(q->traced);
  bpi_engine_unref(q->known);
  bpi_engine_unref(q->full);
  bpi_engine_unref(q->seen);
  for (uint32_t i = 0; i < q->targets.count; i++)
    bpi_release(q->targets.at[i].name);
  for (uint32_t i = 0; i < q->codes.count; i++)
    bpi_release(q->codes.at[i]);
  bpi_vec_free(&q->targets);
  bpi_vec_free(&q->goals);
  bpi_vec_free(&q->codes);
  bpi_vec_free(&q->init);
  bp_cfg_unref(q->cfg);
  bp_manager_unref(q->m);
  bp_context_unref(q->ctx);
  bpi_release(q);
}

/* ---- limits -------------------------------------------------------------- */

bp_status bp_query_set_limits(bp_query *q, const bp_limits *limits)
{
  if (!q) return BP_E_INVALID;
  if (limits && limits->size != sizeof *limits)
    return bpi_invalid(q->ctx, "limits->size is not sizeof(bp_limits)");
  bpi_context_begin(q->ctx);
  q->limits = limits ? *limits : (bp_limits){0};
  return BP_OK;
}

void bp_query_set_progress(bp_query *q, bp_progress_fn fn, void *user)
{
  if (!q) return;
  q->progress = fn;
  q->progress_user = user;
}

void bp_query_cancel(bp_query *q)
{
  if (q) atomic_store(q->asked, 1);
}

/* ---- calls that compute -------------------------------------------------- */

bp_status bpi_query_begin(bp_query *q)
{
  bpi_context_begin(q->ctx);
  q->watch = (bpi_watch){.cancel = q->asked, .deadline_ns = bpi_deadline_ns(q->limits.wall_ms)};
  if (!bpi_bdd_enter(q->m, &q->watch, q->limits.nodes))
    return bpi_fail(
        q->ctx, BP_E_BUSY, BPI_MSG_BUSY,
        "the manager is at work, on another thread or in the call whose callback this is");
  q->begun = true;
  if (bpi_bdd_ok(q->m) || bpi_bdd_recover(q->m)) return BP_OK;
  q->state = BP_QUERY_FAILED;
  q->reason = BP_REASON_MEMORY;
  bpi_bdd_leave(q->m);
  return bpi_fail(q->ctx, BP_E_POISONED, BPI_MSG_POISONED,
                  "an allocation failed inside the BDD kernel; make a new manager");
}

void bpi_query_end(bp_query *q)
{
  bpi_bdd_leave(q->m);
}

uint64_t bpi_query_steps(const bp_query *q, const bpi_engine *but)
{
  const bpi_localize *l = &q->local;
  const bpi_recursion *r = &q->recursion;
  const bpi_engine *const all[] = {q->engine,         q->traced,       q->known,
                                   q->full,           q->seen,         l->levels.engine,
                                   l->windows.engine, r->above.engine, r->below.engine,
                                   r->some.engine,    r->traced.engine};
  uint64_t steps = q->steps;
  for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] && all[i] != but) steps += all[i]->steps;
  return steps;
}

void bpi_query_settle(bp_query *q, bpi_engine *e)
{
  if (!e->retired) return;
  q->steps += e->steps - e->settled;
  e->settled = e->steps;
}

void bpi_query_retire(bp_query *q, bpi_engine **e)
{
  if (!*e) return;
  (*e)->retired = true;
  bpi_query_settle(q, *e);
  bpi_engine_unref(*e);
  *e = NULL;
}

bool bpi_query_ready(bp_query *q, bpi_engine *e)
{
  e->watch = &q->watch;
  bpi_query_settle(q, e);
  /* The limit counts the images of the whole query; e->steps are those of one exploration. */
  const uint64_t before = bpi_query_steps(q, e) - e->settled;
  e->step_limit = UINT64_MAX;
  if (q->limits.steps) e->step_limit = q->limits.steps > before ? q->limits.steps - before : 0;
  e->progress = q->progress;
  e->progress_user = q->progress_user;
  return bpi_engine_resume(e) && bpi_engine_prepare(e);
}

bp_status bpi_query_expired(bp_query *q)
{
  q->reason = q->watch.cancelled ? BP_REASON_CANCELLED : BP_REASON_TIME;
  return bpi_fail(q->ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped: %s", bp_reason_name(q->reason));
}

bp_status bpi_query_stopped(bp_query *q, const bpi_engine *e)
{
  const bpi_bdd_error latch = bpi_bdd_status(q->m);
  q->reason = e                          ? bpi_engine_reason(e)
              : latch == BPI_BDD_NODES   ? BP_REASON_NODES
              : latch != BPI_BDD_STOPPED ? BP_REASON_MEMORY
              : q->watch.cancelled       ? BP_REASON_CANCELLED
                                         : BP_REASON_TIME;
  if (latch == BPI_BDD_POISONED || latch == BPI_BDD_INTERNAL) {
    q->state = BP_QUERY_FAILED;
    return bpi_fail(q->ctx, BP_E_POISONED, BPI_MSG_POISONED,
                    "an allocation failed inside the BDD kernel; make a new manager");
  }
  if (q->reason == BP_REASON_MEMORY) return bpi_no_memory(q->ctx);
  return bpi_fail(q->ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped: %s", bp_reason_name(q->reason));
}

/* An exploration in *e, made at need and ready for work. */
static bp_status make_engine(bp_query *q, bpi_engine **e, const bpi_engine_options *options)
{
  const bp_status status = *e ? BP_OK : bpi_engine_new(e, q->m, q->cfg, options);
  if (status == BP_E_LIMIT) {
    q->reason = BP_REASON_VARIABLES;
    return bpi_fail(q->ctx, BP_E_LIMIT, BPI_MSG_VARIABLES,
                    "more BDD variables than the manager allows");
  }
  if (status != BP_OK) return bpi_query_stopped(q, NULL);
  return bpi_query_ready(q, *e) ? BP_OK : bpi_query_stopped(q, *e);
}

/* An exploration for the targets, in *e. */
static bp_status for_targets(bp_query *q, uint32_t off, bpi_engine **e)
{
  const bpi_engine_options options = {.goals = q->goals.at,
                                      .goal_count = q->goals.count,
                                      .group_count = q->targets.count,
                                      .init = q->init.at,
                                      .init_count = q->init.count,
                                      .off = q->off | off};
  return make_engine(q, e, &options);
}

bp_status bpi_query_traced(bp_query *q, bpi_engine **out)
{
  const bp_status status = for_targets(q, 0, &q->traced);
  *out = q->traced;
  return status;
}

bp_status bpi_query_known(bp_query *q, uint32_t target, bpi_engine **out)
{
  bp_status status = bpi_query_engine(q, out);
  if (status != BP_OK || (!q->engine->singles && bpi_engine_hit(q->engine, target))) return status;
  if (q->known && !bpi_engine_hit(q->known, target)) bpi_query_retire(q, &q->known);
  status = for_targets(q, BP_ENGINE_CONTEXT, &q->known);
  *out = q->known;
  if (status != BP_OK) return status;
  for (uint32_t t = 0; t < q->targets.count; t++)
    if (t != target) bpi_engine_close_group(q->known, t);
  bpi_engine_start(q->known, q->init.at, q->init.count);
  return bpi_engine_work(q->known, BP_NONE, true) ? BP_OK : bpi_query_stopped(q, q->known);
}

/* Whether the graph alone has no way to the target. */
static bool is_cut_off(const bp_query *q, const bpi_engine *e, const bpi_target *target)
{
  const bpi_goal *goals = q->goals.at + target->goals.first;
  for (uint32_t g = 0; g < target->goals.count; g++)
    if (e->a.explore[goals[g].vertex]) return false;
  return true;
}

/* What was decided before targets were added stays so; and what the graph says needs no states. */
static void close_known(bp_query *q, bpi_engine *e)
{
  for (uint32_t t = 0; t < q->targets.count; t++) {
    bpi_target *target = &q->targets.at[t];
    if (target->verdict == BP_UNDECIDED && is_cut_off(q, e, target))
      target->verdict = BP_UNREACHABLE;
    if (target->verdict != BP_UNDECIDED) bpi_engine_close_group(e, t);
  }
}

bp_status bpi_query_engine(bp_query *q, bpi_engine **out)
{
  const bool made = !q->engine;
  const bp_status status = for_targets(q, 0, &q->engine);
  *out = q->engine;
  if (made && q->engine) close_known(q, q->engine);
  if (status != BP_OK) return status;
  bpi_engine_start(q->engine, q->init.at, q->init.count);
  return bpi_going(q->engine) ? BP_OK : bpi_query_stopped(q, q->engine);
}

/* An exploration that leaves no variable out, in *e. */
static bp_status whole(bp_query *q, bpi_engine **e, uint32_t off, bool summaries)
{
  off |= BP_ENGINE_CONTEXT | BP_ENGINE_CONE | BP_ENGINE_LIVE | BP_ENGINE_CHAIN | BP_ENGINE_EARLY;
  const bpi_engine_options options = {.off = off | (q->off & BP_ENGINE_ORDER),
                                      .summaries = summaries};
  return make_engine(q, e, &options);
}

bp_status bpi_query_full(bp_query *q, bpi_engine **out)
{
  const bp_status status = whole(q, &q->full, 0, false);
  *out = q->full;
  return status;
}

bp_status bpi_query_seen(bp_query *q, bpi_engine **out)
{
  bp_status status = whole(q, &q->seen, BP_ENGINE_MODREF | BP_ENGINE_LOOP, true);
  *out = q->seen;
  if (status != BP_OK) return status;
  bpi_engine_start(q->seen, q->init.at, q->init.count);
  return bpi_engine_work(q->seen, BP_NONE, false) ? BP_OK : bpi_query_stopped(q, q->seen);
}

/* ---- the run ------------------------------------------------------------- */

/* What an exploration says of the targets; `complete`: nothing is left to explore. */
static void take_verdicts(bp_query *q, const bpi_engine *e, bool complete)
{
  bool undecided = false;
  for (uint32_t t = 0; t < q->targets.count; t++) {
    bpi_target *target = &q->targets.at[t];
    if (target->verdict != BP_UNDECIDED) continue;
    if (e && e->group_hit[t] != BP_NONE) {
      target->verdict = BP_REACHABLE;
      target->vertex = e->group_hit[t];
    } else if (complete) {
      target->verdict = BP_UNREACHABLE;
    } else {
      undecided = true;
    }
  }
  q->state = undecided ? BP_QUERY_UNDECIDED : BP_QUERY_DONE;
  if (!undecided) q->reason = BP_REASON_NONE;
}

bp_status bp_query_run(bp_query *q)
{
  if (!q) return BP_E_INVALID;
  if (!q->targets.count) {
    bpi_context_begin(q->ctx);
    return bpi_fail(q->ctx, BP_E_STATE, BPI_MSG_STATE, "the query has no target");
  }
  bp_status status = bpi_query_begin(q);
  if (status != BP_OK) return status;
  const uint64_t start = bpi_cpu_ns(), before = bpi_bdd_work(q->m);
  bpi_engine *e = NULL;
  status = bpi_query_engine(q, &e);
  const bool done = status == BP_OK && bpi_query_explore(q);
  if (status == BP_OK && !done) status = bpi_query_stopped(q, e);
  /* With every goal hit, or nothing left to do and no failure on the way. */
  take_verdicts(q, e, done && bpi_going(e));
  if (status == BP_E_POISONED) q->state = BP_QUERY_FAILED;
  bpi_bdd_within_limit(q->m);
  q->engine_ns += bpi_cpu_ns() - start;
  q->work += bpi_bdd_work(q->m) - before;
  bpi_query_end(q);
  return status == BP_E_LIMIT || status == BP_E_NOMEM ? BP_OK : status;
}

/* ---- looking ------------------------------------------------------------- */

bp_query_state bp_query_state_of(const bp_query *q)
{
  return q ? q->state : BP_QUERY_FAILED;
}

bp_reason bp_query_reason(const bp_query *q)
{
  return q ? q->reason : BP_REASON_NOT_RUN;
}

const bp_cfg *bp_query_cfg(const bp_query *q)
{
  return q ? bpi_shown_cfg(q->cfg) : NULL;
}

uint32_t bp_query_target_count(const bp_query *q)
{
  return q ? q->targets.count : 0;
}

bp_verdict bp_query_verdict(const bp_query *q, uint32_t target)
{
  return q && target < q->targets.count ? q->targets.at[target].verdict : BP_UNDECIDED;
}

const char *bp_verdict_name(bp_verdict verdict)
{
  switch (verdict) {
  case BP_REACHABLE: return "reachable";
  case BP_UNREACHABLE: return "unreachable";
  default: return "undecided";
  }
}

const char *bp_reason_name(bp_reason reason)
{
  switch (reason) {
  case BP_REASON_NONE: return "";
  case BP_REASON_TIME: return "time";
  case BP_REASON_NODES: return "nodes";
  case BP_REASON_STEPS: return "steps";
  case BP_REASON_CANCELLED: return "cancelled";
  case BP_REASON_MEMORY: return "memory";
  case BP_REASON_VARIABLES: return "variables";
  case BP_REASON_NOT_RUN: return "not run";
  }
  return "unknown reason";
}
