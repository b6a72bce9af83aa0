/* SPDX-License-Identifier: MIT
 * The life of the manager: who owns the kernel of the process, its start, its variables, its end.
 */
#include "bdd/manager.h"

/* The kernel is one for the process, so is the right to use it. */
typedef enum slot_state {
  SLOT_FREE = 0,
  SLOT_TAKEN,
  SLOT_KEPT,       /* taken, by the manager that a context keeps for bp_reachable() */
  SLOT_UNFINISHED, /* a dead kernel that could not be closed for want of memory: try again */
  SLOT_LOST        /* the kernel holds a dangling pointer that nothing can reach */
} slot_state;
static atomic_int slot = SLOT_FREE;

/* ---- start and end ----------------------------------------------------- */

/* Closes the kernel. False when it is still running: bdd_done() clears the caches, one of which
 * may be missing in a poisoned kernel, and there was no memory for the smallest one. */
static bool close_kernel(bool poisoned, const int *noted)
{
  if (poisoned) {
    bdd_setcacheratio(bddnodesize / BPI_CACHE_LEAST + 1);
    if (*noted == BDD_MEMORY) return false;
  }
  bdd_done();
  bpi_bdd_remove_hooks();
  bddvar2level = bddlevel2var = NULL; /* bdd_done() leaves them dangling */
  return true;
}

/* Makes a process that used the kernel before look like one that did not: when bdd_init() runs out
 * of memory it calls bdd_done(), which would free again what the last bdd_done() freed. */
static bool forget_past(void)
{
  bddvar2level = bddlevel2var = NULL;
  bdd_pairs_init();
  if (bdd_operator_init(BPI_CACHE_LEAST) < 0) return false;
  bdd_operator_done();
  return true;
}

/* The first variables. bdd_setvarnum() never checks its reference stack, so that one is given; of
 * the other blocks it frees one without forgetting it when the next cannot be had. They are a few
 * bytes each here, and only here: extending reserves everything before. */
static slot_state first_slot(bp_manager *m)
{
  bddrefstack = bddrefstacktop = bpi_alloc(2 * 3 + 4, sizeof(int));
  if (!bddrefstack) return SLOT_FREE;
  if (setjmp(m->jump)) {
    if (!bddlevel2var || !bddvar2level) return SLOT_LOST;
    bddvarnum = 0;
    return SLOT_FREE;
  }
  m->mode = BPI_EXTENDING;
  bdd_setvarnum(3);
  m->mode = BPI_OUTSIDE;
  if (bdderrorcond || !bpi_bdd_renames_extend(m, 0)) return SLOT_FREE;
  m->slots = 1;
  return SLOT_TAKEN;
}

/* SLOT_TAKEN, or what the slot is to be after the failure. */
static slot_state start_kernel(bp_manager *m, uint64_t nodes)
{
  const int most = bdd_prime_lte((int)nodes);
  bpi_bdd_set_owner(m);
  bpi_bdd_install_hooks();
  if (!forget_past()) return SLOT_FREE;
  const int start = nodes > BPI_NODES_START ? BPI_NODES_START : most;
  if (bdd_init(start, BPI_CACHE_START) < 0) return SLOT_FREE;
  bpi_bdd_install_hooks();
  bdd_setmaxincrease(BPI_NODES_STEP);
  bddmaxnodesize = most > bddnodesize ? most : bddnodesize;
  const slot_state state = first_slot(m);
  if (state != SLOT_FREE) return state;
  m->noted = 0;
  return close_kernel(true, &m->noted) ? SLOT_FREE : SLOT_UNFINISHED;
}

static void release(bp_manager *m, slot_state state)
{
  bpi_bdd_set_owner(NULL);
  bpi_bdd_renames_free(m);
  bpi_release(m->counts);
  bpi_release(m);
  atomic_store(&slot, (int)state);
}

/* The hooks have no owner here, so a failure is seen by a hook of its own. */
static int closing_error;
static void note_closing_error(int code)
{
  closing_error = code;
}

/* Takes the slot: SLOT_TAKEN on success, else what stands in the way. */
static slot_state take_slot(void)
{
  int state = SLOT_FREE;
  if (atomic_compare_exchange_strong(&slot, &state, SLOT_TAKEN)) return SLOT_FREE;
  if (state != SLOT_UNFINISHED) return (slot_state)state;
  if (!atomic_compare_exchange_strong(&slot, &state, SLOT_TAKEN)) return SLOT_TAKEN;
  closing_error = 0;
  bdd_error_hook(note_closing_error);
  if (close_kernel(true, &closing_error)) return SLOT_FREE;
  atomic_store(&slot, SLOT_UNFINISHED);
  return SLOT_UNFINISHED;
}

