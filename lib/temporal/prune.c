/* SPDX-License-Identifier: MIT
 * What is of no use to any accepting run; Duret-Lutz, "LTL Translation Improvements in Spot", VECoS
 * 2011, for sets that mean nothing outside of accepting components. */
#include "temporal/graph.h"

/* ---- states ------------------------------------------------------------ */

static bool mark_reachable(const bpi_graph *g, uint8_t *marks)
{
  bpi_ids todo = {0};
  bool good = true;
  for (uint32_t i = 0; good && i < g->initial.count; i++)
    if (!marks[g->initial.at[i]]) {
      marks[g->initial.at[i]] = 1;
      good = bpi_vec_push(&todo, g->initial.at[i]);
    }
  while (good && todo.count) {
    const uint32_t s = todo.at[--todo.count];
    for (uint32_t i = g->first[s]; good && i < g->first[s + 1]; i++) {
      const uint32_t to = g->edges.at[i].to;
      if (marks[to]) continue;
      marks[to] = 1;
      good = bpi_vec_push(&todo, to);
    }
  }
  bpi_vec_free(&todo);
  return good || bpi_job_no_memory(g->labels->job);
}

/* By component: whether an accepting one can be reached. Successors have smaller numbers, so one look
 * at the edges in the order of their components is enough; the order is made by counting. */
static bool useful_components(const bpi_graph *g, const bpi_sccs *c, uint8_t *useful)
{
  uint32_t *begin = bpi_zalloc(c->count + (size_t)2, sizeof *begin);
  uint32_t *order = bpi_alloc(g->states + (size_t)1, sizeof *order);
  if (!begin || !order) {
    bpi_release(begin);
    bpi_release(order);
    return bpi_job_no_memory(g->labels->job);
  }
  for (uint32_t s = 0; s < g->states; s++)
    begin[c->of[s] + 1]++;
  for (uint32_t i = 0; i < c->count; i++)
    begin[i + 1] += begin[i];
  for (uint32_t s = 0; s < g->states; s++)
    order[begin[c->of[s]]++] = s;
  for (uint32_t i = 0; i < g->states; i++) {
    const uint32_t s = order[i];
    uint8_t *mine = &useful[c->of[s]];
    *mine |= bpi_scc_accepts(c, g, c->of[s]);
    for (uint32_t k = g->first[s]; k < g->first[s + 1]; k++)
      *mine |= useful[c->of[g->edges.at[k].to]];
  }
  bpi_release(begin);
  bpi_release(order);
  return true;
}

static void clear_sets(bpi_graph *g, const bpi_sccs *c)
{
  for (uint32_t i = 0; i < g->edges.count; i++) {
    bpi_edge *e = &g->edges.at[i];
    if (c->of[e->from] != c->of[e->to] || !bpi_scc_accepts(c, g, c->of[e->from])) e->sets = 0;
  }
}

/* An automaton that accepts nothing keeps one state. */
static bool keep_useful(bpi_graph *g, const uint8_t *reached, const uint8_t *useful,
                        const bpi_sccs *c)
{
  uint32_t *map = bpi_alloc(g->states + (size_t)1, sizeof *map), kept = 0;
  if (!map) return bpi_job_no_memory(g->labels->job);
  for (uint32_t s = 0; s < g->states; s++)
    map[s] = reached[s] && useful[c->of[s]] ? kept++ : BP_NONE;
  bool good;
  if (kept) {
    good = bpi_graph_renumber(g, map, kept);
  } else {
    g->edges.count = 0;
    g->initial.count = 0;
    g->states = 1;
    g->sets = 0;
    good = bpi_vec_push(&g->initial, 0) || bpi_job_no_memory(g->labels->job);
    good = good && bpi_graph_sort(g);
  }
  bpi_release(map);
  return good;
}

bool bpi_graph_prune(bpi_graph *g)
{
  bpi_sccs c;
  if (!bpi_sccs_find(&c, g)) return false;
  uint8_t *reached = bpi_zalloc(g->states + (size_t)1, 1);
  uint8_t *useful = bpi_zalloc(c.count + (size_t)1, 1);
  bool good = reached && useful ? true : bpi_job_no_memory(g->labels->job);
  good = good && mark_reachable(g, reached) && useful_components(g, &c, useful);
  if (good) clear_sets(g, &c);
  good = good && keep_useful(g, reached, useful, &c);
  bpi_release(reached);
  bpi_release(useful);
  bpi_sccs_free(&c);
  return good;
}

