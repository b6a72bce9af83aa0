/* SPDX-License-Identifier: MIT
 * Looking for a cycle of heads with an accepting move in it. First the graph of vertices is split into
 * its components, then one of three searches goes through each that has such a move:
 *
 *   Emerson & Lei (LICS 1986): the largest set of heads each of which is reached, inside the set, from an
 *     accepting move of the set; forward, then backward. Then a component inside it.
 *   closure: one round of a component from and to one vertex as a relation, closed by squaring; then the
 *     component without that vertex (Esparza & Schwoon, CAV 2001, section 4.2, who close the relation of
 *     a whole component). Variables that only rise or only fall from round to round cannot change on a
 *     cycle, so pairs that change them go first.
 *   Xie & Beerel (ICCAD 1999): components of heads, by what is before and behind one head.
 *
 * Among all heads (heads.h) each asks at the end whether executions reach what it has found, and goes on if
 * they do not.
 *
 * Each can be stopped after any image and goes on when it is called again: what it knows lies in structs,
 * not on the stack, and is replaced only by what was computed to its end. */
#ifndef BPI_CYCLE_H
#define BPI_CYCLE_H

#include "product/heads.h"

#include <bp/ltl.h>

/* Vertices that are looked through together. */
typedef struct bpi_region {
  BPI_VEC(uint32_t) members;
  uint32_t id;
} bpi_region;
typedef BPI_VEC(bpi_region) bpi_regions;

/* Sets of heads by vertex. */
typedef struct bpi_family {
  bpi_bdd *at; /* FALSE outside the region */
} bpi_family;

/* How far a sweep along the moves of a region has come. All zero: it has not begun. */
typedef struct bpi_sweep {
  uint32_t member, move; /* the next move, of that member */
  bool begun;
  bool settles; /* a layer is there, and is being sorted */
  bpi_family waits, arrived;
} bpi_sweep;

/* Two searches in turn, each with so much to spend. */
typedef struct bpi_turns {
  bool begun, alone;
  bp_ltl_search search;            /* whose turn it is */
  uint64_t images, work;           /* for each turn */
  uint64_t images_left, work_left; /* for this one */
  uint64_t nodes;                  /* alone: the limit of nodes at which the other one gave up */
} bpi_turns;

typedef struct bpi_cycle {
  bpi_heads *h;
  bp_ltl_search search;
  bool monotone;               /* with the preprocessing of the closure */
  uint64_t nodes;              /* the limit of nodes of this call; 0: none */
  uint32_t *region;            /* by vertex: the id of the region it is in now, 0: none */
  uint32_t regions;            /* ids given so far */
  uint32_t *where;             /* by vertex: scratch */
  BPI_VEC(bpi_bdd *) spare;    /* tables of families that are not in use: all FALSE */
  bool split;                  /* the list is made */
  bpi_regions list;            /* what to look through */
  uint32_t next;               /* in the list: the region at work */
  bool counted, can_accept;    /* of that region */
  bpi_sweep sweep;             /* while that is found out */
  bpi_turns turns;             /* in that region */
  struct bpi_closing *closing; /* of closure.c, and so on */
  struct bpi_fixpoint *fixpoint;
  struct bpi_parts *parts;
  /* what was found: a head on an accepting cycle */
  bool found;
  uint32_t vertex;
  bpi_bdd head;
  /* counts */
  uint32_t components, rounds;
} bpi_cycle;

/* Looks through everything; begins with what is all zero. False when stopped: called again it goes on. */
bool bpi_cycle_find(bpi_cycle *c, bpi_heads *h, bp_ltl_search search, bool monotone);
void bpi_cycle_clear(bpi_cycle *c);

/* A head of `set` at a vertex is on an accepting cycle: any one of them. */
void bpi_cycle_take(bpi_cycle *c, uint32_t vertex, bpi_bdd set);
/* One head of a set: a conjunction of literals of all that is live at the vertex. */
bpi_bdd bpi_cycle_pick(bpi_cycle *c, uint32_t vertex, bpi_bdd set);
/* Takes the vertices into a region of their own. */
void bpi_cycle_enter(bpi_cycle *c, bpi_region *region);
static inline bool bpi_cycle_inside(const bpi_cycle *c, const bpi_move *move)
{
  return c->region[move->from] && c->region[move->from] == c->region[move->to];
}
/* Splits a region into the components of its graph that have a cycle. False without memory. */
bool bpi_cycle_split(bpi_cycle *c, const uint32_t *members, uint32_t count, bpi_regions *out);
void bpi_regions_clear(bpi_regions *regions);

/* The three searches, in one region, which the caller enters. True when it is looked through or something
 * is found, false when stopped. What is begun ends with bpi_cycle_..._end(), looked through or not. */
bool bpi_cycle_emerson_lei(bpi_cycle *c, const bpi_region *region);
void bpi_cycle_emerson_lei_end(bpi_cycle *c);
bool bpi_cycle_closure(bpi_cycle *c, const bpi_region *region);
bool bpi_cycle_closure_begun(const bpi_cycle *c);
void bpi_cycle_closure_end(bpi_cycle *c);
void bpi_cycle_closure_free(bpi_cycle *c); /* its tables, which serve all regions */
bool bpi_cycle_xie_beerel(bpi_cycle *c, const bpi_region *region);
void bpi_cycle_xie_beerel_end(bpi_cycle *c);

/* ---- turns.c --------------------------------------------------------------- */

/* Emerson & Lei and the closure in turn. */
bool bpi_cycle_turns(bpi_cycle *c, bpi_region *region);

/* ---- families (graph.c) ---------------------------------------------------- */

bool bpi_family_new(bpi_cycle *c, bpi_family *f); /* empty; false without memory, e->stop then */
void bpi_family_free(bpi_cycle *c, const bpi_region *region, bpi_family *f);
void bpi_family_clear(bpi_cycle *c, const bpi_region *region, bpi_family *f);
void bpi_family_copy(bpi_cycle *c, const bpi_region *region, bpi_family *to,
                     const bpi_family *from);
bool bpi_family_empty(const bpi_region *region, const bpi_family *f);
bool bpi_family_same(const bpi_region *region, const bpi_family *a, const bpi_family *b);
/* a becomes a and b, a and not b. When stopped it is worth nothing. */
void bpi_family_and(bpi_cycle *c, const bpi_region *region, bpi_family *a, const bpi_family *b);
void bpi_family_diff(bpi_cycle *c, const bpi_region *region, bpi_family *a, const bpi_family *b);

/* The next three sweep: false when stopped, then the same call with the same sweep goes on. A sweep that is
 * given up is to be ended. */
void bpi_sweep_end(bpi_cycle *c, const bpi_region *region, bpi_sweep *w);
/* What accepting moves lead to from `from`, or come from into it, inside `within`. */
bool bpi_family_accepting(bpi_cycle *c, const bpi_region *region, bpi_sweep *w, bpi_family *out,
                          const bpi_family *from, const bpi_family *within, bool backward);
/* Everything inside `within` that moves lead to, or come from, in any number of rounds: `f` grows. The
 * last heads that came are left in `last`, unless that is NULL. */
bool bpi_family_reach(bpi_cycle *c, const bpi_region *region, bpi_sweep *w, bpi_family *f,
                      const bpi_family *within, bool backward, bpi_family *last);
/* What one move leads to, or comes from. */
bool bpi_family_step(bpi_cycle *c, const bpi_region *region, bpi_sweep *w, bpi_family *out,
                     const bpi_family *from, const bpi_family *within, bool backward);

#endif
