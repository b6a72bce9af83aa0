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

/* The progress line of a run that began at `start` (cli_now_ns()), if standard error is a terminal.
 */
typedef struct cli_progress {
  uint64_t start, shown; /* shown: when the line was written last; 0: never */
} cli_progress;
bp_progress_answer cli_progress_step(uint64_t steps, uint64_t live, void *progress);
bool cli_progress_wanted(void);
/* Wipes the line. */
void cli_progress_end(cli_progress *progress);

uint64_t cli_now_ns(void);
/* CPU time of the process. */
double cli_cpu_seconds(void);

#endif
