/* SPDX-License-Identifier: MIT
 * Expressions without shared parts, for forms of output that know none. */
#ifndef BPI_SHARING_H
#define BPI_SHARING_H

#include "program/program.h"

/* An expression that is written out may grow exponentially: beyond so many instructions it is refused. */
enum { BPI_MOST_WRITTEN = 1 << 22 };

#define BPI_TOO_LARGE_TO_WRITE                                                                     \
  "an expression has more than %d operations when nothing is shared", BPI_MOST_WRITTEN

/* Replaces an expression with KEEP and KEPT in it by one that says the same without, in `out`, which is
 * empty or has an earlier one; another is left alone. BP_E_UNSUPPORTED: it is too large; BP_E_NOMEM. */
bp_status bpi_unshare(bpi_code *out, const bpi_instr **code, uint32_t *count);

#endif
