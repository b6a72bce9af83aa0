/* SPDX-License-Identifier: MIT */
#include "engine/body.h"
#include "engine/walk.h"

/* ---- one step back ------------------------------------------------------- */

/* Tries the i-th edge of u, whose target is the present vertex, from the states of one layer. */
static bool back_edge(bpi_walk *w, uint32_t u, uint32_t i, const bpi_layer *layer)
{
  bpi_engine *e = w->e;
  const bpi_vertex *from = &e->cfg->vertices.at[u];
  const bpi_edge *edge = bpi_edge_of(e, u, i);
  uint64_t *changed = w->places + (size_t)2 * e->a.words, *same, *fresh;
  if (!edge) return false;
  bpi_changed_places(w->e, from, changed);
  bpi_walk_split_places(w, changed, &same, &fresh);
  bpi_bdd set = bpi_point_set(e, w->point, same, BPI_CURRENT);
  if (from->kind == BPI_VERTEX_ASSIGN)
    bpi_conjoin(e, &set, bpi_point_set(e, w->point, fresh, BPI_NEXT));
  if (from->kind == BPI_VERTEX_RETURN) bpi_walk_conjoin_results(e, &set, w->point, from->proc);
  bpi_conjoin(e, &set, bpi_bdd_keep(e->m, layer->set));
  for (uint32_t k = edge->first; k < edge->first + edge->count; k++)
    bpi_conjoin(e, &set, bpi_bdd_keep(e->m, e->parts.at[k].rel));
  const bool found = bpi_walk_pick(w, set);
  bpi_bdd_drop(e->m, set);
  if (!found) return false;
  bpi_walk_clear(w, w->before);
  bpi_walk_take_places(w, w->before, bpi_live(&e->a, u), BPI_CURRENT);
  return bpi_walk_go_back(w, (bpi_step){.vertex = u, .succ = i, .kind = BPI_STEP_PLAIN},
                          layer->distance);
}

/* Narrows the picked values to a pair of the oldest gain that holds one, and notes its stamp in the
 * key; for a layered summary the stamp is the number of the layer. */
static void stamp_pair(bpi_walk *w, bpi_bdd pairs, uint32_t callee, uint64_t layer)
{
  bpi_engine *e = w->e;
  uint64_t *stamp = &w->key[2 * bpi_point_words(e)];
  *stamp = layer;
  const bpi_gains *gains = bpi_gains_of(e, callee);
  if (w->s->expanded || !gains->list.count) return;
  *stamp = bpi_search_stamp(w->s, callee, pairs);
  for (uint32_t i = 0; i < gains->list.count; i++) {
    const bpi_gain *gain = &gains->list.at[i];
    if (gain->stamp != *stamp) continue;
    const bpi_bdd both = bpi_bdd_and(e->m, pairs, gain->pairs);
    bpi_walk_pick(w, both);
    bpi_bdd_drop(e->m, both);
  }
}

/* The pair of entry and exit states for a call from the state in w->before with the results in the
 * key: any that the summary allows and that agrees with the state behind the call. */
static bool pick_pair(bpi_walk *w, uint32_t u, const bpi_call *call, bpi_bdd summary,
                      const uint64_t *fresh, uint32_t callee, uint64_t stamp)
{
  bpi_engine *e = w->e;
  const bpi_stmt stmt = bpi_stmt_at(e->p, e->cfg->vertices.at[u].stmt), *s = &stmt;
  const uint64_t *mod = bpi_proc_set(&e->a, e->a.mod, callee);
  const uint64_t *entry = bpi_live(&e->a, e->cfg->procs.at[callee].entry);
  const uint64_t *exit = bpi_live(&e->a, e->cfg->procs.at[callee].exit);
  uint64_t *kept = w->places, *entered = w->key, *left = w->key + bpi_point_words(e);
  /* Globals that come back as the callee left them. */
  for (uint32_t i = 0; i < e->a.words; i++)
    kept[i] = fresh[i] & mod[i];
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = e->p->ids.at[s->targets.first + k];
    if (target != BP_NONE && e->a.var_matters[target]) bpi_bit_remove(kept, e->a.place[target]);
  }
  for (uint32_t i = e->a.globals; i < e->a.places; i++)
    bpi_bit_remove(kept, i);
  bpi_bdd set = bpi_point_set(e, w->before, bpi_live(&e->a, u), BPI_CURRENT);
  bpi_conjoin(e, &set, bpi_bdd_keep(e->m, call->args));
  bpi_conjoin(e, &set, bpi_point_set(e, w->point, kept, BPI_NEXT));
  bpi_walk_conjoin_results(e, &set, left, callee);
  bpi_conjoin(e, &set, bpi_bdd_keep(e->m, summary));
  const bool found = bpi_walk_pick(w, set);
  if (found) stamp_pair(w, set, callee, stamp);
  bpi_bdd_drop(e->m, set);
  if (!found) return false;
  for (uint32_t i = 0; i < e->a.globals + e->a.formals[callee]; i++) {
    const bpi_copy copy = i < e->a.globals ? BPI_CURRENT : BPI_NEXT;
    if (bpi_bit(entry, i) && w->values[bpi_bdd_var(e->layout.slot[i], copy)])
      bpi_bit_add(entered, i);
  }
  /* At the exit an unchanged place has its entry value, a changed global its NEXT copy. */
  for (uint32_t i = 0; i < e->a.places; i++) {
    if (!bpi_bit(exit, i)) continue;
    const bool changed = i < e->a.globals && bpi_bit(mod, i);
    const bool value =
        changed ? w->values[bpi_bdd_var(e->layout.slot[i], BPI_NEXT)] != 0 : bpi_bit(entered, i);
    if (value) bpi_bit_add(left, i);
  }
  return true;
}

