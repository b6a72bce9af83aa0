/* SPDX-License-Identifier: MIT
 * A look backwards: what the last statements before BAD, behind loops that mix two dozen variables, say of it. */
#include "engine/query.h"
#include "mixed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static bp_query *open_longer(const char *tail, uint32_t loops, uint32_t off)
{
  char *text = mixed_text(tail, loops);
  bp_query *q = ask_about(text, off | BP_ENGINE_LOCALIZE);
  free(text);
  return q;
}

static bp_query *open_query(const char *tail, uint32_t off)
{
  return open_longer(tail, FEW_LOOPS, off);
}

static const char contradicts[] = "  x1 := x2;\n  if (x1 & !x2) then BAD: skip; fi\n";
static const char from_start[] = "  if (still & (x0 | x1)) then BAD: skip; fi\n";

/* Seen by a look backwards. */
static const char *const never[] = {
    contradicts,
    from_start,
    "  x1, x2 := x2, x1;\n  if (x1) then x2 := !x1; assume(x2); BAD: skip; fi\n",
    "  a := x0;\n  b := a;\n  mix();\n  if (a & !b) then BAD: skip; fi\n",
    "  check(x3, x3);\n  mix();\n  check(x4 & x5, x4);\n",
    "  a := x1;\n  while (*) do b := a; od\n  b := !a;\n  if (a = b) then BAD: skip; fi\n",
    "  x2 := *;\n  x1 := x2 & x5;\n  if (x1 & !x2) then BAD: skip; fi\n",
    "  a := x3;\n  b := a;\n  x1 := x2;\n  flip();\n  if (a != b & x1) then BAD: skip; fi\n",
};

/* Seen where it goes through callees, in later rounds. */
static const char *const through[] = {
    "  x1 := !x2;\n  flip();\n  if (x1 & !x2) then BAD: skip; fi\n",
    "  a := same(x1);\n  if (a & !x1) then BAD: skip; fi\n",
    "  x3 := same(x1);\n  if (x3 & !x1) then BAD: skip; fi\n",
    "  x3 := same(x1);\n  if (x3 != x1) then BAD: skip; fi\n",
    "  x1 := x2;\n  while (*) do x2 := x1; od\n  flip();\n  check(!x1, x2);\n",
    "  x1 := x2;\n  copy();\n  if (x1 & !x2) then BAD: skip; fi\n",
};

/* The same with a way to BAD. */
static const char *const somehow[] = {
    "  if (*) then x1 := x2; fi\n  if (x1 & !x2) then BAD: skip; fi\n",
    "  if (*) then still := *; fi\n  if (still & (x0 | x1)) then BAD: skip; fi\n",
    "  x1 := *;\n  x2 := x1;\n  flip();\n  if (x1 & !x2) then BAD: skip; fi\n",
    "  a := x0;\n  b := a;\n  mix();\n  b := *;\n  if (a != b) then BAD: skip; fi\n",
    "  check(x3, x3);\n  x4, x5 := *, *;\n  check(x4, x5);\n",
    "  a := *;\n  b := a;\n  a := same(!a);\n  if (a & !b) then BAD: skip; fi\n",
    "  x1, x2 := *, *;\n  while (*) do x1, x2 := x2, x1; od\n  if (x1 & !x2) then BAD: skip; fi\n",
    "  x1 := x2;\n  flip();\n  flip();\n  flip();\n  if (x1 != x2) then BAD: skip; fi\n",
    "  x1 := *;\n  a := same(x1);\n  if (a) then BAD: skip; fi\n",
    "  x3 := *;\n  x1 := x3;\n  x3 := same(!x1);\n  if (x3 & !x1) then BAD: skip; fi\n",
    "  x2 := *;\n  check(x2, x2);\n  x1 := x2;\n  flip();\n  check(x2, x1);\n",
    "  x1 := x2;\n  lose();\n  if (x1 != x2) then BAD: skip; fi\n",
    "  a := *;\n  b := *;\n  x1 := x2;\n  flip();\n  if (a != b & x1 != x2) then BAD: skip; fi\n",
};

