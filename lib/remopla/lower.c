/* SPDX-License-Identifier: MIT */
#include "remopla/lower.h"

static const bpi_rguard OPEN = {BPI_GATE_TRUE, BPI_GATE_TRUE};

static bool is_simple(const bpi_rstmt *s)
{
  return s->kind < BPI_RSTMT_IF;
}

static bool once(bpi_lowering *l, uint32_t label)
{
  return bpi_vec_push(&l->once, label) || bpi_lower_no_memory(l);
}

/* The labels of the source that all that comes of a statement has. */
static bool mark(bpi_lowering *l, bpi_slice labels)
{
  l->always.count = 0;
  for (uint32_t i = 0; i < labels.count; i++)
    if (!bpi_vec_push(&l->always, l->t->labels.at[labels.first + i].name))
      return bpi_lower_no_memory(l);
  return true;
}

static void turn_to(bpi_lowering *l, const bpi_rstmt *s)
{
  l->range = s->range;
  l->text = s->text;
}

/* ---- blocks ------------------------------------------------------------- */

static uint32_t count_clauses(const bpi_lowering *l, uint32_t stmt)
{
  const uint32_t end = l->t->stmts.at[stmt].jump;
  uint32_t clauses = 0;
  for (uint32_t i = stmt + 1; i < end; i = l->t->stmts.at[i].jump)
    clauses++;
  return clauses;
}

/* A choice between the clauses; the labels of the block are those of its clauses' first steps, too, as
 * control is at them there. One clause needs no choice, none is stuck. */
static bool begin_block(bpi_lowering *l, uint32_t stmt)
{
  const bpi_rstmt *s = &l->t->stmts.at[stmt];
  bpi_rblock b = {.stmt = stmt, .clauses = count_clauses(l, stmt)};
  b.clause = l->next_label;
  l->next_label += b.clauses;
  b.head = b.clauses == 1 ? b.clause : bpi_lower_label(l);
  b.end = bpi_lower_label(l);
  turn_to(l, s);
  if (!mark(l, s->labels) || !bpi_vec_push(&l->blocks, b)) return bpi_lower_no_memory(l);
  if (b.clauses == 1) return true;
  if (s->kind == BPI_RSTMT_DO && !once(l, b.head)) return false;
  if (!b.clauses) return bpi_lower_condition(l, BP_STMT_ASSUME, BPI_GATE_FALSE, true);
  return bpi_lower_goto(l, b.clause, b.clauses, true);
}

/* From the end of a clause back to the head of its `do`, or behind its `if`. */
static bool leave_clause(bpi_lowering *l, bpi_rblock *b, bool last)
{
  const bool loop = l->t->stmts.at[b->stmt].kind == BPI_RSTMT_DO;
  if (!l->falls && !l->once.count) return true;
  if (!loop && last) return true;
  turn_to(l, &l->t->stmts.at[l->t->stmts.at[b->stmt].jump]);
  l->always.count = 0;
  if (!loop) b->left = true;
  return bpi_lower_goto(l, loop ? b->head : b->end, 1, true);
}

static bool read_guard(bpi_lowering *l, const bpi_rstmt *clause, bpi_rguard *guard)
{
  bpi_rvalue v;
  if (!bpi_read_condition(l->r, clause->expr, &v)) return false;
  *guard = (bpi_rguard){v.bit, v.ok};
  return true;
}

/* Where all other guards have a value and none holds. */
static bool otherwise(bpi_lowering *l, const bpi_rblock *b, bpi_rguard *guard)
{
  const uint32_t end = l->t->stmts.at[b->stmt].jump;
  *guard = OPEN;
  if (l->d->errors) return true; /* each guard complains once */
  for (uint32_t i = b->stmt + 1; i < end; i = l->t->stmts.at[i].jump) {
    bpi_rguard other;
    if (!l->t->stmts.at[i].expr.count) continue;
    if (!read_guard(l, &l->t->stmts.at[i], &other)) return false;
    guard->ok = bpi_gate_and(l->c, guard->ok, other.ok);
    guard->bit = bpi_gate_and(l->c, guard->bit, bpi_gate_not(l->c, other.bit));
  }
  return true;
}

/* A clause up to its first step; *next is the statement behind that. */
static bool begin_clause(bpi_lowering *l, uint32_t at, uint32_t *next)
{
  const bpi_rstmt *clause = &l->t->stmts.at[at], *first = clause + 1;
  bpi_rblock *b = &l->blocks.at[l->blocks.count - 1];
  const bpi_rstmt *block = &l->t->stmts.at[b->stmt];
  const bool fused = at + 1 < clause->jump && is_simple(first) && !first->labels.count;
  bpi_rguard guard;
  if (at != b->stmt + 1 && !leave_clause(l, b, false)) return false;
  if ((b->clauses > 1 || block->kind == BPI_RSTMT_DO) && !once(l, b->clause)) return false;
  b->clause++;
  turn_to(l, clause);
  bpi_reader_empty(l->r);
  if (!mark(l, block->labels)) return false;
  if (clause->expr.count ? !read_guard(l, clause, &guard) : !otherwise(l, b, &guard)) return false;
  if (!fused) return bpi_lower_guard(l, guard);
  l->range = first->range;
  *next = at + 2;
  return bpi_lower_simple(l, first, guard);
}

