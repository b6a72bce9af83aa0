/* SPDX-License-Identifier: MIT */
#include "engine/body.h"
#include "engine/search.h"

#ifndef BPI_MOST_LAYERS /* a counter can have more of them than there is memory */
#define BPI_MOST_LAYERS (1 << 24)
#endif

enum { MOST_LAYERS = BPI_MOST_LAYERS };

/* ---- layers -------------------------------------------------------------- */

static bool layers_new(bpi_layers *l, uint32_t vertices)
{
  l->seen = bpi_zalloc(vertices, sizeof *l->seen);
  l->newest = bpi_alloc(vertices, sizeof *l->newest);
  if (l->newest)
    for (uint32_t v = 0; v < vertices; v++)
      l->newest[v] = BP_NONE;
  return l->seen && l->newest;
}

static void layers_reset(bpi_layers *l, bp_manager *m)
{
  for (uint32_t i = 0; i < l->pool.count; i++) {
    const bpi_layer *layer = &l->pool.at[i];
    bpi_bdd_drop(m, layer->set);
    bpi_bdd_drop(m, l->seen[layer->vertex]);
    l->seen[layer->vertex] = BPI_FALSE;
    l->newest[layer->vertex] = BP_NONE;
  }
  l->pool.count = 0;
}

static void layers_free(bpi_layers *l, bp_manager *m)
{
  if (l->seen && l->newest) layers_reset(l, m);
  bpi_release(l->seen);
  bpi_release(l->newest);
  bpi_vec_free(&l->pool);
}

/* Layers and events may take as much memory as the tables, where that has a limit; half of it is for growing. */
static bool has_room(const bpi_search *s)
{
  const uint64_t layers = (uint64_t)s->ways.pool.count + s->summaries.pool.count;
  const uint64_t most = bpi_bdd_bytes(s->e->m) / 2;
  const uint64_t bytes = layers * sizeof(bpi_layer) + s->agenda.count * sizeof(bpi_event);
  return layers < MOST_LAYERS && (!most || bytes < most);
}

/* Adds what is new of `set` at a distance. Answers the new layer, BP_NONE when nothing is new or the
 * work is stopped. */
static uint32_t layers_add(bpi_search *s, bpi_layers *l, uint32_t vertex, uint64_t distance,
                           bpi_bdd set)
{
  bpi_engine *e = s->e;
  if (!has_room(s)) e->stop = BP_REASON_NODES;
  const bpi_bdd fresh = bpi_bdd_diff(e->m, set, l->seen[vertex]);
  const bpi_bdd all = bpi_bdd_or(e->m, l->seen[vertex], fresh);
  const bpi_layer layer = {distance, fresh, vertex, l->newest[vertex]};
  if (!bpi_going(e) || fresh == BPI_FALSE || !bpi_vec_push(&l->pool, layer)) {
    if (bpi_going(e) && fresh != BPI_FALSE) e->stop = BP_REASON_MEMORY;
    bpi_bdd_drop(e->m, fresh);
    bpi_bdd_drop(e->m, all);
    return BP_NONE;
  }
  bpi_bdd_drop(e->m, l->seen[vertex]);
  l->seen[vertex] = all;
  l->newest[vertex] = l->pool.count - 1;
  return l->newest[vertex];
}

/* ---- the agenda ------------------------------------------------------------ */

/* An event and its set, which are given away. */
static void push_event(bpi_search *s, const bpi_event *event)
{
  if (bpi_going(s->e) && bpi_agenda_add(&s->agenda, event)) return;
  if (bpi_going(s->e)) s->e->stop = BP_REASON_MEMORY;
  bpi_bdd_drop(s->e->m, event->set);
}

/* Lets `set` (given away) arrive at a vertex. */
static void push(bpi_search *s, uint64_t distance, uint32_t vertex, bool inner, bpi_bdd set)
{
  const uint32_t ahead = inner ? 0 : s->ahead[vertex];
  if (set == BPI_FALSE || !s->e->a.explore[vertex] || ahead == BP_NONE) {
    bpi_bdd_drop(s->e->m, set);
    return;
  }
  const bpi_event event = {.distance = distance,
                           .rank = bpi_plus(distance, ahead),
                           .vertex = vertex,
                           .inner = inner,
                           .set = set};
  push_event(s, &event);
}

