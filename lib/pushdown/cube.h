/* SPDX-License-Identifier: MIT
 * The literals of a cube as what the source of a program has: numbers, elements of arrays, enums. */
#ifndef BPI_PUSHDOWN_CUBE_H
#define BPI_PUSHDOWN_CUBE_H

#include "base/sink.h"
#include "program/program.h"

/* The copies of a variable that one cube can speak of. */
enum { BPI_CUBE_COPIES = 3 };

typedef struct bpi_cube_bit {
  uint32_t datum; /* BP_NONE: none */
  uint32_t element, bit;
} bpi_cube_bit;

typedef struct bpi_cube {
  const bp_program *p;        /* NULL: nothing to do, its variables are those of the source */
  BPI_VEC(bpi_cube_bit) bits; /* by variable */
  BPI_VEC(uint32_t) known; /* by copy of an element: how many of its bits; BP_NONE: it is written */
  BPI_VEC(uint32_t) value;
} bpi_cube;

/* False without memory. The caller clears it in any case. */
bool bpi_cube_init(bpi_cube *n, const bp_program *p);
void bpi_cube_clear(bpi_cube *n);

/* All literals of a cube come here first, then each one again to be written, then all to be forgotten. `copy` is
 * below BPI_CUBE_COPIES; `var` may be BP_NONE, which is never part of a number. */
void bpi_cube_add(bpi_cube *n, uint32_t var, uint32_t copy, bool positive);
void bpi_cube_forget(bpi_cube *n, uint32_t var, uint32_t copy);

typedef enum bpi_cube_part {
  BPI_CUBE_NONE,    /* a variable of its own */
  BPI_CUBE_SOME,    /* a bit of a number that is not known as a whole */
  BPI_CUBE_ELEMENT, /* a bool in an array */
  BPI_CUBE_WHOLE    /* a bit of a number that is; all of it counts as written from now on */
} bpi_cube_part;
/* Whether the number that it is a bit of is written. */
bool bpi_cube_written(const bpi_cube *n, uint32_t var, uint32_t copy);
bpi_cube_part bpi_cube_part_of(bpi_cube *n, uint32_t var, uint32_t copy);
/* `x`, or `a[2]`. */
void bpi_cube_name(const bpi_cube *n, uint32_t var, bpi_out *out);
/* Its value: of an enum, the constant. */
void bpi_cube_value(const bpi_cube *n, uint32_t var, uint32_t copy, bpi_out *out);

#endif
