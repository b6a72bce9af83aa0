/* SPDX-License-Identifier: MIT
 * The seam between the engine and the BDD kernels.
 *
 * Nothing outside lib/bdd knows which kernel computes. Every operation returns a node with one
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
  BPI_BDD_MEMORY,   /* no memory outside the kernel, or for larger tables: recoverable */
  BPI_BDD_POISONED, /* no memory elsewhere in BuDDy: this manager is finished */
  BPI_BDD_STOPPED,  /* the watch expired inside an operation: recoverable */
  BPI_BDD_BUDGET,   /* the budget is spent: bpi_bdd_end_budget() clears it */
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
 * only through the outermost API function: inner code does not call it. `watch` is polled inside
 * operations and may be NULL; `nodes` is a limit of live nodes, 0: only the manager's own. The
 * limit ends an operation that finds it passed in a collection (BPI_BDD_NODES); between operations
 * bpi_bdd_within_limit() looks. The next call may have a higher one. */
bool bpi_bdd_enter(bp_manager *m, bpi_watch *watch, uint64_t nodes);
void bpi_bdd_leave(bp_manager *m);

static inline bpi_bdd_error bpi_bdd_status(const bp_manager *m);
static inline bool bpi_bdd_ok(const bp_manager *m);
/* Ends an error: collects, clears the kernel's own error. False when the manager is finished. What
 * has references is intact afterwards. It does not lift the limit or the watch. */
bool bpi_bdd_recover(bp_manager *m);
/* Live nodes at most the limit, collecting if need be; latches BPI_BDD_NODES otherwise. Cheap while
 * the table is far from it. After a collection that found them close to the limit, the next one
 * waits for as many new nodes as a sixteenth of the table. */
bool bpi_bdd_within_limit(bp_manager *m);
/* The limit of memory for the tables, 0: none. */
uint64_t bpi_bdd_bytes(const bp_manager *m);
/* Whether the call at work has a limit of nodes. */
bool bpi_bdd_limited(const bp_manager *m);

/* Work so far, in units of 4096 steps of operations or, on BuDDy, of 1024 nodes made. */
uint64_t bpi_bdd_work(const bp_manager *m);
/* Work that may be given up: operations fail with BPI_BDD_BUDGET after so much of it. BuDDy looks only when its
 * table is full, and between the pieces of large operations. */
/* Budgets nest; the inner one alone counts while it lasts. Answers what bpi_bdd_end_budget() wants back,
 * which answers whether it was this budget that ended the work. */
uint64_t bpi_bdd_budget(bp_manager *m, uint64_t work);
bool bpi_bdd_end_budget(bp_manager *m, uint64_t outer);

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
static inline bpi_bdd bpi_bdd_keep(bp_manager *m, bpi_bdd a);
/* Allowed in every state, so that cleaning up needs no questions. */
static inline void bpi_bdd_drop(bp_manager *m, bpi_bdd a);

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
/* The relational product, its NEXT copies renamed to CURRENT. Where a NEXT copy is left in the
 * product, the CURRENT copy of its slot must be gone. */
bpi_bdd bpi_bdd_image(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set);

/* Renamings. A rename is made once and lives as long as the manager; equal requests share one. The
 * mapping must keep the order of the variables that occur. NULL and latched on failure. */
typedef struct bpi_rename bpi_rename;
const bpi_rename *bpi_bdd_rename_new(bp_manager *m, const uint32_t *from, const uint32_t *to,
                                     uint32_t count);
bpi_bdd bpi_bdd_rename(bp_manager *m, bpi_bdd a, const bpi_rename *rename);

/* ---- looking ----------------------------------------------------------- */

/* The structure of a node, for cubes and expressions; not for the constants. */
uint32_t bpi_bdd_top(const bp_manager *m, bpi_bdd a);
bpi_bdd bpi_bdd_low(const bp_manager *m, bpi_bdd a);  /* borrowed from a */
bpi_bdd bpi_bdd_high(const bp_manager *m, bpi_bdd a); /* borrowed from a */
/* The variables that occur, ascending, appended to out; false for memory (not latched). */
typedef BPI_VEC(uint32_t) bpi_vars;
bool bpi_bdd_support(const bp_manager *m, bpi_bdd a, bpi_vars *out);
/* One path to TRUE: values[var] becomes 0 or 1 for the variables on it, and is left alone for the
 * others; takes the 0 branch where both are possible. False when a is FALSE. */
bool bpi_bdd_pick(const bp_manager *m, bpi_bdd a, uint8_t *values);
/* How many functions other than constants are below `a`, itself included: the nodes of its BDD
 * without complemented edges. UINT64_MAX without memory (not latched). */
uint64_t bpi_bdd_node_count(const bp_manager *m, bpi_bdd a);

/* ---- numbers ----------------------------------------------------------- */

/* Nodes are counted without the constants, here and for the limits; with BuDDy also without the two
 * literals of each variable, so that numbers do not depend on the variables of other queries. */
uint64_t bpi_bdd_live(bp_manager *m);       /* live nodes now: collects */
uint64_t bpi_bdd_peak(const bp_manager *m); /* since the manager or bpi_bdd_reset_peak() */
void bpi_bdd_reset_peak(bp_manager *m);

/* ---- inline ------------------------------------------------------------ */

/* What every manager begins with. */
typedef struct bpi_bdd_head {
  bpi_bdd_error error; /* the latch */
  uint32_t shift;      /* a node's place in refs is its number shifted right by this */
  uint32_t refs_size;
  uint64_t *refs; /* our references of each node */
} bpi_bdd_head;

bpi_bdd bpi_bdd_keep_first(bp_manager *m, bpi_bdd a);
void bpi_bdd_drop_last(bp_manager *m, bpi_bdd a);

static inline bpi_bdd_error bpi_bdd_status(const bp_manager *m)
{
  return ((const bpi_bdd_head *)m)->error;
}

static inline bool bpi_bdd_ok(const bp_manager *m)
{
  return bpi_bdd_status(m) == BPI_BDD_OK;
}

static inline bpi_bdd bpi_bdd_keep(bp_manager *m, bpi_bdd a)
{
  const bpi_bdd_head *head = (const bpi_bdd_head *)m;
  if (a < 2) return a;
  const uint32_t place = (uint32_t)a >> head->shift;
  if (place >= head->refs_size || !head->refs[place]) return bpi_bdd_keep_first(m, a);
  head->refs[place]++;
  return a;
}

static inline void bpi_bdd_drop(bp_manager *m, bpi_bdd a)
{
  const bpi_bdd_head *head = (const bpi_bdd_head *)m;
  if (a < 2) return;
  const uint32_t place = (uint32_t)a >> head->shift;
  if (place >= head->refs_size || head->refs[place] < 2)
    bpi_bdd_drop_last(m, a);
  else
    head->refs[place]--;
}

#endif
