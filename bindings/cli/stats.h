/* SPDX-License-Identifier: MIT
 * The counters of --stats. */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include "run.h"

/* Writes `name: value` lines to standard error. */
void cli_stats_print(const cli_run *run);

#endif
