/* SPDX-License-Identifier: MIT */
#include "engine/follow.h"

#include "engine/walk.h"

/* A completed call on the way that is not left yet. */
typedef struct opened {
  bpi_path *path;  /* of the procedure that calls */
  uint32_t vertex; /* the call */
  uint64_t *state; /* before it */
  uint64_t *entry; /* behind it in the same block: at the entry of the callee */
} opened;

/* Where the way can go on. */
typedef struct choice {
  uint32_t part; /* the oldest one there, in the log */
  uint32_t frame, vertex;
  bpi_step step;
  bpi_bdd states; /* in this part */
} choice;

typedef struct follow {
  bpi_executions *x;
  bpi_engine *e;
  bpi_walk w; /* for its path, and to pick states */
  uint32_t frame, vertex;
  uint64_t *state;               /* of all places, and results */
  uint64_t *all, *some, *locals; /* sets of places; the last two for use at once */
  choice best;
  BPI_VEC(opened) calls;
  bpi_ways *ways;
} follow;

/* ---- the next states ------------------------------------------------------- */

static void drop(follow *f, bpi_bdd *set, bpi_bdd less)
{
  bpi_bdd_drop(f->e->m, *set);
  *set = less;
}

static void quantify(follow *f, bpi_bdd *set, const uint64_t *places, bpi_copy copy)
{
  bpi_quantify(f->e, set, bpi_place_set(f->e, places, copy));
}

/* Behind the i-th edge of the vertex. */
static bpi_bdd after_edge(follow *f, uint32_t i)
{
  bpi_engine *e = f->e;
  const bpi_vertex *v = &e->cfg->vertices.at[f->vertex];
  const bpi_edge *edge = bpi_edge_of(e, f->vertex, i);
  if (!edge) return BPI_FALSE;
  bpi_changed_places(e, v, f->some);
  const bool any = v->kind == BPI_VERTEX_HAVOC;
  bpi_bdd set = bpi_point_set(e, f->state, f->all, BPI_CURRENT);
  if (any) quantify(f, &set, f->some, BPI_CURRENT);
  for (uint32_t k = edge->first; k < edge->first + edge->count; k++)
    bpi_conjoin(e, &set, bpi_bdd_keep(e->m, e->parts.at[k].rel));
  if (any) return set;
  quantify(f, &set, f->some, BPI_CURRENT);
  drop(f, &set, bpi_to_current(e, set, f->some));
  return set;
}

/* At the entry of the callee, with the globals that it does not read too, as what is wanted behind it may speak of
 * them. Its own locals can have any value. */
static bpi_bdd after_enter(follow *f, const bpi_call *call, uint32_t callee)
{
  bpi_engine *e = f->e;
  bpi_bdd set = bpi_point_set(e, f->state, f->all, BPI_CURRENT);
  bpi_conjoin(e, &set, bpi_bdd_keep(e->m, call->args));
  memset(f->some, 0, e->a.words * sizeof *f->some);
  for (uint32_t i = e->a.globals; i < e->a.places; i++)
    bpi_bit_add(f->some, i);
  quantify(f, &set, f->some, BPI_CURRENT);
  for (uint32_t i = e->a.globals + e->a.formals[callee]; i < e->a.places; i++)
    bpi_bit_remove(f->some, i);
  drop(f, &set, bpi_to_current(e, set, f->some));
  return set;
}

/* Behind the innermost call, from the exit of its callee: targets are results, the caller's locals as they were before,
 * globals as the callee left them. */
static bpi_bdd after_return(follow *f, const opened *o, const bpi_call *call, uint32_t callee)
{
  bpi_engine *e = f->e;
  bpi_bdd set = bpi_bdd_keep(e->m, call->results);
  bpi_walk_conjoin_results(e, &set, f->state, callee);
  bpi_quantify(e, &set, bpi_results_set(e, callee));
  bpi_target_places(e, &e->cfg->vertices.at[o->vertex], f->some);
  drop(f, &set, bpi_to_current(e, set, f->some));
  uint64_t *const locals = f->locals;
  memset(locals, 0, e->a.words * sizeof *locals);
  for (uint32_t i = 0; i < e->a.places; i++) {
    const bool target = bpi_bit(f->some, i);
    bpi_bit_remove(f->some, i);
    if (!target) bpi_bit_add(i < e->a.globals ? f->some : locals, i);
  }
  bpi_conjoin(e, &set, bpi_point_set(e, f->state, f->some, BPI_CURRENT));
  bpi_conjoin(e, &set, bpi_point_set(e, o->state, locals, BPI_CURRENT));
  return set;
}

