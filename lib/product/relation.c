/* SPDX-License-Identifier: MIT */
#include "product/relation.h"

static bool is_seen(const bpi_cycle *c, uint32_t vertex, uint32_t place)
{
  const uint32_t var = bpi_bdd_var(c->h->e->layout.slot[place], BPI_CURRENT);
  return var == bpi_heads_seen(c->h, vertex);
}

bool bpi_relation_begin(bpi_cycle *c, bpi_frame_of *f, uint32_t vertex)
{
  bpi_engine *e = c->h->e;
  const uint64_t *live = bpi_live(&e->a, vertex);
  BPI_VEC(uint32_t) from = {0}, to = {0};
  bool memory = true;
  *f = (bpi_frame_of){.vertex = vertex};
  for (uint32_t i = 0; i < e->a.places; i++) {
    const uint32_t slot = e->layout.slot[i];
    if (!bpi_bit(live, i)) continue;
    if (!is_seen(c, vertex, i))
      memory &= bpi_vec_push(&from, bpi_bdd_var(slot, BPI_ENTRY)) &&
                bpi_vec_push(&to, bpi_bdd_var(slot, BPI_CURRENT));
    memory &= bpi_vec_push(&from, bpi_bdd_var(slot, BPI_CURRENT)) &&
              bpi_vec_push(&to, bpi_bdd_var(slot, BPI_NEXT));
  }
  if (memory)
    f->to_move = bpi_bdd_rename_new(e->m, from.at, to.at, from.count);
  else
    e->stop = BP_REASON_MEMORY;
  bpi_vec_free(&from);
  bpi_vec_free(&to);
  if (bpi_going(e)) f->before = bpi_place_set(e, live, BPI_CURRENT);
  return bpi_going(e);
}

void bpi_relation_end(bpi_cycle *c, bpi_frame_of *f)
{
  bpi_bdd_drop(c->h->e->m, f->before);
  *f = (bpi_frame_of){0};
}

/* A place has the same value before and after. */
static bpi_bdd same_value(bpi_engine *e, uint32_t place)
{
  const uint32_t slot = e->layout.slot[place];
  const bpi_bdd before = bpi_bdd_literal(e->m, bpi_bdd_var(slot, BPI_ENTRY), true);
  const bpi_bdd after = bpi_bdd_literal(e->m, bpi_bdd_var(slot, BPI_CURRENT), true);
  const bpi_bdd same = bpi_bdd_iff(e->m, before, after);
  bpi_bdd_drop(e->m, before);
  bpi_bdd_drop(e->m, after);
  return same;
}

bpi_bdd bpi_relation_identity(bpi_cycle *c, const bpi_frame_of *f)
{
  bpi_engine *e = c->h->e;
  const uint64_t *live = bpi_live(&e->a, f->vertex);
  bpi_bdd all = bpi_bdd_keep(e->m, c->h->at[f->vertex]);
  for (uint32_t i = e->a.places; i-- > 0;)
    if (bpi_bit(live, i) && !is_seen(c, f->vertex, i)) bpi_conjoin(e, &all, same_value(e, i));
  return all;
}

bpi_pair bpi_relation_form(bpi_cycle *c, const bpi_frame_of *f, bpi_pair relation)
{
  bp_manager *m = c->h->e->m;
  return (bpi_pair){bpi_bdd_rename(m, relation.no, f->to_move),
                    bpi_bdd_rename(m, relation.yes, f->to_move)};
}

bpi_pair bpi_relation_compose(bpi_cycle *c, const bpi_frame_of *f, bpi_pair one, bpi_pair form)
{
  bpi_engine *e = c->h->e;
  bpi_pair out = {BPI_FALSE, BPI_FALSE};
  if (!bpi_engine_tick(e)) return out;
  const bpi_bdd any = bpi_bdd_or(e->m, form.no, form.yes);
  out.yes = bpi_bdd_image(e->m, one.yes, any, f->before);
  bpi_join(e, &out.yes, bpi_bdd_image(e->m, one.no, form.yes, f->before));
  out.no = bpi_bdd_image(e->m, one.no, form.no, f->before);
  bpi_bdd_drop(e->m, any);
  return out;
}

