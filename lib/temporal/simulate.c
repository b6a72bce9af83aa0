/* SPDX-License-Identifier: MIT
 * Direct and reverse simulation on transition-based automata, letter by letter: Somenzi & Bloem, CAV
 * 2000; Etessami & Holzmann, CONCUR 2000; Babiak, Badie, Duret-Lutz, Kretinsky & Strejcek, SPIN 2013.
 * Dropping edges to states that others simulate: Clemente & Mayr, POPL 2013. */
#include "temporal/graph.h"

/* The relation has the square of the states, and each round looks at about the square of the edges. */
enum { MOST_STATES = 400, MOST_EDGES = 1200 };

typedef struct relation {
  bpi_graph *g;
  uint8_t *below; /* below[s * states + t]: t simulates s */
} relation;

static bool is_below(const relation *r, uint32_t s, uint32_t t)
{
  return r->below[(size_t)s * r->g->states + t];
}

/* ---- the relation ------------------------------------------------------ */

static bool matches(const relation *r, const bpi_edge *e, uint32_t t)
{
  const bpi_graph *g = r->g;
  uint32_t rest = e->label;
  for (uint32_t i = g->first[t]; i < g->first[t + 1] && rest != BPI_LABEL_FALSE; i++) {
    const bpi_edge *f = &g->edges.at[i];
    if ((e->sets & ~f->sets) == 0 && is_below(r, e->to, f->to))
      rest = bpi_label_minus(g->labels, rest, f->label);
  }
  return rest == BPI_LABEL_FALSE;
}

static bool simulates(const relation *r, uint32_t s, uint32_t t)
{
  for (uint32_t i = r->g->first[s]; i < r->g->first[s + 1]; i++)
    if (!matches(r, &r->g->edges.at[i], t)) return false;
  return true;
}

static bool is_initial(const bpi_graph *g, uint32_t s)
{
  for (uint32_t i = 0; i < g->initial.count; i++)
    if (g->initial.at[i] == s) return true;
  return false;
}

static void start(relation *r, bool backward)
{
  const uint32_t n = r->g->states;
  memset(r->below, 1, (size_t)n * n);
  for (uint32_t s = 0; s < n && backward; s++)
    for (uint32_t t = 0; is_initial(r->g, s) && t < n; t++)
      if (!is_initial(r->g, t)) r->below[(size_t)s * n + t] = 0;
}

/* The greatest one: what fails is taken out until nothing fails. */
static bool refine(relation *r)
{
  const uint32_t n = r->g->states;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = 0; s < n; s++)
      for (uint32_t t = 0; t < n; t++) {
        uint8_t *bit = &r->below[(size_t)s * n + t];
        if (s == t || !*bit || simulates(r, s, t)) continue;
        *bit = 0;
        changed = true;
      }
    if (!bpi_job_going(r->g->labels->job)) return false;
  }
  return true;
}

/* ---- what it is good for ----------------------------------------------- */

static void drop_edges(relation *r)
{
  bpi_graph *g = r->g;
  for (uint32_t i = 0; i < g->edges.count; i++) {
    bpi_edge *e = &g->edges.at[i];
    for (uint32_t k = g->first[e->from]; k < g->first[e->from + 1]; k++) {
      const bpi_edge *f = &g->edges.at[k];
      if (e->to != f->to && (e->sets & ~f->sets) == 0 && is_below(r, e->to, f->to))
        e->label = bpi_label_minus(g->labels, e->label, f->label);
    }
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->edges.count; i++)
    if (g->edges.at[i].label != BPI_LABEL_FALSE) g->edges.at[kept++] = g->edges.at[i];
  g->edges.count = kept;
}

static void drop_initial(relation *r)
{
  bpi_ids *all = &r->g->initial;
  for (uint32_t i = 0; i < all->count;) {
    bool covered = false;
    for (uint32_t k = 0; k < all->count && !covered; k++)
      covered = k != i && is_below(r, all->at[i], all->at[k]);
    if (covered)
      all->at[i] = all->at[--all->count];
    else
      i++;
  }
}

/* States that simulate each other become the first of them; those keep their numbers meanwhile. */
static bool merge(relation *r, uint32_t *map, uint32_t *count)
{
  bpi_graph *g = r->g;
  for (uint32_t s = 0; s < g->states; s++) {
    map[s] = s;
    for (uint32_t t = 0; t < s && map[s] == s; t++)
      if (is_below(r, s, t) && is_below(r, t, s)) map[s] = map[t];
    *count += map[s] == s;
  }
  return *count == g->states || bpi_graph_renumber(g, map, g->states);
}

/* Closes the gaps in the numbers. */
static bool pack(bpi_graph *g, uint32_t *map)
{
  uint32_t kept = 0;
  for (uint32_t s = 0; s < g->states; s++)
    map[s] = map[s] == s ? kept++ : BP_NONE;
  return bpi_graph_renumber(g, map, kept);
}

static bool apply(relation *r, uint32_t *map, bool backward)
{
  uint32_t count = 0;
  if (!refine(r) || !merge(r, map, &count)) return false;
  drop_edges(r);
  if (!backward) drop_initial(r);
  return pack(r->g, map);
}

static bool turn(bpi_graph *g)
{
  for (uint32_t i = 0; i < g->edges.count; i++) {
    bpi_edge *e = &g->edges.at[i];
    const uint32_t from = e->from;
    e->from = e->to;
    e->to = from;
  }
  return bpi_graph_sort(g);
}

static bool fill_sets(bpi_graph *g)
{
  bpi_sccs c;
  if (!bpi_sccs_find(&c, g)) return false;
  for (uint32_t i = 0; i < g->edges.count; i++) {
    bpi_edge *e = &g->edges.at[i];
    if (c.of[e->from] != c.of[e->to]) e->sets = bpi_all_sets(g->sets);
  }
  bpi_sccs_free(&c);
  return bpi_graph_sort(g);
}

bool bpi_graph_simulate(bpi_graph *g, bool backward, bool full)
{
  if (g->states > MOST_STATES || g->edges.count > MOST_EDGES || g->states < 2) return true;
  if ((full && !fill_sets(g)) || (backward && !turn(g))) return false;
  relation r = {.g = g, .below = bpi_alloc((size_t)g->states * g->states, 1)};
  uint32_t *map = bpi_alloc(g->states, sizeof *map);
  bool good = r.below && map ? true : bpi_job_no_memory(g->labels->job);
  if (good) start(&r, backward);
  good = good && apply(&r, map, backward);
  bpi_release(r.below);
  bpi_release(map);
  return good && (!backward || turn(g));
}
