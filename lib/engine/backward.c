/* SPDX-License-Identifier: MIT
 * A look backwards. Often the last statements before a target contradict it: the states from which it can be
 * reached over them, found backwards (weakest preconditions: Dijkstra, CACM 1975), are none after a
 * few steps, however large the program is. In the first round a call on the way may leave what its callee
 * changes as it likes; in later ones, each further than the last, the callee is gone through from its exit to its
 * entry, whoever called it. A procedure is entered by whoever calls it; so too many states are found, and a
 * target is unreachable if they end before the start. */
#include "engine/back.h"
#include "engine/query.h"

enum {
  FIRST_VERTICES = 64, /* for a target, in the first round */
  GROWTH = 8,          /* of that from round to round */
  IMAGES = 128,        /* of small sets they cost as much as a piece of the kernel's work */
  LEAST_WORK = 8       /* for rounds behind the first */
};

typedef enum outcome {
  DONE,    /* of a step: passed on; of a target: nothing is left to, so it is unreachable */
  IN_VAIN, /* it leads to the start, as far as this can tell */
  TOO_FAR, /* for this round */
  STOPPED  /* half-way */
} outcome;

/* ---- states -------------------------------------------------------------- */

static void forget(bp_query *q)
{
  bpi_backward *b = &q->backward;
  for (uint32_t i = 0; i < b->met.count; i++) {
    const uint32_t v = b->met.at[i];
    bpi_bdd_drop(q->m, b->sets[v]);
    bpi_bdd_drop(q->m, b->waits[v]);
    b->sets[v] = b->waits[v] = BPI_FALSE;
  }
  bpi_bdd_drop(q->m, b->set);
  b->set = BPI_FALSE;
  b->vertex = BP_NONE;
  b->met.count = b->heap.count = b->passed = 0;
  b->begun = false;
}

void bpi_backward_clear(bp_query *q)
{
  bpi_backward *b = &q->backward;
  if (b->sets && b->waits) forget(q);
  bpi_bdd_drop(q->m, b->start);
  bpi_release(b->sets);
  bpi_release(b->waits);
  bpi_release(b->holds);
  bpi_release(b->in_vain);
  bpi_vec_free(&b->met);
  bpi_vec_free(&b->heap);
  *b = (bpi_backward){.off = false};
}

/* False when stopped: then nothing is begun. */
static bool begin(bp_query *q)
{
  bpi_backward *b = &q->backward;
  bpi_engine *e = q->engine;
  if (b->sets) return true;
  *b = (bpi_backward){.vertex = BP_NONE, .most = FIRST_VERTICES};
  b->start = bpi_start_set(e, q->init.at, q->init.count);
  b->sets = bpi_zalloc(q->cfg->vertices.count, sizeof *b->sets);
  b->waits = bpi_zalloc(q->cfg->vertices.count, sizeof *b->waits);
  b->holds = bpi_zalloc(q->p->procs.count, 1);
  b->in_vain = bpi_zalloc(q->targets.count, 1);
  if (!b->sets || !b->waits || !b->holds || !b->in_vain) e->stop = BP_REASON_MEMORY;
  if (bpi_going(e)) return true;
  bpi_backward_clear(q);
  return false;
}

/* Callees before their callers, in a procedure what stands last: loops settle before what comes before them. */
static bool queue(bp_query *q, uint32_t vertex)
{
  bpi_backward *b = &q->backward;
  const uint64_t rank = q->cfg->procs.at[q->cfg->vertices.at[vertex].proc].rank;
  if (!bpi_vec_reserve(&b->heap, 1)) return false;
  bpi_waiting_add(b->heap.at, &b->heap.count,
                  (bpi_waiting){rank << 32 | ~bpi_place_of(q->cfg, vertex), {.vertex = vertex}});
  return true;
}

/* Adds `set`, which is given away, to the states before a vertex. */
static void add(bp_query *q, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = q->engine;
  bpi_backward *b = &q->backward;
  const bpi_bdd fresh = bpi_bdd_diff(e->m, set, b->sets[vertex]);
  b->images++;
  bpi_bdd_drop(e->m, set);
  if (fresh == BPI_FALSE || !bpi_going(e)) {
    bpi_bdd_drop(e->m, fresh);
    return;
  }
  if ((b->sets[vertex] == BPI_FALSE && !bpi_vec_push(&b->met, vertex)) ||
      (b->waits[vertex] == BPI_FALSE && !queue(q, vertex)))
    e->stop = BP_REASON_MEMORY;
  bpi_bdd all = bpi_bdd_keep(e->m, b->sets[vertex]), waits = bpi_bdd_keep(e->m, b->waits[vertex]);
  bpi_join(e, &all, bpi_bdd_keep(e->m, fresh));
  bpi_join(e, &waits, fresh);
  if (bpi_going(e)) {
    bpi_bdd_drop(e->m, b->sets[vertex]);
    bpi_bdd_drop(e->m, b->waits[vertex]);
    b->sets[vertex] = all;
    b->waits[vertex] = waits;
  } else {
    bpi_bdd_drop(e->m, all);
    bpi_bdd_drop(e->m, waits);
  }
}

