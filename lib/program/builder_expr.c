/* SPDX-License-Identifier: MIT */
#include "program/builder.h"

/* An expression that would be longer written out is refused. */
enum { MAX_SIZE = 1 << 24 };

/* ---- nodes ------------------------------------------------------------- */

/* A BP_NONE that comes from a call that complained needs no second complaint. */
static bool usable(bp_builder *b, uint32_t expr)
{
  if (expr < b->nodes.count) return true;
  if (expr != BP_NONE)
    bpi_complain(b, BPI_MSG_BUILDER, "there is no expression %u", expr);
  else if (b->complaints.count)
    bpi_remind(b);
  else
    bpi_complain(b, BPI_MSG_BUILDER, "an expression is missing");
  return false;
}

static uint32_t add_node(bp_builder *b, bpi_op op, uint32_t arg, const uint32_t *children)
{
  const uint32_t arity = bpi_op_arity(op);
  bpi_node node = {.op = op, .arg = arg, .size = 1};
  if (!bpi_builder_call(b)) return BP_NONE;
  for (uint32_t i = 0; i < arity; i++) {
    if (!usable(b, children[i])) return BP_NONE;
    node.child[i] = children[i];
    node.size += b->nodes.at[children[i]].size;
  }
  if (node.size > MAX_SIZE)
    return bpi_complain(b, BPI_MSG_TOO_LARGE,
                        "an expression of more than %d operations when written out", MAX_SIZE);
  if (b->nodes.count < BP_NONE - 1 && bpi_vec_push(&b->nodes, node)) return b->nodes.count - 1;
  bpi_draft_stop(&b->draft, BP_E_NOMEM);
  return BP_NONE;
}

static uint32_t add_binary(bp_builder *b, bpi_op op, uint32_t a, uint32_t c)
{
  return add_node(b, op, 0, (const uint32_t[]){a, c});
}

uint32_t bp_builder_const(bp_builder *b, int value)
{
  return add_node(b, value ? BPI_OP_TRUE : BPI_OP_FALSE, 0, NULL);
}

static uint32_t add_var(bp_builder *b, bpi_op op, uint32_t var)
{
  if (!bpi_builder_call(b)) return BP_NONE;
  if (var < b->draft.program->vars.count) return add_node(b, op, var, NULL);
  if (var == BP_NONE && b->complaints.count) {
    bpi_remind(b);
    return BP_NONE;
  }
  return bpi_complain(b, BPI_MSG_BUILDER, "there is no variable %u", var);
}

uint32_t bp_builder_var(bp_builder *b, uint32_t var)
{
  return add_var(b, BPI_OP_VAR, var);
}

uint32_t bp_builder_next(bp_builder *b, uint32_t var)
{
  return add_var(b, BPI_OP_NEXT, var);
}

uint32_t bp_builder_nondet(bp_builder *b)
{
  return add_node(b, BPI_OP_NONDET, 0, NULL);
}

uint32_t bp_builder_not(bp_builder *b, uint32_t a)
{
  return add_node(b, BPI_OP_NOT, 0, &a);
}

uint32_t bp_builder_and(bp_builder *b, uint32_t a, uint32_t c)
{
  return add_binary(b, BPI_OP_AND, a, c);
}

uint32_t bp_builder_or(bp_builder *b, uint32_t a, uint32_t c)
{
  return add_binary(b, BPI_OP_OR, a, c);
}

uint32_t bp_builder_xor(bp_builder *b, uint32_t a, uint32_t c)
{
  return add_binary(b, BPI_OP_XOR, a, c);
}

uint32_t bp_builder_eq(bp_builder *b, uint32_t a, uint32_t c)
{
  return add_binary(b, BPI_OP_EQ, a, c);
}

uint32_t bp_builder_implies(bp_builder *b, uint32_t a, uint32_t c)
{
  return add_binary(b, BPI_OP_IMPLIES, a, c);
}

uint32_t bp_builder_schoose(bp_builder *b, uint32_t a, uint32_t c)
{
  return add_binary(b, BPI_OP_SCHOOSE, a, c);
}

uint32_t bp_builder_cond(bp_builder *b, uint32_t test, uint32_t yes, uint32_t no)
{
  return add_node(b, BPI_OP_COND, 0, (const uint32_t[]){test, yes, no});
}

/* ---- written out ------------------------------------------------------- */

bool bpi_builder_sees(bp_builder *b, uint32_t var)
{
  const bp_program *p = b->draft.program;
  if (var >= p->vars.count) {
    if (var == BP_NONE && b->complaints.count)
      bpi_remind(b);
    else
      bpi_complain(b, BPI_MSG_BUILDER, "there is no variable %u", var);
    return false;
  }
  const bpi_var *v = &p->vars.at[var];
  if (v->kind == BP_VAR_GLOBAL || (b->proc != BP_NONE && v->proc == b->proc)) return true;
  bpi_complain(b, BPI_MSG_BUILDER, "%s is a variable of another procedure",
               bpi_draft_quote(&b->draft, v->name).text);
  return false;
}

/* Fills code[first .. end - 1] from behind, so that each operator follows its operands. */
static bool write_out(bp_builder *b, uint32_t expr, bpi_instr *code, uint32_t size)
{
  b->walk.count = 0;
  if (!bpi_vec_push(&b->walk, expr)) return bpi_draft_stop(&b->draft, BP_E_NOMEM);
  while (b->walk.count) {
    const bpi_node *n = &b->nodes.at[b->walk.at[--b->walk.count]];
    const bool variable = n->op == BPI_OP_VAR || n->op == BPI_OP_NEXT;
    if (variable && !bpi_builder_sees(b, n->arg)) return false;
    code[--size] = (bpi_instr){n->op, n->arg};
    const uint32_t arity = bpi_op_arity(n->op);
    if (!bpi_vec_reserve(&b->walk, 3)) return bpi_draft_stop(&b->draft, BP_E_NOMEM);
    for (uint32_t i = 0; i < arity; i++)
      b->walk.at[b->walk.count++] = n->child[i];
  }
  return true;
}

uint32_t bpi_builder_expand(bp_builder *b, uint32_t expr)
{
  bp_program *p = b->draft.program;
  if (!usable(b, expr)) return BP_NONE;
  const uint32_t first = p->code.count, size = b->nodes.at[expr].size;
  if (!bpi_vec_reserve(&p->code, size) || !bpi_vec_reserve(&p->exprs, 1)) {
    bpi_draft_stop(&b->draft, BP_E_NOMEM);
    return BP_NONE;
  }
  if (!write_out(b, expr, p->code.at + first, size)) return BP_NONE;
  p->code.count += size;
  p->exprs.at[p->exprs.count] = p->code.count;
  return p->exprs.count++;
}
