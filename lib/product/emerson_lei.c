/* SPDX-License-Identifier: MIT */
#include "product/cycle.h"

/* The largest part of `z` each head of which comes, inside the part, behind an accepting move of it, or
 * backward, before one. Empty just when there is no cycle with such a move. */
static void shrink(bpi_cycle *c, const bpi_region *region, bpi_family *z, bool backward)
{
  bpi_family next = {0};
  bool done = !bpi_family_new(c, &next);
  while (!done && bpi_going(c->h->e)) {
    bpi_family_accepting(c, region, &next, z, z, backward);
    if (!bpi_family_empty(region, &next)) bpi_family_reach(c, region, &next, z, backward, NULL);
    c->rounds++;
    done = bpi_family_empty(region, &next) || bpi_family_same(region, &next, z);
    if (bpi_going(c->h->e)) bpi_family_copy(c, region, z, &next);
  }
  bpi_family_free(c, region, &next);
}

/* Some head of the family, at a vertex where it can be asked for; BP_NONE: there is none. */
static uint32_t pick(bpi_cycle *c, const bpi_region *region, const bpi_family *f, bpi_bdd *head)
{
  for (uint32_t i = 0; i < region->members.count; i++) {
    const uint32_t v = region->members.at[i];
    if (f->at[v] == BPI_FALSE || !bpi_heads_begins(c->h, v)) continue;
    *head = bpi_cycle_pick(c, v, f->at[v]);
    return v;
  }
  return BP_NONE;
}

/* Whether an accepting move stays inside the component `part`; then all of it is on such cycles. */
static bool accepts(bpi_cycle *c, const bpi_region *region, const bpi_family *part)
{
  bpi_family hit = {0};
  bool any = false;
  if (bpi_family_new(c, &hit)) {
    bpi_family_accepting(c, region, &hit, part, part, false);
    any = bpi_going(c->h->e) && !bpi_family_empty(region, &hit);
  }
  bpi_family_free(c, region, &hit);
  return any;
}

/* One round of the way down: from a head to all behind it. When its component has no accepting move, an
 * accepting cycle lies behind it, outside the component. */
static void descend(bpi_cycle *c, const bpi_region *region, bpi_family *z, bpi_family *last,
                    bpi_family *behind, bpi_family *part)
{
  bpi_bdd head = BPI_FALSE;
  uint32_t v = pick(c, region, last, &head);
  if (v == BP_NONE) v = pick(c, region, z, &head);
  if (v == BP_NONE) {
    c->h->e->broken = true;
    return;
  }
  bpi_family seed = {0};
  if (bpi_family_new(c, &seed)) {
    seed.at[v] = bpi_bdd_keep(c->h->e->m, head);
    bpi_family_step(c, region, behind, &seed, z, false);
    bpi_family_reach(c, region, behind, z, false, last);
    bpi_family_step(c, region, part, &seed, z, true);
    bpi_family_reach(c, region, part, behind, true, NULL);
    bpi_family_and(c, region, part, behind);
    const bpi_bdd there = bpi_bdd_and(c->h->e->m, part->at[v], head);
    const bool cyclic = there != BPI_FALSE;
    bpi_bdd_drop(c->h->e->m, there);
    if (bpi_going(c->h->e) && cyclic && accepts(c, region, part)) bpi_cycle_take(c, v, head);
    bpi_family_copy(c, region, z, behind);
    if (cyclic) bpi_family_diff(c, region, z, part);
    bpi_family_diff(c, region, z, &seed);
    bpi_family_and(c, region, last, z);
  }
  bpi_family_free(c, region, &seed);
  bpi_bdd_drop(c->h->e->m, head);
}

/* `z` has an accepting cycle, and behind every head of it there is one. */
static void find_inside(bpi_cycle *c, const bpi_region *region, bpi_family *z)
{
  bpi_family last = {0}, behind = {0}, part = {0};
  if (bpi_family_new(c, &last) && bpi_family_new(c, &behind) && bpi_family_new(c, &part))
    while (bpi_going(c->h->e) && !c->found && !c->h->e->broken)
      descend(c, region, z, &last, &behind, &part);
  bpi_family_free(c, region, &last);
  bpi_family_free(c, region, &behind);
  bpi_family_free(c, region, &part);
}

void bpi_cycle_emerson_lei(bpi_cycle *c, const bpi_region *region)
{
  bpi_family z = {0};
  if (bpi_family_new(c, &z)) {
    const bpi_family all = {c->h->at};
    bpi_family_copy(c, region, &z, &all);
    shrink(c, region, &z, false);
    if (bpi_going(c->h->e) && !bpi_family_empty(region, &z)) {
      shrink(c, region, &z, true);
      if (bpi_going(c->h->e)) find_inside(c, region, &z);
    }
  }
  bpi_family_free(c, region, &z);
}
