/* SPDX-License-Identifier: MIT
 * Executions that lead to a goal, looked for backwards: the states from which it can be reached over one
 * way of statements and calls after the other (weakest preconditions: Dijkstra, CACM 1975), until they include one
 * in which a run can start. Unlike backward.c this knows who called: a completed call is gone through in a frame
 * of its own, for one value of what the caller keeps, back to that call. So what it finds can be
 * reached; what it does not find says nothing. States nearest to the start of the program come first, and of large
 * sets a part (narrow.c), so that a way is found and not every one. */
#include "engine/back.h"
#include "engine/query.h"

enum {
  IMAGES = 64, /* of small sets for a piece of the kernel's work */
  MOST_BUDGET = 1 << 20,
  FIRST_SLICE = 256,  /* images for a goal, in the first round */
  GROWTH = 4,         /* of that from round to round */
  MOST_NODES = 500,   /* of a set that is passed on at once */
  MOST_FRAMES = 1024, /* one above the other */
  MOST_PIECES = 4,    /* of a set behind a call, in a step */
  NARROWED = 16,      /* images that it costs to find a part */
  VISIT = 1,          /* steps that a visit counts as */
  FIRST_ROOM = 256
};

typedef enum outcome {
  ON,
  FOUND,
  IN_VAIN, /* nothing waits any more */
  STOPPED  /* half-way */
} outcome;

/* ---- what is wanted, and frames ------------------------------------------ */

static void forget(bp_query *q)
{
  bpi_executions *x = &q->executions;
  for (uint32_t i = 0; i < x->wants.count; i++) {
    bpi_bdd_drop(q->m, x->wants.at[i].passed);
    bpi_bdd_drop(q->m, x->wants.at[i].waits);
  }
  for (uint32_t i = 0; i < x->frames.count; i++)
    bpi_bdd_drop(q->m, x->frames.at[i].kept);
  for (uint32_t i = 0; i < x->room; i++)
    x->table[i] = BP_NONE;
  bpi_bdd_drop(q->m, x->set);
  x->set = BPI_FALSE;
  x->want = BP_NONE;
  x->wants.count = x->frames.count = x->heap.count = 0;
  x->begun = false;
}

void bpi_executions_clear(bp_query *q)
{
  bpi_executions *x = &q->executions;
  if (x->behind) forget(q);
  bpi_bdd_drop(q->m, x->start);
  bpi_vec_free(&x->frames);
  bpi_vec_free(&x->wants);
  bpi_vec_free(&x->heap);
  bpi_release(x->table);
  bpi_release(x->behind);
  *x = (bpi_executions){.off = false};
}

static uint32_t place_in_table(const bpi_executions *x, uint32_t frame, uint32_t vertex)
{
  const uint64_t hash = (frame * (uint64_t)0x9e3779b97f4a7c15 ^ vertex) * 0xbf58476d1ce4e5b9;
  uint32_t at = (uint32_t)(hash >> 32) & (x->room - 1);
  while (x->table[at] != BP_NONE &&
         (x->wants.at[x->table[at]].frame != frame || x->wants.at[x->table[at]].vertex != vertex))
    at = (at + 1) & (x->room - 1);
  return at;
}

static bool grow_table(bpi_executions *x)
{
  const uint32_t room = x->room ? 2 * x->room : FIRST_ROOM;
  uint32_t *table = bpi_alloc(room, sizeof *table);
  if (!table) return false;
  bpi_release(x->table);
  x->table = table;
  x->room = room;
  for (uint32_t i = 0; i < room; i++)
    table[i] = BP_NONE;
  for (uint32_t i = 0; i < x->wants.count; i++)
    table[place_in_table(x, x->wants.at[i].frame, x->wants.at[i].vertex)] = i;
  return true;
}

/* BP_NONE and e->stop without memory. */
static uint32_t want_of(bp_query *q, uint32_t frame, uint32_t vertex)
{
  bpi_executions *x = &q->executions;
  const bpi_want none = {.frame = frame, .vertex = vertex};
  if ((2 * (x->wants.count + 1) > x->room && !grow_table(x)) || !bpi_vec_reserve(&x->wants, 1)) {
    q->engine->stop = BP_REASON_MEMORY;
    return BP_NONE;
  }
  const uint32_t at = place_in_table(x, frame, vertex);
  if (x->table[at] == BP_NONE) {
    x->table[at] = x->wants.count;
    (void)bpi_vec_push(&x->wants, none);
  }
  return x->table[at];
}

