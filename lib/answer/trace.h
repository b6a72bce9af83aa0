/* SPDX-License-Identifier: MIT
 * The inside of a trace: the way found, the ways through its completed calls, and the sets of states
 * from which its values are read. */
#ifndef BPI_TRACE_H
#define BPI_TRACE_H

#include "cfg/shown.h"
#include "engine/path.h"
#include "engine/query.h"

#include <bp/trace.h>

/* A way through a procedure, found when a call that takes it was first looked into. */
typedef struct bpi_inner {
  uint64_t hash;
  uint32_t proc;
  bpi_path *path; /* its first words are preceded by the key, kept in `key` */
  uint64_t *key;
} bpi_inner;

/* The effect of a way through a procedure, opened some levels deep, as a summary. */
typedef struct bpi_effect {
  const bpi_path *path;
  uint32_t levels;
  bpi_bdd summary; /* of the exploration of everything */
} bpi_effect;

struct bp_trace {
  atomic_uint refs;
  bp_query *q;
  bpi_engine *e; /* the exploration that the paths belong to */
  bpi_search *s;
  bpi_goal goal; /* the one reached; its code belongs to the query */
  bpi_path *path;
  uint32_t levels;
  bool pinned;  /* relations of what is called are too large: calls count with the path's states */
  bool shallow; /* found where recursion has a bound */
  bool any;     /* found among what is known, not a shortest one for sure */
  bool choice;  /* the verdict did without relations of some callees: they may be too large */
  bpi_inner *inner; /* open addressing */
  uint32_t inner_count, inner_size;
  BPI_VEC(bpi_effect) effects; /* open addressing by path and levels; path NULL: free */
  uint32_t effect_count;
};

/* The steps of one path with the states before each step: of all executions that follow the listed
 * steps. Shared by cursors. */
typedef struct bpi_frame {
  uint32_t refs;
  bpi_path *path;
  struct bpi_frame *outer; /* NULL: the outermost */
  uint32_t at;             /* the step of `outer` that is opened */
  uint32_t depth;          /* calls entered before its first step */
  uint32_t levels;         /* how deep its calls are listed opened */
  bpi_bdd *forward;        /* by step, one more for the end; NULL: not computed */
  bpi_bdd *states;
} bpi_frame;

/* All of these inside bpi_query_begin/end; on failure the status says why and nothing has changed. */

/* The way through the completed call at a step. Borrowed from the trace. */
bp_status bpi_trace_inner(bp_trace *t, const bpi_path *path, const bpi_step *step, bpi_path **out);
/* The expanded length of a path. */
bp_status bpi_trace_measure(bp_trace *t, bpi_path *path, uint64_t *out);

bp_status bpi_frame_new(bpi_frame **out, bpi_path *path, bpi_frame *outer, uint32_t at,
                        uint32_t depth, uint32_t levels);
void bpi_frame_unref(bp_trace *t, bpi_frame *frame);
/* Computes the states of a frame, and first those of the frames outside it. */
bp_status bpi_frame_states(bp_trace *t, bpi_frame *frame);
/* Begins a budget for work with relations, bpi_bdd_budget(). */
uint64_t bpi_trace_budget(const bp_trace *t);

/* What failed when an engine is not going, or is broken. */
bp_status bpi_trace_failed(bp_trace *t, const bpi_engine *e);

static inline bool bpi_step_listed(const bp_trace *t, const bpi_step *step)
{
  if (step->succ == BP_NONE) return bpi_ends_listed(t->q->cfg, step->vertex);
  return t->q->cfg->vertices.at[step->vertex].weight != 0;
}

/* And the graph does not hide it. */
static inline bool bpi_step_shown(const bp_trace *t, const bpi_step *step)
{
  return bpi_step_listed(t, step) && bpi_shown_vertex(t->q->cfg, step->vertex) != BP_NONE;
}

#endif
