/* SPDX-License-Identifier: MIT
 *
 * The BDD manager: one universe of BDD variables and nodes that queries
 * compute in.
 *
 * The kernel of this version is BuDDy, whose state is one per process. So one
 * manager lives at a time: bp_manager_new() answers BP_E_BUSY, never crashes,
 * while another one is alive, also one that bp_reachable() made for a context,
 * or the host itself runs BuDDy (bdd_isrunning()).
 * A host must not call bdd_init() while a manager is alive, nor link a second
 * library that exports BuDDy's names (Spot's bddx does). Any number of queries,
 * about any number of programs, may share a manager; keep one for the whole
 * refinement loop. BuDDy calls the host's rand() when a manager is made.
 *
 * Threads: a manager, its queries and their traces are used by one thread at a
 * time, not always the same one. A call that finds the manager at work on
 * another thread answers BP_E_BUSY.
 *
 * Stack: BuDDy recurses over the levels of the variable order. Allow
 * 128 bytes of C stack for each BDD variable (three for each variable of the
 * program in the largest scope, globals included; a run counts only those that
 * its targets depend on) on the thread that runs a query; measured are 99 at
 * most. `max_vars` bounds them: its default asks for
 * 4 MB, half of what Linux gives to main threads and new threads by default.
 *
 * Memory: when the node table cannot grow, the query is undecided and the
 * manager stays usable. When BuDDy runs out of memory at another place, the
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
                   *   bytes, cache and references included. Not with BuDDy, where a node takes 20
                   *   and the cache comes on top */
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

/** Makes the manager. `options` may be NULL. BP_E_BUSY, BP_E_NOMEM, BP_E_INVALID. Should one of
 *  BuDDy's first blocks of a few bytes be what is missing, BuDDy is lost for the process and every
 *  later call answers BP_E_NOMEM. */
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
