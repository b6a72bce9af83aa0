/* SPDX-License-Identifier: MIT
 * The switches, the limits, and bad arguments. */
#include "base/context.h"
#include "texts.h"

static void check_print(void **state, const char *text, const bp_program_options *options,
                        const char *printed)
{
  bp_program *p = parse(*state, text, strlen(text), options, BP_OK);
  buffer b = print(p);
  assert_string_equal(b.at, printed);
  buffer_free(&b);
  check_round_trip(*state, p, options->entry);
  bp_program_unref(p);
}

static void check_precedence(void **state, const char *expr, const char *printed)
{
  const bp_program_options satabs = {.size = sizeof satabs, .precedence = BP_PRECEDENCE_SATABS};
  char text[300], out[300];
  snprintf(text, sizeof text, "decl a, b, c; void main() begin assert(%s); end", expr);
  snprintf(out, sizeof out, "decl a, b, c;\n\nvoid main() begin\n  assert(%s);\nend\n", printed);
  check_print(state, text, &satabs, out);
}

static void test_satabs(void **state)
{
  check_precedence(state, "a = b & c", "a = (b & c)");
  check_precedence(state, "a & b = c", "(a & b) = c");
  check_precedence(state, "a | b ^ c", "(a | b) ^ c");
  check_precedence(state, "a = b = c", "a = (b = c)");
  check_precedence(state, "a => b => c", "a => (b => c)");
  check_precedence(state, "a => b = c", "a => (b = c)");
  check_precedence(state, "a = b => c", "a = (b => c)");
  check_precedence(state, "a != b | c", "a != (b | c)");
  check_precedence(state, "a | b & c", "a | b & c");
  check_precedence(state, "!a = b", "!a = b");
  check_precedence(state, "a = b ? b = c : c", "a = b ? b = c : c");
}

static void test_undeclared(void **state)
{
  const bp_program_options local = {.size = sizeof local, .undeclared = BP_UNDECLARED_LOCAL};
  check_print(state,
              "decl g; void f() begin g := 1; end void main(p) begin L: x := y & g; goto L; "
              "decl z; z := x; _ := p; end",
              &local,
              "decl g;\n\nvoid f() begin\n  g := 1;\nend\n\nvoid main(p) begin\n  decl x, y;\n"
              "  L: x := y & g;\n  goto L;\n  decl z;\n  z := x;\n  _ := p;\nend\n");
}

static void test_fall_off(void **state)
{
  const char *falls = "bool f() begin skip; end void main() begin end";
  const char *bare = "bool f() begin return; end void main() begin end";
  bp_program_options o = {.size = sizeof o, .fall_off = BP_FALL_OFF_ERROR};
  parse(*state, falls, strlen(falls), &o, BP_E_INPUT);
  check_diagnostic(*state, falls, BP_ERROR, BPI_MSG_FALL_OFF, 1, 22);
  parse(*state, bare, strlen(bare), &o, BP_E_INPUT);
  check_diagnostic(*state, bare, BP_ERROR, BPI_MSG_BARE_RETURN, 1, 16);
  o.fall_off = BP_FALL_OFF_BLOCK;
  o.strict = 1;
  bp_program_unref(parse(*state, falls, strlen(falls), &o, BP_OK));
  bp_program_unref(parse(*state, bare, strlen(bare), &o, BP_OK));
}

static void test_entry(void **state)
{
  const char *text = "void main() begin end void f() begin end";
  const bp_program_options f = {.size = sizeof f, .entry = "f"};
  const bp_program_options none = {.size = sizeof none, .entry = "nobody"};
  bp_program *with = parse(*state, text, strlen(text), &f, BP_OK);
  bp_program *without = parse(*state, text, strlen(text), NULL, BP_OK);
  assert_int_equal(bp_program_entry(with), 1);
  assert_int_equal(bp_program_entry(without), 0);
  assert_int_not_equal(bp_program_fingerprint(with), bp_program_fingerprint(without));
  bp_program_unref(with);
  bp_program_unref(without);
  parse(*state, text, strlen(text), &none, BP_E_INPUT);
}

static uint64_t fingerprint(void **state, const char *text, const bp_program_options *options)
{
  bp_program *p = parse(*state, text, strlen(text), options, BP_OK);
  const uint64_t hash = bp_program_fingerprint(p);
  bp_program_unref(p);
  return hash;
}

