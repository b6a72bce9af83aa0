/* SPDX-License-Identifier: MIT
 * The inside of a control-flow graph. */
#ifndef BPI_CFG_H
#define BPI_CFG_H

#include "program/program.h"

#include <bp/cfg.h>

typedef enum bpi_vertex_kind {
  BPI_VERTEX_STEP,   /* no effect: skip, print, goto */
  BPI_VERTEX_ASSIGN, /* parallel assignment; also a decl with an initialiser */
  BPI_VERTEX_HAVOC,  /* the targets become arbitrary: dead, decl */
  BPI_VERTEX_BRANCH, /* successor 0 when the condition can hold, 1 when it can fail */
  BPI_VERTEX_ASSUME, /* goes on when the condition can hold; also constrain, enforce */
  BPI_VERTEX_ASSERT, /* goes on when the condition can hold, fails when it can fail */
  BPI_VERTEX_CALL,   /* successor 0 is the place after the call */
  BPI_VERTEX_RETURN, /* stores the results and leaves; with none given they are arbitrary */
  BPI_VERTEX_EXIT
} bpi_vertex_kind;

typedef struct bpi_vertex {
  uint8_t kind;
  uint8_t weight;  /* 1: a step of an execution, 0: happens silently */
  uint8_t negated; /* ASSERT: the condition is that of an abortif */
  uint32_t proc;
  uint32_t stmt;    /* BP_NONE: exit, falling off the end */
  uint32_t enforce; /* ASSIGN: innermost enforce in force (index of enforces), BP_NONE: none */
  bpi_slice succs;  /* in succs */
  bpi_slice preds;  /* in preds */
} bpi_vertex;

/* The enforce statements in force at a place are a chain from the innermost outwards. */
typedef struct bpi_enforce {
  uint32_t expr;  /* index in program->exprs */
  uint32_t outer; /* BP_NONE: the last one */
} bpi_enforce;

typedef struct bpi_cfg_proc {
  bpi_slice vertices; /* count 0: no graph */
  uint32_t entry, exit;
  bpi_slice calls;    /* in calls: the call vertices that call this procedure */
  uint32_t rank;      /* callees before callers (apart from recursion) */
  uint32_t last_rank; /* the highest rank of what calls it and is called by it */
  uint8_t recursive;
} bpi_cfg_proc;

struct bp_cfg {
  atomic_uint refs;
  bp_program *program;
  BPI_VEC(bpi_vertex) vertices; /* procedure by procedure, in text order, the exit last */
  BPI_VEC(uint32_t) succs;
  BPI_VEC(uint32_t) preds;
  BPI_VEC(bpi_enforce) enforces;
  BPI_VEC(bpi_cfg_proc) procs;
  BPI_VEC(uint32_t) calls;
  uint32_t *vertex_of_stmt;  /* BP_NONE: never runs */
  uint32_t *order;           /* place of a vertex in reverse postorder of its procedure */
  uint32_t *vertex_at_order; /* the inverse: [vertices.first + place] is a vertex */
  uint32_t call_depth;
};

/* The condition of a vertex of kind BRANCH, ASSUME, ASSERT. */
static inline const bpi_expr *bpi_vertex_condition(const bp_cfg *cfg, const bpi_vertex *v)
{
  return &cfg->program->exprs.at[cfg->program->stmts.at[v->stmt].exprs.first];
}

/* callgraph.c */
bp_status bpi_cfg_callgraph(bp_cfg *cfg);
/* order.c: predecessors and reverse postorder */
bp_status bpi_cfg_order(bp_cfg *cfg);
/* Which procedures the entry can come to call, itself included; NULL without memory. */
uint8_t *bpi_cfg_called(const bp_program *program);

/* ---- sets of variables -------------------------------------------------- */

/* Sets of small numbers as words of 64 bits. */
static inline bool bpi_bit(const uint64_t *set, uint32_t i)
{
  return set[i / 64] >> (i % 64) & 1;
}

static inline void bpi_bit_add(uint64_t *set, uint32_t i)
{
  set[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void bpi_bit_remove(uint64_t *set, uint32_t i)
{
  set[i / 64] &= ~((uint64_t)1 << (i % 64));
}

#endif
