/* SPDX-License-Identifier: MIT
 * From one listed step to the next. Several edges, and several silent ways (through declarations,
 * enforce statements, the end of a body), can lead there: executions that take any of them follow the
 * listed steps. */
#include "answer/mover.h"

/* A vertex under way, with the states there. */
typedef struct stop {
  uint32_t vertex;
  bpi_bdd set;
} stop;

typedef BPI_VEC(stop) stops;

static void drop_stops(bpi_mover *mv, stops *list)
{
  for (uint32_t i = 0; i < list->count; i++)
    bpi_bdd_drop(mv->f->m, list->at[i].set);
  bpi_vec_free(list);
}

/* Adds states (given away) to those of a vertex under way. */
static void add_stop(bpi_mover *mv, stops *list, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *f = mv->f;
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->at[i].vertex != vertex) continue;
    const bpi_bdd both = bpi_bdd_or(f->m, list->at[i].set, set);
    bpi_bdd_drop(f->m, list->at[i].set);
    bpi_bdd_drop(f->m, set);
    list->at[i].set = both;
    return;
  }
  if (bpi_vec_push(list, (stop){vertex, set})) return;
  bpi_bdd_drop(f->m, set);
  f->stop = BP_REASON_MEMORY;
}

/* The stop that comes first in the procedure's order, moved to the end of the list: what leads to it
 * comes before it, as there is no silent loop. */
static stop take_first(const bpi_mover *mv, stops *list)
{
  uint32_t first = 0;
  for (uint32_t i = 1; i < list->count; i++)
    if (bpi_place_of(mv->f->cfg, list->at[i].vertex) <
        bpi_place_of(mv->f->cfg, list->at[first].vertex))
      first = i;
  const stop taken = list->at[first];
  list->at[first] = list->at[--list->count];
  return taken;
}

static bool silent(const bpi_mover *mv, uint32_t vertex)
{
  const bpi_vertex *v = &mv->f->cfg->vertices.at[vertex];
  return !v->weight && v->kind != BPI_VERTEX_EXIT;
}

static void leave_along_edges(bpi_mover *mv, stops *list, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *f = mv->f;
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  for (uint32_t i = 0; i < bpi_succs(v).count && bpi_engine_tick(f); i++) {
    const bpi_edge *edge = bpi_edge_of(f, vertex, i);
    if (edge) add_stop(mv, list, f->cfg->succs.at[bpi_succs(v).first + i], bpi_image(f, edge, set));
  }
}

/* The states with which `goal` is reached silently from those under way (the list is used up). */
static bpi_bdd arrive(bpi_mover *mv, stops *list, uint32_t goal)
{
  bpi_engine *f = mv->f;
  bpi_bdd all = BPI_FALSE;
  while (list->count) {
    const stop now = take_first(mv, list);
    if (now.vertex == goal) {
      const bpi_bdd both = bpi_bdd_or(f->m, all, now.set);
      bpi_bdd_drop(f->m, all);
      all = both;
    } else if (silent(mv, now.vertex) && now.set != BPI_FALSE && bpi_going(f)) {
      leave_along_edges(mv, list, now.vertex, now.set);
    }
    bpi_bdd_drop(f->m, now.set);
  }
  bpi_vec_free(list);
  return all;
}

bpi_bdd bpi_route_arrive(bpi_mover *mv, uint32_t vertex, bpi_bdd set, uint32_t goal)
{
  stops list = {0};
  add_stop(mv, &list, vertex, set);
  return arrive(mv, &list, goal);
}

/* The vertices on silent ways from `from`, `from` first, each after all that lead to it. */
static bool list_region(bpi_mover *mv, stops *region, uint32_t from)
{
  const bp_cfg *cfg = mv->f->cfg;
  stops open = {0};
  add_stop(mv, &open, from, BPI_FALSE);
  while (open.count) {
    const stop now = take_first(mv, &open);
    const bpi_vertex *v = &cfg->vertices.at[now.vertex];
    add_stop(mv, region, now.vertex, BPI_FALSE);
    for (uint32_t i = 0; silent(mv, now.vertex) && i < bpi_succs(v).count; i++)
      add_stop(mv, &open, cfg->succs.at[bpi_succs(v).first + i], BPI_FALSE);
  }
  bpi_vec_free(&open);
  return bpi_going(mv->f);
}

static bpi_bdd states_at(const stops *region, uint32_t vertex)
{
  for (uint32_t i = 0; i < region->count; i++)
    if (region->at[i].vertex == vertex) return region->at[i].set;
  return BPI_FALSE;
}

