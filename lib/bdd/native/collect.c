/* SPDX-License-Identifier: MIT
 * Mark and sweep. */
#include "bdd/native/native.h"

#include "bdd/native/cache.h"

static bool marked(const bpi_native *m, bpi_bdd a)
{
  return m->marks[a >> 7] >> (a >> 1 & 63) & 1;
}

/* Marks a node and puts it in front of those whose edges are still to be followed; they are chained by
 * `next`, as the buckets are made anew after marking. */
static inline void reach(bpi_native *m, bpi_bdd a, uint32_t *chain)
{
  if (marked(m, a)) return;
  m->marks[a >> 7] |= (uint64_t)1 << (a >> 1 & 63);
  m->nodes[a >> 1].next = *chain;
  *chain = (uint32_t)a >> 1;
}

/* Marks what is below `a`. No recursion: a collection comes where an operation is deepest. */
static void mark(bpi_native *m, bpi_bdd a)
{
  uint32_t chain = 0;
  reach(m, a, &chain);
  while (chain) {
    const bpi_node *n = &m->nodes[chain];
    chain = n->next;
    reach(m, n->high, &chain);
    reach(m, n->low, &chain);
  }
}

static void mark_all(bpi_native *m)
{
  const bpi_bdd_head *head = &m->base.head;
  const uint32_t end = head->refs_size < m->fresh ? head->refs_size : m->fresh;
  memset(m->marks, 0, (m->fresh / 64 + 1) * sizeof *m->marks);
  m->marks[0] = 1;
  for (uint32_t i = 1; i < end; i++)
    if (head->refs[i]) mark(m, (bpi_bdd)(i << 1));
  for (uint32_t i = 0; i < m->depth; i++)
    mark(m, m->roots[i]);
}

/* From the top down, so that the chain of free nodes begins with the lowest. */
static void sweep(bpi_native *m)
{
  memset(m->heads, 0, ((size_t)1 << (64 - m->heads_shift)) * sizeof *m->heads);
  m->free = 0;
  m->used = 0;
  for (uint32_t i = m->fresh; i-- > 1;) {
    if (marked(m, (bpi_bdd)(i << 1))) {
      bpi_native_link(m, i);
      m->used++;
    } else {
      m->nodes[i].level = (uint32_t)BPI_LEVEL_FREE;
      m->nodes[i].next = m->free;
      m->free = i;
    }
  }
}

/* Results stay that nothing freed takes part in. */
static void sift_cache(bpi_native *m)
{
  for (uint64_t i = 0; i < (uint64_t)1 << (64 - m->cache_shift); i++) {
    bpi_entry *x = &m->cache[i];
    if (!x->a) continue;
    const bool second = bpi_entry_op(x) == BPI_CACHE_RENAME || marked(m, bpi_operand(x->b));
    if (second && marked(m, bpi_operand(x->a)) && marked(m, bpi_operand(x->c)) &&
        marked(m, x->result))
      continue;
    x->a = 0;
  }
}

void bpi_native_collect(bpi_native *m)
{
  bp_manager *base = &m->base;
  mark_all(m);
  sweep(m);
  sift_cache(m);
  base->collections++;
  base->live = m->used;
  if (base->live > base->peak) base->peak = base->live;
}
