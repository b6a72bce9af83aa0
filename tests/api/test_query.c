/* SPDX-License-Identifier: MIT
 * Targets and states of a query, and what an answer keeps. */
#include "samples.h"

static const char text[] = "decl g, h;\n"                                   /* 1 */
                           "void f(x) begin L: g := x; M: assert(g); end\n" /* 2 */
                           "void main() begin\n"                            /* 3 */
                           "  decl a;\n"                                    /* 4 */
                           "  g, h := 0, 1;\n"                              /* 5 */
                           "  L: f(a);\n"                                   /* 6 */
                           "  if (a) then P: skip; else Q: skip; fi\n"      /* 7 */
                           "  f(1); abortif(!h);\n"                         /* 8 */
                           "  if (!g) then NO: skip; fi\n"                  /* 9 */
                           "end\n";

static void run(bp_query *q)
{
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_state_of(q), BP_QUERY_DONE);
  assert_int_equal(bp_query_reason(q), BP_REASON_NONE);
}

static void test_states(void **state)
{
  (void)state;
  handles h;
  handles_open(&h, text, 0);
  assert_int_equal(bp_query_state_of(h.q), BP_QUERY_NEW);
  assert_int_equal(bp_query_reason(h.q), BP_REASON_NOT_RUN);
  assert_int_equal(bp_query_run(h.q), BP_E_STATE);
  assert_int_equal(bp_query_add(h.q, "P", NULL), BP_OK);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_UNDECIDED);
  bp_trace *trace;
  assert_int_equal(bp_trace_new(&trace, h.q, 0, NULL), BP_E_STATE);
  run(h.q);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  assert_int_equal(bp_query_set_init(h.q, "1"), BP_E_STATE);
  /* Added afterwards: new again, and what was found is kept. */
  assert_int_equal(bp_query_add(h.q, "NO", NULL), BP_OK);
  assert_int_equal(bp_query_state_of(h.q), BP_QUERY_NEW);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  assert_int_equal(bp_query_verdict(h.q, 1), BP_UNDECIDED);
  assert_int_equal(bp_query_set_init(h.q, "a"), BP_E_STATE);
  const bp_limits one = {.size = sizeof one, .steps = steps_of(h.q) + 1};
  assert_int_equal(bp_query_set_limits(h.q, &one), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(bp_query_state_of(h.q), BP_QUERY_UNDECIDED);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  assert_int_equal(bp_query_set_limits(h.q, NULL), BP_OK);
  run(h.q);
  assert_int_equal(bp_query_verdict(h.q, 1), BP_UNREACHABLE);
  /* Running a finished query does nothing. */
  const uint64_t steps = steps_of(h.q);
  run(h.q);
  assert_int_equal(steps_of(h.q), steps);
  assert_int_equal(bp_query_target_count(h.q), 2);
  assert_int_equal(bp_query_verdict(h.q, 2), BP_UNDECIDED);
  handles_close(&h);
}

/* A trace of what is known to be reached, whatever happened to the query since. */
static void test_trace_after_add(void **state)
{
  (void)state;
  handles h;
  bp_trace *trace, *early;
  uint64_t length;
  handles_open(&h, text, 0);
  assert_int_equal(bp_query_add(h.q, "P", NULL), BP_OK);
  run(h.q);
  assert_int_equal(bp_trace_new(&early, h.q, 0, NULL), BP_OK);
  assert_int_equal(bp_query_add(h.q, "NO", NULL), BP_OK);
  const bp_status status = bp_trace_new(&trace, h.q, 0, NULL);
  assert_int_equal(status, BP_OK);
  assert_int_equal(bp_trace_length(trace, &length), BP_OK);
  assert_int_equal(length, 6);
  assert_int_equal(bp_trace_replay(trace, BP_NONE), BP_OK);
  run(h.q);
  assert_int_equal(bp_query_verdict(h.q, 1), BP_UNREACHABLE);
  assert_int_equal(bp_trace_length(early, &length), BP_OK);
  assert_int_equal(length, 6);
  assert_int_equal(bp_trace_replay(early, BP_NONE), BP_OK);
  bp_trace_unref(trace);
  bp_trace_unref(early);
  handles_close(&h);
}

/* A trace that is looked into late, when the list of targets has long grown. */
static void test_late_looks(void **state)
{
  (void)state;
  for (int shortest = 0; shortest < 2; shortest++) {
    handles h;
    bp_trace *trace;
    uint64_t length;
    const bp_trace_options options = {.size = sizeof options, .shortest = shortest};
    handles_open(&h, text, 0);
    assert_int_equal(bp_query_add(h.q, "P", NULL), BP_OK);
    run(h.q);
    assert_int_equal(bp_trace_new(&trace, h.q, 0, &options), BP_OK);
    for (int i = 0; i < 100; i++)
      assert_int_equal(bp_query_add(h.q, i % 2 ? "NO" : "L", "g & h"), BP_OK);
    assert_int_equal(bp_trace_length(trace, &length), BP_OK);
    assert_int_equal(length, 6);
    assert_int_equal(bp_trace_replay(trace, BP_NONE), BP_OK);
    bp_query_unref(h.q); /* the trace keeps the query */
    h.q = NULL;
    assert_int_equal(bp_trace_replay(trace, BP_NONE), BP_OK);
    bp_trace_unref(trace);
    handles_close(&h);
  }
}

