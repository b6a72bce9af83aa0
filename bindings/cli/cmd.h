/* SPDX-License-Identifier: MIT
 * The commands of bp. */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include "args.h"

struct cli_command {
  const char *name;
  unsigned bit;
  int least, most; /* operands; most -1: any number */
  const char *operands;
  const char *summary;
  const char *text; /* the body of its help */
  cli_exit (*run)(const cli_args *args);
  const char *usage; /* what help says behind `bp NAME`; NULL: options and operands */
};

cli_exit cmd_check(const cli_args *args);
cli_exit cmd_reach(const cli_args *args);
cli_exit cmd_ltl(const cli_args *args);
cli_exit cmd_configs(const cli_args *args);
cli_exit cmd_cfg(const cli_args *args);
cli_exit cmd_fmt(const cli_args *args);
cli_exit cmd_info(const cli_args *args);
cli_exit cmd_help(const cli_args *args);

/* All commands, ended by one without name. */
extern const cli_command cli_commands[];
const cli_command *cli_command_find(const char *name);
/* Says that there is no such command. */
void cli_command_unknown(const char *name);
/* Writes the help of a command, or with NULL of bp. */
void cli_help(const cli_command *command);

#endif
