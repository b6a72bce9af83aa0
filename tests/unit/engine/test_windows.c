/* SPDX-License-Identifier: MIT
 * Windows: what is wanted of many variables at once contradicts few of them, which others keep in order while loops mix
 * two dozen. */
#include "engine/query.h"
#include "mixed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ALONE = BP_ENGINE_BACKWARD | BP_ENGINE_EXECUTE | BP_ENGINE_NARROW | BP_ENGINE_RECURSION };

/* c says whether a and b are equal, which they stay. BAD wants that it is not so, and half of the others to have given
 * values, which are computed from all the rest. */
static const char stay_equal[] =
    "  a := *;\n  b := a;\n  c := 1;\n"
    "  while (*) do\n    mix();\n    a, b := a ^ x1, b ^ x1;\n    c := a = b;\n  od\n"
    "  if (x0 & x1 & !x2 & x3 & !x4 & x5 & x6 & x7 & x8 & x9 & !c) then BAD: skip; fi\n";
static const char differ[] =
    "  a := *;\n  b := a;\n  c := 1;\n"
    "  while (*) do\n    mix();\n    a, b := a ^ x1, b ^ x2;\n    c := a = b;\n  od\n"
    "  if (x0 & x1 & !x2 & x3 & !x4 & x5 & x6 & x7 & x8 & x9 & !c) then BAD: skip; fi\n";

static void test_unreachable(void **state)
{
  (void)state;
  bp_query *with = ask_about_mixed(stay_equal, ALONE),
           *without = ask_about_mixed(stay_equal, ALONE | BP_ENGINE_LOCALIZE);
  assert_int_equal(bp_query_run(with), BP_OK);
  assert_int_equal(bp_query_run(without), BP_OK);
  assert_int_equal(bp_query_verdict(with, 0), BP_UNREACHABLE);
  assert_int_equal(bp_query_verdict(without, 0), BP_UNREACHABLE);
  const uint64_t few = stats_of(with).peak_nodes, many = stats_of(without).peak_nodes;
  print_message("peak nodes: %lu with, %lu without\n", (unsigned long)few, (unsigned long)many);
  assert_true(with->local.windows.count && with->local.windows.count < 10);
  assert_true(2 * few < many);
  bp_query_unref(with);
  bp_query_unref(without);
}

static void test_reachable(void **state)
{
  (void)state;
  bp_query *q = ask_about_mixed(differ, ALONE);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  bp_query_unref(q);
}

static void test_steps(void **state)
{
  (void)state;
  for (uint64_t stride = 1; stride < 400; stride = 3 * stride + 1) {
    bp_query *q = ask_about_mixed(stay_equal, ALONE);
    run_in_slices(q, stride, 1000000);
    assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
    bp_query_unref(q);
  }
}

static void test_nodes(void **state)
{
  (void)state;
  for (uint64_t nodes = 256; nodes < 100000; nodes *= 2)
    run_with_nodes(ask_about_mixed(stay_equal, ALONE), nodes);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unreachable),
      cmocka_unit_test(test_reachable),
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
