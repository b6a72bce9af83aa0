/* SPDX-License-Identifier: MIT */
#include "program/program.h"

struct bpi_user_data {
  const void *key;
  void *data;
  void (*destroy)(void *data);
  bpi_user_data *next;
};

/* ---- life -------------------------------------------------------------- */

static void free_user_data(bpi_user_data *u)
{
  while (u) {
    bpi_user_data *next = u->next;
    if (u->destroy) u->destroy(u->data);
    bpi_release(u);
    u = next;
  }
}

void bpi_program_destroy(bp_program *program)
{
  if (!program) return;
  free_user_data(program->user_data);
  bpi_vec_free(&program->names);
  bpi_vec_free(&program->vars);
  bpi_vec_free(&program->procs);
  bpi_vec_free(&program->stmts);
  bpi_vec_free(&program->bases);
  bpi_vec_free(&program->wides);
  bpi_vec_free(&program->files);
  bpi_vec_free(&program->origins);
  bpi_vec_free(&program->labels);
  bpi_vec_free(&program->code);
  bpi_vec_free(&program->exprs);
  bpi_vec_free(&program->ids);
  bpi_vec_free(&program->globals);
  bpi_vec_free(&program->mixed);
  bpi_vec_free(&program->concurrents);
  bpi_vec_free(&program->data);
  bpi_vec_free(&program->data_vars);
  bpi_vec_free(&program->defines);
  bpi_vec_free(&program->source);
  bpi_vec_free(&program->stmt_texts);
  bpi_release(program);
}

void bpi_program_trim(bp_program *program)
{
  bpi_vec_trim(&program->names);
  bpi_vec_trim(&program->vars);
  bpi_vec_trim(&program->procs);
  bpi_vec_trim(&program->stmts);
  bpi_vec_trim(&program->bases);
  bpi_vec_trim(&program->wides);
  bpi_vec_trim(&program->files);
  bpi_vec_trim(&program->origins);
  bpi_vec_trim(&program->labels);
  bpi_vec_trim(&program->code);
  bpi_vec_trim(&program->exprs);
  bpi_vec_trim(&program->ids);
  bpi_vec_trim(&program->globals);
  bpi_vec_trim(&program->mixed);
  bpi_vec_trim(&program->concurrents);
  bpi_vec_trim(&program->data);
  bpi_vec_trim(&program->data_vars);
  bpi_vec_trim(&program->defines);
  bpi_vec_trim(&program->source);
  bpi_vec_trim(&program->stmt_texts);
}

bp_program *bp_program_ref(bp_program *program)
{
  if (program) atomic_fetch_add_explicit(&program->refs, 1, memory_order_relaxed);
  return program;
}

void bp_program_unref(bp_program *program)
{
  if (program && atomic_fetch_sub_explicit(&program->refs, 1, memory_order_acq_rel) == 1)
    bpi_program_destroy(program);
}

/* ---- the whole --------------------------------------------------------- */

const char *bp_program_name(const bp_program *program)
{
  return program ? bpi_name(program, program->name) : NULL;
}

uint64_t bp_program_fingerprint(const bp_program *program)
{
  /* It is remembered beside what the program says. */
  return program ? bpi_fingerprint((bp_program *)(uintptr_t)program) : 0;
}

uint32_t bp_program_proc_count(const bp_program *program)
{
  return program ? program->procs.count : 0;
}

uint32_t bp_program_var_count(const bp_program *program)
{
  return program ? program->vars.count : 0;
}

uint32_t bp_program_stmt_count(const bp_program *program)
{
  return program ? program->stmts.count : 0;
}

uint32_t bp_program_global_count(const bp_program *program)
{
  return program ? program->globals.count : 0;
}

uint32_t bp_program_entry(const bp_program *program)
{
  return program ? program->entry : BP_NONE;
}

uint32_t bp_program_concurrent_count(const bp_program *program)
{
  return program ? program->concurrent : 0;
}

/* ---- statements -------------------------------------------------------- */

const bpi_wide *bpi_stmt_wide(const bp_program *p, uint32_t stmt)
{
  uint32_t low = 0, high = p->wides.count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (p->wides.at[middle].stmt <= stmt)
      low = middle;
    else
      high = middle;
  }
  return &p->wides.at[low];
}

