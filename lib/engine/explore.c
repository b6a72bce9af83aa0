/* SPDX-License-Identifier: MIT
 * The fixpoint: sets of path edges move along edges until nothing new arrives anywhere.
 *
 * A step of the work is one item, a set under way at a vertex, and has parts, the ways that lead on.
 * A part is done entirely or, when something stops it, done anew in the next run; the parts before it
 * are not. So work that stops and goes on is the same as work that does not stop. */
#include "engine/engine.h"

/* ---- stopping ------------------------------------------------------------ */

static bp_reason expiry(const bpi_engine *e)
{
  return e->watch->cancelled ? BP_REASON_CANCELLED : BP_REASON_TIME;
}

bp_reason bpi_engine_reason(const bpi_engine *e)
{
  if (e->stop != BP_REASON_NONE) return e->stop;
  switch (bpi_bdd_status(e->m)) {
  case BPI_BDD_OK: return BP_REASON_NONE;
  case BPI_BDD_NODES: return BP_REASON_NODES;
  case BPI_BDD_STOPPED: return expiry(e);
  default: return BP_REASON_MEMORY;
  }
}

static void report_progress(bpi_engine *e)
{
  if (!e->progress) return;
  const uint64_t now = bpi_now_ns();
  if (now - e->progress_ns < 20000000u) return;
  e->progress_ns = now;
  if (e->progress(e->steps, bpi_bdd_peak(e->m), e->progress_user) == BP_STOP)
    e->stop = BP_REASON_CANCELLED;
}

bool bpi_engine_tick(bpi_engine *e)
{
  if (!bpi_going(e)) return false;
  if (bpi_watch_expired(e->watch)) {
    e->stop = expiry(e);
    return false;
  }
  if (e->steps >= e->step_limit) {
    e->stop = BP_REASON_STEPS;
    return false;
  }
  e->steps++;
  report_progress(e);
  bpi_bdd_within_limit(e->m);
  return bpi_going(e);
}

/* ---- adding facts -------------------------------------------------------- */

static void hit_goals(bpi_engine *e, uint32_t vertex, bpi_bdd fresh)
{
  for (uint32_t g = e->goal_at[vertex]; g != BP_NONE; g = e->goal_next[g]) {
    const uint32_t group = e->goals[g].group;
    if (e->group_hit[group] != BP_NONE) continue;
    const bpi_bdd both = bpi_bdd_and(e->m, fresh, e->goal_set[g]);
    if (bpi_going(e) && both != BPI_FALSE) {
      e->group_hit[group] = vertex;
      e->groups_left--;
    }
    bpi_bdd_drop(e->m, both);
  }
}

/* Adds `set` (given away) to the path edges of a vertex; what is new waits there. */
static void add_path_edges(bpi_engine *e, uint32_t vertex, bpi_bdd set)
{
  bpi_bdd *known = &e->path_edges[vertex], *delta = &e->delta[vertex];
  const bpi_bdd fresh = bpi_bdd_diff(e->m, set, *known);
  if (bpi_going(e) && fresh != BPI_FALSE) {
    const bpi_bdd all = bpi_bdd_or(e->m, *known, fresh);
    const bpi_bdd waits = bpi_bdd_or(e->m, *delta, fresh);
    if (e->goal_at[vertex] != BP_NONE) hit_goals(e, vertex, fresh);
    if (bpi_going(e)) {
      bpi_bdd_drop(e->m, *known);
      bpi_bdd_drop(e->m, *delta);
      *known = all;
      *delta = waits;
      bpi_queue_vertex(e, vertex);
    } else {
      bpi_bdd_drop(e->m, all);
      bpi_bdd_drop(e->m, waits);
    }
  }
  bpi_bdd_drop(e->m, fresh);
  bpi_bdd_drop(e->m, set);
}

