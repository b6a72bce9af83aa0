/* SPDX-License-Identifier: MIT
 * Temporal logic of programs: answers, counterexamples, what is refused, and every way to stop. */
#include "ltl_life.h"

#include <stdio.h>
#include <string.h>

static void open_sample(ltl_handles *h, const ltl_sample *s, const bp_ltl_options *options,
                        bp_kernel kernel)
{
  if (ltl_open(h, s, options, kernel) != BP_OK)
    fail_msg("%s: %s", s->formula, bp_context_message(h->ctx));
}

static void ask_sample(const ltl_sample *s, const bp_ltl_options *options, bp_kernel kernel)
{
  ltl_handles h;
  ltl_facts f;
  open_sample(&h, s, options, kernel);
  assert_int_equal(bp_ltl_verdict_of(h.ltl), BP_LTL_UNDECIDED);
  assert_int_equal(bp_ltl_reason(h.ltl), BP_REASON_NOT_RUN);
  assert_int_equal(ltl_ask(&h, &f), BP_OK);
  if (!ltl_right(s, &h, &f, 0))
    fail_msg("%s: %s, prefix %lu, loop %lu, growth %u", s->formula, bp_ltl_verdict_name(f.verdict),
             (unsigned long)f.prefix, (unsigned long)f.round, (unsigned)bp_ltl_growth(h.ltl));
  assert_true(f.bytes > 100);
  /* Asked again it says the same. */
  assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
  assert_int_equal(bp_ltl_verdict_of(h.ltl), s->verdict);
  ltl_close(&h);
}

static void test_answers(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < ltl_sample_count; i++)
    for (int kernel = 0; kernel < 2; kernel++)
      ask_sample(&ltl_samples[i], NULL, (bp_kernel)kernel);
}

static void test_searches(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < ltl_sample_count; i++)
    for (int way = 0; way <= 2 * BP_LTL_XIE_BEEREL + 1; way++) {
      const bp_ltl_options options = {.size = sizeof options,
                                      .off = way % 2 ? BP_ENGINE_POST : 0,
                                      .search = (bp_ltl_search)(way / 2),
                                      .no_safety = 1};
      ltl_handles h;
      ltl_facts f;
      bp_ltl_stats stats = {.size = sizeof stats};
      open_sample(&h, &ltl_samples[i], &options, BP_KERNEL_NATIVE);
      assert_int_equal(ltl_ask(&h, &f), BP_OK);
      assert_int_equal(f.verdict, ltl_samples[i].verdict);
      assert_int_equal(bp_ltl_get_stats(h.ltl, &stats), BP_OK);
      assert_int_equal(stats.way, BP_LTL_WAY_CYCLE);
      assert_true(stats.product_vertices > stats.cfg_vertices && stats.steps > 0);
      ltl_close(&h);
    }
}

/* ---- ways ---------------------------------------------------------------- */

static bp_ltl_way way_of(const char *program, const char *formula)
{
  const ltl_sample s = {program, formula, BP_LTL_UNDECIDED, BP_LTL_RUNS, 0, 0, 0};
  ltl_handles h;
  bp_ltl_stats stats = {.size = sizeof stats};
  open_sample(&h, &s, NULL, BP_KERNEL_NATIVE);
  assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
  assert_int_equal(bp_ltl_get_stats(h.ltl, &stats), BP_OK);
  ltl_close(&h);
  return stats.way;
}

/* Reachability is enough when the bad states are out of reach, or nothing can block. */
static void test_ways(void **state)
{
  (void)state;
  const char *free = "void main() begin while (*) do L: skip; od N: skip; end";
  const char *blocks = "void main() begin while (*) do L: skip; od assume(0); N: skip; end";
  assert_int_equal(way_of(free, "G !L"), BP_LTL_WAY_SAFETY);
  assert_int_equal(way_of(free, "!N W N"), BP_LTL_WAY_EMPTY);
  assert_int_equal(way_of(free, "G (terminated -> X terminated)"), BP_LTL_WAY_SAFETY);
  assert_int_equal(way_of(free, "G F L"), BP_LTL_WAY_CYCLE);
  assert_int_equal(way_of(free, "true"), BP_LTL_WAY_EMPTY);
  assert_int_equal(way_of(blocks, "G !L"), BP_LTL_WAY_CYCLE);
  assert_int_equal(way_of(blocks, "G !failed"), BP_LTL_WAY_SAFETY);
  assert_string_equal(bp_ltl_way_name(BP_LTL_WAY_SAFETY), "safety");
  assert_string_equal(bp_ltl_verdict_name(BP_LTL_VIOLATED), "violated");
}

