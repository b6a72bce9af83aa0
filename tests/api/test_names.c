/* SPDX-License-Identifier: MIT
 * Targets spelled with every mixture of plain, numeric and braced names. */
#include "samples.h"

static const char text[] = "decl g;\n"
                           "void {a:b}() begin\n"
                           "  7: skip;\n"     /* line 3 */
                           "  {c:d}: skip;\n" /* 4 */
                           "  R: skip;\n"     /* 5 */
                           "end\n"
                           "void label() begin\n"
                           "  7: skip;\n"     /* 8 */
                           "  label: skip;\n" /* 9 */
                           "end\n"
                           "void main() begin\n"
                           "  {a:b}();\n"               /* 12 */
                           "  label();\n"               /* 13 */
                           "  7: {label:7}: T: skip;\n" /* 14 */
                           "end\n";

typedef struct spelling {
  const char *target;
  bp_target_kind kind;
  const char *proc;
  uint32_t line; /* of its first statement */
} spelling;

static const spelling good[] = {
    {"R", BP_TARGET_LABEL, "{a:b}", 5},
    {"{c:d}", BP_TARGET_LABEL, "{a:b}", 4},
    {"{label:7}", BP_TARGET_LABEL, "main", 14},
    {"T", BP_TARGET_LABEL, "main", 14},
    {"label", BP_TARGET_LABEL, "label", 9},
    {"5", BP_TARGET_LINE, "{a:b}", 5},
    {"{a:b}:R", BP_TARGET_LABEL, "{a:b}", 5},
    {"{a:b}:{c:d}", BP_TARGET_LABEL, "{a:b}", 4},
    {"{a:b}:4", BP_TARGET_LINE, "{a:b}", 4},
    {"main:{label:7}", BP_TARGET_LABEL, "main", 14},
    {"label:7", BP_TARGET_LABEL, "{a:b}", 3},
    {"label:{c:d}", BP_TARGET_LABEL, "{a:b}", 4},
    {"label:label", BP_TARGET_LABEL, "label", 9},
    {"label:{a:b}:7", BP_TARGET_LABEL, "{a:b}", 3},
    {"label:{a:b}:{c:d}", BP_TARGET_LABEL, "{a:b}", 4},
    {"label:main:7", BP_TARGET_LABEL, "main", 14},
    {"label:label:7", BP_TARGET_LABEL, "label", 8},
    {"label:label:label", BP_TARGET_LABEL, "label", 9},
    {"{a:b}:label:7", BP_TARGET_LABEL, "{a:b}", 3},
    {"{a:b}:label:{c:d}", BP_TARGET_LABEL, "{a:b}", 4},
    {"main:label:7", BP_TARGET_LABEL, "main", 14},
    {"main:label:{label:7}", BP_TARGET_LABEL, "main", 14},
};

static void test_good(void **state)
{
  (void)state;
  handles h;
  bp_answer *answer;
  handles_open(&h, text, 0);
  const uint32_t count = sizeof good / sizeof *good;
  for (uint32_t i = 0; i < count; i++)
    if (bp_query_add(h.q, good[i].target, NULL) != BP_OK)
      fail_msg("%s: %s", good[i].target, bp_context_message(h.ctx));
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(bp_query_answer(&answer, h.q), BP_OK);
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(bp_answer_verdict(answer, i), BP_REACHABLE);
    if (bp_answer_target_kind(answer, i) != good[i].kind) fail_msg("kind of %s", good[i].target);
    assert_string_equal(bp_answer_target_proc(answer, i), good[i].proc);
    if (bp_answer_target_line(answer, i) != good[i].line)
      fail_msg("%s is in line %u", good[i].target, (unsigned)bp_answer_target_line(answer, i));
  }
  bp_answer_unref(answer);
  handles_close(&h);
}

/* What a getter says of a label and its procedure names it as a target. */
static void test_from_getters(void **state)
{
  (void)state;
  handles h;
  handles_open(&h, text, 0);
  for (uint32_t s = 0; s < bp_program_stmt_count(h.p); s++)
    for (uint32_t i = 0; i < bp_stmt_label_count(h.p, s); i++) {
      char target[100] = "label:";
      const char *proc = bp_proc_name(h.p, bp_stmt_proc(h.p, s)), *label = bp_stmt_label(h.p, s, i);
      assert_int_equal(bp_query_add_label(h.q, proc, label, NULL), BP_OK);
      assert_int_equal(bp_query_add(h.q, strcat(target, label), NULL), BP_OK);
      strcpy(target, proc);
      assert_int_equal(bp_query_add(h.q, strcat(strcat(target, ":label:"), label), NULL), BP_OK);
      assert_int_equal(bp_program_find_label(h.p, bp_program_find_proc(h.p, proc), label, 0), s);
    }
  assert_int_equal(bp_query_target_count(h.q), 3 * 8);
  handles_close(&h);
}

static void test_bad(void **state)
{
  (void)state;
  static const char *const bad[][2] = {
      {"", "unknown label ''"},
      {"label:", "unknown label ''"},
      {"{}", "unknown label '{}'"},
      {"a:b:R", "unknown procedure 'a:b'"},
      {":R", "unknown procedure ''"},
      {":label:R", "unknown procedure ''"},
      {"main:R", "unknown label 'R' in procedure 'main'"},
      {"{a:b}:9", "unknown line (no statement begins there) '9' in procedure '{a:b}'"},
      {"{a:b:R", "unknown label '{a:b:R'"},
  };
  handles h;
  handles_open(&h, text, 0);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_int_equal(bp_query_add(h.q, bad[i][0], NULL), BP_E_INPUT);
    assert_string_equal(bp_context_message(h.ctx), bad[i][1]);
  }
  assert_int_equal(bp_query_target_count(h.q), 0);
  handles_close(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good),
      cmocka_unit_test(test_from_getters),
      cmocka_unit_test(test_bad),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
