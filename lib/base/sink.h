/* SPDX-License-Identifier: MIT
 * A buffered writer over a sink: errors stick, so the end is the one place to ask. */
#ifndef BPI_SINK_H
#define BPI_SINK_H

#include <bp/context.h>

typedef struct bpi_out {
  const bp_sink *sink;
  size_t used;
  bp_status status; /* BP_OK, or BP_E_IO for good */
  char buffer[1024];
} bpi_out;

void bpi_out_init(bpi_out *out, const bp_sink *sink);
void bpi_out_bytes(bpi_out *out, const char *bytes, size_t len);
void bpi_out_text(bpi_out *out, const char *text);
void bpi_out_char(bpi_out *out, char c);
/* In quotes, with a backslash before quotes and backslashes. */
void bpi_out_quoted(bpi_out *out, const char *text);
void bpi_out_repeat(bpi_out *out, char c, size_t times);
void bpi_out_u64(bpi_out *out, uint64_t number);
void bpi_out_i64(bpi_out *out, int64_t number);
/* Sends what is buffered and returns the status of all writing so far. */
bp_status bpi_out_flush(bpi_out *out);
/* BP_OK, or BP_E_INVALID for a sink that cannot be used. */
bp_status bpi_sink_check(const bp_sink *sink);
#define BPI_BAD_SINK "sink is NULL or has no write, or sink->size is not sizeof(bp_sink)"

#endif
