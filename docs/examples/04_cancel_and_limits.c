/* SPDX-License-Identifier: MIT
 * Stopping and going on: a deterministic limit, a higher one, a cancel from another thread, and the
 * verdict at last. The program counts with 16 bits, so it runs 65536 rounds, which libbp is told not to
 * close at once; a limit, a cancel and plain bad luck all give UNDECIDED with a reason, and what was
 * explored is kept. */
#include <bp/bp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 16, TEXT = 8192 };

/* b0 ... are the digits of a counter; R is reached when it overflows. */
static size_t counter(char *text)
{
  size_t n = 0;
  n += (size_t)snprintf(text + n, TEXT - n, "decl");
  for (int i = 0; i < BITS; i++)
    n += (size_t)snprintf(text + n, TEXT - n, "%s b%d := 0", i ? "," : "", i);
  n += (size_t)snprintf(text + n, TEXT - n, ";\nvoid main()\nbegin\n  while (1) do\n");
  for (int i = 0; i < BITS; i++)
    n += (size_t)snprintf(text + n, TEXT - n,
                          "  if (!b%d) then b%d := 1; goto next; fi b%d := 0;\n", i, i, i);
  n += (size_t)snprintf(text + n, TEXT - n, "  R: skip;\n  next: skip;\n  od\nend\n");
  return n;
}

static void *cancel(void *q)
{
  bp_query_cancel(q); /* stops the running call, or else the next one */
  return NULL;
}

static bp_status run(bp_query *q, const char *how, const bp_limits *limits)
{
  bp_status status = bp_query_set_limits(q, limits);
  if (status == BP_OK) status = bp_query_run(q);
  if (status != BP_OK) return status;
  const char *reason = bp_reason_name(bp_query_reason(q));
  printf("%s: %s%s%s\n", how, bp_verdict_name(bp_query_verdict(q, 0)), *reason ? ", " : "", reason);
  return BP_OK;
}

static bp_status ask(bp_query *q)
{
  bp_limits limits = {.size = sizeof limits, .steps = 1000};
  bp_status status = bp_query_add(q, "R", NULL);
  if (status == BP_OK) status = run(q, "1000 steps", &limits);
  limits.steps = 2000;
  if (status == BP_OK) status = run(q, "2000 steps", &limits);
  pthread_t thread;
  if (status == BP_OK && !pthread_create(&thread, NULL, cancel, q)) {
    status = run(q, "cancelled", NULL);
    pthread_join(thread, NULL);
  }
  if (status == BP_OK) status = run(q, "no limit", NULL);
  return status;
}

int main(void)
{
  static char text[TEXT];
  bp_context *ctx = NULL;
  bp_program *program = NULL;
  bp_cfg *cfg = NULL;
  bp_manager *manager = NULL;
  bp_query *q = NULL;
  const bp_query_options rounds = {.size = sizeof rounds, .off = BP_ENGINE_LOOP};

  if (bp_context_new(&ctx) != BP_OK) return 2;
  bp_status status = bp_program_parse(&program, ctx, text, counter(text), "counter.bp", NULL);
  if (status == BP_OK) status = bp_cfg_new(&cfg, ctx, program);
  if (status == BP_OK) status = bp_manager_new(&manager, ctx, NULL);
  if (status == BP_OK) status = bp_query_new(&q, ctx, manager, cfg, &rounds);
  if (status == BP_OK) status = ask(q);
  if (status != BP_OK) fprintf(stderr, "%s: %s\n", bp_status_name(status), bp_context_message(ctx));

  bp_query_unref(q);
  bp_manager_unref(manager);
  bp_cfg_unref(cfg);
  bp_program_unref(program);
  bp_context_unref(ctx);
  return status == BP_OK ? 0 : 2;
}
