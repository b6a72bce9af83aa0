/* SPDX-License-Identifier: MIT
 * Nodes in negation normal form, made simple as they are made. Only the rules of one side are
 * written down; those of OR, F, U and M are their duals.
 *
 * [SB] F. Somenzi, R. Bloem, "Efficient Buechi Automata from LTL Formulae", CAV 2000, sections 3, 4.
 * [EH] K. Etessami, G. J. Holzmann, "Optimizing Buechi Automata", CONCUR 2000, section 4.
 * [BKRS] T. Babiak, M. Kretinsky, V. Rehak, J. Strejcek, "LTL to Buechi Automata Translation: Fast
 * and More Deterministic", TACAS 2012. */
#ifndef BPI_SIMPLIFY_H
#define BPI_SIMPLIFY_H

#include "temporal/ltl.h"

enum {
  BPI_EVENTUAL = 1, /* pure eventuality [EH]: true of a word when true of a suffix */
  BPI_UNIVERSAL = 2 /* purely universal [EH]: true of every suffix when true of a word */
};

enum { BPI_KNOWN = 1 << 12 };

typedef struct bpi_simplifier {
  bpi_ltl *l;
  BPI_VEC(uint8_t) traits;
  bpi_ids negations; /* BP_NONE where not made yet */
  uint32_t depth;    /* rules applied inside rules */
  uint32_t fuel;     /* steps left for one question of implication */
  struct {
    uint32_t a, b;
    bool yes;
  } * known; /* answers of bpi_implies() */
} bpi_simplifier;

bool bpi_simplifier_init(bpi_simplifier *s, bpi_ltl *l);
void bpi_simplifier_free(bpi_simplifier *s);

/* All of these: BP_NONE when the job stopped or an operand is BP_NONE. */
uint32_t bpi_simple_and(bpi_simplifier *s, const uint32_t *args, uint32_t count);
uint32_t bpi_simple_or(bpi_simplifier *s, const uint32_t *args, uint32_t count);
uint32_t bpi_simple_unary(bpi_simplifier *s, bp_formula_op op, uint32_t a);
uint32_t bpi_simple_binary(bpi_simplifier *s, bp_formula_op op, uint32_t a, uint32_t b);
/* Of a node in negation normal form. */
uint32_t bpi_simple_not(bpi_simplifier *s, uint32_t a);
/* Everything below made anew. */
uint32_t bpi_simple_all(bpi_simplifier *s, uint32_t root);

/* The traits of a node. */
unsigned bpi_traits(bpi_simplifier *s, uint32_t id);
/* Whether b follows from a, by form. Sound, not complete. */
bool bpi_implies(bpi_simplifier *s, uint32_t a, uint32_t b);

/* simplify_and.c */
uint32_t bpi_simple_conjunction(bpi_simplifier *s, const uint32_t *args, uint32_t count);

#endif
