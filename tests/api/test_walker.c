/* SPDX-License-Identifier: MIT
 * Random sequences of calls, over one manager, with nodes that fail now and then: never a crash, a wrong verdict or an undocumented
 * status. A sequence is a list of numbers. One that fails is made short and printed with its seed; those
 * that once failed are replayed. Each runs in a process of its own, so that a crash is a failure too.
 * With an argument the walker takes it as the first seed. */
#include "samples.h"

#include "failing_makenode.h"
#include "random.h"
#include "shrink.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SEEDS = 150, LENGTH = 120, TRACES = 3, CALLS = 19 };

typedef struct walker {
  bp_context *ctx;
  bp_manager *m;
  const sample *s;
  bp_program *p;
  bp_cfg *cfg;
  bp_query *q;
  uint32_t asked[64]; /* the sample's target of each target of the query */
  bp_trace *traces[TRACES];
  bp_cursor *cursors[TRACES];
  uint64_t lengths[TRACES];
  bp_program *programs[TRACES]; /* of the traces */
} walker;

/* In a child: says what is wrong and ends it. */
static void must(int right, const char *what)
{
  if (right) return;
  fprintf(stderr, "%s\n", what);
  _exit(1);
}

/* ---- calls ----------------------------------------------------------------- */

static bp_status open_query(walker *w, uint32_t arg)
{
  const bp_query_options options = {.size = sizeof options, .off = arg >> 4 & BP_ENGINE_ALL};
  bp_query_unref(w->q);
  bp_cfg_unref(w->cfg);
  bp_program_unref(w->p);
  w->q = NULL;
  w->cfg = NULL;
  w->s = &samples[arg % sample_count];
  bp_status status =
      bp_program_parse(&w->p, w->ctx, w->s->text, strlen(w->s->text), w->s->name, NULL);
  if (status == BP_OK) status = bp_cfg_new(&w->cfg, w->ctx, w->p);
  if (status == BP_OK) status = bp_query_new(&w->q, w->ctx, w->m, w->cfg, &options);
  return status;
}

static bp_status add(walker *w, uint32_t arg)
{
  const uint32_t t = arg % SAMPLE_TARGETS, n = bp_query_target_count(w->q);
  if (n >= 64 || !w->s->targets[t] || !strcmp(w->s->targets[t], "assert"))
    return bp_query_add(w->q, "NOWHERE", NULL);
  w->asked[n] = t;
  return bp_query_add(w->q, w->s->targets[t], arg & 64 ? "1" : NULL);
}

static bp_status limit(walker *w, uint32_t arg)
{
  bp_limits limits = {.size = sizeof limits};
  if (arg & 1) limits.steps = arg % 300;
  if (arg & 2) limits.nodes = arg % 80;
  return bp_query_set_limits(w->q, arg & 4 ? NULL : &limits);
}

static void drop(walker *w, uint32_t i)
{
  bp_cursor_free(w->cursors[i]);
  bp_trace_unref(w->traces[i]);
  bp_program_unref(w->programs[i]);
  w->cursors[i] = NULL;
  w->traces[i] = NULL;
  w->programs[i] = NULL;
}

static bp_status trace(walker *w, uint32_t i, uint32_t arg)
{
  const uint32_t n = bp_query_target_count(w->q);
  const bp_trace_options options = {
      .size = sizeof options, .shortest = arg & 1, .levels = arg & 2 ? BP_NONE : arg >> 3 & 3};
  drop(w, i);
  const bp_status status = bp_trace_new(&w->traces[i], w->q, n ? arg % n : 0, &options);
  w->lengths[i] = 0;
  if (status != BP_OK) return status;
  w->programs[i] = bp_program_ref(w->p);
  return bp_cursor_new(&w->cursors[i], w->traces[i]);
}

static bp_status copy(walker *w, uint32_t i)
{
  bp_cursor *c;
  const bp_status status = bp_cursor_copy(&c, w->cursors[i]);
  if (status != BP_OK) return status;
  bp_cursor_free(w->cursors[i]);
  w->cursors[i] = c;
  return BP_OK;
}

