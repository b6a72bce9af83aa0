/* SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "program/draft.h"

/* Variables count by name and scope, jumps by the distance from the start of the procedure: what a
 * program says does not depend on the order of its declarations in the tables. */
typedef struct printer {
  const bp_program *p;
  uint64_t *vars;
  uint64_t hash;
} printer;

static uint64_t hash_text(const char *text)
{
  return bpi_hash_bytes(BPI_HASH_START, text, strlen(text));
}

static void add(printer *f, uint64_t number)
{
  f->hash = bpi_hash_u64(f->hash, number);
}

static void add_expr(printer *f, uint32_t expr)
{
  if (expr == BP_NONE) {
    add(f, BP_NONE);
    return;
  }
  const bpi_expr e = f->p->exprs.at[expr];
  add(f, e.count);
  for (uint32_t i = e.first; i < e.first + e.count; i++) {
    const bpi_instr *instr = &f->p->code.at[i];
    add(f, instr->op);
    if (instr->op >= BPI_OP_VAR && instr->op <= BPI_OP_MIXED_NEXT) add(f, f->vars[instr->arg]);
  }
}

static void add_global(printer *f, uint32_t var)
{
  const bpi_var *v = &f->p->vars.at[var];
  add(f, f->vars[var]);
  add(f, v->thread_local_);
  add_expr(f, v->init);
}

static void add_targets(printer *f, const bpi_stmt *s)
{
  add(f, s->targets.count);
  for (uint32_t i = s->targets.first; i < s->targets.first + s->targets.count; i++) {
    const uint32_t id = f->p->ids.at[i];
    if (s->kind == BP_STMT_GOTO)
      add(f, hash_text(bpi_name(f->p, f->p->labels.at[id].name)));
    else
      add(f, id == BP_NONE ? BP_NONE : f->vars[id]);
  }
}

static void add_stmt(printer *f, const bpi_stmt *s)
{
  add(f, s->kind);
  for (uint32_t i = s->labels.first; i < s->labels.first + s->labels.count; i++)
    add(f, hash_text(bpi_name(f->p, f->p->labels.at[i].name)));
  if (s->kind == BP_STMT_CALL) add(f, hash_text(bpi_name(f->p, f->p->procs.at[s->callee].name)));
  add_targets(f, s);
  add(f, s->exprs.count);
  for (uint32_t i = 0; i < s->exprs.count; i++)
    add_expr(f, s->exprs.first + i);
  add_expr(f, s->constrain);
}

static void add_proc(printer *f, const bpi_proc *proc)
{
  add(f, hash_text(bpi_name(f->p, proc->name)));
  add(f, proc->results);
  add(f, proc->dfs);
  add(f, proc->formals);
  for (uint32_t i = 0; i < proc->formals; i++)
    add(f, f->vars[proc->vars.first + i]);
  add(f, proc->stmts.count);
  for (uint32_t i = proc->stmts.first; i < proc->stmts.first + proc->stmts.count; i++)
    add_stmt(f, &f->p->stmts.at[i]);
}

bool bpi_fingerprint(bp_program *program)
{
  printer f = {.p = program, .hash = BPI_HASH_START};
  f.vars = bpi_alloc(program->vars.count, sizeof *f.vars);
  if (!f.vars) return false;
  for (uint32_t i = 0; i < program->vars.count; i++) {
    const bpi_var *v = &program->vars.at[i];
    f.vars[i] = bpi_hash_u64(hash_text(bpi_name(program, v->name)),
                             (uint64_t)(v->kind != BP_VAR_GLOBAL) * 2 + v->thread_local_);
  }
  const bool entry = program->entry != BP_NONE;
  add(&f, hash_text(entry ? bpi_name(program, program->procs.at[program->entry].name) : ""));
  add(&f, program->dead);
  add(&f, program->fall_off);
  add(&f, program->globals.count);
  for (uint32_t i = 0; i < program->globals.count; i++)
    add_global(&f, program->globals.at[i]);
  for (uint32_t i = 0; i < program->mixed.count; i++)
    add(&f, f.vars[program->mixed.at[i].var]);
  add(&f, program->procs.count);
  for (uint32_t i = 0; i < program->procs.count; i++)
    add_proc(&f, &program->procs.at[i]);
  program->fingerprint = f.hash;
  bpi_release(f.vars);
  return true;
}