/* Lets what is found at a call come back, one step further, when it is due. */
static void push_return(bpi_search *s, const bpi_event *call, bpi_bdd set)
{
  const bpi_engine *e = s->e;
  const uint32_t behind = bpi_first_succ(e->cfg, call->vertex);
  if (!e->a.explore[behind] || s->ahead[behind] == BP_NONE) return;
  bpi_event event = *call;
  event.rank = bpi_plus(call->distance, (uint64_t)s->ahead[behind] + 1);
  event.returns = 1;
  event.set = bpi_bdd_keep(e->m, set);
  push_event(s, &event);
}

/* The first event, with all of the same place and distance gathered into it. */
static bpi_event pop_gathered(bpi_search *s)
{
  bpi_event event = bpi_agenda_take(&s->agenda);
  while (bpi_going(s->e) && s->agenda.count && s->agenda.at[0].distance == event.distance &&
         s->agenda.at[0].vertex == event.vertex && s->agenda.at[0].inner == event.inner &&
         s->agenda.at[0].returns == event.returns) {
    const bpi_event more = bpi_agenda_take(&s->agenda);
    const bpi_bdd both = bpi_bdd_or(s->e->m, event.set, more.set);
    if (!bpi_going(s->e)) {
      bpi_agenda_put_back(&s->agenda, &more);
      break;
    }
    bpi_bdd_drop(s->e->m, event.set);
    bpi_bdd_drop(s->e->m, more.set);
    event.set = both;
  }
  return event;
}

/* ---- moving -------------------------------------------------------------- */

static void move_plain(bpi_search *s, const bpi_event *event, bpi_bdd set)
{
  bpi_engine *e = s->e;
  const bpi_vertex *v = &e->cfg->vertices.at[event->vertex];
  for (uint32_t i = 0; i < bpi_succs(v).count; i++) {
    const uint32_t succ = e->cfg->succs.at[bpi_succs(v).first + i];
    if (!e->a.explore[succ]) continue;
    const bpi_edge *edge = bpi_engine_tick(e) ? bpi_edge_of(e, event->vertex, i) : NULL;
    if (!edge) return;
    push(s, bpi_plus(event->distance, v->weight), succ, event->inner, bpi_image(e, edge, set));
  }
}

/* The return from a call by (part of) a summary, at a total distance. */
static void move_return(bpi_search *s, uint32_t vertex, const bpi_call *call, uint64_t distance,
                        bool inner, bpi_bdd set, bpi_bdd summary)
{
  bpi_engine *e = s->e;
  const uint32_t behind = bpi_first_succ(e->cfg, vertex);
  if (!e->a.explore[behind] || !bpi_engine_tick(e)) return;
  const bpi_bdd lift = bpi_lift(e, call, summary);
  push(s, distance, behind, inner, bpi_return(e, call, set, lift));
  bpi_bdd_drop(e->m, lift);
}

static bool bounded(const bpi_search *s, uint32_t proc)
{
  const bpi_cfg_proc *here = &s->e->cfg->procs.at[s->e->cfg->vertices.at[s->start_vertex].proc];
  return s->bound && s->e->cfg->procs.at[proc].last_rank == here->last_rank;
}

bpi_bdd bpi_search_summary(bpi_search *s, uint32_t proc)
{
  bpi_engine *e = s->e;
  const bpi_gains *gains = bpi_gains_of(e, proc);
  if (!bounded(s, proc)) return e->procs[proc].summary;
  if (s->allowed[proc] != BPI_FALSE || !gains->list.count) return s->allowed[proc];
  bpi_bdd all = BPI_FALSE;
  for (uint32_t i = 0; i < gains->list.count && gains->list.at[i].stamp < s->bound; i++) {
    const bpi_bdd more = bpi_bdd_or(e->m, all, gains->list.at[i].pairs);
    bpi_bdd_drop(e->m, all);
    all = more;
  }
  if (all == BPI_FALSE || !bpi_going(e)) {
    bpi_bdd_drop(e->m, all);
    return BPI_FALSE;
  }
  if (!bpi_vec_push(&s->allowed_procs, proc)) e->stop = BP_REASON_MEMORY;
  s->allowed[proc] = all;
  return all;
}

uint64_t bpi_search_stamp(bpi_search *s, uint32_t proc, bpi_bdd pairs)
{
  bpi_engine *e = s->e;
  const bpi_gains *gains = bpi_gains_of(e, proc);
  for (uint32_t i = 0; i < gains->list.count && bpi_going(e); i++) {
    const bpi_bdd both = bpi_bdd_and(e->m, pairs, gains->list.at[i].pairs);
    const bool there = both != BPI_FALSE;
    bpi_bdd_drop(e->m, both);
    if (there) return gains->list.at[i].stamp;
  }
  return 0;
}

