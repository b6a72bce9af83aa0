/* SPDX-License-Identifier: MIT
 * Questions of temporal logic when memory is short: each allocation of the whole process fails once, or
 * all from it on. A documented status, never a wrong verdict, and with memory the same question is
 * answered. On BuDDy nodes fail, too. */
#include "ltl_life.h"

#include "failing_makenode.h"
#include "failing_malloc.h"

static int is_shortage(bp_status status)
{
  return status == BP_OK || status == BP_E_NOMEM || status == BP_E_LIMIT;
}

static void one_case(const ltl_sample *s, const bp_ltl_options *options, long k, long more)
{
  ltl_handles h;
  ltl_facts f = {0};
  malloc_fail_at(k, more);
  bp_status status = ltl_open(&h, s, options, BP_KERNEL_NATIVE);
  if (status == BP_OK) status = ltl_ask(&h, &f);
  const int failed = malloc_failures() > 0;
  malloc_fail_at(0, 0);
  if (status != BP_OK && !failed) fail_msg("%s: %s", s->formula, bp_status_name(status));
  if (!is_shortage(status)) fail_msg("%s, %ld: %s", s->formula, k, bp_status_name(status));
  if (h.ltl && !ltl_right(s, &h, &f, 1)) fail_msg("%s, %ld: a wrong answer", s->formula, k);
  if (h.ltl) {
    status = ltl_ask(&h, &f);
    if (status != BP_OK) fail_msg("%s, %ld: then %s", s->formula, k, bp_status_name(status));
    if (!ltl_right(s, &h, &f, 0)) fail_msg("%s, %ld: then a wrong answer", s->formula, k);
  }
  ltl_close(&h);
}

static long measure(const ltl_sample *s, const bp_ltl_options *options)
{
  ltl_handles h;
  ltl_facts f;
  malloc_fail_at(0, 0);
  assert_int_equal(ltl_open(&h, s, options, BP_KERNEL_NATIVE), BP_OK);
  assert_int_equal(ltl_ask(&h, &f), BP_OK);
  const long all = malloc_calls();
  ltl_close(&h);
  return all;
}

static void sweep(const bp_ltl_options *options, long most, long more)
{
  for (uint32_t i = 0; i < ltl_sample_count; i++) {
    const ltl_sample *s = &ltl_samples[i];
    const long all = measure(s, options), stride = all / most + 1;
    for (long k = 1; k <= all; k += stride)
      one_case(s, options, k, more);
  }
}

static void test_one_fails(void **state)
{
  (void)state;
  sweep(NULL, 2000, 0);
}

static void test_searches(void **state)
{
  (void)state;
  for (int search = 1; search <= BP_LTL_XIE_BEEREL; search++) {
    const bp_ltl_options options = {.size = sizeof options, .search = (bp_ltl_search)search};
    const bp_ltl_options wide = {.size = sizeof wide,
                                 .off = BP_ENGINE_POST,
                                 .search = (bp_ltl_search)search,
                                 .no_safety = 1};
    sweep(&options, 300, 0);
    sweep(&wide, 300, 0);
  }
}

static void test_all_fail(void **state)
{
  (void)state;
  sweep(NULL, 100, 1000000);
}

static void test_nodes(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < ltl_sample_count; i++) {
    const ltl_sample *s = &ltl_samples[i];
    ltl_handles h;
    ltl_facts f = {0};
    makenode_fail_at(0);
    assert_int_equal(ltl_open(&h, s, NULL, BP_KERNEL_BUDDY), BP_OK);
    assert_int_equal(ltl_ask(&h, &f), BP_OK);
    const long all = makenode_calls(), stride = all / 200 + 1;
    ltl_close(&h);
    for (long k = 1; k <= all; k += stride) {
      assert_int_equal(ltl_open(&h, s, NULL, BP_KERNEL_BUDDY), BP_OK);
      makenode_fail_at(k);
      const bp_status status = ltl_ask(&h, &f);
      makenode_fail_at(0);
      assert_true(is_shortage(status));
      assert_true(ltl_right(s, &h, &f, 1));
      assert_int_equal(ltl_ask(&h, &f), BP_OK);
      assert_true(ltl_right(s, &h, &f, 0));
      ltl_close(&h);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_fails),
      cmocka_unit_test(test_searches),
      cmocka_unit_test(test_all_fail),
      cmocka_unit_test(test_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
