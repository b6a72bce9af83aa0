/* SPDX-License-Identifier: MIT
 * The Hanoi Omega-Automata format: what is read, what is refused and where, what is written. */
#include "texts.h"

#define BEGIN "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\n"
#define BUCHI BEGIN "Acceptance: 1 Inf(0)\n"

static bp_context *ctx;

static void assert_rewrites(const char *text, const char *expected)
{
  page p;
  page_begin(&p);
  bp_automaton *a = hoa_of(ctx, text);
  assert_int_equal(bp_automaton_write_hoa(a, &p.sink), BP_OK);
  assert_string_equal(p.text, expected);
  bp_automaton_unref(a);
}

static void test_writing(void **state)
{
  (void)state;
  assert_rewrites("HOA: v1 /* a /* nested */ comment */ tool: \"x\" name: \"say \\\"no\\\"\"\n"
                  "AP: 3 \"in(main)\" \"R\" \"x & y\" Start: 0 Start: 1 acc-name: Buchi\n"
                  "Acceptance: 1 Inf(0) properties: trans-labels foo-bar baz: 1 \"2\" [ ( ] \n"
                  "Alias: @x 0&!1 Alias: @y @x | 2\n--BODY--\n"
                  "State: 0 \"zero\" [@x] 1 {0} [!@y] 0 State: 1 {0} [t] 1 [f] 0 --END--\n",
                  "HOA: v1\nname: \"say \\\"no\\\"\"\nStates: 2\nStart: 0\nStart: 1\n"
                  "AP: 3 \"in(main)\" \"R\" \"x & y\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n"
                  "properties: trans-labels explicit-labels trans-acc\n--BODY--\nState: 0\n"
                  "[!0&!2 | 1&!2] 0\n[0&!1] 1 {0}\nState: 1\n[t] 1 {0}\n--END--\n");
}

/* Version 1.1 has points in names, and says of properties that they are absent. */
static void test_minor_version(void **state)
{
  (void)state;
  assert_rewrites("HOA: v1.1 States: 1 Start: 0 AP: 0 Acceptance: 0 t\n"
                  "properties: trans-labels !complete exist-branch spot.highlight.states: 0 1\n"
                  "spot.state-player: 0 --BODY-- State: 0 [t] 0 --END--",
                  "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nacc-name: all\nAcceptance: 0 t\n"
                  "properties: trans-labels explicit-labels trans-acc deterministic\n--BODY--\n"
                  "State: 0\n[t] 0\n--END--\n");
}

/* State labels, implicit labels, sets on states, a set that is not in the condition. */
static void test_forms(void **state)
{
  (void)state;
  assert_rewrites("HOA: v1 States: 2 Start: 0 AP: 1 \"a\" Acceptance: 3 (Inf(2)&t)&(Inf(0))\n"
                  "--BODY-- State: 0 {0 1} 0 1 State: [!0] 1 0 {2} --END--",
                  "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\nacc-name: generalized-Buchi 2\n"
                  "Acceptance: 2 Inf(0)&Inf(1)\n"
                  "properties: trans-labels explicit-labels trans-acc deterministic\n--BODY--\n"
                  "State: 0\n[!0] 0 {0}\n[0] 1 {0}\nState: 1\n[!0] 0 {1}\n--END--\n");
  assert_rewrites("HOA: v1 acc-name: all Acceptance: 0 t --BODY-- --END--",
                  "HOA: v1\nStates: 0\nAP: 0\nacc-name: all\nAcceptance: 0 t\n"
                  "properties: trans-labels explicit-labels trans-acc deterministic\n--BODY--\n"
                  "--END--\n");
}

