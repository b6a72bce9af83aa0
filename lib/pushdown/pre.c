/* SPDX-License-Identifier: MIT
 * pre*: what can reach a set. Bouajjani, Esparza & Maler (CONCUR 1997); with BDDs Esparza & Schwoon
 * (CAV 2001), section 4.2; by news alone, Schwoon's thesis, section 3.1.
 *
 * Where a rule with two symbols on the right meets the first of them, what it asks of the second is kept
 * as a demand on the state between them:
 *   globals  AFTER: before the rule; HERE: carried at the state
 *   locals   AFTER: before the rule; HERE: of the second symbol; BELOW_HERE: carried at the state */
#include "pushdown/saturate.h"

typedef struct demand {
  uint32_t next; /* on the same state */
  bpi_bdd rel;
} demand;

typedef struct pre {
  bpi_saturation s;
  bpi_keys demand_keys; /* (state, rule) */
  BPI_VEC(demand) demands;
  uint32_t *first_demand; /* by state */
  bpi_bdd after, pushed;  /* sets: values after a rule; of the first of two symbols */
  bpi_bdd middle;         /* set: what meets at the state and in the second symbol */
  const bpi_rename *to_after, *to_pushed, *to_demand;
} pre;

static const bpi_view pop_view = {BPI_HERE, BPI_THERE, BPI_HERE, 0, 0};
static const bpi_view step_view = {BPI_HERE, BPI_AFTER, BPI_HERE, BPI_AFTER, 0};
static const bpi_view push_view = {BPI_HERE, BPI_AFTER, BPI_AFTER, BPI_BELOW_AFTER, BPI_HERE};

static void prepare(pre *p)
{
  static const uint8_t none[] = {BPI_NO_COPY},
                       here_after[] = {16 * BPI_HERE + BPI_AFTER, BPI_NO_COPY},
                       first[] = {16 * BPI_THERE + BPI_BELOW_HERE, 16 * BPI_HERE + BPI_BELOW_AFTER,
                                  BPI_NO_COPY},
                       onwards[] = {16 * BPI_THERE + BPI_HERE, 16 * BPI_HERE + BPI_AFTER,
                                    BPI_NO_COPY};
  bpi_run *run = p->s.run;
  p->after = bpi_copies(run, 1 << BPI_AFTER, 1 << BPI_AFTER);
  p->pushed = bpi_copies(run, 1 << BPI_AFTER, 1 << BPI_BELOW_AFTER);
  p->middle = bpi_copies(run, 1 << BPI_HERE, 1 << BPI_HERE | 1 << BPI_BELOW_HERE);
  p->to_after = bpi_copies_rename(run, here_after, here_after);
  p->to_pushed = bpi_copies_rename(run, here_after, first);
  p->to_demand = bpi_copies_rename(run, onwards, none);
  p->first_demand = bpi_alloc(p->s.c->states.count, sizeof *p->first_demand);
  if (!p->first_demand) bpi_run_no_memory(run);
  for (uint32_t i = 0; p->first_demand && i < p->s.c->states.count; i++)
    p->first_demand[i] = BP_NONE;
}

static void finish(pre *p)
{
  bp_manager *m = p->s.run->m;
  bpi_bdd_drop(m, p->after);
  bpi_bdd_drop(m, p->pushed);
  bpi_bdd_drop(m, p->middle);
  for (uint32_t i = 0; i < p->demands.count; i++)
    bpi_bdd_drop(m, p->demands.at[i].rel);
  bpi_keys_free(&p->demand_keys);
  bpi_vec_free(&p->demands);
  bpi_release(p->first_demand);
}

/* ---- rules --------------------------------------------------------------------- */

static void pops(pre *p)
{
  const bp_pushdown *system = p->s.run->p;
  for (uint32_t r = 0; r < system->rules.count && bpi_run_tick(p->s.run); r++) {
    const bpi_rule *rule = &system->rules.at[r];
    if (rule->top != BP_NONE) continue;
    const bpi_bdd rel = bpi_rule_relation(p->s.run, rule, &pop_view);
    bpi_saturation_add(&p->s, rule->from, rule->symbol, rule->to, rel);
  }
}

