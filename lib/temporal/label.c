/* SPDX-License-Identifier: MIT */
#include "temporal/label.h"
#include "base/hash.h"

enum { KNOWN = 1 << 14, MOST_NODES = 1 << 21 };
enum { OP_NONE, OP_AND, OP_MINUS };

bool bpi_labels_init(bpi_labels *t, bpi_job *job)
{
  *t = (bpi_labels){.job = job};
  t->known = bpi_zalloc(KNOWN, sizeof *t->known);
  const bpi_label_node leaf = {UINT32_MAX, 0, 0};
  if (!t->known || !bpi_vec_push(&t->nodes, leaf) || !bpi_vec_push(&t->nodes, leaf))
    return bpi_job_no_memory(job);
  return true;
}

void bpi_labels_free(bpi_labels *t)
{
  bpi_vec_free(&t->nodes);
  bpi_release(t->slots);
  bpi_release(t->known);
  t->slots = NULL;
  t->known = NULL;
}

/* ---- nodes ------------------------------------------------------------- */

static uint32_t hash(uint32_t a, uint32_t b, uint32_t c)
{
  const uint64_t first = bpi_hash_u64(BPI_HASH_START, (uint64_t)a << 32 | b);
  return (uint32_t)bpi_hash_u64(first, c);
}

static bool make_room(bpi_labels *t)
{
  if (t->nodes.count >= MOST_NODES)
    return bpi_job_too_large(t->job, BP_E_LIMIT, "nodes in its labels", MOST_NODES);
  if ((uint64_t)t->nodes.count * 3 < (uint64_t)t->slot_count * 2) return true;
  const uint32_t size = t->slot_count ? 2 * t->slot_count : 256;
  uint32_t *slots = size > t->slot_count ? bpi_zalloc(size, sizeof *slots) : NULL;
  if (!slots) return bpi_job_no_memory(t->job);
  for (uint32_t id = 2; id < t->nodes.count; id++) {
    const bpi_label_node *n = &t->nodes.at[id];
    uint32_t at = hash(n->var, n->low, n->high) & (size - 1);
    while (slots[at])
      at = (at + 1) & (size - 1);
    slots[at] = id;
  }
  bpi_release(t->slots);
  t->slots = slots;
  t->slot_count = size;
  return true;
}

uint32_t bpi_label_node_of(bpi_labels *t, uint32_t var, uint32_t low, uint32_t high)
{
  if (low == high) return low;
  if (!bpi_job_going(t->job) || !make_room(t)) return BPI_LABEL_FALSE;
  uint32_t at = hash(var, low, high) & (t->slot_count - 1);
  for (; t->slots[at]; at = (at + 1) & (t->slot_count - 1)) {
    const bpi_label_node *n = &t->nodes.at[t->slots[at]];
    if (n->var == var && n->low == low && n->high == high) return t->slots[at];
  }
  if (!bpi_vec_push(&t->nodes, (bpi_label_node){var, low, high})) {
    bpi_job_no_memory(t->job);
    return BPI_LABEL_FALSE;
  }
  return t->slots[at] = t->nodes.count - 1;
}

uint32_t bpi_label_var(bpi_labels *t, uint32_t var)
{
  return bpi_label_node_of(t, var, BPI_LABEL_FALSE, BPI_LABEL_TRUE);
}

/* ---- operations -------------------------------------------------------- */

static uint32_t branch(const bpi_labels *t, uint32_t a, uint32_t var, bool high)
{
  const bpi_label_node *n = &t->nodes.at[a];
  return n->var != var ? a : high ? n->high : n->low;
}

static uint32_t least_var(const bpi_labels *t, uint32_t a, uint32_t b)
{
  const uint32_t x = t->nodes.at[a].var, y = t->nodes.at[b].var;
  return x < y ? x : y;
}

static uint32_t apply(bpi_labels *t, uint32_t op, uint32_t a, uint32_t b);

static uint32_t apply_inside(bpi_labels *t, uint32_t op, uint32_t a, uint32_t b)
{
  const uint32_t slot = hash(op, a, b) & (KNOWN - 1);
  if (t->known[slot].op == op && t->known[slot].a == a && t->known[slot].b == b)
    return t->known[slot].result;
  if (!bpi_job_going(t->job)) return BPI_LABEL_FALSE;
  const uint32_t var = least_var(t, a, b);
  const uint32_t low = apply(t, op, branch(t, a, var, false), branch(t, b, var, false));
  const uint32_t high = apply(t, op, branch(t, a, var, true), branch(t, b, var, true));
  const uint32_t result = bpi_label_node_of(t, var, low, high);
  if (t->job->status == BP_OK) t->known[slot] = (struct bpi_label_known){op, a, b, result};
  return result;
}

