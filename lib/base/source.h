/* SPDX-License-Identifier: MIT
 * A source text: the host's bytes as they are. The scanner needs a newline behind the last of them to
 * stop at, so what comes after the last newline is copied, with one behind it. */
#ifndef BPI_SOURCE_H
#define BPI_SOURCE_H

#include "base/vec.h"

#include <bp/status.h>
#include <stdbool.h>

typedef struct bpi_source {
  const char *text; /* borrowed */
  uint32_t len;
  uint32_t cut; /* the last newline, or 0 without one: `tail` begins there */
  char *tail;
  struct {
    uint32_t offset, line, line_at; /* line_at: the offset where the line begins */
  } last;                           /* what was asked for last: the next one is near */
} bpi_source;

/* Takes `len` bytes, fewer than 2^32 - 2. False without memory; then nothing is held. */
bool bpi_source_init(bpi_source *s, const char *text, size_t len);
void bpi_source_free(bpi_source *s);
/* The range of the bytes from `offset` up to `end`. For messages: it counts lines. */
bp_range bpi_source_range(bpi_source *s, uint32_t offset, uint32_t end);

#endif
