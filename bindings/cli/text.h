/* SPDX-License-Identifier: MIT
 * Growing text. Without memory it stays as it is and remembers the failure. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <bp/context.h>
#include <stdbool.h>

typedef struct cli_text {
  char *at;
  size_t len, room;
  bool failed;
} cli_text;

/* Makes room for `more` bytes behind the text. */
bool cli_text_reserve(cli_text *t, size_t more);
void cli_text_add(cli_text *t, const char *bytes, size_t len);
void cli_text_puts(cli_text *t, const char *text);
void cli_text_pad(cli_text *t, size_t count);
void cli_text_number(cli_text *t, uint64_t number);
/* Forgets the text and the failure, keeps the room. */
void cli_text_clear(cli_text *t);
void cli_text_free(cli_text *t);
/* A sink that appends to the text. */
bp_sink cli_text_sink(cli_text *t);
/* Columns that `len` bytes of UTF-8 take on the screen, roughly: one for each character. */
size_t cli_text_columns(const char *bytes, size_t len);

#endif
