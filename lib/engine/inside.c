/* SPDX-License-Identifier: MIT
 * Back over a completed call without a relation of the callee. From a state behind the call, the exit
 * states that fit are the goal of a search of its own, which begins in the whole context; the entry of
 * the way that it finds tells from which state the call was made. */
#include "engine/body.h"
#include "engine/walk.h"

enum {
  MOST_DEPTH = 64
}; /* of such searches inside one another, on the C stack; deeper: relations */

/* The completed call that is gone back over. */
typedef struct passage {
  uint32_t vertex, callee;
  const bpi_call *call;
  const bpi_layer *layer;
  uint64_t *same, *targets, *left; /* places live behind the call: that it keeps; that get results;
                                    * that have what the callee left in them */
} passage;

static passage passage_at(bpi_walk *w, uint32_t u, const bpi_layer *layer)
{
  const bpi_engine *e = w->e;
  const bpi_stmt s = bpi_stmt_at(e->p, e->cfg->vertices.at[u].stmt);
  passage at = {.vertex = u, .callee = s.callee, .call = bpi_call_of(w->e, u), .layer = layer};
  at.left = w->places + (size_t)2 * e->a.words;
  bpi_changed_places(w->e, &e->cfg->vertices.at[u], at.left);
  bpi_walk_split_places(w, at.left, &at.same, &at.targets);
  memcpy(at.left, at.targets, e->a.words * sizeof *at.left);
  for (uint32_t k = 0; k < s.targets.count; k++) {
    const uint32_t target = e->p->ids.at[s.targets.first + k];
    if (target != BP_NONE && e->a.var_matters[target]) bpi_bit_remove(at.left, e->a.place[target]);
  }
  for (uint32_t i = e->a.globals; i < e->a.places; i++)
    bpi_bit_remove(at.left, i);
  for (uint32_t i = 0; i < e->a.words; i++)
    at.targets[i] &= ~at.left[i];
  return at;
}

static void quantify(bpi_engine *e, bpi_bdd *all, bpi_bdd quant)
{
  const bpi_bdd rest = bpi_bdd_exists(e->m, *all, quant);
  bpi_bdd_drop(e->m, *all);
  *all = rest;
}

/* The results with which the callee left, from the targets behind the call. */
static bpi_bdd results_of(const bpi_walk *w, const passage *at)
{
  bpi_engine *e = w->e;
  bpi_bdd set = bpi_bdd_keep(e->m, at->call->results);
  bpi_conjoin(e, &set, bpi_point_set(e, w->point, at->targets, BPI_NEXT));
  const bpi_bdd quant = bpi_place_set(e, at->targets, BPI_NEXT);
  quantify(e, &set, quant);
  bpi_bdd_drop(e->m, quant);
  return set;
}

/* The exit states of the piece's instance that fit the state behind the call. */
static bpi_bdd exits_of(const bpi_walk *w, const passage *at, const bpi_piece *piece)
{
  bpi_engine *e = w->e;
  const bpi_linkage *p = bpi_linkage_of(e, at->callee);
  if (!p) return BPI_FALSE;
  bpi_bdd set = bpi_bdd_keep(e->m, piece->around);
  bpi_conjoin(e, &set, bpi_point_set(e, w->point, at->same, BPI_CURRENT));
  quantify(e, &set, at->call->around);
  bpi_conjoin(e, &set, bpi_bdd_keep(e->m, piece->single->in.summary));
  bpi_conjoin(e, &set, bpi_point_set(e, w->point, at->left, BPI_NEXT));
  bpi_conjoin(e, &set, results_of(w, at));
  const bpi_bdd exits = bpi_bdd_rename(e->m, set, p->from_summary);
  bpi_bdd_drop(e->m, set);
  return exits;
}

static uint32_t level_inside(const bpi_walk *w, const passage *at)
{
  const uint32_t caller = w->e->cfg->vertices.at[at->vertex].proc;
  return bpi_level_of_callee(w->e, caller, at->callee, w->s->level);
}

/* A way through the callee from any state of a context to one of `exits`; `left` gets that one. NULL:
 * there is none, or stopped. */
