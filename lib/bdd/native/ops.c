/* SPDX-License-Identifier: MIT
 * The operations. Each is: what is plain, what is cached, the two cofactors, a node.
 *
 * They recur over the levels, at most once a level and operation in progress; docs/threads.md says how
 * much stack that takes. */
#include "bdd/native/cache.h"

/* The cofactors of an edge at a level; the edge itself where its level is below. */
typedef struct pair {
  bpi_bdd low, high;
} pair;

static inline pair cofactors(const bpi_native *m, bpi_bdd a, uint32_t level)
{
  const bpi_node *n = &m->nodes[a >> 1];
  if (n->level != level) return (pair){a, a};
  return (pair){n->low ^ (a & 1), n->high ^ (a & 1)};
}

static inline uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static inline void swap(bpi_bdd *a, bpi_bdd *b)
{
  const bpi_bdd old = *a;
  *a = *b;
  *b = old;
}

/* Counts a step; now and then looks whether the work must end. */
static inline bool step(bpi_native *m)
{
  if (--m->fuel) return true;
  m->fuel = BPI_FUEL;
  return bpi_native_poll(m);
}

/* ---- connectives --------------------------------------------------------- */

static bpi_bdd meet(bpi_native *m, bpi_bdd a, bpi_bdd b)
{
  if (a == b) return a;
  if (a > b) swap(&a, &b);
  if (a < 2) return a ? b : BPI_FALSE;
  if ((a ^ b) == 1) return BPI_FALSE;
  const bpi_entry key = bpi_key(BPI_CACHE_AND, a, b, 0);
  const bpi_bdd known = bpi_recall(m, &key);
  if (known >= 0) return known;
  if (!step(m)) return BPI_FAILED;
  const uint32_t level = least(bpi_level(m, a), bpi_level(m, b));
  const pair x = cofactors(m, a, level), y = cofactors(m, b, level);
  const bpi_bdd low = meet(m, x.low, y.low);
  if (low < 0) return low;
  bpi_push(m, low);
  const bpi_bdd high = meet(m, x.high, y.high);
  m->depth--;
  if (high < 0) return high;
  return bpi_remember(m, key, bpi_native_make(m, level, low, high));
}

static inline bpi_bdd join(bpi_native *m, bpi_bdd a, bpi_bdd b)
{
  return meet(m, a ^ 1, b ^ 1) ^ 1;
}

static bpi_bdd differ(bpi_native *m, bpi_bdd a, bpi_bdd b)
{
  const bpi_bdd flip = (a ^ b) & 1;
  a &= ~1;
  b &= ~1;
  if (a == b) return flip;
  if (a > b) swap(&a, &b);
  if (a < 2) return b ^ flip;
  const bpi_entry key = bpi_key(BPI_CACHE_XOR, a, b, 0);
  const bpi_bdd known = bpi_recall(m, &key);
  if (known >= 0) return known ^ flip;
  if (!step(m)) return BPI_FAILED;
  const uint32_t level = least(bpi_level(m, a), bpi_level(m, b));
  const pair x = cofactors(m, a, level), y = cofactors(m, b, level);
  const bpi_bdd low = differ(m, x.low, y.low);
  if (low < 0) return low;
  bpi_push(m, low);
  const bpi_bdd high = differ(m, x.high, y.high);
  m->depth--;
  if (high < 0) return high;
  return bpi_remember(m, key, bpi_native_make(m, level, low, high)) ^ flip;
}

/* An if-then-else that is plain or a connective of two operands, in *result; false: it is neither. */
static bool plain_ite(bpi_native *m, bpi_bdd f, bpi_bdd g, bpi_bdd h, bpi_bdd *result)
{
  if (f < 2 || g == h)
    *result = f == BPI_TRUE || g == h ? g : h;
  else if (g < 2 || (f ^ g) < 2) /* g is a constant where it counts */
    *result = g == BPI_TRUE || g == f ? join(m, f, h) : meet(m, f ^ 1, h);
  else if (h < 2 || (f ^ h) < 2)
    *result = h == BPI_FALSE || h == f ? meet(m, f, g) : join(m, f ^ 1, g);
  else if ((g ^ h) == 1)
    *result = differ(m, f, h);
  else
    return false;
  return true;
}