bool bpi_search_enter(bpi_search *s, uint32_t vertex, bpi_bdd set, bpi_pieces *pieces)
{
  bpi_engine *e = s->e;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt);
  const bpi_call *call = bpi_call_of(e, vertex);
  if (!call || s->known) return call != NULL;
  const bpi_bdd contexts =
      s->by_contexts ? bpi_pieces_of(e, vertex, set, pieces) : bpi_enter(e, call, set);
  if (bpi_going(e) && contexts != BPI_FALSE) bpi_add_contexts(e, callee, contexts);
  bpi_bdd_drop(e->m, contexts);
  return bpi_going(e) && bpi_engine_work(e, e->cfg->procs.at[callee].last_rank, false);
}

/* A completed call at the price of one: the whole summary. */
static void move_whole_return(bpi_search *s, const bpi_event *event)
{
  bpi_engine *e = s->e;
  const bpi_bdd set = event->set;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[event->vertex].stmt);
  const bpi_call *call = bpi_call_of(e, event->vertex);
  const uint32_t behind = bpi_first_succ(e->cfg, event->vertex);
  const uint64_t distance = bpi_plus(event->distance, 1);
  bpi_pieces pieces = {.level = s->level};
  if (call && bpi_search_enter(s, event->vertex, set, &pieces)) {
    for (uint32_t i = 0; i < pieces.list.count && bpi_engine_tick(e); i++)
      push(s, distance, behind, false, bpi_piece_return(e, call, &pieces.list.at[i]));
    const bpi_bdd summary = bpi_search_summary(s, callee);
    move_return(s, event->vertex, call, distance, false, set, summary);
  }
  bpi_pieces_free(e, &pieces);
}

/* A completed call at the price of its inside: the summary layer by layer, those to come included. */
static void move_layered_return(bpi_search *s, const bpi_event *event, const bpi_call *call,
                                uint32_t callee, bpi_bdd contexts, bpi_bdd set)
{
  bpi_engine *e = s->e;
  const bpi_linkage *p = bpi_linkage_of(e, callee);
  if (!p) return;
  const bpi_bdd fresh = bpi_bdd_diff(e->m, contexts, s->contexts[callee]);
  if (fresh != BPI_FALSE && bpi_going(e)) {
    const bpi_bdd all = bpi_bdd_or(e->m, s->contexts[callee], fresh);
    push(s, 0, e->cfg->procs.at[callee].entry, true, bpi_bdd_and(e->m, fresh, p->identity));
    if (bpi_going(e)) {
      bpi_bdd_drop(e->m, s->contexts[callee]);
      s->contexts[callee] = all;
    } else {
      bpi_bdd_drop(e->m, all);
    }
  }
  bpi_bdd_drop(e->m, fresh);
  const uint32_t exit = e->cfg->procs.at[callee].exit;
  for (uint32_t i = s->summaries.newest[exit]; i != BP_NONE; i = s->summaries.pool.at[i].older) {
    const bpi_layer *layer = &s->summaries.pool.at[i];
    if (s->bound && !event->inner && i >= s->bound) continue;
    const bpi_bdd summary = bpi_bdd_rename(e->m, layer->set, p->to_summary);
    move_return(s, event->vertex, call, bpi_plus(event->distance, bpi_plus(1, layer->distance)),
                event->inner, set, summary);
    bpi_bdd_drop(e->m, summary);
  }
}

static void move_call(bpi_search *s, const bpi_event *event, bpi_bdd set)
{
  bpi_engine *e = s->e;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[event->vertex].stmt);
  const uint32_t entry = e->cfg->procs.at[callee].entry;
  const bpi_call *call = bpi_call_of(e, event->vertex);
  if (!call || !e->a.explore[entry] || !bpi_engine_tick(e)) return;
  const bpi_bdd contexts = bpi_enter(e, call, set);
  if (s->opens && !event->inner && bpi_going(e))
    push(s, bpi_plus(event->distance, 1), entry, false, bpi_bdd_keep(e->m, contexts));
  if (e->a.summary[callee] && bpi_going(e)) {
    if (s->expanded)
      move_layered_return(s, event, call, callee, contexts, set);
    else
      push_return(s, event, set);
  }
  bpi_bdd_drop(e->m, contexts);
}

