/* SPDX-License-Identifier: MIT
 * States, summaries and invariants against sets made out by hand, and against the queries. */
#include "samples.h"

#include <stdio.h>

enum { MOST = 64 };

/* A set of valuations as a mask: bit i stands for the valuation whose k-th value is bit k of i. */
typedef struct set {
  uint64_t mask;
  int twice; /* two cubes overlap */
} set;

static int add_cube(const bp_value *values, uint32_t count, void *user)
{
  set *s = user;
  assert_true(count <= 6);
  for (uint32_t i = 0; i < 1u << count; i++) {
    int in = 1;
    for (uint32_t k = 0; k < count; k++)
      in &= values[k] == BP_ANY || (values[k] == BP_TRUE) == (i >> k & 1);
    if (!in) continue;
    s->twice |= s->mask >> i & 1;
    s->mask |= (uint64_t)1 << i;
  }
  return 0;
}

static uint64_t states(const handles *h, const char *label, const char *const *names,
                       uint32_t count)
{
  set s = {0};
  uint32_t vars[6];
  const uint32_t v = vertex_of_label(h, label);
  for (uint32_t i = 0; i < count; i++)
    vars[i] = bp_program_find_var(h->p, bp_cfg_vertex_proc(h->cfg, v), names[i]);
  assert_int_equal(bp_query_states(h->q, v, vars, count, add_cube, &s), BP_OK);
  assert_false(s.twice);
  return s.mask;
}

static uint64_t summary(const handles *h, const char *proc)
{
  set s = {0};
  assert_int_equal(bp_query_summary(h->q, bp_program_find_proc(h->p, proc), add_cube, &s), BP_OK);
  assert_false(s.twice);
  return s.mask;
}

static uint64_t bit(uint32_t i)
{
  return (uint64_t)1 << i;
}

static const char text[] = "decl g;\n"
                           "bool neg(x) begin N: return !x; end\n"
                           "void set(x) begin g := x; end\n"
                           "void never(x) begin g := !g; end\n"
                           "void main() begin\n"
                           "  decl a, b;\n"
                           "  S: assume(a | b);\n"
                           "  T: a := neg(a);\n"
                           "  U: set(a);\n"
                           "  V: skip;\n"
                           "  assume(g & !a);\n"
                           "  W: never(a);\n"
                           "end\n";

static void test_states(void **state)
{
  (void)state;
  handles h;
  static const char *const gab[] = {"g", "a", "b"}, *const b[] = {"b"}, *const x[] = {"x"};
  handles_open(&h, text, 0);
  assert_int_equal(states(&h, "S", gab, 3), 0xff);
  /* a or b: of g + 2a + 4b all but 0 and 1. */
  assert_int_equal(states(&h, "T", gab, 3), 0xfc);
  /* a negated: (a, b) is (0,0), (1,1) or (0,1). */
  assert_int_equal(states(&h, "U", gab, 3), bit(0) | bit(1) | bit(4) | bit(5) | bit(6) | bit(7));
  assert_int_equal(states(&h, "V", gab, 3), bit(0) | bit(4) | bit(7));
  assert_int_equal(states(&h, "V", b, 1), 3);
  assert_int_equal(states(&h, "W", gab, 3), 0);
  assert_int_equal(states(&h, "N", x, 1), 3);
  assert_int_equal(states(&h, "V", gab, 0), 1);
  assert_int_equal(states(&h, "W", gab, 0), 0);
  /* g, x, g', result: g stays, the result is not x. */
  assert_int_equal(summary(&h, "neg"), bit(8) | bit(13) | bit(2) | bit(7));
  /* g, x, g': g' is x. */
  assert_int_equal(summary(&h, "set"), bit(0) | bit(1) | bit(6) | bit(7));
  assert_int_equal(summary(&h, "never"), 0);
  assert_int_equal(summary(&h, "main"), 0);
  handles_close(&h);
}

static int stop(const bp_value *values, uint32_t count, void *user)
{
  (void)values;
  (void)count;
  ++*(int *)user;
  return 1;
}