/* ---- steps --------------------------------------------------------------- */

/* Over a completed call: what the callee may change can have been anything. */
static bpi_bdd before_call(bpi_engine *e, uint32_t vertex, bpi_bdd after)
{
  bpi_bdd set = bpi_bdd_keep(e->m, after);
  bpi_changed_places(e, &e->cfg->vertices.at[vertex], e->sets);
  bpi_quantify(e, &set, bpi_place_set(e, e->sets, BPI_CURRENT));
  return set;
}

/* Callees are gone through, not over. */
static bool goes_through(const bp_query *q)
{
  return q->backward.most > FIRST_VERTICES;
}

/* Before a call: from there its callee is entered and what is behind it can be come to. */
static void add_around(bp_query *q, uint32_t vertex, const bpi_call *call, bpi_bdd entry,
                       bpi_bdd after)
{
  bpi_engine *e = q->engine;
  const uint32_t callee = bpi_stmt_at(e->p, e->cfg->vertices.at[vertex].stmt).callee;
  bpi_bdd set = bpi_before_enter(e, call, callee, entry);
  bpi_conjoin(e, &set, before_call(e, vertex, after));
  add(q, vertex, set);
}

static void to_call(bp_query *q, uint32_t vertex, bpi_bdd after)
{
  bpi_engine *e = q->engine;
  const bpi_backward *b = &q->backward;
  const uint32_t callee = bpi_stmt_at(e->p, e->cfg->vertices.at[vertex].stmt).callee;
  const bpi_cfg_proc *proc = &e->cfg->procs.at[callee];
  if (!goes_through(q) || !e->a.explore[proc->exit]) {
    add(q, vertex, before_call(e, vertex, after));
    return;
  }
  const bpi_call *call = bpi_call_of(e, vertex);
  if (!call) return;
  add(q, proc->exit, bpi_before_return(e, call, vertex, after));
  if (!b->holds[callee]) add_around(q, vertex, call, b->sets[proc->entry], after);
}

/* False: that leads too far. */
static bool to_preds(bp_query *q, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = q->engine;
  const bp_cfg *cfg = e->cfg;
  const bpi_slice preds = bpi_preds(&cfg->vertices.at[vertex]);
  for (uint32_t i = 0; i < preds.count; i++) {
    const uint32_t pred = cfg->preds.at[preds.first + i];
    const bpi_vertex *u = &cfg->vertices.at[pred];
    if (!e->a.explore[pred]) continue;
    if (bpi_is_dear(e, pred)) return false;
    if (u->kind == BPI_VERTEX_CALL) {
      to_call(q, pred, set);
      continue;
    }
    for (uint32_t k = 0; k < bpi_succs(u).count && bpi_going(e); k++)
      if (cfg->succs.at[bpi_succs(u).first + k] == vertex)
        add(q, pred, bpi_before_edge(e, pred, k, set));
  }
  return true;
}

/* Where the callee has no goals, somebody came back from it. */
static void to_callers(bp_query *q, uint32_t proc, bpi_bdd set)
{
  bpi_engine *e = q->engine;
  const bpi_backward *b = &q->backward;
  const bpi_slice calls = e->cfg->procs.at[proc].calls;
  for (uint32_t i = 0; i < calls.count && bpi_going(e); i++) {
    const uint32_t vertex = e->cfg->calls.at[calls.first + i];
    const bpi_call *call = e->a.explore[vertex] ? bpi_call_of(e, vertex) : NULL;
    if (call && (!goes_through(q) || b->holds[proc]))
      add(q, vertex, bpi_before_enter(e, call, proc, set));
    else if (call)
      add_around(q, vertex, call, set, b->sets[bpi_first_succ(e->cfg, vertex)]);
  }
}

/* Whether one of the states can be a start. */
static bool starts(const bp_query *q, uint32_t vertex, bpi_bdd set)
{
  if (vertex != q->cfg->procs.at[q->p->entry].entry) return false;
  const bpi_bdd both = bpi_bdd_and(q->m, set, q->backward.start);
  bpi_bdd_drop(q->m, both);
  return both != BPI_FALSE;
}

/* Passes what waits at the first vertex on; what is stopped half-way is done anew. */
static outcome step(bp_query *q)
{
  bpi_engine *e = q->engine;
  bpi_backward *b = &q->backward;
  if (b->vertex == BP_NONE) {
    b->vertex = b->heap.at[0].vertex;
    bpi_waiting_drop_first(b->heap.at, &b->heap.count);
    b->passed++;
    b->set = b->waits[b->vertex];
    b->waits[b->vertex] = BPI_FALSE;
  }
  if (!bpi_engine_tick(e)) return STOPPED;
  const bpi_vertex *v = &e->cfg->vertices.at[b->vertex];
  if (starts(q, b->vertex, b->set)) return goes_through(q) ? IN_VAIN : TOO_FAR;
  if (!to_preds(q, b->vertex, b->set)) return IN_VAIN;
  if (b->vertex == e->cfg->procs.at[v->proc].entry) to_callers(q, v->proc, b->set);
  if (!bpi_going(e)) return STOPPED;
  bpi_bdd_drop(e->m, b->set);
  b->set = BPI_FALSE;
  b->vertex = BP_NONE;
  return DONE;
}

