/* SPDX-License-Identifier: MIT
 * Finished automata: flat tables, labels as cubes. */
#ifndef BPI_AUTOMATON_H
#define BPI_AUTOMATON_H

#include "temporal/graph.h"

typedef struct bpi_fixed_edge {
  uint32_t from, to;
  uint32_t cubes; /* its first cube; those of the next edge follow */
  uint64_t sets;
} bpi_fixed_edge;

struct bp_automaton {
  atomic_uint refs;
  char *name;
  char *source; /* the text that the places of the propositions are in, or NULL */
  size_t source_len;
  bpi_ltl atoms; /* the propositions in their order */
  uint32_t states, sets;
  BPI_VEC(bpi_fixed_edge) edges;
  bpi_ids cubes;    /* where each begins in `literals`; one more at the end */
  bpi_ids literals; /* 2 * proposition, + 1: negated */
  bpi_ids initial;
  uint32_t *first;
  uint8_t empty, deterministic;
};

/* Makes an automaton of a sorted graph whose variables are the atoms of `atoms`. They become its
 * propositions, all of them or those that occur. False when the job stopped. */
bool bpi_automaton_make(bp_automaton **out, const bpi_graph *g, const bpi_ltl *atoms, bool all,
                        const char *name);
/* Keeps a copy of the text that the propositions stand in; of NULL: none. A failed one gives `*a` back. */
bool bpi_automaton_keep_source(bp_automaton **a, bpi_job *job, const char *text, size_t len);
/* The other way: a sorted graph whose variables are the propositions; proposition i becomes variable
 * `map[i]`, or i when map is NULL. */
bool bpi_automaton_thaw(bpi_graph *g, bpi_labels *labels, const bp_automaton *a,
                        const uint32_t *map);

#endif