/* Steps from the start of the program to the entry of the procedure of a vertex, whoever called. */
static uint32_t entry_behind(const bp_query *q, uint32_t vertex)
{
  return q->executions.behind[q->cfg->vertices.count + q->cfg->vertices.at[vertex].proc];
}

static bool has_room_above(const bp_query *q, uint32_t frame, uint32_t vertex)
{
  const bpi_executions *x = &q->executions;
  return x->frames.at[frame].depth < MOST_FRAMES && x->behind[vertex] != BP_NONE;
}

/* The frame for a call, with `kept`, which is given away; BP_NONE and e->stop without memory. */
static uint32_t frame_of(bp_query *q, uint32_t parent, uint32_t vertex, bpi_bdd kept)
{
  bpi_executions *x = &q->executions;
  const bpi_call_frame *up = &x->frames.at[parent];
  uint32_t i = up->newest;
  while (i != BP_NONE && (x->frames.at[i].vertex != vertex || x->frames.at[i].kept != kept))
    i = x->frames.at[i].older;
  if (i == BP_NONE) {
    const uint32_t to_entry = parent ? up->behind : entry_behind(q, vertex);
    const bpi_call_frame f = {.parent = parent,
                              .newest = BP_NONE,
                              .older = up->newest,
                              .vertex = vertex,
                              .kept = kept,
                              .behind = bpi_further(to_entry, x->behind[vertex] + 1),
                              .depth = up->depth + 1};
    if (bpi_vec_push(&x->frames, f)) return x->frames.at[parent].newest = x->frames.count - 1;
    q->engine->stop = BP_REASON_MEMORY;
  }
  bpi_bdd_drop(q->m, kept);
  return i;
}

/* ---- states -------------------------------------------------------------- */

static bool queue(bp_query *q, uint32_t want)
{
  bpi_executions *x = &q->executions;
  const bpi_want *s = &x->wants.at[want];
  const uint32_t entry = s->frame ? x->frames.at[s->frame].behind : entry_behind(q, s->vertex);
  const uint64_t rank = (uint64_t)entry + x->behind[s->vertex] + (uint64_t)VISIT * s->visits;
  if (!bpi_vec_reserve(&x->heap, 1)) return false;
  bpi_waiting_add(x->heap.at, &x->heap.count, (bpi_waiting){rank, {.vertex = want}});
  return true;
}

/* Adds what is new in `set`, which is given away, to the states that are wanted at a vertex. */
static void add(bp_query *q, uint32_t frame, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = q->engine;
  bpi_executions *x = &q->executions;
  const bool leads = x->behind[vertex] != BP_NONE && (frame || entry_behind(q, vertex) != BP_NONE);
  const uint32_t at =
      set != BPI_FALSE && leads && bpi_going(e) ? want_of(q, frame, vertex) : BP_NONE;
  x->images++;
  if (at == BP_NONE) {
    bpi_bdd_drop(e->m, set);
    return;
  }
  bpi_want *s = &x->wants.at[at];
  bpi_bdd waits = bpi_bdd_diff(e->m, set, s->passed);
  bpi_bdd_drop(e->m, set);
  bpi_join(e, &waits, bpi_bdd_keep(e->m, s->waits));
  if (!bpi_going(e) || waits == s->waits) {
    bpi_bdd_drop(e->m, waits);
    return;
  }
  if (s->waits == BPI_FALSE && !queue(q, at)) e->stop = BP_REASON_MEMORY;
  bpi_bdd_drop(e->m, s->waits);
  s->waits = waits;
}

/* ---- steps --------------------------------------------------------------- */

/* What the caller of a call keeps, its locals but for the targets, and what it hands on, the rest: two sets of
 * variables. */
typedef struct parts {
  bpi_bdd kept, rest;
} parts;

static parts parts_at(bpi_engine *e, uint32_t vertex)
{
  uint64_t *kept = e->sets, *rest = kept + e->a.words;
  bpi_target_places(e, &e->cfg->vertices.at[vertex], rest);
  memset(kept, 0, e->a.words * sizeof *kept);
  for (uint32_t i = 0; i < e->a.places; i++)
    bpi_bit_add(i < e->a.globals || bpi_bit(rest, i) ? rest : kept, i);
  const bpi_bdd first = bpi_place_set(e, kept, BPI_CURRENT);
  return (parts){first, bpi_place_set(e, rest, BPI_CURRENT)};
}