/* ---- choices --------------------------------------------------------------- */

/* Takes note of a step to states there (given away), if it leads further than what is known so far. */
static void offer(follow *f, uint32_t frame, bpi_step step, uint32_t vertex, bpi_bdd states)
{
  bpi_engine *e = f->e;
  const uint32_t want =
      states != BPI_FALSE && bpi_engine_tick(e) ? bpi_want_at(f->x, frame, vertex) : BP_NONE;
  uint32_t part = want == BP_NONE ? BP_NONE : f->x->wants.at[want].newest;
  for (; part != BP_NONE && bpi_going(e); part = f->x->log.at[part].older) {
    if (part >= f->best.part) continue;
    const bpi_bdd both = bpi_bdd_and(e->m, states, f->x->log.at[part].set);
    if (both == BPI_FALSE) continue;
    bpi_bdd_drop(e->m, f->best.states);
    f->best = (choice){part, frame, vertex, step, both};
  }
  bpi_bdd_drop(e->m, states);
}

/* Without return only at the bottom; completed in the frames of that call which fit. */
static void offer_callee(follow *f)
{
  bpi_engine *e = f->e;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[f->vertex].stmt);
  const uint32_t entry = e->cfg->procs.at[callee].entry;
  const bpi_call *call = bpi_call_of(e, f->vertex);
  if (!call) return;
  const bpi_step step = {.vertex = f->vertex, .kind = BPI_STEP_ENTERS};
  const bpi_bdd here = bpi_point_set(e, f->state, f->all, BPI_CURRENT);
  const bpi_bdd inside = after_enter(f, call, callee);
  if (!f->frame) offer(f, 0, step, entry, bpi_bdd_keep(e->m, inside));
  uint32_t i = f->x->frames.at[f->frame].newest;
  for (; i != BP_NONE && bpi_going(e); i = f->x->frames.at[i].older) {
    if (f->x->frames.at[i].vertex != f->vertex) continue;
    const bpi_bdd both = bpi_bdd_and(e->m, here, f->x->frames.at[i].kept);
    bpi_bdd_drop(e->m, both);
    if (both != BPI_FALSE) offer(f, i, step, entry, bpi_bdd_keep(e->m, inside));
  }
  bpi_bdd_drop(e->m, here);
  bpi_bdd_drop(e->m, inside);
}

static void offer_caller(follow *f)
{
  if (!f->calls.count) return;
  const opened *o = &f->calls.at[f->calls.count - 1];
  const bpi_call *call = bpi_call_of(f->e, o->vertex);
  const bpi_step step = {.vertex = o->vertex, .kind = BPI_STEP_CALLS};
  if (call)
    offer(f, f->x->frames.at[f->frame].parent, step, bpi_first_succ(f->e->cfg, o->vertex),
          after_return(f, o, call, f->w.path->proc));
}

static void offer_edges(follow *f)
{
  const bp_cfg *cfg = f->e->cfg;
  const bpi_slice succs = bpi_succs(&cfg->vertices.at[f->vertex]);
  for (uint32_t i = 0; i < succs.count && bpi_going(f->e); i++) {
    const bpi_step step = {.vertex = f->vertex, .succ = i, .kind = BPI_STEP_PLAIN};
    if (f->e->a.explore[cfg->succs.at[succs.first + i]])
      offer(f, f->frame, step, cfg->succs.at[succs.first + i], after_edge(f, i));
  }
}

/* ---- steps ----------------------------------------------------------------- */

