/* SPDX-License-Identifier: MIT
 * Which variables are worth a look with fewer of them: how far they are from the goals, and what influences
 * one of them most. */
#ifndef BPI_INFLUENCE_H
#define BPI_INFLUENCE_H

#include "cfg/depend.h"

/* What values are computed from, and the branches right above. Zero is empty. */
typedef struct bpi_influence {
  const bpi_analysis *a;
  uint32_t nodes;         /* variables, then results */
  uint32_t *first, *on;   /* by node: its slice of what it depends on */
  uint32_t *weight;       /* by node: how much of what is taken depends on it */
  BPI_VEC(uint32_t) open; /* nodes of some weight */
} bpi_influence;

/* distance.c: how far from the goals, by variable and then by result; BP_NONE: they do not depend on it.
 * Fills `influence`, which is empty, for as long as the analysis lives. NULL without memory. */
uint32_t *bpi_distances(const bpi_analysis *a, const bpi_goal *goals, uint32_t count,
                        bpi_influence *influence);

/* Takes what the dependences say over. False without memory. */
bool bpi_influence_begin(bpi_influence *f, bpi_depends *d);
void bpi_influence_end(bpi_influence *f);
/* Sets `taken`, by node, for a variable and, again and again, for what influences most of those that are
 * taken, to so many variables in all and the results between them. Returns how many variables there are, fewer when
 * nothing else influences them; 0 without memory. */
uint32_t bpi_influence_of(bpi_influence *f, uint32_t variable, uint32_t size, uint8_t *taken);

#endif
