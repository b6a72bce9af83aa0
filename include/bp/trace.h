/* SPDX-License-Identifier: MIT
 *
 * Traces: executions that reach a target, as hierarchical step lists.
 *
 * A completed call is one closed step that can be opened into the callee's own
 * steps, lazily: a fully expanded trace can be exponentially longer than the
 * program. Steps are statement executions as docs/language.md counts them. By
 * default a trace is a shortest hierarchical trajectory (Bebop, section 3.2;
 * but see bp_trace_shallow() and bp_trace_any());
 * with `shortest`, one whose fully expanded length is minimal (a shortest
 * derivation in the sense of Knuth, IPL 1977); with `any`, one that is found
 * sooner where a shortest one would make calls be explored that do not lead
 * to the target.
 *
 * Each step shows the values that the trace constrains: exactly the variables
 * in scope that have one and the same value, just before the statement, in all
 * executions that follow the listed steps. Listed are the steps that a walk
 * lists when it opens completed calls `levels` deep; inside a call that is
 * opened further by hand, the outer steps count as they were listed.
 *
 * A trace keeps its query (and so manager, graph, program). Threads: those of
 * the query. */
#ifndef BP_TRACE_H
#define BP_TRACE_H

#include <bp/query.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_trace bp_trace;
typedef struct bp_cursor bp_cursor;

typedef struct bp_trace_options {
  size_t size;     /**< sizeof(bp_trace_options); zero the rest for the defaults */
  int shortest;    /**< minimal expanded length instead of minimal hierarchical length */
  uint32_t levels; /**< how deep completed calls are listed opened; BP_NONE: all */
  int any;         /**< not a shortest one if another one is found sooner; not with `shortest` */
} bp_trace_options;

/** The trace of a target whose verdict is BP_REACHABLE (else BP_E_STATE). `options` may be NULL.
 *  BP_E_LIMIT: a limit of the query stopped the search, or it had 2^24 sets of states (BP_REASON_NODES), as where a
 *  counter has to go round that often. Calling again keeps what was explored but
 *  searches anew, so give it more than the last time. BP_E_NOMEM,
 *  BP_E_POISONED, BP_E_BUSY. */
BP_API bp_status bp_trace_new(bp_trace **out, bp_query *q, uint32_t target,
                              const bp_trace_options *options);
BP_API bp_trace *bp_trace_ref(bp_trace *trace);
BP_API void bp_trace_unref(bp_trace *trace);

/** The query of a trace; borrowed. */
BP_API const bp_query *bp_trace_query(const bp_trace *trace);

/** The number of steps with completed calls counted as one. */
BP_API uint64_t bp_trace_hierarchical_length(const bp_trace *trace);
/** The number of steps when every call is opened; saturates at UINT64_MAX. Computed on the first
 *  call, without listing them. BP_E_LIMIT, BP_E_NOMEM, BP_E_POISONED, BP_E_BUSY. */
BP_API bp_status bp_trace_length(bp_trace *trace, uint64_t *out);

/** Whether completed calls count with the states in which this one trace enters and leaves them: values are
 *  then those of fewer executions. So it is where the relation between the states before and behind some
 *  call takes too much work, on which the kernel, the switches and the traces before have an influence; else
 *  a closed call stands for every run of the callee. Certain once values have been asked for. The
 *  search for a `shortest` one always needs the relations, its values can do without. */
BP_API int bp_trace_pinned(const bp_trace *trace);

/** Whether there may be shorter traces: it was found as `any` allows or, without `shortest`, backwards from the target,
 *  because an exploration of all states did not reach it before other parts of the engine did and a shortest one takes
 *  too much work. With `any` it is a trace as without when the search took more work than the verdict and a fixed
 *  amount more; after two of those in a row `any` is not tried any more. Each such trace may make an exploration of its
 *  own, and keeps it. */
BP_API int bp_trace_any(const bp_trace *trace);

/** Whether the trace was found where recursion is entered a few levels deep only, so that there may be shorter
 *  ones whose completed calls go deeper. So it is where the target was reached in that way, and a search without the
 *  bound takes too much work. Never with `shortest`. */
BP_API int bp_trace_shallow(const bp_trace *trace);

/** Replays the trace, opened `levels` deep, with a concrete interpreter over the program's text that
 *  shares nothing with the engine. BP_OK: it is an execution; BP_E_INTERNAL: it is not. */
BP_API bp_status bp_trace_replay(bp_trace *trace, uint32_t levels);

/* ---- walking ----------------------------------------------------------- */

/** A cursor before the first step. It keeps the trace. */
BP_API bp_status bp_cursor_new(bp_cursor **out, bp_trace *trace);
BP_API bp_status bp_cursor_copy(bp_cursor **out, const bp_cursor *cursor);
BP_API void bp_cursor_free(bp_cursor *cursor);

/** To the next step of the listing. BP_END behind the last one (of the trace, or of the call that was
 *  opened by hand). BP_E_LIMIT, BP_E_NOMEM, BP_E_POISONED, BP_E_BUSY leave the cursor where it is. */
BP_API bp_status bp_cursor_next(bp_cursor *cursor);
/** Opens the closed call that the cursor stands on: bp_cursor_next() then goes to the callee's
 *  first step. BP_E_STATE when it stands on no closed call. */
BP_API bp_status bp_cursor_open(bp_cursor *cursor);
/** Leaves the innermost call opened by hand: back on the call. BP_E_STATE when there is none. */
BP_API bp_status bp_cursor_close(bp_cursor *cursor);

/* The step that the cursor stands on; 0 or BP_NONE when it stands on none. */
BP_API uint32_t bp_cursor_proc(const bp_cursor *cursor);
BP_API uint32_t bp_cursor_stmt(const bp_cursor *cursor);
BP_API uint32_t bp_cursor_vertex(const bp_cursor *cursor);
/** How many calls are entered and not yet left, from 0. */
BP_API uint32_t bp_cursor_depth(const bp_cursor *cursor);
BP_API void bp_cursor_range(const bp_cursor *cursor, bp_range *out);
BP_API uint64_t bp_cursor_origin(const bp_cursor *cursor);
/** 1 when the step is a completed call that the listing shows closed. */
BP_API int bp_cursor_closed(const bp_cursor *cursor);
/** For a completed call, closed or opened: the number of steps inside, saturating; else, also before
 *  the first step and behind the last one, 0. */
BP_API bp_status bp_cursor_inside(bp_cursor *cursor, uint64_t *out);
/** The value of a variable in scope just before the step: BP_ANY when the trace does not constrain
 *  it. BP_E_INVALID for a variable not in scope; BP_E_LIMIT, ... as above. */
BP_API bp_status bp_cursor_value(bp_cursor *cursor, uint32_t var, bp_value *out);
/** The same of an element (0: there is only one) of a datum: *known is 1 and *out its value when the trace
 *  constrains all of its bits, else both are 0. */
BP_API bp_status bp_cursor_number(bp_cursor *cursor, uint32_t datum, uint32_t element, int *known,
                                  uint64_t *out);

#ifdef __cplusplus
}
#endif
#endif
