/* SPDX-License-Identifier: MIT
 * The states along the listed steps: forward from the start, then backward from the target, over
 * every variable. They are computed by the exploration of everything, whose transitions leave no
 * variable out; a closed call stands for every run of the callee, so its whole summary counts, and an
 * opened one for the runs that follow its own listed steps. */
#include "answer/mover.h"

static bpi_bdd step_forward(bpi_mover *mv, const bpi_frame *frame, uint32_t i, bpi_bdd before)
{
  bpi_engine *f = mv->f;
  const bpi_step *step = &frame->path->steps.at[i];
  if (step->succ == BP_NONE) return bpi_bdd_keep(f->m, before);
  if (step->kind != BPI_STEP_PLAIN && !bpi_call_of(f, step->vertex)) return BPI_FALSE;
  bpi_bdd lift = BPI_FALSE;
  if (step->kind == BPI_STEP_CALLS) lift = bpi_effect_lift(mv, frame, step, before);
  const bpi_bdd after = bpi_going(f) ? bpi_route_step(mv, frame->path, i, before, lift) : BPI_FALSE;
  bpi_bdd_drop(f->m, lift);
  return after;
}

/* `after`: the states at the next listed step, or at the end. */
static bpi_bdd step_back(bpi_mover *mv, const bpi_frame *frame, uint32_t i, bpi_bdd after)
{
  bpi_engine *f = mv->f;
  const bpi_step *step = &frame->path->steps.at[i];
  const bpi_vertex *v = &f->cfg->vertices.at[step->vertex];
  const uint32_t goal = bpi_route_next(mv, frame->path, i + 1);
  if (step->succ == BP_NONE) return bpi_bdd_keep(f->m, after);
  if (step->kind == BPI_STEP_PLAIN) return bpi_route_back(mv, step->vertex, goal, after);
  const bpi_call *call = bpi_call_of(f, step->vertex);
  if (!call) return BPI_FALSE;
  const bool enters = step->kind == BPI_STEP_ENTERS;
  const uint32_t from = enters ? f->cfg->procs.at[bpi_step_callee(f, step)].entry
                               : f->cfg->succs.at[bpi_succs(v).first];
  const bpi_bdd inside = bpi_route_depart(mv, from, goal, after);
  bpi_bdd before;
  if (enters) {
    before = bpi_before_enter(f, call, bpi_step_callee(f, step), inside);
  } else {
    const bpi_bdd lift = bpi_effect_lift(mv, frame, step, frame->forward[i]);
    before = bpi_mover_back_return(mv, step->vertex, lift, inside);
    bpi_bdd_drop(f->m, lift);
  }
  bpi_bdd_drop(f->m, inside);
  return before;
}

/* The states behind the call of an opened frame's outer frame, as that one lists its steps. */
static bpi_bdd behind_call(bpi_mover *mv, const bpi_frame *frame)
{
  const bpi_frame *outer = frame->outer;
  const bpi_vertex *v = &mv->f->cfg->vertices.at[outer->path->steps.at[frame->at].vertex];
  uint32_t next = frame->at + 1;
  while (next < outer->path->steps.count && !bpi_step_listed(mv->t, &outer->path->steps.at[next]))
    next++;
  return bpi_route_depart(mv, mv->f->cfg->succs.at[bpi_succs(v).first],
                          bpi_route_next(mv, outer->path, frame->at + 1), outer->states[next]);
}