/* The callers that `layers` has found so far go on with a new summary layer. */
static void return_to(bpi_search *s, const bpi_layers *layers, bool inner, uint32_t proc,
                      uint64_t distance, bpi_bdd summary)
{
  bpi_engine *e = s->e;
  const bpi_slice calls = e->cfg->procs.at[proc].calls;
  for (uint32_t c = 0; c < calls.count; c++) {
    const uint32_t vertex = e->cfg->calls.at[calls.first + c];
    if (layers->newest[vertex] == BP_NONE) continue;
    const bpi_call *call = bpi_call_of(e, vertex);
    for (uint32_t i = layers->newest[vertex]; call && i != BP_NONE; i = layers->pool.at[i].older)
      move_return(s, vertex, call, bpi_plus(layers->pool.at[i].distance, bpi_plus(1, distance)),
                  inner, layers->pool.at[i].set, summary);
  }
}

static void move_exit(bpi_search *s, const bpi_event *event, bpi_bdd set)
{
  bpi_engine *e = s->e;
  const uint32_t proc = e->cfg->vertices.at[event->vertex].proc;
  const bpi_linkage *p = event->inner ? bpi_linkage_of(e, proc) : NULL;
  if (!p || !e->a.summary[proc]) return;
  const bpi_bdd summary = bpi_bdd_rename(e->m, set, p->to_summary);
  if (!s->bound) return_to(s, &s->ways, false, proc, event->distance, summary);
  return_to(s, &s->summaries, true, proc, event->distance, summary);
  bpi_bdd_drop(e->m, summary);
}

static void move(bpi_search *s, const bpi_event *event, bpi_bdd set)
{
  switch (s->e->cfg->vertices.at[event->vertex].kind) {
  case BPI_VERTEX_CALL: move_call(s, event, set); break;
  case BPI_VERTEX_EXIT: move_exit(s, event, set); break;
  default: move_plain(s, event, set);
  }
}

/* ---- the search ---------------------------------------------------------- */

static void try_goal(bpi_search *s, uint32_t layer, bpi_bdd goal)
{
  bpi_engine *e = s->e;
  const bpi_bdd both = bpi_bdd_and(e->m, s->ways.pool.at[layer].set, goal);
  if (s->found == BP_NONE && both != BPI_FALSE && bpi_going(e)) {
    s->found = layer;
    s->found_set = both;
  } else {
    bpi_bdd_drop(e->m, both);
  }
}

static void try_goals(bpi_search *s, uint32_t layer)
{
  const bpi_engine *e = s->e;
  const uint32_t vertex = s->ways.pool.at[layer].vertex;
  if (s->goal_vertex != BP_NONE) {
    if (vertex == s->goal_vertex) try_goal(s, layer, s->goal_set);
    return;
  }
  for (uint32_t i = bpi_goal_at(&e->a, vertex); i < e->goal_count; i++) {
    const uint32_t g = e->a.goals_sorted[i];
    if (e->goals[g].vertex != vertex) break;
    if (e->goals[g].group == s->group) try_goal(s, layer, e->goal_set[g]);
  }
}

static void clear_ways(bpi_search *s)
{
  bp_manager *m = s->e->m;
  layers_reset(&s->ways, m);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->agenda.count; i++) {
    if (s->agenda.at[i].inner)
      s->agenda.at[kept++] = s->agenda.at[i];
    else
      bpi_bdd_drop(m, s->agenda.at[i].set);
  }
  /* What is left keeps no heap order of its own: make it anew. */
  s->agenda.count = 0;
  for (uint32_t i = 0; i < kept; i++) {
    const bpi_event event = s->agenda.at[i];
    push(s, event.distance, event.vertex, true, event.set);
  }
  bpi_bdd_drop(m, s->start_set);
  bpi_bdd_drop(m, s->goal_set);
  bpi_bdd_drop(m, s->found_set);
  s->start_set = s->goal_set = s->found_set = BPI_FALSE;
  s->found = BP_NONE;
  for (uint32_t i = 0; i < s->allowed_procs.count; i++) {
    bpi_bdd_drop(m, s->allowed[s->allowed_procs.at[i]]);
    s->allowed[s->allowed_procs.at[i]] = BPI_FALSE;
  }
  s->allowed_procs.count = 0;
  s->bound = 0;
}

/* Moves a layer on. Stopped half-way, an inner one is moved again later: what it has pushed already
 * is no news then. */
static void move_layer(bpi_search *s, const bpi_event *event, bpi_bdd set)
{
  move(s, event, set);
  if (bpi_going(s->e) || !event->inner) {
    bpi_bdd_drop(s->e->m, set);
    return;
  }
  s->redo = *event;
  s->redo.set = set;
}

