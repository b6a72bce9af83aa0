/* SPDX-License-Identifier: MIT
 * Questions about a set. */
#include "pushdown/pushdown.h"

static bool contains(bpi_run *run, const bp_configurations *c, const bp_configuration *one)
{
  bpi_walk w;
  bpi_walk_begin(&w, run, c);
  const uint8_t *locals = one->locals;
  bpi_bdd *at = bpi_walk_states(&w);
  if (at) at[one->control] = bpi_global_cube(run, one->globals);
  for (uint32_t i = 0; at && i < one->height && bpi_run_tick(run); i++) {
    bpi_bdd *next = bpi_walk_states(&w);
    const bpi_bdd cube = bpi_local_cube(run, one->symbols[i], locals);
    if (next) bpi_walk_read(&w, at, one->symbols[i], cube, next);
    if (locals) locals += bpi_scope_of(c->p, one->symbols[i])->locals.count;
    bpi_bdd_drop(run->m, cube);
    bpi_walk_free(&w, at);
    at = next;
  }
  const bool found = at && bpi_walk_accepts(&w, at);
  bpi_walk_free(&w, at);
  bpi_walk_end(&w);
  return found && bpi_run_good(run);
}

bp_status bp_configurations_contains(int *out, const bp_configurations *c,
                                     const bp_configuration *one)
{
  if (out) *out = 0;
  if (!c) return BP_E_INVALID;
  if (!out || !bpi_configuration_good(c, one))
    return bpi_invalid(c->ctx, "out is NULL, or there is no such control location or symbol");
  bpi_run run;
  bp_status status = bpi_run_begin(&run, c, NULL);
  if (status != BP_OK) return status;
  const bool found = contains(&run, c, one);
  status = bpi_run_end(&run);
  *out = status == BP_OK && found;
  return status;
}

bp_status bp_configurations_is_empty(int *out, const bp_configurations *c)
{
  if (out) *out = 0;
  if (!c) return BP_E_INVALID;
  if (!out) return bpi_invalid(c->ctx, "out is NULL");
  bpi_run run;
  bpi_walk w;
  bp_status status = bpi_run_begin(&run, c, NULL);
  if (status != BP_OK) return status;
  bpi_walk_begin(&w, &run, c);
  bpi_bdd *useful = bpi_walk_useful(&w);
  bool empty = true;
  for (uint32_t i = 0; useful && i < c->p->controls.count; i++)
    empty = empty && useful[i] == BPI_FALSE;
  bpi_walk_free(&w, useful);
  bpi_walk_end(&w);
  status = bpi_run_end(&run);
  *out = status == BP_OK && empty;
  return status;
}

/* ---- heads ------------------------------------------------------------------------ */

static bool has_head(bpi_walk *w, uint32_t control, uint32_t symbol, bpi_bdd when)
{
  const bp_configurations *c = w->c;
  bpi_bdd *useful = bpi_walk_useful(w);
  bool found = false;
  for (uint32_t t = c->states.at[control].first_out; useful && t != BP_NONE && !found;
       t = c->transitions.at[t].next_out) {
    if (bpi_ends(c, t).at[1] != symbol) continue;
    const bpi_bdd towards = bpi_walk_towards(w, t, useful);
    const bpi_bdd both = bpi_bdd_and(w->run->m, towards, when);
    found = both != BPI_FALSE;
    bpi_bdd_drop(w->run->m, towards);
    bpi_bdd_drop(w->run->m, both);
    if (!bpi_run_tick(w->run)) break;
  }
  bpi_walk_free(w, useful);
  return found;
}

bp_status bp_configurations_has_head(int *out, const bp_configurations *c, uint32_t control,
                                     uint32_t symbol, const char *when)
{
  if (out) *out = 0;
  if (!c) return BP_E_INVALID;
  if (!out || control >= c->p->controls.count || symbol >= c->p->symbols.count)
    return bpi_invalid(c->ctx, "out is NULL, or there is no such control location or symbol");
  bpi_run run;
  bpi_walk w;
  bpi_bdd set;
  bool found = false;
  bp_status status = bpi_run_begin(&run, c, NULL);
  if (status != BP_OK) return status;
  bpi_walk_begin(&w, &run, c);
  const bp_status read = bpi_read_relation(&run, c, symbol, false, when, &set);
  if (read == BP_OK) {
    found = has_head(&w, control, symbol, set);
    bpi_bdd_drop(run.m, set);
  } else {
    run.status = read;
  }
  bpi_walk_end(&w);
  status = bpi_run_end(&run);
  *out = status == BP_OK && found;
  return status;
}
