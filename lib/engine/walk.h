/* SPDX-License-Identifier: MIT
 * A walk from the goal of a search back to its start, along one state of each layer. */
#ifndef BPI_WALK_H
#define BPI_WALK_H

#include "engine/back.h"
#include "engine/path.h"

typedef struct bpi_walk {
  bpi_search *s;
  bpi_engine *e;
  bpi_path *path; /* steps in reverse */
  uint32_t vertex;
  uint64_t distance;
  uint64_t *point;  /* the state at vertex */
  uint64_t *before; /* the state at the predecessor being tried */
  uint64_t *key;
  uint64_t *places; /* scratch, four sets */
  uint8_t *values;  /* by BDD variable */
} bpi_walk;

/* ---- walk.c: points and steps -------------------------------------------- */

/* *all and the results of a procedure as a point at its exit has them. */
void bpi_walk_conjoin_results(bpi_engine *e, bpi_bdd *all, const uint64_t *point, uint32_t proc);
/* One element of `set` in w->values; variables that it does not mention are 0. */
bool bpi_walk_pick(bpi_walk *w, bpi_bdd set);
/* Adds the picked values of places, of results, to a point. */
void bpi_walk_take_places(const bpi_walk *w, uint64_t *point, const uint64_t *places,
                          bpi_copy copy);
void bpi_walk_take_results(const bpi_walk *w, uint64_t *point);
void bpi_walk_clear(const bpi_walk *w, uint64_t *point);

bool bpi_walk_add_step(bpi_walk *w, bpi_step step);
/* Goes to the predecessor whose state is in w->before. */
bool bpi_walk_go_back(bpi_walk *w, bpi_step step, uint64_t distance);
/* Splits the places live at the present vertex into those that `changed` says the way into it changes,
 * and the others. */
void bpi_walk_split_places(bpi_walk *w, const uint64_t *changed, uint64_t **same, uint64_t **fresh);

/* ---- inside.c ------------------------------------------------------------ */

/* Tries a completed call at u that was passed by instances of single contexts, from the states of one
 * layer: a way through the callee is found first, and tells in which state it was entered. */
bool bpi_walk_back_inside(bpi_walk *w, uint32_t u, const bpi_layer *layer);

#endif
