/* SPDX-License-Identifier: MIT
 * The part of a set whose stacks are in a set of stacks: the product of both automata, with the relations of
 * the first. */
#include "pushdown/stacks.h"

typedef struct product {
  bpi_run *run;
  const bp_configurations *c;
  const bp_stacks *s; /* NULL: any stacks */
  const char *when;   /* NULL: any values */
  bp_configurations *out;
  bpi_keys
      pairs; /* (state of c, state of s): the states of out in the same order; without s, whether
                   * something was read */
} product;

static bp_status fail(product *k, bp_status status)
{
  if (k->run->status == BP_OK) k->run->status = status;
  return status;
}

/* The number of a pair, and its state. Control locations come first. */
static uint32_t pair_of(product *k, uint32_t state, uint32_t other)
{
  const bpi_state *old = &k->c->states.at[state];
  const uint32_t id = bpi_keys_add(&k->pairs, state, other, 0);
  if (id == BP_NONE || id < k->out->states.count) return id;
  const uint32_t made = bpi_set_state(k->out, old->control, old->symbol);
  if (made != id || old->name == BP_NONE) return made;
  const uint32_t name = bpi_set_name(k->out, k->c->chars.at + old->name);
  k->out->states.at[made].name = name;
  return name == BP_NONE ? BP_NONE : made;
}

/* The relation of a transition where `when` holds; owned. */
static bpi_bdd relation_of(product *k, uint32_t from, uint32_t transition)
{
  bpi_bdd rel = bpi_bdd_keep(k->run->m, k->c->transitions.at[transition].rel), set;
  if (!k->when || from >= k->c->p->controls.count) return rel;
  const uint32_t symbol = bpi_ends(k->c, transition).at[1];
  const bp_status status = bpi_read_relation(k->run, k->c, symbol, false, k->when, &set);
  if (status == BP_OK)
    bpi_run_meet(k->run, &rel, set);
  else
    fail(k, status);
  return rel;
}

static void add_moves(product *k, uint32_t from)
{
  const bpi_key at = k->pairs.list.at[from];
  for (uint32_t t = k->c->states.at[at.at[0]].first_out; t != BP_NONE;
       t = k->c->transitions.at[t].next_out) {
    const bpi_key ends = bpi_ends(k->c, t);
    const uint32_t other = k->s ? bp_stacks_next(k->s, at.at[1], ends.at[1]) : 1;
    if (!bpi_run_tick(k->run)) return;
    if (other == BP_NONE || k->c->transitions.at[t].rel == BPI_FALSE) continue;
    const bpi_bdd rel = relation_of(k, from, t);
    const uint32_t to = pair_of(k, ends.at[2], other);
    const uint32_t id = to == BP_NONE ? BP_NONE : bpi_set_transition(k->out, from, ends.at[1], to);
    if (id == BP_NONE) {
      bpi_run_no_memory(k->run);
      bpi_bdd_drop(k->run->m, rel);
      return;
    }
    k->out->transitions.at[id].rel = rel;
  }
}

static void multiply(product *k)
{
  const uint32_t controls = k->c->p->controls.count;
  for (uint32_t i = 0; i < controls; i++)
    if (pair_of(k, i, k->s ? i : 0) == BP_NONE) bpi_run_no_memory(k->run);
  for (uint32_t i = 0; i < k->pairs.list.count && bpi_run_good(k->run); i++) {
    const bpi_key at = k->pairs.list.at[i];
    if ((!k->s || bp_stacks_accepts(k->s, at.at[1])) && !(k->when && i < controls))
      k->out->states.at[i].accepts = bpi_bdd_keep(k->run->m, k->c->states.at[at.at[0]].accepts);
    add_moves(k, i);
  }
}

/* ---- what is not needed --------------------------------------------------------------- */

/* Keeps of each relation what lies on a way from the beginning of a stack to its end. */
static void tighten(bpi_run *run, bp_configurations *c)
{
  bpi_walk w;
  bpi_walk_begin(&w, run, c);
  bpi_bdd *useful = bpi_walk_useful(&w), *reached = useful ? bpi_walk_reached(&w) : NULL;
  for (uint32_t t = 0; reached && t < c->transitions.count && bpi_run_tick(run); t++) {
    const bpi_key ends = bpi_ends(c, t);
    bpi_bdd *rel = &c->transitions.at[t].rel;
    bpi_run_meet(run, rel, bpi_renamed(run, useful[ends.at[2]], w.to_there));
    bpi_run_meet(run, rel, bpi_bdd_keep(run->m, reached[ends.at[0]]));
  }
  for (uint32_t s = 0; reached && s < c->states.count; s++)
    bpi_run_meet(run, &c->states.at[s].accepts, bpi_bdd_keep(run->m, reached[s]));
  bpi_walk_free(&w, useful);
  bpi_walk_free(&w, reached);
  bpi_walk_end(&w);
}

/* A copy without transitions that can never be taken and states that nothing leads to. */
static bp_configurations *without_rest(product *k)
{
  const bp_configurations *all = k->out;
  product again = {.run = k->run, .c = all};
  again.out = bpi_set_begin(k->run->ctx, k->run->m, k->c->p);
  if (again.out)
    multiply(&again);
  else
    bpi_run_no_memory(k->run);
  bpi_keys_free(&again.pairs);
  return again.out;
}

bp_status bp_configurations_restrict(bp_configurations **out, const bp_configurations *c,
                                     const bp_stacks *s, const char *when, const bp_limits *limits)
{
  if (out) *out = NULL;
  if (!c) return BP_E_INVALID;
  if (!out || (s && s->p != c->p))
    return bpi_invalid(c->ctx, out ? "the stacks are those of another system" : "out is NULL");
  bpi_run run;
  const bp_status begun = bpi_run_begin(&run, c, limits);
  if (begun != BP_OK) return begun;
  product k = {.run = &run, .c = c, .s = s, .when = when};
  bp_configurations *result = NULL;
  k.out = bpi_set_begin(c->ctx, c->m, c->p);
  if (k.out)
    multiply(&k);
  else
    bpi_run_no_memory(&run);
  if (bpi_run_good(&run)) tighten(&run, k.out);
  if (bpi_run_good(&run)) result = without_rest(&k);
  bpi_keys_free(&k.pairs);
  const bool good = bpi_run_good(&run);
  /* What is left over goes while the manager is at work. */
  bp_configurations_unref(k.out);
  if (!good) {
    bp_configurations_unref(result);
    result = NULL;
  }
  *out = result;
  return bpi_run_made(&run, c, result);
}
