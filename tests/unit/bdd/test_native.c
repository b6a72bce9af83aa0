/* SPDX-License-Identifier: MIT
 * What only the native kernel does: many managers, in threads and across fork(), limits of its own
 * tables, and operations that stop inside. */
#define _DEFAULT_SOURCE
#include "bdd/native/native.h"
#include "functions.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const table some = 0x123456789abcdef0u;

static bp_manager *open_with(bp_manager_options options, uint32_t slots)
{
  bp_context *ctx;
  bp_manager *m;
  options.size = sizeof options;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_OK);
  bp_context_unref(ctx);
  assert_true(bpi_bdd_enter(m, NULL, 0));
  assert_true(bpi_bdd_ensure_slots(m, slots));
  return m;
}

static void test_options(void **state)
{
  (void)state;
  bp_context *ctx;
  bp_manager *m;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  bp_manager_options options = {.size = sizeof options, .nodes = ((uint64_t)1 << 29) + 1};
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_E_INVALID);
  assert_null(m);
  assert_non_null(strstr(bp_context_message(ctx), "nodes"));
  options.nodes--;
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_OK);
  bp_manager_unref(m);
  options = (bp_manager_options){.size = sizeof options, .kernel = (bp_kernel)2};
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_E_INVALID);
  options = (bp_manager_options){.size = sizeof options, .nodes = 1, .bytes = 1};
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_OK);
  bp_manager_stats stats = {.size = sizeof stats};
  assert_int_equal(bp_manager_get_stats(m, &stats), BP_OK);
  assert_int_equal(stats.table_nodes, 64);
  bp_manager_unref(m);
  bp_context_unref(ctx);
}

/* A function and its complement are one node. */
static void test_stats(void **state)
{
  (void)state;
  bp_manager *m = manager_open(BP_KERNEL_NATIVE, 0, 2);
  bp_manager_stats stats = {.size = sizeof stats};
  assert_int_equal(bp_manager_get_stats(m, &stats), BP_E_BUSY);
  const bpi_bdd parity = table_bdd(m, 0x6996966996696996u, NULL);
  const bpi_bdd other = bpi_bdd_not(m, parity);
  assert_int_equal(bpi_bdd_node_count(m, parity), 11);
  bpi_bdd_leave(m);
  assert_int_equal(bp_manager_get_stats(m, &stats), BP_OK);
  assert_int_equal(stats.live_nodes, 6);
  assert_true(stats.peak_nodes >= 6);
  assert_true(stats.table_nodes >= 64);
  assert_int_equal(stats.collections, 1);
  assert_int_equal(stats.vars, 6);
  assert_int_equal(stats.poisoned, 0);
  assert_true(bpi_bdd_enter(m, NULL, 0));
  bpi_bdd_drop(m, parity);
  assert_int_equal(bpi_bdd_live(m), 6);
  assert_true(bdd_table(m, other, NULL) == ~(table)0x6996966996696996u);
  bpi_bdd_drop(m, other);
  assert_int_equal(bpi_bdd_live(m), 0);
  manager_close(m);
}

/* ---- many managers --------------------------------------------------------- */

static void test_thousand(void **state)
{
  (void)state;
  enum { COUNT = 1000 };
  static bp_manager *managers[COUNT];
  static bpi_bdd kept[COUNT], more[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) {
    managers[i] = manager_open(BP_KERNEL_NATIVE, i % 3 ? 0 : 64 + i, 2 + i % 5);
    kept[i] = table_bdd(managers[i], some * (i + 1), NULL);
  }
  bp_manager *buddy = manager_open(BP_KERNEL_BUDDY, 0, 4);
  for (uint32_t i = COUNT; i--;)
    more[i] = bpi_bdd_xor(managers[i], kept[i], bpi_bdd_literal(managers[i], i % 6, true));
  const bpi_bdd beside = table_bdd(buddy, some, NULL);
  for (uint32_t i = 0; i < COUNT; i++) {
    assert_true(bpi_bdd_ok(managers[i]));
    assert_true(bdd_table(managers[i], more[i], NULL) == (some * (i + 1) ^ table_var(i % 6)));
    if (i % 2) manager_close(managers[i]);
  }
  for (uint32_t i = 0; i < COUNT; i += 2) {
    assert_true(bdd_table(managers[i], kept[i], NULL) == some * (i + 1));
    manager_close(managers[i]);
  }
  assert_true(bdd_table(buddy, beside, NULL) == some);
  manager_close(buddy);
}

