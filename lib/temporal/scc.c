/* SPDX-License-Identifier: MIT
 * Strongly connected components: Tarjan, SIAM J. Computing 1972, with a stack of its own. */
#include "temporal/graph.h"

typedef struct frame {
  uint32_t state, edge;
} frame;

typedef struct tarjan {
  const bpi_graph *g;
  bpi_sccs *c;
  uint32_t *number, *low; /* 0: not seen */
  uint32_t seen;
  BPI_VEC(frame) frames;
  bpi_ids stack;
} tarjan;

static bool enter(tarjan *t, uint32_t state)
{
  t->number[state] = t->low[state] = ++t->seen;
  return bpi_vec_push(&t->frames, (frame){state, t->g->first[state]}) &&
         bpi_vec_push(&t->stack, state);
}

static void leave(tarjan *t, uint32_t state)
{
  t->frames.count--;
  if (t->frames.count) {
    const uint32_t above = t->frames.at[t->frames.count - 1].state;
    if (t->low[state] < t->low[above]) t->low[above] = t->low[state];
  }
  if (t->low[state] != t->number[state]) return;
  uint32_t member;
  do {
    member = t->stack.at[--t->stack.count];
    t->c->of[member] = t->c->count;
  } while (member != state);
  t->c->count++;
}

static bool visit(tarjan *t, uint32_t root)
{
  if (!enter(t, root)) return false;
  while (t->frames.count) {
    frame *top = &t->frames.at[t->frames.count - 1];
    const uint32_t state = top->state;
    if (top->edge == t->g->first[state + 1]) {
      leave(t, state);
      continue;
    }
    const uint32_t to = t->g->edges.at[top->edge++].to;
    if (!t->number[to]) {
      if (!enter(t, to)) return false;
    } else if (t->c->of[to] == BP_NONE && t->number[to] < t->low[state]) {
      t->low[state] = t->number[to];
    }
  }
  return true;
}

static void look_inside(bpi_sccs *c, const bpi_graph *g)
{
  for (uint32_t i = 0; i < g->edges.count; i++) {
    const bpi_edge *e = &g->edges.at[i];
    if (c->of[e->from] != c->of[e->to]) continue;
    c->loops[c->of[e->from]] = 1;
    c->sets[c->of[e->from]] |= e->sets;
  }
}

bool bpi_sccs_find(bpi_sccs *c, const bpi_graph *g)
{
  const size_t size = g->states ? g->states : 1;
  *c = (bpi_sccs){.of = bpi_alloc(size, sizeof *c->of),
                  .sets = bpi_zalloc(size, sizeof *c->sets),
                  .loops = bpi_zalloc(size, 1)};
  tarjan t = {.g = g,
              .c = c,
              .number = bpi_zalloc(size, sizeof *t.number),
              .low = bpi_alloc(size, sizeof *t.low)};
  bool good = c->of && c->sets && c->loops && t.number && t.low;
  if (good) memset(c->of, 0xff, size * sizeof *c->of);
  for (uint32_t s = 0; good && s < g->states; s++)
    if (!t.number[s]) good = visit(&t, s);
  bpi_release(t.number);
  bpi_release(t.low);
  bpi_vec_free(&t.frames);
  bpi_vec_free(&t.stack);
  if (!good) {
    bpi_sccs_free(c);
    return bpi_job_no_memory(g->labels->job);
  }
  look_inside(c, g);
  return bpi_job_going(g->labels->job) || (bpi_sccs_free(c), false);
}

void bpi_sccs_free(bpi_sccs *c)
{
  bpi_release(c->of);
  bpi_release(c->sets);
  bpi_release(c->loops);
  *c = (bpi_sccs){0};
}
