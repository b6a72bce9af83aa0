/* SPDX-License-Identifier: MIT
 * The exploration: path edges and summary edges as BDDs.
 *
 * Source: Ball & Rajamani, "Bebop: A Symbolic Model Checker for Boolean Programs" (SPIN 2000),
 * sections 3 and 3.1, after Reps, Horwitz & Sagiv (POPL 1995); shared variable slots as in Esparza &
 * Schwoon (CAV 2001), section 5.
 *
 * The path edges of a vertex are one BDD over
 *   ENTRY copies    of the formals and globals that its procedure may change (entry_copy),
 *   CURRENT copies  of what is live there; a formal or global that the procedure never changes has
 *                   the same value at the entry, so its current copy serves for both;
 *   results         CURRENT copies of the result slots, at the exit only.
 * The summary of a procedure is its path edges at the exit, renamed to be a transition of a caller:
 *   CURRENT copies  of globals: values before the call,
 *   NEXT copies     of the globals that may change: values after it,
 *   NEXT copies     of the formals: values at the entry,
 *   results. */
#ifndef BPI_ENGINE_H
#define BPI_ENGINE_H

#include "bdd/bdd.h"
#include "cfg/analysis.h"

#include <bp/query.h>

/* ---- layout: which variable has which slot ------------------------------ */

typedef struct bpi_layout {
  uint32_t *slot;        /* by place */
  uint32_t *result_slot; /* by number of the result */
  uint32_t results;      /* the most results of any procedure */
  uint32_t slots;        /* in all */
} bpi_layout;

/* With `order` the slots are arranged so that variables of one statement stand near each other
 * (FORCE: Aloul, Markov & Sakallah, GLSVLSI 2003), else in the declared order, locals first. */
bp_status bpi_layout_make(bpi_layout *layout, const bpi_analysis *a, bool order);
void bpi_layout_clear(bpi_layout *layout);

/* ---- relations ----------------------------------------------------------- */

/* One conjunct of a transition: image = exists quant. set and rel. */
typedef struct bpi_part {
  bpi_bdd rel, quant;
} bpi_part;

/* A transition along an edge: its parts one after the other, then next copies become current. */
typedef struct bpi_edge {
  uint32_t first, count; /* in parts */
  uint8_t made, shifts;
} bpi_edge;

/* What a call does; call sites of one form share it. */
typedef struct bpi_call {
  bool made;
  bpi_bdd args;         /* NEXT copies of the callee's formals are the arguments */
  bpi_bdd formals_next; /* set: these copies */
  bpi_bdd enter_quant;  /* what does not go along into the callee */
  bpi_bdd results;      /* NEXT copies of the targets are the results */
  bpi_bdd before_quant; /* NEXT copies of global targets: what the callee left there is lost */
  bpi_bdd lift_quant;   /* results and what is dead afterwards */
  bpi_bdd after_quant;  /* CURRENT copies that change or are dead afterwards */

  /* For instances of one context, contexts.c. */
  bool split;
  bpi_bdd unseen; /* CURRENT copies that neither the callee nor anybody behind the call reads */
  bpi_bdd lost;   /* of what the callee reads, what it changes: values at its entry are not kept */
  bpi_bdd stable; /* of what the callee reads, the rest */
  bpi_bdd around; /* what passes the call by */
  bpi_bdd results_quant; /* what is not needed behind the call */
} bpi_call;

/* What a summary gained at one moment. A pair in it has a derivation that uses only what summaries
 * gained before. */
typedef struct bpi_gain {
  uint64_t stamp;
  bpi_bdd pairs;
} bpi_gain;

typedef struct bpi_gains {
  BPI_VEC(bpi_gain) list; /* oldest first */
} bpi_gains;

/* body.h: the form of a procedure. */
typedef struct bpi_body bpi_body;
typedef struct bpi_linkage bpi_linkage;

/* stage.h: what twins know in common at a moment. */
typedef struct bpi_stage bpi_stage;

/* An edge on the way from a node: from the set behind hop `from` (BP_NONE: the node's own) to a node
 * or, where no node is, to the hops behind it. */
typedef struct bpi_hop {
  uint32_t vertex; /* where the edge begins, counted from the first one of the procedure */
  uint32_t succ;   /* its number there; BP_NONE: `vertex` is the number of an extra edge */
  uint32_t edge;   /* in the body's edges */
  uint32_t from;
  uint32_t node; /* BP_NONE: passed on */
  bool last;     /* the set behind `from` is not needed any more */
} bpi_hop;

