/* SPDX-License-Identifier: MIT
 * SIGINT and SIGTERM: they stop the library's running call, not the process. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <bp/ltl.h>

/* Sends the signals to the context's calls, and to those of the queries once there are some: NULL
 * stands behind the last. NULL takes them back; do so before giving up the references. */
void cli_interrupt_context(bp_context *ctx);
void cli_interrupt_queries(bp_query *const *queries);
/* The same for a question of temporal logic. */
void cli_interrupt_ltl(bp_ltl *ltl);
/* How many signals came so far. */
int cli_interrupt_count(void);

#endif
