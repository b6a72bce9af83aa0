/* SPDX-License-Identifier: MIT
 * The members of a set in order. Prefixes of stacks are read as by a deterministic automaton, so that each
 * configuration comes once however many runs accept it, and only prefixes that lead to an end are tried. */
#include "pushdown/pushdown.h"

/* A prefix of the stack. */
typedef struct level {
  bpi_bdd *at;     /* by state, after it */
  bpi_bdd left;    /* values of the locals of `symbol` that were not tried yet */
  uint32_t symbol; /* being tried behind it; BP_NONE: none so far */
  uint32_t locals; /* so many values of locals are in the prefix */
} level;

typedef struct enumeration {
  bpi_walk w;
  bpi_bdd *useful;
  uint32_t height;
  bp_configuration_fn fn;
  void *user;
  BPI_VEC(level) levels;
  BPI_VEC(uint32_t) symbols;
  BPI_VEC(uint8_t) locals;
  uint8_t *globals;
  uint32_t control;
  bool refused;
} enumeration;

/* The least valuation of `count` variables in the set; `values` gets it, the set loses it. */
static void take_least(bpi_run *run, bpi_bdd *set, uint32_t first_var, uint32_t stride,
                       uint32_t count, uint8_t *values)
{
  bpi_bdd one = bpi_bdd_keep(run->m, *set);
  bpi_bdd cube = BPI_TRUE;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t var = first_var + i * stride;
    const bpi_bdd no = bpi_bdd_literal(run->m, var, false);
    const bpi_bdd low = bpi_bdd_and(run->m, one, no);
    bpi_bdd_drop(run->m, no);
    bpi_bdd_drop(run->m, low);
    values[i] = low == BPI_FALSE;
    const bpi_bdd literal = bpi_bdd_literal(run->m, var, values[i]);
    bpi_run_meet(run, &one, bpi_bdd_keep(run->m, literal));
    bpi_run_meet(run, &cube, literal);
  }
  const bpi_bdd rest = bpi_bdd_diff(run->m, *set, cube);
  bpi_bdd_drop(run->m, one);
  bpi_bdd_drop(run->m, cube);
  bpi_bdd_drop(run->m, *set);
  *set = rest;
}

/* Tells the host, if the prefix is a whole stack. */
static void report(enumeration *e, const bpi_bdd *at)
{
  if (!bpi_walk_accepts(&e->w, at) || !bpi_run_good(e->w.run)) return;
  const bp_configuration one = {e->control, e->symbols.count, e->globals, e->symbols.at,
                                e->locals.at};
  if (e->fn(&one, e->user)) e->refused = true;
}

/* Goes on from `at`, which is given away. */
static void deepen(enumeration *e, bpi_bdd *at)
{
  const level next = {at, BPI_FALSE, BP_NONE, e->locals.count};
  if (bpi_vec_push(&e->levels, next)) {
    report(e, at);
    return;
  }
  bpi_run_no_memory(e->w.run);
  bpi_walk_free(&e->w, at);
}

/* The values of the symbol's locals with which the prefix leads to an end. */
static bpi_bdd values_of(enumeration *e, const level *l)
{
  bpi_walk *w = &e->w;
  bp_manager *m = w->run->m;
  bpi_bdd all = BPI_FALSE;
  for (uint32_t s = 0; s < w->c->states.count; s++)
    for (uint32_t t = l->at[s] == BPI_FALSE ? BP_NONE : w->c->states.at[s].first_out; t != BP_NONE;
         t = w->c->transitions.at[t].next_out) {
      if (!bpi_run_tick(w->run)) return all;
      if (bpi_ends(w->c, t).at[1] != l->symbol) continue;
      const bpi_bdd towards = bpi_walk_towards(w, t, e->useful);
      bpi_run_join(w->run, &all, bpi_bdd_and_exists(m, towards, l->at[s], w->carried));
      bpi_bdd_drop(m, towards);
    }
  return all;
}

static void read_next(enumeration *e, level *l)
{
  bpi_run *run = e->w.run;
  const uint32_t count = bpi_scope_of(run->p, l->symbol)->locals.count;
  e->symbols.count = e->levels.count - 1;
  e->locals.count = l->locals;
  if (!bpi_vec_push(&e->symbols, l->symbol) || !bpi_vec_reserve(&e->locals, count + 1)) {
    bpi_run_no_memory(run);
    return;
  }
  uint8_t *values = e->locals.at + e->locals.count;
  take_least(run, &l->left, bpi_local_var(run->p, 0, BPI_HERE), 6, count, values);
  e->locals.count += count;
  bpi_bdd *next = bpi_walk_states(&e->w);
  const bpi_bdd cube = bpi_local_cube(run, l->symbol, values);
  if (next) bpi_walk_read(&e->w, l->at, l->symbol, cube, next);
  bpi_bdd_drop(run->m, cube);
  if (next) deepen(e, next);
}

/* One step: the next stack, the next symbol, or back. */
static void advance(enumeration *e)
{
  level *l = &e->levels.at[e->levels.count - 1];
  if (l->left != BPI_FALSE) {
    read_next(e, l);
    return;
  }
  l->symbol++;
  if (e->levels.count <= e->height && l->symbol < e->w.c->p->symbols.count) {
    l->left = values_of(e, l);
    return;
  }
  bpi_walk_free(&e->w, l->at);
  e->levels.count--;
}

static bool going(enumeration *e)
{
  return !e->refused && bpi_run_tick(e->w.run);
}

static void from_control(enumeration *e)
{
  bpi_run *run = e->w.run;
  bpi_bdd left = bpi_bdd_keep(run->m, e->useful[e->control]);
  while (left != BPI_FALSE && going(e)) {
    take_least(run, &left, bpi_global_var(0, BPI_HERE), 3, run->p->globals.count, e->globals);
    e->symbols.count = e->locals.count = 0;
    bpi_bdd *at = bpi_walk_states(&e->w);
    if (!at) break;
    at[e->control] = bpi_global_cube(run, e->globals);
    deepen(e, at);
    while (e->levels.count && going(e))
      advance(e);
  }
  bpi_bdd_drop(run->m, left);
}

static bp_status enumerate(enumeration *e, const bp_configurations *c)
{
  bpi_run run;
  bp_status status = bpi_run_begin(&run, c, NULL);
  if (status != BP_OK) return status;
  bpi_walk_begin(&e->w, &run, c);
  e->globals = bpi_alloc(c->p->globals.count, 1);
  if (!e->globals) bpi_run_no_memory(&run);
  e->useful = bpi_walk_useful(&e->w);
  for (; e->useful && e->control < c->p->controls.count && going(e); e->control++)
    from_control(e);
  for (uint32_t i = 0; i < e->levels.count; i++) {
    bpi_bdd_drop(run.m, e->levels.at[i].left);
    bpi_walk_free(&e->w, e->levels.at[i].at);
  }
  bpi_walk_free(&e->w, e->useful);
  bpi_walk_end(&e->w);
  bpi_vec_free(&e->levels);
  bpi_vec_free(&e->symbols);
  bpi_vec_free(&e->locals);
  bpi_release(e->globals);
  status = bpi_run_end(&run);
  return status == BP_OK && e->refused ? BP_E_USER : status;
}

bp_status bp_configurations_each(const bp_configurations *c, uint32_t height,
                                 bp_configuration_fn fn, void *user)
{
  if (!c) return BP_E_INVALID;
  if (!fn) return bpi_invalid(c->ctx, "fn is NULL");
  enumeration e = {.height = height, .fn = fn, .user = user};
  return enumerate(&e, c);
}
