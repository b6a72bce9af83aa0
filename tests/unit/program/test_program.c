/* SPDX-License-Identifier: MIT
 * Looking at a program. */
#include "program/spelling.h"
#include "text/lexer.h"
#include "texts.h"

static const char text[] = "decl a, b; bool f(x) begin decl l, a; L: M: l := x; L: return l; end "
                           "decl c; void main() begin L: a := f(b); end";

static bp_context *ctx;

static void test_getters(void **state)
{
  const bp_program *p = *state;
  assert_string_equal(bp_program_name(p), "t.bp");
  assert_int_equal(bp_program_proc_count(p), 2);
  assert_int_equal(bp_program_var_count(p), 6);
  assert_int_equal(bp_program_global_count(p), 3);
  assert_int_equal(bp_program_stmt_count(p), 4);
  assert_int_equal(bp_program_entry(p), 1);
  assert_string_equal(bp_proc_name(p, 0), "f");
  assert_int_equal(bp_proc_result_count(p, 0), 1);
  assert_int_equal(bp_proc_formal_count(p, 0), 1);
  assert_int_equal(bp_proc_var_first(p, 0), 3);
  assert_int_equal(bp_proc_var_count(p, 0), 3);
  assert_int_equal(bp_proc_stmt_first(p, 1), 3);
  assert_int_equal(bp_proc_stmt_count(p, 1), 1);
  assert_int_equal(bp_var_kind_of(p, 3), BP_VAR_FORMAL);
  assert_int_equal(bp_var_kind_of(p, 4), BP_VAR_LOCAL);
  assert_int_equal(bp_var_proc(p, 4), 0);
  assert_int_equal(bp_var_proc(p, 0), BP_NONE);
  assert_int_equal(bp_stmt_kind_of(p, 3), BP_STMT_CALL);
  assert_int_equal(bp_stmt_callee(p, 3), 0);
  assert_int_equal(bp_stmt_proc(p, 3), 1);
  assert_int_equal(bp_stmt_label_count(p, 1), 2);
  assert_string_equal(bp_stmt_kind_name(BP_STMT_SYNC), "sync");
  assert_string_equal(bp_stmt_kind_name((bp_stmt_kind)99), "unknown");
}

static void test_out_of_range(void **state)
{
  const bp_program *p = *state;
  bp_range r;
  bp_stmt_range(p, 99, &r);
  assert_int_equal(r.line, 0);
  assert_null(bp_proc_name(p, 2));
  assert_null(bp_var_name(p, BP_NONE));
  assert_null(bp_stmt_label(p, 4, 0));
  assert_int_equal(bp_stmt_callee(p, 0), BP_NONE);
  assert_int_equal(bp_proc_var_first(p, 7), BP_NONE);
  assert_int_equal(bp_program_proc_count(NULL), 0);
  assert_int_equal(bp_program_entry(NULL), BP_NONE);
  assert_null(bp_program_name(NULL));
}

static void test_find(void **state)
{
  const bp_program *p = *state;
  assert_int_equal(bp_program_find_proc(p, "main"), 1);
  assert_int_equal(bp_program_find_proc(p, "mai"), BP_NONE);
  assert_int_equal(bp_program_find_label(p, BP_NONE, "L", 0), 1);
  assert_int_equal(bp_program_find_label(p, BP_NONE, "L", 1), 2);
  assert_int_equal(bp_program_find_label(p, BP_NONE, "L", 2), 3);
  assert_int_equal(bp_program_find_label(p, BP_NONE, "L", 3), BP_NONE);
  assert_int_equal(bp_program_find_label(p, 1, "L", 0), 3);
  assert_int_equal(bp_program_find_label(p, 1, "M", 0), BP_NONE);
  assert_int_equal(bp_program_find_var(p, 0, "a"), 5);
  assert_int_equal(bp_program_find_var(p, 1, "a"), 0);
  assert_int_equal(bp_program_find_var(p, BP_NONE, "a"), 0);
  assert_int_equal(bp_program_find_var(p, 0, "x"), 3);
  assert_int_equal(bp_program_find_var(p, BP_NONE, "x"), BP_NONE);
  assert_int_equal(bp_program_find_var(p, 9, "a"), BP_NONE);
}

