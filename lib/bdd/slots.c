/* SPDX-License-Identifier: MIT
 * The variables: extending their number, and renaming. */
#include "bdd/manager.h"

#include "base/hash.h"

/* ---- slots ------------------------------------------------------------- */

uint32_t bpi_bdd_slot_count(const bp_manager *m)
{
  return m->slots;
}

uint32_t bpi_bdd_most_slots(const bp_manager *m)
{
  return m->max_vars / 3;
}

static bool reserve(int **block, uint32_t count)
{
  int *grown = bpi_realloc(*block, count, sizeof **block);
  if (grown) *block = grown;
  return grown != NULL;
}

/* Gives the kernel's arrays their new size, so that its own reallocations have nothing left to do:
 * it survives a failure of none of them. The last one, its variable set, is out of reach; that one
 * may fail. */
static bool reserve_vars(bp_manager *m, uint32_t vars)
{
  if (!reserve(&m->next_to_current.pair->result, vars)) return false;
  for (uint32_t i = 0; i < m->renames.count; i++) {
    bddPair *pair = m->renames.at[i]->pair;
    if (pair && !reserve(&pair->result, vars)) return false;
  }
  if (!reserve(&bddlevel2var, vars + 1) || !reserve(&bddvar2level, vars + 1)) return false;
  const bool done = reserve(&bddrefstack, 2 * vars + 4);
  bddrefstacktop = bddrefstack;
  return done;
}

bool bpi_bdd_ensure_slots(bp_manager *m, uint32_t slots)
{
  if (m->error != BPI_BDD_OK) return false;
  if (slots <= m->slots) return true;
  if (slots > m->max_vars / 3) return false;
  if (!reserve_vars(m, 3 * slots)) {
    bpi_bdd_latch(m, BPI_BDD_MEMORY);
    return false;
  }
  if (setjmp(m->jump)) {
    bddvarnum = (int)(3 * m->slots);
    return false;
  }
  m->mode = BPI_EXTENDING;
  bdd_setvarnum((int)(3 * slots));
  if (m->grown) bpi_bdd_settle(m);
  m->mode = BPI_OUTSIDE;
  if (bdderrorcond) {
    bdderrorcond = 0;
    bpi_bdd_latch(m, BPI_BDD_NODES);
    return false;
  }
  const uint32_t first = m->slots;
  m->slots = slots;
  return bpi_bdd_renames_extend(m, first);
}

/* ---- renames ----------------------------------------------------------- */

/* bdd_setpair() gives the pair a new id, so cached results of the old one are never met again;
 * bdd_resetpair() would not. */
bool bpi_bdd_renames_extend(bp_manager *m, uint32_t first)
{
  bpi_rename *rename = &m->next_to_current;
  if (!rename->pair) rename->pair = bdd_newpair();
  if (!rename->pair) return false;
  const uint32_t slots = (uint32_t)bddvarnum / 3;
  for (uint32_t slot = first; slot < slots; slot++)
    bdd_setpair(rename->pair, (int)bpi_bdd_var(slot, BPI_NEXT),
                (int)bpi_bdd_var(slot, BPI_CURRENT));
  return true;
}

/* The pairs themselves go with the kernel. */
void bpi_bdd_renames_free(bp_manager *m)
{
  for (uint32_t i = 0; i < m->renames.count; i++) {
    bpi_release(m->renames.at[i]->from);
    bpi_release(m->renames.at[i]);
  }
  bpi_vec_free(&m->renames);
}

const bpi_rename *bpi_bdd_next_to_current(bp_manager *m)
{
  return &m->next_to_current;
}

static const bpi_rename *find_rename(const bp_manager *m, uint64_t hash, const uint32_t *from,
                                     const uint32_t *to, uint32_t count)
{
  const size_t bytes = count * sizeof *from;
  for (uint32_t i = 0; i < m->renames.count; i++) {
    const bpi_rename *r = m->renames.at[i];
    if (r->hash == hash && r->count == count && !memcmp(r->from, from, bytes) &&
        !memcmp(r->to, to, bytes))
      return r;
  }
  return NULL;
}

static bpi_rename *make_rename(uint64_t hash, const uint32_t *from, const uint32_t *to,
                               uint32_t count)
{
  bpi_rename *r = bpi_zalloc(1, sizeof *r);
  uint32_t *block = bpi_alloc(2 * (size_t)count, sizeof *block);
  if (!r || !block) {
    bpi_release(r);
    bpi_release(block);
    return NULL;
  }
  *r = (bpi_rename){.hash = hash, .from = block, .to = block + count, .count = count};
  memcpy(r->from, from, count * sizeof *from);
  memcpy(r->to, to, count * sizeof *to);
  return r;
}

/* False when the kernel refused: nothing is left behind. Its own failure here harms nothing. */
static bool make_pair(bp_manager *m, bpi_rename *r)
{
  m->mode = BPI_OUTSIDE;
  m->noted = 0;
  bddPair *pair = NULL;
  for (uint32_t i = 0; i < r->count; i++) {
    if (r->from[i] == r->to[i]) continue;
    if (!pair) pair = bdd_newpair();
    if (!pair) break;
    bdd_setpair(pair, (int)r->from[i], (int)r->to[i]);
  }
  if (!m->noted) {
    r->pair = pair;
    return true;
  }
  bdd_freepair(pair);
  bpi_bdd_latch(m, m->noted == BDD_MEMORY ? BPI_BDD_MEMORY : BPI_BDD_INTERNAL);
  return false;
}

const bpi_rename *bpi_bdd_rename_new(bp_manager *m, const uint32_t *from, const uint32_t *to,
                                     uint32_t count)
{
  if (m->error != BPI_BDD_OK) return NULL;
  static const uint32_t none = 0;
  if (!count) from = to = &none;
  uint64_t hash = bpi_hash_bytes(BPI_HASH_START, from, count * sizeof *from);
  hash = bpi_hash_bytes(hash, to, count * sizeof *to);
  const bpi_rename *old = find_rename(m, hash, from, to, count);
  if (old) return old;
  bpi_rename *r = bpi_vec_reserve(&m->renames, 1) ? make_rename(hash, from, to, count) : NULL;
  if (!r) {
    bpi_bdd_latch(m, BPI_BDD_MEMORY);
    return NULL;
  }
  if (!make_pair(m, r)) {
    bpi_release(r->from);
    bpi_release(r);
    return NULL;
  }
  m->renames.at[m->renames.count++] = r;
  return r;
}

bpi_bdd bpi_bdd_rename(bp_manager *m, bpi_bdd a, const bpi_rename *rename)
{
  if (m->error != BPI_BDD_OK) return BPI_FALSE;
  if (a < 2 || !rename->pair) return bpi_bdd_keep(m, a);
  if (setjmp(m->jump)) return BPI_FALSE;
  m->mode = BPI_INSIDE;
  return bpi_bdd_finish(m, bdd_replace(a, rename->pair));
}
