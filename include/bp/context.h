/* SPDX-License-Identifier: MIT
 *
 * The context: where failures leave their text, and the limits for reading
 * programs and building graphs.
 *
 * Every other handle has the same life as a context: `_new` makes one with one
 * reference, `_ref` adds a reference, `_unref` drops one and destroys the
 * object with the last. `_unref(NULL)` and `_free(NULL)` do nothing. Builders
 * and cursors have one owner and are given back with `_free`.
 *
 * Threads: a context may be used by one thread at a time; bp_context_cancel()
 * alone may be called from anywhere, signal handlers included. Reference
 * counts are atomic in every handle. */
#ifndef BP_CONTEXT_H
#define BP_CONTEXT_H

#include <bp/status.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_context bp_context;

/* ---- sinks: where the library writes ---------------------------------- */

/** A place for bytes. `write` gets every piece in order and returns 0, or anything else to refuse;
 *  the call then stops and returns BP_E_IO. The library never writes anywhere else. */
typedef struct bp_sink {
  size_t size; /**< sizeof(bp_sink) */
  int (*write)(void *user, const char *bytes, size_t len);
  void *user;
} bp_sink;

/** Fills `sink` so that it writes to `file` with fwrite(). The file stays the caller's. */
BP_API void bp_sink_stdio(bp_sink *sink, FILE *file);

/* ---- limits ------------------------------------------------------------ */

/** How much work a call may do. 0 in a field means no limit. Set `size`, zero the rest. `nodes` and
 *  `steps` count where limits are given to a query (query.h, ltl.h: all calls on it together) or to a call
 *  (reachable.h, pushdown.h, stacks.h), not as limits of a context. */
typedef struct bp_limits {
  size_t size;      /**< sizeof(bp_limits) */
  uint64_t wall_ms; /**< milliseconds of wall time for one call */
  uint64_t nodes;   /**< live BDD nodes */
  uint64_t steps;   /**< images computed: the same count every time with a fresh manager */
} bp_limits;

/* ---- the context ------------------------------------------------------- */

/** Makes a context. Uses no globals and no environment, prints nothing.
 *  Fails with BP_E_NOMEM; then *out is NULL. */
BP_API bp_status bp_context_new(bp_context **out);
BP_API bp_context *bp_context_ref(bp_context *ctx);
BP_API void bp_context_unref(bp_context *ctx);

/** Limits for bp_program_parse(), bp_builder_finish(), bp_cfg_new(), and all calls of formula.h,
 *  automaton.h and pushdown.h: only `wall_ms` counts there. A call that runs out returns BP_E_LIMIT
 *  and makes nothing. NULL removes the limits. */
BP_API bp_status bp_context_set_limits(bp_context *ctx, const bp_limits *limits);

/** Asks the running call on this context (parse, finish, cfg, bp_reachable(), pushdown.h), or else the next one,
 *  to stop with BP_E_LIMIT; bp_reachable() is undecided then. Async-signal-safe and allowed from any
 *  thread. The call that stops consumes the request. */
BP_API void bp_context_cancel(bp_context *ctx);

/** Frees a block that a libbp function gave to the caller. NULL is allowed. */
BP_API void bp_free(void *block);

/* ---- diagnostics ------------------------------------------------------- */

typedef enum bp_severity { BP_WARNING = 0, BP_ERROR = 1 } bp_severity;

/** The diagnostics of the last fallible call on this context. Every fallible call clears them when
 *  it begins, so they are never stale; they stay readable until the next one. Indices count from 0
 *  in the order of the text. Strings are borrowed until the next fallible call. */
BP_API uint32_t bp_context_diagnostic_count(const bp_context *ctx);
BP_API uint32_t bp_context_error_count(const bp_context *ctx);
BP_API bp_severity bp_context_diagnostic_severity(const bp_context *ctx, uint32_t index);
/** A stable number for the kind of message; docs/errors.md lists them. */
BP_API uint32_t bp_context_diagnostic_number(const bp_context *ctx, uint32_t index);
/** The message without place and severity. */
BP_API const char *bp_context_diagnostic_text(const bp_context *ctx, uint32_t index);
/** The name of the text, as given to the call that read it; "" when there is none. */
BP_API const char *bp_context_diagnostic_file(const bp_context *ctx, uint32_t index);
/** The place; line 0 when the message has none. */
BP_API void bp_context_diagnostic_range(const bp_context *ctx, uint32_t index, bp_range *out);

/** Writes every diagnostic as `file:line:col: error: text`, the source line and a caret. A text
 *  without a name has `line:col: error: text`, a message without a place `libbp: error: text`.
 *  Fails with BP_E_IO. Does not clear the diagnostics. */
BP_API bp_status bp_context_write_diagnostics(const bp_context *ctx, const bp_sink *sink);

/** One line for the last failed call: its first error, or "" when nothing failed. */
BP_API const char *bp_context_message(const bp_context *ctx);

/** Called with one finished line (no newline) for each event worth a log. Default: none. */
typedef void (*bp_log_fn)(const char *line, void *user);
BP_API void bp_context_set_log(bp_context *ctx, bp_log_fn fn, void *user);

#ifdef __cplusplus
}
#endif
#endif
