/* SPDX-License-Identifier: MIT
 * Walks along the transitions of a set. */
#include "pushdown/pushdown.h"

void bpi_walk_begin(bpi_walk *w, bpi_run *run, const bp_configurations *c)
{
  static const uint8_t globals_here[] = {16 * BPI_THERE + BPI_HERE, BPI_NO_COPY},
                       locals_here[] = {16 * BPI_THERE + BPI_BELOW_HERE, BPI_NO_COPY},
                       globals_there[] = {16 * BPI_HERE + BPI_THERE, BPI_NO_COPY},
                       locals_there[] = {16 * BPI_BELOW_HERE + BPI_THERE, BPI_NO_COPY};
  *w = (bpi_walk){.run = run, .c = c};
  w->read = bpi_copies(run, 1 << BPI_HERE, 1 << BPI_HERE | 1 << BPI_BELOW_HERE);
  w->carried = bpi_copies(run, 1 << BPI_HERE, 1 << BPI_BELOW_HERE);
  w->rest = bpi_copies(run, 1 << BPI_THERE, 1 << BPI_THERE | 1 << BPI_HERE);
  w->there = bpi_copies(run, 1 << BPI_THERE, 1 << BPI_THERE);
  w->to_here = bpi_copies_rename(run, globals_here, locals_here);
  w->to_there = bpi_copies_rename(run, globals_there, locals_there);
}

void bpi_walk_end(bpi_walk *w)
{
  bpi_bdd_drop(w->run->m, w->read);
  bpi_bdd_drop(w->run->m, w->carried);
  bpi_bdd_drop(w->run->m, w->rest);
  bpi_bdd_drop(w->run->m, w->there);
}

bpi_bdd *bpi_walk_states(bpi_walk *w)
{
  bpi_bdd *states = bpi_zalloc(w->c->states.count, sizeof *states);
  if (!states) bpi_run_no_memory(w->run);
  return states;
}

void bpi_walk_free(bpi_walk *w, bpi_bdd *states)
{
  bpi_bdds_free(w->run, states, w->c->states.count);
}

void bpi_walk_read(bpi_walk *w, const bpi_bdd *from, uint32_t symbol, bpi_bdd cube, bpi_bdd *to)
{
  bp_manager *m = w->run->m;
  const bp_configurations *c = w->c;
  for (uint32_t s = 0; s < c->states.count; s++) {
    if (from[s] == BPI_FALSE) continue;
    const bpi_bdd start = bpi_bdd_and(m, from[s], cube);
    for (uint32_t t = c->states.at[s].first_out; t != BP_NONE; t = c->transitions.at[t].next_out) {
      const bpi_key ends = bpi_ends(c, t);
      if (!bpi_run_tick(w->run)) break;
      if (ends.at[1] != symbol) continue;
      const bpi_bdd image = bpi_bdd_and_exists(m, start, c->transitions.at[t].rel, w->read);
      bpi_run_join(w->run, &to[ends.at[2]], bpi_renamed(w->run, image, w->to_here));
      bpi_bdd_drop(m, image);
    }
    bpi_bdd_drop(m, start);
  }
}

bool bpi_walk_accepts(bpi_walk *w, const bpi_bdd *at)
{
  bool accepts = false;
  for (uint32_t s = 0; s < w->c->states.count && !accepts; s++) {
    const bpi_bdd both = bpi_bdd_and(w->run->m, at[s], w->c->states.at[s].accepts);
    accepts = both != BPI_FALSE;
    bpi_bdd_drop(w->run->m, both);
  }
  return accepts;
}

/* ---- fixed points ------------------------------------------------------------------ */

/* States that gained values; each is in the list once. */
typedef struct gained {
  BPI_VEC(uint32_t) list;
  bpi_bdd *news;
} gained;

