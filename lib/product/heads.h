/* SPDX-License-Identifier: MIT
 * The heads of the product that executions reach, and how one follows another.
 *
 * A head is a vertex with a state of what is live there; below it the stack may be anything. Heads
 * follow each other by an ordinary edge, over a call by the callee's summary, or into a callee. An
 * infinite execution either comes back to each stack height or leaves some for ever, so it is, cut into
 * such moves, an infinite path of heads; and the other way round (Esparza & Schwoon, CAV 2001, sections
 * 3.2 and 4.1). A formula is violated just when a cycle of reachable heads has a move with an accepting
 * edge in it.
 *
 * A search can be made among all heads of the vertices that control can reach, instead: with the summaries
 * of procedures that are entered with every state, as `pre*` would find them. Then a cycle counts if
 * executions reach it. That is the same answer, mostly with more work; Esparza & Schwoon's "post* first" avoids it.
 *
 * In sets of heads `seen` is always 0; whether a move is accepting is told beside the set. */
#ifndef BPI_HEADS_H
#define BPI_HEADS_H

#include "answer/mover.h"
#include "product/product.h"

typedef enum bpi_move_kind {
  BPI_MOVE_EDGE, /* along successor `succ` */
  BPI_MOVE_OVER, /* over a completed call */
  BPI_MOVE_INTO  /* into a callee that may never return */
} bpi_move_kind;

typedef struct bpi_move {
  uint32_t from, to;
  uint32_t succ;
  uint8_t kind;
  bool accepts; /* some of it can be accepting */
} bpi_move;

/* Two sets: of what comes without an accepting edge, and with one. */
typedef struct bpi_pair {
  bpi_bdd no, yes;
} bpi_pair;

/* What is left to do while they are made. */
typedef struct bpi_filling {
  bool linked;     /* the moves are there */
  uint32_t opened; /* of all heads: the procedures below it are entered with every state */
  uint32_t seeded; /* of the vertices below it, what the exploration knows is taken */
  bpi_bdd *waits;  /* by vertex: heads to be moved on */
  BPI_VEC(uint32_t) todo;
  uint32_t vertex; /* where the set at work is; it is FALSE when there is none */
  bpi_bdd set;
  uint32_t next; /* the first move along which it has not gone */
  bool closed;   /* all rounds of its loop are in it */
} bpi_filling;

typedef struct bpi_heads {
  bpi_engine *e;
  const bpi_product *product;
  bpi_mover mover;
  bpi_bdd *at;             /* by vertex: the heads */
  bpi_bdd *reached;        /* the same: those that executions reach; NULL: `at` has no others */
  bpi_bdd *lift;           /* by vertex: of a call, the callee's summary; made at need */
  BPI_VEC(bpi_move) moves; /* by where they begin */
  uint32_t *first;         /* by vertex, one more at the end */
  BPI_VEC(uint32_t) back;  /* moves by where they end */
  uint32_t *first_back;    /* the same */
  bpi_filling filling;
} bpi_heads;

/* Takes what the engine, which has explored everything, found; `all`: then lets it explore from every state
 * of every procedure, and takes all heads. Begins with what is all zero. False when stopped: called again it
 * goes on, no image but the last is lost. */
bool bpi_heads_make(bpi_heads *h, bpi_engine *e, const bpi_product *product, bool all);
void bpi_heads_clear(bpi_heads *h);

/* The bit `seen` of the vertex' procedure. */
uint32_t bpi_heads_seen(const bpi_heads *h, uint32_t vertex);
/* The heads to which a move leads from a set of heads. ENTRY copies are left alone. */
bpi_pair bpi_heads_move(bpi_heads *h, const bpi_move *move, bpi_bdd set);
/* The heads from which it leads into a set of heads: by any edge, or by an accepting one. */
bpi_bdd bpi_heads_back(bpi_heads *h, const bpi_move *move, bpi_bdd set, bool accepting);
/* Those of a set of heads of the vertex that executions reach. */
bpi_bdd bpi_heads_reached(const bpi_heads *h, uint32_t vertex, bpi_bdd set);
/* Whether a loop can begin there: at an automaton's step, or after the end. A trace to such a vertex ends
 * with the step before, and the products of all kinds have it. */
bool bpi_heads_begins(const bpi_heads *h, uint32_t vertex);

static inline void bpi_pair_drop(bpi_engine *e, bpi_pair pair)
{
  bpi_bdd_drop(e->m, pair.no);
  bpi_bdd_drop(e->m, pair.yes);
}
/* *all becomes *all or `one`, which is given away. False when stopped; then *all is as it was, so that
 * what is kept for the next call stays right. */
static inline bool bpi_heads_add(bpi_engine *e, bpi_bdd *all, bpi_bdd one)
{
  const bpi_bdd both = bpi_bdd_or(e->m, *all, one);
  const bool going = bpi_going(e);
  bpi_bdd_drop(e->m, one);
  bpi_bdd_drop(e->m, going ? *all : both);
  if (going) *all = both;
  return going;
}
/* Both as one set; `pair` is given away. */
static inline bpi_bdd bpi_pair_all(bpi_engine *e, bpi_pair pair)
{
  bpi_join(e, &pair.no, pair.yes);
  return pair.no;
}

#endif