/* Several targets cost what the dearest of them costs, without looks back from each. */
static void test_share(void **state)
{
  (void)state;
  handles h;
  handles_open(&h, text, BP_ENGINE_CONE | BP_ENGINE_EARLY | BP_ENGINE_BACKWARD | BP_ENGINE_EXECUTE);
  assert_int_equal(bp_query_add(h.q, "NO", NULL), BP_OK);
  run(h.q);
  const uint64_t one = steps_of(h.q);
  handles_close(&h);
  handles_open(&h, text, BP_ENGINE_CONE | BP_ENGINE_EARLY | BP_ENGINE_BACKWARD | BP_ENGINE_EXECUTE);
  for (int i = 0; i < 50; i++)
    assert_int_equal(bp_query_add(h.q, "NO", NULL), BP_OK);
  run(h.q);
  assert_int_equal(steps_of(h.q), one);
  handles_close(&h);
}

typedef struct expected {
  const char *target, *when;
  bp_verdict verdict;
} expected;

static void check(const expected *x, uint32_t count, const char *init)
{
  for (uint32_t off = 0; off <= BP_ENGINE_ALL; off += BP_ENGINE_ALL) {
    handles h;
    handles_open(&h, text, off);
    if (init) assert_int_equal(bp_query_set_init(h.q, init), BP_OK);
    for (uint32_t i = 0; i < count; i++)
      if (bp_query_add(h.q, x[i].target, x[i].when) != BP_OK) fail_msg("%s", x[i].target);
    run(h.q);
    for (uint32_t i = 0; i < count; i++) {
      if (bp_query_verdict(h.q, i) != x[i].verdict)
        fail_msg("%s when %s: %s", x[i].target, x[i].when ? x[i].when : "ever",
                 bp_verdict_name(bp_query_verdict(h.q, i)));
      if (x[i].verdict != BP_REACHABLE) continue;
      bp_trace *trace;
      assert_int_equal(bp_trace_new(&trace, h.q, i, NULL), BP_OK);
      assert_int_equal(bp_trace_replay(trace, BP_NONE), BP_OK);
      bp_trace_unref(trace);
    }
    handles_close(&h);
  }
}

static void test_targets(void **state)
{
  (void)state;
  static const expected x[] = {
      {"L", NULL, BP_REACHABLE},
      {"f:L", NULL, BP_REACHABLE},
      {"main:L", "!g", BP_REACHABLE},
      {"main:L", "g", BP_UNREACHABLE},
      {"label:M", "g & x", BP_REACHABLE},
      {"M", "g != x", BP_UNREACHABLE},
      {"M", "!h", BP_UNREACHABLE},
      {"7", NULL, BP_REACHABLE},
      {"main:9", NULL, BP_REACHABLE},
      {"f:2", "x", BP_REACHABLE},
      {"NO", "*", BP_UNREACHABLE},
      {"Q", "a", BP_UNREACHABLE},
      /* What fails the assertion in f never gets here. */
      {"Q", NULL, BP_UNREACHABLE},
      {"P", "schoose[a, 0]", BP_REACHABLE},
  };
  check(x, sizeof x / sizeof *x, NULL);
}

static void test_init(void **state)
{
  (void)state;
  static const expected with_a[] = {{"P", NULL, BP_REACHABLE}, {"M", "!g", BP_UNREACHABLE}};
  static const expected without[] = {{"P", NULL, BP_UNREACHABLE}, {"M", "!g", BP_REACHABLE}};
  static const expected none[] = {{"main:5", NULL, BP_UNREACHABLE}};
  check(with_a, 2, "a");
  check(without, 2, "!a & g & !h");
  check(none, 1, "a & !a");
}

static void test_refused_targets(void **state)
{
  (void)state;
  handles h;
  handles_open(&h, text, 0);
  static const char *const wrong[] = {
      "NOWHERE", "f:P", "nobody:L", "nobody:2", "4", "99", "f:7", "0", "99999999999999999999",
      "",        ":",   "label:",   "f:"};
  for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    if (bp_query_add(h.q, wrong[i], NULL) != BP_E_INPUT) fail_msg("%s", wrong[i]);
    assert_true(bp_context_error_count(h.ctx) > 0);
  }
  static const char *const conditions[] = {"", "g &", "nobody", "x", "'g", "g := 1", "g;", "(g"};
  for (uint32_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
    if (bp_query_add(h.q, "P", conditions[i]) != BP_E_INPUT) fail_msg("%s", conditions[i]);
  /* In scope at one of the places only. */
  assert_int_equal(bp_query_add(h.q, "L", "x"), BP_E_INPUT);
  assert_int_equal(bp_query_add_vertex(h.q, BP_NONE, NULL), BP_E_INVALID);
  assert_int_equal(bp_query_set_init(h.q, "x"), BP_E_INPUT);
  assert_int_equal(bp_query_target_count(h.q), 0);
  assert_int_equal(bp_query_add_line(h.q, "main", 7, NULL), BP_OK);
  run(h.q);
  handles_close(&h);
}

