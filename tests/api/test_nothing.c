/* SPDX-License-Identifier: MIT
 * Every function with nothing, and with ids that name nothing. */
#include "samples.h"

#include <stdio.h>

static const bp_range no_range = {0};

static int is_no_range(const bp_range *r)
{
  return !memcmp(r, &no_range, sizeof *r);
}

/* What fallible calls answer to NULL. */
#define INVALID(call) assert_int_equal(call, BP_E_INVALID)

static void test_unref_nothing(void **state)
{
  (void)state;
  bp_context_unref(NULL);
  bp_program_unref(NULL);
  bp_cfg_unref(NULL);
  bp_manager_unref(NULL);
  bp_query_unref(NULL);
  bp_answer_unref(NULL);
  bp_trace_unref(NULL);
  bp_cursor_free(NULL);
  bp_builder_free(NULL);
  bp_free(NULL);
  bp_context_cancel(NULL);
  bp_query_cancel(NULL);
  bp_query_set_progress(NULL, NULL, NULL);
  bp_context_set_log(NULL, NULL, NULL);
  assert_null(bp_context_ref(NULL));
  assert_null(bp_program_ref(NULL));
  assert_null(bp_cfg_ref(NULL));
  assert_null(bp_manager_ref(NULL));
  assert_null(bp_query_ref(NULL));
  assert_null(bp_answer_ref(NULL));
  assert_null(bp_trace_ref(NULL));
}

static void test_making_nothing(void **state)
{
  (void)state;
  handles h;
  bp_query *q = (bp_query *)&h;
  bp_cfg *cfg = (bp_cfg *)&h;
  bp_answer *answer = (bp_answer *)&h;
  bp_trace *trace = (bp_trace *)&h;
  bp_cursor *cursor = (bp_cursor *)&h;
  bp_program *program = (bp_program *)&h;
  bp_builder *builder = (bp_builder *)&h;
  handles_open(&h, fig1_text, 0);
  INVALID(bp_context_new(NULL));
  INVALID(bp_program_parse(NULL, h.ctx, "", 0, "", NULL));
  INVALID(bp_program_parse(&program, NULL, "", 0, "", NULL));
  INVALID(bp_program_parse(&program, h.ctx, NULL, 3, "", NULL));
  assert_null(program);
  INVALID(bp_builder_new(NULL, h.ctx, "", NULL));
  INVALID(bp_builder_new(&builder, NULL, "", NULL));
  assert_null(builder);
  INVALID(bp_builder_finish(NULL, &program));
  INVALID(bp_builder_number(NULL, NULL, 0));
  INVALID(bp_cfg_new(NULL, h.ctx, h.p));
  INVALID(bp_cfg_new(&cfg, NULL, h.p));
  INVALID(bp_cfg_new(&cfg, h.ctx, NULL));
  assert_null(cfg);
  INVALID(bp_query_new(NULL, h.ctx, h.m, h.cfg, NULL));
  INVALID(bp_query_new(&q, NULL, h.m, h.cfg, NULL));
  INVALID(bp_query_new(&q, h.ctx, NULL, h.cfg, NULL));
  INVALID(bp_query_new(&q, h.ctx, h.m, NULL, NULL));
  assert_null(q);
  const bp_query_options wrong_size = {.size = 1};
  const bp_query_options unknown = {.size = sizeof unknown, .off = 1u << 20};
  INVALID(bp_query_new(&q, h.ctx, h.m, h.cfg, &wrong_size));
  INVALID(bp_query_new(&q, h.ctx, h.m, h.cfg, &unknown));
  INVALID(bp_query_answer(NULL, h.q));
  INVALID(bp_query_answer(&answer, NULL));
  assert_null(answer);
  INVALID(bp_trace_new(NULL, h.q, 0, NULL));
  INVALID(bp_trace_new(&trace, NULL, 0, NULL));
  INVALID(bp_trace_new(&trace, h.q, 0, NULL)); /* no target of that number */
  assert_null(trace);
  INVALID(bp_cursor_new(&cursor, NULL));
  assert_null(cursor);
  INVALID(bp_cursor_copy(&cursor, NULL));
  handles_close(&h);
}

static int no_cube(const bp_value *values, uint32_t count, void *user)
{
  (void)values;
  (void)count;
  (void)user;
  return 0;
}

