/* SPDX-License-Identifier: MIT
 *
 * Symbolic pushdown systems and regular sets of their configurations.
 *
 * A configuration is a control location, a value for each global, and a stack
 * of symbols, each with a value for each of its locals. A rule replaces the
 * symbol on top of the stack by none, one or two symbols, under a relation
 * between the values before and after (Esparza & Schwoon, CAV 2001, sections
 * 2 to 4). A set of configurations is a finite automaton that reads stacks from
 * the top, with a relation on each transition; what can be reached from a
 * regular set, and what can reach one, are regular sets again.
 *
 * Relations are expressions of the boolean program language (docs/language.md,
 * with the default precedence; about the system of a program, with that of its
 * text). In that of a rule
 *
 *   x     is the value before, of a global or of a local of the replaced symbol;
 *   'x    is the value after, of a global or of a local of the new top symbol;
 *   'x$   is the value after, of a local of the symbol below the new top
 *         (rules with two symbols on the right only).
 *
 * A local hides a global of the same name. What a relation does not mention with
 * a prime keeps its value: globals; and locals, on the right of a rule with one
 * symbol and in the symbol below the top, if the replaced symbol has a local of
 * that name. Other locals that it does not mention are arbitrary; `'x = *`
 * makes anything arbitrary.
 *
 * A pushdown system is immutable and may be shared by threads. A set belongs to
 * its manager's thread rules (manager.h). Control locations, symbols, globals,
 * and the locals of each symbol are dense ids from 0. The number of BDD
 * variables is three for each global and six for each local of the symbol that
 * has the most. */
#ifndef BP_PUSHDOWN_H
#define BP_PUSHDOWN_H

#include <bp/cfg.h>
#include <bp/query.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_pushdown bp_pushdown;
typedef struct bp_pushdown_builder bp_pushdown_builder;
typedef struct bp_configurations bp_configurations;

/* ---- building ---------------------------------------------------------- */

/** Makes an empty builder; it keeps the context. One owner; bp_pushdown_builder_free() also after
 *  bp_pushdown_builder_finish(). BP_E_NOMEM, BP_E_INVALID. */
BP_API bp_status bp_pushdown_builder_new(bp_pushdown_builder **out, bp_context *ctx);
BP_API void bp_pushdown_builder_free(bp_pushdown_builder *b);

/* These answer the id, or BP_NONE with a message in the context. A name is any nonempty text without
 * control characters; two of a kind in one place must differ. Variables that relations mention need
 * names that the language has, in braces if need be; none may end with `$`. */
BP_API uint32_t bp_pushdown_builder_control(bp_pushdown_builder *b, const char *name);
BP_API uint32_t bp_pushdown_builder_symbol(bp_pushdown_builder *b, const char *name);
BP_API uint32_t bp_pushdown_builder_global(bp_pushdown_builder *b, const char *name);
/** A local of that symbol; the id counts the locals of the symbol. */
BP_API uint32_t bp_pushdown_builder_local(bp_pushdown_builder *b, uint32_t symbol,
                                          const char *name);
/** The rule <from, symbol> -> <to, top below>. `below` BP_NONE: one symbol on the right; `top`
 *  BP_NONE too: none. `relation` NULL says nothing: everything keeps its value. All variables must be
 *  declared before the first rule. BP_E_INPUT: a bad relation; BP_E_INVALID, BP_E_NOMEM, BP_E_LIMIT. */
BP_API bp_status bp_pushdown_builder_rule(bp_pushdown_builder *b, uint32_t from, uint32_t symbol,
                                          uint32_t to, uint32_t top, uint32_t below,
                                          const char *relation);
/** Makes the system and empties the builder. BP_E_STATE: a declaration or a rule failed before, whose
 *  message is told again, or it is finished already; BP_E_NOMEM. */
BP_API bp_status bp_pushdown_builder_finish(bp_pushdown_builder *b, bp_pushdown **out);

