/* SPDX-License-Identifier: MIT
 * The states along the listed steps: forward from the start, then backward from the target, over
 * every variable. They are computed by the exploration of everything, whose transitions leave no
 * variable out; a closed call stands for every run of the callee, so its whole summary counts, and an
 * opened one for the runs that follow its own listed steps. */
#include "answer/trace.h"

#include "base/hash.h"

/* ---- one step forward and backward --------------------------------------- */

typedef struct mover {
  bp_trace *t;
  bpi_engine *f; /* the exploration of everything */
  uint64_t *changed;
  BPI_VEC(uint32_t) from, to;
} mover;

/* and-s `with` (given away) into *all */
static void narrow(bpi_engine *e, bpi_bdd *all, bpi_bdd with)
{
  const bpi_bdd both = bpi_bdd_and(e->m, *all, with);
  bpi_bdd_drop(e->m, *all);
  bpi_bdd_drop(e->m, with);
  *all = both;
}

static void quantify(bpi_engine *e, bpi_bdd *all, bpi_bdd quant)
{
  const bpi_bdd rest = bpi_bdd_exists(e->m, *all, quant);
  bpi_bdd_drop(e->m, *all);
  bpi_bdd_drop(e->m, quant);
  *all = rest;
}

/* The places that a statement changes; a call those that its callee may change, too. */
static void changed_places(mover *mv, const bpi_vertex *u)
{
  const bpi_engine *f = mv->f;
  memset(mv->changed, 0, f->a.words * sizeof *mv->changed);
  const bpi_stmt *s = &f->p->stmts.at[u->stmt];
  if (u->kind != BPI_VERTEX_ASSIGN && u->kind != BPI_VERTEX_HAVOC && u->kind != BPI_VERTEX_CALL)
    return;
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = f->p->ids.at[s->targets.first + k];
    if (target != BP_NONE) bpi_bit_add(mv->changed, f->a.place[target]);
  }
  if (u->kind != BPI_VERTEX_CALL) return;
  const uint64_t *mod = bpi_proc_set(&f->a, f->a.mod, s->callee);
  for (uint32_t i = 0; i < f->a.words; i++)
    mv->changed[i] |= mod[i];
}

/* CURRENT copies of `places` become NEXT copies. */
static bpi_bdd to_next(mover *mv, bpi_bdd set, const uint64_t *places)
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

static bpi_bdd results_set(bpi_engine *f, uint32_t proc)
{
  bpi_bdd set = BPI_TRUE;
  for (uint32_t r = 0; r < f->p->procs.at[proc].results; r++)
    narrow(f, &set,
           bpi_bdd_literal(f->m, bpi_bdd_var(f->layout.result_slot[r], BPI_CURRENT), true));
  return set;
}

static bpi_bdd back_edge(mover *mv, uint32_t vertex, uint32_t i, bpi_bdd after)
{
  bpi_engine *f = mv->f;
  const bpi_vertex *u = &f->cfg->vertices.at[vertex];
  const bpi_edge *edge = bpi_edge_of(f, vertex, i);
  if (!edge) return BPI_FALSE;
  if (u->stmt != BP_NONE)
    changed_places(mv, u);
  else
    memset(mv->changed, 0, f->a.words * sizeof *mv->changed);
  bpi_bdd set =
      u->kind == BPI_VERTEX_HAVOC ? bpi_bdd_keep(f->m, after) : to_next(mv, after, mv->changed);
  for (uint32_t k = edge->first; k < edge->first + edge->count; k++)
    narrow(f, &set, bpi_bdd_keep(f->m, f->parts.at[k].rel));
  const bpi_copy copy = u->kind == BPI_VERTEX_HAVOC ? BPI_CURRENT : BPI_NEXT;
  quantify(f, &set, bpi_place_set(f, mv->changed, copy));
  if (u->kind == BPI_VERTEX_RETURN) quantify(f, &set, results_set(f, u->proc));
  return set;
}

/* Local places. */
static bpi_bdd locals_set(mover *mv, bpi_copy copy)
{
  const bpi_analysis *a = &mv->f->a;
  memset(mv->changed, 0, a->words * sizeof *mv->changed);
  for (uint32_t i = a->globals; i < a->places; i++)
    bpi_bit_add(mv->changed, i);
  return bpi_place_set(mv->f, mv->changed, copy);
}

