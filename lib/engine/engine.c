/* SPDX-License-Identifier: MIT
 * The life of an exploration. */
#include "engine/engine.h"

static bool allocate(bpi_engine *e)
{
  const uint32_t n = e->cfg->vertices.count, procs = e->cfg->procs.count;
  e->group_hit = bpi_alloc(e->group_count, sizeof *e->group_hit);
  e->goal_set = bpi_zalloc(e->goal_count, sizeof *e->goal_set);
  e->goal_next = bpi_alloc(e->goal_count, sizeof *e->goal_next);
  e->goal_at = bpi_alloc(n, sizeof *e->goal_at);
  e->path_edges = bpi_zalloc(n, sizeof *e->path_edges);
  e->delta = bpi_zalloc(n, sizeof *e->delta);
  e->chained = bpi_zalloc(n, 1);
  e->procs = bpi_zalloc(procs, sizeof *e->procs);
  e->calls = bpi_zalloc(e->cfg->calls.count, sizeof *e->calls);
  e->call_of = bpi_alloc(n, sizeof *e->call_of);
  e->edges = bpi_zalloc(e->cfg->succs.count, sizeof *e->edges);
  e->sets = bpi_zalloc((size_t)5 * e->a.words, sizeof *e->sets);
  e->heap = bpi_alloc(n, sizeof *e->heap);
  e->queued = bpi_zalloc(n, 1);
  e->proc_heap = bpi_alloc(procs, sizeof *e->proc_heap);
  e->proc_of_rank = bpi_alloc(procs, sizeof *e->proc_of_rank);
  return e->group_hit && e->goal_set && e->goal_next && e->goal_at && e->path_edges && e->delta &&
         e->chained && e->procs && e->calls && e->call_of && e->edges && e->sets && e->heap &&
         e->queued && e->proc_heap && e->proc_of_rank;
}

static void index_calls(bpi_engine *e)
{
  for (uint32_t i = 0; i < e->cfg->calls.count; i++) {
    e->calls[i].vertex = e->cfg->calls.at[i];
    e->call_of[e->cfg->calls.at[i]] = i;
  }
  for (uint32_t p = 0; p < e->cfg->procs.count; p++)
    e->proc_of_rank[e->cfg->procs.at[p].rank] = p;
}

static void index_goals(bpi_engine *e)
{
  for (uint32_t v = 0; v < e->cfg->vertices.count; v++)
    e->goal_at[v] = BP_NONE;
  for (uint32_t g = e->goal_count; g-- > 0;) {
    e->goal_next[g] = e->goal_at[e->goals[g].vertex];
    e->goal_at[e->goals[g].vertex] = g;
  }
  for (uint32_t i = 0; i < e->group_count; i++)
    e->group_hit[i] = BP_NONE;
  e->groups_left = e->group_count;
}

/* A vertex with one way in needs no path edges of its own: what comes is new because it was new
 * where it came from. Every loop keeps some vertex that is stored, its head. */
static void find_chains(bpi_engine *e)
{
  for (uint32_t v = 0; v < e->cfg->vertices.count; v++) {
    const bpi_vertex *x = &e->cfg->vertices.at[v];
    if (!e->a.explore[v] || x->kind == BPI_VERTEX_CALL || x->kind == BPI_VERTEX_EXIT ||
        v == e->cfg->procs.at[x->proc].entry || e->goal_at[v] != BP_NONE)
      continue;
    uint32_t ways = 0;
    for (uint32_t i = 0; i < bpi_preds(x).count; i++)
      ways += e->a.explore[e->cfg->preds.at[bpi_preds(x).first + i]] != 0;
    e->chained[v] = ways == 1;
  }
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
                                         .summaries = options->summaries,
                                         .start = options->init,
                                         .start_count = options->init_count,
                                         .most = bpi_bdd_most_slots(m)};
  *out = NULL;
  bpi_engine *e = bpi_zalloc(1, sizeof *e);
  if (!e) return BP_E_NOMEM;
  *e = (bpi_engine){.refs = 1,
                    .m = m,
                    .cfg = cfg,
                    .p = cfg->program,
                    .off = off,
                    .goals = options->goals,
                    .goal_count = options->goal_count,
                    .group_count = options->group_count,
                    .item = {BP_NONE, BPI_FALSE}};
  bp_status status = bpi_analysis_make(&e->a, cfg, e->goals, e->goal_count, analyses);
  if (status == BP_OK) status = bpi_layout_make(&e->layout, &e->a, !(off & BP_ENGINE_ORDER));
  if (status == BP_OK && !allocate(e)) status = BP_E_NOMEM;
  if (status != BP_OK) {
    bpi_engine_unref(e);
    return status;
  }
  index_calls(e);
  index_goals(e);
  if (!(off & BP_ENGINE_CHAIN)) find_chains(e);
  *out = e;
  return BP_OK;
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

static void drop_call(bp_manager *m, const bpi_call *c)
{
  const bpi_bdd all[] = {c->args,       c->enter_quant, c->results, c->before_quant,
                         c->lift_quant, c->after_quant, c->lift};
  drop_list(m, all, sizeof all / sizeof *all);
}

static void drop_facts(bpi_engine *e)
{
  const uint32_t n = e->cfg->vertices.count;
  drop_list(e->m, e->goal_set, e->goal_count);
  drop_list(e->m, e->path_edges, n);
  drop_list(e->m, e->delta, n);
  for (uint32_t i = 0; e->procs && i < e->cfg->procs.count; i++) {
    const bpi_bdd all[] = {e->procs[i].entries, e->procs[i].identity, e->procs[i].summary,
                           e->procs[i].formals_next};
    drop_list(e->m, all, sizeof all / sizeof *all);
    for (uint32_t k = 0; k < e->procs[i].gains.count; k++)
      bpi_bdd_drop(e->m, e->procs[i].gains.at[k].pairs);
    bpi_vec_free(&e->procs[i].gains);
  }
  for (uint32_t i = 0; e->calls && i < e->cfg->calls.count; i++)
    drop_call(e->m, &e->calls[i]);
  for (uint32_t i = 0; i < e->parts.count; i++) {
    bpi_bdd_drop(e->m, e->parts.at[i].rel);
    bpi_bdd_drop(e->m, e->parts.at[i].quant);
  }
  bpi_bdd_drop(e->m, e->item.set);
  for (uint32_t i = 0; i < e->chain.count; i++)
    bpi_bdd_drop(e->m, e->chain.at[i].set);
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
  bpi_vec_free(&e->chain);
  void *const blocks[] = {e->group_hit,  e->goal_set, e->goal_next, e->goal_at,
                          e->path_edges, e->delta,    e->chained,   e->procs,
                          e->calls,      e->call_of,  e->edges,     e->sets,
                          e->heap,       e->queued,   e->proc_heap, e->proc_of_rank};
  for (uint32_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    bpi_release(blocks[i]);
  bpi_release(e);
}