static bpi_bdd ite(bpi_native *m, bpi_bdd f, bpi_bdd g, bpi_bdd h)
{
  bpi_bdd result;
  if (plain_ite(m, f, g, h, &result)) return result;
  if (f & 1) swap(&g, &h);
  f &= ~1;
  const bpi_bdd flip = g & 1;
  g ^= flip;
  h ^= flip;
  const bpi_entry key = bpi_key(BPI_CACHE_ITE, f, g, h);
  const bpi_bdd known = bpi_recall(m, &key);
  if (known >= 0) return known ^ flip;
  if (!step(m)) return BPI_FAILED;
  const uint32_t level = least(bpi_level(m, f), least(bpi_level(m, g), bpi_level(m, h)));
  const pair x = cofactors(m, f, level), y = cofactors(m, g, level), z = cofactors(m, h, level);
  const bpi_bdd low = ite(m, x.low, y.low, z.low);
  if (low < 0) return low;
  bpi_push(m, low);
  const bpi_bdd high = ite(m, x.high, y.high, z.high);
  m->depth--;
  if (high < 0) return high;
  return bpi_remember(m, key, bpi_native_make(m, level, low, high)) ^ flip;
}

/* ---- quantification ------------------------------------------------------ */

/* Of a set, what is not above a level. */
static inline bpi_bdd from_level(const bpi_native *m, bpi_bdd set, uint32_t level)
{
  while (bpi_level(m, set) < level)
    set = m->nodes[set >> 1].high;
  return set;
}

/* The disjunction of two results that nothing else protects. */
static bpi_bdd either(bpi_native *m, bpi_bdd low, bpi_bdd high)
{
  bpi_push(m, low);
  bpi_push(m, high);
  const bpi_bdd result = join(m, low, high);
  m->depth -= 2;
  return result;
}

/* The node (level, low, high), also when low and high are not all below the level. */
static bpi_bdd put(bpi_native *m, uint32_t level, bpi_bdd low, bpi_bdd high)
{
  if (level < bpi_level(m, low) && level < bpi_level(m, high))
    return bpi_native_make(m, level, low, high);
  bpi_push(m, low);
  bpi_push(m, high);
  const bpi_bdd literal = bpi_native_make(m, level, BPI_FALSE, BPI_TRUE);
  bpi_push(m, literal < 0 ? BPI_FALSE : literal);
  const bpi_bdd result = literal < 0 ? literal : ite(m, literal, high, low);
  m->depth -= 3;
  return result;
}

static bpi_bdd and_exists(bpi_native *m, bpi_bdd a, bpi_bdd b, bpi_bdd set)
{
  if (a == b) a = BPI_TRUE;
  if (a > b) swap(&a, &b);
  if (a == BPI_FALSE || (a ^ b) == 1) return BPI_FALSE;
  if (b == BPI_TRUE) return BPI_TRUE;
  const uint32_t level = least(bpi_level(m, a), bpi_level(m, b));
  set = from_level(m, set, level);
  if (set == BPI_TRUE) return meet(m, a, b);
  const bpi_entry key = bpi_key(BPI_CACHE_AND_EXISTS, a, b, set);
  const bpi_bdd known = bpi_recall(m, &key);
  if (known >= 0) return known;
  if (!step(m)) return BPI_FAILED;
  const bool gone = bpi_level(m, set) == level;
  const bpi_bdd rest = gone ? m->nodes[set >> 1].high : set;
  const pair x = cofactors(m, a, level), y = cofactors(m, b, level);
  const bpi_bdd low = and_exists(m, x.low, y.low, rest);
  if (low < 0) return low;
  if (gone && low == BPI_TRUE) return bpi_remember(m, key, low);
  bpi_push(m, low);
  const bpi_bdd high = and_exists(m, x.high, y.high, rest);
  m->depth--;
  if (high < 0) return high;
  return bpi_remember(m, key, gone ? either(m, low, high) : bpi_native_make(m, level, low, high));
}

static inline uint32_t shifted(uint32_t level)
{
  return (level & 3) == BPI_NEXT ? level - 1 : level;
}

