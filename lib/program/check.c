/* SPDX-License-Identifier: MIT */
#include "program/concurrent.h"
#include "program/draft.h"

typedef struct checker {
  bpi_draft *d;
  bp_program *p;
  uint32_t proc;   /* being checked */
  uint32_t label;  /* the first one of the procedures to come */
  uint32_t *stamp; /* by variable: the last statement that assigned it, plus 1 */
  uint8_t *called; /* by procedure */
  bool odd_names;  /* some expression has a primed name or one with a `$` */
} checker;

static const char *plural(uint32_t count)
{
  return count == 1 ? "" : "s";
}

static const char *stmt_file(const checker *c, uint32_t stmt)
{
  return bpi_name(c->p, bpi_stmt_file(c->p, stmt));
}

/* ---- variables and procedures ------------------------------------------ */

static void check_local(bpi_draft *d, bpi_var *v, uint32_t var)
{
  bpi_symbol *s = &d->symbols.at[v->name];
  if (s->local_proc == v->proc) {
    const bool formal = d->program->vars.at[s->local].kind == BP_VAR_FORMAL;
    bpi_draft_error(d, BPI_MSG_DUPLICATE, NULL, &v->range,
                    formal && v->kind == BP_VAR_LOCAL ? "%s is already a parameter"
                                                      : "%s is declared twice",
                    bpi_draft_quote(d, v->name).text);
    return;
  }
  s->local = var;
  s->local_proc = v->proc;
  if (s->global != BP_NONE && d->program->language == BP_LANGUAGE_BOOLEAN)
    bpi_draft_doubt(d, BPI_MSG_SHADOW, NULL, &v->range, "%s hides the global of that name",
                    bpi_draft_quote(d, v->name).text);
}

static void check_initialiser(bpi_draft *d, const bpi_var *v)
{
  const bp_program *p = d->program;
  if (v->init == BP_NONE) return;
  const bpi_expr e = bpi_expr_at(p, v->init);
  for (uint32_t i = e.first; i < e.first + e.count; i++) {
    const uint32_t op = p->code.at[i].op;
    if (op < BPI_OP_VAR || op > BPI_OP_MIXED_NEXT) continue;
    const bp_range range = bpi_draft_initialiser_place(d, &v->range, 1);
    bpi_draft_error(d, BPI_MSG_INITIALISER, NULL, &range,
                    "the start value of a global must be made of constants and choices");
    return;
  }
}

static void check_vars(checker *c)
{
  bpi_draft *d = c->d;
  for (uint32_t i = 0; i < c->p->globals.count && bpi_draft_going(d); i++) {
    const uint32_t var = c->p->globals.at[i];
    const bpi_var *v = &c->p->vars.at[var];
    bpi_symbol *s = &d->symbols.at[v->name];
    if (s->global != BP_NONE && s->global != var)
      bpi_draft_error(d, BPI_MSG_DUPLICATE, NULL, &v->range, "%s is declared twice",
                      bpi_draft_quote(d, v->name).text);
    else
      s->global = var;
    check_initialiser(d, v);
  }
  for (uint32_t i = 0; i < d->symbols.count; i++)
    d->symbols.at[i].local_proc = BP_NONE;
  for (uint32_t i = 0; i < c->p->vars.count && bpi_draft_going(d); i++)
    if (c->p->vars.at[i].kind != BP_VAR_GLOBAL) {
      d->inside = c->p->procs.at[c->p->vars.at[i].proc].name;
      check_local(d, &c->p->vars.at[i], i);
    }
  d->inside = BP_NONE;
}

static void check_procs(checker *c)
{
  bpi_draft *d = c->d;
  for (uint32_t i = 0; i < c->p->procs.count && bpi_draft_going(d); i++) {
    const bpi_proc *proc = &c->p->procs.at[i];
    bpi_symbol *s = &d->symbols.at[proc->name];
    if (s->proc == BP_NONE)
      s->proc = i;
    else
      bpi_draft_error(d, BPI_MSG_DUPLICATE, NULL, &proc->range, "procedure %s is defined twice",
                      bpi_draft_quote(d, proc->name).text);
  }
  c->p->entry = d->symbols.at[d->entry].proc;
  if (c->p->entry != BP_NONE || d->entry_optional) return;
  const bp_range start = {.line = d->text ? 1 : 0, .column = d->text ? 1 : 0};
  bpi_draft_error(d, BPI_MSG_NO_ENTRY, NULL, &start, "there is no procedure %s to start in",
                  bpi_draft_quote(d, d->entry).text);
}

