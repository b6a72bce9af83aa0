/* SPDX-License-Identifier: MIT
 * What the graph has ahead of each vertex on the way to the goal, whatever the data. */
#include "engine/search.h"

typedef BPI_VEC(uint32_t) vertices;

/* The places before `v`: those from which a step leads to it go to `next`, the others to `now`. */
static bool look_before(const bpi_search *s, uint32_t v, vertices *now, vertices *next)
{
  const bpi_engine *e = s->e;
  const bpi_slice preds = bpi_preds(&e->cfg->vertices.at[v]);
  bool memory = true;
  for (uint32_t i = preds.first; i < preds.first + preds.count && memory; i++) {
    const bpi_vertex *u = &e->cfg->vertices.at[e->cfg->preds.at[i]];
    const bool step = u->weight || u->kind == BPI_VERTEX_CALL;
    memory = bpi_vec_push(step ? next : now, e->cfg->preds.at[i]);
  }
  const bpi_cfg_proc *proc = &e->cfg->procs.at[e->cfg->vertices.at[v].proc];
  if (!s->opens || v != proc->entry) return memory;
  for (uint32_t c = proc->calls.first; c < proc->calls.first + proc->calls.count && memory; c++)
    memory = bpi_vec_push(next, e->cfg->calls.at[c]);
  return memory;
}

bool bpi_search_look_ahead(bpi_search *s, bpi_slice within)
{
  bpi_engine *e = s->e;
  vertices now = {0}, next = {0};
  bool memory = true;
  for (uint32_t v = within.first; v < within.first + within.count; v++)
    s->ahead[v] = BP_NONE;
  if (s->goal_vertex != BP_NONE) memory = bpi_vec_push(&now, s->goal_vertex);
  for (uint32_t g = 0; s->goal_vertex == BP_NONE && g < e->goal_count && memory; g++)
    if (e->goals[g].group == s->group) memory = bpi_vec_push(&now, e->goals[g].vertex);
  for (uint32_t steps = 0; memory && now.count; steps++) {
    while (memory && now.count) {
      const uint32_t v = now.at[--now.count];
      if (s->ahead[v] != BP_NONE || !e->a.explore[v]) continue;
      s->ahead[v] = steps;
      memory = look_before(s, v, &now, &next);
    }
    const vertices done = now;
    now = next;
    next = done;
  }
  bpi_vec_free(&now);
  bpi_vec_free(&next);
  if (!memory) e->stop = BP_REASON_MEMORY;
  return memory;
}