/* Tries a completed call, from the states of one layer, by (part of) the callee's summary. */
static bool back_return(bpi_walk *w, uint32_t u, const bpi_layer *layer, bpi_bdd summary,
                        uint64_t stamp)
{
  bpi_engine *e = w->e;
  const bpi_call *call = bpi_call_of(e, u);
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[u].stmt);
  uint64_t *changed = w->places + (size_t)2 * e->a.words, *same, *fresh;
  if (!call) return false;
  bpi_changed_places(w->e, &e->cfg->vertices.at[u], changed);
  bpi_walk_split_places(w, changed, &same, &fresh);
  bpi_bdd set = bpi_point_set(e, w->point, same, BPI_CURRENT);
  bpi_conjoin(e, &set, bpi_bdd_keep(e->m, layer->set));
  const bpi_bdd kept = bpi_bdd_exists(e->m, summary, call->before_quant);
  bpi_conjoin(e, &set, bpi_bind(e, call, kept));
  bpi_bdd_drop(e->m, kept);
  bpi_conjoin(e, &set, bpi_bdd_keep(e->m, call->results));
  bpi_conjoin(e, &set, bpi_point_set(e, w->point, fresh, BPI_NEXT));
  const bool found = bpi_walk_pick(w, set);
  bpi_bdd_drop(e->m, set);
  if (!found) return false;
  bpi_walk_clear(w, w->before);
  bpi_walk_take_places(w, w->before, bpi_live(&e->a, u), BPI_CURRENT);
  bpi_walk_clear(w, w->key);
  bpi_walk_clear(w, w->key + bpi_point_words(e));
  bpi_walk_take_results(w, w->key + bpi_point_words(e));
  memcpy(changed, fresh, e->a.words * sizeof *changed);
  if (!pick_pair(w, u, call, summary, changed, callee, stamp)) return false;
  return bpi_walk_go_back(w, (bpi_step){.vertex = u, .succ = 0, .kind = BPI_STEP_CALLS},
                          layer->distance);
}

/* Tries a call that entered the present vertex, the entry of its procedure. */
static bool back_enter(bpi_walk *w, uint32_t u, const bpi_layer *layer)
{
  bpi_engine *e = w->e;
  const bpi_call *call = bpi_call_of(e, u);
  const uint64_t *live = bpi_live(&e->a, w->vertex);
  uint64_t *globals = w->places, *formals = w->places + e->a.words;
  if (!call) return false;
  for (uint32_t i = 0; i < e->a.words; i++)
    globals[i] = formals[i] = live[i];
  const bpi_vertex *v = &e->cfg->vertices.at[w->vertex];
  const uint32_t end = e->a.globals + e->a.formals[v->proc];
  for (uint32_t i = 0; i < e->a.places; i++) {
    if (i >= e->a.globals) bpi_bit_remove(globals, i);
    if (i < e->a.globals || i >= end) bpi_bit_remove(formals, i);
  }
  bpi_bdd set = bpi_point_set(e, w->point, globals, BPI_CURRENT);
  bpi_conjoin(e, &set, bpi_point_set(e, w->point, formals, BPI_NEXT));
  bpi_conjoin(e, &set, bpi_bdd_keep(e->m, layer->set));
  bpi_conjoin(e, &set, bpi_bdd_keep(e->m, call->args));
  const bool found = bpi_walk_pick(w, set);
  bpi_bdd_drop(e->m, set);
  if (!found) return false;
  bpi_walk_clear(w, w->before);
  bpi_walk_take_places(w, w->before, bpi_live(&e->a, u), BPI_CURRENT);
  return bpi_walk_go_back(w, (bpi_step){.vertex = u, .kind = BPI_STEP_ENTERS}, layer->distance);
}

