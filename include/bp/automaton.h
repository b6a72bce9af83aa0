/* SPDX-License-Identifier: MIT
 *
 * Automata on infinite words: transition-based generalised Buechi automata,
 * made from a formula or read from a file of the Hanoi Omega-Automata format.
 *
 * A letter gives every proposition a value. A word is accepted when a run over
 * it from an initial state sees edges of each acceptance set infinitely often
 * (without sets: when there is a run). The automaton of a formula accepts the
 * words on which the formula holds; it is nondeterministic in general.
 *
 * An automaton is immutable and may be shared by threads. States, edges and
 * propositions are dense ids from 0; the edges of a state are neighbours. The
 * getters are const and cannot fail: for an id out of range they answer 0,
 * NULL or BP_NONE. Strings are borrowed as long as the automaton lives. */
#ifndef BP_AUTOMATON_H
#define BP_AUTOMATON_H

#include <bp/formula.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_automaton bp_automaton;

/** At most so many acceptance sets and propositions. */
#define BP_AUTOMATON_MAX_SETS 64
#define BP_AUTOMATON_MAX_APS 256

/* ---- making ------------------------------------------------------------ */

typedef struct bp_automaton_options {
  size_t size;      /**< sizeof(bp_automaton_options); zero the rest for the defaults */
  uint32_t states;  /**< no more states than these on the way, or BP_E_LIMIT; 0: 100,000 */
  int raw;          /**< nonzero: as the translation gives it, without making it smaller */
  int degeneralize; /**< nonzero: at most one acceptance set */
} bp_automaton_options;

/** Translates a formula. `options` may be NULL. The propositions are the formula's atoms, in its
 *  order, as far as they matter. BP_E_NOMEM; BP_E_LIMIT: the context's limits, or too many states;
 *  BP_E_UNSUPPORTED: more propositions or acceptance sets than above. */
BP_API bp_status bp_automaton_from_formula(bp_automaton **out, bp_context *ctx,
                                           const bp_formula *formula,
                                           const bp_automaton_options *options);
/** Reads one automaton from HOA text (docs/ltl.md says what of it); any bytes are allowed. `name` is
 *  used in messages. BP_E_INPUT; BP_E_UNSUPPORTED: well-formed, but alternating or with an acceptance
 *  other than generalised Buechi, or too large; BP_E_NOMEM, BP_E_LIMIT. */
BP_API bp_status bp_automaton_read_hoa(bp_automaton **out, bp_context *ctx, const char *text,
                                       size_t len, const char *name);
BP_API bp_automaton *bp_automaton_ref(bp_automaton *automaton);
BP_API void bp_automaton_unref(bp_automaton *automaton);

/** An equivalent automaton, as a rule a smaller one: without useless states, sets and edges, and with
 *  states merged that simulate each other. BP_E_NOMEM, BP_E_LIMIT, here and below. */
BP_API bp_status bp_automaton_reduce(bp_automaton **out, bp_context *ctx,
                                     const bp_automaton *automaton);
/** An equivalent automaton with at most one acceptance set. */
BP_API bp_status bp_automaton_degeneralize(bp_automaton **out, bp_context *ctx,
                                           const bp_automaton *automaton);
/** An automaton that accepts what both accept. Propositions of the same atom are one.
 *  BP_E_UNSUPPORTED: together they have too many sets or propositions. */
BP_API bp_status bp_automaton_intersect(bp_automaton **out, bp_context *ctx,
                                        const bp_automaton *one, const bp_automaton *other);

/** Writes HOA version 1 with labels and acceptance on edges. BP_E_IO, BP_E_NOMEM. */
BP_API bp_status bp_automaton_write_hoa(const bp_automaton *automaton, const bp_sink *sink);

/* ---- looking ----------------------------------------------------------- */

/** The text it was made from: a formula, or the `name:` of a file; "" when there is none. */
BP_API const char *bp_automaton_name(const bp_automaton *automaton);
BP_API uint32_t bp_automaton_state_count(const bp_automaton *automaton);
BP_API uint32_t bp_automaton_edge_count(const bp_automaton *automaton);
BP_API uint32_t bp_automaton_set_count(const bp_automaton *automaton);
BP_API uint32_t bp_automaton_initial_count(const bp_automaton *automaton);
BP_API uint32_t bp_automaton_initial(const bp_automaton *automaton, uint32_t index);
/** 1 when it accepts no word. */
BP_API int bp_automaton_is_empty(const bp_automaton *automaton);
/** 1 when there is one initial state, and no letter has two edges of a state. */
BP_API int bp_automaton_is_deterministic(const bp_automaton *automaton);

/** The edges of a state are first .. first + count - 1. */
BP_API uint32_t bp_automaton_state_edge_first(const bp_automaton *automaton, uint32_t state);
BP_API uint32_t bp_automaton_state_edge_count(const bp_automaton *automaton, uint32_t state);
BP_API uint32_t bp_automaton_edge_from(const bp_automaton *automaton, uint32_t edge);
BP_API uint32_t bp_automaton_edge_to(const bp_automaton *automaton, uint32_t edge);
/** The acceptance sets of an edge: bit i for set i. */
BP_API uint64_t bp_automaton_edge_sets(const bp_automaton *automaton, uint32_t edge);
/** The label of an edge is a disjunction of cubes, a cube a conjunction of literals; never false. */
BP_API uint32_t bp_automaton_edge_cube_count(const bp_automaton *automaton, uint32_t edge);
/** 1: the proposition must hold, -1: it must not, 0: the cube does not say. */
BP_API int bp_automaton_edge_literal(const bp_automaton *automaton, uint32_t edge, uint32_t cube,
                                     uint32_t ap);

/** The propositions, as atoms of formulas. The range is that in the formula or the HOA file. */
BP_API uint32_t bp_automaton_ap_count(const bp_automaton *automaton);
BP_API bp_atom_kind bp_automaton_ap_kind(const bp_automaton *automaton, uint32_t ap);
BP_API const char *bp_automaton_ap_text(const bp_automaton *automaton, uint32_t ap);
BP_API const char *bp_automaton_ap_proc(const bp_automaton *automaton, uint32_t ap);
BP_API void bp_automaton_ap_range(const bp_automaton *automaton, uint32_t ap, bp_range *out);

#ifdef __cplusplus
}
#endif
#endif