static void step(pre *p, uint32_t id, uint32_t state, bpi_bdd news)
{
  bpi_run *run = p->s.run;
  const bpi_rule *rule = &run->p->rules.at[id];
  const bpi_application how = {&step_view, p->after, false};
  const bpi_bdd there = bpi_renamed(run, news, p->to_after);
  bpi_saturation_add(&p->s, rule->from, rule->symbol, state,
                     bpi_saturation_image(&p->s, id, &how, there));
  bpi_bdd_drop(run->m, there);
}

/* A demand meets the second symbol. */
static void meet(pre *p, const bpi_rule *rule, bpi_bdd asked, uint32_t transition, bpi_bdd offered)
{
  const bpi_key ends = bpi_ends(p->s.c, transition);
  if (ends.at[1] != rule->below || !bpi_run_tick(p->s.run)) return;
  bpi_saturation_add(&p->s, rule->from, rule->symbol, ends.at[2],
                     bpi_bdd_image(p->s.run->m, asked, offered, p->middle));
}

static uint32_t demand_of(pre *p, uint32_t state, uint32_t rule)
{
  if (!bpi_vec_reserve(&p->demands, 1)) return BP_NONE;
  const uint32_t id = bpi_keys_add(&p->demand_keys, state, rule, 0);
  if (id == BP_NONE || id < p->demands.count) return id;
  p->demands.at[p->demands.count++] = (demand){p->first_demand[state], BPI_FALSE};
  p->first_demand[state] = id;
  return id;
}

static void push(pre *p, uint32_t id, uint32_t state, bpi_bdd news)
{
  bpi_run *run = p->s.run;
  const bp_configurations *c = p->s.c;
  const bpi_rule *rule = &run->p->rules.at[id];
  const uint32_t place = demand_of(p, state, id);
  if (place == BP_NONE) {
    bpi_run_no_memory(run);
    return;
  }
  const bpi_application how = {&push_view, p->pushed, false};
  const bpi_bdd first = bpi_renamed(run, news, p->to_pushed);
  const bpi_bdd both = bpi_saturation_image(&p->s, id, &how, first);
  const bpi_bdd asked = bpi_renamed(run, both, p->to_demand);
  bpi_bdd_drop(run->m, first);
  bpi_bdd_drop(run->m, both);
  const bpi_bdd more = bpi_saturation_news(&p->s, &p->demands.at[place].rel, asked);
  for (uint32_t t = c->states.at[state].first_out; t != BP_NONE && more != BPI_FALSE;
       t = c->transitions.at[t].next_out)
    meet(p, rule, more, t, c->transitions.at[t].rel);
  bpi_bdd_drop(run->m, more);
}

/* ---- the fixpoint ---------------------------------------------------------------- */

static void saturate(pre *p)
{
  const bp_pushdown *system = p->s.run->p;
  bpi_bdd news;
  for (uint32_t t; (t = bpi_saturation_take(&p->s, &news)) != BP_NONE;) {
    const bpi_key ends = bpi_ends(p->s.c, t);
    const uint32_t from = ends.at[0];
    for (uint32_t i = p->first_demand[from]; i != BP_NONE; i = p->demands.at[i].next)
      meet(p, &system->rules.at[p->demand_keys.list.at[i].at[1]], p->demands.at[i].rel, t, news);
    uint32_t r =
        from < system->controls.count ? bpi_first_right(system, from, ends.at[1]) : BP_NONE;
    for (; r != BP_NONE && bpi_run_tick(p->s.run); r = system->rules.at[r].next_right)
      (system->rules.at[r].below == BP_NONE ? step : push)(p, r, ends.at[2], news);
    bpi_bdd_drop(p->s.run->m, news);
    bpi_run_tick(p->s.run);
  }
}

bp_status bp_pushdown_pre(bp_configurations **out, const bp_configurations *to,
                          const bp_limits *limits)
{
  if (out) *out = NULL;
  if (!to) return BP_E_INVALID;
  if (!out) return bpi_invalid(to->ctx, "out is NULL");
  bpi_run run;
  const bp_status status = bpi_run_begin(&run, to, limits);
  if (status != BP_OK) return status;
  pre p = {0};
  if (bpi_saturation_begin(&p.s, &run, to)) {
    prepare(&p);
    pops(&p);
    if (bpi_run_good(&run)) saturate(&p);
  }
  finish(&p);
  *out = bpi_saturation_end(&p.s);
  return bpi_run_made(&run, to, *out);
}
