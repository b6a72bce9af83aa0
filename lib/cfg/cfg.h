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
  uint32_t kind : 4;
  uint32_t weight : 1;  /* 1: a step of an execution, 0: happens silently */
  uint32_t negated : 1; /* ASSERT: the condition is that of an abortif */
  uint32_t proc : 26;
  uint32_t stmt;       /* BP_NONE: exit, falling off the end */
  uint32_t first_succ; /* in succs; they end where those of the next vertex begin */
  uint32_t first_pred; /* in preds; the same */
} bpi_vertex;

/* How many procedures there can be. */
enum { BPI_MAX_PROCS = (1 << 26) - 1 };

/* The enforce statements in force at a place are a chain from the innermost outwards. */
typedef struct bpi_enforce {
  uint32_t expr;  /* index in program->exprs */
  uint32_t outer; /* BP_NONE: the last one */
} bpi_enforce;

typedef struct bpi_cfg_proc {
  bpi_slice vertices; /* count 0: no graph */
  uint32_t entry, exit;
  bpi_slice calls; /* in calls: the call vertices that call this procedure */
  uint32_t order;  /* in orders; BP_NONE: the vertices are in order */
  uint32_t shape;  /* the first procedure of the same shape, see bpi_cfg_shapes() */
  uint32_t back,
      fore; /* places between which edges lead back: the least head, the last source; back > fore: none */
  uint32_t rank;      /* callees before callers (apart from recursion) */
  uint32_t last_rank; /* the highest rank of what calls it and is called by it */
  uint8_t recursive;
} bpi_cfg_proc;

typedef struct bpi_shown bpi_shown;

struct bp_cfg {
  atomic_uint refs;
  bp_program *program;
  BPI_VEC(bpi_vertex)
  vertices; /* procedure by procedure, in text order, the exit last; behind all
                                 * of them one that ends the slices of the last */
  BPI_VEC(uint32_t) succs;
  BPI_VEC(uint32_t) preds;
  BPI_VEC(bpi_enforce) enforces;
  BPI_VEC(bpi_cfg_proc) procs;
  BPI_VEC(uint32_t) calls;
  /* By vertex, for ASSIGN: the innermost enforce in force, BP_NONE: none. Empty without enforces. */
  BPI_VEC(uint32_t) enforced;
  BPI_VEC(uint32_t)
  orders; /* of procedures whose vertices are not in order: by vertex its place,
                             * then by place the vertex; see bpi_place_of() */
  uint32_t call_depth;
  bpi_shown *shown; /* shown.h; NULL: the graph shows itself */
};

/* The condition of a vertex of kind BRANCH, ASSUME, ASSERT. */
static inline bpi_expr bpi_vertex_condition(const bp_cfg *cfg, const bpi_vertex *v)
{
  return bpi_expr_at(cfg->program, bpi_stmt_at(cfg->program, v->stmt).exprs.first);
}

/* `v` stands in the table. */
static inline bpi_slice bpi_succs(const bpi_vertex *v)
{
  return (bpi_slice){v->first_succ, v[1].first_succ - v->first_succ};
}

static inline bpi_slice bpi_preds(const bpi_vertex *v)
{
  return (bpi_slice){v->first_pred, v[1].first_pred - v->first_pred};
}

/* The first vertex behind `vertex`; the only one, behind a call. */
static inline uint32_t bpi_first_succ(const bp_cfg *cfg, uint32_t vertex)
{
  return cfg->succs.at[bpi_succs(&cfg->vertices.at[vertex]).first];
}

static inline uint32_t bpi_enforce_of(const bp_cfg *cfg, const bpi_vertex *v)
{
  return cfg->enforced.count ? cfg->enforced.at[v - cfg->vertices.at] : BP_NONE;
}

/* Whether a trace that ends at the vertex, its target, counts and lists it: a step, or a statement that is
 * none because Remopla says so. */
static inline bool bpi_ends_listed(const bp_cfg *cfg, uint32_t vertex)
{
  const bpi_vertex *v = &cfg->vertices.at[vertex];
  return v->weight || (v->stmt != BP_NONE && cfg->program->stmts.at[v->stmt].silent);
}

/* The place of a vertex in reverse postorder of its procedure, and the vertex at a place. */
static inline uint32_t bpi_place_of(const bp_cfg *cfg, uint32_t vertex)
{
  const bpi_cfg_proc *p = &cfg->procs.at[cfg->vertices.at[vertex].proc];
  const uint32_t at = vertex - p->vertices.first;
  return p->order == BP_NONE ? at : cfg->orders.at[p->order + at];
}

static inline uint32_t bpi_vertex_at_place(const bp_cfg *cfg, uint32_t proc, uint32_t place)
{
  const bpi_cfg_proc *p = &cfg->procs.at[proc];
  return p->order == BP_NONE ? p->vertices.first + place
                             : cfg->orders.at[p->order + p->vertices.count + place];
}

/* cfg.c: the vertex of a statement, BP_NONE: it never runs */
uint32_t bpi_vertex_of(const bp_cfg *cfg, uint32_t stmt);
/* cfg.c: the same of an assertion, BP_NONE of any other statement */
uint32_t bpi_assert_vertex(const bp_cfg *cfg, uint32_t stmt);

/* A place that calls, in the order of the vertices. */
typedef struct bpi_call_site {
  uint32_t vertex, callee;
} bpi_call_site;
typedef BPI_VEC(bpi_call_site) bpi_call_sites;

/* callgraph.c */
bp_status bpi_cfg_callgraph(bp_cfg *cfg, const bpi_call_sites *sites);
/* Which procedures the entry can come to call, itself included; NULL without memory. */
uint8_t *bpi_cfg_called(const bp_program *program);

/* shape.c: which procedures have the same code, except for who is called and how their own variables are
 * called. Their vertices correspond to each other, one by one. False without memory. */
bool bpi_cfg_shapes(bp_cfg *cfg);

/* order.c: predecessors and reverse postorder of a procedure whose vertices and successors are there.
 * Without jumps its text is in that order, apart from what no path comes to. */
typedef struct bpi_order {
  BPI_VEC(uint32_t) stack; /* vertices */
  BPI_VEC(uint32_t) left;  /* by vertex: successors still to be visited, plus 1; 0: not seen yet */
  BPI_VEC(uint32_t) place; /* by vertex */
} bpi_order;
bool bpi_cfg_order(bp_cfg *cfg, bpi_cfg_proc *proc, bool jumps, bpi_order *scratch);

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
