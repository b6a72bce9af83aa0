/* SPDX-License-Identifier: MIT
 * What depends on the terminal: colour, and the progress line. */
#ifndef CLI_SCREEN_H
#define CLI_SCREEN_H

#include <bp/query.h>
#include <stdbool.h>

typedef enum cli_color {
  CLI_PLAIN,
  CLI_GOOD,
  CLI_BAD,
  CLI_DOUBT,
  CLI_PLACE,
  CLI_VALUE,
  CLI_COLORS
} cli_color;

/* Whether standard output gets colour: a terminal, and NO_COLOR is not set. */
void cli_color_init(void);
/* The sequence that begins a colour; CLI_PLAIN ends one. "" without colour. */
const char *cli_color_code(cli_color color);

/* The progress line, if standard error is a terminal: one for all queries at work. */
bool cli_progress_wanted(void);
/* Time counts from the first call on. */
void cli_progress_begin(void);
/* What one query has added to the line. */
typedef struct cli_ticker {
  uint64_t steps, live;
} cli_ticker;
/* A callback for queries, on any thread. */
bp_progress_answer cli_progress_step(uint64_t steps, uint64_t live, void *ticker);
/* The nodes of a query are gone. */
void cli_progress_leave(cli_ticker *ticker);
/* Wipes the line. */
void cli_progress_end(void);

uint64_t cli_now_ns(void);
/* CPU time of the process. */
double cli_cpu_seconds(void);

#endif
