/* SPDX-License-Identifier: MIT */
#include "product/cycle.h"

#include "product/component.h"

/* What the first attempts may spend; 1 for tests: every attempt is given up some times. */
#ifndef BPI_LEAST_IMAGES
#define BPI_LEAST_IMAGES 2000
#endif
enum { LEAST_IMAGES = BPI_LEAST_IMAGES, LEAST_POLLS = 32 };

/* ---- what is found ------------------------------------------------------- */

bpi_bdd bpi_cycle_pick(bpi_cycle *c, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = c->h->e;
  uint8_t *values = bpi_zalloc((size_t)3 * bpi_bdd_slot_count(e->m), 1);
  bpi_bdd head = BPI_TRUE;
  if (!values) e->stop = BP_REASON_MEMORY;
  if (!bpi_going(e) || !bpi_bdd_pick(e->m, set, values)) {
    bpi_release(values);
    return BPI_FALSE;
  }
  const uint64_t *live = bpi_live(&e->a, vertex);
  for (uint32_t i = e->a.places; i-- > 0;) {
    const uint32_t var = bpi_bdd_var(e->layout.slot[i], BPI_CURRENT);
    if (bpi_bit(live, i)) bpi_conjoin(e, &head, bpi_bdd_literal(e->m, var, values[var]));
  }
  bpi_release(values);
  return head;
}

void bpi_cycle_take(bpi_cycle *c, uint32_t vertex, bpi_bdd set)
{
  c->head = bpi_cycle_pick(c, vertex, set);
  c->vertex = vertex;
  c->found = bpi_going(c->h->e);
}

/* ---- regions ------------------------------------------------------------- */

void bpi_cycle_enter(bpi_cycle *c, bpi_region *region)
{
  if (!region->id) region->id = ++c->regions;
  for (uint32_t i = 0; i < region->members.count; i++)
    c->region[region->members.at[i]] = region->id;
}

void bpi_regions_clear(bpi_regions *regions)
{
  for (uint32_t i = 0; i < regions->count; i++)
    bpi_vec_free(&regions->at[i].members);
  bpi_vec_free(regions);
}

/* Gathers the components that have a cycle; `loops` tells which have, by component. */
static bool gather(const bpi_components *parts, const uint8_t *loops, const uint32_t *members,
                   bpi_regions *out)
{
  uint32_t *number = bpi_alloc(parts->count, sizeof *number);
  bool memory = number != NULL;
  for (uint32_t i = 0; memory && i < parts->count; i++) {
    number[i] = out->count;
    if (loops[i]) memory = bpi_vec_push(out, (bpi_region){.id = 0});
  }
  for (uint32_t i = 0; memory && i < parts->nodes; i++)
    if (loops[parts->of[i]])
      memory = bpi_vec_push(&out->at[number[parts->of[i]]].members, members[i]);
  bpi_release(number);
  return memory;
}

bool bpi_cycle_split(bpi_cycle *c, const uint32_t *members, uint32_t count, bpi_regions *out)
{
  const bpi_heads *h = c->h;
  const uint32_t id = ++c->regions;
  uint32_t *const where = c->where;
  uint8_t *loops = bpi_zalloc((size_t)count + 1, 1);
  bpi_components parts;
  bool memory = bpi_components_begin(&parts, count) && loops;
  for (uint32_t i = 0; memory && i < count; i++) {
    where[members[i]] = i;
    c->region[members[i]] = id;
  }
  for (uint32_t i = 0; memory && i < count; i++)
    for (uint32_t k = h->first[members[i]]; k < h->first[members[i] + 1]; k++)
      if (c->region[h->moves.at[k].to] == id)
        bpi_components_edge(&parts, i, where[h->moves.at[k].to]);
  memory = memory && bpi_components_find(&parts);
  for (uint32_t i = 0; memory && i < parts.ends.count; i += 2)
    if (parts.of[parts.ends.at[i]] == parts.of[parts.ends.at[i + 1]])
      loops[parts.of[parts.ends.at[i]]] = 1;
  memory = memory && gather(&parts, loops, members, out);
  bpi_components_end(&parts);
  bpi_release(loops);
  if (!memory) h->e->stop = BP_REASON_MEMORY;
  return memory;
}

/* ---- the search ---------------------------------------------------------- */

/* Whether some move inside the region is accepting; without one the region is out. */
static bool can_accept(bpi_cycle *c, const bpi_region *region)
{
  bpi_heads *h = c->h;
  for (uint32_t i = 0; i < region->members.count; i++) {
    const uint32_t v = region->members.at[i];
    for (uint32_t k = h->first[v]; k < h->first[v + 1] && bpi_going(h->e); k++) {
      if (!h->moves.at[k].accepts || !bpi_cycle_inside(c, &h->moves.at[k])) continue;
      const bpi_pair pair = bpi_heads_move(h, &h->moves.at[k], h->at[v]);
      const bool yes = pair.yes != BPI_FALSE;
      bpi_pair_drop(h->e, pair);
      if (yes && bpi_going(h->e)) return true;
    }
  }
  return false;
}

