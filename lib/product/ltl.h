/* SPDX-License-Identifier: MIT
 * The inside of a question of temporal logic. */
#ifndef BPI_PRODUCT_LTL_H
#define BPI_PRODUCT_LTL_H

#include "engine/query.h"
#include "product/cycle.h"

#include <bp/ltl.h>

/* A product, and the query that computes on it: one for each purpose. */
typedef struct bpi_product_stage {
  bpi_product product;
  bp_query *query;
  uint64_t others; /* of query->steps: what the other stages had computed */
} bpi_product_stage;

typedef enum bpi_stage_kind {
  BPI_STAGE_SAFETY, /* bad states of the monitor */
  BPI_STAGE_CYCLE,  /* reachable heads, and a cycle of them */
  BPI_STAGE_PREFIX, /* to the head that was found */
  BPI_STAGE_LOOP,   /* and from it to itself */
  BPI_STAGES
} bpi_stage_kind;

/* The value of a variable of the product where the loop begins. */
typedef struct bpi_point_value {
  uint32_t var;
  bool value;
} bpi_point_value;

struct bp_ltl {
  atomic_uint refs;
  atomic_int cancel;
  bp_context *ctx;
  bp_manager *m;
  bp_cfg *cfg;
  bp_automaton *automaton;
  bpi_auto a;
  bpi_props props;
  bp_ltl_options options;
  bpi_code init; /* over the variables of the program */
  bp_limits limits;
  bp_progress_fn progress;
  void *progress_user;

  bpi_product_stage stages[BPI_STAGES];
  /* of BPI_STAGE_CYCLE, until the search is done: what is explored, its heads, how far they are looked
   * through */
  bpi_engine *engine;
  bpi_heads heads;
  bpi_cycle cycle;
  bool safety_done; /* it does not decide, or has */
  bool cycle_done;
  bool begun;

  bp_ltl_verdict verdict;
  bp_ltl_way way;
  bp_reason reason;
  uint64_t cpu_ns;
  uint32_t components, rounds, product_vertices, product_edges;

  /* where the loop begins, once a cycle is found */
  bool found;
  uint32_t at_proc, at; /* the product's procedure, the source vertex */
  bpi_role at_role;
  BPI_VEC(bpi_point_value) point;
  uint32_t growth, depth;
};

/* The product of a stage and its query, made at first use. */
bp_status bpi_ltl_stage(bp_ltl *ltl, bpi_stage_kind kind);
/* Readies the query of a stage: the limits of this call, what the others have computed. */
void bpi_ltl_ready(bp_ltl *ltl, bpi_stage_kind kind);
/* What a stage's call came to: takes its reason over. */
bp_status bpi_ltl_note(bp_ltl *ltl, bpi_stage_kind kind, bp_status status);
/* Looks for the cycle, unless that was done: BP_OK: ltl->cycle_done says whether it is decided. */
bp_status bpi_ltl_search(bp_ltl *ltl);
/* Gives the exploration of heads and the search in it back. */
void bpi_ltl_drop_search(bp_ltl *ltl);

#endif
