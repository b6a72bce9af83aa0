/* SPDX-License-Identifier: MIT
 * What the context says after a call: what was wrong with this one, never with an earlier one. */
#include "samples.h"

#include <stdio.h>

static handles h;

/* An earlier failure whose message must not be seen again. */
static void fail_before(void)
{
  assert_int_equal(bp_query_add(h.q, "NOWHERE", NULL), BP_E_INPUT);
  assert_string_equal(bp_context_message(h.ctx), "unknown label 'NOWHERE'");
}

#define SAYS(call, expected, text)                                                                 \
  do {                                                                                             \
    fail_before();                                                                                 \
    assert_int_equal(call, expected);                                                              \
    assert_string_equal(bp_context_message(h.ctx), text);                                          \
  } while (0)
#define INVALID(call, text) SAYS(call, BP_E_INVALID, text)

static int no_cube(const bp_value *values, uint32_t count, void *user)
{
  (void)values;
  (void)count;
  (void)user;
  return 0;
}

static int setup(void **state)
{
  (void)state;
  handles_open(&h, fig1_text, 0);
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  handles_close(&h);
  return 0;
}

#define BAD_SINK "sink is NULL or has no write, or sink->size is not sizeof(bp_sink)"

static void test_reading(void **state)
{
  (void)state;
  bp_program *p;
  bp_builder *b;
  bp_program_options o = {.size = 1};
  const bp_limits bad_limits = {.size = 1};
  const bp_limits limits = {.size = sizeof limits};
  INVALID(bp_program_parse(NULL, h.ctx, "", 0, "", NULL), "bp_program_parse(): out is NULL");
  INVALID(bp_program_parse(&p, h.ctx, NULL, 1, "", NULL), "bp_program_parse(): text is NULL");
  INVALID(bp_program_parse(&p, h.ctx, "", 0, "", &o),
          "bp_program_parse(): options->size is not sizeof(bp_program_options)");
  INVALID(bp_builder_new(&b, h.ctx, "", &o),
          "bp_builder_new(): options->size is not sizeof(bp_program_options)");
  o = (bp_program_options){.size = sizeof o, .dead = (bp_dead)7};
  INVALID(bp_program_parse(&p, h.ctx, "", 0, "", &o), "bp_program_parse(): unknown options->dead");
  INVALID(bp_builder_new(NULL, h.ctx, "", NULL), "bp_builder_new(): out is NULL");
  assert_int_equal(bp_builder_new(&b, h.ctx, "", NULL), BP_OK);
  INVALID(bp_builder_finish(b, NULL), "bp_builder_finish(): out is NULL");
  bp_builder_free(b);
  INVALID(bp_context_set_limits(h.ctx, &bad_limits),
          "bp_context_set_limits(): limits->size is not sizeof(bp_limits)");
  SAYS(bp_context_set_limits(h.ctx, &limits), BP_OK, "");
}

static void test_graphs(void **state)
{
  (void)state;
  bp_cfg *cfg;
  bp_manager *m, *first;
  const bp_sink refuses = refusing_sink();
  bp_query *other;
  INVALID(bp_cfg_new(NULL, h.ctx, h.p), "bp_cfg_new(): out is NULL");
  INVALID(bp_cfg_new(&cfg, h.ctx, NULL), "bp_cfg_new(): program is NULL");
  INVALID(bp_manager_new(NULL, h.ctx, NULL), "bp_manager_new(): out is NULL");
  INVALID(bp_cfg_write_dot(NULL, h.ctx, &refuses, NULL), "bp_cfg_write_dot(): cfg is NULL");
  INVALID(bp_cfg_write_dot(h.cfg, h.ctx, NULL, NULL), "bp_cfg_write_dot(): " BAD_SINK);
  SAYS(bp_cfg_write_dot(h.cfg, h.ctx, &refuses, NULL), BP_E_IO, "the sink refused the bytes");
  assert_int_equal(bp_cfg_new(&cfg, h.ctx, h.p), BP_OK);
  assert_int_equal(bp_query_new(&other, h.ctx, h.m, cfg, NULL), BP_OK);
  INVALID(bp_cfg_write_dot(h.cfg, h.ctx, &refuses, other),
          "bp_cfg_write_dot(): the query is about another graph");
  bp_query_unref(other);
  bp_cfg_unref(cfg);
  const bp_manager_options on_buddy = {.size = sizeof on_buddy, .kernel = BP_KERNEL_BUDDY};
  SAYS(bp_manager_new(&first, h.ctx, &on_buddy), BP_OK, "");
  SAYS(bp_manager_new(&m, h.ctx, &on_buddy), BP_E_BUSY,
       "another manager of this process on BuDDy is alive");
  bp_manager_unref(first);
  const bp_manager_options bytes = {
      .size = sizeof bytes, .kernel = BP_KERNEL_BUDDY, .bytes = 1u << 20};
  SAYS(bp_manager_new(&m, h.ctx, &bytes), BP_E_INVALID,
       "bp_manager_options.bytes: BuDDy knows a limit of nodes only");
}