/* ---- looking for the predecessor ----------------------------------------- */

/* The newest layer of a vertex that is not further than the present one. Those before are never needed again, as the
 * walk comes nearer and nearer to the start. */
static uint32_t newest_before(bpi_walk *w, uint32_t u)
{
  bpi_layers *ways = &w->s->ways;
  uint32_t *at = &ways->newest[u];
  while (*at != BP_NONE && ways->pool.at[*at].distance > w->distance)
    *at = ways->pool.at[*at].older;
  return *at;
}

static bool back_layered(bpi_walk *w, uint32_t u, uint32_t callee)
{
  bpi_engine *e = w->e;
  const bpi_layers *sums = &w->s->summaries, *ways = &w->s->ways;
  const bpi_linkage *p = bpi_linkage_of(e, callee);
  const uint32_t exit = e->cfg->procs.at[callee].exit;
  for (uint32_t i = sums->newest[exit]; p && i != BP_NONE; i = sums->pool.at[i].older) {
    const bpi_layer *inside = &sums->pool.at[i];
    if (w->s->bound && i >= w->s->bound) continue;
    for (uint32_t k = newest_before(w, u); k != BP_NONE; k = ways->pool.at[k].older) {
      if (bpi_plus(ways->pool.at[k].distance, bpi_plus(1, inside->distance)) != w->distance)
        continue;
      const bpi_bdd summary = bpi_bdd_rename(e->m, inside->set, p->to_summary);
      const bool found = back_return(w, u, &ways->pool.at[k], summary, i);
      bpi_bdd_drop(e->m, summary);
      if (found) return true;
    }
  }
  return false;
}

static bool back_call(bpi_walk *w, uint32_t u)
{
  bpi_engine *e = w->e;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[u].stmt);
  if (!e->a.summary[callee]) return false;
  if (w->s->expanded) return back_layered(w, u, callee);
  for (uint32_t k = newest_before(w, u); k != BP_NONE; k = w->s->ways.pool.at[k].older)
    if (w->s->ways.pool.at[k].distance + 1 == w->distance &&
        (back_return(w, u, &w->s->ways.pool.at[k], bpi_search_summary(w->s, callee), 0) ||
         (w->s->by_contexts && bpi_walk_back_inside(w, u, &w->s->ways.pool.at[k]))))
      return true;
  return false;
}

static bool back_plain(bpi_walk *w, uint32_t u)
{
  const bpi_vertex *from = &w->e->cfg->vertices.at[u];
  for (uint32_t i = 0; i < bpi_succs(from).count; i++) {
    if (w->e->cfg->succs.at[bpi_succs(from).first + i] != w->vertex) continue;
    for (uint32_t k = newest_before(w, u); k != BP_NONE; k = w->s->ways.pool.at[k].older)
      if (w->s->ways.pool.at[k].distance + from->weight == w->distance &&
          back_edge(w, u, i, &w->s->ways.pool.at[k]))
        return true;
  }
  return false;
}

static bool back_into(bpi_walk *w)
{
  const bp_cfg *cfg = w->e->cfg;
  const uint32_t proc = cfg->vertices.at[w->vertex].proc;
  if (!w->s->opens || w->vertex != cfg->procs.at[proc].entry || !w->distance) return false;
  const bpi_slice calls = cfg->procs.at[proc].calls;
  for (uint32_t c = 0; c < calls.count; c++) {
    const uint32_t u = cfg->calls.at[calls.first + c];
    for (uint32_t k = newest_before(w, u); k != BP_NONE; k = w->s->ways.pool.at[k].older)
      if (w->s->ways.pool.at[k].distance + 1 == w->distance &&
          back_enter(w, u, &w->s->ways.pool.at[k]))
        return true;
  }
  return false;
}

static bool step_back(bpi_walk *w)
{
  const bp_cfg *cfg = w->e->cfg;
  const bpi_slice preds = bpi_preds(&cfg->vertices.at[w->vertex]);
  for (uint32_t i = 0; i < preds.count; i++) {
    const uint32_t u = cfg->preds.at[preds.first + i];
    if (w->s->ways.newest[u] == BP_NONE) continue;
    if (cfg->vertices.at[u].kind == BPI_VERTEX_CALL ? back_call(w, u) : back_plain(w, u))
      return true;
  }
  return back_into(w);
}

