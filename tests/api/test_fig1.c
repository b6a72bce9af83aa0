/* SPDX-License-Identifier: MIT
 * Figure 1 of Ball & Rajamani, "Bebop" (SPIN 2000), with the line numbers of the paper. */
#include "samples.h"

static handles h;

static int setup(void **state)
{
  (void)state;
  handles_open(&h, fig1_text, 0);
  assert_int_equal(bp_query_add_label(h.q, NULL, "R", NULL), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  handles_close(&h);
  return 0;
}

static bp_trace *trace_of(int shortest, uint32_t levels)
{
  const bp_trace_options options = {.size = sizeof options, .shortest = shortest, .levels = levels};
  bp_trace *trace;
  assert_int_equal(bp_trace_new(&trace, h.q, 0, &options), BP_OK);
  assert_int_equal(bp_trace_replay(trace, levels), BP_OK);
  return trace;
}

static void check_lines(bp_trace *trace, const uint32_t *lines, const uint32_t *depths,
                        uint32_t count)
{
  bp_cursor *c;
  assert_int_equal(bp_cursor_new(&c, trace), BP_OK);
  for (uint32_t i = 0; i < count; i++) {
    bp_range range;
    assert_int_equal(bp_cursor_next(c), BP_OK);
    bp_cursor_range(c, &range);
    assert_int_equal(range.line, lines[i]);
    if (depths) assert_int_equal(bp_cursor_depth(c), depths[i]);
  }
  assert_int_equal(bp_cursor_next(c), BP_END);
  assert_int_equal(bp_cursor_next(c), BP_END);
  assert_int_equal(bp_cursor_vertex(c), BP_NONE);
  bp_cursor_free(c);
}

static void test_lines(void **state)
{
  (void)state;
  static const uint32_t all[] = {6, 7, 20, 21, 20, 24, 22, 8, 9, 20, 21, 20, 24, 22, 10, 11, 12};
  static const uint32_t depths[] = {0, 0, 1, 1, 2, 2, 1, 0, 0, 1, 1, 2, 2, 1, 0, 0, 0};
  static const uint32_t one[] = {6, 7, 20, 21, 22, 8, 9, 20, 21, 22, 10, 11, 12};
  static const uint32_t top[] = {6, 7, 8, 9, 10, 11, 12};
  for (int shortest = 0; shortest < 2; shortest++) {
    uint64_t length;
    bp_trace *t = trace_of(shortest, BP_NONE);
    assert_int_equal(bp_trace_hierarchical_length(t), 7);
    assert_int_equal(bp_trace_length(t, &length), BP_OK);
    assert_int_equal(length, 17);
    check_lines(t, all, depths, 17);
    bp_trace_unref(t);
    t = trace_of(shortest, 1);
    check_lines(t, one, NULL, 13);
    bp_trace_unref(t);
    t = trace_of(shortest, 0);
    check_lines(t, top, NULL, 7);
    bp_trace_unref(t);
  }
}

static bp_value value_of(bp_cursor *c, const char *proc, const char *name)
{
  bp_value value;
  const uint32_t p = proc ? bp_program_find_proc(h.p, proc) : BP_NONE;
  const uint32_t var = bp_program_find_var(h.p, p, name);
  assert_int_equal(bp_cursor_value(c, var, &value), BP_OK);
  return value;
}

static void test_values(void **state)
{
  (void)state;
  bp_trace *t = trace_of(0, 0);
  bp_cursor *c;
  uint64_t inside;
  assert_int_equal(bp_cursor_new(&c, t), BP_OK);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  assert_int_equal(value_of(c, NULL, "g"), BP_TRUE);
  assert_int_equal(value_of(c, "main", "h"), BP_ANY);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  assert_int_equal(value_of(c, "main", "h"), BP_FALSE);
  assert_int_equal(bp_cursor_closed(c), 1);
  assert_int_equal(bp_cursor_inside(c, &inside), BP_OK);
  assert_int_equal(inside, 5);
  assert_int_equal(bp_cursor_open(c), BP_OK);
  assert_int_equal(bp_cursor_next(c), BP_OK); /* line 20 */
  assert_int_equal(value_of(c, "A", "a1"), BP_TRUE);
  assert_int_equal(value_of(c, "A", "a2"), BP_FALSE);
  assert_int_equal(bp_cursor_next(c), BP_OK); /* line 21 */
  assert_int_equal(bp_cursor_open(c), BP_OK);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  assert_int_equal(value_of(c, "A", "a1"), BP_FALSE);
  assert_int_equal(value_of(c, "A", "a2"), BP_TRUE);
  assert_int_equal(bp_cursor_depth(c), 2);
  assert_int_equal(bp_cursor_open(c), BP_E_STATE);
  assert_int_equal(bp_cursor_close(c), BP_OK);
  assert_int_equal(bp_cursor_close(c), BP_OK);
  assert_int_equal(bp_cursor_close(c), BP_E_STATE);
  assert_int_equal(bp_cursor_depth(c), 0);
  assert_int_equal(bp_cursor_next(c), BP_OK); /* line 8 */
  assert_int_equal(bp_cursor_closed(c), 0);
  assert_int_equal(value_of(c, NULL, "g"), BP_TRUE);
  bp_cursor_free(c);
  bp_trace_unref(t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_lines, setup, teardown),
      cmocka_unit_test_setup_teardown(test_values, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
