/* SPDX-License-Identifier: MIT
 * References and operations, each inside the guard. */
#include "bdd/buddy/buddy.h"

/* ---- references -------------------------------------------------------- */

/* The kernel's own counts stick at 1023, so each node has one of ours, and one reference of the
 * kernel while ours is not 0. */
bool bpi_buddy_refs_grow(bpi_buddy *m, bpi_bdd node)
{
  bpi_bdd_head *head = &m->base.head;
  const uint32_t size = (uint32_t)bddnodesize;
  uint64_t *grown = (uint32_t)node < size ? bpi_realloc(head->refs, size, sizeof *grown) : NULL;
  if (!grown) {
    bpi_bdd_latch(&m->base, BPI_BDD_MEMORY);
    return false;
  }
  memset(grown + head->refs_size, 0, (size - head->refs_size) * sizeof *grown);
  head->refs = grown;
  head->refs_size = size;
  return true;
}

bpi_bdd bpi_buddy_keep_first(bp_manager *m, bpi_bdd a)
{
  return bpi_buddy_take(bpi_buddy_of(m), a);
}

void bpi_buddy_drop_last(bp_manager *m, bpi_bdd a)
{
  m->head.refs[a] = 0;
  bdd_delref(a);
}

/* ---- operations -------------------------------------------------------- */

bpi_bdd bpi_buddy_literal(bp_manager *base, uint32_t var, bool positive)
{
  bpi_buddy *m = bpi_buddy_of(base);
  if (setjmp(m->jump)) return BPI_FALSE;
  m->mode = BPI_INSIDE;
  return bpi_buddy_finish(m, positive ? bdd_ithvar((int)var) : bdd_nithvar((int)var));
}

bpi_bdd bpi_buddy_complement(bp_manager *base, bpi_bdd a)
{
  bpi_buddy *m = bpi_buddy_of(base);
  if (setjmp(m->jump)) return BPI_FALSE;
  m->mode = BPI_INSIDE;
  return bpi_buddy_finish(m, bdd_not(a));
}

bpi_bdd bpi_buddy_apply(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_apply op)
{
  static const int ops[] = {[BPI_AND] = bddop_and,
                            [BPI_OR] = bddop_or,
                            [BPI_XOR] = bddop_xor,
                            [BPI_IFF] = bddop_biimp,
                            [BPI_DIFF] = bddop_diff};
  return bpi_buddy_split(m, a, b, BPI_NO_SET, ops[op]);
}

bpi_bdd bpi_buddy_ite(bp_manager *base, bpi_bdd test, bpi_bdd yes, bpi_bdd no)
{
  bpi_buddy *m = bpi_buddy_of(base);
  if (setjmp(m->jump)) return BPI_FALSE;
  m->mode = BPI_INSIDE;
  return bpi_buddy_finish(m, bdd_ite(test, yes, no));
}

bpi_bdd bpi_buddy_and_exists(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set)
{
  return bpi_buddy_split(m, a, b, set, bddop_and);
}

static bpi_bdd replace(bpi_buddy *m, bpi_bdd a, bddPair *pair)
{
  if (setjmp(m->jump)) return BPI_FALSE;
  m->mode = BPI_INSIDE;
  return bpi_buddy_finish(m, bdd_replace(a, pair));
}

bpi_bdd bpi_buddy_image(bp_manager *base, bpi_bdd a, bpi_bdd b, bpi_bdd set)
{
  bpi_buddy *m = bpi_buddy_of(base);
  const bpi_bdd next = bpi_bdd_and_exists(base, a, b, set);
  if (next < 2) return next;
  const bpi_bdd current = replace(m, next, m->shift);
  bpi_bdd_drop(base, next);
  return current;
}

bpi_bdd bpi_buddy_rename(bp_manager *base, bpi_bdd a, const bpi_rename *rename)
{
  return replace(bpi_buddy_of(base), a, rename->kernel);
}
