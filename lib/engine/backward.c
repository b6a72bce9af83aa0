/* SPDX-License-Identifier: MIT
 * A look backwards. Often the last statements before a target contradict it: the states from which it can be
 * reached over them, found backwards (weakest preconditions: Dijkstra, CACM 1975), are none after a
 * few steps, however large the program is. A call on the way may leave what its callee changes as it
 * likes, and a procedure is entered by whoever calls it; so too many states are found, and a target is
 * unreachable if they end before the start. */
#include "engine/back.h"
#include "engine/query.h"

enum {
  MOST_VERTICES = 64, /* for a target */
  MOST_TARGETS = 16   /* of an assignment that has no relation yet */
};

/* ---- states -------------------------------------------------------------- */

static void forget(bp_query *q)
{
  bpi_backward *b = &q->backward;
  for (uint32_t i = 0; i < b->queue.count; i++) {
    const uint32_t v = b->queue.at[i];
    bpi_bdd_drop(q->m, b->sets[v]);
    bpi_bdd_drop(q->m, b->waits[v]);
    b->sets[v] = b->waits[v] = BPI_FALSE;
  }
  bpi_bdd_drop(q->m, b->set);
  b->set = BPI_FALSE;
  b->vertex = BP_NONE;
  b->queue.count = b->first = 0;
  b->begun = false;
}

static void end(bp_query *q)
{
  bpi_backward *b = &q->backward;
  if (b->sets) forget(q);
  bpi_bdd_drop(q->m, b->start);
  bpi_release(b->sets);
  bpi_release(b->waits);
  bpi_vec_free(&b->queue);
  *b = (bpi_backward){.off = true};
}

void bpi_backward_clear(bp_query *q)
{
  end(q);
  q->backward.off = false;
}

/* False when stopped: then nothing is begun. */
static bool begin(bp_query *q)
{
  bpi_backward *b = &q->backward;
  bpi_engine *e = q->engine;
  if (b->sets) return true;
  const bpi_bdd start = bpi_start_set(e, q->init.at, q->init.count);
  bpi_bdd *sets = bpi_zalloc(q->cfg->vertices.count, sizeof *sets);
  bpi_bdd *waits = bpi_zalloc(q->cfg->vertices.count, sizeof *waits);
  if (!sets || !waits) e->stop = BP_REASON_MEMORY;
  if (bpi_going(e)) {
    *b = (bpi_backward){.sets = sets, .waits = waits, .start = start, .vertex = BP_NONE};
    return true;
  }
  bpi_bdd_drop(q->m, start);
  bpi_release(sets);
  bpi_release(waits);
  return false;
}

/* Adds `set`, which is given away, to the states before a vertex. */
static void add(bp_query *q, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = q->engine;
  bpi_backward *b = &q->backward;
  const bpi_bdd fresh = bpi_bdd_diff(e->m, set, b->sets[vertex]);
  bpi_bdd_drop(e->m, set);
  if (fresh == BPI_FALSE || !bpi_going(e)) {
    bpi_bdd_drop(e->m, fresh);
    return;
  }
  if (b->waits[vertex] == BPI_FALSE && !bpi_vec_push(&b->queue, vertex)) e->stop = BP_REASON_MEMORY;
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

/* Whether the relation of a wide assignment would have to be made for this. */
static bool is_dear(bpi_engine *e, uint32_t vertex)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  if (v->kind != BPI_VERTEX_ASSIGN || bpi_stmt_at(e->p, v->stmt).targets.count <= MOST_TARGETS)
    return false;
  const bpi_body *body = bpi_body_of(e, v->proc);
  const uint32_t place = vertex - e->cfg->procs.at[v->proc].vertices.first;
  return body && !body->edges[body->spots[place].edge].made;
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
    if (is_dear(e, pred)) return false;
    if (u->kind == BPI_VERTEX_CALL) {
      add(q, pred, before_call(e, pred, set));
      continue;
    }
    for (uint32_t k = 0; k < bpi_succs(u).count && bpi_going(e); k++)
      if (cfg->succs.at[bpi_succs(u).first + k] == vertex)
        add(q, pred, bpi_before_edge(e, pred, k, set));
  }
  return true;
}

