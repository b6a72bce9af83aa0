/* SPDX-License-Identifier: MIT
 *
 * The BDD manager: one universe of BDD variables and nodes that queries
 * compute in. Any number of queries, about any number of programs, may share a
 * manager; keep one for the whole refinement loop.
 *
 * Two kernels can stand behind it. The native one is libbp's own: all its state
 * is in the manager, so there can be any number of them, each in its thread at
 * the same time; a manager is made in microseconds, follows a fork() like any
 * other memory, and looks at limits and cancel inside its operations. BuDDy's
 * state is one per process: bp_manager_new() answers BP_E_BUSY, never crashes,
 * while another manager on BuDDy is alive or the host itself runs it
 * (bdd_isrunning()). A host must not call bdd_init() while such a manager is
 * alive, nor link a second library that exports BuDDy's names (Spot's bddx
 * does). BuDDy calls the host's rand() when a manager is made.
 *
 * Threads: a manager, its queries and their traces are used by one thread at a
 * time, not always the same one. A call that finds the manager at work on
 * another thread answers BP_E_BUSY.
 *
 * Stack: the kernels recurse over the levels of the variable order. Allow
 * 128 bytes of C stack for each BDD variable (three for each variable of the
 * program in the largest scope, globals included; a run counts only those that
 * its targets depend on) on the thread that runs a query; measured are 112 at
 * most with the native kernel, 102 with BuDDy. `max_vars` bounds them: its
 * default asks for 3.84 MB.
 *
 * Memory: when there is none for a node, the query is undecided and the manager
 * stays usable. Only when BuDDy runs out of memory outside its node table, the
 * manager is poisoned: its queries are undecided, it answers only
 * bp_manager_unref() and bp_manager_get_stats(), and a new one can be made
 * after it. */
#ifndef BP_MANAGER_H
#define BP_MANAGER_H

#include <bp/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_manager bp_manager;

/** The package that computes with BDDs. */
typedef enum bp_kernel {
  BP_KERNEL_NATIVE = 0, /**< libbp's own: any number of managers */
  BP_KERNEL_BUDDY = 1   /**< BuDDy: one manager in a process */
} bp_kernel;

typedef struct bp_manager_options {
  size_t size;       /**< sizeof(bp_manager_options); zero the rest for the defaults */
  uint64_t nodes;    /**< most nodes the table may ever hold, 0: 2^24 (BuDDy: 2^24 - 1); at most
                      *   2^29 (BuDDy: 2^24 - 1); less than 64 is taken as 64 */
  uint32_t max_vars; /**< most BDD variables; 0: 30000; at most 2^21 - 1. Programs that need more
                      *   are refused: UNDECIDED (variables) */
  bp_kernel kernel;
  uint64_t bytes; /**< most memory for the tables, 0: no limit but `nodes`. A node takes up to 40
                   *   bytes, cache and references included. A query that comes to this limit is
                   *   undecided for BP_REASON_NODES; a search for a trace may take as much once
                   *   more. Not with BuDDy: there limit `nodes`, of 20 bytes each; the cache
                   *   comes on top */
  int sift; /**< reorder the variables while the work goes on, when the table has grown: worth a
                   *   try where a query needs too many nodes. Not with BuDDy */
} bp_manager_options;

typedef struct bp_manager_stats {
  size_t size;         /**< in: sizeof(bp_manager_stats) */
  uint64_t live_nodes; /**< without the constants; with BuDDy, without the literals */
  uint64_t peak_nodes; /**< most live nodes seen at a collection or at a call of this function */
  uint64_t table_nodes;
  uint64_t collections;
  uint32_t vars; /**< BDD variables made so far */
  int poisoned;  /**< the manager is finished; make a new one */
} bp_manager_stats;

/** Makes the manager. `options` may be NULL. BP_E_NOMEM, BP_E_INVALID; with BuDDy also BP_E_BUSY, and
 *  should one of its first blocks of a few bytes be what is missing, BuDDy is lost for the process and
 *  every later call for it answers BP_E_NOMEM. */
BP_API bp_status bp_manager_new(bp_manager **out, bp_context *ctx,
                                const bp_manager_options *options);
BP_API bp_manager *bp_manager_ref(bp_manager *manager);
/** The last reference gives the kernel back; queries hold references of their own. */
BP_API void bp_manager_unref(bp_manager *manager);

/** Collects garbage first. Also answered by a poisoned manager, with the numbers of its last
 *  collection. BP_E_INVALID, BP_E_BUSY (also from a callback of the query at work). */
BP_API bp_status bp_manager_get_stats(bp_manager *manager, bp_manager_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
