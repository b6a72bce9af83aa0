/* SPDX-License-Identifier: MIT
 * MOD and REF: the globals that a procedure and its callees may change or read. */
#include "cfg/analysis.h"

typedef struct modref {
  bpi_analysis *a;
  const bp_program *p;
  uint32_t *by_rank;
} modref;

static void touch_code(modref *m, uint64_t *touch, const bpi_instr *code, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (code[i].op == BPI_OP_VAR || code[i].op == BPI_OP_NEXT)
      bpi_bit_add(touch, m->a->place[code[i].arg]);
}

static void touch_expr(modref *m, uint64_t *touch, uint32_t expr)
{
  const bpi_expr e = bpi_expr_at(m->p, expr);
  touch_code(m, touch, m->p->code.at + e.first, e.count);
}

/* What one vertex does itself. Right sides of targets outside the cone touch nothing. */
static void scan_vertex(modref *m, const bpi_vertex *v)
{
  uint64_t *mod = bpi_proc_set(m->a, m->a->own_mod, v->proc);
  uint64_t *touch = bpi_proc_set(m->a, m->a->touch, v->proc);
  if (v->stmt == BP_NONE) return;
  const bpi_stmt stmt = bpi_stmt_at(m->p, v->stmt), *s = &stmt;
  if (v->kind == BPI_VERTEX_ASSIGN || v->kind == BPI_VERTEX_HAVOC || v->kind == BPI_VERTEX_CALL)
    for (uint32_t k = 0; k < s->targets.count; k++) {
      const uint32_t target = m->p->ids.at[s->targets.first + k];
      if (target == BP_NONE || !m->a->var_matters[target]) continue;
      bpi_bit_add(mod, m->a->place[target]);
      if (v->kind == BPI_VERTEX_ASSIGN) touch_expr(m, touch, s->exprs.first + k);
    }
  if (v->kind == BPI_VERTEX_CALL)
    for (uint32_t k = 0; k < s->exprs.count; k++)
      if (m->a->var_matters[m->p->procs.at[s->callee].vars.first + k])
        touch_expr(m, touch, s->exprs.first + k);
  if (v->kind == BPI_VERTEX_RETURN)
    for (uint32_t k = 0; k < s->exprs.count; k++)
      if (m->a->result_matters[m->a->result_first[v->proc] + k])
        touch_expr(m, touch, s->exprs.first + k);
  if (v->kind == BPI_VERTEX_BRANCH || v->kind == BPI_VERTEX_ASSUME || v->kind == BPI_VERTEX_ASSERT)
    touch_expr(m, touch, s->exprs.first);
  if (v->kind != BPI_VERTEX_ASSIGN) return;
  if (s->constrain != BP_NONE) touch_expr(m, touch, s->constrain);
  for (uint32_t e = bpi_enforce_of(m->a->cfg, v); e != BP_NONE; e = m->a->cfg->enforces.at[e].outer)
    touch_expr(m, touch, m->a->cfg->enforces.at[e].expr);
}

/* Adds the globals of `from` to `to`; whether that changed anything. */
static bool join_globals(const bpi_analysis *a, uint64_t *to, const uint64_t *from)
{
  bool changed = false;
  for (uint32_t w = 0; w * 64 < a->globals; w++) {
    const uint32_t left = a->globals - w * 64;
    const uint64_t mask = left >= 64 ? UINT64_MAX : ((uint64_t)1 << left) - 1;
    const uint64_t more = from[w] & mask & ~to[w];
    to[w] |= more;
    changed |= more != 0;
  }
  return changed;
}

/* Callees into callers until nothing changes: one round without recursion. */
static void close_sets(modref *m)
{
  bpi_analysis *a = m->a;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = 0; r < m->p->procs.count; r++) {
      const uint32_t callee = m->by_rank[r];
      const bpi_slice calls = a->cfg->procs.at[callee].calls;
      for (uint32_t i = 0; i < calls.count; i++) {
        const uint32_t call = a->cfg->calls.at[calls.first + i];
        const uint32_t caller = a->cfg->vertices.at[call].proc;
        if (!a->explore[call]) continue;
        bool more =
            join_globals(a, bpi_proc_set(a, a->mod, caller), bpi_proc_set(a, a->mod, callee));
        more |=
            join_globals(a, bpi_proc_set(a, a->touch, caller), bpi_proc_set(a, a->touch, callee));
        /* A caller of higher rank still comes in this round. */
        changed |= more && a->cfg->procs.at[caller].rank <= a->cfg->procs.at[callee].rank;
      }
    }
  }
}

static void fill_all(bpi_analysis *a, uint64_t *set)
{
  for (uint32_t i = 0; i < a->globals; i++)
    bpi_bit_add(set, i);
}

bp_status bpi_modref(bpi_analysis *a, const bpi_goal *goals, uint32_t count, bool on)
{
  const bp_cfg *cfg = a->cfg;
  const uint32_t procs = cfg->procs.count;
  modref m = {a, cfg->program, bpi_alloc(procs, sizeof *m.by_rank)};
  a->mod = bpi_zalloc((size_t)procs * a->words, sizeof *a->mod);
  a->touch = bpi_zalloc((size_t)procs * a->words, sizeof *a->touch);
  a->own_mod = bpi_zalloc((size_t)procs * a->words, sizeof *a->own_mod);
  if (!m.by_rank || !a->mod || !a->touch || !a->own_mod) {
    bpi_release(m.by_rank);
    return BP_E_NOMEM;
  }
  for (uint32_t v = 0; v < cfg->vertices.count; v++)
    if (a->explore[v]) scan_vertex(&m, &cfg->vertices.at[v]);
  for (uint32_t g = 0; g < count; g++)
    touch_code(&m, bpi_proc_set(a, a->touch, cfg->vertices.at[goals[g].vertex].proc), goals[g].when,
               goals[g].when_count);
  for (uint32_t p = 0; p < procs; p++) {
    m.by_rank[cfg->procs.at[p].rank] = p;
    uint64_t *mod = bpi_proc_set(a, a->mod, p), *touch = bpi_proc_set(a, a->touch, p);
    join_globals(a, mod, bpi_proc_set(a, a->own_mod, p));
    for (uint32_t w = 0; w < a->words; w++)
      touch[w] |= bpi_proc_set(a, a->own_mod, p)[w];
    if (on) continue;
    fill_all(a, mod);
    fill_all(a, touch);
  }
  if (on) close_sets(&m);
  bpi_release(m.by_rank);
  return BP_OK;
}