static bool end_block(bpi_lowering *l)
{
  bpi_rblock *b = &l->blocks.at[l->blocks.count - 1];
  if (b->clauses && !leave_clause(l, b, true)) return false;
  const bpi_rblock block = *b;
  l->blocks.count--;
  return !block.left || once(l, block.end);
}

/* ---- modules ------------------------------------------------------------ */

static bool lower_stmt(bpi_lowering *l, uint32_t at, uint32_t *next)
{
  const bpi_rstmt *s = &l->t->stmts.at[at];
  switch (s->kind) {
  case BPI_RSTMT_IF:
  case BPI_RSTMT_DO: bpi_reader_empty(l->r); return begin_block(l, at);
  case BPI_RSTMT_CLAUSE: return begin_clause(l, at, next);
  case BPI_RSTMT_FI:
  case BPI_RSTMT_OD: return end_block(l);
  default:
    turn_to(l, s);
    bpi_reader_empty(l->r);
    return mark(l, s->labels) && bpi_lower_simple(l, s, OPEN);
  }
}

static bool define_labels(bpi_lowering *l, const bpi_rmodule *m)
{
  for (uint32_t i = m->stmts.first; i < m->stmts.first + m->stmts.count; i++) {
    const bpi_slice labels = l->t->stmts.at[i].labels;
    for (uint32_t k = labels.first; k < labels.first + labels.count; k++) {
      const bpi_rlabel *label = &l->t->labels.at[k];
      bpi_rmeanings *names = &l->w->names.at[label->name];
      if (names->label_module == l->w->module)
        return bpi_world_error(l->w, BPI_MSG_LABEL_TWICE, label->at, label->name,
                               " is a label of this module already");
      names->label_module = l->w->module;
    }
  }
  return true;
}

/* The locals become 0 before the first step. */
static bool zero_locals(bpi_lowering *l, const bpi_rmodule *m)
{
  const bpi_proc *proc = &l->p->procs.at[m->proc];
  if (!l->w->zero_locals) return true;
  l->range = m->range;
  for (uint32_t i = proc->formals; i < proc->vars.count; i++)
    if (!bpi_lower_becomes(l, proc->vars.first + i, BPI_GATE_FALSE)) return false;
  return !l->list.count || bpi_lower_assign(l, BPI_GATE_TRUE, true);
}

/* Errors are gathered statement by statement. */
static bool lower_module(bpi_lowering *l, const bpi_rmodule *m)
{
  bool good = define_labels(l, m);
  l->falls = true;
  l->blocks.count = l->once.count = l->always.count = 0;
  l->text = (bpi_slice){0, 0};
  l->p->procs.at[m->proc].stmts.first = l->p->stmts.count;
  bpi_reader_empty(l->r);
  good = zero_locals(l, m) && bpi_lower_begin_within(l, m) && good;
  for (uint32_t i = m->stmts.first, next; i < m->stmts.first + m->stmts.count; i = next) {
    next = i + 1;
    if (!bpi_draft_going(l->d)) return false;
    good = lower_stmt(l, i, &next) && good;
    if (!good) {
      for (uint32_t k = 0; k < l->list.count; k++)
        l->touched.at[l->list.at[k]] = 0;
      l->list.count = 0;
    }
  }
  l->always.count = 0;
  l->range = m->end;
  l->text = (bpi_slice){0, 0};
  if (good && l->once.count) {
    bpi_stmt s = bpi_stmt_blank(BP_STMT_SKIP);
    s.silent = 1;
    good = bpi_lower_put(l, s);
  }
  bpi_proc *proc = &l->p->procs.at[m->proc];
  proc->stmts.count = l->p->stmts.count - proc->stmts.first;
  return good;
}

static bool make_room(bpi_lowering *l)
{
  const uint32_t vars = l->p->vars.count;
  if (!bpi_vec_reserve(&l->gates, vars) || !bpi_vec_reserve(&l->touched, vars))
    return bpi_lower_no_memory(l);
  if (vars) memset(l->touched.at, 0, vars);
  return true;
}

bool bpi_lower(bpi_world *w)
{
  bpi_lowering l = {
      .w = w, .d = w->d, .p = w->d->program, .t = w->t, .r = &w->reader, .c = &w->reader.circuit};
  bool good = make_room(&l);
  for (uint32_t i = 0; i < w->t->modules.count && w->d->status == BP_OK; i++) {
    if (w->t->modules.at[i].proc == BP_NONE) continue;
    bpi_world_enter(w, i);
    good = lower_module(&l, &w->t->modules.at[i]) && good;
  }
  bpi_vec_free(&l.blocks);
  bpi_vec_free(&l.once);
  bpi_vec_free(&l.always);
  bpi_vec_free(&l.gates);
  bpi_vec_free(&l.touched);
  bpi_vec_free(&l.list);
  return good;
}
