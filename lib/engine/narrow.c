/* SPDX-License-Identifier: MIT
 * Explorations that go on with a part of what they reach, where that is large: reachability by dense
 * subsets (Ravi & Somenzi, "High-Density Reachability Analysis", ICCAD 1995). What they reach can be
 * reached; what they do not reach says nothing. */
#include "engine/engine.h"

enum { MOST_NODES = 511, ROOM = 2048 };

/* A set of nodes, open addressing. */
typedef struct met {
  bpi_bdd at[ROOM];
} met;

static bool meet(met *seen, bpi_bdd node)
{
  uint32_t at = (uint32_t)node * 2654435761u >> 21;
  for (; seen->at[at]; at = (at + 1) % ROOM)
    if (seen->at[at] == node) return false;
  seen->at[at] = node;
  return true;
}

/* Whether it has more nodes than that: looks at no more. */
static bool is_larger(const bp_manager *m, bpi_bdd set, uint32_t most)
{
  met seen = {{0}};
  bpi_bdd stack[MOST_NODES + 2];
  uint32_t depth = 0, count = 0;
  if (most > MOST_NODES) most = MOST_NODES;
  stack[depth++] = set;
  while (depth) {
    const bpi_bdd node = stack[--depth];
    if (node < 2 || !meet(&seen, node)) continue;
    if (++count > most) return true;
    stack[depth++] = bpi_bdd_low(m, node);
    stack[depth++] = bpi_bdd_high(m, node);
  }
  return false;
}

static uint64_t mix(uint64_t x)
{
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return x ^ x >> 32;
}

/* Down the diagram, at random where both ways are open, until what is below is small enough. */
bpi_bdd bpi_narrow(bpi_engine *e, bpi_bdd set, uint32_t most)
{
  bpi_bdd cube = BPI_TRUE, at = set;
  uint64_t random = (e->steps << 16 | most) * 0x9e3779b97f4a7c15u;
  uint32_t depth = 0, next = 0; /* where its size is looked at */
  for (; bpi_going(e) && at >= 2; depth++) {
    if (depth == next && !is_larger(e->m, at, most)) break;
    if (depth == next) next += 1 + depth / 3;
    random = mix(random + 1);
    const uint32_t var = bpi_bdd_top(e->m, at);
    const bpi_bdd low = bpi_bdd_low(e->m, at), high = bpi_bdd_high(e->m, at);
    const bool up = low == BPI_FALSE || (high != BPI_FALSE && (random & 1));
    bpi_conjoin(e, &cube, bpi_bdd_literal(e->m, var, up));
    at = up ? high : low;
  }
  const bpi_bdd some = bpi_bdd_and(e->m, set, cube);
  bpi_bdd_drop(e->m, cube);
  return some;
}

bpi_bdd bpi_rest_of_one(bpi_engine *e, bpi_bdd set, bpi_bdd kept)
{
  const uint32_t vars = 3 * bpi_bdd_slot_count(e->m);
  uint8_t *values = bpi_zalloc(vars, 1);
  if (!values) {
    e->stop = BP_REASON_MEMORY;
    return BPI_FALSE;
  }
  bpi_bdd_pick(e->m, set, values);
  bpi_bdd cube = BPI_TRUE;
  for (bpi_bdd rest = kept; rest >= 2; rest = bpi_bdd_high(e->m, rest)) {
    const uint32_t var = bpi_bdd_top(e->m, rest);
    bpi_conjoin(e, &cube, bpi_bdd_literal(e->m, var, values[var]));
  }
  bpi_release(values);
  const bpi_bdd one = bpi_bdd_and_exists(e->m, set, cube, kept);
  bpi_bdd_drop(e->m, cube);
  return one;
}