/* What is known at a node. */
typedef struct bpi_fact {
  bpi_bdd path_edges, delta; /* delta: of these, what still has to be passed on */
} bpi_fact;

/* What is known at a call. */
typedef struct bpi_lifted {
  bpi_bdd lift;    /* the callee's summary as a transition of the caller */
  bpi_bdd summary; /* that it comes from */
  bpi_bdd back;    /* sets behind the call that wait to be passed on, from contexts.c */
} bpi_lifted;

/* Who goes on behind a call when an instance of the callee has got through. */
typedef struct bpi_user {
  struct bpi_instance *caller;
  uint32_t node;
  bpi_bdd around; /* what the caller knows beside what the callee may change */
} bpi_user;

/* What is known of a procedure: as a relation between entries and all places, or, in an instance of
 * its own, for the states of one context (contexts.c). */
typedef struct bpi_instance {
  uint32_t proc;
  bpi_body *body;   /* NULL: not entered yet */
  bpi_stage *stage; /* where facts, entries and summary are borrowed from; NULL: they are its own */
  bpi_fact *facts;  /* by node; NULL: nothing arrived yet. Beside them, see body.h, what is known at
                      * calls */
  uint64_t waiting; /* nodes with work, a bit each; beside the facts where there are more than 63 */
  bpi_gains *gains; /* of a recursive procedure */
  bpi_bdd entries;  /* contexts so far: CURRENT copies at the entry */
  bpi_bdd summary;
  bpi_bdd whole;       /* region.c: the summary for all contexts, for loops that call */
  uint32_t first_word; /* no node waits in words before */
  bool queued;
  bool single;                /* of one context: it is the first member of a bpi_single */
  bool is_whole, never_whole; /* `whole` is made; it cannot be */
  bool goals;                 /* there are goals inside, or in what it calls */
} bpi_instance;

typedef struct bpi_single {
  bpi_instance in;
  BPI_VEC(bpi_user) users;
  uint32_t level;          /* how deep in recursion, where that has a bound */
  struct bpi_single *next; /* of the same procedure */
} bpi_single;

/* form.h: what was made for a form, by hash, open addressing. */
typedef struct bpi_form {
  uint64_t hash;
  uint32_t count;
  uint32_t *key; /* NULL: free */
  void *value;
} bpi_form;
typedef struct bpi_forms {
  bpi_form *at;
  uint32_t size, count;
} bpi_forms;

/* What waits for its turn in a heap: an instance with work, or, in backward.c, a vertex. */
typedef struct bpi_waiting {
  uint64_t rank; /* the least one is next */
  union {
    bpi_instance *in;
    uint32_t vertex;
  };
} bpi_waiting;

/* The work at hand: a set at a node. */
typedef struct bpi_item {
  bpi_instance *in; /* NULL: none */
  uint32_t node;
  uint32_t part; /* what is done of it: the parts of a call, then hops */
  bpi_bdd set;
  bpi_bdd root;     /* what is passed on along hops */
  bpi_stage *from;  /* where the instance was; NULL: at none */
  bpi_bdd contexts; /* in which a callee was entered, if it was at a stage */
} bpi_item;

/* Of a group: it is not looked for. */
#define BPI_CLOSED (BP_NONE - 1)

