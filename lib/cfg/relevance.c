/* SPDX-License-Identifier: MIT
 * Which vertices have a way from the entry, and which of those a way to a goal: reachability in the
 * interprocedural graph, without states. */
#include "cfg/analysis.h"

typedef struct walk {
  bpi_analysis *a;
  const bp_cfg *cfg;
  uint32_t *todo;
  uint32_t count;
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

static void mark_succs(walk *w, const bpi_vertex *v)
{
  for (uint32_t i = 0; i < bpi_succs(v).count; i++)
    mark(w, w->a->reached, w->cfg->succs.at[bpi_succs(v).first + i], 1);
}

static void forward(walk *w)
{
  const bp_cfg *cfg = w->cfg;
  mark(w, w->a->reached, cfg->procs.at[cfg->program->entry].entry, 1);
  while (w->count) {
    const bpi_vertex *v = &cfg->vertices.at[w->todo[--w->count]];
    if (v->kind == BPI_VERTEX_CALL) {
      const uint32_t callee = callee_of(cfg, v);
      mark(w, w->a->reached, cfg->procs.at[callee].entry, 1);
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
}

enum { TO_GOAL = 1, TO_EXIT = 2 };

static void want_summary(walk *w, uint32_t proc)
{
  if (w->a->summary[proc]) return;
  w->a->summary[proc] = 1;
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

static void backward(walk *w, const bpi_goal *goals, uint32_t count,
                     const bpi_analysis_options *options)
{
  for (uint32_t i = 0; i < options->aim_count; i++)
    if (w->a->reached[options->aims[i]]) mark(w, w->a->explore, options->aims[i], TO_GOAL);
  for (uint32_t i = 0; i < count; i++)
    if (w->a->reached[goals[i].vertex]) mark(w, w->a->explore, goals[i].vertex, TO_GOAL);
  while (w->count) {
    const uint32_t vertex = w->todo[--w->count];
    const bpi_vertex *v = &w->cfg->vertices.at[vertex];
    const uint8_t bits = w->a->explore[vertex];
    if (bits & TO_GOAL) mark_preds(w, v, TO_GOAL);
    if (bits & TO_EXIT) mark_preds(w, v, TO_EXIT);
    if (!(bits & TO_GOAL) || vertex != w->cfg->procs.at[v->proc].entry) continue;
    const bpi_slice calls = w->cfg->procs.at[v->proc].calls;
    for (uint32_t k = 0; k < calls.count; k++) {
      const uint32_t call = w->cfg->calls.at[calls.first + k];
      if (w->a->reached[call]) mark(w, w->a->explore, call, TO_GOAL);
    }
  }
}

bp_status bpi_relevance(bpi_analysis *a, const bpi_goal *goals, uint32_t count,
                        const bpi_analysis_options *options)
{
  const bp_cfg *cfg = a->cfg;
  const uint32_t n = cfg->vertices.count;
  walk w = {a, cfg, bpi_alloc((size_t)n * 2 + 2, sizeof *w.todo), 0};
  a->reached = bpi_zalloc(n, 1);
  a->explore = bpi_zalloc(n, 1);
  a->returns = bpi_zalloc(cfg->procs.count, 1);
  a->summary = bpi_zalloc(cfg->procs.count, 1);
  if (!w.todo || !a->reached || !a->explore || !a->returns || !a->summary) {
    bpi_release(w.todo);
    return BP_E_NOMEM;
  }
  forward(&w);
  if (options->cone) {
    backward(&w, goals, count, options);
  } else {
    memcpy(a->explore, a->reached, n);
    for (uint32_t p = 0; p < cfg->procs.count; p++)
      a->summary[p] = a->returns[p] && (options->summaries || cfg->procs.at[p].calls.count);
  }
  for (uint32_t i = 0; i < count; i++)
    if (a->explore[goals[i].vertex]) a->explore[goals[i].vertex] |= BPI_GOAL;
  for (uint32_t v = 0; v < n; v++)
    a->skipped_vertices += a->reached[v] && !a->explore[v];
  bpi_release(w.todo);
  return BP_OK;
}
