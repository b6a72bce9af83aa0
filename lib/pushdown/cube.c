/* SPDX-License-Identifier: MIT */
#include "pushdown/cube.h"

static bool make_bits(bpi_cube *n)
{
  const bpi_cube_bit none = {BP_NONE, 0, 0};
  const uint32_t vars = n->p->vars.count, cells = BPI_CUBE_COPIES * n->p->data_vars.count;
  if (!bpi_vec_reserve(&n->bits, vars) || !bpi_vec_reserve(&n->known, cells) ||
      !bpi_vec_reserve(&n->value, cells))
    return false;
  while (n->bits.count < vars)
    n->bits.at[n->bits.count++] = none;
  while (n->known.count < cells) {
    n->known.at[n->known.count++] = 0;
    n->value.at[n->value.count++] = 0;
  }
  return true;
}

bool bpi_cube_init(bpi_cube *n, const bp_program *p)
{
  *n = (bpi_cube){0};
  if (!p || p->language == BP_LANGUAGE_BOOLEAN) return true;
  n->p = p;
  if (!make_bits(n)) return false;
  for (uint32_t i = 0; i < p->data.count; i++) {
    const bpi_datum *d = &p->data.at[i];
    const uint32_t width = d->bits ? d->bits : 1, length = d->length ? d->length : 1;
    for (uint32_t k = 0; k < width * length; k++)
      n->bits.at[p->data_vars.at[d->first + k]] = (bpi_cube_bit){i, k / width, k % width};
  }
  return true;
}

void bpi_cube_clear(bpi_cube *n)
{
  bpi_vec_free(&n->bits);
  bpi_vec_free(&n->known);
  bpi_vec_free(&n->value);
}

static const bpi_datum *datum_of(const bpi_cube *n, uint32_t var)
{
  if (!n->p || var == BP_NONE || n->bits.at[var].datum == BP_NONE) return NULL;
  return &n->p->data.at[n->bits.at[var].datum];
}

/* The cell of a copy of a number. */
static uint32_t cell_of(const bpi_cube *n, uint32_t var, uint32_t copy)
{
  const bpi_datum *d = datum_of(n, var);
  return BPI_CUBE_COPIES * (d->first + n->bits.at[var].element * d->bits) + copy;
}

void bpi_cube_add(bpi_cube *n, uint32_t var, uint32_t copy, bool positive)
{
  const bpi_datum *d = datum_of(n, var);
  if (!d || !d->bits) return;
  const uint32_t cell = cell_of(n, var, copy);
  n->known.at[cell]++;
  if (positive) n->value.at[cell] |= (uint32_t)1 << n->bits.at[var].bit;
}

void bpi_cube_forget(bpi_cube *n, uint32_t var, uint32_t copy)
{
  const bpi_datum *d = datum_of(n, var);
  if (!d || !d->bits) return;
  const uint32_t cell = cell_of(n, var, copy);
  n->known.at[cell] = n->value.at[cell] = 0;
}

bool bpi_cube_written(const bpi_cube *n, uint32_t var, uint32_t copy)
{
  const bpi_datum *d = datum_of(n, var);
  return d && d->bits && n->known.at[cell_of(n, var, copy)] == BP_NONE;
}

bpi_cube_part bpi_cube_part_of(bpi_cube *n, uint32_t var, uint32_t copy)
{
  const bpi_datum *d = datum_of(n, var);
  if (!d) return BPI_CUBE_NONE;
  if (!d->bits) return d->length ? BPI_CUBE_ELEMENT : BPI_CUBE_NONE;
  uint32_t *known = &n->known.at[cell_of(n, var, copy)];
  if (*known < d->bits) return BPI_CUBE_SOME;
  *known = BP_NONE;
  return BPI_CUBE_WHOLE;
}

void bpi_cube_name(const bpi_cube *n, uint32_t var, bpi_out *out)
{
  const bpi_datum *d = datum_of(n, var);
  bpi_out_text(out, bpi_name(n->p, d->name));
  if (!d->length) return;
  bpi_out_char(out, '[');
  bpi_out_u64(out, n->bits.at[var].element);
  bpi_out_char(out, ']');
}

void bpi_cube_value(const bpi_cube *n, uint32_t var, uint32_t copy, bpi_out *out)
{
  const uint32_t value = n->value.at[cell_of(n, var, copy)];
  const char *constant = bp_datum_value_name(n->p, n->bits.at[var].datum, value);
  if (constant)
    bpi_out_text(out, constant);
  else
    bpi_out_u64(out, value);
}