/* Managers of its own, one after the other. Returns NULL when all was right. */
static void *work_alone(void *user)
{
  uint64_t seed = *(uint64_t *)user;
  for (int round = 0; round < 20; round++) {
    bp_context *ctx;
    bp_manager *m;
    const bp_manager_options options = {.size = sizeof options};
    if (bp_context_new(&ctx) != BP_OK || bp_manager_new(&m, ctx, &options) != BP_OK) return user;
    bp_context_unref(ctx);
    if (!bpi_bdd_enter(m, NULL, 0) || !bpi_bdd_ensure_slots(m, 6)) return user;
    for (int i = 0; i < 100; i++) {
      const table s = random_u64(&seed), t = random_u64(&seed);
      const bpi_bdd a = table_bdd(m, s, NULL), b = table_bdd(m, t, NULL);
      const bpi_bdd c = bpi_bdd_and(m, a, b);
      if (bdd_table(m, c, NULL) != (s & t)) return user;
      bpi_bdd_drop(m, a);
      bpi_bdd_drop(m, b);
      bpi_bdd_drop(m, c);
    }
    if (!bpi_bdd_ok(m) || bpi_bdd_live(m)) return user;
    manager_close(m);
  }
  return NULL;
}

static void test_threads(void **state)
{
  (void)state;
  enum { COUNT = 8 };
  pthread_t threads[COUNT];
  uint64_t seeds[COUNT];
  for (int i = 0; i < COUNT; i++) {
    seeds[i] = (uint64_t)i;
    assert_int_equal(pthread_create(&threads[i], NULL, work_alone, &seeds[i]), 0);
  }
  for (int i = 0; i < COUNT; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    assert_null(wrong);
  }
}

/* One manager, from thread to thread. */
static bp_manager *shared;
static bpi_bdd handed;

static void *go_on(void *user)
{
  const bool right = bpi_bdd_enter(shared, NULL, 0);
  const bpi_bdd next = bpi_bdd_not(shared, handed);
  bpi_bdd_drop(shared, handed);
  handed = next;
  if (right) bpi_bdd_leave(shared);
  return right ? NULL : user;
}

static void *refused(void *user)
{
  return bpi_bdd_enter(shared, NULL, 0) ? user : NULL;
}

static void in_thread(void *(*fn)(void *))
{
  pthread_t thread;
  void *wrong;
  assert_int_equal(pthread_create(&thread, NULL, fn, &shared), 0);
  pthread_join(thread, &wrong);
  assert_null(wrong);
}

static void test_handed_over(void **state)
{
  (void)state;
  shared = manager_open(BP_KERNEL_NATIVE, 0, 2);
  handed = table_bdd(shared, some, NULL);
  in_thread(refused);
  bpi_bdd_leave(shared);
  for (int i = 0; i < 5; i++)
    in_thread(go_on);
  assert_true(bpi_bdd_enter(shared, NULL, 0));
  assert_true(bdd_table(shared, handed, NULL) == ~some);
  manager_close(shared);
}