/* ---- targets ------------------------------------------------------------- */

/* The procedures that have a goal of the target, and all that lead to a call of them. */
static bool find_holders(bp_query *q)
{
  const bp_cfg *cfg = q->cfg;
  uint8_t *holds = q->backward.holds;
  BPI_VEC(uint32_t) open = {0};
  const bpi_slice goals = q->targets.at[q->backward.target].goals;
  bool memory = true;
  memset(holds, 0, q->p->procs.count);
  for (uint32_t g = goals.first; memory && g < goals.first + goals.count; g++)
    memory = bpi_vec_push(&open, cfg->vertices.at[q->goals.at[g].vertex].proc);
  while (memory && open.count) {
    const uint32_t proc = open.at[--open.count];
    if (holds[proc]) continue;
    holds[proc] = 1;
    q->backward.images++; /* it costs as much */
    const bpi_slice calls = cfg->procs.at[proc].calls;
    for (uint32_t i = calls.first; memory && i < calls.first + calls.count; i++)
      memory = bpi_vec_push(&open, cfg->vertices.at[cfg->calls.at[i]].proc);
  }
  bpi_vec_free(&open);
  return memory;
}

static void begin_target(bp_query *q)
{
  bpi_backward *b = &q->backward;
  const bpi_slice goals = q->targets.at[b->target].goals;
  if (goes_through(q) && !find_holders(q)) q->engine->stop = BP_REASON_MEMORY;
  for (uint32_t g = goals.first; g < goals.first + goals.count; g++)
    if (bpi_going(q->engine) && q->engine->a.explore[q->goals.at[g].vertex])
      add(q, q->goals.at[g].vertex, bpi_bdd_keep(q->m, q->engine->goal_set[g]));
  b->begun = bpi_going(q->engine);
}

/* Goes on with the target at work, up to so many images in all. */
static outcome try_target(bp_query *q, uint64_t most)
{
  bpi_backward *b = &q->backward;
  bpi_engine *e = q->engine;
  if (!b->begun) begin_target(q);
  while (bpi_going(e) && (b->vertex != BP_NONE || b->heap.count)) {
    if (b->vertex == BP_NONE && b->passed == b->most) return TOO_FAR;
    if (b->images > most) return STOPPED;
    const outcome out = step(q);
    if (out != DONE) return bpi_going(e) ? out : STOPPED;
  }
  if (!bpi_going(e)) return STOPPED;
  bpi_engine_close_group(e, b->target);
  q->targets.at[b->target].verdict = BP_UNREACHABLE;
  return DONE;
}

static bool is_open(const bp_query *q, uint32_t target)
{
  return q->engine->group_hit[target] == BP_NONE && !q->backward.in_vain[target];
}

/* A last target has all the rest. */
static uint32_t next_most(const bp_query *q)
{
  const uint32_t most = q->backward.most;
  return q->engine->groups_left > 1 && most < UINT32_MAX / GROWTH ? most * GROWTH : UINT32_MAX;
}

/* The targets that are open one after the other, each round, up to so many images in all, or for one round. True:
 * nothing is left to try. */
static bool try_targets(bp_query *q, uint64_t most, bool on)
{
  bpi_backward *b = &q->backward;
  const uint32_t count = q->targets.count;
  for (;;) {
    for (; b->target < count; b->target++) {
      if (is_open(q, b->target)) {
        const outcome out = try_target(q, most);
        if (out == STOPPED) return false;
        b->in_vain[b->target] = out == IN_VAIN;
        b->again |= out == TOO_FAR;
      }
      forget(q);
    }
    if (!b->again) return true;
    if (!on) return false;
    b->again = false;
    b->target = 0;
    b->most = next_most(q);
  }
}

void bpi_backward_work(bp_query *q, uint64_t budget)
{
  bpi_backward *b = &q->backward;
  bpi_engine *e = q->engine;
  const uint64_t outer = bpi_bdd_budget(q->m, budget);
  const uint64_t images = budget < UINT32_MAX ? IMAGES * budget : UINT32_MAX;
  const bool done = begin(q) && try_targets(q, b->images + images, budget >= LEAST_WORK);
  const bp_reason why = bpi_engine_reason(e);
  const bool spent = bpi_bdd_end_budget(q->m, outer), fails = why != BP_REASON_NONE && !spent;
  if (fails && bpi_must_stop(why)) {
    e->stop = why;
    return;
  }
  if (b->sets && !done && e->groups_left > 1) {
    forget(q); /* others have their turn */
    b->again = true;
    b->target++;
  }
  if (fails) bpi_engine_resume(e);
  if (!fails && !done) return;
  bpi_backward_clear(q);
  b->off = true;
}
