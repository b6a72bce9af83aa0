/* SPDX-License-Identifier: MIT
 * Random sequences of calls on a question of temporal logic and on sets of configurations of the same
 * program, Remopla programs among them, over one manager, with nodes that fail now and then: never a
 * crash, a wrong verdict or an undocumented status. As test_walker.c, a sequence is a list of numbers;
 * one that fails is made short and printed with its seed. With an argument the walker takes it as the
 * first seed. */
#include "samples.h"

#include "failing_makenode.h"
#include "ltl_life.h"
#include "random.h"
#include "shrink.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SEEDS = 200, LENGTH = 100, CALLS = 20, SETS = 3 };

/* What is asked: the formula, and whether the label L can be reached. */
typedef struct question {
  const char *program;
  bp_language language;
  const char *formula;
  bp_ltl_verdict verdict;
  bool reachable;
} question;

#define COUNT                                                                                      \
  "int x(3);\nmodule void main() { x = 0; do :: x < 6 -> x = x + 1; :: else -> break; od; "        \
  "if :: x == 5 -> L: skip; :: else -> M: skip; fi; }"
#define DOWN                                                                                       \
  "define DEFAULT_INT_BITS 2\nint x;\nmodule int down(int n) { int r; if :: n > 0 -> "             \
  "r = down(n - 1); return r; :: else -> L: return 0; fi; }\n"                                     \
  "module void main() { x = down(3); do :: true -> P: x = undef; od; }"
#define SORT                                                                                       \
  "define DEFAULT_INT_BITS 2\nint a[2];\nbool done;\nmodule void main() { int t; done = false; "   \
  "if :: a[0] > a[1] -> t = a[0], a[0] = a[1]; a[1] = t; :: else -> skip; fi; "                    \
  "if :: a[0] <= a[1] -> done = true; :: else -> L: skip; fi; }"
#define LOCK                                                                                       \
  "decl held, f; void take() begin assert(!held); held := 1; end\n"                                \
  "bool try(x) begin if (x) then take(); L: return 1; fi return 0; end\n"                          \
  "void main() begin decl r; held := 0; while (*) do r := try(f); f := *;\n"                       \
  "if (r) then held := 0; fi od M: skip; end"

static const question questions[] = {
    {COUNT, BP_LANGUAGE_REMOPLA, "F terminated", BP_LTL_HOLDS, false},
    {COUNT, BP_LANGUAGE_REMOPLA, "F \"x == 7\"", BP_LTL_VIOLATED, false},
    {DOWN, BP_LANGUAGE_REMOPLA, "F G in(main)", BP_LTL_HOLDS, true},
    {DOWN, BP_LANGUAGE_REMOPLA, "G (P -> F \"x > 1\")", BP_LTL_VIOLATED, true},
    {SORT, BP_LANGUAGE_REMOPLA, "F \"done\"", BP_LTL_HOLDS, false},
    {SORT, BP_LANGUAGE_REMOPLA, "G \"a[0] == 2 -> a[1] != 1\"", BP_LTL_VIOLATED, false},
    {LOCK, BP_LANGUAGE_BOOLEAN, "G !failed", BP_LTL_HOLDS, true},
    {LOCK, BP_LANGUAGE_BOOLEAN, "G F !held", BP_LTL_HOLDS, true},
    {LOCK, BP_LANGUAGE_BOOLEAN, "F terminated", BP_LTL_VIOLATED, true},
};
enum { QUESTIONS = sizeof questions / sizeof *questions };

typedef struct walker {
  bp_context *ctx;
  bp_manager *m;
  const question *asked;
  bp_program *p;
  bp_cfg *cfg;
  bp_formula *formula;
  bp_ltl *ltl;
  bp_trace *traces[2];
  bp_cursor *cursors[2];
  bp_pushdown *system;
  bp_configurations *sets[SETS]; /* the start, what it reaches, what reaches that */
  bp_limits limits;
} walker;

/* In a child: says what is wrong and ends it. */
static void must(int right, const char *what)
{
  if (right) return;
  fprintf(stderr, "%s\n", what);
  _exit(1);
}

