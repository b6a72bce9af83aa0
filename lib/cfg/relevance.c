/* SPDX-License-Identifier: MIT
 * Which vertices have a way from the entry, and which of those a way to a goal: reachability in the
 * interprocedural graph, without states. */
#include "cfg/analysis.h"

enum { FROM_ENTRY = 1, TO_EXIT = 2, TO_GOAL = 1 };

typedef struct walk {
  bpi_analysis *a;
  const bp_cfg *cfg;
  uint32_t *todo;
  uint32_t count;
  /* Ways inside a procedure whose calls all return are the same in all of its shape. */
  uint8_t *inside; /* by vertex of the first one of a shape: FROM_ENTRY, and TO_EXIT */
  uint8_t *passes; /* by procedure: there is a way through, and all of its calls return */
  uint32_t *
      procs; /* those that pass and have been entered, or whose summary is wanted: what follows is open */
  uint32_t proc_count;
} walk;

static void mark(walk *w, uint8_t *set, uint32_t vertex, uint8_t bit)
{
  if (vertex == BP_NONE || set[vertex] & bit) return;
  /* A vertex waits at most once for each bit; the list has room for that. */
  set[vertex] |= bit;
  w->todo[w->count++] = vertex;
}

static uint32_t callee_of(const bp_cfg *cfg, const bpi_vertex *v)
{
  return bpi_stmt_callee(cfg->program, v->stmt);
}

/* ---- procedures whose calls all return ---------------------------------- */

static uint32_t shape_of(const walk *w, uint32_t proc)
{
  return w->cfg->procs.at[proc].shape;
}

/* Marks what has a way from `vertex` forwards, or to it backwards over what is marked so far. */
static void spread(walk *w, uint32_t vertex, uint8_t bit)
{
  mark(w, w->inside, vertex, bit);
  while (w->count) {
    const bpi_vertex *v = &w->cfg->vertices.at[w->todo[--w->count]];
    const bpi_slice next = bit == TO_EXIT ? bpi_preds(v) : bpi_succs(v);
    const uint32_t *at = (bit == TO_EXIT ? w->cfg->preds.at : w->cfg->succs.at) + next.first;
    for (uint32_t i = 0; i < next.count; i++)
      if (bit != TO_EXIT || w->inside[at[i]]) mark(w, w->inside, at[i], bit);
  }
}

/* The ways inside a procedure, by vertex, counted from its first one. */
static const uint8_t *ways_inside(const walk *w, uint32_t proc)
{
  return w->inside + w->cfg->procs.at[shape_of(w, proc)].vertices.first;
}

static void find_ways(walk *w, const bpi_cfg_proc *graph)
{
  spread(w, graph->entry, FROM_ENTRY);
  if (w->inside[graph->exit]) spread(w, graph->exit, TO_EXIT);
}

/* Callees come first. Where there is recursion, this does not say that there is no way through. */
static void find_passes(walk *w, const uint32_t *by_rank)
{
  for (uint32_t r = 0; r < w->cfg->procs.count; r++) {
    const uint32_t proc = by_rank[r];
    const bpi_slice all = w->cfg->procs.at[proc].vertices;
    if (!all.count) continue;
    const uint8_t *inside = ways_inside(w, proc);
    bool passes = inside[w->cfg->procs.at[proc].exit - all.first];
    for (uint32_t i = 0; passes && i < all.count; i++) {
      const bpi_vertex *v = &w->cfg->vertices.at[all.first + i];
      if (v->kind == BPI_VERTEX_CALL && inside[i]) passes = w->passes[callee_of(w->cfg, v)];
    }
    w->passes[proc] = passes;
  }
}

/* Into a procedure, forwards. */
static void enter(walk *w, uint32_t proc)
{
  const uint32_t entry = w->cfg->procs.at[proc].entry;
  if (w->passes[proc] && !w->a->returns[proc]) {
    w->a->returns[proc] = 1;
    w->procs[w->proc_count++] = proc;
  } else if (!w->passes[proc]) {
    mark(w, w->a->reached, entry, 1);
  }
}

/* In the procedures at hand, marks in `set` what has `bit` inside, and lets what it calls follow. */
static void run_through(walk *w, uint8_t *set, uint8_t bit, void (*follow)(walk *w, uint32_t proc))
{
  while (w->proc_count) {
    const uint32_t proc = w->procs[--w->proc_count];
    const bpi_slice all = w->cfg->procs.at[proc].vertices;
    const uint8_t *inside = ways_inside(w, proc);
    for (uint32_t i = 0; i < all.count; i++) {
      const bpi_vertex *v = &w->cfg->vertices.at[all.first + i];
      if (!(inside[i] & bit)) continue;
      set[all.first + i] |= bit;
      if (v->kind == BPI_VERTEX_CALL) follow(w, callee_of(w->cfg, v));
    }
  }
}

/* ---- forwards ------------------------------------------------------------ */

static void mark_succs(walk *w, const bpi_vertex *v)
{
  for (uint32_t i = 0; i < bpi_succs(v).count; i++)
    mark(w, w->a->reached, w->cfg->succs.at[bpi_succs(v).first + i], 1);
}

static void forward_vertex(walk *w, const bpi_vertex *v)
{
  const bp_cfg *cfg = w->cfg;
  if (v->kind == BPI_VERTEX_CALL) {
    const uint32_t callee = callee_of(cfg, v);
    enter(w, callee);
    if (w->a->returns[callee]) mark_succs(w, v);
  } else if (v->kind == BPI_VERTEX_EXIT) {
    const bpi_slice calls = cfg->procs.at[v->proc].calls;
    w->a->returns[v->proc] = 1;
    for (uint32_t i = 0; i < calls.count; i++) {
      const uint32_t call = cfg->calls.at[calls.first + i];
      if (w->a->reached[call]) mark_succs(w, &cfg->vertices.at[call]);
    }
  } else {
    mark_succs(w, v);
  }
}

