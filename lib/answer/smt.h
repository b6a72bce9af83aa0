/* SPDX-License-Identifier: MIT
 * Horn clauses over booleans as SMT-LIB 2 text. A clause is gathered first, then written. */
#ifndef BPI_SMT_H
#define BPI_SMT_H

#include "base/sink.h"
#include "engine/engine.h"
#include "program/sharing.h"

/* A relation or a variable: `p12`. */
typedef struct bpi_symbol {
  const char *name;
  uint32_t number; /* BP_NONE: the name is all */
} bpi_symbol;

/* A relation with arguments. */
typedef struct bpi_atom {
  bpi_symbol relation;
  bpi_slice args; /* in the clause's args */
} bpi_atom;

/* An expression that must hold, must fail, or is the value of a symbol. The code is borrowed. */
typedef struct bpi_conjunct {
  const bpi_instr *code;
  uint32_t count;
  bpi_reading reading;
  bool fails;
  bpi_symbol symbol; /* without a name: none */
} bpi_conjunct;

/* The first `count - 1` atoms and the conjuncts imply the last atom. */
typedef struct bpi_clause {
  BPI_VEC(bpi_symbol) bound;
  BPI_VEC(bpi_symbol) args;
  BPI_VEC(bpi_conjunct) conjuncts;
  bpi_atom atoms[3];
  uint32_t count;
} bpi_clause;

typedef struct bpi_smt_task {
  const char *text; /* NULL: the expression whose last instruction is `node` */
  uint32_t node;
  uint32_t above; /* the operator around it */
} bpi_smt_task;

typedef struct bpi_smt {
  bpi_out out;
  bpi_watch *watch;
  bp_status status;        /* BP_OK, BP_E_NOMEM, BP_E_LIMIT: nothing more is worth writing */
  const bpi_symbol *now;   /* by variable: its symbol after the statement; before it is `c` */
  uint32_t choices;        /* of the clause at hand: how many are written */
  BPI_VEC(uint32_t) sizes; /* by instruction: how many make up its expression */
  BPI_VEC(bpi_smt_task) tasks;
  bpi_code written; /* scratch */
} bpi_smt;

static inline bool bpi_smt_going(const bpi_smt *s)
{
  return s->status == BP_OK && s->out.status == BP_OK;
}

void bpi_smt_declare(bpi_smt *s, bpi_symbol relation, uint64_t arity);
void bpi_smt_clause(bpi_smt *s, const bpi_clause *clause);
/* Text that may have any bytes, inside a comment. */
void bpi_smt_comment(bpi_smt *s, const char *text);
void bpi_smt_clear(bpi_smt *s);

#endif
