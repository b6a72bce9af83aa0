/* SPDX-License-Identifier: MIT
 * Several queries at once. */
#define _GNU_SOURCE
#include "crowd.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { WATCHDOG = 100 };

static void nap(void)
{
  const struct timespec pause = {0, 200000};
  nanosleep(&pause, NULL);
}

static void test_several_programs(void **state)
{
  (void)state;
  check_all_samples(1);
  check_all_samples(2);
  check_all_samples(7);
  check_all_samples(UINT32_MAX);
}

static void test_one_graph(void **state)
{
  (void)state;
  static const sample first = {"loop", NULL, {"FOUR"}, {BP_REACHABLE}};
  const sample *loop = &samples[3];
  crowd c = {.count = 0};
  sample s = first;
  s.text = loop->text;
  add(&c, &s, 0);
  for (uint32_t i = 1; i < MANY; i++)
    add_beside(&c, loop->targets[i % 3], 0);
  assert_int_equal(run(&c, 3), BP_OK);
  for (uint32_t i = 0; i < MANY; i++)
    assert_int_equal(bp_query_verdict(c.queries[i], 0), loop->verdicts[i % 3]);
  assert_int_equal(bp_query_run_all(c.queries, MANY, 3, NULL), BP_OK); /* nothing left to do */
  drop(&c);
}

/* ---- what is refused ------------------------------------------------------- */

static void check_refused(crowd *c, uint32_t threads, bp_status status)
{
  assert_int_equal(run(c, threads), status);
  for (uint32_t i = 0; i < c->count; i++) {
    assert_int_equal(c->statuses[i], BP_END);
    if (c->queries[i]) assert_int_equal(bp_query_state_of(c->queries[i]), BP_QUERY_NEW);
  }
}

static void test_refused(void **state)
{
  (void)state;
  crowd c = {.count = 0};
  assert_int_equal(bp_query_run_all(NULL, 0, 2, NULL), BP_OK);
  assert_int_equal(bp_query_run_all(NULL, 1, 2, NULL), BP_E_INVALID);
  for (uint32_t i = 0; i < 5; i++)
    add(&c, &samples[0], 0);
  check_refused(&c, 0, BP_E_INVALID);
  assert_true(bp_context_message(c.at[0].ctx)[0] != 0);
  bp_query *const kept = c.queries[4];
  c.queries[4] = NULL;
  check_refused(&c, 2, BP_E_INVALID);
  c.queries[4] = c.queries[1];
  check_refused(&c, 2, BP_E_INVALID);
  assert_non_null(strstr(bp_context_message(c.at[1].ctx), "query 4 has the manager"));
  c.queries[4] = kept;

  bp_query *other;
  assert_int_equal(bp_query_new(&other, c.at[2].ctx, c.at[4].m, c.at[4].cfg, NULL), BP_OK);
  assert_int_equal(bp_query_add(other, "R", NULL), BP_OK);
  c.queries[4] = other;
  check_refused(&c, 2, BP_E_INVALID);
  assert_non_null(strstr(bp_context_message(c.at[2].ctx), "query 4 has the context"));
  c.queries[4] = kept;
  bp_query_unref(other);
  assert_int_equal(run(&c, 2), BP_OK);
  drop(&c);
}

static void test_first_failure(void **state)
{
  (void)state;
  crowd c = {.count = 0};
  add(&c, &samples[0], 0);
  add_beside(&c, NULL, 0);
  add_beside(&c, "R", 0);
  add_beside(&c, NULL, 0);
  assert_int_equal(run(&c, 2), BP_E_STATE);
  check_right(&c, 0, &samples[0]);
  assert_int_equal(c.statuses[1], BP_E_STATE);
  assert_int_equal(c.statuses[2], BP_OK);
  assert_int_equal(bp_query_verdict(c.queries[2], 0), BP_REACHABLE);
  assert_int_equal(c.statuses[3], BP_E_STATE);
  assert_true(bp_context_message(c.at[3].ctx)[0] != 0);
  drop(&c);
}

/* A manager of BuDDy's is as good as another, as long as there is one. */
static void test_buddy_among_them(void **state)
{
  (void)state;
  const bp_manager_options buddy = {.size = sizeof buddy, .kernel = BP_KERNEL_BUDDY};
  crowd c = {.count = 0};
  for (uint32_t i = 0; i < 4; i++)
    add(&c, &samples[0], 0);
  handles *h = &c.at[1];
  bp_query_unref(h->q);
  bp_manager_unref(h->m);
  assert_int_equal(bp_manager_new(&h->m, h->ctx, &buddy), BP_OK);
  assert_int_equal(bp_query_new(&h->q, h->ctx, h->m, h->cfg, NULL), BP_OK);
  assert_int_equal(add_targets(h->q, &samples[0]), BP_OK);
  c.queries[1] = h->q;
  assert_int_equal(run(&c, 2), BP_OK);
  for (uint32_t i = 0; i < 4; i++)
    check_right(&c, i, &samples[0]);
  drop(&c);
}

