/* SPDX-License-Identifier: MIT
 * Explorations that go on with a part of large sets: p and q start equal or not and change by the same
 * values of two dozen other variables, which a callee mixes in loops; so BAD, which wants them to differ, can
 * be reached, whatever the others are. */
#include "asked.h"
#include "engine/query.h"

#include <bp/trace.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { VARS = 24, NEAR = 6, STATEMENTS = 30, LOOPS = 3 };

/* Statements over variables that are near each other; p and q change by the same value. */
static void put_statements(draft *t)
{
  static const char *const operators[] = {"&", "|", "^", "="};
  for (uint32_t i = 0; i < STATEMENTS; i++) {
    const uint32_t first = pick(t, VARS - NEAR), to = first + pick(t, NEAR), way = pick(t, 12);
    const uint32_t left = first + pick(t, NEAR), right = first + pick(t, NEAR);
    const char *sign = operators[way % 4];
    if (i % 16 == 15)
      put(t, "    p, q := p ^ (x%u %s x%u), q ^ (x%u %s x%u);\n", left, sign, right, left, sign,
          right);
    else
      put(t, "    x%u := %sx%u %s x%u;\n", to, way < 4 ? "!" : "", left, sign, right);
  }
}

/* `recursive`: the callee calls itself in its loop. `never`: p and q stay equal. */
static char *program_text(bool recursive, bool never)
{
  draft t = draft_begin(13);
  put(&t, "decl p, q");
  for (uint32_t i = 0; i < VARS; i++)
    put(&t, ", x%u", i);
  put(&t, ";\nvoid work() begin\n  decl mine;\n");
  for (uint32_t i = 0; i < 12; i++)
    put(&t, "  L: skip;\n");
  for (uint32_t i = 0; i < LOOPS; i++) {
    put(&t, "  while (*) do\n");
    put_statements(&t);
    if (recursive) put(&t, "    if (x0) then work(); fi\n");
    put(&t, "    x%u := *;\n  od\n", pick(&t, VARS));
  }
  put(&t, "end\nvoid main() begin\n  q := p;\n");
  if (!never) put(&t, "  if (*) then p := !p; fi\n");
  put(&t, "  L: work();\n  if (p != q) then BAD: skip; fi\nend\n");
  return t.start;
}

static bp_query *open_query(bool recursive, bool never, uint32_t off)
{
  char *text = program_text(recursive, never);
  bp_query *q = ask_about(text, off | BP_ENGINE_LOCALIZE | BP_ENGINE_BACKWARD | BP_ENGINE_EXECUTE);
  free(text);
  return q;
}

static uint64_t peak(uint32_t off)
{
  bp_query *q = open_query(true, false, off);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  const uint64_t nodes = stats_of(q).peak_nodes;
  bp_query_unref(q);
  return nodes;
}

static void test_reachable(void **state)
{
  (void)state;
  const uint64_t few = peak(0), many = peak(BP_ENGINE_NARROW | BP_ENGINE_RECURSION);
  print_message("peak nodes: %lu with, %lu without\n", (unsigned long)few, (unsigned long)many);
  assert_true(2 * few < many);
}

/* What parts do not reach says nothing: the rest finds out. */
static void test_unreachable(void **state)
{
  (void)state;
  bp_query *q = open_query(true, true, 0);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
  bp_query_unref(q);
}

static void test_trace(void **state)
{
  (void)state;
  bp_query *q = open_query(true, false, 0);
  assert_int_equal(bp_query_run(q), BP_OK);
  bp_trace *trace = NULL;
  assert_int_equal(bp_trace_new(&trace, q, 0, NULL), BP_OK);
  assert_int_equal(bp_trace_replay(trace, BP_NONE), BP_OK);
  bp_trace_unref(trace);
  bp_query_unref(q);
}

/* Stopped at every few images, and going on. */
static void test_steps(void **state)
{
  (void)state;
  for (uint32_t stride = 50; stride < 400; stride += 70) {
    bp_query *q = open_query(true, false, 0);
    run_in_slices(q, stride, 10000);
    assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
    bp_query_unref(q);
  }
}

/* Refused in main, where there is no `mine`, after a dozen goals in the other procedure. */
static void test_refused_targets(void **state)
{
  (void)state;
  bp_query *q = open_query(true, false, 0);
  for (uint64_t steps = 100; bp_query_verdict(q, 0) == BP_UNDECIDED; steps += 100) {
    const bp_limits limits = {.size = sizeof limits, .steps = steps};
    assert_int_equal(bp_query_set_limits(q, &limits), BP_OK);
    assert_int_equal(bp_query_run(q), BP_OK);
    assert_int_equal(bp_query_add_label(q, NULL, "L", "mine"), BP_E_INPUT);
    assert_true(steps < 100000);
  }
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  bp_query_unref(q);
}

/* What was decided is not asked again. */
static void test_more_targets(void **state)
{
  (void)state;
  bp_query *q = open_query(true, false, 0);
  assert_int_equal(bp_query_run(q), BP_OK);
  const uint64_t before = stats_of(q).steps;
  assert_int_equal(bp_query_add_label(q, "work", "L", NULL), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  assert_int_equal(bp_query_verdict(q, 1), BP_REACHABLE);
  assert_true(stats_of(q).steps - before < before / 4);
  bp_query_unref(q);
}

static void test_off(void **state)
{
  (void)state;
  bp_query *q = open_query(true, false, BP_ENGINE_NARROW);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(q->recursion.round, 0);
  bp_query_unref(q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reachable),
      cmocka_unit_test(test_unreachable),
      cmocka_unit_test(test_trace),
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_refused_targets),
      cmocka_unit_test(test_more_targets),
      cmocka_unit_test(test_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
