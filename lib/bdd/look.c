/* SPDX-License-Identifier: MIT
 * Looking at nodes: structure, support, one path, size. None of it makes nodes. */
#include "bdd/manager.h"

#include <stdlib.h>

uint32_t bpi_bdd_top(const bp_manager *m, bpi_bdd a)
{
  (void)m;
  return (uint32_t)bdd_var(a);
}

bpi_bdd bpi_bdd_low(const bp_manager *m, bpi_bdd a)
{
  (void)m;
  return bdd_low(a);
}

bpi_bdd bpi_bdd_high(const bp_manager *m, bpi_bdd a)
{
  (void)m;
  return bdd_high(a);
}

bool bpi_bdd_pick(const bp_manager *m, bpi_bdd a, uint8_t *values)
{
  (void)m;
  while (a >= 2) {
    const bpi_bdd low = bdd_low(a);
    const bool up = low == BPI_FALSE;
    values[bdd_var(a)] = up;
    a = up ? bdd_high(a) : low;
  }
  return a == BPI_TRUE;
}

uint64_t bpi_bdd_node_count(bp_manager *m, bpi_bdd a)
{
  (void)m;
  return (uint64_t)bdd_nodecount(a);
}

/* ---- support ----------------------------------------------------------- */

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

/* Marks the variables below `a`. bdd_support() is not safe in a kernel that was started twice. */
static bool mark_vars(bpi_bdd a, uint8_t *occurs, node_stack *stack, seen_set *seen)
{
  if (a >= 2 && !bpi_vec_push(stack, a)) return false;
  while (stack->count) {
    bpi_bdd node = stack->at[--stack->count];
    while (node >= 2) { /* goes down the low side, leaves the high side for later */
      const int fresh = seen_add(seen, node);
      if (fresh < 0) return false;
      if (!fresh) break;
      occurs[bdd_var(node)] = 1;
      const bpi_bdd high = bdd_high(node);
      if (high >= 2 && !bpi_vec_push(stack, high)) return false;
      node = bdd_low(node);
    }
  }
  return true;
}

bool bpi_bdd_support(bp_manager *m, bpi_bdd a, bpi_vars *out)
{
  const uint32_t vars = 3 * m->slots;
  uint8_t *occurs = bpi_zalloc(vars, 1);
  node_stack stack = {0};
  seen_set seen = {0};
  bool done = occurs && mark_vars(a, occurs, &stack, &seen);
  uint32_t count = 0;
  for (uint32_t v = 0; done && v < vars; v++)
    count += occurs[v];
  done = done && bpi_vec_reserve(out, count);
  for (uint32_t v = 0; done && v < vars; v++)
    if (occurs[v]) out->at[out->count++] = v;
  bpi_release(seen.at);
  bpi_vec_free(&stack);
  bpi_release(occurs);
  return done;
}
