/* SPDX-License-Identifier: MIT
 * Executions that lead to a goal, looked for backwards: the states from which it can be reached over one
 * way of statements and calls after the other (weakest preconditions: Dijkstra, CACM 1975), until they include one
 * in which a run can start. Unlike backward.c this knows who called: a completed call is gone through in a frame
 * of its own, for one value of what the caller keeps, back to that call. So what it finds can be
 * reached; what it does not find says nothing. States nearest to the start of the program come first, and of large
 * sets a part (narrow.c), so that a way is found and not every one. */
#include "engine/back.h"
#include "engine/follow.h"
#include "engine/query.h"

#ifndef BPI_EXECUTE_IMAGES /* few for tests: stopped often */
#define BPI_EXECUTE_IMAGES 64
#endif

enum {
  IMAGES = BPI_EXECUTE_IMAGES, /* of small sets for a piece of the kernel's work */
  PATH_IMAGES = 64,            /* the same, for a trace */
  MOST_BUDGET = 1 << 20,
  FIRST_SLICE = 256, /* images for a goal, in the first round */
  GROWTH = 4,        /* of that from round to round */
  MOST_PIECES = 4    /* of a set behind a call, in a step */
};

typedef enum outcome {
  ON,
  FOUND,
  IN_VAIN, /* nothing waits any more */
  STOPPED  /* half-way */
} outcome;

static void end(bpi_executions *x)
{
  if (!x->e) return;
  bpi_wants_forget(x);
  bpi_bdd_drop(x->e->m, x->start);
  bpi_vec_free(&x->frames);
  bpi_vec_free(&x->wants);
  bpi_vec_free(&x->heap);
  bpi_vec_free(&x->log);
  bpi_release(x->table);
  bpi_release(x->behind);
  *x = (bpi_executions){.off = false};
}

void bpi_executions_clear(bp_query *q)
{
  end(&q->executions);
}

/* False when stopped. */
static bool begin(bp_query *q, bpi_executions *x)
{
  if (x->e) return true;
  *x = (bpi_executions){.e = q->engine, .want = BP_NONE};
  x->start = bpi_start_set(x->e, q->init.at, q->init.count);
  if (bpi_going(x->e)) x->behind = bpi_behind(x->e);
  if (bpi_going(x->e)) return true;
  end(x);
  return false;
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
static void into_callee(bpi_executions *x, uint32_t frame, uint32_t vertex, const parts *all,
                        bpi_bdd *left)
{
  bpi_engine *e = x->e;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt);
  const bpi_bdd kept = kept_as_one(e, all, *left);
  const bpi_bdd some = bpi_bdd_and(e->m, *left, kept), rest = bpi_bdd_diff(e->m, *left, kept);
  const bpi_call *call = bpi_call_of(e, vertex);
  const uint32_t inner = call && bpi_going(e)
                             ? bpi_call_frame_of(x, frame, vertex, bpi_bdd_keep(e->m, kept))
                             : BP_NONE;
  if (inner != BP_NONE)
    bpi_wants_add(x, inner, e->cfg->procs.at[callee].exit,
                  bpi_before_return(e, call, vertex, some));
  bpi_bdd_drop(e->m, kept);
  bpi_bdd_drop(e->m, some);
  bpi_bdd_drop(e->m, *left);
  *left = rest;
}

/* A few such pieces of *now, which all calls before the same vertex share. What is left moves to *later, so that
 * each time some states have passed them all. */
static void into_call(bpi_executions *x, uint32_t frame, uint32_t vertex, bpi_bdd *now,
                      bpi_bdd *later)
{
  bpi_engine *e = x->e;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt);
  if (!e->a.explore[e->cfg->procs.at[callee].exit] || !bpi_room_for_frame(x, frame, vertex)) return;
  const parts all = parts_at(e, vertex);
  bpi_bdd left = bpi_bdd_keep(e->m, *now);
  for (uint32_t i = 0; i < MOST_PIECES && left != BPI_FALSE && bpi_going(e); i++)
    into_callee(x, frame, vertex, &all, &left);
  const bpi_bdd rest = bpi_bdd_diff(e->m, *now, left);
  bpi_bdd_drop(e->m, *now);
  *now = rest;
  bpi_join(e, later, left);
  bpi_bdd_drop(e->m, all.kept);
  bpi_bdd_drop(e->m, all.rest);
}

static void to_preds(bpi_executions *x, uint32_t frame, uint32_t vertex, bpi_bdd set,
                     bpi_bdd *later)
{
  bpi_engine *e = x->e;
  const bp_cfg *cfg = e->cfg;
  const bpi_slice preds = bpi_preds(&cfg->vertices.at[vertex]);
  bpi_bdd now = bpi_bdd_keep(e->m, set);
  for (uint32_t i = 0; i < preds.count && bpi_going(e); i++) {
    const uint32_t pred = cfg->preds.at[preds.first + i];
    const bpi_vertex *u = &cfg->vertices.at[pred];
    const bool call = u->kind == BPI_VERTEX_CALL;
    if (!e->a.explore[pred]) continue;
    if (call) into_call(x, frame, pred, &now, later);
    for (uint32_t k = 0; !call && k < bpi_succs(u).count && bpi_going(e); k++)
      if (cfg->succs.at[bpi_succs(u).first + k] == vertex)
        bpi_wants_add(x, frame, pred, bpi_before_edge(e, pred, k, set));
  }
  bpi_bdd_drop(e->m, now);
}

/* From the entry of a procedure, with states that are wanted there, to a call of it. */
static void to_caller(bpi_executions *x, uint32_t frame, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = x->e;
  const bpi_call_frame *f = &x->frames.at[frame];
  const bpi_call *call = e->a.explore[vertex] ? bpi_call_of(e, vertex) : NULL;
  if (!call) return;
  bpi_bdd before =
      bpi_before_enter(e, call, bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt), set);
  bpi_conjoin(e, &before, bpi_bdd_keep(e->m, f->kept));
  bpi_wants_add(x, frame ? f->parent : 0, vertex, before);
}

