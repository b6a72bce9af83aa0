/* SPDX-License-Identifier: MIT */
#include "product/cycle.h"

struct bpi_fixpoint {
  bpi_cycle *c;
  const bpi_region *region;
  bool (*phase)(struct bpi_fixpoint *x); /* NULL: done. Sets the next one, or is stopped: false */
  bpi_sweep sweep;
  bpi_family z;
  bpi_family next; /* what becomes of a family, until all of it is there */
  bool reaches;    /* of a round that makes z smaller: its accepting moves are gone along */
  bpi_family last, behind, part, seed;
  uint32_t vertex; /* of the seed */
};
typedef struct bpi_fixpoint fixpoint;

/* ---- the largest set ------------------------------------------------------ */

/* The largest part of z each head of which comes, inside the part, behind an accepting move of it, or
 * backward, before one. Empty just when there is no cycle with such a move. */
static bool shrink(fixpoint *x, bool backward)
{
  bpi_cycle *c = x->c;
  bool done = false;
  while (!done) {
    if (!x->reaches &&
        !bpi_family_accepting(c, x->region, &x->sweep, &x->next, &x->z, &x->z, backward))
      return false;
    x->reaches = true;
    if (!bpi_family_reach(c, x->region, &x->sweep, &x->next, &x->z, backward, NULL)) return false;
    x->reaches = false;
    c->rounds++;
    done = bpi_family_empty(x->region, &x->next) || bpi_family_same(x->region, &x->next, &x->z);
    bpi_family_copy(c, x->region, &x->z, &x->next);
  }
  return true;
}

static bool choose(fixpoint *x);

/* What executions reach of it: with a head all that is behind it, and so the cycle there. */
static bool take_reached(fixpoint *x)
{
  const bpi_cycle *c = x->c;
  bpi_family_copy(x->c, x->region, &x->next, &x->z);
  bpi_family_and(x->c, x->region, &x->next, &(const bpi_family){c->h->reached});
  if (!bpi_going(c->h->e)) return false;
  bpi_family_copy(x->c, x->region, &x->z, &x->next);
  x->phase = bpi_family_empty(x->region, &x->z) ? NULL : choose;
  return true;
}

static bool shrink_backward(fixpoint *x)
{
  if (!shrink(x, true)) return false;
  x->phase = x->c->h->reached ? take_reached : choose;
  return true;
}

static bool shrink_forward(fixpoint *x)
{
  if (!shrink(x, false)) return false;
  x->phase = bpi_family_empty(x->region, &x->z) ? NULL : shrink_backward;
  return true;
}

/* ---- a component inside it ------------------------------------------------ */

/* z has an accepting cycle, and behind every head of it there is one. Round by round it goes down from a
 * head to all behind it. When its component has no accepting move, an accepting cycle lies behind it,
 * outside the component. */

/* z without what is not behind the seed and without its component. */
static bool leave(fixpoint *x)
{
  bpi_cycle *c = x->c;
  const bpi_region *region = x->region;
  bpi_family_copy(c, region, &x->next, &x->behind);
  bpi_family_diff(c, region, &x->next, &x->part);
  bpi_family_diff(c, region, &x->next, &x->seed);
  bpi_family_and(c, region, &x->last, &x->next);
  if (!bpi_going(c->h->e)) return false;
  bpi_family_copy(c, region, &x->z, &x->next);
  bpi_family_clear(c, region, &x->seed);
  x->phase = choose;
  return true;
}

/* Whether an accepting move stays inside the component; then all of it is on such cycles. */
static bool judge(fixpoint *x)
{
  bpi_cycle *c = x->c;
  if (!bpi_family_accepting(c, x->region, &x->sweep, &x->next, &x->part, &x->part, false))
    return false;
  if (bpi_family_empty(x->region, &x->next)) {
    x->phase = leave;
    return true;
  }
  bpi_cycle_take(c, x->vertex, x->seed.at[x->vertex]);
  if (c->found) x->phase = NULL;
  return c->found;
}

