/* SPDX-License-Identifier: MIT
 * A source text: a copy with a NUL behind, and where its lines begin. */
#ifndef BPI_SOURCE_H
#define BPI_SOURCE_H

#include "base/vec.h"

#include <bp/status.h>
#include <stdbool.h>

typedef struct bpi_source {
  char *text;
  uint32_t len;
  BPI_VEC(uint32_t) lines; /* offsets of their first bytes */
  uint32_t last;           /* the line that was asked for last: the next one is near */
} bpi_source;

/* Copies `len` bytes, fewer than 2^32 - 2. False without memory; then nothing is held. */
bool bpi_source_init(bpi_source *s, const char *text, size_t len);
void bpi_source_free(bpi_source *s);
/* The range of the bytes from `offset` up to `end`. */
bp_range bpi_source_range(bpi_source *s, uint32_t offset, uint32_t end);

#endif
