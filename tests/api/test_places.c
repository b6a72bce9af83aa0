/* SPDX-License-Identifier: MIT
 * Places and tags of a host that builds its program in memory come back in every step. */
#include "samples.h"

#include <stdio.h>

enum { TAG = 1000 };

/* The n-th statement stands in line 10 n, column n + 1, and has tag TAG + n. */
static uint32_t count;

static void place(bp_builder *b)
{
  count++;
  assert_int_equal(bp_builder_at(b, count % 2 ? "odd.c" : "even.c", 10 * count, count + 1), BP_OK);
  bp_builder_origin(b, TAG + count);
}

static bp_program *build(bp_context *ctx)
{
  bp_builder *b;
  bp_program *p;
  count = 0;
  assert_int_equal(bp_builder_new(&b, ctx, "built", NULL), BP_OK);
  const uint32_t g = bp_builder_global(b, "p == q", bp_builder_const(b, 0));
  bp_builder_proc_begin(b, "set", 1);
  const uint32_t x = bp_builder_formal(b, "x");
  const uint32_t value = bp_builder_not(b, bp_builder_var(b, x));
  place(b);
  assert_int_equal(bp_builder_assign(b, &g, &value, 1, BP_NONE), 0);
  const uint32_t result = bp_builder_var(b, g);
  place(b);
  assert_int_equal(bp_builder_return(b, &result, 1), 1);
  assert_int_equal(bp_builder_proc_end(b), BP_OK);
  bp_builder_proc_begin(b, "main", 0);
  const uint32_t l = bp_builder_local(b, "l");
  const uint32_t arg = bp_builder_var(b, l);
  place(b);
  bp_builder_call(b, "set", &l, 1, &arg, 1);
  place(b);
  bp_builder_assume(b, bp_builder_and(b, bp_builder_var(b, l), bp_builder_var(b, g)));
  place(b);
  bp_builder_while(b, bp_builder_nondet(b));
  place(b);
  bp_builder_skip(b);
  bp_builder_end(b);
  place(b);
  bp_builder_label(b, "the end");
  bp_builder_assert(b, bp_builder_xor(b, bp_builder_var(b, l), bp_builder_var(b, g)));
  assert_int_equal(bp_builder_proc_end(b), BP_OK);
  assert_int_equal(bp_builder_finish(b, &p), BP_OK);
  bp_builder_free(b);
  return p;
}

static void open_built(handles *h)
{
  assert_int_equal(bp_context_new(&h->ctx), BP_OK);
  h->p = build(h->ctx);
  assert_int_equal(bp_cfg_new(&h->cfg, h->ctx, h->p), BP_OK);
  assert_int_equal(bp_manager_new(&h->m, h->ctx, NULL), BP_OK);
  assert_int_equal(bp_query_new(&h->q, h->ctx, h->m, h->cfg, NULL), BP_OK);
}

static void test_trace(void **state)
{
  (void)state;
  static const uint32_t steps[] = {3, 1, 2, 4, 5, 7};
  handles h;
  bp_cursor *c;
  bp_trace *trace;
  const bp_trace_options all = {.size = sizeof all, .levels = BP_NONE};
  open_built(&h);
  assert_int_equal(bp_query_add_asserts(h.q), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  assert_int_equal(bp_trace_new(&trace, h.q, 0, &all), BP_OK);
  assert_int_equal(bp_cursor_new(&c, trace), BP_OK);
  assert_int_equal(bp_cursor_origin(c), 0);
  for (uint32_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    bp_range range;
    assert_int_equal(bp_cursor_next(c), BP_OK);
    assert_int_equal(bp_cursor_origin(c), TAG + steps[i]);
    bp_cursor_range(c, &range);
    assert_int_equal(range.line, 10 * steps[i]);
    assert_int_equal(range.column, steps[i] + 1);
    assert_string_equal(bp_stmt_file(h.p, bp_cursor_stmt(c)), steps[i] % 2 ? "odd.c" : "even.c");
  }
  assert_int_equal(bp_cursor_next(c), BP_END);
  bp_cursor_free(c);
  assert_int_equal(bp_trace_replay(trace, BP_NONE), BP_OK);
  bp_trace_unref(trace);
  handles_close(&h);
}

static void test_answer(void **state)
{
  (void)state;
  static text_buffer t;
  const bp_sink sink = text_sink(&t);
  handles h;
  bp_answer *answer;
  open_built(&h);
  /* A name that the language cannot spell has braces, which belong to it. */
  assert_int_equal(bp_query_add(h.q, "{the end}", NULL), BP_OK);
  assert_int_equal(bp_query_add(h.q, "main:40", "{p == q}"), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(bp_query_answer(&answer, h.q), BP_OK);
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t n = i ? 4 : 7;
    assert_int_equal(bp_answer_verdict(answer, i), BP_REACHABLE);
    assert_int_equal(bp_answer_target_origin(answer, i), TAG + n);
    assert_int_equal(bp_answer_target_line(answer, i), 10 * n);
    assert_int_equal(bp_answer_target_column(answer, i), n + 1);
  }
  bp_answer_unref(answer);
  assert_int_equal(bp_query_write_json(h.q, &sink, NULL), BP_OK);
  char origin[32];
  snprintf(origin, sizeof origin, "%d", TAG + 7);
  assert_non_null(strstr(t.bytes, origin));
  handles_close(&h);
}

/* Places and tags are no part of what a program says. */
static void test_same_program(void **state)
{
  (void)state;
  static text_buffer t;
  const bp_sink sink = text_sink(&t);
  bp_context *ctx;
  bp_program *again;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  bp_program *p = build(ctx);
  assert_int_equal(bp_program_write(p, &sink), BP_OK);
  assert_int_equal(bp_program_parse(&again, ctx, t.bytes, t.len, "again", NULL), BP_OK);
  assert_int_equal(bp_program_stmt_count(again), bp_program_stmt_count(p));
  bp_program_unref(again);
  bp_program_unref(p);
  bp_context_unref(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_trace),
      cmocka_unit_test(test_answer),
      cmocka_unit_test(test_same_program),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
