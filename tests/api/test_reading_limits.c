/* SPDX-License-Identifier: MIT
 * Stopping what needs no manager: parsing, finishing a builder, building graphs. */
#include "samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { STATEMENTS = 300000, WATCHDOG = 60 };

static char *big_text;
static bp_context *ctx;

static int setup(void **state)
{
  static const char begin[] = "decl g; void main() begin\n", line[] = "g := !g;\n";
  (void)state;
  alarm(WATCHDOG);
  big_text = malloc(sizeof begin + STATEMENTS * (sizeof line - 1) + 8);
  if (!big_text) return -1;
  char *end = big_text + sizeof begin - 1;
  memcpy(big_text, begin, sizeof begin);
  for (int i = 0; i < STATEMENTS; i++, end += sizeof line - 1)
    memcpy(end, line, sizeof line);
  memcpy(end, "end\n", 5);
  return bp_context_new(&ctx) == BP_OK ? 0 : -1;
}

static int teardown(void **state)
{
  (void)state;
  free(big_text);
  bp_context_unref(ctx);
  return 0;
}

static bp_status parse(bp_program **p)
{
  const bp_status status = bp_program_parse(p, ctx, big_text, strlen(big_text), "big", NULL);
  assert_int_equal(*p != NULL, status == BP_OK);
  if (status == BP_E_LIMIT) assert_true(bp_context_message(ctx)[0] != 0);
  return status;
}

static void test_time(void **state)
{
  (void)state;
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 1};
  bp_program *p;
  bp_cfg *cfg;
  assert_int_equal(bp_context_set_limits(ctx, &limits), BP_OK);
  assert_int_equal(parse(&p), BP_E_LIMIT);
  assert_int_equal(bp_context_set_limits(ctx, NULL), BP_OK);
  assert_int_equal(parse(&p), BP_OK);
  assert_int_equal(bp_context_set_limits(ctx, &limits), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_E_LIMIT);
  assert_null(cfg);
  assert_int_equal(bp_context_set_limits(ctx, NULL), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
}

static void test_cancel(void **state)
{
  (void)state;
  bp_program *p, *built;
  bp_cfg *cfg;
  bp_context_cancel(ctx);
  assert_int_equal(parse(&p), BP_E_LIMIT);
  assert_int_equal(parse(&p), BP_OK); /* the request is used up */
  bp_context_cancel(ctx);
  bp_context_cancel(ctx);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_E_LIMIT);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  bp_builder *b;
  assert_int_equal(bp_builder_new(&b, ctx, "built", NULL), BP_OK);
  bp_builder_proc_begin(b, "main", 0);
  bp_builder_skip(b);
  bp_builder_proc_end(b);
  bp_context_cancel(ctx);
  assert_int_equal(bp_builder_finish(b, &built), BP_E_LIMIT);
  assert_null(built);
  assert_int_equal(bp_builder_finish(b, &built), BP_OK);
  bp_program_unref(built);
  bp_builder_free(b);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
}

static atomic_int stopped;

static void *cancel_until_stopped(void *user)
{
  const struct timespec pause = {0, 1000000};
  (void)user;
  while (!stopped) {
    nanosleep(&pause, NULL);
    bp_context_cancel(ctx);
  }
  return NULL;
}

static void test_cancel_thread(void **state)
{
  (void)state;
  pthread_t thread;
  bp_program *p;
  stopped = 0;
  assert_int_equal(pthread_create(&thread, NULL, cancel_until_stopped, NULL), 0);
  const bp_status status = parse(&p);
  stopped = 1;
  pthread_join(thread, NULL);
  assert_int_equal(status, BP_E_LIMIT);
  while (parse(&p) == BP_E_LIMIT) { /* a late request */
  }
  assert_non_null(p);
  bp_program_unref(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_time),
      cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_cancel_thread),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
