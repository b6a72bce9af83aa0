/* SPDX-License-Identifier: MIT
 * Large and odd texts: an answer or an error, in time and without deep recursion. */
#include "base/context.h"
#include "texts.h"

#include <bp/cfg.h>
#include <stdbool.h>

static void repeat(buffer *b, const char *text, uint32_t times)
{
  const size_t len = strlen(text);
  while (times--)
    buffer_add(b, text, len);
}

static void add(buffer *b, const char *text)
{
  buffer_add(b, text, strlen(text));
}

/* Text with %u replaced by 0, 1, ... */
static void repeat_numbered(buffer *b, const char *format, uint32_t times)
{
  for (uint32_t i = 0; i < times; i++) {
    char text[100];
    const char *mark = strstr(format, "%u"), *second = strstr(mark + 2, "%u");
    buffer_add(b, format, (size_t)(mark - format));
    const int len = snprintf(text, sizeof text, "%u", i);
    buffer_add(b, text, (size_t)len);
    if (second) {
      buffer_add(b, mark + 2, (size_t)(second - mark - 2));
      buffer_add(b, text, (size_t)len);
      mark = second;
    }
    add(b, mark + 2);
  }
}

/* Reads a program around `b`, which is used up. */
static void check_body(void **state, buffer *b, bp_status expected)
{
  buffer text = {0};
  add(&text, "decl a, c; void main() begin\n");
  buffer_add(&text, b->at, b->len);
  add(&text, "\nend");
  bp_program *p = parse(*state, text.at, text.len, NULL, expected);
  if (p) check_round_trip(*state, p, NULL);
  bp_program_unref(p);
  buffer_free(&text);
  buffer_free(b);
}

static void check_nested(void **state, const char *before, const char *open, const char *inside,
                         const char *close, uint32_t depth, bp_status expected)
{
  buffer b = {0};
  add(&b, before);
  repeat(&b, open, depth);
  add(&b, inside);
  repeat(&b, close, depth);
  check_body(state, &b, expected);
}

static void test_nesting(void **state)
{
  check_nested(state, "assert ", "(", "1", ")", 100000, BP_OK);
  check_nested(state, "assert ", "(", "1", "", 100000, BP_E_INPUT);
  check_nested(state, "assert ", "a & (", "a", ")", 100000, BP_OK);
  check_nested(state, "assert ", "!", "a", "", 1000000, BP_OK);
  check_nested(state, "assert ", "a ? a : ", "a", "", 100000, BP_OK);
  check_nested(state, "assert ", "a ? ", "a", " : a", 100000, BP_OK);
  check_nested(state, "assert ", "a => ", "a", "", 100000, BP_OK);
  check_nested(state, "assert ", "schoose[", "a", ", a]", 100000, BP_OK);
  check_nested(state, "", "if (a) then\n", "skip;", " fi", 100000, BP_OK);
  check_nested(state, "", "if (a) then\n", "skip;", "", 100000, BP_E_INPUT);
  check_nested(state, "", "while * do ", "", " fi", 100000, BP_E_INPUT);
  check_nested(state, "", "start_thread ", "skip", "", 100000, BP_OK);
}

static void test_long(void **state)
{
  buffer b = {0};
  repeat(&b, "skip;\n", 1000000);
  check_body(state, &b, BP_OK);
  repeat(&b, "x @ ", 100000);
  check_body(state, &b, BP_E_INPUT);
  repeat(&b, "@;", 100000);
  check_body(state, &b, BP_E_INPUT);
  repeat(&b, ";", 1000000);
  check_body(state, &b, BP_OK);
  repeat(&b, "L: skip;", 100000);
  check_body(state, &b, BP_OK);
  add(&b, "a := a$");
  repeat(&b, " & a$", 100000);
  check_body(state, &b, BP_OK);
}

static void test_long_names(void **state)
{
  buffer b = {0};
  repeat(&b, "n", 10000000);
  add(&b, " := 1;");
  check_body(state, &b, BP_E_INPUT);
  add(&b, "decl ");
  repeat(&b, "n", 10000000);
  check_body(state, &b, BP_OK);
}

static void test_many_names(void **state)
{
  buffer b = {0};
  repeat_numbered(&b, "decl v%u; v%u := *;\n", 100000);
  check_body(state, &b, BP_OK);
  repeat_numbered(&b, "v%u := 1;\n", 100000);
  check_body(state, &b, BP_E_INPUT);
  repeat_numbered(&b, "L%u: goto L%u;\n", 100000);
  check_body(state, &b, BP_OK);
  repeat_numbered(&b, "goto L%u;\n", 100000);
  check_body(state, &b, BP_E_INPUT);
  repeat_numbered(&b, "L%u: ", 100000);
  check_body(state, &b, BP_OK);
  add(&b, "end\n");
  repeat_numbered(&b, "void f%u() begin f%u(); end\n", 100000);
  add(&b, "void last() begin skip;");
  check_body(state, &b, BP_OK);
}

