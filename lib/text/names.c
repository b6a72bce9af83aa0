/* SPDX-License-Identifier: MIT */
#include "text/parser.h"

typedef BPI_VEC(bpi_var) var_vec;

typedef struct resolver {
  bpi_draft *d;
  bp_program *p;
  var_vec vars;      /* in the final order */
  uint32_t proc;     /* being resolved */
  uint32_t next_old; /* the next variable of `p` in text order */
} resolver;

/* ---- scopes ------------------------------------------------------------ */

static bool move_var(resolver *r, const bpi_var *v)
{
  return bpi_vec_push(&r->vars, *v) || bpi_draft_stop(r->d, BP_E_NOMEM);
}

static bool enter_globals(resolver *r)
{
  for (uint32_t i = 0; i < r->p->vars.count; i++) {
    const bpi_var *v = &r->p->vars.at[i];
    if (v->kind != BP_VAR_GLOBAL) continue;
    bpi_symbol *s = &r->d->symbols.at[v->name];
    if (s->global == BP_NONE) s->global = r->vars.count;
    if (!bpi_vec_push(&r->p->globals, r->vars.count)) return bpi_draft_stop(r->d, BP_E_NOMEM);
    if (!move_var(r, v)) return false;
  }
  return true;
}

/* Where two have one name the first is meant; check.c reports the second. */
static bool enter_proc(resolver *r)
{
  bpi_proc *proc = &r->p->procs.at[r->proc];
  proc->vars.first = r->vars.count;
  for (; r->next_old < r->p->vars.count; r->next_old++) {
    const bpi_var *v = &r->p->vars.at[r->next_old];
    if (v->kind == BP_VAR_GLOBAL) continue;
    if (v->proc != r->proc) break;
    bpi_symbol *s = &r->d->symbols.at[v->name];
    if (s->local_proc != r->proc) s->local = r->vars.count;
    s->local_proc = r->proc;
    if (!move_var(r, v)) return false;
  }
  proc->vars.count = r->vars.count - proc->vars.first;
  return true;
}

static uint32_t meaning(const resolver *r, uint32_t symbol)
{
  const bpi_symbol *s = &r->d->symbols.at[symbol];
  return s->local_proc == r->proc ? s->local : s->global;
}

/* The x of an undeclared `x$`, or BP_NONE. */
static uint32_t mixed_meaning(const resolver *r, uint32_t symbol)
{
  const char *text = bpi_draft_text(r->d, symbol);
  const uint32_t len = r->d->symbols.at[symbol].len;
  if (len < 2 || text[len - 1] != '$') return BP_NONE;
  const uint32_t base = bpi_draft_find(r->d, text, len - 1);
  return base == BP_NONE ? BP_NONE : meaning(r, base);
}

/* A new local of the procedure, or an error, once in each procedure. */
static uint32_t undeclared(resolver *r, uint32_t symbol, uint32_t offset)
{
  bpi_symbol *s = &r->d->symbols.at[symbol];
  const bp_range range = bpi_draft_place(r->d, offset, s->len, &(bp_range){0});
  if (r->d->undeclared == BP_UNDECLARED_LOCAL) {
    const bpi_var v = {
        .name = symbol, .proc = r->proc, .kind = BP_VAR_LOCAL, .init = BP_NONE, .range = range};
    s->local = r->vars.count;
    s->local_proc = r->proc;
    return move_var(r, &v) ? s->local : BP_NONE;
  }
  if (s->reported != r->proc)
    bpi_draft_error(r->d, BPI_MSG_UNDECLARED, NULL, &range, "%s is not declared",
                    bpi_draft_quote(r->d, symbol).text);
  s->reported = r->proc;
  return BP_NONE;
}

/* ---- references -------------------------------------------------------- */

static void resolve_expr(resolver *r, uint32_t expr)
{
  const bpi_expr e = r->p->exprs.at[expr];
  for (uint32_t i = e.first; i < e.first + e.count; i++) {
    bpi_instr *instr = &r->p->code.at[i];
    if (instr->op != BPI_OP_VAR && instr->op != BPI_OP_NEXT) continue;
    const uint32_t symbol = instr->arg;
    instr->arg = meaning(r, symbol);
    if (instr->arg != BP_NONE) continue;
    instr->arg = mixed_meaning(r, symbol);
    if (instr->arg == BP_NONE)
      instr->arg = undeclared(r, symbol, r->d->code_at.at[i]);
    else
      instr->op = instr->op == BPI_OP_VAR ? BPI_OP_MIXED : BPI_OP_MIXED_NEXT;
  }
}

