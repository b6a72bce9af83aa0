/* SPDX-License-Identifier: MIT
 *
 * Linear temporal logic: does every infinite execution of a program satisfy a
 * formula? docs/ltl.md says what propositions mean, what the positions of an
 * execution are, and how executions that end or block are counted.
 *
 * The negation of the formula becomes a Buechi automaton, the program and the
 * automaton one product, and of that what is reachable is searched for a cycle
 * with an accepting step: Esparza & Schwoon, "A BDD-based Model Checker for
 * Recursive Programs" (CAV 2001). A safety formula is decided by reachability
 * alone, where that is enough.
 *
 *   bp_ltl_new --> NEW --run--> DONE      bp_ltl_prefix(), bp_ltl_loop():
 *                   |    ^                a violated formula's counterexample
 *              stop v    | run again
 *                UNDECIDED
 *
 * When something stops a run, what was explored is kept, and so is what the search
 * for cycles knows: the next run, or bp_ltl_prefix() when reachability alone has
 * decided, goes on where it was. The search computes only the image again that was
 * stopped, so many small slices of steps or time do the work of one long run, as
 * long as a slice has room for an image. All of it holds nodes of the manager until
 * the search is done or the handle is gone.
 *
 * Threads: those of a query with the same manager (query.h); bp_ltl_cancel()
 * alone may come from any thread or a signal handler. */
#ifndef BP_LTL_H
#define BP_LTL_H

#include <bp/automaton.h>
#include <bp/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_ltl bp_ltl;

typedef enum bp_ltl_verdict {
  BP_LTL_UNDECIDED = 0,
  BP_LTL_VIOLATED = 1, /**< some infinite execution does not satisfy the formula */
  BP_LTL_HOLDS = 2     /**< all do; also when there is none */
} bp_ltl_verdict;

/** "undecided", "violated", "holds". Static storage. */
BP_API const char *bp_ltl_verdict_name(bp_ltl_verdict verdict);

/** How accepting cycles are looked for, inside a component of the control flow. The answers are the
 *  same. */
typedef enum bp_ltl_search {
  BP_LTL_DEFAULT = 0, /**< the next two in turn, with more and more work to spend: docs/ltl.md */
  BP_LTL_EMERSON_LEI = 1, /**< a greatest fixed point: Emerson & Lei, LICS 1986 */
  BP_LTL_CLOSURE = 2,   /**< rounds of loops as relations, closed by squaring: Esparza & Schwoon */
  BP_LTL_XIE_BEEREL = 3 /**< components of states, one by one: Xie & Beerel, ICCAD 1999 */
} bp_ltl_search;

typedef struct bp_ltl_options {
  size_t size;  /**< sizeof(bp_ltl_options); zero the rest for the defaults */
  uint32_t off; /**< bits of bp_engine to switch off (query.h) */
  bp_ltl_search search;
  int no_safety;   /**< nonzero: safety formulas take the general way */
  int no_monotone; /**< nonzero: without the preprocessing of BP_LTL_CLOSURE */
  uint32_t states; /**< most states of the automaton, as in bp_automaton_options */
} bp_ltl_options;

/** Asks whether every infinite execution satisfies the formula. `options` may be NULL. Keeps what it is
 *  given. BP_E_INPUT: an atom means nothing in this program, the diagnostics say where and why; they
 *  have the formula's name as their file. BP_E_LIMIT, BP_E_UNSUPPORTED: as for the automaton
 *  (automaton.h), under the limits of the context. BP_E_NOMEM, BP_E_INVALID. */
BP_API bp_status bp_ltl_new(bp_ltl **out, bp_context *ctx, bp_manager *manager, bp_cfg *cfg,
                            const bp_formula *formula, const bp_ltl_options *options);
/** Asks whether no infinite execution is accepted by the automaton, whose words are the bad executions.
 *  `file` is the name of the text that it was read from, for messages; NULL: none. */
BP_API bp_status bp_ltl_new_automaton(bp_ltl **out, bp_context *ctx, bp_manager *manager,
                                      bp_cfg *cfg, const bp_automaton *automaton, const char *file,
                                      const bp_ltl_options *options);
BP_API bp_ltl *bp_ltl_ref(bp_ltl *ltl);
BP_API void bp_ltl_unref(bp_ltl *ltl);

/** The automaton of the bad executions: of the formula's negation, with at most one acceptance set.
 *  Borrowed. */
BP_API const bp_automaton *bp_ltl_automaton(const bp_ltl *ltl);

/** Constrains the states in which executions start, as bp_query_set_init(). BP_E_INPUT; BP_E_STATE
 *  after the first run. */
