/* SPDX-License-Identifier: MIT
 * What pre* and post* share: transitions that grow, and a queue of those that have something new. */
#ifndef BPI_SATURATE_H
#define BPI_SATURATE_H

#include "pushdown/pushdown.h"

typedef struct bpi_saturation {
  bpi_run *run;
  bp_configurations *c;
  BPI_VEC(bpi_bdd) news; /* by transition: what was not passed on yet; it waits unless FALSE */
  BPI_VEC(uint32_t) queue;
  uint32_t head;        /* of the queue */
  bpi_factors *factors; /* by rule; empty: not needed so far */
} bpi_saturation;

/* Begins with a copy of `from`, all of whose transitions wait. False: the run failed; end it anyway. */
bool bpi_saturation_begin(bpi_saturation *s, bpi_run *run, const bp_configurations *from);
/* Gives the set away if all went well. */
bp_configurations *bpi_saturation_end(bpi_saturation *s);
/* Adds to a transition; `rel` is given away. */
void bpi_saturation_add(bpi_saturation *s, uint32_t from, uint32_t symbol, uint32_t to,
                        bpi_bdd rel);
/* The next transition and, given away, what is new; BP_NONE: there is none, or the run failed. */
uint32_t bpi_saturation_take(bpi_saturation *s, bpi_bdd *news);
/* How a saturation applies a rule: the copies that it reads, and the set of those that it quantifies. Of each rule always
 * the same. */
typedef struct bpi_application {
  const bpi_view *view;
  bpi_bdd set;
  bool rename; /* as bpi_bdd_image() does */
} bpi_application;
/* The image of `at` by a rule. */
bpi_bdd bpi_saturation_image(bpi_saturation *s, uint32_t rule, const bpi_application *how,
                             bpi_bdd at);
/* What of `set` (given away) is new in *all, which gains it. */
bpi_bdd bpi_saturation_news(bpi_saturation *s, bpi_bdd *all, bpi_bdd set);

#endif
