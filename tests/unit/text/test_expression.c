/* SPDX-License-Identifier: MIT
 * Expressions over the names of a finished program. */
#include "base/context.h"
#include "text/expression.h"
#include "text/print.h"
#include "texts.h"

static const char program_text[] = "decl a, b; void f(p) begin decl a, l; a := p; end "
                                   "void main() begin end";

typedef struct fixture {
  bp_context *ctx;
  bp_program *program;
} fixture;

static void check(fixture *f, uint32_t proc, const char *text, const char *printed)
{
  bpi_code code = {0};
  bpi_context_begin(f->ctx);
  assert_int_equal(bpi_expression_parse(&code, f->ctx, f->program, proc, text, "--when"), BP_OK);
  buffer b = {0};
  const bp_sink sink = buffer_sink(&b);
  bpi_out out;
  bpi_out_init(&out, &sink);
  assert_int_equal(bpi_print_expression(&out, f->program, code.at, code.count), BP_OK);
  assert_int_equal(bpi_out_flush(&out), BP_OK);
  assert_string_equal(b.at, printed);
  buffer_free(&b);
  bpi_vec_free(&code);
}

static void refuse(fixture *f, uint32_t proc, const char *text, uint32_t number, uint32_t column)
{
  bpi_code code = {0};
  bpi_context_begin(f->ctx);
  assert_int_equal(bpi_expression_parse(&code, f->ctx, f->program, proc, text, "--when"),
                   BP_E_INPUT);
  assert_null(code.at);
  check_diagnostic(f->ctx, text, BP_ERROR, number, 1, column);
  assert_string_equal(bp_context_diagnostic_file(f->ctx, 0), "--when");
}

static void test_reads(void **state)
{
  fixture *f = *state;
  check(f, 0, "a & (b | p) & l", "a & (b | p) & l");
  check(f, BP_NONE, " !a = b // all of it", "!a = b");
  check(f, 1, "*", "*");
}

static void test_scope(void **state)
{
  fixture *f = *state;
  bpi_code code = {0};
  bpi_context_begin(f->ctx);
  assert_int_equal(bpi_expression_parse(&code, f->ctx, f->program, 0, "a", "x"), BP_OK);
  assert_int_equal(code.count, 1);
  assert_int_equal(bp_var_kind_of(f->program, code.at[0].arg), BP_VAR_LOCAL);
  bpi_vec_free(&code);
}

static void test_refuses(void **state)
{
  fixture *f = *state;
  refuse(f, 1, "p", BPI_MSG_UNDECLARED, 1);
  refuse(f, BP_NONE, "a & l", BPI_MSG_UNDECLARED, 5);
  refuse(f, 0, "'a", BPI_MSG_PRIME, 1);
  refuse(f, 0, "a b", BPI_MSG_SYNTAX, 3);
  refuse(f, 0, "", BPI_MSG_SYNTAX, 1);
  refuse(f, 0, "(a", BPI_MSG_SYNTAX, 3);
  refuse(f, 0, "f(a)", BPI_MSG_CALL_IN_EXPR, 1);
  refuse(f, 0, "a @", BPI_MSG_CHARACTER, 3);
}

static int setup(void **state)
{
  static fixture f;
  *state = &f;
  if (bp_context_new(&f.ctx) != BP_OK) return 1;
  return bp_program_parse(&f.program, f.ctx, program_text, sizeof program_text - 1, "p.bp", NULL) !=
         BP_OK;
}

static int teardown(void **state)
{
  fixture *f = *state;
  bp_program_unref(f->program);
  bp_context_unref(f->ctx);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads),
      cmocka_unit_test(test_scope),
      cmocka_unit_test(test_refuses),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
