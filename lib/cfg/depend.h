/* SPDX-License-Identifier: MIT
 * Which variables and results depend on which. Nodes: the variables by their numbers, behind them the
 * results. */
#ifndef BPI_DEPEND_H
#define BPI_DEPEND_H

#include "cfg/analysis.h"

/* `by` depends on `on`. */
typedef struct bpi_dependence {
  uint32_t by, on;
} bpi_dependence;

typedef struct bpi_depends {
  const bpi_analysis *a;
  const bp_program *p;
  uint32_t nodes;
  BPI_VEC(bpi_dependence) pairs;
  uint32_t *first;  /* by `by`: its slice of `sorted`; after bpi_depend_sort() */
  uint32_t *sorted; /* what it depends on */
  bool failed;      /* no memory */
} bpi_depends;

/* Needs only a->cfg, a->result_first, a->explore. */
void bpi_depend_begin(bpi_depends *d, const bpi_analysis *a);
void bpi_depend_end(bpi_depends *d);
void bpi_depend_on(bpi_depends *d, uint32_t by, uint32_t on);
void bpi_depend_on_expr(bpi_depends *d, uint32_t by, uint32_t expr);
/* What values are computed from: assignments, arguments, results at vertices that are explored. */
void bpi_depend_on_values(bpi_depends *d);
void bpi_depend_sort(bpi_depends *d);

static inline uint32_t bpi_depend_result(const bpi_depends *d, uint32_t proc, uint32_t result)
{
  return d->p->vars.count + d->a->result_first[proc] + result;
}

#endif
