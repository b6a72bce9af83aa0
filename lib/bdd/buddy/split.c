/* SPDX-License-Identifier: MIT
 * Large operations in pieces. The kernel cannot be asked to stop inside an operation, and one on large
 * operands can take half a minute. So when the table is large, an operation is expanded by its top
 * variables (Shannon), and the limits are looked at between the pieces. The kernel's caches are shared
 * by the pieces, so next to nothing is computed twice. */
#include "bdd/buddy/buddy.h"

enum { SPLIT_LEVELS = 12 };

typedef struct operation {
  int op;  /* of bdd_apply() */
  int set; /* to quantify out of the result of bddop_and, BPI_NO_SET: none */
  uint32_t levels;
} operation;

static bpi_bdd whole(bp_manager *m, bpi_bdd a, bpi_bdd b, const operation *o)
{
  bpi_buddy *own = bpi_buddy_of(m);
  if (setjmp(own->jump)) return BPI_FALSE;
  own->mode = BPI_INSIDE;
  return bpi_buddy_finish(own, o->set == BPI_NO_SET ? bdd_apply(a, b, o->op)
                               : b == BPI_TRUE      ? bdd_exist(a, o->set)
                                                    : bdd_appex(a, b, o->op, o->set));
}

static uint32_t top_of(bpi_bdd a)
{
  return a < 2 ? UINT32_MAX : (uint32_t)bdd_var(a);
}

static bpi_bdd expand(bp_manager *m, bpi_bdd a, bpi_bdd b, operation o);

/* The operation on two plain or equal operands, or on one. */
static bpi_bdd plain(bp_manager *m, bpi_bdd a, bpi_bdd b, int op)
{
  switch (op) {
  case bddop_and: return bpi_bdd_and(m, a, b);
  case bddop_or: return bpi_bdd_or(m, a, b);
  case bddop_xor: return bpi_bdd_xor(m, a, b);
  case bddop_biimp: return bpi_bdd_iff(m, a, b);
  default: return bpi_bdd_diff(m, a, b);
  }
}

/* The operation on results or cofactors, whatever they are. */
static bpi_bdd piece(bp_manager *m, bpi_bdd a, bpi_bdd b, operation o)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (o.set == BPI_NO_SET)
    return a < 2 || b < 2 || a == b ? plain(m, a, b, o.op) : expand(m, a, b, o);
  if (a == BPI_FALSE || b == BPI_FALSE) return BPI_FALSE;
  if (a == BPI_TRUE) return b == BPI_TRUE ? BPI_TRUE : expand(m, b, BPI_TRUE, o);
  return expand(m, a, a == b ? BPI_TRUE : b, o);
}

/* low and high under var; or, when that is quantified, either. */
static bpi_bdd join(bp_manager *m, uint32_t var, bool quantified, bpi_bdd low, bpi_bdd high,
                    uint32_t levels)
{
  if (quantified) return piece(m, low, high, (operation){bddop_or, BPI_NO_SET, levels});
  const bpi_bdd literal = bpi_bdd_literal(m, var, true);
  const bpi_bdd both = bpi_bdd_ite(m, literal, high, low);
  bpi_bdd_drop(m, literal);
  return both;
}

static bpi_bdd expand(bp_manager *m, bpi_bdd a, bpi_bdd b, operation o)
{
  if (!bpi_bdd_poll(m) || !bpi_bdd_within_limit(m)) return BPI_FALSE;
  if (!o.levels) return whole(m, a, b, &o);
  const uint32_t x = top_of(a), y = top_of(b), top = x < y ? x : y;
  while (o.set > BPI_TRUE && top_of(o.set) < top)
    o.set = bdd_high(o.set);
  if (o.set == BPI_TRUE) o.set = BPI_NO_SET;
  if (o.set == BPI_NO_SET && b == BPI_TRUE && o.op == bddop_and) return bpi_bdd_keep(m, a);
  o.levels--;
  const bool quantified = o.set != BPI_NO_SET && top_of(o.set) == top;
  const bpi_bdd low = piece(m, x == top ? bdd_low(a) : a, y == top ? bdd_low(b) : b, o);
  if (quantified && low == BPI_TRUE) return low;
  const bpi_bdd high = piece(m, x == top ? bdd_high(a) : a, y == top ? bdd_high(b) : b, o);
  const bpi_bdd both = join(m, top, quantified, low, high, o.levels);
  bpi_bdd_drop(m, low);
  bpi_bdd_drop(m, high);
  return both;
}

bpi_bdd bpi_buddy_split(bp_manager *m, bpi_bdd a, bpi_bdd b, int set, int op)
{
  const operation o = {op, set, SPLIT_LEVELS};
  return bpi_buddy_used(m) < bpi_buddy_of(m)->split_from ? whole(m, a, b, &o) : expand(m, a, b, o);
}
