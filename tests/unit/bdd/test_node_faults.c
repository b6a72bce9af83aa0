/* SPDX-License-Identifier: MIT
 * BuDDy's node table full at every single node of a workload: each result is right or the manager says
 * why not, and after recovery all that was built before is intact. See failing_makenode.h. */
#include "functions.h"

#include "failing_makenode.h"

enum { POOL = 6, OPS = 11 };

static bp_manager *m;
static table tables[POOL];
static bpi_bdd nodes[POOL], set;
static const bpi_rename *shift;
static const uint32_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {6, 7, 8, 9, 10, 11};
enum { SET_MASK = 0x2a }; /* CURRENT of slot 0, ENTRY and NEXT of slot 1 */
static const uint32_t shifted[] = {0, 9, 1, 10, 4, 11};

static int setup(void **state)
{
  (void)state;
  uint64_t seed = 5;
  m = manager_open(BP_KERNEL_BUDDY, 0, 4);
  for (int i = 0; i < POOL; i++) {
    tables[i] = random_u64(&seed);
    nodes[i] = table_bdd(m, tables[i], NULL);
  }
  const uint32_t vars[] = {1, 3, 5};
  set = bpi_bdd_set(m, vars, 3);
  shift = bpi_bdd_rename_new(m, from, to, 6);
  assert_true(bpi_bdd_ok(m));
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  makenode_fail_at(0);
  manager_close(m);
  return 0;
}

static bpi_bdd run(int op, int i, int j)
{
  const bpi_bdd a = nodes[i], b = nodes[j];
  switch (op) {
  case 0: return bpi_bdd_and(m, a, b);
  case 1: return bpi_bdd_or(m, a, b);
  case 2: return bpi_bdd_xor(m, a, b);
  case 3: return bpi_bdd_iff(m, a, b);
  case 4: return bpi_bdd_diff(m, a, b);
  case 5: return bpi_bdd_not(m, a);
  case 6: return bpi_bdd_ite(m, a, b, nodes[(i + 1) % POOL]);
  case 7: return bpi_bdd_exists(m, a, set);
  case 8: return bpi_bdd_and_exists(m, a, b, set);
  case 9: return bpi_bdd_rename(m, a, shift);
  default: return bpi_bdd_image(m, a, b, set);
  }
}

static int right(int op, int i, int j, bpi_bdd result)
{
  const table a = tables[i], b = tables[j], c = tables[(i + 1) % POOL];
  const table r = bdd_table(m, result, op == 9 ? to : op == 10 ? shifted : NULL);
  switch (op) {
  case 0: return r == (a & b);
  case 1: return r == (a | b);
  case 2: return r == (a ^ b);
  case 3: return r == ~(a ^ b);
  case 4: return r == (a & ~b);
  case 5: return r == ~a;
  case 6: return r == ((a & b) | (~a & c));
  case 7: return r == table_exists(a, SET_MASK);
  case 8: return r == table_exists(a & b, SET_MASK);
  case 9: return r == a;
  default: return r == table_exists(a & b, SET_MASK);
  }
}

static void check_pool(void)
{
  for (int i = 0; i < POOL; i++)
    assert_true(bdd_table(m, nodes[i], NULL) == tables[i]);
}

/* One operation with its k-th node failing; 0 when it needs fewer. */
static int one(int op, int i, int j, long k)
{
  bpi_bdd_live(m); /* caches and dead results of earlier rounds would save it the work */
  makenode_fail_at(k);
  const bpi_bdd faulty = run(op, i, j);
  const int failed = makenode_failed();
  makenode_fail_at(0);
  if (!failed) {
    assert_true(bpi_bdd_ok(m) && right(op, i, j, faulty));
    bpi_bdd_drop(m, faulty);
    return 0;
  }
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_NODES);
  assert_int_equal(faulty, BPI_FALSE);
  makenode_fail_at(0);
  assert_int_equal(run((op + 1) % OPS, i, j), BPI_FALSE); /* latched: nothing runs */
  assert_int_equal(makenode_calls(), 0);
  assert_true(bpi_bdd_recover(m));
  check_pool();
  const bpi_bdd again = run(op, i, j);
  assert_true(bpi_bdd_ok(m) && right(op, i, j, again));
  bpi_bdd_drop(m, again);
  return 1;
}

