/* SPDX-License-Identifier: MIT
 * The seam between the engine and the BDD kernel.
 *
 * Nothing outside lib/bdd knows which package computes. Every operation returns a node with one
 * reference that the caller owns, and gives it back with bpi_bdd_drop(). The two constants need no
 * care but allow it. Operands are borrowed.
 *
 * Errors are latched. When an operation fails (nodes, memory, cancel), the manager remembers the
 * reason, the operation returns BPI_FALSE, and so does every later operation at once, without
 * touching the kernel, until bpi_bdd_recover(). A result is therefore worth something only if
 * bpi_bdd_ok() holds after it: the engine asks once after each transfer, before it believes that a
 * set is empty and before it throws away what the set was computed from. */
#ifndef BPI_BDD_H
#define BPI_BDD_H

#include "base/context.h"

#include <bp/manager.h>

typedef int bpi_bdd;
enum { BPI_FALSE = 0, BPI_TRUE = 1 };

/* Why operations fail at the moment. */
typedef enum bpi_bdd_error {
  BPI_BDD_OK = 0,
  BPI_BDD_NODES,    /* the node limit: recoverable */
  BPI_BDD_MEMORY,   /* no memory outside the kernel, or for a larger node table: recoverable */
  BPI_BDD_POISONED, /* no memory elsewhere in the kernel: this manager is finished */
  BPI_BDD_STOPPED,  /* the watch expired in a collection: recoverable */
  BPI_BDD_INTERNAL  /* a wrong variable, a drop too many, a fault of the kernel: finished */
} bpi_bdd_error;

/* Slots: every program variable of a query has one; it stands for three BDD variables, adjacent in
 * the order. A slot of a result or a condition uses CURRENT only. */
typedef enum bpi_copy { BPI_ENTRY = 0, BPI_CURRENT = 1, BPI_NEXT = 2 } bpi_copy;
static inline uint32_t bpi_bdd_var(uint32_t slot, bpi_copy copy)
{
  return 3 * slot + (uint32_t)copy;
}

/* ---- the owner --------------------------------------------------------- */

/* Marks the manager as at work on this thread; false: it is at work already (BP_E_BUSY). Calls nest
 * only through the outermost API function: inner code does not call it. `watch` is polled in
 * collections and may be NULL; `nodes` is a limit of live nodes, 0: only the manager's own. The
 * limit ends an operation that finds it passed in a collection (BPI_BDD_NODES); between operations
 * bpi_bdd_within_limit() looks. The next call may have a higher one. */
bool bpi_bdd_enter(bp_manager *m, bpi_watch *watch, uint64_t nodes);
void bpi_bdd_leave(bp_manager *m);

/* Whether the living manager is one that a context keeps: who finds it in the way is told so. */
void bpi_manager_kept(bool kept);

bpi_bdd_error bpi_bdd_status(const bp_manager *m);
static inline bool bpi_bdd_ok(const bp_manager *m);
/* Ends an error: collects, clears the kernel's own error. False when the manager is finished. What
 * has references is intact afterwards. It does not lift the limit or the watch. */
bool bpi_bdd_recover(bp_manager *m);
/* Live nodes at most the limit, collecting if need be; latches BPI_BDD_NODES otherwise. Cheap while
 * the table is far from it. After a collection that found them close to the limit, the next one
 * waits for as many new nodes as a sixteenth of the table. */
bool bpi_bdd_within_limit(bp_manager *m);

/* Makes sure that `slots` slots exist. False and latched when there is no room (BPI_BDD_MEMORY,
 * NODES, POISONED); the slots are as before then. False with nothing latched when the manager's cap
 * of variables is passed. Nodes and renames stay valid. */
bool bpi_bdd_ensure_slots(bp_manager *m, uint32_t slots);
uint32_t bpi_bdd_slot_count(const bp_manager *m);
/* How many slots max_vars allows. */
uint32_t bpi_bdd_most_slots(const bp_manager *m);

/* ---- references -------------------------------------------------------- */

/* One more reference; returns a. For a node borrowed from below another one it may need memory:
 * then BPI_FALSE, latched. Never fails for a node that has a reference. */