static void forward(walk *w)
{
  enter(w, w->cfg->program->entry);
  while (w->proc_count || w->count) {
    if (w->proc_count)
      run_through(w, w->a->reached, FROM_ENTRY, enter);
    else
      forward_vertex(w, &w->cfg->vertices.at[w->todo[--w->count]]);
  }
}

/* ---- backwards ----------------------------------------------------------- */

static void want_summary(walk *w, uint32_t proc)
{
  if (w->a->summary[proc]) return;
  w->a->summary[proc] = 1;
  if (w->passes[proc])
    w->procs[w->proc_count++] = proc;
  else
    mark(w, w->a->explore, w->cfg->procs.at[proc].exit, TO_EXIT);
}

/* The predecessors of a vertex that has a way to the goal (or exit) named by `bit`. */
static void mark_preds(walk *w, const bpi_vertex *v, uint8_t bit)
{
  for (uint32_t i = 0; i < bpi_preds(v).count; i++) {
    const uint32_t pred = w->cfg->preds.at[bpi_preds(v).first + i];
    const bpi_vertex *u = &w->cfg->vertices.at[pred];
    if (!w->a->reached[pred]) continue;
    if (u->kind == BPI_VERTEX_CALL) {
      if (!w->a->returns[callee_of(w->cfg, u)]) continue;
      want_summary(w, callee_of(w->cfg, u));
    }
    mark(w, w->a->explore, pred, bit);
  }
}

/* From a vertex with a way to a goal or to an exit that is wanted. */
static void backward_vertex(walk *w, uint32_t vertex)
{
  const bpi_vertex *v = &w->cfg->vertices.at[vertex];
  const uint8_t bits = w->a->explore[vertex];
  if (bits & TO_GOAL) mark_preds(w, v, TO_GOAL);
  if (bits & TO_EXIT && !w->passes[v->proc]) mark_preds(w, v, TO_EXIT);
  if (!(bits & TO_GOAL) || vertex != w->cfg->procs.at[v->proc].entry) return;
  const bpi_slice calls = w->cfg->procs.at[v->proc].calls;
  for (uint32_t k = 0; k < calls.count; k++) {
    const uint32_t call = w->cfg->calls.at[calls.first + k];
    if (w->a->reached[call]) mark(w, w->a->explore, call, TO_GOAL);
  }
}

static void backward(walk *w, const bpi_goal *goals, uint32_t count,
                     const bpi_analysis_options *options)
{
  for (uint32_t i = 0; i < options->aim_count; i++)
    if (w->a->reached[options->aims[i]]) mark(w, w->a->explore, options->aims[i], TO_GOAL);
  for (uint32_t i = 0; i < count; i++)
    if (w->a->reached[goals[i].vertex]) mark(w, w->a->explore, goals[i].vertex, TO_GOAL);
  /* What can be wanted is reached, so all that has a way to the exit of a procedure that passes matters. */
  while (w->count) {
    backward_vertex(w, w->todo[--w->count]);
    run_through(w, w->a->explore, TO_EXIT, want_summary);
  }
}

static bool allocate(walk *w)
{
  const uint32_t n = w->cfg->vertices.count, procs = w->cfg->procs.count;
  w->todo = bpi_alloc((size_t)n * 2 + 2, sizeof *w->todo);
  w->inside = bpi_zalloc(n, 1);
  w->passes = bpi_zalloc(procs, 1);
  w->procs = bpi_alloc(procs, sizeof *w->procs);
  w->a->reached = bpi_zalloc(n, 1);
  w->a->explore = bpi_zalloc(n, 1);
  w->a->returns = bpi_zalloc(procs, 1);
  w->a->summary = bpi_zalloc(procs, 1);
  return w->todo && w->inside && w->passes && w->procs && w->a->reached && w->a->explore &&
         w->a->returns && w->a->summary;
}

static void release(walk *w)
{
  bpi_release(w->todo);
  bpi_release(w->inside);
  bpi_release(w->passes);
  bpi_release(w->procs);
}

static void compute(walk *w, const bpi_goal *goals, uint32_t count,
                    const bpi_analysis_options *options)
{
  const bp_cfg *cfg = w->cfg;
  bpi_analysis *a = w->a;
  for (uint32_t p = 0; p < cfg->procs.count; p++) {
    w->procs[cfg->procs.at[p].rank] = p;
    if (shape_of(w, p) == p && cfg->procs.at[p].vertices.count) find_ways(w, &cfg->procs.at[p]);
  }
  find_passes(w, w->procs);
  forward(w);
  if (options->cone) {
    backward(w, goals, count, options);
  } else {
    memcpy(a->explore, a->reached, cfg->vertices.count);
    for (uint32_t p = 0; p < cfg->procs.count; p++)
      a->summary[p] = a->returns[p] && (options->summaries || cfg->procs.at[p].calls.count);
  }
}

bp_status bpi_relevance(bpi_analysis *a, const bpi_goal *goals, uint32_t count,
                        const bpi_analysis_options *options)
{
  walk w = {.a = a, .cfg = a->cfg};
  const bool memory = allocate(&w);
  if (memory) compute(&w, goals, count, options);
  release(&w);
  if (!memory) return BP_E_NOMEM;
  for (uint32_t i = 0; i < count; i++)
    if (a->explore[goals[i].vertex]) a->explore[goals[i].vertex] |= BPI_GOAL;
  for (uint32_t v = 0; v < a->cfg->vertices.count; v++)
    a->skipped_vertices += a->reached[v] && !a->explore[v];
  return BP_OK;
}
