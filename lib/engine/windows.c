/* SPDX-License-Identifier: MIT
 * Windows: explorations that track one variable of the targets' own conditions and what influences it most, first
 * a few variables, then more. Where a target speaks of many variables, or of some that depend on
 * everything, none is nearer than the others, but often one of them alone contradicts it, for a reason in which few
 * others take part. */
#include "engine/query.h"

static const uint32_t sizes[] = {4, 6, 9, 13, 19, 28}; /* variables */

enum { SIZES = sizeof sizes / sizeof *sizes };

static uint32_t all_variables(const bp_query *q)
{
  uint32_t count = 0;
  for (uint32_t v = 0; v < q->p->vars.count; v++)
    count += q->engine->a.var_matters[v];
  return count;
}

/* Windows of the next size, if those of the last one left something out; nearly everything is too much. */
static bool next_size(bp_query *q)
{
  bpi_localize *l = &q->local;
  l->size++;
  l->seed = 0;
  const bool left_out = l->grows;
  l->grows = false;
  return left_out && l->size < SIZES &&
         (!BPI_LOCALIZE_FROM || sizes[l->size] < all_variables(q) / 4 * 3);
}

/* Whether there is more than in the window of the last size. */
static bool is_new(const bpi_localize *l)
{
  return !l->size || l->windows.count > sizes[l->size - 1];
}

bool bpi_next_window(bp_query *q)
{
  bpi_localize *l = &q->local;
  const bpi_analysis *a = &q->engine->a;
  do {
    while (l->seed < q->p->vars.count) {
      const uint32_t seed = l->seed++;
      if (!a->var_matters[seed] || l->distance[seed] != 0) continue;
      l->windows.count = bpi_influence_of(&l->influence, seed, sizes[l->size], l->windows.tracked);
      if (!l->windows.count) return false;
      l->grows |= l->windows.count == sizes[l->size];
      if (is_new(l)) return true;
    }
  } while (next_size(q));
  return false;
}
