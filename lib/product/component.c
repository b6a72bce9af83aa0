/* SPDX-License-Identifier: MIT */
#include "product/component.h"

bool bpi_components_begin(bpi_components *c, uint32_t nodes)
{
  *c = (bpi_components){.nodes = nodes, .memory = true};
  c->of = bpi_alloc(nodes, sizeof *c->of);
  return c->of != NULL;
}

void bpi_components_edge(bpi_components *c, uint32_t from, uint32_t to)
{
  c->memory = c->memory && bpi_vec_push(&c->ends, from) && bpi_vec_push(&c->ends, to);
}

void bpi_components_end(bpi_components *c)
{
  bpi_release(c->of);
  bpi_vec_free(&c->ends);
}

typedef struct search {
  bpi_components *c;
  uint32_t *first, *to;  /* edges by node */
  uint32_t *index, *low; /* index 0: not visited */
  uint32_t *next;        /* by node: the edge to look at */
  uint32_t *open, *path;
  uint32_t open_count, path_count, visited;
} search;

/* Sorts the edges by where they begin. */
static void sort_edges(search *s)
{
  const bpi_components *c = s->c;
  for (uint32_t i = 0; i < c->ends.count; i += 2)
    s->first[c->ends.at[i] + 1]++;
  for (uint32_t n = 0; n < c->nodes; n++)
    s->first[n + 1] += s->first[n];
  memcpy(s->next, s->first, c->nodes * sizeof *s->next);
  for (uint32_t i = 0; i < c->ends.count; i += 2)
    s->to[s->next[c->ends.at[i]]++] = c->ends.at[i + 1];
  memcpy(s->next, s->first, c->nodes * sizeof *s->next);
}

static void enter(search *s, uint32_t node)
{
  s->index[node] = s->low[node] = ++s->visited;
  s->c->of[node] = UINT32_MAX;
  s->open[s->open_count++] = node;
  s->path[s->path_count++] = node;
}

static void leave(search *s, uint32_t node)
{
  s->path_count--;
  if (s->path_count) {
    const uint32_t above = s->path[s->path_count - 1];
    if (s->low[node] < s->low[above]) s->low[above] = s->low[node];
  }
  if (s->low[node] != s->index[node]) return;
  uint32_t member;
  do {
    member = s->open[--s->open_count];
    s->c->of[member] = s->c->count;
  } while (member != node);
  s->c->count++;
}

static void visit_from(search *s, uint32_t root)
{
  if (s->index[root]) return;
  enter(s, root);
  while (s->path_count) {
    const uint32_t node = s->path[s->path_count - 1];
    if (s->next[node] == s->first[node + 1]) {
      leave(s, node);
      continue;
    }
    const uint32_t to = s->to[s->next[node]++];
    if (!s->index[to])
      enter(s, to);
    else if (s->c->of[to] == UINT32_MAX && s->index[to] < s->low[node])
      s->low[node] = s->index[to];
  }
}

bool bpi_components_find(bpi_components *c)
{
  const uint32_t n = c->nodes;
  search s = {.c = c,
              .first = bpi_zalloc((size_t)n + 1, sizeof *s.first),
              .to = bpi_alloc(c->ends.count / 2, sizeof *s.to),
              .index = bpi_zalloc(n, sizeof *s.index),
              .low = bpi_alloc(n, sizeof *s.low),
              .next = bpi_alloc(n, sizeof *s.next),
              .open = bpi_alloc(n, sizeof *s.open),
              .path = bpi_alloc(n, sizeof *s.path)};
  const bool memory =
      c->memory && s.first && s.to && s.index && s.low && s.next && s.open && s.path;
  c->count = 0;
  if (memory) {
    sort_edges(&s);
    for (uint32_t node = 0; node < n; node++)
      visit_from(&s, node);
  }
  uint32_t *const blocks[] = {s.first, s.to, s.index, s.low, s.next, s.open, s.path};
  for (uint32_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    bpi_release(blocks[i]);
  return memory;
}
