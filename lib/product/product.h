/* SPDX-License-Identifier: MIT
 * The product of a program and an automaton, as a program (Esparza & Schwoon, CAV 2001, section 3.1,
 * where the automaton's state is a part of the control location; here it is a few globals).
 *
 * Before each position of an execution, and while it stutters after its end, the automaton makes a
 * step: one parallel assignment to its state, free but for a constraint, which is the automaton's
 * transition relation under what the propositions are there. Then comes the statement itself. Executions
 * of the product are executions of the program together with runs of the automaton over them; the runs
 * are not cut off otherwise, so only the infinite ones mean anything.
 *
 *   source vertex v     becomes   [automaton step] v [seen := seen | t]
 *   procedure p         becomes   [seen := 0] ... with one more result, seen
 *
 * `seen` is a local bit: this activation, or one that it called and that has returned, has taken an
 * accepting edge. So summaries carry it, and contexts do not: it is 0 at each entry.
 *
 * The product's graph is made directly, not from a text: it shows its source (cfg/shown.h). */
#ifndef BPI_PRODUCT_H
#define BPI_PRODUCT_H

#include "product/proposition.h"

/* How accepting edges are remembered. */
typedef enum bpi_memory {
  BPI_MEMORY_NONE,  /* they are not: for reachability */
  BPI_MEMORY_FRAME, /* by `seen`: for cycles */
  BPI_MEMORY_GLOBAL /* by one global that stays set: for one round of a loop */
} bpi_memory;

/* What a vertex of the product is there for. */
typedef enum bpi_role {
  BPI_ROLE_STEP, /* the source vertex itself; of an exit: falling off the end */
  BPI_ROLE_AUTOMATON, /* the automaton's step before it; counted and shown where a silent assertion fails */
  BPI_ROLE_ENDED,    /* stuttering after the entry procedure has returned */
  BPI_ROLE_FAILED,   /* stuttering after an assertion of the procedure has failed */
  BPI_ROLE_BEGIN,    /* seen := 0 */
  BPI_ROLE_RETURNED, /* seen := seen | t */
  BPI_ROLE_EXIT
} bpi_role;

/* An automaton with at most one acceptance set, as it is needed here. */
typedef struct bpi_auto_edge {
  uint32_t from, to;
  bool accepting;
  bpi_slice cubes; /* in `cubes` */
} bpi_auto_edge;
typedef struct bpi_auto {
  uint32_t states, bits; /* bits: of the number of a state */
  BPI_VEC(bpi_auto_edge) edges;
  BPI_VEC(bpi_slice) cubes;   /* in `literals` */
  BPI_VEC(uint32_t) literals; /* 2 * proposition, + 1: negated */
  BPI_VEC(uint32_t) initial;
  uint32_t *first; /* by state, one more at the end: its edges */
  uint64_t *final; /* states that accept everything: a bit each */
  bool safe;       /* accepting runs end in one of these */
} bpi_auto;

bp_status bpi_auto_make(bpi_auto *out, const bp_automaton *automaton);
void bpi_auto_clear(bpi_auto *a);
/* `values`: by proposition, as bpi_prop_at() says. Whether they exclude the cube; `*literals` counts what
 * is left of it. Whether they leave the edge open, and whether it can be taken always then. */
bool bpi_auto_excludes(const bpi_auto *a, bpi_slice cube, const int8_t *values, uint32_t *literals);
bool bpi_auto_opens(const bpi_auto *a, const bpi_auto_edge *edge, const int8_t *values,
                    bool *always);

typedef struct bpi_product_options {
  bpi_memory memory;
  /* For one round of a loop: executions begin at the vertex with this source vertex and role, in a frame
   * of `proc` that is never left; `in_entry`: that of the program's entry, whose end is the program's. */
  bool loop;
  uint32_t proc, start;
  bpi_role role;
  bool in_entry;
} bpi_product_options;

typedef struct bpi_product {
  bp_cfg *cfg;
  const bp_cfg *source; /* borrowed from the graph */
  uint32_t state;       /* the first variable of the automaton's state */
  uint32_t bits;
  uint32_t accepted; /* the global of BPI_MEMORY_GLOBAL */
  uint32_t *seen;    /* by procedure: the local */
  uint32_t entry;    /* the procedure where executions begin, a copy of a source procedure */
  uint32_t entry_of; /* that one */
  uint32_t *of;      /* by vertex: the source vertex; BP_NONE: none */
  uint8_t *role;     /* by vertex */
} bpi_product;

/* BP_E_NOMEM, BP_E_LIMIT: the watch expired. */
bp_status bpi_product_make(bpi_product *out, bp_context *ctx, bp_cfg *source, const bpi_auto *a,
                           const bpi_props *props, const bpi_product_options *options,
                           bpi_watch *watch);
void bpi_product_clear(bpi_product *product);

/* The vertex of a procedure with that source vertex and role; BP_NONE: there is none. */
uint32_t bpi_product_find(const bpi_product *product, uint32_t proc, uint32_t source,
                          bpi_role role);
/* Appends to `code` that the automaton is in one of the states, at least one. False without memory. */
bool bpi_product_states(const bpi_product *product, const uint32_t *states, uint32_t count,
                        bpi_code *code);

#endif
