/* SPDX-License-Identifier: MIT
 * Stages. What procedures that share a body come to know depends on what they are told alone: contexts to begin
 * with, summaries at their calls. So a twin that is told the same in the same order goes through the same
 * stages, and what was found out for the first one at each of them, a turn, holds for all.
 *
 * A stage holds what is known; an instance that is at a stage borrows it, and takes a copy of its own before it
 * goes on to something that no other has met so far. */
#ifndef BPI_STAGE_H
#define BPI_STAGE_H

#include "engine/body.h"

/* One way from a stage to the next. */
typedef struct bpi_turn {
  uint32_t node;    /* what waited there was passed on; BP_NONE: contexts came */
  bpi_bdd told;     /* these contexts; at a call, the callee's summary */
  bpi_bdd contexts; /* in which the callee was entered */
  bpi_stage *next;
} bpi_turn;

struct bpi_stage {
  bpi_fact *facts; /* as in an instance */
  bpi_bdd entries, summary;
  uint64_t waiting; /* nodes with a delta */
  BPI_VEC(bpi_turn) turns;
};

/* Lets an instance of which nothing is known begin at the first stage of its body, if it has twins. */
void bpi_stage_begin(bpi_engine *e, bpi_instance *in);
/* The turn that an instance at a stage takes, NULL: it is not known. */
bpi_turn *bpi_stage_turn(const bpi_instance *in, uint32_t node, bpi_bdd told);
/* Takes a turn, and those behind it that concern nobody else. */
void bpi_stage_take(bpi_engine *e, bpi_instance *in, bpi_turn *turn);
/* What the instance knows becomes its own. False and e->stop without memory. */
bool bpi_stage_leave(bpi_engine *e, bpi_instance *in);
/* What the instance knows now is the stage behind `turn`, whose BDDs are kept, from stage `from`. The instance
 * is at that stage then, as far as there is room for another. */
void bpi_stage_note(bpi_engine *e, bpi_instance *in, bpi_stage *from, bpi_turn turn);
void bpi_stages_free(bpi_engine *e, bpi_body *body);

#endif
