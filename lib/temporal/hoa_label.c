/* SPDX-License-Identifier: MIT
 * Label expressions: `!` binds tighter than `&`, that tighter than `|`. */
#include "temporal/hoa.h"

static bool push(bpi_hoa *h, bpi_ids *stack, uint32_t what)
{
  return bpi_vec_push(stack, what) || bpi_job_no_memory(h->job);
}

static void reduce(bpi_hoa *h)
{
  uint32_t *top = h->operands.at + h->operands.count - 1;
  switch ((bpi_hoa_kind)h->operators.at[--h->operators.count]) {
  case BPI_H_NOT: *top = bpi_label_not(&h->labels, *top); return;
  case BPI_H_AND: top[-1] = bpi_label_and(&h->labels, top[-1], *top); break;
  default: top[-1] = bpi_label_or(&h->labels, top[-1], *top); break;
  }
  h->operands.count--;
}

/* Applies what waits and binds at least as tight; kinds are in the order of how tight they are. */
static void reduce_to(bpi_hoa *h, bpi_hoa_kind least)
{
  while (h->operators.count && h->operators.at[h->operators.count - 1] <= (uint32_t)least)
    reduce(h);
}

static bool read_ap(bpi_hoa *h)
{
  uint32_t ap;
  const bp_range range = h->now.range;
  const bool known = h->aps != BP_NONE;
  if (!bpi_hoa_number(h, "a proposition", known ? h->aps : BP_AUTOMATON_MAX_APS, &ap)) return false;
  if (!known && ap >= h->most_ap) {
    h->most_ap = ap + 1;
    h->most_ap_range = range;
  }
  return push(h, &h->operands, bpi_label_var(&h->labels, ap));
}

bool bpi_hoa_alias_of(bpi_hoa *h, const bpi_hoa_token *token, uint32_t *alias)
{
  const uint32_t node = bpi_ltl_atom(&h->aliases, BP_ATOM_NAME, "", 0, token->at, token->len, NULL);
  if (node != BP_NONE) *alias = h->aliases.nodes.at[node].first;
  return node != BP_NONE;
}

static bool read_alias(bpi_hoa *h)
{
  uint32_t alias;
  if (!bpi_hoa_alias_of(h, &h->now, &alias)) return false;
  if (alias >= h->alias_labels.count)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_HEADER, &h->now.range,
                          "this alias is not defined before");
  bpi_hoa_step(h);
  return push(h, &h->operands, h->alias_labels.at[alias]);
}

static bool read_operand(bpi_hoa *h)
{
  while (h->now.kind == BPI_H_NOT || h->now.kind == BPI_H_OPEN) {
    if (!push(h, &h->operators, h->now.kind)) return false;
    bpi_hoa_step(h);
    if (!bpi_job_going(h->job)) return false;
  }
  if (h->now.kind == BPI_H_NUMBER) return read_ap(h);
  if (h->now.kind == BPI_H_ALIAS) return read_alias(h);
  const bool yes = h->now.kind == BPI_H_WORD && bpi_hoa_has_word(&h->now, "t");
  const bool no = h->now.kind == BPI_H_WORD && bpi_hoa_has_word(&h->now, "f");
  if (!yes && !no) return bpi_hoa_missing(h, "a proposition, t or f");
  bpi_hoa_step(h);
  return push(h, &h->operands, yes ? BPI_LABEL_TRUE : BPI_LABEL_FALSE);
}

/* What follows an operand: `*more`, when another one must come. */
static bool read_operator(bpi_hoa *h, bool *more)
{
  *more = false;
  while (h->now.kind == BPI_H_CLOSE) {
    reduce_to(h, BPI_H_OR);
    if (!h->operators.count) return true; /* not ours */
    h->operators.count--;
    bpi_hoa_step(h);
    if (!bpi_job_going(h->job)) return false;
  }
  if (h->now.kind != BPI_H_AND && h->now.kind != BPI_H_OR) return true;
  *more = true;
  reduce_to(h, h->now.kind);
  if (!push(h, &h->operators, h->now.kind)) return false;
  bpi_hoa_step(h);
  return true;
}

bool bpi_hoa_label(bpi_hoa *h, uint32_t *label)
{
  bool more = true;
  h->operands.count = h->operators.count = 0;
  while (more)
    if (!read_operand(h) || !read_operator(h, &more)) return false;
  reduce_to(h, BPI_H_OR);
  if (h->operators.count) return bpi_hoa_missing(h, "')'");
  *label = h->operands.at[0];
  return bpi_job_going(h->job);
}
