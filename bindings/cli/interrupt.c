/* SPDX-License-Identifier: MIT */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(bp_context *) current_context;
static _Atomic(bp_query *const *) current_queries;
static _Atomic(bp_ltl *) current_ltl;
static atomic_int signals;

static void on_signal(int number)
{
  (void)number;
  atomic_fetch_add(&signals, 1);
  bp_context *ctx = atomic_load(&current_context);
  bp_query *const *queries = atomic_load(&current_queries);
  bp_ltl *ltl = atomic_load(&current_ltl);
  if (ltl)
    bp_ltl_cancel(ltl);
  else if (!queries && ctx)
    bp_context_cancel(ctx);
  for (; queries && *queries; queries++)
    bp_query_cancel(*queries);
}

void cli_interrupt_context(bp_context *ctx)
{
  static int installed;
  atomic_store(&current_context, ctx);
  if (installed || !ctx) return;
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  installed = 1;
}

void cli_interrupt_queries(bp_query *const *queries)
{
  atomic_store(&current_queries, queries);
}

void cli_interrupt_ltl(bp_ltl *ltl)
{
  atomic_store(&current_ltl, ltl);
}

int cli_interrupt_count(void)
{
  return atomic_load(&signals);
}
