/* SPDX-License-Identifier: MIT */
#include "functions.h"

#include <stdlib.h>

bp_manager *manager_open(bp_kernel kernel, uint64_t nodes, uint32_t slots)
{
  bp_context *ctx;
  bp_manager *m;
  const bp_manager_options options = {.size = sizeof options, .nodes = nodes, .kernel = kernel};
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_OK);
  bp_context_unref(ctx);
  assert_true(bpi_bdd_enter(m, NULL, 0));
  assert_true(bpi_bdd_ensure_slots(m, slots));
  return m;
}

void manager_close(bp_manager *m)
{
  bpi_bdd_leave(m);
  bp_manager_unref(m);
}

table table_var(uint32_t v)
{
  static const table vars[] = {0xaaaaaaaaaaaaaaaau, 0xccccccccccccccccu, 0xf0f0f0f0f0f0f0f0u,
                               0xff00ff00ff00ff00u, 0xffff0000ffff0000u, 0xffffffff00000000u};
  return vars[v];
}

table table_cofactor(table t, uint32_t v, int value)
{
  const table on = table_var(v), half = value ? t & on : t & ~on;
  return half | (value ? half >> (1u << v) : half << (1u << v));
}

table table_exists(table t, uint32_t vars)
{
  for (uint32_t v = 0; v < TABLE_VARS; v++)
    if (vars >> v & 1) t = table_cofactor(t, v, 0) | table_cofactor(t, v, 1);
  return t;
}

uint32_t table_support(table t)
{
  uint32_t vars = 0;
  for (uint32_t v = 0; v < TABLE_VARS; v++)
    if (table_cofactor(t, v, 0) != table_cofactor(t, v, 1)) vars |= 1u << v;
  return vars;
}

uint64_t table_nodes(table t)
{
  table seen[3 << TABLE_VARS];
  uint32_t count = 0, nodes = 0;
  seen[count++] = t;
  for (uint32_t v = 0; v < TABLE_VARS; v++) {
    const uint32_t end = count;
    for (uint32_t i = 0; i < end; i++) { /* the functions that are left once v is decided */
      const table sides[] = {table_cofactor(seen[i], v, 0), table_cofactor(seen[i], v, 1)};
      nodes += sides[0] != sides[1];
      for (int k = 0; k < 2; k++) {
        uint32_t at = end;
        while (at < count && seen[at] != sides[k])
          at++;
        if (at == count) seen[count++] = sides[k];
      }
    }
    memmove(seen, seen + end, (count - end) * sizeof *seen);
    count -= end;
  }
  return nodes;
}

static bpi_bdd build(bp_manager *m, table t, uint32_t v, const uint32_t *names)
{
  if (!t) return BPI_FALSE;
  if (!~t) return BPI_TRUE;
  const bpi_bdd low = build(m, table_cofactor(t, v, 0), v + 1, names);
  const bpi_bdd high = build(m, table_cofactor(t, v, 1), v + 1, names);
  const bpi_bdd var = bpi_bdd_literal(m, names ? names[v] : v, true);
  const bpi_bdd a = bpi_bdd_ite(m, var, high, low);
  bpi_bdd_drop(m, low);
  bpi_bdd_drop(m, high);
  bpi_bdd_drop(m, var);
  return a;
}

bpi_bdd table_bdd(bp_manager *m, table t, const uint32_t *names)
{
  return build(m, t, 0, names);
}

int bdd_eval(bp_manager *m, bpi_bdd a, const uint8_t *values)
{
  while (a >= 2)
    a = values[bpi_bdd_top(m, a)] ? bpi_bdd_high(m, a) : bpi_bdd_low(m, a);
  return a;
}

table bdd_table(bp_manager *m, bpi_bdd a, const uint32_t *names)
{
  table t = 0;
  uint8_t values[64] = {0};
  for (uint32_t i = 0; i < 64; i++) {
    for (uint32_t v = 0; v < TABLE_VARS; v++)
      values[names ? names[v] : v] = i >> v & 1;
    t |= (table)bdd_eval(m, a, values) << i;
  }
  return t;
}

/* ---- big functions ----------------------------------------------------- */

enum { BIG_TOP = BIG_VARS - 3 };

/* The function of the last three variables below a path through the first fifteen. */
static uint32_t big_leaf(uint64_t seed, uint32_t path)
{
  uint64_t state = seed * 0x100000000u + path;
  return (uint32_t)(random_u64(&state) & 0xff);
}

static bpi_bdd big_part(bp_manager *m, uint64_t seed, uint32_t v, uint32_t path)
{
  if (v == BIG_TOP) {
    const uint32_t names[TABLE_VARS] = {BIG_TOP, BIG_TOP + 1, BIG_TOP + 2};
    return table_bdd(m, big_leaf(seed, path) * (table)0x0101010101010101u, names);
  }
  if (!bpi_bdd_ok(m)) return BPI_FALSE;
  const bpi_bdd low = big_part(m, seed, v + 1, path);
  const bpi_bdd high = big_part(m, seed, v + 1, path | 1u << v);
  const bpi_bdd var = bpi_bdd_literal(m, v, true);
  const bpi_bdd a = bpi_bdd_ite(m, var, high, low);
  bpi_bdd_drop(m, low);
  bpi_bdd_drop(m, high);
  bpi_bdd_drop(m, var);
  return a;
}

bpi_bdd big_function(bp_manager *m, uint64_t seed)
{
  return big_part(m, seed, 0, 0);
}

int big_agrees(bp_manager *m, bpi_bdd a, uint64_t seed, uint32_t count)
{
  uint64_t state = seed;
  while (count--) {
    const uint32_t at = (uint32_t)random_u64(&state) & ((1u << BIG_VARS) - 1);
    uint8_t values[BIG_VARS];
    for (uint32_t v = 0; v < BIG_VARS; v++)
      values[v] = at >> v & 1;
    const uint32_t leaf = big_leaf(seed, at & ((1u << BIG_TOP) - 1));
    if (bdd_eval(m, a, values) != (int)(leaf >> (at >> BIG_TOP) & 1)) return 0;
  }
  return 1;
}
