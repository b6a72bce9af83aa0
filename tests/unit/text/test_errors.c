/* SPDX-License-Identifier: MIT
 * What is refused or doubted, and where exactly. */
#include "base/context.h"
#include "texts.h"

typedef struct fault {
  const char *text;
  uint32_t number, line, column;
  uint32_t errors; /* in all; 0: a warning, an error only when strict */
} fault;

static const fault faults[] = {
    /* bytes and tokens */
    {"void main() begin\n  skip @;\nend", BPI_MSG_CHARACTER, 2, 8, 1},
    {"decl a\xc3\xa4;void main() begin end", BPI_MSG_CHARACTER, 1, 7, 1},
    {"void main() begin a->b := 1; end", BPI_MSG_CHARACTER, 1, 20, 1},
    {"void main() begin skip; /* x\nend", BPI_MSG_OPEN_COMMENT, 1, 25, 1},
    {"void main() begin {a\n} := 1; end", BPI_MSG_OPEN_BRACE, 1, 19, 1},
    {"void main() begin {} := 1; end", BPI_MSG_OPEN_BRACE, 1, 19, 1},
    {"void main() begin assert(2); end", BPI_MSG_NUMBER, 1, 26, 1},
    {"void main() begin assert(00); end", BPI_MSG_NUMBER, 1, 26, 1},
    {"bool<70000> main() begin end", BPI_MSG_TOO_LARGE, 1, 6, 1},
    /* grammar */
    {"void main() begin skip x; end", BPI_MSG_SYNTAX, 1, 24, 1},
    {"void main() begin\nskip\nskip;\nend", BPI_MSG_SYNTAX, 3, 1, 1},
    {"void main() begin a = 1; end", BPI_MSG_SYNTAX, 1, 21, 1},
    {"void main() begin := 1; skip x; end", BPI_MSG_SYNTAX, 1, 19, 2},
    {"void main() begin assert(1; assert(1)); end", BPI_MSG_SYNTAX, 1, 27, 2},
    {"void main() begin assert(1 |); end", BPI_MSG_SYNTAX, 1, 29, 1},
    {"void main() begin assert(1 ? 0); end", BPI_MSG_SYNTAX, 1, 31, 1},
    {"void main() begin assert(schoose[1]); end", BPI_MSG_SYNTAX, 1, 35, 1},
    {"void main() begin assert(schoose[1,0,1]); end", BPI_MSG_SYNTAX, 1, 37, 1},
    {"void main() begin L: ; end", BPI_MSG_SYNTAX, 1, 22, 1},
    {"void main() begin goto ; end", BPI_MSG_SYNTAX, 1, 24, 1},
    {"void main() begin if (1) skip; fi end", BPI_MSG_SYNTAX, 1, 26, 1},
    {"void main() begin while (1) skip; od end", BPI_MSG_SYNTAX, 1, 29, 1},
    {"void main() begin if )) then skip; else skip; fi end", BPI_MSG_SYNTAX, 1, 22, 1},
    {"void main() begin fi end", BPI_MSG_SYNTAX, 1, 19, 1},
    {"void main() begin od end", BPI_MSG_SYNTAX, 1, 19, 1},
    {"void main() begin else end", BPI_MSG_SYNTAX, 1, 19, 1},
    {"void main() begin if 1 then else else fi end", BPI_MSG_SYNTAX, 1, 34, 1},
    {"void main() begin start_thread; end", BPI_MSG_SYNTAX, 1, 31, 1},
    {"void main() begin start_thread decl x; end", BPI_MSG_SYNTAX, 1, 32, 1},
    {"void main() skip; end", BPI_MSG_SYNTAX, 1, 13, 1},
    {"void main( begin end", BPI_MSG_SYNTAX, 1, 12, 1},
    {"void main(x := 1) begin end", BPI_MSG_SYNTAX, 1, 11, 1},
    {"void if() begin end", BPI_MSG_SYNTAX, 1, 6, 1},
    {"decl a b; void main() begin end", BPI_MSG_SYNTAX, 1, 8, 1},
    {"skip; void main() begin end", BPI_MSG_SYNTAX, 1, 1, 1},
    {"void main() begin if 1 then end", BPI_MSG_UNCLOSED, 1, 29, 1},
    {"void main() begin while 1 do if 1 then od end", BPI_MSG_UNCLOSED, 1, 40, 1},
    {"void main() begin skip;", BPI_MSG_UNCLOSED, 1, 24, 1},
    {"void f() begin skip; void main() begin end", BPI_MSG_UNCLOSED, 1, 22, 1},
    {"bool f() begin return 1; end void main() begin decl a; a := f() & 1; end",
     BPI_MSG_CALL_IN_EXPR, 1, 61, 1},
    {"bool f() begin return 1; end void main() begin decl a; a := !f(); end", BPI_MSG_CALL_IN_EXPR,
     1, 62, 1},
    {"bool f() begin return 1; end void main() begin decl a; a, a := f(), 1; end",
     BPI_MSG_CALL_IN_EXPR, 1, 64, 1},
    {"void f() begin end void main() begin assert(f()); end", BPI_MSG_CALL_IN_EXPR, 1, 45, 1},
    {"void main() begin decl a; a := f() constrain 1; end", BPI_MSG_SYNTAX, 1, 36, 1},
    /* names and types */
    {"void main() begin\n  x := 1;\nend", BPI_MSG_UNDECLARED, 2, 3, 1},
    {"void main() begin x := x; x := y; end", BPI_MSG_UNDECLARED, 1, 32, 2},
    {"void main() begin assert(!x); end", BPI_MSG_UNDECLARED, 1, 27, 1},
    {"void f() begin decl x; end void main() begin dead x; end", BPI_MSG_UNDECLARED, 1, 51, 1},
    {"void main() begin assert(_); end", BPI_MSG_UNDECLARED, 1, 26, 1},
    {"void main() begin assert(x$); end", BPI_MSG_UNDECLARED, 1, 26, 1},
    {"decl a, a; void main() begin end", BPI_MSG_DUPLICATE, 1, 9, 1},
    {"void main() begin decl a; decl a; end", BPI_MSG_DUPLICATE, 1, 32, 1},
    {"void main(a) begin decl a; end", BPI_MSG_DUPLICATE, 1, 25, 1},
    {"void main(a, a) begin end", BPI_MSG_DUPLICATE, 1, 14, 1},
    {"void main() begin end void main() begin end", BPI_MSG_DUPLICATE, 1, 28, 1},
    {"void main() begin goto L; end", BPI_MSG_NO_LABEL, 1, 24, 1},
    {"void f() begin L: skip; end void main() begin goto L; end", BPI_MSG_NO_LABEL, 1, 52, 1},
    {"void main() begin L: goto L, M, N; end", BPI_MSG_NO_LABEL, 1, 33, 2},
    {"void main() begin f(); end", BPI_MSG_NO_PROC, 1, 19, 1},
    {"void f() begin end", BPI_MSG_NO_ENTRY, 1, 1, 1},
    {"", BPI_MSG_NO_ENTRY, 1, 1, 1},
    {"void f(a) begin end void main() begin f(1, 0); end", BPI_MSG_ARGUMENTS, 1, 39, 1},
    {"void f(a) begin end void main() begin f(); end", BPI_MSG_ARGUMENTS, 1, 39, 1},
    {"bool<2> f() begin return 1,0; end void main() begin decl a; a := f(); end", BPI_MSG_RESULTS,
     1, 66, 1},
    {"void f() begin end void main() begin _ := f(); end", BPI_MSG_RESULTS, 1, 43, 1},
    {"bool f() begin return 1, 0; end void main() begin end", BPI_MSG_RETURNS, 1, 16, 1},
    {"void main() begin return 1; end", BPI_MSG_RETURNS, 1, 19, 1},
    {"decl a, b; void main() begin a, b := 1; end", BPI_MSG_SIDES, 1, 30, 1},
    {"decl a, b; void main() begin a := 1, 0; end", BPI_MSG_SIDES, 1, 30, 1},
    {"decl a; void main() begin assert('a); end", BPI_MSG_PRIME, 1, 34, 1},
    {"decl a; void main() begin a := 'a constrain 'a; end", BPI_MSG_PRIME, 1, 32, 1},
    {"decl a; void main() begin enforce 'a; end", BPI_MSG_PRIME, 1, 35, 1},
    {"decl a, b := a; void main() begin end", BPI_MSG_INITIALISER, 1, 14, 1},
    {"decl T; void main() begin end", BPI_MSG_RESERVED, 1, 6, 1},
    {"void main(false) begin end", BPI_MSG_RESERVED, 1, 11, 1},
    {"void main() begin T := 1; end", BPI_MSG_RESERVED, 1, 19, 1},
    /* doubtful */
    {"decl a; void main() begin decl a; end", BPI_MSG_SHADOW, 1, 32, 0},
    {"void main() begin L: skip; L: skip; goto L; end", BPI_MSG_LABEL_TWICE, 1, 28, 0},
    {"void main() begin L: L: L: skip; end", BPI_MSG_LABEL_TWICE, 1, 22, 0},
    {"decl a; void main() begin a, a := 1, 0; end", BPI_MSG_TARGET_TWICE, 1, 30, 0},
    {"void main() begin L: end", BPI_MSG_LABEL_AT_END, 1, 19, 0},
    {"void main() begin if 1 then L: else skip; fi end", BPI_MSG_LABEL_AT_END, 1, 29, 0},
    {"decl a; void main() begin assert(a = a & a); end", BPI_MSG_PRECEDENCE, 1, 40, 0},
    {"decl a; void main() begin assert(a ^ a != a); end", BPI_MSG_PRECEDENCE, 1, 36, 0},
    {"decl a; void main() begin assert(a => a => a); end", BPI_MSG_PRECEDENCE, 1, 41, 0},
    {"bool f() begin return; end void main() begin end", BPI_MSG_BARE_RETURN, 1, 16, 0},
    {"bool f() begin skip; end void main() begin end", BPI_MSG_FALL_OFF, 1, 22, 0},
    {"bool f() begin if * then return 1; fi end void main() begin end", BPI_MSG_FALL_OFF, 1, 39, 0},
};

