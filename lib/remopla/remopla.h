/* SPDX-License-Identifier: MIT
 * Programs in Remopla, the input language of Moped (Esparza & Schwoon, CAV 2001; Schwoon's thesis, 2002),
 * as docs/remopla.md has it: they become boolean programs, numbers a bit a variable. */
#ifndef BPI_REMOPLA_H
#define BPI_REMOPLA_H

#include "base/source.h"
#include "program/draft.h"

/* Reads `source` into the draft, which is then to be finished if the draft has neither errors nor a
 * status. */
void bpi_remopla_read(bpi_draft *d, bpi_source *source, const bp_program_options *options);

/* Reads a condition over the variables in scope in `proc` (BP_NONE: globals only), of which those of a
 * module can be written `module.name`, and the defines of the program. It is false where it has no value.
 * `d` is an empty draft that takes the errors. False after errors, or when the draft has stopped. */
bool bpi_remopla_condition(bpi_code *out, bpi_draft *d, bpi_source *source,
                           const bp_program *program, uint32_t proc);

#endif
