/* SPDX-License-Identifier: MIT */
#include "cfg/shown.h"

bpi_shown *bpi_shown_new(const bp_cfg *cfg, bp_cfg *source)
{
  bpi_shown *shown = bpi_zalloc(1, sizeof *shown);
  if (!shown) return NULL;
  shown->source = bp_cfg_ref(source);
  shown->vertex = bpi_alloc(cfg->vertices.count, sizeof *shown->vertex);
  shown->global = bpi_alloc(source->program->vars.count, sizeof *shown->global);
  if (shown->vertex && shown->global) return shown;
  bpi_shown_free(shown);
  return NULL;
}

void bpi_shown_free(bpi_shown *shown)
{
  if (!shown) return;
  bp_cfg_unref(shown->source);
  bpi_release(shown->vertex);
  bpi_release(shown->global);
  bpi_release(shown);
}

uint32_t bpi_shown_var(const bp_cfg *cfg, uint32_t vertex, uint32_t var)
{
  if (!cfg->shown) return var;
  const bp_program *source = cfg->shown->source->program;
  const uint32_t home = source->vars.at[var].proc;
  if (home == BP_NONE) return cfg->shown->global[var];
  const bpi_proc *proc = &cfg->program->procs.at[cfg->vertices.at[vertex].proc];
  return proc->vars.first + var - source->procs.at[home].vars.first;
}
