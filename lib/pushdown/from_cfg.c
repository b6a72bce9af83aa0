/* SPDX-License-Identifier: MIT
 * The pushdown system of a program (Esparza & Schwoon, CAV 2001, section 3): a vertex is a symbol, an
 * assignment replaces one by its successor, a call puts the callee's entry above a return point, an exit
 * leaves nothing. Results are handed over in globals of their own. */
#include "pushdown/pushdown.h"

#include "cfg/cfg.h"

#include <stdio.h>

typedef struct maker {
  bp_context *ctx;
  const bp_cfg *cfg;
  const bp_program *program;
  bp_pushdown *p;
  bpi_watch watch;
  bp_status status;
  uint32_t *operand;  /* by variable */
  uint8_t *assigned;  /* by variable: scratch */
  uint32_t *back;     /* by vertex: the symbol behind its call */
  uint32_t results;   /* the most of any procedure */
  bpi_code code;      /* of the rule being made */
  uint32_t registers; /* that it uses so far */
  BPI_VEC(char) name; /* scratch */
} maker;

static bool failed(maker *k)
{
  if (k->status == BP_OK) k->status = BP_E_NOMEM;
  return false;
}

/* ---- names ------------------------------------------------------------------- */

static uint32_t declare(maker *k, bpi_name_kind kind, uint32_t scope, const char *name)
{
  bool taken;
  const uint32_t id = bpi_pushdown_declare(k->p, kind, scope, name, &taken);
  if (id >= BPI_MOST_NAMES) failed(k);
  return id;
}

/* "PROC.number" and what else stands behind. */
static uint32_t declare_symbol(maker *k, uint32_t vertex, const char *behind)
{
  const uint32_t proc = k->cfg->vertices.at[vertex].proc;
  const char *name = bpi_name(k->program, k->program->procs.at[proc].name);
  const size_t size = strlen(name) + strlen(behind) + 16;
  k->name.count = 0;
  if (!bpi_vec_reserve(&k->name, size)) return failed(k), BP_NONE;
  snprintf(k->name.at, size, "%s.%u%s", name,
           (unsigned)(vertex - k->cfg->procs.at[proc].vertices.first), behind);
  const uint32_t id = declare(k, BPI_NAME_SYMBOL, 0, k->name.at);
  if (id < BPI_MOST_NAMES) {
    k->p->symbols.at[id].scope = proc;
    if (!bpi_vec_push(&k->p->vertices, vertex)) failed(k);
  }
  return id;
}

static void declare_results(maker *k)
{
  for (uint32_t i = 0; i < k->results && k->status == BP_OK; i++) {
    char name[64];
    uint32_t other = 0;
    do
      snprintf(name, sizeof name, other ? "{return %u #%u}" : "{return %u}", (unsigned)i,
               (unsigned)other);
    while (bpi_pushdown_knows(k->p, name) && ++other);
    declare(k, BPI_NAME_GLOBAL, 0, name);
  }
}

static void declare_variables(maker *k)
{
  const bp_program *program = k->program;
  for (uint32_t i = 0; i < program->globals.count && k->status == BP_OK; i++) {
    const uint32_t var = program->globals.at[i];
    k->operand[var] = declare(k, BPI_NAME_GLOBAL, 0, bpi_name(program, program->vars.at[var].name));
  }
  for (uint32_t i = 0; i < program->procs.count && k->status == BP_OK; i++) {
    const bpi_slice vars = program->procs.at[i].vars;
    if (!bpi_vec_push(&k->p->scopes, (bpi_scope){0})) failed(k);
    for (uint32_t v = vars.first; v < vars.first + vars.count && k->status == BP_OK; v++)
      k->operand[v] =
          declare(k, BPI_NAME_LOCAL, i, bpi_name(program, program->vars.at[v].name)) | BPI_LOCAL;
    if (program->procs.at[i].results > k->results) k->results = program->procs.at[i].results;
  }
  declare_results(k);
}

static void declare_symbols(maker *k)
{
  const uint32_t count = k->cfg->vertices.count;
  declare(k, BPI_NAME_CONTROL, 0, "run");
  for (uint32_t v = 0; v < count && k->status == BP_OK; v++)
    declare_symbol(k, v, "");
  for (uint32_t v = 0; v < count && k->status == BP_OK; v++)
    if (k->cfg->vertices.at[v].kind == BPI_VERTEX_CALL) k->back[v] = declare_symbol(k, v, ".back");
}

/* ---- code --------------------------------------------------------------------- */

static void emit(maker *k, bpi_op op, uint32_t arg)
{
  const bpi_instr in = {op, arg};
  if (!bpi_vec_push(&k->code, in)) failed(k);
}

/* Behind each conjunct; `first` is where it begins. */
static void conjunct(maker *k, uint32_t first)
{
  if (first) emit(k, BPI_OP_AND, 0);
}

