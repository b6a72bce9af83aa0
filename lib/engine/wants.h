/* SPDX-License-Identifier: MIT
 * Executions that lead to a goal, found backwards (executions.c): states that are wanted at vertices, each in a frame.
 * The frame at the bottom stands for procedures that were entered by anybody and are not left before the goal; the
 * others each for a completed call, with what its caller keeps. */
#ifndef BPI_WANTS_H
#define BPI_WANTS_H

#include "engine/engine.h"

typedef struct bpi_call_frame {
  uint32_t parent; /* BP_NONE: of the frame at the bottom, whose procedure was entered by anybody */
  uint32_t newest; /* of those of which it is the parent; BP_NONE */
  uint32_t older;  /* of those of its parent; BP_NONE */
  uint32_t vertex; /* the call that its procedure goes back to */
  bpi_bdd kept;    /* values of the caller's locals */
  uint32_t behind; /* steps from the start of the program to the entry of its procedure, at least */
  uint32_t depth;
} bpi_call_frame;
typedef struct bpi_want {
  uint32_t frame, vertex;
  bpi_bdd passed; /* states that lead to the goal, passed on */
  bpi_bdd waits;  /* the same, not yet */
  uint32_t visits;
  uint32_t newest; /* of its parts in the log; BP_NONE */
} bpi_want;
/* What was taken at once, for a trace. */
typedef struct bpi_part_of_want {
  bpi_bdd set;
  uint32_t older; /* part of the same want; BP_NONE */
} bpi_part_of_want;
typedef struct bpi_executions {
  bpi_engine *e;                  /* that steps are made with; NULL: nothing was tried */
  BPI_VEC(bpi_call_frame) frames; /* the first one is the bottom */
  BPI_VEC(bpi_want) wants;
  uint32_t *table;           /* of the wants, open addressing: BP_NONE is free */
  uint32_t room;             /* of the table, a power of two */
  uint32_t *behind;          /* by vertex, then by procedure: bpi_behind() */
  BPI_VEC(bpi_waiting) heap; /* wants where states wait */
  bpi_bdd start;             /* where runs start */
  uint64_t images;           /* so far, for all goals */
  uint32_t round;            /* of all the goals */
  uint64_t slice;            /* of them, for a goal in this round */
  uint64_t first;            /* how many there were when the goal at work began */
  uint64_t most;             /* images, until when in this pause */
  uint32_t goal;             /* at work */
  uint32_t want;             /* at work, and what is passed on; BP_NONE: none */
  bpi_bdd set;
  BPI_VEC(bpi_part_of_want) log; /* of what was taken so far, the oldest first */
  bool logs;   /* for a trace: the log is kept, and all ways begin at the start of the program */
  bool begun;  /* the goal at work is in the heap */
  bool again;  /* there is something for one more round */
  bool halted; /* the pause was stopped */
  bool off;    /* there is nothing to gain any more */
} bpi_executions;

/* The number of what is wanted there, BP_NONE: nothing was. */
uint32_t bpi_want_at(const bpi_executions *x, uint32_t frame, uint32_t vertex);
/* Forgets what is wanted, and frames. */
void bpi_wants_forget(bpi_executions *x);
/* Whether a frame above may be made for a call that can be come to. */
bool bpi_room_for_frame(const bpi_executions *x, uint32_t frame, uint32_t vertex);
/* The frame for a call, with `kept`, which is given away; BP_NONE and e->stop without memory. */
uint32_t bpi_call_frame_of(bpi_executions *x, uint32_t parent, uint32_t vertex, bpi_bdd kept);
/* Adds what is new in `set`, which is given away, to the states that are wanted at a vertex. */
void bpi_wants_add(bpi_executions *x, uint32_t frame, uint32_t vertex, bpi_bdd set);
/* Takes (a part of) what is wanted nearest to the start of the program, of which there is something. False when
 * stopped. */
bool bpi_wants_take(bpi_executions *x);
/* What was taken but not passed on after all, which is given away, waits again. */
void bpi_wants_put_back(bpi_executions *x, uint32_t want, bpi_bdd later);

#endif
