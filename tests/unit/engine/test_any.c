/* SPDX-License-Identifier: MIT
 * Traces that need not be shortest ones: among what the exploration knows when it reaches the target. */
#include "asked.h"
#include "engine/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <bp/trace.h>
#include <cmocka.h>

enum { OTHERS = 14, PROCS = 10, STATEMENTS = 5, TARGETS = 2, RELATED = 10 };

/* Procedures that change much and call each other downwards; the last ones break the protocol of a lock, one in each
 * branch: by calls with `held` or without. */
static char *program_text(void)
{
  draft t = draft_begin(3);
  put(&t, "decl held := 0, x0");
  for (uint32_t i = 1; i < OTHERS; i++)
    put(&t, ", x%u", i);
  put(&t, ";\nvoid main() begin\n  held := 0;\n  p0();\n  p1();\nend\n");
  for (uint32_t p = 0; p < PROCS; p++) {
    put(&t, "void p%u() begin\n", p);
    for (uint32_t i = 0; i < STATEMENTS; i++) {
      const uint32_t to = pick(&t, OTHERS), from = pick(&t, OTHERS), other = pick(&t, OTHERS);
      put(&t, "  if (x%u) then x%u := x%u %s x%u; else x%u := *; fi\n", from, to, other,
          i % 2 ? "^" : "&", from, other);
    }
    if (p + 1 < PROCS) {
      const uint32_t far = p + 1 + pick(&t, PROCS - p - 1);
      put(&t, "  if (x%u) then p%u(); else p%u(); fi\n", pick(&t, OTHERS), p + 1, far);
      put(&t, "  if (!held & x%u) then held := 1; p%u(); held := 0; fi\n", p, far);
    } else {
      put(&t,
          "  if (held & x1 & !x2) then BAD: skip; fi\n  if (x3 & !held) then WORSE: skip; fi\n");
    }
    put(&t, "end\n");
  }
  return t.start;
}

static const bp_trace_options any = {.size = sizeof any, .any = 1};

/* A trace, replayed closed and opened, and its lengths. */
static bp_trace *replayed(bp_query *q, uint32_t target, const bp_trace_options *options,
                          uint64_t lengths[2])
{
  bp_trace *t;
  assert_int_equal(bp_trace_new(&t, q, target, options), BP_OK);
  lengths[0] = bp_trace_hierarchical_length(t);
  assert_int_equal(bp_trace_length(t, &lengths[1]), BP_OK);
  assert_int_equal(bp_trace_replay(t, 0), BP_OK);
  assert_int_equal(bp_trace_replay(t, 1), BP_OK);
  if (lengths[1] < 10000) assert_int_equal(bp_trace_replay(t, BP_NONE), BP_OK);
  return t;
}

