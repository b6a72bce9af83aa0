/* SPDX-License-Identifier: MIT
 * Random functions of up to twelve variables against truth tables of 4096 bits, on both kernels. */
#include "functions.h"

enum { MOST = 12, WORDS = (1 << MOST) / 64, SLOTS = 8, ROUNDS = 60 };

/* Bit i is the value where variable v is bit v of i. */
typedef struct bits {
  uint64_t at[WORDS];
} bits;

static bp_manager *m;
static bp_kernel kernel;
static uint64_t seed;
static uint32_t vars, names[MOST];

static uint32_t below(uint32_t count)
{
  return (uint32_t)(random_u64(&seed) >> 33) % count;
}

static int bit(const bits *t, uint32_t i)
{
  return t->at[i / 64] >> i % 64 & 1;
}

/* Of random structure: dense, thin, or a sum of few variables. */
static bits random_bits(void)
{
  bits t = {{0}};
  const uint32_t kind = below(4), mask = below(1u << vars);
  for (uint32_t i = 0; i < 1u << MOST; i++) {
    const uint32_t seen = kind == 3 ? i & mask : i & ((1u << vars) - 1);
    uint64_t state = seed + seen * 0x9e3779b97f4a7c15u;
    const uint64_t value = kind == 2 ? seen * 0x9e3779b97f4a7c15u >> 61 : random_u64(&state);
    const bool on = kind == 1 ? !(value & 15) : value & 1;
    t.at[i / 64] |= (uint64_t)on << i % 64;
  }
  random_u64(&seed);
  return t;
}

static bpi_bdd build(const bits *t, uint32_t v, uint32_t at)
{
  if (v == vars) return bit(t, at);
  const bpi_bdd low = build(t, v + 1, at), high = build(t, v + 1, at | 1u << v);
  const bpi_bdd var = bpi_bdd_literal(m, names[v], true);
  const bpi_bdd a = bpi_bdd_ite(m, var, high, low);
  bpi_bdd_drop(m, var);
  bpi_bdd_drop(m, low);
  bpi_bdd_drop(m, high);
  return a;
}

/* The result is this function, its variable v being where[v]; gives it back. */
static void is(bpi_bdd a, const bits *t, const uint32_t *where)
{
  uint8_t values[3 * SLOTS] = {0};
  assert_true(bpi_bdd_ok(m));
  for (uint32_t i = 0; i < 1u << vars; i++) {
    for (uint32_t v = 0; v < vars; v++)
      if (where[v] != BP_NONE) values[where[v]] = i >> v & 1;
    if (bdd_eval(m, a, values) != bit(t, i)) fail_msg("wrong at %u", i);
  }
  if (where == names) {
    const bpi_bdd same = build(t, 0, 0);
    assert_int_equal(a, same);
    bpi_bdd_drop(m, same);
  }
  bpi_bdd_drop(m, a);
}

static bits exists(const bits *t, uint32_t mask)
{
  bits r = *t;
  for (uint32_t v = 0; v < vars; v++) {
    if (!(mask >> v & 1)) continue;
    const bits old = r;
    for (uint32_t i = 0; i < 1u << MOST; i++)
      r.at[i / 64] |= (uint64_t)bit(&old, i ^ 1u << v) << i % 64;
  }
  return r;
}

/* A random choice of variables, ascending. */
static void choose_names(void)
{
  vars = 5 + below(MOST - 4);
  uint32_t count = 0;
  for (uint32_t v = 0; v < 3 * SLOTS; v++)
    if (below(3 * SLOTS - v) < vars - count) names[count++] = v;
  assert_int_equal(count, vars);
}

static bpi_bdd set_of(uint32_t mask)
{
  uint32_t chosen[MOST], count = 0;
  for (uint32_t v = 0; v < vars; v++)
    if (mask >> v & 1) chosen[count++] = names[v];
  return bpi_bdd_set(m, chosen, count);
}

