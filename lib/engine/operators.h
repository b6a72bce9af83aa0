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

#endif
