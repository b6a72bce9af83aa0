/* SPDX-License-Identifier: MIT
 * From formulas to graphs. */
#ifndef BPI_TRANSLATE_H
#define BPI_TRANSLATE_H

#include "temporal/graph.h"
#include "temporal/simplify.h"

enum { BPI_MOST_EDGES = 1000000 }; /* or letters told apart */

typedef struct bpi_translation {
  bpi_job *job;
  bpi_ltl *ltl; /* nodes in negation normal form */
  bpi_simplifier *simple;
  bpi_labels *labels;
  uint32_t aps; /* propositions: the atoms of `ltl`, variables 0 .. aps - 1 */
  uint32_t most_states;
} bpi_translation;

typedef enum bpi_tactic {
  BPI_TACTIC_PLAIN,   /* a state is a conjunction */
  BPI_TACTIC_POSTPONE /* successors by one letter and with the same promises become one disjunction */
} bpi_tactic;

/* An equivalent formula, whose disjunctions wait together. BP_NONE when the job stopped. (gather.c) */
uint32_t bpi_gather(bpi_translation *t, uint32_t root);
/* An automaton of the formula `root`. False when the job stopped; for too many promises with a
 * message. `*fits`: it has no more than `most` states; else `out` is of no use. (expand.c) */
bool bpi_translate(bpi_graph *out, bpi_translation *t, uint32_t root, bpi_tactic tactic,
                   uint32_t most, bool *fits);
/* The smallest automaton that the tactics give, reduced. (translate.c) */
bool bpi_translate_best(bpi_graph *out, bpi_translation *t, uint32_t root);
/* The same; a formula with many parts is taken apart, translated part by part, and the automata are put
 * together. `one`: with at most one set where that happens. (parts.c) */
bool bpi_translate_parts(bpi_graph *out, bpi_translation *t, uint32_t root, bool one);
/* A minimal deterministic weak automaton when `g`, of the formula `root`, has one. `*found`: whether
 * `out` is one. (obligation.c) */
bool bpi_obligation(bpi_graph *out, bpi_translation *t, uint32_t root, const bpi_graph *g,
                    bool *found);

#endif