static bool at_start(bpi_walk *w)
{
  if (w->distance || w->vertex != w->s->start_vertex) return false;
  const bpi_bdd here = bpi_point_set(w->e, w->point, bpi_live(&w->e->a, w->vertex), BPI_CURRENT);
  const bpi_bdd both = bpi_bdd_and(w->e->m, here, w->s->start_set);
  const bool there = both != BPI_FALSE;
  bpi_bdd_drop(w->e->m, here);
  bpi_bdd_drop(w->e->m, both);
  return there;
}

static void reverse(bpi_path *path)
{
  for (uint32_t i = 0, k = path->steps.count; i + 1 < k; i++) {
    const bpi_step step = path->steps.at[i];
    path->steps.at[i] = path->steps.at[--k];
    path->steps.at[k] = step;
  }
}

static bool walk_back(bpi_walk *w, uint64_t *end)
{
  bpi_engine *e = w->e;
  const bpi_layer *goal = &w->s->ways.pool.at[w->s->found];
  w->vertex = goal->vertex;
  w->distance = goal->distance;
  if (!bpi_walk_pick(w, w->s->found_set)) return false;
  bpi_walk_clear(w, w->point);
  bpi_walk_take_places(w, w->point, bpi_live(&e->a, w->vertex), BPI_CURRENT);
  const bpi_vertex *v = &e->cfg->vertices.at[w->vertex];
  if (v->kind == BPI_VERTEX_EXIT) bpi_walk_take_results(w, w->point);
  if (end) memcpy(end, w->point, bpi_point_words(e) * sizeof *end);
  if (w->s->goal_vertex == BP_NONE &&
      !bpi_walk_add_step(w, (bpi_step){.vertex = w->vertex, .succ = BP_NONE}))
    return false;
  while (!at_start(w))
    if (!bpi_engine_tick(e) || !step_back(w)) return false;
  reverse(w->path);
  return true;
}

bpi_path *bpi_path_extract(bpi_search *s, uint64_t *end)
{
  bpi_engine *e = s->e;
  bpi_walk w = {.s = s, .e = e, .path = bpi_zalloc(1, sizeof *w.path)};
  const uint32_t words = bpi_point_words(e);
  uint64_t *block = bpi_zalloc((size_t)4 * words + 1 + (size_t)4 * e->a.words, sizeof *block);
  w.values = bpi_alloc((size_t)3 * bpi_bdd_slot_count(e->m), 1);
  bool found = false;
  if (w.path && block && w.values) {
    w.path->refs = 1;
    w.path->proc = e->cfg->vertices.at[s->start_vertex].proc;
    w.point = block;
    w.before = block + words;
    w.key = w.before + words;
    w.places = w.key + bpi_key_words(e);
    found = walk_back(&w, end);
    /* The layers promise a predecessor for every state: without a stop this is a bug. */
    if (!found && bpi_going(e)) e->broken = true;
  } else {
    e->stop = BP_REASON_MEMORY;
  }
  bpi_release(block);
  bpi_release(w.values);
  if (found) return w.path;
  bpi_path_unref(w.path);
  return NULL;
}

bpi_path *bpi_path_through(bpi_search *s, uint32_t proc, const uint64_t *key)
{
  bpi_engine *e = s->e;
  const bpi_cfg_proc *graph = &e->cfg->procs.at[proc];
  const uint64_t *left = key + bpi_point_words(e);
  /* Locals are free at the entry, whatever is live. */
  uint64_t *given = e->sets;
  memcpy(given, bpi_live(&e->a, graph->entry), e->a.words * sizeof *given);
  for (uint32_t i = e->a.globals + e->a.formals[proc]; i < e->a.places; i++)
    bpi_bit_remove(given, i);
  const bpi_bdd start = bpi_point_set(e, key, given, BPI_CURRENT);
  bpi_bdd goal = bpi_point_set(e, left, bpi_live(&e->a, graph->exit), BPI_CURRENT);
  bpi_walk_conjoin_results(e, &goal, left, proc);
  const uint64_t stamp = key[2 * bpi_point_words(e)];
  s->level = e->shallow ? (uint32_t)stamp : 0;
  const bool done =
      bpi_going(e) && bpi_search_through(s, proc, start, goal, e->shallow ? 0 : stamp);
  bpi_bdd_drop(e->m, start);
  bpi_bdd_drop(e->m, goal);
  if (!done) return NULL;
  if (s->found == BP_NONE) {
    e->broken = true;
    return NULL;
  }
  return bpi_path_extract(s, NULL);
}

void bpi_path_unref(bpi_path *path)
{
  if (!path || (path->refs && --path->refs)) return;
  bpi_vec_free(&path->steps);
  bpi_vec_free(&path->words);
  bpi_release(path);
}
