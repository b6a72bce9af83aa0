/* SPDX-License-Identifier: MIT
 * post*: what can be reached. Esparza & Schwoon (CAV 2001), section 4.3; on explicit systems Esparza,
 * Hansel, Rossmanith & Schwoon (CAV 2000). In the paper's third rule of section 4.3 the transition to be
 * added begins in the state made for what was pushed, (p',gamma').
 *
 * A rule without symbols on the right makes an empty move from a control location to a state. Empty
 * moves are not kept in the result: what leaves the state leaves the control location as well. */
#include "pushdown/saturate.h"

/* An empty move: globals at the control location: AFTER; what is carried at the state: HERE. */
typedef struct move {
  uint32_t next; /* to the same state */
  bpi_bdd rel;
} move;

typedef struct post {
  bpi_saturation s;
  bpi_keys pushed; /* (control, symbol): the states made for them follow in order */
  BPI_VEC(uint32_t) pushed_state;
  BPI_VEC(bpi_bdd) carry; /* by number in pushed */
  bpi_keys move_keys;     /* (state, control) */
  BPI_VEC(move) moves;
  BPI_VEC(uint32_t) first_move; /* by state */
  bpi_bdd before;               /* set: values before a rule */
  bpi_bdd carried;              /* set: what is carried at a state, HERE */
  bpi_bdd below;                /* set: all of what lies below the top */
  const bpi_rename *to_move, *to_top;
} post;

static const bpi_view view = {BPI_HERE, BPI_AFTER, BPI_HERE, BPI_AFTER, BPI_AFTER};
static const bpi_view push_view = {BPI_HERE, BPI_AFTER, BPI_HERE, BPI_BELOW_AFTER, BPI_AFTER};

static void prepare(post *p)
{
  static const uint8_t none[] = {BPI_NO_COPY},
                       there_here[] = {16 * BPI_THERE + BPI_HERE, BPI_NO_COPY},
                       there_below[] = {16 * BPI_THERE + BPI_BELOW_HERE, BPI_NO_COPY},
                       below_here[] = {16 * BPI_BELOW_HERE + BPI_HERE, BPI_NO_COPY};
  bpi_run *run = p->s.run;
  p->before = bpi_copies(run, 1 << BPI_HERE, 1 << BPI_HERE);
  p->carried = bpi_copies(run, 1 << BPI_HERE, 1 << BPI_BELOW_HERE);
  p->below = bpi_copies(run, 1 << BPI_THERE, 1 << BPI_THERE | 1 << BPI_HERE);
  p->to_move = bpi_copies_rename(run, there_here, there_below);
  p->to_top = bpi_copies_rename(run, none, below_here);
}

static void finish(post *p)
{
  bp_manager *m = p->s.run->m;
  bpi_bdd_drop(m, p->before);
  bpi_bdd_drop(m, p->carried);
  bpi_bdd_drop(m, p->below);
  for (uint32_t i = 0; i < p->moves.count; i++)
    bpi_bdd_drop(m, p->moves.at[i].rel);
  for (uint32_t i = 0; i < p->carry.count; i++)
    bpi_bdd_drop(m, p->carry.at[i]);
  bpi_keys_free(&p->pushed);
  bpi_vec_free(&p->pushed_state);
  bpi_vec_free(&p->carry);
  bpi_keys_free(&p->move_keys);
  bpi_vec_free(&p->moves);
  bpi_vec_free(&p->first_move);
}

/* ---- rules with no symbol on the right --------------------------------------- */

/* The number of the empty move from a control location to a state. */
static uint32_t move_of(post *p, uint32_t control, uint32_t state)
{
  while (p->first_move.count < p->s.c->states.count)
    if (!bpi_vec_push(&p->first_move, BP_NONE)) return BP_NONE;
  if (!bpi_vec_reserve(&p->moves, 1)) return BP_NONE;
  const uint32_t id = bpi_keys_add(&p->move_keys, state, control, 0);
  if (id == BP_NONE || id < p->moves.count) return id;
  p->moves.at[p->moves.count++] = (move){p->first_move.at[state], BPI_FALSE};
  p->first_move.at[state] = id;
  return id;
}

/* What leaves the state by a transition leaves the control location as well. */
static void jump(post *p, uint32_t control, bpi_bdd rel, uint32_t transition, bpi_bdd behind)
{
  const bpi_key ends = bpi_ends(p->s.c, transition);
  if (!bpi_run_tick(p->s.run)) return;
  const bpi_bdd image = bpi_bdd_image(p->s.run->m, rel, behind, p->carried);
  bpi_saturation_add(&p->s, control, ends.at[1], ends.at[2], image);
}

