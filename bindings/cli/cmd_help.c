/* SPDX-License-Identifier: MIT
 * bp help, and the table of commands. */
#include "cmd.h"

#include <stdio.h>
#include <string.h>

const cli_command cli_commands[] = {
    {"check", CLI_CHECK, 1, -1, "FILE...", "can an assertion fail?",
     "Prints `check: safe`, or a line for each assertion that can fail, with a trace.\n"
     "With several FILEs, these lines begin with the FILE.\n",
     cmd_check, NULL},
    {"reach", CLI_REACH, 1, -1, "FILE TARGET...", "can control reach these targets?",
     "A TARGET is a label (R or proc:R) or a line (12 or proc:12); a label that several\n"
     "statements carry means any of them. label:X is the label X, also when X is a number.\n"
     "Prints a line for each target, with a trace when it is reachable.\n",
     cmd_reach, NULL},
    {"ltl", CLI_LTL, 1, 2, "FILE FORMULA", "does every infinite execution satisfy the formula?",
     "FORMULA is linear temporal logic over labels, variables and places: G (L -> F \"g & !h\"),\n"
     "F terminated; X F G, U R W M, ! && || -> <->. An execution that ends by the entry's return\n"
     "or a failed assertion goes on for ever with `terminated` or `failed`.\n"
     "Prints `ltl: holds`, or `ltl: VIOLATED` with an execution that repeats its end for ever.\n",
     cmd_ltl, "[OPTION...] FILE FORMULA\n       bp ltl --automaton HOA [OPTION...] FILE"},
    {"configs", CLI_CONFIGS, 1, 1, "FILE", "the stacks with which a TARGET is reached",
     "A TARGET is a label or a line, spelled as for reach. Prints `configs: TARGET\n"
     "unreachable`, or `reachable` and all stacks as regular expressions, from the top: where\n"
     "the target stands, then the calls that have not come back, PROC:LINE. `|` is or, `*` any\n"
     "number of times, `?` maybe; `<1>` stands for what the line `<1> = ...` says.\n",
     cmd_configs, "[OPTION...] FILE --at TARGET"},
    {"cfg", CLI_CFG, 1, 1, "FILE", "the control-flow graphs as Graphviz",
     "Prints one digraph with a cluster for each procedure.\n", cmd_cfg, NULL},
    {"fmt", CLI_FMT, 1, -1, "FILE", "the program, parsed and printed again",
     "What it prints parses to the same program.\n"
     "With --chc it prints constrained Horn clauses in SMT-LIB 2 instead, for solvers such as\n"
     "`z3 -in`: sat when no TARGET given behind FILE (spelled as for reach) can be reached,\n"
     "or without TARGET no assertion can fail; else unsat. With --pushdown it prints the\n"
     "pushdown system that the program is, as text.\n",
     cmd_fmt, "[OPTION...] FILE\n       bp fmt --chc [OPTION...] FILE [TARGET...]"},
    {"info", CLI_INFO, 1, 1, "FILE", "procedures, variables, statements, call depth, recursion",
     "Reads concurrent programs too.\n", cmd_info, NULL},
    {"help", CLI_HELP, 0, 1, "[COMMAND]", "this text, or that of a command", "", cmd_help, NULL},
    {0},
};

const cli_command *cli_command_find(const char *name)
{
  for (const cli_command *c = cli_commands; c->name; c++)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}

static void print_options(unsigned mask)
{
  const char *spelling, *text;
  for (int i = 0; cli_option_help(i, mask, &spelling, &text); i++) {
    if (strlen(spelling) > 21)
      printf("  %s\n  %-21s %s\n", spelling, "", text);
    else
      printf("  %-21s %s\n", spelling, text);
  }
}

static void print_overview(void)
{
  fputs("usage: bp COMMAND [OPTION...] FILE...\n\n"
        "bp model-checks boolean programs. FILE - is standard input.\n\ncommands:\n",
        stdout);
  for (const cli_command *c = cli_commands; c->name; c++)
    printf("  %-7s %-15s %s\n", c->name, c->operands, c->summary);
  fputs("\n'bp help COMMAND' lists its options; 'bp --version' tells the version.\n\n"
        "exit status: 0 holds, 1 violated or reachable, 2 error, 3 undecided\n",
        stdout);
}

void cli_help(const cli_command *command)
{
  if (!command) {
    print_overview();
    return;
  }
  printf("usage: bp %s ", command->name);
  if (command->usage)
    fputs(command->usage, stdout);
  else
    printf("[OPTION...] %s", command->operands);
  printf("\n\n%s: %s\n", command->name, command->summary);
  fputs(command->text, stdout);
  fputs("\noptions:\n", stdout);
  print_options(command->bit);
}

cli_exit cmd_help(const cli_args *args)
{
  if (!args->operand_count) {
    cli_help(NULL);
    return CLI_HOLDS;
  }
  const cli_command *command = cli_command_find(args->operands[0]);
  if (command)
    cli_help(command);
  else
    cli_command_unknown(args->operands[0]);
  return command ? CLI_HOLDS : CLI_TROUBLE;
}