static void test_odd_bytes(void **state)
{
  static const char nul[] = "void main() begin\0 skip; end";
  parse(*state, nul, sizeof nul - 1, NULL, BP_E_INPUT);
  assert_true(has_diagnostic(*state, BP_ERROR, BPI_MSG_CHARACTER, 1, 18));
  static const char braced[] = "decl {a\0b}; void main() begin {a\0b} := 1; end";
  bp_program *p = parse(*state, braced, sizeof braced - 1, NULL, BP_E_INPUT);
  assert_null(p);
  static const char utf8[] = "void main() begin \xff\xfe\xfd skip; \xc3\x28 end";
  parse(*state, utf8, sizeof utf8 - 1, NULL, BP_E_INPUT);
  static const char crlf[] = "decl a;\r\nvoid main() begin // x\r\n  a := 1;\r\nend\r\n";
  bp_program_unref(parse(*state, crlf, sizeof crlf - 1, NULL, BP_OK));
  parse(*state, NULL, 0, NULL, BP_E_INPUT);
  buffer b = {0};
  repeat(&b, "{", 1000000);
  parse(*state, b.at, b.len, NULL, BP_E_INPUT);
  buffer_free(&b);
  uint32_t random = 1;
  for (uint32_t i = 0; i < 1000000; i++) {
    random = random * 1664525u + 1013904223u;
    const char c = (char)(random >> 24);
    buffer_add(&b, &c, 1);
  }
  parse(*state, b.at, b.len, NULL, BP_E_INPUT);
  buffer_free(&b);
}

/* Every prefix of a program is read or refused. */
static void test_prefixes(void **state)
{
  static const char text[] =
      "decl a, {b c} := *; bool<2> f(x) begin decl y := a ? x : !x; return x, y; end /* c */\n"
      "void main() begin L: 1: a, {b c} := f(schoose[a, 1]); if (a = 0) then goto L, 1; elsif * "
      "then dead a; else a := 1 constrain 'a => a; fi while 1 do start_thread skip; od end";
  for (size_t len = 0; len < sizeof text; len++) {
    bp_program *p = NULL;
    char *copy = malloc(len ? len : 1); /* so that reading past the end is seen */
    memcpy(copy, text, len);
    const bp_status status = bp_program_parse(&p, *state, copy, len, NULL, NULL);
    assert_true(status == BP_OK || status == BP_E_INPUT);
    bp_program_unref(p);
    free(copy);
  }
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

static void set_limit(bp_context *ctx, uint64_t wall_ms)
{
  const bp_limits limits = {.size = sizeof limits, .wall_ms = wall_ms};
  assert_int_equal(bp_context_set_limits(ctx, &limits), BP_OK);
}

/* Statements that take far longer to read than their time is: one is enough. */
static void test_stops(void **state)
{
  static const struct row {
    const char *first, *more, *last;
    uint32_t times;
    bool builds; /* the graph takes that long, too */
  } rows[] = {
      {"L: goto L", ", L", ";", 1000000, true},
      {"a", ", a", " := 1;", 1000000, false},
      {"dead a", ", a", ";", 1000000, false},
      {"decl x", ", y", ";", 1000000, false},
      {"a := a", " & c", ";", 1000000, false},
      {"print(a", ", c", ");", 1000000, false},
      {"f(a", ", c", ");", 1000000, false},
      {"", "L: ", "skip;", 1000000, false},
      {"", "if (a) then ", "skip;", 500000, false},
      {"", "a := c; ", "", 500000, true},
      {"skip; end ", "void f() begin end ", "", 200000, false},
  };
  bp_context *ctx = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    buffer b = {0};
    add(&b, "decl a, c; void main() begin ");
    add(&b, rows[i].first);
    repeat(&b, rows[i].more, rows[i].times);
    add(&b, rows[i].last);
    add(&b, " end");
    set_limit(ctx, 1);
    parse(ctx, b.at, b.len, NULL, BP_E_LIMIT);
    assert_int_equal(bp_context_diagnostic_count(ctx), 1); /* the stop alone */
    assert_non_null(strstr(bp_context_diagnostic_text(ctx, 0), "stopped"));
    set_limit(ctx, 0);
    bp_program *p = rows[i].builds ? parse(ctx, b.at, b.len, NULL, BP_OK) : NULL;
    bp_cfg *cfg = NULL;
    set_limit(ctx, 1);
    if (p) assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_E_LIMIT);
    assert_null(cfg);
    set_limit(ctx, 0);
    bp_program_unref(p);
    buffer_free(&b);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nesting),    cmocka_unit_test(test_long),
      cmocka_unit_test(test_long_names), cmocka_unit_test(test_many_names),
      cmocka_unit_test(test_odd_bytes),  cmocka_unit_test(test_prefixes),
      cmocka_unit_test(test_stops),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
