/* SPDX-License-Identifier: MIT
 * Traces of targets that were found backwards. */
#include "engine/query.h"
#include "mixed.h"

#include <bp/trace.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
  ALONE = BP_ENGINE_LOCALIZE | BP_ENGINE_BACKWARD | BP_ENGINE_NARROW | BP_ENGINE_RECURSION,
  TAILS = 40,
  WORK = 10000
};

static bp_query *open_query(const char *tail, uint32_t off)
{
  bp_query *q = ask_about_mixed(tail, off);
  assert_int_equal(bp_query_run(q), BP_OK);
  return q;
}

/* A trace, replayed with its calls opened so and so far; whether it need not be a shortest one. */
static bool any_trace(bp_query *q, uint32_t target, const bp_trace_options *options)
{
  bp_trace *t = NULL;
  uint64_t length = 0, steps = 0;
  bp_cursor *c = NULL;
  assert_int_equal(bp_trace_new(&t, q, target, options), BP_OK);
  const bool any = bp_trace_any(t);
  for (uint32_t levels = 0; levels < 3; levels++)
    assert_int_equal(bp_trace_replay(t, levels < 2 ? levels : BP_NONE), BP_OK);
  assert_int_equal(bp_trace_length(t, &length), BP_OK);
  assert_int_equal(bp_cursor_new(&c, t), BP_OK);
  while (bp_cursor_next(c) == BP_OK) {
    uint64_t inside = 0;
    assert_int_equal(bp_cursor_inside(c, &inside), BP_OK);
    steps += 1 + inside;
  }
  assert_int_equal(steps, length);
  bp_cursor_free(c);
  bp_trace_unref(t);
  return any;
}

static void test_traces(void **state)
{
  (void)state;
  uint32_t any = 0;
  for (uint32_t i = 0; i < MIXED_REACHABLE; i++) {
    bp_query *q = open_query(mixed_reachable[i], ALONE);
    assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
    any += any_trace(q, 0, NULL);
    bp_query_unref(q);
  }
  print_message("%u of %u need not be shortest ones\n", any, (uint32_t)MIXED_REACHABLE);
  if (BPI_LOCALIZE_FROM) assert_true(any >= MIXED_REACHABLE / 2); /* else all sets are small */
}

/* A shortest one is one, whoever found the target, and so is any where nothing was looked for backwards. */
static void test_shortest(void **state)
{
  (void)state;
  const bp_trace_options shortest = {.size = sizeof shortest, .shortest = 1};
  bp_query *q = open_query("  if (still | !x0) then BAD: skip; fi\n", ALONE);
  assert_false(any_trace(q, 0, &shortest));
  bp_query_unref(q);
  q = open_query("  if (still | !x0) then BAD: skip; fi\n", ALONE | BP_ENGINE_EXECUTE);
  assert_false(any_trace(q, 0, NULL));
  bp_query_unref(q);
}

/* The target is passed three times before its condition holds. */
static void test_condition(void **state)
{
  (void)state;
  bp_query *q = open_query(
      "  x1, x2, x3 := 0, 0, 0;\n  while (*) do\n    BAD: x2 := x2 ^ x1;\n    x1 := !x1;\n"
      "    mix();\n  od\n",
      ALONE);
  assert_int_equal(bp_query_add(q, "BAD", "x1 & x2 & !x3"), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 1), BP_REACHABLE);
  const bool any = any_trace(q, 1, NULL);
  if (BPI_LOCALIZE_FROM) assert_true(any);
  bp_query_unref(q);
}

static bpi_path *path_of(bp_query *q, bpi_ways *ways)
{
  assert_int_equal(bpi_query_begin(q), BP_OK);
  assert_true(bpi_query_ready(q, q->engine));
  return bpi_executions_path(q, 0, WORK, ways);
}

/* Whether relations would do or not. */
static void check_path(bp_query *q)
{
  bpi_ways ways = {{0}};
  bpi_path *path = path_of(q, &ways);
  assert_non_null(path);
  uint32_t calls = 0;
  for (uint32_t i = 0; i < path->steps.count; i++)
    calls += path->steps.at[i].kind == BPI_STEP_CALLS;
  assert_int_equal(path->by_contexts, calls != 0);
  for (uint32_t w = 0; w < ways.list.count; w++) {
    assert_int_equal(ways.list.at[w].key[bpi_key_words(q->engine) - 1],
                     w + 1); /* none is another's */
    for (uint32_t i = 0; i < ways.list.at[w].path->steps.count; i++)
      calls += ways.list.at[w].path->steps.at[i].kind == BPI_STEP_CALLS;
  }
  assert_int_equal(calls, ways.list.count);
  assert_int_equal(path->steps.at[path->steps.count - 1].vertex, q->targets.at[0].vertex);
  bpi_path_unref(path);
  bpi_ways_clear(&ways);
  bpi_query_end(q);
}

static void test_random(void **state)
{
  (void)state;
  uint32_t reached = 0;
  for (uint32_t seed = 0; seed < TAILS; seed++) {
    draft t = draft_begin(1000 + seed);
    put_mixed_tail(&t);
    bp_query *q = open_query(t.start, ALONE);
    free(t.start);
    if (bp_query_verdict(q, 0) == BP_REACHABLE) {
      reached++;
      check_path(q);
      any_trace(q, 0, NULL);
    }
    bp_query_unref(q);
  }
  print_message("%u of %u reachable\n", reached, TAILS);
  assert_true(reached > TAILS / 4);
}

/* Stopped anywhere it is looked for anew, and found with limits that are wide enough. */
static void test_steps(void **state)
{
  (void)state;
  bp_query *q = open_query(mixed_reachable[2], ALONE);
  bp_limits limits = {.size = sizeof limits};
  bp_status status = BP_E_LIMIT;
  uint32_t stops = 0;
  for (uint64_t more = 1; status == BP_E_LIMIT; more = more * 3 / 2 + 1) {
    bp_trace *t = NULL;
    limits.steps = stats_of(q).steps + more;
    assert_int_equal(bp_query_set_limits(q, &limits), BP_OK);
    status = bp_trace_new(&t, q, 0, NULL);
    stops += status == BP_E_LIMIT;
    assert_int_equal(t != NULL, status == BP_OK);
    bp_trace_unref(t);
  }
  assert_int_equal(status, BP_OK);
  assert_true(stops > 3);
  bp_query_unref(q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_traces),    cmocka_unit_test(test_shortest),
      cmocka_unit_test(test_condition), cmocka_unit_test(test_random),
      cmocka_unit_test(test_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