static void test_faults(void **state)
{
  bp_context *ctx = *state;
  const bp_program_options strict = {.size = sizeof strict, .strict = 1};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    const fault *f = &faults[i];
    bp_program *p = parse(ctx, f->text, strlen(f->text), NULL, f->errors ? BP_E_INPUT : BP_OK);
    check_diagnostic(ctx, f->text, f->errors ? BP_ERROR : BP_WARNING, f->number, f->line,
                     f->column);
    if (bp_context_error_count(ctx) != f->errors) {
      bp_sink out;
      bp_sink_stdio(&out, stdout);
      bp_context_write_diagnostics(ctx, &out);
    }
    assert_int_equal(bp_context_error_count(ctx), f->errors);
    bp_program_unref(p);
    if (f->errors) continue;
    parse(ctx, f->text, strlen(f->text), &strict, BP_E_INPUT);
    check_diagnostic(ctx, f->text, BP_ERROR, f->number, f->line, f->column);
  }
}

/* Texts that must not be doubted. */
static const char *const clean[] = {
    "bool f() begin if * then return 1; else return 0; fi end void main() begin end",
    "bool f() begin while 1 do skip; od end void main() begin end",
    "bool f() begin L: goto L; end void main() begin end",
    "bool f() begin if * then return 1; fi assume(0); end void main() begin end",
    "decl a; void main() begin assert(!a = a); assert((a = a) & a); assert(a = a = a); end",
    "decl a; void main() begin _, _ := 1, 0; a := a; end",
};

