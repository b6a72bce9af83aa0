/* SPDX-License-Identifier: MIT
 * Strongly connected components after Tarjan, with a stack of its own: they come callees first, so
 * that depths follow on the way. */
#include "callgraph.h"

#include <stdlib.h>

typedef struct visit {
  uint32_t proc, next; /* next: the statement to look at */
} visit;

typedef struct tarjan {
  const bp_program *program;
  cli_callgraph *graph;
  uint32_t *index, *low; /* index 0: not seen yet */
  bool *open;
  uint32_t *component; /* a stack of procedures */
  visit *path;
  uint32_t seen, component_len, path_len;
} tarjan;

static bool starts_thread(const bp_program *p, uint32_t stmt)
{
  const uint32_t first = bp_proc_stmt_first(p, bp_stmt_proc(p, stmt));
  return stmt > first && bp_stmt_kind_of(p, stmt - 1) == BP_STMT_START_THREAD;
}

/* The procedure that the statement calls on its own stack, or BP_NONE. */
static uint32_t callee_of(const bp_program *p, uint32_t stmt)
{
  const uint32_t callee = bp_stmt_callee(p, stmt);
  return callee == BP_NONE || starts_thread(p, stmt) ? BP_NONE : callee;
}

static void enter(tarjan *t, uint32_t proc)
{
  t->index[proc] = t->low[proc] = ++t->seen;
  t->open[proc] = true;
  t->component[t->component_len++] = proc;
  t->path[t->path_len++] = (visit){proc, bp_proc_stmt_first(t->program, proc)};
}

static void deepen(cli_callgraph *g, uint32_t caller, uint32_t callee)
{
  if (g->depth[callee] == BP_NONE)
    g->depth[caller] = BP_NONE;
  else if (g->depth[caller] != BP_NONE && g->depth[callee] >= g->depth[caller])
    g->depth[caller] = g->depth[callee] + 1;
}

/* All procedures of a finished component that has a cycle. */
static void mark_cycle(tarjan *t, uint32_t root)
{
  for (uint32_t i = t->component_len; i-- > 0;) {
    const uint32_t proc = t->component[i];
    t->graph->recursive[proc] = true;
    t->graph->depth[proc] = BP_NONE;
    if (proc == root) return;
  }
}

static void leave(tarjan *t, uint32_t proc)
{
  t->path_len--;
  if (t->low[proc] == t->index[proc]) {
    if (t->component[t->component_len - 1] != proc) mark_cycle(t, proc);
    uint32_t member;
    do {
      member = t->component[--t->component_len];
      t->open[member] = false;
    } while (member != proc);
  }
  if (!t->path_len) return;
  const uint32_t caller = t->path[t->path_len - 1].proc;
  if (t->low[proc] < t->low[caller]) t->low[caller] = t->low[proc];
  deepen(t->graph, caller, proc);
}

/* Looks at one statement of the procedure on top of the path. */
static void step(tarjan *t)
{
  visit *top = &t->path[t->path_len - 1];
  const uint32_t proc = top->proc;
  const uint32_t end = bp_proc_stmt_first(t->program, proc) + bp_proc_stmt_count(t->program, proc);
  if (top->next == end) {
    leave(t, proc);
    return;
  }
  const uint32_t callee = callee_of(t->program, top->next++);
  if (callee == BP_NONE) return;
  if (!t->index[callee]) {
    enter(t, callee);
    return;
  }
  if (callee == proc) mark_cycle(t, proc);
  if (t->open[callee] && t->index[callee] < t->low[proc]) t->low[proc] = t->index[callee];
  deepen(t->graph, proc, callee);
}

bool cli_callgraph_make(cli_callgraph *graph, const bp_program *program)
{
  const size_t count = (size_t)bp_program_proc_count(program) + 1;
  graph->recursive = calloc(count, sizeof *graph->recursive);
  graph->depth = calloc(count, sizeof *graph->depth);
  tarjan t = {.program = program,
              .graph = graph,
              .index = calloc(count, sizeof *t.index),
              .low = calloc(count, sizeof *t.low),
              .open = calloc(count, sizeof *t.open),
              .component = calloc(count, sizeof *t.component),
              .path = calloc(count, sizeof *t.path)};
  const bool ok =
      graph->recursive && graph->depth && t.index && t.low && t.open && t.component && t.path;
  for (uint32_t proc = 0; ok && proc + 1 < count; proc++) {
    if (!t.index[proc]) enter(&t, proc);
    while (t.path_len)
      step(&t);
  }
  free(t.index);
  free(t.low);
  free(t.open);
  free(t.component);
  free(t.path);
  if (!ok) cli_callgraph_free(graph);
  return ok;
}

void cli_callgraph_free(cli_callgraph *graph)
{
  free(graph->recursive);
  free(graph->depth);
  *graph = (cli_callgraph){0};
}

uint32_t cli_callgraph_depth(const cli_callgraph *graph, const bp_program *program)
{
  const uint32_t entry = bp_program_entry(program);
  uint32_t deepest = entry == BP_NONE ? 0 : graph->depth[entry];
  for (uint32_t s = 0; s < bp_program_stmt_count(program); s++) {
    const uint32_t callee = bp_stmt_callee(program, s);
    if (callee == BP_NONE || !starts_thread(program, s)) continue;
    const uint32_t depth = graph->depth[callee];
    if (deepest != BP_NONE && (depth == BP_NONE || depth > deepest)) deepest = depth;
  }
  return deepest;
}
