/* SPDX-License-Identifier: MIT
 * Automata while they are worked on: a list of edges with labels as decision diagrams. */
#ifndef BPI_GRAPH_H
#define BPI_GRAPH_H

#include "temporal/label.h"
#include "temporal/ltl.h"

#include <bp/automaton.h>

typedef struct bpi_edge {
  uint32_t from, to;
  uint32_t label;
  uint64_t sets;
} bpi_edge;

typedef struct bpi_graph {
  bpi_labels *labels; /* shared by all graphs of one job */
  uint32_t states;
  uint32_t sets;
  BPI_VEC(bpi_edge) edges;
  bpi_ids initial;
  uint32_t *first; /* after bpi_graph_sort(): the edges of s are first[s] .. first[s + 1] - 1 */
} bpi_graph;

/* The most pairs of a state and a level that levels are made for; there is a table of them. */
enum { BPI_MOST_COPIES = 1 << 27 };

static inline uint64_t bpi_all_sets(uint32_t sets)
{
  return sets >= 64 ? UINT64_MAX : ((uint64_t)1 << sets) - 1;
}

void bpi_graph_free(bpi_graph *g);
/* What is in `from` moves over; `to` is freed before. */
void bpi_graph_move(bpi_graph *to, bpi_graph *from);
bool bpi_graph_copy(bpi_graph *to, const bpi_graph *from);
/* All of these: false when the job stopped. */
bool bpi_graph_add(bpi_graph *g, uint32_t from, uint32_t to, uint32_t label, uint64_t sets);
/* Sorts the edges, joins those that differ in the label only, drops what an edge with more sets
 * to the same state covers. */
bool bpi_graph_sort(bpi_graph *g);
/* Gives each state the number that `map` says, BP_NONE: it goes; then sorts. */
bool bpi_graph_renumber(bpi_graph *g, const uint32_t *map, uint32_t states);

/* ---- components (scc.c) ------------------------------------------------ */

typedef struct bpi_sccs {
  uint32_t count;
  uint32_t *of;   /* by state; the component of a successor is never larger */
  uint64_t *sets; /* by component: the sets of its inner edges */
  uint8_t *loops; /* by component: whether it has inner edges */
} bpi_sccs;

bool bpi_sccs_find(bpi_sccs *c, const bpi_graph *g);
void bpi_sccs_free(bpi_sccs *c);
static inline bool bpi_scc_accepts(const bpi_sccs *c, const bpi_graph *g, uint32_t scc)
{
  return c->loops[scc] && c->sets[scc] == bpi_all_sets(g->sets);
}

/* ---- making them smaller ----------------------------------------------- */

/* Drops states that no accepting run visits, and sets where they mean nothing. (prune.c) */
bool bpi_graph_prune(bpi_graph *g);
/* Drops acceptance sets that the others imply. (prune.c) */
bool bpi_graph_fewer_sets(bpi_graph *g);
/* One round of direct simulation: merges states, drops edges. `backward`: reverse simulation. `full`:
 * edges between components count as being in all sets, else in none. (simulate.c) */
bool bpi_graph_simulate(bpi_graph *g, bool backward, bool full);
/* All of these as long as they help. (reduce.c) */
bool bpi_graph_reduce(bpi_graph *g);

/* ---- making others ----------------------------------------------------- */

/* At most one set. */
bool bpi_graph_degeneralize(bpi_graph *g);
/* What `g` accepts where each of the conditions, labels, holds infinitely often; `one`: with one set
 * instead of one for each, and `g` has no more. (recur.c) */
bool bpi_graph_recur(bpi_graph *g, const uint32_t *conditions, uint32_t count, bool one);
/* Words that both accept. Of more than 64 sets together the last are forgotten, so it may accept more. */
bool bpi_graph_intersect(bpi_graph *out, const bpi_graph *a, const bpi_graph *b, uint32_t most);
/* Whether `a` is the better one to have: fewer states, then deterministic, then fewer edges. */
bool bpi_graph_better(const bpi_graph *a, const bpi_graph *b);
bool bpi_graph_is_deterministic(const bpi_graph *g);
/* Whether it accepts nothing; for a pruned one. */
static inline bool bpi_graph_is_empty(const bpi_graph *g)
{
  return !g->edges.count;
}

#endif
