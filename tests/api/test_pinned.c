/* SPDX-License-Identifier: MIT
 * Traces through a callee whose relation between entry and exit is too large to be made: thirty
 * variables that influence each other in a loop. */
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARS = 30, STATEMENTS = 60, ROOM = 20000 };

static uint32_t draw(uint32_t *seed, uint32_t below)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 16) % below;
}

static char *mixing_text(void)
{
  char *const text = malloc(ROOM), *at = text;
  uint32_t seed = 1;
  assert_non_null(text);
  at += sprintf(at, "decl p, q");
  for (int i = 0; i < VARS; i++)
    at += sprintf(at, ", x%d", i);
  at += sprintf(at, ";\nvoid work() begin\n  while (*) do\n");
  for (int i = 0; i < STATEMENTS; i++) {
    const uint32_t a = draw(&seed, VARS), b = draw(&seed, VARS), c = draw(&seed, VARS);
    const char op = "&|^="[draw(&seed, 4)];
    at += sprintf(at, "    x%u := %sx%u %c x%u;\n", a, draw(&seed, 2) ? "!" : "", b, op, c);
    if (i % 8 != 7) continue;
    const uint32_t test = draw(&seed, VARS), to = draw(&seed, VARS);
    at += sprintf(at, "    if (x%u) then x%u := !x%u; fi\n", test, to, draw(&seed, VARS));
  }
  sprintf(at, "  od\n"
              "  p, q := p ^ x0, q ^ x0;\n"
              "end\n"
              "void main() begin\n"
              "  q := p;\n"
              "  if (*) then p := !p; fi\n"
              "  work();\n"
              "  if (p != q) then BAD: skip; fi\n"
              "end\n");
  return text;
}

static bp_trace *trace_of(handles *h, uint32_t levels)
{
  const bp_trace_options options = {.size = sizeof options, .levels = levels};
  bp_trace *t;
  assert_int_equal(bp_trace_new(&t, h->q, 0, &options), BP_OK);
  assert_int_equal(bp_trace_hierarchical_length(t), 6);
  return t;
}

/* The value of a variable at the step that the cursor stands on. */
static bp_value value_of(handles *h, bp_cursor *c, const char *name)
{
  bp_value value;
  const uint32_t var = bp_program_find_var(h->p, BP_NONE, name);
  assert_int_equal(bp_cursor_value(c, var, &value), BP_OK);
  return value;
}

/* Every step has values, and those of p and q differ from the third one on. */
static void walk(handles *h, bp_trace *t, uint64_t length)
{
  bp_cursor *c;
  assert_int_equal(bp_cursor_new(&c, t), BP_OK);
  for (uint64_t i = 0; i < length; i++) {
    assert_int_equal(bp_cursor_next(c), BP_OK);
    const bp_value p = value_of(h, c, "p"), q = value_of(h, c, "q");
    if (i > 2) assert_true(p != BP_ANY && q != BP_ANY && p != q);
  }
  assert_int_equal(bp_cursor_next(c), BP_END);
  bp_cursor_free(c);
}

static void check_trace(handles *h, uint32_t levels)
{
  bp_trace *t = trace_of(h, levels);
  uint64_t length;
  assert_true(bp_trace_pinned(t));
  assert_int_equal(bp_trace_length(t, &length), BP_OK);
  assert_true(length > 6);
  walk(h, t, levels ? length : 6);
  assert_int_equal(bp_trace_replay(t, 0), BP_OK);
  assert_int_equal(bp_trace_replay(t, BP_NONE), BP_OK);
  bp_trace_unref(t);
}

/* Each try has twice the time of the one before: one of them is enough. */
static void check_slices(handles *h)
{
  bp_trace *t = NULL;
  bp_status status = BP_E_LIMIT;
  for (uint64_t ms = 1; ms < 1 << 20 && status == BP_E_LIMIT; ms *= 2) {
    const bp_limits limits = {.size = sizeof limits, .wall_ms = ms};
    assert_int_equal(bp_query_set_limits(h->q, &limits), BP_OK);
    status = bp_trace_new(&t, h->q, 0, NULL);
  }
  assert_int_equal(status, BP_OK);
  assert_int_equal(bp_query_set_limits(h->q, NULL), BP_OK);
  assert_int_equal(bp_trace_replay(t, BP_NONE), BP_OK);
  bp_trace_unref(t);
}

static void test_pinned(void **state)
{
  (void)state;
  handles h;
  char *text = mixing_text();
  handles_open(&h, text, 0);
  assert_int_equal(bp_query_add_label(h.q, NULL, "BAD", NULL), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  check_slices(&h);
  check_trace(&h, 0);
  check_trace(&h, BP_NONE);
  handles_close(&h);
  free(text);
}

/* Where the relations are small, a closed call stands for every run of the callee. */
static void test_not_pinned(void **state)
{
  (void)state;
  handles h;
  handles_open_sample(&h, &samples[0], 0);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  bp_trace *t;
  assert_int_equal(bp_trace_new(&t, h.q, 0, NULL), BP_OK);
  assert_false(bp_trace_pinned(t));
  assert_false(bp_trace_pinned(NULL));
  bp_trace_unref(t);
  handles_close(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pinned),
      cmocka_unit_test(test_not_pinned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
