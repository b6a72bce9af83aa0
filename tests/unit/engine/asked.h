/* SPDX-License-Identifier: MIT
 * Queries about the label BAD of a program in memory, for the tests of the engine. */
#ifndef ASKED_H
#define ASKED_H

#include <bp/answer.h>

/* A text that is being written, and chances that are the same every time. */
typedef struct draft {
  char *start, *end; /* free() the start */
  uint32_t random;
} draft;

draft draft_begin(uint32_t random);
void put(draft *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Something below `count`. */
uint32_t pick(draft *t, uint32_t count);

/* A query that holds all that it needs. */
bp_query *ask_about(const char *text, uint32_t off);
/* Runs it in slices of `stride` images until it is decided, which the steps alone may delay, in fewer than
 * `most`. */
void run_in_slices(bp_query *q, uint64_t stride, uint64_t most);
/* Runs a query about what cannot be reached within a limit of nodes, then without; it is closed. */
void run_with_nodes(bp_query *q, uint64_t nodes);
bp_stats stats_of(bp_query *q);

#endif
