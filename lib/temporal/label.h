/* SPDX-License-Identifier: MIT
 * Boolean functions as reduced ordered decision diagrams (Bryant, IEEE Trans. Computers 1986), few and
 * small: labels over propositions, and the successors of a state while a formula is translated. A
 * function is an id; equal functions have equal ids. Nothing is given back before the end.
 *
 * The operations recurse over the variables, of which there are at most BPI_LABEL_VARS. */
#ifndef BPI_LABEL_H
#define BPI_LABEL_H

#include "temporal/job.h"

enum { BPI_LABEL_FALSE = 0, BPI_LABEL_TRUE = 1, BPI_LABEL_VARS = 4096 };

typedef struct bpi_label_node {
  uint32_t var, low, high;
} bpi_label_node;

typedef struct bpi_labels {
  bpi_job *job;
  BPI_VEC(bpi_label_node) nodes;
  uint32_t *slots;
  uint32_t slot_count;
  struct bpi_label_known {
    uint32_t op, a, b, result;
  } * known;
} bpi_labels;

bool bpi_labels_init(bpi_labels *t, bpi_job *job);
void bpi_labels_free(bpi_labels *t);

/* FALSE when the job stopped, which the caller finds in its status. */
uint32_t bpi_label_var(bpi_labels *t, uint32_t var);
uint32_t bpi_label_and(bpi_labels *t, uint32_t a, uint32_t b);
uint32_t bpi_label_or(bpi_labels *t, uint32_t a, uint32_t b);
uint32_t bpi_label_not(bpi_labels *t, uint32_t a);
/* a and not b. */
uint32_t bpi_label_minus(bpi_labels *t, uint32_t a, uint32_t b);
uint32_t bpi_label_node_of(bpi_labels *t, uint32_t var, uint32_t low, uint32_t high);

static inline bool bpi_label_implies(bpi_labels *t, uint32_t a, uint32_t b)
{
  return a == b || bpi_label_minus(t, a, b) == BPI_LABEL_FALSE;
}
static inline uint32_t bpi_label_top(const bpi_labels *t, uint32_t a)
{
  return t->nodes.at[a].var;
}

/* A literal: 2 * var, or 2 * var + 1 when negated. */
typedef struct bpi_cube {
  const uint32_t *literals; /* in the order of the variables */
  uint32_t count;
} bpi_cube;
/* Returns false to stop. */
typedef bool bpi_cube_fn(const bpi_cube *cube, void *user);
/* An irredundant cover by prime cubes: Minato, "Fast Generation of Irredundant Sum-of-Products Forms
 * from Binary Decision Diagrams", SASIMI 1992. False when it was stopped. */
bool bpi_label_cover(bpi_labels *t, uint32_t a, bpi_cube_fn *fn, void *user);

#endif
