/* SPDX-License-Identifier: MIT
 * Localization: p and q start equal and change by the same values of dozens of other variables, whose
 * sets grow large. Tracking p and q alone is enough to see that they stay equal. */
#include "asked.h"
#include "engine/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { OTHERS = 22, ROUNDS = 4 };

static uint32_t other(draft *t)
{
  return pick(t, OTHERS);
}

/* One assignment to all variables. */
static void put_round(draft *t)
{
  static const char *const operators[] = {"&", "|", "^", "="};
  const uint32_t a = other(t), b = other(t);
  put(t, "    p, q");
  for (uint32_t i = 0; i < OTHERS; i++)
    put(t, ", x%u", i);
  put(t, " := p ^ (x%u | !x%u), q ^ (x%u | !x%u)", a, b, a, b);
  for (uint32_t i = 0; i < OTHERS; i++) {
    const uint32_t left = other(t), right = other(t), way = other(t);
    put(t, ", x%u %s %sx%u", left, operators[way % 4], way % 3 ? "" : "!", right);
  }
  put(t, ";\n    x%u := *;\n", other(t));
}

/* Every variable gets the value of another one somewhere. */
static void put_copies(draft *t)
{
  for (uint32_t i = 0; i < OTHERS; i++)
    put(t, "    if (x%u) then x%u := x%u; fi\n", other(t), i, (i + 1) % OTHERS);
}

typedef enum way {
  SAFE,
  FLIPS,       /* p changes once alone: reachable */
  CONTRADICTS, /* what is wanted of x1 and x2 contradicts the last assignment, and copies tie all */
} way;

static char *program_text(way how)
{
  draft t = draft_begin(7);
  put(&t, "decl p, q");
  for (uint32_t i = 0; i < OTHERS; i++)
    put(&t, ", x%u", i);
  put(&t, ";\nvoid main() begin\n  p := q;\n");
  for (uint32_t i = 0; i < OTHERS; i += 2)
    put(&t, "  x%u := 0;\n", i);
  put(&t, "  while (*) do\n");
  for (uint32_t i = 0; i < ROUNDS; i++)
    put_round(&t);
  if (how == CONTRADICTS) put_copies(&t);
  put(&t, "  od\n");
  if (how == FLIPS) put(&t, "  if (x0 | x1) then p := !p; fi\n");
  if (how == CONTRADICTS) put(&t, "  x1, x3 := x2, !x4;\n  x5 := x6;\n");
  put(&t, "  if (%s) then BAD: skip; fi\nend\n", how == CONTRADICTS ? "x1 & !x2" : "p != q");
  return t.start;
}

static bp_query *open_query(way how, uint32_t off)
{
  char *text = program_text(how);
  bp_query *q = ask_about(text, off | BP_ENGINE_BACKWARD | BP_ENGINE_EXECUTE);
  free(text);
  return q;
}

/* With localization far fewer nodes are needed. */
static void compare(way how)
{
  bp_query *with = open_query(how, 0), *without = open_query(how, BP_ENGINE_LOCALIZE);
  assert_int_equal(bp_query_run(with), BP_OK);
  assert_int_equal(bp_query_run(without), BP_OK);
  assert_int_equal(bp_query_verdict(with, 0), BP_UNREACHABLE);
  assert_int_equal(bp_query_verdict(without, 0), BP_UNREACHABLE);
  assert_non_null(with->local.distance);
  assert_null(without->local.distance);
  const uint64_t few = stats_of(with).peak_nodes, many = stats_of(without).peak_nodes;
  print_message("peak nodes: %lu with, %lu without\n", (unsigned long)few, (unsigned long)many);
  assert_true(2 * few < many);
  bp_query_unref(with);
  bp_query_unref(without);
}

static void test_unreachable(void **state)
{
  (void)state;
  compare(SAFE);
}

static void test_contradiction(void **state)
{
  (void)state;
  compare(CONTRADICTS);
}

static void test_reachable(void **state)
{
  (void)state;
  bp_query *q = open_query(FLIPS, 0);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  bp_query_unref(q);
}

/* Stopped at every few images, wherever these fall, and going on. */
static void test_steps(void **state)
{
  (void)state;
  for (uint32_t stride = 1; stride < 20; stride += 3) {
    bp_query *q = open_query(SAFE, 0);
    run_in_slices(q, stride, 10000);
    assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
    bp_query_unref(q);
  }
}

/* A limit of nodes that a level meets ends that level, not the query. */
static void test_nodes(void **state)
{
  (void)state;
  for (uint64_t nodes = 16; nodes < 40000; nodes *= 2)
    run_with_nodes(open_query(SAFE, 0), nodes);
}

static bp_progress_answer stop(uint64_t steps, uint64_t live, void *user)
{
  (void)steps;
  (void)live;
  return --*(int *)user ? BP_CONTINUE : BP_STOP;
}

static void test_cancel(void **state)
{
  (void)state;
  bp_query *q = open_query(SAFE, 0);
  bp_query_cancel(q);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_reason(q), BP_REASON_CANCELLED);
  int calls = 1;
  bp_query_set_progress(q, stop, &calls);
  assert_int_equal(bp_query_run(q), BP_OK);
  bp_query_set_progress(q, NULL, NULL);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
  bp_query_unref(q);
}

/* Targets that come later begin anew. */
static void test_more_targets(void **state)
{
  (void)state;
  bp_query *q = open_query(SAFE, 0);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_add(q, "BAD", "!p"), BP_OK);
  assert_int_equal(bp_query_add(q, "main:3", NULL), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
  assert_int_equal(bp_query_verdict(q, 1), BP_UNREACHABLE);
  assert_int_equal(bp_query_verdict(q, 2), BP_REACHABLE);
  bp_query_unref(q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unreachable),   cmocka_unit_test(test_reachable),
      cmocka_unit_test(test_steps),         cmocka_unit_test(test_nodes),
      cmocka_unit_test(test_cancel),        cmocka_unit_test(test_more_targets),
      cmocka_unit_test(test_contradiction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
