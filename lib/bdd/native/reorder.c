/* SPDX-License-Identifier: MIT
 * Sifting (Rudell, ICCAD 1993): each slot in turn moves through the whole order, and stays where the
 * table was smallest. The three copies of a slot move together, so that what the engine relies on, their
 * order and their neighbourhood, never changes (Panda & Somenzi, ICCAD 1995, for groups). Nodes keep
 * their numbers and their functions: handles stay good.
 *
 * Every swap of two neighbours leaves a whole table behind, so the work may stop after any of them. */
#include "bdd/native/native.h"

#include <stdlib.h>

enum { COPIES = 3, GROWTH = 6 /* how much larger the table may get on a way, in fifths */ };

typedef BPI_VEC(uint32_t) node_list;

typedef struct sifting {
  bpi_native *m;
  uint32_t *parents; /* by node: references to it, ours included */
  node_list *at;     /* by position and copy: nodes that were there; some have gone since */
  uint64_t size;     /* nodes that are referred to */
  uint64_t spare;    /* nodes that can be made before a collection */
  uint32_t capacity; /* of parents */
  bool stopped;
} sifting;

/* ---- nodes --------------------------------------------------------------- */

static node_list *list_of(const sifting *s, uint32_t level)
{
  return &s->at[(level >> 2) * COPIES + (level & 3)];
}

static void unlink_node(bpi_native *m, uint32_t node)
{
  const bpi_node *n = &m->nodes[node];
  uint32_t *link =
      &m->heads[bpi_bucket((uint32_t)n->low, (uint32_t)n->high, n->level, m->heads_shift)];
  while (*link != node)
    link = &m->nodes[*link].next;
  *link = n->next;
}

static void refer(sifting *s, bpi_bdd a)
{
  if (a < 2) return;
  if (!s->parents[a >> 1]++) s->size++;
}

/* Gives a reference back; a node without any goes, with what only it refers to. A freed node is not
 * used again before the end, as its number may stand in a list. Recurs once a level at most. */
static void release(sifting *s, bpi_bdd a)
{
  while (a >= 2 && !--s->parents[a >> 1]) {
    const uint32_t node = (uint32_t)a >> 1;
    bpi_node *n = &s->m->nodes[node];
    const bpi_bdd low = n->low, high = n->high;
    unlink_node(s->m, node);
    n->level = (uint32_t)BPI_LEVEL_FREE;
    s->size--;
    s->m->used--;
    release(s, high);
    a = low;
  }
}

/* The node (level, low, high) with a reference more; room is there. */
static bpi_bdd node_for(sifting *s, uint32_t level, bpi_bdd low, bpi_bdd high)
{
  const uint32_t used = s->m->used;
  const bpi_bdd a = bpi_native_make(s->m, level, low, high);
  if (s->m->used > used) { /* a new one */
    const uint32_t node = (uint32_t)a >> 1;
    s->parents[node] = 0;
    s->spare--;
    refer(s, s->m->nodes[node].low);
    refer(s, s->m->nodes[node].high);
    list_of(s, level)->at[list_of(s, level)->count++] = node;
  }
  refer(s, a);
  return a;
}

/* ---- one swap ------------------------------------------------------------ */

/* Takes the nodes that are still at a level out of the table; their list becomes just them. */
static void take_out(sifting *s, uint32_t level)
{
  node_list *l = list_of(s, level);
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->count; i++) {
    const uint32_t node = l->at[i];
    if (s->m->nodes[node].level != level) continue;
    unlink_node(s->m, node);
    l->at[count++] = node;
  }
  l->count = count;
}

static void put_at(sifting *s, uint32_t node, uint32_t level)
{
  s->m->nodes[node].level = level;
  bpi_native_link(s->m, node);
  node_list *l = list_of(s, level);
  l->at[l->count++] = node;
}

/* The cofactors of an edge by the variable that is now at `level`. */
static void cofactors(const bpi_native *m, bpi_bdd a, uint32_t level, bpi_bdd *low, bpi_bdd *high)
{
  const bpi_node *n = &m->nodes[a >> 1];
  *low = n->level == level ? n->low ^ (a & 1) : a;
  *high = n->level == level ? n->high ^ (a & 1) : a;
}