/* The component: what is behind the seed and before it. Nothing, when the seed is not behind itself. */
static bool meet(fixpoint *x)
{
  bpi_cycle *c = x->c;
  bpi_engine *e = c->h->e;
  bpi_family_copy(c, x->region, &x->next, &x->part);
  bpi_family_and(c, x->region, &x->next, &x->behind);
  const bpi_bdd there = bpi_bdd_and(e->m, x->next.at[x->vertex], x->seed.at[x->vertex]);
  bpi_bdd_drop(e->m, there);
  if (!bpi_going(e)) return false;
  if (there == BPI_FALSE) bpi_family_clear(c, x->region, &x->next);
  bpi_family_copy(c, x->region, &x->part, &x->next);
  x->phase = there == BPI_FALSE ? leave : judge;
  return true;
}

static bool reach_before(fixpoint *x)
{
  if (!bpi_family_reach(x->c, x->region, &x->sweep, &x->part, &x->behind, true, NULL)) return false;
  x->phase = meet;
  return true;
}

static bool step_before(fixpoint *x)
{
  if (!bpi_family_step(x->c, x->region, &x->sweep, &x->part, &x->seed, &x->z, true)) return false;
  x->phase = reach_before;
  return true;
}

static bool reach_behind(fixpoint *x)
{
  if (!bpi_family_reach(x->c, x->region, &x->sweep, &x->behind, &x->z, false, &x->last))
    return false;
  x->phase = step_before;
  return true;
}

static bool step_behind(fixpoint *x)
{
  if (!bpi_family_step(x->c, x->region, &x->sweep, &x->behind, &x->seed, &x->z, false))
    return false;
  x->phase = reach_behind;
  return true;
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

static bool choose(fixpoint *x)
{
  bpi_cycle *c = x->c;
  bpi_bdd head = BPI_FALSE;
  uint32_t v = pick(c, x->region, &x->last, &head);
  if (v == BP_NONE) v = pick(c, x->region, &x->z, &head);
  if (v == BP_NONE) c->h->e->broken = true;
  if (v == BP_NONE || !bpi_going(c->h->e)) {
    bpi_bdd_drop(c->h->e->m, head);
    return false;
  }
  x->seed.at[v] = head;
  x->vertex = v;
  x->phase = step_behind;
  return true;
}

/* ---- the search ----------------------------------------------------------- */

static bool begin(bpi_cycle *c, const bpi_region *region)
{
  if (c->fixpoint) return true;
  fixpoint *x = bpi_zalloc(1, sizeof *x);
  if (!x) {
    c->h->e->stop = BP_REASON_MEMORY;
    return false;
  }
  c->fixpoint = x;
  *x = (fixpoint){.c = c, .region = region, .phase = shrink_forward};
  bpi_family *const families[] = {&x->z, &x->next, &x->last, &x->behind, &x->part, &x->seed};
  for (uint32_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (bpi_family_new(c, families[i])) continue;
    bpi_cycle_emerson_lei_end(c);
    return false;
  }
  bpi_family_copy(c, region, &x->z, &(const bpi_family){c->h->at});
  return true;
}

bool bpi_cycle_emerson_lei(bpi_cycle *c, const bpi_region *region)
{
  if (!begin(c, region)) return false;
  while (c->fixpoint->phase)
    if (!c->fixpoint->phase(c->fixpoint)) return false;
  return true;
}

void bpi_cycle_emerson_lei_end(bpi_cycle *c)
{
  fixpoint *x = c->fixpoint;
  if (!x) return;
  bpi_sweep_end(c, x->region, &x->sweep);
  bpi_family *const families[] = {&x->z, &x->next, &x->last, &x->behind, &x->part, &x->seed};
  for (uint32_t i = 0; i < sizeof families / sizeof *families; i++)
    bpi_family_free(c, x->region, families[i]);
  bpi_release(x);
  c->fixpoint = NULL;
}
