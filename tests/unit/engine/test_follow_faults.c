/* SPDX-License-Identifier: MIT
 * Traces of targets that were found backwards, where memory is short. */
#include "engine/query.h"
#include "failing_malloc.h"
#include "mixed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { WORK = 10000 };

/* Each allocation fails once: there is no way then, or it was not needed. */
static void test_faults(void **state)
{
  (void)state;
  const char *const tail = "  a := x3;\n  mix();\n  b := x3;\n  mix();\n  check(a & !b, x3);\n";
  bp_query *q = ask_about_mixed(tail, BP_ENGINE_LOCALIZE | BP_ENGINE_BACKWARD | BP_ENGINE_NARROW);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  uint32_t refused = 0;
  long failed = 1;
  for (long k = 1; failed; k++) {
    bpi_ways ways = {{0}};
    assert_int_equal(bpi_query_begin(q), BP_OK);
    assert_true(bpi_query_ready(q, q->engine));
    malloc_fail_at(k, 0);
    bpi_path *path = bpi_executions_path(q, 0, WORK, &ways);
    failed = malloc_failures();
    malloc_fail_at(0, 0);
    assert_true(path || failed);
    refused += !path;
    bpi_path_unref(path);
    bpi_ways_clear(&ways);
    bpi_query_end(q);
  }
  print_message("%u refused\n", refused);
  assert_true(refused > 20);
  bp_query_unref(q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
