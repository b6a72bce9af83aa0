/* SPDX-License-Identifier: MIT
 * Automata of formulas: textbook sizes, getters, other automata made from them. */
#include "texts.h"

#include <stdio.h>

static bp_context *ctx;

static const struct {
  const char *text;
  uint32_t states, edges, sets;
  int deterministic;
} sizes[] = {
    {"true", 1, 1, 0, 1},
    {"false", 1, 0, 0, 1},
    {"a", 2, 2, 0, 1},
    {"X a", 3, 3, 0, 1},
    {"G a", 1, 1, 0, 1},
    {"F a", 2, 3, 1, 1},
    {"a U b", 2, 3, 1, 1},
    {"a W b", 2, 3, 0, 1},
    {"a R b", 2, 3, 0, 1},
    {"G F a", 1, 2, 1, 1},
    {"F G a", 2, 3, 1, 0},
    {"G (a -> F b)", 2, 4, 1, 1},
    {"G F a && G F b", 1, 4, 2, 1},
    {"G F a -> G F b", 2, 4, 1, 0},
    {"a && !a", 1, 0, 0, 1},
};

static void test_sizes(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    bp_automaton *a = automaton_of(ctx, sizes[i].text);
    if (bp_automaton_state_count(a) != sizes[i].states ||
        bp_automaton_edge_count(a) != sizes[i].edges ||
        bp_automaton_set_count(a) != sizes[i].sets ||
        bp_automaton_is_deterministic(a) != sizes[i].deterministic)
      fail_msg("%s: %u states, %u edges, %u sets", sizes[i].text, bp_automaton_state_count(a),
               bp_automaton_edge_count(a), bp_automaton_set_count(a));
    bp_automaton_unref(a);
  }
}

/* Formulas of n parts, `before` and `after` around them; the sizes are a * n + b. */
static const struct {
  const char *before, *part, *between, *after;
  uint32_t states[2], edges[2], states_of_one[2];
} crowds[] = {
    {"", "G F p%d", " && ", "", {0, 1}, {1, 1}, {1, 0}},
    {"", "F G p%d", " || ", "", {1, 1}, {2, 1}, {1, 1}},
    {"(", "G F p%d", " && ", ") && F (q && G !r)", {0, 2}, {1, 3}, {1, 1}},
    {"(", "G F p%d", " && ", ") -> G (q -> F r)", {1, 3}, {2, 5}, {1, 3}},
    {"!(", "G (p%d -> F q%d)", " && ", ")", {1, 1}, {2, 1}, {1, 1}},
    {"!(", "(G F p%d -> G F q%d)", " && ", ")", {1, 1}, {3, 1}, {1, 1}},
};

static bp_automaton *crowd(size_t at, int n, int one)
{
  static char text[4000];
  const bp_automaton_options options = {.size = sizeof options, .degeneralize = one};
  size_t used = (size_t)snprintf(text, sizeof text, "%s", crowds[at].before);
  for (int i = 0; i < n; i++) {
    char part[60];
    snprintf(part, sizeof part, crowds[at].part, i, i);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? crowds[at].between : "",
                             part);
  }
  snprintf(text + used, sizeof text - used, "%s", crowds[at].after);
  bp_formula *f;
  bp_automaton *a;
  assert_int_equal(bp_formula_parse(&f, ctx, text, strlen(text), NULL), BP_OK);
  assert_int_equal(bp_automaton_from_formula(&a, ctx, f, &options), BP_OK);
  bp_formula_unref(f);
  return a;
}

static void test_crowds(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++)
    for (uint32_t n = 6; n <= 30; n += 8) {
      bp_automaton *a = crowd(i, (int)n, 0), *one = crowd(i, (int)n, 1);
      assert_int_equal(bp_automaton_state_count(a), crowds[i].states[0] * n + crowds[i].states[1]);
      assert_int_equal(bp_automaton_edge_count(a), crowds[i].edges[0] * n + crowds[i].edges[1]);
      assert_int_equal(bp_automaton_state_count(one),
                       crowds[i].states_of_one[0] * n + crowds[i].states_of_one[1]);
      assert_true(bp_automaton_set_count(one) <= 1);
      bp_automaton_unref(a);
      bp_automaton_unref(one);
    }
}

/* More conditions than an automaton has acceptance sets: with one set there is no such limit. */
static void test_very_many(void **state)
{
  (void)state;
  bp_automaton *one = crowd(0, 100, 1);
  assert_int_equal(bp_automaton_state_count(one), 100);
  bp_automaton_unref(one);
}