/* One attempt with so much work to spend. False when it was not enough; nothing is known then. */
static bool attempt(bpi_cycle *c, bpi_region *region, bp_ltl_search search, uint64_t images,
                    uint64_t polls)
{
  bpi_engine *e = c->h->e;
  const uint64_t limit = e->step_limit, outer = bpi_bdd_budget(e->m, polls);
  const bool less = images < limit - e->steps;
  if (less) e->step_limit = e->steps + images;
  e->next_look = 0;
  bpi_cycle_enter(c, region);
  if (search == BP_LTL_EMERSON_LEI)
    bpi_cycle_emerson_lei(c, region);
  else
    bpi_cycle_closure(c, region);
  const bool spent = bpi_bdd_end_budget(e->m, outer);
  const bool ended = less && e->stop == BP_REASON_STEPS;
  e->step_limit = limit;
  e->next_look = 0;
  if (ended) e->stop = BP_REASON_NONE;
  return !spent && !ended;
}

/* Whether the search that just ended did so at the limit of nodes, and what is left keeps to it. */
static bool was_too_large(bpi_engine *e)
{
  return e->stop == BP_REASON_NONE && bpi_bdd_status(e->m) == BPI_BDD_NODES &&
         bpi_bdd_recover(e->m) && bpi_bdd_within_limit(e->m);
}

/* The fixed point is fast where sets are wide and loops short, the closure where loops are long. Neither
 * is known before, so they take turns, each time with twice the work to spend. One that needs more nodes
 * than there may be leaves the rest to the other. */
static void take_turns(bpi_cycle *c, bpi_region *region)
{
  static const bp_ltl_search searches[] = {BP_LTL_EMERSON_LEI, BP_LTL_CLOSURE};
  bpi_engine *e = c->h->e;
  uint64_t images = LEAST_IMAGES * (1 + (uint64_t)region->members.count / 100) + e->steps / 8;
  uint64_t polls = LEAST_POLLS + bpi_bdd_polls(e->m) / 8 + images / 64;
  unsigned turn = 0;
  bool alone = false;
  while (bpi_going(e)) {
    const bool done = attempt(c, region, searches[turn], images, polls);
    const bool too_large = done && !alone && was_too_large(e);
    if (done && !too_large) return;
    if (too_large) {
      alone = true;
      images = polls = UINT64_MAX / 4;
    }
    if (!alone || too_large) turn = !turn;
    if (!turn && !alone) images *= 2, polls *= 2;
  }
}

static void look_through(bpi_cycle *c, bpi_region *region)
{
  bpi_cycle_enter(c, region);
  c->components++;
  if (!can_accept(c, region)) return;
  switch (c->search) {
  case BP_LTL_EMERSON_LEI: bpi_cycle_emerson_lei(c, region); break;
  case BP_LTL_XIE_BEEREL: bpi_cycle_xie_beerel(c, region); break;
  case BP_LTL_CLOSURE: bpi_cycle_closure(c, region); break;
  default: take_turns(c, region);
  }
}

bool bpi_cycle_find(bpi_cycle *c, bpi_heads *h, bp_ltl_search search, bool monotone)
{
  const uint32_t n = h->e->cfg->vertices.count;
  BPI_VEC(uint32_t) members = {0};
  bpi_regions regions = {0};
  *c = (bpi_cycle){.h = h, .search = search, .monotone = monotone, .head = BPI_FALSE};
  c->region = bpi_zalloc(n, sizeof *c->region);
  c->where = bpi_alloc(n, sizeof *c->where);
  bool memory = c->region && c->where;
  for (uint32_t v = 0; memory && v < n; v++)
    if (h->at[v] != BPI_FALSE) memory = bpi_vec_push(&members, v);
  if (!memory) h->e->stop = BP_REASON_MEMORY;
  memory = memory && bpi_cycle_split(c, members.at, members.count, &regions);
  for (uint32_t i = 0; memory && i < regions.count && bpi_going(h->e) && !c->found; i++)
    look_through(c, &regions.at[i]);
  bpi_regions_clear(&regions);
  bpi_vec_free(&members);
  return bpi_going(h->e) && !h->e->broken;
}

void bpi_cycle_clear(bpi_cycle *c)
{
  if (!c->h) return;
  bpi_cycle_closure_end(c);
  while (c->spare.count)
    bpi_release(c->spare.at[--c->spare.count]);
  bpi_vec_free(&c->spare);
  bpi_bdd_drop(c->h->e->m, c->head);
  bpi_release(c->where);
  bpi_release(c->region);
  *c = (bpi_cycle){0};
}
