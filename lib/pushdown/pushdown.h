/* SPDX-License-Identifier: MIT
 * The inside of pushdown systems and of sets of configurations.
 *
 * Source: Esparza & Schwoon, "A BDD-based Model Checker for Recursive Programs" (CAV 2001), sections 2
 * to 4; the efficient order of work of Schwoon, "Model-Checking Pushdown Systems" (TU Muenchen, 2002),
 * chapter 3.
 *
 * A global has a slot, a local has two, which all symbols share. A state of an automaton carries
 * values: of the globals, and, if post* made it for the symbol pushed by a rule, also of the locals of
 * that symbol, since what lies below depends on both. A transition from -symbol-> to is one BDD:
 *
 *   globals   HERE: carried at `from`; THERE: carried at `to`
 *   locals    HERE: of the symbol; BELOW_HERE: carried at `from`; THERE: carried at `to`
 *
 * Control locations carry globals only. What a state accepts, and every set of values that it
 * carries, has globals at HERE and locals at BELOW_HERE. */
#ifndef BPI_PUSHDOWN_H
#define BPI_PUSHDOWN_H

#include "bdd/bdd.h"
#include "text/expression.h"

#include <bp/pushdown.h>

/* ---- keys.c: triples of numbers, numbered in their order ------------------ */

typedef struct bpi_key {
  uint32_t at[3];
} bpi_key;
typedef struct bpi_keys {
  BPI_VEC(bpi_key) list;
  uint32_t *slots; /* number plus 1; 0: free */
  uint32_t size;
} bpi_keys;

/* The number of a triple; BP_NONE: it is not there. */
uint32_t bpi_keys_find(const bpi_keys *keys, uint32_t a, uint32_t b, uint32_t c);
/* The same, added if need be; BP_NONE without memory. */
uint32_t bpi_keys_add(bpi_keys *keys, uint32_t a, uint32_t b, uint32_t c);
void bpi_keys_free(bpi_keys *keys);

/* ---- systems ------------------------------------------------------------- */

/* Relations are postfix code; an operand VAR, NEXT or MIXED_NEXT (of the symbol below the top) has the
 * number of a global, or of a local in its scope and BPI_LOCAL. */
enum { BPI_LOCAL = 1 << 26, BPI_MOST_NAMES = 1 << 24 };
typedef struct bpi_rule {
  uint32_t from, symbol, to, top, below; /* the last two: BP_NONE if there are fewer symbols */
  bpi_slice code;                        /* count 0: TRUE */
  uint32_t next_left;                    /* the next rule with the same head on the left */
  uint32_t next_right;                   /* the same, control location and top on the right */
} bpi_rule;

/* The locals that a symbol has; several symbols may share one. */
typedef struct bpi_scope {
  BPI_VEC(uint32_t) locals; /* words */
} bpi_scope;

typedef struct bpi_stack_symbol {
  uint32_t word, scope;
} bpi_stack_symbol;

/* What has names: in `declared`, with the scope of a local, else 0. */
typedef enum bpi_name_kind {
  BPI_NAME_CONTROL,
  BPI_NAME_SYMBOL,
  BPI_NAME_GLOBAL,
  BPI_NAME_LOCAL
} bpi_name_kind;

struct bp_pushdown {
  atomic_uint refs;
  BPI_VEC(char) chars;
  bpi_keys words;                /* two halves of a hash, and a count of those that share it */
  BPI_VEC(uint32_t) word_first;  /* by number of a word: in chars */
  bpi_keys declared;             /* (kind, scope, word) */
  BPI_VEC(uint32_t) declared_id; /* by number of the key */
  BPI_VEC(uint32_t) controls, globals; /* words */
  BPI_VEC(bpi_stack_symbol) symbols;
  BPI_VEC(bpi_scope) scopes;
  BPI_VEC(bpi_rule) rules;
  BPI_VEC(bpi_instr) code;
  bpi_keys lefts, rights;                    /* (control, symbol, 0) */
  BPI_VEC(uint32_t) first_left, first_right; /* by number of the key: a rule */
  uint32_t max_locals;
  bp_program *program;        /* NULL: made without one */
  BPI_VEC(uint32_t) vertices; /* by symbol, of a program: the vertex; else empty */
  uint32_t start;             /* of a program: the symbol of its entry, else BP_NONE */
  bpi_slice start_code;
};

