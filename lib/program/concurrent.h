/* SPDX-License-Identifier: MIT
 * The constructs of concurrent programs: how many a program uses, and for each procedure the first
 * one, to show when a sequential program is needed. Part of the checks of check.c, which goes through
 * the statements in text order. */
#ifndef BPI_CONCURRENT_H
#define BPI_CONCURRENT_H

#include "program/draft.h"

static inline bool bpi_kind_concurrent(uint32_t kind)
{
  return kind >= BP_STMT_START_THREAD && kind <= BP_STMT_SYNC;
}

/* Looks at a label, by its index. */
void bpi_concurrent_label(bpi_draft *d, uint32_t label, uint32_t proc);
/* Looks at a statement: what it is, and its targets `x$`. */
void bpi_concurrent_stmt(bpi_draft *d, const bpi_stmt *s, uint32_t stmt, uint32_t proc);
/* Takes a name `x$` in an expression of the statement: the instruction `code`. */
void bpi_concurrent_name(bpi_draft *d, uint32_t stmt, uint32_t proc, uint32_t code);
/* At the end. `called`: by procedure, whether something calls it. */
void bpi_concurrent_count(bpi_draft *d, const uint8_t *called);

#endif
