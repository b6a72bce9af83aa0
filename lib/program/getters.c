/* SPDX-License-Identifier: MIT */
#include "program/program.h"

/* ---- procedures -------------------------------------------------------- */

static const bpi_proc *proc_at(const bp_program *program, uint32_t proc)
{
  return program && proc < program->procs.count ? &program->procs.at[proc] : NULL;
}

const char *bp_proc_name(const bp_program *program, uint32_t proc)
{
  const bpi_proc *p = proc_at(program, proc);
  return p ? bpi_name(program, p->name) : NULL;
}

void bp_proc_range(const bp_program *program, uint32_t proc, bp_range *out)
{
  const bpi_proc *p = proc_at(program, proc);
  if (out) *out = p ? p->range : (bp_range){0};
}

uint32_t bp_proc_result_count(const bp_program *program, uint32_t proc)
{
  const bpi_proc *p = proc_at(program, proc);
  return p ? p->results : 0;
}

uint32_t bp_proc_formal_count(const bp_program *program, uint32_t proc)
{
  const bpi_proc *p = proc_at(program, proc);
  return p ? p->formals : 0;
}

uint32_t bp_proc_var_first(const bp_program *program, uint32_t proc)
{
  const bpi_proc *p = proc_at(program, proc);
  return p ? p->vars.first : BP_NONE;
}

uint32_t bp_proc_var_count(const bp_program *program, uint32_t proc)
{
  const bpi_proc *p = proc_at(program, proc);
  return p ? p->vars.count : 0;
}

uint32_t bp_proc_stmt_first(const bp_program *program, uint32_t proc)
{
  const bpi_proc *p = proc_at(program, proc);
  return p ? p->stmts.first : BP_NONE;
}

uint32_t bp_proc_stmt_count(const bp_program *program, uint32_t proc)
{
  const bpi_proc *p = proc_at(program, proc);
  return p ? p->stmts.count : 0;
}

/* ---- variables --------------------------------------------------------- */

static const bpi_var *var_at(const bp_program *program, uint32_t var)
{
  return program && var < program->vars.count ? &program->vars.at[var] : NULL;
}

const char *bp_var_name(const bp_program *program, uint32_t var)
{
  const bpi_var *v = var_at(program, var);
  return v ? bpi_name(program, v->name) : NULL;
}

bp_var_kind bp_var_kind_of(const bp_program *program, uint32_t var)
{
  const bpi_var *v = var_at(program, var);
  return v ? (bp_var_kind)v->kind : BP_VAR_GLOBAL;
}

uint32_t bp_var_proc(const bp_program *program, uint32_t var)
{
  const bpi_var *v = var_at(program, var);
  return v ? v->proc : BP_NONE;
}

void bp_var_range(const bp_program *program, uint32_t var, bp_range *out)
{
  const bpi_var *v = var_at(program, var);
  if (out) *out = v ? v->range : (bp_range){0};
}

/* ---- statements -------------------------------------------------------- */

static bool is_stmt(const bp_program *program, uint32_t stmt)
{
  return program && stmt < program->stmts.count;
}

static const char *const kind_names[] = {
    [BP_STMT_SKIP] = "skip",
    [BP_STMT_ASSIGN] = "assign",
    [BP_STMT_CALL] = "call",
    [BP_STMT_RETURN] = "return",
    [BP_STMT_GOTO] = "goto",
    [BP_STMT_IF] = "if",
    [BP_STMT_ELSIF] = "elsif",
    [BP_STMT_ELSE] = "else",
    [BP_STMT_FI] = "fi",
    [BP_STMT_WHILE] = "while",
    [BP_STMT_OD] = "od",
    [BP_STMT_ASSERT] = "assert",
    [BP_STMT_ABORTIF] = "abortif",
    [BP_STMT_ASSUME] = "assume",
    [BP_STMT_CONSTRAIN] = "constrain",
    [BP_STMT_ENFORCE] = "enforce",
    [BP_STMT_DEAD] = "dead",
    [BP_STMT_DECL] = "decl",
    [BP_STMT_PRINT] = "print",
    [BP_STMT_START_THREAD] = "start_thread",
    [BP_STMT_END_THREAD] = "end_thread",
    [BP_STMT_ATOMIC_BEGIN] = "atomic_begin",
    [BP_STMT_ATOMIC_END] = "atomic_end",
    [BP_STMT_SYNC] = "sync",
};

const char *bp_stmt_kind_name(bp_stmt_kind kind)
{
  return (unsigned)kind <= BP_STMT_SYNC ? kind_names[kind] : "unknown";
}

bp_stmt_kind bp_stmt_kind_of(const bp_program *program, uint32_t stmt)
{
  return is_stmt(program, stmt) ? (bp_stmt_kind)bpi_stmt_kind(program, stmt) : BP_STMT_SKIP;
}

uint32_t bp_stmt_proc(const bp_program *program, uint32_t stmt)
{
  return is_stmt(program, stmt) ? bpi_stmt_proc(program, stmt) : BP_NONE;
}

void bp_stmt_range(const bp_program *program, uint32_t stmt, bp_range *out)
{
  if (out) *out = is_stmt(program, stmt) ? bpi_stmt_range(program, stmt) : (bp_range){0};
}

const char *bp_stmt_file(const bp_program *program, uint32_t stmt)
{
  return is_stmt(program, stmt) ? bpi_name(program, bpi_stmt_file(program, stmt)) : NULL;
}

uint64_t bp_stmt_origin(const bp_program *program, uint32_t stmt)
{
  return is_stmt(program, stmt) ? bpi_stmt_origin(program, stmt) : 0;
}

uint32_t bp_stmt_callee(const bp_program *program, uint32_t stmt)
{
  return is_stmt(program, stmt) ? bpi_stmt_callee(program, stmt) : BP_NONE;
}

uint32_t bp_stmt_label_count(const bp_program *program, uint32_t stmt)
{
  return is_stmt(program, stmt) ? bpi_stmt_labels(program, stmt).count : 0;
}

const char *bp_stmt_label(const bp_program *program, uint32_t stmt, uint32_t index)
{
  if (!is_stmt(program, stmt)) return NULL;
  const bpi_slice labels = bpi_stmt_labels(program, stmt);
  if (index >= labels.count) return NULL;
  return bpi_name(program, program->labels.at[labels.first + index].name);
}
