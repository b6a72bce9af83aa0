/* SPDX-License-Identifier: MIT
 * Formulas: what is read, how it is printed, what is wrong and where, getters, the builder. */
#include "texts.h"

static bp_context *ctx;

static void test_precedence(void **state)
{
  (void)state;
  assert_reads(ctx, "a || b && c U d", "a || b && c U d");
  assert_reads(ctx, "((a)) | ((b & (c U d)))", "a || b && c U d");
  assert_reads(ctx, "(a || b) && c", "(a || b) && c");
  assert_reads(ctx, "a U b U c", "a U b U c");
  assert_reads(ctx, "(a U b) U c", "(a U b) U c");
  assert_reads(ctx, "a U b R c W d M e", "a U b R c W d M e");
  assert_reads(ctx, "a -> b -> c", "a -> b -> c");
  assert_reads(ctx, "(a -> b) -> c", "(a -> b) -> c");
  assert_reads(ctx, "a <-> b <-> c", "a <-> b <-> c");
  assert_reads(ctx, "a <-> (b <-> c)", "a <-> (b <-> c)");
  assert_reads(ctx, "a -> b <-> c || d", "a -> b <-> c || d");
  assert_reads(ctx, "!a U b", "!a U b");
  assert_reads(ctx, "!(a U b)", "!(a U b)");
  assert_reads(ctx, "G a U b", "G a U b");
  assert_reads(ctx, "G (a U b)", "G (a U b)");
  assert_reads(ctx, "X!a&b|c", "X !a && b || c");
  assert_reads(ctx, "a && (b && c)", "a && (b && c)");
}

static void test_spellings(void **state)
{
  (void)state;
  assert_reads(ctx, "[]<>p", "G F p");
  assert_reads(ctx, "GF p", "G F p");
  assert_reads(ctx, "XX p", "X X p");
  assert_reads(ctx, "GFp", "GFp");
  assert_reads(ctx, "~a=>b<=>1|0", "!a -> b <-> true || false");
  assert_reads(ctx, "true\t&\n\rfalse", "true && false");
  assert_reads(ctx, "a->b", "a -> b");
  assert_reads(ctx, "a-b->c", "a-b -> c");
}

static void test_atoms(void **state)
{
  (void)state;
  assert_reads(ctx, "in( main )", "in(main)");
  assert_reads(ctx, "enter(p) || exit({odd p})", "enter(p) || exit({odd p})");
  assert_reads(ctx, "in && enter", "in && enter");
  assert_reads(ctx, "terminated || failed", "terminated || failed");
  assert_reads(ctx, "\"terminated\" || \"x\"", "\"terminated\" || x");
  assert_reads(ctx, "\"R\" && \"GF\" && \"10\"", "\"R\" && \"GF\" && \"10\"");
  assert_reads(ctx, "main.R U main.10", "main.R U main.10");
  assert_reads(ctx, "\" main.x \"", "main.x");
  assert_reads(ctx, "{a && b} U {x}.{y}", "{a && b} U {x}.{y}");
  assert_reads(ctx, "\"g0 = !l\" U \"say \\\"\\\\\"", "\"g0 = !l\" U \"say \\\"\\\\\"");
}

typedef struct mistake {
  const char *text;
  uint32_t number, line, column;
  const char *message;
} mistake;