static void check_quantified(bpi_bdd a, const bits *s, bpi_bdd b, const bits *t)
{
  uint32_t mask = below(1u << vars), where[MOST];
  bits both;
  for (uint32_t i = 0; i < WORDS; i++)
    both.at[i] = s->at[i] & t->at[i];
  bpi_bdd set = set_of(mask);
  bits less = exists(s, mask);
  is(bpi_bdd_exists(m, a, set), &less, names);
  less = exists(&both, mask);
  is(bpi_bdd_and_exists(m, a, b, set), &less, names);
  bpi_bdd_drop(m, set);
  for (uint32_t v = 1; v < vars; v++) /* no NEXT beside its CURRENT */
    if (names[v] % 3 == BPI_NEXT && names[v - 1] == names[v] - 1 && !(mask >> v & 1))
      mask |= 1u << (v - 1);
  for (uint32_t v = 0; v < vars; v++) {
    where[v] = names[v] % 3 == BPI_NEXT ? names[v] - 1 : names[v];
    if (mask >> v & 1) where[v] = BP_NONE;
  }
  set = set_of(mask);
  less = exists(&both, mask);
  is(bpi_bdd_image(m, a, b, set), &less, where);
  bpi_bdd_drop(m, set);
}

static void check_operations(bpi_bdd a, const bits *s, bpi_bdd b, const bits *t, bpi_bdd c,
                             const bits *u)
{
  bits r[7];
  for (uint32_t i = 0; i < WORDS; i++) {
    const uint64_t x = s->at[i], y = t->at[i], z = u->at[i];
    const uint64_t results[] = {x & y, x | y, x ^ y, ~(x ^ y), x & ~y, ~x, (x & y) | (~x & z)};
    for (uint32_t k = 0; k < 7; k++)
      r[k].at[i] = results[k];
  }
  is(bpi_bdd_and(m, a, b), &r[0], names);
  is(bpi_bdd_or(m, a, b), &r[1], names);
  is(bpi_bdd_xor(m, a, b), &r[2], names);
  is(bpi_bdd_iff(m, a, b), &r[3], names);
  is(bpi_bdd_diff(m, a, b), &r[4], names);
  is(bpi_bdd_not(m, a), &r[5], names);
  is(bpi_bdd_ite(m, a, b, c), &r[6], names);
}

/* To a random choice of as many variables. */
static void check_rename(bpi_bdd a, const bits *s)
{
  uint32_t old[MOST], where[MOST];
  const uint32_t count = vars;
  memcpy(old, names, sizeof old);
  do
    choose_names();
  while (vars != count);
  memcpy(where, names, sizeof where);
  memcpy(names, old, sizeof old);
  const bpi_rename *rename = bpi_bdd_rename_new(m, names, where, vars);
  assert_non_null(rename);
  is(bpi_bdd_rename(m, a, rename), s, where);
}

static void test_wide(void **state)
{
  (void)state;
  seed = 31;
  m = manager_open(kernel, 0, SLOTS);
  for (int round = 0; round < ROUNDS; round++) {
    choose_names();
    bits t[3];
    bpi_bdd a[3];
    for (int i = 0; i < 3; i++) {
      t[i] = random_bits();
      a[i] = build(&t[i], 0, 0);
      is(bpi_bdd_keep(m, a[i]), &t[i], names);
    }
    check_operations(a[0], &t[0], a[1], &t[1], a[2], &t[2]);
    check_operations(a[2], &t[2], a[0], &t[0], a[1], &t[1]);
    check_quantified(a[0], &t[0], a[1], &t[1]);
    check_quantified(a[2], &t[2], a[1], &t[1]);
    check_rename(a[0], &t[0]);
    for (int i = 0; i < 3; i++)
      bpi_bdd_drop(m, a[i]);
  }
  assert_int_equal(bpi_bdd_live(m), 0);
  manager_close(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wide)};
  kernel = BP_KERNEL_NATIVE;
  const int native = cmocka_run_group_tests_name("native", tests, NULL, NULL);
  kernel = BP_KERNEL_BUDDY;
  return native + cmocka_run_group_tests_name("BuDDy", tests, NULL, NULL);
}
