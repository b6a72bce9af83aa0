/* SPDX-License-Identifier: MIT
 * Sets without their data. The subset construction, where a state is a set of pairs: a state of the set
 * and values that it may carry after the symbols read so far. Values that lead to no end are left
 * out, so that what remains always has a future. */
#include "pushdown/stacks.h"

#include "base/hash.h"

#include <stdlib.h>

/* Values that a state may carry. */
typedef struct pair {
  uint32_t state;
  bpi_bdd values; /* owned by the subset */
} pair;

/* What a subset leads to with a symbol. */
typedef struct move {
  uint32_t symbol, state;
  bpi_bdd values;
} move;

typedef struct projection {
  bpi_run *run;
  bpi_walk w;
  bpi_bdd *useful;
  BPI_VEC(pair) pairs;      /* of all subsets, one after the other, by state in each */
  BPI_VEC(uint32_t) firsts; /* by subset: in pairs; one more behind the last */
  uint32_t *slots;          /* subset plus 1; 0: free */
  uint32_t size;
  BPI_VEC(move) moves; /* scratch */
  bpi_dfa dfa;
} projection;

/* ---- subsets -------------------------------------------------------------------- */

static uint64_t hash_of(const projection *k, uint32_t subset)
{
  uint64_t hash = BPI_HASH_START;
  for (uint32_t i = k->firsts.at[subset]; i < k->firsts.at[subset + 1]; i++) {
    hash = bpi_hash_u64(hash, k->pairs.at[i].state);
    hash = bpi_hash_u64(hash, (uint64_t)k->pairs.at[i].values);
  }
  return hash;
}

static bool equal(const projection *k, uint32_t a, uint32_t b)
{
  const uint32_t i = k->firsts.at[a], j = k->firsts.at[b], count = k->firsts.at[a + 1] - i;
  if (k->firsts.at[b + 1] - j != count) return false;
  for (uint32_t n = 0; n < count; n++)
    if (k->pairs.at[i + n].state != k->pairs.at[j + n].state ||
        k->pairs.at[i + n].values != k->pairs.at[j + n].values)
      return false;
  return true;
}

static uint32_t *slot_of(const projection *k, uint32_t subset)
{
  for (uint32_t i = (uint32_t)hash_of(k, subset);; i++) {
    uint32_t *slot = &k->slots[i & (k->size - 1)];
    if (!*slot || equal(k, *slot - 1, subset)) return slot;
  }
}

/* Room in the table for one more than the `count` subsets there are. */
static bool grow(projection *k, uint32_t count)
{
  if (count < k->size / 2) return true;
  const uint32_t size = k->size ? 2 * k->size : 64;
  uint32_t *slots = k->size > UINT32_MAX / 4 ? NULL : bpi_zalloc(size, sizeof *slots);
  if (!slots) return bpi_run_no_memory(k->run);
  bpi_release(k->slots);
  k->slots = slots;
  k->size = size;
  for (uint32_t i = k->run->p->controls.count; i < count; i++)
    *slot_of(k, i) = i + 1;
  return true;
}

static bool add_pair(projection *k, uint32_t state, bpi_bdd values)
{
  const pair one = {state, values};
  if (bpi_vec_push(&k->pairs, one)) return true;
  bpi_bdd_drop(k->run->m, values);
  return bpi_run_no_memory(k->run);
}

static bool subset_accepts(projection *k, uint32_t subset)
{
  bool accepts = false;
  for (uint32_t i = k->firsts.at[subset]; i < k->firsts.at[subset + 1] && !accepts; i++) {
    const bpi_bdd ends = k->w.c->states.at[k->pairs.at[i].state].accepts;
    const bpi_bdd both = bpi_bdd_and(k->run->m, k->pairs.at[i].values, ends);
    accepts = both != BPI_FALSE;
    bpi_bdd_drop(k->run->m, both);
  }
  return accepts;
}

/* The pairs behind those of the last subset become one. */
static uint32_t close_subset(projection *k)
{
  const uint32_t subset = k->firsts.count - 1;
  if (!bpi_vec_push(&k->firsts, k->pairs.count) ||
      !bpi_vec_push(&k->dfa.accepts, subset_accepts(k, subset))) {
    bpi_run_no_memory(k->run);
    return BP_NONE;
  }
  return subset;
}