/* ---- acceptance sets --------------------------------------------------- */

/* By component and set: the sets whose edges are all in this one too; seeing those, a run sees it. */
static void find_implied(const bpi_graph *g, const bpi_sccs *c, uint64_t *implied_by)
{
  const uint64_t all = bpi_all_sets(g->sets);
  for (size_t i = 0; i < (size_t)c->count * g->sets; i++)
    implied_by[i] = all;
  for (uint32_t i = 0; i < g->edges.count; i++) {
    const bpi_edge *e = &g->edges.at[i];
    if (c->of[e->from] != c->of[e->to]) continue;
    uint64_t *mine = implied_by + (size_t)c->of[e->from] * g->sets;
    for (uint32_t k = 0; k < g->sets; k++)
      if (!(e->sets >> k & 1)) mine[k] &= ~e->sets;
  }
}

/* The sets of a component that are needed: not on all its edges, and not implied by one kept. */
static uint64_t needed(const bpi_graph *g, const uint64_t *implied_by, const uint64_t common)
{
  uint64_t keep = bpi_all_sets(g->sets) & ~common;
  for (uint32_t k = 0; k < g->sets; k++)
    if ((keep >> k & 1) && (implied_by[k] & keep & ~((uint64_t)1 << k)))
      keep &= ~((uint64_t)1 << k);
  return keep;
}

static uint32_t count_bits(uint64_t bits)
{
  uint32_t count = 0;
  for (; bits; bits &= bits - 1)
    count++;
  return count;
}

/* The kept sets of an edge, numbered from 0; those that its component does not need stand everywhere. */
static uint64_t renumbered(uint64_t sets, uint64_t keep, uint32_t most)
{
  uint64_t result = 0;
  uint32_t to = 0;
  for (uint32_t k = 0; k < 64; k++) {
    if (!(keep >> k & 1)) continue;
    if (sets >> k & 1) result |= (uint64_t)1 << to;
    to++;
  }
  for (; to < most; to++)
    result |= (uint64_t)1 << to;
  return result;
}

static void rewrite(bpi_graph *g, const bpi_sccs *c, const uint64_t *keep, uint32_t most)
{
  for (uint32_t i = 0; i < g->edges.count; i++) {
    bpi_edge *e = &g->edges.at[i];
    const uint32_t scc = c->of[e->from];
    const bool inside = scc == c->of[e->to] && bpi_scc_accepts(c, g, scc);
    e->sets = inside ? renumbered(e->sets, keep[scc], most) : 0;
  }
}

static bool shrink_sets(bpi_graph *g, const bpi_sccs *c, uint64_t *implied_by, uint64_t *keep)
{
  uint32_t most = 0;
  bool rejects = false;
  find_implied(g, c, implied_by);
  for (uint32_t i = 0; i < c->count; i++)
    keep[i] = bpi_all_sets(g->sets);
  for (uint32_t i = 0; i < g->edges.count; i++) {
    const bpi_edge *e = &g->edges.at[i];
    if (c->of[e->from] == c->of[e->to]) keep[c->of[e->from]] &= e->sets;
  }
  for (uint32_t i = 0; i < c->count; i++) {
    const bool accepts = bpi_scc_accepts(c, g, i);
    rejects = rejects || (c->loops[i] && !accepts);
    keep[i] = accepts ? needed(g, implied_by + (size_t)i * g->sets, keep[i]) : 0;
    if (count_bits(keep[i]) > most) most = count_bits(keep[i]);
  }
  if (rejects && !most) most = 1; /* its loops must stay outside of a set */
  rewrite(g, c, keep, most);
  g->sets = most;
  return bpi_graph_sort(g);
}

bool bpi_graph_fewer_sets(bpi_graph *g)
{
  bpi_sccs c;
  if (!g->sets) return true;
  if (!bpi_sccs_find(&c, g)) return false;
  uint64_t *implied_by = bpi_alloc((size_t)c.count * g->sets + 1, sizeof *implied_by);
  uint64_t *keep = bpi_alloc(c.count + (size_t)1, sizeof *keep);
  bool good = implied_by && keep ? true : bpi_job_no_memory(g->labels->job);
  good = good && shrink_sets(g, &c, implied_by, keep);
  bpi_release(implied_by);
  bpi_release(keep);
  bpi_sccs_free(&c);
  return good;
}
