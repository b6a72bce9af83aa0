/* SPDX-License-Identifier: MIT
 * Families of sets of heads. */
#include "product/cycle.h"

bool bpi_family_new(bpi_cycle *c, bpi_family *f)
{
  if (c->spare.count)
    f->at = c->spare.at[--c->spare.count];
  else
    f->at = bpi_zalloc(c->h->e->cfg->vertices.count, sizeof *f->at);
  if (!f->at) c->h->e->stop = BP_REASON_MEMORY;
  return f->at != NULL;
}

static void set_at(bpi_cycle *c, bpi_family *f, uint32_t vertex, bpi_bdd set)
{
  bpi_bdd_drop(c->h->e->m, f->at[vertex]);
  f->at[vertex] = set;
}

void bpi_family_clear(bpi_cycle *c, const bpi_region *region, bpi_family *f)
{
  for (uint32_t i = 0; i < region->members.count; i++)
    set_at(c, f, region->members.at[i], BPI_FALSE);
}

void bpi_family_free(bpi_cycle *c, const bpi_region *region, bpi_family *f)
{
  if (!f->at) return;
  bpi_family_clear(c, region, f);
  if (!bpi_vec_push(&c->spare, f->at)) bpi_release(f->at);
  f->at = NULL;
}

void bpi_family_copy(bpi_cycle *c, const bpi_region *region, bpi_family *to, const bpi_family *from)
{
  for (uint32_t i = 0; i < region->members.count; i++) {
    const uint32_t v = region->members.at[i];
    set_at(c, to, v, bpi_bdd_keep(c->h->e->m, from->at[v]));
  }
}

bool bpi_family_empty(const bpi_region *region, const bpi_family *f)
{
  for (uint32_t i = 0; i < region->members.count; i++)
    if (f->at[region->members.at[i]] != BPI_FALSE) return false;
  return true;
}

bool bpi_family_same(const bpi_region *region, const bpi_family *a, const bpi_family *b)
{
  for (uint32_t i = 0; i < region->members.count; i++)
    if (a->at[region->members.at[i]] != b->at[region->members.at[i]]) return false;
  return true;
}

void bpi_family_and(bpi_cycle *c, const bpi_region *region, bpi_family *a, const bpi_family *b)
{
  for (uint32_t i = 0; i < region->members.count; i++) {
    const uint32_t v = region->members.at[i];
    set_at(c, a, v, bpi_bdd_and(c->h->e->m, a->at[v], b->at[v]));
  }
}

void bpi_family_diff(bpi_cycle *c, const bpi_region *region, bpi_family *a, const bpi_family *b)
{
  for (uint32_t i = 0; i < region->members.count; i++) {
    const uint32_t v = region->members.at[i];
    set_at(c, a, v, bpi_bdd_diff(c->h->e->m, a->at[v], b->at[v]));
  }
}

/* ---- along moves --------------------------------------------------------- */

typedef enum moves { ANY, ACCEPTING } moves;

/* What a move leads to from a set, or comes from. */
static bpi_bdd along(bpi_cycle *c, const bpi_move *move, bpi_bdd set, bool backward, moves which)
{
  bpi_engine *e = c->h->e;
  if (backward) return bpi_heads_back(c->h, move, set, which == ACCEPTING);
  if (which == ACCEPTING && !move->accepts) return BPI_FALSE;
  bpi_pair pair = bpi_heads_move(c->h, move, set);
  if (which == ANY) return bpi_pair_all(e, pair);
  bpi_bdd_drop(e->m, pair.no);
  return pair.yes;
}

/* The i-th move that begins or ends at a vertex; NULL behind the last. */
static const bpi_move *move_at(const bpi_heads *h, uint32_t vertex, uint32_t i, bool backward)
{
  const uint32_t *first = backward ? h->first_back : h->first;
  if (i >= first[vertex + 1] - first[vertex]) return NULL;
  return &h->moves.at[backward ? h->back.at[first[vertex] + i] : first[vertex] + i];
}