static void to_callers(bp_query *q, uint32_t proc, bpi_bdd set)
{
  bpi_engine *e = q->engine;
  const bpi_slice calls = e->cfg->procs.at[proc].calls;
  for (uint32_t i = 0; i < calls.count && bpi_going(e); i++) {
    const uint32_t vertex = e->cfg->calls.at[calls.first + i];
    const bpi_call *call = e->a.explore[vertex] ? bpi_call_of(e, vertex) : NULL;
    if (call) add(q, vertex, bpi_before_enter(e, call, proc, set));
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

/* Passes what waits at the first vertex on; what is stopped half-way is done anew. False: it leads to the
 * start or too far. */
static bool step(bp_query *q)
{
  bpi_engine *e = q->engine;
  bpi_backward *b = &q->backward;
  if (b->vertex == BP_NONE) {
    b->vertex = b->queue.at[b->first++];
    b->set = b->waits[b->vertex];
    b->waits[b->vertex] = BPI_FALSE;
  }
  if (!bpi_engine_tick(e)) return true;
  const bpi_vertex *v = &e->cfg->vertices.at[b->vertex];
  if (starts(q, b->vertex, b->set) || !to_preds(q, b->vertex, b->set)) return false;
  if (b->vertex == e->cfg->procs.at[v->proc].entry) to_callers(q, v->proc, b->set);
  if (!bpi_going(e)) return true;
  bpi_bdd_drop(e->m, b->set);
  b->set = BPI_FALSE;
  b->vertex = BP_NONE;
  return true;
}

/* ---- targets ------------------------------------------------------------- */

static void begin_target(bp_query *q)
{
  bpi_backward *b = &q->backward;
  const bpi_slice goals = q->targets.at[b->target].goals;
  for (uint32_t g = goals.first; g < goals.first + goals.count; g++)
    if (q->engine->a.explore[q->goals.at[g].vertex])
      add(q, q->goals.at[g].vertex, bpi_bdd_keep(q->m, q->engine->goal_set[g]));
  b->begun = bpi_going(q->engine);
}

/* Whether the target at work is done with: nothing is left to pass on, or it leads too far. */
static bool try_target(bp_query *q)
{
  bpi_backward *b = &q->backward;
  bpi_engine *e = q->engine;
  if (!b->begun) begin_target(q);
  while (bpi_going(e) && (b->first < b->queue.count || b->vertex != BP_NONE))
    if ((b->vertex == BP_NONE && b->first == MOST_VERTICES) || !step(q)) return bpi_going(e);
  if (!bpi_going(e)) return false;
  bpi_engine_close_group(e, b->target);
  q->targets.at[b->target].verdict = BP_UNREACHABLE;
  return true;
}

/* The targets that are open one after the other, for so many images. True: it is done with all. */
static bool try_targets(bp_query *q, uint64_t most)
{
  bpi_backward *b = &q->backward;
  const uint64_t first = q->engine->steps;
  for (; b->target < q->targets.count; b->target++) {
    const bool open = q->engine->group_hit[b->target] == BP_NONE;
    if (open && q->engine->steps - first > most) return false;
    if (open && !try_target(q)) return false;
    forget(q);
  }
  return true;
}

void bpi_backward_work(bp_query *q, uint64_t budget, uint64_t images)
{
  bpi_backward *b = &q->backward;
  bpi_engine *e = q->engine;
  const uint64_t outer = bpi_bdd_budget(q->m, budget);
  const bool done = begin(q) && try_targets(q, images);
  const bp_reason why = bpi_engine_reason(e);
  const bool spent = bpi_bdd_end_budget(q->m, outer), fails = why != BP_REASON_NONE && !spent;
  if (fails && bpi_must_stop(why)) {
    e->stop = why;
    return;
  }
  if (spent && b->sets) {
    forget(q);
    b->target++;
  }
  if (fails) bpi_engine_resume(e);
  if (fails || done) end(q);
}
