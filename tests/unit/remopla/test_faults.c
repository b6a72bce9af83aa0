/* SPDX-License-Identifier: MIT
 * Each allocation fails once, and each and all after it: BP_E_NOMEM or the right answer. */
#include "failing_malloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <bp/bp.h>
#include <stdio.h>
#include <string.h>

enum { ALL_AFTER = 1000000000 };

static const char text[] =
    "define DEFAULT_INT_BITS 2 define N 2 enum e { O, P, Q }; bool b; int a[N]; enum e f[N]; init "
    "start;\n"
    "module enum e any(enum e q) { if :: q == P -> return q; :: else -> skip; fi }\n"
    "module int get(int i, bool up) { int l; if :: up -> return a[i] + 1; :: else -> l = a[i]; fi\n"
    "L: return l; }\n"
    "module void start() { int i(3); i = 0; do :: i < N -> a[i] = i, i = i + 1; :: else -> break; "
    "od;\n"
    "i = get(1, b); a[0] = undef; f[a[0]] = undef; f[1] = any(P); a[1] = any(Q); if :: A k (0, 1) "
    "a[k] * i == 2 -> R: skip; :: else -> goto R; "
    "fi; }";

static int drop(void *user, const char *bytes, size_t len)
{
  *(size_t *)user += bytes ? len : 0;
  return 0;
}

/* The set of the program's starts as text. */
static bp_status write_start(bp_context *ctx, bp_cfg *cfg, const bp_sink *sink)
{
  bp_manager *manager = NULL;
  bp_pushdown *pushdown = NULL;
  bp_configurations *set = NULL;
  bp_status status = bp_manager_new(&manager, ctx, NULL);
  if (status == BP_OK) status = bp_pushdown_from_cfg(&pushdown, ctx, cfg);
  if (status == BP_OK) status = bp_configurations_new(&set, ctx, manager, pushdown);
  if (status == BP_OK) status = bp_configurations_add_start(set);
  if (status == BP_OK) status = bp_configurations_write(set, sink, NULL, NULL);
  bp_configurations_unref(set);
  bp_pushdown_unref(pushdown);
  bp_manager_unref(manager);
  return status;
}

static bp_status live(bp_context *ctx)
{
  const bp_program_options options = {
      .size = sizeof options, .language = BP_LANGUAGE_REMOPLA, .overflow = BP_OVERFLOW_ERROR};
  size_t written = 0;
  const bp_sink sink = {.size = sizeof sink, .write = drop, .user = &written};
  bp_program *p = NULL;
  bp_cfg *cfg = NULL;
  bp_status status = bp_program_parse(&p, ctx, text, sizeof text - 1, "t", &options);
  if (status == BP_OK) status = bp_program_write(p, &sink);
  if (status == BP_OK) status = bp_program_write_boolean(p, &sink);
  if (status == BP_OK) status = bp_cfg_new(&cfg, ctx, p);
  if (status == BP_OK) status = write_start(ctx, cfg, &sink);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
  return status;
}

static void each(long more)
{
  for (long k = 0;; k++) {
    bp_context *ctx;
    assert_int_equal(bp_context_new(&ctx), BP_OK);
    malloc_fail_at(k, more);
    const bp_status status = live(ctx);
    const long failed = malloc_failures();
    malloc_fail_at(0, 0);
    if (status != BP_OK && status != BP_E_NOMEM)
      fail_msg("allocation %ld: %s: %s", k, bp_status_name(status), bp_context_message(ctx));
    if (!failed) assert_int_equal(status, BP_OK);
    bp_context_unref(ctx);
    if (!k || failed) continue;
    print_message("%ld allocations\n", k);
    assert_true(k > 50);
    break;
  }
}

static void test_one(void **state)
{
  (void)state;
  each(0);
}

static void test_all_after(void **state)
{
  (void)state;
  each(ALL_AFTER);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one), cmocka_unit_test(test_all_after)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
