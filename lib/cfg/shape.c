/* SPDX-License-Identifier: MIT
 * Procedures of one shape. Generated programs have many that differ in names alone. */
#include "base/hash.h"
#include "cfg/cfg.h"

/* A variable, told in a way that is the same in procedures of one shape. */
static uint32_t relative(const bpi_proc *proc, uint32_t var)
{
  const uint32_t own = var - proc->vars.first;
  return own < proc->vars.count ? own | (uint32_t)1 << 31 : var;
}

static uint32_t relative_arg(const bpi_proc *proc, bpi_instr in)
{
  return in.op >= BPI_OP_VAR && in.op <= BPI_OP_MIXED_NEXT ? relative(proc, in.arg) : in.arg;
}

/* The expressions of a statement, which stand one behind the other. */
static bpi_slice exprs_of(const bpi_stmt *s)
{
  return (bpi_slice){s->exprs.first, s->exprs.count + (s->constrain != BP_NONE)};
}

/* Where jumps go is seen in the edges. */
static bool has_code(const bpi_vertex *v)
{
  return v->kind != BPI_VERTEX_STEP && v->stmt != BP_NONE;
}

static inline uint64_t mix(uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

static uint64_t hash_stmt(const bp_program *p, const bpi_proc *proc, uint32_t stmt, uint64_t hash)
{
  const bpi_stmt s = bpi_stmt_at(p, stmt);
  const bpi_slice exprs = exprs_of(&s);
  for (uint32_t k = 0; k < s.targets.count; k++)
    hash = mix(hash, relative(proc, p->ids.at[s.targets.first + k]));
  if (!exprs.count) return hash;
  const uint32_t end = p->exprs.at[exprs.first + exprs.count - 1];
  for (uint32_t i = bpi_expr_at(p, exprs.first).first; i < end; i++)
    hash = mix(hash, p->code.at[i].op | (uint64_t)relative_arg(proc, p->code.at[i]) << 5);
  return hash;
}

static uint64_t hash_proc(const bp_cfg *cfg, uint32_t proc)
{
  const bpi_proc *x = &cfg->program->procs.at[proc];
  const bpi_slice all = cfg->procs.at[proc].vertices;
  uint64_t hash = mix(BPI_HASH_START, x->vars.count | (uint64_t)all.count << 32);
  for (uint32_t i = all.first; i < all.first + all.count; i++) {
    const bpi_vertex *v = &cfg->vertices.at[i];
    hash = mix(hash, v->kind);
    if (has_code(v)) hash = hash_stmt(cfg->program, x, v->stmt, hash);
  }
  return hash;
}

/* ---- comparing ------------------------------------------------------------ */

static bool same_exprs(const bp_program *p, const bpi_proc *a, const bpi_proc *b, bpi_slice x,
                       bpi_slice y)
{
  if (x.count != y.count) return false;
  for (uint32_t k = 0; k < x.count; k++) {
    const bpi_expr v = bpi_expr_at(p, x.first + k), w = bpi_expr_at(p, y.first + k);
    if (v.count != w.count) return false;
    for (uint32_t i = 0; i < v.count; i++) {
      const bpi_instr one = p->code.at[v.first + i], other = p->code.at[w.first + i];
      if (one.op != other.op || relative_arg(a, one) != relative_arg(b, other)) return false;
    }
  }
  return true;
}

static bool same_stmt(const bp_program *p, const bpi_proc *a, const bpi_proc *b, uint32_t one,
                      uint32_t other)
{
  const bpi_stmt x = bpi_stmt_at(p, one), y = bpi_stmt_at(p, other);
  if (x.kind != y.kind || x.targets.count != y.targets.count ||
      (x.constrain == BP_NONE) != (y.constrain == BP_NONE))
    return false;
  for (uint32_t k = 0; k < x.targets.count; k++)
    if (relative(a, p->ids.at[x.targets.first + k]) != relative(b, p->ids.at[y.targets.first + k]))
      return false;
  return same_exprs(p, a, b, exprs_of(&x), exprs_of(&y));
}

/* The edges of the i-th vertex, and what it does. */
static bool same_vertex(const bp_cfg *cfg, uint32_t a, uint32_t b, uint32_t i)
{
  const uint32_t first = cfg->procs.at[a].vertices.first, second = cfg->procs.at[b].vertices.first;
  const bpi_vertex *x = &cfg->vertices.at[first + i], *y = &cfg->vertices.at[second + i];
  const bpi_slice from = bpi_succs(x), to = bpi_succs(y);
  if (x->kind != y->kind || x->weight != y->weight || x->negated != y->negated ||
      has_code(x) != has_code(y) || from.count != to.count)
    return false;
  for (uint32_t k = 0; k < from.count; k++)
    if (cfg->succs.at[from.first + k] - first != cfg->succs.at[to.first + k] - second) return false;
  const bp_program *p = cfg->program;
  return !has_code(x) || same_stmt(p, &p->procs.at[a], &p->procs.at[b], x->stmt, y->stmt);
}

static bool same_shape(const bp_cfg *cfg, uint32_t a, uint32_t b)
{
  const bpi_proc *x = &cfg->program->procs.at[a], *y = &cfg->program->procs.at[b];
  const bpi_cfg_proc *one = &cfg->procs.at[a], *other = &cfg->procs.at[b];
  if (x->formals != y->formals || x->results != y->results || x->vars.count != y->vars.count ||
      one->vertices.count != other->vertices.count ||
      one->entry - one->vertices.first != other->entry - other->vertices.first ||
      one->exit - one->vertices.first != other->exit - other->vertices.first)
    return false;
  for (uint32_t i = 0; i < one->vertices.count; i++)
    if (!same_vertex(cfg, a, b, i)) return false;
  return true;
}

/* ---- the table ------------------------------------------------------------- */

typedef struct shapes {
  uint32_t *procs; /* open addressing; BP_NONE: free */
  uint64_t *hashes;
  uint32_t size;
  uint32_t last; /* the shape found last, or BP_NONE */
} shapes;

/* Neighbours are often of one shape. */
static uint32_t find_shape(shapes *t, const bp_cfg *cfg, uint32_t proc)
{
  if (t->last != BP_NONE && same_shape(cfg, t->last, proc)) return t->last;
  const uint64_t hash = hash_proc(cfg, proc);
  uint32_t at = (uint32_t)hash & (t->size - 1);
  for (; t->procs[at] != BP_NONE; at = (at + 1) & (t->size - 1))
    if (t->hashes[at] == hash && same_shape(cfg, t->procs[at], proc)) return t->last = t->procs[at];
  t->procs[at] = proc;
  t->hashes[at] = hash;
  return t->last = proc;
}

bool bpi_cfg_shapes(bp_cfg *cfg)
{
  const uint32_t n = cfg->procs.count;
  shapes t = {.size = 64, .last = BP_NONE};
  while (t.size / 2 < n)
    t.size *= 2;
  t.procs = bpi_alloc(t.size, sizeof *t.procs);
  t.hashes = bpi_alloc(t.size, sizeof *t.hashes);
  const bool memory = t.procs && t.hashes;
  for (uint32_t i = 0; memory && i < t.size; i++)
    t.procs[i] = BP_NONE;
  /* What is enforced at a place is no part of a statement there: those programs are left alone. */
  for (uint32_t proc = 0; memory && proc < n; proc++) {
    const bool alone = cfg->enforces.count || !cfg->procs.at[proc].vertices.count;
    cfg->procs.at[proc].shape = alone ? proc : find_shape(&t, cfg, proc);
  }
  bpi_release(t.procs);
  bpi_release(t.hashes);
  return memory;
}