typedef struct bpi_engine {
  uint32_t refs;
  bp_manager *m;
  const bp_cfg *cfg;
  const bp_program *p;
  bpi_analysis a;
  bpi_layout layout;
  uint32_t off;

  /* goals */
  bpi_goal *goals; /* a copy: the query's move when targets are added, even in vain */
  uint32_t goal_count, group_count, groups_left;
  uint32_t *group_hit; /* by group: the vertex that was reached, BP_NONE: none yet, or BPI_CLOSED */
  bpi_bdd *goal_set;   /* states in which it counts, CURRENT copies */

  /* facts */
  bpi_instance *procs; /* by procedure: as relations */
  uint32_t shallow; /* recursion is entered so deep at most, in single contexts; 0: without bound */
  bool every_context; /* within `shallow` no context of recursion is left out, however many */
  uint32_t narrow;    /* of sets with more nodes only a part is passed on; 0: all of all */
  bool merged;        /* a recursive procedure has one context, all of its own together */
  bool cut;           /* by that bound, or by that of contexts, something was not entered */
  uint32_t single_count;
  bpi_single **singles; /* by procedure: its instances of one context; NULL: there are none */

  /* transitions */
  BPI_VEC(bpi_body *) bodies;
  BPI_VEC(bpi_call *) calls;
  bpi_forms body_forms, call_forms;
  BPI_VEC(uint32_t) form; /* scratch of form.c, the next two of body.c */
  BPI_VEC(bpi_hop) hops;
  BPI_VEC(bpi_hop) pending;
  BPI_VEC(bpi_part) parts;
  uint64_t *sets;            /* scratch sets of places: five */
  BPI_VEC(uint32_t) vars;    /* scratch list */
  BPI_VEC(bpi_bdd) operands; /* scratch: pairs can be true, can be false */

  /* work list: procedures by rank, in each the nodes by reverse postorder */
  BPI_VEC(bpi_waiting) heap; /* has room for all instances */
  bpi_item item;
  BPI_VEC(bpi_bdd) passed; /* by hop of the item's node: the set behind it */

  /* stopping */
  bpi_watch *watch;
  uint64_t steps, step_limit; /* UINT64_MAX: none */
  uint64_t settled; /* of a retired one: the steps that its query has counted as its own */
  bool retired;
  uint64_t next_look;   /* steps from which the limits are looked at */
  uint64_t next_glance; /* steps from which who waits outside of a recursion has its turn */
  uint64_t stamp;       /* of the latest gain */
  bp_progress_fn progress;
  void *progress_user;
  uint64_t progress_ns;
  bp_reason stop; /* why, BP_REASON_NONE: going */
  bool prepared, started;
  bool early;      /* stop as soon as no goal is left */
  bool enters_all; /* see bpi_engine_options */
  bool broken;     /* an invariant failed: a bug */
} bpi_engine;

/* What an exploration is for; all of it is borrowed. */
typedef struct bpi_engine_options {
  const bpi_goal *goals;
  uint32_t goal_count, group_count;
  const bpi_instr *init; /* the condition on the start state, if any */
  uint32_t init_count;
  uint32_t off;   /* bits of bp_engine */
  bool summaries; /* of every procedure, called or not (without the cone) */
  /* See bpi_engine. With `shallow` or `narrow` too little is reached, with `merged` too much. */
  uint32_t shallow, narrow;
  bool every_context, merged;
  bool enters_all; /* callees are entered with all that comes to their calls, in closed loops too */
  const uint8_t *tracked; /* see bpi_analysis_options */
  const uint32_t *kept;   /* the same, and the next two */
  const uint32_t *aims;
  uint32_t aim_count;
} bpi_engine_options;

/* Analyses, layout, tables; no BDD yet. BP_E_NOMEM, BP_E_LIMIT: more variables than the manager
 * allows. */
bp_status bpi_engine_new(bpi_engine **out, bp_manager *m, const bp_cfg *cfg,
                         const bpi_engine_options *options);
bpi_engine *bpi_engine_ref(bpi_engine *e);
void bpi_engine_unref(bpi_engine *e);
/* narrow.c: a part of `set` with so many nodes at most, and a cube; all of it when it has no more. */
bpi_bdd bpi_narrow(bpi_engine *e, bpi_bdd set, uint32_t most);
/* For one state of `set`, what goes with its values of the variables `kept`, a set: values of the rest. */
bpi_bdd bpi_rest_of_one(bpi_engine *e, bpi_bdd set, bpi_bdd kept);
/* Nothing is looked for in this group any more. */
void bpi_engine_close_group(bpi_engine *e, uint32_t group);
/* Whether a goal of the group was reached. */
static inline bool bpi_engine_hit(const bpi_engine *e, uint32_t group)
{
  return e->group_hit[group] != BP_NONE && e->group_hit[group] != BPI_CLOSED;
}
/* Slots and goals, once. False when stopped. */
bool bpi_engine_prepare(bpi_engine *e);

/* The start: conjunction of initialisers and `init` (CURRENT copies of the entry's scope). */
void bpi_engine_start(bpi_engine *e, const bpi_instr *init, uint32_t init_count);
/* The start over everything in scope, and over what is live at the entry. */
bpi_bdd bpi_start_states(bpi_engine *e, const bpi_instr *init, uint32_t init_count);
bpi_bdd bpi_start_set(bpi_engine *e, const bpi_instr *init, uint32_t init_count);
/* Works until nothing waits in procedures of rank <= last_rank, every goal is hit (with EARLY and
 * `to_goals`), or it is stopped (e->stop). Returns whether it was not stopped. */
