/* SPDX-License-Identifier: MIT
 * The variables: extending their number, and the pairs for renaming. */
#include "bdd/buddy/buddy.h"

/* ---- slots ------------------------------------------------------------- */

static bool reserve(int **block, uint32_t count)
{
  int *grown = bpi_realloc(*block, count, sizeof **block);
  if (grown) *block = grown;
  return grown != NULL;
}

/* Gives the kernel's arrays their new size, so that its own reallocations have nothing left to do:
 * it survives a failure of none of them. The last one, its variable set, is out of reach; that one
 * may fail. */
static bool reserve_vars(bpi_buddy *m, uint32_t vars)
{
  if (!reserve(&m->shift->result, vars)) return false;
  for (uint32_t i = 0; i < m->base.renames.count; i++) {
    bddPair *pair = m->base.renames.at[i]->kernel;
    if (pair && !reserve(&pair->result, vars)) return false;
  }
  if (!reserve(&bddlevel2var, vars + 1) || !reserve(&bddvar2level, vars + 1)) return false;
  const bool done = reserve(&bddrefstack, 2 * vars + 4);
  bddrefstacktop = bddrefstack;
  return done;
}

void bpi_buddy_clear_stack(void)
{
  if (bddrefstack) memset(bddrefstack, 0, (2 * (size_t)bddvarnum + 4) * sizeof *bddrefstack);
}

/* Free nodes for new variables, so that nothing is collected while the reference stack is made anew. */
static bool make_room(uint32_t vars)
{
  const int want = 2 * (int)vars;
  if (bddfreenum < want) bdd_gbc();
  while (bddfreenum < want && bddnodesize < bddmaxnodesize && !bdderrorcond)
    bdd_noderesize(1);
  return bddfreenum >= want && !bdderrorcond;
}

bool bpi_buddy_more_slots(bp_manager *base, uint32_t slots)
{
  bpi_buddy *m = bpi_buddy_of(base);
  if (!reserve_vars(m, 3 * slots)) {
    bpi_bdd_latch(base, BPI_BDD_MEMORY);
    return false;
  }
  if (setjmp(m->jump)) {
    bddvarnum = (int)(3 * base->slots);
    bpi_buddy_clear_stack();
    return false;
  }
  m->mode = BPI_EXTENDING;
  const bool room = make_room(3 * (slots - base->slots));
  if (room) bdd_setvarnum((int)(3 * slots));
  if (m->grown) bpi_buddy_settle(m);
  m->mode = BPI_OUTSIDE;
  if (!room || bdderrorcond) {
    bdderrorcond = 0;
    bpi_bdd_latch(base, BPI_BDD_NODES);
    return false;
  }
  bpi_buddy_clear_stack();
  const uint32_t first = base->slots;
  base->slots = slots;
  return bpi_buddy_shift_extend(m, first);
}

/* ---- renames ----------------------------------------------------------- */

/* bdd_setpair() gives the pair a new id, so cached results of the old one are never met again;
 * bdd_resetpair() would not. */
bool bpi_buddy_shift_extend(bpi_buddy *m, uint32_t first)
{
  if (!m->shift) m->shift = bdd_newpair();
  if (!m->shift) return false;
  const uint32_t slots = (uint32_t)bddvarnum / 3;
  for (uint32_t slot = first; slot < slots; slot++)
    bdd_setpair(m->shift, (int)bpi_bdd_var(slot, BPI_NEXT), (int)bpi_bdd_var(slot, BPI_CURRENT));
  return true;
}

/* Pairs go with the kernel. False when the kernel refused: nothing is left behind. Its own failure
 * here harms nothing. */
bool bpi_buddy_prepare(bp_manager *base, bpi_rename *rename)
{
  bpi_buddy *m = bpi_buddy_of(base);
  m->mode = BPI_OUTSIDE;
  m->noted = 0;
  bddPair *pair = bdd_newpair();
  for (uint32_t i = 0; pair && i < rename->count; i++)
    bdd_setpair(pair, (int)rename->from[i], (int)rename->to[i]);
  rename->kernel = pair;
  if (!m->noted) return true;
  bdd_freepair(pair);
  bpi_bdd_latch(base, m->noted == BDD_MEMORY ? BPI_BDD_MEMORY : BPI_BDD_INTERNAL);
  return false;
}