/* ---- labels ------------------------------------------------------------ */

/* Remembers for every label some procedure that has it, for better messages. */
static void scatter_labels(checker *c)
{
  uint32_t proc = c->p->procs.count - 1;
  for (uint32_t i = c->p->labels.count; i-- > 0;) {
    const bpi_label *label = &c->p->labels.at[i];
    bpi_symbol *s = &c->d->symbols.at[label->name];
    s->label = BP_NONE;
    while (label->stmt < c->p->procs.at[proc].stmts.first)
      proc--;
    s->label_proc = proc;
    s->reported = BP_NONE;
  }
}

static void define_label(checker *c, uint32_t index, uint32_t proc)
{
  const bpi_label *label = &c->p->labels.at[index];
  bpi_symbol *s = &c->d->symbols.at[label->name];
  if (s->label_proc != proc || s->label == BP_NONE) {
    s->label_proc = proc;
    s->label = index;
    s->reported = BP_NONE;
    return;
  }
  if (s->reported == proc || c->p->language != BP_LANGUAGE_BOOLEAN) return;
  s->reported = proc;
  const bp_range range = bpi_draft_label_place(c->d, index);
  bpi_draft_doubt(c->d, BPI_MSG_LABEL_TWICE, stmt_file(c, label->stmt), &range,
                  "label %s is there already; goto goes to the first",
                  bpi_draft_quote(c->d, label->name).text);
}

static void define_labels(checker *c, const bpi_proc *proc)
{
  c->d->inside = proc->name;
  for (; c->label < c->p->labels.count; c->label++) {
    if (c->p->labels.at[c->label].stmt >= proc->stmts.first + proc->stmts.count) break;
    define_label(c, c->label, c->proc);
    if (c->p->language == BP_LANGUAGE_BOOLEAN) bpi_concurrent_label(c->d, c->label, c->proc);
  }
  c->d->inside = BP_NONE;
}

static void check_goto(checker *c, const bpi_stmt *stmt, uint32_t id)
{
  uint32_t *targets = c->p->ids.at + stmt->targets.first;
  for (uint32_t i = 0; i < stmt->targets.count && bpi_draft_going(c->d); i++) {
    const uint32_t name = targets[i];
    const bpi_symbol *s = &c->d->symbols.at[name];
    if (s->label_proc == c->proc && s->label != BP_NONE) {
      targets[i] = s->label;
      continue;
    }
    const bp_range range = bpi_draft_target_place(c->d, id, i, s->len);
    const bpi_quoted label = bpi_draft_quote(c->d, name);
    const bpi_quoted here = bpi_draft_quote(c->d, c->p->procs.at[c->proc].name);
    if (s->label_proc == BP_NONE)
      bpi_draft_error(c->d, BPI_MSG_NO_LABEL, stmt_file(c, id), &range,
                      "there is no label %s in procedure %s", label.text, here.text);
    else
      bpi_draft_error(c->d, BPI_MSG_NO_LABEL, stmt_file(c, id), &range,
                      "there is no label %s in procedure %s; that label is in procedure %s",
                      label.text, here.text,
                      bpi_draft_quote(c->d, c->p->procs.at[s->label_proc].name).text);
  }
}

/* ---- statements -------------------------------------------------------- */

