/* SPDX-License-Identifier: MIT */
#include "cfg/depend.h"

void bpi_depend_begin(bpi_depends *d, const bpi_analysis *a)
{
  const bp_program *p = a->cfg->program;
  *d = (bpi_depends){.a = a, .p = p, .nodes = p->vars.count + a->result_first[p->procs.count]};
}

void bpi_depend_end(bpi_depends *d)
{
  bpi_vec_free(&d->pairs);
  bpi_release(d->first);
  bpi_release(d->sorted);
}

void bpi_depend_on(bpi_depends *d, uint32_t by, uint32_t on)
{
  const bpi_dependence pair = {by, on};
  if (!bpi_vec_push(&d->pairs, pair)) d->failed = true;
}

void bpi_depend_on_expr(bpi_depends *d, uint32_t by, uint32_t expr)
{
  uint32_t var;
  const bpi_expr x = bpi_expr_at(d->p, expr);
  BPI_FOR_VARS(d->p, &x, var) bpi_depend_on(d, by, var);
}

static void scan_call(bpi_depends *d, const bpi_stmt *s)
{
  const bpi_proc *callee = &d->p->procs.at[s->callee];
  for (uint32_t i = 0; i < s->exprs.count; i++)
    bpi_depend_on_expr(d, callee->vars.first + i, s->exprs.first + i);
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = d->p->ids.at[s->targets.first + k];
    if (target != BP_NONE) bpi_depend_on(d, target, bpi_depend_result(d, s->callee, k));
  }
}

static void scan_vertex(bpi_depends *d, const bpi_vertex *v)
{
  if (v->stmt == BP_NONE) return;
  const bpi_stmt stmt = bpi_stmt_at(d->p, v->stmt), *s = &stmt;
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN:
    for (uint32_t k = 0; k < s->exprs.count; k++) {
      const uint32_t target = d->p->ids.at[s->targets.first + k];
      if (target != BP_NONE) bpi_depend_on_expr(d, target, s->exprs.first + k);
    }
    break;
  case BPI_VERTEX_CALL: scan_call(d, s); break;
  case BPI_VERTEX_RETURN:
    for (uint32_t k = 0; k < s->exprs.count; k++)
      bpi_depend_on_expr(d, bpi_depend_result(d, v->proc, k), s->exprs.first + k);
    break;
  default: break;
  }
}

void bpi_depend_on_values(bpi_depends *d)
{
  const bp_cfg *cfg = d->a->cfg;
  for (uint32_t v = 0; !d->failed && v < cfg->vertices.count; v++)
    if (d->a->explore[v]) scan_vertex(d, &cfg->vertices.at[v]);
}

void bpi_depend_sort(bpi_depends *d)
{
  if (d->failed) return;
  d->first = bpi_zalloc((size_t)d->nodes + 2, sizeof *d->first);
  d->sorted = bpi_alloc(d->pairs.count, sizeof *d->sorted);
  d->failed = !d->first || !d->sorted;
  if (d->failed) return;
  for (uint32_t i = 0; i < d->pairs.count; i++)
    d->first[d->pairs.at[i].by + 2]++;
  for (uint32_t n = 0; n < d->nodes; n++)
    d->first[n + 2] += d->first[n + 1];
  for (uint32_t i = 0; i < d->pairs.count; i++)
    d->sorted[d->first[d->pairs.at[i].by + 1]++] = d->pairs.at[i].on;
}