/* Brings `set` (given away) to a vertex: kept there, or passed on at once when it is chained. */
static void arrive(bpi_engine *e, uint32_t vertex, bpi_bdd set)
{
  if (set == BPI_FALSE || !bpi_going(e)) {
    bpi_bdd_drop(e->m, set);
  } else if (!e->chained[vertex]) {
    add_path_edges(e, vertex, set);
  } else if (!bpi_vec_push(&e->chain, (bpi_item){vertex, set})) {
    bpi_bdd_drop(e->m, set);
    e->stop = BP_REASON_MEMORY;
  }
}

void bpi_add_contexts(bpi_engine *e, uint32_t proc, bpi_bdd contexts)
{
  bpi_engine_proc *callee = bpi_proc_of(e, proc);
  if (!callee) return;
  const bpi_bdd fresh = bpi_bdd_diff(e->m, contexts, callee->entries);
  if (bpi_going(e) && fresh != BPI_FALSE) {
    const bpi_bdd all = bpi_bdd_or(e->m, callee->entries, fresh);
    add_path_edges(e, e->cfg->procs.at[proc].entry, bpi_bdd_and(e->m, fresh, callee->identity));
    /* Known only when its path edges wait: a stop in between must not lose it. */
    if (bpi_going(e)) {
      bpi_bdd_drop(e->m, callee->entries);
      callee->entries = all;
    } else {
      bpi_bdd_drop(e->m, all);
    }
  }
  bpi_bdd_drop(e->m, fresh);
}

/* ---- moving sets --------------------------------------------------------- */

static void move_plain(bpi_engine *e, uint32_t vertex, bpi_bdd set)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  for (; e->part < bpi_succs(v).count; e->part++) {
    const uint32_t succ = e->cfg->succs.at[bpi_succs(v).first + e->part];
    if (!e->a.explore[succ]) continue;
    const bpi_edge *edge = bpi_engine_tick(e) ? bpi_edge_of(e, vertex, e->part) : NULL;
    if (!edge) return;
    arrive(e, succ, bpi_image(e, edge, set));
    if (!bpi_going(e)) return;
  }
}

/* Brings the lifted summary of a call site up to date and answers what is new in it. */
static bpi_bdd refresh_lift(bpi_engine *e, bpi_call *call, bpi_bdd summary, bpi_bdd *lift)
{
  *lift = bpi_lift(e, call, summary);
  return bpi_bdd_diff(e->m, *lift, call->lift);
}

/* What the callee's summary has gained, for all states at the call. */
static void tell_gain(bpi_engine *e, bpi_call *call, bpi_bdd summary, uint32_t behind)
{
  bpi_bdd lift;
  const bpi_bdd more = refresh_lift(e, call, summary, &lift);
  if (more != BPI_FALSE && bpi_going(e))
    arrive(e, behind, bpi_return(e, call, e->path_edges[call->vertex], more));
  bpi_bdd_drop(e->m, more);
  if (bpi_going(e)) {
    bpi_bdd_drop(e->m, call->lift);
    call->lift = lift;
    call->stale = 0;
  } else {
    bpi_bdd_drop(e->m, lift);
  }
}

static void enter_callee(bpi_engine *e, const bpi_call *call, uint32_t callee, bpi_bdd set)
{
  const bpi_bdd contexts = bpi_enter(e, call, set);
  if (bpi_going(e)) bpi_add_contexts(e, callee, contexts);
  bpi_bdd_drop(e->m, contexts);
}

/* The parts of a call: into the callee; what its summary has gained; through the summary. */
static void move_call(bpi_engine *e, uint32_t vertex, bpi_bdd set)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  const uint32_t callee = bpi_stmt_callee(e->p, v->stmt);
  const uint32_t behind = e->cfg->succs.at[bpi_succs(v).first];
  const bool returns = e->a.explore[behind] && e->a.summary[callee];
  bpi_call *call = bpi_call_of(e, vertex);
  if (!call) return;
  for (; e->part < 3; e->part++) {
    if (e->part == 0) {
      if (set == BPI_FALSE || !e->a.explore[e->cfg->procs.at[callee].entry]) continue;
      if (bpi_engine_tick(e)) enter_callee(e, call, callee, set);
    } else if (e->part == 1) {
      if (!returns || !call->stale) continue;
      if (bpi_engine_tick(e)) tell_gain(e, call, e->procs[callee].summary, behind);
    } else {
      if (!returns || set == BPI_FALSE || call->lift == BPI_FALSE) continue;
      if (bpi_engine_tick(e)) arrive(e, behind, bpi_return(e, call, set, call->lift));
    }
    if (!bpi_going(e)) return;
  }
}

