/* SPDX-License-Identifier: MIT
 *
 * The BDD manager: one universe of BDD variables and nodes that queries
 * compute in.
 *
 * The kernel of this version is BuDDy, whose state is one per process. So one
 * manager lives at a time: bp_manager_new() answers BP_E_BUSY, never crashes,
 * while another one is alive or the host itself runs BuDDy (bdd_isrunning()).
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
 * program in the largest scope, globals included) on the thread that runs a
 * query; `max_vars` bounds them. */
#ifndef BP_MANAGER_H
#define BP_MANAGER_H

#include <bp/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_manager bp_manager;

typedef struct bp_manager_options {
  size_t size;       /**< sizeof(bp_manager_options); zero the rest for the defaults */
  uint64_t nodes;    /**< most nodes the table may ever hold, 20 bytes each; 0: 2^24 - 1 */
  uint32_t max_vars; /**< most BDD variables; 0: 30000. More are refused: UNDECIDED (variables) */
} bp_manager_options;

typedef struct bp_manager_stats {
  size_t size; /**< in: sizeof(bp_manager_stats) */
  uint64_t live_nodes;
  uint64_t peak_nodes; /**< most live nodes seen at a collection or at a call of this function */
  uint64_t table_nodes;
  uint64_t collections;
  uint32_t vars;
  int poisoned; /**< an allocation failed inside the kernel; make a new manager */
} bp_manager_stats;

/** Makes the manager. `options` may be NULL. BP_E_BUSY, BP_E_NOMEM, BP_E_INVALID. */
BP_API bp_status bp_manager_new(bp_manager **out, bp_context *ctx,
                                const bp_manager_options *options);
BP_API bp_manager *bp_manager_ref(bp_manager *manager);
/** The last reference gives the kernel back; queries hold references of their own. */
BP_API void bp_manager_unref(bp_manager *manager);

/** Also answered by a poisoned manager. BP_E_INVALID, BP_E_BUSY. */
BP_API bp_status bp_manager_get_stats(bp_manager *manager, bp_manager_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
