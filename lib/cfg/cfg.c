/* SPDX-License-Identifier: MIT
 * Looking at a graph. */
#include "cfg/cfg.h"

static const bpi_vertex *vertex_at(const bp_cfg *cfg, uint32_t vertex)
{
  return cfg && vertex < cfg->vertices.count ? &cfg->vertices.at[vertex] : NULL;
}

const bp_program *bp_cfg_program(const bp_cfg *cfg)
{
  return cfg ? cfg->program : NULL;
}

uint32_t bp_cfg_vertex_count(const bp_cfg *cfg)
{
  return cfg ? cfg->vertices.count : 0;
}

uint32_t bp_cfg_edge_count(const bp_cfg *cfg)
{
  return cfg ? cfg->succs.count : 0;
}

uint32_t bp_cfg_vertex_proc(const bp_cfg *cfg, uint32_t vertex)
{
  const bpi_vertex *v = vertex_at(cfg, vertex);
  return v ? v->proc : BP_NONE;
}

uint32_t bp_cfg_vertex_stmt(const bp_cfg *cfg, uint32_t vertex)
{
  const bpi_vertex *v = vertex_at(cfg, vertex);
  return v ? v->stmt : BP_NONE;
}

uint32_t bp_cfg_proc_entry(const bp_cfg *cfg, uint32_t proc)
{
  return cfg && proc < cfg->procs.count ? cfg->procs.at[proc].entry : BP_NONE;
}

uint32_t bp_cfg_proc_exit(const bp_cfg *cfg, uint32_t proc)
{
  return cfg && proc < cfg->procs.count ? cfg->procs.at[proc].exit : BP_NONE;
}

uint32_t bp_cfg_succ_count(const bp_cfg *cfg, uint32_t vertex)
{
  const bpi_vertex *v = vertex_at(cfg, vertex);
  return v ? bpi_succs(v).count : 0;
}

uint32_t bp_cfg_succ(const bp_cfg *cfg, uint32_t vertex, uint32_t index)
{
  const bpi_vertex *v = vertex_at(cfg, vertex);
  return v && index < bpi_succs(v).count ? cfg->succs.at[bpi_succs(v).first + index] : BP_NONE;
}

uint32_t bp_cfg_vertex_of_stmt(const bp_cfg *cfg, uint32_t stmt)
{
  return cfg && stmt < cfg->program->stmts.count ? bpi_vertex_of(cfg, stmt) : BP_NONE;
}

/* The vertices of a procedure stand in the order of their statements; BP_NONE comes last. */
uint32_t bpi_vertex_of(const bp_cfg *cfg, uint32_t stmt)
{
  const bpi_slice all = cfg->procs.at[bpi_stmt_proc(cfg->program, stmt)].vertices;
  uint32_t low = all.first, high = all.first + all.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (cfg->vertices.at[middle].stmt < stmt)
      low = middle + 1;
    else
      high = middle;
  }
  return low < all.first + all.count && cfg->vertices.at[low].stmt == stmt ? low : BP_NONE;
}

/* Statements stand in text order, so a procedure's lines ascend unless a builder says otherwise;
 * that is why this looks at all of them. */
uint32_t bp_cfg_vertex_at(const bp_cfg *cfg, uint32_t proc, uint32_t line, uint32_t index)
{
  if (!cfg || !line) return BP_NONE;
  for (uint32_t v = 0; v < cfg->vertices.count; v++) {
    const bpi_vertex *vertex = &cfg->vertices.at[v];
    if (!vertex->weight || (proc != BP_NONE && vertex->proc != proc)) continue;
    if (bpi_stmt_range(cfg->program, vertex->stmt).line == line && !index--) return v;
  }
  return BP_NONE;
}

uint32_t bpi_assert_vertex(const bp_cfg *cfg, uint32_t stmt)
{
  const uint8_t kind = bpi_stmt_kind(cfg->program, stmt);
  return kind == BP_STMT_ASSERT || kind == BP_STMT_ABORTIF ? bpi_vertex_of(cfg, stmt) : BP_NONE;
}

uint32_t bp_cfg_assert_count(const bp_cfg *cfg)
{
  uint32_t count = 0;
  for (uint32_t i = 0; cfg && i < cfg->program->stmts.count; i++)
    count += bpi_assert_vertex(cfg, i) != BP_NONE;
  return count;
}

uint32_t bp_cfg_call_depth(const bp_cfg *cfg)
{
  return cfg ? cfg->call_depth : BP_NONE;
}

int bp_cfg_proc_recursive(const bp_cfg *cfg, uint32_t proc)
{
  return cfg && proc < cfg->procs.count && cfg->procs.at[proc].recursive;
}
