/* SPDX-License-Identifier: MIT
 * For messages about a formula or an automaton, from where its tables need not be known. */
#ifndef BPI_FORMULA_SOURCE_H
#define BPI_FORMULA_SOURCE_H

#include <bp/automaton.h>

/* The text that the formula was read from, of *len bytes; NULL: there was none. Borrowed. */
const char *bpi_formula_source(const bp_formula *formula, size_t *len);
/* The same of an automaton: the header, in which the propositions stand. */
const char *bpi_automaton_source(const bp_automaton *automaton, size_t *len);

#endif