static void test_ap_kinds(void **state)
{
  (void)state;
  static const char text[] =
      "HOA: v1 Start: 0 AP: 8 \"x\" \"p.x\" \"terminated\" \"\\\"terminated\\\"\" \"exit(q)\" "
      "\"\\\"in(q)\\\"\" \"1\" \"a \\\"b\\\" c\" Acceptance: 0 t --BODY-- --END--";
  static const bp_atom_kind kinds[] = {BP_ATOM_NAME, BP_ATOM_NAME,  BP_ATOM_TERMINATED,
                                       BP_ATOM_NAME, BP_ATOM_EXIT,  BP_ATOM_QUOTED,
                                       BP_ATOM_NAME, BP_ATOM_QUOTED};
  bp_automaton *a = hoa_of(ctx, text);
  page p;
  page_begin(&p);
  assert_int_equal(bp_automaton_write_hoa(a, &p.sink), BP_OK);
  bp_automaton *b = hoa_of(ctx, p.text);
  for (uint32_t i = 0; i < 8; i++) {
    assert_int_equal(bp_automaton_ap_kind(a, i), kinds[i]);
    assert_int_equal(bp_automaton_ap_kind(b, i), kinds[i]);
    assert_string_equal(bp_automaton_ap_text(a, i), bp_automaton_ap_text(b, i));
  }
  bp_automaton_unref(a);
  bp_automaton_unref(b);
}

static const struct mistake {
  const char *text;
  bp_status status;
  uint32_t number, line, column;
} mistakes[] = {
    {"", BP_E_INPUT, 201, 1, 1},
    {"never { }", BP_E_INPUT, 201, 1, 1},
    {"HOA: v2", BP_E_UNSUPPORTED, 702, 1, 6},
    {"HOA: v1.2", BP_E_UNSUPPORTED, 702, 1, 6},
    {"HOA: v1. 1", BP_E_UNSUPPORTED, 702, 1, 6},
    {"HOA: v1.1 spot.x: !a.b 1 Spot.x: 1", BP_E_UNSUPPORTED, 702, 1, 26},
    {"HOA: v1 /* open", BP_E_INPUT, 102, 1, 9},
    {"HOA: v1\nname: \"open", BP_E_INPUT, 701, 2, 7},
    {"HOA: v1 \x01", BP_E_INPUT, 101, 1, 9},
    {"HOA: v1 Start: 0&1", BP_E_UNSUPPORTED, 702, 1, 17},
    {"HOA: v1 Unknown: 3", BP_E_UNSUPPORTED, 702, 1, 9},
    {"HOA: v1 States: 2 States: 2", BP_E_INPUT, 704, 1, 19},
    {"HOA: v1 AP: 2 \"a\" \"a\"", BP_E_INPUT, 704, 1, 19},
    {"HOA: v1 AP: 1 \"\"", BP_E_INPUT, 704, 1, 15},
    {"HOA: v1 AP: 257", BP_E_UNSUPPORTED, 705, 1, 13},
    {"HOA: v1 AP: 2 \"a\"\n--BODY--", BP_E_INPUT, 201, 2, 1},
    {"HOA: v1 States: 99999999999", BP_E_UNSUPPORTED, 705, 1, 17},
    {"HOA: v1 --BODY--", BP_E_INPUT, 704, 1, 9},
    {"HOA: v1 Start: 3 States: 2 Acceptance: 0 t --BODY--", BP_E_INPUT, 703, 1, 44},
    {"HOA: v1 Acceptance: 2 Fin(0)&Inf(1)", BP_E_UNSUPPORTED, 702, 1, 23},
    {"HOA: v1 Acceptance: 2 Inf(0)|Inf(1)", BP_E_UNSUPPORTED, 702, 1, 29},
    {"HOA: v1 Acceptance: 1 Inf(!0)", BP_E_UNSUPPORTED, 702, 1, 27},
    {"HOA: v1 Acceptance: 0 f", BP_E_UNSUPPORTED, 702, 1, 23},
    {"HOA: v1 Acceptance: 1 Inf(1)", BP_E_INPUT, 703, 1, 27},
    {"HOA: v1 Acceptance: 65 t", BP_E_UNSUPPORTED, 705, 1, 21},
    {"HOA: v1 Acceptance: 1 ((Inf(0))", BP_E_INPUT, 201, 1, 32},
    {"HOA: v1 Alias: @a 1 AP: 1 \"x\" Acceptance: 0 t --BODY--", BP_E_INPUT, 703, 1, 19},
    {"HOA: v1 Alias: @a @b", BP_E_INPUT, 704, 1, 19},
    {BUCHI "--BODY--\nState: 2", BP_E_INPUT, 703, 7, 8},
    {BUCHI "--BODY--\nState: 0 [2] 0", BP_E_INPUT, 703, 7, 11},
    {BUCHI "--BODY--\nState: 0 [0&(1] 0", BP_E_INPUT, 201, 7, 15},
    {BUCHI "--BODY--\nState: 0 [0 1] 0", BP_E_INPUT, 201, 7, 13},
    {BUCHI "--BODY--\nState: 0 [] 0", BP_E_INPUT, 201, 7, 11},
    {BUCHI "--BODY--\nState: 0 [0] 0 {1}", BP_E_INPUT, 703, 7, 17},
    {BUCHI "--BODY--\nState: 0 [0] 0&1", BP_E_UNSUPPORTED, 702, 7, 15},
    {BUCHI "--BODY--\nState: 0 [0] 0 1", BP_E_INPUT, 703, 7, 1},
    {BUCHI "--BODY--\nState: 0 0 1 [0] 1", BP_E_INPUT, 201, 7, 14},
    {BUCHI "--BODY--\nState: 0 0 0 0 0 0", BP_E_INPUT, 703, 7, 18},
    {BUCHI "--BODY--\nState: [0] 0 [1] 0", BP_E_INPUT, 201, 7, 14},
    {BUCHI "--BODY--\nState: 0\nState: 0", BP_E_INPUT, 704, 8, 1},
    {BUCHI "--BODY--\n--ABORT--", BP_E_INPUT, 704, 7, 1},
    {BUCHI "--BODY--\nState: 0", BP_E_INPUT, 201, 7, 9},
    {BUCHI "--BODY-- --END--\nHOA: v1", BP_E_INPUT, 201, 7, 1},
};