/* A node of the upper variable that has the lower one below it: the same function, the other way. */
static void turn(sifting *s, uint32_t node, uint32_t upper, uint32_t lower)
{
  bpi_native *m = s->m;
  const bpi_bdd low = m->nodes[node].low, high = m->nodes[node].high;
  bpi_bdd ll, lh, hl, hh;
  cofactors(m, low, upper, &ll, &lh);
  cofactors(m, high, upper, &hl, &hh);
  const bpi_bdd new_low = node_for(s, lower, ll, hl), new_high = node_for(s, lower, lh, hh);
  m->nodes[node].low = new_low;
  m->nodes[node].high = new_high;
  put_at(s, node, upper);
  release(s, low);
  release(s, high);
}

/* Collects, and looks at everything anew. */
static bool refresh(sifting *s)
{
  bpi_native *m = s->m;
  bpi_native_collect(m);
  if (s->capacity < m->capacity) {
    uint32_t *parents = bpi_realloc(s->parents, m->capacity, sizeof *parents);
    if (!parents) return false;
    s->parents = parents;
    s->capacity = m->capacity;
  }
  memset(s->parents, 0, m->capacity * sizeof *s->parents);
  for (uint32_t i = 0; i < COPIES * m->base.slots; i++)
    s->at[i].count = 0;
  s->size = 0;
  s->spare = m->capacity - 1 - m->used;
  bool memory = true;
  for (uint32_t i = 1; memory && i < m->fresh; i++) {
    const bpi_node *n = &m->nodes[i];
    if (n->level == (uint32_t)BPI_LEVEL_FREE) continue;
    memory = bpi_vec_push(list_of(s, n->level), i);
    refer(s, n->low);
    refer(s, n->high);
    if (i < m->base.head.refs_size && m->base.head.refs[i]) refer(s, (bpi_bdd)(i << 1));
  }
  return memory;
}

/* Room for what a swap can need: two new nodes for each upper one. */
static bool reserve(sifting *s, uint32_t upper, uint32_t lower)
{
  const uint64_t nodes = 2 * (uint64_t)list_of(s, upper)->count;
  if (s->spare < nodes && !refresh(s)) return false;
  while (s->spare < nodes)
    if (!bpi_native_grow(s->m) || !refresh(s)) return false;
  node_list *x = list_of(s, upper), *y = list_of(s, lower);
  const uint64_t more = 3 * (uint64_t)x->count + y->count;
  return more < UINT32_MAX / 4 && bpi_vec_reserve(x, (uint32_t)more) &&
         bpi_vec_reserve(y, (uint32_t)more);
}

static void link_again(sifting *s, uint32_t level)
{
  const node_list *l = list_of(s, level);
  for (uint32_t i = 0; i < l->count; i++)
    bpi_native_link(s->m, l->at[i]);
}

/* Moves the nodes of the upper variable, out of the table already, to the lower level, but those first in
 * `xs` that have the other variable below them. Answers how many these are. */
static uint32_t move_down(sifting *s, node_list *xs, uint32_t upper, uint32_t lower)
{
  const bpi_native *m = s->m;
  uint32_t turning = 0;
  for (uint32_t i = 0; i < xs->count; i++) {
    const bpi_node *n = &m->nodes[xs->at[i]];
    if (bpi_level(m, n->low) == upper || bpi_level(m, n->high) == upper)
      xs->at[turning++] = xs->at[i];
    else
      put_at(s, xs->at[i], lower);
  }
  return turning;
}

/* Swaps the variables at two neighbouring levels. */
static bool swap(sifting *s, uint32_t upper, uint32_t lower)
{
  if (!reserve(s, upper, lower)) return false;
  take_out(s, upper);
  take_out(s, lower);
  const node_list ys = *list_of(s, lower);
  node_list xs = {0};
  if (!bpi_vec_reserve(&xs, list_of(s, upper)->count)) {
    link_again(s, upper);
    link_again(s, lower);
    return false;
  }
  xs.count = list_of(s, upper)->count;
  if (xs.count) memcpy(xs.at, list_of(s, upper)->at, xs.count * sizeof *xs.at);
  list_of(s, upper)->count = 0;
  for (uint32_t i = 0; i < ys.count; i++)
    put_at(s, ys.at[i], upper);
  list_of(s, lower)->count = 0;
  const uint32_t turning = move_down(s, &xs, upper, lower);
  for (uint32_t i = 0; i < turning; i++)
    turn(s, xs.at[i], upper, lower);
  bpi_vec_free(&xs);
  return true;
}

