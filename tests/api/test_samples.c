/* SPDX-License-Identifier: MIT
 * The sample programs have the answers that they claim, with any part of the engine off. */
#include "samples.h"

static void check(const sample *s, uint32_t off, facts *f)
{
  handles h;
  handles_open_sample(&h, s, off);
  const bp_status status = ask_all(&h, f, NULL);
  if (status != BP_OK)
    fail_msg("%s, switches %#x: %s: %s", s->name, off, bp_status_name(status),
             bp_context_message(h.ctx));
  check_verdicts(s, f, 1);
  handles_close(&h);
}

static void test_samples(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sample_count; i++) {
    facts all = {0};
    check(&samples[i], 0, &all);
    for (uint32_t bit = 0; bit <= 7; bit++) {
      facts f = {0};
      check(&samples[i], bit == 7 ? BP_ENGINE_ALL : 1u << bit, &f);
      /* Another order of the variables cuts the same sets into other cubes. */
      if (bit >= 6) f.states = all.states;
      assert_null(difference(&all, &f));
    }
  }
}

/* Deep: the listing doubles with each procedure, and the length is known without it. */
static void test_lengths(void **state)
{
  (void)state;
  facts f = {0};
  check(&samples[0], 0, &f);
  assert_int_equal(f.lengths[0], 7);
  assert_int_equal(f.expanded[0], 17);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples),
      cmocka_unit_test(test_lengths),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