static void test_looking(void **state)
{
  (void)state;
  bp_automaton *a = automaton_of(ctx, "p.x U \"y = z\"");
  assert_string_equal(bp_automaton_name(a), "p.x U \"y = z\"");
  assert_int_equal(bp_automaton_ap_count(a), 2);
  assert_string_equal(bp_automaton_ap_proc(a, 0), "p");
  assert_string_equal(bp_automaton_ap_text(a, 0), "x");
  assert_int_equal(bp_automaton_ap_kind(a, 1), BP_ATOM_QUOTED);
  assert_string_equal(bp_automaton_ap_text(a, 1), "y = z");
  bp_range range;
  bp_automaton_ap_range(a, 1, &range);
  assert_int_equal(range.column, 7);
  assert_int_equal(bp_automaton_initial_count(a), 1);
  const uint32_t s = bp_automaton_initial(a, 0), first = bp_automaton_state_edge_first(a, s);
  assert_int_equal(bp_automaton_state_edge_count(a, s), 2);
  for (uint32_t e = first; e < first + 2; e++) {
    assert_int_equal(bp_automaton_edge_from(a, e), s);
    const int loop = bp_automaton_edge_to(a, e) == s;
    assert_int_equal(bp_automaton_edge_cube_count(a, e), 1);
    assert_int_equal(bp_automaton_edge_literal(a, e, 0, 0), loop ? 1 : 0);
    assert_int_equal(bp_automaton_edge_literal(a, e, 0, 1), loop ? -1 : 1);
    assert_int_equal(bp_automaton_edge_literal(a, e, 1, 0), 0);
    assert_int_equal(bp_automaton_edge_sets(a, e), 0);
  }
  assert_int_equal(bp_automaton_edge_to(a, 99), BP_NONE);
  assert_int_equal(bp_automaton_state_edge_first(a, 99), BP_NONE);
  assert_int_equal(bp_automaton_initial(a, 1), BP_NONE);
  assert_null(bp_automaton_ap_text(a, 2));
  assert_int_equal(bp_automaton_is_empty(a), 0);
  bp_automaton_unref(bp_automaton_ref(a));
  bp_automaton_unref(a);
}

static void test_others(void **state)
{
  (void)state;
  bp_automaton *a = automaton_of(ctx, "G F a && G F b"), *one, *no = automaton_of(ctx, "F G !b");
  bp_automaton *both, *small;
  assert_int_equal(bp_automaton_degeneralize(&one, ctx, a), BP_OK);
  assert_int_equal(bp_automaton_set_count(one), 1);
  assert_int_equal(bp_automaton_state_count(one), 2);
  assert_int_equal(bp_automaton_intersect(&both, ctx, one, no), BP_OK);
  assert_int_equal(bp_automaton_is_empty(both), 1);
  bp_automaton_unref(both);
  assert_int_equal(bp_automaton_intersect(&both, ctx, a, one), BP_OK);
  assert_int_equal(bp_automaton_is_empty(both), 0);
  assert_int_equal(bp_automaton_reduce(&small, ctx, both), BP_OK);
  assert_true(bp_automaton_state_count(small) <= bp_automaton_state_count(both));
  bp_automaton_unref(a);
  bp_automaton_unref(one);
  bp_automaton_unref(no);
  bp_automaton_unref(both);
  bp_automaton_unref(small);
}

static void test_options(void **state)
{
  (void)state;
  bp_automaton *a;
  bp_formula *f = formula_of(ctx, "a U b && c U d && e U f");
  bp_automaton_options o = {.size = sizeof o, .states = 4};
  assert_int_equal(bp_automaton_from_formula(&a, ctx, f, &o), BP_E_LIMIT);
  assert_string_equal(bp_context_message(ctx), "the automaton has more than 4 states");
  assert_null(a);
  o.size = 3;
  assert_int_equal(bp_automaton_from_formula(&a, ctx, f, &o), BP_E_INVALID);
  o = (bp_automaton_options){.size = sizeof o, .raw = 1, .degeneralize = 1};
  assert_int_equal(bp_automaton_from_formula(&a, ctx, f, &o), BP_OK);
  assert_true(bp_automaton_set_count(a) <= 1);
  bp_automaton_unref(a);
  bp_formula_unref(f);
}

static void test_nothing(void **state)
{
  (void)state;
  bp_automaton *a;
  assert_int_equal(bp_automaton_from_formula(&a, ctx, NULL, NULL), BP_E_INVALID);
  assert_int_equal(bp_automaton_reduce(&a, ctx, NULL), BP_E_INVALID);
  assert_int_equal(bp_automaton_intersect(&a, ctx, NULL, NULL), BP_E_INVALID);
  assert_int_equal(bp_automaton_read_hoa(NULL, ctx, "", 0, NULL), BP_E_INVALID);
  assert_int_equal(bp_automaton_write_hoa(NULL, NULL), BP_E_INVALID);
  assert_int_equal(bp_automaton_state_count(NULL), 0);
  assert_int_equal(bp_automaton_is_empty(NULL), 0);
  assert_null(bp_automaton_name(NULL));
  bp_automaton_unref(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),     cmocka_unit_test(test_crowds),
      cmocka_unit_test(test_very_many), cmocka_unit_test(test_looking),
      cmocka_unit_test(test_others),    cmocka_unit_test(test_options),
      cmocka_unit_test(test_nothing),
  };
  if (bp_context_new(&ctx) != BP_OK) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  bp_context_unref(ctx);
  return failed;
}