/* To the call of the frame, or to whoever calls. */
static void to_callers(bpi_executions *x, uint32_t frame, uint32_t proc, bpi_bdd set)
{
  const bp_cfg *cfg = x->e->cfg;
  const bpi_slice calls = cfg->procs.at[proc].calls;
  if (frame) to_caller(x, frame, x->frames.at[frame].vertex, set);
  for (uint32_t i = 0; !frame && i < calls.count && bpi_going(x->e); i++)
    to_caller(x, 0, cfg->calls.at[calls.first + i], set);
}

/* Whether one of the states can be a start, or is known to be reached. In the frame at the bottom who called does
 * not matter any more: the goal is reached before the procedure goes back. */
static bool is_reached(bpi_executions *x, uint32_t frame, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = x->e;
  if (frame) return false;
  const bool first = vertex == x->e->cfg->procs.at[x->e->p->entry].entry;
  const bpi_bdd known = first ? x->start : x->logs ? BPI_FALSE : bpi_path_edges(e, vertex);
  const bpi_bdd both = bpi_bdd_and(e->m, set, known);
  bpi_bdd_drop(e->m, both);
  return both != BPI_FALSE && bpi_going(e);
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
static outcome step(bpi_executions *x)
{
  bpi_engine *e = x->e;
  bpi_bdd later = BPI_FALSE;
  if (x->want == BP_NONE && !x->heap.count) return IN_VAIN;
  if (!bpi_engine_tick(e) || (x->want == BP_NONE && !bpi_wants_take(x))) return STOPPED;
  const uint32_t frame = x->wants.at[x->want].frame, vertex = x->wants.at[x->want].vertex;
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  if (is_reached(x, frame, vertex, x->set)) return FOUND;
  if (is_dear(e, vertex)) return STOPPED;
  to_preds(x, frame, vertex, x->set, &later);
  if (vertex == e->cfg->procs.at[v->proc].entry) to_callers(x, frame, v->proc, x->set);
  bpi_wants_put_back(x, x->want, later);
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

static void begin_goal(bpi_executions *x, uint32_t vertex, bpi_bdd set)
{
  const bpi_call_frame bottom = {
      .parent = BP_NONE, .newest = BP_NONE, .vertex = BP_NONE, .kept = BPI_TRUE};
  x->first = x->images;
  if (x->frames.count || bpi_vec_push(&x->frames, bottom))
    bpi_wants_add(x, 0, vertex, bpi_bdd_keep(x->e->m, set));
  else
    x->e->stop = BP_REASON_MEMORY;
  x->begun = bpi_going(x->e);
}

/* Goes on with the goal at work. */
static outcome try_goal(bp_query *q)
{
  bpi_executions *x = &q->executions;
  if (!x->begun) begin_goal(x, q->goals.at[x->goal].vertex, x->e->goal_set[x->goal]);
  outcome out = bpi_going(x->e) ? ON : STOPPED;
  while (out == ON) {
    if (x->images - x->first > x->slice) return ON;
    out = x->images > x->most ? STOPPED : step(x);
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
  target->apart = true;
}

/* The goals of targets that are open one after the other, each round. True: nothing is left to try. */
static bool try_goals(bp_query *q)
{
  bpi_executions *x = &q->executions;
  for (;;) {
    for (; x->goal < q->goals.count; x->goal++) {
      if (is_open(q, x->goal)) {
        const outcome out = try_goal(q);
        if (out == STOPPED) return false;
        if (out == FOUND) found(q);
        x->again |= out == ON;
      }
      bpi_wants_forget(x); /* also where others have decided since it was stopped */
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
  const bool fresh = !x->e, begun = begin(q, x);
  if (begun && fresh) x->slice = slice_of_round(q);
  if (!x->halted) x->most = x->images + images;
  const bool done = begun && try_goals(q);
  const bp_reason why = bpi_engine_reason(e);
  const bool spent = bpi_bdd_end_budget(q->m, outer), fails = why != BP_REASON_NONE && !spent;
  x->halted = fails && bpi_must_stop(why);
  if (x->halted) {
    e->stop = why;
    return;
  }
  if (fails) bpi_engine_resume(e);
  if (!fails && !done) return;
  bpi_executions_clear(q);
  x->off = true;
}

/* As for a search for traces, search.c. */
static bool has_room(const bpi_executions *x)
{
  const uint64_t most = bpi_bdd_bytes(x->e->m) / 2;
  const uint64_t bytes = x->wants.count * sizeof *x->wants.at + x->log.count * sizeof *x->log.at +
                         x->frames.count * sizeof *x->frames.at;
  return !most || bytes < most;
}

bpi_path *bpi_executions_path(bp_query *q, uint32_t target, uint64_t most, bpi_ways *ways)
{
  bpi_engine *e = q->engine;
  bpi_executions x = {.off = false};
  const uint32_t vertex = q->targets.at[target].vertex;
  uint32_t goal = q->targets.at[target].goals.first;
  bpi_path *path = NULL;
  while (q->goals.at[goal].vertex != vertex)
    goal++;
  if (!begin(q, &x)) return NULL;
  x.logs = true;
  begin_goal(&x, vertex, e->goal_set[goal]);
  outcome out = bpi_going(e) ? ON : STOPPED;
  while (out == ON)
    out = x.images / PATH_IMAGES > most || !has_room(&x) ? STOPPED : step(&x);
  if (out == FOUND) path = bpi_follow(&x, vertex, e->goal_set[goal], ways);
  end(&x);
  return path;
}
