/* SPDX-License-Identifier: MIT
 * MOD and REF: the globals that a procedure and its callees may change or read. */
#include "cfg/analysis.h"
#include "cfg/sets.h"

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

/* What the vertices of a procedure do themselves. */
static void scan_proc(modref *m, uint32_t proc)
{
  bpi_analysis *a = m->a;
  const bpi_slice all = a->cfg->procs.at[proc].vertices;
  uint64_t *mod = bpi_proc_set(a, a->own_mod, proc), *touch = bpi_proc_set(a, a->touch, proc);
  const uint32_t twin = bpi_twin_of(a, proc);
  if (twin != proc) {
    bpi_set_copy(mod, bpi_proc_set(a, a->own_mod, twin), a->words);
    bpi_set_copy(touch, bpi_proc_set(a, a->touch, twin), a->words);
    return;
  }
  for (uint32_t i = 0; i < all.count; i++) {
    bpi_set_add(touch, bpi_transfer_reads(a, a->transfer_first[proc] + i), a->words);
    bpi_set_add(mod, bpi_transfer_changes(a, a->transfer_first[proc] + i), a->words);
  }
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
  for (uint32_t p = 0; p < procs; p++)
    scan_proc(&m, p);
  for (uint32_t g = 0; g < count; g++)
    touch_code(&m, bpi_proc_set(a, a->touch, cfg->vertices.at[goals[g].vertex].proc), goals[g].when,
               goals[g].when_count);
  for (uint32_t p = 0; p < procs; p++) {
    m.by_rank[cfg->procs.at[p].rank] = p;
    uint64_t *mod = bpi_proc_set(a, a->mod, p), *touch = bpi_proc_set(a, a->touch, p);
    join_globals(a, mod, bpi_proc_set(a, a->own_mod, p));
    bpi_set_add(touch, bpi_proc_set(a, a->own_mod, p), a->words);
    if (on) continue;
    fill_all(a, mod);
    fill_all(a, touch);
  }
  if (on) close_sets(&m);
  bpi_release(m.by_rank);
  return BP_OK;
}