/* Copies what is live at the vertex of a state. */
static void show(const follow *f, uint64_t *point, const uint64_t *state, uint32_t vertex)
{
  const bpi_analysis *a = &f->e->a;
  const uint64_t *live = bpi_live(a, vertex);
  bpi_walk_clear(&f->w, point);
  for (uint32_t i = 0; i < a->places; i++)
    if (bpi_bit(live, i) && bpi_bit(state, i)) bpi_bit_add(point, i);
  if (f->e->cfg->vertices.at[vertex].kind != BPI_VERTEX_EXIT) return;
  for (uint32_t i = a->places; i < a->places + f->e->layout.results; i++)
    if (bpi_bit(state, i)) bpi_bit_add(point, i);
}

static bool add_step(follow *f, bpi_step step, const uint64_t *state)
{
  show(f, f->w.point, state, step.vertex);
  return bpi_walk_add_step(&f->w, step);
}

static bpi_path *new_path(follow *f, uint32_t proc)
{
  bpi_path *path = bpi_zalloc(1, sizeof *path);
  if (!path) {
    f->e->stop = BP_REASON_MEMORY;
    return NULL;
  }
  path->refs = 1;
  path->proc = proc;
  return path;
}

/* Into the callee of a call that is left again. */
static bool open_call(follow *f)
{
  const uint32_t words = bpi_point_words(f->e);
  opened o = {.path = f->w.path, .vertex = f->vertex};
  bpi_path *path = new_path(f, f->e->cfg->vertices.at[f->best.vertex].proc);
  o.state = path ? bpi_zalloc((size_t)2 * words, sizeof *o.state) : NULL;
  if (!o.state || !bpi_vec_push(&f->calls, o)) {
    f->e->stop = BP_REASON_MEMORY;
    bpi_release(o.state);
    bpi_path_unref(path);
    return false;
  }
  opened *top = &f->calls.at[f->calls.count - 1];
  top->entry = top->state + words;
  memcpy(top->state, f->state, words * sizeof *f->state);
  f->w.path = path;
  return true;
}

/* The states at the entry and the exit of a callee, and a number, so that each call has a key of its own. */
static uint64_t *new_key(follow *f, const opened *o)
{
  const bpi_analysis *a = &f->e->a;
  const uint32_t words = bpi_point_words(f->e), callee = f->w.path->proc;
  uint64_t *key = bpi_zalloc(bpi_key_words(f->e), sizeof *key);
  if (!key) {
    f->e->stop = BP_REASON_MEMORY;
    return NULL;
  }
  show(f, key, o->entry, f->e->cfg->procs.at[callee].entry);
  for (uint32_t i = a->globals + a->formals[callee]; i < a->places; i++)
    bpi_bit_remove(key, i);
  show(f, key + words, f->state, f->vertex);
  key[2 * words] = f->ways->list.count + 1;
  return key;
}

/* Out of it. */
static bool close_call(follow *f)
{
  const opened o = f->calls.at[f->calls.count - 1];
  const bpi_through way = {.key = new_key(f, &o), .path = f->w.path};
  if (!way.key || !bpi_vec_push(&f->ways->list, way)) {
    f->e->stop = BP_REASON_MEMORY;
    bpi_release(way.key);
    return false;
  }
  f->calls.count--;
  f->w.path = o.path;
  f->w.path->by_contexts = true;
  f->w.key = way.key;
  const bool added = add_step(f, f->best.step, o.state);
  bpi_release(o.state);
  return added;
}

static void take_state(follow *f)
{
  bpi_walk_clear(&f->w, f->state);
  bpi_walk_take_places(&f->w, f->state, f->all, BPI_CURRENT);
  if (f->e->cfg->vertices.at[f->vertex].kind == BPI_VERTEX_EXIT)
    bpi_walk_take_results(&f->w, f->state);
}

static bool opens_call(const choice *c)
{
  return c->step.kind == BPI_STEP_ENTERS && c->frame;
}

/* A call that is left again becomes a step when it is left. */
static bool add_best(follow *f)
{
  if (opens_call(&f->best)) return open_call(f);
  if (f->best.step.kind == BPI_STEP_CALLS) return close_call(f);
  return add_step(f, f->best.step, f->state);
}

