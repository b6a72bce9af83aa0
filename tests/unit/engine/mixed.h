/* SPDX-License-Identifier: MIT
 * A program whose loops mix two dozen variables, so that sets grow large, for tests of what is tried in between. */
#ifndef MIXED_H
#define MIXED_H

#include "asked.h"

enum { MIXED_VARS = 24, FEW_LOOPS = 3, MANY_LOOPS = 30 };

/* `tail` stands in main behind a call of the loops. There are x0 to x23, `still`, which is 0, and, local to main,
 * a, b and c; callees check(m, n), with BAD inside, flip, same(m), copy, lose. To be freed. */
char *mixed_text(const char *tail, uint32_t loops);
/* Tails with BAD reachable, by another way than the exploration's own, which has not come to it. */
enum { MIXED_REACHABLE = 11 };
extern const char *const mixed_reachable[MIXED_REACHABLE];
/* A query about BAD in such a program with few loops. */
bp_query *ask_about_mixed(const char *tail, uint32_t off);
/* A tail about what main keeps and what callees change, at random, with a target that may be reachable. */
void put_mixed_tail(draft *t);

#endif