static void test_fingerprint(void **state)
{
  static const char *const different[] = {
      "decl a; void main() begin a := 1; end",
      "decl a; void main() begin a := 0; end",
      "decl a; void main() begin a := *; end",
      "decl b; void main() begin b := 1; end",
      "decl a := 1; void main() begin a := 1; end",
      "void main() begin decl a; a := 1; end",
      "void main(a) begin a := 1; end",
      "decl a; void main() begin a := 1; skip; end",
      "decl a; void main() begin L: a := 1; end",
      "decl a; void main() begin a := 1 constrain 1; end",
      "decl a; dfs void main() begin a := 1; end",
      "decl a; void main() begin L: skip; M: goto L; end",
      "decl a; void main() begin L: skip; M: goto M; end",
  };
  enum { COUNT = sizeof different / sizeof *different };
  uint64_t hashes[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    hashes[i] = fingerprint(state, different[i], NULL);
    for (size_t j = 0; j < i; j++)
      assert_int_not_equal(hashes[i], hashes[j]);
  }
  assert_int_equal(hashes[0], fingerprint(state, "decl a;main()begin a:=T end", NULL));
  bp_program_options o = {.size = sizeof o, .dead = BP_DEAD_IGNORE};
  assert_int_not_equal(hashes[0], fingerprint(state, different[0], &o));
  o = (bp_program_options){.size = sizeof o, .fall_off = BP_FALL_OFF_BLOCK};
  assert_int_not_equal(hashes[0], fingerprint(state, different[0], &o));
}

static void test_limits(void **state)
{
  buffer b = {0};
  buffer_add(&b, "void main() begin ", 18);
  for (int i = 0; i < 300000; i++)
    buffer_add(&b, "skip;", 5);
  buffer_add(&b, " end", 4);
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 1};
  assert_int_equal(bp_context_set_limits(*state, &limits), BP_OK);
  assert_null(parse(*state, b.at, b.len, NULL, BP_E_LIMIT));
  assert_int_equal(bp_context_set_limits(*state, NULL), BP_OK);
  bp_context_cancel(*state);
  assert_null(parse(*state, b.at, b.len, NULL, BP_E_LIMIT));
  bp_program_unref(parse(*state, b.at, b.len, NULL, BP_OK));
  buffer_free(&b);
}

static int refuse(void *user, const char *bytes, size_t len)
{
  (void)user;
  (void)bytes;
  (void)len;
  return 1;
}

static void test_arguments(void **state)
{
  bp_program *p = NULL;
  const bp_program_options bad = {.size = 1};
  const bp_program_options wild = {.size = sizeof wild, .dead = (bp_dead)7};
  assert_int_equal(bp_program_parse(NULL, *state, "", 0, "", NULL), BP_E_INVALID);
  assert_int_equal(bp_program_parse(&p, NULL, "", 0, "", NULL), BP_E_INVALID);
  assert_int_equal(bp_program_parse(&p, *state, NULL, 1, "", NULL), BP_E_INVALID);
  assert_int_equal(bp_program_parse(&p, *state, "", 0, "", &bad), BP_E_INVALID);
  assert_int_equal(bp_program_parse(&p, *state, "", 0, "", &wild), BP_E_INVALID);
  const char *text = "void main() begin skip; end";
  p = parse(*state, text, strlen(text), NULL, BP_OK);
  const bp_sink refusing = {.size = sizeof refusing, .write = refuse};
  assert_int_equal(bp_program_write(p, &refusing), BP_E_IO);
  assert_int_equal(bp_stmt_write(p, 0, &refusing), BP_E_IO);
  assert_int_equal(bp_stmt_write(p, 1, &refusing), BP_E_INVALID);
  assert_int_equal(bp_program_write(NULL, &refusing), BP_E_INVALID);
  assert_int_equal(bp_program_write(p, NULL), BP_E_INVALID);
  bp_program_unref(p);
  /* Refused before a byte is read. */
  if (sizeof(size_t) > 4)
    assert_int_equal(bp_program_parse(&p, *state, "", (size_t)UINT32_MAX - 1, "", NULL),
                     BP_E_INPUT);
}

static void test_stmt_write(void **state)
{
  static const char *const lines[] = {
      "decl a, b", "g, h := f(g)", "if (g)",    "elsif (!h)",         "else",        "fi",
      "while (*)", "od",           "assert(g)", "assume(g | h)",      "goto L1, L2", "return a, b",
      "f(g)",      "dead a",       "skip",      "a := b constrain 'a"};
  const char *text =
      "decl g, h; bool<2> f(x) begin decl a, b; g, h := f(g); if g then elsif !h then "
      "else fi while * do od assert g; assume g | h; goto L1, L2; L1: return a, b; "
      "L2: f(g); dead a; skip; a := b constrain 'a; return 1, 1; end "
      "void main() begin end";
  bp_program *p = parse(*state, text, strlen(text), NULL, BP_OK);
  for (uint32_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    buffer b = {0};
    const bp_sink sink = buffer_sink(&b);
    assert_int_equal(bp_stmt_write(p, i, &sink), BP_OK);
    assert_string_equal(b.at, lines[i]);
    buffer_free(&b);
  }
  bp_program_unref(p);
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
      cmocka_unit_test(test_satabs),    cmocka_unit_test(test_undeclared),
      cmocka_unit_test(test_fall_off),  cmocka_unit_test(test_entry),
      cmocka_unit_test(test_limits),    cmocka_unit_test(test_fingerprint),
      cmocka_unit_test(test_arguments), cmocka_unit_test(test_stmt_write),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
