/* SPDX-License-Identifier: MIT
 * Distances from the targets: how much memory they ask for, and each allocation fails once. */
#include "asked.h"
#include "engine/query.h"
#include "failing_malloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { WIDE = 1500, MOST_BYTES = 1 << 20 };

/* Many targets under a long condition. */
static bp_query *ask_about_wide(void)
{
  draft t = draft_begin(1);
  put(&t, "decl y");
  for (uint32_t i = 0; i < WIDE; i++)
    put(&t, ", x%u", i);
  put(&t, ";\nvoid main() begin\n  assume((x0 | y)");
  for (uint32_t i = 1; i < WIDE; i++)
    put(&t, " & (x%u | y)", i);
  put(&t, ");\n  x0");
  for (uint32_t i = 1; i < WIDE; i++)
    put(&t, ", x%u", i);
  put(&t, " := x1");
  for (uint32_t i = 1; i < WIDE; i++)
    put(&t, ", x%u", (i + 1) % WIDE);
  put(&t, ";\n  if (!y & !x0) then BAD: skip; fi\nend\n");
  bp_query *q = ask_about(t.start, 0);
  free(t.start);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
  return q;
}

static uint32_t *distances(const bp_query *q)
{
  bpi_influence influence = {0};
  uint32_t *distance = bpi_distances(&q->engine->a, q->goals.at, q->goals.count, &influence);
  bpi_influence_end(&influence);
  return distance;
}

/* What depends on what is not the product of targets and condition. */
static void test_wide(void **state)
{
  (void)state;
  bp_query *q = ask_about_wide();
  malloc_fail_at(0, 0);
  uint32_t *distance = distances(q);
  const size_t most = malloc_largest();
  assert_non_null(distance);
  bpi_release(distance);
  print_message("%zu bytes at once at most\n", most);
  assert_true(most < MOST_BYTES);
  bp_query_unref(q);
}

static void test_faults(void **state)
{
  (void)state;
  bp_query *q = ask_about_wide();
  uint32_t refused = 0;
  long failed = 1;
  for (long k = 1; failed; k++) {
    malloc_fail_at(k, 0);
    uint32_t *distance = distances(q);
    failed = malloc_failures();
    malloc_fail_at(0, 0);
    assert_true(distance || failed);
    refused += !distance;
    bpi_release(distance);
  }
  print_message("%u refused\n", refused);
  assert_true(refused > 10);
  bp_query_unref(q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_wide), cmocka_unit_test(test_faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
