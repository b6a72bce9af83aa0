/* SPDX-License-Identifier: MIT
 * The inside of a regular set of stacks. */
#ifndef BPI_STACKS_H
#define BPI_STACKS_H

#include "pushdown/pushdown.h"

#include <bp/stacks.h>

typedef struct bpi_stack_edge {
  uint32_t symbol, to;
} bpi_stack_edge;

typedef struct bpi_stack_state {
  BPI_VEC(bpi_stack_edge) edges;
  uint32_t otherwise; /* BP_NONE: nowhere */
  bool accepts;
} bpi_stack_state;

struct bp_stacks {
  atomic_uint refs;
  bp_context *ctx;
  bp_pushdown *p;
  BPI_VEC(bpi_stack_state) states;
  bpi_keys keys; /* (from, symbol, 0) of each edge */
  BPI_VEC(uint32_t) key_to;
};

/* With a state for each control location, no message of its own; NULL without memory. */
bp_stacks *bpi_stacks_begin(bp_context *ctx, bp_pushdown *p);
uint32_t bpi_stacks_state(bp_stacks *s);
/* There is no edge for the symbol. False without memory. */
bool bpi_stacks_edge(bp_stacks *s, uint32_t from, uint32_t symbol, uint32_t to);

/* ---- minimize.c ------------------------------------------------------------- */

/* A deterministic automaton, all of whose states lie on a way from a start to an end. */
typedef struct bpi_dfa_edge {
  uint32_t from, symbol, to;
} bpi_dfa_edge;
typedef struct bpi_dfa {
  BPI_VEC(bpi_dfa_edge) edges; /* those of one state together */
  BPI_VEC(uint8_t) accepts;    /* by state */
  uint32_t starts;             /* the first so many states are never merged; no edge leads there */
} bpi_dfa;

/* By state its class, classes numbered from 0, the starts by themselves; NULL: the run failed. */
uint32_t *bpi_dfa_classes(bpi_run *run, const bpi_dfa *dfa, uint32_t *count);

/* ---- regular.c: automata as equations between regular expressions ------------- */

/* A node of an expression; BPI_RE_EMPTY is number 0. */
typedef enum bpi_re_kind {
  BPI_RE_EMPTY,  /* the empty word */
  BPI_RE_SYMBOL, /* a: the symbol */
  BPI_RE_ANY,    /* any symbol that has no edge of its own */
  BPI_RE_CAT,    /* a, then b */
  BPI_RE_OR,     /* a or b */
  BPI_RE_STAR,   /* a any number of times */
  BPI_RE_MAYBE,  /* a or nothing */
  BPI_RE_STATE   /* what the state a accepts */
} bpi_re_kind;
typedef struct bpi_re {
  bpi_re_kind kind;
  uint32_t a, b;
} bpi_re;

/* A state accepts: `loop` any number of times (0: there is none), then one of the terms, a word of
 * its expression and one that its state accepts, or nothing more if it `ends`. */
typedef struct bpi_term {
  uint32_t expr, to;
} bpi_term;
typedef struct bpi_equation {
  BPI_VEC(bpi_term) terms;
  uint32_t loop;
  uint32_t uses; /* terms everywhere that lead here */
  bool ends;
} bpi_equation;

typedef struct bpi_equations {
  const bp_stacks *s;
  bpi_watch watch;
  bp_status status;
  BPI_VEC(bpi_re) pool;
  bpi_equation *states; /* by state */
  uint32_t *place;      /* scratch, by state: 0 */
} bpi_equations;

/* The equations of a set, simplified, but for those of control locations. When it fails, `status` says
 * so; free them anyway. */
void bpi_equations_make(bpi_equations *e, const bp_stacks *s);
void bpi_equations_free(bpi_equations *e);
/* The expression of a state, with states in it that are not worth a copy. */
uint32_t bpi_equations_expr(bpi_equations *e, uint32_t state);
/* Whether a state is to be written by itself, not where it is used. */
bool bpi_equations_apart(const bpi_equations *e, uint32_t state);
uint32_t bpi_re_cat(bpi_equations *e, uint32_t a, uint32_t b);

#endif
