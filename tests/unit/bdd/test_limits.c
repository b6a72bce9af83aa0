/* SPDX-License-Identifier: MIT
 * References, live-node limits, the watch, and variables that come later. */
#include "bdd/buddy/buddy.h"
#include "functions.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

static bp_manager *m;
static bp_kernel kernel;

static int choose_native(void **state)
{
  (void)state;
  kernel = BP_KERNEL_NATIVE;
  return 0;
}

static int choose_buddy(void **state)
{
  (void)state;
  kernel = BP_KERNEL_BUDDY;
  return 0;
}

static int setup(void **state)
{
  (void)state;
  m = manager_open(kernel, 200000, 6);
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  manager_close(m);
  return 0;
}

/* BuDDy's own counts stick at 1023. */
static void test_many_references(void **state)
{
  (void)state;
  const bpi_bdd a = table_bdd(m, 0x123456789abcdef0u, NULL);
  const uint64_t live = bpi_bdd_live(m);
  assert_true(live > 0);
  for (int i = 0; i < 70000; i++)
    assert_int_equal(bpi_bdd_keep(m, a), a);
  for (int i = 0; i < 70000; i++)
    bpi_bdd_drop(m, a);
  assert_int_equal(bpi_bdd_live(m), live);
  assert_true(bdd_table(m, a, NULL) == 0x123456789abcdef0u);
  bpi_bdd_drop(m, a);
  assert_int_equal(bpi_bdd_live(m), 0);
}

static void test_keep_borrowed(void **state)
{
  (void)state;
  const bpi_bdd a = table_bdd(m, 0x123456789abcdef0u, NULL);
  const bpi_bdd low = bpi_bdd_keep(m, bpi_bdd_low(m, a));
  const table t = bdd_table(m, low, NULL);
  bpi_bdd_drop(m, a);
  bpi_bdd_live(m);
  assert_true(bdd_table(m, low, NULL) == t);
  bpi_bdd_drop(m, low);
  assert_int_equal(bpi_bdd_live(m), 0);
}

static void test_dropped_too_often(void **state)
{
  (void)state;
  const bpi_bdd a = table_bdd(m, 6, NULL);
  bpi_bdd_drop(m, a);
  assert_true(bpi_bdd_ok(m));
  bpi_bdd_drop(m, a);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_INTERNAL);
  assert_false(bpi_bdd_recover(m));
}

static void test_limit_raised(void **state)
{
  (void)state;
  enum { COUNT = 30 };
  bpi_bdd kept[COUNT];
  table expected[COUNT];
  uint64_t seed = 3;
  bpi_bdd_leave(m);
  assert_true(bpi_bdd_enter(m, NULL, 100));
  uint32_t count = 0;
  while (count < COUNT) {
    expected[count] = random_u64(&seed);
    kept[count] = table_bdd(m, expected[count], NULL);
    assert_true(bpi_bdd_ok(m));
    count++;
    if (!bpi_bdd_within_limit(m)) break;
  }
  assert_true(count > 1 && count < COUNT);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_NODES);
  assert_true(bpi_bdd_peak(m) > 100);
  assert_true(bpi_bdd_recover(m));
  assert_false(bpi_bdd_within_limit(m)); /* they are still alive */
  assert_true(bpi_bdd_recover(m));
  bpi_bdd_leave(m);
  assert_true(bpi_bdd_enter(m, NULL, 100000));
  for (uint32_t i = 0; i < count; i++)
    assert_true(bdd_table(m, kept[i], NULL) == expected[i]);
  while (count < COUNT) {
    expected[count] = random_u64(&seed);
    kept[count] = table_bdd(m, expected[count], NULL);
    assert_true(bpi_bdd_ok(m) && bpi_bdd_within_limit(m));
    count++;
  }
  for (uint32_t i = 0; i < count; i++)
    assert_true(bdd_table(m, kept[i], NULL) == expected[i]);
}

/* Garbage is not counted. */
static void test_limit_ignores_dead_nodes(void **state)
{
  (void)state;
  uint64_t seed = 4;
  bpi_bdd_leave(m);
  assert_true(bpi_bdd_enter(m, NULL, 100));
  for (int i = 0; i < 2000; i++) {
    const bpi_bdd a = table_bdd(m, random_u64(&seed), NULL);
    assert_true(bpi_bdd_within_limit(m));
    bpi_bdd_drop(m, a);
  }
}

