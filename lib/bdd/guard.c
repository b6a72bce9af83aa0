/* SPDX-License-Identifier: MIT
 * The hooks of the kernel, the latch, recovery and limits. */
#include "bdd/manager.h"

/* The kernel has one state for the process and its hooks carry no user pointer. */
static _Atomic(bp_manager *) owner;

void bpi_bdd_set_owner(bp_manager *m)
{
  atomic_store(&owner, m);
}

/* The manager that this thread works for. Another thread of the host may reach the error hook, by
 * calling bdd_init() beside us. */
static bp_manager *own_manager(void)
{
  bp_manager *m = atomic_load(&owner);
  return m && pthread_equal(m->thread, pthread_self()) ? m : NULL;
}

void bpi_bdd_latch(bp_manager *m, bpi_bdd_error reason)
{
  if (m->error == BPI_BDD_OK) m->error = reason;
}

bool bpi_bdd_finished(const bp_manager *m)
{
  return m->error == BPI_BDD_POISONED || m->error == BPI_BDD_INTERNAL;
}

_Noreturn void bpi_bdd_raise(bp_manager *m, bpi_bdd_error reason)
{
  bpi_bdd_latch(m, reason);
  m->mode = BPI_OUTSIDE;
  m->old_size = 0;
  bddrefstacktop = bddrefstack; /* else the nodes of the operation outlive the next collection */
  longjmp(m->jump, 1);
}

/* ---- hooks ------------------------------------------------------------- */

/* True when the allocation that failed was the larger node table: the old one is still there, but
 * the kernel believes in the new size already. */
static bool undo_growth(bp_manager *m)
{
  if (!m->old_size || bddresized) return false;
  bddnodesize = m->old_size;
  bddresized = m->old_grown;
  return true;
}

static void on_error(int code)
{
  bp_manager *m = own_manager();
  if (!m || code == BDD_RUNNING) return;
  m->noted = code;
  if (m->mode == BPI_OUTSIDE) return;
  if (code == BDD_NODENUM) {
    if (m->mode == BPI_EXTENDING) return;
    bpi_bdd_raise(m, BPI_BDD_NODES);
  }
  if (code != BDD_MEMORY) bpi_bdd_raise(m, BPI_BDD_INTERNAL);
  bpi_bdd_raise(m, undo_growth(m) ? BPI_BDD_MEMORY : BPI_BDD_POISONED);
}

/* Comes before the reallocation. bddresized is set after it, which tells a failed table from a
 * failed cache. */
static void on_resize(int old_size, int new_size)
{
  (void)new_size;
  bp_manager *m = own_manager();
  if (!m) return;
  m->grown = true;
  m->old_size = old_size;
  m->old_grown = bddresized;
  bddresized = 0;
}

uint64_t bpi_bdd_used(void)
{
  const uint64_t used = (uint64_t)(bddnodesize - bddfreenum);
  const uint64_t fixed = 2 + 2 * (uint64_t)bddvarnum;
  return used > fixed ? used - fixed : 0;
}

/* After a collection the table is whole and the node that asked for it is not made yet, so here an
 * operation can be left. A full table that gains next to nothing by a collection would collect for
 * every few nodes. */
static void on_collect(int before, bddGbcStat *stat)
{
  bp_manager *m = own_manager();
  if (!m || before) return;
  m->collections++;
  m->live = bpi_bdd_used();
  if (m->live > m->peak) m->peak = m->live;
  if (m->mode != BPI_INSIDE) return;
  if (m->live > m->limit) bpi_bdd_raise(m, BPI_BDD_NODES);
  if (stat->nodes >= bddmaxnodesize && stat->freenodes < stat->nodes / 64)
    bpi_bdd_raise(m, BPI_BDD_NODES);
  if (!m->watch) return;
  m->watch->countdown = 0; /* collections are rare: look at the clock each time */
  if (bpi_watch_expired(m->watch)) bpi_bdd_raise(m, BPI_BDD_STOPPED);
}

/* bdd_init() brings back hooks that print and exit. */
void bpi_bdd_install_hooks(void)
{
  bdd_error_hook(on_error);
  bdd_gbc_hook(on_collect);
  bdd_resize_hook(on_resize);
  bdd_reorder_hook(NULL);
}

void bpi_bdd_remove_hooks(void)
{
  bdd_error_hook(NULL);
  bdd_gbc_hook(NULL);
  bdd_resize_hook(NULL);
}

void bpi_bdd_settle(bp_manager *m)
{
  m->grown = false;
  m->old_size = 0;
  int ratio = bddnodesize / BPI_CACHE_USUAL;
  if (ratio < 1) ratio = 1;
  if (ratio > BPI_CACHE_RATIO) ratio = BPI_CACHE_RATIO;
  if (ratio == m->ratio) return;
  m->ratio = ratio;
  bdd_setcacheratio(ratio);
}

/* ---- the latch and the limits ------------------------------------------ */

bpi_bdd_error bpi_bdd_status(const bp_manager *m)
{
  return m->error;
}

void bpi_bdd_collect(bp_manager *m)
{
  m->mode = BPI_OUTSIDE;
  bdd_gbc();
}

bool bpi_bdd_recover(bp_manager *m)
{
  if (m->error == BPI_BDD_OK) return true;
  if (bpi_bdd_finished(m)) return false;
  bdderrorcond = 0;
  bpi_bdd_collect(m);
  m->check = m->limit;
  m->error = BPI_BDD_OK;
  return true;
}

bool bpi_bdd_within_limit(bp_manager *m)
{
  if (m->error != BPI_BDD_OK) return false;
  if (bpi_bdd_used() <= m->check) return true;
  bpi_bdd_collect(m);
  if (m->live > m->limit) {
    bpi_bdd_latch(m, BPI_BDD_NODES);
    return false;
  }
  /* Close to the limit, let new nodes pay for the next collection. */
  m->check = m->live + (uint64_t)bddnodesize / 16;
  if (m->check < m->limit) m->check = m->limit;
  return true;
}

bool bpi_bdd_enter(bp_manager *m, bpi_watch *watch, uint64_t nodes)
{
  if (atomic_exchange_explicit(&m->busy, true, memory_order_acquire)) return false;
  m->thread = pthread_self();
  m->watch = watch;
  m->limit = m->check = nodes ? nodes : UINT64_MAX;
  return true;
}

void bpi_bdd_leave(bp_manager *m)
{
  m->watch = NULL;
  m->limit = m->check = UINT64_MAX;
  atomic_store_explicit(&m->busy, false, memory_order_release);
}

uint64_t bpi_bdd_live(bp_manager *m)
{
  if (!bpi_bdd_finished(m)) bpi_bdd_collect(m);
  return m->live;
}

uint64_t bpi_bdd_peak(const bp_manager *m)
{
  return m->peak;
}

void bpi_bdd_reset_peak(bp_manager *m)
{
  m->peak = 0;
}
