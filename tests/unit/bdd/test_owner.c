/* SPDX-License-Identifier: MIT
 * BuDDy, one for the process: who has it, who is refused, and that it can be had again. */
#include "functions.h"

#include <bdd.h>
#include <pthread.h>

static bp_context *ctx;
static const bp_manager_options on_buddy = {.size = sizeof on_buddy, .kernel = BP_KERNEL_BUDDY};

static int setup(void **state)
{
  (void)state;
  return bp_context_new(&ctx) == BP_OK ? 0 : -1;
}

static int teardown(void **state)
{
  (void)state;
  bp_context_unref(ctx);
  return 0;
}

static void test_busy(void **state)
{
  (void)state;
  bp_manager *first, *second;
  assert_int_equal(bp_manager_new(&first, ctx, &on_buddy), BP_OK);
  second = first;
  assert_int_equal(bp_manager_new(&second, ctx, &on_buddy), BP_E_BUSY);
  assert_null(second);
  assert_string_not_equal(bp_context_message(ctx), "");
  assert_int_equal(bp_context_diagnostic_number(ctx, 0), BPI_MSG_BUSY);
  assert_ptr_equal(bp_manager_ref(first), first);
  bp_manager_unref(first);
  assert_int_equal(bp_manager_new(&second, ctx, &on_buddy), BP_E_BUSY);
  bp_manager_unref(first);
  assert_int_equal(bp_manager_new(&second, ctx, &on_buddy), BP_OK);
  assert_string_equal(bp_context_message(ctx), "");
  bp_manager_unref(second);
  bp_manager_unref(NULL);
  assert_null(bp_manager_ref(NULL));
}

static void test_options(void **state)
{
  (void)state;
  bp_manager *m;
  bp_manager_options options = {.size = sizeof options - 1, .kernel = BP_KERNEL_BUDDY};
  assert_int_equal(bp_manager_new(NULL, ctx, &on_buddy), BP_E_INVALID);
  assert_int_equal(bp_manager_new(&m, NULL, NULL), BP_E_INVALID);
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_E_INVALID);
  assert_int_equal(bp_context_error_count(ctx), 1);
  options =
      (bp_manager_options){.size = sizeof options, .kernel = BP_KERNEL_BUDDY, .nodes = 1u << 24};
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_E_INVALID);
  options =
      (bp_manager_options){.size = sizeof options, .kernel = BP_KERNEL_BUDDY, .max_vars = 1u << 21};
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_E_INVALID);
  assert_null(m);
  options = (bp_manager_options){
      .size = sizeof options, .kernel = BP_KERNEL_BUDDY, .nodes = 1, .max_vars = 1};
  assert_int_equal(bp_manager_new(&m, ctx, &options), BP_OK);
  assert_true(bpi_bdd_enter(m, NULL, 0));
  assert_true(bpi_bdd_ensure_slots(m, 0));
  assert_false(bpi_bdd_ensure_slots(m, 2));
  assert_true(bpi_bdd_ok(m));
  manager_close(m);
}

static void test_stats(void **state)
{
  (void)state;
  bp_manager *m = manager_open(BP_KERNEL_BUDDY, 0, 2);
  bp_manager_stats stats = {.size = sizeof stats};
  assert_int_equal(bp_manager_get_stats(m, &stats), BP_E_BUSY);
  const bpi_bdd a = table_bdd(m, 0x6996966996696996u, NULL);
  bpi_bdd_leave(m);
  assert_int_equal(bp_manager_get_stats(m, &stats), BP_OK);
  assert_int_equal(stats.live_nodes, 9); /* of eleven; both literals of the last are not counted */
  assert_true(stats.peak_nodes >= 9);
  assert_true(stats.table_nodes > 1000);
  assert_true(stats.collections > 0);
  assert_int_equal(stats.vars, 6);
  assert_int_equal(stats.poisoned, 0);
  assert_int_equal(bp_manager_get_stats(NULL, &stats), BP_E_INVALID);
  assert_int_equal(bp_manager_get_stats(m, NULL), BP_E_INVALID);
  stats.size = 1;
  assert_int_equal(bp_manager_get_stats(m, &stats), BP_E_INVALID);
  assert_true(bpi_bdd_enter(m, NULL, 0));
  bpi_bdd_drop(m, a);
  assert_int_equal(bpi_bdd_live(m), 0);
  bpi_bdd_reset_peak(m);
  assert_int_equal(bpi_bdd_peak(m), 0);
  manager_close(m);
}

/* The kernel at work for the host itself, before and between managers. */
static void test_host_runs_kernel(void **state)
{
  (void)state;
  bp_manager *m;
  for (int round = 0; round < 3; round++) {
    assert_int_equal(bdd_init(100, 50), 0);
    bdd_setvarnum(4);
    const BDD a = bdd_addref(bdd_apply(bdd_ithvar(0), bdd_ithvar(3), bddop_xor));
    if (!round) assert_true(bdd_support(a) > 1); /* crashes in a kernel started anew */
    bddPair *pair = bdd_newpair();
    bdd_setpair(pair, 0, 1);
    assert_int_equal(bp_manager_new(&m, ctx, &on_buddy), BP_E_BUSY);
    assert_int_equal(bdd_var(a), 0);
    bdd_done();
    m = manager_open(BP_KERNEL_BUDDY, 0, 4);
    const bpi_bdd b = table_bdd(m, 0x123456789abcdefu, NULL);
    assert_true(bdd_table(m, b, NULL) == 0x123456789abcdefu);
    manager_close(m);
    assert_false(bdd_isrunning());
  }
}

