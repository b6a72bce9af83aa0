/* SPDX-License-Identifier: MIT
 * The inside of a query: targets, limits, and the explorations that belong to it. */
#ifndef BPI_QUERY_H
#define BPI_QUERY_H

#include "cfg/influence.h"
#include "engine/engine.h"
#include "engine/follow.h"
#include "text/expression.h"

#include <bp/answer.h>

#ifndef BPI_LOCALIZE_FROM /* work before the first pause; 0 for tests: at once, without bound */
#define BPI_LOCALIZE_FROM 8
#endif

typedef struct bpi_target {
  bp_target_kind kind;
  char *name;
  uint32_t line;   /* of a line target */
  bpi_slice goals; /* in q->goals; its group is the number of the target */
  uint32_t vertex; /* the reached one, else BP_NONE */
  uint32_t depth;  /* of recursion, the bound under which it was reached; 0: none */
  bool apart;      /* reached otherwise than by an exploration of all states */
  bp_verdict verdict;
} bpi_target;

/* Explorations that track only some of the variables, one after the other, localize.c. */
typedef struct bpi_fewer {
  uint8_t *tracked;   /* by variable, then by result: those of the exploration at work */
  uint32_t count;     /* how many variables were tracked last */
  bpi_engine *engine; /* stopped for now; NULL: between two of them */
  bool off;           /* there is nothing to gain any more */
} bpi_fewer;
typedef struct bpi_localize {
  uint32_t *distance; /* by variable, then by result: bpi_distances() */
  bpi_influence influence;
  bpi_fewer levels;  /* all that are near enough to the targets */
  bpi_fewer windows; /* one of the targets' own, and what influences it most */
  uint32_t level;    /* the next one */
  uint32_t size;     /* of the windows at work */
  uint32_t seed;     /* the next one, a variable */
  bool grows;        /* some window of that size had room for all of it */
  BPI_VEC(bpi_goal) goals;
} bpi_localize;

/* When the exploration pauses for others, schedule.c. */
typedef struct bpi_pauses {
  uint64_t work;       /* done by the exploration of everything */
  uint64_t due;        /* the work at which the next pause is */
  uint64_t back_steps; /* images of looks backwards, which q->engine counts too */
  uint32_t others;     /* whose turn it is in a pause */
  bool pausing;        /* the last pause was stopped */
} bpi_pauses;

/* Explorations that reach too much, and too little, recursion.c. */
typedef struct bpi_side {
  bpi_engine *engine; /* stopped for now; NULL: none yet */
  bool off;           /* there is nothing to gain any more */
} bpi_side;
typedef struct bpi_recursion {
  bpi_side above, below;
  /* `below` for traces: what a set of states reaches, one of them has to reach too, so that no context may
   * be left out. */
  bpi_side traced;
  bpi_side some;  /* what goes on with a part of large sets */
  uint32_t depth; /* the bound of `below` that is tried; 0: nothing was tried */
  uint32_t round; /* of `some` */
  uint64_t debt;  /* work on `some` beyond its budget */
  bool recurs;    /* a recursive procedure is called */
} bpi_recursion;

/* States from which a target may be reached, over the statements before it, backward.c. */
typedef struct bpi_backward {
  bpi_bdd *sets;         /* by vertex; NULL: nothing was tried */
  bpi_bdd *waits;        /* by vertex: of these, what has to be passed on */
  uint8_t *holds;        /* by procedure: it or what it calls has a goal of the target at work */
  uint8_t *in_vain;      /* by target */
  BPI_VEC(uint32_t) met; /* vertices that have states, for the target at work */
  BPI_VEC(bpi_waiting) heap; /* of these, the ones where states wait; some may wait no more */
  uint32_t passed;           /* how many vertices were taken from it */
  uint32_t most;             /* of them, in this round */
  uint64_t images;           /* so far, for all targets */
  uint32_t target;           /* at work */
  uint32_t vertex;           /* the same, and its set; BP_NONE: none */
  bpi_bdd set;
  bpi_bdd start; /* where runs start */
  bool begun;    /* the target at work has goals in the queue */
  bool again;    /* there is something for one more round */
  bool off;      /* there is nothing to gain any more */
} bpi_backward;

struct bp_query {
  atomic_uint refs;
  atomic_int cancel;
  atomic_int *asked; /* the request to stop: `cancel`, or that of the context */
  bp_context *ctx;
  bp_manager *m;
  bp_cfg *cfg;
  const bp_program *p;
  uint32_t off;

  BPI_VEC(bpi_target) targets;
  BPI_VEC(bpi_goal) goals;
  BPI_VEC(bpi_instr *) codes; /* the conditions of goals, owned */
  bpi_code init;

  bp_limits limits;
  bp_progress_fn progress;
  void *progress_user;

  bpi_watch watch;
  bpi_engine *engine; /* for the targets; NULL before the first run and after add_* */
  bpi_engine *full;   /* transitions over every variable, for the values of traces; made at need */
  bpi_engine *traced; /* where traces are looked for without relations of what is called; at need */
  bpi_engine *known;  /* the same for the last trace that need not be a shortest one; at need */
  uint32_t lost;      /* searches for such traces that took too much work, one after the other */
  bpi_pauses pauses;  /* of `engine` */
  bpi_localize local; /* for the targets: explorations of fewer variables */
  bpi_recursion recursion;
  bpi_backward backward;
  bpi_executions executions;
  bpi_engine *seen; /* everything that can happen, over every variable; made at need */
  uint64_t steps;   /* of explorations that are gone */
  uint64_t engine_ns;
  uint64_t work; /* of the BDD kernel, in runs: the work that the verdicts took */
  bp_query_state state;
  bool begun; /* something was computed: the start is fixed */
  bp_reason reason;
};

