/* SPDX-License-Identifier: MIT
 * Traces as text, one line a step. */
#ifndef CLI_TRACE_TEXT_H
#define CLI_TRACE_TEXT_H

#include "scope.h"
#include "run.h"
#include "text.h"

/* How steps are laid out; one serves all traces of a run. */
typedef struct cli_view {
  cli_run *run;
  cli_scope scope;
  size_t place_width;
  uint32_t depth; /* added to that of each step */
  cli_text line;
} cli_view;

void cli_view_init(cli_view *view, cli_run *run);
void cli_view_free(cli_view *view);

/* Appends the step that the cursor stands on, as a line, to `out`. */
bp_status cli_view_step(cli_view *view, bp_cursor *cursor, cli_text *out);

/* Prints steps from the cursor on as they come; memory does not grow with their number. */
bp_status cli_trace_forward(cli_view *view, bp_cursor *cursor);
/* Prints them last first; memory grows with the square root of their number (trace_reverse.c). */
bp_status cli_trace_reverse(cli_view *view, bp_cursor *cursor);

/* Whether printing must end: BP_E_LIMIT (time, a signal), BP_E_IO (standard output), else BP_OK. */
bp_status cli_trace_poll(const cli_view *view);

#endif
