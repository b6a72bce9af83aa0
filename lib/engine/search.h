/* SPDX-License-Identifier: MIT
 * Shortest ways to a goal: states layered by distance.
 *
 * The distance of a state at a vertex is the number of counted statements before it. A completed
 * call costs one (hierarchical length: rings, Bebop section 3.2) or one and the statements inside
 * (expanded length: a shortest derivation, Knuth, IPL 1977). Layers hold CURRENT copies only: a
 * linkage that is entered and not left needs no memory of its entry.
 *
 * For the expanded length summaries are layered as well: path edges by the number of statements
 * since the entry of their procedure. All layers grow from one heap by distance. That a context is
 * found late does no harm: what is derived from it costs at least what it took to find it.
 *
 * Layers of ways grow in the order of their distance and what the graph has at least ahead of them (A*: Hart,
 * Nilsson & Raphael, IEEE SSC 1968), so that calls are not finished that are too far from the goal, and
 * what does not lead there is left alone. */
#ifndef BPI_SEARCH_H
#define BPI_SEARCH_H

#include "engine/engine.h"

/* Lengths saturate: no execution that long is ever listed, but two may add up past the end. */
static inline uint64_t bpi_plus(uint64_t a, uint64_t b)
{
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

typedef struct bpi_layer {
  uint64_t distance;
  bpi_bdd set;
  uint32_t vertex;
  uint32_t older; /* the layer of the vertex found before, BP_NONE */
} bpi_layer;

typedef struct bpi_event {
  uint64_t distance;
  uint64_t rank; /* distance, and what is ahead at least: the order of the heap */
  uint32_t vertex;
  uint16_t inner;   /* 1: path edges of a procedure, for the layers of its summary */
  uint16_t returns; /* 1: a call's layer that is to come back */
  bpi_bdd set;
} bpi_event;

typedef BPI_VEC(bpi_event) bpi_agenda;

/* False when memory is short. */
bool bpi_agenda_add(bpi_agenda *agenda, const bpi_event *event);
/* The first event of an agenda that is not empty. */
bpi_event bpi_agenda_take(bpi_agenda *agenda);
/* After an event was taken: there is room. */
void bpi_agenda_put_back(bpi_agenda *agenda, const bpi_event *event);

/* Layers of one kind. */
typedef struct bpi_layers {
  bpi_bdd *seen;    /* by vertex: all its layers */
  uint32_t *newest; /* by vertex */
  BPI_VEC(bpi_layer) pool;
} bpi_layers;

typedef struct bpi_search {
  bpi_engine *e;
  bool expanded;
  /* Calls are passed by instances of single contexts where the exploration has such (contexts.c), not by
   * relations; not with `expanded`. How deep such searches are nested, each in a callee. */
  bool by_contexts;
  /* Calls are passed by what is known of them: no callee is explored any further. */
  bool known;
  uint32_t depth;
  uint32_t level;       /* of the procedure in recursion, where that has a bound */
  bpi_layers ways;      /* from the start of this search */
  bpi_layers summaries; /* expanded: path edges since the entry; kept from search to search */
  bpi_bdd *contexts;    /* expanded: by procedure, those whose summary layers grow */
  bpi_agenda agenda;

  /* of one search */
  uint32_t *ahead;  /* by vertex: steps to the goal, at least; BP_NONE: nothing leads there */
  uint64_t bound;   /* calls back into the procedure's component use older gains only; 0: all */
  bpi_bdd *allowed; /* by procedure: what `bound` leaves of its summary, once asked for */
  BPI_VEC(uint32_t) allowed_procs;
  bpi_event redo; /* inner event whose layer stands but which was not moved on entirely */
  uint32_t start_vertex;
  bpi_bdd start_set;
  bool opens;           /* may end inside a call */
  uint32_t goal_vertex; /* a single goal, or BP_NONE: the goals of group */
  bpi_bdd goal_set;
  uint32_t group;
  uint32_t found; /* layer, BP_NONE */
  bpi_bdd found_set;
} bpi_search;

bp_status bpi_search_new(bpi_search **out, bpi_engine *e, bool expanded);
void bpi_search_free(bpi_search *s);

/* From the start of the program to a goal of `group`. False when stopped; calling again begins anew
 * but keeps summaries. s->found tells the layer. */
bool bpi_search_goal(bpi_search *s, uint32_t group, bpi_bdd start_set);
/* From `start_set` at the entry of a procedure to `goal_set` at its exit. Without a bound a recursive
 * call could stand for the very call that is looked into, for ever; with the stamp of the pair as
 * bound (bpi_search_stamp), what is found inside is always older. */
bool bpi_search_through(bpi_search *s, uint32_t proc, bpi_bdd start_set, bpi_bdd goal_set,
                        uint64_t bound);
/* Sets s->ahead for the vertices of `within`: steps to the goals, back from them. False when memory is short. */
bool bpi_search_look_ahead(bpi_search *s, bpi_slice within);
/* Finishes what the callee of a call makes of `set`: instances for pieces of it, and the summary for the
 * contexts that are in none. */
bool bpi_search_enter(bpi_search *s, uint32_t vertex, bpi_bdd set, bpi_pieces *pieces);
/* The part of a procedure's summary that the present search may use. Borrowed. */
bpi_bdd bpi_search_summary(bpi_search *s, uint32_t proc);
/* The stamp of the oldest gain that holds some pair of `pairs`; 0 for a procedure that does not
 * recur. */
uint64_t bpi_search_stamp(bpi_search *s, uint32_t proc, bpi_bdd pairs);

#endif
