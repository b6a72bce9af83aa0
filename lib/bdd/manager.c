/* SPDX-License-Identifier: MIT
 * The life of a manager, whatever its kernel; the latch and the limits. */
#include "bdd/kernel.h"

/* ---- start and end ----------------------------------------------------- */

static bp_status check_options(bp_context *ctx, const bp_manager_options *options)
{
  if (!options) return BP_OK;
  if (options->size != sizeof *options)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT,
                    "bp_manager_options.size is not sizeof(bp_manager_options)");
  if (options->max_vars > BPI_VARS_MOST)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT, "bp_manager_options.max_vars is above %d",
                    BPI_VARS_MOST);
  if (options->sift && options->kernel == BP_KERNEL_BUDDY)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT,
                    "bp_manager_options.sift: BuDDy cannot reorder within limits");
  if (options->bytes && options->kernel == BP_KERNEL_BUDDY)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT,
                    "bp_manager_options.bytes: BuDDy knows a limit of nodes only");
  if (options->kernel > BP_KERNEL_BUDDY)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT,
                    "bp_manager_options.kernel is none of bp_kernel");
  return BP_OK;
}

void bpi_manager_begin(bp_manager *m, const bpi_kernel *kernel, const bp_manager_options *options)
{
  m->kernel = kernel;
  atomic_init(&m->refs, 1);
  atomic_init(&m->busy, false);
  m->thread = pthread_self();
  m->limit = m->check = UINT64_MAX;
  m->sift_at = options && options->sift ? BPI_SIFT_FIRST : UINT64_MAX;
  m->bytes = options ? options->bytes : 0;
  m->max_vars = options && options->max_vars ? options->max_vars : BPI_VARS_DEFAULT;
}

void bpi_manager_end(bp_manager *m)
{
  for (uint32_t i = 0; i < m->renames.count; i++) {
    bpi_release(m->renames.at[i]->from);
    bpi_release(m->renames.at[i]);
  }
  bpi_vec_free(&m->renames);
  bpi_release(m->head.refs);
}

bp_status bp_manager_new(bp_manager **out, bp_context *ctx, const bp_manager_options *options)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out) return bpi_invalid(ctx, "out is NULL");
  bpi_context_begin(ctx);
  const bp_status checked = check_options(ctx, options);
  if (checked != BP_OK) return checked;
  if (options && options->kernel == BP_KERNEL_BUDDY) return bpi_buddy_new(out, ctx, options);
  return bpi_native_new(out, ctx, options);
}

bp_manager *bp_manager_ref(bp_manager *manager)
{
  if (manager) atomic_fetch_add_explicit(&manager->refs, 1, memory_order_relaxed);
  return manager;
}

void bp_manager_unref(bp_manager *manager)
{
  if (!manager) return;
  if (atomic_fetch_sub_explicit(&manager->refs, 1, memory_order_acq_rel) != 1) return;
  manager->thread = pthread_self();
  manager->kernel->destroy(manager);
}

bp_status bp_manager_get_stats(bp_manager *manager, bp_manager_stats *stats)
{
  if (!manager || !stats || stats->size != sizeof *stats) return BP_E_INVALID;
  if (!bpi_bdd_enter(manager, NULL, 0)) return BP_E_BUSY;
  stats->live_nodes = bpi_bdd_live(manager);
  stats->peak_nodes = manager->peak;
  stats->table_nodes = manager->kernel->table(manager);
  stats->collections = manager->collections;
  stats->vars = 3 * manager->slots;
  stats->poisoned = bpi_bdd_finished(manager);
  bpi_bdd_leave(manager);
  return BP_OK;
}

/* ---- the latch and the limits ------------------------------------------ */

bool bpi_bdd_poll(bp_manager *m)
{
  if (m->budget && m->kernel->work(m) >= m->budget) {
    bpi_bdd_latch(m, BPI_BDD_BUDGET);
    return false;
  }
  if (!m->watch) return true;
  m->watch->countdown = 0; /* polls are rare: look at the clock each time */
  if (!bpi_watch_expired(m->watch)) return true;
  bpi_bdd_latch(m, BPI_BDD_STOPPED);
  return false;
}

uint64_t bpi_bdd_budget(bp_manager *m, uint64_t work)
{
  const uint64_t outer = m->budget;
  m->budget = m->kernel->work(m) + work;
  return outer;
}

bool bpi_bdd_end_budget(bp_manager *m, uint64_t outer)
{
  m->budget = outer;
  if (m->head.error != BPI_BDD_BUDGET) return false;
  m->kernel->recover(m);
  m->head.error = BPI_BDD_OK;
  return true;
}

uint64_t bpi_bdd_work(const bp_manager *m)
{
  return m->kernel->work(m);
}

bool bpi_bdd_recover(bp_manager *m)
{
  if (m->head.error == BPI_BDD_OK) return true;
  if (bpi_bdd_finished(m)) return false;
  m->kernel->recover(m);
  m->kernel->collect(m);
  m->check = m->limit;
  m->head.error = BPI_BDD_OK;
  return true;
}

bool bpi_bdd_within_limit(bp_manager *m)
{
  if (m->head.error != BPI_BDD_OK) return false;
  if (m->kernel->used(m) > m->sift_at) {
    m->kernel->sift(m);
    m->sift_at = 2 * m->live > BPI_SIFT_FIRST ? 2 * m->live : BPI_SIFT_FIRST;
    if (m->head.error != BPI_BDD_OK) return false;
  }
  if (m->check == UINT64_MAX || m->kernel->used(m) <= m->check) return true;
  m->kernel->collect(m);
  if (m->live > m->limit) {
    bpi_bdd_latch(m, BPI_BDD_NODES);
    return false;
  }
  /* Close to the limit, let new nodes pay for the next collection. */
  m->check = m->live + m->kernel->table(m) / 16;
  if (m->check < m->limit) m->check = m->limit;
  return true;
}

uint64_t bpi_bdd_bytes(const bp_manager *m)
{
  return m->bytes;
}

bool bpi_bdd_limited(const bp_manager *m)
{
  return m->limit != UINT64_MAX;
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

/* ---- variables and numbers ---------------------------------------------- */

bool bpi_bdd_ensure_slots(bp_manager *m, uint32_t slots)
{
  if (m->head.error != BPI_BDD_OK) return false;
  if (slots <= m->slots) return true;
  if (slots > m->max_vars / 3) return false;
  return m->kernel->more_slots(m, slots);
}

uint32_t bpi_bdd_slot_count(const bp_manager *m)
{
  return m->slots;
}

uint32_t bpi_bdd_most_slots(const bp_manager *m)
{
  return m->max_vars / 3;
}

uint64_t bpi_bdd_live(bp_manager *m)
{
  if (!bpi_bdd_finished(m)) m->kernel->collect(m);
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
