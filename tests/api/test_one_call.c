/* SPDX-License-Identifier: MIT
 * The one-call door, in a loop that still holds earlier traces. */
#include "samples.h"

#include <stdio.h>

static bp_program *parse(bp_context *ctx, const char *text)
{
  bp_program *p;
  assert_int_equal(bp_program_parse(&p, ctx, text, strlen(text), "loop", NULL), BP_OK);
  return p;
}

static uint64_t walk(bp_trace *trace)
{
  bp_cursor *c;
  uint64_t steps = 0;
  assert_int_equal(bp_cursor_new(&c, trace), BP_OK);
  while (bp_cursor_next(c) == BP_OK) {
    bp_value value;
    assert_int_equal(bp_cursor_value(c, 0, &value), BP_OK);
    if (bp_cursor_closed(c)) {
      uint64_t inside;
      assert_int_equal(bp_cursor_inside(c, &inside), BP_OK);
      assert_int_equal(bp_cursor_open(c), BP_OK);
      steps += inside;
      assert_int_equal(bp_cursor_next(c), inside ? BP_OK : BP_END);
      assert_int_equal(bp_cursor_close(c), BP_OK);
    }
    steps++;
  }
  bp_cursor_free(c);
  return steps;
}

static void test_samples(void **state)
{
  (void)state;
  bp_context *ctx;
  bp_trace *traces[64];
  uint32_t count = 0;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  for (uint32_t i = 0; i < sample_count; i++) {
    const sample *s = &samples[i];
    bp_program *p = parse(ctx, s->text);
    for (uint32_t t = 0; t < SAMPLE_TARGETS && s->targets[t]; t++) {
      bp_verdict verdict;
      const char *target = strcmp(s->targets[t], "assert") ? s->targets[t] : NULL;
      assert_int_equal(bp_reachable(&verdict, &traces[count], ctx, NULL, p, target, NULL), BP_OK);
      assert_int_equal(verdict, s->verdicts[t]);
      assert_int_equal(traces[count] != NULL, verdict == BP_REACHABLE);
      count += verdict == BP_REACHABLE;
      assert_int_equal(bp_reachable(&verdict, NULL, ctx, NULL, p, target, NULL), BP_OK);
      assert_int_equal(verdict, s->verdicts[t]);
    }
    bp_program_unref(p);
  }
  bp_context_unref(ctx); /* traces keep what they need */
  for (uint32_t i = 0; i < count; i++) {
    uint64_t length;
    assert_int_equal(bp_trace_length(traces[i], &length), BP_OK);
    assert_int_equal(walk(traces[i]), length);
    assert_int_equal(bp_trace_replay(traces[i], BP_NONE), BP_OK);
    bp_trace_unref(traces[i]);
  }
}

/* Programs of more and more variables, as a refinement loop makes them. */
static void test_more_variables(void **state)
{
  (void)state;
  enum { LOOPS = 12 };
  bp_context *ctx;
  bp_trace *traces[LOOPS];
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  for (int i = 0; i < LOOPS; i++) {
    char text[8192], *end = text;
    bp_verdict verdict;
    end += sprintf(end, "decl x");
    for (int k = 0; k < 5 * i; k++)
      end += sprintf(end, ", y%d", k);
    end += sprintf(end, ";\nvoid flip() begin x := !x; end\nvoid main() begin x := 0;\n");
    for (int k = 0; k < 5 * i; k++)
      end += sprintf(end, "y%d := x; flip(); assume(y%d != x);\n", k, k);
    sprintf(end, "flip(); if (x) then ODD: skip; else EVEN: skip; fi end\n");
    bp_program *p = parse(ctx, text);
    const char *right = i % 2 ? "EVEN" : "ODD", *left = i % 2 ? "ODD" : "EVEN";
    assert_int_equal(bp_reachable(&verdict, NULL, ctx, NULL, p, left, NULL), BP_OK);
    assert_int_equal(verdict, BP_UNREACHABLE);
    assert_int_equal(bp_reachable(&verdict, &traces[i], ctx, NULL, p, right, NULL), BP_OK);
    assert_int_equal(verdict, BP_REACHABLE);
    bp_program_unref(p);
  }
  for (int i = LOOPS; i-- > 0;) {
    /* For each y an assignment, a call of one step, an assume; the first, a call, a test, the goal. */
    assert_int_equal(walk(traces[i]), 1 + 5 * i * 4 + 2 + 2);
    assert_int_equal(bp_trace_replay(traces[i], 1), BP_OK);
    bp_trace_unref(traces[i]);
  }
  bp_context_unref(ctx);
}

