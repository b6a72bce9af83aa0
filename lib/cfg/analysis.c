/* SPDX-License-Identifier: MIT */
#include "cfg/analysis.h"

static bp_status number_places(bpi_analysis *a)
{
  const bp_program *p = a->cfg->program;
  uint32_t largest = 0;
  a->globals = p->globals.count;
  a->place = bpi_alloc(p->vars.count, sizeof *a->place);
  a->result_first = bpi_alloc((size_t)p->procs.count + 1, sizeof *a->result_first);
  if (!a->place || !a->result_first) return BP_E_NOMEM;
  for (uint32_t g = 0; g < a->globals; g++)
    a->place[p->globals.at[g]] = g;
  uint32_t results = 0;
  for (uint32_t i = 0; i < p->procs.count; i++) {
    const bpi_slice vars = p->procs.at[i].vars;
    for (uint32_t k = 0; k < vars.count; k++)
      a->place[vars.first + k] = a->globals + k;
    if (vars.count > largest) largest = vars.count;
    a->result_first[i] = results;
    results += p->procs.at[i].results;
  }
  a->result_first[p->procs.count] = results;
  a->places = a->globals + largest;
  a->words = a->places / 64 + 1;
  return BP_OK;
}

bp_status bpi_analysis_make(bpi_analysis *a, const bp_cfg *cfg, const bpi_goal *goals,
                            uint32_t goal_count, bpi_analysis_options options)
{
  *a = (bpi_analysis){.cfg = cfg};
  bp_status status = number_places(a);
  if (status == BP_OK)
    status = bpi_relevance(a, goals, goal_count, options.cone, options.summaries);
  if (status == BP_OK) status = bpi_cone(a, goals, goal_count, options.cone);
  if (status == BP_OK) status = bpi_modref(a, goals, goal_count, options.modref);
  if (status == BP_OK) status = bpi_liveness(a, goals, goal_count, options.live);
  if (status != BP_OK) bpi_analysis_clear(a);
  return status;
}

void bpi_analysis_clear(bpi_analysis *a)
{
  bpi_release(a->place);
  bpi_release(a->reached);
  bpi_release(a->explore);
  bpi_release(a->returns);
  bpi_release(a->summary);
  bpi_release(a->var_matters);
  bpi_release(a->result_first);
  bpi_release(a->result_matters);
  bpi_release(a->mod);
  bpi_release(a->touch);
  bpi_release(a->own_mod);
  bpi_release(a->live);
  bpi_release(a->entry_copy);
  *a = (bpi_analysis){0};
}
