/* SPDX-License-Identifier: MIT
 * A call that may be long: what stops it, and what it came to. The first failure stays. */
#ifndef BPI_JOB_H
#define BPI_JOB_H

#include "base/context.h"

typedef struct bpi_job {
  bp_context *ctx;
  bpi_watch watch;
  bp_status status;
} bpi_job;

/* Begins a fallible call on the context. */
void bpi_job_begin(bpi_job *job, bp_context *ctx);
/* Whether to go on; looks at the limits. */
static inline bool bpi_job_going(bpi_job *job)
{
  if (job->status == BP_OK && bpi_watch_expired(&job->watch)) job->status = BP_E_LIMIT;
  return job->status == BP_OK;
}
/* All return false. */
bool bpi_job_no_memory(bpi_job *job);
bool bpi_job_stop(bpi_job *job, bp_status status); /* whose message is there already */
/* Says that the automaton would have more than `most` of `what`: BP_E_LIMIT or BP_E_UNSUPPORTED. */
bool bpi_job_too_large(bpi_job *job, bp_status status, const char *what, uint32_t most);
/* The status of the whole, with a message for memory and limits. */
bp_status bpi_job_end(bpi_job *job, const char *doing);

#endif
