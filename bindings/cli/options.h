/* SPDX-License-Identifier: MIT
 * The options of all commands: what help, the reader of the command line and its messages know of them. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

typedef enum option_id {
  OPT_ENTRY,
  OPT_PRECEDENCE,
  OPT_STRICT,
  OPT_DEAD,
  OPT_FALL_OFF,
  OPT_UNDECLARED,
  OPT_LANGUAGE,
  OPT_OVERFLOW,
  OPT_LOCALS,
  OPT_INIT,
  OPT_WHEN,
  OPT_ASSERTS,
  OPT_TIMEOUT,
  OPT_MAX_NODES,
  OPT_MAX_MEMORY,
  OPT_MAX_STEPS,
  OPT_NO_TRACE,
  OPT_EXPAND,
  OPT_SHORTEST,
  OPT_ANY_TRACE,
  OPT_REVERSE,
  OPT_REACHED,
  OPT_CHC,
  OPT_BOOLEAN,
  OPT_PUSHDOWN,
  OPT_JSON,
  OPT_STATS,
  OPT_QUIET,
  OPT_JOBS,
  OPT_KERNEL,
  OPT_SIFT,
  OPT_ENGINE_OFF,
  OPT_AUTOMATON,
  OPT_PRINT_AUTOMATON,
  OPT_SEARCH,
  OPT_LTL_OFF,
  OPT_AT,
  OPT_BELOW,
  OPT_NOT_BELOW,
  OPT_DATA,
  OPT_DOT,
  OPT_HELP,
  OPT_VERSION,
  OPTION_COUNT
} option_id;

typedef enum option_value { NO_VALUE, VALUE, MAYBE_VALUE } option_value;

typedef struct option {
  const char *name;
  option_value value;
  unsigned commands;
  const char *spelling, *text; /* for help; NULL: not shown there */
} option;

/* By option_id. */
extern const option cli_options[];

#endif