/* ---- the start ----------------------------------------------------------- */

static void test_init(void **state)
{
  (void)state;
  static const char *const conditions[] = {"g & x", "!g", "!x", NULL};
  static const bp_ltl_verdict verdicts[] = {BP_LTL_HOLDS, BP_LTL_VIOLATED, BP_LTL_VIOLATED,
                                            BP_LTL_VIOLATED};
  const ltl_sample s = {"decl g; void main(x) begin if (g & x) then L: skip; fi end",
                        "F L",
                        BP_LTL_UNDECIDED,
                        BP_LTL_RUNS,
                        0,
                        0,
                        0};
  for (int i = 0; i < 4; i++) {
    ltl_handles h;
    open_sample(&h, &s, NULL, BP_KERNEL_NATIVE);
    assert_int_equal(bp_ltl_set_init(h.ltl, "g &"), BP_E_INPUT);
    assert_int_equal(bp_ltl_set_init(h.ltl, conditions[i]), BP_OK);
    assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
    assert_int_equal(bp_ltl_verdict_of(h.ltl), verdicts[i]);
    assert_int_equal(bp_ltl_set_init(h.ltl, "g"), BP_E_STATE);
    ltl_close(&h);
  }
}

/* ---- what is refused ------------------------------------------------------- */

static void test_propositions(void **state)
{
  (void)state;
  static const struct {
    const char *formula;
    uint32_t column;
  } bad[] = {{"F zork", 3},   {"F p.L", 3},       {"G in(q)", 3},     {"x", 1},
             {"F main.y", 3}, {"G \"g & \"", 3},  {"G \"g | *\"", 3}, {"F (g && M)", 9},
             {"p.N", 1},      {"\"q.x & g\"", 1}, {"\"'g\"", 1}};
  static const char *const good[] = {"\"(M)\"",          "p.M",         "p.x U \"p.x & g\"",
                                     "\"p.x & main.l\"", "main.l -> L", "enter(p) && exit(main)"};
  const char *program = "decl g, M; void p(x) begin decl N; M: skip; N: skip; end\n"
                        "void main() begin decl l; L: p(g); end";
  for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const ltl_sample s = {program, bad[i].formula, BP_LTL_UNDECIDED, BP_LTL_RUNS, 0, 0, 0};
    ltl_handles h;
    bp_range place;
    if (ltl_open(&h, &s, NULL, BP_KERNEL_NATIVE) != BP_E_INPUT) fail_msg("%s is read", s.formula);
    assert_null(h.ltl);
    assert_int_equal(bp_context_diagnostic_count(h.ctx), 1);
    bp_context_diagnostic_range(h.ctx, 0, &place);
    if (place.line != 1 || place.column != bad[i].column)
      fail_msg("%s: column %u", s.formula, (unsigned)place.column);
    assert_string_equal(bp_context_diagnostic_file(h.ctx, 0), "f");
    ltl_close(&h);
  }
  for (uint32_t i = 0; i < sizeof good / sizeof *good; i++) {
    const ltl_sample s = {program, good[i], BP_LTL_UNDECIDED, BP_LTL_RUNS, 0, 0, 0};
    ltl_handles h;
    open_sample(&h, &s, NULL, BP_KERNEL_NATIVE);
    assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
    assert_int_not_equal(bp_ltl_verdict_of(h.ltl), BP_LTL_UNDECIDED);
    ltl_close(&h);
  }
}

