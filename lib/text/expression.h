/* SPDX-License-Identifier: MIT
 * Expressions from text, over the names of a finished program: the `when` and `init` conditions of
 * queries. */
#ifndef BPI_EXPRESSION_H
#define BPI_EXPRESSION_H

#include "program/program.h"

/* Reads one expression over the variables in scope in `proc` (BP_NONE: globals only), with the
 * precedence of the program's text, into `out`
 * (which must be empty; the caller frees it). Errors are diagnosed with `what` as the file name:
 * BP_E_INPUT. BP_E_NOMEM. */
bp_status bpi_expression_parse(bpi_code *out, bp_context *ctx, const bp_program *program,
                               uint32_t proc, const char *text, const char *what);

/* What a name in an expression is: changes the operand, which is VAR or NEXT, or answers false. */
typedef bool bpi_meaning_fn(void *user, const char *name, bpi_instr *operand);

/* Reads one expression, with the default precedence, whose names `meaning` knows. */
bp_status bpi_expression_read(bpi_code *out, bp_context *ctx, const char *text, const char *what,
                              bpi_meaning_fn *meaning, void *user);
/* The same with the precedence of a program's text. */
bp_status bpi_expression_scoped(bpi_code *out, bp_context *ctx, const bp_program *program,
                                const char *text, const char *what, bpi_meaning_fn *meaning,
                                void *user);

#endif
