/* SPDX-License-Identifier: MIT
 * Complete deterministic weak automata, for obligations. */
#ifndef BPI_POWERSET_H
#define BPI_POWERSET_H

#include "temporal/graph.h"

typedef struct bpi_powerset {
  bpi_graph graph;           /* complete and deterministic, one initial state, without sets */
  BPI_VEC(uint64_t) members; /* by state: `words` words, a bit for each old state */
  uint32_t words;
  uint8_t *accepting; /* by state, the same in a component; after bpi_weak_accepting() */
} bpi_powerset;

/* The reachable sets of states of `g`. `*fits`: there are no more than `most`. */
bool bpi_powerset_build(bpi_powerset *p, const bpi_graph *g, uint32_t most, bool *fits);
void bpi_powerset_free(bpi_powerset *p);
/* Decides each component by one of its loops, as if `g` had an obligation for its language. */
bool bpi_weak_accepting(bpi_powerset *p, const bpi_graph *g, uint32_t aps);
/* The minimal automaton of a weak one; `out` has one set. (minimize.c) */
bool bpi_weak_minimize(bpi_graph *out, const bpi_powerset *p);
/* A copy of the powerset graph that accepts what it says, or the complement. */
bool bpi_weak_graph(bpi_graph *out, const bpi_powerset *p, bool complement);

#endif