/* Remembers when a recursive procedure's summary gained what. False when stopped. */
static bool note_gain(bpi_engine *e, uint32_t proc, bpi_bdd more)
{
  bpi_engine_proc *p = &e->procs[proc];
  if (!e->cfg->procs.at[proc].recursive) return true;
  const bpi_gain gain = {++e->stamp, bpi_bdd_diff(e->m, more, p->summary)};
  if (bpi_going(e) && bpi_vec_push(&p->gains, gain)) return true;
  bpi_bdd_drop(e->m, gain.pairs);
  if (bpi_going(e)) e->stop = BP_REASON_MEMORY;
  return false;
}

/* New path edges at an exit: the summary grows, the callers have to look again. */
static void move_exit(bpi_engine *e, uint32_t proc, bpi_bdd set)
{
  if (!e->a.summary[proc] || !bpi_engine_tick(e)) return;
  bpi_engine_proc *p = bpi_proc_of(e, proc);
  if (!p) return;
  const bpi_bdd more = bpi_bdd_rename(e->m, set, p->to_summary);
  const bpi_bdd all = bpi_bdd_or(e->m, p->summary, more);
  const bool noted = bpi_going(e) && note_gain(e, proc, more);
  bpi_bdd_drop(e->m, more);
  if (!noted) {
    bpi_bdd_drop(e->m, all);
    return;
  }
  bpi_bdd_drop(e->m, p->summary);
  p->summary = all;
  const bpi_slice calls = e->cfg->procs.at[proc].calls;
  for (uint32_t i = 0; i < calls.count; i++) {
    const uint32_t vertex = e->cfg->calls.at[calls.first + i];
    e->calls[e->call_of[vertex]].stale = 1;
    if (e->path_edges[vertex] != BPI_FALSE) bpi_queue_vertex(e, vertex);
  }
}

static void move(bpi_engine *e, uint32_t vertex, bpi_bdd set)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  if (v->kind == BPI_VERTEX_CALL)
    move_call(e, vertex, set);
  else if (v->kind == BPI_VERTEX_EXIT)
    move_exit(e, v->proc, set);
  else
    move_plain(e, vertex, set);
}

/* ---- the loop ------------------------------------------------------------ */

/* What waits at a vertex becomes the item at hand. */
static void begin_item(bpi_engine *e, uint32_t vertex)
{
  const bpi_bdd waits = e->delta[vertex];
  const bool all = (e->off & BP_ENGINE_DELTA) && waits != BPI_FALSE;
  e->delta[vertex] = BPI_FALSE;
  e->item = (bpi_item){vertex, bpi_bdd_keep(e->m, all ? e->path_edges[vertex] : waits)};
  e->part = 0;
  bpi_bdd_drop(e->m, waits);
}

/* Finishes the item at hand, and what it sent along chains, unless `early` and nothing is left to
 * find. False when stopped. */
static bool finish_items(bpi_engine *e, bool early)
{
  while (e->item.vertex != BP_NONE && !(early && !e->groups_left)) {
    move(e, e->item.vertex, e->item.set);
    if (!bpi_going(e)) return false;
    bpi_bdd_drop(e->m, e->item.set);
    e->item = (bpi_item){BP_NONE, BPI_FALSE};
    if (e->chain.count) e->item = e->chain.at[--e->chain.count];
    e->part = 0;
  }
  return true;
}

