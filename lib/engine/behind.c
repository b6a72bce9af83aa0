/* SPDX-License-Identifier: MIT
 * Shortest ways through procedures, callees included: the order of Dijkstra's algorithm, where a call is passed when
 * a way through its callee is known (Knuth, "A generalization of Dijkstra's algorithm", IPL 1977). */
#include "engine/back.h"

typedef struct walk {
  bpi_engine *e;
  uint32_t *within, *entry;
  BPI_VEC(bpi_waiting) heap;
  uint32_t taken;
  bool memory;
} walk;

enum { STRIDE = 1024 }; /* steps between looks at the limits */

/* The first of the heap; false when stopped. */
static bool take(walk *w, bpi_waiting *x)
{
  if (!w->heap.count || !w->memory || (++w->taken % STRIDE == 0 && !bpi_engine_glance(w->e)))
    return false;
  *x = w->heap.at[0];
  bpi_waiting_drop_first(w->heap.at, &w->heap.count);
  return true;
}

/* A procedure of a product that is not entered has no vertices: BP_NONE. */
static void queue(walk *w, uint32_t vertex, uint32_t steps)
{
  if (vertex == BP_NONE || steps >= w->within[vertex] || !w->e->a.explore[vertex]) return;
  w->within[vertex] = steps;
  w->memory = w->memory && bpi_vec_reserve(&w->heap, 1);
  if (w->memory)
    bpi_waiting_add(w->heap.at, &w->heap.count, (bpi_waiting){steps, {.vertex = vertex}});
}

static void queue_succs(walk *w, uint32_t vertex, uint32_t steps)
{
  const bp_cfg *cfg = w->e->cfg;
  const bpi_slice succs = bpi_succs(&cfg->vertices.at[vertex]);
  for (uint32_t i = succs.first; i < succs.first + succs.count; i++)
    queue(w, cfg->succs.at[i], steps);
}

/* Over a call; where no way through the callee is known, that comes later. */
static void pass_call(walk *w, uint32_t vertex)
{
  const uint32_t callee = bpi_stmt_callee(w->e->p, w->e->cfg->vertices.at[vertex].stmt);
  const uint32_t through = w->within[w->e->cfg->procs.at[callee].exit];
  if (through != BP_NONE) queue_succs(w, vertex, bpi_further(w->within[vertex], through + 2));
}

/* A way through the procedure is known: back to those of its calls that are. */
static void leave(walk *w, uint32_t proc)
{
  const bpi_slice calls = w->e->cfg->procs.at[proc].calls;
  for (uint32_t i = calls.first; i < calls.first + calls.count; i++) {
    const uint32_t vertex = w->e->cfg->calls.at[i];
    if (w->within[vertex] != BP_NONE) pass_call(w, vertex);
  }
}

static void find_within(walk *w)
{
  const bp_cfg *cfg = w->e->cfg;
  for (uint32_t p = 0; p < cfg->procs.count; p++)
    queue(w, cfg->procs.at[p].entry, 0);
  bpi_waiting x;
  while (take(w, &x)) {
    const bpi_vertex *v = &cfg->vertices.at[x.vertex];
    if (x.rank > w->within[x.vertex]) continue;
    if (v->kind == BPI_VERTEX_EXIT)
      leave(w, v->proc);
    else if (v->kind == BPI_VERTEX_CALL)
      pass_call(w, x.vertex);
    else
      queue_succs(w, x.vertex, bpi_further(w->within[x.vertex], 1));
  }
}

static void queue_proc(walk *w, uint32_t proc, uint32_t steps)
{
  if (steps >= w->entry[proc]) return;
  w->entry[proc] = steps;
  w->memory = w->memory && bpi_vec_reserve(&w->heap, 1);
  if (w->memory)
    bpi_waiting_add(w->heap.at, &w->heap.count, (bpi_waiting){steps, {.vertex = proc}});
}

/* From the start of the program, into calls. */
static void find_entries(walk *w)
{
  const bp_cfg *cfg = w->e->cfg;
  w->heap.count = 0;
  queue_proc(w, w->e->p->entry, 0);
  bpi_waiting x;
  while (take(w, &x)) {
    const bpi_slice all = cfg->procs.at[x.vertex].vertices;
    if (x.rank > w->entry[x.vertex]) continue;
    for (uint32_t v = all.first; v < all.first + all.count; v++)
      if (cfg->vertices.at[v].kind == BPI_VERTEX_CALL && w->within[v] != BP_NONE)
        queue_proc(w, bpi_stmt_callee(w->e->p, cfg->vertices.at[v].stmt),
                   bpi_further((uint32_t)x.rank, w->within[v] + 1));
  }
}

uint32_t *bpi_behind(bpi_engine *e)
{
  const uint32_t vertices = e->cfg->vertices.count, all = vertices + e->cfg->procs.count;
  walk w = {.e = e, .within = bpi_alloc(all, sizeof *w.within)};
  w.memory = w.within != NULL;
  for (uint32_t i = 0; w.memory && i < all; i++)
    w.within[i] = BP_NONE;
  if (w.memory) {
    w.entry = w.within + vertices;
    find_within(&w);
    find_entries(&w);
  }
  bpi_vec_free(&w.heap);
  if (!w.memory) e->stop = BP_REASON_MEMORY;
  if (bpi_going(e)) return w.within;
  bpi_release(w.within);
  return NULL;
}
