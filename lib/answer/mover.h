/* SPDX-License-Identifier: MIT
 * How the states of a trace move: the transitions that leave no variable out, forward and backward,
 * along edges (engine/back.h) and calls (mover.c), from one listed step to the next (route.c), through
 * the calls of a listing (effect.c). frame.c puts them together.
 *
 * Everything here answers with something worthless when the exploration is not going any more. */
#ifndef BPI_MOVER_H
#define BPI_MOVER_H

#include "answer/trace.h"
#include "engine/back.h"

typedef struct bpi_mover {
  bp_trace *t;
  bpi_engine *f; /* the exploration of everything */
  uint64_t *changed;
} bpi_mover;

static inline uint32_t bpi_step_callee(const bpi_engine *f, const bpi_step *step)
{
  return bpi_stmt_callee(f->p, f->cfg->vertices.at[step->vertex].stmt);
}

/* ---- mover.c ------------------------------------------------------------- */

/* The set of all local places. */
bpi_bdd bpi_mover_locals(bpi_mover *mv, bpi_copy copy);
/* Into a callee that is not left again, with every global. */
bpi_bdd bpi_mover_enter(bpi_mover *mv, const bpi_call *call, bpi_bdd before);
/* The states before a completed call, by a lifted summary. */
bpi_bdd bpi_mover_back_return(bpi_mover *mv, uint32_t vertex, bpi_bdd lift, bpi_bdd after);

/* ---- route.c ------------------------------------------------------------- */

/* The vertex of the first listed step of a path from step `i` on; behind the last one the exit. */
uint32_t bpi_route_next(const bpi_mover *mv, const bpi_path *path, uint32_t i);
/* The states with which `goal` is reached silently from `set` (given away) at a vertex. */
bpi_bdd bpi_route_arrive(bpi_mover *mv, uint32_t vertex, bpi_bdd set, uint32_t goal);
/* The states at `from` from which `goal` is reached silently in `set`. */
bpi_bdd bpi_route_depart(bpi_mover *mv, uint32_t from, uint32_t goal, bpi_bdd set);
/* The same before the statement at `vertex`, over all of its edges. */
bpi_bdd bpi_route_back(bpi_mover *mv, uint32_t vertex, uint32_t goal, bpi_bdd set);
/* The states at the next listed step, or the end, after listed step `i`; a call by `lift`. */
bpi_bdd bpi_route_step(bpi_mover *mv, const bpi_path *path, uint32_t i, bpi_bdd before,
                       bpi_bdd lift);

/* ---- effect.c ------------------------------------------------------------ */

/* The lifted summary of a call step of a frame as it is listed: closed, every run of the callee;
 * opened, the runs that follow the steps listed inside. */
bpi_bdd bpi_effect_lift(bpi_mover *mv, const bpi_frame *frame, const bpi_step *step,
                        bpi_bdd before);
/* A summary of the callee for the pair of states alone with which the path passes a call. What the path
 * does not record is free. */
bpi_bdd bpi_effect_pinned(bpi_mover *mv, const bpi_path *path, const bpi_step *step);

#endif
