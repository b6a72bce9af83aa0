/* SPDX-License-Identifier: MIT
 * Texts in and out, for tests. */
#ifndef TEXTS_H
#define TEXTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <bp/builder.h>
#include <bp/program.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct buffer {
  char *at;
  size_t len, room;
} buffer;

/* A sink that appends to the buffer; at is always a string. */
bp_sink buffer_sink(buffer *b);
void buffer_add(buffer *b, const char *bytes, size_t len);
void buffer_free(buffer *b);

/* Parses, with diagnostics on standard output when the status is not as expected. */
bp_program *parse(bp_context *ctx, const char *text, size_t len, const bp_program_options *options,
                  bp_status expected);
/* The program as text, in a buffer to free. */
buffer print(const bp_program *program);
/* Prints, reads again, and compares fingerprints and second print. */
void check_round_trip(bp_context *ctx, const bp_program *program, const char *entry);
/* Whether a diagnostic of that kind is there. */
int has_diagnostic(const bp_context *ctx, bp_severity severity, uint32_t number, uint32_t line,
                   uint32_t column);
/* Checks that there is one; shows them all if not. */
void check_diagnostic(const bp_context *ctx, const char *text, bp_severity severity,
                      uint32_t number, uint32_t line, uint32_t column);

#endif
