/* SPDX-License-Identifier: MIT
 * Every operation against truth tables of random functions. */
#include "bdd/buddy/buddy.h"
#include "functions.h"

enum { ROUNDS = 400, POOL = 24 };

static bp_manager *m;
static table tables[POOL];
static bpi_bdd nodes[POOL];

static void open_pool(bp_kernel kernel)
{
  m = manager_open(kernel, 0, 4);
  uint64_t seed = 7;
  for (int i = 0; i < POOL; i++) {
    tables[i] = random_u64(&seed);
    if (i % 4 == 1) tables[i] &= random_u64(&seed) & random_u64(&seed);
    if (i % 4 == 2) tables[i] = table_exists(tables[i] & random_u64(&seed), 0x15);
    if (i % 4 == 3) tables[i] = table_var((uint32_t)i % TABLE_VARS);
  }
  tables[0] = 0;
  tables[1] = ~(table)0;
  for (int i = 0; i < POOL; i++)
    nodes[i] = table_bdd(m, tables[i], NULL);
}

static int setup_native(void **state)
{
  (void)state;
  open_pool(BP_KERNEL_NATIVE);
  return 0;
}

static int setup_buddy(void **state)
{
  (void)state;
  open_pool(BP_KERNEL_BUDDY);
  return 0;
}

/* Every operation done in pieces. */
static int setup_split(void **state)
{
  (void)state;
  open_pool(BP_KERNEL_BUDDY);
  bpi_buddy_of(m)->split_from = 0;
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  assert_true(bpi_bdd_ok(m));
  for (int i = 0; i < POOL; i++)
    bpi_bdd_drop(m, nodes[i]);
  assert_true(bpi_bdd_ok(m));
  assert_int_equal(bpi_bdd_live(m), 0);
  manager_close(m);
  return 0;
}

static void check(bpi_bdd a, table expected)
{
  assert_true(bpi_bdd_ok(m));
  assert_true(bdd_table(m, a, NULL) == expected);
  const bpi_bdd canonical = table_bdd(m, expected, NULL);
  assert_int_equal(a, canonical);
  bpi_bdd_drop(m, canonical);
  bpi_bdd_drop(m, a);
}

static void test_binary(void **state)
{
  (void)state;
  for (int i = 0; i < POOL; i++) {
    check(bpi_bdd_not(m, nodes[i]), ~tables[i]);
    for (int j = 0; j < POOL; j++) {
      check(bpi_bdd_and(m, nodes[i], nodes[j]), tables[i] & tables[j]);
      check(bpi_bdd_or(m, nodes[i], nodes[j]), tables[i] | tables[j]);
      check(bpi_bdd_xor(m, nodes[i], nodes[j]), tables[i] ^ tables[j]);
      check(bpi_bdd_iff(m, nodes[i], nodes[j]), ~(tables[i] ^ tables[j]));
      check(bpi_bdd_diff(m, nodes[i], nodes[j]), tables[i] & ~tables[j]);
    }
  }
}

static void test_literal(void **state)
{
  (void)state;
  for (uint32_t v = 0; v < TABLE_VARS; v++) {
    check(bpi_bdd_literal(m, v, true), table_var(v));
    check(bpi_bdd_literal(m, v, false), ~table_var(v));
  }
}

static void test_ite(void **state)
{
  (void)state;
  uint64_t seed = 11;
  for (int round = 0; round < ROUNDS; round++) {
    const uint64_t pick = random_u64(&seed);
    const int i = pick % POOL, j = pick / POOL % POOL, k = pick / POOL / POOL % POOL;
    check(bpi_bdd_ite(m, nodes[i], nodes[j], nodes[k]),
          (tables[i] & tables[j]) | (~tables[i] & tables[k]));
  }
}

static void test_quantifiers(void **state)
{
  (void)state;
  uint64_t seed = 13;
  for (uint32_t mask = 0; mask < 64; mask++) {
    uint32_t vars[TABLE_VARS], count = 0;
    for (uint32_t v = 0; v < TABLE_VARS; v++) /* not in order */
      if (mask >> (v * 5 % TABLE_VARS) & 1) vars[count++] = v * 5 % TABLE_VARS;
    const bpi_bdd set = bpi_bdd_set(m, vars, count);
    for (int i = 0; i < POOL; i++) {
      const int j = (int)(random_u64(&seed) % POOL);
      check(bpi_bdd_exists(m, nodes[i], set), table_exists(tables[i], mask));
      check(bpi_bdd_and_exists(m, nodes[i], nodes[j], set),
            table_exists(tables[i] & tables[j], mask));
      check(bpi_bdd_and_exists(m, nodes[i], nodes[i], set), table_exists(tables[i], mask));
    }
    bpi_bdd_drop(m, set);
  }
}

