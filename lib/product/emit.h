/* SPDX-License-Identifier: MIT
 * The product while it is made: its tables, and what writes into them. */
#ifndef BPI_EMIT_H
#define BPI_EMIT_H

#include "product/product.h"
#include "program/draft.h"

/* The automaton's step where the propositions have these values; one statement serves all such places
 * of a procedure. */
typedef struct bpi_auto_step {
  uint32_t stmt;
  uint32_t values; /* in `values` */
} bpi_auto_step;

typedef struct bpi_emit {
  bpi_draft draft;
  bp_program *p; /* the draft's */
  bp_cfg *cfg;
  const bp_cfg *source;
  const bp_program *from; /* the source's */
  const bpi_auto *a;
  const bpi_props *props;
  bpi_product_options options;
  bpi_product *out;
  bpi_watch *watch;
  bp_status status;

  uint32_t *globals;    /* by source variable: the global */
  uint32_t var_shift;   /* of the locals of the procedure at hand: what is added to their numbers */
  uint32_t seen, taken; /* its bits */
  BPI_VEC(bpi_auto_step) steps; /* of the procedure at hand */
  BPI_VEC(int8_t) values;
  BPI_VEC(uint32_t) of;
  BPI_VEC(uint8_t) role;
  bpi_call_sites sites;
} bpi_emit;

static inline bool bpi_emit_going(bpi_emit *x)
{
  if (x->status == BP_OK && bpi_watch_expired(x->watch)) x->status = BP_E_LIMIT;
  if (x->status == BP_OK && x->draft.status != BP_OK) x->status = x->draft.status;
  return x->status == BP_OK;
}
static inline void bpi_emit_check(bpi_emit *x, bool memory)
{
  if (!memory && x->status == BP_OK) x->status = BP_E_NOMEM;
}

/* ---- expressions (emit.c) ------------------------------------------------ */

static inline void bpi_emit_op(bpi_emit *x, bpi_op op, uint32_t arg)
{
  bpi_emit_check(x, bpi_vec_push(&x->p->code, (bpi_instr){op, arg & BPI_MAX_ARGS}));
}
/* Joins the operand on top with the ones before: *count operands of `op` so far. */
void bpi_emit_join(bpi_emit *x, bpi_op op, uint32_t *count);
/* The operands of a source expression, its names mapped; `after`: names of these targets are primed. */
void bpi_emit_copy(bpi_emit *x, const bpi_instr *code, uint32_t count, const bpi_stmt *after);
/* Ends the expression that was begun. */
void bpi_emit_expr(bpi_emit *x);
/* The variable of the product. */
uint32_t bpi_emit_var(const bpi_emit *x, uint32_t var);

/* ---- statements ---------------------------------------------------------- */

/* Appends a statement whose targets and expressions begin at these places. */
uint32_t bpi_emit_stmt(bpi_emit *x, bp_stmt_kind kind, uint32_t first_id, uint32_t first_expr,
                       bool constrained);
/* The automaton's step (step.c); `vertex` BP_NONE: control has ended. */
uint32_t bpi_emit_step(bpi_emit *x, uint32_t vertex, bool failed);
/* The statement of a source vertex, as the product has it (copy.c). */
uint32_t bpi_emit_source(bpi_emit *x, uint32_t vertex);

#endif
