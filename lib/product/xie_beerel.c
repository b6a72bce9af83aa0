/* SPDX-License-Identifier: MIT
 * Components of heads, one by one. */
#include "product/cycle.h"

struct bpi_parts {
  bpi_cycle *c;
  const bpi_region *region;
  bool (*phase)(struct bpi_parts *x); /* NULL: a part is to be taken */
  BPI_VEC(bpi_family) list;           /* disjoint, and no component lies in two of them */
  bpi_sweep sweep;
  bpi_family v;           /* the part at work */
  bpi_family next;        /* what becomes of it, until all of it is there */
  bool backward, changed; /* of a round that makes it smaller */
  bpi_family before, behind, both;
  uint32_t vertex; /* of the head whose component is looked at */
  bpi_bdd head;
};
typedef struct bpi_parts parts;

/* ---- what is left of a part ------------------------------------------------ */

/* `f` without `g` and `h`, for later. */
static bool add_rest(parts *x, bpi_family *rest, const bpi_family *f, const bpi_family *g,
                     const bpi_family *h)
{
  if (!bpi_family_new(x->c, rest)) return false;
  bpi_family_copy(x->c, x->region, rest, f);
  bpi_family_diff(x->c, x->region, rest, g);
  bpi_family_diff(x->c, x->region, rest, h);
  return bpi_going(x->c->h->e);
}

/* The part falls into what is behind the component, what is before it, and the rest. */
static bool break_up(parts *x)
{
  bpi_cycle *c = x->c;
  bpi_family rests[3] = {{0}};
  const bool room = bpi_vec_reserve(&x->list, 3);
  if (!room) c->h->e->stop = BP_REASON_MEMORY;
  const bool all = room && add_rest(x, &rests[0], &x->behind, &x->before, &x->before) &&
                   add_rest(x, &rests[1], &x->before, &x->behind, &x->behind) &&
                   add_rest(x, &rests[2], &x->v, &x->before, &x->behind);
  for (uint32_t i = 0; i < 3; i++) {
    if (all && !bpi_family_empty(x->region, &rests[i]))
      x->list.at[x->list.count++] = rests[i];
    else
      bpi_family_free(c, x->region, &rests[i]);
  }
  if (all) x->phase = NULL;
  return all;
}

/* ---- a component ----------------------------------------------------------- */

/* Whether an accepting move stays in the component. */
static bool judge(parts *x)
{
  bpi_cycle *c = x->c;
  if (!bpi_family_accepting(c, x->region, &x->sweep, &x->next, &x->both, &x->both, false))
    return false;
  if (bpi_family_empty(x->region, &x->next)) {
    x->phase = break_up;
    return true;
  }
  const bpi_bdd reached = bpi_heads_reached(c->h, x->vertex, x->head);
  if (reached != BPI_FALSE)
    bpi_cycle_take(c, x->vertex, reached);
  else if (bpi_going(c->h->e))
    x->phase = break_up; /* executions reach none of the component */
  bpi_bdd_drop(c->h->e->m, reached);
  return bpi_going(c->h->e);
}

static bool meet(parts *x)
{
  bpi_family_copy(x->c, x->region, &x->both, &x->before);
  bpi_family_and(x->c, x->region, &x->both, &x->behind);
  if (!bpi_going(x->c->h->e)) return false;
  x->c->rounds++;
  x->phase = judge;
  return true;
}

static bool reach_before(parts *x)
{
  if (!bpi_family_reach(x->c, x->region, &x->sweep, &x->before, &x->v, true, NULL)) return false;
  x->phase = meet;
  return true;
}

static bool reach_behind(parts *x)
{
  if (!bpi_family_reach(x->c, x->region, &x->sweep, &x->behind, &x->v, false, NULL)) return false;
  x->phase = reach_before;
  return true;
}

