/* SPDX-License-Identifier: MIT
 * What docs/threads.md promises. */
#include "samples.h"

#include <bdd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { WATCHDOG = 100, ROUNDS = 200 };

static void nap(void)
{
  const struct timespec pause = {0, 200000};
  nanosleep(&pause, NULL);
}

static pthread_t start(void *(*fn)(void *), void *user)
{
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, fn, user), 0);
  return thread;
}

/* Other threads report by what they return: NULL is good. cmocka's assertions belong to one thread. */
static void join(pthread_t thread)
{
  void *wrong = NULL;
  assert_int_equal(pthread_join(thread, &wrong), 0);
  if (wrong) fail_msg("%s", (const char *)wrong);
}

static void *failure(const char *what)
{
  return (void *)(uintptr_t)what;
}

/* ---- one manager on BuDDy in a process -------------------------------------- */

static const bp_manager_options on_buddy = {.size = sizeof on_buddy, .kernel = BP_KERNEL_BUDDY};

static void *second_manager(void *user)
{
  bp_context *ctx;
  bp_manager *m = (bp_manager *)user;
  if (bp_context_new(&ctx) != BP_OK) return failure("no context");
  const bp_status status = bp_manager_new(&m, ctx, &on_buddy);
  const int told = bp_context_message(ctx)[0] != 0;
  bp_context_unref(ctx);
  if (status != BP_E_BUSY || m) return failure("two managers");
  return told ? NULL : failure("no message");
}

static void test_two_managers(void **state)
{
  (void)state;
  handles h;
  facts f = {0};
  sample_kernel = BP_KERNEL_BUDDY;
  handles_open_sample(&h, &samples[0], 0);
  assert_null(second_manager(h.m));
  join(start(second_manager, h.m));
  assert_int_equal(ask_all(&h, &f, NULL), BP_OK);
  check_verdicts(&samples[0], &f, 1);
  handles_close(&h);
  /* A query keeps its manager. */
  handles_open_sample(&h, &samples[0], 0);
  bp_manager_unref(h.m);
  join(start(second_manager, h.m));
  bp_query_unref(h.q);
  h.q = NULL;
  h.m = NULL;
  bp_manager *m;
  assert_int_equal(bp_manager_new(&m, h.ctx, &on_buddy), BP_OK);
  bp_manager_unref(m);
  handles_close(&h);
  sample_kernel = BP_KERNEL_NATIVE;
}

typedef struct race {
  atomic_int owners, made;
} race;

static void *try_to_own(void *user)
{
  race *r = user;
  bp_context *ctx;
  if (bp_context_new(&ctx) != BP_OK) return failure("no context");
  const char *wrong = NULL;
  for (int i = 0; i < ROUNDS && !wrong; i++) {
    bp_manager *m;
    const bp_status status = bp_manager_new(&m, ctx, &on_buddy);
    if (status == BP_OK) {
      r->made++;
      if (atomic_fetch_add(&r->owners, 1)) wrong = "two owners";
      atomic_fetch_sub(&r->owners, 1);
      bp_manager_unref(m);
    } else if (status != BP_E_BUSY) {
      wrong = "neither made nor busy";
    }
  }
  bp_context_unref(ctx);
  return wrong ? failure(wrong) : NULL;
}

static void test_race_for_manager(void **state)
{
  (void)state;
  race r = {0};
  const pthread_t a = start(try_to_own, &r), b = start(try_to_own, &r);
  join(a);
  join(b);
  assert_true(r.made > 0);
}

static void test_host_kernel(void **state)
{
  (void)state;
  bp_context *ctx;
  bp_manager *m;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_true(bdd_init(1000, 100) >= 0);
  bdd_setvarnum(4);
  const BDD kept = bdd_addref(bdd_and(bdd_ithvar(0), bdd_nithvar(3)));
  assert_int_equal(bp_manager_new(&m, ctx, &on_buddy), BP_E_BUSY);
  assert_null(m);
  assert_true(bdd_isrunning());
  assert_int_equal(bdd_nodecount(kept), 2); /* the host's nodes are untouched */
  bdd_done();
  assert_int_equal(bp_manager_new(&m, ctx, &on_buddy), BP_OK);
  bp_manager_unref(m);
  assert_false(bdd_isrunning());
  bp_context_unref(ctx);
}

/* ---- one manager, two threads ----------------------------------------------- */

typedef struct job {
  handles h;
  facts f;
  const sample *s;
} job;

static void *ask_job(void *user)
{
  job *j = user;
  return ask_all(&j->h, &j->f, NULL) == BP_OK ? NULL : failure("not all was answered");
}