static bp_status length(walker *w, uint32_t i)
{
  uint64_t now;
  const bp_status status = bp_trace_length(w->traces[i], &now);
  must(status != BP_OK || !w->lengths[i] || now == w->lengths[i], "another length");
  if (status == BP_OK) w->lengths[i] = now;
  return status;
}

static int count_cube(const bp_value *values, uint32_t count, void *user)
{
  (void)values;
  (void)count;
  return ++*(uint32_t *)user > 20;
}

static bp_status call(walker *w, uint32_t op, uint32_t arg)
{
  const uint32_t i = arg / 7 % TRACES;
  uint32_t cubes = 0;
  int reached;
  uint64_t inside;
  bp_value value;
  static text_buffer t;
  bp_sink sink = text_sink(&t);
  bp_program *none;
  switch (op) {
  case 0: return arg % 4 ? BP_OK : open_query(w, arg / 4);
  case 1: return add(w, arg);
  case 2: return bp_query_run(w->q);
  case 3: return limit(w, arg);
  case 4: bp_query_cancel(arg % 3 ? NULL : w->q); return BP_OK;
  case 5: return trace(w, i, arg);
  case 6: return bp_cursor_next(w->cursors[i]);
  case 7: return bp_cursor_open(w->cursors[i]);
  case 8: return bp_cursor_close(w->cursors[i]);
  case 9: return bp_cursor_value(w->cursors[i], arg % 12, &value);
  case 10: return bp_cursor_inside(w->cursors[i], &inside);
  case 11: return length(w, i);
  case 12: return bp_trace_replay(w->traces[i], arg % 5 ? arg % 5 : BP_NONE);
  case 13: return bp_query_states(w->q, arg % 40, NULL, 0, count_cube, &cubes);
  case 14: return bp_query_summary(w->q, arg % 5, count_cube, &cubes);
  case 15: return bp_query_invariant(w->q, arg % 40, &sink);
  case 16: return arg & 1 ? copy(w, i) : bp_query_reached(w->q, arg % 40, &reached);
  case 17: makenode_fail_at(1 + arg % 150); return BP_OK;
  default: return bp_program_parse(&none, w->ctx, "void main(", 10, "wrong", NULL);
  }
}

/* ---- the walk --------------------------------------------------------------- */

static const char *check(const walker *w, bp_status status)
{
  if (status == BP_E_NOMEM || status == BP_E_POISONED || status == BP_E_INTERNAL ||
      status == BP_E_BUSY || status == BP_E_UNSUPPORTED || status == BP_E_IO)
    return bp_status_name(status);
  for (uint32_t t = 0; t < bp_query_target_count(w->q); t++) {
    const bp_verdict verdict = bp_query_verdict(w->q, t);
    if (verdict != BP_UNDECIDED && verdict != w->s->verdicts[w->asked[t]]) return "wrong verdict";
  }
  if (bp_query_state_of(w->q) == BP_QUERY_FAILED) return "failed";
  return NULL;
}

/* Calls are op + 32 * argument. Returns when all was right. */
static void walk(const uint32_t *calls, uint32_t count)
{
  walker w = {0};
  const bp_manager_options on = {.size = sizeof on, .kernel = (bp_kernel)(calls[0] / 64 % 2)};
  must(bp_context_new(&w.ctx) == BP_OK && bp_manager_new(&w.m, w.ctx, &on) == BP_OK &&
           open_query(&w, calls[0] / 32) == BP_OK,
       "no beginning");
  makenode_fail_at(0);
  for (uint32_t i = 0; i < count; i++) {
    const char *wrong = check(&w, call(&w, calls[i] % 32, calls[i] / 32));
    if (!wrong) continue;
    fprintf(stderr, "%s %s\n", wrong, bp_context_message(w.ctx));
    _exit(1);
  }
  makenode_fail_at(0);
  for (uint32_t k = 0; k < TRACES; k++)
    drop(&w, k);
  bp_query_unref(w.q);
  bp_cfg_unref(w.cfg);
  bp_program_unref(w.p);
  bp_manager_unref(w.m);
  bp_context_unref(w.ctx);
}

