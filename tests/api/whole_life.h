/* SPDX-License-Identifier: MIT
 * Everything that a host can do, from the first handle to the last, in one call. */
#ifndef TEST_WHOLE_LIFE_H
#define TEST_WHOLE_LIFE_H

#include "samples.h"

/* Makes the handles, asks everything, takes an answer, writes documents, builds a program, asks the
 * one-call door. Stops at the first status other than BP_OK and returns it; the handles stay open. */
bp_status whole_life(handles *h, const sample *s, facts *f);
/* The statuses that missing memory may give. */
int is_shortage(bp_status status);

#endif
