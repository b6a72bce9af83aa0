/* SPDX-License-Identifier: MIT
 * All heads of a set, with the values that they can have: one pass backwards for all of them. */
#include "pushdown/pushdown.h"

#include <stdlib.h>

/* A transition from a control location. */
typedef struct start {
  uint32_t symbol, transition;
} start;

typedef struct heads {
  bpi_walk w;
  bpi_bdd *useful;
  BPI_VEC(start) starts; /* of one control location */
  BPI_VEC(bpi_bdd) path; /* nodes of the cube being told, from the top */
  bp_value *values;      /* of globals, then of locals */
  uint32_t most;
  bp_head_fn fn;
  void *user;
  bool refused;
} heads;

static int by_symbol(const void *a, const void *b)
{
  const start *x = a, *y = b;
  if (x->symbol != y->symbol) return x->symbol < y->symbol ? -1 : 1;
  return (x->transition > y->transition) - (x->transition < y->transition);
}

static bp_value *value_of(heads *h, uint32_t var)
{
  const uint32_t globals = h->w.run->p->globals.count;
  return var < 3 * globals ? &h->values[var / 3] : &h->values[globals + (var - 3 * globals) / 6];
}

/* Down from `node` to TRUE, on the low side where that is possible. */
static bool descend(heads *h, bpi_bdd node)
{
  bp_manager *m = h->w.run->m;
  while (node >= 2) {
    const bpi_bdd low = bpi_bdd_low(m, node);
    *value_of(h, bpi_bdd_top(m, node)) = low == BPI_FALSE ? BP_TRUE : BP_FALSE;
    if (!bpi_vec_push(&h->path, node)) return bpi_run_no_memory(h->w.run);
    node = low == BPI_FALSE ? bpi_bdd_high(m, node) : low;
  }
  return true;
}

/* To the next path to TRUE; false: there is none. */
static bool next_cube(heads *h)
{
  bp_manager *m = h->w.run->m;
  while (h->path.count) {
    const bpi_bdd node = h->path.at[h->path.count - 1], high = bpi_bdd_high(m, node);
    bp_value *value = value_of(h, bpi_bdd_top(m, node));
    if (*value == BP_FALSE && high != BPI_FALSE) {
      *value = BP_TRUE;
      return descend(h, high);
    }
    *value = BP_ANY;
    h->path.count--;
  }
  return false;
}

static void tell(heads *h, uint32_t control, uint32_t symbol, bpi_bdd set)
{
  const uint32_t globals = h->w.run->p->globals.count, locals = h->w.run->p->max_locals;
  const bp_head head = {control, symbol, h->values, h->values + globals};
  for (uint32_t i = 0; i < globals + locals; i++)
    h->values[i] = BP_ANY;
  h->path.count = 0;
  bool more = set != BPI_FALSE && bpi_run_good(h->w.run) && descend(h, set);
  for (uint32_t i = 0; more && (!h->most || i < h->most) && bpi_run_look(h->w.run); i++) {
    h->refused = h->fn(&head, h->user) != 0;
    more = !h->refused && next_cube(h);
  }
}

static void from_control(heads *h, uint32_t control)
{
  const bp_configurations *c = h->w.c;
  bpi_run *run = h->w.run;
  h->starts.count = 0;
  for (uint32_t t = c->states.at[control].first_out; t != BP_NONE;
       t = c->transitions.at[t].next_out) {
    const start one = {bpi_ends(c, t).at[1], t};
    if (!bpi_vec_push(&h->starts, one)) bpi_run_no_memory(run);
  }
  if (h->starts.count) qsort(h->starts.at, h->starts.count, sizeof *h->starts.at, by_symbol);
  for (uint32_t i = 0; i < h->starts.count && !h->refused && bpi_run_good(run);) {
    const uint32_t symbol = h->starts.at[i].symbol;
    bpi_bdd set = BPI_FALSE;
    for (; i < h->starts.count && h->starts.at[i].symbol == symbol && bpi_run_tick(run); i++)
      bpi_run_join(run, &set, bpi_walk_towards(&h->w, h->starts.at[i].transition, h->useful));
    tell(h, control, symbol, set);
    bpi_bdd_drop(run->m, set);
  }
}

bp_status bp_configurations_heads(const bp_configurations *c, uint32_t most, bp_head_fn fn,
                                  void *user)
{
  if (!c) return BP_E_INVALID;
  if (!fn) return bpi_invalid(c->ctx, "fn is NULL");
  bpi_run run;
  const bp_status begun = bpi_run_begin(&run, c, NULL);
  if (begun != BP_OK) return begun;
  heads h = {.most = most, .fn = fn, .user = user};
  bpi_walk_begin(&h.w, &run, c);
  h.values = bpi_alloc((size_t)c->p->globals.count + c->p->max_locals, sizeof *h.values);
  if (!h.values) bpi_run_no_memory(&run);
  h.useful = h.values ? bpi_walk_useful(&h.w) : NULL;
  for (uint32_t i = 0; h.useful && i < c->p->controls.count && !h.refused; i++)
    from_control(&h, i);
  bpi_walk_free(&h.w, h.useful);
  bpi_walk_end(&h.w);
  bpi_vec_free(&h.starts);
  bpi_vec_free(&h.path);
  bpi_release(h.values);
  const bp_status status = bpi_run_end(&run);
  return status == BP_OK && h.refused ? BP_E_USER : status;
}
