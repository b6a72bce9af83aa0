/* SPDX-License-Identifier: MIT
 * Who calls whom: call sites, recursion (Tarjan 1972), callees before callers. */
#include "cfg/cfg.h"

uint8_t *bpi_cfg_called(const bp_program *p)
{
  uint8_t *called = bpi_zalloc(p->procs.count, 1);
  uint32_t *todo = bpi_alloc(p->procs.count, sizeof *todo);
  uint32_t count = 0;
  if (!called || !todo) {
    bpi_release(called);
    bpi_release(todo);
    return NULL;
  }
  called[p->entry] = 1;
  todo[count++] = p->entry;
  while (count) {
    const bpi_slice stmts = p->procs.at[todo[--count]].stmts;
    for (uint32_t i = stmts.first; i < stmts.first + stmts.count; i++) {
      const uint32_t callee = p->stmts.at[i].kind == BP_STMT_CALL ? p->stmts.at[i].callee : BP_NONE;
      if (callee == BP_NONE || called[callee]) continue;
      called[callee] = 1;
      todo[count++] = callee;
    }
  }
  bpi_release(todo);
  return called;
}

static uint32_t callee_of(const bp_cfg *cfg, uint32_t vertex)
{
  const bpi_vertex *v = &cfg->vertices.at[vertex];
  return v->kind == BPI_VERTEX_CALL ? cfg->program->stmts.at[v->stmt].callee : BP_NONE;
}

static bp_status list_calls(bp_cfg *cfg)
{
  uint32_t total = 0;
  for (uint32_t v = 0; v < cfg->vertices.count; v++) {
    const uint32_t callee = callee_of(cfg, v);
    if (callee == BP_NONE) continue;
    cfg->procs.at[callee].calls.count++;
    total++;
  }
  if (!bpi_vec_reserve(&cfg->calls, total)) return BP_E_NOMEM;
  cfg->calls.count = total;
  uint32_t first = 0;
  for (uint32_t p = 0; p < cfg->procs.count; p++) {
    cfg->procs.at[p].calls.first = first;
    first += cfg->procs.at[p].calls.count;
    cfg->procs.at[p].calls.count = 0;
  }
  for (uint32_t v = 0; v < cfg->vertices.count; v++) {
    const uint32_t callee = callee_of(cfg, v);
    if (callee == BP_NONE) continue;
    bpi_slice *calls = &cfg->procs.at[callee].calls;
    cfg->calls.at[calls->first + calls->count++] = v;
  }
  return BP_OK;
}

/* ---- components --------------------------------------------------------- */

typedef struct tarjan {
  uint32_t *index, *low; /* 0: not visited */
  uint32_t *depth;       /* longest chain of calls below */
  uint8_t *open;
  uint32_t *members;
  uint32_t member_count, next, rank;
  struct {
    uint32_t proc, vertex; /* the next vertex to look at */
  } * stack;
} tarjan;

static void enter(tarjan *t, const bp_cfg *cfg, uint32_t *height, uint32_t proc)
{
  t->index[proc] = t->low[proc] = ++t->next;
  t->open[proc] = 1;
  t->members[t->member_count++] = proc;
  t->stack[*height].proc = proc;
  t->stack[(*height)++].vertex = cfg->procs.at[proc].vertices.first;
}

static void leave(tarjan *t, bp_cfg *cfg, uint32_t proc)
{
  if (t->low[proc] != t->index[proc]) return;
  const uint32_t last = t->member_count;
  uint32_t first = last;
  while (t->members[first - 1] != proc)
    first--;
  first--;
  for (uint32_t i = first; i < last; i++) {
    bpi_cfg_proc *member = &cfg->procs.at[t->members[i]];
    t->open[t->members[i]] = 0;
    member->last_rank = t->rank + (last - first) - 1;
    if (last - first > 1) member->recursive = 1;
  }
  /* Inside a component the one entered first, the callers' way in, ranks last. */
  for (uint32_t i = last; i-- > first;)
    cfg->procs.at[t->members[i]].rank = t->rank++;
  t->member_count = first;
}

static void search(tarjan *t, bp_cfg *cfg, uint32_t root)
{
  uint32_t height = 0;
  enter(t, cfg, &height, root);
  while (height) {
    const uint32_t proc = t->stack[height - 1].proc;
    const bpi_slice all = cfg->procs.at[proc].vertices;
    if (t->stack[height - 1].vertex < all.first + all.count) {
      const uint32_t callee = callee_of(cfg, t->stack[height - 1].vertex++);
      if (callee == BP_NONE) continue;
      if (callee == proc) cfg->procs.at[proc].recursive = 1;
      if (!t->index[callee])
        enter(t, cfg, &height, callee);
      else if (t->open[callee] && t->index[callee] < t->low[proc])
        t->low[proc] = t->index[callee];
      else if (!t->open[callee] && t->depth[callee] + 1 > t->depth[proc])
        t->depth[proc] = t->depth[callee] + 1;
      continue;
    }
    leave(t, cfg, proc);
    if (!--height) break;
    const uint32_t caller = t->stack[height - 1].proc;
    if (t->open[proc] && t->low[proc] < t->low[caller]) t->low[caller] = t->low[proc];
    if (t->depth[proc] + 1 > t->depth[caller]) t->depth[caller] = t->depth[proc] + 1;
  }
}

static uint32_t call_depth(const bp_cfg *cfg, const tarjan *t, const uint8_t *called)
{
  for (uint32_t p = 0; p < cfg->procs.count; p++)
    if (called[p] && cfg->procs.at[p].recursive) return BP_NONE;
  return t->depth[cfg->program->entry];
}

bp_status bpi_cfg_callgraph(bp_cfg *cfg)
{
  const uint32_t n = cfg->procs.count;
  tarjan t = {.index = bpi_zalloc(n, sizeof *t.index),
              .low = bpi_zalloc(n, sizeof *t.low),
              .depth = bpi_zalloc(n, sizeof *t.depth),
              .open = bpi_zalloc(n, 1),
              .members = bpi_alloc(n, sizeof *t.members),
              .stack = bpi_alloc(n, sizeof *t.stack)};
  uint8_t *called = bpi_cfg_called(cfg->program);
  bp_status status = BP_E_NOMEM;
  if (t.index && t.low && t.depth && t.open && t.members && t.stack && called)
    status = list_calls(cfg);
  if (status == BP_OK) {
    search(&t, cfg, cfg->program->entry);
    for (uint32_t p = 0; p < n; p++)
      if (!t.index[p]) search(&t, cfg, p);
    cfg->call_depth = call_depth(cfg, &t, called);
  }
  bpi_release(called);
  bpi_release(t.index);
  bpi_release(t.low);
  bpi_release(t.depth);
  bpi_release(t.open);
  bpi_release(t.members);
  bpi_release(t.stack);
  return status;
}