bool bpi_engine_work(bpi_engine *e, uint32_t last_rank, bool to_goals);

/* Going: nothing failed and nothing asked to stop; only then are results worth anything. */
static inline bool bpi_going(const bpi_engine *e)
{
  return e->stop == BP_REASON_NONE && bpi_bdd_ok(e->m);
}
/* Counts an image and, each time or now and then, looks at the limits; records why in e->stop. */
bool bpi_engine_look(bpi_engine *e);
static inline bool bpi_engine_tick(bpi_engine *e)
{
  if (!bpi_going(e)) return false;
  if (e->steps >= e->next_look) return bpi_engine_look(e);
  e->steps++;
  return true;
}
/* Looks at time and cancel alone, where there are no images; the same. */
bool bpi_engine_glance(bpi_engine *e);
/* Prepares for work after a stop: clears e->stop, recovers the manager. False: it is finished. */
bool bpi_engine_resume(bpi_engine *e);
/* Why it is not going: e->stop, or what the manager's latch says. */
bp_reason bpi_engine_reason(const bpi_engine *e);

/* *all becomes *all and `one`, which is given away. */
static inline void bpi_conjoin(bpi_engine *e, bpi_bdd *all, bpi_bdd one)
{
  const bpi_bdd both = bpi_bdd_and(e->m, *all, one);
  bpi_bdd_drop(e->m, *all);
  bpi_bdd_drop(e->m, one);
  *all = both;
}

/* *all becomes *all or `one`, which is given away. */
static inline void bpi_join(bpi_engine *e, bpi_bdd *all, bpi_bdd one)
{
  const bpi_bdd both = bpi_bdd_or(e->m, *all, one);
  bpi_bdd_drop(e->m, *all);
  bpi_bdd_drop(e->m, one);
  *all = both;
}

/* ---- encode.c ------------------------------------------------------------ */

/* How expressions read variables. */
typedef enum bpi_reading {
  BPI_READ_CURRENT, /* values before */
  BPI_READ_PRIMED,  /* primed names of assigned places are NEXT copies */
  BPI_READ_AFTER    /* every assigned place is read after the assignment (enforce) */
} bpi_reading;

/* The states in which the expression can be true and can be false; every `*` is a choice of its own.
 * For a deterministic expression these are complements. */
void bpi_encode(bpi_engine *e, const bpi_instr *code, uint32_t count, bpi_reading reading,
                const uint64_t *assigned, bpi_bdd *can_hold, bpi_bdd *can_fail);
/* The states in which a goal counts; `goal` need not be one of the engine's. */
bpi_bdd bpi_goal_states(bpi_engine *e, const bpi_goal *goal);
/* The transition of the i-th successor edge of a vertex, made at first use. NULL when stopped. */
const bpi_edge *bpi_edge_of(bpi_engine *e, uint32_t vertex, uint32_t i);
bpi_bdd bpi_image(bpi_engine *e, const bpi_edge *edge, bpi_bdd set);
/* Adds to `places` what the expression reads and is not live there: a value that is not tracked. */
void bpi_add_open(const bpi_engine *e, uint32_t expr, const uint64_t *live, uint64_t *places);
/* A set of variables from a set of places. */
bpi_bdd bpi_place_set(bpi_engine *e, const uint64_t *places, bpi_copy copy);

static inline uint32_t bpi_slot_of(const bpi_engine *e, uint32_t var)
{
  return e->layout.slot[e->a.place[var]];
}

/* ---- calls.c ------------------------------------------------------------- */