/* Begins a call that computes: forgets diagnostics, enters the manager, sets the limits up.
 * BP_E_BUSY, BP_E_POISONED. After BP_OK the caller ends it with bpi_query_end(). */
bp_status bpi_query_begin(bp_query *q);
void bpi_query_end(bp_query *q);
/* The images of all explorations so far, without those of `but`. */
uint64_t bpi_query_steps(const bp_query *q, const bpi_engine *but);
/* Lets go of an exploration, whose images are the query's from now on; traces may work on with it. */
void bpi_query_retire(bp_query *q, bpi_engine **e);
/* Counts what a retired exploration has done since. */
void bpi_query_settle(bp_query *q, bpi_engine *e);
/* Readies an engine of this query for work under the query's limits. False when it is stopped. */
bool bpi_query_ready(bp_query *q, bpi_engine *e);
/* The status of a call that an engine's stop ended: records the reason. */
bp_status bpi_query_stopped(bp_query *q, const bpi_engine *e);
/* The same when q->watch expired outside an engine. */
bp_status bpi_query_expired(bp_query *q);
/* Whether the variable is in scope in the procedure. */
static inline bool bpi_program_sees(const bp_program *p, uint32_t var, uint32_t proc)
{
  if (var >= p->vars.count) return false;
  const uint32_t home = p->vars.at[var].proc;
  return home == BP_NONE || home == proc;
}
static inline bool bpi_query_sees(const bp_query *q, uint32_t var, uint32_t proc)
{
  return bpi_program_sees(q->p, var, proc);
}
/* The procedure whose variables are in scope at a vertex; BP_NONE at an exit, where they are over. */
static inline uint32_t bpi_query_scope(const bp_query *q, uint32_t vertex)
{
  const bpi_vertex *v = &q->cfg->vertices.at[vertex];
  return v->kind == BPI_VERTEX_EXIT ? BP_NONE : v->proc;
}
/* The exploration whose transitions leave no variable out, prepared, not run. Inside begin/end. */
bp_status bpi_query_full(bp_query *q, bpi_engine **out);
/* Works at q->engine until it is done with the targets or stopped; true: it was not stopped. */
bool bpi_query_explore(bp_query *q);
/* Works at another one; true: to the end, or until it has reached every target. */
bool bpi_query_explore_side(bp_query *q, bpi_engine *e);
/* Explores fewer variables, for shares of the work `done` by the exploration of everything. Sets q->engine->stop
 * when the query has to stop. */
void bpi_localize_work(bp_query *q, uint64_t done);
bool bpi_localize_worth(const bp_query *q); /* there is something left to try */
void bpi_localize_clear(bp_query *q);
/* windows.c: tracks the next window, true; or there is none. */
bool bpi_next_window(bp_query *q);
/* Whether a reason to stop is one for the whole query, not only for the exploration at hand. */
static inline bool bpi_must_stop(bp_reason why)
{
  return why == BP_REASON_TIME || why == BP_REASON_CANCELLED || why == BP_REASON_STEPS;
}
/* Looks backwards from the targets that are open, for so much work of the BDD kernel, or of many small images.
 * Sets q->engine->stop when the query has to stop. */
void bpi_backward_work(bp_query *q, uint64_t budget);
void bpi_backward_clear(bp_query *q);
/* Looks backwards for executions that reach the targets that are open. The same. */
void bpi_executions_work(bp_query *q, uint64_t budget);
void bpi_executions_clear(bp_query *q);
/* The way to a target that is reached, looked for in the same manner, with its ways through calls; for so much work of
 * small images. NULL: none was found, or stopped. */
bpi_path *bpi_executions_path(bp_query *q, uint32_t target, uint64_t most, bpi_ways *ways);
/* Whether explorations of recursion may bring something; `always`: in the smallest programs too. */
bool bpi_recursion_worth(bp_query *q, bool always);
/* Works at them for so much work of the BDD kernel; `large`: at parts of sets too. Sets q->engine->stop
 * when the query has to stop. */
void bpi_recursion_work(bp_query *q, uint64_t budget, bool large);
void bpi_recursion_clear(bp_query *q);
/* The same, and nothing of it is tried any more. */
void bpi_recursion_give_up(bp_query *q);
/* The exploration with that bound, prepared, for traces. Inside begin/end. */
bp_status bpi_query_shallow(bp_query *q, uint32_t depth, bpi_engine **out);
/* Everything that can happen, explored to the end. Inside begin/end. */
bp_status bpi_query_seen(bp_query *q, bpi_engine **out);
/* The exploration for the targets, prepared. Inside begin/end. */
bp_status bpi_query_engine(bp_query *q, bpi_engine **out);
/* Another one, not begun, for traces. Inside begin/end. */
bp_status bpi_query_traced(bp_query *q, bpi_engine **out);
/* One with relations for all calls that has reached the target, and stopped there. Inside begin/end. */
bp_status bpi_query_known(bp_query *q, uint32_t target, bpi_engine **out);

/* A place of a target, with the condition under which it counts: that of the place before when it has
 * no code. The code is given away. */
typedef struct bpi_spot_of_target {
  uint32_t vertex;
  bpi_code when;
} bpi_spot_of_target;
/* Adds one target that is any of these places. The codes, at exits about globals alone, are gone also on
 * failure. */
bp_status bpi_query_add_spots(bp_query *q, bpi_spot_of_target *spots, uint32_t count);

#endif
