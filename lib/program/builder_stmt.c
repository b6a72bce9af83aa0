/* SPDX-License-Identifier: MIT */
#include "program/builder.h"

/* ---- statements in general --------------------------------------------- */

/* The locals get their arbitrary values from a declaration in front of everything. */
static void declare_locals(bp_builder *b)
{
  bp_program *p = b->draft.program;
  const bpi_proc *proc = &p->procs.at[b->proc];
  const uint32_t first = proc->vars.first + proc->formals;
  if (first == p->vars.count) return;
  bpi_stmt s = bpi_stmt_blank(BP_STMT_DECL);
  s.targets = (bpi_slice){p->ids.count, p->vars.count - first};
  for (uint32_t var = first; var < p->vars.count; var++)
    if (!bpi_vec_push(&p->ids, var)) bpi_draft_stop(&b->draft, BP_E_NOMEM);
  const uint32_t stmt = bpi_draft_stmt(&b->draft, &s, &p->vars.at[first].range);
  if (stmt != BP_NONE) bpi_draft_origin(&b->draft, stmt, b->file, 0);
}

bool bpi_builder_body(bp_builder *b)
{
  if (b->proc == BP_NONE) {
    bpi_complain(b, BPI_MSG_BUILDER, "a statement outside of a procedure");
    return false;
  }
  if (!b->body) declare_locals(b);
  b->body = true;
  return true;
}

uint32_t bpi_builder_add(bp_builder *b, const bpi_stmt *s)
{
  bpi_draft *d = &b->draft;
  const uint32_t stmt = d->status == BP_OK ? bpi_draft_stmt(d, s, &b->range) : BP_NONE;
  if (stmt != BP_NONE && bpi_draft_origin(d, stmt, b->file, b->origin)) return stmt;
  bpi_no_memory(b->ctx);
  return BP_NONE;
}

void bpi_builder_settle(bp_builder *b)
{
  if (b->draft.label_mark == b->draft.program->labels.count) return;
  bpi_stmt s = bpi_stmt_blank(BP_STMT_SKIP);
  s.implicit = 1;
  bpi_builder_add(b, &s);
}

bp_status bp_builder_label(bp_builder *b, const char *name)
{
  if (!bpi_builder_call(b)) return BP_E_INVALID;
  if (!bpi_builder_body(b)) return BP_E_STATE;
  const uint32_t symbol = bpi_builder_symbol(b, name, BPI_NAME_LABEL);
  if (symbol == BP_NONE && b->draft.status == BP_OK) return BP_E_INVALID;
  return bpi_draft_label(&b->draft, symbol, BP_NONE) ? BP_OK : bpi_no_memory(b->ctx);
}

/* ---- operands ---------------------------------------------------------- */

static bool expand_all(bp_builder *b, const uint32_t *values, uint32_t count, bpi_slice *out)
{
  *out = (bpi_slice){b->draft.program->exprs.count, count};
  for (uint32_t i = 0; i < count; i++)
    if (bpi_builder_expand(b, values[i]) == BP_NONE) return false;
  return true;
}

static bool push_id(bp_builder *b, uint32_t id)
{
  return bpi_vec_push(&b->draft.program->ids, id) || bpi_draft_stop(&b->draft, BP_E_NOMEM);
}

static bool push_vars(bp_builder *b, const uint32_t *vars, uint32_t count, bool may_drop,
                      bpi_slice *out)
{
  *out = (bpi_slice){b->draft.program->ids.count, count};
  for (uint32_t i = 0; i < count; i++) {
    const bool dropped = may_drop && vars[i] == BP_NONE;
    if (!dropped && !bpi_builder_sees(b, vars[i])) return false;
    if (!push_id(b, vars[i])) return false;
  }
  return true;
}

/* A missing array is a mistake unless it is empty. */
static bool given(bp_builder *b, const void *array, uint32_t count)
{
  if (array || !count) return true;
  bpi_complain(b, BPI_MSG_BUILDER, "an array of %u elements is missing", count);
  return false;
}

static uint32_t add_condition(bp_builder *b, bp_stmt_kind kind, uint32_t condition)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b)) return BP_NONE;
  bpi_stmt s = bpi_stmt_blank(kind);
  return expand_all(b, &condition, 1, &s.exprs) ? bpi_builder_add(b, &s) : BP_NONE;
}

/* ---- simple statements ------------------------------------------------- */

uint32_t bp_builder_skip(bp_builder *b)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b)) return BP_NONE;
  const bpi_stmt s = bpi_stmt_blank(BP_STMT_SKIP);
  return bpi_builder_add(b, &s);
}

uint32_t bp_builder_assign(bp_builder *b, const uint32_t *targets, const uint32_t *values,
                           uint32_t count, uint32_t constrain)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b) || !given(b, targets, count) ||
      !given(b, values, count))
    return BP_NONE;
  if (!count) return bpi_complain(b, BPI_MSG_BUILDER, "an assignment without targets");
  bpi_stmt s = bpi_stmt_blank(BP_STMT_ASSIGN);
  if (!push_vars(b, targets, count, true, &s.targets) || !expand_all(b, values, count, &s.exprs))
    return BP_NONE;
  if (constrain != BP_NONE && (s.constrain = bpi_builder_expand(b, constrain)) == BP_NONE)
    return BP_NONE;
  return bpi_builder_add(b, &s);
}

