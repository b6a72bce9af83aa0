/* SPDX-License-Identifier: MIT
 * Every way to stop a call: it stops there, says why, and calling again comes to the same answers. */
#include "samples.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { WATCHDOG = 100, BOUND = 20 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- steps --------------------------------------------------------------- */

typedef struct raise_limit {
  bp_query *q;
  bp_limits limits;
  uint64_t by;
  uint32_t stops;
  int grows;
} raise_limit;

/* Stopped: exactly at the limit, for the reason expected. A little more then. */
static int more_steps(void *user)
{
  raise_limit *r = user;
  assert_int_equal(bp_query_reason(r->q), BP_REASON_STEPS);
  assert_int_equal(steps_of(r->q), r->limits.steps);
  r->limits.steps += r->by;
  /* The search for a trace begins anew each time, so the additions have to grow. */
  if (r->grows) r->by *= 2;
  r->stops++;
  assert_int_equal(bp_query_set_limits(r->q, &r->limits), BP_OK);
  return 1;
}

static void from_steps(const sample *s, uint32_t off, uint64_t n, uint64_t by, uint64_t last,
                       const facts *right)
{
  /* The run alone goes on with any addition. */
  handles h;
  facts f = {0};
  handles_open_sample(&h, s, off);
  raise_limit r = {.q = h.q, .by = by, .limits = {.size = sizeof r.limits, .steps = n}};
  const patience p = {more_steps, &r};
  assert_int_equal(bp_query_set_limits(h.q, &r.limits), BP_OK);
  assert_int_equal(ask_run(&h, &f, &p), BP_OK);
  assert_int_equal(steps_of(h.q), last); /* nothing is done twice */
  r.grows = 1;
  assert_int_equal(ask_all(&h, &f, &p), BP_OK);
  const char *what = difference(&f, right);
  if (what)
    fail_msg("%s, switches %#x, steps %lu: %s differ", s->name, off, (unsigned long)n, what);
  handles_close(&h);
}

static void check_steps(const sample *s, uint32_t off)
{
  handles h;
  facts right = {0};
  handles_open_sample(&h, s, off);
  assert_int_equal(ask_run(&h, &right, NULL), BP_OK);
  const uint64_t last = steps_of(h.q);
  assert_int_equal(ask_traces(&h, &right, NULL), BP_OK);
  assert_int_equal(ask_states(&h, &right, NULL), BP_OK);
  const uint64_t all = steps_of(h.q);
  handles_close(&h);
  check_verdicts(s, &right, 1);
  for (uint64_t n = 1; n <= last; n++) {
    facts f = {0};
    const bp_limits limits = {.size = sizeof limits, .steps = n};
    handles_open_sample(&h, s, off);
    assert_int_equal(bp_query_set_limits(h.q, &limits), BP_OK);
    assert_int_equal(ask_run(&h, &f, NULL), n < last ? BP_E_LIMIT : BP_OK);
    assert_int_equal(steps_of(h.q), n);
    if (n < last) assert_int_equal(bp_query_reason(h.q), BP_REASON_STEPS);
    check_verdicts(s, &f, n == last);
    /* The same again stands still. */
    assert_int_equal(ask_run(&h, &f, NULL), n < last ? BP_E_LIMIT : BP_OK);
    assert_int_equal(steps_of(h.q), n);
    handles_close(&h);
  }
  for (uint64_t n = 1; n <= all; n += n < last ? 1 : all / 40 + 1)
    from_steps(s, off, n, all, last, &right);
  for (uint64_t by = 1; by <= 5; by++)
    from_steps(s, off, 1, by, last, &right);
}

static void test_steps(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sample_count; i++) {
    check_steps(&samples[i], 0);
    check_steps(&samples[i], BP_ENGINE_ALL);
  }
}

/* ---- nodes --------------------------------------------------------------- */

static int more_nodes(void *user)
{
  raise_limit *r = user;
  assert_int_equal(bp_query_reason(r->q), BP_REASON_NODES);
  r->limits.nodes += r->by;
  r->stops++;
  assert_int_equal(bp_query_set_limits(r->q, &r->limits), BP_OK);
  return 1;
}

static void test_nodes(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sample_count; i++)
    for (uint64_t by = 1; by < 30; by = by * 3) {
      handles h;
      facts f = {0};
      handles_open_sample(&h, &samples[i], 0);
      raise_limit r = {.q = h.q, .by = by, .limits = {.size = sizeof r.limits, .nodes = 1}};
      const patience p = {more_nodes, &r};
      assert_int_equal(bp_query_set_limits(h.q, &r.limits), BP_OK);
      assert_int_equal(ask_all(&h, &f, &p), BP_OK);
      check_verdicts(&samples[i], &f, 1);
      assert_true(r.stops > 0);
      handles_close(&h);
    }
}

