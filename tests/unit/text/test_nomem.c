/* SPDX-License-Identifier: MIT
 * Every allocation of the library fails once, in turn: BP_E_NOMEM, nothing lost, nothing made. */
#include "text/expression.h"
#include "texts.h"

static unsigned long calls, failing;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static int fails(void)
{
  return ++calls == failing;
}

void *__wrap_malloc(size_t size)
{
  return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
  return fails() ? NULL : __real_realloc(block, size);
}

static void fail_at(unsigned long n)
{
  calls = 0;
  failing = n;
}

/* Does the thing with the n-th allocation failing, for n from 1 until none fails. */
typedef bp_status (*action)(bp_context *ctx);

static void sweep(action act, bp_status expected)
{
  for (unsigned long n = 1;; n++) {
    bp_context *ctx = NULL;
    fail_at(0);
    assert_int_equal(bp_context_new(&ctx), BP_OK);
    fail_at(n);
    const bp_status status = act(ctx);
    const int done = calls < n;
    fail_at(0);
    if (status == BP_E_NOMEM) assert_true(strlen(bp_context_message(ctx)) > 0);
    bp_context_unref(ctx);
    if (done) {
      assert_int_equal(status, expected);
      return;
    }
    /* Without memory for a diagnostic the answer itself stays what it is. */
    assert_true(status == BP_E_NOMEM || status == expected);
  }
}

static const char text[] =
    "decl a, b, {b c} := 1; bool<2> f(x) begin decl y := a ? x : !x; return x, y; end\n"
    "void main() begin L: 1: a, {b c} := f(schoose[a, 1]); if (a = 0) then goto L, 1; elsif * "
    "then dead a; else a := 1 constrain 'a => a; fi; while 1 do skip; od; a, a$ := a$, (b); "
    "decl d1, d2, d3, d4, d5, d6, d7, d8, d9, d10; start_thread skip; x := y; L: end";
static const char wrong[] =
    "decl a, a; void main() begin b := 1; goto L; c := f(a = b & a); a := 1, 0; return 1; end";

static bp_status read_good(bp_context *ctx)
{
  bp_program *p;
  bp_program_options o = {.size = sizeof o, .undeclared = BP_UNDECLARED_LOCAL};
  const bp_status status = bp_program_parse(&p, ctx, text, sizeof text - 1, "good", &o);
  assert_true((p != NULL) == (status == BP_OK));
  bp_program_unref(p);
  return status;
}

static bp_status read_wrong(bp_context *ctx)
{
  bp_program *p;
  const bp_status status = bp_program_parse(&p, ctx, wrong, sizeof wrong - 1, "wrong", NULL);
  assert_null(p);
  return status;
}

static int drop(void *user, const char *bytes, size_t len)
{
  (void)user;
  (void)bytes;
  (void)len;
  return 0;
}

static bp_program *shared;

static bp_status write_all(bp_context *ctx)
{
  const bp_sink sink = {.size = sizeof sink, .write = drop};
  const bp_status status = bp_program_write(shared, &sink);
  /* Printing has no context to leave a text in. */
  if (status == BP_E_NOMEM) {
    bp_program *p;
    assert_int_equal(bp_program_parse(&p, ctx, "", 0, "", NULL), BP_E_INPUT);
  }
  return status;
}

static bp_status read_expression(bp_context *ctx)
{
  bpi_code code = {0};
  const bp_status status = bpi_expression_parse(
      &code, ctx, shared, BP_NONE, "a & (b | !a) & schoose[a, b] & (a ? b : a)", "--when");
  bpi_vec_free(&code);
  return status;
}

static bp_status set_data(bp_context *ctx)
{
  static int key;
  const bp_status status = bp_program_set_user_data(shared, &key, &key, NULL);
  bp_program *p;
  if (status == BP_E_NOMEM) bp_program_parse(&p, ctx, "", 0, "", NULL);
  return status;
}

/* Builds without looking at any answer, as hosts may. */
static void build(bp_builder *b)
{
  const uint32_t g = bp_builder_global(b, "g", bp_builder_nondet(b));
  const uint32_t odd = bp_builder_global(b, "p == q", BP_NONE);
  bp_builder_proc_begin(b, "f", 1);
  const uint32_t x = bp_builder_formal(b, "x");
  const uint32_t value = bp_builder_not(b, bp_builder_var(b, x));
  bp_builder_return(b, &value, 1);
  bp_builder_proc_end(b);
  bp_builder_proc_begin(b, "main", 0);
  const uint32_t l = bp_builder_local(b, "l");
  bp_builder_at(b, "host.c", 3, 4);
  bp_builder_label(b, "L");
  const uint32_t both = bp_builder_and(b, bp_builder_var(b, g), bp_builder_var(b, l));
  bp_builder_if(b, both);
  bp_builder_call(b, "f", &l, 1, &both, 1);
  bp_builder_else(b);
  bp_builder_assign(b, &odd, &both, 1, bp_builder_next(b, odd));
  bp_builder_end(b);
  const char *label = "L";
  bp_builder_goto(b, &label, 1);
  bp_builder_proc_end(b);
}

static bp_status build_good(bp_context *ctx)
{
  bp_builder *b;
  bp_program *p = NULL;
  bp_program_options o = {.size = sizeof o, .entry = "main"};
  bp_status status = bp_builder_new(&b, ctx, "built", &o);
  if (status != BP_OK) return status;
  build(b);
  status = bp_builder_finish(b, &p);
  assert_true((p != NULL) == (status == BP_OK));
  bp_program_unref(p);
  bp_builder_free(b);
  /* A procedure that could not begin cannot be open. */
  return status == BP_E_INPUT ? BP_E_NOMEM : status;
}

static void test_parse(void **state)
{
  (void)state;
  sweep(read_good, BP_OK);
  sweep(read_wrong, BP_E_INPUT);
}

static void test_print(void **state)
{
  (void)state;
  sweep(write_all, BP_OK);
}

static void test_expression(void **state)
{
  (void)state;
  sweep(read_expression, BP_OK);
}

static void test_user_data(void **state)
{
  (void)state;
  sweep(set_data, BP_OK);
}

static void test_builder(void **state)
{
  (void)state;
  sweep(build_good, BP_OK);
}

static int setup(void **state)
{
  bp_context *ctx;
  const bp_program_options o = {.size = sizeof o, .undeclared = BP_UNDECLARED_LOCAL};
  (void)state;
  if (bp_context_new(&ctx) != BP_OK) return 1;
  const bp_status status = bp_program_parse(&shared, ctx, text, sizeof text - 1, "good", &o);
  bp_context_unref(ctx);
  return status != BP_OK;
}

static int teardown(void **state)
{
  (void)state;
  bp_program_unref(shared);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parse),     cmocka_unit_test(test_print),
      cmocka_unit_test(test_builder),   cmocka_unit_test(test_expression),
      cmocka_unit_test(test_user_data),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
