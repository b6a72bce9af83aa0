/* SPDX-License-Identifier: MIT */
#include "engine/walk.h"

/* ---- points -------------------------------------------------------------- */

static void conjoin_literal(bpi_engine *e, bpi_bdd *all, uint32_t var, bool positive)
{
  const bpi_bdd literal = bpi_bdd_literal(e->m, var, positive);
  const bpi_bdd both = bpi_bdd_and(e->m, *all, literal);
  bpi_bdd_drop(e->m, literal);
  bpi_bdd_drop(e->m, *all);
  *all = both;
}

bpi_bdd bpi_point_set(bpi_engine *e, const uint64_t *point, const uint64_t *places, bpi_copy copy)
{
  bpi_bdd all = BPI_TRUE;
  for (uint32_t i = 0; i < e->a.places; i++)
    if (bpi_bit(places, i))
      conjoin_literal(e, &all, bpi_bdd_var(e->layout.slot[i], copy), bpi_bit(point, i));
  return all;
}

void bpi_walk_conjoin_results(bpi_engine *e, bpi_bdd *all, const uint64_t *point, uint32_t proc)
{
  for (uint32_t r = 0; r < e->p->procs.at[proc].results; r++)
    if (e->a.result_matters[e->a.result_first[proc] + r])
      conjoin_literal(e, all, bpi_bdd_var(e->layout.result_slot[r], BPI_CURRENT),
                      bpi_bit(point, e->a.places + r));
}

/* One element of `set`; variables that it does not mention are 0. */
bool bpi_walk_pick(bpi_walk *w, bpi_bdd set)
{
  if (set == BPI_FALSE || !bpi_going(w->e)) return false;
  memset(w->values, 0, (size_t)3 * bpi_bdd_slot_count(w->e->m));
  return bpi_bdd_pick(w->e->m, set, w->values);
}

void bpi_walk_take_places(const bpi_walk *w, uint64_t *point, const uint64_t *places, bpi_copy copy)
{
  for (uint32_t i = 0; i < w->e->a.places; i++)
    if (bpi_bit(places, i) && w->values[bpi_bdd_var(w->e->layout.slot[i], copy)])
      bpi_bit_add(point, i);
}

void bpi_walk_take_results(const bpi_walk *w, uint64_t *point)
{
  for (uint32_t r = 0; r < w->e->layout.results; r++)
    if (w->values[bpi_bdd_var(w->e->layout.result_slot[r], BPI_CURRENT)])
      bpi_bit_add(point, w->e->a.places + r);
}

void bpi_walk_clear(const bpi_walk *w, uint64_t *point)
{
  memset(point, 0, bpi_point_words(w->e) * sizeof *point);
}

/* ---- steps --------------------------------------------------------------- */

bool bpi_walk_add_step(bpi_walk *w, bpi_step step)
{
  const uint32_t words = bpi_point_words(w->e);
  bpi_path *p = w->path;
  step.point = p->words.count;
  if (!bpi_vec_reserve(&p->words, words + bpi_key_words(w->e)) || !bpi_vec_push(&p->steps, step)) {
    w->e->stop = BP_REASON_MEMORY;
    return false;
  }
  memcpy(p->words.at + p->words.count, w->point, words * sizeof *w->point);
  p->words.count += words;
  const bool end = step.succ == BP_NONE && step.kind == BPI_STEP_PLAIN;
  p->hierarchical +=
      end ? bpi_ends_listed(w->e->cfg, step.vertex) : w->e->cfg->vertices.at[step.vertex].weight;
  if (step.kind != BPI_STEP_CALLS) return true;
  p->steps.at[p->steps.count - 1].key = p->words.count;
  memcpy(p->words.at + p->words.count, w->key, bpi_key_words(w->e) * sizeof *w->key);
  p->words.count += bpi_key_words(w->e);
  return true;
}

/* Goes to the predecessor whose state is in w->before. */
bool bpi_walk_go_back(bpi_walk *w, bpi_step step, uint64_t distance)
{
  uint64_t *const after = w->point;
  w->point = w->before;
  w->before = after;
  w->vertex = step.vertex;
  w->distance = distance;
  return bpi_walk_add_step(w, step);
}

/* Splits the places live at the present vertex into those that `changed` says the way into it
 * changes, and the others. */
void bpi_walk_split_places(bpi_walk *w, const uint64_t *changed, uint64_t **same, uint64_t **fresh)
{
  const uint64_t *live = bpi_live(&w->e->a, w->vertex);
  *same = w->places;
  *fresh = w->places + w->e->a.words;
  for (uint32_t i = 0; i < w->e->a.words; i++) {
    (*same)[i] = live[i] & ~changed[i];
    (*fresh)[i] = live[i] & changed[i];
  }
}