static inline const bpi_scope *bpi_scope_of(const bp_pushdown *p, uint32_t symbol)
{
  return &p->scopes.at[p->symbols.at[symbol].scope];
}
static inline const char *bpi_word_text(const bp_pushdown *p, uint32_t word)
{
  return p->chars.at + p->word_first.at[word];
}
/* The first rule with that head on the left, with that control and top on the right; BP_NONE. */
uint32_t bpi_first_left(const bp_pushdown *p, uint32_t control, uint32_t symbol);
uint32_t bpi_first_right(const bp_pushdown *p, uint32_t control, uint32_t top);

/* builder.c: a system without anything; NULL without memory. */
bp_pushdown *bpi_pushdown_begin(void);
/* What readers of texts begin with: their arguments, the diagnostics. */
bp_status bpi_pushdown_begin_text(bp_pushdown **out, bp_context *ctx, const char *text, size_t len);
/* What they end with: the system, given away, and how reading ended. */
bp_status bpi_pushdown_end_text(bp_pushdown **out, bp_context *ctx, bp_pushdown *p,
                                bp_status status);
/* Declares a name; the id, or BP_NONE: without memory, or (*taken) it is there already. */
uint32_t bpi_pushdown_declare(bp_pushdown *p, bpi_name_kind kind, uint32_t scope, const char *name,
                              bool *taken);
uint32_t bpi_pushdown_find(const bp_pushdown *p, bpi_name_kind kind, uint32_t scope,
                           const char *name, size_t len);
/* Whether something has that name, whatever it is. */
bool bpi_pushdown_knows(const bp_pushdown *p, const char *name);
bool bpi_name_good(const char *name, bool variable);
/* Puts a rule with its code into the tables. False without memory. */
bool bpi_pushdown_add_rule(bp_pushdown *p, const bpi_rule *rule, const bpi_instr *code,
                           uint32_t count);
/* A relation from text: `symbol` on the left, the names with primes as in a rule. */
typedef struct bpi_relation_scope {
  const bp_pushdown *p;
  uint32_t symbol;     /* BP_NONE: globals only */
  bool primes;         /* names with primes are allowed */
  uint32_t top, below; /* BP_NONE: none */
} bpi_relation_scope;
/* NULL is no code. `what` names the text in messages. The caller frees the vector. */
bp_status bpi_relation_parse(bpi_code *out, bp_context *ctx, const bpi_relation_scope *scope,
                             const char *text, const char *what);

/* ---- runs: calls that compute, run.c -------------------------------------- */

/* Which of the six BDD variables of a local, or of the three of a global. */
typedef enum bpi_place_copy {
  BPI_THERE = 0,
  BPI_HERE = 1,
  BPI_AFTER = 2,
  BPI_BELOW_HERE = 4, /* locals only, as the next one */
  BPI_BELOW_AFTER = 5
} bpi_place_copy;
#define BPI_NO_COPY 0xFF /* ends lists of pairs */

/* How a relation reads: the copies of the values before, after, and after below the top. */
typedef struct bpi_view {
  uint8_t global_before, global_after;
  uint8_t local_before, local_after, local_below;
} bpi_view;

typedef struct bpi_run {
  bp_context *ctx;
  bp_manager *m;
  const bp_pushdown *p;
  bpi_watch watch;
  uint64_t steps, step_limit;
  bp_status status; /* BP_OK, or the first failure that is not the manager's */
  bool counted;     /* the step limit is passed */
  bp_progress_fn progress;
  void *progress_user;
  uint64_t progress_ns;
} bpi_run;

/* Begins a call: a watch, the manager, its variables. When it fails there is nothing to end. */
bp_status bpi_run_begin(bpi_run *run, const bp_configurations *set, const bp_limits *limits);
/* The status of the whole, with its message; the manager is ready for the next call. */
bp_status bpi_run_end(bpi_run *run);
/* The same for a run that made a set of another one, or NULL: what goes along goes along. */
bp_status bpi_run_made(bpi_run *run, const bp_configurations *from, bp_configurations *made);
/* Counts an image; false: stop. */
bool bpi_run_tick(bpi_run *run);
/* The same for work that is no image. */
bool bpi_run_look(bpi_run *run);
/* Whether nothing failed so far: only then a result is worth anything. */
static inline bool bpi_run_good(const bpi_run *run)
{
  return run->status == BP_OK && bpi_bdd_ok(run->m);
}
bool bpi_run_no_memory(bpi_run *run);

