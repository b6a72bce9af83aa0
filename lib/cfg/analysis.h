/* SPDX-License-Identifier: MIT
 * What can be known before any BDD is built: which vertices and variables can matter to the goals,
 * which globals a procedure touches, which variables are live where.
 *
 * Sets of variables are bitsets over places. Variables outside the cone of influence have none; the
 * other globals come first, in the order of declaration, and behind them the formals and then the
 * locals of each procedure. The procedures share these places, as they share BDD variables later. */
#ifndef BPI_ANALYSIS_H
#define BPI_ANALYSIS_H

#include "cfg/cfg.h"

/* A vertex that ends the search, in states where `when` (no code: always) can hold and, for an
 * assertion, its condition can fail. The code is borrowed. */
typedef struct bpi_goal {
  uint32_t vertex;
  uint32_t group; /* goals of one group are alternatives: one of them is enough */
  bool fails;
  const bpi_instr *when;
  uint32_t when_count;
} bpi_goal;

typedef struct bpi_analysis_options {
  bool cone, modref, live, share;
  bool summaries;         /* of every procedure that returns, called or not (without cone) */
  const bpi_instr *start; /* the condition on the start state, borrowed */
  uint32_t start_count;
  /* Vertices to which ways matter as they do to goals, with nothing to look for there. Borrowed. */
  const uint32_t *aims;
  uint32_t aim_count;
  uint32_t most; /* places and results, at most; 0: any number */
  /* By variable, then by result: which are tracked; the values of the others are left open from one vertex
   * to the next. NULL: all are. Borrowed. */
  const uint8_t *tracked;
  const uint32_t *
      kept; /* by procedure: a local that is live everywhere but at the exit. NULL: none. Borrowed. */
} bpi_analysis_options;

enum { BPI_GOAL = 4 };

/* What a vertex does with what is live behind it. */
typedef enum bpi_transfer_kind {
  BPI_TRANSFER_PLAIN,  /* before = behind without what it changes, and what it reads */
  BPI_TRANSFER_TARGET, /* the same, but it reads only if its target is live behind it */
  BPI_TRANSFER_ASSIGN, /* what it reads depends on several targets or constraints */
  BPI_TRANSFER_CALL,
  BPI_TRANSFER_EXIT
} bpi_transfer_kind;

typedef struct bpi_transfer {
  bpi_transfer_kind kind;
  uint32_t target; /* TARGET: its place */
} bpi_transfer;

typedef struct bpi_analysis {
  const bp_cfg *cfg;
  const bpi_goal *goals;   /* borrowed, and only while the analyses are made */
  uint32_t *goals_sorted;  /* numbers of goals, by vertex */
  uint32_t *goal_vertices; /* their vertices in that order */
  uint32_t goal_count;
  const uint32_t *kept; /* borrowed as they are */
  uint32_t globals;     /* how many have places */
  uint32_t *formals;    /* by procedure: how many have places */
  uint32_t places;      /* globals + the largest scope */
  uint32_t results;     /* the most of any procedure */
  uint32_t words;       /* of a set */
  uint32_t *place;      /* by variable; BP_NONE outside the cone */

  uint8_t *reached; /* by vertex: the graph has a way from the entry */
  uint8_t *explore; /* by vertex: and it can matter; BPI_GOAL is set where there is a goal */
  uint8_t *returns; /* by procedure: the graph has a way through */
  uint8_t *summary; /* by procedure: some caller goes on after it */

  uint8_t *var_matters;    /* by variable: the cone of influence */
  uint32_t *result_first;  /* by procedure: number of its first result */
  uint8_t *result_matters; /* by result */
  uint32_t dropped_vars, skipped_vertices;

  /* transfer.c. By procedure: the first one of its shape of which the same is explored and matters, see
   * bpi_twins(); BP_NONE: there is no other. What is known of a twin by its code alone is known of both. */
  uint32_t *twin;
  uint32_t *transfer_first; /* by procedure: where those of its twin's vertices begin */
  bpi_transfer *transfers;
  uint64_t *transfer_sets; /* by transfer: places that it reads, then those that it changes */

  uint64_t *mod;        /* by procedure: globals that it or a callee may change */
  uint64_t *touch;      /* by procedure: globals that it or a callee may read or change */
  uint64_t *own_mod;    /* by procedure: formals and locals that it changes, globals too */
  uint64_t *tracked;    /* by procedure; NULL: all places are */
  uint64_t *live;       /* by vertex: live before it; of an exit: what callers need to see */
  uint64_t *entry_copy; /* by procedure: places that need an entry copy */
} bpi_analysis;