/* How variables in expressions are read; the assigned ones have values before and after. */
typedef enum reading { BEFORE, PRIMED, AFTER } reading;

static void copy_expr(maker *k, uint32_t expr, reading how)
{
  const bpi_expr x = bpi_expr_at(k->program, expr);
  const uint32_t first = k->registers; /* each expression has its own */
  for (uint32_t i = x.first; i < x.first + x.count; i++) {
    const bpi_instr in = k->program->code.at[i];
    if (in.op >= BPI_OP_KEEP) {
      emit(k, in.op, first + in.arg);
      if (first + in.arg >= k->registers) k->registers = first + in.arg + 1;
      continue;
    }
    if (in.op != BPI_OP_VAR && in.op != BPI_OP_NEXT) {
      emit(k, in.op, in.arg);
      continue;
    }
    const bool after = how == AFTER || (how == PRIMED && in.op == BPI_OP_NEXT);
    emit(k, after && k->assigned[in.arg] ? BPI_OP_NEXT : BPI_OP_VAR, k->operand[in.arg]);
  }
}

/* After the step the operand is the value of the expression; BP_NONE: it is arbitrary. */
static void becomes(maker *k, uint32_t operand, uint32_t expr)
{
  const uint32_t first = k->code.count;
  emit(k, BPI_OP_NEXT, operand);
  if (expr == BP_NONE)
    emit(k, BPI_OP_NONDET, 0);
  else
    copy_expr(k, expr, BEFORE);
  emit(k, BPI_OP_EQ, 0);
  conjunct(k, first);
}

static void condition(maker *k, uint32_t expr, reading how, bool negated)
{
  const uint32_t first = k->code.count;
  copy_expr(k, expr, how);
  if (negated) emit(k, BPI_OP_NOT, 0);
  conjunct(k, first);
}

static uint32_t result_operand(const maker *k, uint32_t i)
{
  return k->program->globals.count + i;
}

/* ---- statements ------------------------------------------------------------------ */

static void add_rule(maker *k, uint32_t symbol, uint32_t top, uint32_t below)
{
  const bpi_rule rule = {.symbol = symbol, .top = top, .below = below};
  if (k->status == BP_OK && !bpi_pushdown_add_rule(k->p, &rule, k->code.at, k->code.count))
    failed(k);
  k->code.count = k->registers = 0;
}

/* The rightmost of equal targets counts. */
static bool takes(maker *k, uint32_t target)
{
  if (target == BP_NONE || k->assigned[target]) return false;
  k->assigned[target] = 1;
  return true;
}

static void forget(maker *k, const bpi_stmt *s)
{
  for (uint32_t i = 0; i < s->targets.count; i++) {
    const uint32_t target = k->program->ids.at[s->targets.first + i];
    if (target != BP_NONE) k->assigned[target] = 0;
  }
}

static void assign(maker *k, const bpi_vertex *v, const bpi_stmt *s)
{
  for (uint32_t i = s->targets.count; i-- > 0;) {
    const uint32_t target = k->program->ids.at[s->targets.first + i];
    if (takes(k, target))
      becomes(k, k->operand[target], v->kind == BPI_VERTEX_ASSIGN ? s->exprs.first + i : BP_NONE);
  }
  if (v->kind == BPI_VERTEX_ASSIGN) {
    if (s->constrain != BP_NONE) condition(k, s->constrain, PRIMED, false);
    for (uint32_t n = bpi_enforce_of(k->cfg, v); n != BP_NONE; n = k->cfg->enforces.at[n].outer)
      condition(k, k->cfg->enforces.at[n].expr, AFTER, false);
  }
  forget(k, s);
}

static void call(maker *k, uint32_t vertex, const bpi_stmt *s)
{
  const bpi_cfg_proc *callee = &k->cfg->procs.at[s->callee];
  if (callee->entry == BP_NONE) return;
  for (uint32_t i = 0; i < s->exprs.count; i++)
    becomes(k, i | BPI_LOCAL, s->exprs.first + i);
  add_rule(k, vertex, callee->entry, k->back[vertex]);
}

static void come_back(maker *k, uint32_t vertex, const bpi_stmt *s, uint32_t next)
{
  for (uint32_t i = s->targets.count; i-- > 0;) {
    const uint32_t target = k->program->ids.at[s->targets.first + i], first = k->code.count;
    if (!takes(k, target)) continue;
    emit(k, BPI_OP_NEXT, k->operand[target]);
    emit(k, BPI_OP_VAR, result_operand(k, i));
    emit(k, BPI_OP_EQ, 0);
    conjunct(k, first);
  }
  for (uint32_t i = 0; i < k->results; i++)
    becomes(k, result_operand(k, i), BP_NONE);
  add_rule(k, k->back[vertex], next, BP_NONE);
  forget(k, s);
}

