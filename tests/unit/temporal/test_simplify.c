/* SPDX-License-Identifier: MIT
 * Normal forms and simplification, by example; ltl_diff.py tries them on random formulas. */
#include "texts.h"

static bp_context *ctx;

static void assert_becomes(bp_status (*change)(bp_formula **, bp_context *, const bp_formula *),
                           const char *text, const char *expected)
{
  bp_formula *f = formula_of(ctx, text), *g;
  assert_int_equal(change(&g, ctx, f), BP_OK);
  assert_prints(g, expected);
  bp_formula_unref(f);
  bp_formula_unref(g);
}

static void test_negation(void **state)
{
  (void)state;
  assert_becomes(bp_formula_negate, "a", "!a");
  assert_becomes(bp_formula_negate, "!a && true", "a || false");
  assert_becomes(bp_formula_negate, "a U b", "!a R !b");
  assert_becomes(bp_formula_negate, "a W b", "!a M !b");
  assert_becomes(bp_formula_negate, "G (a -> X F b)", "F (a && X G !b)");
  assert_becomes(bp_formula_negate, "a <-> b", "a && !b || !a && b");
}

static void test_normal_form(void **state)
{
  (void)state;
  assert_becomes(bp_formula_nnf, "!(a R b)", "!a U !b");
  assert_becomes(bp_formula_nnf, "!!!a", "!a");
  assert_becomes(bp_formula_nnf, "a -> !(b && c)", "!a || (!b || !c)");
  assert_becomes(bp_formula_nnf, "a <-> b", "a && b || !a && !b");
}

static const char *const rules[][2] = {
    {"F F a", "F a"},
    {"G F G a", "F G a"},
    {"F (a U b)", "F b"},
    {"G (a R b)", "G b"},
    {"a U a", "a"},
    {"true U a", "F a"},
    {"false R a", "G a"},
    {"a U F b", "F b"},
    {"a R G b", "G b"},
    {"a && !a", "false"},
    {"G a || F !a", "true"},
    {"G a && F a", "G a"},
    {"a U b && F b", "a U b"},
    {"a W b && F b", "a U b"},
    {"a U b || G a", "a W b"},
    {"X a && X b", "X (a && b)"},
    {"X a U X b", "X (a U b)"},
    {"F X a", "X F a"},
    {"X G F a", "G F a"},
    {"F a || F b", "F (a || b)"},
    {"G a && G b", "G (a && b)"},
    {"a U c && b U c", "(a && b) U c"},
    {"(a U b) W b", "a U b"},
    {"(a W b) U b", "a U b"},
    {"a U (a U b)", "a U b"},
    {"p U p || q U p", "q U p"},
    {"a U (b || G a)", "a W b"},
    {"a R (b && F a)", "a M b"},
    {"a M (b && F (a || c))", "a M b"},
    {"a W (b || G (a && c))", "a W b"},
    {"X a U b || !X (a U (a && b))", "true"},
    {"G F a && G F a", "G F a"},
    {"!(G F a -> G F a)", "false"},
    {"F (a && G F b)", "G F b && F a"},
    {"G F (a && F b)", "G F b && G F a"},
    {"G (a && F b)", "G F b && G a"},
    {"G !a || F (a && F b)", "!a W (a && F b)"},
};

static void test_rules(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    assert_becomes(bp_formula_simplify, rules[i][0], rules[i][1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_negation),
      cmocka_unit_test(test_normal_form),
      cmocka_unit_test(test_rules),
  };
  if (bp_context_new(&ctx) != BP_OK) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  bp_context_unref(ctx);
  return failed;
}