/* Into a callee, with every global: those that it does not touch keep their values there. */
static bpi_bdd enter(mover *mv, const bpi_call *call, bpi_bdd before)
{
  bpi_engine *f = mv->f;
  const bpi_bdd locals = locals_set(mv, BPI_CURRENT);
  const bpi_bdd down = bpi_bdd_and_exists(f->m, before, call->args, locals);
  const bpi_bdd inside = bpi_bdd_rename(f->m, down, bpi_bdd_next_to_current(f->m));
  bpi_bdd_drop(f->m, locals);
  bpi_bdd_drop(f->m, down);
  return inside;
}

static bpi_bdd back_enter(mover *mv, const bpi_call *call, uint32_t callee, bpi_bdd inside)
{
  bpi_engine *f = mv->f;
  const bpi_analysis *a = &f->a;
  bpi_bdd set = bpi_bdd_keep(f->m, inside);
  memset(mv->changed, 0, a->words * sizeof *mv->changed);
  for (uint32_t i = a->globals + f->p->procs.at[callee].formals; i < a->places; i++)
    bpi_bit_add(mv->changed, i);
  quantify(f, &set, bpi_place_set(f, mv->changed, BPI_CURRENT));
  memset(mv->changed, 0, a->words * sizeof *mv->changed);
  for (uint32_t i = 0; i < f->p->procs.at[callee].formals; i++)
    bpi_bit_add(mv->changed, a->globals + i);
  const bpi_bdd up = to_next(mv, set, mv->changed);
  bpi_bdd_drop(f->m, set);
  const bpi_bdd before = bpi_bdd_and_exists(f->m, up, call->args, f->procs[callee].formals_next);
  bpi_bdd_drop(f->m, up);
  return before;
}

static bpi_bdd back_return(mover *mv, uint32_t vertex, bpi_bdd lift, bpi_bdd after)
{
  bpi_engine *f = mv->f;
  changed_places(mv, &f->cfg->vertices.at[vertex]);
  bpi_bdd set = to_next(mv, after, mv->changed);
  narrow(f, &set, bpi_bdd_keep(f->m, lift));
  quantify(f, &set, bpi_place_set(f, mv->changed, BPI_NEXT));
  return set;
}

/* ---- between listed steps ------------------------------------------------ */

/* Several edges, and several silent ways (through declarations, enforce statements, the end of a
 * body), can lead from one listed step to the next: executions that take any of them follow the
 * listed steps. A vertex under way, with the states there. */
typedef struct stop {
  uint32_t vertex;
  bpi_bdd set;
} stop;

typedef BPI_VEC(stop) stops;

static void drop_stops(mover *mv, stops *list)
{
  for (uint32_t i = 0; i < list->count; i++)
    bpi_bdd_drop(mv->f->m, list->at[i].set);
  bpi_vec_free(list);
}

/* Adds states (given away) to those of a vertex under way. */
static void add_stop(mover *mv, stops *list, uint32_t vertex, bpi_bdd set)
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
static stop take_first(const mover *mv, stops *list)
{
  uint32_t first = 0;
  for (uint32_t i = 1; i < list->count; i++)
    if (mv->f->cfg->order[list->at[i].vertex] < mv->f->cfg->order[list->at[first].vertex])
      first = i;
  const stop taken = list->at[first];
  list->at[first] = list->at[--list->count];
  return taken;
}

static bool silent(const mover *mv, uint32_t vertex)
{
  const bpi_vertex *v = &mv->f->cfg->vertices.at[vertex];
  return !v->weight && v->kind != BPI_VERTEX_EXIT;
}

static void leave_along_edges(mover *mv, stops *list, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *f = mv->f;
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  for (uint32_t i = 0; i < v->succs.count && bpi_engine_tick(f); i++) {
    const bpi_edge *edge = bpi_edge_of(f, vertex, i);
    if (edge) add_stop(mv, list, f->cfg->succs.at[v->succs.first + i], bpi_image(f, edge, set));
  }
}

/* The states with which `goal` is reached silently from those under way (the list is used up). */
static bpi_bdd arrive(mover *mv, stops *list, uint32_t goal)
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

static bpi_bdd arrive_from(mover *mv, uint32_t vertex, bpi_bdd set, uint32_t goal)
{
  stops list = {0};
  add_stop(mv, &list, vertex, set);
  return arrive(mv, &list, goal);
}