/** The system of a program. Its one control location is `run`. The symbol of a vertex has its number and
 *  the name PROC.i, where i counts the vertices of the procedure; behind these come return points,
 *  one for each call, named as the call with `.back` behind. Globals are those of the program, in
 *  its order, then `{return i}` for the i-th result of a call that comes back. A head is reachable
 *  exactly if the vertex is, for which bp_query_add_vertex() asks. Locals keep the order of the
 *  program's, formals first. BP_E_NOMEM, BP_E_LIMIT. */
BP_API bp_status bp_pushdown_from_cfg(bp_pushdown **out, bp_context *ctx, const bp_cfg *cfg);

/** Reads a system from text, which docs/pushdown.md describes; any bytes are allowed. `name` is used in
 *  messages and may be NULL. BP_E_INPUT, BP_E_NOMEM, BP_E_LIMIT. */
BP_API bp_status bp_pushdown_read(bp_pushdown **out, bp_context *ctx, const char *text, size_t len,
                                  const char *name);
/** Writes a system as such text, which reads back as the same system. BP_E_IO, BP_E_NOMEM,
 *  BP_E_INVALID. */
BP_API bp_status bp_pushdown_write(const bp_pushdown *pushdown, const bp_sink *sink);

/** Reads a system from JSON as the tool PDAAAL has it, docs/pushdown.md; any bytes are allowed. Control
 *  locations are its states, symbols its labels. Weights are left out, with a warning, and so are the
 *  automata of an instance. BP_E_INPUT,
 *  BP_E_NOMEM, BP_E_LIMIT. */
BP_API bp_status bp_pushdown_read_json(bp_pushdown **out, bp_context *ctx, const char *text,
                                       size_t len, const char *name);
/** Writes a system without variables as such JSON. A rule that pushes and changes the symbol below becomes
 *  two, with a state between, which the system has not. BP_E_UNSUPPORTED: it has variables, or a
 *  symbol `*`. BP_E_IO, BP_E_NOMEM, BP_E_INVALID. */
BP_API bp_status bp_pushdown_write_json(const bp_pushdown *pushdown, bp_context *ctx,
                                        const bp_sink *sink);

BP_API bp_pushdown *bp_pushdown_ref(bp_pushdown *pushdown);
BP_API void bp_pushdown_unref(bp_pushdown *pushdown);

/* ---- looking ----------------------------------------------------------- */

/* Getters cannot fail: an id out of range gives 0, NULL or BP_NONE. Strings are borrowed. */
BP_API uint32_t bp_pushdown_control_count(const bp_pushdown *pushdown);
BP_API uint32_t bp_pushdown_symbol_count(const bp_pushdown *pushdown);
BP_API uint32_t bp_pushdown_global_count(const bp_pushdown *pushdown);
BP_API uint32_t bp_pushdown_rule_count(const bp_pushdown *pushdown);
BP_API uint32_t bp_pushdown_local_count(const bp_pushdown *pushdown, uint32_t symbol);
BP_API const char *bp_pushdown_control_name(const bp_pushdown *pushdown, uint32_t control);
BP_API const char *bp_pushdown_symbol_name(const bp_pushdown *pushdown, uint32_t symbol);
BP_API const char *bp_pushdown_global_name(const bp_pushdown *pushdown, uint32_t global);
BP_API const char *bp_pushdown_local_name(const bp_pushdown *pushdown, uint32_t symbol,
                                          uint32_t local);
/** The vertex of the graph that the system was made from; for a return point that of its call. BP_NONE
 *  for systems made otherwise. */
BP_API uint32_t bp_pushdown_symbol_vertex(const bp_pushdown *pushdown, uint32_t symbol);
BP_API uint32_t bp_pushdown_find_control(const bp_pushdown *pushdown, const char *name);
BP_API uint32_t bp_pushdown_find_symbol(const bp_pushdown *pushdown, const char *name);

