/* SPDX-License-Identifier: MIT
 * Executions found backwards: behind, before and in loops that mix two dozen variables there are short ways to BAD. */
#include "engine/query.h"
#include "mixed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
  ALONE = BP_ENGINE_LOCALIZE | BP_ENGINE_BACKWARD | BP_ENGINE_NARROW | BP_ENGINE_RECURSION,
  PLAIN = ALONE | BP_ENGINE_EXECUTE,
  TAILS = 24
};

static const char *const never[] = {
    "  a := x1;\n  flip();\n  if (a & x1) then BAD: skip; fi\n",
    "  a := x1;\n  flip();\n  b := same(a);\n  if (a & b & x1) then BAD: skip; fi\n",
    "  a, b, c := x1, x2, x3;\n  flip();\n  if (a & b & x1 | !a & c & !x1) then BAD: skip; fi\n",
    "  a := x3;\n  mix();\n  b := a;\n  mix();\n  check(a & !b, x3);\n",
    "  x1 := x2;\n  copy();\n  if (x1 & !x2) then BAD: skip; fi\n",
    "  a := x1;\n  x1 := same(a);\n  check(x1, a);\n  mix();\n  check(a, a);\n",
};

static bp_verdict verdict_of(const char *tail, uint32_t off)
{
  bp_query *q = ask_about_mixed(tail, off);
  assert_int_equal(bp_query_run(q), BP_OK);
  const bp_verdict verdict = bp_query_verdict(q, 0);
  bp_query_unref(q);
  return verdict;
}

static void test_reachable(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < MIXED_REACHABLE; i++) {
    bp_query *q = ask_about_mixed(mixed_reachable[i], ALONE);
    assert_int_equal(bp_query_run(q), BP_OK);
    assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
    print_message("%u: %lu images\n", i, (unsigned long)stats_of(q).steps);
    if (BPI_LOCALIZE_FROM) assert_int_equal(q->engine->group_hit[0], BPI_CLOSED);
    bp_query_unref(q);
    assert_int_equal(verdict_of(mixed_reachable[i], 0), BP_REACHABLE);
  }
}

static void test_unreachable(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sizeof never / sizeof *never; i++)
    assert_int_equal(verdict_of(never[i], ALONE), BP_UNREACHABLE);
}

/* The same verdicts with it and without. */
static void test_random(void **state)
{
  (void)state;
  uint32_t reached = 0;
  for (uint32_t seed = 0; seed < TAILS; seed++) {
    draft t = draft_begin(seed);
    put_mixed_tail(&t);
    const bp_verdict verdict = verdict_of(t.start, PLAIN);
    for (uint32_t order = 0; order < 2; order++)
      assert_int_equal(verdict_of(t.start, ALONE | (order ? BP_ENGINE_ORDER : 0)), verdict);
    reached += verdict == BP_REACHABLE;
    free(t.start);
  }
  print_message("%u of %u reachable\n", reached, TAILS);
  assert_true(reached && reached < TAILS);
}

/* The first target is decided by others while executions to it are looked for: the next one has nothing of them. */
static void test_decided_by_others(void **state)
{
  (void)state;
  bp_query *q = ask_about_mixed("  if (x1 & x2 & !x3) then BAD: skip; fi\n  a := x1;\n  flip();\n"
                                "  if (a & x1) then GOOD: skip; fi\n",
                                ALONE);
  bp_limits limits = {.size = sizeof limits};
  assert_int_equal(bp_query_add(q, "GOOD", NULL), BP_OK);
  while (BPI_LOCALIZE_FROM && !q->executions.begun) { /* else they are not stopped here */
    limits.steps++;
    assert_int_equal(bp_query_set_limits(q, &limits), BP_OK);
    assert_int_equal(bp_query_run(q), BP_OK);
    assert_int_equal(bp_query_verdict(q, 0), BP_UNDECIDED);
  }
  if (q->executions.begun) {
    assert_int_equal(q->goals.at[q->executions.goal].group, 0);
    bpi_engine_close_group(q->engine, 0);
    q->targets.at[0].verdict = BP_REACHABLE;
  }
  assert_int_equal(bp_query_set_limits(q, NULL), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 1), BP_UNREACHABLE);
  bp_query_unref(q);
}

/* Stopped at every few images, and going on. */
static void test_steps(void **state)
{
  (void)state;
  for (uint64_t stride = 1; stride < 400; stride = 2 * stride + 1) {
    bp_query *q = ask_about_mixed(mixed_reachable[5], ALONE);
    run_in_slices(q, stride, 100000);
    assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
    bp_query_unref(q);
    q = ask_about_mixed(never[2], ALONE);
    run_in_slices(q, stride, 1000000);
    assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
    bp_query_unref(q);
  }
}

/* Too many nodes end the search, not the query. */
static void test_nodes(void **state)
{
  (void)state;
  for (uint64_t nodes = 16; nodes < 100000; nodes = nodes * 3 / 2)
    run_with_nodes(ask_about_mixed(never[1], ALONE), nodes);
}

/* Each target has its turn, and those that come later. */
static void test_targets(void **state)
{
  (void)state;
  bp_query *q = ask_about_mixed(
      "  a := x1;\n  flip();\n  if (a) then BAD: skip; else GOOD: skip; fi\n", ALONE);
  assert_int_equal(bp_query_add(q, "GOOD", "!x1"), BP_OK);
  assert_int_equal(bp_query_add(q, "GOOD", "x1 & x2 & !x3 & x4"), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_add(q, "BAD", "x1"), BP_OK);
  assert_int_equal(bp_query_add(q, "BAD", "x5 & x6 & !x7"), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  static const bp_verdict verdicts[] = {BP_REACHABLE, BP_UNREACHABLE, BP_REACHABLE, BP_UNREACHABLE,
                                        BP_REACHABLE};
  for (uint32_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
    assert_int_equal(bp_query_verdict(q, i), verdicts[i]);
  bp_query_unref(q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reachable), cmocka_unit_test(test_unreachable),
      cmocka_unit_test(test_random),    cmocka_unit_test(test_decided_by_others),
      cmocka_unit_test(test_steps),     cmocka_unit_test(test_nodes),
      cmocka_unit_test(test_targets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
