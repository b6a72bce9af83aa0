/* SPDX-License-Identifier: MIT
 * PDAAAL's JSON: what is read, what is refused and where, what is written. */
#include "systems.h"

#include <stdio.h>

static int set_up(void **state)
{
  bp_context *ctx;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  *state = ctx;
  return 0;
}

static int tear_down(void **state)
{
  bp_context_unref(*state);
  return 0;
}

static bp_pushdown *read_json(bp_context *ctx, const char *text)
{
  bp_pushdown *p = NULL;
  const bp_status status = bp_pushdown_read_json(&p, ctx, text, strlen(text), "t.json");
  if (status != BP_OK) fail_msg("%s", bp_context_message(ctx));
  return p;
}

/* The system in libbp's own text. */
static void is_system(bp_pushdown *p, const char *expected)
{
  page out;
  page_begin(&out);
  assert_int_equal(bp_pushdown_write(p, &out.sink), BP_OK);
  assert_string_equal(out.text, expected);
  bp_pushdown_unref(p);
}

static void test_named(void **state)
{
  bp_pushdown *p = read_json(
      *state,
      "{\"pda\": {\"states\": {"
      "\"p\": {\"A\": {\"to\": \"q\", \"pop\": \"\"}, \"B\": [{\"to\": \"p\", \"push\": \"A\"}, "
      "{\"swap\": \"C d\", \"to\": \"r\"}]}, \"q\": {}}, \"other\": [{}, [1.5e-3, null]]}}");
  is_system(p, "pushdown\ncontrol p\ncontrol q\ncontrol r\nsymbol A\nsymbol B\nsymbol \"C d\"\n"
               "rule p A -> q\nrule p B -> p A B\nrule p B -> r \"C d\"\n");
}

static void test_numbered(void **state)
{
  bp_pushdown *p =
      read_json(*state, "{\"pda\":{\"states\":[{\"A\":{\"to\":1,\"swap\":\"B\"}},{}]}}");
  is_system(p, "pushdown\ncontrol 0\ncontrol 1\nsymbol A\nsymbol B\nrule 0 A -> 1 B\n");
}

static void test_any_label(void **state)
{
  bp_pushdown *p = read_json(
      *state, "{\"pda\":{\"states\":{\"p\":{\"*\":[{\"to\":\"p\",\"swap\":\"*\"},{\"to\":\"q\","
              "\"push\":\"A\"},"
              "{\"to\":\"q\",\"pop\":\"\"}]},\"q\":{\"B\":{\"to\":\"p\",\"swap\":\"A\"}}}}}");
  is_system(p, "pushdown\ncontrol p\ncontrol q\nsymbol A\nsymbol B\nrule q B -> p A\n"
               "rule p A -> p A\nrule p B -> p B\nrule p A -> q A A\nrule p B -> q A B\n"
               "rule p A -> q\nrule p B -> q\n");
}

/* A reachability instance: the system of it. */
static void test_instance(void **state)
{
  static const char text[] = "{\"instance\": [{\"state-names\": true, \"weight-type\": \"uint\"}, "
                             "{\"states\": {\"p\": {\"A\": "
                             "{\"to\": \"q\", \"push\": \"B\", \"weight\": 1}}}}, {\"accepting\": "
                             "[2], \"edges\": [[\"p\", "
                             "\"A\", 2]]}, {\"accepting\": [\"q\"], \"edges\": []}]}";
  is_system(read_json(*state, text),
            "pushdown\ncontrol p\ncontrol q\nsymbol A\nsymbol B\nrule p A -> q B A\n");
  assert_int_equal(bp_context_diagnostic_count(*state), 2);
  assert_int_equal(bp_context_diagnostic_severity(*state, 1), BP_WARNING);
  assert_string_equal(bp_context_diagnostic_text(*state, 1),
                      "the automata of the instance are left out");
  static const char *const bad[] = {
      "{\"instance\": []}",
      "{\"instance\": [{}]}",
      "{\"instance\": {}}",
      "{\"instance\": [{}, {}, {}]}",
      "{\"instance\": [{}, {\"states\": {}}",
      "{\"pda\": {\"states\": {}}, \"instance\": [{}, {\"states\": {}}]}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    bp_pushdown *p;
    assert_int_equal(bp_pushdown_read_json(&p, *state, bad[i], strlen(bad[i]), NULL), BP_E_INPUT);
    assert_null(p);
  }
}

