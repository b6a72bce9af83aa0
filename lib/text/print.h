/* SPDX-License-Identifier: MIT
 * Programs, statements and expressions as text. */
#ifndef BPI_PRINT_H
#define BPI_PRINT_H

#include "base/sink.h"
#include "program/program.h"

/* Write with as few parentheses as the default precedence needs. They fail only for memory:
 * BP_E_NOMEM; trouble of the sink stays in `out`. */
bp_status bpi_print_expression(bpi_out *out, const bp_program *program, const bpi_instr *code,
                               uint32_t count);
bp_status bpi_print_stmt(bpi_out *out, const bp_program *program, uint32_t stmt);

#endif
