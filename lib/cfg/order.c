/* SPDX-License-Identifier: MIT
 * Predecessors, and the order in which a procedure's vertices are best visited. */
#include "cfg/cfg.h"

/* So far every vertex says that it has none. */
static bool link_preds(bp_cfg *cfg, bpi_slice all)
{
  bpi_vertex *v = cfg->vertices.at;
  const uint32_t end = all.first + all.count, before = cfg->preds.count;
  const uint32_t first = v[all.first].first_succ, last = v[end].first_succ;
  if (!bpi_vec_reserve(&cfg->preds, last - first)) return false;
  for (uint32_t i = first; i < last; i++)
    v[cfg->succs.at[i]].first_pred++;
  /* Each gets its end; filling from behind leaves its beginning, and its predecessors in order. */
  cfg->preds.count += last - first;
  uint32_t sum = before;
  for (uint32_t i = all.first; i < end; i++)
    v[i].first_pred = sum += v[i].first_pred;
  v[end].first_pred = sum;
  for (uint32_t i = end; i-- > all.first;)
    for (uint32_t k = v[i + 1].first_succ; k-- > v[i].first_succ;)
      cfg->preds.at[--v[cfg->succs.at[k]].first_pred] = i;
  return true;
}

/* Depth-first from one vertex, last successor first: so a loop's body comes before what follows the
 * loop, and its postorder number is given when all behind it have theirs. */
static void number_from(bp_cfg *cfg, bpi_slice all, uint32_t root, bpi_order *o, uint32_t *place)
{
  uint32_t *left = o->left.at, *stack = o->stack.at, depth = 0;
  if (left[root - all.first]) return;
  left[root - all.first] = bpi_succs(&cfg->vertices.at[root]).count + 1;
  stack[depth++] = root;
  while (depth) {
    const uint32_t v = stack[depth - 1];
    uint32_t *waits = &left[v - all.first];
    if (*waits > 1) {
      const uint32_t next = cfg->succs.at[cfg->vertices.at[v].first_succ + --*waits - 1];
      if (left[next - all.first]) continue;
      left[next - all.first] = bpi_succs(&cfg->vertices.at[next]).count + 1;
      stack[depth++] = next;
    } else {
      o->place.at[v - all.first] = --*place;
      depth--;
    }
  }
}

/* What the entry does not reach gets the places in front: it is never visited. */
static void number_all(bp_cfg *cfg, const bpi_cfg_proc *proc, bpi_order *o)
{
  const bpi_slice all = proc->vertices;
  uint32_t place = all.count;
  memset(o->left.at, 0, all.count * sizeof *o->left.at);
  number_from(cfg, all, proc->entry, o, &place);
  for (uint32_t v = all.first; v < all.first + all.count; v++)
    number_from(cfg, all, v, o, &place);
}

/* Most procedures have every vertex in order: they need no tables. */
static bool keep_order(bp_cfg *cfg, bpi_cfg_proc *proc, const uint32_t *place)
{
  const bpi_slice all = proc->vertices;
  bool moved = false;
  for (uint32_t i = 0; i < all.count; i++)
    moved |= place[i] != i;
  if (!moved) return true;
  if (!bpi_vec_reserve(&cfg->orders, 2 * (uint64_t)all.count)) return false;
  proc->order = cfg->orders.count;
  cfg->orders.count += 2 * all.count;
  for (uint32_t i = 0; i < all.count; i++) {
    cfg->orders.at[proc->order + i] = place[i];
    cfg->orders.at[proc->order + all.count + place[i]] = all.first + i;
  }
  return true;
}

/* `place` is NULL where every vertex is in order. */
static void find_back_edges(const bp_cfg *cfg, bpi_cfg_proc *proc, const uint32_t *place)
{
  const bpi_slice all = proc->vertices;
  const bpi_vertex *v = cfg->vertices.at + all.first;
  uint32_t back = BP_NONE, fore = 0;
  for (uint32_t i = 0; i < all.count; i++) {
    const uint32_t here = place ? place[i] : i;
    for (uint32_t k = v[i].first_succ; k < v[i + 1].first_succ; k++) {
      const uint32_t to = cfg->succs.at[k] - all.first, head = place ? place[to] : to;
      if (head > here) continue;
      if (head < back) back = head;
      if (here > fore) fore = here;
    }
  }
  proc->back = back;
  proc->fore = fore;
}

bool bpi_cfg_order(bp_cfg *cfg, bpi_cfg_proc *proc, bool jumps, bpi_order *o)
{
  const uint32_t count = proc->vertices.count;
  if (!link_preds(cfg, proc->vertices)) return false;
  if (jumps) {
    if (!bpi_vec_reserve(&o->stack, count) || !bpi_vec_reserve(&o->left, count) ||
        !bpi_vec_reserve(&o->place, count))
      return false;
    number_all(cfg, proc, o);
  }
  find_back_edges(cfg, proc, jumps ? o->place.at : NULL);
  return !jumps || keep_order(cfg, proc, o->place.at);
}
