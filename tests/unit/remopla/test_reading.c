/* SPDX-License-Identifier: MIT
 * Errors with their places, limits that end at once, nesting of any depth, arithmetic on every operand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <bp/bp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bp_program_options remopla = {.size = sizeof remopla, .language = BP_LANGUAGE_REMOPLA};

static bp_status read(bp_context *ctx, bp_program **out, const char *text)
{
  return bp_program_parse(out, ctx, text, strlen(text), "test.rem", &remopla);
}

typedef struct mistake {
  const char *text;
  uint32_t number, column;
} mistake;

static void test_mistakes(void **state)
{
  static const mistake all[] = {
      {"module void main() { x = 1; }", 301, 22},
      {"int x(2); module void main() { x = y; }", 301, 36},
      {"int x(2); module void main() { x[1] = 0; }", 315, 32},
      {"int x(2)[2]; module void main() { x = 0; }", 315, 35},
      {"int x(2); module void main() { skip (x); }", 315, 38},
      {"int x; module void main() { }", 316, 5},
      {"int x(33); module void main() { }", 316, 5},
      {"bool b[1000000000]; module void main() { }", 105, 6},
      {"int x(32); module void main() { x = x * x; }", 105, 39},
      {"module void main() { skip (A i (0, 1000000000) i >= 0); }", 105, 53},
      {"module void main() { if :: true -> fi }}", 201, 40},
      {"module void main() { fi; }", 201, 22},
      {"module void main() { do :: true -> skip; }", 203, 42},
      {"module void main() { break; }", 201, 22},
      {"module void main() { goto L; }", 303, 27},
      {"module void main() { L: skip; L: skip; }", 402, 31},
      {"module void main() { f(); }", 304, 22},
      {"module void main() { main(1); }", 306, 22},
      {"bool b; module void main() { b = main(); }", 307, 34},
      {"module void main() { return 1; }", 308, 29},
      {"bool b, b; module void main() { }", 302, 9},
      {"module void f() { }", 305, 1},
      {"module void main() { skip (1 & 1); }", 101, 30},
      {"module void main() { skip (f(1) == 1); }", 202, 29},
      {"int x(2); module void main() { x = x / (1 / 0); } define N 1 / 0", 315, 60},
      {"enum e { A, B, A }; module void main() { }", 302, 16},
      {"enum e { A }; enum e { B }; module void main() { }", 302, 20},
      {"define A 1 enum e { A }; module void main() { }", 302, 21},
      {"enum e { }; module void main() { }", 201, 10},
      {"enum e { A B }; module void main() { }", 201, 12},
      {"enum e { A = 1 }; module void main() { }", 201, 12},
      {"enum e { A } x; module void main() { }", 201, 14},
      {"enum { A }; module void main() { }", 201, 6},
      {"enum f x; module void main() { }", 301, 6},
      {"enum e x; enum e { A }; module void main() { }", 301, 6},
      {"enum e { A, B }; enum e x(2); module void main() { }", 201, 26},
      {"enum e { A, B, C }; enum e x; module void main() { skip (x); }", 315, 58},
      {"enum e { A, B }; module void main() { A = 1; }", 301, 39},
      {"enum e { A }; enum f { B }; module enum e m(); module enum f m() { } module void main() { "
       "}",
       315, 43},
  };
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    bp_context *ctx;
    bp_program *p;
    bp_range at = {0};
    assert_int_equal(bp_context_new(&ctx), BP_OK);
    const bp_status status = read(ctx, &p, all[i].text);
    bp_context_diagnostic_range(ctx, 0, &at);
    if (status != BP_E_INPUT || bp_context_diagnostic_number(ctx, 0) != all[i].number ||
        at.column != all[i].column)
      fail_msg("%s: %s, %u at %u: %s", all[i].text, bp_status_name(status),
               (unsigned)bp_context_diagnostic_number(ctx, 0), (unsigned)at.column,
               bp_context_message(ctx));
    assert_null(p);
    bp_context_unref(ctx);
  }
}

static char *repeat(const char *head, const char *part, int count, const char *middle,
                    const char *tail, const char *end)
{
  char *text = malloc(strlen(head) + (strlen(part) + strlen(tail)) * (size_t)count +
                      strlen(middle) + strlen(end) + 1);
  assert_non_null(text);
  char *to = text + sprintf(text, "%s", head);
  for (int i = 0; i < count; i++)
    to += sprintf(to, "%s", part);
  to += sprintf(to, "%s", middle);
  for (int i = 0; i < count; i++)
    to += sprintf(to, "%s", tail);
  sprintf(to, "%s", end);
  return text;
}

static void test_nesting(void **state)
{
  enum { DEEP = 100000 };
  (void)state;
  for (int form = 0; form < 4; form++) {
    bp_context *ctx;
    bp_program *p;
    char *text =
        form == 0 ? repeat("bool b; module void main() { skip (", "(", DEEP, "b", ")", "); }")
        : form == 1
            ? repeat("bool b; module void main() { ", "if :: b -> ", DEEP, "skip;", "fi;", " }")
        : form == 2
            ? repeat("bool b; module void main() { skip (", "!", DEEP, "b", "", "); }")
            : repeat("int a(1)[2]; module void main() { a[0] = ", "a[", DEEP, "0", "]", "; }");
    assert_int_equal(bp_context_new(&ctx), BP_OK);
    const bp_status status = read(ctx, &p, text);
    if (status != BP_OK) fail_msg("form %d: %s", form, bp_context_message(ctx));
    bp_program_unref(p);
    bp_context_unref(ctx);
    free(text);
  }
}

/* Whether the label BAD can be reached; no other answer is allowed. */
static int bad(bp_context *ctx, const char *text)
{
  bp_program *p;
  bp_verdict verdict = BP_UNDECIDED;
  if (read(ctx, &p, text) != BP_OK) fail_msg("%s: %s", text, bp_context_message(ctx));
  assert_int_equal(bp_reachable(&verdict, NULL, ctx, NULL, p, "BAD", NULL), BP_OK);
  assert_int_not_equal(verdict, BP_UNDECIDED);
  bp_program_unref(p);
  return verdict == BP_REACHABLE;
}

