/* SPDX-License-Identifier: MIT
 * Minimal weak deterministic automata: Loeding, "Efficient minimization of deterministic weak
 * omega-automata", Inf. Process. Letters 2001. Colours make it a matter of finite automata, whose
 * states are told apart as by Moore. */
#include "temporal/powerset.h"

/* ---- colours ----------------------------------------------------------- */

/* The least colours that do not grow along edges; even where loops accept, odd where they reject. */
static bool find_colours(const bpi_powerset *p, uint32_t *colours)
{
  const bpi_graph *d = &p->graph;
  bpi_sccs c;
  if (!bpi_sccs_find(&c, d)) return false;
  uint32_t *of = bpi_zalloc(c.count, sizeof *of);
  uint8_t *parity = bpi_zalloc(c.count, 1); /* of the colour, where it has loops */
  const bool good = of && parity;
  for (uint32_t s = 0; good && s < d->states; s++)
    parity[c.of[s]] = !p->accepting[s];
  for (uint32_t scc = 0; good && scc < c.count; scc++) {
    for (uint32_t i = 0; i < d->edges.count; i++) {
      const bpi_edge *e = &d->edges.at[i];
      if (c.of[e->from] == scc && c.of[e->to] != scc && of[c.of[e->to]] > of[scc])
        of[scc] = of[c.of[e->to]];
    }
    if (c.loops[scc] && of[scc] % 2 != parity[scc]) of[scc]++;
  }
  for (uint32_t s = 0; good && s < d->states; s++)
    colours[s] = of[c.of[s]];
  bpi_release(of);
  bpi_release(parity);
  bpi_sccs_free(&c);
  return good || bpi_job_no_memory(d->labels->job);
}

/* ---- classes ----------------------------------------------------------- */

typedef struct partition {
  const bpi_graph *d;
  uint32_t *class, *fresh; /* by state */
  uint32_t *sample;        /* by new class: a state */
  uint32_t count;
} partition;

/* The letters that lead from a state into a class. */
static uint32_t into(const partition *p, uint32_t state, uint32_t class)
{
  uint32_t label = BPI_LABEL_FALSE;
  for (uint32_t i = p->d->first[state]; i < p->d->first[state + 1]; i++)
    if (p->class[p->d->edges.at[i].to] == class)
      label = bpi_label_or(p->d->labels, label, p->d->edges.at[i].label);
  return label;
}

/* Both are complete, so it is enough to look at where one of them goes. */
static bool alike(const partition *p, uint32_t s, uint32_t t)
{
  if (p->class[s] != p->class[t]) return false;
  for (uint32_t i = p->d->first[s]; i < p->d->first[s + 1]; i++) {
    const uint32_t class = p->class[p->d->edges.at[i].to];
    if (into(p, s, class) != into(p, t, class)) return false;
  }
  return true;
}

static bool refine(partition *p)
{
  for (uint32_t before = 0; before != p->count;) {
    before = p->count;
    p->count = 0;
    for (uint32_t s = 0; s < p->d->states; s++) {
      uint32_t k = 0;
      while (k < p->count && !alike(p, p->sample[k], s))
        k++;
      if (k == p->count) p->sample[p->count++] = s;
      p->fresh[s] = k;
      if (!bpi_job_going(p->d->labels->job)) return false;
    }
    uint32_t *old = p->class;
    p->class = p->fresh;
    p->fresh = old;
  }
  return true;
}

static bool quotient(bpi_graph *out, const partition *p, const uint8_t *accepting)
{
  const bpi_graph *d = p->d;
  *out = (bpi_graph){.labels = d->labels, .states = p->count, .sets = 1};
  for (uint32_t k = 0; k < p->count; k++) {
    const uint32_t s = p->sample[k];
    for (uint32_t i = d->first[s]; i < d->first[s + 1]; i++)
      if (!bpi_graph_add(out, k, p->class[d->edges.at[i].to], d -> edges.at[i].label, accepting[k]))
        return false;
  }
  if (!bpi_vec_push(&out->initial, p->class[d->initial.at[0]]))
    return bpi_job_no_memory(d->labels->job);
  return bpi_graph_sort(out) && bpi_graph_prune(out) && bpi_graph_fewer_sets(out);
}

/* A class accepts where its colour is even. */
static bool minimize(bpi_graph *out, partition *p, const uint32_t *colours, uint8_t *accepting)
{
  for (uint32_t s = 0; s < p->d->states; s++)
    p->class[s] = colours[s] % 2;
  p->count = 2;
  if (!refine(p)) return false;
  for (uint32_t k = 0; k < p->count; k++)
    accepting[k] = colours[p->sample[k]] % 2 == 0;
  return quotient(out, p, accepting);
}

bool bpi_weak_minimize(bpi_graph *out, const bpi_powerset *p)
{
  const bpi_graph *d = &p->graph;
  partition parts = {.d = d,
                     .class = bpi_alloc(d->states, sizeof(uint32_t)),
                     .fresh = bpi_alloc(d->states, sizeof(uint32_t)),
                     .sample = bpi_alloc(d->states, sizeof(uint32_t))};
  uint32_t *colours = bpi_alloc(d->states, sizeof *colours);
  uint8_t *accepting = bpi_alloc(d->states, 1);
  bool good = parts.class && parts.fresh && parts.sample && colours && accepting
                  ? true
                  : bpi_job_no_memory(d->labels->job);
  good = good && find_colours(p, colours);
  good = good && minimize(out, &parts, colours, accepting);
  bpi_release(parts.class);
  bpi_release(parts.fresh);
  bpi_release(parts.sample);
  bpi_release(colours);
  bpi_release(accepting);
  return good;
}
