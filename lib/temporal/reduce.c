/* SPDX-License-Identifier: MIT */
#include "temporal/graph.h"

enum { ROUNDS = 8 };

static bool tidy(bpi_graph *g)
{
  return bpi_graph_prune(g) && bpi_graph_fewer_sets(g);
}

static bool round_of(bpi_graph *g, bool full)
{
  return bpi_graph_simulate(g, false, full) && tidy(g) && bpi_graph_simulate(g, true, full) &&
         tidy(g);
}

bool bpi_graph_reduce(bpi_graph *g)
{
  if (!tidy(g)) return false;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    const uint32_t states = g->states, edges = g->edges.count, sets = g->sets;
    if (!round_of(g, false) || !round_of(g, true)) return false;
    if (g->states == states && g->edges.count == edges && g->sets == sets) break;
  }
  return true;
}