static void test_asking_nothing(void **state)
{
  (void)state;
  int reached;
  uint64_t number;
  bp_value value;
  const bp_sink sink = refusing_sink();
  INVALID(bp_query_add_label(NULL, NULL, "L", NULL));
  INVALID(bp_query_add_line(NULL, NULL, 1, NULL));
  INVALID(bp_query_add_vertex(NULL, 0, NULL));
  INVALID(bp_query_add_asserts(NULL));
  INVALID(bp_query_add(NULL, "L", NULL));
  INVALID(bp_query_set_init(NULL, "1"));
  INVALID(bp_query_set_limits(NULL, NULL));
  INVALID(bp_query_run(NULL));
  INVALID(bp_query_reached(NULL, 0, &reached));
  INVALID(bp_query_states(NULL, 0, NULL, 0, no_cube, NULL));
  INVALID(bp_query_summary(NULL, 0, no_cube, NULL));
  INVALID(bp_query_invariant(NULL, 0, &sink));
  INVALID(bp_query_write_json(NULL, &sink, NULL));
  INVALID(bp_query_write_chc(NULL, &sink));
  INVALID(bp_cfg_write_dot(NULL, NULL, &sink, NULL));
  INVALID(bp_trace_length(NULL, &number));
  INVALID(bp_trace_replay(NULL, 0));
  INVALID(bp_cursor_next(NULL));
  INVALID(bp_cursor_open(NULL));
  INVALID(bp_cursor_close(NULL));
  INVALID(bp_cursor_inside(NULL, &number));
  INVALID(bp_cursor_value(NULL, 0, &value));
  INVALID(bp_manager_get_stats(NULL, NULL));
  INVALID(bp_answer_stats(NULL, NULL));
  INVALID(bp_context_set_limits(NULL, NULL));
  INVALID(bp_program_write(NULL, &sink));
  INVALID(bp_stmt_write(NULL, 0, &sink));
  handles h;
  handles_open(&h, fig1_text, 0);
  INVALID(bp_query_add_label(h.q, NULL, NULL, NULL));
  INVALID(bp_query_add(h.q, NULL, NULL));
  INVALID(bp_program_write(h.p, NULL));
  INVALID(bp_stmt_write(h.p, BP_NONE, &sink));
  INVALID(bp_query_write_json(h.q, NULL, NULL));
  INVALID(bp_query_write_chc(h.q, NULL));
  const bp_limits wrong = {.size = 1};
  INVALID(bp_query_set_limits(h.q, &wrong));
  INVALID(bp_context_set_limits(h.ctx, &wrong));
  const bp_json_options wrong_json = {.size = 1};
  const bp_sink refusing = refusing_sink();
  INVALID(bp_query_write_json(h.q, &refusing, &wrong_json));
  handles_close(&h);
}

static void check_program_getters(const bp_program *p, uint32_t none)
{
  bp_range r = {1, 1, 1, 1};
  assert_null(bp_proc_name(p, none));
  bp_proc_range(p, none, &r);
  assert_true(is_no_range(&r));
  assert_int_equal(bp_proc_result_count(p, none), 0);
  assert_int_equal(bp_proc_formal_count(p, none), 0);
  assert_int_equal(bp_proc_var_count(p, none), 0);
  assert_int_equal(bp_proc_stmt_count(p, none), 0);
  assert_null(bp_var_name(p, none));
  assert_int_equal(bp_var_proc(p, none), BP_NONE);
  r.line = 1;
  bp_var_range(p, none, &r);
  assert_true(is_no_range(&r));
  assert_int_equal(bp_stmt_proc(p, none), BP_NONE);
  r.line = 1;
  bp_stmt_range(p, none, &r);
  assert_true(is_no_range(&r));
  assert_int_equal(bp_stmt_origin(p, none), 0);
  assert_int_equal(bp_stmt_callee(p, none), BP_NONE);
  assert_int_equal(bp_stmt_label_count(p, none), 0);
  assert_null(bp_stmt_label(p, none, 0));
  assert_int_equal(bp_program_find_label(p, none, "NOWHERE", 0), BP_NONE);
  assert_int_equal(bp_program_find_var(p, none, "nobody"), BP_NONE);
  assert_int_equal(bp_program_find_proc(p, "nobody"), BP_NONE);
}

static void check_cfg_getters(const bp_cfg *cfg, uint32_t none)
{
  assert_int_equal(bp_cfg_vertex_proc(cfg, none), BP_NONE);
  assert_int_equal(bp_cfg_vertex_stmt(cfg, none), BP_NONE);
  assert_int_equal(bp_cfg_proc_entry(cfg, none), BP_NONE);
  assert_int_equal(bp_cfg_proc_exit(cfg, none), BP_NONE);
  assert_int_equal(bp_cfg_succ_count(cfg, none), 0);
  assert_int_equal(bp_cfg_succ(cfg, none, 0), BP_NONE);
  assert_int_equal(bp_cfg_vertex_of_stmt(cfg, none), BP_NONE);
  assert_int_equal(bp_cfg_vertex_at(cfg, none, 1000, 0), BP_NONE);
  assert_int_equal(bp_cfg_proc_recursive(cfg, none), 0);
}