static void test_refusals(void **state)
{
  (void)state;
  bp_context *ctx;
  bp_verdict verdict;
  bp_trace *trace;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  bp_program *p = parse(ctx, fig1_text);
  assert_int_equal(bp_reachable(NULL, NULL, ctx, NULL, p, "R", NULL), BP_E_INVALID);
  assert_int_equal(bp_reachable(&verdict, &trace, NULL, NULL, p, "R", NULL), BP_E_INVALID);
  assert_null(trace);
  assert_int_equal(bp_reachable(&verdict, &trace, ctx, NULL, NULL, "R", NULL), BP_E_INVALID);
  assert_int_equal(bp_reachable(&verdict, &trace, ctx, NULL, p, "NONE", NULL), BP_E_INPUT);
  assert_int_equal(verdict, BP_UNDECIDED);
  assert_true(bp_context_error_count(ctx) > 0);
  /* Without assertions nothing fails. */
  assert_int_equal(bp_reachable(&verdict, &trace, ctx, NULL, p, NULL, NULL), BP_OK);
  assert_int_equal(verdict, BP_UNREACHABLE);
  const bp_limits limits = {.size = sizeof limits, .steps = 3};
  assert_int_equal(bp_reachable(&verdict, &trace, ctx, NULL, p, "R", &limits), BP_OK);
  assert_int_equal(verdict, BP_UNDECIDED);
  assert_null(trace);
  assert_non_null(strstr(bp_context_message(ctx), "steps"));
  assert_int_equal(bp_reachable(&verdict, &trace, ctx, NULL, p, "R", NULL), BP_OK);
  assert_int_equal(verdict, BP_REACHABLE);
  bp_trace_unref(trace);
  bp_program_unref(p);
  bp_context_unref(ctx);
}

/* Contexts have managers of their own, beside those of the host and one on BuDDy. */
static void test_beside_managers(void **state)
{
  (void)state;
  bp_context *ctx, *other;
  bp_manager *m, *buddy;
  bp_verdict verdict;
  bp_trace *trace, *second;
  const bp_manager_options on_buddy = {.size = sizeof on_buddy, .kernel = BP_KERNEL_BUDDY};
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_context_new(&other), BP_OK);
  bp_program *p = parse(ctx, fig1_text);
  assert_int_equal(bp_reachable(&verdict, &trace, ctx, NULL, p, "R", NULL), BP_OK);
  assert_int_equal(bp_manager_new(&m, ctx, NULL), BP_OK);
  assert_int_equal(bp_manager_new(&buddy, ctx, &on_buddy), BP_OK);
  assert_int_equal(bp_reachable(&verdict, &second, other, NULL, p, "R", NULL), BP_OK);
  assert_int_equal(verdict, BP_REACHABLE);
  bp_context_unref(ctx); /* its trace keeps what it needs */
  assert_int_equal(bp_reachable(&verdict, NULL, other, m, p, "R", NULL), BP_OK);
  assert_int_equal(verdict, BP_REACHABLE);
  assert_int_equal(bp_reachable(&verdict, NULL, other, buddy, p, "14", NULL), BP_OK);
  assert_int_equal(verdict, BP_UNREACHABLE);
  assert_int_equal(walk(trace), walk(second));
  bp_trace_unref(second);
  bp_manager_unref(m);
  bp_manager_unref(buddy);
  bp_context_unref(other);
  assert_int_equal(bp_trace_replay(trace, BP_NONE), BP_OK);
  bp_trace_unref(trace);
  bp_program_unref(p);
}

/* The context's cancel is the one for this call too, and is used up by it. */
static void test_cancel(void **state)
{
  (void)state;
  bp_context *ctx;
  bp_verdict verdict;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  bp_program *p = parse(ctx, "decl g; void main() begin while (*) do g := !g; od R: skip; end");
  for (int known_graph = 0; known_graph < 2; known_graph++) {
    bp_context_cancel(ctx);
    assert_int_equal(bp_reachable(&verdict, NULL, ctx, NULL, p, "R", NULL), BP_OK);
    assert_int_equal(verdict, BP_UNDECIDED);
    assert_non_null(strstr(bp_context_message(ctx), known_graph ? "cancelled" : "stopped"));
    bp_program_unref(parse(ctx, "void main() begin end"));
    assert_int_equal(bp_reachable(&verdict, NULL, ctx, NULL, p, "R", NULL), BP_OK);
    assert_int_equal(verdict, BP_REACHABLE);
  }
  bp_program_unref(p);
  bp_context_unref(ctx);
}

static void test_concurrent(void **state)
{
  (void)state;
  bp_context *ctx;
  bp_verdict verdict;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  bp_program *p = parse(ctx, "void f() begin end void main() begin L: start_thread f(); end");
  assert_int_equal(bp_reachable(&verdict, NULL, ctx, NULL, p, "L", NULL), BP_E_UNSUPPORTED);
  assert_int_equal(verdict, BP_UNDECIDED);
  bp_program_unref(p);
  bp_context_unref(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples),  cmocka_unit_test(test_more_variables),
      cmocka_unit_test(test_refusals), cmocka_unit_test(test_concurrent),
      cmocka_unit_test(test_cancel),   cmocka_unit_test(test_beside_managers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