bool bpi_relation_join(bpi_cycle *c, bpi_pair *all, bpi_pair more)
{
  bpi_engine *e = c->h->e;
  const bpi_bdd yes = bpi_bdd_or(e->m, all->yes, more.yes);
  const bpi_bdd both = bpi_bdd_or(e->m, all->no, more.no);
  const bpi_bdd no = bpi_bdd_diff(e->m, both, yes);
  const bool changed = yes != all->yes || no != all->no;
  bpi_bdd_drop(e->m, both);
  bpi_pair_drop(e, more);
  if (!bpi_going(e)) {
    bpi_pair_drop(e, (bpi_pair){no, yes});
    return false;
  }
  bpi_pair_drop(e, *all);
  *all = (bpi_pair){no, yes};
  return changed;
}

bpi_bdd bpi_relation_diagonal(bpi_cycle *c, const bpi_frame_of *f, bpi_pair relation)
{
  bpi_engine *e = c->h->e;
  const bpi_bdd identity = bpi_relation_identity(c, f);
  bpi_bdd heads = bpi_bdd_and(e->m, relation.yes, identity);
  bpi_bdd_drop(e->m, identity);
  bpi_quantify(e, &heads, bpi_place_set(e, bpi_live(&e->a, f->vertex), BPI_ENTRY));
  const bpi_bdd reached = bpi_heads_reached(c->h, f->vertex, heads);
  bpi_bdd_drop(e->m, heads);
  return reached;
}

static bool has_diagonal(bpi_cycle *c, const bpi_frame_of *f, bpi_pair relation)
{
  const bpi_bdd heads = bpi_relation_diagonal(c, f, relation);
  const bool any = heads != BPI_FALSE && bpi_going(c->h->e);
  bpi_bdd_drop(c->h->e->m, heads);
  return any;
}

bool bpi_relation_close(bpi_cycle *c, const bpi_frame_of *f, bpi_pair *relation, bool stop)
{
  bpi_engine *e = c->h->e;
  bool changed = true;
  while (changed && !(stop && has_diagonal(c, f, *relation))) {
    const bpi_pair form = bpi_relation_form(c, f, *relation);
    const bpi_pair twice = bpi_relation_compose(c, f, *relation, form);
    bpi_pair_drop(e, form);
    changed = bpi_relation_join(c, relation, twice);
    if (!bpi_going(e)) return false;
    c->rounds++;
  }
  return true;
}

/* ---- variables that only rise or only fall ------------------------------- */

/* Whether some pair changes the place from `value` to the other one. */
static bool leaves(bpi_engine *e, bpi_bdd all, uint32_t place, bool value)
{
  const uint32_t slot = e->layout.slot[place];
  const bpi_bdd before = bpi_bdd_literal(e->m, bpi_bdd_var(slot, BPI_ENTRY), value);
  bpi_bdd change = bpi_bdd_literal(e->m, bpi_bdd_var(slot, BPI_CURRENT), !value);
  bpi_conjoin(e, &change, before);
  bpi_conjoin(e, &change, bpi_bdd_keep(e->m, all));
  const bool any = change != BPI_FALSE;
  bpi_bdd_drop(e->m, change);
  return any;
}

/* Without the pairs that change the place, if it only rises or only falls. False when stopped. */
static bool pin(bpi_cycle *c, bpi_pair *relation, uint32_t place, bool *pinned)
{
  bpi_engine *e = c->h->e;
  const bpi_bdd all = bpi_bdd_or(e->m, relation->no, relation->yes);
  const bool falls = leaves(e, all, place, true), rises = leaves(e, all, place, false);
  bpi_bdd_drop(e->m, all);
  *pinned = falls != rises; /* else both, or it does not change */
  if (!bpi_going(e) || !*pinned) return bpi_going(e);
  const bpi_bdd same = same_value(e, place);
  const bpi_pair rest = {bpi_bdd_and(e->m, relation->no, same),
                         bpi_bdd_and(e->m, relation->yes, same)};
  bpi_bdd_drop(e->m, same);
  const bool going = bpi_going(e);
  bpi_pair_drop(e, going ? *relation : rest);
  if (going) *relation = rest;
  return going;
}

bool bpi_relation_monotone(bpi_cycle *c, const bpi_frame_of *f, bpi_pair *relation, bpi_pinning *at)
{
  const bpi_engine *e = c->h->e;
  const uint64_t *live = bpi_live(&e->a, f->vertex);
  for (; at->calm < e->a.places; at->place = (at->place + 1) % e->a.places) {
    bool pinned = false;
    if (bpi_bit(live, at->place) && !is_seen(c, f->vertex, at->place) &&
        !pin(c, relation, at->place, &pinned))
      return false;
    at->calm = pinned ? 0 : at->calm + 1;
  }
  return true;
}
