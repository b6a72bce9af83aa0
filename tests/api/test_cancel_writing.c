/* SPDX-License-Identifier: MIT
 * Cancelling while a document or a long trace is written, from the sink itself and from another
 * thread: it stops soon, says why, and nothing is lost. */
#include "samples.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SKIPS = 20000, BOUND = 20 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- programs ------------------------------------------------------------ */

static void open_and_run(handles *h, const char *text)
{
  handles_open(h, text, 0);
  assert_int_equal(bp_query_add_label(h->q, NULL, "R", NULL), BP_OK);
  assert_int_equal(bp_query_run(h->q), BP_OK);
  assert_int_equal(bp_query_verdict(h->q, 0), BP_REACHABLE);
}

/* Many steps in one procedure: whatever is computed for them, is so before the first one is shown. */
static void open_line(handles *h)
{
  char *text = malloc(64 + SKIPS * 7), *end = text;
  assert_non_null(text);
  end += sprintf(end, "decl g; void main() begin\n");
  for (int i = 0; i < SKIPS; i++)
    end += sprintf(end, "skip;\n");
  sprintf(end, "R: skip; end\n");
  open_and_run(h, text);
  free(text);
}

/* Each procedure calls the next one twice: about 2^40 steps when all is opened. */
static void open_doubling(handles *h)
{
  enum { LEVELS = 40 };
  char text[8192], *end = text;
  end += sprintf(end, "decl g; void main() begin p0(); R: skip; end\n");
  for (int i = 0; i < LEVELS; i++)
    end += sprintf(end, "void p%d() begin p%d(); p%d(); end\n", i, i + 1, i + 1);
  sprintf(end, "void p%d() begin g := !g; end\n", LEVELS);
  open_and_run(h, text);
}

/* ---- sinks that cancel ---------------------------------------------------- */

typedef struct canceller {
  bp_query *q;
  bp_context *ctx;
  atomic_size_t len; /* bytes so far */
  size_t at;         /* cancels when there are so many; 0: never */
  size_t late;       /* bytes that came afterwards */
  char tail[4096];   /* the last bytes */
} canceller;

static int take(void *user, const char *bytes, size_t len)
{
  canceller *c = user;
  for (size_t i = 0; i < len; i++)
    c->tail[(c->len + i) % sizeof c->tail] = bytes[i];
  if (c->at && c->len >= c->at) c->late += len;
  const size_t before = c->len;
  c->len += len;
  if (c->at && before < c->at && c->len >= c->at) {
    bp_query_cancel(c->q);
    bp_context_cancel(c->ctx);
  }
  return 0;
}

static int ends_with(const canceller *c, const char *text)
{
  const size_t len = strlen(text);
  if (len > c->len) return 0;
  for (size_t i = 0; i < len; i++)
    if (c->tail[(c->len - len + i) % sizeof c->tail] != text[i]) return 0;
  return 1;
}

static int tail_has(const canceller *c, const char *text)
{
  char all[sizeof c->tail + 1] = "";
  const size_t count = c->len < sizeof c->tail ? c->len : sizeof c->tail;
  for (size_t i = 0; i < count; i++)
    all[i] = c->tail[(c->len - count + i) % sizeof c->tail];
  return strstr(all, text) != NULL;
}

static bp_status write_document(bp_query *q, canceller *c, uint32_t levels)
{
  const bp_sink sink = {.size = sizeof sink, .write = take, .user = c};
  const bp_json_options options = {.size = sizeof options, .levels = levels};
  return bp_query_write_json(q, &sink, &options);
}

static void check_cut(const handles *h, const canceller *c, bp_status status)
{
  assert_int_equal(status, BP_E_LIMIT);
  assert_int_equal(bp_query_reason(h->q), BP_REASON_CANCELLED);
  assert_true(tail_has(c, "\"incomplete\":\"cancelled\""));
  assert_true(ends_with(c, "}\n")); /* still a document */
  assert_int_equal(bp_query_verdict(h->q, 0), BP_REACHABLE);
}

/* ---- documents ------------------------------------------------------------ */

static void test_document_from_sink(void **state)
{
  (void)state;
  handles h;
  open_line(&h);
  canceller whole = {0};
  assert_int_equal(write_document(h.q, &whole, 0), BP_OK);
  assert_true(whole.len > 50 * SKIPS);
  for (size_t at = 1; at < whole.len; at = at * 5 + 1) {
    canceller c = {.q = h.q, .at = at};
    check_cut(&h, &c, write_document(h.q, &c, 0));
    assert_true(c.late < 10000);
  }
  /* The request was consumed. */
  canceller again = {0};
  assert_int_equal(write_document(h.q, &again, 0), BP_OK);
  assert_true(again.len > 50 * SKIPS);
  handles_close(&h);
}

