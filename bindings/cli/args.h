/* SPDX-License-Identifier: MIT
 * The command line: what was asked for. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include "exit.h"

#include <bp/ltl.h>
#include <stdbool.h>

typedef struct cli_command cli_command;

typedef struct cli_args {
  const cli_command *command; /* NULL: none was named */
  const char **operands; /* behind the command; operands[0] is FILE where the command has one */
  int operand_count;
  bool help, version;

  bp_program_options reading;
  bool language_given; /* otherwise the name of the file tells */
  const char *when, *init;
  uint64_t timeout_ms, max_nodes, max_steps, max_megabytes; /* 0: no limit */
  uint32_t jobs;                                            /* threads, at least 1 */
  bp_kernel kernel;
  bool sift;
  uint32_t engine_off; /* bits of bp_engine */
  bp_ltl_search search;
  const char *automaton; /* the file of --automaton */
  uint32_t levels;       /* opened levels of completed calls; BP_NONE: all */
  bool asserts, no_trace, shortest, reverse, reached, chc, boolean, pushdown, json, stats, quiet;
  bool any_trace, print_automaton, no_safety, no_monotone;
  const char *at, *below, *not_below; /* of bp configs */
  bool data, dot;
} cli_args;

/* A command takes the options that have its bit. */
enum {
  CLI_CHECK = 1u << 0,
  CLI_REACH = 1u << 1,
  CLI_CFG = 1u << 2,
  CLI_FMT = 1u << 3,
  CLI_INFO = 1u << 4,
  CLI_HELP = 1u << 5,
  CLI_LTL = 1u << 6,
  CLI_CONFIGS = 1u << 7
};

/* Reads the command line. False after a message about a usage error. */
bool cli_args_read(cli_args *args, int argc, char **argv);
bp_manager_options cli_manager_options(const cli_args *args);
void cli_args_free(cli_args *args);

/* Says what is wrong with the command line, and where help is. */
void cli_usage_error(const cli_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The index-th option that the commands of `mask` take, for help: false behind the last. */
bool cli_option_help(int index, unsigned mask, const char **spelling, const char **text);

#endif
