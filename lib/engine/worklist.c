/* SPDX-License-Identifier: MIT
 * The work list: callees before the continuation of their callers, in a procedure by reverse
 * postorder, so that loops settle before what follows them. No node is in it twice. */
#include "engine/body.h"

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

void bpi_queue_node(bpi_engine *e, uint32_t proc, uint32_t node)
{
  bpi_engine_proc *p = &e->procs[proc];
  p->waiting[node / 64] |= (uint64_t)1 << (node % 64);
  if (node / 64 < p->first_word) p->first_word = node / 64;
  if (p->queued) return;
  p->queued = true;
  e->proc_heap[e->proc_heap_count] = e->cfg->procs.at[proc].rank;
  sift_up(e->proc_heap, e->proc_heap_count++);
}

/* A procedure leaves the heap when it is found to have nothing left, so that going on with it costs
 * nothing. */
bool bpi_queue_take(bpi_engine *e, uint32_t last_rank, uint32_t *proc, uint32_t *node)
{
  while (e->proc_heap_count && e->proc_heap[0] <= last_rank) {
    *proc = e->proc_of_rank[e->proc_heap[0]];
    bpi_engine_proc *p = &e->procs[*proc];
    while (p->first_word < p->body->words && !p->waiting[p->first_word])
      p->first_word++;
    if (p->first_word < p->body->words) {
      uint64_t *word = &p->waiting[p->first_word];
      *node = p->first_word * 64 + (uint32_t)__builtin_ctzll(*word);
      *word &= *word - 1;
      return true;
    }
    p->queued = false;
    take_least(e->proc_heap, &e->proc_heap_count);
  }
  return false;
}
