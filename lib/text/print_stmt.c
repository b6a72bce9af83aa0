/* SPDX-License-Identifier: MIT */
#include "text/print.h"

void bpi_print_name(bpi_out *out, const bp_program *p, uint32_t name, bpi_name_kind kind)
{
  const char *text = bpi_name(p, name);
  const bool braces =
      p->language != BP_LANGUAGE_BOOLEAN && !bpi_is_plain_name(text, strlen(text), kind);
  if (braces) bpi_out_char(out, '{');
  bpi_out_text(out, text);
  if (braces) bpi_out_char(out, '}');
}

static void write_var(bpi_out *out, const bp_program *p, uint32_t var)
{
  bpi_out_text(out, bpi_name(p, p->vars.at[var].name));
}

/* The variable of a target `x$`; they are in the order of their places. */
static uint32_t mixed_target(const bp_program *p, uint32_t id)
{
  uint32_t low = 0, high = p->mixed.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (p->mixed.at[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < p->mixed.count && p->mixed.at[low].id == id ? p->mixed.at[low].var : BP_NONE;
}

static void write_target(bpi_out *out, const bp_program *p, uint32_t id)
{
  if (p->ids.at[id] != BP_NONE) {
    write_var(out, p, p->ids.at[id]);
    return;
  }
  const uint32_t var = mixed_target(p, id);
  if (var == BP_NONE) {
    bpi_out_char(out, '_');
    return;
  }
  write_var(out, p, var);
  bpi_out_char(out, '$');
}

static void write_targets(bpi_out *out, const bp_program *p, const bpi_stmt *s)
{
  for (uint32_t i = 0; i < s->targets.count; i++) {
    if (i) bpi_out_text(out, ", ");
    write_target(out, p, s->targets.first + i);
  }
}

static bp_status write_expr(bpi_out *out, const bp_program *p, uint32_t expr)
{
  const bpi_expr e = bpi_expr_at(p, expr);
  return bpi_print_expression(out, p, p->code.at + e.first, e.count);
}

static bp_status write_exprs(bpi_out *out, const bp_program *p, const bpi_stmt *s)
{
  for (uint32_t i = 0; i < s->exprs.count; i++) {
    if (i) bpi_out_text(out, ", ");
    const bp_status status = write_expr(out, p, s->exprs.first + i);
    if (status != BP_OK) return status;
  }
  return BP_OK;
}

static bp_status write_in_parentheses(bpi_out *out, const bp_program *p, const bpi_stmt *s,
                                      const char *before)
{
  bpi_out_text(out, before);
  bpi_out_char(out, '(');
  const bp_status status = write_exprs(out, p, s);
  bpi_out_char(out, ')');
  return status;
}

static bp_status write_assign(bpi_out *out, const bp_program *p, const bpi_stmt *s)
{
  write_targets(out, p, s);
  bpi_out_text(out, " := ");
  const bp_status status = write_exprs(out, p, s);
  if (status != BP_OK || s->constrain == BP_NONE) return status;
  bpi_out_text(out, " constrain ");
  return write_expr(out, p, s->constrain);
}

static bp_status write_call(bpi_out *out, const bp_program *p, const bpi_stmt *s)
{
  write_targets(out, p, s);
  if (s->targets.count) bpi_out_text(out, " := ");
  bpi_print_name(out, p, p->procs.at[s->callee].name, BPI_NAME_PROC);
  return write_in_parentheses(out, p, s, "");
}

static void write_goto(bpi_out *out, const bp_program *p, const bpi_stmt *s)
{
  bpi_out_text(out, "goto ");
  for (uint32_t i = 0; i < s->targets.count; i++) {
    if (i) bpi_out_text(out, ", ");
    bpi_print_name(out, p, p->labels.at[p->ids.at[s->targets.first + i]].name, BPI_NAME_LABEL);
  }
}

static bp_status write_decl(bpi_out *out, const bp_program *p, const bpi_stmt *s)
{
  const bpi_var *v = &p->vars.at[p->ids.at[s->targets.first]];
  bpi_out_text(out, v->thread_local_ ? "decl thread_local " : "decl ");
  write_targets(out, p, s);
  if (!s->exprs.count) return BP_OK;
  bpi_out_text(out, " := ");
  return write_exprs(out, p, s);
}

static bp_status write_words(bpi_out *out, const bp_program *p, const bpi_stmt *s)
{
  bpi_out_text(out, bp_stmt_kind_name((bp_stmt_kind)s->kind));
  if (s->targets.count || s->exprs.count) bpi_out_char(out, ' ');
  write_targets(out, p, s);
  return write_exprs(out, p, s);
}

bp_status bpi_print_stmt(bpi_out *out, const bp_program *program, uint32_t stmt)
{
  const bpi_stmt view = bpi_stmt_at(program, stmt), *s = &view;
  switch ((bp_stmt_kind)s->kind) {
  case BP_STMT_ASSIGN: return write_assign(out, program, s);
  case BP_STMT_CALL: return write_call(out, program, s);
  case BP_STMT_GOTO: write_goto(out, program, s); return BP_OK;
  case BP_STMT_DECL: return write_decl(out, program, s);
  case BP_STMT_IF: return write_in_parentheses(out, program, s, "if ");
  case BP_STMT_ELSIF: return write_in_parentheses(out, program, s, "elsif ");
  case BP_STMT_WHILE: return write_in_parentheses(out, program, s, "while ");
  case BP_STMT_ASSERT:
  case BP_STMT_ABORTIF:
  case BP_STMT_ASSUME:
  case BP_STMT_CONSTRAIN:
  case BP_STMT_ENFORCE:
  case BP_STMT_PRINT:
    return write_in_parentheses(out, program, s, bp_stmt_kind_name((bp_stmt_kind)s->kind));
  case BP_STMT_SKIP:
  case BP_STMT_RETURN:
  case BP_STMT_ELSE:
  case BP_STMT_FI:
  case BP_STMT_OD:
  case BP_STMT_DEAD:
  case BP_STMT_START_THREAD:
  case BP_STMT_END_THREAD:
  case BP_STMT_ATOMIC_BEGIN:
  case BP_STMT_ATOMIC_END:
  case BP_STMT_SYNC: break;
  }
  return write_words(out, program, s);
}

bp_status bp_stmt_write(const bp_program *program, uint32_t stmt, const bp_sink *sink)
{
  if (!program || stmt >= program->stmts.count || bpi_sink_check(sink) != BP_OK)
    return BP_E_INVALID;
  bpi_out out;
  bpi_out_init(&out, sink);
  if (stmt < program->stmt_texts.count && program->stmt_texts.at[stmt].count) {
    const bpi_slice text = program->stmt_texts.at[stmt];
    bpi_out_bytes(&out, program->source.at + text.first, text.count);
    return bpi_out_flush(&out);
  }
  const bp_status status = bpi_print_stmt(&out, program, stmt);
  const bp_status written = bpi_out_flush(&out);
  return status != BP_OK ? status : written;
}