static void test_arguments(void **state)
{
  (void)state;
  ltl_handles h;
  bp_ltl *none = NULL;
  bp_trace *trace = NULL;
  bp_ltl_options options = {.size = sizeof options};
  bp_ltl_stats stats = {0};
  open_sample(&h, &ltl_samples[0], NULL, BP_KERNEL_NATIVE);
  assert_int_equal(bp_ltl_new(NULL, h.ctx, h.m, h.cfg, h.formula, NULL), BP_E_INVALID);
  assert_int_equal(bp_ltl_new(&none, NULL, h.m, h.cfg, h.formula, NULL), BP_E_INVALID);
  assert_int_equal(bp_ltl_new(&none, h.ctx, NULL, h.cfg, h.formula, NULL), BP_E_INVALID);
  assert_int_equal(bp_ltl_new(&none, h.ctx, h.m, NULL, h.formula, NULL), BP_E_INVALID);
  assert_int_equal(bp_ltl_new(&none, h.ctx, h.m, h.cfg, NULL, NULL), BP_E_INVALID);
  assert_int_equal(bp_ltl_new_automaton(&none, h.ctx, h.m, h.cfg, NULL, NULL, NULL), BP_E_INVALID);
  options.size = 1;
  assert_int_equal(bp_ltl_new(&none, h.ctx, h.m, h.cfg, h.formula, &options), BP_E_INVALID);
  options.size = sizeof options;
  options.search = (bp_ltl_search)9;
  assert_int_equal(bp_ltl_new(&none, h.ctx, h.m, h.cfg, h.formula, &options), BP_E_INVALID);
  options.search = BP_LTL_DEFAULT;
  options.off = ~0u;
  assert_int_equal(bp_ltl_new(&none, h.ctx, h.m, h.cfg, h.formula, &options), BP_E_INVALID);
  assert_null(none);
  assert_int_equal(bp_ltl_prefix(&trace, h.ltl, NULL), BP_E_STATE);
  assert_int_equal(bp_ltl_get_stats(h.ltl, &stats), BP_E_INVALID);
  assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
  assert_int_equal(bp_ltl_loop(&trace, h.ltl, NULL), BP_E_STATE);
  assert_null(trace);
  assert_int_equal(bp_ltl_run(NULL), BP_E_INVALID);
  assert_int_equal(bp_ltl_verdict_of(NULL), BP_LTL_UNDECIDED);
  assert_null(bp_ltl_automaton(NULL));
  bp_ltl_cancel(NULL);
  bp_ltl_unref(NULL);
  ltl_close(&h);
}

/* ---- life ---------------------------------------------------------------- */

/* Traces live on when everything else has been given back. */
static void test_traces_stay(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < ltl_sample_count; i++) {
    ltl_handles h;
    bp_trace *traces[2];
    uint64_t lengths[2];
    if (ltl_samples[i].verdict != BP_LTL_VIOLATED) continue;
    open_sample(&h, &ltl_samples[i], NULL, BP_KERNEL_NATIVE);
    assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
    assert_int_equal(bp_ltl_prefix(&traces[0], h.ltl, NULL), BP_OK);
    assert_int_equal(bp_ltl_loop(&traces[1], h.ltl, NULL), BP_OK);
    assert_ptr_equal(bp_query_cfg(bp_trace_query(traces[0])), h.cfg);
    ltl_close(&h);
    for (int k = 0; k < 2; k++) {
      assert_int_equal(bp_trace_length(traces[k], &lengths[k]), BP_OK);
      assert_int_equal(bp_trace_replay(traces[k], 0), BP_OK);
      bp_trace_unref(traces[k]);
    }
    assert_int_equal(lengths[0], ltl_samples[i].prefix);
    assert_int_equal(lengths[1], ltl_samples[i].round);
  }
}

/* ---- stopping ------------------------------------------------------------ */