/* ---- stops ----------------------------------------------------------------- */

/* Without BP_ENGINE_LOOP it takes 2^24 rounds: it is always stopped. */
static const sample counter = {
    "counter",
    "decl a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x;\n"
    "void main() begin\n"
    "  a, b, c, d, e, f, g, h := 0, 0, 0, 0, 0, 0, 0, 0;\n"
    "  i, j, k, l, m, n, o, p := 0, 0, 0, 0, 0, 0, 0, 0;\n"
    "  q, r, s, t, u, v, w, x := 0, 0, 0, 0, 0, 0, 0, 0;\n"
    "  while (!(q & x)) do\n"
    "    if (a&b&c&d&e&f&g&h) then\n"
    "      if (i&j&k&l&m&n&o&p) then q, r, s, t, u, v, w, x := !q, r^q, s^(q&r), t^(q&r&s),\n"
    "        u^(q&r&s&t), v^(q&r&s&t&u), w^(q&r&s&t&u&v), x^(q&r&s&t&u&v&w); fi\n"
    "      i, j, k, l, m, n, o, p := !i, j^i, k^(i&j), l^(i&j&k),\n"
    "        m^(i&j&k&l), n^(i&j&k&l&m), o^(i&j&k&l&m&n), p^(i&j&k&l&m&n&o);\n"
    "    fi\n"
    "    a, b, c, d, e, f, g, h := !a, b^a, c^(a&b), d^(a&b&c), e^(a&b&c&d), f^(a&b&c&d&e),\n"
    "      g^(a&b&c&d&e&f), h^(a&b&c&d&e&f&g);\n"
    "  od\n"
    "  TOP: skip;\n"
    "end\n",
    {"TOP"},
    {BP_REACHABLE}};

static void test_limit_of_one(void **state)
{
  (void)state;
  const bp_limits few = {.size = sizeof few, .steps = 3},
                  short_time = {.size = sizeof few, .wall_ms = 20};
  crowd c = {.count = 0};
  for (uint32_t i = 0; i < 9; i++)
    add(&c, sample_of(i), 0);
  add(&c, &counter, BP_ENGINE_LOOP);
  assert_int_equal(bp_query_set_limits(c.queries[2], &few), BP_OK);
  assert_int_equal(bp_query_set_limits(c.queries[9], &short_time), BP_OK);
  assert_int_equal(run(&c, 2), BP_OK);
  for (uint32_t i = 0; i < 9; i++)
    if (i != 2) check_right(&c, i, sample_of(i));
  assert_int_equal(bp_query_state_of(c.queries[2]), BP_QUERY_UNDECIDED);
  assert_int_equal(bp_query_reason(c.queries[2]), BP_REASON_STEPS);
  assert_int_equal(bp_query_reason(c.queries[9]), BP_REASON_TIME);
  assert_int_equal(bp_query_set_limits(c.queries[2], NULL), BP_OK);
  assert_int_equal(bp_query_run_all(c.queries, 9, 2, c.statuses), BP_OK); /* goes on */
  check_right(&c, 2, sample_of(2));
  drop(&c);
}

typedef struct stopper {
  bp_query *q;
  atomic_int inside;
} stopper;

static bp_progress_answer say_inside(uint64_t steps, uint64_t live, void *user)
{
  (void)steps;
  (void)live;
  ((stopper *)user)->inside = 1;
  return BP_CONTINUE;
}

static void *cancel_inside(void *user)
{
  stopper *s = user;
  while (!s->inside)
    nap();
  bp_query_cancel(s->q);
  return NULL;
}

static void test_cancel_of_one(void **state)
{
  (void)state;
  for (uint32_t threads = 1; threads <= 3; threads++) {
    pthread_t thread;
    crowd c = {.count = 0};
    add(&c, &samples[0], 0);
    add(&c, &counter, BP_ENGINE_LOOP);
    add(&c, &samples[1], 0);
    stopper s = {.q = c.queries[1]};
    bp_query_set_progress(s.q, say_inside, &s);
    assert_int_equal(pthread_create(&thread, NULL, cancel_inside, &s), 0);
    assert_int_equal(run(&c, threads), BP_OK);
    assert_int_equal(pthread_join(thread, NULL), 0);
    check_right(&c, 0, &samples[0]);
    assert_int_equal(bp_query_reason(c.queries[1]), BP_REASON_CANCELLED);
    check_right(&c, 2, &samples[1]);
    drop(&c);
  }
}

/* A request to a query that is through already is not left to the next call on it. */
typedef struct stopper_of_all {
  stopper one;
  crowd *all;
} stopper_of_all;

