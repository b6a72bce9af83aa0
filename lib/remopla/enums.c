/* SPDX-License-Identifier: MIT
 * Enums: no variable is ever beyond the constants of its type. Values that are computed are checked like
 * those of numbers; what may be anything (at the start, `undef`, a result that nobody returned) is
 * followed by an assumption. So whoever reads such a variable may rely on its range. */
#include "remopla/lower.h"

uint32_t bpi_lower_fits(bpi_lowering *l, bpi_number x, uint32_t width, uint32_t values)
{
  const uint32_t fits = bpi_number_fits(l->c, x, width);
  if (!values) return fits;
  return bpi_gate_and(l->c, fits, bpi_number_less(l->c, x, bpi_number_constant(l->c, values)));
}

uint32_t bpi_lower_within(bpi_lowering *l, uint32_t gate, const uint32_t *vars, uint32_t width,
                          uint32_t values)
{
  const uint32_t first = l->c->bits.count;
  if (!values) return gate;
  for (uint32_t i = 0; i < width; i++)
    if (!bpi_vec_push(&l->c->bits, bpi_gate_var(l->c, vars[i]))) l->c->memory = false;
  if (!l->c->memory) return gate;
  const bpi_number x = bpi_number_of_bits(l->c, first), end = bpi_number_constant(l->c, values);
  gate = bpi_gate_and(l->c, gate, bpi_number_less(l->c, x, end));
  l->c->bits.count = first;
  return gate;
}

uint32_t bpi_lower_datum_within(bpi_lowering *l, uint32_t gate, const bpi_datum *datum)
{
  const uint32_t *vars = l->p->data_vars.at + datum->first;
  const uint32_t length = datum->length ? datum->length : 1;
  for (uint32_t i = 0; datum->values.count && i < length && bpi_circuit_good(l->c); i++)
    gate =
        bpi_lower_within(l, gate, vars + (size_t)i * datum->bits, datum->bits, datum->values.count);
  return gate;
}

bool bpi_lower_end_unless(bpi_lowering *l, uint32_t gate)
{
  if (!l->c->memory) return bpi_lower_no_memory(l);
  if (gate == BPI_GATE_TRUE) return true;
  l->always.count = 0; /* control is behind the labels now */
  return bpi_lower_condition(l, BP_STMT_ASSUME, gate, true);
}

bool bpi_lower_begin_within(bpi_lowering *l, const bpi_rmodule *m)
{
  const bool entry = m->name == l->d->entry;
  uint32_t gate = BPI_GATE_TRUE;
  l->range = m->range;
  const bpi_slice own = bpi_own_data(l->p, m->proc);
  const uint32_t globals = entry ? bpi_global_data(l->p) : 0;
  for (uint32_t i = 0; i < globals + own.count && bpi_draft_going(l->d); i++) {
    const bpi_datum *datum = &l->p->data.at[i < globals ? i : own.first + i - globals];
    if (entry || datum->kind == BP_VAR_LOCAL) gate = bpi_lower_datum_within(l, gate, datum);
  }
  return bpi_lower_end_unless(l, gate);
}
