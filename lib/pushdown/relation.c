/* SPDX-License-Identifier: MIT
 * Relations as BDDs. */
#include "pushdown/pushdown.h"

#include "engine/operators.h"

/* ---- expressions --------------------------------------------------------- */

uint32_t bpi_relation_var(const bp_pushdown *p, bpi_instr in, const bpi_view *view)
{
  const bool local = in.arg & BPI_LOCAL, after = in.op != BPI_OP_VAR;
  if (!local) return bpi_global_var(in.arg, after ? view->global_after : view->global_before);
  const uint32_t copy = in.op == BPI_OP_MIXED_NEXT ? view->local_below
                        : after                    ? view->local_after
                                                   : view->local_before;
  return bpi_local_var(p, in.arg & ~(uint32_t)BPI_LOCAL, copy);
}

/* A literal within a set. */
static bpi_bdd literal(bpi_run *run, uint32_t var, bool positive, bpi_bdd set)
{
  bpi_bdd all = bpi_bdd_literal(run->m, var, positive);
  if (set != BPI_TRUE) bpi_run_meet(run, &all, bpi_bdd_keep(run->m, set));
  return all;
}

static bpi_choices leaf(bpi_run *run, bpi_instr in, const bpi_view *view, bpi_bdd set)
{
  bp_manager *m = run->m;
  switch (in.op) {
  case BPI_OP_FALSE: return (bpi_choices){BPI_FALSE, bpi_bdd_keep(m, set)};
  case BPI_OP_TRUE: return (bpi_choices){bpi_bdd_keep(m, set), BPI_FALSE};
  case BPI_OP_NONDET: return (bpi_choices){bpi_bdd_keep(m, set), bpi_bdd_keep(m, set)};
  default: break;
  }
  const uint32_t var = bpi_relation_var(run->p, in, view);
  return (bpi_choices){literal(run, var, true, set), literal(run, var, false, set)};
}

static void drop(bpi_run *run, bpi_choices v)
{
  bpi_bdd_drop(run->m, v.yes);
  bpi_bdd_drop(run->m, v.no);
}

bpi_bdd bpi_relation_within(bpi_run *run, const bpi_instr *code, uint32_t count,
                            const bpi_view *view, bpi_bdd set)
{
  BPI_VEC(bpi_choices) stack = {0};
  bpi_registers kept = {0};
  for (uint32_t i = 0; i < count && bpi_run_look(run); i++) {
    const uint32_t arity = bpi_op_arity(code[i].op);
    bpi_choices v;
    if (code[i].op == BPI_OP_KEEP) {
      if (!bpi_registers_keep(run->m, &kept, code[i].arg, stack.at[stack.count - 1]))
        bpi_run_no_memory(run);
      continue;
    }
    if (code[i].op == BPI_OP_KEPT) {
      v = bpi_registers_kept(run->m, &kept, code[i].arg);
    } else if (arity) {
      const bpi_choices *x = stack.at + stack.count - arity;
      v = bpi_choices_combine(run->m, code[i].op, x);
      for (uint32_t k = 0; k < arity; k++)
        drop(run, x[k]);
      stack.count -= arity;
    } else {
      v = leaf(run, code[i], view, set);
    }
    if (bpi_vec_push(&stack, v)) continue;
    drop(run, v);
    bpi_run_no_memory(run);
  }
  bpi_bdd holds = BPI_FALSE;
  if (bpi_run_good(run)) holds = bpi_bdd_keep(run->m, stack.at[0].yes);
  for (uint32_t i = 0; i < stack.count; i++)
    drop(run, stack.at[i]);
  bpi_vec_free(&stack);
  bpi_registers_clear(run->m, &kept);
  return holds;
}

bpi_bdd bpi_relation_encode(bpi_run *run, const bpi_instr *code, uint32_t count,
                            const bpi_view *view)
{
  return count ? bpi_relation_within(run, code, count, view, BPI_TRUE) : BPI_TRUE;
}

/* ---- what keeps its value --------------------------------------------------- */

static void same(bpi_run *run, uint32_t a, uint32_t b, bpi_bdd *all)
{
  const bpi_bdd left = bpi_bdd_literal(run->m, a, true), right = bpi_bdd_literal(run->m, b, true);
  bpi_run_meet(run, all, bpi_bdd_iff(run->m, left, right));
  bpi_bdd_drop(run->m, left);
  bpi_bdd_drop(run->m, right);
}

