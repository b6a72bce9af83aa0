/* SPDX-License-Identifier: MIT
 * The life of a manager on BuDDy: who owns the kernel of the process, its start, its end. */
#include "bdd/buddy/buddy.h"

/* The kernel is one for the process, so is the right to use it. */
typedef enum slot_state {
  SLOT_FREE = 0,
  SLOT_TAKEN,
  SLOT_UNFINISHED, /* a dead kernel that could not be closed for want of memory: try again */
  SLOT_LOST        /* the kernel holds a dangling pointer that nothing can reach */
} slot_state;
static atomic_int slot = SLOT_FREE;

enum { NODES_OF_WORK = 1 << 10 };

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
  bpi_buddy_remove_hooks();
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
static slot_state first_slot(bpi_buddy *m)
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
  if (bdderrorcond) return SLOT_FREE;
  bpi_buddy_clear_stack();
  if (!bpi_buddy_shift_extend(m, 0)) return SLOT_FREE;
  m->base.slots = 1;
  return SLOT_TAKEN;
}

/* SLOT_TAKEN, or what the slot is to be after the failure. */
static slot_state start_kernel(bpi_buddy *m, uint64_t nodes)
{
  const int most = bdd_prime_lte((int)nodes);
  bpi_buddy_set_owner(m);
  bpi_buddy_install_hooks();
  if (!forget_past()) return SLOT_FREE;
  const int start = nodes > BPI_NODES_START ? BPI_NODES_START : most;
  if (bdd_init(start, BPI_CACHE_START) < 0) return SLOT_FREE;
  bpi_buddy_install_hooks();
  bdd_setmaxincrease(BPI_NODES_STEP);
  bddmaxnodesize = most > bddnodesize ? most : bddnodesize;
  const slot_state state = first_slot(m);
  if (state != SLOT_FREE) return state;
  m->noted = 0;
  return close_kernel(true, &m->noted) ? SLOT_FREE : SLOT_UNFINISHED;
}

static void release(bpi_buddy *m, slot_state state)
{
  bpi_buddy_set_owner(NULL);
  bpi_manager_end(&m->base);
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

/* ---- the kernel's life --------------------------------------------------- */

static void destroy(bp_manager *base)
{
  bpi_buddy *m = bpi_buddy_of(base);
  m->mode = BPI_OUTSIDE;
  m->noted = 0;
  const bool closed = close_kernel(base->head.error == BPI_BDD_POISONED, &m->noted);
  release(m, closed ? SLOT_FREE : SLOT_UNFINISHED);
}

static uint64_t table(const bp_manager *m)
{
  (void)m;
  return (uint64_t)bddnodesize;
}

static uint64_t work(const bp_manager *m)
{
  (void)m;
  bddStat stat;
  bdd_stats(&stat);
  return (uint64_t)stat.produced / NODES_OF_WORK;
}

static uint32_t top(const bp_manager *m, bpi_bdd a)
{
  (void)m;
  return (uint32_t)bdd_var(a);
}

static bpi_bdd low(const bp_manager *m, bpi_bdd a)
{
  (void)m;
  return bdd_low(a);
}

static bpi_bdd high(const bp_manager *m, bpi_bdd a)
{
  (void)m;
  return bdd_high(a);
}

static const bpi_kernel kernel = {.destroy = destroy,
                                  .more_slots = bpi_buddy_more_slots,
                                  .keep_first = bpi_buddy_keep_first,
                                  .drop_last = bpi_buddy_drop_last,
                                  .literal = bpi_buddy_literal,
                                  .complement = bpi_buddy_complement,
                                  .apply = bpi_buddy_apply,
                                  .ite = bpi_buddy_ite,
                                  .and_exists = bpi_buddy_and_exists,
                                  .image = bpi_buddy_image,
                                  .prepare = bpi_buddy_prepare,
                                  .rename = bpi_buddy_rename,
                                  .top = top,
                                  .low = low,
                                  .high = high,
                                  .used = bpi_buddy_used,
                                  .table = table,
                                  .work = work,
                                  .collect = bpi_buddy_collect,
                                  .recover = bpi_buddy_recover};

static bp_status fail_busy(bp_context *ctx, slot_state state)
{
  switch (state) {
  case SLOT_TAKEN:
    return bpi_fail(ctx, BP_E_BUSY, BPI_MSG_BUSY,
                    "another manager of this process on BuDDy is alive");
  case SLOT_LOST:
    return bpi_fail(ctx, BP_E_NOMEM, BPI_MSG_MEMORY,
                    "out of memory: BuDDy is lost for this process since then");
  default: return bpi_no_memory(ctx);
  }
}

bp_status bpi_buddy_new(bp_manager **out, bp_context *ctx, const bp_manager_options *options)
{
  uint64_t nodes = options && options->nodes ? options->nodes : BPI_NODES_MOST;
  if (nodes > BPI_NODES_MOST)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT,
                    "bp_manager_options.nodes is above %d, BuDDy's most", BPI_NODES_MOST);
  if (nodes < BPI_NODES_LEAST) nodes = BPI_NODES_LEAST;
  slot_state state = take_slot();
  if (state != SLOT_FREE) return fail_busy(ctx, state);
  if (bdd_isrunning()) {
    atomic_store(&slot, SLOT_FREE);
    return bpi_fail(ctx, BP_E_BUSY, BPI_MSG_BUSY, "BuDDy runs outside libbp");
  }
  bpi_buddy *m = bpi_zalloc(1, sizeof *m);
  if (!m) {
    atomic_store(&slot, SLOT_FREE);
    return bpi_no_memory(ctx);
  }
  bpi_manager_begin(&m->base, &kernel, options);
  m->split_from = BPI_SPLIT_FROM;
  state = start_kernel(m, nodes);
  if (state != SLOT_TAKEN) {
    release(m, state);
    return fail_busy(ctx, state);
  }
  *out = &m->base;
  return BP_OK;
}
