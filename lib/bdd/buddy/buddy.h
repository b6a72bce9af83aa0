/* SPDX-License-Identifier: MIT
 * BuDDy as a kernel: the inside of its manager, and the parts of BuDDy 2.4 that <bdd.h> does not
 * declare.
 *
 * The guard: every operation runs between setjmp() and bpi_bdd_finish(). The error hook of the
 * kernel jumps back there, over frames of the kernel only, so a failed operation never returns a
 * node. The mode says what a hook may do. */
#ifndef BPI_BDD_MANAGER_H
#define BPI_BDD_MANAGER_H

#include "bdd/kernel.h"

#include <bdd.h>
#include <setjmp.h>

/* What the shared library exports besides its header, in BuDDy's own types. The guard mends the
 * kernel through these after a failure that the kernel itself does not survive. */
extern int bddnodesize, bddmaxnodesize, bddfreenum, bddvarnum, bddresized, bdderrorcond;
extern int *bddrefstack, *bddrefstacktop, *bddvar2level, *bddlevel2var;
extern int bdd_prime_lte(int number);
extern int bdd_operator_init(int cache_size);
extern void bdd_operator_done(void);
extern void bdd_pairs_init(void);
extern int bdd_noderesize(int rehash);

enum { BPI_NO_SET = -1 };

#ifndef BPI_SPLIT_FROM /* 0 for tests: everything in pieces */
#define BPI_SPLIT_FROM 50000
#endif

enum {
  BPI_NODES_START = 2000, /* touching fresh memory is most of what a start costs */
  BPI_NODES_LEAST = 64,
  BPI_NODES_MOST = (1 << 24) - 1, /* above, the cache keys of bdd_appex() collide */
  BPI_NODES_STEP = 1000000,
  BPI_CACHE_START = 1000,
  BPI_CACHE_LEAST = 64,   /* the kernel's search for primes divides by zero below 5 */
  BPI_CACHE_USUAL = 5000, /* entries, where the table is neither small nor large */
  BPI_CACHE_RATIO = 16    /* nodes for each entry in large tables */
};

typedef enum bpi_bdd_mode {
  BPI_OUTSIDE = 0, /* hooks take notes and return */
  BPI_INSIDE,      /* hooks may jump to the guard */
  BPI_EXTENDING    /* the kernel undoes a full table itself: jump only for memory */
} bpi_bdd_mode;

typedef struct bpi_buddy {
  bp_manager base; /* first */
  bpi_bdd_mode mode;
  bool grown;    /* the table grew since the last bpi_buddy_finish() */
  int ratio;     /* nodes of the table for each cache entry; 0: caches as they began */
  int noted;     /* the kernel's error code while OUTSIDE or EXTENDING */
  int old_size;  /* of the table before the growth at work; 0: none */
  int old_grown; /* bddresized before it */
  jmp_buf jump;
  uint64_t split_from; /* used nodes from which operations are done in pieces */
  bddPair *shift;      /* next -> current of all slots */
} bpi_buddy;

static inline bpi_buddy *bpi_buddy_of(bp_manager *m)
{
  return (bpi_buddy *)m;
}

/* Ends the running operation with `reason`. Only where mode allows it. */
_Noreturn void bpi_buddy_raise(bpi_buddy *m, bpi_bdd_error reason);
/* Nodes in use, dead ones included, without the constants and the two of each variable. */
uint64_t bpi_buddy_used(const bp_manager *m);
/* Collects with the mode OUTSIDE. */
void bpi_buddy_collect(bp_manager *m);
void bpi_buddy_recover(bp_manager *m);

void bpi_buddy_install_hooks(void);
void bpi_buddy_remove_hooks(void);
/* Whom the hooks serve; NULL: nobody. */
void bpi_buddy_set_owner(bpi_buddy *m);

/* Empties the slots of the kernel's reference stack after bdd_setvarnum() has made it. As the library was compiled, an
 * operation takes a slot before there is a node to put in, and a collection meanwhile marks what stands there. */
void bpi_buddy_clear_stack(void);
/* Follows a growth of the table: the caches, the notes of the hooks. Inside a guard. */
void bpi_buddy_settle(bpi_buddy *m);
bool bpi_buddy_refs_grow(bpi_buddy *m, bpi_bdd node);

bpi_bdd bpi_buddy_keep_first(bp_manager *m, bpi_bdd node);
bool bpi_buddy_more_slots(bp_manager *m, uint32_t slots);
bool bpi_buddy_prepare(bp_manager *m, bpi_rename *rename);
/* next -> current for the slots from `first`. */
bool bpi_buddy_shift_extend(bpi_buddy *m, uint32_t first);

/* The operations, ops.c. */
void bpi_buddy_drop_last(bp_manager *m, bpi_bdd a);
bpi_bdd bpi_buddy_literal(bp_manager *m, uint32_t var, bool positive);
bpi_bdd bpi_buddy_complement(bp_manager *m, bpi_bdd a);
bpi_bdd bpi_buddy_apply(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_apply op);
bpi_bdd bpi_buddy_ite(bp_manager *m, bpi_bdd test, bpi_bdd yes, bpi_bdd no);
bpi_bdd bpi_buddy_and_exists(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set);
bpi_bdd bpi_buddy_image(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set);
bpi_bdd bpi_buddy_rename(bp_manager *m, bpi_bdd a, const bpi_rename *rename);

/* Takes a reference for the caller of an operation. */
static inline bpi_bdd bpi_buddy_take(bpi_buddy *m, bpi_bdd node)
{
  if (node < 2) return node;
  if ((uint32_t)node >= m->base.head.refs_size && !bpi_buddy_refs_grow(m, node)) return BPI_FALSE;
  if (!m->base.head.refs[node]++) bdd_addref(node);
  return node;
}

/* Ends a guarded operation: its result with a reference. */
static inline bpi_bdd bpi_buddy_finish(bpi_buddy *m, bpi_bdd node)
{
  if (m->grown) bpi_buddy_settle(m);
  m->mode = BPI_OUTSIDE;
  return bpi_buddy_take(m, node);
}

/* An operation of bdd_apply() on operands that are not plain, or, with a set to quantify, the relational
 * product (bddop_and; b may be TRUE). Stops at the limits however long it takes. */
bpi_bdd bpi_buddy_split(bp_manager *m, bpi_bdd a, bpi_bdd b, int set, int op);

#endif
