/* SPDX-License-Identifier: MIT
 * Call depth and recursion of any program, concurrent ones included. */
#ifndef CLI_CALLGRAPH_H
#define CLI_CALLGRAPH_H

#include <bp/program.h>
#include <stdbool.h>

typedef struct cli_callgraph {
  bool *recursive; /* for each procedure: it can call itself */
  uint32_t *depth; /* the longest chain of calls below it; BP_NONE: no bound */
} cli_callgraph;

/* False without memory. A call that starts a thread begins a stack of its own: it counts as no
 * call. */
bool cli_callgraph_make(cli_callgraph *graph, const bp_program *program);
void cli_callgraph_free(cli_callgraph *graph);
/* The depth from the entry and from every started thread; BP_NONE: no bound. */
uint32_t cli_callgraph_depth(const cli_callgraph *graph, const bp_program *program);

#endif
