/* SPDX-License-Identifier: MIT
 * The one-call door. What it keeps from call to call hangs on the context: a manager, and the graph
 * of the program asked about last. */
#include "engine/query.h"

#include <bp/reachable.h>

typedef struct shared {
  bp_manager *m;
  bp_cfg *cfg;
} shared;

/* Traces may keep it longer; then it is a manager like any other. */
static void drop_manager(shared *s)
{
  bp_manager_unref(s->m);
  s->m = NULL;
}

static void drop_shared(void *data)
{
  shared *s = data;
  if (!s) return;
  bp_cfg_unref(s->cfg);
  drop_manager(s);
  bpi_release(s);
}

static bp_status shared_of(bp_context *ctx, shared **out)
{
  if (!ctx->shared) {
    ctx->shared = bpi_zalloc(1, sizeof(shared));
    ctx->drop_shared = drop_shared;
  }
  *out = ctx->shared;
  return ctx->shared ? BP_OK : bpi_no_memory(ctx);
}

static bool poisoned(bp_manager *m)
{
  bp_manager_stats stats = {.size = sizeof stats};
  return bp_manager_get_stats(m, &stats) == BP_OK && stats.poisoned;
}

static bp_status manager_of(bp_context *ctx, shared *s)
{
  if (s->m && poisoned(s->m)) drop_manager(s);
  if (s->m) return BP_OK;
  return bp_manager_new(&s->m, ctx, NULL);
}

static bp_status graph_of(bp_context *ctx, shared *s, const bp_program *program)
{
  if (s->cfg && s->cfg->program == program) return BP_OK;
  bp_cfg *cfg;
  const bp_status status = bp_cfg_new(&cfg, ctx, program);
  if (status != BP_OK) return status;
  bp_cfg_unref(s->cfg);
  s->cfg = cfg;
  return BP_OK;
}

/* The verdict over all targets of a finished query, and the first one that is reachable. */
static bp_verdict worst(const bp_query *q, uint32_t *reached)
{
  bp_verdict verdict = BP_UNREACHABLE;
  for (uint32_t t = 0; t < bp_query_target_count(q); t++) {
    const bp_verdict one = bp_query_verdict(q, t);
    if (one == BP_REACHABLE) {
      *reached = t;
      return one;
    }
    if (one == BP_UNDECIDED) verdict = one;
  }
  return verdict;
}

static bp_status ask(bp_query *q, bp_verdict *verdict, bp_trace **trace, const char *target,
                     const bp_limits *limits)
{
  bp_status status = bp_query_set_limits(q, limits);
  if (status == BP_OK) status = target ? bp_query_add(q, target, NULL) : bp_query_add_asserts(q);
  if (status != BP_OK || (!target && !bp_query_target_count(q))) {
    *verdict = status == BP_OK ? BP_UNREACHABLE : BP_UNDECIDED;
    return status;
  }
  status = bp_query_run(q);
  uint32_t reached = 0;
  *verdict = worst(q, &reached);
  if (status != BP_OK || *verdict != BP_REACHABLE || !trace) return status;
  return bp_trace_new(trace, q, reached, NULL);
}

bp_status bp_reachable(bp_verdict *verdict, bp_trace **trace, bp_context *ctx, bp_manager *manager,
                       const bp_program *program, const char *target, const bp_limits *limits)
{
  if (trace) *trace = NULL;
  if (verdict) *verdict = BP_UNDECIDED;
  if (!ctx) return BP_E_INVALID;
  if (!verdict || !program) return bpi_invalid(ctx, "%s is NULL", verdict ? "program" : "verdict");
  bpi_context_begin(ctx);
  shared *s;
  bp_status status = shared_of(ctx, &s);
  if (status == BP_OK && !manager) status = manager_of(ctx, s);
  if (status == BP_OK) status = graph_of(ctx, s, program);
  if (status == BP_E_LIMIT) return BP_OK; /* undecided */
  bp_query *q = NULL;
  if (status == BP_OK) status = bp_query_new(&q, ctx, manager ? manager : s->m, s->cfg, NULL);
  if (q) q->asked = &ctx->cancel; /* the host has no other handle for it */
  if (status == BP_OK) status = ask(q, verdict, trace, target, limits);
  bp_query_unref(q);
  return status;
}
