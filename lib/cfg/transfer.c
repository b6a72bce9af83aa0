/* SPDX-License-Identifier: MIT
 * What vertices read and change, as sets of places, once for all procedures that are twins. */
#include "cfg/analysis.h"

/* ---- twins ---------------------------------------------------------------- */

/* Whether a procedure is explored, without goals inside. */
static bool can_have_twins(const bpi_analysis *a, uint32_t proc)
{
  const bpi_slice vertices = a->cfg->procs.at[proc].vertices;
  uint8_t bits = 0;
  for (uint32_t v = vertices.first; v < vertices.first + vertices.count; v++)
    bits |= a->explore[v];
  return bits && !(bits & BPI_GOAL);
}

static uint32_t callee_of(const bpi_analysis *a, uint32_t vertex)
{
  const bpi_vertex *v = &a->cfg->vertices.at[vertex];
  return v->kind == BPI_VERTEX_CALL ? bpi_stmt_callee(a->cfg->program, v->stmt) : BP_NONE;
}

/* Whether the arguments for the same formals matter at each call of two procedures of one shape. */
static bool same_arguments(const bpi_analysis *a, uint32_t one, uint32_t other)
{
  const bp_program *p = a->cfg->program;
  const bpi_slice x = a->cfg->procs.at[one].vertices, y = a->cfg->procs.at[other].vertices;
  for (uint32_t i = 0; i < x.count; i++) {
    const uint32_t f = callee_of(a, x.first + i), g = callee_of(a, y.first + i);
    if (f != g && memcmp(a->var_matters + p->procs.at[f].vars.first,
                         a->var_matters + p->procs.at[g].vars.first, p->procs.at[f].formals) != 0)
      return false;
  }
  return true;
}

/* Whether the same is explored of two procedures of one shape, and the same of their own variables, of their
 * results and of what they call with matters. That it can differ, the goals see to and the condition on the start. */
static bool same_matter(const bpi_analysis *a, uint32_t one, uint32_t other)
{
  const bp_program *p = a->cfg->program;
  const bpi_slice x = p->procs.at[one].vars, y = p->procs.at[other].vars;
  const bpi_slice v = a->cfg->procs.at[one].vertices, w = a->cfg->procs.at[other].vertices;
  return !memcmp(a->explore + v.first, a->explore + w.first, v.count) &&
         !memcmp(a->var_matters + x.first, a->var_matters + y.first, x.count) &&
         !memcmp(a->result_matters + a->result_first[one],
                 a->result_matters + a->result_first[other], p->procs.at[one].results) &&
         same_arguments(a, one, other);
}

bp_status bpi_twins(bpi_analysis *a, bool share)
{
  const uint32_t n = a->cfg->procs.count;
  uint32_t *first = bpi_alloc(n, sizeof *first); /* by shape */
  a->twin = bpi_alloc(n, sizeof *a->twin);
  if (!first || !a->twin) {
    bpi_release(first);
    return BP_E_NOMEM;
  }
  const bool alone = !share || a->tracked || a->kept;
  for (uint32_t p = 0; p < n; p++) {
    const uint32_t shape = a->cfg->procs.at[p].shape;
    a->twin[p] = BP_NONE;
    if (shape == p) first[p] = BP_NONE;
    if (alone || !can_have_twins(a, p)) continue;
    if (first[shape] == BP_NONE)
      first[shape] = p;
    else if (same_matter(a, p, first[shape]))
      a->twin[p] = a->twin[first[shape]] = first[shape];
  }
  bpi_release(first);
  return BP_OK;
}

/* ---- transfers -------------------------------------------------------------- */

typedef struct transfers {
  bpi_analysis *a;
  const bp_program *p;
  uint64_t *reads, *changes; /* of the transfer at hand */
} transfers;

static void read_expr(transfers *f, uint32_t expr)
{
  uint32_t var;
  const bpi_expr x = bpi_expr_at(f->p, expr);
  BPI_FOR_VARS(f->p, &x, var)
  if (f->a->var_matters[var]) bpi_bit_add(f->reads, f->a->place[var]);
}

static bool reads_anything(const transfers *f)
{
  uint64_t any = 0;
  for (uint32_t w = 0; w < f->a->words; w++)
    any |= f->reads[w];
  return any;
}