static void test_asserts(void **state)
{
  (void)state;
  handles h;
  handles_open(&h, text, 0);
  assert_int_equal(bp_query_add_asserts(h.q), BP_OK);
  assert_int_equal(bp_query_target_count(h.q), 2);
  run(h.q);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  assert_int_equal(bp_query_verdict(h.q, 1), BP_UNREACHABLE);
  handles_close(&h);
}

/* An answer outlives everything it came from. */
static void test_answer(void **state)
{
  (void)state;
  handles h;
  bp_answer *answer;
  handles_open(&h, text, 0);
  assert_int_equal(bp_query_add(h.q, "f:L", NULL), BP_OK);
  assert_int_equal(bp_query_add_line(h.q, "main", 7, NULL), BP_OK);
  assert_int_equal(bp_query_add_vertex(h.q, vertex_of_label(&h, "NO"), NULL), BP_OK);
  assert_int_equal(bp_query_add_asserts(h.q), BP_OK);
  bp_answer *before;
  assert_int_equal(bp_query_answer(&before, h.q), BP_OK);
  run(h.q);
  assert_int_equal(bp_query_answer(&answer, h.q), BP_OK);
  handles_close(&h);
  assert_int_equal(bp_answer_verdict(before, 0), BP_UNDECIDED);
  assert_int_equal(bp_answer_reason(before, 0), BP_REASON_NOT_RUN);
  bp_answer_unref(before);
  static const struct {
    bp_target_kind kind;
    const char *name, *proc;
    uint32_t line, column;
    bp_verdict verdict;
  } x[] = {{BP_TARGET_LABEL, "f:L", "f", 2, 20, BP_REACHABLE},
           {BP_TARGET_LINE, "main:7", "main", 7, 3, BP_REACHABLE},
           {BP_TARGET_VERTEX, NULL, "main", 9, 20, BP_UNREACHABLE},
           {BP_TARGET_ASSERT, "assert", "f", 2, 31, BP_REACHABLE},
           {BP_TARGET_ASSERT, "assert", "main", 8, 9, BP_UNREACHABLE}};
  assert_int_equal(bp_answer_target_count(answer), 5);
  for (uint32_t i = 0; i < 5; i++) {
    assert_int_equal(bp_answer_target_kind(answer, i), x[i].kind);
    if (x[i].name) assert_string_equal(bp_answer_target_name(answer, i), x[i].name);
    assert_string_equal(bp_answer_target_proc(answer, i), x[i].proc);
    assert_int_equal(bp_answer_target_line(answer, i), x[i].line);
    assert_int_equal(bp_answer_target_column(answer, i), x[i].column);
    assert_int_equal(bp_answer_verdict(answer, i), x[i].verdict);
    assert_int_equal(bp_answer_reason(answer, i), BP_REASON_NONE);
    assert_int_equal(bp_answer_target_origin(answer, i), 0);
  }
  bp_stats stats = {.size = sizeof stats};
  assert_int_equal(bp_answer_stats(answer, &stats), BP_OK);
  assert_true(stats.steps > 0 && stats.peak_nodes > 0 && stats.bdd_vars > 0);
  assert_true(stats.cfg_vertices > 10 && stats.cfg_edges > 10);
  stats.size = 3;
  assert_int_equal(bp_answer_stats(answer, &stats), BP_E_INVALID);
  bp_answer_unref(answer);
}

static uint64_t steps_to(const char *label, uint32_t off)
{
  handles h;
  handles_open(
      &h,
      "decl a, b, c; void main() begin\n"
      "while (*) do if (*) then R: skip; fi; a := b; b := c; c := a; a := b; b := c; od end",
      off);
  assert_int_equal(bp_query_add(h.q, label, NULL), BP_OK);
  run(h.q);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  const uint64_t steps = steps_of(h.q);
  handles_close(&h);
  return steps;
}

/* The run ends where the last target is hit, not when all that was begun is done. */
static void test_early(void **state)
{
  (void)state;
  const uint32_t off = BP_ENGINE_EXECUTE; /* which finds it either way */
  assert_true(2 * steps_to("R", off) < steps_to("R", off | BP_ENGINE_EARLY));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_states),          cmocka_unit_test(test_trace_after_add),
      cmocka_unit_test(test_late_looks),      cmocka_unit_test(test_share),
      cmocka_unit_test(test_targets),         cmocka_unit_test(test_init),
      cmocka_unit_test(test_refused_targets), cmocka_unit_test(test_asserts),
      cmocka_unit_test(test_answer),          cmocka_unit_test(test_early),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