static void *cancel_all(void *user)
{
  stopper_of_all *s = user;
  while (!s->one.inside)
    nap();
  for (uint32_t i = 0; i < s->all->count; i++)
    bp_query_cancel(s->all->queries[i]);
  return NULL;
}

static void test_late_request(void **state)
{
  (void)state;
  pthread_t thread;
  facts f = {0};
  crowd c = {.count = 0};
  stopper_of_all s = {.all = &c};
  add(&c, &samples[0], 0);
  add(&c, &counter, BP_ENGINE_LOOP);
  bp_query_set_progress(c.queries[1], say_inside, &s.one);
  assert_int_equal(pthread_create(&thread, NULL, cancel_all, &s), 0);
  assert_int_equal(run(&c, 1), BP_OK);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_int_equal(bp_query_reason(c.queries[1]), BP_REASON_CANCELLED);
  assert_int_equal(ask_all(&c.at[0], &f, NULL), BP_OK);
  check_verdicts(&samples[0], &f, 1);
  drop(&c);
}

/* An early one stops it before it does anything. */
static void test_early_request(void **state)
{
  (void)state;
  crowd c = {.count = 0};
  add(&c, &counter, BP_ENGINE_LOOP);
  add(&c, &samples[0], 0);
  bp_query_cancel(c.queries[0]);
  assert_int_equal(run(&c, 2), BP_OK);
  assert_int_equal(bp_query_reason(c.queries[0]), BP_REASON_CANCELLED);
  check_right(&c, 1, &samples[0]);
  drop(&c);
}

/* ---- what the threads are like --------------------------------------------- */

enum { WIDE = 120000, PER_VAR = 128 };

typedef struct meeting {
  atomic_int inside;
  pthread_t host;
} meeting;

typedef struct visitor {
  meeting *m;
  int here, host, blocked, faults_blocked;
  size_t stack;
} visitor;

/* Two queries wait for one another, so they are on two threads. */
static bp_progress_answer look_around(uint64_t steps, uint64_t live, void *user)
{
  visitor *v = user;
  (void)steps;
  (void)live;
  if (v->here) return BP_STOP;
  sigset_t mask;
  pthread_attr_t attr;
  v->here = 1;
  v->host = pthread_equal(pthread_self(), v->m->host) != 0;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  v->blocked = sigismember(&mask, SIGINT) && sigismember(&mask, SIGTERM) &&
               sigismember(&mask, SIGALRM) && sigismember(&mask, SIGUSR1);
  v->faults_blocked = sigismember(&mask, SIGSEGV) || sigismember(&mask, SIGFPE);
  if (!pthread_getattr_np(pthread_self(), &attr)) {
    pthread_attr_getstacksize(&attr, &v->stack);
    pthread_attr_destroy(&attr);
  }
  v->m->inside++;
  while (v->m->inside < 2)
    nap();
  return BP_STOP;
}

static void test_threads(void **state)
{
  (void)state;
  const bp_manager_options wide = {.size = sizeof wide, .max_vars = WIDE};
  meeting m = {.host = pthread_self()};
  visitor v[2] = {{.m = &m}, {.m = &m}};
  crowd c = {.count = 0};
  for (uint32_t i = 0; i < 2; i++) {
    add(&c, &counter, BP_ENGINE_LOOP);
    handles *h = &c.at[i];
    bp_query_unref(h->q);
    bp_manager_unref(h->m);
    const bp_query_options options = {.size = sizeof options, .off = BP_ENGINE_LOOP};
    assert_int_equal(bp_manager_new(&h->m, h->ctx, &wide), BP_OK);
    assert_int_equal(bp_query_new(&h->q, h->ctx, h->m, h->cfg, &options), BP_OK);
    assert_int_equal(add_targets(h->q, &counter), BP_OK);
    bp_query_set_progress(h->q, look_around, &v[i]);
    c.queries[i] = h->q;
  }
  assert_int_equal(run(&c, 2), BP_OK);
  const visitor *host = v[0].host ? &v[0] : &v[1], *helper = v[0].host ? &v[1] : &v[0];
  assert_true(host->here && helper->here && host->host && !helper->host);
  assert_false(host->blocked);
  assert_true(helper->blocked);
  assert_false(helper->faults_blocked);
  assert_true(helper->stack >= (size_t)WIDE * PER_VAR);
  drop(&c);
}

static int setup(void **state)
{
  (void)state;
  alarm(WATCHDOG);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_several_programs), cmocka_unit_test(test_one_graph),
      cmocka_unit_test(test_refused),          cmocka_unit_test(test_first_failure),
      cmocka_unit_test(test_buddy_among_them), cmocka_unit_test(test_limit_of_one),
      cmocka_unit_test(test_cancel_of_one),    cmocka_unit_test(test_late_request),
      cmocka_unit_test(test_early_request),    cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
