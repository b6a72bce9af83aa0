/* SPDX-License-Identifier: MIT
 * The hooks of the kernel, and recovery. */
#include "bdd/buddy/buddy.h"

/* The kernel has one state for the process and its hooks carry no user pointer. */
static _Atomic(bpi_buddy *) owner;

void bpi_buddy_set_owner(bpi_buddy *m)
{
  atomic_store(&owner, m);
}

/* The manager that this thread works for. Another thread of the host may reach the error hook, by
 * calling bdd_init() beside us. */
static bpi_buddy *own_manager(void)
{
  bpi_buddy *m = atomic_load(&owner);
  return m && pthread_equal(m->base.thread, pthread_self()) ? m : NULL;
}

_Noreturn void bpi_buddy_raise(bpi_buddy *m, bpi_bdd_error reason)
{
  bpi_bdd_latch(&m->base, reason);
  m->mode = BPI_OUTSIDE;
  m->old_size = 0;
  bddrefstacktop = bddrefstack; /* else the nodes of the operation outlive the next collection */
  longjmp(m->jump, 1);
}

/* ---- hooks ------------------------------------------------------------- */

/* True when the allocation that failed was the larger node table: the old one is still there, but
 * the kernel believes in the new size already. */
static bool undo_growth(bpi_buddy *m)
{
  if (!m->old_size || bddresized) return false;
  bddnodesize = m->old_size;
  bddresized = m->old_grown;
  return true;
}

static void on_error(int code)
{
  bpi_buddy *m = own_manager();
  if (!m || code == BDD_RUNNING) return;
  m->noted = code;
  if (m->mode == BPI_OUTSIDE) return;
  if (code == BDD_NODENUM) {
    if (m->mode == BPI_EXTENDING) return;
    bpi_buddy_raise(m, BPI_BDD_NODES);
  }
  if (code != BDD_MEMORY) bpi_buddy_raise(m, BPI_BDD_INTERNAL);
  bpi_buddy_raise(m, undo_growth(m) ? BPI_BDD_MEMORY : BPI_BDD_POISONED);
}

/* Comes before the reallocation. bddresized is set after it, which tells a failed table from a
 * failed cache. */
static void on_resize(int old_size, int new_size)
{
  (void)new_size;
  bpi_buddy *m = own_manager();
  if (!m) return;
  m->grown = true;
  m->old_size = old_size;
  m->old_grown = bddresized;
  bddresized = 0;
}

uint64_t bpi_buddy_used(const bp_manager *m)
{
  (void)m;
  const uint64_t used = (uint64_t)(bddnodesize - bddfreenum);
  const uint64_t fixed = 2 + 2 * (uint64_t)bddvarnum;
  return used > fixed ? used - fixed : 0;
}

/* After a collection the table is whole and the node that asked for it is not made yet, so here an
 * operation can be left. A full table that gains next to nothing by a collection would collect for
 * every few nodes. */
static void on_collect(int before, bddGbcStat *stat)
{
  bpi_buddy *m = own_manager();
  if (!m || before) return;
  bp_manager *base = &m->base;
  base->collections++;
  base->live = bpi_buddy_used(base);
  if (base->live > base->peak) base->peak = base->live;
  if (m->mode != BPI_INSIDE) return;
  if (base->live > base->limit) bpi_buddy_raise(m, BPI_BDD_NODES);
  if (stat->nodes >= bddmaxnodesize && stat->freenodes < stat->nodes / 64)
    bpi_buddy_raise(m, BPI_BDD_NODES);
  if (!bpi_bdd_poll(base)) bpi_buddy_raise(m, base->head.error);
}

/* bdd_init() brings back hooks that print and exit. */
void bpi_buddy_install_hooks(void)
{
  bdd_error_hook(on_error);
  bdd_gbc_hook(on_collect);
  bdd_resize_hook(on_resize);
  bdd_reorder_hook(NULL);
}

void bpi_buddy_remove_hooks(void)
{
  bdd_error_hook(NULL);
  bdd_gbc_hook(NULL);
  bdd_resize_hook(NULL);
}

void bpi_buddy_settle(bpi_buddy *m)
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

/* ---- between operations ------------------------------------------------- */

void bpi_buddy_collect(bp_manager *m)
{
  bpi_buddy_of(m)->mode = BPI_OUTSIDE;
  bdd_gbc();
}

void bpi_buddy_recover(bp_manager *m)
{
  (void)m;
  bdderrorcond = 0;
}
