/* SPDX-License-Identifier: MIT */
#include "remopla/parser.h"
#include "remopla/remopla.h"
#include "remopla/world.h"

void bpi_rtree_free(bpi_rtree *t)
{
  bpi_vec_free(&t->code);
  bpi_vec_free(&t->numbers);
  bpi_vec_free(&t->decls);
  bpi_vec_free(&t->lines);
  bpi_vec_free(&t->defines);
  bpi_vec_free(&t->enums);
  bpi_vec_free(&t->modules);
  bpi_vec_free(&t->items);
  bpi_vec_free(&t->stmts);
  bpi_vec_free(&t->sides);
  bpi_vec_free(&t->args);
  bpi_vec_free(&t->labels);
}

/* ---- programs ------------------------------------------------------------ */

static void build(bpi_draft *d, bpi_rtree *t, bpi_source *source, const bp_program_options *options)
{
  bpi_world w = {.d = d,
                 .t = t,
                 .source = source,
                 .module = BP_NONE,
                 .overflow_fails = options->overflow == BP_OVERFLOW_ERROR,
                 .zero_locals = options->locals == BP_LOCALS_ZERO};
  w.reader = (bpi_reader){.d = d, .source = source, .t = t, .p = d->program};
  bpi_circuit_init(&w.reader.circuit);
  if (bpi_rtree_print(t, d) && bpi_declare(&w)) bpi_lower(&w);
  bpi_reader_free(&w.reader);
  bpi_vec_free(&w.names);
  bpi_vec_free(&w.values);
}

void bpi_remopla_read(bpi_draft *d, bpi_source *source, const bp_program_options *options)
{
  bpi_rtree t = {0};
  bpi_rparser p;
  bpi_rparser_init(&p, d, &t, source);
  bpi_rparse(&p);
  bpi_rparser_free(&p);
  /* Consequences of a bad syntax are no news. */
  if (!d->errors && d->status == BP_OK) build(d, &t, source, options);
  bpi_rtree_free(&t);
}

/* ---- conditions ---------------------------------------------------------- */

typedef struct scope {
  const bp_program *p;
  const bpi_draft *d;
  uint32_t proc;
} scope;

static const bpi_datum *datum_of(const bp_program *p, uint32_t proc, const char *name)
{
  for (uint32_t i = 0; i < p->data.count; i++)
    if (p->data.at[i].proc == proc && !strcmp(bpi_name(p, p->data.at[i].name), name))
      return &p->data.at[i];
  return NULL;
}

static bool find(void *user, uint32_t module, uint32_t symbol, bpi_rmeaning *out)
{
  const scope *s = user;
  const char *name = bpi_draft_text(s->d, symbol);
  *out = (bpi_rmeaning){0};
  if (module != BP_NONE) {
    const uint32_t proc = bp_program_find_proc(s->p, bpi_draft_text(s->d, module));
    if (proc != BP_NONE && proc == s->proc) out->datum = datum_of(s->p, proc, name);
    return out->datum != NULL;
  }
  if (s->proc != BP_NONE) out->datum = datum_of(s->p, s->proc, name);
  if (!out->datum) out->datum = datum_of(s->p, BP_NONE, name);
  for (uint32_t i = 0; !out->datum && i < s->p->defines.count; i++)
    if (!strcmp(bpi_name(s->p, s->p->defines.at[i].name), name)) {
      out->value = s->p->defines.at[i].value;
      return true;
    }
  return out->datum != NULL;
}

static bool read_condition(bpi_code *out, bpi_draft *d, bpi_source *source, const bpi_rtree *t,
                           bpi_slice code, scope *in)
{
  bpi_reader r = {.d = d, .source = source, .t = t, .p = in->p, .find = find, .user = in};
  bpi_rvalue v;
  bpi_circuit_init(&r.circuit);
  const bool good = bpi_read_condition(&r, code, &v) &&
                    bpi_circuit_write(&r.circuit, bpi_gate_and(&r.circuit, v.ok, v.bit), out);
  if (!good && !d->errors) bpi_draft_stop(d, BP_E_NOMEM);
  bpi_reader_free(&r);
  return good;
}

bool bpi_remopla_condition(bpi_code *out, bpi_draft *d, bpi_source *source,
                           const bp_program *program, uint32_t proc)
{
  bpi_rtree t = {0};
  bpi_rparser p;
  bpi_slice code;
  scope in = {program, d, proc};
  bpi_rparser_init(&p, d, &t, source);
  bool good = bpi_rparse_expr(&p, &code, false);
  if (good && !bpi_rat(&p, BPI_R_END_OF_FILE))
    good = bpi_rparser_missing(&p, "an operator or the end");
  good = good && !d->errors && d->status == BP_OK;
  bpi_rparser_free(&p);
  good = good && read_condition(out, d, source, &t, code, &in);
  bpi_rtree_free(&t);
  return good;
}