static void test_weights(void **state)
{
  bp_context *ctx = *state;
  bp_pushdown_unref(read_json(
      ctx,
      "{\"pda\":{\"states\":{\"p\":{\"A\":{\"to\":\"p\",\"pop\":\"\",\"weight\":[1,[2]]}}}}}"));
  assert_int_equal(bp_context_diagnostic_count(ctx), 1);
  assert_int_equal(bp_context_diagnostic_number(ctx, 0), 605);
  assert_int_equal(bp_context_error_count(ctx), 0);
}

static void test_escapes(void **state)
{
  bp_pushdown *p =
      read_json(*state, "{\"pda\":{\"states\":{\"\\\"\\\\\\/\\u00e9\\ud83d\\ude00\":{}}}}");
  assert_string_equal(bp_pushdown_control_name(p, 0), "\"\\/\xc3\xa9\xf0\x9f\x98\x80");
  bp_pushdown_unref(p);
}

typedef struct refused {
  const char *text, *message;
  uint32_t line, column;
} refused;

static void test_refused(void **state)
{
  static const refused all[] = {
      {"", "expected a value", 1, 1},
      {"[]", "expected an object", 1, 1},
      {"{}", "expected a key \"pda\"", 1, 2},
      {"{\"pda\":{}}", "expected a key \"states\"", 1, 9},
      {"{\"pda\":{\"states\":1}}", "expected an object or an array", 1, 18},
      {"{\"pda\":{\"states\":{\"p\":[]}}}", "expected the rules of a state", 1, 23},
      {"{\"pda\":{\"states\":{\"p\":{\"A\":1}}}}", "expected a rule or an array of rules", 1, 28},
      {"{\"pda\":{\"states\":{\"p\":{\"A\":[1]}}}}", "expected a rule", 1, 29},
      {"{\"pda\":{\"states\":{\"p\":{\"A\":{\"to\":\"p\"}}}}}",
       "the rule has neither pop, swap nor push", 1, 37},
      {"{\"pda\":{\"states\":{\"p\":{\"A\":{\"pop\":\"\"}}}}}", "the rule has no 'to'", 1, 37},
      {"{\"pda\":{\"states\":{\"p\":{\"A\":{\"pop\":\"x\"}}}}}", "pop takes an empty string", 1,
       35},
      {"{\"pda\":{\"states\":{\"p\":{\"A\":{\"pop\":\"\",\n\"swap\":\"B\"}}}}}",
       "a rule has one of pop, swap and push", 2, 1},
      {"{\"pda\":{\"states\":{\"p\":{\"A\":{\"too\":\"\"}}}}}", "a rule has no such key", 1, 29},
      {"{\"pda\":{\"states\":{\"p\":{\"\":{}}}}}", "that is not a name", 1, 24},
      {"{\"pda\":{\"states\":{\"p\":{\"A\":{\"to\":1}}}}}", "expected the name of a state", 1, 34},
      {"{\"pda\":{\"states\":[{\"A\":{\"to\":1,\"pop\":\"\"}}]}}", "there is no such state", 1, 30},
      {"{\"pda\":{\"states\":[{\"*\":{\"to\":9,\"pop\":\"\"}}]}}", "there is no such state", 1, 30},
      {"{\"pda\":{\"states\":[{\"A\":{\"to\":1e1}}]}}", "there is no such state", 1, 30},
      {"{\"pda\":{\"states\":[{\"A\":{\"to\":\"1\"}}]}}", "expected the number of a state", 1, 30},
      {"{\"pda\":{\"states\":{}},\"pda\":{\"states\":{}}}", "the states were there already", 1, 38},
      {"{\"pda\":{\"states\":{}}} x", "expected the end", 1, 23},
      {"{\"a\":01}", "expected ',' or '}'", 1, 7},
      {"{\"a\":[1,]}", "expected a value", 1, 9},
      {"{\"a\":1,}", "expected a key in quotes", 1, 8},
      {"{\"a\" 1}", "expected ':'", 1, 6},
      {"{\"a\":-}", "expected a digit", 1, 7},
      {"{\"a\":\"\\x\"}", "that is no escape", 1, 8},
      {"{\"a\":\"\\ud800\"}", "half of a surrogate pair", 1, 13},
      {"{\"a\":\"\\ud800\\u0041\"}", "half of a surrogate pair", 1, 19},
      {"{\"a\":\"\\u00g0\"}", "expected four hexadecimal digits", 1, 11},
      {"{\"a\":\"\\u0000\"}", "a NUL cannot stand in a name", 1, 13},
      {"{\"a\":\"\xff\"}", "not UTF-8", 1, 7},
      {"{\"a\":\"\n\"}", "a control character in a string", 1, 7},
      {"{\"a\":\"b", "a '\"' has no end", 1, 6},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    bp_context *ctx = *state;
    bp_pushdown *p = NULL;
    bp_range range;
    assert_int_equal(bp_pushdown_read_json(&p, ctx, all[i].text, strlen(all[i].text), "t"),
                     BP_E_INPUT);
    assert_null(p);
    bp_context_diagnostic_range(ctx, 0, &range);
    if (strcmp(bp_context_diagnostic_text(ctx, 0), all[i].message) || range.line != all[i].line ||
        range.column != all[i].column)
      fail_msg("%s: %u:%u: %s", all[i].text, (unsigned)range.line, (unsigned)range.column,
               bp_context_diagnostic_text(ctx, 0));
  }
}