/* Computes everything; on failure nothing is left. BP_E_NOMEM, BP_E_LIMIT: more than options.most. */
bp_status bpi_analysis_make(bpi_analysis *a, const bp_cfg *cfg, const bpi_goal *goals,
                            uint32_t goal_count, bpi_analysis_options options);
void bpi_analysis_clear(bpi_analysis *a);
/* Gives back what the exploration does not ask for: reached, returns, touch, own_mod, the transfers. */
void bpi_analysis_trim(bpi_analysis *a);

/* goals.c: where the goals of a vertex begin in goals_sorted, BP_NONE: it has none. */
uint32_t bpi_goal_at(const bpi_analysis *a, uint32_t vertex);
/* Whether a vertex from `first` up to `end` has a goal. */
bool bpi_goal_between(const bpi_analysis *a, uint32_t first, uint32_t end);

static inline uint64_t *bpi_live(const bpi_analysis *a, uint32_t vertex)
{
  return a->live + (size_t)vertex * a->words;
}

static inline uint64_t *bpi_proc_set(const bpi_analysis *a, uint64_t *sets, uint32_t proc)
{
  return sets + (size_t)proc * a->words;
}

static inline uint32_t bpi_twin_of(const bpi_analysis *a, uint32_t proc)
{
  return a->twin[proc] == BP_NONE ? proc : a->twin[proc];
}

static inline uint32_t bpi_transfer_of(const bpi_analysis *a, uint32_t proc, uint32_t vertex)
{
  return a->transfer_first[proc] + vertex - a->cfg->procs.at[proc].vertices.first;
}

static inline const uint64_t *bpi_transfer_reads(const bpi_analysis *a, uint32_t transfer)
{
  return a->transfer_sets + (size_t)2 * transfer * a->words;
}

static inline const uint64_t *bpi_transfer_changes(const bpi_analysis *a, uint32_t transfer)
{
  return bpi_transfer_reads(a, transfer) + a->words;
}

/* The stages of it, one file each. */
bp_status bpi_relevance(bpi_analysis *a, const bpi_goal *goals, uint32_t count,
                        const bpi_analysis_options *options);
bp_status bpi_cone(bpi_analysis *a, const bpi_goal *goals, uint32_t count,
                   const bpi_analysis_options *options);
bp_status bpi_twins(bpi_analysis *a, bool share);
bp_status bpi_transfers(bpi_analysis *a);
bp_status bpi_modref(bpi_analysis *a, const bpi_goal *goals, uint32_t count, bool modref);
bp_status bpi_liveness(bpi_analysis *a, bool live);
bp_status bpi_sort_goals(bpi_analysis *a);

/* ---- helpers for statements --------------------------------------------- */

#define BPI_FOR_VARS(program, expr, var)                                                           \
  for (uint32_t bpi_i_ = (expr)->first; bpi_i_ < (expr)->first + (expr)->count; bpi_i_++)          \
    if ((var = (program)->code.at[bpi_i_].op == BPI_OP_VAR ||                                      \
                       (program)->code.at[bpi_i_].op == BPI_OP_NEXT                                \
                   ? (program)->code.at[bpi_i_].arg                                                \
                   : BP_NONE) != BP_NONE)

#endif