/* For one state of `set`, the values of what the caller keeps for which all the rest is as for this one. */
static bpi_bdd kept_as_one(bpi_engine *e, const parts *of, bpi_bdd set)
{
  const bpi_bdd some = bpi_rest_of_one(e, set, of->kept);
  const bpi_bdd differs = bpi_bdd_xor(e->m, set, some);
  const bpi_bdd others = bpi_bdd_exists(e->m, differs, of->rest);
  const bpi_bdd kept = bpi_bdd_not(e->m, others);
  bpi_bdd_drop(e->m, some);
  bpi_bdd_drop(e->m, differs);
  bpi_bdd_drop(e->m, others);
  return kept;
}

/* Into the callee of a completed call, with some of the states behind it and, at once, all that goes with the same
 * values of what the caller keeps. Takes them off *left. */
static void into_callee(bp_query *q, uint32_t frame, uint32_t vertex, const parts *all,
                        bpi_bdd *left)
{
  bpi_engine *e = q->engine;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt);
  const bpi_bdd kept = kept_as_one(e, all, *left);
  const bpi_bdd some = bpi_bdd_and(e->m, *left, kept), rest = bpi_bdd_diff(e->m, *left, kept);
  const bpi_call *call = bpi_call_of(e, vertex);
  const uint32_t inner =
      call && bpi_going(e) ? frame_of(q, frame, vertex, bpi_bdd_keep(e->m, kept)) : BP_NONE;
  if (inner != BP_NONE)
    add(q, inner, e->cfg->procs.at[callee].exit, bpi_before_return(e, call, vertex, some));
  bpi_bdd_drop(e->m, kept);
  bpi_bdd_drop(e->m, some);
  bpi_bdd_drop(e->m, *left);
  *left = rest;
}

/* A few such pieces of *now, which all calls before the same vertex share. What is left moves to *later, so that
 * each time some states have passed them all. */
static void into_call(bp_query *q, uint32_t frame, uint32_t vertex, bpi_bdd *now, bpi_bdd *later)
{
  bpi_engine *e = q->engine;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt);
  if (!e->a.explore[e->cfg->procs.at[callee].exit] || !has_room_above(q, frame, vertex)) return;
  const parts all = parts_at(e, vertex);
  bpi_bdd left = bpi_bdd_keep(e->m, *now);
  for (uint32_t i = 0; i < MOST_PIECES && left != BPI_FALSE && bpi_going(e); i++)
    into_callee(q, frame, vertex, &all, &left);
  const bpi_bdd rest = bpi_bdd_diff(e->m, *now, left);
  bpi_bdd_drop(e->m, *now);
  *now = rest;
  bpi_join(e, later, left);
  bpi_bdd_drop(e->m, all.kept);
  bpi_bdd_drop(e->m, all.rest);
}

static void to_preds(bp_query *q, uint32_t frame, uint32_t vertex, bpi_bdd set, bpi_bdd *later)
{
  bpi_engine *e = q->engine;
  const bp_cfg *cfg = e->cfg;
  const bpi_slice preds = bpi_preds(&cfg->vertices.at[vertex]);
  bpi_bdd now = bpi_bdd_keep(e->m, set);
  for (uint32_t i = 0; i < preds.count && bpi_going(e); i++) {
    const uint32_t pred = cfg->preds.at[preds.first + i];
    const bpi_vertex *u = &cfg->vertices.at[pred];
    const bool call = u->kind == BPI_VERTEX_CALL;
    if (!e->a.explore[pred]) continue;
    if (call) into_call(q, frame, pred, &now, later);
    for (uint32_t k = 0; !call && k < bpi_succs(u).count && bpi_going(e); k++)
      if (cfg->succs.at[bpi_succs(u).first + k] == vertex)
        add(q, frame, pred, bpi_before_edge(e, pred, k, set));
  }
  bpi_bdd_drop(e->m, now);
}

/* From the entry of a procedure, with states that are wanted there, to a call of it. */
static void to_caller(bp_query *q, uint32_t frame, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = q->engine;
  const bpi_call_frame *f = &q->executions.frames.at[frame];
  const bpi_call *call = e->a.explore[vertex] ? bpi_call_of(e, vertex) : NULL;
  if (!call) return;
  bpi_bdd before =
      bpi_before_enter(e, call, bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt), set);
  bpi_conjoin(e, &before, bpi_bdd_keep(e->m, f->kept));
  add(q, frame ? f->parent : 0, vertex, before);
}

