/* SPDX-License-Identifier: MIT
 * Components of heads, one by one. */
#include "product/cycle.h"

typedef struct parts {
  BPI_VEC(bpi_family) list; /* disjoint, and no component lies in two of them */
} parts;

/* What has no head before it or none behind it is on no cycle. */
static void trim(bpi_cycle *c, const bpi_region *region, bpi_family *v)
{
  bpi_family next = {0};
  bool changed = bpi_family_new(c, &next);
  while (changed && bpi_going(c->h->e)) {
    changed = false;
    for (int backward = 0; backward < 2 && bpi_going(c->h->e); backward++) {
      bpi_family_step(c, region, &next, v, v, backward);
      changed |= !bpi_family_same(region, &next, v);
      if (bpi_going(c->h->e)) bpi_family_copy(c, region, v, &next);
    }
  }
  bpi_family_free(c, region, &next);
}

/* Keeps `f`, given away, for later. */
static void keep(bpi_cycle *c, const bpi_region *region, parts *p, bpi_family *f)
{
  if (!bpi_family_empty(region, f) && bpi_vec_push(&p->list, *f)) return;
  if (!bpi_family_empty(region, f)) c->h->e->stop = BP_REASON_MEMORY;
  bpi_family_free(c, region, f);
}

/* `f` without `g`. */
static void keep_rest(bpi_cycle *c, const bpi_region *region, parts *p, const bpi_family *f,
                      const bpi_family *g, const bpi_family *h)
{
  bpi_family rest = {0};
  if (!bpi_family_new(c, &rest)) return;
  bpi_family_copy(c, region, &rest, f);
  bpi_family_diff(c, region, &rest, g);
  if (h) bpi_family_diff(c, region, &rest, h);
  keep(c, region, p, &rest);
}

static uint32_t some_vertex(bpi_cycle *c, const bpi_region *region, const bpi_family *f)
{
  for (uint32_t i = 0; i < region->members.count; i++) {
    const uint32_t v = region->members.at[i];
    if (f->at[v] != BPI_FALSE && bpi_heads_begins(c->h, v)) return v;
  }
  return BP_NONE;
}

/* The component of a head, `all`, and whether an accepting move stays in it. */
static void judge(bpi_cycle *c, const bpi_region *region, uint32_t v, bpi_bdd head,
                  const bpi_family *all)
{
  bpi_family hit = {0};
  if (!bpi_family_new(c, &hit)) return;
  bpi_family_accepting(c, region, &hit, all, all, false);
  if (bpi_going(c->h->e) && !bpi_family_empty(region, &hit)) bpi_cycle_take(c, v, head);
  bpi_family_free(c, region, &hit);
}

static void look_at(bpi_cycle *c, const bpi_region *region, parts *p, bpi_family *v)
{
  bpi_family before = {0}, behind = {0}, both = {0};
  trim(c, region, v);
  const uint32_t at = bpi_going(c->h->e) ? some_vertex(c, region, v) : BP_NONE;
  /* A part that is left has cycles, and each has a position in it. */
  if (at == BP_NONE && bpi_going(c->h->e) && !bpi_family_empty(region, v)) c->h->e->broken = true;
  const bool memory = at != BP_NONE && bpi_family_new(c, &before) && bpi_family_new(c, &behind) &&
                      bpi_family_new(c, &both);
  if (memory) {
    const bpi_bdd head = bpi_cycle_pick(c, at, v->at[at]);
    before.at[at] = bpi_bdd_keep(c->h->e->m, head);
    behind.at[at] = bpi_bdd_keep(c->h->e->m, head);
    bpi_family_reach(c, region, &behind, v, false, NULL);
    bpi_family_reach(c, region, &before, v, true, NULL);
    bpi_family_copy(c, region, &both, &before);
    bpi_family_and(c, region, &both, &behind);
    c->rounds++;
    if (bpi_going(c->h->e)) judge(c, region, at, head, &both);
    bpi_bdd_drop(c->h->e->m, head);
    if (bpi_going(c->h->e) && !c->found) {
      keep_rest(c, region, p, &behind, &both, NULL);
      keep_rest(c, region, p, &before, &both, NULL);
      keep_rest(c, region, p, v, &before, &behind);
    }
  }
  bpi_family_free(c, region, &before);
  bpi_family_free(c, region, &behind);
  bpi_family_free(c, region, &both);
}

void bpi_cycle_xie_beerel(bpi_cycle *c, const bpi_region *region)
{
  parts p = {0};
  bpi_family v = {0};
  if (bpi_family_new(c, &v)) {
    const bpi_family all = {c->h->at};
    bpi_family_copy(c, region, &v, &all);
    keep(c, region, &p, &v);
  }
  while (p.list.count && bpi_going(c->h->e) && !c->found) {
    bpi_family next = p.list.at[--p.list.count];
    look_at(c, region, &p, &next);
    bpi_family_free(c, region, &next);
  }
  for (uint32_t i = 0; i < p.list.count; i++)
    bpi_family_free(c, region, &p.list.at[i]);
  bpi_vec_free(&p.list);
}
