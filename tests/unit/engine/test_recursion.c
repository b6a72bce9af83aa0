/* SPDX-License-Identifier: MIT
 * Recursive procedures whose relation is too large: p and q start equal and change by the same values of
 * other variables, which mix in the loops of two procedures that call each other. */
#include "asked.h"
#include "engine/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <bp/trace.h>
#include <cmocka.h>

enum { OTHERS = 14, STATEMENTS = 14 };

static void put_loop(draft *t, const char *callee)
{
  static const char *const operators[] = {"&", "|", "^", "="};
  put(t, "  while (*) do\n");
  for (uint32_t i = 0; i < STATEMENTS; i++) {
    const uint32_t to = pick(t, OTHERS), near = pick(t, 7), far = pick(t, 7), way = pick(t, 8);
    put(t, "    x%u := x%u %s %sx%u;\n", to, (to + near + OTHERS - 3) % OTHERS, operators[way % 4],
        way < 4 ? "" : "!", (to + far + OTHERS - 3) % OTHERS);
  }
  const uint32_t both = pick(t, OTHERS);
  put(t, "    p, q := p ^ x%u, q ^ x%u;\n    if (*) then %s(); fi\n  od\n", both, both, callee);
}

/* `flip`: p changes once alone, inside. */
static char *program_text(bool flip)
{
  draft t = draft_begin(5);
  put(&t, "decl p, q");
  for (uint32_t i = 0; i < OTHERS; i++)
    put(&t, ", x%u", i);
  put(&t, ";\nvoid first() begin\n");
  put_loop(&t, "first");
  put_loop(&t, "second");
  put(&t, "end\nvoid second() begin\n");
  put_loop(&t, "first");
  if (flip) put(&t, "  if (x0 & !x1) then p := !p; fi\n");
  put_loop(&t, "first");
  put(&t, "end\nvoid main() begin\n  p, q := 0, 0;\n");
  for (uint32_t i = 0; i < OTHERS; i++)
    put(&t, "  x%u := %u;\n", i, i % 3 == 0);
  put(&t, "  first();\n  if (p != q) then BAD: skip; fi\nend\n");
  return t.start;
}

/* Calls with many contexts, of which a call that is looked into from one state wants other ones. */
static const char many_contexts[] =
    "decl a := 0, b := 1, c := 1, d, e := 1, f := 0, g := 1, h := 0, i := 0, j := 0;\n"
    "bool<2> p(x, y) begin\n"
    "  if (*) then i, b := p(*, *); fi\n"
    "  if (*) then f := q(*); fi\n"
    "  if (*) then q(*); fi\n"
    "  if (0 & !x) then skip; fi\n"
    "  return f, *;\n"
    "end\n"
    "bool q(x) begin\n"
    "  g, c, h := 0, ((0 = d) | *), *;\n"
    "  p(0, 0);\n"
    "  e, a := p(*, *);\n"
    "end\n"
    "void main() begin\n"
    "  p(0, *);\n"
    "  assert((* = c) | (* & !e) | (1 ^ (f | 0)));\n"
    "  if (i) then BAD: skip; fi\n"
    "end\n";

static bp_query *open_query(bool flip, uint32_t off)
{
  char *text = program_text(flip);
  bp_query *q = ask_about(text, off | BP_ENGINE_LOCALIZE | BP_ENGINE_NARROW | BP_ENGINE_BACKWARD |
                                    BP_ENGINE_EXECUTE);
  free(text);
  return q;
}

/* The trace of the target, replayed closed and opened. */
static bp_trace *replayed(bp_query *q)
{
  bp_trace *t;
  uint64_t length;
  assert_int_equal(bp_trace_new(&t, q, 0, NULL), BP_OK);
  assert_int_equal(bp_trace_length(t, &length), BP_OK);
  assert_true(length >= bp_trace_hierarchical_length(t));
  assert_int_equal(bp_trace_replay(t, 0), BP_OK);
  assert_int_equal(bp_trace_replay(t, BP_NONE), BP_OK);
  return t;
}

static void test_unreachable(void **state)
{
  (void)state;
  bp_query *q = open_query(false, 0);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
  assert_int_not_equal(q->recursion.depth, 0);
  assert_true(q->recursion.above.off);
  bp_query_unref(q);
}

static void test_reachable(void **state)
{
  (void)state;
  bp_query *q = open_query(true, 0);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  assert_int_not_equal(q->targets.at[0].depth, 0);
  assert_non_null(q->recursion.below.engine);
  bp_query_unref(q);
}

/* A new target forgets the explorations; the trace of the old one is found all the same. */
static void test_trace(void **state)
{
  (void)state;
  bp_query *q = open_query(true, 0);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_add(q, "4", NULL), BP_OK);
  assert_null(q->recursion.below.engine);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 1), BP_REACHABLE);
  bp_trace *t = replayed(q);
  assert_true(bp_trace_shallow(t));
  assert_false(bp_trace_shallow(NULL));
  bp_trace_unref(t);
  bp_query_unref(q);
}

static void test_contexts(void **state)
{
  (void)state;
  bp_query *q =
      ask_about(many_contexts, BP_ENGINE_LOCALIZE | BP_ENGINE_NARROW | BP_ENGINE_BACKWARD);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  bp_trace_unref(replayed(q));
  bp_query_unref(q);
}

/* Stopped again and again, wherever that falls, and going on. */
static void test_steps(void **state)
{
  (void)state;
  for (uint32_t flip = 0; flip < 2; flip++)
    for (uint32_t stride = 40; stride < 1000; stride *= 4) {
      bp_query *q = open_query(flip, 0);
      run_in_slices(q, stride, 1000000);
      assert_int_equal(bp_query_verdict(q, 0), flip ? BP_REACHABLE : BP_UNREACHABLE);
      bp_query_unref(q);
    }
}

/* A limit of nodes that one of the two meets ends that one, not the query. */
static void test_nodes(void **state)
{
  (void)state;
  for (uint64_t nodes = 64; nodes < 40000; nodes *= 4)
    run_with_nodes(open_query(false, 0), nodes);
}

static void test_off(void **state)
{
  (void)state;
  bp_query *q = open_query(false, BP_ENGINE_RECURSION);
  const bp_limits limits = {.size = sizeof limits, .steps = 1500};
  assert_int_equal(bp_query_set_limits(q, &limits), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_null(q->recursion.above.engine);
  assert_null(q->recursion.below.engine);
  bp_query_unref(q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unreachable), cmocka_unit_test(test_reachable),
      cmocka_unit_test(test_trace),       cmocka_unit_test(test_steps),
      cmocka_unit_test(test_nodes),       cmocka_unit_test(test_contexts),
      cmocka_unit_test(test_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