uint32_t bp_builder_call(bp_builder *b, const char *callee, const uint32_t *targets,
                         uint32_t target_count, const uint32_t *args, uint32_t arg_count)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b) || !given(b, targets, target_count) ||
      !given(b, args, arg_count))
    return BP_NONE;
  bpi_stmt s = bpi_stmt_blank(BP_STMT_CALL);
  s.callee = bpi_builder_symbol(b, callee, BPI_NAME_PROC);
  if (s.callee == BP_NONE || !push_vars(b, targets, target_count, true, &s.targets) ||
      !push_id(b, s.callee) || !expand_all(b, args, arg_count, &s.exprs))
    return BP_NONE;
  return bpi_builder_add(b, &s);
}

uint32_t bp_builder_return(bp_builder *b, const uint32_t *values, uint32_t count)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b) || !given(b, values, count)) return BP_NONE;
  bpi_stmt s = bpi_stmt_blank(BP_STMT_RETURN);
  return expand_all(b, values, count, &s.exprs) ? bpi_builder_add(b, &s) : BP_NONE;
}

uint32_t bp_builder_goto(bp_builder *b, const char *const *labels, uint32_t count)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b) || !given(b, labels, count)) return BP_NONE;
  if (!count) return bpi_complain(b, BPI_MSG_BUILDER, "a goto without labels");
  bpi_stmt s = bpi_stmt_blank(BP_STMT_GOTO);
  s.targets = (bpi_slice){b->draft.program->ids.count, count};
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t symbol = bpi_builder_symbol(b, labels[i], BPI_NAME_LABEL);
    if (symbol == BP_NONE || !push_id(b, symbol)) return BP_NONE;
  }
  return bpi_builder_add(b, &s);
}

uint32_t bp_builder_assert(bp_builder *b, uint32_t condition)
{
  return add_condition(b, BP_STMT_ASSERT, condition);
}

uint32_t bp_builder_assume(bp_builder *b, uint32_t condition)
{
  return add_condition(b, BP_STMT_ASSUME, condition);
}

uint32_t bp_builder_enforce(bp_builder *b, uint32_t condition)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b)) return BP_NONE;
  bpi_builder_settle(b);
  return add_condition(b, BP_STMT_ENFORCE, condition);
}

uint32_t bp_builder_dead(bp_builder *b, const uint32_t *vars, uint32_t count)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b) || !given(b, vars, count)) return BP_NONE;
  if (!count) return bpi_complain(b, BPI_MSG_BUILDER, "a dead without variables");
  bpi_stmt s = bpi_stmt_blank(BP_STMT_DEAD);
  return push_vars(b, vars, count, false, &s.targets) ? bpi_builder_add(b, &s) : BP_NONE;
}

/* ---- blocks ------------------------------------------------------------ */

static uint32_t open_block(bp_builder *b, bp_stmt_kind kind, uint32_t condition)
{
  const uint32_t stmt = add_condition(b, kind, condition);
  if (!b || b->proc == BP_NONE) return BP_NONE;
  const bpi_open_block open = {(uint8_t)kind, b->range.line};
  if (!bpi_vec_push(&b->blocks, open)) bpi_draft_stop(&b->draft, BP_E_NOMEM);
  if (stmt == BP_NONE) {
    /* The block exists all the same, so that its end finds it; the program is refused anyway. */
    const bpi_stmt s = bpi_stmt_blank(kind);
    bpi_builder_add(b, &s);
  }
  return stmt;
}

/* The innermost block if it is an if without an else yet. */
static bool in_branch(bp_builder *b, const char *what)
{
  if (b->blocks.count && b->blocks.at[b->blocks.count - 1].kind == BP_STMT_IF) return true;
  bpi_complain(b, BPI_MSG_BUILDER, "%s without an open if", what);
  return false;
}

uint32_t bp_builder_if(bp_builder *b, uint32_t condition)
{
  return open_block(b, BP_STMT_IF, condition);
}

uint32_t bp_builder_while(bp_builder *b, uint32_t condition)
{
  return open_block(b, BP_STMT_WHILE, condition);
}

uint32_t bp_builder_elsif(bp_builder *b, uint32_t condition)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b) || !in_branch(b, "an elsif")) return BP_NONE;
  bpi_builder_settle(b);
  return add_condition(b, BP_STMT_ELSIF, condition);
}

uint32_t bp_builder_else(bp_builder *b)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b) || !in_branch(b, "an else")) return BP_NONE;
  bpi_builder_settle(b);
  b->blocks.at[b->blocks.count - 1].kind = BP_STMT_ELSE;
  const bpi_stmt s = bpi_stmt_blank(BP_STMT_ELSE);
  return bpi_builder_add(b, &s);
}

uint32_t bp_builder_end(bp_builder *b)
{
  if (!bpi_builder_call(b) || !bpi_builder_body(b)) return BP_NONE;
  if (!b->blocks.count) return bpi_complain(b, BPI_MSG_BUILDER, "an end without an open block");
  bpi_builder_settle(b);
  const uint8_t kind = b->blocks.at[--b->blocks.count].kind;
  const bpi_stmt s = bpi_stmt_blank(kind == BP_STMT_WHILE ? BP_STMT_OD : BP_STMT_FI);
  return bpi_builder_add(b, &s);
}