/* Marks by number what operands of that kind mention: globals, or locals. NULL without memory. */
static uint8_t *mentioned(bpi_run *run, const bpi_instr *code, uint32_t count, uint32_t op,
                          bool locals)
{
  uint8_t *marks = bpi_zalloc(locals ? run->p->max_locals : run->p->globals.count, 1);
  if (!marks) bpi_run_no_memory(run);
  for (uint32_t i = 0; marks && i < count; i++)
    if (code[i].op == op && !!(code[i].arg & BPI_LOCAL) == locals)
      marks[code[i].arg & ~(uint32_t)BPI_LOCAL] = 1;
  return marks;
}

void bpi_keep_globals(bpi_run *run, const bpi_instr *code, uint32_t count, const bpi_view *view,
                      bpi_bdd *all)
{
  uint8_t *marks = mentioned(run, code, count, BPI_OP_NEXT, false);
  for (uint32_t i = run->p->globals.count; marks && i-- > 0;)
    if (!marks[i])
      same(run, bpi_global_var(i, view->global_before), bpi_global_var(i, view->global_after), all);
  bpi_release(marks);
}

/* The locals of `symbol` that the replaced one has as well. */
static void keep_locals(bpi_run *run, const bpi_rule *rule, uint32_t symbol, uint32_t op,
                        const bpi_view *view, bpi_bdd *all)
{
  const bp_pushdown *p = run->p;
  const uint32_t left = p->symbols.at[rule->symbol].scope, right = p->symbols.at[symbol].scope;
  const uint32_t copy = op == BPI_OP_NEXT ? view->local_after : view->local_below;
  const bpi_scope *scope = &p->scopes.at[right];
  uint8_t *marks = mentioned(run, bpi_rule_code(p, rule), rule->code.count, op, true);
  for (uint32_t i = scope->locals.count; marks && i-- > 0;) {
    const char *name = bpi_word_text(p, scope->locals.at[i]);
    const uint32_t before =
        left == right ? i : bpi_pushdown_find(p, BPI_NAME_LOCAL, left, name, strlen(name));
    if (!marks[i] && before != BP_NONE)
      same(run, bpi_local_var(p, before, view->local_before), bpi_local_var(p, i, copy), all);
  }
  bpi_release(marks);
}

bpi_bdd bpi_rule_keeps(bpi_run *run, const bpi_rule *rule, const bpi_view *view)
{
  bpi_bdd all = BPI_TRUE;
  if (rule->top != BP_NONE && rule->below == BP_NONE)
    keep_locals(run, rule, rule->top, BPI_OP_NEXT, view, &all);
  if (rule->below != BP_NONE) keep_locals(run, rule, rule->below, BPI_OP_MIXED_NEXT, view, &all);
  bpi_keep_globals(run, bpi_rule_code(run->p, rule), rule->code.count, view, &all);
  return all;
}

bpi_bdd bpi_rule_relation(bpi_run *run, const bpi_rule *rule, const bpi_view *view)
{
  bpi_bdd all = bpi_rule_keeps(run, rule, view);
  const bpi_instr *code = bpi_rule_code(run->p, rule);
  bpi_run_meet(run, &all, bpi_relation_encode(run, code, rule->code.count, view));
  return all;
}

bpi_bdd bpi_carry(bpi_run *run, uint32_t symbol)
{
  bpi_bdd all = BPI_TRUE;
  for (uint32_t i = bpi_scope_of(run->p, symbol)->locals.count; i-- > 0;)
    same(run, bpi_local_var(run->p, i, BPI_THERE), bpi_local_var(run->p, i, BPI_HERE), &all);
  for (uint32_t i = run->p->globals.count; i-- > 0;)
    same(run, bpi_global_var(i, BPI_THERE), bpi_global_var(i, BPI_HERE), &all);
  return all;
}

/* ---- cubes --------------------------------------------------------------------- */

bpi_bdd bpi_global_cube(bpi_run *run, const uint8_t *globals)
{
  bpi_bdd all = BPI_TRUE;
  for (uint32_t i = run->p->globals.count; globals && i-- > 0;)
    bpi_run_meet(run, &all, bpi_bdd_literal(run->m, bpi_global_var(i, BPI_HERE), globals[i]));
  return all;
}

bpi_bdd bpi_local_cube(bpi_run *run, uint32_t symbol, const uint8_t *locals)
{
  bpi_bdd all = BPI_TRUE;
  for (uint32_t i = bpi_scope_of(run->p, symbol)->locals.count; locals && i-- > 0;)
    bpi_run_meet(run, &all, bpi_bdd_literal(run->m, bpi_local_var(run->p, i, BPI_HERE), locals[i]));
  return all;
}