static void *host_inits(void *result)
{
  *(int *)result = bdd_init(1000, 100);
  return NULL;
}

/* A host that starts the kernel beside a living manager gets the kernel's own refusal. */
static void test_host_starts_kernel(void **state)
{
  (void)state;
  bp_manager *m = manager_open(BP_KERNEL_BUDDY, 0, 2);
  const bpi_bdd a = table_bdd(m, 0xff00f0f0ccccaaaau, NULL);
  assert_int_equal(bdd_init(1000, 100), BDD_RUNNING);
  int result = 0;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, host_inits, &result), 0);
  pthread_join(thread, NULL);
  assert_int_equal(result, BDD_RUNNING);
  assert_true(bpi_bdd_ok(m) && bdd_table(m, a, NULL) == 0xff00f0f0ccccaaaau);
  manager_close(m);
}

static void test_many_rounds(void **state)
{
  (void)state;
  for (uint32_t round = 0; round < 200; round++) {
    bp_manager *m = manager_open(BP_KERNEL_BUDDY, round % 7 ? 0 : 3000, 1 + round * 7 % 50);
    const table t = 0x0123456789abcdefu * (round + 1);
    assert_true(bpi_bdd_ensure_slots(m, 2 + round * 11 % 90));
    const bpi_bdd a = table_bdd(m, t, NULL);
    assert_true(bpi_bdd_ok(m) && bdd_table(m, a, NULL) == t);
    const uint32_t from = 0, to = 1;
    assert_non_null(bpi_bdd_rename_new(m, &from, &to, 1));
    manager_close(m);
  }
}

/* ---- threads ----------------------------------------------------------- */

typedef struct visitor {
  bp_manager *m;
  bool entered;
  bp_status made, stats;
  table seen;
} visitor;

static void *visit(void *user)
{
  visitor *v = user;
  bp_context *own;
  bp_manager *second;
  bp_manager_stats stats = {.size = sizeof stats};
  if (bp_context_new(&own) != BP_OK) return NULL;
  v->made = bp_manager_new(&second, own, &on_buddy);
  bp_context_unref(own);
  v->stats = bp_manager_get_stats(v->m, &stats);
  v->entered = bpi_bdd_enter(v->m, NULL, 0);
  if (!v->entered) return NULL;
  const bpi_bdd a = table_bdd(v->m, 0x00ff00ff12345678u, NULL);
  v->seen = bdd_table(v->m, a, NULL);
  bpi_bdd_drop(v->m, a);
  bpi_bdd_leave(v->m);
  return NULL;
}

static visitor send_visitor(bp_manager *m)
{
  visitor v = {.m = m};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, visit, &v), 0);
  pthread_join(thread, NULL);
  return v;
}

static void test_threads(void **state)
{
  (void)state;
  bp_manager *m = manager_open(BP_KERNEL_BUDDY, 0, 2);
  assert_false(bpi_bdd_enter(m, NULL, 0));
  visitor v = send_visitor(m);
  assert_false(v.entered);
  assert_int_equal(v.made, BP_E_BUSY);
  assert_int_equal(v.stats, BP_E_BUSY);
  bpi_bdd_leave(m);
  v = send_visitor(m); /* one after the other is fine */
  assert_true(v.entered);
  assert_int_equal(v.made, BP_E_BUSY);
  assert_int_equal(v.stats, BP_OK);
  assert_true(v.seen == 0x00ff00ff12345678u);
  assert_true(bpi_bdd_enter(m, NULL, 0));
  assert_true(bpi_bdd_ok(m));
  manager_close(m);
}

static void *compete(void *user)
{
  uint32_t *made = user;
  bp_context *own;
  if (bp_context_new(&own) != BP_OK) return NULL;
  for (long tries = 0; *made < 100 && tries < 10000000; tries++) {
    bp_manager *m;
    if (bp_manager_new(&m, own, &on_buddy) != BP_OK) continue;
    if (!bpi_bdd_enter(m, NULL, 0) || !bpi_bdd_ensure_slots(m, 2)) return NULL;
    const bpi_bdd a = table_bdd(m, 0x00ff00ff12345678u, NULL);
    if (bdd_table(m, a, NULL) != 0x00ff00ff12345678u) return NULL;
    ++*made;
    manager_close(m);
  }
  bp_context_unref(own);
  return NULL;
}

static void test_race_for_kernel(void **state)
{
  (void)state;
  uint32_t made[2] = {0};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, compete, &made[i]), 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(made[0] + made[1], 200);
  assert_false(bdd_isrunning());
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_busy),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_stats),
      cmocka_unit_test(test_host_runs_kernel),
      cmocka_unit_test(test_host_starts_kernel),
      cmocka_unit_test(test_many_rounds),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_race_for_kernel),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
