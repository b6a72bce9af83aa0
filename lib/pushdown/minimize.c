/* SPDX-License-Identifier: MIT
 * Minimal deterministic automata with partial transition functions: Valmari, "Fast brief practical DFA
 * minimization" (Information Processing Letters 112, 2012). Two partitions refine each other: states by
 * what can be read from them, edges by symbol and by the class they lead to. O(m log m). */
#include "pushdown/stacks.h"

#include <stdlib.h>

/* A partition whose sets can be split: elements stand set by set. */
typedef struct partition {
  uint32_t *items, *place; /* an element at each place, the place of each element */
  uint32_t *set_of;        /* by element */
  uint32_t *first, *end;   /* by set: its places */
  uint32_t *marked;        /* by set: so many elements at its beginning are marked */
  uint32_t *touched;       /* sets with marked elements */
  uint32_t count, touched_count;
} partition;

static bool partition_new(partition *p, uint32_t size)
{
  uint32_t **const arrays[] = {&p->items, &p->place,  &p->set_of, &p->first,
                               &p->end,   &p->marked, &p->touched};
  *p = (partition){0};
  bool memory = true;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    memory = (*arrays[i] = bpi_zalloc((size_t)size + 1, sizeof(uint32_t))) && memory;
  for (uint32_t i = 0; memory && i < size; i++)
    p->items[i] = p->place[i] = i;
  p->count = size ? 1 : 0;
  if (memory) p->end[0] = size;
  return memory;
}

static void partition_free(partition *p)
{
  bpi_release(p->items);
  bpi_release(p->place);
  bpi_release(p->set_of);
  bpi_release(p->first);
  bpi_release(p->end);
  bpi_release(p->marked);
  bpi_release(p->touched);
}

static void mark(partition *p, uint32_t item)
{
  const uint32_t set = p->set_of[item], from = p->place[item];
  const uint32_t to = p->first[set] + p->marked[set], other = p->items[to];
  if (from < to) return; /* marked already */
  p->items[to] = item;
  p->place[item] = to;
  p->items[from] = other;
  p->place[other] = from;
  if (!p->marked[set]++) p->touched[p->touched_count++] = set;
}

/* Marked and other elements part; the smaller half becomes a new set. */
static void split(partition *p)
{
  while (p->touched_count) {
    const uint32_t set = p->touched[--p->touched_count];
    const uint32_t middle = p->first[set] + p->marked[set];
    const bool small = p->marked[set] <= p->end[set] - middle;
    p->marked[set] = 0;
    if (middle == p->end[set]) continue;
    const uint32_t one = p->count++;
    p->first[one] = small ? p->first[set] : middle;
    p->end[one] = small ? middle : p->end[set];
    if (small)
      p->first[set] = middle;
    else
      p->end[set] = middle;
    p->marked[one] = 0;
    for (uint32_t i = p->first[one]; i < p->end[one]; i++)
      p->set_of[p->items[i]] = one;
  }
}

typedef struct minimizer {
  bpi_run *run;
  const bpi_dfa *dfa;
  partition blocks, cords;
  uint32_t *into, *into_first; /* edges by where they lead, state by state */
} minimizer;

static bool group_into(minimizer *k)
{
  const bpi_dfa *dfa = k->dfa;
  const uint32_t states = dfa->accepts.count, edges = dfa->edges.count;
  k->into_first = bpi_zalloc((size_t)states + 2, sizeof *k->into_first);
  k->into = bpi_alloc(edges, sizeof *k->into);
  if (!k->into_first || !k->into) return false;
  uint32_t *next = k->into_first + 1;
  for (uint32_t i = 0; i < edges; i++)
    next[dfa->edges.at[i].to + 1]++;
  for (uint32_t s = 0; s < states; s++)
    next[s + 1] += next[s];
  for (uint32_t i = 0; i < edges; i++)
    k->into[next[dfa->edges.at[i].to]++] = i;
  return true;
}

static void split_states(minimizer *k)
{
  const bpi_dfa *dfa = k->dfa;
  for (uint32_t i = 0; i < dfa->starts; i++) {
    mark(&k->blocks, i);
    split(&k->blocks);
  }
  for (uint32_t i = dfa->starts; i < dfa->accepts.count; i++)
    if (dfa->accepts.at[i]) mark(&k->blocks, i);
  split(&k->blocks);
}

typedef struct labelled {
  uint32_t symbol, edge;
} labelled;

static int by_symbol(const void *a, const void *b)
{
  const labelled *x = a, *y = b;
  if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
  return (x->edge > y->edge) - (x->edge < y->edge);
}

/* A set of edges for each symbol. */
static bool split_edges(minimizer *k)
{
  const uint32_t count = k->dfa->edges.count;
  partition *p = &k->cords;
  labelled *list = bpi_alloc(count, sizeof *list);
  if (!list) return false;
  for (uint32_t i = 0; i < count; i++)
    list[i] = (labelled){k->dfa->edges.at[i].symbol, i};
  qsort(list, count, sizeof *list, by_symbol);
  p->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!i || list[i].symbol != list[i - 1].symbol) p->first[p->count++] = i;
    p->items[i] = list[i].edge;
    p->place[list[i].edge] = i;
    p->set_of[list[i].edge] = p->count - 1;
    p->end[p->count - 1] = i + 1;
  }
  bpi_release(list);
  return true;
}

static void refine(minimizer *k)
{
  uint32_t block = 1;
  for (uint32_t cord = 0; cord < k->cords.count; cord++) {
    for (uint32_t i = k->cords.first[cord]; i < k->cords.end[cord]; i++)
      mark(&k->blocks, k->dfa->edges.at[k->cords.items[i]].from);
    split(&k->blocks);
    for (; block < k->blocks.count; block++) {
      for (uint32_t i = k->blocks.first[block]; i < k->blocks.end[block]; i++) {
        const uint32_t state = k->blocks.items[i];
        for (uint32_t e = k->into_first[state]; e < k->into_first[state + 1]; e++)
          mark(&k->cords, k->into[e]);
      }
      split(&k->cords);
      if (!bpi_run_look(k->run)) return;
    }
    if (!bpi_run_look(k->run)) return;
  }
}

uint32_t *bpi_dfa_classes(bpi_run *run, const bpi_dfa *dfa, uint32_t *count)
{
  minimizer k = {.run = run, .dfa = dfa};
  uint32_t *classes = NULL;
  bool memory = partition_new(&k.blocks, dfa->accepts.count);
  memory = partition_new(&k.cords, dfa->edges.count) && memory;
  memory = memory && group_into(&k) && split_edges(&k);
  if (memory) {
    split_states(&k);
    refine(&k);
    *count = k.blocks.count;
    classes = k.blocks.set_of;
    k.blocks.set_of = NULL;
  } else {
    bpi_run_no_memory(run);
  }
  partition_free(&k.blocks);
  partition_free(&k.cords);
  bpi_release(k.into);
  bpi_release(k.into_first);
  if (bpi_run_good(run)) return classes;
  bpi_release(classes);
  return NULL;
}