/* With a limit that grows a little each time it comes to the same. */
static void ask_in_steps(const ltl_sample *s, uint64_t first, const bp_ltl_options *options)
{
  ltl_handles h;
  ltl_facts f;
  bp_limits limits = {.size = sizeof limits, .steps = first};
  open_sample(&h, s, options, BP_KERNEL_NATIVE);
  for (int round = 0;; round++) {
    assert_true(round < 200);
    assert_int_equal(bp_ltl_set_limits(h.ltl, &limits), BP_OK);
    const bp_status status = ltl_ask(&h, &f);
    assert_true(ltl_right(s, &h, &f, 1));
    if (status == BP_OK && f.verdict != BP_LTL_UNDECIDED) break;
    assert_true(status == BP_OK || status == BP_E_LIMIT);
    assert_int_equal(bp_ltl_reason(h.ltl), BP_REASON_STEPS);
    limits.steps += limits.steps / 2 + 1;
  }
  if (!ltl_right(s, &h, &f, 0)) fail_msg("%s from %lu steps", s->formula, (unsigned long)first);
  ltl_close(&h);
}

static void test_steps(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < ltl_sample_count; i++)
    for (uint64_t first = 1; first < 300; first += first / 4 + 1)
      for (int no_safety = 0; no_safety < 2; no_safety++) {
        const bp_ltl_options options = {.size = sizeof options, .no_safety = no_safety};
        if (no_safety && ltl_samples[i].verdict == BP_LTL_VIOLATED && ltl_samples[i].prefix > 9)
          continue; /* which of several heads is taken may be another one */
        ask_in_steps(&ltl_samples[i], first, &options);
      }
}

static uint64_t steps_of(const ltl_handles *h)
{
  bp_ltl_stats stats = {.size = sizeof stats};
  assert_int_equal(bp_ltl_get_stats(h->ltl, &stats), BP_OK);
  return stats.steps;
}

/* However small the slices are, each goes on where the one before ended: all together do what one run
 * does, and little more. */
static void ask_in_slices(const ltl_sample *s, uint64_t slice, const bp_ltl_options *options)
{
  ltl_handles one, h;
  ltl_facts f;
  bp_limits limits = {.size = sizeof limits};
  open_sample(&one, s, options, BP_KERNEL_NATIVE);
  assert_int_equal(bp_ltl_run(one.ltl), BP_OK);
  open_sample(&h, s, options, BP_KERNEL_NATIVE);
  uint64_t runs = 0;
  for (; bp_ltl_verdict_of(h.ltl) == BP_LTL_UNDECIDED; runs++) {
    if (limits.steps > 2 * steps_of(&one))
      fail_msg("%s: more than %lu steps", s->formula, (unsigned long)limits.steps);
    limits.steps += slice;
    assert_int_equal(bp_ltl_set_limits(h.ltl, &limits), BP_OK);
    assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
  }
  assert_true(runs >= steps_of(&one) / slice / 2);
  assert_true(steps_of(&h) <= 2 * steps_of(&one));
  assert_int_equal(bp_ltl_set_limits(h.ltl, NULL), BP_OK);
  assert_int_equal(ltl_ask(&h, &f), BP_OK);
  assert_int_equal(f.verdict, s->verdict);
  ltl_close(&one);
  ltl_close(&h);
}

static void test_slices(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < ltl_sample_count; i++)
    for (int way = 0; way <= 2 * BP_LTL_XIE_BEEREL + 1; way++)
      for (uint64_t slice = 1; slice < 100; slice *= 4) {
        const bp_ltl_options options = {.size = sizeof options,
                                        .off = way % 2 ? BP_ENGINE_POST : 0,
                                        .search = (bp_ltl_search)(way / 2),
                                        .no_safety = 1};
        ask_in_slices(&ltl_samples[i], slice, &options);
      }
}

/* The steps of a question, its prefix included. */
static uint64_t steps_with_prefix(ltl_handles *h)
{
  const bp_trace_options options = {.size = sizeof options, .levels = BP_NONE};
  bp_trace *trace = NULL;
  assert_int_equal(bp_ltl_set_limits(h->ltl, NULL), BP_OK);
  assert_int_equal(bp_ltl_run(h->ltl), BP_OK);
  assert_int_equal(bp_ltl_prefix(&trace, h->ltl, &options), BP_OK);
  bp_trace_unref(trace);
  return steps_of(h);
}

