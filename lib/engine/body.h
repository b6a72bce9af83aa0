/* SPDX-License-Identifier: MIT
 * Bodies: what the exploration needs to know of a procedure, made when it is entered first.
 *
 * Nodes are the vertices where path edges are kept: the entry, the exit, calls, goals, and wherever
 * ways meet. What lies between has one way in, so a set that arrives at a node is passed on through it
 * at once, along hops. Nodes are numbered in reverse postorder.
 *
 * A body speaks of places, not of variables, and of the callees only by what their contexts and
 * summaries look like. So procedures of the same form have one body, with the same relations, and what
 * they compute is found in the BDD kernel's cache. */
#ifndef BPI_BODY_H
#define BPI_BODY_H

#include "engine/engine.h"

/* This and all vertices of a body are counted from the first one of the procedure. */
typedef struct bpi_node {
  uint32_t vertex;
  uint32_t first, count; /* in hops */
  uint32_t call;         /* number of the call, BP_NONE: none */
  uint32_t closure;      /* in extra: all rounds of the loop of which this is the head, BP_NONE */
  uint32_t visits, next_try;
  uint8_t attempts;
  bool goal;
  bool open;    /* not the head of a loop that can be closed */
  bool several; /* its loop is entered elsewhere too */
} bpi_node;

/* Where a vertex is in a body. */
typedef struct bpi_spot {
  uint32_t node; /* BP_NONE: none */
  uint32_t edge; /* its first one in `edges` */
} bpi_spot;

/* The relations of a procedure as a whole. */
struct bpi_linkage {
  bpi_bdd identity;             /* ENTRY copies equal CURRENT copies */
  bpi_bdd formals_next;         /* set */
  const bpi_rename *to_summary; /* path edges at the exit -> summary */
  const bpi_rename *from_summary;
  bool made;
};

struct bpi_body {
  uint32_t node_count, hop_count, call_count, edge_count, vertex_count, words;
  bpi_node *nodes;
  bpi_hop *hops;
  bpi_spot *spots; /* by vertex */
  bpi_edge *edges;
  BPI_VEC(bpi_edge) extra; /* of closed loops */
  bpi_call **calls;        /* NULL: not used so far; calls of one form share one */
  bpi_linkage linkage;
  BPI_VEC(bpi_stage *) stages; /* stage.h; the first one knows nothing */
  uint64_t plain;              /* of the first 64 nodes: neither calls nor the exit */
};

/* Nodes with work, and what is known at calls, by number; only where there are facts. One block of memory
 * has both, round the facts; a single word of nodes stands in the instance. */
static inline uint64_t *bpi_waiting_nodes(bpi_instance *in)
{
  if (in->body->words == 1) return &in->waiting;
  return (uint64_t *)(void *)in->facts - in->body->words;
}

static inline bpi_lifted *bpi_lifts(const bpi_instance *in)
{
  return (bpi_lifted *)(void *)(in->facts + in->body->node_count);
}

static inline uint32_t bpi_node_vertex(const bpi_engine *e, const bpi_instance *in, uint32_t node)
{
  return e->cfg->procs.at[in->proc].vertices.first + in->body->nodes[node].vertex;
}

/* The body of a procedure. NULL and e->stop without memory. */
bpi_body *bpi_body_of(bpi_engine *e, uint32_t proc);
void bpi_bodies_free(bpi_engine *e);

/* New hops for a node: from each way out of a loop, an extra edge that ends at `vertex`, on. */
void bpi_bodies_begin_hops(bpi_engine *e);
bool bpi_body_way_out(bpi_engine *e, const bpi_body *body, uint32_t proc, uint32_t vertex,
                      uint32_t extra, bool last);
bool bpi_body_append_hops(bpi_engine *e, bpi_body *body);

#endif
