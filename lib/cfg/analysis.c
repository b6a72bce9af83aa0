/* SPDX-License-Identifier: MIT */
#include "cfg/analysis.h"

static bp_status number_results(bpi_analysis *a)
{
  const bp_program *p = a->cfg->program;
  uint32_t total = 0;
  a->result_first = bpi_alloc((size_t)p->procs.count + 1, sizeof *a->result_first);
  if (!a->result_first) return BP_E_NOMEM;
  for (uint32_t i = 0; i < p->procs.count; i++) {
    const uint32_t results = p->procs.at[i].results;
    a->result_first[i] = total;
    total += results;
    if (results > a->results) a->results = results;
  }
  a->result_first[p->procs.count] = total;
  return BP_OK;
}

/* Gives a place to `var` if it matters: the next one. */
static void take_place(bpi_analysis *a, uint32_t var, uint32_t *next)
{
  a->place[var] = a->var_matters[var] ? (*next)++ : BP_NONE;
}

static bp_status number_places(bpi_analysis *a, uint32_t most)
{
  const bp_program *p = a->cfg->program;
  a->place = bpi_alloc(p->vars.count, sizeof *a->place);
  a->formals = bpi_alloc(p->procs.count, sizeof *a->formals);
  if (!a->place || !a->formals) return BP_E_NOMEM;
  for (uint32_t g = 0; g < p->globals.count; g++)
    take_place(a, p->globals.at[g], &a->globals);
  a->places = a->globals;
  for (uint32_t i = 0; i < p->procs.count; i++) {
    const bpi_proc *proc = &p->procs.at[i];
    uint32_t next = a->globals;
    a->formals[i] = 0;
    for (uint32_t k = 0; k < proc->vars.count; k++) {
      take_place(a, proc->vars.first + k, &next);
      if (k + 1 == proc->formals) a->formals[i] = next - a->globals;
    }
    if (next > a->places) a->places = next;
  }
  a->words = a->places / 64 + 1;
  return most && (uint64_t)a->places + a->results > most ? BP_E_LIMIT : BP_OK;
}

static bp_status track(bpi_analysis *a, const uint8_t *tracked)
{
  const bp_program *p = a->cfg->program;
  if (!tracked) return BP_OK;
  a->tracked = bpi_zalloc((size_t)p->procs.count * a->words, sizeof *a->tracked);
  if (!a->tracked) return BP_E_NOMEM;
  for (uint32_t i = 0; i < p->procs.count; i++) {
    uint64_t *set = bpi_proc_set(a, a->tracked, i);
    for (uint32_t g = 0; g < p->globals.count; g++) {
      const uint32_t var = p->globals.at[g];
      if (tracked[var] && a->place[var] != BP_NONE) bpi_bit_add(set, a->place[var]);
    }
    const bpi_slice vars = p->procs.at[i].vars;
    for (uint32_t var = vars.first; var < vars.first + vars.count; var++)
      if (tracked[var] && a->place[var] != BP_NONE) bpi_bit_add(set, a->place[var]);
  }
  for (uint32_t r = 0; r < a->result_first[p->procs.count]; r++)
    a->result_matters[r] &= tracked[p->vars.count + r];
  return BP_OK;
}

void bpi_analysis_trim(bpi_analysis *a)
{
  bpi_release(a->reached);
  bpi_release(a->returns);
  bpi_release(a->touch);
  bpi_release(a->own_mod);
  bpi_release(a->transfer_first);
  bpi_release(a->transfers);
  bpi_release(a->transfer_sets);
  a->reached = a->returns = NULL;
  a->touch = a->own_mod = a->transfer_sets = NULL;
  a->transfer_first = NULL;
  a->transfers = NULL;
}

bp_status bpi_analysis_make(bpi_analysis *a, const bp_cfg *cfg, const bpi_goal *goals,
                            uint32_t goal_count, bpi_analysis_options options)
{
  *a = (bpi_analysis){.cfg = cfg, .goals = goals, .goal_count = goal_count, .kept = options.kept};
  bp_status status = bpi_sort_goals(a);
  if (status == BP_OK) status = number_results(a);
  if (status == BP_OK) status = bpi_relevance(a, goals, goal_count, &options);
  if (status == BP_OK) status = bpi_cone(a, goals, goal_count, &options);
  if (status == BP_OK) status = number_places(a, options.most);
  if (status == BP_OK) status = track(a, options.tracked);
  if (status == BP_OK) status = bpi_twins(a, options.share);
  if (status == BP_OK) status = bpi_transfers(a);
  if (status == BP_OK) status = bpi_modref(a, goals, goal_count, options.modref);
  if (status == BP_OK) status = bpi_liveness(a, options.live);
  a->goals = NULL;
  a->kept = NULL;
  if (status != BP_OK) bpi_analysis_clear(a);
  return status;
}

void bpi_analysis_clear(bpi_analysis *a)
{
  bpi_analysis_trim(a);
  bpi_release(a->goals_sorted);
  bpi_release(a->goal_vertices);
  bpi_release(a->place);
  bpi_release(a->formals);
  bpi_release(a->explore);
  bpi_release(a->summary);
  bpi_release(a->var_matters);
  bpi_release(a->result_first);
  bpi_release(a->result_matters);
  bpi_release(a->twin);
  bpi_release(a->mod);
  bpi_release(a->tracked);
  bpi_release(a->live);
  bpi_release(a->entry_copy);
  *a = (bpi_analysis){0};
}
