/* SPDX-License-Identifier: MIT
 * The work list: callees before the continuation of their callers, in a procedure by reverse
 * postorder, so that loops settle before what follows them. No vertex is in it twice. */
#include "engine/engine.h"

static void sift_up(uint32_t *heap, uint32_t i)
{
  const uint32_t value = heap[i];
  for (; i && heap[(i - 1) / 2] > value; i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = value;
}

static uint32_t take_least(uint32_t *heap, uint32_t *count)
{
  const uint32_t least = heap[0];
  const uint32_t value = heap[--*count];
  uint32_t i = 0;
  for (uint32_t child; (child = 2 * i + 1) < *count; i = child) {
    if (child + 1 < *count && heap[child + 1] < heap[child]) child++;
    if (heap[child] >= value) break;
    heap[i] = heap[child];
  }
  heap[i] = value;
  return least;
}

void bpi_queue_vertex(bpi_engine *e, uint32_t vertex)
{
  if (e->queued[vertex]) return;
  e->queued[vertex] = 1;
  const uint32_t proc = e->cfg->vertices.at[vertex].proc;
  const bpi_cfg_proc *graph = &e->cfg->procs.at[proc];
  uint32_t *heap = e->heap + graph->vertices.first;
  if (!e->procs[proc].waiting) {
    e->proc_heap[e->proc_heap_count] = graph->rank;
    sift_up(e->proc_heap, e->proc_heap_count++);
  }
  heap[e->procs[proc].waiting] = bpi_place_of(e->cfg, vertex);
  sift_up(heap, e->procs[proc].waiting++);
}

uint32_t bpi_queue_take(bpi_engine *e, uint32_t last_rank)
{
  if (!e->proc_heap_count || e->proc_heap[0] > last_rank) return BP_NONE;
  const uint32_t proc = e->proc_of_rank[e->proc_heap[0]];
  const uint32_t first = e->cfg->procs.at[proc].vertices.first;
  const uint32_t place = take_least(e->heap + first, &e->procs[proc].waiting);
  if (!e->procs[proc].waiting) take_least(e->proc_heap, &e->proc_heap_count);
  const uint32_t vertex = bpi_vertex_at_place(e->cfg, proc, place);
  e->queued[vertex] = 0;
  return vertex;
}