bp_range bpi_stmt_range(const bp_program *p, uint32_t stmt)
{
  const bpi_row *r = &p->stmts.at[stmt];
  const bpi_base *base = &p->bases.at[stmt / BPI_BASE_ROWS];
  if (r->wide) return bpi_stmt_wide(p, stmt)->range;
  return (bp_range){.offset = base->offset + r->offset,
                    .end = base->offset + r->offset + r->len,
                    .line = base->line + r->line,
                    .column = r->column + (r->line ? 0 : base->column)};
}

bpi_slice bpi_stmt_labels(const bp_program *p, uint32_t stmt)
{
  if (!p->stmts.at[stmt].labelled) return (bpi_slice){0, 0};
  uint32_t low = 0, high = p->labels.count, end;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (p->labels.at[middle].stmt < stmt)
      low = middle + 1;
    else
      high = middle;
  }
  for (end = low; end < p->labels.count && p->labels.at[end].stmt == stmt; end++) {
  }
  return (bpi_slice){low, end - low};
}

uint32_t bpi_stmt_proc(const bp_program *p, uint32_t stmt)
{
  uint32_t low = 0, high = p->procs.count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (p->procs.at[middle].stmts.first <= stmt)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* ---- by name ----------------------------------------------------------- */

uint32_t bp_program_find_proc(const bp_program *program, const char *name)
{
  if (!program || !name) return BP_NONE;
  for (uint32_t i = 0; i < program->procs.count; i++)
    if (!strcmp(bpi_name(program, program->procs.at[i].name), name)) return i;
  return BP_NONE;
}

uint32_t bp_program_find_label(const bp_program *program, uint32_t proc, const char *name,
                               uint32_t index)
{
  if (!program || !name) return BP_NONE;
  bpi_slice within = {0, program->stmts.count};
  if (proc != BP_NONE)
    within = proc < program->procs.count ? program->procs.at[proc].stmts : (bpi_slice){0, 0};
  uint32_t last = BP_NONE;
  for (uint32_t i = 0; i < program->labels.count; i++) {
    const bpi_label *label = &program->labels.at[i];
    if (label->stmt - within.first >= within.count) continue;
    if (label->stmt == last || strcmp(bpi_name(program, label->name), name)) continue;
    last = label->stmt;
    if (index-- == 0) return label->stmt;
  }
  return BP_NONE;
}

uint32_t bp_program_find_var(const bp_program *program, uint32_t proc, const char *name)
{
  if (!program || !name || (proc != BP_NONE && proc >= program->procs.count)) return BP_NONE;
  if (proc != BP_NONE) {
    const bpi_slice vars = program->procs.at[proc].vars;
    for (uint32_t i = vars.first; i < vars.first + vars.count; i++)
      if (!strcmp(bpi_name(program, program->vars.at[i].name), name)) return i;
  }
  for (uint32_t i = 0; i < program->globals.count; i++) {
    const uint32_t var = program->globals.at[i];
    if (!strcmp(bpi_name(program, program->vars.at[var].name), name)) return var;
  }
  return BP_NONE;
}

/* ---- the host's own data ----------------------------------------------- */

static bpi_user_data *find_user_data(const bp_program *program, const void *key)
{
  bpi_user_data *u = program->user_data;
  while (u && u->key != key)
    u = u->next;
  return u;
}

bp_status bp_program_set_user_data(bp_program *program, const void *key, void *data,
                                   void (*destroy)(void *data))
{
  if (!program || !key) return BP_E_INVALID;
  bpi_user_data *u = find_user_data(program, key);
  if (!u) {
    u = bpi_zalloc(1, sizeof *u);
    if (!u) return BP_E_NOMEM;
    u->key = key;
    u->next = program->user_data;
    program->user_data = u;
  } else if (u->destroy) {
    u->destroy(u->data);
  }
  u->data = data;
  u->destroy = destroy;
  return BP_OK;
}

void *bp_program_user_data(const bp_program *program, const void *key)
{
  const bpi_user_data *u = program ? find_user_data(program, key) : NULL;
  return u ? u->data : NULL;
}
