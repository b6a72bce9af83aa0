/* SPDX-License-Identifier: MIT
 * One run of a command, from the file to the verdicts. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "args.h"
#include "screen.h"

#include <bp/bp.h>

/* One of the queries that share out the targets of a run: it has a stretch of them. */
typedef struct cli_part {
  bp_context *ctx;
  bp_manager *manager;
  bp_answer *answer;
  uint32_t first; /* the number of its first target */
  cli_ticker ticker;
} cli_part;

/* What bp configs computed. */
typedef struct cli_set_stats {
  double engine_seconds;
  uint64_t images;
  uint32_t transitions; /* of all that is reached */
  bp_manager_stats manager;
} cli_set_stats;

typedef struct cli_run {
  const cli_args *args;
  const char *file;   /* as given */
  bool named;         /* it stands before each answer */
  uint32_t jobs;      /* threads for this run */
  uint64_t start;     /* cli_now_ns() */
  bp_context *reader; /* for all that comes before there are parts */
  bp_program *program;
  bp_cfg *cfg;
  cli_part *parts;
  bp_query **queries;  /* of the parts, NULL behind the last */
  bp_status *statuses; /* what the queries came to */
  uint32_t part_count, target_count;
  bp_context *ctx; /* of the part at hand, as the next two; borrowed */
  bp_query *query;
  bp_answer *answer;
  bp_ltl *ltl;              /* of bp ltl, which has no parts */
  const cli_set_stats *set; /* of bp configs, which has none either */
  bool at_option;           /* an expression of an option is being read */
  bool in_engine;           /* from here on, no memory means no answer instead of an error */
  double parse_seconds, build_seconds;
  cli_exit exit;
  bp_reason reason;    /* why there is no answer, when exit is CLI_UNDECIDED */
  int signals;         /* how many had come when the verdicts were there */
  uint64_t show_until; /* when the time for traces is over; 0: never */
} cli_run;

/* Each step goes on where the one before it ended. False: the run is over and `exit` says how; what
 * there is to say was said, except that a command prints `undecided` itself. */
bool cli_run_read(cli_run *run, const cli_args *args, const char *file);
bool cli_run_graph(cli_run *run);
/* The limits of the command line for a call that begins now; false: time is over. */
bool cli_run_limits(cli_run *run, bp_limits *limits);
/* From now on what is computed serves to show a verdict, when `signals` had come: limits for that. */
bp_limits cli_run_show(cli_run *run, int signals);
/* Stops reading a file when time is over or a signal came: for cli_read_file(). */
bool cli_run_stop_reading(void *run);
bool cli_run_query(cli_run *run,
                   uint32_t targets); /* as many queries as jobs, for so many targets */
bool cli_run_add_all(cli_run *run, const char *const *targets, uint32_t count, uint32_t asserts);
bool cli_run_limit(cli_run *run); /* sets the limits that the command line asks for */
bool cli_run_decide(cli_run *run);

/* The two halves of cli_run_decide(): all queries are run, at the same time; then the answers of each
 * run are taken, when `signals` had come. */
void cli_run_queries(bp_query *const *queries, bp_status *statuses, uint32_t jobs);
bool cli_run_answers(cli_run *run, const bp_status *statuses, int signals);

/* How a document is written that the library makes. */
bp_json_options cli_run_json_options(const cli_run *run);

/* Takes the part in hand that a target belongs to; answers the number of the target in it. */
uint32_t cli_run_turn_to(cli_run *run, uint32_t target);

/* Ends the run because a call failed with `status` while the program was read or the query made. */
bool cli_run_fail(cli_run *run, bp_status status);
/* Ends the run without a verdict. */
bool cli_run_undecided(cli_run *run, bp_reason reason);
/* Says on standard error that a run ended so, for commands that have no verdicts. */
void cli_run_say_undecided(const cli_run *run);
/* Why a call answered BP_E_LIMIT, or another status that leaves things open. */
bp_reason cli_run_stop_reason(const cli_run *run, bp_status status);
/* Says that something is not complete, and why, if the status says so; the verdict stands. */
void cli_run_say_cut(cli_run *run, bp_status status, const char *what);
/* True when a signal came or time ran out since the verdicts. */
bool cli_run_show_stopped(const cli_run *run);

/* Prints what --stats asks for, gives everything back, answers the exit status. */
cli_exit cli_run_end(cli_run *run);

#endif