static void test_fork(void **state)
{
  (void)state;
  bp_manager *m = manager_open(BP_KERNEL_NATIVE, 0, 6);
  const bpi_bdd a = table_bdd(m, some, NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  const bpi_bdd big = big_function(m, child ? 1 : 2);
  const bpi_bdd back = bpi_bdd_xor(m, big, a);
  const bool right = bpi_bdd_ok(m) && big_agrees(m, big, child ? 1 : 2, 1000) && back >= 2 &&
                     bdd_table(m, a, NULL) == some;
  if (!child) {
    bpi_bdd_drop(m, a);
    bpi_bdd_drop(m, big);
    bpi_bdd_drop(m, back);
    const bool empty = !bpi_bdd_live(m);
    manager_close(m);
    _exit(!(right && empty));
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_true(right);
  manager_close(m);
}

/* ---- limits ------------------------------------------------------------------ */

/* The table full, again and again: what has references stays whole. */
static void test_full_table(void **state)
{
  (void)state;
  enum { MOST = 1000 };
  uint64_t seed = 17;
  bpi_bdd kept[MOST];
  table expected[MOST];
  for (uint64_t nodes = 128; nodes <= 4096; nodes *= 2) {
    bp_manager *m = manager_open(BP_KERNEL_NATIVE, nodes + nodes / 7, 6);
    uint32_t count = 0;
    for (; count < MOST; count++) {
      expected[count] = random_u64(&seed);
      kept[count] = table_bdd(m, expected[count], NULL);
      if (!bpi_bdd_ok(m)) break;
    }
    assert_true(count > 1 && count < MOST);
    assert_int_equal(kept[count], BPI_FALSE);
    for (int round = 0; round < 50; round++) {
      assert_int_equal(bpi_bdd_status(m), bpi_bdd_ok(m) ? BPI_BDD_OK : BPI_BDD_NODES);
      assert_true(bpi_bdd_recover(m));
      for (uint32_t i = 0; i < count; i++)
        assert_true(bdd_table(m, kept[i], NULL) == expected[i]);
      const table t = random_u64(&seed);
      const bpi_bdd a = table_bdd(m, t, NULL);
      if (bpi_bdd_ok(m)) assert_true(bdd_table(m, a, NULL) == t);
      bpi_bdd_drop(m, a);
    }
    assert_true(bpi_bdd_recover(m));
    while (count > 1)
      bpi_bdd_drop(m, kept[--count]);
    const bpi_bdd a = table_bdd(m, expected[1], NULL);
    assert_true(bpi_bdd_ok(m) && bdd_table(m, a, NULL) == expected[1]);
    assert_true(bdd_table(m, kept[0], NULL) == expected[0]);
    bpi_bdd_drop(m, a);
    bpi_bdd_drop(m, kept[0]);
    assert_int_equal(bpi_bdd_live(m), 0);
    manager_close(m);
  }
}

/* Bytes that malloc() has given away, where it can be asked. */
static size_t bytes_at_work(void)
{
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}

static void test_bytes(void **state)
{
  (void)state;
  for (uint64_t bytes = 100000; bytes < 9000000; bytes = bytes * 9 / 5) {
    const size_t before = bytes_at_work();
    bp_manager *m = open_with((bp_manager_options){.bytes = bytes}, 6);
    bpi_bdd kept[100];
    uint32_t count = 0;
    for (; count < 100 && bpi_bdd_ok(m); count++)
      kept[count] = big_function(m, count);
    assert_int_equal(bpi_bdd_status(m), count < 100 ? BPI_BDD_NODES : BPI_BDD_OK);
    const size_t used = bytes_at_work() - before, few = 20000; /* the manager, its slots */
    if (used > bytes + few) print_message("%lu bytes of %lu\n", used, (unsigned long)bytes);
    assert_true(used <= bytes + few);
    assert_true(bpi_bdd_recover(m));
    for (uint32_t i = 0; i < count; i++)
      bpi_bdd_drop(m, kept[i]);
    const bpi_bdd a = table_bdd(m, some, NULL);
    assert_true(bdd_table(m, a, NULL) == some);
    manager_close(m);
  }
}

/* Operands whose conjunction takes some hundred thousand steps. */
static void big_operands(bp_manager *m, bpi_bdd *a, bpi_bdd *b)
{
  *a = big_function(m, 1);
  *b = big_function(m, 2);
  assert_true(bpi_bdd_ok(m));
}

static void test_stopped_inside(void **state)
{
  (void)state;
  bp_manager *m = manager_open(BP_KERNEL_NATIVE, 0, 6);
  atomic_int cancel = 0;
  bpi_watch watch = {.cancel = &cancel};
  bpi_bdd a, b;
  big_operands(m, &a, &b);
  bpi_bdd_live(m);
  bpi_bdd_leave(m);
  assert_true(bpi_bdd_enter(m, &watch, 0));
  for (int i = 0; i < 3; i++) {
    const uint64_t before = bpi_bdd_work(m);
    cancel = 1;
    if (i == 1) watch.deadline_ns = 1;
    assert_int_equal(i == 2 ? bpi_bdd_xor(m, a, b) : bpi_bdd_and(m, a, b), BPI_FALSE);
    assert_int_equal(bpi_bdd_status(m), BPI_BDD_STOPPED);
    assert_int_equal(bpi_bdd_work(m), before + 1);
    assert_int_equal(bpi_bdd_or(m, a, b), BPI_FALSE);
    watch.deadline_ns = 0;
    cancel = 0;
    assert_true(bpi_bdd_recover(m));
    assert_true(big_agrees(m, a, 1, 1000) && big_agrees(m, b, 2, 1000));
  }
  const bpi_bdd both = bpi_bdd_xor(m, a, b), back = bpi_bdd_xor(m, both, b);
  assert_int_equal(back, a);
  manager_close(m);
}

static void test_budget(void **state)
{
  (void)state;
  bp_manager *m = manager_open(BP_KERNEL_NATIVE, 0, 6);
  bpi_bdd a, b;
  big_operands(m, &a, &b);
  uint64_t before = bpi_bdd_work(m);
  bpi_bdd_budget(m, 3);
  assert_int_equal(bpi_bdd_and(m, a, b), BPI_FALSE);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_BUDGET);
  assert_int_equal(bpi_bdd_work(m), before + 3);
  assert_int_equal(bpi_bdd_and(m, a, b), BPI_FALSE);
  bpi_bdd_end_budget(m, 0);
  assert_true(bpi_bdd_ok(m));
  before = bpi_bdd_work(m);
  const bpi_bdd c = bpi_bdd_and(m, a, b);
  assert_true(bpi_bdd_ok(m) && c >= 2);
  assert_true(bpi_bdd_work(m) > before + 3);
  bpi_bdd_budget(m, 1000000); /* enough */
  bpi_bdd_drop(m, bpi_bdd_or(m, a, b));
  assert_true(bpi_bdd_ok(m));
  bpi_bdd_end_budget(m, 0);
  assert_true(big_agrees(m, a, 1, 1000) && big_agrees(m, b, 2, 1000));
  /* Another error is not ended with the budget. */
  bpi_bdd_budget(m, 1000000);
  bpi_bdd_drop(m, bpi_bdd_literal(m, 3 * 6, true));
  bpi_bdd_end_budget(m, 0);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_INTERNAL);
  manager_close(m);
}

