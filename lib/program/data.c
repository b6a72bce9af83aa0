/* SPDX-License-Identifier: MIT
 * Variables as the source has them. In a boolean program they are the variables themselves. */
#include "program/program.h"

static bool has_data(const bp_program *program)
{
  return program && program->language != BP_LANGUAGE_BOOLEAN;
}

static const bpi_datum *datum_at(const bp_program *program, uint32_t datum)
{
  return has_data(program) && datum < program->data.count ? &program->data.at[datum] : NULL;
}

bp_language bp_program_language(const bp_program *program)
{
  return program ? (bp_language)program->language : BP_LANGUAGE_BOOLEAN;
}

uint32_t bp_program_datum_count(const bp_program *program)
{
  return has_data(program) ? program->data.count : bp_program_var_count(program);
}

uint32_t bp_program_find_datum(const bp_program *program, uint32_t proc, const char *name)
{
  if (!has_data(program)) return bp_program_find_var(program, proc, name);
  if (!name || (proc != BP_NONE && proc >= program->procs.count)) return BP_NONE;
  uint32_t global = BP_NONE;
  for (uint32_t i = 0; i < program->data.count; i++) {
    const bpi_datum *d = &program->data.at[i];
    if ((d->proc != proc && d->proc != BP_NONE) || strcmp(bpi_name(program, d->name), name))
      continue;
    if (d->proc == proc) return i;
    global = i;
  }
  return global;
}

const char *bp_datum_name(const bp_program *program, uint32_t datum)
{
  const bpi_datum *d = datum_at(program, datum);
  if (d) return bpi_name(program, d->name);
  return has_data(program) ? NULL : bp_var_name(program, datum);
}

bp_var_kind bp_datum_kind_of(const bp_program *program, uint32_t datum)
{
  const bpi_datum *d = datum_at(program, datum);
  if (d) return (bp_var_kind)d->kind;
  return has_data(program) ? BP_VAR_GLOBAL : bp_var_kind_of(program, datum);
}

uint32_t bp_datum_proc(const bp_program *program, uint32_t datum)
{
  const bpi_datum *d = datum_at(program, datum);
  if (d) return d->proc;
  return has_data(program) ? BP_NONE : bp_var_proc(program, datum);
}

void bp_datum_range(const bp_program *program, uint32_t datum, bp_range *out)
{
  const bpi_datum *d = datum_at(program, datum);
  if (!out) return;
  if (d)
    *out = d->range;
  else if (has_data(program))
    *out = (bp_range){0};
  else
    bp_var_range(program, datum, out);
}

uint32_t bp_datum_bits(const bp_program *program, uint32_t datum)
{
  const bpi_datum *d = datum_at(program, datum);
  return d ? d->bits : 0;
}

uint32_t bp_datum_length(const bp_program *program, uint32_t datum)
{
  const bpi_datum *d = datum_at(program, datum);
  return d ? d->length : 0;
}

uint32_t bp_datum_value_count(const bp_program *program, uint32_t datum)
{
  const bpi_datum *d = datum_at(program, datum);
  return d ? d->values.count : 0;
}

const char *bp_datum_value_name(const bp_program *program, uint32_t datum, uint64_t value)
{
  const bpi_datum *d = datum_at(program, datum);
  if (!d || value >= d->values.count) return NULL;
  return bpi_name(program, program->defines.at[d->values.first + (uint32_t)value].name);
}

uint32_t bp_datum_var(const bp_program *program, uint32_t datum, uint32_t element, uint32_t bit)
{
  const bpi_datum *d = datum_at(program, datum);
  if (!d) {
    const bool good = !has_data(program) && datum < bp_program_var_count(program);
    return good && !element && !bit ? datum : BP_NONE;
  }
  const uint32_t width = d->bits ? d->bits : 1, length = d->length ? d->length : 1;
  if (element >= length || bit >= width) return BP_NONE;
  return program->data_vars.at[d->first + element * width + bit];
}

int bp_stmt_silent(const bp_program *program, uint32_t stmt)
{
  return program && stmt < program->stmts.count && bpi_statement_silent(program, stmt);
}

void bpi_program_number(bp_program *p, const uint32_t *vars, uint32_t count)
{
  uint32_t first = BP_NONE;
  for (uint32_t i = 0; i < count; i++)
    if (vars[i] < first) first = vars[i];
  for (uint32_t i = 0; i < count; i++) {
    p->vars.at[vars[i]].number = first + 1;
    p->vars.at[vars[i]].weight = (uint16_t)i;
  }
}

/* The first datum that belongs to a procedure of that number or a higher one; globals come first. */
static uint32_t first_of(const bp_program *p, uint32_t proc)
{
  uint32_t low = 0, high = p->data.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2, home = p->data.at[middle].proc;
    if (home == BP_NONE || home < proc)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t bpi_global_data(const bp_program *p)
{
  return has_data(p) ? first_of(p, 0) : p->globals.count;
}

uint32_t bpi_global_datum(const bp_program *p, uint32_t i)
{
  return has_data(p) ? i : p->globals.at[i];
}

bpi_slice bpi_own_data(const bp_program *p, uint32_t proc)
{
  if (!has_data(p)) return p->procs.at[proc].vars;
  const uint32_t first = first_of(p, proc);
  return (bpi_slice){first, first_of(p, proc + 1) - first};
}