static void gain(bpi_walk *w, bpi_bdd *useful, gained *g, uint32_t state, bpi_bdd set)
{
  bp_manager *m = w->run->m;
  const bpi_bdd news = bpi_bdd_diff(m, set, useful[state]);
  bpi_bdd_drop(m, set);
  if (news == BPI_FALSE) return;
  if (g->news[state] == BPI_FALSE && !bpi_vec_push(&g->list, state)) bpi_run_no_memory(w->run);
  bpi_run_join(w->run, &useful[state], bpi_bdd_keep(m, news));
  bpi_run_join(w->run, &g->news[state], news);
}

static void gain_behind(bpi_walk *w, bpi_bdd *reached, gained *g, uint32_t state)
{
  const bp_configurations *c = w->c;
  const bpi_bdd news = g->news[state];
  g->news[state] = BPI_FALSE;
  for (uint32_t t = c->states.at[state].first_out; t != BP_NONE;
       t = c->transitions.at[t].next_out) {
    if (!bpi_run_tick(w->run)) break;
    const bpi_bdd rel = c->transitions.at[t].rel;
    const bpi_bdd image = bpi_bdd_and_exists(w->run->m, news, rel, w->read);
    gain(w, reached, g, bpi_ends(c, t).at[2], bpi_renamed(w->run, image, w->to_here));
    bpi_bdd_drop(w->run->m, image);
  }
  bpi_bdd_drop(w->run->m, news);
}

bpi_bdd *bpi_walk_reached(bpi_walk *w)
{
  bpi_bdd *reached = bpi_walk_states(w);
  gained g = {.news = reached ? bpi_walk_states(w) : NULL};
  for (uint32_t s = 0; g.news && s < w->c->p->controls.count; s++)
    gain(w, reached, &g, s, BPI_TRUE);
  while (g.list.count && bpi_run_tick(w->run))
    gain_behind(w, reached, &g, g.list.at[--g.list.count]);
  bpi_walk_free(w, g.news);
  bpi_vec_free(&g.list);
  if (bpi_run_good(w->run)) return reached;
  bpi_walk_free(w, reached);
  return NULL;
}

/* ---- backwards ------------------------------------------------------------------ */

bpi_bdd bpi_walk_towards(bpi_walk *w, uint32_t transition, const bpi_bdd *useful)
{
  const bpi_bdd there = bpi_renamed(w->run, useful[bpi_ends(w->c, transition).at[2]], w->to_there);
  const bpi_bdd rel = w->c->transitions.at[transition].rel;
  const bpi_bdd image = bpi_bdd_and_exists(w->run->m, there, rel, w->there);
  bpi_bdd_drop(w->run->m, there);
  return image;
}

static void gain_before(bpi_walk *w, bpi_bdd *useful, gained *g, uint32_t state)
{
  const bp_configurations *c = w->c;
  const bpi_bdd news = g->news[state];
  g->news[state] = BPI_FALSE;
  const bpi_bdd there = bpi_renamed(w->run, news, w->to_there);
  for (uint32_t t = c->states.at[state].first_in; t != BP_NONE; t = c->transitions.at[t].next_in) {
    if (!bpi_run_tick(w->run)) break;
    const bpi_bdd rel = c->transitions.at[t].rel;
    gain(w, useful, g, bpi_ends(c, t).at[0], bpi_bdd_and_exists(w->run->m, there, rel, w->rest));
  }
  bpi_bdd_drop(w->run->m, there);
  bpi_bdd_drop(w->run->m, news);
}

bpi_bdd *bpi_walk_useful(bpi_walk *w)
{
  const bp_configurations *c = w->c;
  bpi_bdd *useful = bpi_walk_states(w);
  gained g = {.news = useful ? bpi_walk_states(w) : NULL};
  for (uint32_t s = 0; g.news && s < c->states.count; s++)
    gain(w, useful, &g, s, bpi_bdd_keep(w->run->m, c->states.at[s].accepts));
  while (g.list.count && bpi_run_tick(w->run))
    gain_before(w, useful, &g, g.list.at[--g.list.count]);
  bpi_walk_free(w, g.news);
  bpi_vec_free(&g.list);
  if (bpi_run_good(w->run)) return useful;
  bpi_walk_free(w, useful);
  return NULL;
}
