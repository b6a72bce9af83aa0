/* SPDX-License-Identifier: MIT */
#include "engine/back.h"

enum { MOST_TARGETS = 16 }; /* of an assignment that has no relation yet */

void bpi_quantify(bpi_engine *e, bpi_bdd *all, bpi_bdd quant)
{
  const bpi_bdd rest = bpi_bdd_exists(e->m, *all, quant);
  bpi_bdd_drop(e->m, *all);
  bpi_bdd_drop(e->m, quant);
  *all = rest;
}

void bpi_target_places(const bpi_engine *e, const bpi_vertex *u, uint64_t *places)
{
  memset(places, 0, e->a.words * sizeof *places);
  if (u->kind != BPI_VERTEX_ASSIGN && u->kind != BPI_VERTEX_HAVOC && u->kind != BPI_VERTEX_CALL)
    return;
  const bpi_stmt s = bpi_stmt_at(e->p, u->stmt);
  for (uint32_t k = 0; k < s.targets.count; k++) {
    const uint32_t target = e->p->ids.at[s.targets.first + k];
    if (target != BP_NONE && e->a.var_matters[target]) bpi_bit_add(places, e->a.place[target]);
  }
}

void bpi_changed_places(const bpi_engine *e, const bpi_vertex *u, uint64_t *changed)
{
  bpi_target_places(e, u, changed);
  if (u->kind != BPI_VERTEX_CALL) return;
  const uint64_t *mod = bpi_proc_set(&e->a, e->a.mod, bpi_stmt_at(e->p, u->stmt).callee);
  for (uint32_t i = 0; i < e->a.words; i++)
    changed[i] |= mod[i];
}

/* `places` of `set` in another copy. */
static bpi_bdd to_copy(bpi_engine *e, bpi_bdd set, const uint64_t *places, bpi_copy from,
                       bpi_copy to)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < e->a.words; i++)
    count += (uint32_t)__builtin_popcountll(places[i]);
  e->vars.count = 0;
  if (!bpi_vec_reserve(&e->vars, 2 * count)) e->stop = BP_REASON_MEMORY;
  if (!count || !bpi_going(e)) return bpi_bdd_keep(e->m, set);
  uint32_t *const old = e->vars.at, *const new = old + count;
  for (uint32_t i = 0, k = 0; i < e->a.places; i++) {
    if (!bpi_bit(places, i)) continue;
    old[k] = bpi_bdd_var(e->layout.slot[i], from);
    new[k++] = bpi_bdd_var(e->layout.slot[i], to);
  }
  const bpi_rename *rename = bpi_bdd_rename_new(e->m, old, new, count);
  return rename ? bpi_bdd_rename(e->m, set, rename) : BPI_FALSE;
}

bpi_bdd bpi_to_next(bpi_engine *e, bpi_bdd set, const uint64_t *places)
{
  return to_copy(e, set, places, BPI_CURRENT, BPI_NEXT);
}

bpi_bdd bpi_to_current(bpi_engine *e, bpi_bdd set, const uint64_t *places)
{
  return to_copy(e, set, places, BPI_NEXT, BPI_CURRENT);
}

bpi_bdd bpi_results_set(bpi_engine *e, uint32_t proc)
{
  bpi_bdd set = BPI_TRUE;
  for (uint32_t r = 0; r < e->p->procs.at[proc].results; r++)
    bpi_conjoin(e, &set,
                bpi_bdd_literal(e->m, bpi_bdd_var(e->layout.result_slot[r], BPI_CURRENT), true));
  return set;
}

bool bpi_is_dear(bpi_engine *e, uint32_t vertex)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  if (v->kind != BPI_VERTEX_ASSIGN || bpi_stmt_at(e->p, v->stmt).targets.count <= MOST_TARGETS)
    return false;
  const bpi_body *body = bpi_body_of(e, v->proc);
  const uint32_t place = vertex - e->cfg->procs.at[v->proc].vertices.first;
  return body && !body->edges[body->spots[place].edge].made;
}

bpi_bdd bpi_before_edge(bpi_engine *e, uint32_t vertex, uint32_t i, bpi_bdd after)
{
  const bpi_vertex *u = &e->cfg->vertices.at[vertex];
  const bool any = u->kind == BPI_VERTEX_HAVOC;
  const bpi_edge *edge = bpi_edge_of(e, vertex, i);
  if (!edge) return BPI_FALSE;
  uint64_t *changed = e->sets;
  bpi_changed_places(e, u, changed);
  bpi_bdd set = any ? bpi_bdd_keep(e->m, after) : bpi_to_next(e, after, changed);
  const uint32_t last = edge->first + edge->count - 1;
  for (uint32_t k = edge->first; k < last; k++)
    bpi_conjoin(e, &set, bpi_bdd_keep(e->m, e->parts.at[k].rel));
  const bpi_bdd quant = bpi_place_set(e, changed, any ? BPI_CURRENT : BPI_NEXT);
  bpi_bdd before = bpi_bdd_and_exists(e->m, set, e->parts.at[last].rel, quant);
  bpi_bdd_drop(e->m, set);
  bpi_bdd_drop(e->m, quant);
  if (u->kind == BPI_VERTEX_RETURN) bpi_quantify(e, &before, bpi_results_set(e, u->proc));
  return before;
}

bpi_bdd bpi_before_enter(bpi_engine *e, const bpi_call *call, uint32_t callee, bpi_bdd inside)
{
  const bpi_analysis *a = &e->a;
  uint64_t *formals = e->sets, *locals = formals + a->words;
  memset(e->sets, 0, (size_t)2 * a->words * sizeof *e->sets);
  for (uint32_t i = a->globals; i < a->places; i++)
    bpi_bit_add(i < a->globals + a->formals[callee] ? formals : locals, i);
  bpi_bdd set = bpi_bdd_keep(e->m, inside);
  bpi_quantify(e, &set, bpi_place_set(e, locals, BPI_CURRENT));
  const bpi_bdd up = bpi_to_next(e, set, formals);
  bpi_bdd_drop(e->m, set);
  const bpi_bdd before = bpi_bdd_and_exists(e->m, up, call->args, call->formals_next);
  bpi_bdd_drop(e->m, up);
  return before;
}

bpi_bdd bpi_before_return(bpi_engine *e, const bpi_call *call, uint32_t vertex, bpi_bdd after)
{
  uint64_t *targets = e->sets, *locals = targets + e->a.words;
  bpi_target_places(e, &e->cfg->vertices.at[vertex], targets);
  const bpi_bdd up = bpi_to_next(e, after, targets);
  memset(locals, 0, e->a.words * sizeof *locals);
  for (uint32_t i = e->a.globals; i < e->a.places; i++)
    bpi_bit_add(locals, i);
  bpi_bdd quant = bpi_place_set(e, locals, BPI_CURRENT);
  bpi_conjoin(e, &quant, bpi_place_set(e, targets, BPI_NEXT));
  const bpi_bdd before = bpi_bdd_and_exists(e->m, up, call->results, quant);
  bpi_bdd_drop(e->m, up);
  bpi_bdd_drop(e->m, quant);
  return before;
}