/* To the call of the frame, or to whoever calls. */
static void to_callers(bp_query *q, uint32_t frame, uint32_t proc, bpi_bdd set)
{
  const bp_cfg *cfg = q->cfg;
  const bpi_slice calls = cfg->procs.at[proc].calls;
  if (frame) to_caller(q, frame, q->executions.frames.at[frame].vertex, set);
  for (uint32_t i = 0; !frame && i < calls.count && bpi_going(q->engine); i++)
    to_caller(q, 0, cfg->calls.at[calls.first + i], set);
}

/* Whether one of the states can be a start, or is known to be reached. In the frame at the bottom who called does
 * not matter any more: the goal is reached before the procedure goes back. */
static bool is_reached(bp_query *q, uint32_t frame, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = q->engine;
  if (frame) return false;
  const bool first = vertex == q->cfg->procs.at[q->p->entry].entry;
  const bpi_bdd known = first ? q->executions.start : bpi_path_edges(e, vertex);
  const bpi_bdd both = bpi_bdd_and(e->m, set, known);
  bpi_bdd_drop(e->m, both);
  return both != BPI_FALSE && bpi_going(e);
}

/* Takes (a part of) what is wanted nearest to the start. False when stopped. */
static bool take(bp_query *q)
{
  bpi_engine *e = q->engine;
  bpi_executions *x = &q->executions;
  const uint32_t at = x->heap.at[0].vertex;
  bpi_want *s = &x->wants.at[at];
  const bpi_bdd part = bpi_narrow(e, s->waits, MOST_NODES);
  const bpi_bdd rest = bpi_bdd_diff(e->m, s->waits, part), all = bpi_bdd_or(e->m, s->passed, part);
  if (!bpi_going(e)) {
    bpi_bdd_drop(e->m, part);
    bpi_bdd_drop(e->m, rest);
    bpi_bdd_drop(e->m, all);
    return false;
  }
  bpi_waiting_drop_first(x->heap.at, &x->heap.count);
  bpi_bdd_drop(e->m, s->waits);
  bpi_bdd_drop(e->m, s->passed);
  s->waits = rest;
  s->passed = all;
  s->visits++;
  x->want = at;
  x->set = part;
  if (rest != BPI_FALSE) x->images += NARROWED;
  if (rest != BPI_FALSE) (void)queue(q, at); /* there is room */
  return true;
}

/* What was not passed on after all, which is given away, waits again. */
static void put_back(bp_query *q, uint32_t at, bpi_bdd later)
{
  bpi_engine *e = q->engine;
  bpi_want *s = &q->executions.wants.at[at];
  if (later == BPI_FALSE) return;
  const bpi_bdd passed = bpi_bdd_diff(e->m, s->passed, later);
  bpi_bdd waits = bpi_bdd_keep(e->m, s->waits);
  bpi_join(e, &waits, later);
  if (bpi_going(e) && s->waits == BPI_FALSE && waits != BPI_FALSE && !queue(q, at))
    e->stop = BP_REASON_MEMORY;
  if (!bpi_going(e)) {
    bpi_bdd_drop(e->m, passed);
    bpi_bdd_drop(e->m, waits);
    return;
  }
  bpi_bdd_drop(e->m, s->passed);
  bpi_bdd_drop(e->m, s->waits);
  s->passed = passed;
  s->waits = waits;
}

/* Whether a relation would have to be made that costs more than is to be gained. Others may make it. */
static bool is_dear(bpi_engine *e, uint32_t vertex)
{
  const bpi_slice preds = bpi_preds(&e->cfg->vertices.at[vertex]);
  bool dear = false;
  for (uint32_t i = preds.first; i < preds.first + preds.count; i++)
    dear |= e->a.explore[e->cfg->preds.at[i]] && bpi_is_dear(e, e->cfg->preds.at[i]);
  return dear;
}

/* Passes on what was taken; what is stopped half-way is done anew. */
static outcome step(bp_query *q)
{
  bpi_engine *e = q->engine;
  bpi_executions *x = &q->executions;
  bpi_bdd later = BPI_FALSE;
  if (x->want == BP_NONE && !x->heap.count) return IN_VAIN;
  if (!bpi_engine_tick(e) || (x->want == BP_NONE && !take(q))) return STOPPED;
  const uint32_t frame = x->wants.at[x->want].frame, vertex = x->wants.at[x->want].vertex;
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  if (is_reached(q, frame, vertex, x->set)) return FOUND;
  if (is_dear(e, vertex)) return STOPPED;
  to_preds(q, frame, vertex, x->set, &later);
  if (vertex == e->cfg->procs.at[v->proc].entry) to_callers(q, frame, v->proc, x->set);
  put_back(q, x->want, later);
  if (!bpi_going(e)) return STOPPED;
  bpi_bdd_drop(e->m, x->set);
  x->set = BPI_FALSE;
  x->want = BP_NONE;
  return ON;
}

