/* SPDX-License-Identifier: MIT
 * Operators of expressions with free choices, on sets of states. */
#ifndef BPI_OPERATORS_H
#define BPI_OPERATORS_H

#include "bdd/bdd.h"
#include "program/program.h"

/* The states in which an expression can be true, can be false. */
typedef struct bpi_choices {
  bpi_bdd yes, no;
} bpi_choices;

/* What the operator can give for its operands, which are borrowed. */
bpi_choices bpi_choices_combine(bp_manager *m, uint32_t op, const bpi_choices *operands);

/* What KEEP keeps while an expression is evaluated. Zero-initialised it is empty. */
typedef BPI_VEC(bpi_choices) bpi_registers;

/* Keeps what the operand can give, which is borrowed. False without memory. */
bool bpi_registers_keep(bp_manager *m, bpi_registers *kept, uint32_t number, bpi_choices x);
bpi_choices bpi_registers_kept(bp_manager *m, const bpi_registers *kept, uint32_t number);
void bpi_registers_clear(bp_manager *m, bpi_registers *kept);

#endif
