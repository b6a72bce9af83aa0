/* SPDX-License-Identifier: MIT
 * Looking at nodes: structure, support, one path, size. None of it makes nodes. */
#include "bdd/kernel.h"

uint32_t bpi_bdd_top(const bp_manager *m, bpi_bdd a)
{
  return m->kernel->top(m, a);
}

bpi_bdd bpi_bdd_low(const bp_manager *m, bpi_bdd a)
{
  return m->kernel->low(m, a);
}

bpi_bdd bpi_bdd_high(const bp_manager *m, bpi_bdd a)
{
  return m->kernel->high(m, a);
}

bool bpi_bdd_pick(const bp_manager *m, bpi_bdd a, uint8_t *values)
{
  while (a >= 2) {
    const bpi_bdd low = bpi_bdd_low(m, a);
    const bool up = low == BPI_FALSE;
    values[bpi_bdd_top(m, a)] = up;
    a = up ? bpi_bdd_high(m, a) : low;
  }
  return a == BPI_TRUE;
}

/* ---- everything below a node -------------------------------------------- */

/* Nodes seen: an open-addressed set; 0 is free, since constants are never put in. */
typedef struct seen_set {
  bpi_bdd *at;
  uint32_t mask, count;
} seen_set;

static bpi_bdd *seen_place(const seen_set *seen, bpi_bdd node)
{
  uint32_t i = (uint32_t)node * 2654435761u;
  i ^= i >> 15;
  while (seen->at[i & seen->mask] && seen->at[i & seen->mask] != node)
    i++;
  return &seen->at[i & seen->mask];
}

static bool seen_grow(seen_set *seen)
{
  const seen_set old = *seen;
  const uint32_t size = old.at ? 2 * (old.mask + 1) : 64;
  bpi_bdd *at = bpi_zalloc(size, sizeof *at);
  if (!at) return false;
  seen->at = at;
  seen->mask = size - 1;
  for (uint32_t i = 0; old.at && i <= old.mask; i++)
    if (old.at[i]) *seen_place(seen, old.at[i]) = old.at[i];
  bpi_release(old.at);
  return true;
}

/* 1: new, 0: seen before, -1: no memory. */
static int seen_add(seen_set *seen, bpi_bdd node)
{
  if (!seen->at || seen->count > seen->mask / 2)
    if (!seen_grow(seen)) return -1;
  bpi_bdd *place = seen_place(seen, node);
  if (*place) return 0;
  *place = node;
  seen->count++;
  return 1;
}

typedef BPI_VEC(bpi_bdd) node_stack;

/* Puts every function below `a` into `seen` and marks its variables in `occurs`, if not NULL. */
static bool see_all(const bp_manager *m, bpi_bdd a, uint8_t *occurs, seen_set *seen)
{
  node_stack stack = {0};
  bool memory = a < 2 || bpi_vec_push(&stack, a);
  while (memory && stack.count) {
    bpi_bdd node = stack.at[--stack.count];
    while (memory && node >= 2) { /* goes down the low side, leaves the high side for later */
      const int fresh = seen_add(seen, node);
      memory = fresh >= 0;
      if (fresh < 1) break;
      if (occurs) occurs[bpi_bdd_top(m, node)] = 1;
      const bpi_bdd high = bpi_bdd_high(m, node);
      memory = high < 2 || bpi_vec_push(&stack, high);
      node = bpi_bdd_low(m, node);
    }
  }
  bpi_vec_free(&stack);
  return memory;
}

uint64_t bpi_bdd_node_count(const bp_manager *m, bpi_bdd a)
{
  seen_set seen = {0};
  const bool memory = see_all(m, a, NULL, &seen);
  bpi_release(seen.at);
  return memory ? seen.count : UINT64_MAX;
}

bool bpi_bdd_support(const bp_manager *m, bpi_bdd a, bpi_vars *out)
{
  const uint32_t vars = 3 * m->slots;
  uint8_t *occurs = bpi_zalloc(vars, 1);
  seen_set seen = {0};
  bool done = occurs && see_all(m, a, occurs, &seen);
  uint32_t count = 0;
  for (uint32_t v = 0; done && v < vars; v++)
    count += occurs[v];
  done = done && bpi_vec_reserve(out, count);
  for (uint32_t v = 0; done && v < vars; v++)
    if (occurs[v]) out->at[out->count++] = v;
  bpi_release(seen.at);
  bpi_release(occurs);
  return done;
}
