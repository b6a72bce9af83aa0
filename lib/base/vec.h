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

/* Makes room for n more elements: 1, or 0 when memory is short (nothing changed). */
#define bpi_vec_reserve(v, n) ((uint64_t)(v)->count + (n) <= (v)->capacity || bpi_vec_more(v, n))

/* Out of line: what pushes stays small. */
#define bpi_vec_more(v, n)                                                                         \
  bpi_vec_grow((void **)&(v)->at, (v)->count, &(v)->capacity, (uint64_t)(v)->count + (n),          \
               sizeof *(v)->at)
int bpi_vec_grow(void **block, uint32_t count, uint32_t *capacity, uint64_t want, size_t size);

/* Appends `value`: 1, or 0 when memory is short. */
#define bpi_vec_push(v, ...)                                                                       \
  ((v)->count < (v)->capacity || bpi_vec_more(v, 1) ? ((v)->at[(v)->count++] = (__VA_ARGS__), 1)   \
                                                    : 0)

/* Gives back the room that is not used. */
#define bpi_vec_trim(v)                                                                            \
  ((v)->count < (v)->capacity                                                                      \
       ? bpi_vec_trim_block((void **)&(v)->at, &(v)->capacity, (v)->count, sizeof *(v)->at)        \
       : (void)0)

void bpi_vec_trim_block(void **block, uint32_t *capacity, uint32_t count, size_t size);

#define bpi_vec_free(v)                                                                            \
  do {                                                                                             \
    bpi_release((v)->at);                                                                          \
    (v)->at = NULL;                                                                                \
    (v)->count = (v)->capacity = 0;                                                                \
  } while (0)

#endif
