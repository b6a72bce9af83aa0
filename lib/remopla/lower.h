/* SPDX-License-Identifier: MIT
 * Statements on their way into the draft. */
#ifndef BPI_REMOPLA_LOWER_H
#define BPI_REMOPLA_LOWER_H

#include "remopla/world.h"

/* An `if` or `do` being lowered. Numbers are those of labels `$n`. */
typedef struct bpi_rblock {
  uint32_t stmt;
  uint32_t clause;  /* the label of the next clause */
  uint32_t clauses; /* how many there are */
  uint32_t head;    /* of a `do`: where it begins again */
  uint32_t end;     /* behind it */
  bool left;        /* something goes there */
} bpi_rblock;

/* When the next statement may run: its guard, and where that has a value. */
typedef struct bpi_rguard {
  uint32_t bit, ok; /* gates */
} bpi_rguard;

typedef struct bpi_lowering {
  bpi_world *w;
  bpi_draft *d;
  bp_program *p;
  bpi_rtree *t;
  bpi_reader *r;
  bpi_circuit *c;
  BPI_VEC(bpi_rblock) blocks;
  BPI_VEC(uint32_t) once;   /* labels of the next statement alone */
  BPI_VEC(uint32_t) always; /* labels of each statement that comes of the one at hand */
  BPI_VEC(uint32_t) gates;  /* by variable: what it becomes */
  BPI_VEC(uint8_t) touched; /* by variable: it becomes something */
  BPI_VEC(uint32_t) list;   /* the touched ones */
  uint32_t next_label;
  bool falls;     /* control may come to the next statement from the last one */
  bp_range range; /* of the statement at hand */
  bpi_slice text; /* its text */
} bpi_lowering;

/* ---- emit.c: single statements ------------------------------------------ */

bool bpi_lower_no_memory(bpi_lowering *l);
/* The next free label. */
uint32_t bpi_lower_label(bpi_lowering *l);
/* Appends a gate to the expressions. */
bool bpi_lower_expr(bpi_lowering *l, uint32_t gate);
/* Appends a statement, with the labels that wait. */
bool bpi_lower_put(bpi_lowering *l, bpi_stmt s);
/* A statement with a condition: ASSUME or ASSERT. */
bool bpi_lower_condition(bpi_lowering *l, bp_stmt_kind kind, uint32_t gate, bool silent);
/* A GOTO to labels `$first` .. */
bool bpi_lower_goto(bpi_lowering *l, uint32_t first, uint32_t count, bool silent);
/* Makes the touched variables an assignment and forgets them. */
bool bpi_lower_assign(bpi_lowering *l, uint32_t condition, bool silent);
/* A variable of the assignment being gathered becomes what the gate says. */
bool bpi_lower_becomes(bpi_lowering *l, uint32_t var, uint32_t gate);

/* ---- enums.c: what would be no constant of its enum ---------------------- */

/* Whether a value fits a place of `width` bits, which an enum of `values` constants, 0: none, has. */
uint32_t bpi_lower_fits(bpi_lowering *l, bpi_number x, uint32_t width, uint32_t values);
/* A gate that is also false where these bits are none of `values` constants. */
uint32_t bpi_lower_within(bpi_lowering *l, uint32_t gate, const uint32_t *vars, uint32_t width,
                          uint32_t values);
/* The same for all elements of a datum. */
uint32_t bpi_lower_datum_within(bpi_lowering *l, uint32_t gate, const bpi_datum *datum);
/* Where the gate is false the run ends, between two steps. */
bool bpi_lower_end_unless(bpi_lowering *l, uint32_t gate);
/* What is arbitrary where a module begins is within its enum. */
bool bpi_lower_begin_within(bpi_lowering *l, const bpi_rmodule *m);

/* ---- simple.c ------------------------------------------------------------ */

/* A simple statement behind its guard. */
bool bpi_lower_simple(bpi_lowering *l, const bpi_rstmt *s, bpi_rguard guard);
/* The step that a guard alone is. */
bool bpi_lower_guard(bpi_lowering *l, bpi_rguard guard);

#endif
