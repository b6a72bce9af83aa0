/* SPDX-License-Identifier: MIT
 * References and operations. What is plain from the operands never reaches the kernel. */
#include "bdd/manager.h"

#include <stdlib.h>

/* ---- references -------------------------------------------------------- */

/* The kernel's own counts stick at 1023, so each node has one of ours, and one reference of the
 * kernel while ours is not 0. */
bool bpi_bdd_counts_grow(bp_manager *m, bpi_bdd node)
{
  const uint32_t size = (uint32_t)bddnodesize;
  uint32_t *grown = (uint32_t)node < size ? bpi_realloc(m->counts, size, sizeof *grown) : NULL;
  if (!grown) {
    bpi_bdd_latch(m, BPI_BDD_MEMORY);
    return false;
  }
  memset(grown + m->counts_size, 0, (size - m->counts_size) * sizeof *grown);
  m->counts = grown;
  m->counts_size = size;
  return true;
}

bpi_bdd bpi_bdd_keep(bp_manager *m, bpi_bdd a)
{
  return bpi_bdd_take(m, a);
}

void bpi_bdd_drop(bp_manager *m, bpi_bdd a)
{
  if (a < 2) return;
  if ((uint32_t)a >= m->counts_size || !m->counts[a]) {
    bpi_bdd_latch(m, BPI_BDD_INTERNAL);
    return;
  }
  if (!--m->counts[a]) bdd_delref(a);
}

/* ---- operations -------------------------------------------------------- */

bpi_bdd bpi_bdd_literal(bp_manager *m, uint32_t var, bool positive)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (setjmp(m->jump)) return BPI_FALSE;
  m->mode = BPI_INSIDE;
  return bpi_bdd_finish(m, positive ? bdd_ithvar((int)var) : bdd_nithvar((int)var));
}

bpi_bdd bpi_bdd_not(bp_manager *m, bpi_bdd a)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (a < 2) return !a;
  if (setjmp(m->jump)) return BPI_FALSE;
  m->mode = BPI_INSIDE;
  return bpi_bdd_finish(m, bdd_not(a));
}

bpi_bdd bpi_bdd_and(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (a == BPI_FALSE || b == BPI_FALSE) return BPI_FALSE;
  if (a == b || b == BPI_TRUE) return bpi_bdd_keep(m, a);
  if (a == BPI_TRUE) return bpi_bdd_keep(m, b);
  return bpi_bdd_split(m, a, b, BPI_NO_SET, bddop_and);
}

bpi_bdd bpi_bdd_or(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (a == BPI_TRUE || b == BPI_TRUE) return BPI_TRUE;
  if (a == b || b == BPI_FALSE) return bpi_bdd_keep(m, a);
  if (a == BPI_FALSE) return bpi_bdd_keep(m, b);
  return bpi_bdd_split(m, a, b, BPI_NO_SET, bddop_or);
}

bpi_bdd bpi_bdd_xor(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->error != BPI_BDD_OK || a == b) return BPI_FALSE;
  if (a < 2) return a ? bpi_bdd_not(m, b) : bpi_bdd_keep(m, b);
  if (b < 2) return b ? bpi_bdd_not(m, a) : bpi_bdd_keep(m, a);
  return bpi_bdd_split(m, a, b, BPI_NO_SET, bddop_xor);
}

bpi_bdd bpi_bdd_iff(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (a == b) return BPI_TRUE;
  if (a < 2) return a ? bpi_bdd_keep(m, b) : bpi_bdd_not(m, b);
  if (b < 2) return b ? bpi_bdd_keep(m, a) : bpi_bdd_not(m, a);
  return bpi_bdd_split(m, a, b, BPI_NO_SET, bddop_biimp);
}

bpi_bdd bpi_bdd_diff(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (a == b || a == BPI_FALSE || b == BPI_TRUE) return BPI_FALSE;
  if (b == BPI_FALSE) return bpi_bdd_keep(m, a);
  if (a == BPI_TRUE) return bpi_bdd_not(m, b);
  return bpi_bdd_split(m, a, b, BPI_NO_SET, bddop_diff);
}

bpi_bdd bpi_bdd_ite(bp_manager *m, bpi_bdd test, bpi_bdd yes, bpi_bdd no)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (test == BPI_TRUE || yes == no) return bpi_bdd_keep(m, yes);
  if (test == BPI_FALSE) return bpi_bdd_keep(m, no);
  if (yes == BPI_TRUE && no == BPI_FALSE) return bpi_bdd_keep(m, test);
  if (setjmp(m->jump)) return BPI_FALSE;
  m->mode = BPI_INSIDE;
  return bpi_bdd_finish(m, bdd_ite(test, yes, no));
}

bpi_bdd bpi_bdd_simplify(bp_manager *m, bpi_bdd a, bpi_bdd care)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (a < 2 || care < 2) return bpi_bdd_keep(m, a);
  if (a == care) return BPI_TRUE;
  if (setjmp(m->jump)) return BPI_FALSE;
  m->mode = BPI_INSIDE;
  return bpi_bdd_finish(m, bdd_simplify(a, care));
}

/* ---- quantification ---------------------------------------------------- */

static int descending(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* From the bottom up: each step adds one node on top. */
bpi_bdd bpi_bdd_set(bp_manager *m, const uint32_t *vars, uint32_t count)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (!count) return BPI_TRUE;
  uint32_t *sorted = bpi_alloc(count, sizeof *sorted);
  if (!sorted) {
    bpi_bdd_latch(m, BPI_BDD_MEMORY);
    return BPI_FALSE;
  }
  memcpy(sorted, vars, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, descending);
  bpi_bdd set = BPI_TRUE;
  for (uint32_t i = 0; i < count && m->error == BPI_BDD_OK; i++) {
    const bpi_bdd var = bpi_bdd_literal(m, sorted[i], true);
    const bpi_bdd more = bpi_bdd_and(m, var, set);
    bpi_bdd_drop(m, var);
    bpi_bdd_drop(m, set);
    set = more;
  }
  bpi_release(sorted);
  return set;
}

bpi_bdd bpi_bdd_exists(bp_manager *m, bpi_bdd a, bpi_bdd set)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (a < 2 || set == BPI_TRUE) return bpi_bdd_keep(m, a);
  return bpi_bdd_split(m, a, BPI_TRUE, set, bddop_and);
}

bpi_bdd bpi_bdd_and_exists(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set)
{
  if (m->error != BPI_BDD_OK || a == BPI_FALSE || b == BPI_FALSE) return BPI_FALSE;
  if (set == BPI_TRUE) return bpi_bdd_and(m, a, b);
  if (a == b || b == BPI_TRUE) return bpi_bdd_exists(m, a, set);
  if (a == BPI_TRUE) return bpi_bdd_exists(m, b, set);
  return bpi_bdd_split(m, a, b, set, bddop_and);
}
