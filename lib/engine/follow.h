/* SPDX-License-Identifier: MIT
 * From sets of states that lead to a goal (executions.c) to one way there: followed forwards, from a state of the
 * start, each time into the oldest of the sets passed on that a next state is in. That one is older than the set in
 * which the state is, so the way ends, at the goal. */
#ifndef BPI_FOLLOW_H
#define BPI_FOLLOW_H

#include "engine/path.h"
#include "engine/wants.h"

/* The way through a completed call, with the key of its step. */
typedef struct bpi_through {
  uint64_t *key;
  bpi_path *path;
} bpi_through;
typedef struct bpi_ways {
  BPI_VEC(bpi_through) list;
} bpi_ways;

/* The way to a goal from what was taken last, which holds a state of the start; what was passed on before is kept in
 * x->log. `ways` gets those through its calls. NULL when stopped. */
bpi_path *bpi_follow(bpi_executions *x, uint32_t goal_vertex, bpi_bdd goal_set, bpi_ways *ways);
void bpi_ways_clear(bpi_ways *ways);

#endif