static void resolve_target(resolver *r, uint32_t id, bool assigned)
{
  const uint32_t symbol = r->p->ids.at[id];
  uint32_t var = meaning(r, symbol);
  r->p->ids.at[id] = var;
  if (var != BP_NONE) return;
  if (assigned && !strcmp(bpi_draft_text(r->d, symbol), "_")) return;
  if (assigned && (var = mixed_meaning(r, symbol)) != BP_NONE) {
    if (!bpi_vec_push(&r->p->mixed, (bpi_mixed_target){id, var})) bpi_draft_stop(r->d, BP_E_NOMEM);
    return;
  }
  r->p->ids.at[id] = undeclared(r, symbol, r->d->id_at.at[id]);
}

static void resolve_stmt(resolver *r, const bpi_stmt *s)
{
  const bool assigned = s->kind == BP_STMT_ASSIGN || s->kind == BP_STMT_CALL;
  if (assigned || s->kind == BP_STMT_DEAD || s->kind == BP_STMT_DECL)
    for (uint32_t i = 0; i < s->targets.count; i++)
      resolve_target(r, s->targets.first + i, assigned);
  for (uint32_t i = 0; i < s->exprs.count; i++)
    resolve_expr(r, s->exprs.first + i);
  if (s->constrain != BP_NONE) resolve_expr(r, s->constrain);
}

/* ---- undeclared names as locals ---------------------------------------- */

/* Puts the locals made on the way into the declaration that the parser left for them. */
static bool fill_decl(resolver *r)
{
  bpi_proc *proc = &r->p->procs.at[r->proc];
  const uint32_t first = proc->vars.first + proc->vars.count;
  if (r->d->undeclared != BP_UNDECLARED_LOCAL || first == r->vars.count) return true;
  bpi_stmt *decl = &r->p->stmts.at[proc->stmts.first];
  decl->file = r->p->name;
  decl->targets = (bpi_slice){r->p->ids.count, r->vars.count - first};
  for (uint32_t var = first; var < r->vars.count; var++)
    if (!bpi_vec_push(&r->p->ids, var)) return bpi_draft_stop(r->d, BP_E_NOMEM);
  proc->vars.count = r->vars.count - proc->vars.first;
  return true;
}

/* Takes out the declarations that stayed empty. */
static void drop_decls(resolver *r)
{
  uint32_t to = 0, from = 0;
  for (uint32_t i = 0; i < r->p->procs.count; i++) {
    bpi_slice *stmts = &r->p->procs.at[i].stmts;
    const uint32_t end = stmts->first + stmts->count;
    stmts->first = to;
    for (; from < end; from++) {
      const bpi_stmt s = r->p->stmts.at[from];
      if (s.kind == BP_STMT_DECL && !s.targets.count) continue;
      for (uint32_t j = 0; j < s.labels.count; j++)
        r->p->labels.at[s.labels.first + j].stmt = to;
      r->d->callee_at.at[to] = r->d->callee_at.at[from];
      r->p->stmts.at[to++] = s;
    }
    stmts->count = to - stmts->first;
  }
  r->p->stmts.count = to;
}

/* ---- everything -------------------------------------------------------- */

static void resolve_procs(resolver *r)
{
  for (r->proc = 0; r->proc < r->p->procs.count; r->proc++) {
    const bpi_slice stmts = r->p->procs.at[r->proc].stmts;
    if (!enter_proc(r)) return;
    for (uint32_t i = stmts.first; i < stmts.first + stmts.count; i++) {
      if (!bpi_draft_going(r->d)) return;
      resolve_stmt(r, &r->p->stmts.at[i]);
    }
    if (!fill_decl(r)) return;
  }
}

void bpi_names_resolve(bpi_draft *d)
{
  resolver r = {.d = d, .p = d->program};
  if (!enter_globals(&r)) {
    bpi_vec_free(&r.vars);
    return;
  }
  resolve_procs(&r);
  if (d->status == BP_OK && d->undeclared == BP_UNDECLARED_LOCAL) drop_decls(&r);
  bpi_vec_free(&d->program->vars);
  d->program->vars.at = r.vars.at;
  d->program->vars.count = r.vars.count;
  d->program->vars.capacity = r.vars.capacity;
}
