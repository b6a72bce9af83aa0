/* SPDX-License-Identifier: MIT
 * Predecessors, and the order in which a procedure's vertices are best visited. */
#include "cfg/cfg.h"

static bp_status link_preds(bp_cfg *cfg)
{
  const uint32_t n = cfg->vertices.count;
  if (!bpi_vec_reserve(&cfg->preds, cfg->succs.count)) return BP_E_NOMEM;
  cfg->preds.count = cfg->succs.count;
  for (uint32_t i = 0; i < cfg->succs.count; i++)
    cfg->vertices.at[cfg->succs.at[i]].preds.count++;
  uint32_t first = 0;
  for (uint32_t v = 0; v < n; v++) {
    cfg->vertices.at[v].preds.first = first;
    first += cfg->vertices.at[v].preds.count;
    cfg->vertices.at[v].preds.count = 0;
  }
  for (uint32_t v = 0; v < n; v++) {
    const bpi_slice succs = cfg->vertices.at[v].succs;
    for (uint32_t i = 0; i < succs.count; i++) {
      bpi_slice *preds = &cfg->vertices.at[cfg->succs.at[succs.first + i]].preds;
      cfg->preds.at[preds->first + preds->count++] = v;
    }
  }
  return BP_OK;
}

typedef struct visit {
  uint32_t vertex, left; /* successors still to be visited */
} visit;

/* Depth-first from one vertex, last successor first: so a loop's body comes before what follows the
 * loop, and its postorder number is given when all behind it have theirs. */
static void number_from(bp_cfg *cfg, uint32_t root, uint8_t *seen, visit *stack, uint32_t *place)
{
  uint32_t depth = 0;
  if (seen[root]) return;
  seen[root] = 1;
  stack[depth++] = (visit){root, cfg->vertices.at[root].succs.count};
  while (depth) {
    visit *top = &stack[depth - 1];
    const bpi_vertex *v = &cfg->vertices.at[top->vertex];
    if (top->left) {
      const uint32_t next = cfg->succs.at[v->succs.first + --top->left];
      if (!seen[next]) {
        seen[next] = 1;
        stack[depth++] = (visit){next, cfg->vertices.at[next].succs.count};
      }
    } else {
      cfg->order[top->vertex] = --*place;
      depth--;
    }
  }
}

bp_status bpi_cfg_order(bp_cfg *cfg)
{
  const uint32_t n = cfg->vertices.count;
  cfg->order = bpi_alloc(n, sizeof *cfg->order);
  cfg->vertex_at_order = bpi_alloc(n, sizeof *cfg->vertex_at_order);
  uint8_t *seen = bpi_zalloc(n, 1);
  visit *stack = bpi_alloc(n, sizeof *stack);
  bp_status status =
      cfg->order && cfg->vertex_at_order && seen && stack ? link_preds(cfg) : BP_E_NOMEM;
  for (uint32_t p = 0; status == BP_OK && p < cfg->procs.count; p++) {
    const bpi_cfg_proc *proc = &cfg->procs.at[p];
    const bpi_slice all = proc->vertices;
    if (!all.count) continue;
    uint32_t place = all.count;
    /* What the entry does not reach gets the places in front: it is never visited. */
    number_from(cfg, proc->entry, seen, stack, &place);
    for (uint32_t v = all.first; v < all.first + all.count; v++)
      number_from(cfg, v, seen, stack, &place);
    for (uint32_t v = all.first; v < all.first + all.count; v++)
      cfg->vertex_at_order[all.first + cfg->order[v]] = v;
  }
  bpi_release(seen);
  bpi_release(stack);
  return status;
}
