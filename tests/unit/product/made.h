/* SPDX-License-Identifier: MIT
 * The product of a small program and a formula of bad executions, with all that it is made of. */
#ifndef MADE_H
#define MADE_H

#include "product/product.h"

#include <bp/query.h>

typedef struct made {
  bp_context *ctx;
  bp_program *program;
  bp_cfg *cfg;
  bp_manager *m;
  bp_automaton *automaton;
  bpi_auto a;
  bpi_props props;
  bpi_product product;
  bpi_watch watch;
} made;

void made_make(made *x, const char *program, const char *formula);
void made_drop(made *x);

#endif
