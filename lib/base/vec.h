/* SPDX-License-Identifier: MIT
 * Growing arrays. A vector of T is declared as BPI_VEC(T) name; zero-initialised it is empty. */
#ifndef BPI_VEC_H
#define BPI_VEC_H

#include "base/alloc.h"

#include <stdint.h>
#include <string.h>

#define BPI_VEC(T)                                                                                 \
  struct {                                                                                         \
    T *at;                                                                                         \
    uint32_t count, capacity;                                                                      \
  }

/* The capacity for at least `want` elements, or 0: too many. */
static inline uint32_t bpi_vec_room(uint32_t capacity, uint64_t want)
{
  if (want >= UINT32_MAX) return 0;
  uint64_t room = capacity ? 2 * (uint64_t)capacity : 8;
  if (room < want) room = want;
  return room >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)room;
}

/* Makes room for n more elements: 1, or 0 when memory is short (nothing changed). */
#define bpi_vec_reserve(v, n)                                                                      \
  (((uint64_t)(v)->count + (n) <= (v)->capacity) ||                                                \
   bpi_vec_grow((void **)&(v)->at, (v)->count, &(v)->capacity, (uint64_t)(v)->count + (n),         \
                sizeof *(v)->at))

static inline int bpi_vec_grow(void **block, uint32_t count, uint32_t *capacity, uint64_t want,
                               size_t size)
{
  const uint32_t room = bpi_vec_room(*capacity, want);
  void *at;
  memcpy(&at, block, sizeof at);
  if (!room || !(at = bpi_grow(at, count, room, size))) return 0;
  memcpy(block, &at, sizeof at);
  *capacity = room;
  return 1;
}

/* Appends `value`: 1, or 0 when memory is short. */
#define bpi_vec_push(v, ...)                                                                       \
  (bpi_vec_reserve(v, 1) ? ((v)->at[(v)->count++] = (__VA_ARGS__), 1) : 0)

/* Gives back the room that is not used. */
#define bpi_vec_trim(v)                                                                            \
  ((v)->count < (v)->capacity                                                                      \
       ? bpi_vec_trim_block((void **)&(v)->at, &(v)->capacity, (v)->count, sizeof *(v)->at)        \
       : (void)0)

static inline void bpi_vec_trim_block(void **block, uint32_t *capacity, uint32_t count, size_t size)
{
  void *old;
  memcpy(&old, block, sizeof old);
  old = bpi_shrink(old, count, size);
  memcpy(block, &old, sizeof old);
  *capacity = count;
}

#define bpi_vec_free(v)                                                                            \
  do {                                                                                             \
    bpi_release((v)->at);                                                                          \
    (v)->at = NULL;                                                                                \
    (v)->count = (v)->capacity = 0;                                                                \
  } while (0)

#endif
