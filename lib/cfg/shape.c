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

/* Two procedures with as many variables of their own. */
typedef struct pair {
  const bp_program *p;
  bpi_slice vars; /* of the first one */
  uint32_t shift; /* from a variable of the first one to that of the other */
} pair;

/* No statement names a variable of another procedure. */
static bool same_var(const pair *in, uint32_t x, uint32_t y)
{
  return x == y || (y - x == in->shift && x - in->vars.first < in->vars.count);
}

static bool same_instr(const pair *in, const bpi_instr *x, const bpi_instr *y)
{
  if (!memcmp(x, y, sizeof *x)) return true;
  return x->op == y->op && x->op >= BPI_OP_VAR && x->op <= BPI_OP_MIXED_NEXT &&
         same_var(in, x->arg, y->arg);
}

/* `count` expressions, one behind the other. */
static bool same_exprs(const pair *in, uint32_t first, uint32_t other, uint32_t count)
{
  const uint32_t *x = in->p->exprs.at + first, *y = in->p->exprs.at + other;
  const uint32_t begin = bpi_expr_at(in->p, first).first;
  const uint32_t apart = bpi_expr_at(in->p, other).first - begin;
  for (uint32_t k = 0; k < count; k++)
    if (y[k] - x[k] != apart) return false;
  const bpi_instr *from = in->p->code.at + begin, *end = in->p->code.at + x[count - 1];
  for (const bpi_instr *to = from + apart; from < end; from++, to++)
    if (!same_instr(in, from, to)) return false;
  return true;
}

/* Where the targets and expressions of a statement begin, and how many there are; a constrain is one
 * more expression. */
typedef struct parts {
  uint32_t first_target, first_expr, targets, exprs, constrained;
} parts;

static inline parts parts_of(const bp_program *p, uint32_t stmt)
{
  const bpi_row *r = &p->stmts.at[stmt];
  const bpi_base *base = &p->bases.at[stmt / BPI_BASE_ROWS];
  if (!r->wide)
    return (parts){base->first_target + r->first_target, base->first_expr + r->first_expr,
                   r->targets, r->exprs, r->constrained};
  const bpi_wide *w = bpi_stmt_wide(p, stmt);
  return (parts){w->targets.first, w->exprs.first, w->targets.count, w->exprs.count,
                 r->constrained};
}

/* Of two vertices of one kind. */
static bool same_stmt(const pair *in, uint32_t one, uint32_t other)
{
  const parts x = parts_of(in->p, one), y = parts_of(in->p, other);
  if (x.targets != y.targets || x.exprs != y.exprs || x.constrained != y.constrained) return false;
  const uint32_t *ids = in->p->ids.at, exprs = x.exprs + x.constrained;
  for (uint32_t k = 0; k < x.targets; k++)
    if (!same_var(in, ids[x.first_target + k], ids[y.first_target + k])) return false;
  return !exprs || same_exprs(in, x.first_expr, y.first_expr, exprs);
}

/* Their edges, and what they do. */
static bool same_vertex(const bp_cfg *cfg, const pair *in, const bpi_vertex *x, const bpi_vertex *y,
                        uint32_t apart)
{
  const bpi_slice from = bpi_succs(x), to = bpi_succs(y);
  if (x->kind != y->kind || x->weight != y->weight || x->negated != y->negated ||
      from.count != to.count || (x->stmt == BP_NONE) != (y->stmt == BP_NONE))
    return false;
  for (uint32_t k = 0; k < from.count; k++)
    if (cfg->succs.at[to.first + k] - cfg->succs.at[from.first + k] != apart) return false;
  return !has_code(x) || same_stmt(in, x->stmt, y->stmt);
}

static bool same_shape(const bp_cfg *cfg, uint32_t a, uint32_t b)
{
  const bpi_proc *x = &cfg->program->procs.at[a], *y = &cfg->program->procs.at[b];
  const bpi_cfg_proc *one = &cfg->procs.at[a], *other = &cfg->procs.at[b];
  const uint32_t apart = other->vertices.first - one->vertices.first;
  if (x->formals != y->formals || x->results != y->results || x->vars.count != y->vars.count ||
      one->vertices.count != other->vertices.count || other->entry - one->entry != apart ||
      other->exit - one->exit != apart)
    return false;
  const pair in = {cfg->program, x->vars, y->vars.first - x->vars.first};
  const bpi_vertex *v = cfg->vertices.at + one->vertices.first;
  for (uint32_t i = 0; i < one->vertices.count; i++)
    if (!same_vertex(cfg, &in, &v[i], &v[i + apart], apart)) return false;
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