/* The number of the subset that the last pairs make, which are given away if it is known. */
static uint32_t intern(projection *k)
{
  if (!grow(k, k->firsts.count - 1)) return BP_NONE;
  const uint32_t subset = close_subset(k);
  if (subset == BP_NONE) return BP_NONE;
  uint32_t *slot = slot_of(k, subset);
  if (!*slot) {
    *slot = subset + 1;
    return subset;
  }
  while (k->pairs.count > k->firsts.at[subset])
    bpi_bdd_drop(k->run->m, k->pairs.at[--k->pairs.count].values);
  k->firsts.count--;
  k->dfa.accepts.count--;
  return *slot - 1;
}

/* ---- moves ----------------------------------------------------------------------- */

static void find_moves(projection *k, pair from)
{
  const bp_configurations *c = k->w.c;
  bpi_run *run = k->run;
  for (uint32_t t = c->states.at[from.state].first_out; t != BP_NONE;
       t = c->transitions.at[t].next_out) {
    const bpi_key ends = bpi_ends(c, t);
    if (!bpi_run_tick(run)) return;
    const bpi_bdd image =
        bpi_bdd_and_exists(run->m, from.values, c->transitions.at[t].rel, k->w.read);
    bpi_bdd values = bpi_renamed(run, image, k->w.to_here);
    bpi_bdd_drop(run->m, image);
    bpi_run_meet(run, &values, bpi_bdd_keep(run->m, k->useful[ends.at[2]]));
    const move one = {ends.at[1], ends.at[2], values};
    if (values == BPI_FALSE || bpi_vec_push(&k->moves, one)) continue;
    bpi_bdd_drop(run->m, values);
    bpi_run_no_memory(run);
  }
}

static int by_symbol(const void *a, const void *b)
{
  const move *x = a, *y = b;
  if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
  return (x->state > y->state) - (x->state < y->state);
}

/* The moves with the symbol at `at` become pairs; answers where the next symbol begins. */
static uint32_t take_moves(projection *k, uint32_t at)
{
  const uint32_t symbol = k->moves.at[at].symbol;
  for (; at < k->moves.count && k->moves.at[at].symbol == symbol; at++) {
    const move one = k->moves.at[at];
    k->moves.at[at].values = BPI_FALSE;
    const uint32_t last = k->pairs.count - 1;
    if (k->pairs.count > k->firsts.at[k->firsts.count - 1] && k->pairs.at[last].state == one.state)
      bpi_run_join(k->run, &k->pairs.at[last].values, one.values);
    else if (!add_pair(k, one.state, one.values))
      break;
  }
  return at;
}

static void expand(projection *k, uint32_t subset)
{
  for (uint32_t i = k->firsts.at[subset]; i < k->firsts.at[subset + 1]; i++)
    find_moves(k, k->pairs.at[i]);
  if (k->moves.count) qsort(k->moves.at, k->moves.count, sizeof *k->moves.at, by_symbol);
  for (uint32_t at = 0; at < k->moves.count && bpi_run_good(k->run);) {
    const uint32_t symbol = k->moves.at[at].symbol;
    at = take_moves(k, at);
    const uint32_t to = bpi_run_good(k->run) ? intern(k) : BP_NONE;
    const bpi_dfa_edge edge = {subset, symbol, to};
    if (to != BP_NONE && !bpi_vec_push(&k->dfa.edges, edge)) bpi_run_no_memory(k->run);
  }
  for (uint32_t i = 0; i < k->moves.count; i++)
    bpi_bdd_drop(k->run->m, k->moves.at[i].values);
  k->moves.count = 0;
}

static void determinize(projection *k)
{
  const uint32_t controls = k->run->p->controls.count;
  if (!bpi_vec_push(&k->firsts, 0)) bpi_run_no_memory(k->run);
  k->useful = bpi_walk_useful(&k->w);
  k->dfa.starts = controls;
  for (uint32_t i = 0; k->useful && i < controls && bpi_run_good(k->run); i++) {
    const bpi_bdd values = bpi_bdd_keep(k->run->m, k->useful[i]);
    if (values != BPI_FALSE) add_pair(k, i, values);
    if (bpi_run_good(k->run)) close_subset(k);
  }
  for (uint32_t i = 0; i + 1 < k->firsts.count && bpi_run_look(k->run); i++)
    expand(k, i);
}