/* The states at a vertex from which one of its edges leads to the states of the region. */
static bpi_bdd before_edges(bpi_mover *mv, uint32_t vertex, const stops *region)
{
  bpi_engine *f = mv->f;
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  bpi_bdd all = BPI_FALSE;
  for (uint32_t i = 0; i < bpi_succs(v).count && bpi_engine_tick(f); i++) {
    const bpi_bdd after = states_at(region, f->cfg->succs.at[bpi_succs(v).first + i]);
    if (after == BPI_FALSE) continue;
    const bpi_bdd before = bpi_before_edge(f, vertex, i, after);
    const bpi_bdd both = bpi_bdd_or(f->m, all, before);
    bpi_bdd_drop(f->m, all);
    bpi_bdd_drop(f->m, before);
    all = both;
  }
  return all;
}

/* The states at every vertex of the region from which `goal` is reached silently in `set`. */
static void fill_region(bpi_mover *mv, stops *region, uint32_t goal, bpi_bdd set)
{
  for (uint32_t i = region->count; i-- > 0;) {
    stop *s = &region->at[i];
    if (s->vertex == goal)
      s->set = bpi_bdd_keep(mv->f->m, set);
    else if (silent(mv, s->vertex))
      s->set = before_edges(mv, s->vertex, region);
  }
}

/* The states at `from` from which `goal` is reached silently in `set`. */
bpi_bdd bpi_route_depart(bpi_mover *mv, uint32_t from, uint32_t goal, bpi_bdd set)
{
  stops region = {0};
  if (list_region(mv, &region, from)) fill_region(mv, &region, goal, set);
  const bpi_bdd states = bpi_bdd_keep(mv->f->m, states_at(&region, from));
  drop_stops(mv, &region);
  return states;
}

/* The same for what follows an edge of `vertex`. */
bpi_bdd bpi_route_back(bpi_mover *mv, uint32_t vertex, uint32_t goal, bpi_bdd set)
{
  const bp_cfg *cfg = mv->f->cfg;
  const bpi_vertex *v = &cfg->vertices.at[vertex];
  bpi_bdd all = BPI_FALSE;
  for (uint32_t i = 0; i < bpi_succs(v).count && bpi_engine_tick(mv->f); i++) {
    const bpi_bdd after = bpi_route_depart(mv, cfg->succs.at[bpi_succs(v).first + i], goal, set);
    const bpi_bdd before = bpi_before_edge(mv->f, vertex, i, after);
    const bpi_bdd both = bpi_bdd_or(mv->f->m, all, before);
    bpi_bdd_drop(mv->f->m, after);
    bpi_bdd_drop(mv->f->m, before);
    bpi_bdd_drop(mv->f->m, all);
    all = both;
  }
  return all;
}

/* The vertex of the first listed step of a path from step `i` on; behind the last one, the exit of
 * the procedure (a way through it) or the last vertex (a way to a target). */
uint32_t bpi_route_next(const bpi_mover *mv, const bpi_path *path, uint32_t i)
{
  while (i < path->steps.count && !bpi_step_listed(mv->t, &path->steps.at[i]))
    i++;
  if (i < path->steps.count) return path->steps.at[i].vertex;
  const bpi_step *last = i ? &path->steps.at[i - 1] : NULL;
  return last && last->succ == BP_NONE ? last->vertex : mv->f->cfg->procs.at[path->proc].exit;
}

/* The states at the next listed step, or the exit, of a path after its listed step `i`; a call by the
 * lifted summary. */
bpi_bdd bpi_route_step(bpi_mover *mv, const bpi_path *path, uint32_t i, bpi_bdd before,
                       bpi_bdd lift)
{
  bpi_engine *f = mv->f;
  const bpi_step *step = &path->steps.at[i];
  const bpi_vertex *v = &f->cfg->vertices.at[step->vertex];
  stops list = {0};
  if (step->kind == BPI_STEP_PLAIN) {
    leave_along_edges(mv, &list, step->vertex, before);
  } else if (step->kind == BPI_STEP_CALLS) {
    add_stop(mv, &list, f->cfg->succs.at[bpi_succs(v).first],
             bpi_return(f, bpi_call_of(f, step->vertex), before, lift));
  } else {
    const uint32_t entry = f->cfg->procs.at[bpi_step_callee(f, step)].entry;
    add_stop(mv, &list, entry, bpi_mover_enter(mv, bpi_call_of(f, step->vertex), before));
  }
  return arrive(mv, &list, bpi_route_next(mv, path, i + 1));
}