bpi_bdd bpi_bdd_keep(bp_manager *m, bpi_bdd a);
/* Allowed in every state, so that cleaning up needs no questions. */
void bpi_bdd_drop(bp_manager *m, bpi_bdd a);

/* ---- operations -------------------------------------------------------- */

bpi_bdd bpi_bdd_literal(bp_manager *m, uint32_t var, bool positive);
bpi_bdd bpi_bdd_not(bp_manager *m, bpi_bdd a);
bpi_bdd bpi_bdd_and(bp_manager *m, bpi_bdd a, bpi_bdd b);
bpi_bdd bpi_bdd_or(bp_manager *m, bpi_bdd a, bpi_bdd b);
bpi_bdd bpi_bdd_xor(bp_manager *m, bpi_bdd a, bpi_bdd b);
bpi_bdd bpi_bdd_iff(bp_manager *m, bpi_bdd a, bpi_bdd b);
bpi_bdd bpi_bdd_diff(bp_manager *m, bpi_bdd a, bpi_bdd b); /* a and not b */
bpi_bdd bpi_bdd_ite(bp_manager *m, bpi_bdd test, bpi_bdd yes, bpi_bdd no);

/* A set of variables, for quantification; an ordinary node (the conjunction of the variables). Any
 * order, repetition allowed; the empty set is BPI_TRUE.
 * Build the sets of a query before its work begins: BuDDy's cache keys depend on it. */
bpi_bdd bpi_bdd_set(bp_manager *m, const uint32_t *vars, uint32_t count);
bpi_bdd bpi_bdd_exists(bp_manager *m, bpi_bdd a, bpi_bdd set);
/* The relational product. */
bpi_bdd bpi_bdd_and_exists(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set);

/* Renamings. A rename is made once and lives as long as the manager; equal requests share one. The
 * mapping must keep the order of the variables that occur. NULL and latched on failure. */
typedef struct bpi_rename bpi_rename;
const bpi_rename *bpi_bdd_rename_new(bp_manager *m, const uint32_t *from, const uint32_t *to,
                                     uint32_t count);
bpi_bdd bpi_bdd_rename(bp_manager *m, bpi_bdd a, const bpi_rename *rename);
/* The rename next -> current of all slots, kept up to date by ensure_slots. */
const bpi_rename *bpi_bdd_next_to_current(bp_manager *m);

/* Agrees with a inside care; a itself where care is a constant. */
bpi_bdd bpi_bdd_simplify(bp_manager *m, bpi_bdd a, bpi_bdd care);

/* ---- looking ----------------------------------------------------------- */

/* The structure of a node, for cubes and expressions; not for the constants. */
uint32_t bpi_bdd_top(const bp_manager *m, bpi_bdd a);
bpi_bdd bpi_bdd_low(const bp_manager *m, bpi_bdd a);  /* borrowed from a */
bpi_bdd bpi_bdd_high(const bp_manager *m, bpi_bdd a); /* borrowed from a */
/* The variables that occur, ascending, appended to out; false for memory (not latched). */
typedef BPI_VEC(uint32_t) bpi_vars;
bool bpi_bdd_support(bp_manager *m, bpi_bdd a, bpi_vars *out);
/* One path to TRUE: values[var] becomes 0 or 1 for the variables on it, and is left alone for the
 * others; takes the 0 branch where both are possible. False when a is FALSE. */
bool bpi_bdd_pick(const bp_manager *m, bpi_bdd a, uint8_t *values);
uint64_t bpi_bdd_node_count(bp_manager *m, bpi_bdd a);

/* ---- numbers ----------------------------------------------------------- */

/* Nodes are counted without the constants and the two literals of each variable, here and for the
 * limits, so that numbers do not depend on the variables that other queries made. */
uint64_t bpi_bdd_live(bp_manager *m);       /* live nodes now: collects */
uint64_t bpi_bdd_peak(const bp_manager *m); /* since the manager or bpi_bdd_reset_peak() */
void bpi_bdd_reset_peak(bp_manager *m);

/* What every operation begins with, so inline: the first field of a manager is its latch. */
static inline bool bpi_bdd_ok(const bp_manager *m)
{
  bpi_bdd_error error;
  memcpy(&error, (const void *)m, sizeof error);
  return error == BPI_BDD_OK;
}

#endif
