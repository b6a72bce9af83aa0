/* SPDX-License-Identifier: MIT
 * The manager that a context makes for the one-call door goes on after any missing memory, also while
 * an earlier trace refers to it. One process for each case, so that a crash is one of them. */
#define _GNU_SOURCE
#include "samples.h"

#include "failing_malloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef enum outcome { SPARED = 0, STOPPED, WRONG = 99 } outcome;

/* More variables than the manager has met by then: it has to grow. */
static const sample wide = {
    "wide",
    "decl a, b, c, d, e, f, g, h, i, j, k, l; void flip() begin a, l := l, !a; end\n"
    "void main() begin decl m, n, o, p; flip(); m, n, o, p := a, b, c, d; assume(m != n);\n"
    "e, f, g, h := p, o, n, m; flip(); if (e & !h & l) then R: skip; fi end",
    {"R"},
    {BP_REACHABLE}};

/* A case ends here, in its own process. */
static void must(int right, const char *what, const bp_context *ctx)
{
  if (right) return;
  fprintf(stderr, "%s: %s\n", what, bp_context_message(ctx));
  _exit(WRONG);
}

static bp_program *parse(bp_context *ctx, const sample *s)
{
  bp_program *p = NULL;
  must(bp_program_parse(&p, ctx, s->text, strlen(s->text), s->name, NULL) == BP_OK, "parse", ctx);
  return p;
}

/* Asks for a trace too; the verdict must be right or, unless `decided`, open. */
static bp_status ask(bp_context *ctx, const bp_program *p, const sample *s, int decided,
                     bp_trace **trace)
{
  bp_verdict verdict;
  const bp_status status = bp_reachable(&verdict, trace, ctx, NULL, p, s->targets[0], NULL);
  if (verdict != s->verdicts[0]) must(!decided && verdict == BP_UNDECIDED, "a wrong verdict", ctx);
  if (decided) must(status == BP_OK, bp_status_name(status), ctx);
  return status;
}

/* The k-th allocation of a call fails, and the `more` after it. `held`: a trace of another program,
 * from before, is still there. Afterwards the same context goes on. */
static outcome one_case(const sample *s, long k, long more, int held)
{
  bp_context *ctx;
  bp_trace *before = NULL, *during = NULL, *after = NULL;
  if (bp_context_new(&ctx) != BP_OK) return WRONG;
  bp_program *p = parse(ctx, s);
  if (held) {
    bp_program *first = parse(ctx, &samples[0]);
    ask(ctx, first, &samples[0], 1, &before);
    bp_program_unref(first);
  }
  malloc_fail_at(k, more);
  const bp_status status = ask(ctx, p, s, 0, &during);
  const int failed = malloc_failures() > 0;
  malloc_fail_at(0, 0);
  const outcome result = failed ? STOPPED : SPARED;
  if (status != BP_OK) must(failed && status == BP_E_NOMEM && !during, bp_status_name(status), ctx);
  bp_trace_unref(during);
  uint64_t length;
  if (before) must(bp_trace_length(before, &length) == BP_OK, "the earlier trace", ctx);
  for (int i = 0; i < 2; i++) {
    ask(ctx, p, s, 1, &after);
    if (after) must(bp_trace_replay(after, BP_NONE) == BP_OK, "replay", ctx);
    bp_trace_unref(after);
  }
  bp_trace_unref(before);
  bp_program_unref(p);
  bp_context_unref(ctx);
  return result;
}

static outcome separate(const sample *s, long k, long more, int held)
{
  fflush(NULL);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    alarm(20);
    _exit((int)one_case(s, k, more, held));
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) > STOPPED)
    fail_msg("%s, case %ld, %ld, %d: status %#x", s->name, k, more, held, (unsigned)status);
  return (outcome)WEXITSTATUS(status);
}

/* Until a whole call goes by without a failure. */
static void sweep(const sample *s, long more, int held)
{
  long counts[STOPPED + 1] = {0};
  long k = 0;
  do
    counts[separate(s, ++k, more, held)]++;
  while (!counts[SPARED] && k < 3000);
  print_message("%s, %ld allocations%s: stopped %ld\n", s->name, k, held ? ", a trace held" : "",
                counts[STOPPED]);
  if (k == 1) skip(); /* valgrind */
  assert_true(counts[SPARED] && counts[STOPPED] > 20);
}

static void test_goes_on(void **state)
{
  (void)state;
  sweep(&samples[0], 0, 0);
  sweep(&samples[0], 1000000, 0);
}

static void test_held(void **state)
{
  (void)state;
  sweep(&wide, 0, 1);
  sweep(&wide, 1000000, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_goes_on),
      cmocka_unit_test(test_held),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
