/* SPDX-License-Identifier: MIT
 *
 * The one-call door: program and target in, verdict out. */
#ifndef BP_REACHABLE_H
#define BP_REACHABLE_H

#include <bp/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Can `target` be reached? The target is spelled as for bp_query_add(); NULL asks whether any
 *  assertion can fail; the trace is that of the first one, in text order, that can. With `trace`
 *  not NULL and a reachable target, *trace is a trace that the caller owns; otherwise *trace is
 *  NULL. `manager` NULL uses one on the native kernel that the context makes at first need and
 *  keeps, so a loop that still holds an earlier trace goes on working. `limits` may be NULL. The
 *  graph is built anew unless the same program was asked about last with this context.
 *
 *  bp_context_cancel(), from another thread or a signal handler, stops it, and later what computes on
 *  its trace.
 *
 *  BP_OK with *verdict; it is BP_UNDECIDED when a limit was hit or it was cancelled
 *  (bp_context_message() says which).
 *  BP_E_INPUT: unknown target; BP_E_UNSUPPORTED, BP_E_NOMEM, BP_E_BUSY, BP_E_POISONED. A poisoned
 *  manager of the context is replaced at the next call once nothing refers to it. */
BP_API bp_status bp_reachable(bp_verdict *verdict, bp_trace **trace, bp_context *ctx,
                              bp_manager *manager, const bp_program *program, const char *target,
                              const bp_limits *limits);

#ifdef __cplusplus
}
#endif
#endif