static void check_expr(checker *c, const bpi_stmt *stmt, uint32_t id, uint32_t expr, bool primes)
{
  const bpi_expr e = bpi_expr_at(c->p, expr);
  bool told = false;
  for (uint32_t i = e.first; i < e.first + e.count; i++) {
    bpi_instr *instr = &c->p->code.at[i];
    const bool prime = instr->op == BPI_OP_NEXT || instr->op == BPI_OP_MIXED_NEXT;
    if (instr->op == BPI_OP_MIXED || instr->op == BPI_OP_MIXED_NEXT)
      bpi_concurrent_name(c->d, id, c->proc, i);
    if (!prime || primes) continue;
    if (stmt->kind == BP_STMT_CONSTRAIN) {
      instr->op = instr->op == BPI_OP_NEXT ? BPI_OP_VAR : BPI_OP_MIXED;
      continue;
    }
    if (told) continue;
    told = true;
    const bp_range range = bpi_draft_name_place(c->d, id, i, 1);
    bpi_draft_error(c->d, BPI_MSG_PRIME, stmt_file(c, id), &range,
                    "a primed name has no meaning outside the constrain clause of an assignment");
  }
}

static void check_names(checker *c, const bpi_stmt *stmt, uint32_t id)
{
  for (uint32_t i = 0; i < stmt->exprs.count; i++)
    check_expr(c, stmt, id, stmt->exprs.first + i, false);
  if (stmt->constrain != BP_NONE) check_expr(c, stmt, id, stmt->constrain, true);
}

static void check_targets(checker *c, const bpi_stmt *stmt, uint32_t id)
{
  if (stmt->targets.count < 2) return;
  for (uint32_t i = 0; i < stmt->targets.count && bpi_draft_going(c->d); i++) {
    const uint32_t var = c->p->ids.at[stmt->targets.first + i];
    if (var >= c->p->vars.count) continue;
    if (c->stamp[var] != id + 1) {
      c->stamp[var] = id + 1;
      continue;
    }
    const uint32_t name = c->p->vars.at[var].name;
    const bp_range range = bpi_draft_target_place(c->d, id, i, c->d->symbols.at[name].len);
    bpi_draft_doubt(c->d, BPI_MSG_TARGET_TWICE, stmt_file(c, id), &range,
                    "%s is assigned twice here; the last value wins",
                    bpi_draft_quote(c->d, name).text);
  }
}

static void check_sides(checker *c, const bpi_stmt *stmt, uint32_t id)
{
  const uint32_t left = stmt->targets.count, right = stmt->exprs.count;
  if (left == right) return;
  const bp_range range = bpi_stmt_range(c->p, id);
  bpi_draft_error(c->d, BPI_MSG_SIDES, stmt_file(c, id), &range,
                  "%u variable%s on the left of ':=', but %u value%s on the right", left,
                  plural(left), right, plural(right));
}

static void complain_call(checker *c, const bpi_stmt *stmt, uint32_t id, uint32_t name)
{
  const bpi_symbol *s = &c->d->symbols.at[name];
  const bp_range range = bpi_draft_callee_place(c->d, id, s->len);
  const char *file = stmt_file(c, id);
  const bpi_quoted callee = bpi_draft_quote(c->d, name);
  if (s->proc == BP_NONE) {
    bpi_draft_error(c->d, BPI_MSG_NO_PROC, file, &range, "there is no procedure %s", callee.text);
    return;
  }
  const bpi_proc *proc = &c->p->procs.at[s->proc];
  const uint32_t args = stmt->exprs.count, results = stmt->targets.count;
  if (args != proc->formals)
    bpi_draft_error(c->d, BPI_MSG_ARGUMENTS, file, &range,
                    "procedure %s takes %u argument%s, not %u", callee.text, proc->formals,
                    plural(proc->formals), args);
  if (results && results != proc->results)
    bpi_draft_error(c->d, BPI_MSG_RESULTS, file, &range, "procedure %s has %u result%s, not %u",
                    callee.text, proc->results, plural(proc->results), results);
}

static void check_call(checker *c, const bpi_stmt *stmt, uint32_t id)
{
  const uint32_t proc = c->d->symbols.at[stmt->callee].proc;
  const bool known = proc != BP_NONE;
  const bpi_proc *callee = known ? &c->p->procs.at[proc] : NULL;
  c->p->ids.at[stmt->targets.first + stmt->targets.count] = proc;
  if (known) c->called[proc] = 1;
  if (!known || stmt->exprs.count != callee->formals ||
      (stmt->targets.count && stmt->targets.count != callee->results))
    complain_call(c, stmt, id, stmt->callee);
}