static void test_getters(void **state)
{
  (void)state;
  handles h;
  handles_open(&h, fig1_text, 0);
  check_program_getters(h.p, BP_NONE);
  check_program_getters(h.p, bp_program_stmt_count(h.p));
  check_program_getters(NULL, 0);
  check_cfg_getters(h.cfg, BP_NONE);
  check_cfg_getters(h.cfg, bp_cfg_vertex_count(h.cfg));
  check_cfg_getters(NULL, 0);
  assert_int_equal(bp_cfg_vertex_count(NULL), 0);
  assert_int_equal(bp_cfg_edge_count(NULL), 0);
  assert_null(bp_cfg_program(NULL));
  assert_int_equal(bp_program_stmt_count(NULL), 0);
  assert_int_equal(bp_query_target_count(NULL), 0);
  assert_int_equal(bp_query_verdict(NULL, 0), BP_UNDECIDED);
  assert_int_equal(bp_query_verdict(h.q, 5), BP_UNDECIDED);
  handles_close(&h);
}

static void test_answer_getters(void **state)
{
  (void)state;
  handles h;
  bp_answer *answer;
  handles_open(&h, fig1_text, 0);
  assert_int_equal(bp_query_answer(&answer, h.q), BP_OK);
  for (const bp_answer *a = answer;; a = NULL) {
    assert_int_equal(bp_answer_target_count(a), 0);
    assert_int_equal(bp_answer_verdict(a, 0), BP_UNDECIDED);
    assert_int_equal(bp_answer_target_line(a, 0), 0);
    assert_int_equal(bp_answer_target_column(a, 0), 0);
    assert_int_equal(bp_answer_target_origin(a, 0), 0);
    (void)bp_answer_target_name(a, 0);
    (void)bp_answer_target_proc(a, 0);
    (void)bp_answer_target_kind(a, 0);
    (void)bp_answer_reason(a, 0);
    if (!a) break;
  }
  bp_answer_unref(answer);
  handles_close(&h);
}

/* A cursor before its first step, behind its last one, and no cursor. */
static void check_no_step(const bp_cursor *c)
{
  bp_range r = {1, 1, 1, 1};
  assert_int_equal(bp_cursor_proc(c), BP_NONE);
  assert_int_equal(bp_cursor_stmt(c), BP_NONE);
  assert_int_equal(bp_cursor_vertex(c), BP_NONE);
  assert_int_equal(bp_cursor_depth(c), 0);
  assert_int_equal(bp_cursor_origin(c), 0);
  assert_int_equal(bp_cursor_closed(c), 0);
  bp_cursor_range(c, &r);
  assert_true(is_no_range(&r));
}

static void test_cursor_getters(void **state)
{
  (void)state;
  handles h;
  bp_trace *trace;
  bp_cursor *c;
  bp_value value;
  uint64_t inside;
  handles_open(&h, fig1_text, 0);
  assert_int_equal(bp_query_add(h.q, "R", NULL), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  INVALID(bp_trace_new(&trace, h.q, 1, NULL));
  assert_null(trace);
  assert_int_equal(bp_trace_new(&trace, h.q, 0, NULL), BP_OK);
  INVALID(bp_cursor_new(NULL, trace));
  INVALID(bp_trace_length(trace, NULL));
  assert_int_equal(bp_cursor_new(&c, trace), BP_OK);
  check_no_step(NULL);
  check_no_step(c);
  assert_int_equal(bp_cursor_value(c, 0, &value), BP_E_STATE);
  assert_int_equal(bp_cursor_inside(c, &inside), BP_OK);
  assert_int_equal(inside, 0);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  INVALID(bp_cursor_value(c, BP_NONE, &value));
  INVALID(bp_cursor_value(c, 0, NULL));
  INVALID(bp_cursor_value(c, bp_program_find_var(h.p, 1, "a1"), &value)); /* of another procedure */
  while (bp_cursor_next(c) == BP_OK) {
  }
  check_no_step(c);
  bp_cursor_free(c);
  bp_trace_unref(trace);
  handles_close(&h);
}

static void test_names(void **state)
{
  (void)state;
  for (int i = -1; i < 40; i++) {
    assert_non_null(bp_status_name((bp_status)i));
    assert_non_null(bp_verdict_name((bp_verdict)i));
    assert_non_null(bp_reason_name((bp_reason)i));
    assert_non_null(bp_stmt_kind_name((bp_stmt_kind)i));
  }
  assert_string_equal(bp_status_name(BP_E_POISONED), "BP_E_POISONED");
  assert_int_equal(bp_has_feature(BP_FEATURE_REACHABILITY), 1);
  assert_int_equal(bp_has_feature(0), 0);
  assert_int_equal(bp_has_feature(UINT32_MAX), 0);
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", BP_VERSION_MAJOR, BP_VERSION_MINOR,
           BP_VERSION_PATCH);
  assert_string_equal(bp_version_string(), version);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unref_nothing),  cmocka_unit_test(test_making_nothing),
      cmocka_unit_test(test_asking_nothing), cmocka_unit_test(test_getters),
      cmocka_unit_test(test_answer_getters), cmocka_unit_test(test_cursor_getters),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
