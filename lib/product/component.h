/* SPDX-License-Identifier: MIT
 * Strongly connected components of a graph given as a list of edges (Tarjan, SIAM J. Computing 1972),
 * without recursion. */
#ifndef BPI_COMPONENT_H
#define BPI_COMPONENT_H

#include "base/vec.h"

#include <stdbool.h>

typedef struct bpi_components {
  uint32_t nodes, count;
  uint32_t *of;           /* by node: its component; those of successors are not larger */
  BPI_VEC(uint32_t) ends; /* two for each edge */
  bool memory;
} bpi_components;

/* Begins a graph of that many nodes. False without memory. */
bool bpi_components_begin(bpi_components *c, uint32_t nodes);
void bpi_components_edge(bpi_components *c, uint32_t from, uint32_t to);
/* Fills `of` and `count`. False without memory, also of the calls before. */
bool bpi_components_find(bpi_components *c);
void bpi_components_end(bpi_components *c);

#endif