/* The limit ends an operation that collects, too. */
static void test_limit_inside(void **state)
{
  (void)state;
  bpi_bdd_leave(m);
  assert_true(bpi_bdd_enter(m, NULL, 6000));
  const bpi_bdd big = big_function(m, 1);
  assert_int_equal(big, BPI_FALSE);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_NODES);
  assert_true(bpi_bdd_recover(m));
  bpi_bdd_leave(m);
  assert_true(bpi_bdd_enter(m, NULL, 0));
  const bpi_bdd whole = big_function(m, 1);
  assert_true(bpi_bdd_ok(m) && big_agrees(m, whole, 1, 1000));
  bpi_bdd_drop(m, whole);
  assert_int_equal(bpi_bdd_live(m), 0);
}

/* Enough nodes that the table grows several times and the caches follow. */
static void test_growth(void **state)
{
  (void)state;
  bpi_bdd big[4];
  for (uint64_t i = 0; i < 4; i++)
    big[i] = big_function(m, i);
  const bpi_bdd sum = bpi_bdd_xor(m, big[0], big[1]);
  const bpi_bdd back = bpi_bdd_xor(m, sum, big[1]);
  assert_true(bpi_bdd_ok(m));
  assert_int_equal(back, big[0]);
  for (uint64_t i = 0; i < 4; i++)
    assert_true(big_agrees(m, big[i], i, 1000));
  assert_true(bpi_bdd_live(m) > 60000);
}

static void test_watch(void **state)
{
  (void)state;
  atomic_int cancel = 0;
  bpi_watch watch = {.cancel = &cancel};
  bpi_bdd_leave(m);
  assert_true(bpi_bdd_enter(m, &watch, 0));
  const bpi_bdd first = big_function(m, 1);
  assert_true(bpi_bdd_ok(m));
  for (uint64_t i = 2; i < 5; i++) {
    cancel = 1;
    assert_int_equal(big_function(m, i), BPI_FALSE);
    assert_int_equal(bpi_bdd_status(m), BPI_BDD_STOPPED);
    assert_int_equal(cancel, 0);
    assert_true(bpi_bdd_recover(m));
    assert_true(big_agrees(m, first, 1, 1000));
  }
  watch.deadline_ns = 1;
  watch.countdown = 200;
  assert_int_equal(big_function(m, 5), BPI_FALSE);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_STOPPED);
  watch.deadline_ns = 0;
  assert_true(bpi_bdd_recover(m));
  const bpi_bdd second = big_function(m, 5);
  assert_true(bpi_bdd_ok(m) && big_agrees(m, second, 5, 1000) && big_agrees(m, first, 1, 1000));
}

/* Between the pieces of one operation, though no collection comes. */
static void test_watch_in_pieces(void **state)
{
  (void)state;
  atomic_int cancel = 0;
  bpi_watch watch = {.cancel = &cancel};
  bpi_buddy_of(m)->split_from = 0;
  const bpi_bdd a = table_bdd(m, 0x123456789abcdef0u, NULL);
  const bpi_bdd b = table_bdd(m, 0x0fedcba987654321u, NULL);
  const uint64_t collections = m->collections;
  bpi_bdd_leave(m);
  assert_true(bpi_bdd_enter(m, &watch, 0));
  cancel = 1;
  assert_int_equal(bpi_bdd_and(m, a, b), BPI_FALSE);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_STOPPED);
  assert_int_equal(m->collections, collections);
  assert_true(bpi_bdd_recover(m));
  watch.deadline_ns = 1;
  watch.countdown = 200;
  assert_int_equal(bpi_bdd_or(m, a, b), BPI_FALSE);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_STOPPED);
  watch.deadline_ns = 0;
  assert_true(bpi_bdd_recover(m));
  const bpi_bdd both = bpi_bdd_and(m, a, b);
  assert_true(bdd_table(m, both, NULL) == (0x123456789abcdef0u & 0x0fedcba987654321u));
}

/* ---- variables --------------------------------------------------------- */

static void test_extension(void **state)
{
  (void)state;
  static const uint32_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {6, 7, 8, 9, 10, 11};
  const bpi_rename *shift = bpi_bdd_rename_new(m, from, to, 6);
  const table t = 0xfedcba9876543210u;
  const bpi_bdd a = table_bdd(m, t, NULL);
  const bpi_bdd set = bpi_bdd_set(m, from, 3);
  for (uint32_t slots = 7; slots < 5000; slots += slots / 2) {
    assert_true(bpi_bdd_ensure_slots(m, slots));
    assert_int_equal(bpi_bdd_slot_count(m), slots);
    assert_true(bdd_table(m, a, NULL) == t);
    const bpi_bdd moved = bpi_bdd_rename(m, a, shift);
    assert_true(bdd_table(m, moved, to) == t);
    bpi_bdd_drop(m, moved);
    const bpi_bdd less = bpi_bdd_exists(m, a, set);
    assert_true(bdd_table(m, less, NULL) == table_exists(t, 7));
    bpi_bdd_drop(m, less);
    assert_ptr_equal(shift, bpi_bdd_rename_new(m, from, to, 6));
    const bpi_bdd next = bpi_bdd_literal(m, bpi_bdd_var(slots - 1, BPI_NEXT), false);
    const bpi_bdd renamed = bpi_bdd_image(m, next, BPI_TRUE, BPI_TRUE);
    const bpi_bdd current = bpi_bdd_literal(m, bpi_bdd_var(slots - 1, BPI_CURRENT), false);
    assert_int_equal(renamed, current);
    bpi_bdd_drop(m, next);
    bpi_bdd_drop(m, renamed);
    bpi_bdd_drop(m, current);
  }
}