static uint32_t apply(bpi_labels *t, uint32_t op, uint32_t a, uint32_t b)
{
  if (op == OP_AND) {
    if (a == b || b == BPI_LABEL_TRUE) return a;
    if (a == BPI_LABEL_TRUE) return b;
    if (a == BPI_LABEL_FALSE || b == BPI_LABEL_FALSE) return BPI_LABEL_FALSE;
    return a < b ? apply_inside(t, op, a, b) : apply_inside(t, op, b, a);
  }
  if (a == b || a == BPI_LABEL_FALSE || b == BPI_LABEL_TRUE) return BPI_LABEL_FALSE;
  if (b == BPI_LABEL_FALSE) return a;
  return apply_inside(t, op, a, b);
}

uint32_t bpi_label_and(bpi_labels *t, uint32_t a, uint32_t b)
{
  return apply(t, OP_AND, a, b);
}

uint32_t bpi_label_minus(bpi_labels *t, uint32_t a, uint32_t b)
{
  return apply(t, OP_MINUS, a, b);
}

uint32_t bpi_label_not(bpi_labels *t, uint32_t a)
{
  return apply(t, OP_MINUS, BPI_LABEL_TRUE, a);
}

uint32_t bpi_label_or(bpi_labels *t, uint32_t a, uint32_t b)
{
  if (a == b || b == BPI_LABEL_FALSE) return a;
  if (a == BPI_LABEL_FALSE) return b;
  return bpi_label_not(t, apply(t, OP_MINUS, bpi_label_not(t, a), b));
}

/* ---- covers ------------------------------------------------------------ */

typedef struct cover {
  bpi_labels *t;
  bpi_cube_fn *fn;
  void *user;
  BPI_VEC(uint32_t) path;
  bool stopped;
} cover;

static uint32_t isop(cover *c, uint32_t lower, uint32_t upper);

static uint32_t isop_with(cover *c, uint32_t literal, uint32_t lower, uint32_t upper)
{
  if (c->stopped || !bpi_vec_push(&c->path, literal)) {
    if (!c->stopped) bpi_job_no_memory(c->t->job);
    c->stopped = true;
    return BPI_LABEL_FALSE;
  }
  const uint32_t covered = isop(c, lower, upper);
  c->path.count--;
  return covered;
}

/* Covers all of `lower` and nothing outside `upper`; returns what it covered. */
static uint32_t isop(cover *c, uint32_t lower, uint32_t upper)
{
  bpi_labels *t = c->t;
  if (c->stopped || lower == BPI_LABEL_FALSE) return BPI_LABEL_FALSE;
  if (upper == BPI_LABEL_TRUE) {
    const bpi_cube cube = {c->path.at, c->path.count};
    c->stopped = !bpi_job_going(t->job) || !c->fn(&cube, c->user);
    return BPI_LABEL_TRUE;
  }
  const uint32_t var = least_var(t, lower, upper);
  const uint32_t l0 = branch(t, lower, var, false), l1 = branch(t, lower, var, true);
  const uint32_t u0 = branch(t, upper, var, false), u1 = branch(t, upper, var, true);
  const uint32_t f0 = isop_with(c, 2 * var + 1, bpi_label_minus(t, l0, u1), u0);
  const uint32_t f1 = isop_with(c, 2 * var, bpi_label_minus(t, l1, u0), u1);
  const uint32_t rest = bpi_label_or(t, bpi_label_minus(t, l0, f0), bpi_label_minus(t, l1, f1));
  const uint32_t both = isop(c, rest, bpi_label_and(t, u0, u1));
  c->stopped = c->stopped || t->job->status != BP_OK;
  return bpi_label_node_of(t, var, bpi_label_or(t, f0, both), bpi_label_or(t, f1, both));
}

bool bpi_label_cover(bpi_labels *t, uint32_t a, bpi_cube_fn *fn, void *user)
{
  cover c = {.t = t, .fn = fn, .user = user};
  isop(&c, a, a);
  bpi_vec_free(&c.path);
  return !c.stopped;
}
