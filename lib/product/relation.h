/* SPDX-License-Identifier: MIT
 * Relations from heads to heads of one vertex: ENTRY copies are the values before, CURRENT copies those
 * after. A pair of relations tells ways without an accepting move and with one; what is in both may be
 * left out of the first. */
#ifndef BPI_RELATION_H
#define BPI_RELATION_H

#include "product/cycle.h"

/* The vertex, and what composing its relations needs. */
typedef struct bpi_frame_of {
  uint32_t vertex;
  const bpi_rename *to_move; /* ENTRY becomes CURRENT, CURRENT becomes NEXT */
  bpi_bdd before;            /* set: CURRENT copies of what is live */
} bpi_frame_of;

bool bpi_relation_begin(bpi_cycle *c, bpi_frame_of *f, uint32_t vertex);
void bpi_relation_end(bpi_cycle *c, bpi_frame_of *f);

/* The heads of the vertex, each to itself. */
bpi_bdd bpi_relation_identity(bpi_cycle *c, const bpi_frame_of *f);
/* `move` in the form of a move: as the image of something whose CURRENT copies are before it. */
bpi_pair bpi_relation_form(bpi_cycle *c, const bpi_frame_of *f, bpi_pair relation);
/* First one, then a relation in the form of a move. */
bpi_pair bpi_relation_compose(bpi_cycle *c, const bpi_frame_of *f, bpi_pair one, bpi_pair form);
/* *all becomes *all and `more`, which is given away; true when that changed it. When stopped *all is as
 * it was. */
bool bpi_relation_join(bpi_cycle *c, bpi_pair *all, bpi_pair more);
/* The transitive closure, by squaring. With `stop`, it ends as soon as bpi_relation_diagonal() has
 * something. False when stopped: called again it goes on. */
bool bpi_relation_close(bpi_cycle *c, const bpi_frame_of *f, bpi_pair *relation, bool stop);
/* The heads that are related to themselves by an accepting way, as far as executions reach them. */
bpi_bdd bpi_relation_diagonal(bpi_cycle *c, const bpi_frame_of *f, bpi_pair relation);

/* Which place is looked at next, and how many have been looked at since the relation changed. */
typedef struct bpi_pinning {
  uint32_t place, calm;
} bpi_pinning;
/* Without pairs that change a variable which only rises or only falls. False when stopped: called again
 * with the same `at`, which begins all zero, it goes on. */
bool bpi_relation_monotone(bpi_cycle *c, const bpi_frame_of *f, bpi_pair *relation,
                           bpi_pinning *at);

#endif