/* The relations of a call site, of a procedure; made at first use. NULL when stopped. */
bpi_call *bpi_call_of(bpi_engine *e, uint32_t vertex);
void bpi_call_drop(bpi_engine *e, bpi_call *call);
const bpi_linkage *bpi_linkage_of(bpi_engine *e, uint32_t proc);
/* The contexts in which `set` at the call enters the callee. */
bpi_bdd bpi_enter(bpi_engine *e, const bpi_call *call, bpi_bdd set);
/* A summary with the arguments of a call for its formals, results still to come. */
bpi_bdd bpi_bind(bpi_engine *e, const bpi_call *call, bpi_bdd summary);
/* A summary of the callee as a transition of the caller. */
bpi_bdd bpi_lift(bpi_engine *e, const bpi_call *call, bpi_bdd summary);
/* The states behind the call from `set` before it, by a lifted summary. */
bpi_bdd bpi_return(bpi_engine *e, const bpi_call *call, bpi_bdd set, bpi_bdd lift);
/* Adds contexts of a procedure to the work. */
void bpi_add_contexts(bpi_engine *e, uint32_t proc, bpi_bdd contexts);
/* The path edges of a vertex that is a node; FALSE for others. Borrowed. */
bpi_bdd bpi_path_edges(const bpi_engine *e, uint32_t vertex);
/* What the summary of a procedure gained, in order; empty for one that does not recur. */
const bpi_gains *bpi_gains_of(const bpi_engine *e, uint32_t proc);

/* ---- worklist.c ---------------------------------------------------------- */

/* A binary heap that has room for one more. */
void bpi_waiting_add(bpi_waiting *heap, uint32_t *count, bpi_waiting x);
void bpi_waiting_drop_first(bpi_waiting *heap, uint32_t *count);

void bpi_queue_node(bpi_engine *e, bpi_instance *in, uint32_t node);
/* Several of the first 64, a bit each. */
void bpi_queue_nodes(bpi_engine *e, bpi_instance *in, uint64_t nodes);
/* The next node to work on in procedures of rank <= last_rank; NULL: none waits. */
bpi_instance *bpi_queue_take(bpi_engine *e, uint32_t last_rank, uint32_t *node);

/* ---- facts.c, for explore.c and contexts.c ------------------------------------------- */

/* Room for what is known of an instance; false and e->stop without memory. */
bool bpi_make_facts(bpi_engine *e, bpi_instance *in);
void bpi_facts_free(bpi_engine *e, const bpi_body *body, bpi_fact *facts);
/* Adds `set` (given away) to the path edges of a node; what is new waits there. */
void bpi_add_path_edges(bpi_engine *e, bpi_instance *in, uint32_t node, bpi_bdd set);
/* Looks for goals in what is new at their vertex. */
void bpi_hit_goals(bpi_engine *e, uint32_t vertex, bpi_bdd fresh);
uint32_t bpi_node_of(const bpi_engine *e, uint32_t vertex);

/* ---- contexts.c ---------------------------------------------------------- */

/* Enters the callee of the call at a vertex with the item's set by instances of single contexts, as far
 * as that is possible. Answers the contexts that are left for the relation. */
bpi_bdd bpi_enter_singles(bpi_engine *e, bpi_call *call, uint32_t vertex);
/* Whether a procedure calls some that are entered so. */
bool bpi_enters_singles(const bpi_engine *e, uint32_t proc);
/* The summary of an instance of a single context has gained `more`. */
void bpi_tell_users(bpi_engine *e, bpi_single *single, bpi_bdd more);
/* Allows such instances if there is a procedure that would gain by them. False without memory. */
bool bpi_singles_begin(bpi_engine *e);
void bpi_singles_free(bpi_engine *e);

/* How deep in recursion a callee is when its caller is `level` deep. */
static inline uint32_t bpi_level_of_callee(const bpi_engine *e, uint32_t caller, uint32_t callee,
                                           uint32_t level)
{
  const bpi_cfg_proc *procs = e->cfg->procs.at;
  return procs[caller].last_rank == procs[callee].last_rank ? level + 1 : 0;
}

/* A piece of a set before a call: what passes the call by, joined with one context. */
typedef struct bpi_piece {
  bpi_bdd around;
  bpi_single *single;
} bpi_piece;
typedef struct bpi_pieces {
  BPI_VEC(bpi_piece) list;
  uint32_t level; /* how deep in recursion the call is */
} bpi_pieces;

/* The same for a search: `set`, CURRENT copies, falls into pieces, the same ones each time. Their
 * instances are finished by bpi_engine_work() up to the callee's rank. */
bpi_bdd bpi_pieces_of(bpi_engine *e, uint32_t vertex, bpi_bdd set, bpi_pieces *out);
/* The states behind the call, by the summary of the instance. */
bpi_bdd bpi_piece_return(bpi_engine *e, const bpi_call *call, const bpi_piece *piece);
void bpi_pieces_free(bpi_engine *e, bpi_pieces *pieces);
void bpi_instance_clear(bpi_engine *e, bpi_instance *in);

#endif
