/* SPDX-License-Identifier: MIT
 * Sets of places. They have one word as a rule, and at least one: not worth the call that a loop would become. */
#ifndef BPI_SETS_H
#define BPI_SETS_H

#include <stdint.h>

static inline void bpi_set_clear(uint64_t *set, uint32_t words)
{
  set[0] = 0;
  for (uint32_t w = 1; w < words; w++)
    set[w] = 0;
}

static inline void bpi_set_copy(uint64_t *to, const uint64_t *from, uint32_t words)
{
  to[0] = from[0];
  for (uint32_t w = 1; w < words; w++)
    to[w] = from[w];
}

static inline void bpi_set_add(uint64_t *to, const uint64_t *from, uint32_t words)
{
  to[0] |= from[0];
  for (uint32_t w = 1; w < words; w++)
    to[w] |= from[w];
}

static inline void bpi_set_take(uint64_t *from, const uint64_t *what, uint32_t words)
{
  from[0] &= ~what[0];
  for (uint32_t w = 1; w < words; w++)
    from[w] &= ~what[w];
}

#endif
