/* SPDX-License-Identifier: MIT
 * Many queries, each with handles of its own, to be run at once. */
#ifndef TEST_CROWD_H
#define TEST_CROWD_H

#include "samples.h"

enum { MANY = 40 };

typedef struct crowd {
  handles at[MANY];
  bp_query *queries[MANY];
  bp_status statuses[MANY]; /* BP_END before a run */
  uint32_t count;
} crowd;

void add(crowd *c, const sample *s, uint32_t off);
/* A query about the graph of the first one, with a context and a manager of its own. */
void add_beside(crowd *c, const char *target, uint32_t off);
void drop(crowd *c);
bp_status run(crowd *c, uint32_t threads);

/* The query ran to its end and is right about the sample. */
void check_right(const crowd *c, uint32_t number, const sample *s);
/* All samples in turn. */
const sample *sample_of(uint32_t number);
void check_all_samples(uint32_t threads);

#endif