static bp_verdict verdict_of(const char *tail, uint32_t loops, uint32_t off)
{
  bp_query *q = open_longer(tail, loops, off);
  assert_int_equal(bp_query_run(q), BP_OK);
  const bp_verdict verdict = bp_query_verdict(q, 0);
  bp_query_unref(q);
  return verdict;
}

static uint64_t steps_to_end(const char *tail, uint32_t loops, uint32_t off)
{
  bp_query *q = open_longer(tail, loops, off | BP_ENGINE_NARROW);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
  const uint64_t steps = stats_of(q).steps;
  bp_query_unref(q);
  return steps;
}

static void fewer_steps(const char *tail, uint32_t loops)
{
  const uint64_t few = steps_to_end(tail, loops, 0),
                 many = steps_to_end(tail, loops, BP_ENGINE_BACKWARD);
  print_message("%lu images with, %lu without\n", (unsigned long)few, (unsigned long)many);
  assert_true(2 * few < many);
}

static void test_unreachable(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sizeof never / sizeof *never; i++)
    fewer_steps(never[i], FEW_LOOPS);
}

static void test_through(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sizeof through / sizeof *through; i++)
    fewer_steps(through[i], MANY_LOOPS);
}

static void test_reachable(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sizeof somehow / sizeof *somehow; i++) {
    assert_int_equal(verdict_of(somehow[i], FEW_LOOPS, 0), BP_REACHABLE);
    assert_int_equal(verdict_of(somehow[i], MANY_LOOPS, BP_ENGINE_NARROW), BP_REACHABLE);
  }
}

/* Stopped at every few images, and going on: the start is asked for all the same. */
static void test_steps(void **state)
{
  (void)state;
  for (uint64_t stride = 1; stride < 400; stride = 2 * stride + 1) {
    bp_query *q = open_query(contradicts, 0);
    run_in_slices(q, stride, 100000);
    assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
    bp_query_unref(q);
    q = open_longer(through[0], MANY_LOOPS, 0);
    run_in_slices(q, stride, 1000000);
    assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
    bp_query_unref(q);
    q = open_query(somehow[1], 0);
    run_in_slices(q, stride, 1000000);
    assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
    bp_query_unref(q);
  }
}

/* Too many nodes end the look, not the query. */
static void test_nodes(void **state)
{
  (void)state;
  for (uint64_t nodes = 16; nodes < 100000; nodes = nodes * 3 / 2)
    run_with_nodes(open_query(from_start, 0), nodes);
  for (uint64_t nodes = 1000; nodes < 100000; nodes *= 2)
    run_with_nodes(open_longer(through[0], MANY_LOOPS, 0), nodes);
}

/* What runs may start with decides. */
static void test_start(void **state)
{
  (void)state;
  bp_query *q = open_query("  if (a & !b) then BAD: skip; fi\n", 0);
  assert_int_equal(bp_query_set_init(q, "a = b"), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
  bp_query_unref(q);
  assert_int_equal(verdict_of("  if (a & !b) then BAD: skip; fi\n", FEW_LOOPS, 0), BP_REACHABLE);
}

/* One of several targets is told from the others, and from those that come later. */
static void test_targets(void **state)
{
  (void)state;
  bp_query *q = open_query("  x1 := x2;\n  if (x1 & !x2) then BAD: skip; else GOOD: skip; fi\n", 0);
  assert_int_equal(bp_query_add(q, "GOOD", "x1"), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_add(q, "GOOD", "x1 & !x2"), BP_OK);
  assert_int_equal(bp_query_add(q, "GOOD", "!x1 & !x2"), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  static const bp_verdict verdicts[] = {BP_UNREACHABLE, BP_REACHABLE, BP_UNREACHABLE, BP_REACHABLE};
  for (uint32_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
    assert_int_equal(bp_query_verdict(q, i), verdicts[i]);
  bp_query_unref(q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unreachable), cmocka_unit_test(test_through),
      cmocka_unit_test(test_reachable),   cmocka_unit_test(test_steps),
      cmocka_unit_test(test_nodes),       cmocka_unit_test(test_start),
      cmocka_unit_test(test_targets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