/* ---- handles --------------------------------------------------------------- */

static void drop_trace(walker *w, uint32_t i)
{
  bp_cursor_free(w->cursors[i]);
  bp_trace_unref(w->traces[i]);
  w->cursors[i] = NULL;
  w->traces[i] = NULL;
}

static void drop_set(walker *w, uint32_t i)
{
  bp_configurations_unref(w->sets[i]);
  w->sets[i] = NULL;
}

static void drop_all(walker *w)
{
  for (uint32_t i = 0; i < 2; i++)
    drop_trace(w, i);
  for (uint32_t i = 0; i < SETS; i++)
    drop_set(w, i);
  bp_pushdown_unref(w->system);
  bp_ltl_unref(w->ltl);
  bp_formula_unref(w->formula);
  bp_cfg_unref(w->cfg);
  bp_program_unref(w->p);
  w->system = NULL;
  w->ltl = NULL;
  w->formula = NULL;
  w->cfg = NULL;
  w->p = NULL;
}

static bp_status open_question(walker *w, uint32_t arg)
{
  w->asked = &questions[arg % QUESTIONS];
  const bp_program_options language = {.size = sizeof language, .language = w->asked->language};
  const bp_ltl_options options = {.size = sizeof options,
                                  .off = arg / 16 & BP_ENGINE_ALL & ~(uint32_t)BP_ENGINE_LIVE,
                                  .search = (bp_ltl_search)(arg / 7 % 4),
                                  .no_safety = arg & 1};
  const char *text = w->asked->program, *formula = w->asked->formula;
  drop_all(w);
  bp_status status = bp_program_parse(&w->p, w->ctx, text, strlen(text), "p", &language);
  if (status == BP_OK) status = bp_cfg_new(&w->cfg, w->ctx, w->p);
  if (status == BP_OK)
    status = bp_formula_parse(&w->formula, w->ctx, formula, strlen(formula), "f");
  if (status == BP_OK) status = bp_ltl_new(&w->ltl, w->ctx, w->m, w->cfg, w->formula, &options);
  if (status == BP_OK) status = bp_pushdown_from_cfg(&w->system, w->ctx, w->cfg);
  return status;
}

/* ---- calls on the question ---------------------------------------------------- */

static bp_status limit(walker *w, uint32_t arg)
{
  w->limits = (bp_limits){.size = sizeof w->limits};
  if (arg & 1) w->limits.steps = arg % 500 + 1;
  if (arg & 2) w->limits.nodes = arg % 200 + 1;
  return bp_ltl_set_limits(w->ltl, arg & 4 ? NULL : &w->limits);
}

static bp_status trace(walker *w, uint32_t i, uint32_t arg)
{
  const bp_trace_options options = {
      .size = sizeof options, .shortest = arg & 1, .levels = arg & 2 ? BP_NONE : arg >> 3 & 3};
  drop_trace(w, i);
  const bp_status status = (i ? bp_ltl_loop : bp_ltl_prefix)(&w->traces[i], w->ltl, &options);
  return status == BP_OK ? bp_cursor_new(&w->cursors[i], w->traces[i]) : status;
}

static bp_status look(const walker *w, uint32_t i, uint32_t arg)
{
  uint64_t number, inside;
  bp_value value;
  int known;
  switch (arg % 3) {
  case 0: return bp_cursor_number(w->cursors[i], arg % 5, arg % 2, &known, &number);
  case 1: return bp_cursor_value(w->cursors[i], arg % 12, &value);
  default: return bp_cursor_inside(w->cursors[i], &inside);
  }
}

/* ---- calls on sets ---------------------------------------------------------------- */

static bp_status begin_set(walker *w)
{
  for (uint32_t i = 0; i < SETS; i++)
    drop_set(w, i);
  bp_configurations *set = NULL;
  bp_status status = bp_configurations_new(&set, w->ctx, w->m, w->system);
  if (status == BP_OK) status = bp_configurations_add_start(set);
  if (status == BP_OK)
    w->sets[0] = set;
  else
    bp_configurations_unref(set);
  return status;
}