/* Swaps the slots at a position and the next one. */
static bool swap_slots(sifting *s, uint32_t position)
{
  bpi_native *m = s->m;
  uint32_t levels[2 * COPIES];
  for (uint32_t c = 0; c < COPIES; c++) {
    levels[c] = 4 * position + c;
    levels[COPIES + c] = 4 * position + 4 + c;
  }
  uint32_t done = 0;
  for (; done < COPIES * COPIES; done++) {
    const uint32_t i = COPIES - 1 + done / COPIES - done % COPIES;
    if (!swap(s, levels[i], levels[i + 1])) break;
  }
  if (done < COPIES * COPIES) { /* the way back needs no more room than there was */
    s->stopped = true;
    while (done-- > 0) {
      const uint32_t i = COPIES - 1 + done / COPIES - done % COPIES;
      if (!swap(s, levels[i], levels[i + 1])) {
        bpi_bdd_latch(&m->base, BPI_BDD_INTERNAL);
        return false;
      }
    }
    return false;
  }
  const uint32_t a = m->slot_at[position], b = m->slot_at[position + 1];
  m->slot_at[position] = b;
  m->slot_at[position + 1] = a;
  m->position[a] = position + 1;
  m->position[b] = position;
  return true;
}

/* ---- sifting ------------------------------------------------------------- */

static bool may_go_on(sifting *s)
{
  if (!s->stopped && !bpi_native_poll(s->m)) s->stopped = true;
  return !s->stopped;
}

/* Moves the slot at *position to the end of the order that `step` leads to, as long as that is not too
 * bad. */
static void go(sifting *s, uint32_t *position, int step, uint64_t *best, uint32_t *best_at)
{
  const uint32_t last = s->m->base.slots - 1;
  while ((step < 0 ? *position > 0 : *position < last) && s->size * 5 <= *best * GROWTH &&
         may_go_on(s)) {
    if (!swap_slots(s, step < 0 ? *position - 1 : *position)) return;
    *position += (uint32_t)step;
    if (s->size >= *best) continue;
    *best = s->size;
    *best_at = *position;
  }
}

static void sift_slot(sifting *s, uint32_t slot)
{
  uint32_t position = s->m->position[slot], best_at = position;
  uint64_t best = s->size;
  const bool down_first = position > s->m->base.slots / 2;
  go(s, &position, down_first ? 1 : -1, &best, &best_at);
  go(s, &position, down_first ? -1 : 1, &best, &best_at);
  while (position != best_at && !s->stopped) {
    if (!swap_slots(s, position < best_at ? position : position - 1)) return;
    position = position < best_at ? position + 1 : position - 1;
  }
}

typedef struct ranked {
  uint64_t nodes;
  uint32_t slot;
} ranked;

static int by_nodes(const void *a, const void *b)
{
  const ranked *x = a, *y = b;
  if (x->nodes != y->nodes) return x->nodes < y->nodes ? 1 : -1;
  return (x->slot > y->slot) - (x->slot < y->slot);
}

static ranked *rank_slots(const sifting *s)
{
  const bpi_native *m = s->m;
  ranked *order = bpi_alloc(m->base.slots, sizeof *order);
  for (uint32_t slot = 0; order && slot < m->base.slots; slot++) {
    order[slot] = (ranked){0, slot};
    for (uint32_t c = 0; c < COPIES; c++)
      order[slot].nodes += list_of(s, 4 * m->position[slot] + c)->count;
  }
  if (order) qsort(order, m->base.slots, sizeof *order, by_nodes);
  return order;
}

void bpi_native_sift(bp_manager *base)
{
  bpi_native *m = bpi_native_of(base);
  sifting s = {.m = m};
  if (base->slots < 2) return;
  s.at = bpi_zalloc((size_t)COPIES * base->slots, sizeof *s.at);
  ranked *order = s.at && refresh(&s) ? rank_slots(&s) : NULL;
  bpi_native_forget(m);
  for (uint32_t i = 0; order && i < base->slots && may_go_on(&s); i++)
    if (order[i].nodes) sift_slot(&s, order[i].slot);
  for (uint32_t i = 0; s.at && i < COPIES * base->slots; i++)
    bpi_vec_free(&s.at[i]);
  bpi_release(s.at);
  bpi_release(s.parents);
  bpi_release(order);
  if (bpi_bdd_finished(base)) return;
  bpi_native_collect(m);
}
