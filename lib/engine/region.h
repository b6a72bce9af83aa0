/* SPDX-License-Identifier: MIT
 * Parts of a procedure as relations, for all states at their beginning: a loop, or the whole procedure.
 *
 * While a relation is built it has the form of path edges, ENTRY copies being the values at the
 * beginning, so that edges and calls move it as they move any set. Loops inside are closed first, calls
 * are moved over by the relation of the whole callee. Goals, and calls to what has goals inside, are ways
 * out of a loop. */
#ifndef BPI_REGION_H
#define BPI_REGION_H

#include "engine/body.h"

/* From the head of a loop to a vertex outside, or to a goal. */
typedef struct bpi_way_out {
  uint32_t vertex;
  bpi_bdd rel;
} bpi_way_out;

typedef struct bpi_region {
  bpi_engine *e;
  bpi_body *body;
  uint32_t proc, first; /* first vertex of the procedure */
  uint32_t
      head; /* the loop's, or the procedure's entry; this and all vertices are numbers in the graph */
  bool loop;    /* else the whole procedure */
  bool goals;   /* there are goals inside, or in what is called */
  bool several; /* the loop is entered elsewhere too */
  bool open;    /* something is inside that will always be in the way */
  BPI_VEC(uint32_t) inside;
  BPI_VEC(uint32_t) place; /* by vertex of the procedure: 1 + its place in `inside`, 0: outside */
  BPI_VEC(bpi_bdd) at;     /* by place in `inside`: the relation from the head to there */
  BPI_VEC(bpi_way_out) out;
  uint64_t
      *changed; /* of a loop: places that may differ from their values at the head, or get lost */
  uint64_t *copied; /* of these, those that are live at the head: they have ENTRY copies */
  bpi_bdd start;    /* from the head to the head without a step */
  bpi_bdd through;  /* from the head once round to the head, or to the exit */
} bpi_region;

/* Moves `start` through the region once. False: it cannot be done, or not at this price; e->stop and
 * `open` tell more. To be cleared in any case. */
bool bpi_region_of_loop(bpi_region *r, bpi_engine *e, uint32_t proc, uint32_t head,
                        uint32_t nesting);
void bpi_region_clear(bpi_region *r);

/* Whether an explored edge comes back to this vertex. */
bool bpi_is_head(const bpi_engine *e, uint32_t vertex);

/* loops.c: closes the loop, if it is not closed yet; its node keeps the closure. */
bool bpi_loop_close(bpi_engine *e, uint32_t proc, uint32_t head, uint32_t nesting);

#endif