static inline uint32_t bpi_global_var(uint32_t global, uint32_t copy)
{
  return 3 * global + copy;
}
static inline uint32_t bpi_local_var(const bp_pushdown *p, uint32_t local, uint32_t copy)
{
  return 3 * (p->globals.count + 2 * local) + copy;
}

/* A set of variables: for each bit of a mask, that copy of every global, of every local. */
bpi_bdd bpi_copies(bpi_run *run, uint32_t globals, uint32_t locals);
/* A renaming: pairs of copies as 16 * from + to, ended by BPI_NO_COPY. NULL: the run failed, which
 * bpi_renamed() takes for a renaming. */
const bpi_rename *bpi_copies_rename(bpi_run *run, const uint8_t *globals, const uint8_t *locals);
bpi_bdd bpi_renamed(bpi_run *run, bpi_bdd a, const bpi_rename *rename);
/* Or and and into an owned one, `one` is given away. */
void bpi_run_join(bpi_run *run, bpi_bdd *all, bpi_bdd one);
void bpi_run_meet(bpi_run *run, bpi_bdd *all, bpi_bdd one);

/* relation.c */
/* Where the expression can hold. */
bpi_bdd bpi_relation_encode(bpi_run *run, const bpi_instr *code, uint32_t count,
                            const bpi_view *view);
/* The relation of a rule, with what keeps its value. */
bpi_bdd bpi_rule_relation(bpi_run *run, const bpi_rule *rule, const bpi_view *view);

/* What of a rule keeps its value. */
bpi_bdd bpi_rule_keeps(bpi_run *run, const bpi_rule *rule, const bpi_view *view);
/* Where in a set the expression can hold. */
bpi_bdd bpi_relation_within(bpi_run *run, const bpi_instr *code, uint32_t count,
                            const bpi_view *view, bpi_bdd set);
/* The BDD variable of an operand. */
uint32_t bpi_relation_var(const bp_pushdown *p, bpi_instr in, const bpi_view *view);

/* factors.c: the same as a conjunction, which an image takes one factor after the other: that of a parallel
 * assignment to an array, as one BDD, can be larger than anything that it is applied to. */
typedef struct bpi_factor {
  bpi_bdd rel;
  bpi_bdd gone; /* set: variables to quantify that no later factor mentions */
  bpi_slice
      code; /* count not 0: instead of rel, of the rule's code, to be evaluated within a set */
} bpi_factor;
typedef BPI_VEC(bpi_factor) bpi_factors;
/* Fills *factors, which is empty, for images that quantify `set`. Free them also when the run failed. */
void bpi_rule_factors(bpi_run *run, const bpi_rule *rule, const bpi_view *view, bpi_bdd set,
                      bpi_factors *factors);
/* exists set. `at` and all factors; `rename`: as bpi_bdd_image() does. */
bpi_bdd bpi_factors_image(bpi_run *run, const bpi_rule *rule, const bpi_view *view,
                          const bpi_factors *factors, bpi_bdd at, bool rename);
void bpi_factors_free(bpi_run *run, bpi_factors *factors);
/* And in `all`: what the code does not mention with a prime keeps its value. */
void bpi_keep_globals(bpi_run *run, const bpi_instr *code, uint32_t count, const bpi_view *view,
                      bpi_bdd *all);
/* THERE is the same as HERE, for globals and the locals of a symbol. */
bpi_bdd bpi_carry(bpi_run *run, uint32_t symbol);

/* ---- sets of configurations ------------------------------------------------ */

typedef struct bpi_state {
  uint32_t control, symbol; /* made for the symbol pushed with that control location; or a copy of a
                             * control location (symbol BP_NONE); both BP_NONE: the host's */
  uint32_t name;            /* in chars, BP_NONE: none */
  uint32_t first_out;       /* transition, BP_NONE: none */
  uint32_t first_in;
  bpi_bdd accepts;
} bpi_state;

typedef struct bpi_transition {
  uint32_t next_out, next_in; /* of the same state */
  bpi_bdd rel;
} bpi_transition;

struct bp_configurations {
  atomic_uint refs;
  bp_context *ctx;
  bp_manager *m;
  bp_pushdown *p;
  BPI_VEC(char) chars;
  BPI_VEC(bpi_state) states;
  bpi_keys keys; /* (from, symbol, to) of each transition */
  BPI_VEC(bpi_transition) transitions;
  uint32_t *
      inside; /* by control location: the state that stands for it where stacks go on there, BP_NONE:
                     * not needed yet. NULL: nobody asked; transitions may lead to control locations */
  uint64_t steps; /* of the calls that made it */
  bp_progress_fn progress;
  void *progress_user;
};

