/* SPDX-License-Identifier: MIT
 * The inside of the seam: what a manager of any kernel has, and what a kernel does.
 *
 * The functions of a kernel are called with nothing latched, on operands that are not plain: an
 * operation whose result can be told from constants or equal operands never reaches it. They return a
 * node with a reference, or latch the reason and return BPI_FALSE. */
#ifndef BPI_KERNEL_H
#define BPI_KERNEL_H

#include "bdd/bdd.h"

#include <pthread.h>

typedef enum bpi_apply { BPI_AND, BPI_OR, BPI_XOR, BPI_IFF, BPI_DIFF } bpi_apply;

typedef struct bpi_kernel {
  void (*destroy)(bp_manager *m);
  bool (*more_slots)(bp_manager *m, uint32_t slots);

  bpi_bdd (*keep_first)(bp_manager *m, bpi_bdd a); /* a node that has no reference of ours */
  void (*drop_last)(bp_manager *m, bpi_bdd a);     /* a node that has just one */

  bpi_bdd (*literal)(bp_manager *m, uint32_t var, bool positive);
  bpi_bdd (*complement)(bp_manager *m, bpi_bdd a);
  bpi_bdd (*apply)(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_apply op);
  bpi_bdd (*ite)(bp_manager *m, bpi_bdd test, bpi_bdd yes, bpi_bdd no);
  bpi_bdd (*and_exists)(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set); /* b may be TRUE */
  bpi_bdd (*image)(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set); /* all but a may be TRUE */
  bool (*prepare)(bp_manager *m, bpi_rename *rename); /* a new one, before its first use */
  bpi_bdd (*rename)(bp_manager *m, bpi_bdd a, const bpi_rename *rename);

  uint32_t (*top)(const bp_manager *m, bpi_bdd a);
  bpi_bdd (*low)(const bp_manager *m, bpi_bdd a);
  bpi_bdd (*high)(const bp_manager *m, bpi_bdd a);

  uint64_t (*used)(const bp_manager *m); /* nodes, dead ones included */
  uint64_t (*table)(const bp_manager *m);
  uint64_t (*work)(const bp_manager *m); /* as of bpi_bdd_work() */
  void (*collect)(
      bp_manager *m); /* between operations; brings live, peak and collections up to date */
  void (*sift)(bp_manager *m);    /* between operations: a better order; NULL: it cannot */
  void (*recover)(bp_manager *m); /* clears the kernel's own error */
} bpi_kernel;

struct bpi_rename {
  uint64_t hash;
  uint32_t *from, *to; /* one block, at from */
  uint32_t count;
  uint32_t id;
  bool moves; /* false: changes nothing */
  void *kernel;
};

enum { BPI_VARS_DEFAULT = 30000, BPI_VARS_MOST = (1 << 21) - 1, BPI_SIFT_FIRST = 20000 };

struct bp_manager {
  bpi_bdd_head head; /* first */
  const bpi_kernel *kernel;

  atomic_uint refs;
  atomic_bool busy;
  pthread_t thread; /* the one inside, or the last one */

  bpi_watch *watch;
  uint64_t limit; /* of live nodes, for the call at work */
  uint64_t check; /* used nodes from which bpi_bdd_within_limit() collects */
  uint64_t live, peak, collections;
  uint64_t sift_at; /* used nodes from which variables are reordered */
  uint64_t budget;  /* the work at which it is given up, 0: none */

  uint64_t bytes; /* for its tables, 0: no limit but of nodes */
  uint32_t max_vars, slots;
  BPI_VEC(bpi_rename *) renames;
};

/* Makes the manager of a kernel; *out has its options checked and nothing else to be done. */
bp_status bpi_native_new(bp_manager **out, bp_context *ctx, const bp_manager_options *options);
bp_status bpi_buddy_new(bp_manager **out, bp_context *ctx, const bp_manager_options *options);
/* Fills the common part. */
void bpi_manager_begin(bp_manager *m, const bpi_kernel *kernel, const bp_manager_options *options);
/* Frees what the common part holds. */
void bpi_manager_end(bp_manager *m);

/* Latches `reason`, unless something is latched already. */
static inline void bpi_bdd_latch(bp_manager *m, bpi_bdd_error reason)
{
  if (m->head.error == BPI_BDD_OK) m->head.error = reason;
}

static inline bool bpi_bdd_finished(const bp_manager *m)
{
  return m->head.error == BPI_BDD_POISONED || m->head.error == BPI_BDD_INTERNAL;
}

/* Looks at the clock and the cancel flag; latches BPI_BDD_STOPPED and returns false when the work must
 * end. */
bool bpi_bdd_poll(bp_manager *m);

#endif