/* ---- the result -------------------------------------------------------------------- */

/* States in the order in which edges come to them; a class has that of any of its members. */
typedef struct renaming {
  uint32_t *number;       /* by class; BP_NONE: none yet */
  BPI_VEC(uint32_t) list; /* by number: a member */
} renaming;

static bool number_class(bpi_run *run, bp_stacks *s, renaming *r, uint32_t class, uint32_t member)
{
  if (r->number[class] != BP_NONE) return true;
  r->number[class] = r->list.count;
  if (!bpi_vec_push(&r->list, member)) return bpi_run_no_memory(run);
  return r->list.count <= s->states.count || bpi_stacks_state(s) != BP_NONE ||
         bpi_run_no_memory(run);
}

/* Where the edges of each state begin. */
static uint32_t *edge_firsts(const bpi_dfa *dfa)
{
  uint32_t *first = bpi_zalloc((size_t)dfa->accepts.count + 1, sizeof *first);
  for (uint32_t i = 0; first && i < dfa->edges.count; i++)
    first[dfa->edges.at[i].from + 1]++;
  for (uint32_t i = 0; first && i < dfa->accepts.count; i++)
    first[i + 1] += first[i];
  return first;
}

static void fill(projection *k, bp_stacks *s, const uint32_t *classes, const uint32_t *first,
                 renaming *r)
{
  const bpi_dfa *dfa = &k->dfa;
  for (uint32_t i = 0; i < dfa->starts; i++)
    if (!number_class(k->run, s, r, classes[i], i)) return;
  for (uint32_t i = 0; i < r->list.count && bpi_run_look(k->run); i++) {
    const uint32_t member = r->list.at[i];
    s->states.at[i].accepts = dfa->accepts.at[member];
    for (uint32_t e = first[member]; e < first[member + 1]; e++) {
      const uint32_t to = dfa->edges.at[e].to;
      if (!number_class(k->run, s, r, classes[to], to)) return;
      if (!bpi_stacks_edge(s, i, dfa->edges.at[e].symbol, r->number[classes[to]]))
        bpi_run_no_memory(k->run);
    }
  }
}

static bp_stacks *build(projection *k)
{
  uint32_t count = 0;
  uint32_t *classes = bpi_run_good(k->run) ? bpi_dfa_classes(k->run, &k->dfa, &count) : NULL;
  if (!classes) return NULL;
  renaming r = {.number = bpi_alloc(count, sizeof *r.number)};
  uint32_t *first = edge_firsts(&k->dfa);
  bp_stacks *s = bpi_stacks_begin(k->run->ctx, k->w.c->p);
  if (r.number && first && s) {
    memset(r.number, 0xFF, count * sizeof *r.number);
    fill(k, s, classes, first, &r);
  } else {
    bpi_run_no_memory(k->run);
  }
  bpi_release(r.number);
  bpi_vec_free(&r.list);
  bpi_release(first);
  bpi_release(classes);
  if (bpi_run_good(k->run)) return s;
  bp_stacks_unref(s);
  return NULL;
}

static void finish(projection *k)
{
  for (uint32_t i = 0; i < k->pairs.count; i++)
    bpi_bdd_drop(k->run->m, k->pairs.at[i].values);
  bpi_vec_free(&k->pairs);
  bpi_vec_free(&k->firsts);
  bpi_vec_free(&k->moves);
  bpi_vec_free(&k->dfa.edges);
  bpi_vec_free(&k->dfa.accepts);
  bpi_release(k->slots);
  bpi_walk_free(&k->w, k->useful);
  bpi_walk_end(&k->w);
}

bp_status bp_configurations_stacks(bp_stacks **out, const bp_configurations *c,
                                   const bp_limits *limits)
{
  if (out) *out = NULL;
  if (!c) return BP_E_INVALID;
  if (!out) return bpi_invalid(c->ctx, "out is NULL");
  bpi_run run;
  bp_status status = bpi_run_begin(&run, c, limits);
  if (status != BP_OK) return status;
  projection k = {.run = &run};
  bpi_walk_begin(&k.w, &run, c);
  determinize(&k);
  bp_stacks *s = build(&k);
  finish(&k);
  status = bpi_run_end(&run);
  if (status == BP_OK)
    *out = s;
  else
    bp_stacks_unref(s);
  return status;
}
