/* SPDX-License-Identifier: MIT
 * Allocations of the whole process fail, those of the kernel too, from the first handle to the last:
 * a documented status, never a crash, never a wrong verdict, and a new manager works. One process for
 * each case, because some lose the kernel for good (see tests/unit/bdd/test_memory_faults.c). */
#define _GNU_SOURCE
#include "whole_life.h"

#include "failing_malloc.h"

#include <bdd.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum outcome {
  CLEAN = 0, /* nothing failed */
  HARMLESS,  /* something failed and all was right all the same */
  REFUSED,   /* there is no query */
  RECOVERED, /* the same query went on */
  POISONED,  /* the manager is finished, the next one works */
  LOST,      /* no manager can be made any more */
  WRONG = 99
} outcome;

/* A case ends here, in its own process. */
static void wrong(const char *what, bp_status status)
{
  fprintf(stderr, "%s (%s)\n", what, bp_status_name(status));
  _exit(WRONG);
}

static int verdicts_right(const sample *s, const facts *f, int decided)
{
  for (uint32_t t = 0; t < SAMPLE_TARGETS; t++)
    if (f->verdicts[t] != s->verdicts[t] && (decided || f->verdicts[t] != BP_UNDECIDED)) return 0;
  return 1;
}

/* Memory is there again, and so must be everything else. */
static outcome check_anew(const sample *s, outcome before)
{
  handles h;
  facts f = {0};
  const bp_status status = whole_life(&h, s, &f);
  if (before == REFUSED && status == BP_E_NOMEM && !h.m && bdd_isrunning()) return LOST;
  if (status != BP_OK) wrong("a new manager does not work", status);
  if (!verdicts_right(s, &f, 1)) wrong("a new manager answers wrongly", status);
  handles_close(&h);
  if (bdd_isrunning()) wrong("the kernel still runs", BP_OK);
  return before;
}

static void check_poisoned(const handles *h)
{
  bp_manager_stats stats = {.size = sizeof stats};
  const bp_status status = bp_query_run(h->q);
  if (status != BP_E_POISONED) wrong("a poisoned query runs", status);
  if (bp_query_state_of(h->q) != BP_QUERY_FAILED) wrong("a poisoned query has not failed", status);
  if (bp_manager_get_stats(h->m, &stats) != BP_OK || !stats.poisoned)
    wrong("a poisoned manager denies it", status);
}

static outcome one_case(const sample *s, long k, long more)
{
  handles h;
  facts f = {0};
  outcome result = CLEAN;
  malloc_fail_at(k, more);
  const bp_status status = whole_life(&h, s, &f);
  const int failed = malloc_failures() > 0;
  malloc_fail_at(0, 0);
  if (status != BP_OK && (!failed || !is_shortage(status))) wrong("status", status);
  if (!verdicts_right(s, &f, 0)) wrong("a wrong verdict", status);
  if (failed) result = HARMLESS;
  if (!h.q || !bp_query_target_count(h.q)) {
    if (status != BP_OK) result = REFUSED;
  } else if (status == BP_E_POISONED) {
    check_poisoned(&h);
    result = POISONED;
  } else if (status != BP_OK) {
    facts again = {0};
    const bp_status second = ask_all(&h, &again, NULL);
    if (second != BP_OK) wrong("the query does not go on", second);
    if (again.verdicts[0] != s->verdicts[0]) wrong("the query goes on wrongly", second);
    result = RECOVERED;
  }
  handles_close(&h);
  return failed ? check_anew(s, result) : result;
}

static outcome separate(const sample *s, long k, long more)
{
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    alarm(20);
    _exit((int)one_case(s, k, more));
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status))
    fail_msg("%s, case %ld, %ld: signal %d", s->name, k, more, WTERMSIG(status));
  if (WEXITSTATUS(status) > LOST)
    fail_msg("%s, case %ld, %ld: exit status %d", s->name, k, more, WEXITSTATUS(status));
  return (outcome)WEXITSTATUS(status);
}

static long measure(const sample *s)
{
  handles h;
  facts f = {0};
  malloc_fail_at(0, 0);
  assert_int_equal(whole_life(&h, s, &f), BP_OK);
  const long all = malloc_calls();
  handles_close(&h);
  return all;
}

static void sweep(const sample *s, long most, long more)
{
  long counts[LOST + 1] = {0};
  const long all = measure(s), stride = all > most ? all / most + 1 : 1;
  for (long k = 1; k <= all; k += stride)
    counts[separate(s, k, more)]++;
  print_message("%s, %ld allocations: clean %ld, harmless %ld, refused %ld, recovered %ld, "
                "poisoned %ld, lost %ld\n",
                s->name, all, counts[CLEAN], counts[HARMLESS], counts[REFUSED], counts[RECOVERED],
                counts[POISONED], counts[LOST]);
  if (counts[CLEAN] * stride >= all) skip(); /* valgrind */
  assert_true(counts[LOST] <= 3);
  if (sample_kernel == BP_KERNEL_NATIVE) assert_int_equal(counts[LOST] + counts[POISONED], 0);
  assert_true(counts[REFUSED] > 0 && counts[RECOVERED] > 20);
}

static void test_one_fails(void **state)
{
  (void)state;
  sweep(&samples[0], 700, 0);
}

static void test_others(void **state)
{
  (void)state;
  for (uint32_t i = 1; i < sample_count; i++)
    sweep(&samples[i], 60, 0);
}

/* From the k-th on nothing is left. */
static void test_all_fail(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sample_count; i++)
    sweep(&samples[i], 40, 1000000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_fails),
      cmocka_unit_test(test_others),
      cmocka_unit_test(test_all_fail),
  };
  const int native = cmocka_run_group_tests_name("native", tests, NULL, NULL);
  sample_kernel = BP_KERNEL_BUDDY;
  return native + cmocka_run_group_tests_name("BuDDy", tests, NULL, NULL);
}
