/* SPDX-License-Identifier: MIT
 * The life of a question, its settings and getters. */
#include "product/ltl.h"

#include "temporal/source.h"

/* ---- life ---------------------------------------------------------------- */

static bp_status make(bp_ltl **out, bp_context *ctx, bp_manager *manager, bp_cfg *cfg,
                      bp_automaton *automaton, const bp_formula *formula, const char *file,
                      const bp_ltl_options *options)
{
  size_t len = 0;
  const char *text =
      formula ? bpi_formula_source(formula, &len) : bpi_automaton_source(automaton, &len);
  bp_ltl *ltl = bpi_zalloc(1, sizeof *ltl);
  if (!ltl) return bpi_no_memory(ctx);
  atomic_init(&ltl->refs, 1);
  atomic_init(&ltl->cancel, 0);
  ltl->ctx = bp_context_ref(ctx);
  ltl->m = bp_manager_ref(manager);
  ltl->cfg = bp_cfg_ref(cfg);
  ltl->automaton = bp_automaton_ref(automaton);
  ltl->reason = BP_REASON_NOT_RUN;
  if (options) ltl->options = *options;
  bpi_context_begin(ctx);
  bp_status status = bpi_auto_make(&ltl->a, automaton);
  if (status != BP_OK) bpi_no_memory(ctx);
  if (status == BP_OK) status = bpi_props_make(&ltl->props, ctx, cfg, automaton, file, text, len);
  if (status == BP_OK)
    *out = ltl;
  else
    bp_ltl_unref(ltl);
  return status;
}

static bp_status check_arguments(bp_context *ctx, const void *out, const void *manager,
                                 const void *cfg, const void *what, const bp_ltl_options *options)
{
  if (!out || !manager || !cfg || !what)
    return bpi_refuse(ctx, "bp_ltl_new", "%s is NULL",
                      !out       ? "out"
                      : !manager ? "manager"
                      : !cfg     ? "cfg"
                                 : "what to ask");
  if (!options) return BP_OK;
  if (options->size != sizeof *options)
    return bpi_refuse(ctx, "bp_ltl_new", "options->size is not sizeof(bp_ltl_options)");
  if (options->off & ~(uint32_t)BP_ENGINE_ALL)
    return bpi_refuse(ctx, "bp_ltl_new", "options->off has a bit that is no bp_engine");
  if ((unsigned)options->search > BP_LTL_XIE_BEEREL)
    return bpi_refuse(ctx, "bp_ltl_new", "options->search is no bp_ltl_search");
  return BP_OK;
}

bp_status bp_ltl_new(bp_ltl **out, bp_context *ctx, bp_manager *manager, bp_cfg *cfg,
                     const bp_formula *formula, const bp_ltl_options *options)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  bp_status status = check_arguments(ctx, out, manager, cfg, formula, options);
  if (status != BP_OK) return status;
  bp_formula *negation = NULL;
  bp_automaton *automaton = NULL;
  const bp_automaton_options translation = {
      .size = sizeof translation, .degeneralize = 1, .states = options ? options->states : 0};
  status = bp_formula_negate(&negation, ctx, formula);
  if (status == BP_OK) status = bp_automaton_from_formula(&automaton, ctx, negation, &translation);
  if (status == BP_OK)
    status = make(out, ctx, manager, cfg, automaton, formula, bp_formula_name(formula), options);
  bp_formula_unref(negation);
  bp_automaton_unref(automaton);
  return status;
}

bp_status bp_ltl_new_automaton(bp_ltl **out, bp_context *ctx, bp_manager *manager, bp_cfg *cfg,
                               const bp_automaton *automaton, const char *file,
                               const bp_ltl_options *options)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  bp_status status = check_arguments(ctx, out, manager, cfg, automaton, options);
  if (status != BP_OK) return status;
  bp_automaton *one = NULL;
  status = bp_automaton_degeneralize(&one, ctx, automaton);
  if (status == BP_OK) status = make(out, ctx, manager, cfg, one, NULL, file ? file : "", options);
  bp_automaton_unref(one);
  return status;
}

bp_ltl *bp_ltl_ref(bp_ltl *ltl)
{
  if (ltl) atomic_fetch_add_explicit(&ltl->refs, 1, memory_order_relaxed);
  return ltl;
}

void bp_ltl_unref(bp_ltl *ltl)
{
  if (!ltl || atomic_fetch_sub_explicit(&ltl->refs, 1, memory_order_acq_rel) != 1) return;
  bpi_ltl_drop_search(ltl);
  for (uint32_t i = 0; i < BPI_STAGES; i++) {
    /* A trace may keep the query; it is asked to stop by itself from now on. */
    if (ltl->stages[i].query) ltl->stages[i].query->asked = &ltl->stages[i].query->cancel;
    bp_query_unref(ltl->stages[i].query);
    bpi_product_clear(&ltl->stages[i].product);
  }
  bpi_vec_free(&ltl->point);
  bpi_vec_free(&ltl->init);
  bpi_props_clear(&ltl->props);
  bpi_auto_clear(&ltl->a);
  bp_automaton_unref(ltl->automaton);
  bp_cfg_unref(ltl->cfg);
  bp_manager_unref(ltl->m);
  bp_context_unref(ltl->ctx);
  bpi_release(ltl);
}

/* ---- settings ------------------------------------------------------------ */

bp_status bp_ltl_set_init(bp_ltl *ltl, const char *expression)
{
  if (!ltl) return BP_E_INVALID;
  bpi_context_begin(ltl->ctx);
  if (ltl->begun)
    return bpi_fail(ltl->ctx, BP_E_STATE, BPI_MSG_STATE, "the start cannot change after a run");
  bpi_code code = {0};
  const bp_program *p = ltl->cfg->program;
  const bp_status status =
      expression ? bpi_expression_parse(&code, ltl->ctx, p, p->entry, expression, "init") : BP_OK;
  if (status != BP_OK) {
    bpi_vec_free(&code);
    return status;
  }
  bpi_vec_free(&ltl->init);
  ltl->init = code;
  return BP_OK;
}