static const mistake mistakes[] = {
    {"", 201, 1, 1, "expected a formula before the end"},
    {"a &&", 201, 1, 5, "expected a formula before the end"},
    {"a b", 201, 1, 3, "expected an operator before 'b'"},
    {"a V b", 201, 1, 3, "expected an operator before 'V' (release is R)"},
    {"a\n  U U b", 201, 2, 5,
     "expected a formula before 'U' (an operator; quote it where it is a name)"},
    {"(a && (b", 203, 1, 7, "this '(' is never closed"},
    {"a)", 201, 1, 2, "this ')' closes nothing"},
    {"()", 201, 1, 2, "expected a formula before ')'"},
    {"x = y", 101, 1, 3, "'=' has no meaning here; an expression has quotes"},
    {"a && \xc3\xa9", 101, 1, 6, "the byte 0xc3 has no meaning here"},
    {"a && @", 101, 1, 6, "'@' has no meaning here"},
    {"2", 104, 1, 1,
     "a number other than 0 and 1 is no formula; a label that is a number has quotes"},
    {"{a", 103, 1, 1, "this '{' has no '}' on its line, or nothing between"},
    {"a U \"b\n\"", 701, 1, 5,
     "this string has no end on its line, or a \\ before something other than \\ and \""},
    {"\"\\n\"", 701, 1, 1,
     "this string has no end on its line, or a \\ before something other than \\ and \""},
    {"in(", 201, 1, 1, "expected the name of one procedure in these parentheses"},
    {"in(a, b)", 201, 1, 1, "expected the name of one procedure in these parentheses"},
};

static void test_mistakes(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    const mistake *m = &mistakes[i];
    bp_formula *f;
    bp_range range;
    assert_int_equal(bp_formula_parse(&f, ctx, m->text, strlen(m->text), "f"), BP_E_INPUT);
    assert_null(f);
    assert_string_equal(bp_context_message(ctx), m->message);
    assert_int_equal(bp_context_diagnostic_number(ctx, 0), m->number);
    bp_context_diagnostic_range(ctx, 0, &range);
    assert_int_equal(range.line, m->line);
    assert_int_equal(range.column, m->column);
  }
}

static void test_nul(void **state)
{
  (void)state;
  bp_formula *f;
  assert_int_equal(bp_formula_parse(&f, ctx, "a\0b", 3, NULL), BP_E_INPUT);
  assert_string_equal(bp_context_message(ctx), "the byte 0x00 has no meaning here");
  assert_int_equal(bp_formula_parse(&f, ctx, "\"a\0\"", 4, NULL), BP_E_INPUT);
}

static void test_looking(void **state)
{
  (void)state;
  bp_range range;
  bp_formula *f = formula_of(ctx, "a && b && a U\n p.x");
  const uint32_t root = bp_formula_root(f);
  assert_int_equal(bp_formula_op_of(f, root), BP_FORMULA_AND);
  assert_int_equal(bp_formula_operand_count(f, root), 3);
  const uint32_t until = bp_formula_operand(f, root, 2);
  assert_int_equal(bp_formula_op_of(f, until), BP_FORMULA_UNTIL);
  assert_int_equal(bp_formula_operand(f, until, 0), bp_formula_operand(f, root, 0));
  assert_int_equal(bp_formula_node_count(f), 5);
  assert_int_equal(bp_formula_size(f), 7);
  assert_int_equal(bp_formula_atom_count(f), 3);
  const uint32_t atom = bp_formula_atom_of(f, bp_formula_operand(f, until, 1));
  assert_string_equal(bp_formula_atom_proc(f, atom), "p");
  assert_string_equal(bp_formula_atom_text(f, atom), "x");
  bp_formula_atom_range(f, atom, &range);
  assert_int_equal(range.line, 2);
  assert_int_equal(range.column, 2);
  assert_int_equal(range.end - range.offset, 3);
  assert_int_equal(bp_formula_operand(f, root, 3), BP_NONE);
  assert_int_equal(bp_formula_operand(f, 99, 0), BP_NONE);
  assert_int_equal(bp_formula_atom_of(f, root), BP_NONE);
  assert_null(bp_formula_atom_text(f, 99));
  assert_string_equal(bp_formula_name(f), "f");
  bp_formula_unref(bp_formula_ref(f));
  bp_formula_unref(f);
}

