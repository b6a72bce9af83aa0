/* SPDX-License-Identifier: MIT */
#include "program/draft.h"

/* Symbols become offsets. */
static void seal(bpi_draft *d)
{
  bp_program *p = d->program;
  const bpi_symbol *symbols = d->symbols.at;
  for (uint32_t i = 0; i < p->vars.count; i++)
    p->vars.at[i].name = symbols[p->vars.at[i].name].name;
  for (uint32_t i = 0; i < p->procs.count; i++)
    p->procs.at[i].name = symbols[p->procs.at[i].name].name;
  for (uint32_t i = 0; i < p->labels.count; i++)
    p->labels.at[i].name = symbols[p->labels.at[i].name].name;
}

bp_status bpi_draft_finish(bpi_draft *d, bp_program **out)
{
  if (d->status == BP_OK) bpi_check(d);
  if (d->status == BP_OK && !d->errors) seal(d);
  if (d->status == BP_E_NOMEM) return bpi_no_memory(d->ctx);
  if (d->status == BP_E_LIMIT)
    return bpi_fail(d->ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped by a limit or a cancel request");
  if (d->errors) return BP_E_INPUT;
  bpi_program_trim(d->program);
  *out = d->program;
  d->program = NULL;
  return BP_OK;
}

static uint32_t sort_key(const bpi_diagnostic *d)
{
  return d->range.line ? d->range.offset : UINT32_MAX;
}

/* They are few, and nearly in order. */
void bpi_diagnostics_sort(bp_context *ctx)
{
  bpi_diagnostic *all = ctx->diagnostics.at;
  for (uint32_t i = 1; i < ctx->diagnostics.count; i++) {
    const bpi_diagnostic d = all[i];
    uint32_t to = i;
    for (; to > 0 && sort_key(&all[to - 1]) > sort_key(&d); to--)
      all[to] = all[to - 1];
    all[to] = d;
  }
}
