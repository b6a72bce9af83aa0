/* SPDX-License-Identifier: MIT
 * Every allocation of a workload on BuDDy fails once, those of BuDDy too: a status, never a crash, and
 * the next manager is whole. Each case runs in a process of its own, because some lose the kernel
 * for good: bdd_setvarnum() frees its variable set and keeps the pointer when the second or third
 * block of its first call, of 16 bytes each, cannot be had. That kernel can neither be used nor
 * closed. The first block is counted with them, since nobody can tell. */
#define _GNU_SOURCE
#include "functions.h"

#include "failing_malloc.h"

#include <bdd.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* What became of a case. */
typedef enum outcome {
  CLEAN = 0, /* nothing failed */
  REFUSED,   /* no manager was made */
  RECOVERED, /* the manager went on */
  POISONED,  /* the manager was given up, the next one works */
  LOST,      /* no manager can be made any more */
  WRONG = 99
} outcome;

static bp_context *ctx;
static const bp_manager_options on_buddy = {.size = sizeof on_buddy, .kernel = BP_KERNEL_BUDDY};

/* A manager works: used at the end, when memory is there again. */
static outcome check_anew(outcome before)
{
  bp_manager *m;
  const bp_status made = bp_manager_new(&m, ctx, &on_buddy);
  if (before == REFUSED && made == BP_E_NOMEM && bdd_isrunning()) return LOST;
  if (made != BP_OK) return WRONG;
  const table t = 0x13579bdf02468aceu;
  if (!bpi_bdd_enter(m, NULL, 0) || !bpi_bdd_ensure_slots(m, 20)) return WRONG;
  const bpi_bdd a = table_bdd(m, t, NULL);
  const int right = bpi_bdd_ok(m) && bdd_table(m, a, NULL) == t;
  manager_close(m);
  return right && !bdd_isrunning() ? before : WRONG;
}

/* The fault may come anywhere here. */
typedef struct work {
  bp_manager *m;
  bpi_bdd small, big[3];
  bool slots;
} work;
static const table small_table = 0x0f1e2d3c4b5a6978u;
static const uint32_t from[] = {0, 1, 2, 3, 4, 5}, to[] = {6, 7, 8, 9, 10, 11};

static void work_on(work *w)
{
  bp_manager *m = w->m;
  if (!w->small) w->small = table_bdd(m, small_table, NULL);
  const bpi_rename *shift = bpi_bdd_rename_new(m, from, to, 6);
  if (shift) bpi_bdd_drop(m, bpi_bdd_rename(m, w->small, shift));
  bpi_bdd_drop(m, bpi_bdd_set(m, from, 6));
  for (uint64_t i = 0; i < 3; i++) {
    if (!w->big[i]) w->big[i] = big_function(m, i);
    if (i == 1 && bpi_bdd_ok(m)) w->slots = bpi_bdd_ensure_slots(m, 1000);
  }
  if (w->slots) bpi_bdd_drop(m, bpi_bdd_literal(m, 2999, true));
}

static int work_right(const work *w)
{
  if (w->small && bdd_table(w->m, w->small, NULL) != small_table) return 0;
  for (uint64_t i = 0; i < 3; i++)
    if (w->big[i] && !big_agrees(w->m, w->big[i], i, 200)) return 0;
  return 1;
}

static int work_complete(const work *w)
{
  return w->small && w->big[0] && w->big[1] && w->big[2] && w->slots && work_right(w);
}

/* A poisoned manager answers its statistics and nothing else. */
static int finished_right(bp_manager *m)
{
  bp_manager_stats stats = {.size = sizeof stats};
  const uint32_t vars[] = {0, 1};
  if (bpi_bdd_recover(m) || bpi_bdd_ok(m) || bpi_bdd_literal(m, 0, true)) return 0;
  if (bpi_bdd_ensure_slots(m, 2000) || bpi_bdd_rename_new(m, vars, vars, 2)) return 0;
  if (bpi_bdd_set(m, vars, 2) || bpi_bdd_within_limit(m)) return 0;
  bpi_bdd_leave(m);
  const int told = bp_manager_get_stats(m, &stats) == BP_OK && stats.poisoned;
  return bpi_bdd_enter(m, NULL, 0) && told;
}

