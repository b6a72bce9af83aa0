/* SPDX-License-Identifier: MIT
 * The unique table: nodes, buckets, growth. */
#include "bdd/native/native.h"

/* The logarithm of the least power of two that is not below `count`. */
static uint32_t logarithm(uint64_t count)
{
  uint32_t log = 0;
  while ((uint64_t)1 << log < count)
    log++;
  return log;
}

void bpi_native_link(bpi_native *m, uint32_t node)
{
  bpi_node *n = &m->nodes[node];
  uint32_t *head =
      &m->heads[bpi_bucket((uint32_t)n->low, (uint32_t)n->high, n->level, m->heads_shift)];
  n->next = *head;
  *head = node;
}

/* ---- growth -------------------------------------------------------------- */

/* The cache has a place for every two nodes, or not quite. One that cannot grow stays as it is. */
static void grow_cache(bpi_native *m)
{
  const uint32_t shift = 64 - (logarithm((uint64_t)m->capacity + 1) - 2);
  if (shift >= m->cache_shift) return;
  bpi_entry *grown = bpi_zalloc((size_t)1 << (64 - shift), sizeof *grown);
  if (!grown) return;
  for (uint64_t i = 0; i < (uint64_t)1 << (64 - m->cache_shift); i++) {
    const bpi_entry *x = &m->cache[i];
    if (x->a) grown[bpi_bucket(x->a, x->b, x->c, shift)] = *x;
  }
  bpi_release(m->cache);
  m->cache = grown;
  m->cache_shift = shift;
}

/* Blocks that have grown already when another one cannot are larger than they need to be, no more. */
static bool grow(bpi_native *m, uint32_t capacity)
{
  const uint32_t log = logarithm(capacity), words = capacity / 64 + 1;
  uint32_t *heads = bpi_zalloc((size_t)1 << log, sizeof *heads);
  bpi_node *nodes = heads ? bpi_realloc(m->nodes, capacity, sizeof *nodes) : NULL;
  if (nodes) m->nodes = nodes;
  uint64_t *marks = nodes ? bpi_realloc(m->marks, words, sizeof *marks) : NULL;
  if (!marks) {
    bpi_release(heads);
    return false;
  }
  bpi_release(m->heads);
  m->marks = marks;
  m->heads = heads;
  m->heads_shift = 64 - log;
  m->capacity = capacity;
  for (uint32_t i = 1; i < m->fresh; i++)
    if (m->nodes[i].level != (uint32_t)BPI_LEVEL_FREE) bpi_native_link(m, i);
  grow_cache(m);
  return true;
}

bool bpi_native_grow(bpi_native *m)
{
  if (m->capacity >= m->most) return false;
  return grow(m, m->capacity > m->most / 2 ? m->most : 2 * m->capacity);
}

/* A table that is more than half full after a collection is doubled, so that collections cost less
 * than the nodes made between them. */
bool bpi_native_refill(bpi_native *m)
{
  bp_manager *base = &m->base;
  if (!bpi_native_poll(m)) return false;
  bpi_native_collect(m);
  if (base->live > base->limit) {
    bpi_bdd_latch(base, BPI_BDD_NODES);
    return false;
  }
  const uint32_t room = m->capacity - m->used - 1;
  if (m->used < m->capacity / 2) return true;
  if (m->capacity < m->most) {
    if (bpi_native_grow(m) || room > m->capacity / 64) return true;
    bpi_bdd_latch(base, BPI_BDD_MEMORY);
    return false;
  }
  /* A full table that gains next to nothing would collect for every few nodes. */
  if (room > m->capacity / 64) return true;
  bpi_bdd_latch(base, BPI_BDD_NODES);
  return false;
}

void bpi_native_forget(bpi_native *m)
{
  memset(m->cache, 0, ((size_t)1 << (64 - m->cache_shift)) * sizeof *m->cache);
}

bool bpi_native_refs_grow(bpi_native *m, uint32_t place)
{
  bpi_bdd_head *head = &m->base.head;
  uint32_t size = head->refs_size ? head->refs_size : 256;
  while (size <= place)
    size *= 2;
  if (size > m->most) size = m->most;
  uint64_t *grown = bpi_realloc(head->refs, size, sizeof *grown);
  if (!grown) {
    bpi_bdd_latch(&m->base, BPI_BDD_MEMORY);
    return false;
  }
  memset(grown + head->refs_size, 0, (size - head->refs_size) * sizeof *grown);
  head->refs = grown;
  head->refs_size = size;
  return true;
}

/* ---- nodes --------------------------------------------------------------- */

static uint32_t take_free(bpi_native *m)
{
  uint32_t node = m->free;
  if (node)
    m->free = m->nodes[node].next;
  else if (m->fresh < m->capacity)
    node = m->fresh++;
  return node;
}

/* A new node; 0 and latched when there is no room. */
static uint32_t new_node(bpi_native *m, bpi_bdd low, bpi_bdd high)
{
  uint32_t node = take_free(m);
  if (node) return node;
  bpi_push(m, low);
  bpi_push(m, high);
  const bool room = bpi_native_refill(m);
  m->depth -= 2;
  return room ? take_free(m) : 0;
}

bpi_bdd bpi_native_make(bpi_native *m, uint32_t level, bpi_bdd low, bpi_bdd high)
{
  if (low == high) return low;
  const bpi_bdd flip = low & 1;
  low ^= flip;
  high ^= flip;
  const uint32_t bucket = bpi_bucket((uint32_t)low, (uint32_t)high, level, m->heads_shift);
  for (uint32_t i = m->heads[bucket]; i; i = m->nodes[i].next) {
    const bpi_node *n = &m->nodes[i];
    if (n->low == low && n->high == high && n->level == level) return (bpi_bdd)(i << 1) | flip;
  }
  const uint32_t node = new_node(m, low, high);
  if (!node) return BPI_FAILED;
  m->nodes[node] = (bpi_node){level, low, high, 0};
  bpi_native_link(m, node);
  m->used++;
  return (bpi_bdd)(node << 1) | flip;
}

/* ---- start and end ------------------------------------------------------- */

bool bpi_native_start(bpi_native *m, uint64_t most)
{
  m->most = (uint32_t)most;
  m->cache_shift = 63;
  m->fresh = 1;
  m->fuel = BPI_FUEL;
  m->base.head.shift = 1;
  m->roots = bpi_alloc(64, sizeof *m->roots);
  m->cache = bpi_zalloc(2, sizeof *m->cache);
  if (!m->roots || !m->cache) return false;
  if (!grow(m, most < BPI_NATIVE_START ? (uint32_t)most : BPI_NATIVE_START)) return false;
  m->nodes[0] = (bpi_node){BPI_LEVEL_END, 0, 0, 0};
  return true;
}

void bpi_native_end(bpi_native *m)
{
  bpi_release(m->nodes);
  bpi_release(m->heads);
  bpi_release(m->marks);
  bpi_release(m->cache);
  bpi_release(m->roots);
  bpi_release(m->position);
  bpi_release(m->slot_at);
}