/* Pairs of entry and exit of an opened call that its place allows, as path edges at the exit. */
static bpi_bdd context_of(bpi_mover *mv, const bpi_frame *frame)
{
  bpi_engine *f = mv->f;
  const bpi_frame *outer = frame->outer;
  const bpi_step *step = &outer->path->steps.at[frame->at];
  const bpi_vertex *u = &f->cfg->vertices.at[step->vertex];
  const bpi_call *call = bpi_call_of(f, step->vertex);
  if (!call) return BPI_FALSE;
  const bpi_bdd behind = behind_call(mv, frame);
  bpi_changed_places(f, u, mv->changed);
  bpi_bdd set = bpi_to_next(f, behind, mv->changed);
  bpi_bdd_drop(f->m, behind);
  bpi_conjoin(f, &set, bpi_bdd_keep(f->m, call->results));
  /* What the callee left in a target is not what the target has afterwards. */
  const bpi_stmt stmt = bpi_stmt_at(f->p, u->stmt), *s = &stmt;
  memset(mv->changed, 0, f->a.words * sizeof *mv->changed);
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = f->p->ids.at[s->targets.first + k];
    if (target != BP_NONE) bpi_bit_add(mv->changed, f->a.place[target]);
  }
  bpi_quantify(f, &set, bpi_place_set(f, mv->changed, BPI_NEXT));
  bpi_conjoin(f, &set, bpi_bdd_keep(f->m, call->args));
  bpi_conjoin(f, &set, bpi_bdd_keep(f->m, outer->forward[frame->at]));
  if (mv->t->pinned) bpi_conjoin(f, &set, bpi_effect_pinned(mv, outer->path, step));
  bpi_quantify(f, &set, bpi_mover_locals(mv, BPI_CURRENT));
  bpi_quantify(f, &set, bpi_place_set(f, bpi_proc_set(&f->a, f->a.entry_copy, u->proc), BPI_ENTRY));
  const bpi_linkage *callee = bpi_linkage_of(f, frame->path->proc);
  const bpi_bdd context = callee ? bpi_bdd_rename(f->m, set, callee->from_summary) : BPI_FALSE;
  bpi_bdd_drop(f->m, set);
  return context;
}

/* The states at the entry of an opened call. */
static bpi_bdd entry_of(bpi_mover *mv, const bpi_frame *frame, bpi_bdd context)
{
  bpi_engine *f = mv->f;
  const bpi_linkage *proc = bpi_linkage_of(f, frame->path->proc);
  if (!proc) return BPI_FALSE;
  bpi_bdd set = bpi_bdd_keep(f->m, context);
  bpi_quantify(f, &set,
               bpi_place_set(f, bpi_proc_set(&f->a, f->a.mod, frame->path->proc), BPI_CURRENT));
  bpi_quantify(f, &set, bpi_results_set(f, frame->path->proc));
  bpi_conjoin(f, &set, bpi_bdd_keep(f->m, proc->identity));
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
static bpi_bdd frame_start(bpi_mover *mv, const bpi_frame *frame, bpi_bdd end)
{
  const bp_query *q = mv->t->q;
  const uint32_t entry = mv->f->cfg->procs.at[frame->path->proc].entry;
  const bpi_bdd start =
      frame->outer ? entry_of(mv, frame, end) : bpi_start_states(mv->f, q->init.at, q->init.count);
  return bpi_route_arrive(mv, entry, start, bpi_route_next(mv, frame->path, 0));
}

/* Forward to the end, then back from there. Only listed steps have sets of their own; one behind the
 * last step is that of the end. */
static bool fill_frame(bpi_mover *mv, bpi_frame *frame)
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
  bpi_mover mv = {.t = t};
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
  if (done) return BP_OK;
  drop_sets(t->q->m, &frame->forward, n);
  drop_sets(t->q->m, &frame->states, n);
  return bpi_trace_failed(t, mv.f);
}

static bp_status all_frames(bp_trace *t, bpi_frame *frame)
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

/* By relations of what is called while they are affordable, as in the search (trace.c). */
bp_status bpi_frame_states(bp_trace *t, bpi_frame *frame)
{
  for (const bpi_frame *f = frame; f; f = f->outer)
    t->pinned |= f->path->by_contexts;
  if (t->pinned || !t->choice) return all_frames(t, frame);
  const bp_reason reason = t->q->reason;
  const uint64_t outer = bpi_trace_budget(t);
  const bp_status status = all_frames(t, frame);
  if (!bpi_bdd_end_budget(t->q->m, outer)) return status;
  t->q->reason = reason;
  t->pinned = true;
  return all_frames(t, frame);
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