static void test_handed_over(void **state)
{
  (void)state;
  job j = {.s = &samples[3]};
  facts right = {0};
  handles_open_sample(&j.h, j.s, 0);
  join(start(ask_job, &j));
  right = j.f;
  assert_int_equal(ask_all(&j.h, &j.f, NULL), BP_OK);
  assert_null(difference(&right, &j.f));
  join(start(ask_job, &j));
  assert_null(difference(&right, &j.f));
  handles_close(&j.h);
}

/* While the query runs on one thread, calls with the same manager on another are refused at once. */
typedef struct at_work {
  bp_query *q;
  atomic_int inside, go_on;
} at_work;

static bp_progress_answer wait_inside(uint64_t steps, uint64_t live, void *user)
{
  at_work *w = user;
  (void)steps;
  (void)live;
  w->inside = 1;
  while (!w->go_on)
    nap();
  return BP_STOP;
}

static void *run_query(void *user)
{
  at_work *w = user;
  return bp_query_run(w->q) == BP_OK ? NULL : failure("the run failed");
}

static const char counter_text[] =
    "decl a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;\n"
    "void main() begin\n"
    "  a, b, c, d, e, f, g, h := 0, 0, 0, 0, 0, 0, 0, 0;\n"
    "  i, j, k, l, m, n, o, p := 0, 0, 0, 0, 0, 0, 0, 0;\n"
    "  while (!(i & p)) do\n"
    "    if (a&b&c&d&e&f&g&h) then i, j, k, l, m, n, o, p := !i, j^i, k^(i&j), l^(i&j&k),\n"
    "      m^(i&j&k&l), n^(i&j&k&l&m), o^(i&j&k&l&m&n), p^(i&j&k&l&m&n&o); fi\n"
    "    a, b, c, d, e, f, g, h := !a, b^a, c^(a&b), d^(a&b&c), e^(a&b&c&d), f^(a&b&c&d&e),\n"
    "      g^(a&b&c&d&e&f), h^(a&b&c&d&e&f&g);\n"
    "  od\n"
    "  TOP: skip;\n"
    "end\n";

static void test_at_once(void **state)
{
  (void)state;
  handles h;
  bp_query *other;
  bp_context *ctx;
  bp_manager_stats stats = {.size = sizeof stats};
  handles_open(&h, counter_text, 0);
  assert_int_equal(bp_context_new(&ctx), BP_OK); /* contexts are for one thread at a time too */
  assert_int_equal(bp_query_new(&other, ctx, h.m, h.cfg, NULL), BP_OK);
  assert_int_equal(bp_query_add(other, "TOP", NULL), BP_OK);
  assert_int_equal(bp_query_add(h.q, "TOP", NULL), BP_OK);
  at_work w = {.q = h.q};
  bp_query_set_progress(h.q, wait_inside, &w);
  const pthread_t thread = start(run_query, &w);
  while (!w.inside)
    nap();
  assert_int_equal(bp_query_run(other), BP_E_BUSY);
  assert_true(bp_context_message(ctx)[0] != 0);
  int reached;
  assert_int_equal(bp_query_reached(other, 0, &reached), BP_E_BUSY);
  assert_int_equal(bp_manager_get_stats(h.m, &stats), BP_E_BUSY);
  assert_int_equal(bp_query_verdict(other, 0), BP_UNDECIDED);
  w.go_on = 1;
  join(thread);
  assert_int_equal(bp_query_reason(h.q), BP_REASON_CANCELLED);
  const bp_limits few = {.size = sizeof few, .steps = 30};
  assert_int_equal(bp_query_set_limits(other, &few), BP_OK);
  assert_int_equal(bp_query_run(other), BP_OK);
  assert_int_equal(bp_query_reason(other), BP_REASON_STEPS);
  assert_int_equal(bp_manager_get_stats(h.m, &stats), BP_OK);
  bp_query_unref(other);
  bp_context_unref(ctx);
  handles_close(&h);
}

/* ---- many native managers ---------------------------------------------------- */

/* Every sample with a manager of its own, all of them open together. */
static void *ask_samples(void *user)
{
  enum { MOST = 16 };
  handles open[MOST];
  const char *wrong = NULL;
  const uint32_t off = *(const uint32_t *)user;
  for (uint32_t i = 0; i < sample_count; i++)
    if (handles_try_sample(&open[i], &samples[i], off) != BP_OK) return failure("not opened");
  for (uint32_t i = 0; i < sample_count; i++) {
    facts f = {0};
    if (ask_all(&open[i], &f, NULL) != BP_OK) wrong = "not all was answered";
    for (uint32_t t = 0; t < SAMPLE_TARGETS; t++)
      if (f.verdicts[t] != samples[i].verdicts[t]) wrong = "a wrong verdict";
  }
  for (uint32_t i = 0; i < sample_count; i++)
    handles_close(&open[i]);
  return wrong ? failure(wrong) : NULL;
}