static int destroyed;

static void destroy(void *data)
{
  destroyed += *(int *)data;
}

static void test_user_data(void **state)
{
  (void)state;
  static int one = 1, ten = 10, hundred = 100, key, other;
  bp_program *p = parse(ctx, text, sizeof text - 1, NULL, BP_OK);
  assert_null(bp_program_user_data(p, &key));
  assert_int_equal(bp_program_set_user_data(p, &key, &one, destroy), BP_OK);
  assert_int_equal(bp_program_set_user_data(p, &other, &hundred, destroy), BP_OK);
  assert_ptr_equal(bp_program_user_data(p, &key), &one);
  assert_int_equal(bp_program_set_user_data(p, &key, &ten, destroy), BP_OK);
  assert_int_equal(destroyed, 1);
  assert_int_equal(bp_program_set_user_data(p, NULL, &ten, destroy), BP_E_INVALID);
  assert_ptr_equal(bp_program_ref(p), p);
  bp_program_unref(p);
  assert_int_equal(destroyed, 1);
  bp_program_unref(p);
  assert_int_equal(destroyed, 111);
  bp_program_unref(NULL);
}

/* What the builder calls plain is what the scanner reads as a name. */
static void test_spelling(void **state)
{
  (void)state;
  static const char *const names[] = {"a",          "A_1$#",
                                      "$x",         "a-b",
                                      "a-",         "-a",
                                      "#a",         "1",
                                      "12",         "1a",
                                      "_",          "__",
                                      "T",          "F",
                                      "true",       "tru",
                                      "if",         "iff",
                                      "end1",       "dead",
                                      "decl",       "schoose",
                                      "sync",       "a b",
                                      "a.b",        "",
                                      "a--b",       "a-b-c",
                                      "{a}",        "\xc3\xa4",
                                      "begin",      "print",
                                      "bool",       "dfs",
                                      "while",      "do",
                                      "od",         "skip",
                                      "goto",       "return",
                                      "abortif",    "assert",
                                      "assume",     "atomic_begin",
                                      "atomic_end", "constrain",
                                      "elsif",      "else",
                                      "end",        "end_thread",
                                      "enforce",    "false",
                                      "fi",         "start_thread",
                                      "then",       "thread_local",
                                      "void"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const size_t len = strlen(names[i]);
    bpi_source source;
    bpi_lexer lexer;
    assert_true(bpi_source_init(&source, names[i], len));
    bpi_lexer_init(&lexer, &source, 0);
    bpi_token token;
    assert_int_equal(bpi_lexer_read(&lexer, &token, 1), 1);
    bpi_source_free(&source);
    const bool whole = token.end == len && len > 0, braced = names[i][0] == '{';
    const bool name = whole && !braced && (token.kind == BPI_T_ID || token.kind >= BPI_T_DFS);
    const bool constant = token.kind == BPI_T_TRUE || token.kind == BPI_T_FALSE;
    const bool number = token.kind == BPI_T_NUMBER;
    assert_int_equal(bpi_is_plain_name(names[i], len, BPI_NAME_VAR),
                     name && strcmp(names[i], "_") != 0);
    assert_int_equal(bpi_is_plain_name(names[i], len, BPI_NAME_PROC),
                     name && strcmp(names[i], "abortif") != 0);
    assert_int_equal(bpi_is_plain_name(names[i], len, BPI_NAME_LABEL),
                     name || (whole && (constant || number)));
    assert_int_equal(bpi_is_braced_name(names[i], len), whole && braced);
  }
}

static int setup(void **state)
{
  if (bp_context_new(&ctx) != BP_OK) return 1;
  *state = parse(ctx, text, sizeof text - 1, NULL, BP_OK);
  return 0;
}

static int teardown(void **state)
{
  bp_program_unref(*state);
  bp_context_unref(ctx);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_getters),  cmocka_unit_test(test_out_of_range),
      cmocka_unit_test(test_find),     cmocka_unit_test(test_user_data),
      cmocka_unit_test(test_spelling),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