/* ---- sets of configurations --------------------------------------------- */

/** A configuration. `globals` has a value for each global, 0 or not; `symbols` the stack from the top;
 *  `locals` the values of the locals of the first symbol, then those of the second, and so on. This
 *  struct never grows. */
typedef struct bp_configuration {
  uint32_t control;
  uint32_t height; /**< symbols on the stack, may be 0 */
  const uint8_t *globals;
  const uint32_t *symbols;
  const uint8_t *locals;
} bp_configuration;

/** An empty set. It keeps context, manager and system. BP_E_NOMEM, BP_E_INVALID. */
BP_API bp_status bp_configurations_new(bp_configurations **out, bp_context *ctx,
                                       bp_manager *manager, bp_pushdown *pushdown);
BP_API bp_configurations *bp_configurations_ref(bp_configurations *set);
BP_API void bp_configurations_unref(bp_configurations *set);

/* All calls below that compute stop at the wall time of the context's limits and at
 * bp_context_cancel() with BP_E_LIMIT, as they do at the manager's limits of nodes and variables. Those
 * with `limits`, which may be NULL, obey all its fields: wall_ms, nodes, and steps, which counts the
 * images of the call, those for the factors of a large relation one by one. Beside, they can answer
 * BP_E_INVALID, BP_E_NOMEM, BP_E_BUSY and BP_E_POISONED. What fails has no result and changes no
 * set; to call again is to begin anew. */

/** Adds a configuration, that one alone, wherever transitions lead. `globals` or `locals` NULL: with
 *  every value. */
BP_API bp_status bp_configurations_add(bp_configurations *set, const bp_configuration *one);

/** Adds the configurations in which the program begins that the system was made from. */
BP_API bp_status bp_configurations_add_start(bp_configurations *set);

/* Regular sets are built state by state. The ids of states begin with the control locations, where
 * stacks begin to be read; more states are added. A run carries a value for each global, first that
 * of the configuration.
 *
 * A transition may lead to a control location. There a stack goes on as one that begins there may: by all
 * transitions from it, made before or after, and it may end there. What bp_configurations_add() and
 * bp_configurations_add_start() have added is no part of that. post* and pre* need automata in which
 * nothing leads to a control location (Bouajjani, Esparza & Maler, CONCUR 1997; Schwoon's thesis,
 * section 3.1); they begin with such a one for the same set. */

/** A new state; `name` is used for printing and may be NULL. BP_NONE on failure. */
BP_API uint32_t bp_configurations_state(bp_configurations *set, const char *name);
/** A transition that reads `symbol`. In `relation` x is the value that the run carries at `from`, or
 *  that of a local of the symbol, and 'x, of a global, what the run carries on: the same value if it is not
 *  mentioned. NULL says nothing. BP_E_INPUT. */
BP_API bp_status bp_configurations_transition(bp_configurations *set, uint32_t from,
                                              uint32_t symbol, uint32_t to, const char *relation);
/** Stacks may end in this state, if `condition` over what the run carries holds; NULL: always.
 *  BP_E_INPUT. */
BP_API bp_status bp_configurations_accept(bp_configurations *set, uint32_t state,
                                          const char *condition);

/** A callback for calls with `limits` on this set and on those that they make of it; see
 *  bp_query_set_progress(). A call that it stops answers BP_E_LIMIT. `steps` are those of the call. */
BP_API void bp_configurations_set_progress(bp_configurations *set, bp_progress_fn fn, void *user);
/** Images computed by the calls that made this set, and the sets that it was made of, from those that
 *  the caller built; how many transitions it has. */
BP_API uint64_t bp_configurations_steps(const bp_configurations *set);
BP_API uint32_t bp_configurations_transition_count(const bp_configurations *set);

/** What can be reached from `from` in any number of steps, none included (post*). `limits->steps`
 *  counts images. */