static void test_queries(void **state)
{
  (void)state;
  bp_query *q;
  bp_answer *answer;
  bp_query_options o = {.size = 1};
  const bp_limits bad_limits = {.size = 1};
  const bp_json_options bad_json = {.size = 1};
  const bp_sink refuses = refusing_sink();
  INVALID(bp_query_new(NULL, h.ctx, h.m, h.cfg, NULL), "bp_query_new(): out is NULL");
  INVALID(bp_query_new(&q, h.ctx, NULL, h.cfg, NULL), "bp_query_new(): manager is NULL");
  INVALID(bp_query_new(&q, h.ctx, h.m, NULL, NULL), "bp_query_new(): cfg is NULL");
  INVALID(bp_query_new(&q, h.ctx, h.m, h.cfg, &o),
          "bp_query_new(): options->size is not sizeof(bp_query_options)");
  o = (bp_query_options){.size = sizeof o, .off = 1u << 20};
  INVALID(bp_query_new(&q, h.ctx, h.m, h.cfg, &o),
          "bp_query_new(): options->off has a bit that is no bp_engine");
  INVALID(bp_query_add(h.q, NULL, NULL), "bp_query_add(): target is NULL");
  INVALID(bp_query_add_label(h.q, NULL, NULL, NULL), "bp_query_add_label(): label is NULL");
  INVALID(bp_query_add_vertex(h.q, 999, NULL), "bp_query_add_vertex(): there is no vertex 999");
  INVALID(bp_query_set_limits(h.q, &bad_limits),
          "bp_query_set_limits(): limits->size is not sizeof(bp_limits)");
  INVALID(bp_query_answer(NULL, h.q), "bp_query_answer(): out is NULL");
  INVALID(bp_query_write_json(h.q, NULL, NULL), "bp_query_write_json(): " BAD_SINK);
  INVALID(bp_query_write_chc(h.q, NULL), "bp_query_write_chc(): " BAD_SINK);
  SAYS(bp_query_write_chc(h.q, &refuses), BP_E_IO, "the sink refused the bytes");
  INVALID(bp_query_write_json(h.q, &refuses, &bad_json),
          "bp_query_write_json(): options->size is not sizeof(bp_json_options)");
  SAYS(bp_query_write_json(h.q, &refuses, NULL), BP_E_IO, "the sink refused the bytes");
  SAYS(bp_query_answer(&answer, h.q), BP_OK, "");
  bp_answer_unref(answer);
}

