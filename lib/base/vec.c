/* SPDX-License-Identifier: MIT */
#include "base/vec.h"

/* The capacity for at least `want` elements, or 0: too many. */
static uint32_t room_for(uint32_t capacity, uint64_t want)
{
  if (want >= UINT32_MAX) return 0;
  uint64_t room = capacity ? 2 * (uint64_t)capacity : 8;
  if (room < want) room = want;
  return room >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)room;
}

int bpi_vec_grow(void **block, uint32_t count, uint32_t *capacity, uint64_t want, size_t size)
{
  const uint32_t room = room_for(*capacity, want);
  void *at;
  memcpy(&at, block, sizeof at);
  if (!room || !(at = bpi_grow(at, count, room, size))) return 0;
  memcpy(block, &at, sizeof at);
  *capacity = room;
  return 1;
}

void bpi_vec_trim_block(void **block, uint32_t *capacity, uint32_t count, size_t size)
{
  void *old;
  memcpy(&old, block, sizeof old);
  old = bpi_shrink(old, count, size);
  memcpy(block, &old, sizeof old);
  *capacity = count;
}
