/* SPDX-License-Identifier: MIT
 * Numbers in the variable order. A number is compared, copied and added bit by bit, so the bits of
 * the numbers that meet in this way stand together by weight, the highest first: then the relation
 * between two of them needs a few nodes for each weight, and otherwise exponentially many (Bryant,
 * IEEE Transactions on Computers C-35(8), 1986, section 3). What chooses between numbers, as the index of an
 * array does, is no such partner, and stands before them.
 *
 * All numbers of one place are as one here: `class`. A place without number is a class of its own. */
#ifndef BPI_ENGINE_NUMBERS_H
#define BPI_ENGINE_NUMBERS_H

#include "cfg/analysis.h"

/* What is read to find a bit of `to`, a class, is of the class `from`. */
typedef struct bpi_meeting {
  uint32_t from, to;
  bool above; /* a bit of more weight is read: `from` chooses */
} bpi_meeting;

typedef struct bpi_numbers {
  uint32_t classes; /* 0: there are no numbers */
  uint32_t *class;  /* by place */
  uint32_t *weight; /* by place */
  uint32_t *block;  /* by class: of those that stand together; one of them */
  BPI_VEC(bpi_meeting) choices;
} bpi_numbers;

/* Finds out. False without memory; to be cleared in any case. */
bool bpi_numbers_make(bpi_numbers *n, const bpi_analysis *a);
void bpi_numbers_clear(bpi_numbers *n);
/* Seats the places, class by class at `spot`s: spots[place]. False without memory. */
bool bpi_numbers_seat(const bpi_numbers *n, const uint32_t *spot, uint32_t places, uint32_t *spots);

#endif