/* Prints the shortest sequence found and the seed (0: none), and fails. */
static void run(uint64_t seed, const uint32_t *calls, uint32_t count)
{
  uint32_t few[LENGTH];
  if (!shrink_fails(walk, calls, count, false)) return;
  memcpy(few, calls, count * sizeof *few);
  count = shrink(walk, few, count);
  shrink_fails(walk, few, count, true);
  print_message("seed %lu, %u calls: {", (unsigned long)seed, (unsigned)count);
  for (uint32_t k = 0; k < count; k++)
    print_message("%u, ", (unsigned)few[k]);
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
      calls[i] = (uint32_t)(random_u64(&r) % CALLS + 32 * (random_u64(&r) % 100000));
    run(seed, calls, LENGTH);
  }
}

/* Recorded: op + 32 * argument. Targets added, stopped in the middle, looked at late. */
static const uint32_t recorded[][16] = {
    {1, 3 + 32 * 25, 2, 3 + 32 * 27, 2, 3 + 32 * 4, 2, 5, 11, 12, 1 + 32, 2, 11, 12, 13, 15},
    {1, 2, 5 + 32 * 3, 1 + 32, 1 + 32, 1, 1, 11, 6, 9, 7, 6, 8, 8, 4, 2},
};

static void test_recorded(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sizeof recorded / sizeof *recorded; i++)
    for (uint32_t k = 0; k < sample_count; k++) {
      uint32_t calls[17] = {32 * 4 * k};
      memcpy(calls + 1, recorded[i], sizeof recorded[i]);
      run(0, calls, 17);
    }
}

/* ---- does it shrink? ---------------------------------------------------------- */

/* Whether the operations stand in the sequence in this order. */
static bool has(const uint32_t *calls, uint32_t count, const uint32_t *ops, uint32_t wanted)
{
  uint32_t met = 0;
  for (uint32_t i = 0; i < count && met < wanted; i++)
    met += calls[i] % 32 == ops[met];
  return met == wanted;
}

static void fail_on_three(const uint32_t *calls, uint32_t count)
{
  if (has(calls, count, (const uint32_t[]){2, 11, 17}, 3)) _exit(1);
}

static void crash_on_two(const uint32_t *calls, uint32_t count)
{
  walk(calls, count);
  if (has(calls, count, (const uint32_t[]){5, 12}, 2)) raise(SIGSEGV);
}

static void fail_always(const uint32_t *calls, uint32_t count)
{
  (void)calls;
  (void)count;
  _exit(1);
}

static void test_shrinking(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed < 4; seed++) {
    uint64_t r = seed;
    uint32_t calls[LENGTH], few[LENGTH];
    for (uint32_t i = 0; i < LENGTH; i++)
      calls[i] = (uint32_t)(i % CALLS + 32 * (random_u64(&r) % 100000));
    assert_false(shrink_fails(walk, calls, LENGTH, false));
    memcpy(few, calls, sizeof few);
    assert_int_equal(shrink(fail_on_three, few, LENGTH), 3);
    assert_true(few[0] % 32 == 2 && few[1] % 32 == 11 && few[2] % 32 == 17);
    memcpy(few, calls, sizeof few);
    assert_int_equal(shrink(crash_on_two, few, LENGTH), 2);
    assert_true(few[0] % 32 == 5 && few[1] % 32 == 12);
    assert_int_equal(shrink(fail_always, few, LENGTH), 1);
  }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shrinking),
      cmocka_unit_test(test_recorded),
      cmocka_unit_test(test_random),
  };
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  print_message("seeds from %lu\n", (unsigned long)first_seed);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