static bp_status saturate(walker *w, uint32_t i)
{
  if (!w->sets[i - 1]) return BP_OK;
  drop_set(w, i);
  return (i == 1 ? bp_pushdown_post : bp_pushdown_pre)(&w->sets[i], w->sets[i - 1],
                                                       w->limits.size ? &w->limits : NULL);
}

/* The start is in all sets; L is on top in what is reached just when it can be. */
static bp_status check_sets(walker *w, uint32_t i)
{
  if (!w->sets[i]) return BP_OK;
  int empty = 0, has = 0;
  bp_status status = bp_configurations_is_empty(&empty, w->sets[i]);
  must(status != BP_OK || !empty, "an empty set");
  if (i != 1 || status != BP_OK) return status;
  const uint32_t stmt = bp_program_find_label(w->p, BP_NONE, "L", 0);
  const uint32_t vertex = bp_cfg_vertex_of_stmt(w->cfg, stmt);
  must(vertex != BP_NONE && bp_pushdown_symbol_vertex(w->system, vertex) == vertex, "no vertex");
  status = bp_configurations_has_head(&has, w->sets[1], 0, vertex, NULL);
  must(status != BP_OK || has == w->asked->reachable, "a wrong head");
  return status;
}

static bp_status restrict_set(walker *w, uint32_t arg)
{
  bp_configurations *less = NULL;
  bp_stacks *stacks = NULL;
  const bp_configurations *set = w->sets[arg % SETS];
  if (!set) return BP_OK;
  bp_status status = bp_configurations_restrict(&less, set, NULL, arg & 8 ? "1" : NULL, NULL);
  if (status == BP_OK) status = bp_configurations_stacks(&stacks, less, NULL);
  must(status != BP_OK || bp_stacks_state_count(stacks) > 0, "no states");
  bp_stacks_unref(stacks);
  bp_configurations_unref(less);
  return status;
}

static int stop_at_twenty(const bp_configuration *one, void *user)
{
  (void)one;
  return ++*(uint32_t *)user > 20;
}

/* ---- the walk --------------------------------------------------------------------- */

static bp_status call(walker *w, uint32_t op, uint32_t arg)
{
  static text_buffer t;
  const uint32_t i = arg / 7 % 2;
  uint32_t count = 0;
  bp_sink sink = text_sink(&t);
  bp_ltl_stats stats = {.size = sizeof stats};
  bp_formula *none;
  t.len = 0;
  switch (op) {
  case 0: return arg % 6 ? BP_OK : open_question(w, arg / 6);
  case 1:
  case 2: return bp_ltl_run(w->ltl);
  case 3: return limit(w, arg);
  case 4: bp_ltl_cancel(arg % 3 ? NULL : w->ltl); return BP_OK;
  case 5: return trace(w, 0, arg);
  case 6: return trace(w, 1, arg);
  case 7: return bp_cursor_next(w->cursors[i]);
  case 8: return arg & 1 ? bp_cursor_open(w->cursors[i]) : bp_cursor_close(w->cursors[i]);
  case 9: return look(w, i, arg / 14);
  case 10: return bp_trace_replay(w->traces[i], arg % 5 ? arg % 5 : BP_NONE);
  case 11: return bp_ltl_get_stats(w->ltl, &stats);
  case 12: return bp_ltl_write_json(w->ltl, &sink, "f", NULL);
  case 13: return begin_set(w);
  case 14: return saturate(w, 1);
  case 15: return saturate(w, 2);
  case 16: return check_sets(w, arg % SETS);
  case 17: return restrict_set(w, arg);
  case 18: return bp_configurations_each(w->sets[arg % SETS], arg % 4, stop_at_twenty, &count);
  case 19: makenode_fail_at(1 + arg % 150); return BP_OK;
  default: return bp_formula_parse(&none, w->ctx, "G (", 3, "wrong");
  }
}