static void test_variable_cap(void **state)
{
  (void)state;
  assert_false(bpi_bdd_ensure_slots(m, 10001)); /* the default: 30000 variables */
  assert_true(bpi_bdd_ok(m));
  assert_int_equal(bpi_bdd_slot_count(m), 6);
  assert_true(bpi_bdd_ensure_slots(m, 10000));
  const bpi_bdd last = bpi_bdd_literal(m, 29999, true);
  assert_true(bpi_bdd_ok(m) && last >= 2);
  assert_int_equal(bpi_bdd_literal(m, 30000, true), BPI_FALSE);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_INTERNAL);
}

static void test_wrong_variable(void **state)
{
  (void)state;
  const uint32_t inside = 0, outside = 3 * 6;
  const bpi_bdd a = table_bdd(m, 6, NULL);
  assert_null(bpi_bdd_rename_new(m, &inside, &outside, 1));
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_INTERNAL);
  assert_int_equal(bpi_bdd_not(m, a), BPI_FALSE);
  assert_false(bpi_bdd_recover(m));
  bpi_bdd_drop(m, a);
}

/* The kernel collects inside operations and while variables are added, whatever stood in its memory before. */
static void test_memory_used_before(void **state)
{
  (void)state;
#ifdef __GLIBC__
  enum { FUNCTIONS = 3 };
  bpi_bdd all[FUNCTIONS];
  bp_manager_stats stats = {.size = sizeof stats};
  manager_close(m);
  m = manager_open(kernel, 200000, 6);
  bpi_buddy_of(m)->split_from = UINT64_MAX;
  for (uint32_t i = 0; i < FUNCTIONS; i++)
    all[i] = big_function(m, i + 1);
  for (uint32_t i = 0; i < 60; i++) {
    mallopt(M_PERTURB, 0xa5); /* each extension makes the kernel's stack anew */
    assert_true(bpi_bdd_ensure_slots(m, 7 + i));
    mallopt(M_PERTURB, 0);
    const bpi_bdd x = all[i % FUNCTIONS], y = all[(i + 1) % FUNCTIONS];
    const bpi_bdd both = i % 4 == 0   ? bpi_bdd_xor(m, x, y)
                         : i % 4 == 1 ? bpi_bdd_and(m, x, y)
                         : i % 4 == 2 ? bpi_bdd_or(m, x, y)
                                      : bpi_bdd_diff(m, x, y);
    assert_true(bpi_bdd_ok(m));
    bpi_bdd_drop(m, both);
  }
  for (uint32_t i = 0; i < FUNCTIONS; i++) {
    assert_true(big_agrees(m, all[i], i + 1, 1000));
    bpi_bdd_drop(m, all[i]);
  }
  bpi_bdd_leave(m);
  assert_int_equal(bp_manager_get_stats(m, &stats), BP_OK);
  assert_true(stats.collections > 10);
  assert_true(bpi_bdd_enter(m, NULL, 0));
#else
  skip();
#endif
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_many_references),
      TEST(test_keep_borrowed),
      TEST(test_dropped_too_often),
      TEST(test_limit_raised),
      TEST(test_limit_ignores_dead_nodes),
      TEST(test_limit_inside),
      TEST(test_growth),
      TEST(test_watch),
      TEST(test_extension),
      TEST(test_variable_cap),
      TEST(test_wrong_variable),
  };
  const struct CMUnitTest buddy_only[] = {TEST(test_watch_in_pieces),
                                          TEST(test_memory_used_before)};
  return cmocka_run_group_tests_name("native", tests, choose_native, NULL) +
         cmocka_run_group_tests_name("BuDDy", tests, choose_buddy, NULL) +
         cmocka_run_group_tests_name("BuDDy alone", buddy_only, choose_buddy, NULL);
}
