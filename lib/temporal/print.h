/* SPDX-License-Identifier: MIT
 * Formulas and atoms as text. */
#ifndef BPI_LTL_PRINT_H
#define BPI_LTL_PRINT_H

#include "base/sink.h"
#include "temporal/ltl.h"

/* An atom as formulas have it. */
void bpi_ltl_print_atom(bpi_out *out, const bpi_ltl *l, uint32_t atom);
/* An atom as the name of a proposition of an automaton, with the quotes around. */
void bpi_ltl_print_proposition(bpi_out *out, const bpi_ltl *l, uint32_t atom);
/* A formula; false without memory. */
bool bpi_ltl_print(bpi_out *out, const bpi_ltl *l, uint32_t root);

#endif