/* What is found backwards has traces of its own, test_follow.c. */
static bp_query *open_query(uint32_t off)
{
  char *text = program_text();
  bp_query *q = ask_about(text, off | BP_ENGINE_EXECUTE);
  free(text);
  assert_int_equal(bp_query_add(q, "WORSE", NULL), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  for (uint32_t target = 0; target < TARGETS; target++)
    assert_int_equal(bp_query_verdict(q, target), BP_REACHABLE);
  return q;
}

static uint64_t images(const bp_query *q)
{
  return bpi_query_steps(q, NULL);
}

/* Sooner, and not shorter; one after the other, and after targets were added. */
static void test_targets(void **state)
{
  (void)state;
  bp_query *q = open_query(0);
  assert_non_null(q->engine->singles);
  uint64_t sooner = 0, later = 0;
  for (uint32_t target = 0; target < TARGETS; target++) {
    uint64_t of_any[2], least[2];
    const uint64_t before = images(q);
    bp_trace *t = replayed(q, target, &any, of_any);
    assert_true(bp_trace_any(t));
    assert_false(bp_trace_pinned(t));
    bp_trace_unref(t);
    const uint64_t between = images(q);
    assert_true(between > before);
    t = replayed(q, target, NULL, least);
    assert_false(bp_trace_any(t));
    bp_trace_unref(t);
    assert_true(of_any[0] >= least[0]);
    sooner += between - before;
    later += images(q) - between;
  }
  assert_true(sooner < later);
  assert_non_null(q->known);
  const uint64_t before = images(q);
  assert_int_equal(bp_query_add(q, "main:4", NULL), BP_OK);
  assert_null(q->known);
  assert_true(images(q) >= before);
  uint64_t lengths[2];
  bp_trace *t = replayed(q, 0, &any, lengths);
  assert_true(bp_trace_any(t));
  bp_trace_unref(t);
  bp_query_unref(q);
}

/* What the exploration for the verdicts knows is enough where it has the relations. */
static void test_same_exploration(void **state)
{
  (void)state;
  bp_query *q = open_query(BP_ENGINE_CONTEXT | BP_ENGINE_LOCALIZE | BP_ENGINE_BACKWARD |
                           BP_ENGINE_RECURSION | BP_ENGINE_NARROW | BP_ENGINE_EXECUTE);
  for (uint32_t target = 0; target < TARGETS; target++) {
    uint64_t lengths[2];
    bp_trace *t = replayed(q, target, &any, lengths);
    assert_true(bp_trace_any(t));
    assert_null(q->known);
    bp_trace_unref(t);
  }
  bp_query_unref(q);
}

/* An odd number of changes on the way down, an even one on the way back, and any depth. */
static void test_recursion(void **state)
{
  (void)state;
  bp_query *q = ask_about("decl a := 0, b := 0, deep := 0;\n"
                          "void down() begin\n"
                          "  a := !a;\n"
                          "  if (*) then down(); b := b ^ a; else deep := *; fi\n"
                          "  a := a ^ b;\n"
                          "end\n"
                          "void main() begin\n"
                          "  down();\n"
                          "  down();\n"
                          "  if (a & b & deep) then BAD: skip; fi\n"
                          "end\n",
                          0);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  uint64_t of_any[2], least[2];
  bp_trace *t = replayed(q, 0, &any, of_any);
  assert_true(bp_trace_any(t));
  bp_trace_unref(t);
  bp_trace_unref(replayed(q, 0, NULL, least));
  assert_true(of_any[0] >= least[0]);
  bp_query_unref(q);
}

/* Stopped at every number of images; the trace comes all the same. */
static void test_limits(void **state)
{
  (void)state;
  bp_query *q = open_query(0);
  bp_status status = BP_E_LIMIT;
  for (uint32_t more = 1; status == BP_E_LIMIT; more *= 2) {
    const bp_limits limits = {.size = sizeof limits, .steps = images(q) + more};
    bp_trace *t;
    assert_int_equal(bp_query_set_limits(q, &limits), BP_OK);
    status = bp_trace_new(&t, q, 0, &any);
    assert_true(status == BP_OK || bp_query_reason(q) == BP_REASON_STEPS);
    if (status == BP_OK) assert_true(bp_trace_any(t));
    bp_trace_unref(t);
  }
  assert_int_equal(status, BP_OK);
  bp_query_cancel(q);
  bp_trace *t;
  assert_int_equal(bp_trace_new(&t, q, 1, &any), BP_E_LIMIT);
  assert_int_equal(bp_query_reason(q), BP_REASON_CANCELLED);
  bp_query_unref(q);
}

/* A procedure that changes ten variables in a way easily related, and `others` that mix in a loop. */
static char *mixing_text(uint32_t others, bool asked)
{
  draft t = draft_begin(7);
  put(&t, "decl r0");
  for (uint32_t i = 1; i < RELATED; i++)
    put(&t, ", r%u", i);
  for (uint32_t i = 0; i < others; i++)
    put(&t, ", x%u", i);
  put(&t, ";\nvoid work(a) begin\n  while (*) do\n    r0");
  for (uint32_t i = 1; i < RELATED; i++)
    put(&t, ", r%u", i);
  for (uint32_t i = 0; i < RELATED; i++)
    put(&t, "%s r%u ^ (r%u & a)", i ? "," : " :=", (i + 1) % RELATED, (i + 2) % RELATED);
  put(&t, ";\n");
  for (uint32_t i = 0; i < 2 * others; i++) {
    const uint32_t to = pick(&t, others), one = pick(&t, others), two = pick(&t, others);
    put(&t, "    x%u := x%u & (x%u ^ x%u) | !x%u & x%u;\n", to, one, two, pick(&t, others), two,
        (to + 7) % others);
  }
  put(&t, "  od\nend\nvoid main() begin\n  work(*);\n  if (r3) then skip; fi\n  work(*);\n");
  if (asked) {
    put(&t, "  if (x0 & !x1) then BAD: skip; fi\n  if (x1 & !x2) then WORSE: skip; fi\n"
            "  if (x2 & !x3) then WORST: skip; fi\nend\n");
  } else {
    put(&t, "  if (r0 & r1 & !r2 & r3 & r4 & r5 & r6 & r7) then BAD: skip; fi\nend\n");
  }
  return t.start;
}

/* The values of everything, for which the relations may be too large where that for the trace was not. */
static void test_values(void **state)
{
  (void)state;
  char *text = mixing_text(30, false);
  bp_query *q = ask_about(text, 0);
  free(text);
  assert_int_equal(bp_query_run(q), BP_OK);
  bp_trace *t;
  bp_cursor *c;
  assert_int_equal(bp_trace_new(&t, q, 0, &any), BP_OK);
  assert_true(bp_trace_any(t));
  assert_non_null(q->engine->singles);
  assert_int_equal(bp_cursor_new(&c, t), BP_OK);
  bp_value value = BP_ANY;
  while (bp_cursor_next(c) == BP_OK)
    assert_int_equal(bp_cursor_value(c, 0, &value), BP_OK);
  assert_int_equal(value, BP_TRUE); /* r0 */
  assert_true(bp_trace_pinned(t));
  bp_cursor_free(c);
  bp_trace_unref(t);
  bp_query_unref(q);
}

/* Where the relations are too large for the trace itself: as without, and not tried for ever. */
static void test_lost(void **state)
{
  (void)state;
  char *text = mixing_text(30, true);
  bp_query *q = ask_about(text, BP_ENGINE_EXECUTE);
  free(text);
  assert_int_equal(bp_query_add(q, "WORSE", NULL), BP_OK);
  assert_int_equal(bp_query_add(q, "WORST", NULL), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  for (uint32_t target = 0; target < 3; target++) {
    bp_trace *t;
    assert_int_equal(bp_query_verdict(q, target), BP_REACHABLE);
    assert_int_equal(bp_trace_new(&t, q, target, &any), BP_OK);
    assert_int_equal(bp_query_reason(q), BP_REASON_NONE);
    assert_int_equal(bp_context_diagnostic_count(q->ctx), 0);
    assert_false(bp_trace_any(t));
    assert_int_equal(q->lost, target < 2 ? target + 1 : 2);
    bp_trace_unref(t);
  }
  bp_query_unref(q);
}

/* The images of a trace's own exploration count, also when the query has let go of it. */
static void test_retired(void **state)
{
  (void)state;
  bp_query *q = open_query(0);
  bp_trace *first, *second;
  uint64_t length;
  assert_int_equal(bp_trace_new(&first, q, 0, &any), BP_OK);
  bpi_engine *e = q->known;
  assert_int_equal(bp_trace_new(&second, q, 1, &any), BP_OK);
  assert_ptr_not_equal(q->known, e);
  assert_true(e->retired);
  const uint64_t before = images(q), had = e->steps;
  const bp_limits limits = {.size = sizeof limits, .steps = before + 1};
  assert_int_equal(bp_query_set_limits(q, &limits), BP_OK);
  assert_int_equal(bp_trace_length(first, &length), BP_E_LIMIT);
  assert_true(e->steps <= had + 64);
  assert_int_equal(bp_query_set_limits(q, NULL), BP_OK);
  assert_int_equal(bp_trace_length(first, &length), BP_OK);
  const uint64_t more = e->steps - had;
  assert_true(more > 0);
  bp_trace_unref(first);
  assert_true(images(q) == before + more);
  bp_trace_unref(second);
  bp_query_unref(q);
}

/* Once found, the exploration is there for the next trace of that target. */
static void test_again(void **state)
{
  (void)state;
  bp_query *q = open_query(0);
  uint64_t lengths[2];
  bp_trace_unref(replayed(q, 0, &any, lengths));
  const bpi_engine *e = q->known;
  assert_non_null(e);
  bp_trace_unref(replayed(q, 0, &any, lengths));
  assert_ptr_equal(q->known, e);
  bp_query_unref(q);
}

static int swallow(void *user, const char *bytes, size_t len)
{
  (void)user, (void)bytes, (void)len;
  return 0;
}

static void test_options(void **state)
{
  const bp_trace_options both = {.size = sizeof both, .any = 1, .shortest = 1};
  const bp_json_options json = {.size = sizeof json, .any = 1, .shortest = 1};
  const bp_sink sink = {.size = sizeof sink, .write = swallow};
  bp_trace *t;
  (void)state;
  bp_query *q = open_query(0);
  assert_int_equal(bp_trace_new(&t, q, 0, &both), BP_E_INVALID);
  assert_null(t);
  assert_int_equal(bp_query_write_json(q, &sink, &json), BP_E_INVALID);
  assert_false(bp_trace_any(NULL));
  bp_query_unref(q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_targets),   cmocka_unit_test(test_same_exploration),
      cmocka_unit_test(test_recursion), cmocka_unit_test(test_limits),
      cmocka_unit_test(test_values),    cmocka_unit_test(test_lost),
      cmocka_unit_test(test_retired),   cmocka_unit_test(test_again),
      cmocka_unit_test(test_options),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
