/* SPDX-License-Identifier: MIT
 * Makes a failing sequence of calls short: calls are dropped, many at once first, as long as it still
 * fails. Each attempt runs in a process of its own, so crashes and endless loops are failures too. */
#ifndef SHRINK_H
#define SHRINK_H

#include <stdbool.h>
#include <stdint.h>

/* Returns when all was right; else ends the process: _exit(), a signal. */
typedef void shrink_attempt(const uint32_t *calls, uint32_t count);

/* Whether an attempt fails; `aloud`: with what it says on standard error, and how it ended. */
bool shrink_fails(shrink_attempt *attempt, const uint32_t *calls, uint32_t count, bool aloud);
/* `calls` fails. Leaves a sequence that fails and of which no single call can be dropped; its length,
 * at least 1. */
uint32_t shrink(shrink_attempt *attempt, uint32_t *calls, uint32_t count);

#endif
