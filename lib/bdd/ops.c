/* SPDX-License-Identifier: MIT
 * Operations. What is plain from the operands never reaches a kernel. */
#include "bdd/kernel.h"

#include "base/hash.h"

#include <stdlib.h>

/* ---- references -------------------------------------------------------- */

bpi_bdd bpi_bdd_keep_first(bp_manager *m, bpi_bdd a)
{
  return m->kernel->keep_first(m, a);
}

void bpi_bdd_drop_last(bp_manager *m, bpi_bdd a)
{
  const uint32_t place = (uint32_t)a >> m->head.shift;
  if (place >= m->head.refs_size || !m->head.refs[place]) {
    bpi_bdd_latch(m, BPI_BDD_INTERNAL);
    return;
  }
  m->kernel->drop_last(m, a);
}

/* ---- connectives ------------------------------------------------------- */

bpi_bdd bpi_bdd_literal(bp_manager *m, uint32_t var, bool positive)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (var < 3 * m->slots) return m->kernel->literal(m, var, positive);
  bpi_bdd_latch(m, BPI_BDD_INTERNAL);
  return BPI_FALSE;
}

bpi_bdd bpi_bdd_not(bp_manager *m, bpi_bdd a)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  return a < 2 ? !a : m->kernel->complement(m, a);
}

bpi_bdd bpi_bdd_and(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (a == BPI_FALSE || b == BPI_FALSE) return BPI_FALSE;
  if (a == b || b == BPI_TRUE) return bpi_bdd_keep(m, a);
  if (a == BPI_TRUE) return bpi_bdd_keep(m, b);
  return m->kernel->apply(m, a, b, BPI_AND);
}

bpi_bdd bpi_bdd_or(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (a == BPI_TRUE || b == BPI_TRUE) return BPI_TRUE;
  if (a == b || b == BPI_FALSE) return bpi_bdd_keep(m, a);
  if (a == BPI_FALSE) return bpi_bdd_keep(m, b);
  return m->kernel->apply(m, a, b, BPI_OR);
}

bpi_bdd bpi_bdd_xor(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->head.error != BPI_BDD_OK || a == b) return BPI_FALSE;
  if (a < 2) return a ? bpi_bdd_not(m, b) : bpi_bdd_keep(m, b);
  if (b < 2) return b ? bpi_bdd_not(m, a) : bpi_bdd_keep(m, a);
  return m->kernel->apply(m, a, b, BPI_XOR);
}

bpi_bdd bpi_bdd_iff(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (a == b) return BPI_TRUE;
  if (a < 2) return a ? bpi_bdd_keep(m, b) : bpi_bdd_not(m, b);
  if (b < 2) return b ? bpi_bdd_keep(m, a) : bpi_bdd_not(m, a);
  return m->kernel->apply(m, a, b, BPI_IFF);
}

bpi_bdd bpi_bdd_diff(bp_manager *m, bpi_bdd a, bpi_bdd b)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (a == b || a == BPI_FALSE || b == BPI_TRUE) return BPI_FALSE;
  if (b == BPI_FALSE) return bpi_bdd_keep(m, a);
  if (a == BPI_TRUE) return bpi_bdd_not(m, b);
  return m->kernel->apply(m, a, b, BPI_DIFF);
}

bpi_bdd bpi_bdd_ite(bp_manager *m, bpi_bdd test, bpi_bdd yes, bpi_bdd no)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (test == BPI_TRUE || yes == no) return bpi_bdd_keep(m, yes);
  if (test == BPI_FALSE) return bpi_bdd_keep(m, no);
  if (yes == BPI_TRUE && no == BPI_FALSE) return bpi_bdd_keep(m, test);
  return m->kernel->ite(m, test, yes, no);
}

/* ---- quantification ---------------------------------------------------- */

static int descending(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* From the bottom up: as long as the order is that of the numbers, each step adds a node on top. */
bpi_bdd bpi_bdd_set(bp_manager *m, const uint32_t *vars, uint32_t count)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (!count) return BPI_TRUE;
  uint32_t *sorted = bpi_alloc(count, sizeof *sorted);
  if (!sorted) {
    bpi_bdd_latch(m, BPI_BDD_MEMORY);
    return BPI_FALSE;
  }
  memcpy(sorted, vars, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, descending);
  bpi_bdd set = BPI_TRUE;
  for (uint32_t i = 0; i < count && m->head.error == BPI_BDD_OK; i++) {
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
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (a < 2 || set == BPI_TRUE) return bpi_bdd_keep(m, a);
  return m->kernel->and_exists(m, a, BPI_TRUE, set);
}

bpi_bdd bpi_bdd_and_exists(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set)
{
  if (m->head.error != BPI_BDD_OK || a == BPI_FALSE || b == BPI_FALSE) return BPI_FALSE;
  if (set == BPI_TRUE) return bpi_bdd_and(m, a, b);
  if (a == b || b == BPI_TRUE) return bpi_bdd_exists(m, a, set);
  if (a == BPI_TRUE) return bpi_bdd_exists(m, b, set);
  return m->kernel->and_exists(m, a, b, set);
}

bpi_bdd bpi_bdd_image(bp_manager *m, bpi_bdd a, bpi_bdd b, bpi_bdd set)
{
  if (m->head.error != BPI_BDD_OK || a == BPI_FALSE || b == BPI_FALSE) return BPI_FALSE;
  if (a != BPI_TRUE) return m->kernel->image(m, a, a == b ? BPI_TRUE : b, set);
  return b == BPI_TRUE ? BPI_TRUE : m->kernel->image(m, b, BPI_TRUE, set);
}

/* ---- renaming ---------------------------------------------------------- */

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
  for (uint32_t i = 0; i < count; i++)
    r->moves |= from[i] != to[i];
  return r;
}

const bpi_rename *bpi_bdd_rename_new(bp_manager *m, const uint32_t *from, const uint32_t *to,
                                     uint32_t count)
{
  if (m->head.error != BPI_BDD_OK) return NULL;
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
  r->id = m->renames.count;
  if (r->moves && !m->kernel->prepare(m, r)) {
    bpi_release(r->from);
    bpi_release(r);
    return NULL;
  }
  m->renames.at[m->renames.count++] = r;
  return r;
}

bpi_bdd bpi_bdd_rename(bp_manager *m, bpi_bdd a, const bpi_rename *rename)
{
  if (m->head.error != BPI_BDD_OK) return BPI_FALSE;
  if (a < 2 || !rename->moves) return bpi_bdd_keep(m, a);
  return m->kernel->rename(m, a, rename);
}