static void test_looking(void **state)
{
  (void)state;
  int reached;
  const bp_sink refuses = refusing_sink();
  const uint32_t vertex = vertex_of_label(&h, "R");
  const uint32_t stranger = bp_program_find_var(h.p, bp_program_find_proc(h.p, "A"), "a1");
  assert_int_not_equal(stranger, BP_NONE);
  char text[100];
  snprintf(text, sizeof text, "bp_query_states(): variable %u is not in scope in procedure 'main'",
           (unsigned)stranger);
  INVALID(bp_query_reached(h.q, 0, NULL), "bp_query_reached(): out is NULL");
  INVALID(bp_query_reached(h.q, 999, &reached), "bp_query_reached(): there is no vertex 999");
  INVALID(bp_query_states(h.q, vertex, NULL, 1, no_cube, NULL), "bp_query_states(): vars is NULL");
  INVALID(bp_query_states(h.q, vertex, NULL, 0, NULL, NULL), "bp_query_states(): fn is NULL");
  INVALID(bp_query_states(h.q, 999, NULL, 0, no_cube, NULL),
          "bp_query_states(): there is no vertex 999");
  INVALID(bp_query_states(h.q, vertex, &stranger, 1, no_cube, NULL), text);
  INVALID(bp_query_summary(h.q, 0, NULL, NULL), "bp_query_summary(): fn is NULL");
  INVALID(bp_query_summary(h.q, 99, no_cube, NULL), "bp_query_summary(): there is no procedure 99");
  INVALID(bp_query_invariant(h.q, 0, NULL), "bp_query_invariant(): " BAD_SINK);
  INVALID(bp_query_invariant(h.q, 999, &refuses), "bp_query_invariant(): there is no vertex 999");
  SAYS(bp_query_invariant(h.q, 0, &refuses), BP_E_IO, "the sink refused the bytes");
}

static void test_traces(void **state)
{
  (void)state;
  bp_trace *trace, *none;
  bp_cursor *c, *copy;
  bp_value value;
  uint64_t inside;
  const bp_trace_options o = {.size = 1};
  assert_int_equal(bp_query_add(h.q, "R", NULL), BP_OK);
  SAYS(bp_trace_new(&none, h.q, 0, NULL), BP_E_STATE, "the target is not known to be reachable");
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(bp_trace_new(&trace, h.q, 0, NULL), BP_OK);
  INVALID(bp_trace_new(NULL, h.q, 0, NULL), "bp_trace_new(): out is NULL");
  INVALID(bp_trace_new(&none, h.q, 7, NULL), "bp_trace_new(): there is no target 7");
  INVALID(bp_trace_new(&none, h.q, 0, &o),
          "bp_trace_new(): options->size is not sizeof(bp_trace_options)");
  INVALID(bp_trace_length(trace, NULL), "bp_trace_length(): out is NULL");
  INVALID(bp_cursor_new(NULL, trace), "bp_cursor_new(): out is NULL");
  assert_int_equal(bp_cursor_new(&c, trace), BP_OK);
  INVALID(bp_cursor_copy(NULL, c), "bp_cursor_copy(): out is NULL");
  SAYS(bp_cursor_copy(&copy, c), BP_OK, "");
  bp_cursor_free(copy);
  INVALID(bp_cursor_inside(c, NULL), "bp_cursor_inside(): out is NULL");
  SAYS(bp_cursor_inside(c, &inside), BP_OK, ""); /* before the first step */
  SAYS(bp_cursor_value(c, 0, &value), BP_E_STATE, "no step to look at");
  assert_int_equal(bp_cursor_next(c), BP_OK);
  INVALID(bp_cursor_value(c, 0, NULL), "bp_cursor_value(): out is NULL");
  INVALID(bp_cursor_value(c, BP_NONE, &value),
          "bp_cursor_value(): variable 4294967295 is not in scope in procedure 'main'");
  bp_cursor_free(c);
  bp_trace_unref(trace);
}

static void test_one_call(void **state)
{
  (void)state;
  bp_verdict verdict;
  const bp_limits bad_limits = {.size = 1};
  INVALID(bp_reachable(NULL, NULL, h.ctx, h.m, h.p, "R", NULL), "bp_reachable(): verdict is NULL");
  INVALID(bp_reachable(&verdict, NULL, h.ctx, h.m, NULL, "R", NULL),
          "bp_reachable(): program is NULL");
  INVALID(bp_reachable(&verdict, NULL, h.ctx, h.m, h.p, "R", &bad_limits),
          "bp_query_set_limits(): limits->size is not sizeof(bp_limits)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(reading), TEST(graphs), TEST(queries), TEST(looking), TEST(traces), TEST(one_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