/* A manager that may not even hold the program. */
static void test_small_manager(void **state)
{
  (void)state;
  for (uint64_t nodes = 1; nodes < 4000; nodes += nodes < 200 ? 7 : 400) {
    handles h;
    facts f = {0};
    const bp_manager_options options = {.size = sizeof options, .nodes = nodes};
    bp_manager *small;
    handles_open_sample(&h, &samples[3], 0);
    bp_query_unref(h.q);
    bp_manager_unref(h.m);
    assert_int_equal(bp_manager_new(&small, h.ctx, &options), BP_OK);
    assert_int_equal(bp_query_new(&h.q, h.ctx, small, h.cfg, NULL), BP_OK);
    h.m = small;
    assert_int_equal(add_targets(h.q, &samples[3]), BP_OK);
    const bp_status status = ask_all(&h, &f, NULL);
    check_verdicts(&samples[3], &f, status == BP_OK);
    if (status != BP_OK) {
      assert_int_equal(status, BP_E_LIMIT);
      assert_int_equal(bp_query_reason(h.q), BP_REASON_NODES);
    }
    handles_close(&h);
  }
}

static void test_variables(void **state)
{
  (void)state;
  for (uint32_t vars = 1; vars < 40; vars++) {
    handles h;
    facts f = {0};
    const bp_manager_options options = {.size = sizeof options, .max_vars = vars};
    handles_open_sample(&h, &samples[2], 0);
    bp_query_unref(h.q);
    bp_manager_unref(h.m);
    h.q = NULL;
    h.m = NULL;
    const bp_status made = bp_manager_new(&h.m, h.ctx, &options);
    if (vars >= 3) assert_int_equal(made, BP_OK);
    if (made == BP_OK) {
      assert_int_equal(bp_query_new(&h.q, h.ctx, h.m, h.cfg, NULL), BP_OK);
      assert_int_equal(add_targets(h.q, &samples[2]), BP_OK);
      const bp_status status = ask_run(&h, &f, NULL);
      check_verdicts(&samples[2], &f, status == BP_OK);
      if (status != BP_OK) assert_int_equal(bp_query_reason(h.q), BP_REASON_VARIABLES);
    }
    handles_close(&h);
  }
}

