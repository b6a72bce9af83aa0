/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "made.h"

#include <bp/formula.h>

void made_make(made *x, const char *program, const char *formula)
{
  bp_formula *f;
  const bp_automaton_options options = {.size = sizeof options, .degeneralize = 1};
  const bpi_product_options product = {.memory = BPI_MEMORY_FRAME, .start = BP_NONE};
  memset(x, 0, sizeof *x);
  assert_int_equal(bp_context_new(&x->ctx), BP_OK);
  assert_int_equal(bp_program_parse(&x->program, x->ctx, program, strlen(program), "p", NULL),
                   BP_OK);
  assert_int_equal(bp_cfg_new(&x->cfg, x->ctx, x->program), BP_OK);
  assert_int_equal(bp_manager_new(&x->m, x->ctx, NULL), BP_OK);
  assert_int_equal(bp_formula_parse(&f, x->ctx, formula, strlen(formula), "f"), BP_OK);
  assert_int_equal(bp_automaton_from_formula(&x->automaton, x->ctx, f, &options), BP_OK);
  bp_formula_unref(f);
  assert_int_equal(bpi_auto_make(&x->a, x->automaton), BP_OK);
  assert_int_equal(bpi_props_make(&x->props, x->ctx, x->cfg, x->automaton, "f", NULL, 0), BP_OK);
  assert_int_equal(
      bpi_product_make(&x->product, x->ctx, x->cfg, &x->a, &x->props, &product, &x->watch), BP_OK);
}

void made_drop(made *x)
{
  bpi_product_clear(&x->product);
  bpi_props_clear(&x->props);
  bpi_auto_clear(&x->a);
  bp_automaton_unref(x->automaton);
  bp_manager_unref(x->m);
  bp_cfg_unref(x->cfg);
  bp_program_unref(x->program);
  bp_context_unref(x->ctx);
}
