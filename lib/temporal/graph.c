/* SPDX-License-Identifier: MIT */
#include "temporal/graph.h"

enum { WINDOW = 16 };

void bpi_graph_free(bpi_graph *g)
{
  bpi_vec_free(&g->edges);
  bpi_vec_free(&g->initial);
  bpi_release(g->first);
  g->first = NULL;
}

void bpi_graph_move(bpi_graph *to, bpi_graph *from)
{
  bpi_graph_free(to);
  *to = *from;
  *from = (bpi_graph){.labels = to->labels};
}

bool bpi_graph_copy(bpi_graph *to, const bpi_graph *from)
{
  *to = (bpi_graph){.labels = from->labels, .states = from->states, .sets = from->sets};
  if (!bpi_vec_reserve(&to->edges, from->edges.count + 1) ||
      !bpi_vec_reserve(&to->initial, from->initial.count + 1)) {
    bpi_graph_free(to);
    return bpi_job_no_memory(from->labels->job);
  }
  if (from->edges.count)
    memcpy(to->edges.at, from->edges.at, from->edges.count * sizeof *to->edges.at);
  to->edges.count = from->edges.count;
  if (from->initial.count)
    memcpy(to->initial.at, from->initial.at, from->initial.count * sizeof *to->initial.at);
  to->initial.count = from->initial.count;
  return bpi_graph_sort(to);
}

bool bpi_graph_add(bpi_graph *g, uint32_t from, uint32_t to, uint32_t label, uint64_t sets)
{
  if (label == BPI_LABEL_FALSE) return g->labels->job->status == BP_OK;
  if (!bpi_vec_push(&g->edges, (bpi_edge){from, to, label, sets}))
    return bpi_job_no_memory(g->labels->job);
  return bpi_job_going(g->labels->job);
}

/* ---- order ------------------------------------------------------------- */

static int compare(const bpi_edge *x, const bpi_edge *y)
{
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  return x->sets < y->sets ? -1 : x->sets > y->sets;
}

static void sift(bpi_edge *edges, uint32_t at, uint32_t count)
{
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && compare(&edges[child + 1], &edges[child]) > 0) child++;
    if (compare(&edges[at], &edges[child]) >= 0) return;
    const bpi_edge edge = edges[at];
    edges[at] = edges[child];
    edges[child] = edge;
  }
}

static void heapsort(bpi_edge *edges, uint32_t count)
{
  for (uint32_t i = count / 2; i-- > 0;)
    sift(edges, i, count);
  for (uint32_t i = count; i-- > 1;) {
    const bpi_edge edge = edges[0];
    edges[0] = edges[i];
    edges[i] = edge;
    sift(edges, 0, i);
  }
}

static bool is_sorted(const bpi_graph *g)
{
  for (uint32_t i = 1; i < g->edges.count; i++)
    if (compare(&g->edges.at[i - 1], &g->edges.at[i]) > 0) return false;
  return true;
}

static void join(bpi_graph *g)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->edges.count; i++) {
    const bpi_edge *e = &g->edges.at[i];
    bpi_edge *last = kept ? &g->edges.at[kept - 1] : NULL;
    if (last && !compare(last, e))
      last->label = bpi_label_or(g->labels, last->label, e->label);
    else
      g->edges.at[kept++] = *e;
  }
  g->edges.count = kept;
}

/* Of edges to one state, what has more sets comes later; not all of very many are looked at. */
static void drop_covered(bpi_graph *g)
{
  bpi_edge *edges = g->edges.at;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->edges.count && bpi_job_going(g->labels->job); i++) {
    bpi_edge e = edges[i];
    const uint32_t end = g->edges.count - i > WINDOW ? i + WINDOW : g->edges.count;
    for (uint32_t k = i + 1; k < end && edges[k].from == e.from && edges[k].to == e.to; k++)
      if ((e.sets & ~edges[k].sets) == 0)
        e.label = bpi_label_minus(g->labels, e.label, edges[k].label);
    if (e.label != BPI_LABEL_FALSE) edges[kept++] = e;
  }
  g->edges.count = kept;
}

bool bpi_graph_sort(bpi_graph *g)
{
  if (!is_sorted(g)) heapsort(g->edges.at, g->edges.count);
  join(g);
  drop_covered(g);
  if (g->labels->job->status != BP_OK) return false;
  uint32_t *first = bpi_zalloc(g->states + (size_t)2, sizeof *first);
  if (!first) return bpi_job_no_memory(g->labels->job);
  for (uint32_t i = 0; i < g->edges.count; i++)
    first[g->edges.at[i].from + 1]++;
  for (uint32_t s = 0; s < g->states; s++)
    first[s + 1] += first[s];
  bpi_release(g->first);
  g->first = first;
  return bpi_job_going(g->labels->job);
}

/* Each initial state once, with its new number. */
static bool renumber_initial(bpi_graph *g, const uint32_t *map, uint32_t states)
{
  uint8_t *known = bpi_zalloc(states + (size_t)1, 1);
  uint32_t kept = 0;
  if (!known) return bpi_job_no_memory(g->labels->job);
  for (uint32_t i = 0; i < g->initial.count; i++) {
    const uint32_t s = map[g->initial.at[i]];
    if (s == BP_NONE || known[s]) continue;
    known[s] = 1;
    g->initial.at[kept++] = s;
  }
  g->initial.count = kept;
  bpi_release(known);
  return true;
}

bool bpi_graph_renumber(bpi_graph *g, const uint32_t *map, uint32_t states)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < g->edges.count; i++) {
    bpi_edge e = g->edges.at[i];
    e.from = map[e.from];
    e.to = map[e.to];
    if (e.from != BP_NONE && e.to != BP_NONE) g->edges.at[kept++] = e;
  }
  g->edges.count = kept;
  g->states = states;
  return renumber_initial(g, map, states) && bpi_graph_sort(g);
}

/* ---- properties -------------------------------------------------------- */

bool bpi_graph_is_deterministic(const bpi_graph *g)
{
  uint32_t letters = BPI_LABEL_FALSE;
  if (g->initial.count > 1) return false;
  for (uint32_t i = 0; i < g->edges.count && bpi_job_going(g->labels->job); i++) {
    const bpi_edge *e = &g->edges.at[i];
    if (i == g->first[e->from]) letters = BPI_LABEL_FALSE;
    if (bpi_label_and(g->labels, letters, e->label) != BPI_LABEL_FALSE) return false;
    letters = bpi_label_or(g->labels, letters, e->label);
  }
  return true;
}

bool bpi_graph_better(const bpi_graph *a, const bpi_graph *b)
{
  if (a->states != b->states) return a->states < b->states;
  const bool a_det = bpi_graph_is_deterministic(a), b_det = bpi_graph_is_deterministic(b);
  if (a_det != b_det) return a_det;
  if (a->sets != b->sets) return a->sets < b->sets;
  return a->edges.count < b->edges.count;
}
