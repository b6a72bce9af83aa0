/* SPDX-License-Identifier: MIT
 * The fixed point is fast where sets are wide and loops short, the closure where loops are long. Neither
 * is known before, so they take turns, each time with twice the work to spend, and each goes on where it
 * was. One that needs more nodes than there may be leaves the rest to the other. */
#include "product/cycle.h"

/* What the first turns may spend; 1 for tests: every search is interrupted some times. */
#ifndef BPI_LEAST_IMAGES
#define BPI_LEAST_IMAGES 2000
#endif
enum { LEAST_IMAGES = BPI_LEAST_IMAGES, LEAST_WORK = 32 };

static const uint64_t MOST = UINT64_MAX / 4;

static void begin_turn(bpi_turns *t, bp_ltl_search search)
{
  t->search = search;
  t->images_left = t->images;
  t->work_left = t->work;
}

static void begin(bpi_cycle *c, const bpi_region *region)
{
  const bpi_engine *e = c->h->e;
  bpi_turns *t = &c->turns;
  *t = (bpi_turns){.begun = true};
  t->images = LEAST_IMAGES * (1 + (uint64_t)region->members.count / 100) + e->steps / 8;
  t->work = LEAST_WORK + bpi_bdd_work(e->m) / 8 + t->images / 64;
  begin_turn(t, BP_LTL_EMERSON_LEI);
}

static bp_ltl_search other_of(bp_ltl_search search)
{
  return search == BP_LTL_CLOSURE ? BP_LTL_EMERSON_LEI : BP_LTL_CLOSURE;
}

/* Both have had their turn: the next ones are longer. */
static void next_turn(bpi_turns *t)
{
  if (t->search == BP_LTL_CLOSURE && t->images < MOST && t->work < MOST)
    t->images *= 2, t->work *= 2;
  begin_turn(t, t->alone ? t->search : other_of(t->search));
}

/* Gives up what a search knows; false when that was nothing. */
static bool give_up(bpi_cycle *c, bp_ltl_search search)
{
  const bool known = search == BP_LTL_CLOSURE ? bpi_cycle_closure_begun(c) : c->fixpoint != NULL;
  if (search == BP_LTL_CLOSURE)
    bpi_cycle_closure_end(c);
  else
    bpi_cycle_emerson_lei_end(c);
  return known;
}

/* At the limit of nodes the search that is not at work loses what it knows, and begins anew at its turn.
 * When that is not enough, the one at work needs too much and the other goes on alone. */
static bool make_room(bpi_cycle *c)
{
  bpi_engine *e = c->h->e;
  bpi_turns *t = &c->turns;
  if (e->stop != BP_REASON_NONE || bpi_bdd_status(e->m) != BPI_BDD_NODES) return false;
  if (give_up(c, other_of(t->search)) && bpi_bdd_recover(e->m) && bpi_bdd_within_limit(e->m))
    return true;
  if (t->alone) return false;
  give_up(c, t->search);
  t->alone = true;
  t->nodes = c->nodes;
  t->images = t->work = MOST;
  begin_turn(t, other_of(t->search));
  return bpi_bdd_recover(e->m) && bpi_bdd_within_limit(e->m);
}

static uint64_t less(uint64_t all, uint64_t spent)
{
  return spent < all ? all - spent : 0;
}

/* Goes on with a search as far as its turn allows. True when it has done the region; *spent: the turn is
 * over. */
static bool attempt(bpi_cycle *c, bpi_region *region, bool *spent)
{
  bpi_engine *e = c->h->e;
  bpi_turns *t = &c->turns;
  const uint64_t limit = e->step_limit, steps = e->steps, before = bpi_bdd_work(e->m);
  const uint64_t outer = bpi_bdd_budget(e->m, t->work_left);
  const bool shorter = steps < limit && t->images_left < limit - steps;
  if (shorter) e->step_limit = steps + t->images_left;
  e->next_look = 0;
  bpi_cycle_enter(c, region);
  const bool done =
      t->search == BP_LTL_CLOSURE ? bpi_cycle_closure(c, region) : bpi_cycle_emerson_lei(c, region);
  *spent = bpi_bdd_end_budget(e->m, outer);
  if (shorter && e->stop == BP_REASON_STEPS) {
    e->stop = BP_REASON_NONE;
    *spent = true;
  }
  e->step_limit = limit;
  e->next_look = 0;
  t->images_left = less(t->images_left, e->steps - steps);
  t->work_left = less(t->work_left, bpi_bdd_work(e->m) - before);
  return done;
}

/* Whether more nodes are allowed than when one of the searches gave up. */
static bool has_more_room(const bpi_cycle *c)
{
  return c->turns.alone && c->turns.nodes && (!c->nodes || c->nodes > c->turns.nodes);
}

bool bpi_cycle_turns(bpi_cycle *c, bpi_region *region)
{
  bpi_engine *e = c->h->e;
  if (!c->turns.begun || has_more_room(c)) begin(c, region);
  while (!e->broken) {
    bool spent = false;
    if (attempt(c, region, &spent)) return true;
    if (spent)
      next_turn(&c->turns);
    else if (!make_room(c))
      return false;
  }
  return false;
}
