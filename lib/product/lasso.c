/* SPDX-License-Identifier: MIT
 * The counterexample: two questions of reachability about the head that was found. */
#include "product/ltl.h"

static uint32_t count_entered(const bp_trace *trace)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < trace->path->steps.count; i++)
    count += trace->path->steps.at[i].kind == BPI_STEP_ENTERS;
  return count;
}

/* The heads of the search and those of the product without memory are the same; a miss is a bug. */
static bp_status miss(bp_ltl *ltl)
{
  return bpi_fail(ltl->ctx, BP_E_INTERNAL, BPI_MSG_INTERNAL,
                  "a cycle that cannot be reached (a bug in libbp)");
}

static bp_status make_trace(bp_trace **out, bp_ltl *ltl, bpi_stage_kind kind,
                            const bp_trace_options *options)
{
  bp_status status = bpi_ltl_search(ltl);
  if (status != BP_OK) return status;
  if (!ltl->found) return miss(ltl);
  status = bpi_ltl_stage(ltl, kind);
  if (status != BP_OK) return status;
  bpi_ltl_ready(ltl, kind);
  bp_query *q = ltl->stages[kind].query;
  if (bp_query_verdict(q, 0) == BP_UNDECIDED) {
    status = bp_query_run(q);
    if (status == BP_OK && bp_query_verdict(q, 0) == BP_UNDECIDED) {
      ltl->reason = bp_query_reason(q);
      if (ltl->reason == BP_REASON_MEMORY) return bpi_no_memory(ltl->ctx);
      return bpi_fail(ltl->ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped: %s",
                      bp_reason_name(ltl->reason));
    }
  }
  if (status == BP_OK && bp_query_verdict(q, 0) != BP_REACHABLE) return miss(ltl);
  if (status == BP_OK) status = bp_trace_new(out, q, 0, options);
  return bpi_ltl_note(ltl, kind, status);
}

static bp_status begin(bp_trace **out, bp_ltl *ltl, const bp_trace_options *options)
{
  if (out) *out = NULL;
  if (!ltl) return BP_E_INVALID;
  if (!out) return bpi_refuse(ltl->ctx, "bp_ltl_prefix", "out is NULL");
  if (options && options->size != sizeof *options)
    return bpi_refuse(ltl->ctx, "bp_ltl_prefix", "options->size is not sizeof(bp_trace_options)");
  bpi_context_begin(ltl->ctx);
  if (ltl->verdict == BP_LTL_VIOLATED) return BP_OK;
  return bpi_fail(ltl->ctx, BP_E_STATE, BPI_MSG_STATE, "the formula is not known to be violated");
}

bp_status bp_ltl_prefix(bp_trace **out, bp_ltl *ltl, const bp_trace_options *options)
{
  bp_status status = begin(out, ltl, options);
  if (status == BP_OK) status = make_trace(out, ltl, BPI_STAGE_PREFIX, options);
  if (status == BP_OK) ltl->depth = count_entered(*out);
  return status;
}

bp_status bp_ltl_loop(bp_trace **out, bp_ltl *ltl, const bp_trace_options *options)
{
  bp_status status = begin(out, ltl, options);
  if (status == BP_OK) status = make_trace(out, ltl, BPI_STAGE_LOOP, options);
  if (status == BP_OK) ltl->growth = count_entered(*out);
  return status;
}
