/* SPDX-License-Identifier: MIT */
#include "text/print.h"

/* Deeper blocks are not indented further: the output stays linear in the program. */
enum { MAX_INDENT = 40, MAX_COLUMN = 98 };

static void indent(bpi_out *out, uint32_t depth)
{
  bpi_out_repeat(out, ' ', 2 * (size_t)(depth < MAX_INDENT ? depth : MAX_INDENT));
}

/* ---- declarations ------------------------------------------------------ */

/* Globals without a start value share lines as long as those fit. */
static uint32_t write_shared(bpi_out *out, const bp_program *p, uint32_t index)
{
  const bool thread_local_ = p->vars.at[p->globals.at[index]].thread_local_;
  size_t column = 0;
  bpi_out_text(out, thread_local_ ? "decl thread_local " : "decl ");
  for (uint32_t i = index; i < p->globals.count; i++) {
    const bpi_var *v = &p->vars.at[p->globals.at[i]];
    const size_t len = strlen(bpi_name(p, v->name));
    if (v->init != BP_NONE || v->thread_local_ != thread_local_) return i;
    if (column && column + len + 20 > MAX_COLUMN) return i;
    if (column) bpi_out_text(out, ", ");
    bpi_out_bytes(out, bpi_name(p, v->name), len);
    column += len + 2;
  }
  return p->globals.count;
}

static bp_status write_globals(bpi_out *out, const bp_program *p)
{
  for (uint32_t i = 0; i < p->globals.count;) {
    const bpi_var *v = &p->vars.at[p->globals.at[i]];
    if (v->init == BP_NONE) {
      i = write_shared(out, p, i);
    } else {
      const bpi_expr e = bpi_expr_at(p, v->init);
      bpi_out_text(out, v->thread_local_ ? "decl thread_local " : "decl ");
      bpi_out_text(out, bpi_name(p, v->name));
      bpi_out_text(out, " := ");
      const bp_status status = bpi_print_expression(out, p, p->code.at + e.first, e.count);
      if (status != BP_OK) return status;
      i++;
    }
    bpi_out_text(out, ";\n");
  }
  return BP_OK;
}

/* ---- procedures -------------------------------------------------------- */

static void write_heading(bpi_out *out, const bp_program *p, const bpi_proc *proc)
{
  if (proc->dfs) bpi_out_text(out, "dfs ");
  bpi_out_text(out, proc->results ? "bool" : "void");
  if (proc->results > 1) {
    bpi_out_char(out, '<');
    bpi_out_u64(out, proc->results);
    bpi_out_char(out, '>');
  }
  bpi_out_char(out, ' ');
  bpi_print_name(out, p, proc->name, BPI_NAME_PROC);
  bpi_out_char(out, '(');
  for (uint32_t i = 0; i < proc->formals; i++) {
    if (i) bpi_out_text(out, ", ");
    bpi_out_text(out, bpi_name(p, p->vars.at[proc->vars.first + i].name));
  }
  bpi_out_text(out, ") begin\n");
}

static void write_labels(bpi_out *out, const bp_program *p, uint32_t stmt)
{
  const bpi_slice labels = bpi_stmt_labels(p, stmt);
  for (uint32_t i = 0; i < labels.count; i++) {
    bpi_print_name(out, p, p->labels.at[labels.first + i].name, BPI_NAME_LABEL);
    bpi_out_text(out, ": ");
  }
}

static bool closes(const bpi_stmt *s)
{
  return s->kind == BP_STMT_ELSIF || s->kind == BP_STMT_ELSE || s->kind == BP_STMT_FI ||
         s->kind == BP_STMT_OD;
}

static bool opens(const bpi_stmt *s)
{
  return s->kind == BP_STMT_IF || s->kind == BP_STMT_WHILE || s->kind == BP_STMT_ELSIF ||
         s->kind == BP_STMT_ELSE;
}

static const char *line_end(const bpi_stmt *s)
{
  switch (s->kind) {
  case BP_STMT_IF:
  case BP_STMT_ELSIF: return " then\n";
  case BP_STMT_WHILE: return " do\n";
  case BP_STMT_ELSE:
  case BP_STMT_FI:
  case BP_STMT_OD: return "\n";
  case BP_STMT_START_THREAD: return " ";
  default: return ";\n";
  }
}

/* In another language locals are declared without a statement. */
static void write_locals(bpi_out *out, const bp_program *p, const bpi_proc *proc)
{
  const uint32_t end = proc->vars.first + proc->vars.count;
  for (uint32_t v = proc->vars.first + proc->formals; v < end; v++) {
    bpi_out_text(out, "  decl ");
    bpi_out_text(out, bpi_name(p, p->vars.at[v].name));
    bpi_out_text(out, ";\n");
  }
}

static bp_status write_proc(bpi_out *out, const bp_program *p, const bpi_proc *proc)
{
  uint32_t depth = 1;
  bool line_open = false;
  write_heading(out, p, proc);
  if (p->language != BP_LANGUAGE_BOOLEAN) write_locals(out, p, proc);
  for (uint32_t i = proc->stmts.first; i < proc->stmts.first + proc->stmts.count; i++) {
    const bpi_stmt stmt = bpi_stmt_at(p, i), *s = &stmt;
    if (closes(s)) depth--;
    if (!line_open) indent(out, depth);
    write_labels(out, p, i);
    const bp_status status = bpi_print_stmt(out, p, i);
    if (status != BP_OK || out->status != BP_OK) return status;
    bpi_out_text(out, line_end(s));
    line_open = s->kind == BP_STMT_START_THREAD;
    if (opens(s)) depth++;
  }
  bpi_out_text(out, "end\n");
  return BP_OK;
}

bp_status bp_program_write(const bp_program *program, const bp_sink *sink)
{
  if (!program || bpi_sink_check(sink) != BP_OK) return BP_E_INVALID;
  if (program->language == BP_LANGUAGE_BOOLEAN) return bp_program_write_boolean(program, sink);
  bpi_out out;
  bpi_out_init(&out, sink);
  bpi_out_bytes(&out, program->source.at, program->source.count);
  return bpi_out_flush(&out);
}

/* The language has no word for where runs start. */
static void write_entry(bpi_out *out, const bp_program *p)
{
  if (p->language == BP_LANGUAGE_BOOLEAN || p->entry == BP_NONE) return;
  const char *name = bpi_name(p, p->procs.at[p->entry].name);
  if (!strcmp(name, "main")) return;
  bpi_out_text(out, "// runs start in ");
  bpi_out_text(out, name);
  bpi_out_text(out, ", so this needs --entry\n\n");
}

bp_status bp_program_write_boolean(const bp_program *program, const bp_sink *sink)
{
  if (!program || bpi_sink_check(sink) != BP_OK) return BP_E_INVALID;
  bpi_out out;
  bpi_out_init(&out, sink);
  write_entry(&out, program);
  bp_status status = write_globals(&out, program);
  for (uint32_t i = 0; i < program->procs.count && status == BP_OK; i++) {
    if (i || program->globals.count) bpi_out_char(&out, '\n');
    status = write_proc(&out, program, &program->procs.at[i]);
  }
  const bp_status written = bpi_out_flush(&out);
  return status != BP_OK ? status : written;
}
