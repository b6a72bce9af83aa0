/* SPDX-License-Identifier: MIT
 * The life of a manager on the kernel of libbp's own. */
#include "bdd/native/native.h"

static void destroy(bp_manager *base)
{
  bpi_native *m = bpi_native_of(base);
  for (uint32_t i = 0; i < base->renames.count; i++)
    bpi_release(base->renames.at[i]->kernel);
  bpi_manager_end(base);
  bpi_native_end(m);
  bpi_release(m);
}

/* New slots go to the end of the order. */
static bool more_slots(bp_manager *base, uint32_t slots)
{
  bpi_native *m = bpi_native_of(base);
  uint32_t *position = bpi_realloc(m->position, slots, sizeof *position);
  if (position) m->position = position;
  uint32_t *slot_at = bpi_realloc(m->slot_at, slots, sizeof *slot_at);
  if (slot_at) m->slot_at = slot_at;
  /* One operation in progress has at most one root a level, and two operations nest. */
  bpi_bdd *roots = bpi_realloc(m->roots, (size_t)6 * slots + 64, sizeof *roots);
  if (roots) m->roots = roots;
  if (!position || !slot_at || !roots) {
    bpi_bdd_latch(base, BPI_BDD_MEMORY);
    return false;
  }
  for (uint32_t i = base->slots; i < slots; i++)
    m->position[i] = m->slot_at[i] = i;
  base->slots = slots;
  return true;
}

/* ---- references ---------------------------------------------------------- */

static bpi_bdd keep_first(bp_manager *base, bpi_bdd a)
{
  bpi_native *m = bpi_native_of(base);
  const uint32_t place = (uint32_t)a >> 1;
  if (place >= base->head.refs_size && !bpi_native_refs_grow(m, place)) return BPI_FALSE;
  base->head.refs[place]++;
  return a;
}

static void drop_last(bp_manager *base, bpi_bdd a)
{
  base->head.refs[a >> 1] = 0;
}

/* ---- renames ------------------------------------------------------------- */

/* The variables by variable, behind their number. */
static bool prepare(bp_manager *base, bpi_rename *rename)
{
  uint32_t vars = 0;
  for (uint32_t i = 0; i < rename->count; i++) {
    if (rename->from[i] >= 3 * base->slots || rename->to[i] >= 3 * base->slots) {
      bpi_bdd_latch(base, BPI_BDD_INTERNAL);
      return false;
    }
    if (rename->from[i] >= vars) vars = rename->from[i] + 1;
  }
  uint32_t *map = bpi_alloc((size_t)vars + 1, sizeof *map);
  if (!map) {
    bpi_bdd_latch(base, BPI_BDD_MEMORY);
    return false;
  }
  map[0] = vars;
  for (uint32_t v = 0; v < vars; v++)
    map[v + 1] = v;
  for (uint32_t i = 0; i < rename->count; i++)
    map[rename->from[i] + 1] = rename->to[i];
  rename->kernel = map;
  return true;
}

/* ---- looking ------------------------------------------------------------- */

static uint32_t top(const bp_manager *base, bpi_bdd a)
{
  const bpi_native *m = bpi_native_seen(base);
  return bpi_var_at_level(m, bpi_level(m, a));
}

static bpi_bdd low(const bp_manager *base, bpi_bdd a)
{
  return bpi_native_seen(base)->nodes[a >> 1].low ^ (a & 1);
}

static bpi_bdd high(const bp_manager *base, bpi_bdd a)
{
  return bpi_native_seen(base)->nodes[a >> 1].high ^ (a & 1);
}

static uint64_t used(const bp_manager *base)
{
  return bpi_native_seen(base)->used;
}

static uint64_t table(const bp_manager *base)
{
  return bpi_native_seen(base)->capacity;
}

static uint64_t work(const bp_manager *base)
{
  return bpi_native_seen(base)->polls;
}

static void collect(bp_manager *base)
{
  bpi_native_collect(bpi_native_of(base));
}

static void recover(bp_manager *base)
{
  bpi_native_of(base)->depth = 0;
}

static const bpi_kernel kernel = {.destroy = destroy,
                                  .more_slots = more_slots,
                                  .keep_first = keep_first,
                                  .drop_last = drop_last,
                                  .literal = bpi_native_literal,
                                  .complement = bpi_native_complement,
                                  .apply = bpi_native_apply,
                                  .ite = bpi_native_ite,
                                  .and_exists = bpi_native_and_exists,
                                  .image = bpi_native_image,
                                  .prepare = prepare,
                                  .rename = bpi_native_rename,
                                  .top = top,
                                  .low = low,
                                  .high = high,
                                  .used = used,
                                  .table = table,
                                  .work = work,
                                  .collect = collect,
                                  .recover = recover,
                                  .sift = bpi_native_sift};

/* The nodes that an amount of memory is enough for. */
static uint64_t most_nodes(const bp_manager_options *options)
{
  uint64_t most = options && options->nodes ? options->nodes : BPI_NATIVE_USUAL;
  if (options && options->bytes && options->bytes / BPI_NODE_BYTES < most)
    most = options->bytes / BPI_NODE_BYTES;
  return most < BPI_NATIVE_LEAST ? BPI_NATIVE_LEAST : most;
}

bp_status bpi_native_new(bp_manager **out, bp_context *ctx, const bp_manager_options *options)
{
  const uint64_t most = most_nodes(options);
  if (most > BPI_NATIVE_MOST)
    return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT, "bp_manager_options.nodes is above %d",
                    BPI_NATIVE_MOST);
  bpi_native *m = bpi_zalloc(1, sizeof *m);
  if (!m) return bpi_no_memory(ctx);
  bpi_manager_begin(&m->base, &kernel, options);
  if (!bpi_native_start(m, most)) {
    destroy(&m->base);
    return bpi_no_memory(ctx);
  }
  *out = &m->base;
  return BP_OK;
}
