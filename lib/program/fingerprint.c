/* SPDX-License-Identifier: MIT */
#include "base/hash.h"
#include "program/program.h"

/* Variables count by name and scope, jumps by the distance from the start of the procedure: what a
 * program says does not depend on the order of its declarations in the tables. */
typedef struct printer {
  const bp_program *p;
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

static void add_var(printer *f, uint32_t var)
{
  const bpi_var *v = &f->p->vars.at[var];
  const uint64_t scope = (uint64_t)(v->kind != BP_VAR_GLOBAL) * 2 + v->thread_local_;
  add(f, bpi_hash_u64(hash_text(bpi_name(f->p, v->name)), scope));
}

static void add_expr(printer *f, uint32_t expr)
{
  if (expr == BP_NONE) {
    add(f, BP_NONE);
    return;
  }
  const bpi_expr e = bpi_expr_at(f->p, expr);
  add(f, e.count);
  for (uint32_t i = e.first; i < e.first + e.count; i++) {
    const bpi_instr *instr = &f->p->code.at[i];
    add(f, instr->op);
    if (instr->op >= BPI_OP_VAR && instr->op <= BPI_OP_MIXED_NEXT) add_var(f, instr->arg);
    if (instr->op >= BPI_OP_KEEP) add(f, instr->arg);
  }
}

static void add_global(printer *f, uint32_t var)
{
  const bpi_var *v = &f->p->vars.at[var];
  add_var(f, var);
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
    else if (id == BP_NONE)
      add(f, BP_NONE);
    else
      add_var(f, id);
  }
}

static void add_stmt(printer *f, uint32_t stmt)
{
  const bpi_stmt view = bpi_stmt_at(f->p, stmt), *s = &view;
  const bpi_slice labels = bpi_stmt_labels(f->p, stmt);
  add(f, s->kind + (s->silent ? 32u : 0));
  for (uint32_t i = labels.first; i < labels.first + labels.count; i++)
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
    add_var(f, proc->vars.first + i);
  add(f, proc->stmts.count);
  for (uint32_t i = proc->stmts.first; i < proc->stmts.first + proc->stmts.count; i++)
    add_stmt(f, i);
}

static uint64_t compute(const bp_program *program)
{
  printer f = {.p = program, .hash = BPI_HASH_START};
  const bool entry = program->entry != BP_NONE;
  add(&f, hash_text(entry ? bpi_name(program, program->procs.at[program->entry].name) : ""));
  add(&f, program->dead);
  add(&f, program->fall_off);
  add(&f, program->globals.count);
  for (uint32_t i = 0; i < program->globals.count; i++)
    add_global(&f, program->globals.at[i]);
  for (uint32_t i = 0; i < program->mixed.count; i++)
    add_var(&f, program->mixed.at[i].var);
  add(&f, program->procs.count);
  for (uint32_t i = 0; i < program->procs.count; i++)
    add_proc(&f, &program->procs.at[i]);
  return f.hash ? f.hash : 1;
}

/* Threads that ask at the same time all come to the same. */
uint64_t bpi_fingerprint(bp_program *program)
{
  uint64_t hash = atomic_load_explicit(&program->fingerprint, memory_order_relaxed);
  if (hash) return hash;
  hash = compute(program);
  atomic_store_explicit(&program->fingerprint, hash, memory_order_relaxed);
  return hash;
}
