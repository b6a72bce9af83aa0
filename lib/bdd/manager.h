/* SPDX-License-Identifier: MIT
 * The inside of a manager, and the parts of BuDDy 2.4 that <bdd.h> does not declare.
 *
 * The guard: every operation runs between setjmp() and bpi_bdd_finish(). The error hook of the
 * kernel jumps back there, over frames of the kernel only, so a failed operation never returns a
 * node. The mode says what a hook may do. */
#ifndef BPI_BDD_MANAGER_H
#define BPI_BDD_MANAGER_H

#include "bdd/bdd.h"

#include <bdd.h>
#include <pthread.h>
#include <setjmp.h>

/* What the shared library exports besides its header, in BuDDy's own types. The guard mends the
 * kernel through these after a failure that the kernel itself does not survive. */
extern int bddnodesize, bddmaxnodesize, bddfreenum, bddvarnum, bddresized, bdderrorcond;
extern int *bddrefstack, *bddrefstacktop, *bddvar2level, *bddlevel2var;
extern int bdd_prime_lte(int number);
extern int bdd_operator_init(int cache_size);
extern void bdd_operator_done(void);
extern void bdd_pairs_init(void);

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
  BPI_CACHE_RATIO = 16,   /* nodes for each entry in large tables */
  BPI_VARS_DEFAULT = 30000,
  BPI_VARS_MOST = (1 << 21) - 1
};

typedef enum bpi_bdd_mode {
  BPI_OUTSIDE = 0, /* hooks take notes and return */
  BPI_INSIDE,      /* hooks may jump to the guard */
  BPI_EXTENDING    /* the kernel undoes a full table itself: jump only for memory */
} bpi_bdd_mode;

struct bpi_rename {
  uint64_t hash;
  uint32_t *from, *to; /* one block, at from */
  uint32_t count;
  bddPair *pair; /* NULL: changes nothing */
};

struct bp_manager {
  bpi_bdd_error error; /* the latch; first, see bpi_bdd_ok() */
  bpi_bdd_mode mode;
  bool grown;       /* the table grew since the last bpi_bdd_finish() */
  int ratio;        /* nodes of the table for each cache entry; 0: caches as they began */
  int noted;        /* the kernel's error code while OUTSIDE or EXTENDING */
  int old_size;     /* of the table before the growth at work; 0: none */
  int old_grown;    /* bddresized before it */
  uint32_t *counts; /* our references of each node */
  uint32_t counts_size;
  jmp_buf jump;

  atomic_uint refs;
  atomic_bool busy;
  pthread_t thread; /* the one inside, or the last one */

  bpi_watch *watch;
  uint64_t limit; /* of live nodes, for the call at work */
  uint64_t check; /* used nodes from which bpi_bdd_within_limit() collects */
  uint64_t live, peak, collections;
  uint64_t split_from; /* used nodes from which operations are done in pieces */

  uint32_t max_vars, slots;
  bpi_rename next_to_current;
  BPI_VEC(bpi_rename *) renames;
};

/* Ends the running operation with `reason`. Only where mode allows it. */
_Noreturn void bpi_bdd_raise(bp_manager *m, bpi_bdd_error reason);
/* Latches `reason`, unless something is latched already. */
void bpi_bdd_latch(bp_manager *m, bpi_bdd_error reason);
bool bpi_bdd_finished(const bp_manager *m);
/* Nodes in use, dead ones included, without the constants and the two of each variable. */
uint64_t bpi_bdd_used(void);
/* Collects with the mode OUTSIDE. */
void bpi_bdd_collect(bp_manager *m);

void bpi_bdd_install_hooks(void);
void bpi_bdd_remove_hooks(void);
/* Whom the hooks serve; NULL: nobody. */
void bpi_bdd_set_owner(bp_manager *m);

/* Follows a growth of the table: the caches, the notes of the hooks. Inside a guard. */
void bpi_bdd_settle(bp_manager *m);
bool bpi_bdd_counts_grow(bp_manager *m, bpi_bdd node);
void bpi_bdd_renames_free(bp_manager *m);
/* next -> current for the slots from `first`. */
bool bpi_bdd_renames_extend(bp_manager *m, uint32_t first);

/* Takes a reference for the caller of an operation. */
static inline bpi_bdd bpi_bdd_take(bp_manager *m, bpi_bdd node)
{
  if (node < 2) return node;
  if ((uint32_t)node >= m->counts_size && !bpi_bdd_counts_grow(m, node)) return BPI_FALSE;
  if (!m->counts[node]++) bdd_addref(node);
  return node;
}

/* Ends a guarded operation: its result with a reference. */
static inline bpi_bdd bpi_bdd_finish(bp_manager *m, bpi_bdd node)
{
  if (m->grown) bpi_bdd_settle(m);
  m->mode = BPI_OUTSIDE;
  return bpi_bdd_take(m, node);
}

/* An operation of bdd_apply() on operands that are not plain, or, with a set to quantify, the relational
 * product (bddop_and; b may be TRUE). Stops at the limits however long it takes. */
bpi_bdd bpi_bdd_split(bp_manager *m, bpi_bdd a, bpi_bdd b, int set, int op);

#endif
