/* SPDX-License-Identifier: MIT
 * The kernel of libbp's own: any number of managers, each with all its state in one struct.
 *
 * BDDs with complemented edges (Brace, Rudell & Bryant, DAC 1990). A bpi_bdd is an edge: the number of
 * a node times two, plus one for the complement. Node 0 is the constant; the low edge of a node is
 * never complemented, which makes nodes canonical. Copies of slots have fixed residues: the level of a
 * variable is four times the position of its slot, plus its copy, so the shift from NEXT to CURRENT is
 * a subtraction.
 *
 * Inner functions return edges without references; a negative one means that the operation has failed
 * and the reason is latched. Whatever makes a node may collect garbage first, so what must survive
 * stands in `roots` meanwhile. */
#ifndef BPI_NATIVE_H
#define BPI_NATIVE_H

#include "bdd/kernel.h"

typedef struct bpi_node {
  uint32_t level;
  bpi_bdd low, high;
  uint32_t next; /* in the chain of its bucket, or of free nodes; 0: the last one */
} bpi_node;

/* A computed result. The top bits of the operands say which operation it is. */
typedef struct bpi_entry {
  uint32_t a, b, c; /* a 0: empty */
  bpi_bdd result;
} bpi_entry;

enum {
  BPI_LEVEL_END = 0x3fffffff, /* of the constant */
  BPI_LEVEL_FREE = -1,        /* of a node that is not in use */
  BPI_FAILED = INT32_MIN,
  BPI_NODE_BYTES = 40,        /* all tables, for each node; more while they grow */
  BPI_NATIVE_START = 1 << 10, /* nodes */
  BPI_NATIVE_LEAST = 1 << 6,
  BPI_NATIVE_USUAL = 1 << 24,
  BPI_NATIVE_MOST = 1 << 29,
  BPI_FUEL = 1 << 12 /* steps from one look at the clock to the next */
};

typedef struct bpi_native {
  bp_manager base; /* first */

  bpi_node *nodes;
  uint32_t *heads; /* by bucket: its first node, 0: none */
  uint64_t *marks; /* a bit for each node */
  uint32_t capacity, most;
  uint32_t fresh;       /* nodes from here on were never used */
  uint32_t free;        /* chain of nodes that were */
  uint32_t used;        /* nodes that are not free, without the constant */
  uint32_t heads_shift; /* 64 minus the logarithm of the number of buckets */

  bpi_entry *cache;
  uint32_t cache_shift;

  uint32_t fuel;
  uint64_t polls; /* so far */
  uint32_t depth;
  bpi_bdd *roots;

  uint32_t *position; /* by slot */
  uint32_t *slot_at;  /* by position */
} bpi_native;

static inline bpi_native *bpi_native_of(bp_manager *m)
{
  return (bpi_native *)m;
}

/* False and latched when the work must end; called every BPI_FUEL steps, and where much else was done. */
static inline bool bpi_native_poll(bpi_native *m)
{
  m->polls++;
  return bpi_bdd_poll(&m->base);
}

static inline const bpi_native *bpi_native_seen(const bp_manager *m)
{
  return (const bpi_native *)m;
}

static inline uint32_t bpi_level(const bpi_native *m, bpi_bdd a)
{
  return m->nodes[a >> 1].level;
}

static inline uint32_t bpi_level_of_var(const bpi_native *m, uint32_t var)
{
  return 4 * m->position[var / 3] + var % 3;
}

static inline uint32_t bpi_var_at_level(const bpi_native *m, uint32_t level)
{
  return 3 * m->slot_at[level >> 2] + (level & 3);
}

/* The bucket of a table of 2^(64 - shift) for three numbers. */
static inline uint32_t bpi_bucket(uint32_t a, uint32_t b, uint32_t c, uint32_t shift)
{
  const uint64_t pair = (uint64_t)a << 32 | b;
  return (uint32_t)(((pair ^ c * 0xd6e8feb86659fd93u) * 0x9e3779b97f4a7c15u) >> shift);
}

/* ---- table.c ------------------------------------------------------------- */

bool bpi_native_start(bpi_native *m, uint64_t most);
void bpi_native_end(bpi_native *m);
/* Makes room for new nodes: collects, grows. False and latched when there is none. */
bool bpi_native_refill(bpi_native *m);
/* Doubles the table, as far as it may; false without memory or where it may not. */
bool bpi_native_grow(bpi_native *m);
/* Forgets all computed results. */
void bpi_native_forget(bpi_native *m);
/* Brings refs up to `place`; false and latched without memory. */
bool bpi_native_refs_grow(bpi_native *m, uint32_t place);
/* The node (level, low, high), made if need be. */
bpi_bdd bpi_native_make(bpi_native *m, uint32_t level, bpi_bdd low, bpi_bdd high);
/* Puts a node into the bucket it belongs to. */
void bpi_native_link(bpi_native *m, uint32_t node);

static inline void bpi_push(bpi_native *m, bpi_bdd a)
{
  m->roots[m->depth++] = a;
}

/* ---- collect.c ----------------------------------------------------------- */

/* Frees what is reachable neither from references nor from roots; cached results among what stays are
 * kept. */
void bpi_native_collect(bpi_native *m);

/* ---- reorder.c ----------------------------------------------------------- */

/* Looks for a better order of the slots; between operations. */
void bpi_native_sift(bp_manager *m);

/* ---- ops.c --------------------------------------------------------------- */

bpi_bdd bpi_native_literal(bp_manager *m, uint32_t var, bool positive);
bpi_bdd bpi_native_complement(bp_manager *m, bpi_bdd a);
bpi_bdd bpi_native_apply(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_apply op);
bpi_bdd bpi_native_ite(bp_manager *m, bpi_bdd test, bpi_bdd yes, bpi_bdd no);
bpi_bdd bpi_native_and_exists(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set);
bpi_bdd bpi_native_image(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set);
bpi_bdd bpi_native_rename(bp_manager *m, bpi_bdd a, const bpi_rename *rename);

#endif