/* The place of what is wrong in a relation is that in the file. */
static void test_relation_place(void **state)
{
  static const char text[] = "pushdown\ncontrol p\nsymbol a x\nrule p a -> p a when x & zz\n";
  bp_context *ctx = *state;
  bp_pushdown *p;
  bp_range range;
  assert_int_equal(bp_pushdown_read(&p, ctx, text, sizeof text - 1, "t.pds"), BP_E_INPUT);
  bp_context_diagnostic_range(ctx, 0, &range);
  assert_string_equal(bp_context_diagnostic_file(ctx, 0), "t.pds");
  assert_int_equal(range.line, 4);
  assert_int_equal(range.column, 26);
  assert_memory_equal(text + range.offset, "zz", range.end - range.offset);
}

static void test_deep(void **state)
{
  enum { DEEP = 1000000 };
  char *text = malloc(DEEP + 16);
  bp_pushdown *p;
  assert_non_null(text);
  strcpy(text, "{\"a\":");
  memset(text + 5, '[', DEEP);
  assert_int_equal(bp_pushdown_read_json(&p, *state, text, DEEP + 5, NULL), BP_E_INPUT);
  bp_context_cancel(*state);
  assert_int_equal(bp_pushdown_read_json(&p, *state, text, DEEP + 5, NULL), BP_E_LIMIT);
  free(text);
}

static void writes(bp_context *ctx, const char *text, const char *expected)
{
  page out;
  bp_pushdown *p;
  page_begin(&out);
  assert_int_equal(bp_pushdown_read(&p, ctx, text, strlen(text), NULL), BP_OK);
  assert_int_equal(bp_pushdown_write_json(p, ctx, &out.sink), BP_OK);
  assert_string_equal(out.text, expected);
  bp_pushdown_unref(p);
}

static void test_written(void **state)
{
  writes(*state,
         "pushdown\ncontrol p q\nsymbol a\nsymbol b\nrule p a -> q\nrule q b -> q a b\nrule p a -> "
         "p b\n",
         "{\"pda\":{\"states\":{\"p\":{\"a\":[{\"to\":\"q\",\"pop\":\"\"},{\"to\":\"p\",\"swap\":"
         "\"b\"}]},"
         "\"q\":{\"b\":{\"to\":\"q\",\"push\":\"a\"}}}}}\n");
  writes(*state, "pushdown\ncontrol p \"p + b\"\nsymbol a\nsymbol b\nrule p a -> p b b\n",
         "{\"pda\":{\"states\":{\"p\":{\"a\":{\"to\":\"p + b'\",\"swap\":\"b\"}},\"p + b\":{},"
         "\"p + b'\":{\"*\":{\"to\":\"p\",\"push\":\"b\"}}}}}\n");
  writes(*state,
         "pushdown\ncontrol p\nsymbol a\nrule p a -> p when * & !0\nrule p a -> p a when schoose "
         "[0, 1]\n",
         "{\"pda\":{\"states\":{\"p\":{\"a\":{\"to\":\"p\",\"pop\":\"\"}}}}}\n");
}

static void test_not_written(void **state)
{
  static const char *const texts[] = {"pushdown\ncontrol p\nglobal g\n",
                                      "pushdown\ncontrol p\nsymbol a x\n",
                                      "pushdown\ncontrol p\nsymbol *\n"};
  for (int i = 0; i < 3; i++) {
    page out;
    bp_pushdown *p;
    page_begin(&out);
    assert_int_equal(bp_pushdown_read(&p, *state, texts[i], strlen(texts[i]), NULL), BP_OK);
    assert_int_equal(bp_pushdown_write_json(p, *state, &out.sink), BP_E_UNSUPPORTED);
    assert_int_equal(out.used, 0);
    assert_int_equal(bp_pushdown_write_json(p, *state, NULL), BP_E_INVALID);
    bp_pushdown_unref(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_named, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_numbered, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_any_label, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_instance, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_weights, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_escapes, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_relation_place, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_deep, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_written, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_not_written, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