bool bpi_engine_resume(bpi_engine *e)
{
  e->stop = BP_REASON_NONE;
  if (!bpi_bdd_ok(e->m) && !bpi_bdd_recover(e->m)) return false;
  return true;
}

bool bpi_engine_work(bpi_engine *e, uint32_t last_rank, bool to_goals)
{
  const bool early = to_goals && !(e->off & BP_ENGINE_EARLY);
  if (!bpi_going(e)) return false;
  while (finish_items(e, early)) {
    if (early && !e->groups_left) return true;
    const uint32_t vertex = bpi_queue_take(e, last_rank);
    if (vertex == BP_NONE) return true;
    begin_item(e, vertex);
  }
  return false;
}

/* ---- the start ----------------------------------------------------------- */

/* The values that the initialisers give to globals, and that `init` allows. */
bpi_bdd bpi_start_states(bpi_engine *e, const bpi_instr *init, uint32_t count)
{
  bpi_bdd set = BPI_TRUE, can_hold, can_fail;
  if (count) {
    bpi_encode(e, init, count, BPI_READ_CURRENT, NULL, &set, &can_fail);
    bpi_bdd_drop(e->m, can_fail);
  }
  for (uint32_t g = 0; g < e->p->globals.count; g++) {
    const uint32_t var = e->p->globals.at[g];
    const uint32_t expr = e->p->vars.at[var].init;
    if (expr == BP_NONE || !e->a.var_matters[var]) continue;
    const bpi_expr x = bpi_expr_at(e->p, expr);
    bpi_encode(e, e->p->code.at + x.first, x.count, BPI_READ_CURRENT, NULL, &can_hold, &can_fail);
    const bpi_bdd literal =
        bpi_bdd_literal(e->m, bpi_bdd_var(bpi_slot_of(e, var), BPI_CURRENT), true);
    const bpi_bdd value = bpi_bdd_ite(e->m, literal, can_hold, can_fail);
    const bpi_bdd both = bpi_bdd_and(e->m, set, value);
    bpi_bdd_drop(e->m, set);
    bpi_bdd_drop(e->m, can_hold);
    bpi_bdd_drop(e->m, can_fail);
    bpi_bdd_drop(e->m, literal);
    bpi_bdd_drop(e->m, value);
    set = both;
  }
  return set;
}

/* What is not live at the entry is quantified out: the condition may mention anything in scope. */
bpi_bdd bpi_start_set(bpi_engine *e, const bpi_instr *init, uint32_t count)
{
  const uint64_t *live = bpi_live(&e->a, e->cfg->procs.at[e->p->entry].entry);
  uint64_t *gone = e->sets;
  for (uint32_t i = 0; i < e->a.words; i++)
    gone[i] = ~live[i];
  for (uint32_t i = e->a.places; i < e->a.words * 64; i++)
    bpi_bit_remove(gone, i);
  const bpi_bdd all = bpi_start_states(e, init, count);
  const bpi_bdd quant = bpi_place_set(e, gone, BPI_CURRENT);
  const bpi_bdd set = bpi_bdd_exists(e->m, all, quant);
  bpi_bdd_drop(e->m, all);
  bpi_bdd_drop(e->m, quant);
  return set;
}

/* The start is no context: `init` may hold the entry's locals, which a recursive call leaves free. */
void bpi_engine_start(bpi_engine *e, const bpi_instr *init, uint32_t count)
{
  const uint32_t entry = e->cfg->procs.at[e->p->entry].entry;
  const bpi_engine_proc *proc = bpi_proc_of(e, e->p->entry);
  if (e->started || !e->a.explore[entry] || !proc) {
    e->started |= proc != NULL;
    return;
  }
  const bpi_bdd set = bpi_start_set(e, init, count);
  add_path_edges(e, entry, bpi_bdd_and(e->m, set, proc->identity));
  bpi_bdd_drop(e->m, set);
  e->started = bpi_going(e);
}