/* What the moves of a vertex lead to, inside `within`, is added to `out`, from the sweep's move on. */
static bool add_from(bpi_cycle *c, bpi_sweep *w, uint32_t vertex, bpi_bdd set,
                     const bpi_family *within, bpi_family *out, bool backward, moves which)
{
  bpi_engine *e = c->h->e;
  const bpi_move *move;
  for (; (move = move_at(c->h, vertex, w->move, backward)); w->move++) {
    const uint32_t to = backward ? move->from : move->to;
    if (!bpi_cycle_inside(c, move) || within->at[to] == BPI_FALSE) continue;
    const bpi_bdd all = along(c, move, set, backward, which);
    const bpi_bdd inside = bpi_bdd_and(e->m, all, within->at[to]);
    bpi_bdd_drop(e->m, all);
    if (!bpi_heads_add(e, &out->at[to], inside)) return false;
  }
  w->move = 0;
  return true;
}

static bool step(bpi_cycle *c, const bpi_region *region, bpi_sweep *w, bpi_family *out,
                 const bpi_family *from, const bpi_family *within, bool backward, moves which)
{
  if (!w->begun) bpi_family_clear(c, region, out);
  w->begun = true;
  for (; w->member < region->members.count; w->member++) {
    const uint32_t v = region->members.at[w->member];
    if (from->at[v] != BPI_FALSE && !add_from(c, w, v, from->at[v], within, out, backward, which))
      return false;
  }
  w->member = 0;
  w->begun = false;
  return true;
}

bool bpi_family_accepting(bpi_cycle *c, const bpi_region *region, bpi_sweep *w, bpi_family *out,
                          const bpi_family *from, const bpi_family *within, bool backward)
{
  return step(c, region, w, out, from, within, backward, ACCEPTING);
}

bool bpi_family_step(bpi_cycle *c, const bpi_region *region, bpi_sweep *w, bpi_family *out,
                     const bpi_family *from, const bpi_family *within, bool backward)
{
  return step(c, region, w, out, from, within, backward, ANY);
}

/* Adds what arrived to `f`; what of it is new waits. */
static bool settle(bpi_cycle *c, const bpi_region *region, bpi_sweep *w, bpi_family *f)
{
  bpi_engine *e = c->h->e;
  for (; w->member < region->members.count; w->member++) {
    const uint32_t v = region->members.at[w->member];
    const bpi_bdd fresh = bpi_bdd_diff(e->m, w->arrived.at[v], f->at[v]);
    if (!bpi_heads_add(e, &f->at[v], bpi_bdd_keep(e->m, fresh))) {
      bpi_bdd_drop(e->m, fresh);
      return false;
    }
    set_at(c, &w->waits, v, fresh);
  }
  w->member = 0;
  return true;
}

static bool begin_reach(bpi_cycle *c, const bpi_region *region, bpi_sweep *w, const bpi_family *f)
{
  if (w->arrived.at) return true;
  if (!w->waits.at && !bpi_family_new(c, &w->waits)) return false;
  if (!bpi_family_new(c, &w->arrived)) return false;
  bpi_family_copy(c, region, &w->waits, f);
  return true;
}

/* Layer by layer, so that the last one is what is farthest away. */
bool bpi_family_reach(bpi_cycle *c, const bpi_region *region, bpi_sweep *w, bpi_family *f,
                      const bpi_family *within, bool backward, bpi_family *last)
{
  if (!begin_reach(c, region, w, f)) return false;
  while (w->settles || !bpi_family_empty(region, &w->waits)) {
    if (last && !w->settles && !w->begun) bpi_family_copy(c, region, last, &w->waits);
    if (!w->settles && !step(c, region, w, &w->arrived, &w->waits, within, backward, ANY))
      return false;
    w->settles = true;
    if (!settle(c, region, w, f)) return false;
    w->settles = false;
  }
  bpi_sweep_end(c, region, w);
  return true;
}

void bpi_sweep_end(bpi_cycle *c, const bpi_region *region, bpi_sweep *w)
{
  bpi_family_free(c, region, &w->waits);
  bpi_family_free(c, region, &w->arrived);
  *w = (bpi_sweep){0};
}