/* The vertices on silent ways from `from`, `from` first, each after all that lead to it. */
static bool list_region(mover *mv, stops *region, uint32_t from)
{
  const bp_cfg *cfg = mv->f->cfg;
  stops open = {0};
  add_stop(mv, &open, from, BPI_FALSE);
  while (open.count) {
    const stop now = take_first(mv, &open);
    const bpi_vertex *v = &cfg->vertices.at[now.vertex];
    add_stop(mv, region, now.vertex, BPI_FALSE);
    for (uint32_t i = 0; silent(mv, now.vertex) && i < v->succs.count; i++)
      add_stop(mv, &open, cfg->succs.at[v->succs.first + i], BPI_FALSE);
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
static bpi_bdd before_edges(mover *mv, uint32_t vertex, const stops *region)
{
  bpi_engine *f = mv->f;
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  bpi_bdd all = BPI_FALSE;
  for (uint32_t i = 0; i < v->succs.count && bpi_engine_tick(f); i++) {
    const bpi_bdd after = states_at(region, f->cfg->succs.at[v->succs.first + i]);
    if (after == BPI_FALSE) continue;
    const bpi_bdd before = back_edge(mv, vertex, i, after);
    const bpi_bdd both = bpi_bdd_or(f->m, all, before);
    bpi_bdd_drop(f->m, all);
    bpi_bdd_drop(f->m, before);
    all = both;
  }
  return all;
}

/* The states at every vertex of the region from which `goal` is reached silently in `set`. */
static void fill_region(mover *mv, stops *region, uint32_t goal, bpi_bdd set)
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
static bpi_bdd depart(mover *mv, uint32_t from, uint32_t goal, bpi_bdd set)
{
  stops region = {0};
  if (list_region(mv, &region, from)) fill_region(mv, &region, goal, set);
  const bpi_bdd states = bpi_bdd_keep(mv->f->m, states_at(&region, from));
  drop_stops(mv, &region);
  return states;
}

/* The same for what follows an edge of `vertex`. */
static bpi_bdd depart_along_edges(mover *mv, uint32_t vertex, uint32_t goal, bpi_bdd set)
{
  const bp_cfg *cfg = mv->f->cfg;
  const bpi_vertex *v = &cfg->vertices.at[vertex];
  bpi_bdd all = BPI_FALSE;
  for (uint32_t i = 0; i < v->succs.count && bpi_engine_tick(mv->f); i++) {
    const bpi_bdd after = depart(mv, cfg->succs.at[v->succs.first + i], goal, set);
    const bpi_bdd before = back_edge(mv, vertex, i, after);
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
static uint32_t next_listed(const mover *mv, const bpi_path *path, uint32_t i)
{
  while (i < path->steps.count && !bpi_step_listed(mv->t, &path->steps.at[i]))
    i++;
  return i < path->steps.count ? path->steps.at[i].vertex : mv->f->cfg->procs.at[path->proc].exit;
}

/* ---- effects of calls ---------------------------------------------------- */

static uint32_t callee_of(const bpi_engine *f, const bpi_step *step)
{
  return f->p->stmts.at[f->cfg->vertices.at[step->vertex].stmt].callee;
}

/* A closed call: the callee's summary, finished for the contexts that come from `before`. */
static bpi_bdd whole_summary(mover *mv, const bpi_call *call, uint32_t callee, bpi_bdd before)
{
  bpi_engine *f = mv->f;
  const bpi_bdd contexts = bpi_enter(f, call, before);
  if (bpi_going(f)) bpi_add_contexts(f, callee, contexts);
  bpi_bdd_drop(f->m, contexts);
  if (!bpi_going(f) || !bpi_engine_work(f, f->cfg->procs.at[callee].last_rank, false))
    return BPI_FALSE;
  return f->procs[callee].summary;
}

static bpi_effect *find_effect(const bp_trace *t, const bpi_path *path, uint32_t levels)
{
  const uint64_t hash = bpi_hash_u64(bpi_hash_u64(BPI_HASH_START, (uintptr_t)path), levels);
  uint32_t i = (uint32_t)hash & (t->effects.count - 1);
  for (; t->effects.at[i].path; i = (i + 1) & (t->effects.count - 1))
    if (t->effects.at[i].path == path && t->effects.at[i].levels == levels) break;
  return &t->effects.at[i];
}

static bool grow_effects(bp_trace *t)
{
  bp_trace old = {.effects = {t->effects.at, t->effects.count, t->effects.capacity}};
  const uint32_t size = old.effects.count ? old.effects.count * 2 : 64;
  bpi_effect *grown = bpi_zalloc(size, sizeof *grown);
  if (!grown) return false;
  t->effects.at = grown;
  t->effects.count = t->effects.capacity = size;
  for (uint32_t i = 0; i < old.effects.count; i++)
    if (old.effects.at[i].path)
      *find_effect(t, old.effects.at[i].path, old.effects.at[i].levels) = old.effects.at[i];
  bpi_release(old.effects.at);
  return true;
}

/* A way through a procedure on which a relation is being built. */
typedef struct course {
  bpi_path *path;
  uint32_t levels, at;
  bpi_bdd set; /* path edges before step `at` */
} course;

typedef BPI_VEC(course) courses;

static bool begin_course(mover *mv, courses *stack, bpi_path *path, uint32_t levels)
{
  bpi_engine *f = mv->f;
  const bpi_engine_proc *proc = bpi_proc_of(f, path->proc);
  if (!proc) return false;
  const uint32_t entry = f->cfg->procs.at[path->proc].entry;
  const bpi_bdd start =
      arrive_from(mv, entry, bpi_bdd_keep(f->m, proc->identity), next_listed(mv, path, 0));
  if (bpi_vec_push(stack, (course){path, levels, 0, start})) return bpi_going(f);
  bpi_bdd_drop(f->m, start);
  f->stop = BP_REASON_MEMORY;
  return false;
}

static bool end_course(mover *mv, course *c)
{
  bpi_engine *f = mv->f;
  bp_trace *t = mv->t;
  if (t->effect_count * 2 >= t->effects.count && !grow_effects(t)) {
    f->stop = BP_REASON_MEMORY;
    return false;
  }
  const bpi_bdd summary = bpi_bdd_rename(f->m, c->set, f->procs[c->path->proc].to_summary);
  if (!bpi_going(f)) return false;
  *find_effect(t, c->path, c->levels) = (bpi_effect){c->path, c->levels, summary};
  t->effect_count++;
  bpi_bdd_drop(f->m, c->set);
  return true;
}

/* The summary of a call step as it is listed: whole, or the effect of its way if that is known.
 * BPI_FALSE with *wanted set: the effect of that way is needed first. */
static bpi_bdd listed_summary(mover *mv, const bpi_path *path, const bpi_step *step,
                              uint32_t levels, bpi_bdd before, bpi_path **wanted)
{
  bpi_engine *f = mv->f;
  const bpi_call *call = bpi_call_of(f, step->vertex);
  *wanted = NULL;
  if (!call || !bpi_going(f)) return BPI_FALSE;
  if (!levels) return whole_summary(mv, call, callee_of(f, step), before);
  const uint32_t below = levels == BP_NONE ? BP_NONE : levels - 1;
  bpi_path *inner;
  if (bpi_trace_inner(mv->t, path, step, &inner) != BP_OK) {
    const bp_reason reason = bpi_engine_reason(mv->t->e);
    f->stop = reason != BP_REASON_NONE ? reason : BP_REASON_MEMORY;
    f->broken |= mv->t->e->broken;
    return BPI_FALSE;
  }
  if (mv->t->effects.count) {
    const bpi_effect *effect = find_effect(mv->t, inner, below);
    if (effect->path) return effect->summary;
  }
  *wanted = inner;
  return BPI_FALSE;
}

/* The states at the next listed step, or the exit, of a path after its listed step `i`; a call by the
 * lifted summary. */
static bpi_bdd after_step(mover *mv, const bpi_path *path, uint32_t i, bpi_bdd before, bpi_bdd lift)
{
  bpi_engine *f = mv->f;
  const bpi_step *step = &path->steps.at[i];
  const bpi_vertex *v = &f->cfg->vertices.at[step->vertex];
  stops list = {0};
  if (step->kind == BPI_STEP_PLAIN) {
    leave_along_edges(mv, &list, step->vertex, before);
  } else if (step->kind == BPI_STEP_CALLS) {
    add_stop(mv, &list, f->cfg->succs.at[v->succs.first],
             bpi_return(f, bpi_call_of(f, step->vertex), before, lift));
  } else {
    const uint32_t entry = f->cfg->procs.at[callee_of(f, step)].entry;
    add_stop(mv, &list, entry, enter(mv, bpi_call_of(f, step->vertex), before));
  }
  return arrive(mv, &list, next_listed(mv, path, i + 1));
}

/* Moves a course over one step; false when the work stops. A call whose effect is not known yet makes
 * a course of its own first. */
static bool advance(mover *mv, courses *stack)
{
  bpi_engine *f = mv->f;
  course *c = &stack->at[stack->count - 1];
  const bpi_step *step = &c->path->steps.at[c->at];
  if (!bpi_engine_tick(f)) return false;
  if (!bpi_step_listed(mv->t, step)) {
    c->at++;
    return true;
  }
  bpi_bdd lift = BPI_FALSE;
  if (step->kind == BPI_STEP_CALLS) {
    const uint32_t below = c->levels == BP_NONE ? BP_NONE : c->levels - 1;
    bpi_path *wanted;
    const bpi_bdd summary = listed_summary(mv, c->path, step, c->levels, c->set, &wanted);
    if (wanted) return begin_course(mv, stack, wanted, below);
    if (!bpi_going(f)) return false;
    lift = bpi_lift(f, bpi_call_of(f, step->vertex), summary);
  }
  const bpi_bdd next = after_step(mv, c->path, c->at, c->set, lift);
  bpi_bdd_drop(f->m, lift);
  bpi_bdd_drop(f->m, c->set);
  c->set = next;
  c->at++;
  return bpi_going(f);
}

/* Builds the effect of a way, and of all ways that it needs, innermost first. */
static bool build_effect(mover *mv, bpi_path *path, uint32_t levels)
{
  courses stack = {0};
  bool going = begin_course(mv, &stack, path, levels);
  while (going && stack.count) {
    course *c = &stack.at[stack.count - 1];
    if (c->at < c->path->steps.count) {
      going = advance(mv, &stack);
    } else {
      going = end_course(mv, c);
      if (going) stack.count--;
    }
  }
  for (uint32_t i = 0; i < stack.count; i++)
    bpi_bdd_drop(mv->f->m, stack.at[i].set);
  bpi_vec_free(&stack);
  return going;
}

/* The lifted summary of a call step of a frame. */
static bpi_bdd listed_lift(mover *mv, const bpi_frame *frame, const bpi_step *step, bpi_bdd before)
{
  bpi_engine *f = mv->f;
  bpi_path *wanted;
  bpi_bdd summary = listed_summary(mv, frame->path, step, frame->levels, before, &wanted);
  if (wanted) {
    if (!build_effect(mv, wanted, frame->levels == BP_NONE ? BP_NONE : frame->levels - 1))
      return BPI_FALSE;
    summary = listed_summary(mv, frame->path, step, frame->levels, before, &wanted);
  }
  return bpi_going(f) ? bpi_lift(f, bpi_call_of(f, step->vertex), summary) : BPI_FALSE;
}

/* ---- frames -------------------------------------------------------------- */

static bpi_bdd step_forward(mover *mv, const bpi_frame *frame, uint32_t i, bpi_bdd before)
{
  bpi_engine *f = mv->f;
  const bpi_step *step = &frame->path->steps.at[i];
  if (step->succ == BP_NONE) return bpi_bdd_keep(f->m, before);
  if (step->kind != BPI_STEP_PLAIN && !bpi_call_of(f, step->vertex)) return BPI_FALSE;
  bpi_bdd lift = BPI_FALSE;
  if (step->kind == BPI_STEP_CALLS) lift = listed_lift(mv, frame, step, before);
  const bpi_bdd after = bpi_going(f) ? after_step(mv, frame->path, i, before, lift) : BPI_FALSE;
  bpi_bdd_drop(f->m, lift);
  return after;
}

/* `after`: the states at the next listed step, or at the end. */
static bpi_bdd step_back(mover *mv, const bpi_frame *frame, uint32_t i, bpi_bdd after)
{
  bpi_engine *f = mv->f;
  const bpi_step *step = &frame->path->steps.at[i];
  const bpi_vertex *v = &f->cfg->vertices.at[step->vertex];
  const uint32_t goal = next_listed(mv, frame->path, i + 1);
  if (step->succ == BP_NONE) return bpi_bdd_keep(f->m, after);
  if (step->kind == BPI_STEP_PLAIN) return depart_along_edges(mv, step->vertex, goal, after);
  const bpi_call *call = bpi_call_of(f, step->vertex);
  if (!call) return BPI_FALSE;
  const bool enters = step->kind == BPI_STEP_ENTERS;
  const uint32_t from =
      enters ? f->cfg->procs.at[callee_of(f, step)].entry : f->cfg->succs.at[v->succs.first];
  const bpi_bdd inside = depart(mv, from, goal, after);
  bpi_bdd before;
  if (enters) {
    before = back_enter(mv, call, callee_of(f, step), inside);
  } else {
    const bpi_bdd lift = listed_lift(mv, frame, step, frame->forward[i]);
    before = back_return(mv, step->vertex, lift, inside);
    bpi_bdd_drop(f->m, lift);
  }
  bpi_bdd_drop(f->m, inside);
  return before;
}

/* The states behind the call of an opened frame's outer frame, as that one lists its steps. */
static bpi_bdd behind_call(mover *mv, const bpi_frame *frame)
{
  const bpi_frame *outer = frame->outer;
  const bpi_vertex *v = &mv->f->cfg->vertices.at[outer->path->steps.at[frame->at].vertex];
  uint32_t next = frame->at + 1;
  while (next < outer->path->steps.count && !bpi_step_listed(mv->t, &outer->path->steps.at[next]))
    next++;
  return depart(mv, mv->f->cfg->succs.at[v->succs.first],
                next_listed(mv, outer->path, frame->at + 1), outer->states[next]);
}

/* Pairs of entry and exit of an opened call that its place allows, as path edges at the exit. */
static bpi_bdd context_of(mover *mv, const bpi_frame *frame)
{
  bpi_engine *f = mv->f;
  const bpi_frame *outer = frame->outer;
  const bpi_step *step = &outer->path->steps.at[frame->at];
  const bpi_vertex *u = &f->cfg->vertices.at[step->vertex];
  const bpi_call *call = bpi_call_of(f, step->vertex);
  if (!call) return BPI_FALSE;
  const bpi_bdd behind = behind_call(mv, frame);
  changed_places(mv, u);
  bpi_bdd set = to_next(mv, behind, mv->changed);
  bpi_bdd_drop(f->m, behind);
  narrow(f, &set, bpi_bdd_keep(f->m, call->results));
  /* What the callee left in a target is not what the target has afterwards. */
  const bpi_stmt *s = &f->p->stmts.at[u->stmt];
  memset(mv->changed, 0, f->a.words * sizeof *mv->changed);
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = f->p->ids.at[s->targets.first + k];
    if (target != BP_NONE) bpi_bit_add(mv->changed, f->a.place[target]);
  }
  quantify(f, &set, bpi_place_set(f, mv->changed, BPI_NEXT));
  narrow(f, &set, bpi_bdd_keep(f->m, call->args));
  narrow(f, &set, bpi_bdd_keep(f->m, outer->forward[frame->at]));
  quantify(f, &set, locals_set(mv, BPI_CURRENT));
  quantify(f, &set, bpi_place_set(f, bpi_proc_set(&f->a, f->a.entry_copy, u->proc), BPI_ENTRY));
  const bpi_engine_proc *callee = bpi_proc_of(f, frame->path->proc);
  const bpi_bdd context = callee ? bpi_bdd_rename(f->m, set, callee->from_summary) : BPI_FALSE;
  bpi_bdd_drop(f->m, set);
  return context;
}

/* The states at the entry of an opened call. */
static bpi_bdd entry_of(mover *mv, const bpi_frame *frame, bpi_bdd context)
{
  bpi_engine *f = mv->f;
  const bpi_engine_proc *proc = bpi_proc_of(f, frame->path->proc);
  if (!proc) return BPI_FALSE;
  bpi_bdd set = bpi_bdd_keep(f->m, context);
  quantify(f, &set,
           bpi_place_set(f, bpi_proc_set(&f->a, f->a.mod, frame->path->proc), BPI_CURRENT));
  quantify(f, &set, results_set(f, frame->path->proc));
  narrow(f, &set, bpi_bdd_keep(f->m, proc->identity));
  return set;
}

static void drop_sets(bp_manager *m, bpi_bdd **sets, uint32_t count)
{
  for (uint32_t i = 0; *sets && i < count; i++)
    bpi_bdd_drop(m, (*sets)[i]);
  bpi_release(*sets);
  *sets = NULL;
}

/* The states at the entry of the frame's procedure, given away to the way to its first step. */
static bpi_bdd frame_start(mover *mv, const bpi_frame *frame, bpi_bdd end)
{
  const bp_query *q = mv->t->q;
  const uint32_t entry = mv->f->cfg->procs.at[frame->path->proc].entry;
  const bpi_bdd start =
      frame->outer ? entry_of(mv, frame, end) : bpi_start_states(mv->f, q->init.at, q->init.count);
  return arrive_from(mv, entry, start, next_listed(mv, frame->path, 0));
}

/* Forward to the end, then back from there. Only listed steps have sets of their own; one behind the
 * last step is that of the end. */
static bool fill_frame(mover *mv, bpi_frame *frame)
{
  bpi_engine *f = mv->f;
  const uint32_t n = frame->path->steps.count;
  const bpi_bdd end = frame->outer ? context_of(mv, frame) : bpi_goal_states(f, &mv->t->goal);
  bpi_bdd now = frame_start(mv, frame, end);
  for (uint32_t i = 0; i < n && bpi_engine_tick(f); i++) {
    if (!bpi_step_listed(mv->t, &frame->path->steps.at[i])) continue;
    frame->forward[i] = now;
    now = step_forward(mv, frame, i, now);
  }
  frame->forward[n] = now;
  now = frame->states[n] = bpi_bdd_and(f->m, now, end);
  bpi_bdd_drop(f->m, end);
  for (uint32_t i = n; i-- > 0 && bpi_engine_tick(f);) {
    if (!bpi_step_listed(mv->t, &frame->path->steps.at[i])) continue;
    const bpi_bdd before = step_back(mv, frame, i, now);
    now = frame->states[i] = bpi_bdd_and(f->m, frame->forward[i], before);
    bpi_bdd_drop(f->m, before);
  }
  if (bpi_going(f) && now == BPI_FALSE) f->broken = true;
  return bpi_going(f) && !f->broken;
}

static bp_status compute_frame(bp_trace *t, bpi_frame *frame)
{
  const uint32_t n = frame->path->steps.count + 1;
  mover mv = {.t = t};
  bp_status status = bpi_query_full(t->q, &mv.f);
  if (status != BP_OK) return status;
  mv.changed = bpi_zalloc(mv.f->a.words, sizeof *mv.changed);
  frame->forward = bpi_zalloc(n, sizeof *frame->forward);
  frame->states = bpi_zalloc(n, sizeof *frame->states);
  bool done = false;
  if (mv.changed && frame->forward && frame->states)
    done = fill_frame(&mv, frame);
  else
    mv.f->stop = BP_REASON_MEMORY;
  bpi_release(mv.changed);
  bpi_vec_free(&mv.from);
  bpi_vec_free(&mv.to);
  if (done) return BP_OK;
  drop_sets(t->q->m, &frame->forward, n);
  drop_sets(t->q->m, &frame->states, n);
  return bpi_trace_failed(t, mv.f);
}

bp_status bpi_frame_states(bp_trace *t, bpi_frame *frame)
{
  bp_status status = BP_OK;
  while (status == BP_OK && !frame->states) {
    bpi_frame *todo = frame;
    while (todo->outer && !todo->outer->states)
      todo = todo->outer;
    status = compute_frame(t, todo);
  }
  return status;
}

bp_status bpi_frame_new(bpi_frame **out, bpi_path *path, bpi_frame *outer, uint32_t at,
                        uint32_t depth, uint32_t levels)
{
  bpi_frame *frame = *out = bpi_zalloc(1, sizeof *frame);
  if (!frame) return BP_E_NOMEM;
  *frame = (bpi_frame){
      .refs = 1, .path = path, .outer = outer, .at = at, .depth = depth, .levels = levels};
  path->refs++;
  if (outer) outer->refs++;
  return BP_OK;
}

void bpi_frame_unref(bp_trace *t, bpi_frame *frame)
{
  while (frame && !--frame->refs) {
    bpi_frame *outer = frame->outer;
    const uint32_t n = frame->path->steps.count + 1;
    drop_sets(t->q->m, &frame->forward, n);
    drop_sets(t->q->m, &frame->states, n);
    bpi_path_unref(frame->path);
    bpi_release(frame);
    frame = outer;
  }
}
