/* SPDX-License-Identifier: MIT
 * Every vertex as a target, also those that are no steps: declarations, enforce statements, the end
 * of a body, exits. */
#include "samples.h"

static const char text[] = "decl g, k;\n"
                           "void f() begin decl x; enforce(x); decl y; g := x; end\n"
                           "bool h() begin k := 1; end\n"
                           "void main() begin\n"
                           "  decl l;\n"
                           "  g := 0;\n"
                           "  f();\n"
                           "  decl q := g;\n"
                           "  k := h();\n"
                           "end\n";

/* The steps of the whole listing, each with the value of g asked for; the last value seen. */
static uint64_t walk(bp_trace *trace, bp_value *g)
{
  bp_cursor *c;
  uint64_t steps = 0;
  bp_status status = bp_cursor_new(&c, trace);
  assert_int_equal(status, BP_OK);
  while ((status = bp_cursor_next(c)) == BP_OK) {
    assert_int_equal(bp_cursor_value(c, 0, g), BP_OK);
    steps++;
  }
  assert_int_equal(status, BP_END);
  bp_cursor_free(c);
  return steps;
}

static void check_vertex(handles *h, uint32_t vertex, int shortest)
{
  const bp_trace_options options = {
      .size = sizeof options, .shortest = shortest, .levels = BP_NONE};
  bp_query *q;
  bp_trace *trace;
  uint64_t length;
  bp_value g = BP_ANY;
  assert_int_equal(bp_query_new(&q, h->ctx, h->m, h->cfg, NULL), BP_OK);
  assert_int_equal(bp_query_add_vertex(q, vertex, NULL), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  assert_int_equal(bp_trace_new(&trace, q, 0, &options), BP_OK);
  assert_int_equal(bp_trace_length(trace, &length), BP_OK);
  assert_int_equal(walk(trace, &g), length);
  assert_int_equal(bp_trace_replay(trace, 0), BP_OK);
  assert_int_equal(bp_trace_replay(trace, BP_NONE), BP_OK);
  /* Behind f() with its enforce(x), g is 1. */
  if (vertex == bp_cfg_proc_exit(h->cfg, 2)) {
    assert_int_equal(length, 5);
    assert_int_equal(g, BP_TRUE);
  }
  bp_trace_unref(trace);
  bp_query_unref(q);
}

static void test_every_vertex(void **state)
{
  (void)state;
  handles h;
  handles_open(&h, text, 0);
  for (uint32_t v = 0; v < bp_cfg_vertex_count(h.cfg); v++) {
    check_vertex(&h, v, 0);
    check_vertex(&h, v, 1);
  }
  handles_close(&h);
}

static int is_any(const bp_value *values, uint32_t count, void *user)
{
  (void)user;
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(values[i], BP_ANY);
  return 0;
}

static int to_text(void *user, const char *bytes, size_t len)
{
  strncat(user, bytes, len);
  return 0;
}

/* At an exit the formals and locals are over. */
static void test_exit_scope(void **state)
{
  (void)state;
  static const char ends[] =
      "decl g;\n"
      "void f(m) begin decl x; x := 1; m := !m; g := 1; end\n"
      "void main() begin decl y; g := 0; f(0); if (!y) then R: skip; fi end\n";
  handles h;
  handles_open(&h, ends, 0);
  const uint32_t f = bp_program_find_proc(h.p, "f"), at = bp_cfg_proc_exit(h.cfg, f);
  assert_int_equal(bp_query_add_vertex(h.q, at, "x"), BP_E_INPUT);
  assert_int_equal(bp_query_add_vertex(h.q, at, "!m"), BP_E_INPUT);
  assert_int_equal(bp_query_add_vertex(h.q, at, "g"), BP_OK);
  assert_int_equal(bp_query_add_vertex(h.q, at, "!g"), BP_OK);
  assert_int_equal(bp_query_add(h.q, "R", NULL), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  assert_int_equal(bp_query_verdict(h.q, 1), BP_UNREACHABLE);
  assert_int_equal(bp_query_verdict(h.q, 2), BP_REACHABLE);
  const uint32_t vars[] = {bp_program_find_var(h.p, f, "x"), bp_program_find_var(h.p, f, "m")};
  assert_int_equal(bp_query_states(h.q, at, vars, 2, is_any, NULL), BP_OK);
  char invariant[64] = "";
  const bp_sink sink = {sizeof sink, to_text, invariant};
  assert_int_equal(bp_query_invariant(h.q, at, &sink), BP_OK);
  assert_string_equal(invariant, "g");
  handles_close(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_vertex),
                                     cmocka_unit_test(test_exit_scope)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
