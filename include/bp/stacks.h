/* SPDX-License-Identifier: MIT
 *
 * Regular sets of stacks without data: which symbols can stand on the stack,
 * whatever the values of the variables are.
 *
 * Such a set is a deterministic finite automaton that reads stacks from the
 * top. Its states are dense ids that begin with the control locations of the
 * pushdown system, where reading begins; no edge leads there. A stack belongs to
 * the set if it can be read to its end in a state that accepts. A state may have
 * one edge more, `otherwise`, for all symbols for which it has none.
 *
 * bp_configurations_stacks() takes the data away from a set of configurations,
 * exactly: a stack stays if there are values with which the configuration
 * belongs to the set. bp_configurations_restrict() goes the other way and keeps
 * of a set the configurations whose stacks are in a set of stacks. Both together
 * decide properties of the stack: never is `write` on top and `untrusted` below.
 *
 * A set that bp_configurations_stacks() made is minimal: its states, those of
 * the control locations apart, accept different stacks, and each is needed. It
 * has no `otherwise`. Edges come in the order of symbols.
 *
 * A set does not compute with BDDs. Its getters may be used by several threads once it is
 * built. */
#ifndef BP_STACKS_H
#define BP_STACKS_H

#include <bp/pushdown.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_stacks bp_stacks;

/* ---- building ---------------------------------------------------------- */

/** An empty set. It keeps context and system. BP_E_NOMEM, BP_E_INVALID. */
BP_API bp_status bp_stacks_new(bp_stacks **out, bp_context *ctx, bp_pushdown *pushdown);
BP_API bp_stacks *bp_stacks_ref(bp_stacks *stacks);
BP_API void bp_stacks_unref(bp_stacks *stacks);

/** A new state, BP_NONE on failure. */
BP_API uint32_t bp_stacks_state(bp_stacks *stacks);
/** An edge that reads `symbol`. BP_E_INVALID: no such state or symbol, `to` is a control location, or
 *  the state has an edge for the symbol. BP_E_NOMEM. */
BP_API bp_status bp_stacks_edge(bp_stacks *stacks, uint32_t from, uint32_t symbol, uint32_t to);
/** Where all symbols lead for which the state has no edge; BP_NONE: nowhere. BP_E_INVALID. */
BP_API bp_status bp_stacks_otherwise(bp_stacks *stacks, uint32_t from, uint32_t to);
/** Stacks may end in this state. BP_E_INVALID. */
BP_API bp_status bp_stacks_accept(bp_stacks *stacks, uint32_t state);

/* ---- from and to sets of configurations --------------------------------- */

/* Both stop as the other calls on sets of configurations do (pushdown.h); `limits->steps` counts
 * images. */

/** The control locations and stacks of a set without its data. The automaton of the set is made
 *  deterministic, a state of which is a set of states with the values that they may carry, and then
 *  minimal (Valmari, Information Processing Letters 112, 2012). That can take exponential time and
 *  space, which limits end. */
BP_API bp_status bp_configurations_stacks(bp_stacks **out, const bp_configurations *set,
                                          const bp_limits *limits);
/** The configurations of a set whose control location and stack are in `stacks` (NULL: any) and in
 *  which the expression `when` over globals and the locals of the symbol on top holds (NULL: any; else
 *  empty stacks are left out). States, transitions and values that no configuration needs are left
 *  out. BP_E_INPUT: `when` does not fit a symbol that is on top in
 *  both. */
BP_API bp_status bp_configurations_restrict(bp_configurations **out, const bp_configurations *set,
                                            const bp_stacks *stacks, const char *when,
                                            const bp_limits *limits);

/* ---- looking ------------------------------------------------------------ */

/* Getters cannot fail: an id out of range gives 0 or BP_NONE. */
BP_API uint32_t bp_stacks_state_count(const bp_stacks *stacks);
BP_API int bp_stacks_accepts(const bp_stacks *stacks, uint32_t state);
BP_API uint32_t bp_stacks_edge_count(const bp_stacks *stacks, uint32_t state);
BP_API uint32_t bp_stacks_edge_symbol(const bp_stacks *stacks, uint32_t state, uint32_t index);
BP_API uint32_t bp_stacks_edge_to(const bp_stacks *stacks, uint32_t state, uint32_t index);
/** Where the state goes with a symbol; BP_NONE: nowhere. */
BP_API uint32_t bp_stacks_next(const bp_stacks *stacks, uint32_t state, uint32_t symbol);
/** Whether the set has the stack, its top first, with that control location. */
BP_API int bp_stacks_contains(const bp_stacks *stacks, uint32_t control, const uint32_t *symbols,
                              uint32_t height);

/* ---- output ---------------------------------------------------------------- */

/** Writes the stacks of a control location as regular expressions, a line for each symbol that can be on
 *  top: the stack from its top, with `|` for or, `*` for any number of times, `?` for maybe, and
 *  parentheses. What is needed at several places, or again in itself, is written once, in a line of
 *  its own, `<1> = ...`, and `<1>` stands for it; so the text is not much longer than the automaton.
 *  `_` is the empty stack, `.` any symbol for which there is no other edge. `name` NULL: the names of the system. BP_E_IO, BP_E_NOMEM, BP_E_INVALID;
 *  BP_E_LIMIT by the context's limits and cancel, here and below. */
BP_API bp_status bp_stacks_write(const bp_stacks *stacks, const bp_sink *sink, uint32_t control,
                                 bp_symbol_name_fn name, void *user);
/** Writes the automaton for Graphviz. */
BP_API bp_status bp_stacks_write_dot(const bp_stacks *stacks, const bp_sink *sink,
                                     bp_symbol_name_fn name, void *user);

#ifdef __cplusplus
}
#endif
#endif
