/* SPDX-License-Identifier: MIT
 * Steps of traces as JSON, for documents with traces in them. */
#ifndef BPI_STEPS_H
#define BPI_STEPS_H

#include "base/json.h"
#include "base/vec.h"

#include <bp/trace.h>

/* The value of a number or bool, if all of it is known. */
typedef struct bpi_element {
  int known;
  uint64_t value;
} bpi_element;

typedef struct bpi_steps {
  bpi_json *json;
  const bp_program *p; /* that the steps speak of */
  uint32_t proc;       /* whose scope is in `data`; BP_NONE: none yet */
  uint32_t depth;      /* added to the depth of each step */
  uint64_t count;      /* steps so far */
  BPI_VEC(uint32_t) data;
  BPI_VEC(bpi_element) values; /* of their elements, one datum after the other */
} bpi_steps;

void bpi_steps_init(bpi_steps *s, bpi_json *json, const bp_program *p);
void bpi_steps_clear(bpi_steps *s);

/* Writes the steps of a trace, as elements of an array that is open. After each one `poll` is asked; what
 * it answers other than BP_OK ends the walk. */
bp_status bpi_steps_put(bpi_steps *s, bp_trace *trace, bp_status (*poll)(void *user), void *user);

#endif
