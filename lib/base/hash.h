/* SPDX-License-Identifier: MIT
 * Hashing of bytes and numbers: FNV-1a with a final mix. */
#ifndef BPI_HASH_H
#define BPI_HASH_H

#include <stddef.h>
#include <stdint.h>

#define BPI_HASH_START 14695981039346656037u

static inline uint64_t bpi_hash_bytes(uint64_t hash, const void *bytes, size_t len)
{
  const unsigned char *at = bytes;
  while (len--)
    hash = (hash ^ *at++) * 1099511628211u;
  return hash;
}

static inline uint64_t bpi_hash_u64(uint64_t hash, uint64_t number)
{
  hash ^= number + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 33);
}

#endif
