/* SPDX-License-Identifier: MIT
 * From layers to one way: a list of steps, found backwards from a state of the goal.
 *
 * A path fixes one concrete state at each step. So each completed call in it stands for one pair of
 * entry and exit states, and the way through the callee can be looked for later, on its own, in any
 * order, and fits. */
#ifndef BPI_PATH_H
#define BPI_PATH_H

#include "engine/search.h"

typedef enum bpi_step_kind {
  BPI_STEP_PLAIN,
  BPI_STEP_ENTERS, /* a call whose callee is not left again */
  BPI_STEP_CALLS   /* a completed call */
} bpi_step_kind;

typedef struct bpi_step {
  uint32_t vertex;
  uint32_t succ;  /* PLAIN: number of the successor taken; of the last step BP_NONE */
  uint32_t point; /* in words: the state before it, by place */
  uint32_t
      key; /* CALLS: in words: entry state, exit state with results, stamp of the pair or, where
                   * recursion has a bound, the level of the callee */
  uint8_t kind;
} bpi_step;

typedef struct bpi_path {
  uint32_t refs;
  uint32_t proc;           /* where it begins */
  uint64_t hierarchical;   /* counted steps */
  uint64_t expanded;       /* with all calls opened; 0: not known yet */
  bool by_contexts;        /* passes calls without a relation of the callee (inside.c) */
  BPI_VEC(bpi_step) steps; /* of a way through a procedure: without its exit */
  BPI_VEC(uint64_t) words;
} bpi_path;

/* Words of a point: places, then results. */
static inline uint32_t bpi_point_words(const bpi_engine *e)
{
  return (e->a.places + e->layout.results) / 64 + 1;
}

static inline uint32_t bpi_key_words(const bpi_engine *e)
{
  return 2 * bpi_point_words(e) + 1;
}

/* The path to what the search has found; `end`, when not NULL, gets the point where it ends. NULL when
 * stopped. */
bpi_path *bpi_path_extract(bpi_search *s, uint64_t *end);
/* A way through `proc` between the two points of `key`. NULL when stopped. */
bpi_path *bpi_path_through(bpi_search *s, uint32_t proc, const uint64_t *key);
void bpi_path_unref(bpi_path *path);

/* The conjunction of literals of a point over the places in `places` (and the results), in `copy`. */
bpi_bdd bpi_point_set(bpi_engine *e, const uint64_t *point, const uint64_t *places, bpi_copy copy);

#endif