static void test_mistakes(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    const struct mistake *m = &mistakes[i];
    bp_automaton *a;
    bp_range range;
    const bp_status status = bp_automaton_read_hoa(&a, ctx, m->text, strlen(m->text), "a.hoa");
    bp_context_diagnostic_range(ctx, 0, &range);
    if (a || status != m->status || bp_context_diagnostic_number(ctx, 0) != m->number ||
        range.line != m->line || range.column != m->column)
      fail_msg("%s: %s %u, %u:%u: %s", m->text, bp_status_name(status),
               bp_context_diagnostic_number(ctx, 0), range.line, range.column,
               bp_context_message(ctx));
    assert_string_equal(bp_context_diagnostic_file(ctx, 0), "a.hoa");
  }
}

/* Each beginning of a good text is an error, and nothing worse. */
static void test_beginnings(void **state)
{
  (void)state;
  static const char text[] = BUCHI "--BODY-- State: 0 [0&@x | !(1)] 1 {0} State: 1 --END--";
  for (size_t len = 0; len + 1 < sizeof text; len++) {
    bp_automaton *a;
    assert_int_not_equal(bp_automaton_read_hoa(&a, ctx, text, len, NULL), BP_OK);
    assert_true(bp_context_message(ctx)[0]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_writing),  cmocka_unit_test(test_minor_version),
      cmocka_unit_test(test_forms),    cmocka_unit_test(test_ap_kinds),
      cmocka_unit_test(test_mistakes), cmocka_unit_test(test_beginnings),
  };
  if (bp_context_new(&ctx) != BP_OK) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  bp_context_unref(ctx);
  return failed;
}
