/* SPDX-License-Identifier: MIT
 * The life of an exploration. */
#include "engine/body.h"

static bool allocate(bpi_engine *e)
{
  const uint32_t procs = e->cfg->procs.count;
  e->group_hit = bpi_alloc(e->group_count, sizeof *e->group_hit);
  e->goal_set = bpi_zalloc(e->goal_count, sizeof *e->goal_set);
  e->procs = bpi_zalloc(procs, sizeof *e->procs);
  e->sets = bpi_zalloc((size_t)5 * e->a.words, sizeof *e->sets);
  return e->group_hit && e->goal_set && e->procs && e->sets && bpi_vec_reserve(&e->heap, procs) &&
         bpi_singles_begin(e);
}

/* The start of what is counted. */
static void number_all(bpi_engine *e)
{
  for (uint32_t i = 0; i < e->group_count; i++)
    e->group_hit[i] = BP_NONE;
  e->groups_left = e->group_count;
  for (uint32_t p = 0; p < e->cfg->procs.count; p++)
    e->procs[p].proc = p;
}

bpi_bdd bpi_goal_states(bpi_engine *e, const bpi_goal *goal)
{
  bpi_bdd set = BPI_TRUE, can_hold, can_fail;
  if (goal->when_count) {
    bpi_encode(e, goal->when, goal->when_count, BPI_READ_CURRENT, NULL, &set, &can_fail);
    bpi_bdd_drop(e->m, can_fail);
  }
  if (!goal->fails) return set;
  const bpi_vertex *v = &e->cfg->vertices.at[goal->vertex];
  const bpi_expr x = bpi_vertex_condition(e->cfg, v);
  bpi_encode(e, e->p->code.at + x.first, x.count, BPI_READ_CURRENT, NULL, &can_hold, &can_fail);
  const bpi_bdd both = bpi_bdd_and(e->m, set, v->negated ? can_hold : can_fail);
  bpi_bdd_drop(e->m, set);
  bpi_bdd_drop(e->m, can_hold);
  bpi_bdd_drop(e->m, can_fail);
  return both;
}

static bool encode_goals(bpi_engine *e)
{
  for (uint32_t g = 0; g < e->goal_count; g++) {
    if (!e->a.explore[e->goals[g].vertex]) continue;
    bpi_bdd_drop(e->m, e->goal_set[g]);
    e->goal_set[g] = bpi_goal_states(e, &e->goals[g]);
  }
  return bpi_going(e);
}

bp_status bpi_engine_new(bpi_engine **out, bp_manager *m, const bp_cfg *cfg,
                         const bpi_engine_options *options)
{
  const uint32_t off = options->off;
  const bpi_analysis_options analyses = {.cone = !(off & BP_ENGINE_CONE),
                                         .modref = !(off & BP_ENGINE_MODREF),
                                         .live = !(off & BP_ENGINE_LIVE),
                                         .share = !(off & BP_ENGINE_SHARE),
                                         .summaries = options->summaries,
                                         .start = options->init,
                                         .start_count = options->init_count,
                                         .tracked = options->tracked,
                                         .kept = options->kept,
                                         .aims = options->aims,
                                         .aim_count = options->aim_count,
                                         .most = bpi_bdd_most_slots(m)};
  *out = NULL;
  bpi_engine *e = bpi_zalloc(1, sizeof *e);
  if (!e) return BP_E_NOMEM;
  *e = (bpi_engine){.refs = 1,
                    .m = m,
                    .cfg = cfg,
                    .p = cfg->program,
                    .off = off,
                    .enters_all = options->enters_all,
                    .shallow = options->shallow,
                    .narrow = options->narrow,
                    .merged = options->merged,
                    .every_context = options->every_context,
                    .goals = bpi_alloc(options->goal_count, sizeof *e->goals),
                    .goal_count = options->goal_count,
                    .group_count = options->group_count};
  bp_status status = e->goals ? BP_OK : BP_E_NOMEM;
  if (status == BP_OK && e->goal_count)
    memcpy(e->goals, options->goals, e->goal_count * sizeof *e->goals);
  if (status == BP_OK) status = bpi_analysis_make(&e->a, cfg, e->goals, e->goal_count, analyses);
  if (status == BP_OK) status = bpi_layout_make(&e->layout, &e->a, !(off & BP_ENGINE_ORDER));
  bpi_analysis_trim(&e->a);
  if (status == BP_OK && !allocate(e)) status = BP_E_NOMEM;
  if (status != BP_OK) {
    bpi_engine_unref(e);
    return status;
  }
  number_all(e);
  *out = e;
  return BP_OK;
}

void bpi_engine_close_group(bpi_engine *e, uint32_t group)
{
  if (e->group_hit[group] != BP_NONE) return;
  e->group_hit[group] = BPI_CLOSED;
  e->groups_left--;
}

bool bpi_engine_prepare(bpi_engine *e)
{
  if (e->prepared) return true;
  if (!bpi_bdd_ensure_slots(e->m, e->layout.slots)) {
    if (bpi_bdd_ok(e->m)) e->stop = BP_REASON_VARIABLES;
    return false;
  }
  e->prepared = encode_goals(e);
  return e->prepared;
}

static void drop_list(bp_manager *m, const bpi_bdd *list, uint32_t count)
{
  for (uint32_t i = 0; list && i < count; i++)
    bpi_bdd_drop(m, list[i]);
}

void bpi_instance_clear(bpi_engine *e, bpi_instance *in)
{
  bpi_bdd_drop(e->m, in->whole);
  if (!in->stage) {
    bpi_bdd_drop(e->m, in->entries);
    bpi_bdd_drop(e->m, in->summary);
    bpi_facts_free(e, in->body, in->facts);
  }
  for (uint32_t i = 0; in->gains && i < in->gains->list.count; i++)
    bpi_bdd_drop(e->m, in->gains->list.at[i].pairs);
  if (in->gains) bpi_vec_free(&in->gains->list);
  bpi_release(in->gains);
}

static void drop_facts(bpi_engine *e)
{
  drop_list(e->m, e->goal_set, e->goal_count);
  bpi_bdd_drop(e->m, e->item.set);
  bpi_bdd_drop(e->m, e->item.root);
  bpi_bdd_drop(e->m, e->item.contexts);
  drop_list(e->m, e->passed.at, e->passed.count);
  for (uint32_t i = 0; e->procs && i < e->cfg->procs.count; i++)
    bpi_instance_clear(e, &e->procs[i]);
  bpi_singles_free(e);
  bpi_bodies_free(e);
  for (uint32_t i = 0; i < e->parts.count; i++) {
    bpi_bdd_drop(e->m, e->parts.at[i].rel);
    bpi_bdd_drop(e->m, e->parts.at[i].quant);
  }
}

bpi_engine *bpi_engine_ref(bpi_engine *e)
{
  e->refs++;
  return e;
}

void bpi_engine_unref(bpi_engine *e)
{
  if (!e || --e->refs) return;
  drop_facts(e);
  bpi_analysis_clear(&e->a);
  bpi_layout_clear(&e->layout);
  bpi_vec_free(&e->parts);
  bpi_vec_free(&e->vars);
  bpi_vec_free(&e->operands);
  bpi_vec_free(&e->passed);
  bpi_vec_free(&e->heap);
  void *const blocks[] = {e->goals, e->group_hit, e->goal_set, e->procs, e->sets};
  for (uint32_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    bpi_release(blocks[i]);
  bpi_release(e);
}
