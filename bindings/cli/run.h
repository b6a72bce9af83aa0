/* SPDX-License-Identifier: MIT
 * One run of a command, from the file to the verdicts. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "args.h"
#include "screen.h"

#include <bp/bp.h>

typedef struct cli_run {
  const cli_args *args;
  const char *file; /* as given */
  uint64_t start;   /* cli_now_ns() */
  bp_context *ctx;
  bp_program *program;
  bp_cfg *cfg;
  bp_manager *manager;
  bp_query *query;
  bp_answer *answer;
  bool in_engine; /* from here on, no memory means no answer instead of an error */
  double parse_seconds, build_seconds;
  cli_progress progress;
  cli_exit exit;
  bp_reason reason;    /* why there is no answer, when exit is CLI_UNDECIDED */
  int signals;         /* how many had come when the verdicts were there */
  uint64_t show_until; /* when the time for traces is over; 0: never */
} cli_run;

/* Each step goes on where the one before it ended. False: the run is over and `exit` says how; what
 * there is to say was said, except that a command prints `undecided` itself. */
bool cli_run_read(cli_run *run, const cli_args *args);
bool cli_run_graph(cli_run *run);
bool cli_run_query(cli_run *run);
bool cli_run_add(cli_run *run, const char *target);
bool cli_run_add_asserts(cli_run *run);
bool cli_run_limit(cli_run *run); /* sets the limits that the command line asks for */
bool cli_run_decide(cli_run *run);

/* Ends the run because a call failed with `status` while the program was read or the query made. */
bool cli_run_fail(cli_run *run, bp_status status);
/* Ends the run without a verdict. */
bool cli_run_undecided(cli_run *run, bp_reason reason);
/* Says on standard error that a run ended so, for commands that have no verdicts. */
void cli_run_say_undecided(const cli_run *run);
/* Why a call answered BP_E_LIMIT, or another status that leaves things open. */
bp_reason cli_run_stop_reason(const cli_run *run, bp_status status);
/* True when a signal came or time ran out since the verdicts. */
bool cli_run_show_stopped(const cli_run *run);

/* Prints what --stats asks for, gives everything back, answers the exit status. */
cli_exit cli_run_end(cli_run *run);

#endif
