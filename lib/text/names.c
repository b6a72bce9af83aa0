/* SPDX-License-Identifier: MIT */
#include "text/parser.h"

typedef BPI_VEC(bpi_var) var_vec;

#define MOVE_TABLE(to, from)                                                                       \
  ((to)->at = (from)->at, (to)->count = (from)->count, (to)->capacity = (from)->capacity,          \
   (from)->at = NULL, (from)->count = (from)->capacity = 0)

typedef struct resolver {
  bpi_draft *d;
  bp_program *p;
  var_vec vars; /* in the final order, unless `p` has them so already */
  bool ordered;
  uint32_t count;    /* of those so far */
  uint32_t proc;     /* being resolved */
  uint32_t next_old; /* the next variable of `p` in text order */
} resolver;

/* ---- scopes ------------------------------------------------------------ */

static bool move_var(resolver *r, const bpi_var *v)
{
  if (r->count >= BPI_MAX_ARGS) return bpi_draft_many(r->d, "variables");
  if (!r->ordered && !bpi_vec_push(&r->vars, *v)) return bpi_draft_stop(r->d, BP_E_NOMEM);
  r->count++;
  return true;
}

/* Whether the globals come first, and no variable has to be put in. */
static bool is_ordered(const bpi_draft *d)
{
  bool locals = false;
  for (uint32_t i = 0; i < d->program->vars.count; i++) {
    const bool global = d->program->vars.at[i].kind == BP_VAR_GLOBAL;
    if (global && locals) return false;
    locals = locals || !global;
  }
  return d->undeclared != BP_UNDECLARED_LOCAL;
}

static bool enter_globals(resolver *r)
{
  for (uint32_t i = 0; i < r->p->vars.count; i++) {
    const bpi_var *v = &r->p->vars.at[i];
    if (v->kind != BP_VAR_GLOBAL) continue;
    bpi_symbol *s = &r->d->symbols.at[v->name];
    if (s->global == BP_NONE) s->global = r->count;
    if (!bpi_vec_push(&r->p->globals, r->count)) return bpi_draft_stop(r->d, BP_E_NOMEM);
    if (!move_var(r, v)) return false;
  }
  return true;
}

/* Where two have one name the first is meant; check.c reports the second. */
static bool enter_proc(resolver *r)
{
  bpi_proc *proc = &r->p->procs.at[r->proc];
  proc->vars.first = r->count;
  for (; r->next_old < r->p->vars.count; r->next_old++) {
    const bpi_var *v = &r->p->vars.at[r->next_old];
    if (v->kind == BP_VAR_GLOBAL) continue;
    if (v->proc != r->proc) break;
    bpi_symbol *s = &r->d->symbols.at[v->name];
    if (s->local_proc != r->proc) s->local = r->count;
    s->local_proc = r->proc;
    if (!move_var(r, v)) return false;
  }
  proc->vars.count = r->count - proc->vars.first;
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
static uint32_t undeclared(resolver *r, uint32_t symbol, const bp_range *range)
{
  bpi_symbol *s = &r->d->symbols.at[symbol];
  if (r->d->undeclared == BP_UNDECLARED_LOCAL) {
    const bpi_var v = {
        .name = symbol, .proc = r->proc, .kind = BP_VAR_LOCAL, .init = BP_NONE, .range = *range};
    s->local = r->count;
    s->local_proc = r->proc;
    return move_var(r, &v) ? s->local : BP_NONE;
  }
  if (s->reported != r->proc)
    bpi_draft_error(r->d, BPI_MSG_UNDECLARED, NULL, range, "%s is not declared",
                    bpi_draft_quote(r->d, symbol).text);
  s->reported = r->proc;
  return BP_NONE;
}

/* ---- references -------------------------------------------------------- */

/* What a name in an expression means: a variable, or BP_NONE. */
static uint32_t resolve_name(resolver *r, uint32_t stmt, uint32_t at, uint32_t symbol)
{
  bpi_instr *instr = &r->p->code.at[at];
  const uint32_t var = mixed_meaning(r, symbol);
  if (var != BP_NONE) {
    instr->op = instr->op == BPI_OP_VAR ? BPI_OP_MIXED : BPI_OP_MIXED_NEXT;
    return var;
  }
  const bp_range range = bpi_draft_name_place(r->d, stmt, at, r->d->symbols.at[symbol].len);
  return undeclared(r, symbol, &range);
}

/* The expressions of a statement, which stand one behind the other. */
static void resolve_exprs(resolver *r, uint32_t stmt, uint32_t first, uint32_t count)
{
  if (!count) return;
  bpi_instr *const code = r->p->code.at;
  const uint32_t end = r->p->exprs.at[first + count - 1];
  for (uint32_t i = bpi_expr_at(r->p, first).first; i < end; i++) {
    if (code[i].op != BPI_OP_VAR && code[i].op != BPI_OP_NEXT) continue;
    uint32_t var = meaning(r, code[i].arg);
    if (var == BP_NONE) var = resolve_name(r, stmt, i, code[i].arg);
    code[i].arg = var & BPI_MAX_ARGS; /* the program is refused without it */
  }
}

static void resolve_target(resolver *r, uint32_t stmt, uint32_t n, uint32_t id, bool assigned)
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
  const bp_range range = bpi_draft_target_place(r->d, stmt, n, r->d->symbols.at[symbol].len);
  r->p->ids.at[id] = undeclared(r, symbol, &range);
}

