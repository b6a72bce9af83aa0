/* SPDX-License-Identifier: MIT */
#include "temporal/job.h"

void bpi_job_begin(bpi_job *job, bp_context *ctx)
{
  bpi_context_begin(ctx);
  *job = (bpi_job){.ctx = ctx, .watch = bpi_context_watch(ctx), .status = BP_OK};
}

bool bpi_job_no_memory(bpi_job *job)
{
  return bpi_job_stop(job, BP_E_NOMEM);
}

bool bpi_job_stop(bpi_job *job, bp_status status)
{
  if (job->status == BP_OK) job->status = status;
  return false;
}

bool bpi_job_too_large(bpi_job *job, bp_status status, const char *what, uint32_t most)
{
  if (job->status == BP_OK)
    bpi_fail(job->ctx, status, BPI_MSG_AUTOMATON, "the automaton has more than %u %s",
             (unsigned)most, what);
  return bpi_job_stop(job, status);
}

bp_status bpi_job_end(bpi_job *job, const char *doing)
{
  if (job->status == BP_E_NOMEM) return bpi_no_memory(job->ctx);
  if (job->status == BP_E_LIMIT && !job->ctx->errors)
    return bpi_fail(job->ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped while %s", doing);
  return job->status;
}
