/* SPDX-License-Identifier: MIT
 * Several formulas about one graph at once, or in turn: a context and a manager in each thread, nothing
 * else is needed. Some runs come in slices, so that searches stop and go on while others are at work. */
#include "ltl_life.h"

#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 5 };

typedef struct asking {
  bp_cfg *cfg; /* shared */
  const ltl_sample *samples;
  uint32_t count;
  uint64_t slice; /* steps of each run; 0: all in one */
} asking;

static bp_status run(bp_ltl *ltl, uint64_t slice)
{
  bp_limits limits = {.size = sizeof limits};
  bp_status status = BP_OK;
  while (status == BP_OK && bp_ltl_verdict_of(ltl) == BP_LTL_UNDECIDED) {
    limits.steps += slice;
    status = bp_ltl_set_limits(ltl, &limits);
    if (status == BP_OK) status = bp_ltl_run(ltl);
  }
  return status;
}

/* NULL, or what is wrong. */
static const char *ask(bp_context *ctx, bp_manager *m, const asking *a, const ltl_sample *s)
{
  bp_formula *formula = NULL;
  bp_ltl *ltl = NULL;
  bp_ltl_verdict verdict = BP_LTL_UNDECIDED;
  bp_status status = bp_formula_parse(&formula, ctx, s->formula, strlen(s->formula), "f");
  if (status == BP_OK) status = bp_ltl_new(&ltl, ctx, m, a->cfg, formula, NULL);
  if (status == BP_OK) status = run(ltl, a->slice);
  if (status == BP_OK) verdict = bp_ltl_verdict_of(ltl);
  bp_ltl_unref(ltl);
  bp_formula_unref(formula);
  if (status != BP_OK) return bp_status_name(status);
  return verdict == s->verdict ? NULL : s->formula;
}

static void *work(void *user)
{
  const asking *a = user;
  bp_context *ctx = NULL;
  bp_manager *m = NULL;
  const char *wrong = NULL;
  if (bp_context_new(&ctx) != BP_OK) return (void *)(uintptr_t) "no context";
  if (bp_manager_new(&m, ctx, NULL) != BP_OK) wrong = "no manager";
  for (uint32_t i = 0; !wrong && i < ROUNDS * a->count; i++)
    wrong = ask(ctx, m, a, &a->samples[i % a->count]);
  bp_manager_unref(m);
  bp_context_unref(ctx);
  return (void *)(uintptr_t)wrong;
}

/* The same in one thread: two questions with one manager, a few steps each in turn. What a search keeps
 * while it waits survives the other's work. */
static void take_turns(ltl_handles *h, const ltl_sample *one, const ltl_sample *two, uint64_t slice)
{
  const ltl_sample *samples[] = {one, two};
  bp_ltl *ltls[2];
  bp_limits limits = {.size = sizeof limits};
  for (int i = 0; i < 2; i++) {
    bp_formula *formula;
    const char *text = samples[i]->formula;
    const bp_ltl_options options = {
        .size = sizeof options, .search = i ? BP_LTL_CLOSURE : BP_LTL_EMERSON_LEI, .no_safety = 1};
    assert_int_equal(bp_formula_parse(&formula, h->ctx, text, strlen(text), "f"), BP_OK);
    assert_int_equal(bp_ltl_new(&ltls[i], h->ctx, h->m, h->cfg, formula, &options), BP_OK);
    bp_formula_unref(formula);
  }
  while (!bp_ltl_verdict_of(ltls[0]) || !bp_ltl_verdict_of(ltls[1])) {
    limits.steps += slice;
    assert_true(limits.steps < 100000);
    for (int i = 0; i < 2; i++) {
      assert_int_equal(bp_ltl_set_limits(ltls[i], &limits), BP_OK);
      assert_int_equal(bp_ltl_run(ltls[i]), BP_OK);
    }
  }
  for (int i = 0; i < 2; i++) {
    assert_int_equal(bp_ltl_verdict_of(ltls[i]), samples[i]->verdict);
    bp_ltl_unref(ltls[i]);
  }
}

static void test_in_turn(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < ltl_sample_count; i++)
    for (int kernel = 0; kernel < 2; kernel++) {
      ltl_handles h;
      assert_int_equal(ltl_open(&h, &ltl_samples[i], NULL, (bp_kernel)kernel), BP_OK);
      for (uint32_t k = 0; k < ltl_sample_count; k++)
        if (!strcmp(ltl_samples[k].program, ltl_samples[i].program))
          take_turns(&h, &ltl_samples[i], &ltl_samples[k], 1 + i + 5 * k);
      ltl_close(&h);
    }
}

/* The samples of one program follow each other. */
static void test_formulas_at_once(void **state)
{
  (void)state;
  for (uint32_t first = 0, last; first < ltl_sample_count; first = last) {
    ltl_handles h;
    asking all[THREADS];
    pthread_t threads[THREADS];
    assert_int_equal(ltl_open(&h, &ltl_samples[first], NULL, BP_KERNEL_NATIVE), BP_OK);
    for (last = first; last < ltl_sample_count; last++)
      if (strcmp(ltl_samples[last].program, ltl_samples[first].program)) break;
    for (uint32_t i = 0; i < THREADS; i++) {
      all[i] = (asking){h.cfg, &ltl_samples[first], last - first, i % 2 ? 7 * i : 0};
      assert_int_equal(pthread_create(&threads[i], NULL, work, &all[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
      void *wrong;
      assert_int_equal(pthread_join(threads[i], &wrong), 0);
      if (wrong) fail_msg("%s", (const char *)wrong);
    }
    ltl_close(&h);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas_at_once),
                                     cmocka_unit_test(test_in_turn)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
