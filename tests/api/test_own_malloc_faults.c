/* SPDX-License-Identifier: MIT
 * Each of the library's own allocations fails once, from the first handle to the last: a documented
 * status, no verdict out of nothing, the same query works afterwards, and nothing is left behind.
 * Allocations of the kernel are in test_malloc_faults.c. */
#include "whole_life.h"

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static long calls, failing, failures, live;

static int fails(void)
{
  if (++calls != failing) return 0;
  failures++;
  return 1;
}

static void *count(void *block)
{
  live += block != NULL;
  return block;
}

void *__wrap_malloc(size_t size)
{
  return fails() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
  return fails() ? NULL : count(__real_calloc(n, size));
}

void *__wrap_realloc(void *block, size_t size)
{
  if (fails()) return NULL;
  return block ? __real_realloc(block, size) : count(__real_realloc(NULL, size));
}

void __wrap_free(void *block)
{
  live -= block != NULL;
  __real_free(block);
}

static void fail_at(long k)
{
  calls = failures = 0;
  failing = k;
}

/* ---- the cases ------------------------------------------------------------ */

static facts right;
static uint32_t right_targets;

/* The k-th allocation fails; whether one did. */
static int one(const sample *s, long k)
{
  handles h;
  facts f = {0};
  const long before = live;
  fail_at(k);
  const bp_status status = whole_life(&h, s, &f);
  const int failed = failures != 0;
  fail_at(0);
  if (status != BP_OK && (!failed || !is_shortage(status)))
    fail_msg("%s, allocation %ld: %s %s", s->name, k, bp_status_name(status),
             bp_context_message(h.ctx));
  check_verdicts(s, &f, 0);
  if (h.q && !strcmp(s->targets[0], "assert") && bp_query_target_count(h.q) != right_targets)
    assert_int_equal(bp_query_target_count(h.q), 0); /* all assertions or none */
  if (h.q && bp_query_target_count(h.q)) {
    /* Outside the kernel every failure is recoverable. Targets may be missing. */
    facts again = {0};
    assert_int_not_equal(bp_query_state_of(h.q), BP_QUERY_FAILED);
    assert_int_equal(ask_all(&h, &again, NULL), BP_OK);
    if (bp_query_verdict(h.q, 0) != s->verdicts[0]) fail_msg("%s, allocation %ld", s->name, k);
    if (bp_query_target_count(h.q) == right_targets && difference(&again, &right))
      fail_msg("%s, allocation %ld: %s differ", s->name, k, difference(&again, &right));
  }
  /* One block of each manager on BuDDy goes over to it, and is freed there. */
  const long over = h.m && sample_kernel == BP_KERNEL_BUDDY;
  handles_close(&h);
  if (live != before + over)
    fail_msg("%s, allocation %ld: %ld blocks left", s->name, k, live - before);
  return failed;
}

static void sweep(const sample *s, long most)
{
  handles h;
  right = (facts){0};
  fail_at(0);
  assert_int_equal(whole_life(&h, s, &right), BP_OK);
  const long all = calls;
  right_targets = bp_query_target_count(h.q);
  handles_close(&h);
  check_verdicts(s, &right, 1);
  const long stride = all > most ? all / most + 1 : 1;
  long failed = 0;
  for (long k = 1; k <= all; k += stride)
    failed += one(s, k);
  print_message("%s: %ld allocations, %ld failed\n", s->name, all, failed);
  assert_true(failed > 50);
}

static void test_fig1(void **state)
{
  (void)state;
  sweep(&samples[0], 5000);
}

static void test_others(void **state)
{
  (void)state;
  for (uint32_t i = 1; i < sample_count; i++)
    sweep(&samples[i], 600);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fig1),
      cmocka_unit_test(test_others),
  };
  const int native = cmocka_run_group_tests_name("native", tests, NULL, NULL);
  sample_kernel = BP_KERNEL_BUDDY;
  return native + cmocka_run_group_tests_name("BuDDy", tests, NULL, NULL);
}
