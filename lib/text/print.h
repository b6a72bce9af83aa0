/* SPDX-License-Identifier: MIT
 * Programs, statements and expressions as text. */
#ifndef BPI_PRINT_H
#define BPI_PRINT_H

#include "base/sink.h"
#include "program/program.h"
#include "program/spelling.h"

/* Write with as few parentheses as the default precedence needs. They fail only for memory,
 * BP_E_NOMEM, and for what is too large to be written without sharing, BP_E_UNSUPPORTED; trouble of the sink stays
 * in `out`. */
bp_status bpi_print_expression(bpi_out *out, const bp_program *program, const bpi_instr *code,
                               uint32_t count);
bp_status bpi_print_stmt(bpi_out *out, const bp_program *program, uint32_t stmt);
/* The name of a procedure or label, in braces if it comes of another language and needs them. */
void bpi_print_name(bpi_out *out, const bp_program *program, uint32_t name, bpi_name_kind kind);

#endif