/* On by the best choice. */
static bool go(follow *f)
{
  const choice *c = &f->best;
  if (!bpi_walk_pick(&f->w, c->states)) return false;
  if (!add_best(f)) return false;
  f->frame = c->frame;
  f->vertex = c->vertex;
  take_state(f);
  if (!opens_call(c)) return true;
  const opened *o = &f->calls.at[f->calls.count - 1];
  memcpy(o->entry, f->state, bpi_point_words(f->e) * sizeof *f->state);
  return true;
}

static bool step(follow *f)
{
  f->best.step = (bpi_step){.vertex = BP_NONE};
  switch (f->e->cfg->vertices.at[f->vertex].kind) {
  case BPI_VERTEX_CALL: offer_callee(f); break;
  case BPI_VERTEX_EXIT: offer_caller(f); break;
  default: offer_edges(f);
  }
  /* What is wanted somewhere has what is wanted next in an older part: without a stop this is a bug. */
  if (f->best.step.vertex == BP_NONE && bpi_going(f->e)) f->e->broken = true;
  return bpi_going(f->e) && !f->e->broken && go(f);
}

static bool is_goal(follow *f, uint32_t vertex, bpi_bdd set)
{
  if (f->frame || f->vertex != vertex) return false;
  const bpi_bdd here = bpi_point_set(f->e, f->state, f->all, BPI_CURRENT);
  const bpi_bdd both = bpi_bdd_and(f->e->m, here, set);
  bpi_bdd_drop(f->e->m, here);
  bpi_bdd_drop(f->e->m, both);
  return both != BPI_FALSE;
}

static bool run(follow *f, uint32_t goal_vertex, bpi_bdd goal_set)
{
  bpi_executions *x = f->x;
  f->vertex = x->wants.at[x->want].vertex;
  f->best.part = x->log.count;
  f->w.path = new_path(f, f->e->cfg->vertices.at[f->vertex].proc);
  const bpi_bdd start = bpi_bdd_and(f->e->m, x->set, x->start);
  const bool begun = f->w.path && bpi_walk_pick(&f->w, start);
  bpi_bdd_drop(f->e->m, start);
  if (!begun) return false;
  take_state(f);
  while (!is_goal(f, goal_vertex, goal_set))
    if (!bpi_engine_tick(f->e) || !step(f)) return false;
  return add_step(f, (bpi_step){.vertex = goal_vertex, .succ = BP_NONE}, f->state);
}

static void end(follow *f)
{
  bpi_bdd_drop(f->e->m, f->best.states);
  for (uint32_t i = 0; i < f->calls.count; i++) {
    bpi_path_unref(f->calls.at[i].path);
    bpi_release(f->calls.at[i].state);
  }
  bpi_vec_free(&f->calls);
  bpi_release(f->w.values);
}

bpi_path *bpi_follow(bpi_executions *x, uint32_t goal_vertex, bpi_bdd goal_set, bpi_ways *ways)
{
  bpi_engine *e = x->e;
  const uint32_t words = bpi_point_words(e);
  follow f = {.x = x, .e = e, .ways = ways, .w = {.e = e}};
  uint64_t *block = bpi_zalloc((size_t)2 * words + (size_t)3 * e->a.words, sizeof *block);
  f.w.values = bpi_alloc((size_t)3 * bpi_bdd_slot_count(e->m), 1);
  bool found = false;
  if (block && f.w.values) {
    f.state = block;
    f.w.point = block + words;
    f.all = f.w.point + words;
    f.some = f.all + e->a.words;
    f.locals = f.some + e->a.words;
    for (uint32_t i = 0; i < e->a.places; i++)
      bpi_bit_add(f.all, i);
    found = run(&f, goal_vertex, goal_set);
  } else {
    e->stop = BP_REASON_MEMORY;
  }
  bpi_release(block);
  end(&f);
  if (found) return f.w.path;
  bpi_path_unref(f.w.path);
  return NULL;
}

void bpi_ways_clear(bpi_ways *ways)
{
  for (uint32_t i = 0; i < ways->list.count; i++) {
    bpi_release(ways->list.at[i].key);
    bpi_path_unref(ways->list.at[i].path);
  }
  bpi_vec_free(&ways->list);
}