/* Variables that no target depends on count for nothing in a run. */
static void test_idle_variables(void **state)
{
  (void)state;
  enum { IDLE = 11000, PER_NAME = 8 };
  char *text = malloc(IDLE * PER_NAME + 200), *end = text;
  assert_non_null(text);
  end += sprintf(end, "decl g");
  for (int i = 0; i < IDLE; i++)
    end += sprintf(end, ",u%d", i);
  strcpy(end, "; void main() begin u0 := g; if (g) then R: skip; fi end");
  handles h;
  handles_open(&h, text, 0);
  assert_int_equal(bp_query_add(h.q, "R", NULL), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  handles_close(&h);
  handles_open(&h, text, BP_ENGINE_CONE);
  assert_int_equal(bp_query_add(h.q, "R", NULL), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(bp_query_verdict(h.q, 0), BP_UNDECIDED);
  assert_int_equal(bp_query_reason(h.q), BP_REASON_VARIABLES);
  handles_close(&h);
  free(text);
}

/* ---- a program that takes long -------------------------------------------- */

/* Counts from 0 to 2^bits - 1, then TOP. */
static void open_counter(handles *h, int bits)
{
  char text[4096], *end = text;
#define PUT(...) (end += snprintf(end, (size_t)(text + sizeof text - end), __VA_ARGS__))
  PUT("decl b0");
  for (int i = 1; i < bits; i++)
    PUT(", b%d", i);
  PUT(";\nvoid main() begin\n");
  for (int i = 0; i < bits; i++)
    PUT("b%d := 0; ", i);
  PUT("\nwhile (!(b0");
  for (int i = 1; i < bits; i++)
    PUT(" & b%d", i);
  PUT(")) do\nb0");
  for (int i = 1; i < bits; i++)
    PUT(", b%d", i);
  PUT(" := !b0");
  for (int i = 1; i < bits; i++) {
    PUT(", b%d ^ (b0", i);
    for (int k = 1; k < i; k++)
      PUT(" & b%d", k);
    PUT(")");
  }
  PUT("; od\nTOP: skip; end\n");
#undef PUT
  handles_open(h, text, BP_ENGINE_LOOP); /* which would be done at once */
  assert_int_equal(bp_query_add_label(h->q, NULL, "TOP", NULL), BP_OK);
}

static int count_cubes(const bp_value *values, uint32_t count, void *user)
{
  (void)values;
  (void)count;
  ++*(uint64_t *)user;
  return 0;
}

/* What a stop must leave: undecided, and a query that works. */
static void check_stopped(const handles *h, bp_reason reason)
{
  assert_int_equal(bp_query_state_of(h->q), BP_QUERY_UNDECIDED);
  assert_int_equal(bp_query_verdict(h->q, 0), BP_UNDECIDED);
  assert_int_equal(bp_query_reason(h->q), reason);
  bp_answer *answer;
  assert_int_equal(bp_query_answer(&answer, h->q), BP_OK);
  assert_int_equal(bp_answer_verdict(answer, 0), BP_UNDECIDED);
  assert_int_equal(bp_answer_reason(answer, 0), reason);
  bp_answer_unref(answer);
  const bp_limits few = {.size = sizeof few, .steps = steps_of(h->q) + 10};
  assert_int_equal(bp_query_set_limits(h->q, &few), BP_OK);
  assert_int_equal(bp_query_run(h->q), BP_OK);
  assert_int_equal(bp_query_reason(h->q), BP_REASON_STEPS);
  assert_int_equal(steps_of(h->q), few.steps);
  assert_int_equal(bp_query_set_limits(h->q, NULL), BP_OK);
}

static void test_time(void **state)
{
  (void)state;
  handles h;
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 1};
  uint64_t cubes = 0;
  open_counter(&h, 24);
  const double start = now();
  assert_int_equal(bp_query_set_limits(h.q, &limits), BP_OK);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  check_stopped(&h, BP_REASON_TIME);
  assert_int_equal(bp_query_set_limits(h.q, &limits), BP_OK);
  assert_int_equal(bp_query_states(h.q, vertex_of_label(&h, "TOP"), NULL, 0, count_cubes, &cubes),
                   BP_E_LIMIT);
  assert_int_equal(bp_query_reason(h.q), BP_REASON_TIME);
  text_buffer t;
  const bp_sink sink = text_sink(&t);
  assert_int_equal(bp_query_invariant(h.q, 0, &sink), BP_E_LIMIT);
  assert_int_equal(bp_query_summary(h.q, 0, count_cubes, &cubes), BP_E_LIMIT);
  assert_int_equal(cubes, 0);
  assert_true(now() - start < BOUND);
  handles_close(&h);
}

/* ---- progress ------------------------------------------------------------ */

typedef struct seen {
  bp_query *q;
  uint64_t calls, steps;
  uint64_t stop_at;
} seen;

static bp_progress_answer progress(uint64_t steps, uint64_t live, void *user)
{
  seen *s = user;
  (void)live;
  assert_true(steps >= s->steps);
  s->steps = steps;
  return ++s->calls == s->stop_at ? BP_STOP : BP_CONTINUE;
}

static void test_progress(void **state)
{
  (void)state;
  handles h;
  open_counter(&h, 24);
  seen s = {.q = h.q, .stop_at = 3};
  const double start = now();
  bp_query_set_progress(h.q, progress, &s);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  assert_int_equal(s.calls, 3);
  check_stopped(&h, BP_REASON_CANCELLED);
  s.calls = s.steps = 0;
  int reached;
  assert_int_equal(bp_query_reached(h.q, 0, &reached), BP_E_LIMIT);
  assert_int_equal(s.calls, 3);
  assert_true(now() - start < BOUND);
  handles_close(&h);
}

/* ---- cancel -------------------------------------------------------------- */

static bp_query *_Atomic cancelled;
static atomic_int quit;

static void *cancel_later(void *user)
{
  const struct timespec pause = {0, 20 * 1000000};
  nanosleep(&pause, NULL);
  bp_query_cancel(user);
  return NULL;
}

static void test_cancel_thread(void **state)
{
  (void)state;
  handles h;
  pthread_t thread;
  uint64_t cubes = 0;
  open_counter(&h, 24);
  const double start = now();
  assert_int_equal(pthread_create(&thread, NULL, cancel_later, h.q), 0);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  pthread_join(thread, NULL);
  check_stopped(&h, BP_REASON_CANCELLED);
  assert_int_equal(pthread_create(&thread, NULL, cancel_later, h.q), 0);
  assert_int_equal(bp_query_states(h.q, 0, NULL, 0, count_cubes, &cubes), BP_E_LIMIT);
  pthread_join(thread, NULL);
  assert_int_equal(bp_query_reason(h.q), BP_REASON_CANCELLED);
  assert_true(now() - start < BOUND);
  handles_close(&h);
}

static void on_alarm(int signal)
{
  (void)signal;
  bp_query_cancel(cancelled);
}

static void test_cancel_signal(void **state)
{
  (void)state;
  handles h;
  open_counter(&h, 24);
  cancelled = h.q;
  const double start = now();
  struct sigaction action = {.sa_handler = on_alarm}, old;
  sigaction(SIGUSR1, &action, &old);
  const bp_reason expected = BP_REASON_CANCELLED;
  raise(SIGUSR1); /* before the call: the next one stops */
  assert_int_equal(bp_query_run(h.q), BP_OK);
  check_stopped(&h, expected);
  struct itimerval timer = {.it_value = {.tv_usec = 20000}};
  struct sigaction old_alarm;
  sigaction(SIGALRM, &action, &old_alarm);
  setitimer(ITIMER_REAL, &timer, NULL);
  assert_int_equal(bp_query_run(h.q), BP_OK);
  check_stopped(&h, expected);
  sigaction(SIGALRM, &old_alarm, NULL);
  sigaction(SIGUSR1, &old, NULL);
  alarm(WATCHDOG);
  assert_true(now() - start < BOUND);
  handles_close(&h);
}

/* Cancelled again and again while it is asked everything: only ever later, never different. */
static void *cancel_often(void *user)
{
  const struct timespec pause = {0, 300000};
  while (!quit) {
    nanosleep(&pause, NULL);
    bp_query_cancel(user);
  }
  return NULL;
}

static int after_cancel(void *user)
{
  raise_limit *r = user;
  assert_int_equal(bp_query_reason(r->q), BP_REASON_CANCELLED);
  r->stops++;
  if (r->stops == 200) quit = 1;
  return 1;
}

static void test_cancel_traces(void **state)
{
  (void)state;
  handles h;
  facts f = {0}, right = {0};
  open_counter(&h, 8);
  assert_int_equal(ask_all(&h, &right, NULL), BP_OK);
  assert_int_equal(right.expanded[0], 8 + 2 * 255 + 2);
  handles_close(&h);
  open_counter(&h, 8);
  raise_limit r = {.q = h.q};
  const patience p = {after_cancel, &r};
  pthread_t thread;
  quit = 0;
  assert_int_equal(pthread_create(&thread, NULL, cancel_often, h.q), 0);
  assert_int_equal(ask_all(&h, &f, &p), BP_OK);
  quit = 1;
  pthread_join(thread, NULL);
  assert_null(difference(&f, &right));
  handles_close(&h);
}

/* Each call that computes consumes one request. */
static void test_cancel_each(void **state)
{
  (void)state;
  handles h;
  facts f = {0};
  bp_trace *trace;
  bp_cursor *cursor;
  uint64_t length;
  bp_value value;
  handles_open_sample(&h, &samples[0], 0);
  assert_int_equal(ask_run(&h, &f, NULL), BP_OK);
#define STOPS_ONCE(call, then)                                                                     \
  do {                                                                                             \
    bp_query_cancel(h.q);                                                                          \
    assert_int_equal(call, BP_E_LIMIT);                                                            \
    assert_int_equal(bp_query_reason(h.q), BP_REASON_CANCELLED);                                   \
    assert_int_equal(call, then);                                                                  \
  } while (0)
  STOPS_ONCE(bp_trace_new(&trace, h.q, 0, NULL), BP_OK);
  STOPS_ONCE(bp_trace_length(trace, &length), BP_OK);
  assert_int_equal(length, 17);
  STOPS_ONCE(bp_trace_replay(trace, 0), BP_OK);
  assert_int_equal(bp_cursor_new(&cursor, trace), BP_OK);
  assert_int_equal(bp_cursor_next(cursor), BP_OK);
  STOPS_ONCE(bp_cursor_value(cursor, 0, &value), BP_OK);
  assert_int_equal(value, BP_TRUE);
  int reached;
  STOPS_ONCE(bp_query_reached(h.q, 0, &reached), BP_OK);
  assert_int_equal(reached, 1);
  /* What is decided stays decided. */
  assert_int_equal(bp_query_verdict(h.q, 0), BP_REACHABLE);
  bp_cursor_free(cursor);
  bp_trace_unref(trace);
  handles_close(&h);
}

/* A bound on any hang. */
static int setup(void **state)
{
  (void)state;
  alarm(WATCHDOG);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_steps),          cmocka_unit_test(test_nodes),
      cmocka_unit_test(test_small_manager),  cmocka_unit_test(test_variables),
      cmocka_unit_test(test_idle_variables), cmocka_unit_test(test_time),
      cmocka_unit_test(test_progress),       cmocka_unit_test(test_cancel_thread),
      cmocka_unit_test(test_cancel_signal),  cmocka_unit_test(test_cancel_traces),
      cmocka_unit_test(test_cancel_each),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