/* A search behind bp_ltl_prefix() goes on as well. */
static void test_slices_of_a_prefix(void **state)
{
  (void)state;
  const ltl_sample *s = &ltl_samples[1]; /* violated, by safety alone */
  const bp_ltl_options cycles = {.size = sizeof cycles, .no_safety = 1};
  bp_limits limits = {.size = sizeof limits};
  ltl_handles h, whole, search;
  bp_trace *trace;
  open_sample(&whole, s, NULL, BP_KERNEL_NATIVE);
  open_sample(&search, s, &cycles, BP_KERNEL_NATIVE);
  open_sample(&h, s, NULL, BP_KERNEL_NATIVE);
  assert_int_equal(bp_ltl_run(search.ltl), BP_OK);
  assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
  const uint64_t end = steps_of(&h) + steps_of(&search);
  for (limits.steps = steps_of(&h) + 1; limits.steps < end; limits.steps += 3) {
    assert_int_equal(bp_ltl_set_limits(h.ltl, &limits), BP_OK);
    assert_int_equal(bp_ltl_prefix(&trace, h.ltl, NULL), BP_E_LIMIT);
  }
  assert_true(steps_with_prefix(&h) <= steps_with_prefix(&whole) + 3);
  ltl_close(&h);
  ltl_close(&search);
  ltl_close(&whole);
}

/* Slices of time, cut at any moment: the operation that is stopped is done again, the rest is not. */
static void test_slices_of_time(void **state)
{
  (void)state;
  static const ltl_sample s = {
      "decl a, b, c, d, e, f, g, h, i, j; void main() begin a, b, c, d, e := 0, 0, 0, 0, 0;\n"
      "while (!(a & b & c & d & e)) do f, g, h, i, j := 0, 0, 0, 0, 0;\n"
      "while (!(f & g & h & i & j)) do f, g, h, i, j := !f, f != g, (f & g) != h, (f & g & h) != "
      "i,\n"
      "(f & g & h & i) != j; od\n"
      "a, b, c, d, e := !a, a != b, (a & b) != c, (a & b & c) != d, (a & b & c & d) != e; od end",
      "F terminated",
      BP_LTL_HOLDS,
      BP_LTL_RUNS,
      0,
      0,
      0};
  const bp_ltl_options options = {.size = sizeof options, .search = BP_LTL_EMERSON_LEI};
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 2};
  ltl_handles h;
  uint32_t runs = 0;
  open_sample(&h, &s, &options, BP_KERNEL_NATIVE);
  assert_int_equal(bp_ltl_set_limits(h.ltl, &limits), BP_OK);
  for (; bp_ltl_verdict_of(h.ltl) == BP_LTL_UNDECIDED; runs++) {
    assert_true(runs < 100000);
    assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
  }
  assert_int_equal(bp_ltl_verdict_of(h.ltl), BP_LTL_HOLDS);
  ltl_close(&h);
}

static void test_nodes(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < ltl_sample_count; i++)
    for (uint64_t nodes = 1; nodes < 4000; nodes = nodes * 3 / 2 + 1) {
      const bp_ltl_options options = {.size = sizeof options,
                                      .off = nodes % 2 ? BP_ENGINE_POST : 0};
      ltl_handles h;
      ltl_facts f;
      const bp_limits limits = {.size = sizeof limits, .nodes = nodes},
                      none = {.size = sizeof none};
      open_sample(&h, &ltl_samples[i], &options, BP_KERNEL_NATIVE);
      assert_int_equal(bp_ltl_set_limits(h.ltl, &limits), BP_OK);
      const bp_status status = ltl_ask(&h, &f);
      assert_true(status == BP_OK || status == BP_E_LIMIT);
      assert_true(ltl_right(&ltl_samples[i], &h, &f, 1));
      assert_int_equal(bp_ltl_set_limits(h.ltl, &none), BP_OK);
      assert_int_equal(ltl_ask(&h, &f), BP_OK);
      assert_true(ltl_right(&ltl_samples[i], &h, &f, 0));
      ltl_close(&h);
    }
}

