/* SPDX-License-Identifier: MIT */
#include "program/draft.h"

/* An open if or while: whether control gets in, and out of a branch read so far. */
typedef struct frame {
  bool in, out, otherwise, endless;
} frame;

typedef BPI_VEC(frame) frames;

static bool is_constant(const bp_program *p, const bpi_stmt *s, uint32_t op)
{
  if (!s->exprs.count) return false;
  const bpi_expr e = bpi_expr_at(p, s->exprs.first);
  return e.count == 1 && p->code.at[e.first].op == op;
}

static void leave(frame *f, bool otherwise, bool *live)
{
  f->out |= *live;
  f->otherwise |= otherwise;
  *live = f->in;
}

static void close_frame(frames *open, bool *live)
{
  const frame f = open->at[--open->count];
  *live = f.out | *live | (f.in && !f.otherwise);
}

/* One statement: `live` says whether control may come to it, then whether it may go on. */
static bool pass(const bp_program *p, frames *open, const bpi_stmt *s, bool *live)
{
  switch (s->kind) {
  case BP_STMT_IF: return bpi_vec_push(open, (frame){.in = *live});
  case BP_STMT_WHILE:
    return bpi_vec_push(open, (frame){.in = *live, .endless = is_constant(p, s, BPI_OP_TRUE)});
  case BP_STMT_ELSIF: leave(&open->at[open->count - 1], false, live); return true;
  case BP_STMT_ELSE: leave(&open->at[open->count - 1], true, live); return true;
  case BP_STMT_FI: close_frame(open, live); return true;
  case BP_STMT_OD:
    open->count--;
    *live = (open->at[open->count].in | *live) && !open->at[open->count].endless;
    return true;
  case BP_STMT_RETURN:
  case BP_STMT_GOTO:
  case BP_STMT_END_THREAD: *live = false; return true;
  case BP_STMT_ASSERT:
  case BP_STMT_ASSUME:
  case BP_STMT_CONSTRAIN: *live &= !is_constant(p, s, BPI_OP_FALSE); return true;
  default: return true;
  }
}

static bool falls_off(bpi_draft *d, const bpi_proc *proc)
{
  const bp_program *p = d->program;
  frames open = {0};
  bool live = true, good = true, thread = false;
  for (uint32_t i = 0; i < proc->stmts.count && good; i++) {
    const bpi_stmt stmt = bpi_stmt_at(p, proc->stmts.first + i), *s = &stmt;
    if (p->stmts.at[proc->stmts.first + i].labelled) live = true; /* somebody may jump here */
    const bool before = live;
    good = pass(p, &open, s, &live);
    if (thread && s->kind != BP_STMT_IF && s->kind != BP_STMT_WHILE) live = before;
    thread = s->kind == BP_STMT_START_THREAD;
  }
  bpi_vec_free(&open);
  if (!good) bpi_draft_stop(d, BP_E_NOMEM);
  return live;
}

void bpi_check_fall_off(bpi_draft *d, uint32_t proc)
{
  const bpi_proc *p = &d->program->procs.at[proc];
  if (!p->results || d->program->fall_off == BP_FALL_OFF_BLOCK || !falls_off(d, p)) return;
  const bpi_quoted name = bpi_draft_quote(d, p->name);
  if (d->program->fall_off == BP_FALL_OFF_ERROR)
    bpi_draft_error(d, BPI_MSG_FALL_OFF, NULL, &p->end, "procedure %s can end without returning %s",
                    name.text, p->results == 1 ? "a value" : "values");
  else
    bpi_draft_doubt(d, BPI_MSG_FALL_OFF, NULL, &p->end,
                    "procedure %s can end without a return; its results are arbitrary then",
                    name.text);
}
