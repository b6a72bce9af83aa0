/* SPDX-License-Identifier: MIT
 * Statements of the source, with the product's variables. Enforce statements in force become a part of
 * the assignment's constraint, so that the automaton's steps, which are assignments too, are free of
 * them; a failing assertion becomes a branch. */
#include "product/emit.h"

static void put_source_expr(bpi_emit *x, uint32_t expr)
{
  const bpi_expr e = bpi_expr_at(x->from, expr);
  bpi_emit_copy(x, x->from->code.at + e.first, e.count, NULL);
}

static void put_exprs(bpi_emit *x, bpi_slice exprs)
{
  for (uint32_t k = 0; k < exprs.count; k++) {
    put_source_expr(x, exprs.first + k);
    bpi_emit_expr(x);
  }
}

static void put_target(bpi_emit *x, uint32_t var)
{
  bpi_emit_check(x, bpi_vec_push(&x->p->ids, var));
}

static void put_targets(bpi_emit *x, bpi_slice targets)
{
  for (uint32_t k = 0; k < targets.count; k++) {
    const uint32_t var = x->from->ids.at[targets.first + k];
    put_target(x, var == BP_NONE ? BP_NONE : bpi_emit_var(x, var));
  }
}

static bool put_constraint(bpi_emit *x, const bpi_vertex *v, const bpi_stmt *s)
{
  uint32_t count = 0;
  if (s->constrain != BP_NONE) {
    put_source_expr(x, s->constrain);
    bpi_emit_join(x, BPI_OP_AND, &count);
  }
  for (uint32_t n = bpi_enforce_of(x->source, v); n != BP_NONE;
       n = x->source->enforces.at[n].outer) {
    const bpi_expr e = bpi_expr_at(x->from, x->source->enforces.at[n].expr);
    bpi_emit_copy(x, x->from->code.at + e.first, e.count, s);
    bpi_emit_join(x, BPI_OP_AND, &count);
  }
  if (count) bpi_emit_expr(x);
  return count > 0;
}

static void put_call(bpi_emit *x, const bpi_stmt *s)
{
  const bool frames = x->options.memory == BPI_MEMORY_FRAME;
  put_targets(x, s->targets);
  for (uint32_t r = s->targets.count; frames && r < x->from->procs.at[s->callee].results; r++)
    put_target(x, BP_NONE);
  if (frames) put_target(x, x->taken);
  put_target(x, s->callee);
  put_exprs(x, s->exprs);
}

/* Results, arbitrary ones where none are given, and what the activation has seen. */
static void put_results(bpi_emit *x, const bpi_vertex *v)
{
  const bpi_slice exprs = v->stmt == BP_NONE ? (bpi_slice){0} : bpi_stmt_at(x->from, v->stmt).exprs;
  put_exprs(x, exprs);
  if (x->options.memory != BPI_MEMORY_FRAME) return;
  for (uint32_t r = exprs.count; r < x->from->procs.at[v->proc].results; r++) {
    bpi_emit_op(x, BPI_OP_NONDET, 0);
    bpi_emit_expr(x);
  }
  bpi_emit_op(x, BPI_OP_VAR, x->seen);
  bpi_emit_expr(x);
}

/* Its first branch is where the assertion holds. */
static void put_assertion(bpi_emit *x, const bpi_vertex *v, const bpi_stmt *s)
{
  put_source_expr(x, s->exprs.first);
  if (v->negated) bpi_emit_op(x, BPI_OP_NOT, 0);
  bpi_emit_expr(x);
}

/* The targets and expressions of a statement; what kind it has in the product. */
static bp_stmt_kind put_parts(bpi_emit *x, const bpi_vertex *v, const bpi_stmt *s)
{
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN:
    put_targets(x, s->targets);
    put_exprs(x, s->exprs);
    return BP_STMT_ASSIGN;
  case BPI_VERTEX_HAVOC: put_targets(x, s->targets); return BP_STMT_DEAD;
  case BPI_VERTEX_BRANCH: put_exprs(x, s->exprs); return BP_STMT_IF;
  case BPI_VERTEX_ASSUME: put_exprs(x, s->exprs); return BP_STMT_ASSUME;
  case BPI_VERTEX_ASSERT: put_assertion(x, v, s); return BP_STMT_IF;
  case BPI_VERTEX_CALL: put_call(x, s); return BP_STMT_CALL;
  case BPI_VERTEX_RETURN:
  case BPI_VERTEX_EXIT: put_results(x, v); return BP_STMT_RETURN;
  default: return BP_STMT_SKIP;
  }
}

uint32_t bpi_emit_source(bpi_emit *x, uint32_t vertex)
{
  const bpi_vertex *v = &x->source->vertices.at[vertex];
  const bpi_stmt none = {0}, stmt = v->stmt == BP_NONE ? none : bpi_stmt_at(x->from, v->stmt);
  const uint32_t ids = x->p->ids.count, exprs = x->p->exprs.count;
  const bp_stmt_kind kind = put_parts(x, v, &stmt);
  const bool constrained = v->kind == BPI_VERTEX_ASSIGN && put_constraint(x, v, &stmt);
  return bpi_emit_stmt(x, kind, ids, exprs, constrained);
}