/* Laws that hold for all operands of three bits; `wrong` ones that do not. */
static void test_arithmetic(void **state)
{
  static const char *const laws[] = {
      "x + y == y + x",
      "x - y + y == x",
      "x * y == y * x",
      "x * (y + z) == x * y + x * z",
      "y > 0 -> x / y * y <= x && x - x / y * y < y",
      "y > 0 -> (0 - x) / y == 0 - x / y",
      "y > 0 -> x / (0 - y) == 0 - x / y",
      "x < y <=> y - x > 0",
      "(x <= y) ^^ (x > y)",
      "(A i (0, 7) x != i) <=> false",
      "(E i (0, 7) x * i == y * i && i != 0) <=> x == y",
      "(x - y) * (x + y) == x * x - y * y",
  };
  static const char *const wrong[] = {"x + y != 14",          "x - y > 0 - 7",
                                      "x * y != 42",          "x / 3 < 2",
                                      "x < y || y < x",       "!(x == x || y / 0 == 0)",
                                      "x != x && y / 0 == 0", "!(x != x -> y / 0 == 0)"};
  char text[512];
  bp_context *ctx;
  (void)state;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    snprintf(text, sizeof text,
             "int x(3), y(3), z(3); module void main() { if :: !(%s) -> BAD: skip; fi }", laws[i]);
    if (bad(ctx, text)) fail_msg("%s", laws[i]);
  }
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    snprintf(text, sizeof text,
             "int x(3), y(3), z(3); module void main() { if :: !(%s) -> BAD: skip; fi }", wrong[i]);
    if (!bad(ctx, text)) fail_msg("%s", wrong[i]);
  }
  bp_context_unref(ctx);
}

/* `%s` constants: nothing is beyond the last one, however it came about, and every one can come about. */
static const char enum_program[] =
    "enum e { %s }; enum e g, a[2]; int n(3); init start;\n"
    "module enum e any(enum e p) { enum e l; n = l; a[1] = l; if :: p == l -> return l; :: else -> "
    "skip; fi }\n"
    "module void start(enum e f) { enum e x;\n"
    "if :: n == 0 -> n = g; :: n == 1 -> n = a[0]; :: n == 2 -> n = f; :: n == 3 -> n = x;\n"
    ":: n == 4 -> x = undef; n = x; :: n == 5 -> a[x / 2] = undef; n = a[0];\n"
    ":: n == 6 -> n = any(f); :: n == 7 -> g = any(x); n = g; :: n == 7 -> a[1] = any(x); n = "
    "a[1];\n"
    ":: n == 7 -> any(x); fi; if :: n %s %d -> BAD: skip; fi }";

static void test_enums(void **state)
{
  static const char *const constants[] = {"A",          "A, B",          "A, B, C",
                                          "A, B, C, D", "A, B, C, D, F", "A, B, C, D, F, G, H"};
  static const int counts[] = {1, 2, 3, 4, 5, 7};
  char program[1024];
  bp_context *ctx;
  (void)state;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    snprintf(program, sizeof program, enum_program, constants[i], ">=", counts[i]);
    if (bad(ctx, program)) fail_msg("beyond %s", constants[i]);
    for (int k = 0; k < counts[i]; k++) {
      snprintf(program, sizeof program, enum_program, constants[i], "==", k);
      if (!bad(ctx, program)) fail_msg("%d of %s", k, constants[i]);
    }
  }
  bp_context_unref(ctx);
}

static void test_enum_names(void **state)
{
  bp_context *ctx;
  bp_program *p;
  (void)state;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(read(ctx, &p,
                        "define N 2 enum e { A, B, C }; int n(2); enum e x[N]; bool b; "
                        "module void main() { }"),
                   BP_OK);
  const uint32_t n = bp_program_find_datum(p, BP_NONE, "n"),
                 x = bp_program_find_datum(p, BP_NONE, "x");
  assert_int_equal(bp_datum_value_count(p, x), 3);
  assert_int_equal(bp_datum_bits(p, x), 2);
  assert_string_equal(bp_datum_value_name(p, x, 0), "A");
  assert_string_equal(bp_datum_value_name(p, x, 2), "C");
  assert_null(bp_datum_value_name(p, x, 3));
  assert_null(bp_datum_value_name(p, x, (uint64_t)1 << 32));
  assert_int_equal(bp_datum_value_count(p, n), 0);
  assert_null(bp_datum_value_name(p, n, 0));
  assert_null(bp_datum_value_name(p, BP_NONE, 0));
  assert_null(bp_datum_value_name(NULL, 0, 0));
  assert_int_equal(bp_datum_value_count(NULL, 0), 0);
  bp_program_unref(p);
  bp_context_unref(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mistakes), cmocka_unit_test(test_nesting),
      cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_enums),
      cmocka_unit_test(test_enum_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