static void test_rename(void **state)
{
  (void)state;
  static const uint32_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {6, 7, 8, 9, 10, 11};
  const bpi_rename *shift = bpi_bdd_rename_new(m, from, to, 6);
  assert_ptr_equal(shift, bpi_bdd_rename_new(m, from, to, 6));
  const bpi_rename *back = bpi_bdd_rename_new(m, to, from, 6);
  assert_ptr_not_equal(shift, back);
  const bpi_rename *nothing = bpi_bdd_rename_new(m, NULL, NULL, 0);
  const bpi_rename *same = bpi_bdd_rename_new(m, from, from, 6);
  for (int i = 0; i < POOL; i++) {
    const bpi_bdd moved = bpi_bdd_rename(m, nodes[i], shift);
    assert_true(bdd_table(m, moved, to) == tables[i]);
    check(bpi_bdd_rename(m, moved, back), tables[i]);
    bpi_bdd_drop(m, moved);
    check(bpi_bdd_rename(m, nodes[i], nothing), tables[i]);
    check(bpi_bdd_rename(m, nodes[i], same), tables[i]);
  }
}

/* Over CURRENT and NEXT of three slots, every set in which no CURRENT stays beside its NEXT. */
static void test_image(void **state)
{
  (void)state;
  static const uint32_t names[] = {1, 2, 4, 5, 7, 8};
  static const uint8_t gone[] = {1, 2, 3}; /* of a slot: CURRENT, NEXT, both */
  bpi_bdd spread[POOL];
  for (int i = 0; i < POOL; i++)
    spread[i] = table_bdd(m, tables[i], names);
  for (uint32_t choice = 0; choice < 27; choice++) {
    uint32_t vars[6], where[6], count = 0, mask = 0;
    for (uint32_t slot = 0, rest = choice; slot < 3; slot++, rest /= 3)
      mask |= (uint32_t)gone[rest % 3] << 2 * slot;
    for (uint32_t v = 0; v < 6; v++) {
      if (mask >> v & 1) vars[count++] = names[v];
      where[v] = mask >> v & 1 ? 9 + v % 3 : names[v] - v % 2; /* 9 and above do not occur */
    }
    const bpi_bdd set = bpi_bdd_set(m, vars, count);
    for (int i = 0; i < POOL; i++) {
      const int j = (i * 7 + (int)choice) % POOL;
      const bpi_bdd a = bpi_bdd_image(m, spread[i], spread[j], set);
      assert_true(bpi_bdd_ok(m));
      assert_true(bdd_table(m, a, where) == table_exists(tables[i] & tables[j], mask));
      bpi_bdd_drop(m, a);
    }
    bpi_bdd_drop(m, set);
  }
  for (int i = 0; i < POOL; i++)
    bpi_bdd_drop(m, spread[i]);
}

static void test_support_and_count(void **state)
{
  (void)state;
  for (int i = 0; i < POOL; i++) {
    bpi_vars vars = {0};
    assert_true(bpi_bdd_support(m, nodes[i], &vars));
    uint32_t mask = 0;
    for (uint32_t k = 0; k < vars.count; k++) {
      assert_true(!k || vars.at[k - 1] < vars.at[k]);
      mask |= 1u << vars.at[k];
    }
    assert_int_equal(mask, table_support(tables[i]));
    bpi_vec_free(&vars);
  }
  assert_int_equal(bpi_bdd_node_count(m, BPI_TRUE), 0);
  const bpi_bdd parity = table_bdd(m, 0x6996966996696996u, NULL);
  assert_int_equal(bpi_bdd_node_count(m, parity), 11);
  bpi_bdd_drop(m, parity);
}

static void test_pick(void **state)
{
  (void)state;
  for (int i = 0; i < POOL; i++) {
    uint8_t values[12];
    memset(values, 9, sizeof values);
    assert_int_equal(bpi_bdd_pick(m, nodes[i], values), tables[i] != 0);
    if (!tables[i]) continue;
    for (uint32_t at = 0; at < 64; at++) {
      bool on = true;
      for (uint32_t v = 0; v < TABLE_VARS; v++)
        if (values[v] != 9 && values[v] != (at >> v & 1)) on = false;
      if (on) assert_true(tables[i] >> at & 1);
    }
  }
}

/* A function of each level at least, so that the walk is deep; then a wide one. */
static void test_big(void **state)
{
  (void)state;
  assert_true(bpi_bdd_ensure_slots(m, 300));
  uint32_t all[900];
  for (uint32_t v = 0; v < 900; v++)
    all[v] = v;
  const bpi_bdd cube = bpi_bdd_set(m, all, 900);
  assert_int_equal(bpi_bdd_node_count(m, cube), 900);
  bpi_vars vars = {0};
  assert_true(bpi_bdd_support(m, cube, &vars));
  assert_int_equal(vars.count, 900);
  const bpi_bdd big = big_function(m, 3);
  assert_true(big_agrees(m, big, 3, 1000));
  vars.count = 0;
  assert_true(bpi_bdd_support(m, big, &vars));
  assert_int_equal(vars.count, BIG_VARS);
  bpi_vec_free(&vars);
  bpi_bdd_drop(m, cube);
  bpi_bdd_drop(m, big);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_binary),
      cmocka_unit_test(test_literal),
      cmocka_unit_test(test_ite),
      cmocka_unit_test(test_quantifiers),
      cmocka_unit_test(test_rename),
      cmocka_unit_test(test_image),
      cmocka_unit_test(test_support_and_count),
      cmocka_unit_test(test_pick),
      cmocka_unit_test(test_big),
  };
  return cmocka_run_group_tests_name("native", tests, setup_native, teardown) +
         cmocka_run_group_tests_name("BuDDy", tests, setup_buddy, teardown) +
         cmocka_run_group_tests_name("BuDDy in pieces", tests, setup_split, teardown);
}
