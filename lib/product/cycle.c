/* SPDX-License-Identifier: MIT */
#include "product/cycle.h"

#include "product/component.h"

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
static bool look_for_accepting(bpi_cycle *c, const bpi_region *region)
{
  bpi_heads *h = c->h;
  bpi_sweep *w = &c->sweep;
  for (; w->member < region->members.count && !c->can_accept; w->member++, w->move = 0) {
    const uint32_t v = region->members.at[w->member];
    for (; h->first[v] + w->move < h->first[v + 1] && !c->can_accept; w->move++) {
      const bpi_move *move = &h->moves.at[h->first[v] + w->move];
      if (!move->accepts || !bpi_cycle_inside(c, move)) continue;
      const bpi_pair pair = bpi_heads_move(h, move, h->at[v]);
      const bool yes = pair.yes != BPI_FALSE;
      bpi_pair_drop(h->e, pair);
      if (!bpi_going(h->e)) return false;
      c->can_accept = yes;
    }
  }
  return true;
}

static bool look_through(bpi_cycle *c, bpi_region *region)
{
  bpi_cycle_enter(c, region);
  c->components += !c->counted;
  c->counted = true;
  if (!c->can_accept && !look_for_accepting(c, region)) return false;
  if (!c->can_accept) return true;
  switch (c->search) {
  case BP_LTL_EMERSON_LEI: return bpi_cycle_emerson_lei(c, region);
  case BP_LTL_XIE_BEEREL: return bpi_cycle_xie_beerel(c, region);
  case BP_LTL_CLOSURE: return bpi_cycle_closure(c, region);
  default: return bpi_cycle_turns(c, region);
  }
}

static void leave(bpi_cycle *c)
{
  bpi_cycle_emerson_lei_end(c);
  bpi_cycle_xie_beerel_end(c);
  bpi_cycle_closure_end(c);
  c->counted = c->can_accept = false;
  c->sweep = (bpi_sweep){0};
  c->turns = (bpi_turns){0};
}

static bool begin(bpi_cycle *c, bpi_heads *h)
{
  const uint32_t n = h->e->cfg->vertices.count;
  BPI_VEC(uint32_t) members = {0};
  c->h = h;
  if (!c->region) c->region = bpi_zalloc(n, sizeof *c->region);
  if (!c->where) c->where = bpi_alloc(n, sizeof *c->where);
  bool memory = c->region && c->where;
  for (uint32_t v = 0; memory && v < n; v++)
    if (h->at[v] != BPI_FALSE) memory = bpi_vec_push(&members, v);
  memory = memory && bpi_cycle_split(c, members.at, members.count, &c->list);
  if (!memory) bpi_regions_clear(&c->list);
  if (!memory) h->e->stop = BP_REASON_MEMORY;
  bpi_vec_free(&members);
  c->split = memory;
  return memory;
}

bool bpi_cycle_find(bpi_cycle *c, bpi_heads *h, bp_ltl_search search, bool monotone)
{
  c->search = search;
  c->monotone = monotone;
  if (!c->split && !begin(c, h)) return false;
  for (; c->next < c->list.count && !c->found; c->next++) {
    if (!look_through(c, &c->list.at[c->next]) || !bpi_going(h->e)) return false;
    leave(c);
  }
  return true;
}

void bpi_cycle_clear(bpi_cycle *c)
{
  if (!c->h) return;
  leave(c);
  bpi_cycle_closure_free(c);
  while (c->spare.count)
    bpi_release(c->spare.at[--c->spare.count]);
  bpi_vec_free(&c->spare);
  bpi_regions_clear(&c->list);
  bpi_bdd_drop(c->h->e->m, c->head);
  bpi_release(c->where);
  bpi_release(c->region);
  *c = (bpi_cycle){0};
}