static outcome one_case(long k, long more)
{
  work w = {0};
  outcome result = CLEAN;
  malloc_fail_at(k, more);
  const bp_status made = bp_manager_new(&w.m, ctx, &on_buddy);
  if (made != BP_OK) {
    malloc_fail_at(0, 0);
    return made == BP_E_NOMEM ? check_anew(REFUSED) : WRONG;
  }
  bpi_bdd_enter(w.m, NULL, 0);
  bpi_bdd_ensure_slots(w.m, 10);
  work_on(&w);
  if (malloc_failures()) result = RECOVERED;
  const bpi_bdd_error error = bpi_bdd_status(w.m);
  malloc_fail_at(0, 0);
  if (!work_right(&w) || error == BPI_BDD_INTERNAL || error == BPI_BDD_NODES) return WRONG;
  if (error == BPI_BDD_POISONED) {
    if (!finished_right(w.m)) return WRONG;
    result = POISONED;
  } else {
    if (error == BPI_BDD_OK && result != CLEAN) return WRONG; /* a failure nobody heard of */
    if (!bpi_bdd_recover(w.m)) return WRONG;
    bpi_bdd_ensure_slots(w.m, 10);
    work_on(&w);
    if (!bpi_bdd_ok(w.m) || !work_complete(&w)) return WRONG;
  }
  for (int i = 0; i < 3; i++)
    bpi_bdd_drop(w.m, w.big[i]);
  bpi_bdd_drop(w.m, w.small);
  manager_close(w.m);
  return check_anew(result);
}

/* The outcome of the case in a process of its own. */
static outcome separate(outcome (*run)(long, long), long k, long more)
{
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    /* No search for leaks: the kernel forgets a few blocks of its own when it runs out of memory.
     */
    _exit((int)run(k, more));
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status)) fail_msg("case %ld, %ld: signal %d", k, more, WTERMSIG(status));
  if (WEXITSTATUS(status) == WRONG) fail_msg("case %ld, %ld is wrong", k, more);
  return (outcome)WEXITSTATUS(status);
}

static void sweep(long more, long counts[LOST + 1])
{
  for (long k = 1;; k++) {
    const outcome result = separate(one_case, k, more);
    assert_in_range(result, CLEAN, LOST);
    counts[result]++;
    if (result == CLEAN) return;
  }
}

static void test_one_fails(void **state)
{
  (void)state;
  long counts[LOST + 1] = {0};
  sweep(0, counts);
  print_message("refused %ld, recovered %ld, poisoned %ld, lost %ld\n", counts[REFUSED],
                counts[RECOVERED], counts[POISONED], counts[LOST]);
  const long all = counts[REFUSED] + counts[RECOVERED] + counts[POISONED] + counts[LOST];
  if (!all) skip(); /* valgrind */
  assert_true(counts[LOST] <= 3);
  assert_true(counts[REFUSED] > 10 && counts[RECOVERED] > 10 && counts[POISONED] > 5);
}

static void test_several_fail(void **state)
{
  (void)state;
  long counts[LOST + 1] = {0};
  sweep(1000000, counts);
  print_message("refused %ld, recovered %ld, poisoned %ld, lost %ld\n", counts[REFUSED],
                counts[RECOVERED], counts[POISONED], counts[LOST]);
}

/* No memory even for closing: the slot waits, and the next manager closes the old kernel first. */
static outcome close_without_memory(long k, long more)
{
  work w = {0};
  malloc_fail_at(k, more);
  if (bp_manager_new(&w.m, ctx, &on_buddy) != BP_OK) return CLEAN;
  bpi_bdd_enter(w.m, NULL, 0);
  bpi_bdd_ensure_slots(w.m, 10);
  work_on(&w);
  const outcome result = bpi_bdd_status(w.m) == BPI_BDD_POISONED ? POISONED : RECOVERED;
  malloc_fail_at(1, 1000000);
  manager_close(w.m);
  bp_manager *m;
  if (bdd_isrunning() && bp_manager_new(&m, ctx, &on_buddy) != BP_E_NOMEM) return WRONG;
  const int waits = bdd_isrunning();
  malloc_fail_at(0, 0);
  return check_anew(result) == result ? (waits ? result : CLEAN) : WRONG;
}

static void test_close_without_memory(void **state)
{
  (void)state;
  long waited = 0;
  for (long k = 1; k < 60; k++)
    waited += separate(close_without_memory, k, 0) == POISONED;
  print_message("%ld closings had to wait\n", waited);
}

static int setup(void **state)
{
  (void)state;
  return bp_context_new(&ctx) == BP_OK ? 0 : -1;
}

static int teardown(void **state)
{
  (void)state;
  bp_context_unref(ctx);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_fails),
      cmocka_unit_test(test_several_fail),
      cmocka_unit_test(test_close_without_memory),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