static uint32_t some_vertex(bpi_cycle *c, const bpi_region *region, const bpi_family *f)
{
  for (uint32_t i = 0; i < region->members.count; i++) {
    const uint32_t v = region->members.at[i];
    if (f->at[v] != BPI_FALSE && bpi_heads_begins(c->h, v)) return v;
  }
  return BP_NONE;
}

static bool choose(parts *x)
{
  bpi_cycle *c = x->c;
  bpi_engine *e = c->h->e;
  const uint32_t v = some_vertex(c, x->region, &x->v);
  /* A part that is left has cycles, and each has a position in it. */
  if (v == BP_NONE) e->broken = !bpi_family_empty(x->region, &x->v);
  if (v == BP_NONE) x->phase = NULL;
  if (v == BP_NONE) return !e->broken;
  const bpi_bdd head = bpi_cycle_pick(c, v, x->v.at[v]);
  if (!bpi_going(e)) {
    bpi_bdd_drop(e->m, head);
    return false;
  }
  bpi_bdd_drop(e->m, x->head);
  x->head = head;
  x->vertex = v;
  bpi_family_clear(c, x->region, &x->before);
  bpi_family_clear(c, x->region, &x->behind);
  x->before.at[v] = bpi_bdd_keep(e->m, head);
  x->behind.at[v] = bpi_bdd_keep(e->m, head);
  x->phase = reach_behind;
  return true;
}

/* What has no head before it or none behind it is on no cycle. */
static bool trim(parts *x)
{
  bpi_cycle *c = x->c;
  while (x->phase == trim) {
    if (!bpi_family_step(c, x->region, &x->sweep, &x->next, &x->v, &x->v, x->backward))
      return false;
    x->changed |= !bpi_family_same(x->region, &x->next, &x->v);
    bpi_family_copy(c, x->region, &x->v, &x->next);
    x->backward = !x->backward;
    if (x->backward) continue;
    if (!x->changed) x->phase = choose;
    x->changed = false;
  }
  return true;
}

/* ---- the search ------------------------------------------------------------ */

static bool begin(bpi_cycle *c, const bpi_region *region)
{
  if (c->parts) return true;
  parts *x = bpi_zalloc(1, sizeof *x);
  if (!x) {
    c->h->e->stop = BP_REASON_MEMORY;
    return false;
  }
  c->parts = x;
  *x = (parts){.c = c, .region = region, .phase = trim, .head = BPI_FALSE};
  bpi_family *const families[] = {&x->v, &x->next, &x->before, &x->behind, &x->both};
  for (uint32_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (bpi_family_new(c, families[i])) continue;
    bpi_cycle_xie_beerel_end(c);
    return false;
  }
  bpi_family_copy(c, region, &x->v, &(const bpi_family){c->h->at});
  return true;
}

/* Takes a part of the list. */
static void take(parts *x)
{
  bpi_family_free(x->c, x->region, &x->v);
  x->v = x->list.at[--x->list.count];
  x->phase = trim;
}

bool bpi_cycle_xie_beerel(bpi_cycle *c, const bpi_region *region)
{
  if (!begin(c, region)) return false;
  parts *x = c->parts;
  while (!c->found && (x->phase || x->list.count)) {
    if (!x->phase) take(x);
    if (!x->phase(x)) return false;
  }
  return true;
}

void bpi_cycle_xie_beerel_end(bpi_cycle *c)
{
  parts *x = c->parts;
  if (!x) return;
  bpi_sweep_end(c, x->region, &x->sweep);
  bpi_family *const families[] = {&x->v, &x->next, &x->before, &x->behind, &x->both};
  for (uint32_t i = 0; i < sizeof families / sizeof *families; i++)
    bpi_family_free(c, x->region, families[i]);
  while (x->list.count)
    bpi_family_free(c, x->region, &x->list.at[--x->list.count]);
  bpi_vec_free(&x->list);
  bpi_bdd_drop(c->h->e->m, x->head);
  bpi_release(x);
  c->parts = NULL;
}