static bp_progress_answer stop_at_once(uint64_t steps, uint64_t live, void *user)
{
  (void)steps;
  (void)live;
  (void)user;
  return BP_STOP;
}

static void test_cancel(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < ltl_sample_count; i++) {
    ltl_handles h;
    ltl_facts f;
    open_sample(&h, &ltl_samples[i], NULL, BP_KERNEL_NATIVE);
    bp_ltl_cancel(h.ltl);
    assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
    assert_int_equal(bp_ltl_verdict_of(h.ltl), BP_LTL_UNDECIDED);
    assert_int_equal(bp_ltl_reason(h.ltl), BP_REASON_CANCELLED);
    bp_ltl_set_progress(h.ltl, stop_at_once, NULL);
    assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
    bp_ltl_set_progress(h.ltl, NULL, NULL);
    assert_int_equal(ltl_ask(&h, &f), BP_OK);
    assert_true(ltl_right(&ltl_samples[i], &h, &f, 0));
    ltl_close(&h);
  }
}

static void test_time(void **state)
{
  (void)state;
  char text[4000] = "decl ";
  for (int i = 0; i < 30; i++)
    sprintf(text + strlen(text), "%sb%d", i ? "," : "", i);
  strcat(text, "; void step() begin ");
  for (int i = 0; i < 30; i++)
    sprintf(text + strlen(text), "if (!b%d) then b%d := 1; return; fi b%d := 0; ", i, i, i);
  strcat(text, "end void main() begin while (*) do step(); od end");
  const ltl_sample s = {text, "G F (in(step) && b29)", BP_LTL_UNDECIDED, BP_LTL_RUNS, 0, 0, 0};
  const bp_ltl_options options = {.size = sizeof options, .search = BP_LTL_XIE_BEEREL};
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 30};
  ltl_handles h;
  open_sample(&h, &s, &options, BP_KERNEL_NATIVE);
  assert_int_equal(bp_ltl_set_limits(h.ltl, &limits), BP_OK);
  assert_int_equal(bp_ltl_run(h.ltl), BP_OK);
  if (bp_ltl_verdict_of(h.ltl) == BP_LTL_UNDECIDED)
    assert_int_equal(bp_ltl_reason(h.ltl), BP_REASON_TIME);
  ltl_close(&h);
}

/* More BDD variables than the manager allows. */
static void test_variables(void **state)
{
  (void)state;
  ltl_handles h;
  const bp_manager_options few = {.size = sizeof few, .max_vars = 6};
  bp_manager *m;
  bp_ltl *ltl;
  open_sample(&h, &ltl_samples[0], NULL, BP_KERNEL_NATIVE);
  assert_int_equal(bp_manager_new(&m, h.ctx, &few), BP_OK);
  assert_int_equal(bp_ltl_new(&ltl, h.ctx, m, h.cfg, h.formula, NULL), BP_OK);
  assert_int_equal(bp_ltl_run(ltl), BP_OK);
  assert_int_equal(bp_ltl_verdict_of(ltl), BP_LTL_UNDECIDED);
  assert_int_equal(bp_ltl_reason(ltl), BP_REASON_VARIABLES);
  bp_ltl_unref(ltl);
  bp_manager_unref(m);
  ltl_close(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers),        cmocka_unit_test(test_searches),
      cmocka_unit_test(test_ways),           cmocka_unit_test(test_init),
      cmocka_unit_test(test_propositions),   cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_traces_stay),    cmocka_unit_test(test_steps),
      cmocka_unit_test(test_nodes),          cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_time),           cmocka_unit_test(test_variables),
      cmocka_unit_test(test_slices),         cmocka_unit_test(test_slices_of_a_prefix),
      cmocka_unit_test(test_slices_of_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
