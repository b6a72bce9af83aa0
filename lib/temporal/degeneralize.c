/* SPDX-License-Identifier: MIT
 * One acceptance set instead of several: levels that say which set comes next, Gastin & Oddoux, CAV
 * 2001, on edges; they start anew in each component, and sets that every way out of a state passes are
 * seen on the way in: Babiak, Badie, Duret-Lutz, Kretinsky & Strejcek, SPIN 2013. */
#include "temporal/graph.h"

typedef struct work {
  const bpi_graph *g;
  bpi_graph *out;
  bpi_sccs sccs;
  uint64_t *common; /* by state: the sets that all its edges inside its component are in */
  uint32_t *copies; /* by state and level: the new state, or BP_NONE */
  bpi_ids old;      /* by new state: state * sets + level */
  bool reversed;    /* the order of the sets */
} work;

static void find_common(work *w)
{
  const bpi_graph *g = w->g;
  for (uint32_t s = 0; s < g->states; s++) {
    w->common[s] = bpi_all_sets(g->sets);
    for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++)
      if (w->sccs.of[g->edges.at[i].to] == w->sccs.of[s]) w->common[s] &= g->edges.at[i].sets;
  }
}

static uint32_t copy_of(work *w, uint32_t state, uint32_t level)
{
  uint32_t *copy = &w->copies[(size_t)state * w->g->sets + level];
  if (*copy != BP_NONE) return *copy;
  if (!bpi_vec_push(&w->old, state * w->g->sets + level)) {
    bpi_job_no_memory(w->g->labels->job);
    return BP_NONE;
  }
  return *copy = w->old.count - 1;
}

/* Where a component is entered any level will do: one that is there already. */
static uint32_t any_copy(work *w, uint32_t state)
{
  for (uint32_t level = 0; level < w->g->sets; level++)
    if (w->copies[(size_t)state * w->g->sets + level] != BP_NONE) return copy_of(w, state, level);
  return copy_of(w, state, 0);
}

static bool has(const work *w, uint64_t sets, uint32_t level)
{
  return sets >> (w->reversed ? w->g->sets - 1 - level : level) & 1;
}

static bool follow(work *w, uint32_t from, const bpi_edge *e, uint32_t level)
{
  const uint32_t n = w->g->sets, scc = w->sccs.of[e->from];
  bool accepting = false;
  uint32_t to;
  if (scc != w->sccs.of[e->to] || !bpi_scc_accepts(&w->sccs, w->g, scc)) {
    to = any_copy(w, e->to);
  } else {
    const uint64_t sets = e->sets | w->common[e->to];
    while (level < n && has(w, sets, level))
      level++;
    accepting = level == n;
    for (level %= n; accepting && level + 1 < n && has(w, sets, level);)
      level++;
    to = copy_of(w, e->to, level);
  }
  return to != BP_NONE && bpi_graph_add(w->out, from, to, e->label, accepting);
}

static bool build(work *w)
{
  const bpi_graph *g = w->g;
  find_common(w);
  for (uint32_t i = 0; i < g->initial.count; i++) {
    const uint32_t copy = any_copy(w, g->initial.at[i]);
    if (copy == BP_NONE) return false;
    if (!bpi_vec_push(&w->out->initial, copy)) return bpi_job_no_memory(g->labels->job);
  }
  for (uint32_t at = 0; at < w->old.count; at++) {
    const uint32_t state = w->old.at[at] / g->sets, level = w->old.at[at] % g->sets;
    for (uint32_t i = g->first[state]; i < g->first[state + 1]; i++)
      if (!follow(w, at, &g->edges.at[i], level)) return false;
  }
  w->out->states = w->old.count;
  return bpi_graph_sort(w->out);
}

static bool in_order(bpi_graph *out, const bpi_graph *g, bool reversed)
{
  *out = (bpi_graph){.labels = g->labels, .sets = 1};
  const uint64_t copies = (uint64_t)g->states * g->sets;
  if (copies > BPI_MOST_COPIES)
    return bpi_job_too_large(g->labels->job, BP_E_LIMIT, "states", BPI_MOST_COPIES);
  work w = {.g = g, .out = out, .reversed = reversed};
  if (!bpi_sccs_find(&w.sccs, g)) return false;
  w.common = bpi_alloc(g->states, sizeof *w.common);
  w.copies = bpi_alloc((size_t)copies, sizeof *w.copies);
  bool good = w.common && w.copies ? true : bpi_job_no_memory(g->labels->job);
  if (good) memset(w.copies, 0xff, (size_t)copies * sizeof *w.copies);
  good = good && build(&w);
  bpi_sccs_free(&w.sccs);
  bpi_release(w.common);
  bpi_release(w.copies);
  bpi_vec_free(&w.old);
  return good;
}

bool bpi_graph_degeneralize(bpi_graph *g)
{
  if (g->sets < 2) return true;
  bpi_graph one = {.labels = g->labels}, other = {.labels = g->labels};
  bool good = in_order(&one, g, false) && bpi_graph_reduce(&one) && in_order(&other, g, true) &&
              bpi_graph_reduce(&other);
  if (good) bpi_graph_move(g, bpi_graph_better(&other, &one) ? &other : &one);
  bpi_graph_free(&one);
  bpi_graph_free(&other);
  return good;
}