BP_API bp_status bp_ltl_set_init(bp_ltl *ltl, const char *expression);
/** Limits for each call that computes. `steps` counts images over the whole life. NULL removes them. */
BP_API bp_status bp_ltl_set_limits(bp_ltl *ltl, const bp_limits *limits);
/** As bp_query_set_progress(). */
BP_API void bp_ltl_set_progress(bp_ltl *ltl, bp_progress_fn fn, void *user);

/** Runs until the verdict is there or something stops it. BP_OK also when undecided. BP_E_BUSY,
 *  BP_E_POISONED, BP_E_INTERNAL. */
BP_API bp_status bp_ltl_run(bp_ltl *ltl);
/** Stops the call that runs, or else the next one; async-signal-safe. */
BP_API void bp_ltl_cancel(bp_ltl *ltl);

BP_API bp_ltl_verdict bp_ltl_verdict_of(const bp_ltl *ltl);
/** Why the last run or other call was stopped, one with its traces included; BP_REASON_NONE when it
 *  was not. */
BP_API bp_reason bp_ltl_reason(const bp_ltl *ltl);

/** Which way the verdict was found. */
typedef enum bp_ltl_way {
  BP_LTL_WAY_NONE = 0,   /**< it was not */
  BP_LTL_WAY_EMPTY = 1,  /**< the automaton accepts nothing */
  BP_LTL_WAY_SAFETY = 2, /**< by reachability of the monitor's bad states */
  BP_LTL_WAY_CYCLE = 3   /**< by looking for cycles */
} bp_ltl_way;
/** "none", "empty", "safety", "cycle". Static storage. */
BP_API const char *bp_ltl_way_name(bp_ltl_way way);

typedef struct bp_ltl_stats {
  size_t size;           /**< in: sizeof(bp_ltl_stats) */
  double engine_seconds; /**< CPU time of BDD work, analyses and making the product included */
  uint64_t steps;        /**< images computed */
  uint64_t peak_nodes;   /**< most live BDD nodes seen at a collection or at the end */
  uint64_t collections;
  uint32_t bdd_vars;
  uint32_t cfg_vertices, cfg_edges;         /**< of the program */
  uint32_t product_vertices, product_edges; /**< of the product for cycles; 0: not made */
  uint32_t automaton_states, automaton_edges;
  uint32_t components; /**< of the product's control flow that have a cycle and were looked at */
  uint32_t rounds;     /**< of the search: fixed point rounds, squarings, components */
  bp_ltl_way way;
} bp_ltl_stats;
/** Fills the struct. BP_E_INVALID. */
BP_API bp_status bp_ltl_get_stats(bp_ltl *ltl, bp_ltl_stats *out);

/* ---- the counterexample -------------------------------------------------- */

/* An execution that does not satisfy the formula is a prefix and then a loop, for ever. Both are traces
 * (trace.h) that show the program alone: vertices, statements and variables are those of the graph that
 * was given. The prefix ends with the step before the loop; each may be empty. Values are those that all
 * executions have which follow the listed steps of one trace and violate the formula so. */

/** The steps before the loop, when the formula is violated (else BP_E_STATE). BP_E_LIMIT: calling again
 *  searches anew, as in trace.h: give it more than the last time. BP_E_NOMEM, BP_E_POISONED,
 *  BP_E_BUSY. `options` may be NULL. */
BP_API bp_status bp_ltl_prefix(bp_trace **out, bp_ltl *ltl, const bp_trace_options *options);
/** One round of the loop. The depth of its first step is 0, whatever the stack is there. */
BP_API bp_status bp_ltl_loop(bp_trace **out, bp_ltl *ltl, const bp_trace_options *options);

/** How the loop goes on, once bp_ltl_loop() has answered. */
typedef enum bp_ltl_end {
  BP_LTL_RUNS = 0,       /**< the loop is a loop of the program */
  BP_LTL_TERMINATED = 1, /**< the entry procedure has returned: the loop is empty */
  BP_LTL_FAILED = 2      /**< an assertion has failed: the loop is empty */
} bp_ltl_end;
BP_API bp_ltl_end bp_ltl_end_of(const bp_ltl *ltl);
/** How many frames the stack has more after each round of the loop; by their calls, the loop ends
 *  deeper. */
BP_API uint32_t bp_ltl_growth(const bp_ltl *ltl);
/** How many calls are entered and not left where the loop begins. */
BP_API uint32_t bp_ltl_depth(const bp_ltl *ltl);

/** Writes the whole JSON document of docs/json.md. `name` is the formula's text, or what the automaton
 *  is called; `options` as for a query. BP_E_IO, BP_E_LIMIT, ... */
BP_API bp_status bp_ltl_write_json(bp_ltl *ltl, const bp_sink *sink, const char *name,
                                   const bp_json_options *options);

#ifdef __cplusplus
}
#endif
#endif
