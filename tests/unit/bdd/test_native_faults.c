/* SPDX-License-Identifier: MIT
 * Every allocation of a workload on the native kernel fails once, or from one on all of them: a
 * status, never a crash; what had references is whole, the manager goes on, and nothing is left
 * behind, which AddressSanitizer sees. */
#include "functions.h"

#include "failing_malloc.h"

typedef struct work {
  bp_manager *m;
  bpi_bdd small, big[2];
  uint64_t counted;
  bool slots, supported;
} work;

static bp_context *ctx;
static const table small_table = 0x0f1e2d3c4b5a6978u;
static const uint32_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {6, 7, 8, 9, 10, 11};

/* The fault may come anywhere here. */
static void work_on(work *w)
{
  bp_manager *m = w->m;
  bpi_bdd_ensure_slots(m, 10);
  if (!w->small) w->small = table_bdd(m, small_table, NULL);
  const bpi_rename *shift = bpi_bdd_rename_new(m, from, to, 6);
  if (shift) bpi_bdd_drop(m, bpi_bdd_rename(m, w->small, shift));
  const bpi_bdd set = bpi_bdd_set(m, from, 6);
  for (uint64_t i = 0; i < 2; i++) {
    if (!w->big[i]) w->big[i] = big_function(m, i);
    bpi_bdd_drop(m, bpi_bdd_and_exists(m, w->big[i], w->big[0], set));
    if (i == 0 && bpi_bdd_ok(m)) w->slots = bpi_bdd_ensure_slots(m, 1000);
  }
  bpi_bdd_drop(m, set);
  /* Failures of these are told by their results. */
  bpi_vars vars = {0};
  w->supported = bpi_bdd_support(m, w->big[1], &vars);
  bpi_vec_free(&vars);
  w->counted = bpi_bdd_node_count(m, w->big[1]);
}

static void check(const work *w)
{
  if (w->small) assert_true(bdd_table(w->m, w->small, NULL) == small_table);
  for (uint64_t i = 0; i < 2; i++)
    if (w->big[i]) assert_true(big_agrees(w->m, w->big[i], i, 100));
}

typedef struct counts {
  long refused, recovered, harmless;
} counts;

/* Whether an allocation failed. */
static bool one_case(long k, long more, counts *seen)
{
  work w = {0};
  malloc_fail_at(k, more);
  const bp_status made = bp_manager_new(&w.m, ctx, NULL);
  if (made != BP_OK) {
    malloc_fail_at(0, 0);
    assert_int_equal(made, BP_E_NOMEM);
    assert_null(w.m);
    seen->refused++;
    return true;
  }
  assert_true(bpi_bdd_enter(w.m, NULL, 0));
  work_on(&w);
  const bool failed = malloc_failures() > 0;
  malloc_fail_at(0, 0);
  const bpi_bdd_error error = bpi_bdd_status(w.m);
  assert_true(error == BPI_BDD_OK || (failed && error == BPI_BDD_MEMORY));
  check(&w);
  seen->recovered += error != BPI_BDD_OK;
  seen->harmless += failed && error == BPI_BDD_OK;
  assert_true(bpi_bdd_recover(w.m));
  check(&w);
  work_on(&w);
  assert_true(bpi_bdd_ok(w.m) && w.small && w.big[0] && w.big[1] && w.slots);
  assert_true(w.supported && w.counted > 1000 && w.counted < UINT64_MAX);
  check(&w);
  for (int i = 0; i < 2; i++)
    bpi_bdd_drop(w.m, w.big[i]);
  bpi_bdd_drop(w.m, w.small);
  assert_int_equal(bpi_bdd_live(w.m), 0);
  manager_close(w.m);
  return failed;
}

static void sweep(long more)
{
  counts seen = {0};
  long k = 1;
  while (one_case(k, more, &seen))
    k++;
  print_message("refused %ld, recovered %ld, harmless %ld\n", seen.refused, seen.recovered,
                seen.harmless);
  if (k == 1) skip(); /* valgrind */
  assert_true(seen.refused > 4 && seen.recovered > 10);
}

static void test_one_fails(void **state)
{
  (void)state;
  sweep(0);
}

static void test_all_fail(void **state)
{
  (void)state;
  sweep(1000000);
}

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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_fails),
      cmocka_unit_test(test_all_fail),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
