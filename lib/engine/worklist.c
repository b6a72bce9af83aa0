/* SPDX-License-Identifier: MIT
 * The work list: callees before the continuation of their callers, in a procedure by reverse
 * postorder, so that loops settle before what follows them. No node is in it twice. */
#include "engine/body.h"

static void add_waiting(bpi_engine *e, bpi_waiting x)
{
  bpi_waiting *heap = e->heap.at;
  uint32_t i = e->heap.count++;
  for (; i && heap[(i - 1) / 2].rank > x.rank; i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = x;
}

static void drop_first(bpi_engine *e)
{
  bpi_waiting *heap = e->heap.at;
  const uint32_t count = --e->heap.count;
  const bpi_waiting x = heap[count];
  uint32_t i = 0;
  for (uint32_t child; (child = 2 * i + 1) < count; i = child) {
    if (child + 1 < count && heap[child + 1].rank < heap[child].rank) child++;
    if (heap[child].rank >= x.rank) break;
    heap[i] = heap[child];
  }
  heap[i] = x;
}

void bpi_queue_node(bpi_engine *e, bpi_instance *in, uint32_t node)
{
  in->waiting[node / 64] |= (uint64_t)1 << (node % 64);
  if (node / 64 < in->first_word) in->first_word = node / 64;
  if (in->queued) return;
  in->queued = true;
  add_waiting(e, (bpi_waiting){e->cfg->procs.at[in->proc].rank, in});
}

/* An instance leaves the heap when it is found to have nothing left, so that going on with it costs
 * nothing. */
bpi_instance *bpi_queue_take(bpi_engine *e, uint32_t last_rank, uint32_t *node)
{
  while (e->heap.count && e->heap.at[0].rank <= last_rank) {
    bpi_instance *in = e->heap.at[0].in;
    while (in->first_word < in->body->words && !in->waiting[in->first_word])
      in->first_word++;
    if (in->first_word < in->body->words) {
      uint64_t *word = &in->waiting[in->first_word];
      *node = in->first_word * 64 + (uint32_t)__builtin_ctzll(*word);
      *word &= *word - 1;
      return in;
    }
    in->queued = false;
    drop_first(e);
  }
  return NULL;
}
