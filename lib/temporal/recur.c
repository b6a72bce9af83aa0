/* SPDX-License-Identifier: MIT
 * Conditions that must hold infinitely often, put on the edges of an automaton. An edge for each
 * collection of those that hold would be 2^n edges; here an edge shows one of them at a time, which is
 * enough. With one set, the levels of Gastin & Oddoux, CAV 2001, on edges, are made of the conditions
 * themselves. */
#include "temporal/translate.h"

typedef struct work {
  const bpi_graph *g;
  bpi_graph *out;
  const uint32_t *conditions;
  uint32_t count;
  uint32_t levels; /* the set of `g` when it has one, and the conditions */
  bpi_sccs sccs;
  uint32_t *copies;      /* by state and level: the new state, or BP_NONE */
  BPI_VEC(uint64_t) old; /* by new state: state * levels + level */
} work;

static bool add(work *w, uint32_t from, uint32_t to, uint32_t label, uint64_t sets)
{
  if (w->out->edges.count >= BPI_MOST_EDGES)
    return bpi_job_too_large(w->g->labels->job, BP_E_LIMIT, "edges", BPI_MOST_EDGES);
  return bpi_graph_add(w->out, from, to, label, sets);
}

/* Whether accepting runs can stay with the edge. */
static bool is_inside(const work *w, const bpi_edge *e)
{
  const uint32_t scc = w->sccs.of[e->from];
  return scc == w->sccs.of[e->to] && bpi_scc_accepts(&w->sccs, w->g, scc);
}

/* ---- a set for each ---------------------------------------------------- */

static bool show_each(work *w)
{
  const bpi_graph *g = w->g;
  w->out->states = g->states;
  w->out->sets = g->sets + w->count;
  for (uint32_t i = 0; i < g->edges.count; i++) {
    const bpi_edge *e = &g->edges.at[i];
    if (!add(w, e->from, e->to, e->label, e->sets)) return false;
    for (uint32_t k = 0; is_inside(w, e) && k < w->count; k++) {
      const uint32_t label = bpi_label_and(g->labels, e->label, w->conditions[k]);
      if (!add(w, e->from, e->to, label, e->sets | (uint64_t)1 << (g->sets + k))) return false;
    }
  }
  for (uint32_t i = 0; i < g->initial.count; i++)
    if (!bpi_vec_push(&w->out->initial, g->initial.at[i])) return bpi_job_no_memory(g->labels->job);
  return bpi_graph_sort(w->out);
}

/* ---- one set ----------------------------------------------------------- */

static uint32_t copy_of(work *w, uint32_t state, uint32_t level)
{
  const uint64_t old = (uint64_t)state * w->levels + level;
  uint32_t *copy = &w->copies[old];
  if (*copy != BP_NONE) return *copy;
  if (!bpi_vec_push(&w->old, old)) {
    bpi_job_no_memory(w->g->labels->job);
    return BP_NONE;
  }
  return *copy = w->old.count - 1;
}

/* The letters of the edge with which a level is passed. The set comes first: where all edges are in it,
 * nothing stays there. */
static uint32_t passing(const work *w, const bpi_edge *e, uint32_t label, uint32_t level)
{
  const uint32_t sets = w->g->sets;
  if (level < sets) return e->sets ? label : BPI_LABEL_FALSE;
  return bpi_label_and(w->g->labels, label, w->conditions[level - sets]);
}

/* By each letter as many levels are passed as it fits, but no more than once around. */
static bool climb(work *w, uint32_t from, const bpi_edge *e, uint32_t level)
{
  bool accepting = false;
  uint32_t label = e->label;
  while (label != BPI_LABEL_FALSE) {
    const bool last = accepting && level + 1 == w->levels;
    const uint32_t passes = last ? BPI_LABEL_FALSE : passing(w, e, label, level);
    const uint32_t stays = bpi_label_minus(w->g->labels, label, passes);
    const uint32_t to = stays == BPI_LABEL_FALSE ? 0 : copy_of(w, e->to, level);
    if (to == BP_NONE || !add(w, from, to, stays, accepting)) return false;
    label = passes;
    if (++level < w->levels) continue;
    level = 0;
    accepting = true;
  }
  return bpi_job_going(w->g->labels->job);
}

/* Where a component is entered any level will do; this one is always there. */
static uint32_t entry_of(work *w, uint32_t state)
{
  return copy_of(w, state, w->levels - 1);
}

static bool follow(work *w, uint32_t from, const bpi_edge *e, uint32_t level)
{
  if (is_inside(w, e)) return climb(w, from, e, level);
  const uint32_t to = entry_of(w, e->to);
  return to != BP_NONE && add(w, from, to, e->label, 0);
}

static bool build_levels(work *w)
{
  const bpi_graph *g = w->g;
  for (uint32_t i = 0; i < g->initial.count; i++) {
    const uint32_t copy = entry_of(w, g->initial.at[i]);
    if (copy == BP_NONE) return false;
    if (!bpi_vec_push(&w->out->initial, copy)) return bpi_job_no_memory(g->labels->job);
  }
  for (uint32_t at = 0; at < w->old.count; at++) {
    const uint32_t state = (uint32_t)(w->old.at[at] / w->levels);
    const uint32_t level = (uint32_t)(w->old.at[at] % w->levels);
    for (uint32_t i = g->first[state]; i < g->first[state + 1]; i++)
      if (!follow(w, at, &g->edges.at[i], level)) return false;
  }
  w->out->states = w->old.count;
  w->out->sets = 1;
  return bpi_graph_sort(w->out);
}

static bool climb_levels(work *w)
{
  const uint64_t copies = (uint64_t)w->g->states * w->levels;
  if (copies > BPI_MOST_COPIES)
    return bpi_job_too_large(w->g->labels->job, BP_E_LIMIT, "states", BPI_MOST_COPIES);
  w->copies = bpi_alloc((size_t)copies, sizeof *w->copies);
  if (!w->copies) return bpi_job_no_memory(w->g->labels->job);
  memset(w->copies, 0xff, (size_t)copies * sizeof *w->copies);
  const bool good = build_levels(w);
  bpi_release(w->copies);
  bpi_vec_free(&w->old);
  return good;
}

bool bpi_graph_recur(bpi_graph *g, const uint32_t *conditions, uint32_t count, bool one)
{
  bpi_graph out = {.labels = g->labels};
  work w = {.g = g, .out = &out, .conditions = conditions, .count = count};
  if (!one && g->sets + count > BP_AUTOMATON_MAX_SETS)
    return bpi_job_too_large(g->labels->job, BP_E_UNSUPPORTED, "acceptance sets",
                             BP_AUTOMATON_MAX_SETS);
  w.levels = count + g->sets;
  if (!count) return true;
  if (!bpi_sccs_find(&w.sccs, g)) return false;
  const bool good = one ? climb_levels(&w) : show_each(&w);
  bpi_sccs_free(&w.sccs);
  if (good) bpi_graph_move(g, &out);
  bpi_graph_free(&out);
  return good;
}
