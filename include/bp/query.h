/* SPDX-License-Identifier: MIT
 *
 * Reachability queries: can some execution from the entry procedure, over an
 * unbounded call stack, reach a target? The algorithm is that of Ball &
 * Rajamani, "Bebop" (SPIN 2000), a generalisation of Reps, Horwitz & Sagiv
 * (POPL 1995) to BDDs: path edges and summary edges.
 *
 *              add_*, set_*          run: every target decided
 *        +---------------------> NEW ------------------------> DONE
 *        |                        |  ^                           |
 *   bp_query_new                  |  | (set_limits, add_*)       | add_*: back to NEW,
 *                       run: stop |  |                           | what was found is kept
 *                                 v  |                           v
 *                              UNDECIDED --- run: goes on --> DONE ...
 *                                 |
 *                                 +--- the manager is poisoned: FAILED, for good
 *
 * All targets of a query share one exploration, and what was explored is kept
 * from run to run: raising a limit and running again goes on where it stopped.
 * Adding a target keeps the verdicts but begins the exploration anew, as other
 * parts of the program may matter to it.
 *
 * Threads: a query belongs to its manager's thread rules (one thread at a time);
 * bp_query_cancel() alone may be called from any thread or a signal handler
 * while the caller holds a reference. Queries with different managers run at
 * the same time, on threads of the host's or by bp_query_run_all(). */
#ifndef BP_QUERY_H
#define BP_QUERY_H

#include <bp/cfg.h>
#include <bp/manager.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_query bp_query;
typedef struct bp_answer bp_answer;

typedef enum bp_verdict { BP_UNDECIDED = 0, BP_REACHABLE = 1, BP_UNREACHABLE = 2 } bp_verdict;

/** "undecided", "reachable", "unreachable". Static storage. */
BP_API const char *bp_verdict_name(bp_verdict verdict);

/** Why a verdict is UNDECIDED. */
typedef enum bp_reason {
  BP_REASON_NONE = 0,
  BP_REASON_TIME = 1,
  BP_REASON_NODES = 2,
  BP_REASON_STEPS = 3,
  BP_REASON_CANCELLED = 4, /**< bp_query_cancel() or the progress callback */
  BP_REASON_MEMORY = 5,
  BP_REASON_VARIABLES = 6, /**< more BDD variables than the manager allows */
  BP_REASON_NOT_RUN = 7
} bp_reason;

/** "time", "nodes", "steps", "cancelled", "memory", "variables", "not run", "". Static storage. */
BP_API const char *bp_reason_name(bp_reason reason);

typedef enum bp_query_state {
  BP_QUERY_NEW = 0,
  BP_QUERY_DONE = 1,
  BP_QUERY_UNDECIDED = 2,
  BP_QUERY_FAILED = 3
} bp_query_state;

/** Parts of the engine that can be switched off, to measure them and to blame them. The answers are
 *  the same with any of them off. */
typedef enum bp_engine {
  BP_ENGINE_LIVE = 1u << 0,   /**< quantify dead variables out (live ranges) */
  BP_ENGINE_MODREF = 1u << 1, /**< untouched globals pass a call by */
  BP_ENGINE_CONE = 1u << 2,   /**< leave out what no target depends on */
  BP_ENGINE_DELTA = 1u << 3,  /**< propagate only what is new */
  BP_ENGINE_EARLY = 1u << 4,  /**< stop as soon as every target is decided */
  BP_ENGINE_CHAIN = 1u << 5,  /**< keep path edges only at the ends of straight lines */
  BP_ENGINE_ORDER = 1u << 6,  /**< compute a variable order instead of taking the declared one */
  BP_ENGINE_LOOP = 1u << 7,   /**< close loops by squaring their relation */
  BP_ENGINE_CONTEXT =
      1u << 8, /**< explore large procedures for single contexts while these are few */
  BP_ENGINE_LOCALIZE =
      1u << 9, /**< where sets are large, try first the variables near the targets */
  BP_ENGINE_SHARE =
      1u << 10, /**< procedures and calls that look the same share what is made for them */
  BP_ENGINE_POST =
      1u << 11, /**< of bp_ltl: look for cycles among what executions reach alone (`post*` first) */
  BP_ENGINE_RECURSION =
      1u << 12, /**< where sets are large, try recursion without relations first, from both sides */
  BP_ENGINE_NARROW =
      1u << 13, /**< where sets are large, try first what a part of each of them reaches */
  BP_ENGINE_BACKWARD =
      1u
      << 14, /**< where sets are large, try first what could come before a target, whoever called */
  BP_ENGINE_EXECUTE =
      1u << 15, /**< where sets are large, try first to find one execution back from a target */
  BP_ENGINE_ALL = (1u << 16) - 1
} bp_engine;

typedef struct bp_query_options {
  size_t size;  /**< sizeof(bp_query_options); zero the rest for the defaults */
  uint32_t off; /**< bits of bp_engine to switch off */
} bp_query_options;

