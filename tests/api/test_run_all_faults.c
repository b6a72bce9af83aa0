/* SPDX-License-Identifier: MIT
 * Several queries at once when threads and memory are short: the link wraps what gives them. */
#include "crowd.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { WATCHDOG = 300 };

/* ---- failures on request --------------------------------------------------- */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *user);
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

static int threads_left = -1, threads_made; /* left: -1, any number */
static atomic_long live, calls, failing;    /* failing: the number of the call, 0: none */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *user)
{
  if (!threads_left) return 11; /* EAGAIN */
  if (threads_left > 0) threads_left--;
  threads_made++;
  return __real_pthread_create(thread, attr, fn, user);
}

static int fails(void)
{
  return ++calls == failing;
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

/* ---- no threads -------------------------------------------------------------- */

static void check_threads(int available, uint32_t wanted, int made)
{
  threads_left = available;
  threads_made = 0;
  check_all_samples(wanted);
  assert_int_equal(threads_made, made);
  threads_left = -1;
}

static void test_threads(void **state)
{
  (void)state;
  check_threads(-1, 1, 0);
  check_threads(-1, 2, 1);
  check_threads(-1, UINT32_MAX, MANY - 1);
  check_threads(0, 4, 0);
  check_threads(2, 8, 2);
}

/* ---- no memory --------------------------------------------------------------- */

/* The k-th allocation of the call fails: that costs one query its answer at most, and it can go on. */
static int one_fault(long k, uint32_t threads)
{
  const long before = live;
  crowd c = {.count = 0};
  for (uint32_t i = 0; i < sample_count; i++)
    add(&c, sample_of(i), 0);
  calls = 0;
  failing = k;
  const bp_status status = run(&c, threads);
  const int failed = calls >= k;
  failing = 0;
  uint32_t undecided = 0;
  for (uint32_t i = 0; i < c.count; i++)
    undecided += bp_query_state_of(c.queries[i]) != BP_QUERY_DONE;
  if (status == BP_E_NOMEM)
    assert_true(failed && undecided == c.count);
  else
    assert_true(status == BP_OK && undecided <= (uint32_t)failed);
  assert_int_equal(run(&c, threads), BP_OK);
  for (uint32_t i = 0; i < c.count; i++)
    check_right(&c, i, sample_of(i));
  drop(&c);
  assert_int_equal(live, before);
  return failed;
}

static void test_no_memory(void **state)
{
  (void)state;
  for (uint32_t threads = 1; threads <= 2; threads++) {
    long k = 1;
    while (one_fault(k, threads))
      k += k < 60 ? 1 : 7;
    assert_true(k > 60);
  }
}

static int setup(void **state)
{
  (void)state;
  alarm(WATCHDOG);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_no_memory),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
