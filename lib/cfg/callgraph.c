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
      if (bpi_stmt_kind(p, i) != BP_STMT_CALL) continue;
      const uint32_t callee = bpi_stmt_callee(p, i);
      if (called[callee]) continue;
      called[callee] = 1;
      todo[count++] = callee;
    }
  }
  bpi_release(todo);
  return called;
}

/* Sorts the places that call by whom they call. */
static bool list_calls(bp_cfg *cfg, const bpi_call_sites *sites)
{
  if (!bpi_vec_reserve(&cfg->calls, sites->count)) return false;
  cfg->calls.count = sites->count;
  for (uint32_t i = 0; i < sites->count; i++)
    cfg->procs.at[sites->at[i].callee].calls.count++;
  uint32_t first = 0;
  for (uint32_t p = 0; p < cfg->procs.count; p++) {
    cfg->procs.at[p].calls.first = first;
    first += cfg->procs.at[p].calls.count;
    cfg->procs.at[p].calls.count = 0;
  }
  for (uint32_t i = 0; i < sites->count; i++) {
    bpi_slice *calls = &cfg->procs.at[sites->at[i].callee].calls;
    cfg->calls.at[calls->first + calls->count++] = sites->at[i].vertex;
  }
  return true;
}

/* ---- components --------------------------------------------------------- */

typedef struct tarjan {
  const bpi_call_sites *sites;
  uint32_t *first_site;  /* by procedure */
  uint32_t *index, *low; /* 0: not visited */
  uint32_t *depth;       /* longest chain of calls below */
  uint8_t *open;
  uint32_t *members;
  uint32_t member_count, next, rank;
  struct {
    uint32_t proc, site, end; /* the sites to look at */
  } * stack;
} tarjan;

static void enter(tarjan *t, uint32_t *height, uint32_t proc)
{
  t->index[proc] = t->low[proc] = ++t->next;
  t->open[proc] = 1;
  t->members[t->member_count++] = proc;
  t->stack[*height].proc = proc;
  t->stack[*height].site = t->first_site[proc];
  t->stack[(*height)++].end = t->first_site[proc + 1];
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
  enter(t, &height, root);
  while (height) {
    const uint32_t proc = t->stack[height - 1].proc;
    if (t->stack[height - 1].site < t->stack[height - 1].end) {
      const uint32_t callee = t->sites->at[t->stack[height - 1].site++].callee;
      if (callee == proc) cfg->procs.at[proc].recursive = 1;
      if (!t->index[callee])
        enter(t, &height, callee);
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

/* What the search met until the entry was done is what the entry can come to call. */
static uint32_t call_depth(const bp_cfg *cfg, const tarjan *t)
{
  for (uint32_t p = 0; p < cfg->procs.count; p++)
    if (t->index[p] && cfg->procs.at[p].recursive) return BP_NONE;
  return t->depth[cfg->program->entry];
}

static void divide_sites(tarjan *t, const bp_cfg *cfg)
{
  uint32_t site = 0;
  for (uint32_t p = 0; p < cfg->procs.count; p++) {
    t->first_site[p] = site;
    const bpi_slice own = cfg->procs.at[p].vertices;
    while (site < t->sites->count && t->sites->at[site].vertex - own.first < own.count)
      site++;
  }
  t->first_site[cfg->procs.count] = site;
}

bp_status bpi_cfg_callgraph(bp_cfg *cfg, const bpi_call_sites *sites)
{
  const uint32_t n = cfg->procs.count;
  tarjan t = {.sites = sites,
              .first_site = bpi_alloc((size_t)n + 1, sizeof *t.first_site),
              .index = bpi_zalloc(n, sizeof *t.index),
              .low = bpi_zalloc(n, sizeof *t.low),
              .depth = bpi_zalloc(n, sizeof *t.depth),
              .open = bpi_zalloc(n, 1),
              .members = bpi_alloc(n, sizeof *t.members),
              .stack = bpi_alloc(n, sizeof *t.stack)};
  const bool good = t.first_site && t.index && t.low && t.depth && t.open && t.members && t.stack &&
                    list_calls(cfg, sites);
  if (good) {
    divide_sites(&t, cfg);
    search(&t, cfg, cfg->program->entry);
    cfg->call_depth = call_depth(cfg, &t);
    for (uint32_t p = 0; p < n; p++)
      if (!t.index[p]) search(&t, cfg, p);
  }
  bpi_release(t.first_site);
  bpi_release(t.index);
  bpi_release(t.low);
  bpi_release(t.depth);
  bpi_release(t.open);
  bpi_release(t.members);
  bpi_release(t.stack);
  return good ? BP_OK : BP_E_NOMEM;
}