/* ---- references and slots ------------------------------------------------------ */

/* A function and its complement share a node, and the references of it. */
static void test_shared_references(void **state)
{
  (void)state;
  bp_manager *m = manager_open(BP_KERNEL_NATIVE, 0, 2);
  const bpi_bdd a = table_bdd(m, some, NULL), b = bpi_bdd_not(m, a);
  for (int i = 0; i < 70000; i++)
    assert_int_equal(bpi_bdd_keep(m, i % 2 ? a : b), i % 2 ? a : b);
  for (int i = 0; i < 70000; i++)
    bpi_bdd_drop(m, i % 3 ? a : b);
  assert_true(bpi_bdd_ok(m) && bpi_bdd_live(m) > 0);
  assert_true(bdd_table(m, a, NULL) == some && bdd_table(m, b, NULL) == ~some);
  bpi_bdd_drop(m, a);
  bpi_bdd_drop(m, b);
  assert_true(bpi_bdd_ok(m));
  assert_int_equal(bpi_bdd_live(m), 0);
  bpi_bdd_drop(m, b);
  assert_int_equal(bpi_bdd_status(m), BPI_BDD_INTERNAL);
  manager_close(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_options),           cmocka_unit_test(test_stats),
      cmocka_unit_test(test_thousand),          cmocka_unit_test(test_threads),
      cmocka_unit_test(test_handed_over),       cmocka_unit_test(test_fork),
      cmocka_unit_test(test_full_table),        cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_stopped_inside),    cmocka_unit_test(test_budget),
      cmocka_unit_test(test_shared_references),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
