/* SPDX-License-Identifier: MIT
 * Expressions and statements of the product. */
#include "product/emit.h"

uint32_t bpi_emit_var(const bpi_emit *x, uint32_t var)
{
  return x->from->vars.at[var].proc == BP_NONE ? x->globals[var] : var + x->var_shift;
}

void bpi_emit_join(bpi_emit *x, bpi_op op, uint32_t *count)
{
  if ((*count)++) bpi_emit_op(x, op, 0);
}

static bool is_target(const bpi_emit *x, const bpi_stmt *s, uint32_t var)
{
  for (uint32_t k = 0; s && k < s->targets.count; k++)
    if (x->from->ids.at[s->targets.first + k] == var) return true;
  return false;
}

void bpi_emit_copy(bpi_emit *x, const bpi_instr *code, uint32_t count, const bpi_stmt *after)
{
  for (uint32_t i = 0; i < count; i++) {
    const bpi_instr in = code[i];
    if (in.op != BPI_OP_VAR && in.op != BPI_OP_NEXT)
      bpi_emit_op(x, (bpi_op)in.op, in.arg);
    else
      bpi_emit_op(x, is_target(x, after, in.arg) ? BPI_OP_NEXT : (bpi_op)in.op,
                  bpi_emit_var(x, in.arg));
  }
}

void bpi_emit_expr(bpi_emit *x)
{
  bpi_emit_check(x, bpi_vec_push(&x->p->exprs, x->p->code.count));
}

uint32_t bpi_emit_stmt(bpi_emit *x, bp_stmt_kind kind, uint32_t first_id, uint32_t first_expr,
                       bool constrained)
{
  bpi_stmt s = bpi_stmt_blank(kind);
  const bool call = kind == BP_STMT_CALL; /* whose callee stands behind its targets */
  if (!bpi_emit_going(x)) return BP_NONE;
  s.targets = (bpi_slice){first_id, x->p->ids.count - first_id - call};
  s.exprs = (bpi_slice){first_expr, x->p->exprs.count - first_expr - constrained};
  if (constrained) s.constrain = first_expr + s.exprs.count;
  if (call) s.callee = x->p->ids.at[x->p->ids.count - 1];
  const uint32_t stmt = bpi_draft_stmt(&x->draft, &s, &(bp_range){0});
  if (stmt == BP_NONE) x->status = BP_E_NOMEM;
  return stmt;
}