static inline bpi_key bpi_ends(const bp_configurations *c, uint32_t transition)
{
  return c->keys.list.at[transition];
}
/* No message of their own; BP_NONE without memory. */
bp_configurations *bpi_set_begin(bp_context *ctx, bp_manager *m, bp_pushdown *p);
uint32_t bpi_set_state(bp_configurations *c, uint32_t control, uint32_t symbol);
uint32_t bpi_set_transition(bp_configurations *c, uint32_t from, uint32_t symbol, uint32_t to);
/* A name in the set's chars; BP_NONE without memory. */
uint32_t bpi_set_name(bp_configurations *c, const char *name);
/* A copy in which no transition leads to a control location; NULL: the run failed. */
bp_configurations *bpi_set_copy(bpi_run *run, const bp_configurations *c);
/* The state that stands for a control location where stacks go on there: made, with what the control location has
 * so far, at the first call, after which nothing leads to a control location. BP_NONE: the run failed; the set
 * has the same configurations as before. */
uint32_t bpi_set_inside(bpi_run *run, bp_configurations *c, uint32_t control);
/* Whether it is such a state, to which nothing leads. */
static inline bool bpi_set_idle(const bp_configurations *c, uint32_t state)
{
  const bpi_state *s = &c->states.at[state];
  return state >= c->p->controls.count && s->control != BP_NONE && s->symbol == BP_NONE &&
         s->first_in == BP_NONE;
}

bool bpi_configuration_good(const bp_configurations *c, const bp_configuration *one);
/* A relation from text, over the values at a transition: `primes` of globals are what it carries on. In
 * *rel; on failure there is nothing to drop. */
bp_status bpi_read_relation(bpi_run *run, const bp_configurations *c, uint32_t symbol, bool primes,
                            const char *text, bpi_bdd *rel);

/* What walks along transitions needs, walk.c. */
typedef struct bpi_walk {
  bpi_run *run;
  const bp_configurations *c;
  bpi_bdd read;    /* set: carried at `from`, and the symbol's locals */
  bpi_bdd carried; /* set: carried at `from` */
  bpi_bdd rest;    /* set: carried at `to`, and the symbol's locals */
  bpi_bdd there;   /* set: carried at `to` */
  const bpi_rename *to_here, *to_there;
} bpi_walk;

void bpi_walk_begin(bpi_walk *w, bpi_run *run, const bp_configurations *c);
void bpi_walk_end(bpi_walk *w);
/* By state, a set of values that it carries; all FALSE. NULL: the run failed. */
bpi_bdd *bpi_walk_states(bpi_walk *w);
void bpi_walk_free(bpi_walk *w, bpi_bdd *states);
/* Reads a symbol with locals (HERE) in `cube`; `to` is FALSE everywhere before. */
void bpi_walk_read(bpi_walk *w, const bpi_bdd *from, uint32_t symbol, bpi_bdd cube, bpi_bdd *to);
/* Whether a stack may end there. */
bool bpi_walk_accepts(bpi_walk *w, const bpi_bdd *at);

/* walk.c: by state, the values that it may carry on the way to an end. NULL: the run failed. */
bpi_bdd *bpi_walk_useful(bpi_walk *w);
/* The same on the way from the beginning of a stack. */
bpi_bdd *bpi_walk_reached(bpi_walk *w);
/* Where a transition can be taken towards an end: `useful` at its end, without what it carries there. */
bpi_bdd bpi_walk_towards(bpi_walk *w, uint32_t transition, const bpi_bdd *useful);
void bpi_bdds_free(bpi_run *run, bpi_bdd *bdds, uint32_t count);
/* The values of a configuration as a set: HERE. NULL: any. */
bpi_bdd bpi_global_cube(bpi_run *run, const uint8_t *globals);
bpi_bdd bpi_local_cube(bpi_run *run, uint32_t symbol, const uint8_t *locals);

/* The relation of a rule; NULL: it has none. */
static inline const bpi_instr *bpi_rule_code(const bp_pushdown *p, const bpi_rule *rule)
{
  return rule->code.count ? p->code.at + rule->code.first : NULL;
}

#endif
