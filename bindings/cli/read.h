/* SPDX-License-Identifier: MIT
 * Reading a whole file or standard input. */
#ifndef CLI_READ_H
#define CLI_READ_H

#include "text.h"

typedef enum cli_read { CLI_READ_OK, CLI_READ_FAILED, CLI_READ_STOPPED } cli_read;

/* Reads `path` ("-": standard input) into `out`. FAILED after a message. `stop` is asked now and
 * then, also while nothing comes; when it answers true, reading ends as STOPPED. */
cli_read cli_read_file(cli_text *out, const char *path, bool (*stop)(void *user), void *user);

#endif
