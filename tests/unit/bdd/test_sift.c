/* SPDX-License-Identifier: MIT
 * Sifting: functions stay what they are whatever the order, a bad order gets better, limits stop it. */
#include "functions.h"

#include "bdd/native/native.h"

/* The conjunction of x_i <-> y_i, all x before all y: exponential in this order, linear when each x
 * stands beside its y. */
static bpi_bdd far_pairs(bp_manager *m, uint32_t pairs)
{
  bpi_bdd all = BPI_TRUE;
  for (uint32_t i = 0; i < pairs; i++) {
    const bpi_bdd x = bpi_bdd_literal(m, bpi_bdd_var(i, BPI_CURRENT), true);
    const bpi_bdd y = bpi_bdd_literal(m, bpi_bdd_var(pairs + i, BPI_CURRENT), true);
    const bpi_bdd same = bpi_bdd_iff(m, x, y), more = bpi_bdd_and(m, all, same);
    bpi_bdd_drop(m, x);
    bpi_bdd_drop(m, y);
    bpi_bdd_drop(m, same);
    bpi_bdd_drop(m, all);
    all = more;
  }
  return all;
}

static void test_better(void **state)
{
  (void)state;
  enum { PAIRS = 10 };
  bp_manager *m = manager_open(BP_KERNEL_NATIVE, 0, 2 * PAIRS);
  const bpi_bdd a = far_pairs(m, PAIRS);
  assert_true(bpi_bdd_node_count(m, a) > 1000);
  bpi_native_sift(m);
  assert_true(bpi_bdd_ok(m));
  assert_true(bpi_bdd_node_count(m, a) <= 6 * PAIRS);
  const bpi_bdd b = far_pairs(m, PAIRS);
  assert_int_equal(a, b);
  bpi_bdd_drop(m, a);
  bpi_bdd_drop(m, b);
  assert_int_equal(bpi_bdd_live(m), 0);
  manager_close(m);
}

enum { POOL = 24, SLOTS = 12, ROUNDS = 400 };

typedef struct pool {
  bp_manager *m;
  uint64_t seed;
  uint32_t names[TABLE_VARS];
  table tables[POOL];
  bpi_bdd nodes[POOL];
} pool;

static void replace(pool *p, uint32_t at, table t, bpi_bdd node)
{
  bpi_bdd_drop(p->m, p->nodes[at]);
  p->nodes[at] = node;
  p->tables[at] = t;
}

static void operate(pool *p)
{
  const uint32_t i = (uint32_t)(random_u64(&p->seed) % POOL),
                 k = (uint32_t)(random_u64(&p->seed) % POOL);
  const uint32_t to = (uint32_t)(random_u64(&p->seed) % POOL),
                 v = (uint32_t)(random_u64(&p->seed) % TABLE_VARS);
  const table x = p->tables[i], y = p->tables[k];
  const bpi_bdd a = p->nodes[i], b = p->nodes[k];
  const bpi_bdd set = bpi_bdd_set(p->m, &p->names[v], 1);
  switch (random_u64(&p->seed) % 6) {
  case 0: replace(p, to, x & y, bpi_bdd_and(p->m, a, b)); break;
  case 1: replace(p, to, x | y, bpi_bdd_or(p->m, a, b)); break;
  case 2: replace(p, to, x ^ y, bpi_bdd_xor(p->m, a, b)); break;
  case 3: replace(p, to, table_exists(x, 1u << v), bpi_bdd_exists(p->m, a, set)); break;
  case 4: replace(p, to, table_exists(x & y, 1u << v), bpi_bdd_and_exists(p->m, a, b, set)); break;
  default: {
    const table t = random_u64(&p->seed);
    replace(p, to, t, table_bdd(p->m, t, p->names));
  }
  }
  bpi_bdd_drop(p->m, set);
}

static void test_same_functions(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    pool p = {.m = manager_open(BP_KERNEL_NATIVE, 0, SLOTS), .seed = seed};
    for (uint32_t v = 0; v < TABLE_VARS; v++) /* spread over the slots, all copies */
      p.names[v] = bpi_bdd_var(2 * v + (uint32_t)(seed % 2), (bpi_copy)(v % 3));
    for (uint32_t round = 0; round < ROUNDS; round++) {
      operate(&p);
      if (round % 20 == 19) bpi_native_sift(p.m);
      assert_true(bpi_bdd_ok(p.m));
    }
    for (uint32_t i = 0; i < POOL; i++) {
      assert_true(bdd_table(p.m, p.nodes[i], p.names) == p.tables[i]);
      const bpi_bdd again = table_bdd(p.m, p.tables[i], p.names);
      assert_int_equal(again, p.nodes[i]);
      bpi_bdd_drop(p.m, again);
      bpi_bdd_drop(p.m, p.nodes[i]);
    }
    manager_close(p.m);
  }
}

static void test_large(void **state)
{
  (void)state;
  bp_manager *m = manager_open(BP_KERNEL_NATIVE, 0, BIG_VARS);
  const bpi_bdd a = big_function(m, 5);
  bpi_native_sift(m);
  assert_true(big_agrees(m, a, 5, 5000));
  const uint64_t live = bpi_bdd_live(m);
  bpi_bdd_drop(m, a);
  assert_true(live > 100);
  assert_int_equal(bpi_bdd_live(m), 0);
  manager_close(m);
}

/* A table that may not grow: sifting does what it can, or nothing. */
static void test_full(void **state)
{
  (void)state;
  for (uint64_t nodes = 1200; nodes < 9000; nodes += 700) {
    bp_manager *m = manager_open(BP_KERNEL_NATIVE, nodes, 20);
    const bpi_bdd a = far_pairs(m, 8);
    if (bpi_bdd_ok(m)) {
      bpi_native_sift(m);
      assert_true(bpi_bdd_ok(m));
      const bpi_bdd b = far_pairs(m, 8);
      if (bpi_bdd_ok(m)) assert_int_equal(a, b);
      bpi_bdd_drop(m, b);
    }
    bpi_bdd_drop(m, a);
    manager_close(m);
  }
}

static void test_stop(void **state)
{
  (void)state;
  atomic_int cancel = 0;
  bpi_watch watch = {.cancel = &cancel};
  bp_manager *m = manager_open(BP_KERNEL_NATIVE, 0, 20);
  const bpi_bdd a = far_pairs(m, 10);
  bpi_bdd_leave(m);
  assert_true(bpi_bdd_enter(m, &watch, 0));
  atomic_store(&cancel, 1);
  bpi_native_sift(m);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_STOPPED);
  assert_true(bpi_bdd_recover(m));
  const bpi_bdd b = far_pairs(m, 10);
  assert_int_equal(a, b);
  bpi_bdd_drop(m, a);
  bpi_bdd_drop(m, b);
  manager_close(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_better), cmocka_unit_test(test_same_functions),
      cmocka_unit_test(test_large), cmocka_unit_test(test_full), cmocka_unit_test(test_stop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
