/* SPDX-License-Identifier: MIT
 * Single steps, forward and backward. */
#include "answer/mover.h"

void bpi_quantify(bpi_engine *e, bpi_bdd *all, bpi_bdd quant)
{
  const bpi_bdd rest = bpi_bdd_exists(e->m, *all, quant);
  bpi_bdd_drop(e->m, *all);
  bpi_bdd_drop(e->m, quant);
  *all = rest;
}

/* The places that a statement changes; a call those that its callee may change, too. */
void bpi_mover_changes(bpi_mover *mv, const bpi_vertex *u)
{
  const bpi_engine *f = mv->f;
  memset(mv->changed, 0, f->a.words * sizeof *mv->changed);
  const bpi_stmt stmt = bpi_stmt_at(f->p, u->stmt), *s = &stmt;
  if (u->kind != BPI_VERTEX_ASSIGN && u->kind != BPI_VERTEX_HAVOC && u->kind != BPI_VERTEX_CALL)
    return;
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = f->p->ids.at[s->targets.first + k];
    if (target != BP_NONE && f->a.place[target] != BP_NONE)
      bpi_bit_add(mv->changed, f->a.place[target]);
  }
  if (u->kind != BPI_VERTEX_CALL) return;
  const uint64_t *mod = bpi_proc_set(&f->a, f->a.mod, s->callee);
  for (uint32_t i = 0; i < f->a.words; i++)
    mv->changed[i] |= mod[i];
}

/* CURRENT copies of `places` become NEXT copies. */
bpi_bdd bpi_mover_to_next(bpi_mover *mv, bpi_bdd set, const uint64_t *places)
{
  bpi_engine *f = mv->f;
  mv->from.count = mv->to.count = 0;
  for (uint32_t i = 0; i < f->a.places; i++) {
    if (!bpi_bit(places, i)) continue;
    const uint32_t slot = f->layout.slot[i];
    if (!bpi_vec_push(&mv->from, bpi_bdd_var(slot, BPI_CURRENT)) ||
        !bpi_vec_push(&mv->to, bpi_bdd_var(slot, BPI_NEXT)))
      f->stop = BP_REASON_MEMORY;
  }
  if (!mv->from.count || !bpi_going(f)) return bpi_bdd_keep(f->m, set);
  const bpi_rename *rename = bpi_bdd_rename_new(f->m, mv->from.at, mv->to.at, mv->from.count);
  return rename ? bpi_bdd_rename(f->m, set, rename) : BPI_FALSE;
}

bpi_bdd bpi_mover_results(bpi_engine *f, uint32_t proc)
{
  bpi_bdd set = BPI_TRUE;
  for (uint32_t r = 0; r < f->p->procs.at[proc].results; r++)
    bpi_conjoin(f, &set,
                bpi_bdd_literal(f->m, bpi_bdd_var(f->layout.result_slot[r], BPI_CURRENT), true));
  return set;
}

bpi_bdd bpi_mover_back_edge(bpi_mover *mv, uint32_t vertex, uint32_t i, bpi_bdd after)
{
  bpi_engine *f = mv->f;
  const bpi_vertex *u = &f->cfg->vertices.at[vertex];
  const bpi_edge *edge = bpi_edge_of(f, vertex, i);
  if (!edge) return BPI_FALSE;
  if (u->stmt != BP_NONE)
    bpi_mover_changes(mv, u);
  else
    memset(mv->changed, 0, f->a.words * sizeof *mv->changed);
  bpi_bdd set = u->kind == BPI_VERTEX_HAVOC ? bpi_bdd_keep(f->m, after)
                                            : bpi_mover_to_next(mv, after, mv->changed);
  for (uint32_t k = edge->first; k < edge->first + edge->count; k++)
    bpi_conjoin(f, &set, bpi_bdd_keep(f->m, f->parts.at[k].rel));
  const bpi_copy copy = u->kind == BPI_VERTEX_HAVOC ? BPI_CURRENT : BPI_NEXT;
  bpi_quantify(f, &set, bpi_place_set(f, mv->changed, copy));
  if (u->kind == BPI_VERTEX_RETURN) bpi_quantify(f, &set, bpi_mover_results(f, u->proc));
  return set;
}

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

bpi_bdd bpi_mover_back_enter(bpi_mover *mv, const bpi_call *call, uint32_t callee, bpi_bdd inside)
{
  bpi_engine *f = mv->f;
  const bpi_analysis *a = &f->a;
  bpi_bdd set = bpi_bdd_keep(f->m, inside);
  memset(mv->changed, 0, a->words * sizeof *mv->changed);
  for (uint32_t i = a->globals + a->formals[callee]; i < a->places; i++)
    bpi_bit_add(mv->changed, i);
  bpi_quantify(f, &set, bpi_place_set(f, mv->changed, BPI_CURRENT));
  memset(mv->changed, 0, a->words * sizeof *mv->changed);
  for (uint32_t i = 0; i < a->formals[callee]; i++)
    bpi_bit_add(mv->changed, a->globals + i);
  const bpi_bdd up = bpi_mover_to_next(mv, set, mv->changed);
  bpi_bdd_drop(f->m, set);
  const bpi_bdd before = bpi_bdd_and_exists(f->m, up, call->args, call->formals_next);
  bpi_bdd_drop(f->m, up);
  return before;
}

bpi_bdd bpi_mover_back_return(bpi_mover *mv, uint32_t vertex, bpi_bdd lift, bpi_bdd after)
{
  bpi_engine *f = mv->f;
  bpi_mover_changes(mv, &f->cfg->vertices.at[vertex]);
  bpi_bdd set = bpi_mover_to_next(mv, after, mv->changed);
  bpi_conjoin(f, &set, bpi_bdd_keep(f->m, lift));
  bpi_quantify(f, &set, bpi_place_set(f, mv->changed, BPI_NEXT));
  return set;
}
