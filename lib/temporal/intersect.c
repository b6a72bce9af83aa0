/* SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "temporal/translate.h"

typedef struct pairs {
  BPI_VEC(uint64_t) list;
  uint32_t *slots; /* number + 1, 0: free */
  uint32_t slot_count;
} pairs;

static bool make_room(pairs *p)
{
  if ((uint64_t)p->list.count * 3 < (uint64_t)p->slot_count * 2) return true;
  const uint32_t size = p->slot_count ? 2 * p->slot_count : 64;
  uint32_t *slots = size > p->slot_count ? bpi_zalloc(size, sizeof *slots) : NULL;
  if (!slots) return false;
  for (uint32_t i = 0; i < p->list.count; i++) {
    uint32_t at = (uint32_t)bpi_hash_u64(BPI_HASH_START, p->list.at[i]) & (size - 1);
    while (slots[at])
      at = (at + 1) & (size - 1);
    slots[at] = i + 1;
  }
  bpi_release(p->slots);
  p->slots = slots;
  p->slot_count = size;
  return true;
}

static uint32_t number_of(pairs *p, uint32_t x, uint32_t y)
{
  const uint64_t pair = (uint64_t)x << 32 | y;
  if (!make_room(p)) return BP_NONE;
  uint32_t at = (uint32_t)bpi_hash_u64(BPI_HASH_START, pair) & (p->slot_count - 1);
  for (; p->slots[at]; at = (at + 1) & (p->slot_count - 1))
    if (p->list.at[p->slots[at] - 1] == pair) return p->slots[at] - 1;
  if (!bpi_vec_push(&p->list, pair)) return BP_NONE;
  p->slots[at] = p->list.count;
  return p->list.count - 1;
}

static bool add_edges(bpi_graph *out, pairs *p, uint32_t from, const bpi_graph *a,
                      const bpi_graph *b)
{
  const uint32_t x = (uint32_t)(p->list.at[from] >> 32), y = (uint32_t)p->list.at[from];
  for (uint32_t i = a->first[x]; i < a->first[x + 1]; i++)
    for (uint32_t k = b->first[y]; k < b->first[y + 1]; k++) {
      const bpi_edge *e = &a->edges.at[i], *f = &b->edges.at[k];
      const uint32_t label = bpi_label_and(a->labels, e->label, f->label);
      if (!bpi_job_going(a->labels->job)) return false;
      if (label == BPI_LABEL_FALSE) continue;
      const uint32_t to = number_of(p, e->to, f->to);
      if (to == BP_NONE) return bpi_job_no_memory(a->labels->job);
      const uint64_t sets = a->sets < 64 ? f->sets << a->sets : 0;
      if (!bpi_graph_add(out, from, to, label, e->sets | sets)) return false;
    }
  return true;
}

static bool add_initial(bpi_graph *out, pairs *p, uint32_t x, uint32_t y)
{
  const uint32_t pair = number_of(p, x, y);
  if (pair == BP_NONE || !bpi_vec_push(&out->initial, pair))
    return bpi_job_no_memory(out->labels->job);
  return bpi_job_going(out->labels->job);
}

bool bpi_graph_intersect(bpi_graph *out, const bpi_graph *a, const bpi_graph *b, uint32_t most)
{
  pairs p = {0};
  bool good = true;
  *out = (bpi_graph){.labels = a->labels, .sets = a->sets + b->sets};
  for (uint32_t i = 0; good && i < a->initial.count; i++)
    for (uint32_t k = 0; good && k < b->initial.count; k++)
      good = add_initial(out, &p, a->initial.at[i], b->initial.at[k]);
  for (uint32_t i = 0; good && i < p.list.count; i++)
    good = p.list.count <= most ? add_edges(out, &p, i, a, b)
                                : bpi_job_too_large(a->labels->job, BP_E_LIMIT, "states", most);
  out->states = p.list.count;
  bpi_vec_free(&p.list);
  bpi_release(p.slots);
  return good && bpi_graph_sort(out);
}
