/* SPDX-License-Identifier: MIT */
#include "remopla/lower.h"

bool bpi_lower_no_memory(bpi_lowering *l)
{
  return bpi_draft_stop(l->d, BP_E_NOMEM);
}

static uint32_t label_symbol(bpi_lowering *l, uint32_t number)
{
  char name[16];
  const int len = snprintf(name, sizeof name, "$%u", (unsigned)number);
  return bpi_draft_symbol(l->d, name, (size_t)len);
}

uint32_t bpi_lower_label(bpi_lowering *l)
{
  return l->next_label++;
}

bool bpi_lower_expr(bpi_lowering *l, uint32_t gate)
{
  if (l->c->full || l->p->code.count > BPI_MOST_CODE) {
    bpi_draft_error(l->d, BPI_MSG_TOO_LARGE, NULL, &l->range, "%s needs too many bits",
                    l->c->full ? "this statement" : "the program up to here");
    return false;
  }
  return (bpi_circuit_write(l->c, gate, &l->p->code) &&
          bpi_vec_push(&l->p->exprs, l->p->code.count)) ||
         bpi_lower_no_memory(l);
}

static bool put_labels(bpi_lowering *l)
{
  for (uint32_t i = 0; i < l->once.count; i++)
    if (!bpi_draft_label(l->d, label_symbol(l, l->once.at[i]), BP_NONE)) return false;
  for (uint32_t i = 0; i < l->always.count; i++)
    if (!bpi_draft_label(l->d, l->always.at[i], BP_NONE)) return false;
  l->once.count = 0;
  return true;
}

bool bpi_lower_put(bpi_lowering *l, bpi_stmt s)
{
  l->falls = s.kind != BP_STMT_GOTO && s.kind != BP_STMT_RETURN;
  if (!put_labels(l) || bpi_draft_stmt(l->d, &s, &l->range) == BP_NONE) return false;
  return bpi_vec_push(&l->p->stmt_texts, l->text) || bpi_lower_no_memory(l);
}

bool bpi_lower_condition(bpi_lowering *l, bp_stmt_kind kind, uint32_t gate, bool silent)
{
  bpi_stmt s = bpi_stmt_blank(kind);
  s.exprs = (bpi_slice){l->p->exprs.count, 1};
  s.silent = silent;
  return bpi_lower_expr(l, gate) && bpi_lower_put(l, s);
}

bool bpi_lower_goto(bpi_lowering *l, uint32_t first, uint32_t count, bool silent)
{
  bpi_stmt s = bpi_stmt_blank(BP_STMT_GOTO);
  s.targets = (bpi_slice){l->p->ids.count, count};
  s.silent = silent;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t symbol = label_symbol(l, first + i);
    if (symbol == BP_NONE || !bpi_vec_push(&l->p->ids, symbol)) return bpi_lower_no_memory(l);
  }
  return bpi_lower_put(l, s);
}

bool bpi_lower_becomes(bpi_lowering *l, uint32_t var, uint32_t gate)
{
  if (!l->touched.at[var] && !bpi_vec_push(&l->list, var)) return bpi_lower_no_memory(l);
  l->touched.at[var] = 1;
  l->gates.at[var] = gate;
  return true;
}

bool bpi_lower_assign(bpi_lowering *l, uint32_t condition, bool silent)
{
  bpi_stmt s = bpi_stmt_blank(BP_STMT_ASSIGN);
  bool good = true;
  /* All indices are outside. */
  if (!l->list.count) return bpi_lower_condition(l, BP_STMT_ASSUME, condition, silent);
  s.targets = (bpi_slice){l->p->ids.count, l->list.count};
  s.exprs = (bpi_slice){l->p->exprs.count, l->list.count};
  s.silent = silent;
  for (uint32_t i = 0; i < l->list.count; i++) {
    const uint32_t var = l->list.at[i];
    l->touched.at[var] = 0;
    if (!good || !bpi_draft_going(l->d)) continue;
    good = bpi_vec_push(&l->p->ids, var) || bpi_lower_no_memory(l);
    good = good && bpi_lower_expr(l, l->gates.at[var]);
  }
  l->list.count = 0;
  if (good && condition != BPI_GATE_TRUE) {
    s.constrain = l->p->exprs.count;
    good = bpi_lower_expr(l, condition);
  }
  return good && bpi_draft_going(l->d) && bpi_lower_put(l, s);
}