static void check_return(checker *c, const bpi_stmt *stmt, uint32_t id)
{
  const bpi_proc *proc = &c->p->procs.at[c->proc];
  const uint32_t count = stmt->exprs.count;
  if (count == proc->results) return;
  const bpi_quoted name = bpi_draft_quote(c->d, proc->name);
  const char *file = stmt_file(c, id);
  const bp_range range = bpi_stmt_range(c->p, id);
  if (count || c->p->fall_off == BP_FALL_OFF_ERROR)
    bpi_draft_error(c->d, count ? BPI_MSG_RETURNS : BPI_MSG_BARE_RETURN, file, &range,
                    "procedure %s returns %u value%s, not %u", name.text, proc->results,
                    plural(proc->results), count);
  else if (c->p->fall_off == BP_FALL_OFF_ANY)
    bpi_draft_doubt(c->d, BPI_MSG_BARE_RETURN, file, &range,
                    "a return without values: procedure %s returns arbitrary ones", name.text);
}

static void check_stmt(checker *c, uint32_t id, uint32_t proc_name)
{
  const bpi_stmt s = bpi_stmt_at(c->p, id), *stmt = &s;
  c->d->inside = proc_name;
  if (c->odd_names) check_names(c, stmt, id);
  if (stmt->kind == BP_STMT_ASSIGN) check_sides(c, stmt, id);
  if (stmt->kind == BP_STMT_ASSIGN || stmt->kind == BP_STMT_CALL) check_targets(c, stmt, id);
  if (stmt->kind == BP_STMT_CALL) check_call(c, stmt, id);
  c->d->inside = BP_NONE; /* these name it anyway */
  if (stmt->kind == BP_STMT_GOTO) check_goto(c, stmt, id);
  if (stmt->kind == BP_STMT_RETURN) check_return(c, stmt, id);
  if (c->p->mixed.count || bpi_kind_concurrent(stmt->kind))
    bpi_concurrent_stmt(c->d, stmt, id, c->proc);
}

/* ---- everything -------------------------------------------------------- */

static bool has_odd_names(const bp_program *p)
{
  bool any = false;
  for (uint32_t i = 0; i < p->code.count; i++)
    any |= p->code.at[i].op >= BPI_OP_NEXT && p->code.at[i].op <= BPI_OP_MIXED_NEXT;
  return any;
}

/* Whether there is something to check at a statement of that kind even when all names are plain ones. */
static bool is_checked(uint32_t kind)
{
  return kind == BP_STMT_ASSIGN || kind == BP_STMT_CALL || kind == BP_STMT_GOTO ||
         kind == BP_STMT_RETURN || bpi_kind_concurrent(kind);
}

static void check_proc(checker *c, const bpi_proc *proc)
{
  const bool plain = !c->odd_names && !c->p->mixed.count;
  define_labels(c, proc);
  for (uint32_t i = proc->stmts.first; i < proc->stmts.first + proc->stmts.count; i++) {
    if (!bpi_draft_going(c->d)) return;
    if (!plain || is_checked(bpi_stmt_kind(c->p, i))) check_stmt(c, i, proc->name);
  }
  bpi_check_fall_off(c->d, c->proc);
}

static void check_all(checker *c)
{
  check_vars(c);
  check_procs(c);
  scatter_labels(c);
  for (c->proc = 0; c->proc < c->p->procs.count && bpi_draft_going(c->d); c->proc++) {
    c->p->procs.at[c->proc].concurrent = 0;
    check_proc(c, &c->p->procs.at[c->proc]);
  }
  if (c->p->language == BP_LANGUAGE_BOOLEAN) bpi_concurrent_count(c->d, c->called);
}

void bpi_check(bpi_draft *d)
{
  checker c = {.d = d, .p = d->program, .odd_names = has_odd_names(d->program)};
  c.stamp = bpi_zalloc(d->program->vars.count, sizeof *c.stamp);
  c.called = bpi_zalloc(d->program->procs.count, 1);
  if (c.stamp && c.called)
    check_all(&c);
  else
    bpi_draft_stop(d, BP_E_NOMEM);
  bpi_release(c.stamp);
  bpi_release(c.called);
}
