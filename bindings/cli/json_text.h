/* SPDX-License-Identifier: MIT
 * The little JSON that bp writes itself; documents about queries come from the library. */
#ifndef CLI_JSON_TEXT_H
#define CLI_JSON_TEXT_H

#include "text.h"

/* `{"version":1,"command":...,"file":...`, still open. */
void cli_json_begin(cli_text *out, const char *command, const char *file);
/* A string in quotes; bytes that are not UTF-8 become U+FFFD. */
void cli_json_string(cli_text *out, const char *text);
/* Seconds, with six decimals. */
void cli_json_seconds(cli_text *out, double seconds);

#endif