bp_status bp_ltl_set_limits(bp_ltl *ltl, const bp_limits *limits)
{
  if (!ltl) return BP_E_INVALID;
  if (limits && limits->size != sizeof *limits)
    return bpi_invalid(ltl->ctx, "limits->size is not sizeof(bp_limits)");
  bpi_context_begin(ltl->ctx);
  ltl->limits = limits ? *limits : (bp_limits){0};
  for (uint32_t i = 0; i < BPI_STAGES; i++)
    if (ltl->stages[i].query) ltl->stages[i].query->limits = ltl->limits;
  return BP_OK;
}

void bp_ltl_set_progress(bp_ltl *ltl, bp_progress_fn fn, void *user)
{
  if (!ltl) return;
  ltl->progress = fn;
  ltl->progress_user = user;
}

void bp_ltl_cancel(bp_ltl *ltl)
{
  if (ltl) atomic_store(&ltl->cancel, 1);
}

/* ---- looking ------------------------------------------------------------- */

const bp_automaton *bp_ltl_automaton(const bp_ltl *ltl)
{
  return ltl ? ltl->automaton : NULL;
}

bp_ltl_verdict bp_ltl_verdict_of(const bp_ltl *ltl)
{
  return ltl ? ltl->verdict : BP_LTL_UNDECIDED;
}

bp_reason bp_ltl_reason(const bp_ltl *ltl)
{
  if (!ltl) return BP_REASON_NOT_RUN;
  /* What was done with a trace stopped its query. */
  bp_reason reason = ltl->reason;
  for (int i = BPI_STAGE_PREFIX; i <= BPI_STAGE_LOOP && reason == BP_REASON_NONE; i++)
    if (ltl->stages[i].query && ltl->stages[i].query->reason != BP_REASON_NOT_RUN)
      reason = ltl->stages[i].query->reason;
  return reason;
}

const char *bp_ltl_verdict_name(bp_ltl_verdict verdict)
{
  switch (verdict) {
  case BP_LTL_VIOLATED: return "violated";
  case BP_LTL_HOLDS: return "holds";
  default: return "undecided";
  }
}

const char *bp_ltl_way_name(bp_ltl_way way)
{
  switch (way) {
  case BP_LTL_WAY_EMPTY: return "empty";
  case BP_LTL_WAY_SAFETY: return "safety";
  case BP_LTL_WAY_CYCLE: return "cycle";
  default: return "none";
  }
}

bp_ltl_end bp_ltl_end_of(const bp_ltl *ltl)
{
  if (!ltl || !ltl->found) return BP_LTL_RUNS;
  if (ltl->at_role == BPI_ROLE_ENDED) return BP_LTL_TERMINATED;
  return ltl->at_role == BPI_ROLE_FAILED ? BP_LTL_FAILED : BP_LTL_RUNS;
}

uint32_t bp_ltl_growth(const bp_ltl *ltl)
{
  return ltl ? ltl->growth : 0;
}

uint32_t bp_ltl_depth(const bp_ltl *ltl)
{
  return ltl ? ltl->depth : 0;
}

static uint64_t own_steps(const bpi_product_stage *s, const bpi_engine *more)
{
  if (!s->query) return 0;
  return bpi_query_steps(s->query, NULL) - s->others + (more ? more->steps : 0);
}

static uint64_t all_steps(const bp_ltl *ltl, uint32_t but)
{
  uint64_t steps = 0;
  for (uint32_t i = 0; i < BPI_STAGES; i++)
    if (i != but) steps += own_steps(&ltl->stages[i], i == BPI_STAGE_CYCLE ? ltl->engine : NULL);
  return steps;
}

void bpi_ltl_ready(bp_ltl *ltl, bpi_stage_kind kind)
{
  bpi_product_stage *s = &ltl->stages[kind];
  const uint64_t others = all_steps(ltl, kind);
  s->query->steps += others - s->others;
  s->others = others;
  s->query->limits = ltl->limits;
  s->query->asked = &ltl->cancel;
  s->query->progress = ltl->progress;
  s->query->progress_user = ltl->progress_user;
}

bp_status bpi_ltl_note(bp_ltl *ltl, bpi_stage_kind kind, bp_status status)
{
  if (status != BP_OK) ltl->reason = bp_query_reason(ltl->stages[kind].query);
  return status;
}

bp_status bp_ltl_get_stats(bp_ltl *ltl, bp_ltl_stats *out)
{
  if (!ltl || !out || out->size != sizeof *out) return BP_E_INVALID;
  bp_manager_stats m = {.size = sizeof m};
  const bp_status status = bp_manager_get_stats(ltl->m, &m);
  if (status != BP_OK) return status;
  *out = (bp_ltl_stats){.size = sizeof *out,
                        .engine_seconds = (double)ltl->cpu_ns / 1e9,
                        .steps = all_steps(ltl, BPI_STAGES),
                        .peak_nodes = m.peak_nodes,
                        .collections = m.collections,
                        .bdd_vars = m.vars,
                        .cfg_vertices = ltl->cfg->vertices.count,
                        .cfg_edges = ltl->cfg->succs.count,
                        .product_vertices = ltl->product_vertices,
                        .product_edges = ltl->product_edges,
                        .automaton_states = bp_automaton_state_count(ltl->automaton),
                        .automaton_edges = bp_automaton_edge_count(ltl->automaton),
                        .components = ltl->components,
                        .rounds = ltl->rounds,
                        .way = ltl->way};
  return BP_OK;
}