static void *cancel_later(void *user)
{
  const canceller *c = user;
  const struct timespec pause = {0, 5 * 1000000};
  while (c->len < 100000)
    nanosleep(&pause, NULL);
  bp_query_cancel(c->q);
  return NULL;
}

static void test_document_from_thread(void **state)
{
  (void)state;
  handles h;
  pthread_t thread;
  open_doubling(&h);
  canceller c = {.q = h.q};
  const double start = now();
  assert_int_equal(pthread_create(&thread, NULL, cancel_later, &c), 0);
  const bp_status status = write_document(h.q, &c, BP_NONE);
  pthread_join(thread, NULL);
  check_cut(&h, &c, status);
  assert_true(now() - start < BOUND);
  handles_close(&h);
}

/* A context's request is for reading and graphs: the document goes on, the next reading stops. */
static void test_document_and_context(void **state)
{
  (void)state;
  handles h;
  bp_program *p;
  open_line(&h);
  canceller c = {.ctx = h.ctx, .at = 1000};
  assert_int_equal(write_document(h.q, &c, 0), BP_OK);
  assert_true(c.len > 50 * SKIPS);
  assert_int_equal(bp_program_parse(&p, h.ctx, fig1_text, strlen(fig1_text), "f", NULL),
                   BP_E_LIMIT);
  assert_null(p);
  assert_int_equal(bp_program_parse(&p, h.ctx, fig1_text, strlen(fig1_text), "f", NULL), BP_OK);
  bp_program_unref(p);
  handles_close(&h);
}

/* ---- traces --------------------------------------------------------------- */

static bp_cursor *cursor_of(const handles *h, uint32_t levels, bp_trace **trace)
{
  const bp_trace_options options = {.size = sizeof options, .levels = levels};
  bp_cursor *c;
  assert_int_equal(bp_trace_new(trace, h->q, 0, &options), BP_OK);
  assert_int_equal(bp_cursor_new(&c, *trace), BP_OK);
  return c;
}

/* Between any two steps: the next one stops, the cursor stays, and then it goes on. */
static void walk_with_stops(const handles *h, uint32_t levels, uint64_t steps)
{
  bp_trace *trace;
  bp_value value;
  bp_cursor *c = cursor_of(h, levels, &trace);
  for (uint64_t i = 0; i < steps; i++) {
    if (i % 10 == 3) {
      const uint32_t vertex = bp_cursor_vertex(c), depth = bp_cursor_depth(c);
      bp_query_cancel(h->q);
      assert_int_equal(bp_cursor_next(c), BP_E_LIMIT);
      assert_int_equal(bp_query_reason(h->q), BP_REASON_CANCELLED);
      assert_int_equal(bp_cursor_vertex(c), vertex);
      assert_int_equal(bp_cursor_depth(c), depth);
    }
    assert_int_equal(bp_cursor_next(c), BP_OK);
    assert_int_equal(bp_cursor_value(c, 0, &value), BP_OK);
  }
  bp_cursor_free(c);
  bp_trace_unref(trace);
}

static void test_trace_from_sink(void **state)
{
  (void)state;
  handles h;
  open_line(&h);
  walk_with_stops(&h, 0, SKIPS + 1);
  handles_close(&h);
  open_doubling(&h);
  walk_with_stops(&h, BP_NONE, 5000);
  handles_close(&h);
}

static void test_trace_from_thread(void **state)
{
  (void)state;
  handles h;
  bp_trace *trace;
  pthread_t thread;
  open_doubling(&h);
  bp_cursor *c = cursor_of(&h, BP_NONE, &trace);
  canceller progress = {.q = h.q};
  const double start = now();
  assert_int_equal(pthread_create(&thread, NULL, cancel_later, &progress), 0);
  bp_status status;
  while ((status = bp_cursor_next(c)) == BP_OK)
    progress.len++;
  pthread_join(thread, NULL);
  assert_int_equal(status, BP_E_LIMIT);
  assert_int_equal(bp_query_reason(h.q), BP_REASON_CANCELLED);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  assert_true(now() - start < BOUND);
  bp_cursor_free(c);
  /* A replay of all these steps is as long. */
  progress.len = 100000;
  assert_int_equal(pthread_create(&thread, NULL, cancel_later, &progress), 0);
  assert_int_equal(bp_trace_replay(trace, BP_NONE), BP_E_LIMIT);
  pthread_join(thread, NULL);
  assert_int_equal(bp_query_reason(h.q), BP_REASON_CANCELLED);
  assert_true(now() - start < 2 * BOUND);
  bp_trace_unref(trace);
  handles_close(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_document_from_sink),   cmocka_unit_test(test_document_from_thread),
      cmocka_unit_test(test_document_and_context), cmocka_unit_test(test_trace_from_sink),
      cmocka_unit_test(test_trace_from_thread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
