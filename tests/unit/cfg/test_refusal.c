/* SPDX-License-Identifier: MIT
 * Programs that have no graph: what the refusal says and shows. */
#include "cfg/cfg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <bp/builder.h>
#include <cmocka.h>

typedef struct page {
  char text[4096];
  size_t len;
} page;

static int write_page(void *user, const char *bytes, size_t len)
{
  page *p = user;
  if (p->len + len >= sizeof p->text) return 1;
  memcpy(p->text + p->len, bytes, len);
  p->len += len;
  p->text[p->len] = '\0';
  return 0;
}

static void check_page(const bp_context *ctx, const char *expected)
{
  page p = {.len = 0};
  const bp_sink sink = {.size = sizeof sink, .write = write_page, .user = &p};
  assert_int_equal(bp_context_write_diagnostics(ctx, &sink), BP_OK);
  assert_string_equal(p.text, expected);
}

static void refused(const char *text, const char *entry, const char *expected)
{
  bp_context *ctx;
  bp_program *program;
  bp_cfg *cfg;
  const bp_program_options options = {.size = sizeof options, .entry = entry};
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_program_parse(&program, ctx, text, strlen(text), "t.bp", &options), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, program), BP_E_UNSUPPORTED);
  check_page(ctx, expected);
  bp_program_unref(program);
  bp_context_unref(ctx);
}

#define NO "error: concurrent programs are not supported: procedure "

/* The text is gone when the graph is refused; the line is shown all the same. */
static void test_lines(void **state)
{
  (void)state;
  const char *text = "decl x;\nvoid main() begin\n  skip; ASYNC_a: skip; sync x;\nend\n"
                     "void f() begin\n\tx := x$ & 1;\nend\n"
                     "void g() begin skip; x, x$ := 1, 1 constrain 'x$; end\n"
                     "void h() begin skip; end\n";
  refused(text, NULL,
          "t.bp:3:9: " NO "'main' uses threads\n  skip; ASYNC_a: skip; sync x;\n"
          "        ^~~~~~~\n"
          "t.bp:6:7: " NO "'f' uses threads\n\tx := x$ & 1;\n\t     ^~\n"
          "t.bp:8:25: " NO "'g' uses threads\n"
          "void g() begin skip; x, x$ := 1, 1 constrain 'x$; end\n"
          "                        ^~\n");
  refused(text, "f", "t.bp:6:7: " NO "'f' uses threads\n\tx := x$ & 1;\n\t     ^~\n");
}

static void test_threads_by_name(void **state)
{
  (void)state;
  refused("void main() begin end void init() begin endinit: skip; end\n  void thread1() begin end\n"
          "void thread2() begin end\n",
          NULL,
          "t.bp:2:8: " NO "'thread1' is a thread (name a sequential entry procedure)\n"
          "  void thread1() begin end\n       ^~~~~~~\n");
}

/* A program of calls has no lines, but a place. */
static void test_built(void **state)
{
  (void)state;
  bp_context *ctx;
  bp_builder *b;
  bp_program *program;
  bp_cfg *cfg;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_builder_new(&b, ctx, "built", NULL), BP_OK);
  bp_builder_proc_begin(b, "main", 0);
  bp_builder_at(b, "host.c", 7, 2);
  bp_builder_label(b, "ASYNC_a");
  bp_builder_skip(b);
  bp_builder_proc_end(b);
  assert_int_equal(bp_builder_finish(b, &program), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, program), BP_E_UNSUPPORTED);
  check_page(ctx, "host.c:7:2: " NO "'main' uses threads\n");
  bp_program_unref(program);
  bp_builder_free(b);
  bp_context_unref(ctx);
}

/* A program to look at: no entry, no graph. */
static void test_no_entry(void **state)
{
  (void)state;
  static const char *const texts[] = {"void f() begin end", ""};
  bp_context *ctx;
  bp_program *program;
  bp_cfg *cfg;
  bp_program_options options = {.size = sizeof options, .entry_optional = 1};
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(bp_program_parse(&program, ctx, texts[i], strlen(texts[i]), "t.bp", &options),
                     BP_OK);
    assert_int_equal(bp_program_entry(program), BP_NONE);
    assert_int_equal(bp_cfg_new(&cfg, ctx, program), BP_E_INPUT);
    assert_null(cfg);
    assert_string_equal(bp_context_message(ctx), "there is no procedure 'main' to start in");
    bp_program_unref(program);
  }
  /* A name that was given must be there. */
  options.entry = "main";
  assert_int_equal(bp_program_parse(&program, ctx, texts[0], strlen(texts[0]), "t.bp", &options),
                   BP_E_INPUT);
  bp_context_unref(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_threads_by_name),
      cmocka_unit_test(test_built),
      cmocka_unit_test(test_no_entry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