static void test_builder(void **state)
{
  (void)state;
  bp_formula_builder *b;
  bp_formula *f;
  assert_int_equal(bp_formula_builder_new(&b, ctx), BP_OK);
  const uint32_t x = bp_formula_builder_atom(b, BP_ATOM_NAME, NULL, "x");
  const uint32_t r = bp_formula_builder_atom(b, BP_ATOM_NAME, "p", "R");
  const uint32_t in = bp_formula_builder_atom(b, BP_ATOM_IN, "main", NULL);
  const uint32_t quoted = bp_formula_builder_atom(b, BP_ATOM_QUOTED, NULL, "x & \"y\\");
  const uint32_t all[4] = {x, r, in, quoted};
  assert_int_equal(bp_formula_builder_atom(b, BP_ATOM_QUOTED, NULL, " x "), x);
  const uint32_t some = bp_formula_builder_node(b, BP_FORMULA_OR, all, 4);
  const uint32_t pair[2] = {some, x};
  const uint32_t top = bp_formula_builder_node(b, BP_FORMULA_WEAK_UNTIL, pair, 2);
  assert_int_equal(bp_formula_builder_finish(b, top, &f), BP_OK);
  assert_prints(f, "(x || p.R || in(main) || \"x & \\\"y\\\\\") W x");
  bp_formula_unref(f);
  assert_int_equal(bp_formula_builder_node(b, BP_FORMULA_NOT, pair, 2), BP_NONE);
  assert_int_equal(bp_formula_builder_node(b, BP_FORMULA_AND, pair, 1), BP_NONE);
  assert_int_equal(bp_formula_builder_atom(b, BP_ATOM_NAME, NULL, "x y"), BP_NONE);
  assert_string_equal(bp_context_message(ctx), "bp_formula_builder_atom(): text is no name");
  assert_int_equal(bp_formula_builder_atom(b, BP_ATOM_QUOTED, NULL, "a\nb"), BP_NONE);
  assert_int_equal(bp_formula_builder_atom(b, BP_ATOM_IN, "", NULL), BP_NONE);
  assert_int_equal(bp_formula_builder_finish(b, 999, &f), BP_E_INVALID);
  assert_int_equal(bp_formula_builder_finish(b, BP_NONE, &f), BP_E_INVALID);
  bp_formula_builder_free(b);
}

static void test_classes(void **state)
{
  (void)state;
  const struct {
    const char *text;
    uint32_t classes;
  } all[] = {{"a && X b", 31}, {"G a", 29},           {"F a", 30},          {"a U b", 30},
             {"a R b", 29},    {"G F a", 16},         {"F G a", 8},         {"G a || F b", 28},
             {"!(F a)", 29},   {"F G a && G F b", 0}, {"G (a -> F b)", 16}, {"a <-> X b", 31}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    bp_formula *f = formula_of(ctx, all[i].text);
    assert_int_equal(bp_formula_classes(f), all[i].classes);
    bp_formula_unref(f);
  }
}

static void test_nothing(void **state)
{
  (void)state;
  bp_formula *f;
  assert_int_equal(bp_formula_parse(NULL, ctx, "a", 1, NULL), BP_E_INVALID);
  assert_int_equal(bp_formula_parse(&f, NULL, "a", 1, NULL), BP_E_INVALID);
  assert_int_equal(bp_formula_parse(&f, ctx, NULL, 1, NULL), BP_E_INVALID);
  assert_int_equal(bp_formula_negate(&f, ctx, NULL), BP_E_INVALID);
  assert_int_equal(bp_formula_write(NULL, NULL), BP_E_INVALID);
  assert_int_equal(bp_formula_root(NULL), BP_NONE);
  assert_int_equal(bp_formula_size(NULL), 0);
  assert_int_equal(bp_formula_builder_atom(NULL, BP_ATOM_FAILED, NULL, NULL), BP_NONE);
  bp_formula_unref(NULL);
  bp_formula_builder_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_precedence), cmocka_unit_test(test_spellings),
      cmocka_unit_test(test_atoms),      cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_nul),        cmocka_unit_test(test_looking),
      cmocka_unit_test(test_builder),    cmocka_unit_test(test_classes),
      cmocka_unit_test(test_nothing),
  };
  if (bp_context_new(&ctx) != BP_OK) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  bp_context_unref(ctx);
  return failed;
}