static const char *check(const walker *w, bp_status status)
{
  if (status == BP_E_NOMEM || status == BP_E_POISONED || status == BP_E_INTERNAL ||
      status == BP_E_BUSY || status == BP_E_UNSUPPORTED || status == BP_E_IO)
    return bp_status_name(status);
  const bp_ltl_verdict verdict = bp_ltl_verdict_of(w->ltl);
  return verdict != BP_LTL_UNDECIDED && verdict != w->asked->verdict ? "wrong verdict" : NULL;
}

/* Calls are op + 32 * argument. Returns when all was right. */
static void walk(const uint32_t *calls, uint32_t count)
{
  walker w = {0};
  const bp_manager_options on = {.size = sizeof on, .kernel = (bp_kernel)(calls[0] / 64 % 2)};
  must(bp_context_new(&w.ctx) == BP_OK && bp_manager_new(&w.m, w.ctx, &on) == BP_OK &&
           open_question(&w, calls[0] / 32) == BP_OK,
       "no beginning");
  makenode_fail_at(0);
  for (uint32_t i = 0; i < count; i++) {
    const char *wrong = check(&w, call(&w, calls[i] % 32, calls[i] / 32));
    if (!wrong) continue;
    fprintf(stderr, "call %u: %s %s\n", (unsigned)i, wrong, bp_context_message(w.ctx));
    _exit(1);
  }
  makenode_fail_at(0);
  drop_all(&w);
  bp_manager_unref(w.m);
  bp_context_unref(w.ctx);
}

/* Prints the shortest sequence found and the seed (0: none), and fails. */
static void run(uint64_t seed, uint32_t *calls, uint32_t count)
{
  if (!shrink_fails(walk, calls, count, false)) return;
  count = shrink(walk, calls, count);
  shrink_fails(walk, calls, count, true);
  print_message("seed %lu, %u calls: {", (unsigned long)seed, (unsigned)count);
  for (uint32_t k = 0; k < count; k++)
    print_message("%u, ", (unsigned)calls[k]);
  fail_msg("}");
}

static uint64_t first_seed = 1;

static void test_random(void **state)
{
  (void)state;
  for (uint64_t seed = first_seed; seed < first_seed + SEEDS; seed++) {
    uint64_t r = seed;
    uint32_t calls[LENGTH];
    for (uint32_t i = 0; i < LENGTH; i++)
      calls[i] = (uint32_t)(random_u64(&r) % (CALLS + 1) + 32 * (random_u64(&r) % 100000));
    run(seed, calls, LENGTH);
  }
}

/* All questions to the end, without faults and limits: each answer is there and right. */
static void test_straight(void **state)
{
  (void)state;
  for (uint32_t q = 0; q < QUESTIONS; q++) {
    walker w = {0};
    assert_int_equal(bp_context_new(&w.ctx), BP_OK);
    assert_int_equal(bp_manager_new(&w.m, w.ctx, NULL), BP_OK);
    assert_int_equal(open_question(&w, q), BP_OK);
    assert_int_equal(bp_ltl_run(w.ltl), BP_OK);
    assert_int_equal(bp_ltl_verdict_of(w.ltl), questions[q].verdict);
    for (uint32_t i = 0; i < 2 && questions[q].verdict == BP_LTL_VIOLATED; i++) {
      assert_int_equal(trace(&w, i, 0), BP_OK);
      assert_int_equal(bp_trace_replay(w.traces[i], BP_NONE), BP_OK);
    }
    assert_int_equal(begin_set(&w), BP_OK);
    assert_int_equal(saturate(&w, 1), BP_OK);
    assert_int_equal(saturate(&w, 2), BP_OK);
    for (uint32_t i = 0; i < SETS; i++)
      assert_int_equal(check_sets(&w, i), BP_OK);
    drop_all(&w);
    bp_manager_unref(w.m);
    bp_context_unref(w.ctx);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_straight),
                                     cmocka_unit_test(test_random)};
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  print_message("seeds from %lu\n", (unsigned long)first_seed);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