/** Makes a query without targets. `options` may be NULL. The query keeps context, manager and graph.
 *  BP_E_NOMEM, BP_E_INVALID. */
BP_API bp_status bp_query_new(bp_query **out, bp_context *ctx, bp_manager *manager, bp_cfg *cfg,
                              const bp_query_options *options);
BP_API bp_query *bp_query_ref(bp_query *q);
BP_API void bp_query_unref(bp_query *q);

/* ---- targets ----------------------------------------------------------- */

/* Targets are numbered from 0 in the order of these calls. `when`, if not NULL, is an expression over
 * the variables in scope at the target: it only counts in states where that can hold. All answer
 * BP_E_INPUT with diagnostics when the target or an expression is not good, and add nothing then. */

/** The statements that carry the label, in procedure `proc` or, with NULL, in any. */
BP_API bp_status bp_query_add_label(bp_query *q, const char *proc, const char *label,
                                    const char *when);
/** The statements that begin on the line, in procedure `proc` or, with NULL, in any. */
BP_API bp_status bp_query_add_line(bp_query *q, const char *proc, uint32_t line, const char *when);
/** Any vertex, also one that is no step of an execution (a declaration, an enforce, an exit): the
 *  trace then ends with the step before it. At an exit the formals and locals are over: `when` is
 *  about globals there. */
BP_API bp_status bp_query_add_vertex(bp_query *q, uint32_t vertex, const char *when);
/** One target for each assertion (assert and abortif) of the program, in text order: reached when
 *  its condition can fail. */
BP_API bp_status bp_query_add_asserts(bp_query *q);
/** The same for `count` of them, from the one with number `first` on: to share the assertions of a
 *  program out among queries. bp_cfg_assert_count() tells how many there are; BP_E_INVALID beyond. */
BP_API bp_status bp_query_add_assert_range(bp_query *q, uint32_t first, uint32_t count);
/** A target as the command line spells it: `R`, `proc:R`, `12`, `proc:12` (lines). `label:X`,
 *  `label:proc:X` and `proc:label:X` are the label X also when X is a number. Colons inside braces
 *  belong to the name, so any label and procedure name of the program can stand here. */
BP_API bp_status bp_query_add(bp_query *q, const char *target, const char *when);

/** Constrains the states in which runs start, by an expression over the globals and the formals and
 *  locals of the entry procedure. Declarations without values at its head do not make locals
 *  arbitrary again; later ones do. NULL removes it. BP_E_INPUT; BP_E_STATE after the first run. */
BP_API bp_status bp_query_set_init(bp_query *q, const char *expression);

/* ---- running ----------------------------------------------------------- */

/** Limits for each run and for everything else that computes on this query (traces, states,
 *  summaries). `steps` counts images over the whole life of the query. NULL removes them. */
BP_API bp_status bp_query_set_limits(bp_query *q, const bp_limits *limits);

typedef enum bp_progress_answer { BP_CONTINUE = 0, BP_STOP = 1 } bp_progress_answer;
/** `steps` images so far, and the most `live` nodes seen so far. Called on the running thread now and then, at most every
 *  few milliseconds; it must not call anything on this query or manager. */
typedef bp_progress_answer (*bp_progress_fn)(uint64_t steps, uint64_t live, void *user);
BP_API void bp_query_set_progress(bp_query *q, bp_progress_fn fn, void *user);

/** Runs until every target is decided or something stops it. BP_OK also when undecided: ask the
 *  state, the answer or bp_query_reason(). BP_E_BUSY, BP_E_POISONED, BP_E_INTERNAL; BP_E_STATE
 *  without targets. */
BP_API bp_status bp_query_run(bp_query *q);

/** Runs `count` queries, up to `threads` of them at the same time. The calling thread and up to
 *  threads - 1 others, which end with the call, take them up in their order; when the system gives
 *  fewer threads, there are fewer. Each ends in a state of its own, just as after bp_query_run():
 *  limits, cancel requests and missing memory of one do not stop the others. To stop the call, cancel
 *  every query; requests that found nothing to stop are forgotten when the call ends.
 *
 *  Each query must have a context and a manager of its own: two that share one of them are refused,
 *  BP_E_INVALID, before anything runs. Programs and graphs may be shared. Progress callbacks run on the
 *  thread of their query, several at the same time. Signals are blocked in the threads that the call
 *  makes; their stacks are large enough for `max_vars` of the managers (manager.h), the calling
 *  thread's is as it is.
 *
 *  `statuses`, when not NULL, gets what bp_query_run() came to for each. The call returns the first one
 *  of these, in the order of the queries, that is not BP_OK; the others ran all the same.
 *  BP_E_INVALID and BP_E_NOMEM: when nothing ran, `statuses` is untouched. */
BP_API bp_status bp_query_run_all(bp_query *const *queries, uint32_t count, uint32_t threads,
                                  bp_status *statuses);

