/* SPDX-License-Identifier: MIT
 * The cache of computed results: direct-mapped, with whole keys. Operands are below 2^31, so the top
 * bits of the three together tell one of eight operations. */
#ifndef BPI_CACHE_H
#define BPI_CACHE_H

#include "bdd/native/native.h"

typedef enum bpi_cache_op {
  BPI_CACHE_AND,        /* a b */
  BPI_CACHE_XOR,        /* a b */
  BPI_CACHE_ITE,        /* a b c */
  BPI_CACHE_AND_EXISTS, /* a b, c: the set */
  BPI_CACHE_IMAGE,      /* a b, c: the set */
  BPI_CACHE_RENAME      /* a, b: number of the rename */
} bpi_cache_op;

static inline bpi_entry bpi_key(bpi_cache_op op, bpi_bdd a, bpi_bdd b, bpi_bdd c)
{
  const uint32_t bits = (uint32_t)op;
  return (bpi_entry){(uint32_t)a | bits << 31, (uint32_t)b | bits >> 1 << 31,
                     (uint32_t)c | bits >> 2 << 31, 0};
}

static inline bpi_bdd bpi_operand(uint32_t word)
{
  return (bpi_bdd)(word & 0x7fffffff);
}

static inline bpi_cache_op bpi_entry_op(const bpi_entry *x)
{
  return (bpi_cache_op)(x->a >> 31 | x->b >> 31 << 1 | x->c >> 31 << 2);
}

static inline bpi_entry *bpi_place_of(const bpi_native *m, const bpi_entry *key)
{
  return &m->cache[bpi_bucket(key->a, key->b, key->c, m->cache_shift)];
}

/* The result for a key, BPI_FAILED: not known. */
static inline bpi_bdd bpi_recall(const bpi_native *m, const bpi_entry *key)
{
  const bpi_entry *x = bpi_place_of(m, key);
  return x->a == key->a && x->b == key->b && x->c == key->c ? x->result : BPI_FAILED;
}

/* Remembers a result, unless it is a failure; returns it. */
static inline bpi_bdd bpi_remember(bpi_native *m, bpi_entry key, bpi_bdd result)
{
  if (result < 0) return result;
  key.result = result;
  *bpi_place_of(m, &key) = key;
  return result;
}

#endif
