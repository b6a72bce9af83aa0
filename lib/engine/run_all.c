/* SPDX-License-Identifier: MIT
 * Several queries at once, each on one thread. */
#include "base/hash.h"
#include "bdd/kernel.h"
#include "engine/query.h"

#include <pthread.h>
#include <signal.h>

/* ---- nothing is shared --------------------------------------------------- */

/* Addresses met so far: twice as many places as there can be. */
typedef struct meetings {
  const void **at; /* NULL: empty */
  size_t mask;
} meetings;

static bool met_before(meetings *m, const void *address)
{
  size_t i = (size_t)bpi_hash_u64(BPI_HASH_START, (uintptr_t)address) & m->mask;
  for (; m->at[i]; i = (i + 1) & m->mask)
    if (m->at[i] == address) return true;
  m->at[i] = address;
  return false;
}

static bp_status check_apart(bp_query *const *queries, uint32_t count)
{
  size_t room = 4;
  while (room < 4 * (size_t)count)
    room *= 2;
  meetings m = {.at = bpi_zalloc(room, sizeof *m.at), .mask = room - 1};
  if (!m.at) return bpi_no_memory(queries[0]->ctx);
  bp_status status = BP_OK;
  for (uint32_t i = 0; i < count && status == BP_OK; i++) {
    bp_query *q = queries[i];
    const bool manager = met_before(&m, q->m), context = met_before(&m, q->ctx);
    if (manager || context)
      status = bpi_refuse(q->ctx, "bp_query_run_all", "query %u has the %s of an earlier one",
                          (unsigned)i, manager ? "manager" : "context");
  }
  bpi_release((void *)m.at);
  return status;
}

static bp_status check(bp_query *const *queries, uint32_t count, uint32_t threads)
{
  if (!queries) return BP_E_INVALID;
  for (uint32_t i = 0; i < count; i++)
    if (!queries[i]) return BP_E_INVALID;
  if (!threads) return bpi_refuse(queries[0]->ctx, "bp_query_run_all", "threads is 0");
  return count > 1 ? check_apart(queries, count) : BP_OK;
}

/* ---- the work ------------------------------------------------------------ */

typedef struct work {
  bp_query *const *queries;
  bp_status *statuses; /* NULL: not wanted */
  uint32_t count;
  atomic_uint next;
  atomic_uint_fast64_t
      failed; /* the first call that failed: its number times STATUSES plus its status */
} work;

enum { STATUSES = 1 << 8 };

static void note_failure(work *w, uint32_t i, bp_status status)
{
  const uint_fast64_t mine = (uint_fast64_t)i * STATUSES + status;
  uint_fast64_t first = atomic_load(&w->failed);
  while (mine < first && !atomic_compare_exchange_weak(&w->failed, &first, mine))
    ;
}

static void *take_up(void *user)
{
  work *w = user;
  /* Compared before it is counted up: an overrun could come round to 0. */
  while (atomic_load(&w->next) < w->count) {
    const uint32_t i = atomic_fetch_add(&w->next, 1);
    if (i >= w->count) break;
    const bp_status status = bp_query_run(w->queries[i]);
    if (w->statuses) w->statuses[i] = status;
    if (status != BP_OK) note_failure(w, i, status);
  }
  return NULL;
}

/* ---- the threads --------------------------------------------------------- */

enum { STACK_PER_VAR = 256, STACK_BESIDES = 1 << 18, STACK_UNIT = 1 << 16 };

/* What docs/threads.md asks for, doubled, as builds without optimization and sanitizers take more; the
 * system's own choice when that is larger. */
static void set_stack(pthread_attr_t *attr, const work *w)
{
  uint32_t vars = 0;
  size_t usual = 0;
  for (uint32_t i = 0; i < w->count; i++)
    if (w->queries[i]->m->max_vars > vars) vars = w->queries[i]->m->max_vars;
  size_t want = (size_t)vars * STACK_PER_VAR + STACK_BESIDES;
  want = (want + STACK_UNIT - 1) / STACK_UNIT * STACK_UNIT;
  if (pthread_attr_getstacksize(attr, &usual) || usual < want)
    pthread_attr_setstacksize(attr, want);
}

/* Starts up to `most` threads, as many as the system gives. Signals are the host's: its handlers run
 * on its own threads. Those that an instruction causes must find their handler where they are. */
static uint32_t start_threads(pthread_t *threads, uint32_t most, work *w)
{
  pthread_attr_t attr;
  sigset_t helpers, before;
  uint32_t count = 0;
  if (pthread_attr_init(&attr)) return 0;
  set_stack(&attr, w);
  sigfillset(&helpers);
  sigdelset(&helpers, SIGSEGV);
  sigdelset(&helpers, SIGBUS);
  sigdelset(&helpers, SIGFPE);
  sigdelset(&helpers, SIGILL);
  if (!pthread_sigmask(SIG_SETMASK, &helpers, &before)) { /* the new threads inherit it */
    while (count < most && !pthread_create(&threads[count], &attr, take_up, w))
      count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  pthread_attr_destroy(&attr);
  return count;
}

bp_status bp_query_run_all(bp_query *const *queries, uint32_t count, uint32_t threads,
                           bp_status *statuses)
{
  if (!count) return BP_OK;
  const bp_status checked = check(queries, count, threads);
  if (checked != BP_OK) return checked;
  work w = {.queries = queries, .statuses = statuses, .count = count};
  atomic_init(&w.next, 0);
  atomic_init(&w.failed, UINT_FAST64_MAX);
  const uint32_t helpers = (threads < count ? threads : count) - 1;
  pthread_t *at = helpers ? bpi_alloc(helpers, sizeof *at) : NULL;
  const uint32_t started = at ? start_threads(at, helpers, &w) : 0;
  take_up(&w);
  for (uint32_t i = 0; i < started; i++)
    pthread_join(at[i], NULL);
  bpi_release(at);
  /* Requests that came too late for a run were meant for this call all the same. */
  for (uint32_t i = 0; i < count; i++)
    atomic_store(queries[i]->asked, 0);
  const uint_fast64_t failed = atomic_load(&w.failed);
  return failed == UINT_FAST64_MAX ? BP_OK : (bp_status)(failed % STATUSES);
}