/* The targets that matter; for an assignment, what is read for them. The last one, BP_NONE: there is none. */
static uint32_t add_targets(transfers *f, const bpi_vertex *v, const bpi_stmt *s, uint32_t *count)
{
  uint32_t last = BP_NONE;
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = f->p->ids.at[s->targets.first + k];
    if (target == BP_NONE || !f->a->var_matters[target]) continue;
    last = f->a->place[target];
    ++*count;
    bpi_bit_add(f->changes, last);
    if (v->kind == BPI_VERTEX_ASSIGN) read_expr(f, s->exprs.first + k);
  }
  return last;
}

static void add_assign(transfers *f, const bpi_vertex *v, const bpi_stmt *s, bpi_transfer *transfer)
{
  uint32_t targets = 0;
  uint32_t enforce = bpi_enforce_of(f->a->cfg, v);
  transfer->target = add_targets(f, v, s, &targets);
  if (s->constrain != BP_NONE || enforce != BP_NONE)
    transfer->kind = BPI_TRANSFER_ASSIGN;
  else if (reads_anything(f))
    transfer->kind = targets == 1 ? BPI_TRANSFER_TARGET : BPI_TRANSFER_ASSIGN;
  if (s->constrain != BP_NONE) read_expr(f, s->constrain);
  for (; enforce != BP_NONE; enforce = f->a->cfg->enforces.at[enforce].outer)
    read_expr(f, f->a->cfg->enforces.at[enforce].expr);
}

/* The arguments for formals that matter. */
static void add_arguments(transfers *f, const bpi_stmt *s)
{
  for (uint32_t k = 0; k < s->exprs.count; k++)
    if (f->a->var_matters[f->p->procs.at[s->callee].vars.first + k])
      read_expr(f, s->exprs.first + k);
}

static void add_results(transfers *f, const bpi_vertex *v, const bpi_stmt *s)
{
  for (uint32_t k = 0; k < s->exprs.count; k++)
    if (f->a->result_matters[f->a->result_first[v->proc] + k]) read_expr(f, s->exprs.first + k);
}

static void add_transfer(transfers *f, const bpi_vertex *v, bpi_transfer *transfer)
{
  uint32_t targets = 0;
  const bpi_stmt s = v->stmt == BP_NONE ? (bpi_stmt){0} : bpi_stmt_at(f->p, v->stmt);
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN: add_assign(f, v, &s, transfer); break;
  case BPI_VERTEX_HAVOC: add_targets(f, v, &s, &targets); break;
  case BPI_VERTEX_BRANCH:
  case BPI_VERTEX_ASSUME:
  case BPI_VERTEX_ASSERT: read_expr(f, s.exprs.first); break;
  case BPI_VERTEX_CALL:
    transfer->kind = BPI_TRANSFER_CALL;
    add_targets(f, v, &s, &targets);
    add_arguments(f, &s);
    break;
  case BPI_VERTEX_RETURN: add_results(f, v, &s); break;
  case BPI_VERTEX_EXIT: transfer->kind = BPI_TRANSFER_EXIT; break;
  default: break;
  }
}

bp_status bpi_transfers(bpi_analysis *a)
{
  const bp_cfg *cfg = a->cfg;
  transfers f = {.a = a, .p = cfg->program};
  uint32_t count = 0;
  a->transfer_first = bpi_alloc(cfg->procs.count, sizeof *a->transfer_first);
  if (!a->transfer_first) return BP_E_NOMEM;
  for (uint32_t p = 0; p < cfg->procs.count; p++) {
    const uint32_t like = bpi_twin_of(a, p);
    a->transfer_first[p] = like == p ? count : a->transfer_first[like];
    if (like == p) count += cfg->procs.at[p].vertices.count;
  }
  a->transfers = bpi_zalloc(count, sizeof *a->transfers);
  a->transfer_sets = bpi_zalloc((size_t)2 * count * a->words, sizeof *a->transfer_sets);
  if (!a->transfers || !a->transfer_sets) return BP_E_NOMEM;
  for (uint32_t p = 0; p < cfg->procs.count; p++) {
    const bpi_slice all = cfg->procs.at[p].vertices;
    for (uint32_t v = all.first; bpi_twin_of(a, p) == p && v < all.first + all.count; v++) {
      const uint32_t transfer = bpi_transfer_of(a, p, v);
      f.reads = a->transfer_sets + (size_t)2 * transfer * a->words;
      f.changes = f.reads + a->words;
      if (a->explore[v]) add_transfer(&f, &cfg->vertices.at[v], &a->transfers[transfer]);
    }
  }
  return BP_OK;
}