static void test_clean(void **state)
{
  const bp_program_options strict = {.size = sizeof strict, .strict = 1};
  for (size_t i = 0; i < sizeof clean / sizeof *clean; i++)
    bp_program_unref(parse(*state, clean[i], strlen(clean[i]), &strict, BP_OK));
}

static void test_order_of_the_text(void **state)
{
  const char *text =
      "void main() begin\n x := 1;\n decl a, a;\n goto L;\n y := f();\n a := 1, 0;\nend\n"
      "decl g, g;";
  parse(*state, text, strlen(text), NULL, BP_E_INPUT);
  uint32_t last = 0;
  assert_int_equal(bp_context_diagnostic_count(*state), 7);
  for (uint32_t i = 0; i < 7; i++) {
    bp_range r;
    bp_context_diagnostic_range(*state, i, &r);
    assert_true(r.offset >= last);
    last = r.offset;
  }
}

static void test_written_form(void **state)
{
  const char *text = "void main() begin\n\tskip nonsense;\nend";
  parse(*state, text, strlen(text), NULL, BP_E_INPUT);
  buffer b = {0};
  const bp_sink sink = buffer_sink(&b);
  assert_int_equal(bp_context_write_diagnostics(*state, &sink), BP_OK);
  assert_string_equal(b.at, "t.bp:2:7: error: expected ';' before 'nonsense'\n"
                            "\tskip nonsense;\n\t     ^~~~~~~~\n");
  buffer_free(&b);
}

static void test_braces(void **state)
{
  static const char *const texts[][2] = {
      {"decl {};", "a name in braces cannot be empty"},
      {"decl {a{b}};", "a name in braces cannot have another '{' in it"},
      {"decl {a", "'{' begins a name here, and no '}' ends it on this line; blocks begin with "
                  "'begin', 'then' or 'do'"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    parse(*state, texts[i][0], strlen(texts[i][0]), NULL, BP_E_INPUT);
    assert_string_equal(bp_context_message(*state), texts[i][1]);
  }
  parse(*state, "decl {a\0b};", 11, NULL, BP_E_INPUT);
  assert_string_equal(bp_context_message(*state), "a name in braces cannot have a NUL in it");
}

static void test_long_names_are_cut(void **state)
{
  char text[2000];
  memset(text, 'x', sizeof text);
  memcpy(text, "void main() begin ", 18);
  memcpy(text + sizeof text - 10, " := 1; end", 10);
  parse(*state, text, sizeof text, NULL, BP_E_INPUT);
  assert_true(strlen(bp_context_message(*state)) < 100);
}

static int setup(void **state)
{
  return bp_context_new((bp_context **)state) != BP_OK;
}

static int teardown(void **state)
{
  bp_context_unref(*state);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_clean),
      cmocka_unit_test(test_order_of_the_text),
      cmocka_unit_test(test_written_form),
      cmocka_unit_test(test_braces),
      cmocka_unit_test(test_long_names_are_cut),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