BP_API bp_query_state bp_query_state_of(const bp_query *q);
/** Why the last run or other call was stopped; BP_REASON_NONE when it was not. */
BP_API bp_reason bp_query_reason(const bp_query *q);
/** Stops the call that runs on this query, or else the next one; async-signal-safe. The call that
 *  stops consumes the request. */
BP_API void bp_query_cancel(bp_query *q);

BP_API uint32_t bp_query_target_count(const bp_query *q);
/** The index-th vertex that the target means, in text order; BP_NONE when there are no more. */
BP_API uint32_t bp_query_target_vertex(const bp_query *q, uint32_t target, uint32_t index);
BP_API bp_verdict bp_query_verdict(const bp_query *q, uint32_t target);

/** The graph of the query; borrowed. */
BP_API const bp_cfg *bp_query_cfg(const bp_query *q);

/** The answer as it stands now, as plain data of its own (answer.h). BP_E_NOMEM. */
BP_API bp_status bp_query_answer(bp_answer **out, const bp_query *q);

/* ---- what the exploration found ----------------------------------------- */

/* These explore the whole program without leaving variables out (once, kept in the query), within
 * the query's limits: BP_E_LIMIT when one stops them, calling again goes on. */

typedef enum bp_value { BP_FALSE = 0, BP_TRUE = 1, BP_ANY = 2 } bp_value;

/** Gets one cube: values[i] belongs to the i-th variable asked for. Return 0 to go on, anything
 *  else to stop: the call then returns BP_E_USER. */
typedef int (*bp_cube_fn)(const bp_value *values, uint32_t count, void *user);

/** Whether any execution reaches the vertex. */
BP_API bp_status bp_query_reached(bp_query *q, uint32_t vertex, int *out);

/** The valuations with which executions arrive at the vertex, projected on `vars` (globals and
 *  variables of the vertex' procedure), as disjoint cubes. At an exit, locals and the formals that the
 *  procedure assigns to are over: BP_ANY. BP_E_INVALID for a variable not in scope. */
BP_API bp_status bp_query_states(bp_query *q, uint32_t vertex, const uint32_t *vars, uint32_t count,
                                 bp_cube_fn fn, void *user);

/** The summary of a procedure for the contexts in which it is called: pairs of entry and exit, as
 *  disjoint cubes. values: all globals at entry, in the order of their ids, the formals at entry,
 *  all globals at exit, the results. The entry procedure's context is the start. */
BP_API bp_status bp_query_summary(bp_query *q, uint32_t proc, bp_cube_fn fn, void *user);

/** The set of states at the vertex as an expression over the variables in scope, at an exit over
 *  globals, in the language of programs: `0` when it is not reached. */
BP_API bp_status bp_query_invariant(bp_query *q, uint32_t vertex, const bp_sink *sink);

/* ---- documents --------------------------------------------------------- */

typedef struct bp_json_options {
  size_t size;         /**< sizeof(bp_json_options); zero the rest for the defaults */
  const char *command; /**< "reach" or "check"; NULL: "reach" */
  int no_trace;        /**< leave traces out */
  int shortest;        /**< traces of minimal expanded length */
  int any;             /**< traces as `any` of bp_trace_options allows; not with `shortest` */
  uint32_t levels;     /**< how many levels of completed calls are opened; BP_NONE: all */
  double parse_seconds, build_seconds; /**< for the "stats" object */
} bp_json_options;

/** Writes the whole JSON document of docs/json.md, traces streamed. BP_E_IO, BP_E_LIMIT, ... */
BP_API bp_status bp_query_write_json(bp_query *q, const bp_sink *sink,
                                     const bp_json_options *options);
/** The same for several queries on one graph: the results of all of them, in their order, and what
 *  bp_stats_add() makes of their statistics. The limit of time is that of the first one.
 *  BP_E_INVALID without queries and when their graphs differ. */
BP_API bp_status bp_query_write_json_all(bp_query *const *queries, uint32_t count,
                                         const bp_sink *sink, const bp_json_options *options);

/** Writes the question whether any target can be reached, from the start states of
 *  bp_query_set_init(), as constrained Horn clauses in SMT-LIB 2 (`(set-logic HORN)`) for another
 *  solver to judge: `sat` when none can, `unsat` when one can. Without targets it is `sat`. Procedures
 *  are summarised, so recursion is exact. Independent of a run and of what runs found; the engine's
 *  switches and its limits on nodes and steps have no meaning here. BP_E_IO, BP_E_NOMEM, BP_E_LIMIT:
 *  then there is no `(check-sat)` at the end of what was written. */
BP_API bp_status bp_query_write_chc(bp_query *q, const bp_sink *sink);

/** Writes the control-flow graphs as Graphviz; with a query, what it can reach is coloured. */
BP_API bp_status bp_cfg_write_dot(const bp_cfg *cfg, bp_context *ctx, const bp_sink *sink,
                                  bp_query *reached);

#ifdef __cplusplus
}
#endif
#endif
