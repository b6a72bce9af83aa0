/* SPDX-License-Identifier: MIT
 * Single steps of calls, forward and backward. */
#include "answer/mover.h"

/* Local places. */
bpi_bdd bpi_mover_locals(bpi_mover *mv, bpi_copy copy)
{
  const bpi_analysis *a = &mv->f->a;
  memset(mv->changed, 0, a->words * sizeof *mv->changed);
  for (uint32_t i = a->globals; i < a->places; i++)
    bpi_bit_add(mv->changed, i);
  return bpi_place_set(mv->f, mv->changed, copy);
}

/* Into a callee, with every global: those that it does not touch keep their values there. */
bpi_bdd bpi_mover_enter(bpi_mover *mv, const bpi_call *call, bpi_bdd before)
{
  bpi_engine *f = mv->f;
  const bpi_bdd locals = bpi_mover_locals(mv, BPI_CURRENT);
  const bpi_bdd inside = bpi_bdd_image(f->m, before, call->args, locals);
  bpi_bdd_drop(f->m, locals);
  return inside;
}

bpi_bdd bpi_mover_back_return(bpi_mover *mv, uint32_t vertex, bpi_bdd lift, bpi_bdd after)
{
  bpi_engine *f = mv->f;
  bpi_changed_places(f, &f->cfg->vertices.at[vertex], mv->changed);
  bpi_bdd set = bpi_to_next(f, after, mv->changed);
  bpi_conjoin(f, &set, bpi_bdd_keep(f->m, lift));
  bpi_quantify(f, &set, bpi_place_set(f, mv->changed, BPI_NEXT));
  return set;
}
