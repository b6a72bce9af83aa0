/* SPDX-License-Identifier: MIT
 * Formulas and automata as texts, for the tests. */
#ifndef TEST_TEMPORAL_TEXTS_H
#define TEST_TEMPORAL_TEXTS_H

#include <bp/bp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A page that a sink fills; a text that is too long makes it refuse. */
typedef struct page {
  char text[8192];
  size_t used;
  bp_sink sink;
} page;

void page_begin(page *p);
/* They must be good. */
bp_formula *formula_of(bp_context *ctx, const char *text);
bp_automaton *automaton_of(bp_context *ctx, const char *text);
bp_automaton *hoa_of(bp_context *ctx, const char *text);
/* Whether the formula prints so. */
void assert_prints(const bp_formula *f, const char *expected);
/* Whether the text is read as a formula that prints so. */
void assert_reads(bp_context *ctx, const char *text, const char *expected);

#endif
