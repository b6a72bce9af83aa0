/* SPDX-License-Identifier: MIT
 * What the calls of a listing do. */
#include "answer/mover.h"

#include "base/hash.h"

/* A closed call: the callee's summary, finished for the contexts that come from `before`. */
static bpi_bdd whole_summary(bpi_mover *mv, const bpi_call *call, uint32_t callee, bpi_bdd before)
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

static bool begin_course(bpi_mover *mv, courses *stack, bpi_path *path, uint32_t levels)
{
  bpi_engine *f = mv->f;
  const bpi_linkage *proc = bpi_linkage_of(f, path->proc);
  if (!proc) return false;
  const uint32_t entry = f->cfg->procs.at[path->proc].entry;
  const bpi_bdd start =
      bpi_route_arrive(mv, entry, bpi_bdd_keep(f->m, proc->identity), bpi_route_next(mv, path, 0));
  if (bpi_vec_push(stack, (course){path, levels, 0, start})) return bpi_going(f);
  bpi_bdd_drop(f->m, start);
  f->stop = BP_REASON_MEMORY;
  return false;
}

static bool end_course(bpi_mover *mv, course *c)
{
  bpi_engine *f = mv->f;
  bp_trace *t = mv->t;
  if (t->effect_count * 2 >= t->effects.count && !grow_effects(t)) {
    f->stop = BP_REASON_MEMORY;
    return false;
  }
  const bpi_bdd summary =
      bpi_bdd_rename(f->m, c->set, bpi_linkage_of(f, c->path->proc)->to_summary);
  if (!bpi_going(f)) return false;
  *find_effect(t, c->path, c->levels) = (bpi_effect){c->path, c->levels, summary};
  t->effect_count++;
  bpi_bdd_drop(f->m, c->set);
  return true;
}

/* The summary of a call step as it is listed: whole, or the effect of its way if that is known.
 * BPI_FALSE with *wanted set: the effect of that way is needed first. */
static bpi_bdd listed_summary(bpi_mover *mv, const bpi_path *path, const bpi_step *step,
                              uint32_t levels, bpi_bdd before, bpi_path **wanted)
{
  bpi_engine *f = mv->f;
  const bpi_call *call = bpi_call_of(f, step->vertex);
  *wanted = NULL;
  if (!call || !bpi_going(f)) return BPI_FALSE;
  if (!levels) return whole_summary(mv, call, bpi_step_callee(f, step), before);
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

/* Moves a course over one step; false when the work stops. A call whose effect is not known yet makes
 * a course of its own first. */
static bool advance(bpi_mover *mv, courses *stack)
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
  const bpi_bdd next = bpi_route_step(mv, c->path, c->at, c->set, lift);
  bpi_bdd_drop(f->m, lift);
  bpi_bdd_drop(f->m, c->set);
  c->set = next;
  c->at++;
  return bpi_going(f);
}

/* Builds the effect of a way, and of all ways that it needs, innermost first. */
static bool build_effect(bpi_mover *mv, bpi_path *path, uint32_t levels)
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

static void pin(bpi_engine *f, bpi_bdd *all, uint32_t slot, bpi_copy copy, bool value)
{
  bpi_conjoin(f, all, bpi_bdd_literal(f->m, bpi_bdd_var(slot, copy), value));
}

bpi_bdd bpi_effect_pinned(bpi_mover *mv, const bpi_path *path, const bpi_step *step)
{
  bpi_engine *f = mv->f;
  const bpi_engine *e = mv->t->e;
  const uint32_t callee = bpi_step_callee(f, step);
  const bpi_cfg_proc *graph = &e->cfg->procs.at[callee];
  const uint64_t *entered = path->words.at + step->key, *left = entered + bpi_point_words(e);
  const uint64_t *mod = bpi_proc_set(&f->a, f->a.mod, callee);
  const uint32_t formals = e->p->procs.at[callee].vars.first;
  bpi_bdd set = BPI_TRUE;
  for (uint32_t v = 0; v < e->p->vars.count && bpi_going(f); v++) {
    const bool global = e->p->vars.at[v].proc == BP_NONE;
    if (!e->a.var_matters[v] || (!global && v - formals >= f->a.formals[callee])) continue;
    const uint32_t place = e->a.place[v], slot = bpi_slot_of(f, v);
    if (bpi_bit(bpi_live(&e->a, graph->entry), place))
      pin(f, &set, slot, global ? BPI_CURRENT : BPI_NEXT, bpi_bit(entered, place));
    if (global && bpi_bit(mod, f->a.place[v]) && bpi_bit(bpi_live(&e->a, graph->exit), place))
      pin(f, &set, slot, BPI_NEXT, bpi_bit(left, place));
  }
  for (uint32_t r = 0; r < e->p->procs.at[callee].results; r++)
    if (e->a.result_matters[e->a.result_first[callee] + r])
      pin(f, &set, f->layout.result_slot[r], BPI_CURRENT, bpi_bit(left, e->a.places + r));
  return set;
}

/* The lifted summary of a call step of a frame. */
bpi_bdd bpi_effect_lift(bpi_mover *mv, const bpi_frame *frame, const bpi_step *step, bpi_bdd before)
{
  bpi_engine *f = mv->f;
  if (mv->t->pinned) {
    const bpi_bdd pair = bpi_effect_pinned(mv, frame->path, step);
    const bpi_bdd lift = bpi_lift(f, bpi_call_of(f, step->vertex), pair);
    bpi_bdd_drop(f->m, pair);
    return lift;
  }
  bpi_path *wanted;
  bpi_bdd summary = listed_summary(mv, frame->path, step, frame->levels, before, &wanted);
  if (wanted) {
    if (!build_effect(mv, wanted, frame->levels == BP_NONE ? BP_NONE : frame->levels - 1))
      return BPI_FALSE;
    summary = listed_summary(mv, frame->path, step, frame->levels, before, &wanted);
  }
  return bpi_going(f) ? bpi_lift(f, bpi_call_of(f, step->vertex), summary) : BPI_FALSE;
}