static void test_many_managers(void **state)
{
  (void)state;
  enum { THREADS = 4 };
  static const uint32_t off[THREADS] = {0, BP_ENGINE_LOOP, BP_ENGINE_ORDER, BP_ENGINE_ALL};
  pthread_t threads[THREADS];
  handles h;
  facts f = {0};
  sample_kernel = BP_KERNEL_BUDDY; /* and one on BuDDy beside them */
  handles_open_sample(&h, &samples[1], 0);
  sample_kernel = BP_KERNEL_NATIVE;
  for (uint32_t i = 0; i < THREADS; i++)
    threads[i] = start(ask_samples, (void *)(uintptr_t)&off[i]);
  assert_int_equal(ask_all(&h, &f, NULL), BP_OK);
  for (uint32_t i = 0; i < THREADS; i++)
    join(threads[i]);
  check_verdicts(&samples[1], &f, 1);
  handles_close(&h);
}

/* ---- shared immutable handles ------------------------------------------------ */

typedef struct shared {
  bp_program *p;
  bp_cfg *cfg;
  bp_answer *answer;
  uint64_t fingerprint;
} shared;

static void *look(void *user)
{
  shared *s = user;
  const char *wrong = NULL;
  bp_context *ctx;
  if (bp_context_new(&ctx) != BP_OK) return failure("no context");
  for (int i = 0; i < ROUNDS && !wrong; i++) {
    bp_program *p = bp_program_ref(s->p);
    bp_cfg *cfg = bp_cfg_ref(s->cfg), *mine = NULL;
    bp_answer *answer = bp_answer_ref(s->answer);
    if (bp_program_fingerprint(p) != s->fingerprint) wrong = "fingerprint";
    if (bp_cfg_new(&mine, ctx, p) != BP_OK) wrong = "graph";
    if (bp_cfg_vertex_count(mine) != bp_cfg_vertex_count(cfg)) wrong = "vertices";
    if (bp_answer_verdict(answer, 0) != BP_REACHABLE) wrong = "verdict";
    bp_cfg_unref(mine);
    bp_answer_unref(answer);
    bp_cfg_unref(cfg);
    bp_program_unref(p);
  }
  bp_context_unref(ctx);
  return wrong ? failure(wrong) : NULL;
}

static void test_shared(void **state)
{
  (void)state;
  handles h;
  facts f = {0};
  handles_open_sample(&h, &samples[0], 0);
  assert_int_equal(ask_run(&h, &f, NULL), BP_OK);
  shared s = {h.p, h.cfg, NULL, bp_program_fingerprint(h.p)};
  assert_int_equal(bp_query_answer(&s.answer, h.q), BP_OK);
  const pthread_t a = start(look, &s), b = start(look, &s);
  assert_int_equal(ask_all(&h, &f, NULL), BP_OK); /* and a query at work beside them */
  join(a);
  join(b);
  bp_answer_unref(s.answer);
  handles_close(&h);
}

static void *parse_often(void *user)
{
  const char *wrong = NULL;
  bp_context *ctx;
  (void)user;
  if (bp_context_new(&ctx) != BP_OK) return failure("no context");
  for (int i = 0; i < ROUNDS && !wrong; i++) {
    const sample *s = &samples[(uint32_t)i % sample_count];
    bp_program *p;
    if (bp_program_parse(&p, ctx, s->text, strlen(s->text), s->name, NULL) != BP_OK)
      wrong = "parse";
    bp_program_unref(p);
    if (bp_program_parse(&p, ctx, "x", 1, "x", NULL) != BP_E_INPUT) wrong = "no error";
    if (!bp_context_error_count(ctx)) wrong = "no diagnostic";
  }
  bp_context_unref(ctx);
  return wrong ? failure(wrong) : NULL;
}

static void test_parse_at_once(void **state)
{
  (void)state;
  const pthread_t a = start(parse_often, NULL), b = start(parse_often, NULL);
  join(a);
  join(b);
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
      cmocka_unit_test(test_two_managers),  cmocka_unit_test(test_race_for_manager),
      cmocka_unit_test(test_host_kernel),   cmocka_unit_test(test_handed_over),
      cmocka_unit_test(test_at_once),       cmocka_unit_test(test_shared),
      cmocka_unit_test(test_parse_at_once), cmocka_unit_test(test_many_managers),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