static void test_every_node(void **state)
{
  (void)state;
  int faults = 0;
  const uint64_t live = bpi_bdd_live(m);
  for (int op = 0; op < OPS; op++)
    for (int i = 0; i < POOL; i++) {
      int here = 0;
      while (one(op, i, (i + 2) % POOL, here + 1))
        here++;
      faults += here;
    }
  assert_true(faults > 500);
  assert_int_equal(bpi_bdd_live(m), live);
}

static void test_set(void **state)
{
  (void)state;
  const uint32_t vars[] = {7, 2, 9, 0};
  const uint64_t live = bpi_bdd_live(m);
  long k = 0;
  for (int failed = 1; failed;) {
    makenode_fail_at(++k);
    const bpi_bdd faulty = bpi_bdd_set(m, vars, 4);
    failed = makenode_failed();
    makenode_fail_at(0);
    assert_int_equal(bpi_bdd_ok(m), !failed);
    if (failed) assert_int_equal(faulty, BPI_FALSE);
    bpi_bdd_drop(m, faulty);
    assert_true(bpi_bdd_recover(m));
    assert_int_equal(bpi_bdd_live(m), live);
  }
  assert_true(k > 3);
}

/* The kernel undoes an extension that finds no room. */
static void test_extension(void **state)
{
  (void)state;
  const uint32_t slots = bpi_bdd_slot_count(m);
  for (long k = 1; k <= 12; k++) {
    makenode_fail_at(k);
    assert_false(bpi_bdd_ensure_slots(m, slots + 2));
    makenode_fail_at(0);
    assert_int_equal(bpi_bdd_status(m), BPI_BDD_NODES);
    assert_int_equal(bpi_bdd_slot_count(m), slots);
    assert_true(bpi_bdd_recover(m));
    check_pool();
    assert_true(one(0, 0, 1, 1));
    assert_true(one(9, 0, 1, 1));
  }
  assert_true(bpi_bdd_ensure_slots(m, slots + 2));
  const bpi_bdd next = bpi_bdd_literal(m, bpi_bdd_var(slots + 1, BPI_NEXT), true);
  const bpi_bdd current = bpi_bdd_literal(m, bpi_bdd_var(slots + 1, BPI_CURRENT), true);
  const bpi_bdd renamed = bpi_bdd_image(m, next, BPI_TRUE, BPI_TRUE);
  assert_int_equal(renamed, current);
  check_pool();
}

/* The same by a table that really is full. */
static void test_full_table(void **state)
{
  (void)state;
  bp_manager *shared = m;
  manager_close(shared);
  m = manager_open(BP_KERNEL_BUDDY, 2000, 6);
  uint64_t seed = 17;
  bpi_bdd kept[400];
  table expected[400];
  uint32_t count = 0;
  while (count < 400) {
    expected[count] = random_u64(&seed);
    kept[count] = table_bdd(m, expected[count], NULL);
    if (!bpi_bdd_ok(m)) break;
    count++;
  }
  assert_true(count > 50 && count < 400);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_NODES);
  for (int round = 0; round < 50; round++) {
    assert_true(bpi_bdd_recover(m));
    for (uint32_t i = 0; i < count; i++)
      assert_true(bdd_table(m, kept[i], NULL) == expected[i]);
    const table t = random_u64(&seed);
    const bpi_bdd a = table_bdd(m, t, NULL);
    if (bpi_bdd_ok(m)) assert_true(bdd_table(m, a, NULL) == t);
    bpi_bdd_drop(m, a);
  }
  assert_true(bpi_bdd_recover(m));
  for (uint32_t i = 10; i < count; i++)
    bpi_bdd_drop(m, kept[i]);
  const table t = random_u64(&seed);
  const bpi_bdd a = table_bdd(m, t, NULL);
  assert_true(bpi_bdd_ok(m) && bdd_table(m, a, NULL) == t);
  for (uint32_t i = 0; i < 10; i++)
    assert_true(bdd_table(m, kept[i], NULL) == expected[i]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_node),
      cmocka_unit_test(test_set),
      cmocka_unit_test(test_extension),
      cmocka_unit_test(test_full_table),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