/* and_exists() with NEXT copies renamed to CURRENT on the way up. */
static bpi_bdd image(bpi_native *m, bpi_bdd a, bpi_bdd b, bpi_bdd set)
{
  if (a == b) a = BPI_TRUE;
  if (a > b) swap(&a, &b);
  if (a == BPI_FALSE || (a ^ b) == 1) return BPI_FALSE;
  if (b == BPI_TRUE) return BPI_TRUE;
  const uint32_t level = least(bpi_level(m, a), bpi_level(m, b));
  set = from_level(m, set, level);
  const bpi_entry key = bpi_key(BPI_CACHE_IMAGE, a, b, set);
  const bpi_bdd known = bpi_recall(m, &key);
  if (known >= 0) return known;
  if (!step(m)) return BPI_FAILED;
  const bool gone = bpi_level(m, set) == level;
  const bpi_bdd rest = gone ? m->nodes[set >> 1].high : set;
  const pair x = cofactors(m, a, level), y = cofactors(m, b, level);
  const bpi_bdd low = image(m, x.low, y.low, rest);
  if (low < 0) return low;
  if (gone && low == BPI_TRUE) return bpi_remember(m, key, low);
  bpi_push(m, low);
  const bpi_bdd high = image(m, x.high, y.high, rest);
  m->depth--;
  if (high < 0) return high;
  return bpi_remember(m, key, gone ? either(m, low, high) : put(m, shifted(level), low, high));
}

static bpi_bdd moved(bpi_native *m, bpi_bdd a, const bpi_rename *r)
{
  const bpi_bdd flip = a & 1;
  a ^= flip;
  if (a < 2) return a ^ flip;
  const bpi_entry key = bpi_key(BPI_CACHE_RENAME, a, (bpi_bdd)r->id, 0);
  const bpi_bdd known = bpi_recall(m, &key);
  if (known >= 0) return known ^ flip;
  if (!step(m)) return BPI_FAILED;
  const bpi_node n = m->nodes[a >> 1];
  const bpi_bdd low = moved(m, n.low, r);
  if (low < 0) return low;
  bpi_push(m, low);
  const bpi_bdd high = moved(m, n.high, r);
  m->depth--;
  if (high < 0) return high;
  const uint32_t var = bpi_var_at_level(m, n.level), *map = r->kernel;
  const uint32_t level = var < map[0] ? bpi_level_of_var(m, map[var + 1]) : n.level;
  return bpi_remember(m, key, put(m, level, low, high)) ^ flip;
}

/* ---- the kernel's doors -------------------------------------------------- */

/* The result of an operation with a reference for the caller. */
static bpi_bdd finish(bpi_native *m, bpi_bdd result)
{
  m->depth = 0;
  return result < 0 ? BPI_FALSE : bpi_bdd_keep(&m->base, result);
}

bpi_bdd bpi_native_literal(bp_manager *base, uint32_t var, bool positive)
{
  bpi_native *m = bpi_native_of(base);
  const bpi_bdd literal =
      bpi_native_make(m, bpi_level_of_var(m, var), BPI_FALSE, BPI_TRUE) ^ !positive;
  return finish(m, literal);
}

bpi_bdd bpi_native_complement(bp_manager *m, bpi_bdd a)
{
  return bpi_bdd_keep(m, a ^ 1);
}

bpi_bdd bpi_native_apply(bp_manager *base, bpi_bdd a, bpi_bdd b, bpi_apply op)
{
  bpi_native *m = bpi_native_of(base);
  switch (op) {
  case BPI_AND: return finish(m, meet(m, a, b));
  case BPI_OR: return finish(m, join(m, a, b));
  case BPI_XOR: return finish(m, differ(m, a, b));
  case BPI_IFF: return finish(m, differ(m, a, b ^ 1));
  default: return finish(m, meet(m, a, b ^ 1));
  }
}

bpi_bdd bpi_native_ite(bp_manager *base, bpi_bdd test, bpi_bdd yes, bpi_bdd no)
{
  bpi_native *m = bpi_native_of(base);
  return finish(m, ite(m, test, yes, no));
}

bpi_bdd bpi_native_and_exists(bp_manager *base, bpi_bdd a, bpi_bdd b, bpi_bdd set)
{
  bpi_native *m = bpi_native_of(base);
  return finish(m, and_exists(m, a, b, set));
}

bpi_bdd bpi_native_image(bp_manager *base, bpi_bdd a, bpi_bdd b, bpi_bdd set)
{
  bpi_native *m = bpi_native_of(base);
  return finish(m, image(m, a, b, set));
}

bpi_bdd bpi_native_rename(bp_manager *base, bpi_bdd a, const bpi_rename *r)
{
  bpi_native *m = bpi_native_of(base);
  return finish(m, moved(m, a, r));
}
