/* SPDX-License-Identifier: MIT
 * Verdicts as text or JSON, for check and reach. */
#ifndef CLI_VERDICT_H
#define CLI_VERDICT_H

#include "run.h"

/* Prints the answer of a decided run, as the command line asks; sets the exit status. `targets` are
 * the targets as they were asked for, `asserts` tells whether assertions were asked about. */
void cli_verdict_print(cli_run *run, const char *const *targets, uint32_t count, bool asserts);

/* Prints that a run that never came to a query is undecided. */
void cli_verdict_undecided(cli_run *run, const char *const *targets, uint32_t count, bool asserts);

#endif