static void redo(bpi_search *s)
{
  const bpi_event event = s->redo;
  if (event.set == BPI_FALSE) return;
  s->redo.set = BPI_FALSE;
  move_layer(s, &event, event.set);
}

static bool run(bpi_search *s)
{
  bpi_engine *e = s->e;
  redo(s);
  push(s, 0, s->start_vertex, false, bpi_bdd_keep(e->m, s->start_set));
  while (bpi_going(e) && s->found == BP_NONE && s->agenda.count) {
    const bpi_event event = pop_gathered(s);
    if (event.returns) {
      move_whole_return(s, &event);
      bpi_bdd_drop(e->m, event.set);
      continue;
    }
    bpi_layers *layers = event.inner ? &s->summaries : &s->ways;
    const uint32_t layer = layers_add(s, layers, event.vertex, event.distance, event.set);
    if (layer == BP_NONE && !bpi_going(e)) {
      bpi_agenda_put_back(&s->agenda, &event);
      break;
    }
    bpi_bdd_drop(e->m, event.set);
    if (layer == BP_NONE) continue;
    if (!event.inner) try_goals(s, layer);
    if (s->found == BP_NONE || event.inner)
      move_layer(s, &event, bpi_bdd_keep(e->m, layers->pool.at[layer].set));
  }
  return bpi_going(e);
}

bool bpi_search_goal(bpi_search *s, uint32_t group, bpi_bdd start_set)
{
  clear_ways(s);
  s->start_vertex = s->e->cfg->procs.at[s->e->p->entry].entry;
  s->start_set = bpi_bdd_keep(s->e->m, start_set);
  s->opens = true;
  s->goal_vertex = BP_NONE;
  s->group = group;
  return bpi_search_look_ahead(s, (bpi_slice){0, s->e->cfg->vertices.count}) && run(s);
}

bool bpi_search_through(bpi_search *s, uint32_t proc, bpi_bdd start_set, bpi_bdd goal_set,
                        uint64_t bound)
{
  clear_ways(s);
  s->bound = bound;
  s->start_vertex = s->e->cfg->procs.at[proc].entry;
  s->start_set = bpi_bdd_keep(s->e->m, start_set);
  s->goal_vertex = s->e->cfg->procs.at[proc].exit;
  s->goal_set = bpi_bdd_keep(s->e->m, goal_set);
  s->opens = false;
  return bpi_search_look_ahead(s, s->e->cfg->procs.at[proc].vertices) && run(s);
}

bp_status bpi_search_new(bpi_search **out, bpi_engine *e, bool expanded)
{
  bpi_search *s = *out = bpi_zalloc(1, sizeof *s);
  if (!s) return BP_E_NOMEM;
  s->e = e;
  s->expanded = expanded;
  s->found = BP_NONE;
  s->allowed = bpi_zalloc(e->cfg->procs.count, sizeof *s->allowed);
  s->ahead = bpi_alloc(e->cfg->vertices.count, sizeof *s->ahead);
  bool memory = s->allowed && s->ahead && layers_new(&s->ways, e->cfg->vertices.count);
  if (expanded) {
    memory &= layers_new(&s->summaries, e->cfg->vertices.count);
    s->contexts = bpi_zalloc(e->cfg->procs.count, sizeof *s->contexts);
    memory &= s->contexts != NULL;
  }
  if (memory) return BP_OK;
  bpi_search_free(s);
  *out = NULL;
  return BP_E_NOMEM;
}

void bpi_search_free(bpi_search *s)
{
  if (!s) return;
  bp_manager *m = s->e->m;
  layers_free(&s->ways, m);
  layers_free(&s->summaries, m);
  for (uint32_t p = 0; s->contexts && p < s->e->cfg->procs.count; p++)
    bpi_bdd_drop(m, s->contexts[p]);
  bpi_release(s->contexts);
  for (uint32_t i = 0; i < s->allowed_procs.count; i++)
    bpi_bdd_drop(m, s->allowed[s->allowed_procs.at[i]]);
  bpi_release(s->allowed);
  bpi_release(s->ahead);
  bpi_vec_free(&s->allowed_procs);
  bpi_bdd_drop(m, s->redo.set);
  for (uint32_t i = 0; i < s->agenda.count; i++)
    bpi_bdd_drop(m, s->agenda.at[i].set);
  bpi_vec_free(&s->agenda);
  bpi_bdd_drop(m, s->start_set);
  bpi_bdd_drop(m, s->goal_set);
  bpi_bdd_drop(m, s->found_set);
  bpi_release(s);
}