static void resolve_stmt(resolver *r, uint32_t stmt)
{
  const bpi_stmt view = bpi_stmt_at(r->p, stmt), *s = &view;
  const bool assigned = s->kind == BP_STMT_ASSIGN || s->kind == BP_STMT_CALL;
  if (s->targets.count && (assigned || s->kind == BP_STMT_DEAD || s->kind == BP_STMT_DECL))
    for (uint32_t i = 0; i < s->targets.count && bpi_draft_going(r->d); i++)
      resolve_target(r, stmt, i, s->targets.first + i, assigned);
  resolve_exprs(r, stmt, s->exprs.first, s->exprs.count + (s->constrain != BP_NONE));
}

/* ---- undeclared names as locals ---------------------------------------- */

/* Puts the locals made on the way into the declaration that the parser left for them. */
static bool fill_decl(resolver *r)
{
  bpi_proc *proc = &r->p->procs.at[r->proc];
  const uint32_t first = proc->vars.first + proc->vars.count, count = r->count - first;
  if (r->d->undeclared != BP_UNDECLARED_LOCAL || !count) return true;
  const uint32_t decl = proc->stmts.first;
  const bpi_slice made = {r->p->ids.count, count};
  r->p->wides.at[bpi_stmt_wide(r->p, decl) - r->p->wides.at].targets = made;
  for (uint32_t var = first; var < r->count; var++)
    if (!bpi_vec_push(&r->p->ids, var)) return bpi_draft_stop(r->d, BP_E_NOMEM);
  proc->vars.count += count;
  return true;
}

/* Takes out the declarations that stayed empty: moves the others to new tables. */
static void drop_decls(resolver *r)
{
  bp_program *p = r->p, old = {.name = p->name};
  uint32_t from = 0, label = 0;
  MOVE_TABLE(&old.stmts, &p->stmts);
  MOVE_TABLE(&old.bases, &p->bases);
  MOVE_TABLE(&old.wides, &p->wides);
  old.ids.at = p->ids.at;
  for (uint32_t i = 0; i < p->procs.count; i++) {
    bpi_slice *stmts = &p->procs.at[i].stmts;
    const uint32_t end = stmts->first + stmts->count;
    stmts->first = p->stmts.count;
    for (; from < end && bpi_draft_going(r->d); from++) {
      const bpi_stmt s = bpi_stmt_at(&old, from);
      const bp_range range = bpi_stmt_range(&old, from);
      for (; label < p->labels.count && p->labels.at[label].stmt == from; label++)
        p->labels.at[label].stmt = p->stmts.count;
      if (s.kind == BP_STMT_DECL && !s.targets.count) continue;
      const uint32_t to = bpi_draft_stmt(r->d, &s, &range);
      if (to != BP_NONE) p->stmts.at[to].labelled = old.stmts.at[from].labelled;
    }
    stmts->count = p->stmts.count - stmts->first;
  }
  bpi_vec_free(&old.stmts);
  bpi_vec_free(&old.bases);
  bpi_vec_free(&old.wides);
  r->d->counted.stmt = BP_NONE;
}

/* ---- everything -------------------------------------------------------- */

static void resolve_procs(resolver *r)
{
  for (r->proc = 0; r->proc < r->p->procs.count; r->proc++) {
    const bpi_slice stmts = r->p->procs.at[r->proc].stmts;
    if (!enter_proc(r)) return;
    for (uint32_t i = stmts.first; i < stmts.first + stmts.count; i++) {
      if (!bpi_draft_going(r->d)) return;
      if (!bpi_stmt_bare(r->p, i)) resolve_stmt(r, i);
    }
    if (!fill_decl(r)) return;
  }
}

void bpi_names_resolve(bpi_draft *d)
{
  resolver r = {.d = d, .p = d->program, .ordered = is_ordered(d)};
  if (!enter_globals(&r)) {
    bpi_vec_free(&r.vars);
    return;
  }
  resolve_procs(&r);
  if (d->status == BP_OK && d->undeclared == BP_UNDECLARED_LOCAL) drop_decls(&r);
  if (r.ordered) return;
  bpi_vec_free(&d->program->vars);
  d->program->vars.at = r.vars.at;
  d->program->vars.count = r.vars.count;
  d->program->vars.capacity = r.vars.capacity;
}
