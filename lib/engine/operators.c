/* SPDX-License-Identifier: MIT */
#include "engine/operators.h"

/* (a and b) or (c and d) */
static bpi_bdd either(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd c, bpi_bdd d)
{
  const bpi_bdd left = bpi_bdd_and(m, a, b), right = bpi_bdd_and(m, c, d);
  const bpi_bdd both = bpi_bdd_or(m, left, right);
  bpi_bdd_drop(m, left);
  bpi_bdd_drop(m, right);
  return both;
}

/* Operands are separate occurrences, so their choices are independent: what an operator can give is
 * put together from what each operand can give. */
bpi_choices bpi_choices_combine(bp_manager *m, uint32_t op, const bpi_choices *x)
{
  switch (op) {
  case BPI_OP_NOT: return (bpi_choices){bpi_bdd_keep(m, x[0].no), bpi_bdd_keep(m, x[0].yes)};
  case BPI_OP_AND:
    return (bpi_choices){bpi_bdd_and(m, x[0].yes, x[1].yes), bpi_bdd_or(m, x[0].no, x[1].no)};
  case BPI_OP_OR:
    return (bpi_choices){bpi_bdd_or(m, x[0].yes, x[1].yes), bpi_bdd_and(m, x[0].no, x[1].no)};
  case BPI_OP_IMPLIES:
    return (bpi_choices){bpi_bdd_or(m, x[0].no, x[1].yes), bpi_bdd_and(m, x[0].yes, x[1].no)};
  case BPI_OP_XOR:
  case BPI_OP_NE:
    return (bpi_choices){either(m, x[0].yes, x[1].no, x[0].no, x[1].yes),
                         either(m, x[0].yes, x[1].yes, x[0].no, x[1].no)};
  case BPI_OP_EQ:
    return (bpi_choices){either(m, x[0].yes, x[1].yes, x[0].no, x[1].no),
                         either(m, x[0].yes, x[1].no, x[0].no, x[1].yes)};
  case BPI_OP_SCHOOSE:
    return (bpi_choices){either(m, x[0].yes, BPI_TRUE, x[0].no, x[1].no), bpi_bdd_keep(m, x[0].no)};
  default: /* BPI_OP_COND */
    return (bpi_choices){either(m, x[0].yes, x[1].yes, x[0].no, x[2].yes),
                         either(m, x[0].yes, x[1].no, x[0].no, x[2].no)};
  }
}

static void set_register(bp_manager *m, bpi_choices *at, bpi_choices x)
{
  bpi_bdd_drop(m, at->yes);
  bpi_bdd_drop(m, at->no);
  *at = (bpi_choices){bpi_bdd_keep(m, x.yes), bpi_bdd_keep(m, x.no)};
}

bool bpi_registers_keep(bp_manager *m, bpi_registers *kept, uint32_t number, bpi_choices x)
{
  while (kept->count <= number)
    if (!bpi_vec_push(kept, (bpi_choices){BPI_FALSE, BPI_FALSE})) return false;
  set_register(m, &kept->at[number], x);
  return true;
}

bpi_choices bpi_registers_kept(bp_manager *m, const bpi_registers *kept, uint32_t number)
{
  const bpi_choices x = kept->at[number];
  return (bpi_choices){bpi_bdd_keep(m, x.yes), bpi_bdd_keep(m, x.no)};
}

void bpi_registers_clear(bp_manager *m, bpi_registers *kept)
{
  for (uint32_t i = 0; i < kept->count; i++)
    set_register(m, &kept->at[i], (bpi_choices){BPI_FALSE, BPI_FALSE});
  bpi_vec_free(kept);
}