static bpi_path *find_way(bpi_walk *w, const passage *at, bpi_bdd context, bpi_bdd exits,
                          uint64_t *left)
{
  bpi_search *s;
  if (bpi_search_new(&s, w->e, false) != BP_OK) {
    w->e->stop = BP_REASON_MEMORY;
    return NULL;
  }
  s->depth = w->s->depth + 1;
  s->level = level_inside(w, at);
  s->by_contexts = s->depth < MOST_DEPTH;
  bpi_path *path = NULL;
  if (bpi_search_through(s, at->callee, context, exits, 0) && s->found != BP_NONE)
    path = bpi_path_extract(s, left);
  bpi_search_free(s);
  return path;
}

/* Copies the globals and formals live at the callee's entry from a point there. */
static void take_entry(bpi_walk *w, const passage *at, const uint64_t *from)
{
  const bpi_analysis *a = &w->e->a;
  const uint64_t *live = bpi_live(a, w->e->cfg->procs.at[at->callee].entry);
  for (uint32_t i = 0; i < a->globals + a->formals[at->callee]; i++)
    if (bpi_bit(live, i) && bpi_bit(from, i)) bpi_bit_add(w->key, i);
}

/* A state of the layer from which the call enters the callee in the state of the key. */
static bool pick_caller(bpi_walk *w, const passage *at)
{
  bpi_engine *e = w->e;
  const bpi_analysis *a = &e->a;
  const uint64_t *live = bpi_live(a, e->cfg->procs.at[at->callee].entry);
  uint64_t *places = w->places + (size_t)3 * a->words;
  bpi_bdd set = bpi_bdd_and(e->m, at->layer->set, at->call->args);
  bpi_conjoin(e, &set, bpi_point_set(e, w->point, at->same, BPI_CURRENT));
  for (int formals = 0; formals < 2; formals++) {
    memset(places, 0, a->words * sizeof *places);
    const uint32_t end = formals ? a->globals + a->formals[at->callee] : a->globals;
    for (uint32_t i = formals ? a->globals : 0; i < end; i++)
      if (bpi_bit(live, i)) bpi_bit_add(places, i);
    bpi_conjoin(e, &set, bpi_point_set(e, w->key, places, formals ? BPI_NEXT : BPI_CURRENT));
  }
  const bool found = bpi_walk_pick(w, set);
  bpi_bdd_drop(e->m, set);
  if (!found) return false;
  bpi_walk_clear(w, w->before);
  bpi_walk_take_places(w, w->before, bpi_live(a, at->vertex), BPI_CURRENT);
  return true;
}

static bool back_piece(bpi_walk *w, const passage *at, const bpi_piece *piece)
{
  bpi_engine *e = w->e;
  uint64_t *left = w->key + bpi_point_words(e);
  const bpi_bdd exits = exits_of(w, at, piece);
  memset(w->key, 0, bpi_key_words(e) * sizeof *w->key);
  bpi_path *way = exits != BPI_FALSE && bpi_going(e)
                      ? find_way(w, at, piece->single->in.entries, exits, left)
                      : NULL;
  bpi_bdd_drop(e->m, exits);
  if (!way) return false;
  if (e->shallow) w->key[2 * bpi_point_words(e)] = level_inside(w, at);
  take_entry(w, at, way->steps.count ? way->words.at + way->steps.at[0].point : left);
  bpi_path_unref(way);
  return pick_caller(w, at);
}

bool bpi_walk_back_inside(bpi_walk *w, uint32_t u, const bpi_layer *layer)
{
  bpi_engine *e = w->e;
  bpi_pieces pieces = {.level = w->s->level};
  const passage at = passage_at(w, u, layer);
  bool found = false;
  if (at.call && bpi_search_enter(w->s, u, layer->set, &pieces))
    for (uint32_t i = 0; i < pieces.list.count && !found && bpi_going(e); i++)
      found = back_piece(w, &at, &pieces.list.at[i]);
  bpi_pieces_free(e, &pieces);
  if (!found) return false;
  w->path->by_contexts = true;
  return bpi_walk_go_back(w, (bpi_step){.vertex = u, .kind = BPI_STEP_CALLS}, layer->distance);
}