static void hand_over(maker *k, const bpi_stmt *s)
{
  for (uint32_t i = 0; i < k->results; i++)
    becomes(k, result_operand(k, i), i < s->exprs.count ? s->exprs.first + i : BP_NONE);
}

static void edge(maker *k, uint32_t vertex, const bpi_stmt *s, uint32_t i)
{
  const bpi_vertex *v = &k->cfg->vertices.at[vertex];
  const uint32_t next = k->cfg->succs.at[bpi_succs(v).first + i];
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN:
  case BPI_VERTEX_HAVOC: assign(k, v, s); break;
  case BPI_VERTEX_BRANCH:
  case BPI_VERTEX_ASSUME:
  case BPI_VERTEX_ASSERT:
    condition(k, s->exprs.first, BEFORE, v->negated != (v->kind == BPI_VERTEX_BRANCH && i == 1));
    break;
  case BPI_VERTEX_RETURN: hand_over(k, s); break;
  case BPI_VERTEX_CALL: come_back(k, vertex, s, next); return;
  default: break;
  }
  add_rule(k, vertex, next, BP_NONE);
}

static void make_rules(maker *k)
{
  for (uint32_t i = 0; i < k->cfg->vertices.count && k->status == BP_OK; i++) {
    const bpi_vertex *v = &k->cfg->vertices.at[i];
    const bpi_stmt s = v->stmt == BP_NONE ? (bpi_stmt){0} : bpi_stmt_at(k->program, v->stmt);
    if (v->kind == BPI_VERTEX_EXIT) add_rule(k, i, BP_NONE, BP_NONE);
    if (v->kind == BPI_VERTEX_CALL) call(k, i, &s);
    for (uint32_t e = 0; e < bpi_succs(v).count && k->status == BP_OK; e++)
      edge(k, i, &s, e);
    if (k->status == BP_OK && bpi_watch_expired(&k->watch)) k->status = BP_E_LIMIT;
  }
}

/* Where the program begins, and the values that initialisers give. */
static void make_start(maker *k)
{
  const bp_program *program = k->program;
  bp_pushdown *p = k->p;
  for (uint32_t i = 0; i < program->globals.count; i++) {
    const uint32_t expr = program->vars.at[program->globals.at[i]].init, first = k->code.count;
    if (expr == BP_NONE) continue;
    emit(k, BPI_OP_VAR, i);
    copy_expr(k, expr, BEFORE);
    emit(k, BPI_OP_EQ, 0);
    conjunct(k, first);
  }
  p->start = k->cfg->procs.at[program->entry].entry;
  p->start_code = (bpi_slice){p->code.count, k->code.count};
  if (!bpi_vec_reserve(&p->code, k->code.count)) failed(k);
  if (k->status != BP_OK) return;
  if (k->code.count)
    memcpy(p->code.at + p->code.count, k->code.at, k->code.count * sizeof *k->code.at);
  p->code.count += k->code.count;
}

static void make(maker *k)
{
  const uint32_t vars = k->program->vars.count;
  k->p = bpi_pushdown_begin();
  k->operand = bpi_zalloc(vars, sizeof *k->operand);
  k->assigned = bpi_zalloc(vars, 1);
  k->back = bpi_zalloc(k->cfg->vertices.count, sizeof *k->back);
  if (!k->p || !k->operand || !k->assigned || !k->back) {
    failed(k);
    return;
  }
  k->p->program = bp_program_ref((bp_program *)(uintptr_t)k->program);
  declare_variables(k);
  if (k->status == BP_OK) declare_symbols(k);
  if (k->status == BP_OK) make_rules(k);
  if (k->status == BP_OK) make_start(k);
}

bp_status bp_pushdown_from_cfg(bp_pushdown **out, bp_context *ctx, const bp_cfg *cfg)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || !cfg) return bpi_invalid(ctx, "%s is NULL", out ? "cfg" : "out");
  bpi_context_begin(ctx);
  if ((uint64_t)2 * cfg->vertices.count >= BPI_MOST_NAMES ||
      cfg->program->vars.count >= BPI_MOST_NAMES / 2)
    return bpi_fail(ctx, BP_E_LIMIT, BPI_MSG_TOO_LARGE, "the program is too large");
  maker k = {.ctx = ctx, .cfg = cfg, .program = cfg->program, .watch = bpi_context_watch(ctx)};
  make(&k);
  bpi_release(k.operand);
  bpi_release(k.assigned);
  bpi_release(k.back);
  bpi_vec_free(&k.code);
  bpi_vec_free(&k.name);
  if (k.status == BP_OK)
    *out = k.p;
  else
    bp_pushdown_unref(k.p);
  if (k.status == BP_E_LIMIT)
    return bpi_fail(ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped while making a pushdown system");
  return k.status == BP_OK ? BP_OK : bpi_no_memory(ctx);
}
