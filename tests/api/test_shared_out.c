/* SPDX-License-Identifier: MIT
 * The assertions of a program shared out among queries, and one document about all of them. */
#include "crowd.h"

#include <stdio.h>

enum { ASSERTS = 12 };

/* A loop of 2^8 rounds and assertions behind it. */
static void write_asserts(char *text, size_t size)
{
  int len = snprintf(text, size,
                     "decl a, b, c, d, e, f, g, h;\nvoid main() begin\n"
                     "a, b, c, d, e, f, g, h := 0, 0, 0, 0, 0, 0, 0, 0;\n"
                     "while (!(a&b&c&d&e&f&g&h)) do\n"
                     "a, b, c, d, e, f, g, h := !a, b^a, c^(a&b), d^(a&b&c), e^(a&b&c&d), "
                     "f^(a&b&c&d&e), g^(a&b&c&d&e&f), h^(a&b&c&d&e&f&g);\nod\n");
  for (int i = 0; i < ASSERTS; i++)
    len += snprintf(text + len, size - (size_t)len, "assert(%s);\n", i % 3 ? "a & h" : "*");
  snprintf(text + len, size - (size_t)len, "end\n");
}

/* Without what explores beside, whose images count too. */
#define ALONE                                                                                      \
  (BP_ENGINE_LOOP | BP_ENGINE_LOCALIZE | BP_ENGINE_NARROW | BP_ENGINE_BACKWARD | BP_ENGINE_EXECUTE)

/* All assertions of a program cost one exploration; alone, each costs as much. */
static void test_one_exploration(void **state)
{
  (void)state;
  char text[4096];
  write_asserts(text, sizeof text);
  const sample s = {.name = "asserts", .text = text};
  crowd c = {.count = 0};
  uint64_t sum = 0, most = 0;
  add(&c, &s, ALONE);
  assert_int_equal(bp_cfg_assert_count(c.at[0].cfg), ASSERTS);
  assert_int_equal(bp_query_add_asserts(c.queries[0]), BP_OK);
  for (uint32_t i = 0; i < ASSERTS; i++) {
    add_beside(&c, NULL, ALONE);
    assert_int_equal(bp_query_add_assert_range(c.queries[i + 1], i, 1), BP_OK);
    assert_int_equal(bp_query_target_count(c.queries[i + 1]), 1);
  }
  assert_int_equal(run(&c, 2), BP_OK);
  for (uint32_t i = 0; i < ASSERTS; i++) {
    const uint64_t steps = steps_of(c.queries[i + 1]);
    assert_int_equal(bp_query_verdict(c.queries[0], i), i % 3 ? BP_UNREACHABLE : BP_REACHABLE);
    assert_int_equal(bp_query_verdict(c.queries[i + 1], 0), bp_query_verdict(c.queries[0], i));
    sum += steps;
    if (steps > most) most = steps;
  }
  const uint64_t together = steps_of(c.queries[0]);
  print_message("images: %u, alone %u at most, %u in all\n", (unsigned)together, (unsigned)most,
                (unsigned)sum);
  assert_true(together > 256 && together < most + 10 * ASSERTS);
  assert_true(sum > (ASSERTS - 1) * (together - 10 * ASSERTS));
  drop(&c);
}

static void test_ranges(void **state)
{
  (void)state;
  char text[4096];
  write_asserts(text, sizeof text);
  const sample s = {.name = "asserts", .text = text};
  crowd c = {.count = 0};
  add(&c, &s, 0);
  bp_query *q = c.queries[0];
  assert_int_equal(bp_query_add_assert_range(NULL, 0, 1), BP_E_INVALID);
  assert_int_equal(bp_query_add_assert_range(q, ASSERTS, 1), BP_E_INVALID);
  assert_int_equal(bp_query_add_assert_range(q, ASSERTS + 1, 0), BP_E_INVALID);
  assert_int_equal(bp_query_add_assert_range(q, 1, UINT32_MAX), BP_E_INVALID);
  assert_true(bp_context_message(c.at[0].ctx)[0] != 0);
  assert_int_equal(bp_query_add_assert_range(q, ASSERTS, 0), BP_OK);
  assert_int_equal(bp_query_target_count(q), 0);
  assert_int_equal(bp_query_add_assert_range(q, 3, 4), BP_OK);
  assert_int_equal(bp_query_target_count(q), 4);
  assert_int_equal(run(&c, 1), BP_OK);
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(bp_query_verdict(q, i), i % 3 ? BP_UNREACHABLE : BP_REACHABLE);
  assert_int_equal(bp_cfg_assert_count(NULL), 0);
  drop(&c);
}

/* ---- documents --------------------------------------------------------------- */

static void test_document(void **state)
{
  (void)state;
  static text_buffer one, two;
  crowd c = {.count = 0};
  add(&c, &samples[5], 0);
  add_beside(&c, NULL, 0);
  add_beside(&c, NULL, 0);
  add(&c, &samples[0], 0);
  assert_int_equal(bp_query_add_assert_range(c.queries[1], 0, 1), BP_OK);
  assert_int_equal(bp_query_add_assert_range(c.queries[2], 1, 2), BP_OK);
  assert_int_equal(run(&c, 2), BP_OK);
  const bp_sink a = text_sink(&one), b = text_sink(&two), none = refusing_sink();
  assert_int_equal(bp_query_write_json_all(c.queries, 1, &a, NULL), BP_OK);
  assert_int_equal(bp_query_write_json_all(c.queries + 1, 2, &b, NULL), BP_OK);
  const char *stats = strstr(one.bytes, "\"stats\"");
  assert_non_null(stats);
  assert_memory_equal(one.bytes, two.bytes, (size_t)(stats - one.bytes));
  assert_int_equal(bp_query_write_json_all(c.queries + 1, 2, &none, NULL), BP_E_IO);
  assert_int_equal(bp_query_write_json_all(c.queries + 2, 2, &b, NULL), BP_E_INVALID);
  assert_true(bp_context_message(c.at[2].ctx)[0] != 0);
  assert_int_equal(bp_query_write_json_all(c.queries, 0, &b, NULL), BP_E_INVALID);
  assert_int_equal(bp_query_write_json_all(NULL, 1, &b, NULL), BP_E_INVALID);
  bp_query *const holes[] = {c.queries[0], NULL};
  assert_int_equal(bp_query_write_json_all(holes, 2, &b, NULL), BP_E_INVALID);

  bp_stats sum = {.size = sizeof sum, .steps = 3, .bdd_vars = 4, .dropped_vars = 5, .cfg_edges = 9};
  const bp_stats more = {
      .size = sizeof more, .steps = 7, .bdd_vars = 6, .dropped_vars = 2, .cfg_edges = 9};
  assert_int_equal(bp_stats_add(&sum, &more), BP_OK);
  assert_true(sum.steps == 10 && sum.bdd_vars == 6 && sum.dropped_vars == 2 && sum.cfg_edges == 9);
  assert_int_equal(bp_stats_add(&sum, NULL), BP_E_INVALID);
  drop(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_exploration),
      cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_document),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