BP_API bp_status bp_pushdown_post(bp_configurations **out, const bp_configurations *from,
                                  const bp_limits *limits);
/** What can reach `to` in any number of steps, none included (pre*). */
BP_API bp_status bp_pushdown_pre(bp_configurations **out, const bp_configurations *to,
                                 const bp_limits *limits);

/* ---- asking ------------------------------------------------------------- */

/** Whether the configuration is in the set. `globals` or `locals` NULL: with some values. */
BP_API bp_status bp_configurations_contains(int *out, const bp_configurations *set,
                                            const bp_configuration *one);
BP_API bp_status bp_configurations_is_empty(int *out, const bp_configurations *set);
/** Whether the set has a configuration with that control location and that symbol on top, in which the
 *  expression `when` over globals and the locals of the symbol holds; NULL: any. BP_E_INPUT. */
BP_API bp_status bp_configurations_has_head(int *out, const bp_configurations *set,
                                            uint32_t control, uint32_t symbol, const char *when);

/** A head, a control location and a symbol on top, with a cube of the values that they have together:
 *  one for each global, and for each local of the symbol. This struct never grows. */
typedef struct bp_head {
  uint32_t control, symbol;
  const bp_value *globals, *locals;
} bp_head;
/** Called for each head, which is borrowed; anything but 0 ends with BP_E_USER. The set must not be used
 *  meanwhile. */
typedef int (*bp_head_fn)(const bp_head *head, void *user);
/** All heads of configurations of the set, ordered by control location and symbol; each once for each of
 *  disjoint cubes, the first `most` of them, 0: all. One pass, where has_head() takes one for each.
 *  BP_E_USER. */
BP_API bp_status bp_configurations_heads(const bp_configurations *set, uint32_t most, bp_head_fn fn,
                                         void *user);

/** Called for each configuration, which is borrowed; anything but 0 ends the enumeration with
 *  BP_E_USER. The set must not be used meanwhile. */
typedef int (*bp_configuration_fn)(const bp_configuration *one, void *user);
/** Each configuration of the set whose stack is no higher than `height`, once: ordered by control
 *  location and globals, then as the words of a dictionary. BP_E_USER. */
BP_API bp_status bp_configurations_each(const bp_configurations *set, uint32_t height,
                                        bp_configuration_fn fn, void *user);

/** The name under which a symbol is written, borrowed until the next call; NULL: the system's. */
typedef const char *(*bp_symbol_name_fn)(uint32_t symbol, void *user);

/** Writes the set as text, with symbols named by `name`, or with NULL by the system: a line `accept STATE
 *  when ...` for each state in which stacks may end, a line `STATE -- SYMBOL -> STATE when ...` for each
 *  transition. A relation begins with the variables that have one value in it, then come those that are
 *  the same before and after, as `('x = x)`, and the cubes of what is left, the first 16, then `...` if
 *  there are more. All of it together is the relation, and what it does not mention is arbitrary.
 *  Variables are spelled as in bp_configurations_transition(). States that post* has made are
 *  `<CONTROL, SYMBOL>`; their runs carry locals of that symbol too, spelled `x@` at the beginning of a
 *  transition, `'x@` at its end. `CONTROL+` stands for a control location where transitions lead to it. Of
 *  several such states for the same, all but the first have `#` and a number behind. In a program with
 *  numbers, one that a cube knows whole is written with its value, `x=3`, `a[1]=3`, `light=RED`; else
 *  its bits are, by their own names, as `!x$1`. BP_E_IO. */
BP_API bp_status bp_configurations_write(const bp_configurations *set, const bp_sink *sink,
                                         bp_symbol_name_fn name, void *user);
/** The same for Graphviz, without relations. BP_E_IO. */
BP_API bp_status bp_configurations_write_dot(const bp_configurations *set, const bp_sink *sink,
                                             bp_symbol_name_fn name, void *user);

#ifdef __cplusplus
}
#endif
#endif