static void test_refusals(void **state)
{
  (void)state;
  handles h;
  int calls = 0;
  handles_open(&h, text, 0);
  const uint32_t v = vertex_of_label(&h, "V");
  const uint32_t x = bp_program_find_var(h.p, bp_program_find_proc(h.p, "neg"), "x");
  const uint32_t g = bp_program_find_var(h.p, BP_NONE, "g"), none = BP_NONE;
  assert_int_equal(bp_query_states(h.q, v, &g, 1, stop, &calls), BP_E_USER);
  assert_int_equal(calls, 1);
  assert_int_equal(bp_query_summary(h.q, bp_cfg_vertex_proc(h.cfg, v), stop, &calls), BP_OK);
  assert_int_equal(bp_query_states(h.q, v, &x, 1, stop, &calls), BP_E_INVALID);
  assert_int_equal(bp_query_states(h.q, v, &none, 1, stop, &calls), BP_E_INVALID);
  assert_int_equal(bp_query_states(h.q, BP_NONE, &g, 1, stop, &calls), BP_E_INVALID);
  assert_int_equal(bp_query_states(h.q, v, NULL, 1, stop, &calls), BP_E_INVALID);
  assert_int_equal(bp_query_states(h.q, v, &g, 1, NULL, NULL), BP_E_INVALID);
  assert_int_equal(bp_query_summary(h.q, 99, stop, &calls), BP_E_INVALID);
  int reached = 7;
  assert_int_equal(bp_query_reached(h.q, BP_NONE, &reached), BP_E_INVALID);
  assert_int_equal(bp_query_reached(h.q, v, NULL), BP_E_INVALID);
  const bp_sink refusing = refusing_sink();
  assert_int_equal(bp_query_invariant(h.q, v, &refusing), BP_E_IO);
  assert_int_equal(bp_query_invariant(h.q, v, NULL), BP_E_INVALID);
  assert_int_equal(bp_query_write_json(h.q, &refusing, NULL), BP_E_IO);
  assert_int_equal(bp_cfg_write_dot(h.cfg, h.ctx, &refusing, NULL), BP_E_IO);
  assert_int_equal(bp_cfg_write_dot(h.cfg, h.ctx, &refusing, h.q), BP_E_IO);
  assert_int_equal(bp_program_write(h.p, &refusing), BP_E_IO);
  assert_int_equal(bp_stmt_write(h.p, 0, &refusing), BP_E_IO);
  /* And it still works. */
  assert_int_equal(states(&h, "W", NULL, 0), 0);
  handles_close(&h);
}

/* ---- invariants, re-read as conditions ------------------------------------ */

/* The invariant of each vertex holds there and nowhere outside of it. */
static void check_invariants(const sample *s)
{
  handles h;
  handles_open(&h, s->text, 0);
  for (uint32_t v = 0; v < bp_cfg_vertex_count(h.cfg); v++) {
    static text_buffer t;
    static char negated[sizeof t.bytes + 8];
    const bp_sink sink = text_sink(&t);
    int reached;
    assert_int_equal(bp_query_invariant(h.q, v, &sink), BP_OK);
    assert_int_equal(bp_query_reached(h.q, v, &reached), BP_OK);
    assert_int_equal(reached, strcmp(t.bytes, "0") != 0);
    snprintf(negated, sizeof negated, "!(%s)", t.bytes);
    bp_query *q;
    assert_int_equal(bp_query_new(&q, h.ctx, h.m, h.cfg, NULL), BP_OK);
    assert_int_equal(bp_query_add_vertex(q, v, negated), BP_OK);
    assert_int_equal(bp_query_add_vertex(q, v, t.bytes), BP_OK);
    assert_int_equal(bp_query_run(q), BP_OK);
    assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
    assert_int_equal(bp_query_verdict(q, 1), reached ? BP_REACHABLE : BP_UNREACHABLE);
    bp_query_unref(q);
  }
  handles_close(&h);
}

static void test_invariants(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sample_count; i++)
    check_invariants(&samples[i]);
}

/* A local that hides a global: the text means what it says at that place. */
static void test_hidden(void **state)
{
  (void)state;
  const sample s = {.name = "hidden",
                    .text = "decl g;\n"
                            "void main() begin decl {g h}, g;\n"
                            "  g := 1; {g h} := !g; f(g); P: skip; end\n"
                            "void f(g) begin Q: skip; end\n"};
  check_invariants(&s);
}

/* With `init`, states are those of runs that begin there. */
static void test_init(void **state)
{
  (void)state;
  handles h;
  static const char *const gab[] = {"g", "a", "b"};
  handles_open(&h, text, 0);
  assert_int_equal(bp_query_set_init(h.q, "g & !a"), BP_OK);
  assert_int_equal(states(&h, "S", gab, 3), bit(1) | bit(5));
  assert_int_equal(states(&h, "U", gab, 3), bit(7));
  handles_close(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_states),     cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_invariants), cmocka_unit_test(test_hidden),
      cmocka_unit_test(test_init),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