static void pop(post *p, const bpi_rule *rule, uint32_t state, bpi_bdd after)
{
  bpi_run *run = p->s.run;
  const uint32_t id = move_of(p, rule->to, state);
  const bpi_bdd rel = bpi_renamed(run, after, p->to_move);
  if (id == BP_NONE) {
    bpi_run_no_memory(run);
    bpi_bdd_drop(run->m, rel);
    return;
  }
  const bpi_bdd news = bpi_saturation_news(&p->s, &p->moves.at[id].rel, rel);
  bp_configurations *c = p->s.c;
  if (news != BPI_FALSE) {
    const bpi_bdd ends = bpi_bdd_image(run->m, news, c->states.at[state].accepts, p->carried);
    bpi_run_join(run, &c->states.at[rule->to].accepts, ends);
  }
  for (uint32_t t = c->states.at[state].first_out; t != BP_NONE && news != BPI_FALSE;
       t = c->transitions.at[t].next_out)
    jump(p, rule->to, news, t, c->transitions.at[t].rel);
  bpi_bdd_drop(run->m, news);
}

/* ---- rules with two ------------------------------------------------------------ */

/* The number of the state for what the rule pushes. */
static uint32_t pushed_of(post *p, const bpi_rule *rule)
{
  if (!bpi_vec_reserve(&p->pushed_state, 1) || !bpi_vec_reserve(&p->carry, 1)) return BP_NONE;
  const uint32_t id = bpi_keys_add(&p->pushed, rule->to, rule->top, 0);
  if (id == BP_NONE || id < p->carry.count) return id;
  p->pushed_state.at[p->pushed_state.count++] = bpi_set_state(p->s.c, rule->to, rule->top);
  p->carry.at[p->carry.count++] = bpi_carry(p->s.run, rule->top);
  return id;
}

static void push(post *p, const bpi_rule *rule, uint32_t state, bpi_bdd after)
{
  bpi_run *run = p->s.run;
  const uint32_t id = pushed_of(p, rule);
  const uint32_t middle = id == BP_NONE ? BP_NONE : p->pushed_state.at[id];
  if (middle == BP_NONE) {
    bpi_run_no_memory(run);
    return;
  }
  const bpi_bdd top = bpi_bdd_exists(run->m, after, p->below);
  bpi_bdd entry = bpi_renamed(run, top, p->to_top);
  bpi_bdd_drop(run->m, top);
  bpi_run_meet(run, &entry, bpi_bdd_keep(run->m, p->carry.at[id]));
  bpi_saturation_add(&p->s, middle, rule->below, state, bpi_bdd_keep(run->m, after));
  bpi_saturation_add(&p->s, rule->to, rule->top, middle, entry);
}

/* ---- the fixpoint ---------------------------------------------------------------- */

static void apply(post *p, uint32_t id, uint32_t state, bpi_bdd news)
{
  bpi_run *run = p->s.run;
  const bpi_rule *rule = &run->p->rules.at[id];
  if (!bpi_run_tick(run)) return;
  const bpi_application how = {rule->below == BP_NONE ? &view : &push_view, p->before,
                               rule->top != BP_NONE};
  const bpi_bdd after = bpi_saturation_image(&p->s, id, &how, news);
  if (rule->top != BP_NONE && rule->below == BP_NONE) {
    bpi_saturation_add(&p->s, rule->to, rule->top, state, after);
    return;
  }
  if (after != BPI_FALSE) (rule->top == BP_NONE ? pop : push)(p, rule, state, after);
  bpi_bdd_drop(run->m, after);
}

static void saturate(post *p)
{
  const uint32_t controls = p->s.run->p->controls.count;
  bpi_bdd news;
  for (uint32_t t; (t = bpi_saturation_take(&p->s, &news)) != BP_NONE;) {
    const bpi_key ends = bpi_ends(p->s.c, t);
    const uint32_t from = ends.at[0];
    if (from < controls) {
      const bp_pushdown *system = p->s.run->p;
      for (uint32_t r = bpi_first_left(system, from, ends.at[1]); r != BP_NONE;
           r = system->rules.at[r].next_left)
        apply(p, r, ends.at[2], news);
    } else if (from < p->first_move.count) {
      for (uint32_t i = p->first_move.at[from]; i != BP_NONE; i = p->moves.at[i].next)
        jump(p, p->move_keys.list.at[i].at[1], p->moves.at[i].rel, t, news);
    }
    bpi_bdd_drop(p->s.run->m, news);
    bpi_run_tick(p->s.run);
  }
}

bp_status bp_pushdown_post(bp_configurations **out, const bp_configurations *from,
                           const bp_limits *limits)
{
  if (out) *out = NULL;
  if (!from) return BP_E_INVALID;
  if (!out) return bpi_invalid(from->ctx, "out is NULL");
  bpi_run run;
  const bp_status status = bpi_run_begin(&run, from, limits);
  if (status != BP_OK) return status;
  post p = {0};
  if (bpi_saturation_begin(&p.s, &run, from)) {
    prepare(&p);
    saturate(&p);
  }
  finish(&p);
  *out = bpi_saturation_end(&p.s);
  return bpi_run_made(&run, from, *out);
}