/* ---- public ------------------------------------------------------------ */

static bp_status check_options(bp_context *ctx, const bp_manager_options *options)
{
  if (!options) return BP_OK;
  if (options->size != sizeof *options)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT,
                    "bp_manager_options.size is not sizeof(bp_manager_options)");
  if (options->nodes > BPI_NODES_MOST)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT, "bp_manager_options.nodes is above %d",
                    BPI_NODES_MOST);
  if (options->max_vars > BPI_VARS_MOST)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT, "bp_manager_options.max_vars is above %d",
                    BPI_VARS_MOST);
  return BP_OK;
}

static bp_status fail_busy(bp_context *ctx, slot_state state)
{
  switch (state) {
  case SLOT_TAKEN:
    return bpi_fail(ctx, BP_E_BUSY, BPI_MSG_BUSY, "another manager of this process is alive");
  case SLOT_KEPT:
    return bpi_fail(ctx, BP_E_BUSY, BPI_MSG_BUSY,
                    "the manager that bp_reachable() made is alive: its context keeps it until the "
                    "last reference to the context and to traces from it is dropped");
  case SLOT_LOST:
    return bpi_fail(ctx, BP_E_NOMEM, BPI_MSG_MEMORY,
                    "out of memory: the BDD kernel of this process is lost since then");
  default: return bpi_no_memory(ctx);
  }
}

static bp_manager *manager_alloc(const bp_manager_options *options)
{
  bp_manager *m = bpi_zalloc(1, sizeof *m);
  if (!m) return NULL;
  atomic_init(&m->refs, 1);
  atomic_init(&m->busy, false);
  m->thread = pthread_self();
  m->limit = m->check = UINT64_MAX;
  m->split_from = BPI_SPLIT_FROM;
  m->max_vars = options && options->max_vars ? options->max_vars : BPI_VARS_DEFAULT;
  return m;
}

bp_status bp_manager_new(bp_manager **out, bp_context *ctx, const bp_manager_options *options)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out) return bpi_invalid(ctx, "out is NULL");
  bpi_context_begin(ctx);
  const bp_status checked = check_options(ctx, options);
  if (checked != BP_OK) return checked;
  slot_state state = take_slot();
  if (state != SLOT_FREE) return fail_busy(ctx, state);
  if (bdd_isrunning()) {
    atomic_store(&slot, SLOT_FREE);
    return bpi_fail(ctx, BP_E_BUSY, BPI_MSG_BUSY, "the BDD kernel runs outside libbp");
  }
  bp_manager *m = manager_alloc(options);
  if (!m) {
    atomic_store(&slot, SLOT_FREE);
    return bpi_no_memory(ctx);
  }
  uint64_t nodes = options && options->nodes ? options->nodes : BPI_NODES_MOST;
  if (nodes < BPI_NODES_LEAST) nodes = BPI_NODES_LEAST;
  state = start_kernel(m, nodes);
  if (state != SLOT_TAKEN) {
    release(m, state);
    return fail_busy(ctx, state);
  }
  *out = m;
  return BP_OK;
}

void bpi_manager_kept(bool kept)
{
  atomic_store(&slot, kept ? SLOT_KEPT : SLOT_TAKEN);
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
  manager->mode = BPI_OUTSIDE;
  manager->noted = 0;
  const bool closed = close_kernel(manager->error == BPI_BDD_POISONED, &manager->noted);
  release(manager, closed ? SLOT_FREE : SLOT_UNFINISHED);
}

bp_status bp_manager_get_stats(bp_manager *manager, bp_manager_stats *stats)
{
  if (!manager || !stats || stats->size != sizeof *stats) return BP_E_INVALID;
  if (!bpi_bdd_enter(manager, NULL, 0)) return BP_E_BUSY;
  stats->live_nodes = bpi_bdd_live(manager);
  stats->peak_nodes = manager->peak;
  stats->table_nodes = (uint64_t)bddnodesize;
  stats->collections = manager->collections;
  stats->vars = 3 * manager->slots;
  stats->poisoned = bpi_bdd_finished(manager);
  bpi_bdd_leave(manager);
  return BP_OK;
}
