/* SPDX-License-Identifier: MIT
 * A graph that was made from another one, its source, and shows that one to the outside: traces of
 * queries about it speak of vertices, statements and variables of the source. */
#ifndef BPI_SHOWN_H
#define BPI_SHOWN_H

#include "cfg/cfg.h"

/* The graph owns it. The locals of a procedure begin with those of its source, in their order. */
struct bpi_shown {
  bp_cfg *source;
  uint32_t *vertex; /* by vertex: the source vertex; BP_NONE: none is shown */
  uint32_t *global; /* by source variable: the global, where it is one */
};

/* Room for what `cfg`, whose vertices are all there, shows. NULL without memory. */
bpi_shown *bpi_shown_new(const bp_cfg *cfg, bp_cfg *source);
void bpi_shown_free(bpi_shown *shown);

/* The graph that is seen from outside, and its vertex: BP_NONE when the graph hides it. */
static inline bp_cfg *bpi_shown_cfg(bp_cfg *cfg)
{
  return cfg->shown ? cfg->shown->source : cfg;
}
static inline uint32_t bpi_shown_vertex(const bp_cfg *cfg, uint32_t vertex)
{
  return cfg->shown && vertex != BP_NONE ? cfg->shown->vertex[vertex] : vertex;
}
/* The variable of `cfg` at a vertex of it that is shown, for a variable in scope there. */
uint32_t bpi_shown_var(const bp_cfg *cfg, uint32_t vertex, uint32_t var);

#endif
