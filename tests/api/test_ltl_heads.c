/* SPDX-License-Identifier: MIT
 * Questions of temporal logic that go through all heads, reached or not. */
#include "ltl_life.h"

/* Loops that go on for ever in states that no execution reaches, where none does and where one does. */
static const ltl_sample unreached[] = {
    {"decl g; void spin(x) begin while (x | g) do S: skip; od end\n"
     "void main() begin g := 0; spin(0); spin(g); while (g) do skip; od end",
     "F terminated", BP_LTL_HOLDS, BP_LTL_RUNS, 0, 0, 0},
    {"decl g; void spin(x, y) begin while (x) do if (y) then x := *; fi od end\n"
     "void main() begin g := 0; spin(0, 1); spin(1, g); end",
     "F terminated", BP_LTL_VIOLATED, BP_LTL_RUNS, 4, 2, 0},
    {"decl a, b; void main() begin a, b := 1, 0; while (a | b) do a, b := b, a; od end",
     "G F a && F terminated", BP_LTL_VIOLATED, BP_LTL_RUNS, 1, 4, 0},
};

static bp_ltl_stats ask_unreached(const ltl_sample *s, const bp_ltl_options *options)
{
  ltl_handles h;
  ltl_facts f;
  bp_ltl_stats stats = {.size = sizeof stats};
  assert_int_equal(ltl_open(&h, s, options, BP_KERNEL_NATIVE), BP_OK);
  assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
  assert_int_equal(bp_ltl_get_stats(h.ltl, &stats), BP_OK);
  assert_int_equal(ltl_ask(&h, &f), BP_OK);
  if (!ltl_right(s, &h, &f, 0))
    fail_msg("%s: prefix %lu, round %lu", s->program, (unsigned long)f.prefix,
             (unsigned long)f.round);
  ltl_close(&h);
  return stats;
}

/* Among all heads there are more to look through, and those cycles do not count. */
static void test_unreached(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sizeof unreached / sizeof *unreached; i++)
    for (int search = 0; search <= BP_LTL_XIE_BEEREL; search++) {
      bp_ltl_options options = {
          .size = sizeof options, .search = (bp_ltl_search)search, .no_safety = 1};
      const bp_ltl_stats reached = ask_unreached(&unreached[i], &options);
      options.off = BP_ENGINE_POST;
      const bp_ltl_stats all = ask_unreached(&unreached[i], &options);
      if (all.steps <= reached.steps)
        fail_msg("program %u, search %d: %lu steps, %lu", i, search, (unsigned long)reached.steps,
                 (unsigned long)all.steps);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_unreached)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