/* ---- goals --------------------------------------------------------------- */

static bool is_open(const bp_query *q, uint32_t goal)
{
  const bpi_goal *g = &q->goals.at[goal];
  return q->engine->group_hit[g->group] == BP_NONE && q->engine->a.explore[g->vertex];
}

/* A last goal has all the rest. */
static uint64_t slice_of_round(const bp_query *q)
{
  uint32_t open = 0;
  for (uint32_t g = 0; g < q->goals.count; g++)
    open += is_open(q, g);
  if (open <= 1) return UINT64_MAX;
  uint64_t slice = FIRST_SLICE;
  for (uint32_t i = 0; i < q->executions.round && slice < UINT64_MAX / GROWTH; i++)
    slice *= GROWTH;
  return slice;
}

static bool begin(bp_query *q)
{
  bpi_executions *x = &q->executions;
  if (x->behind) return true;
  *x = (bpi_executions){.want = BP_NONE, .slice = slice_of_round(q)};
  x->start = bpi_start_set(q->engine, q->init.at, q->init.count);
  if (bpi_going(q->engine)) x->behind = bpi_behind(q->engine);
  if (bpi_going(q->engine)) return true;
  bpi_executions_clear(q);
  return false;
}

static void begin_goal(bp_query *q)
{
  bpi_executions *x = &q->executions;
  bpi_engine *e = q->engine;
  const bpi_call_frame bottom = {
      .parent = BP_NONE, .newest = BP_NONE, .vertex = BP_NONE, .kept = BPI_TRUE};
  x->first = x->images;
  if (x->frames.count || bpi_vec_push(&x->frames, bottom))
    add(q, 0, q->goals.at[x->goal].vertex, bpi_bdd_keep(e->m, e->goal_set[x->goal]));
  else
    e->stop = BP_REASON_MEMORY;
  x->begun = bpi_going(e);
}

/* Goes on with the goal at work, up to so many images in all. */
static outcome try_goal(bp_query *q, uint64_t most)
{
  bpi_executions *x = &q->executions;
  if (!x->begun) begin_goal(q);
  outcome out = bpi_going(q->engine) ? ON : STOPPED;
  while (out == ON) {
    if (x->images - x->first > x->slice) return ON;
    out = x->images > most ? STOPPED : step(q);
  }
  return out;
}

static void found(bp_query *q)
{
  const bpi_goal *goal = &q->goals.at[q->executions.goal];
  bpi_target *target = &q->targets.at[goal->group];
  bpi_engine_close_group(q->engine, goal->group);
  target->verdict = BP_REACHABLE;
  target->vertex = goal->vertex;
}

/* The goals of targets that are open one after the other, each round. True: nothing is left to try. */
static bool try_goals(bp_query *q, uint64_t most)
{
  bpi_executions *x = &q->executions;
  for (;;) {
    for (; x->goal < q->goals.count; x->goal++) {
      if (!is_open(q, x->goal)) continue;
      const outcome out = try_goal(q, most);
      if (out == STOPPED) return false;
      if (out == FOUND) found(q);
      x->again |= out == ON;
      forget(q);
    }
    if (!x->again || !q->engine->groups_left) return true;
    x->again = false;
    x->goal = 0;
    x->round++;
    x->slice = slice_of_round(q);
  }
}

void bpi_executions_work(bp_query *q, uint64_t budget)
{
  bpi_executions *x = &q->executions;
  bpi_engine *e = q->engine;
  const uint64_t outer = bpi_bdd_budget(q->m, budget);
  const uint64_t images = budget < MOST_BUDGET ? IMAGES * budget : UINT32_MAX;
  const bool done = begin(q) && try_goals(q, x->images + images);
  const bp_reason why = bpi_engine_reason(e);
  const bool spent = bpi_bdd_end_budget(q->m, outer), fails = why != BP_REASON_NONE && !spent;
  if (fails && bpi_must_stop(why)) {
    e->stop = why;
    return;
  }
  if (fails) bpi_engine_resume(e);
  if (!fails && !done) return;
  bpi_executions_clear(q);
  x->off = true;
}
