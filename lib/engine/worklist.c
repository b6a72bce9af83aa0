/* SPDX-License-Identifier: MIT
 * The work list: callees before the continuation of their callers, in a procedure by reverse
 * postorder, so that loops settle before what follows them. No node is in it twice. */
#include "engine/body.h"

enum { FIRST_GLANCE = 256 /* steps */ };

void bpi_waiting_add(bpi_waiting *heap, uint32_t *count, bpi_waiting x)
{
  uint32_t i = (*count)++;
  for (; i && heap[(i - 1) / 2].rank > x.rank; i = (i - 1) / 2)
    heap[i] = heap[(i - 1) / 2];
  heap[i] = x;
}

void bpi_waiting_drop_first(bpi_waiting *heap, uint32_t *count)
{
  const uint32_t left = --*count;
  const bpi_waiting x = heap[left];
  uint32_t i = 0;
  for (uint32_t child; (child = 2 * i + 1) < left; i = child) {
    if (child + 1 < left && heap[child + 1].rank < heap[child].rank) child++;
    if (heap[child].rank >= x.rank) break;
    heap[i] = heap[child];
  }
  heap[i] = x;
}

static void queue(bpi_engine *e, bpi_instance *in)
{
  if (in->queued) return;
  in->queued = true;
  bpi_waiting_add(e->heap.at, &e->heap.count, (bpi_waiting){e->cfg->procs.at[in->proc].rank, {in}});
}

void bpi_queue_node(bpi_engine *e, bpi_instance *in, uint32_t node)
{
  bpi_waiting_nodes(in)[node / 64] |= (uint64_t)1 << (node % 64);
  if (node / 64 < in->first_word) in->first_word = node / 64;
  queue(e, in);
}

void bpi_queue_nodes(bpi_engine *e, bpi_instance *in, uint64_t nodes)
{
  bpi_waiting_nodes(in)[0] |= nodes;
  in->first_word = 0;
  if (nodes) queue(e, in);
}

static bool first_node(bpi_instance *in, uint32_t *node)
{
  const uint64_t *waiting = bpi_waiting_nodes(in);
  while (in->first_word < in->body->words && !waiting[in->first_word])
    in->first_word++;
  if (in->first_word == in->body->words) return false;
  *node = in->first_word * 64 + (uint32_t)__builtin_ctzll(waiting[in->first_word]);
  return true;
}

/* The first that waits outside of the recursion that `in` takes part in; NULL: none. */
static bpi_instance *outside(const bpi_engine *e, const bpi_instance *in, uint32_t last_rank)
{
  const uint32_t group = e->cfg->procs.at[in->proc].last_rank;
  uint32_t least = last_rank, node;
  bpi_instance *best = NULL;
  for (uint32_t i = 0; i < e->heap.count; i++) {
    const bpi_waiting x = e->heap.at[i];
    if (x.rank <= group || x.rank > least || !first_node(x.in, &node)) continue;
    best = x.in;
    least = (uint32_t)x.rank;
  }
  return best;
}

/* As often as the steps double, who waits outside of a recursion looks at what there is so far: for a
 * goal, part of a summary may do. */
static bpi_instance *impatient(bpi_engine *e, const bpi_instance *in, uint32_t last_rank)
{
  if (!e->early || e->steps < e->next_glance || !e->cfg->procs.at[in->proc].recursive) return NULL;
  bpi_instance *best = outside(e, in, last_rank);
  if (!best) e->next_glance = 2 * e->steps + FIRST_GLANCE;
  return best;
}

/* An instance leaves the heap when it is found to have nothing left, so that going on with it costs
 * nothing. */
bpi_instance *bpi_queue_take(bpi_engine *e, uint32_t last_rank, uint32_t *node)
{
  while (e->heap.count && e->heap.at[0].rank <= last_rank) {
    bpi_instance *in = e->heap.at[0].in;
    if (first_node(in, node)) {
      bpi_instance *other = impatient(e, in, last_rank);
      if (other && first_node(other, node)) in = other;
      uint64_t *word = &bpi_waiting_nodes(in)[*node / 64];
      *word &= *word - 1;
      return in;
    }
    in->queued = false;
    bpi_waiting_drop_first(e->heap.at, &e->heap.count);
  }
  return NULL;
}
