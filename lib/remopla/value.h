/* SPDX-License-Identifier: MIT
 * What expressions of Remopla mean: a number or a truth value, and where it has one. An index outside its
 * array and a division by zero have none. `&&`, `||` and `->` ask for their right side only where the left
 * one does not decide, and so do quantifiers, from the lowest value of the counter on. */
#ifndef BPI_REMOPLA_VALUE_H
#define BPI_REMOPLA_VALUE_H

#include "base/source.h"
#include "remopla/circuit.h"
#include "remopla/tree.h"

typedef struct bpi_rvalue {
  bool truth; /* a bool: `bit` */
  bool undef;
  uint32_t bit;      /* gate */
  bpi_number number; /* otherwise */
  uint32_t ok;       /* gate: it has a value */
  uint32_t at;       /* offset of its first token, for messages */
} bpi_rvalue;

/* What a name stands for. */
typedef struct bpi_rmeaning {
  const bpi_datum *datum; /* NULL: a number */
  int64_t value;
} bpi_rmeaning;

/* A loop over the values of a quantifier's counter. */
typedef struct bpi_rframe {
  uint32_t name, begin;
  int64_t value, last;
} bpi_rframe;

typedef struct bpi_reader {
  bpi_draft *d; /* for messages */
  bpi_source *source;
  const bpi_rtree *t;
  const bp_program *p; /* whose data these are */
  bpi_circuit circuit;
  BPI_VEC(bpi_rvalue) stack;
  BPI_VEC(bpi_rframe) frames;
  uint64_t work; /* since the circuit was emptied */
  /* Finds a name, behind `module.` if that is not BP_NONE; false when there is none. */
  bool (*find)(void *user, uint32_t module, uint32_t name, bpi_rmeaning *out);
  void *user;
} bpi_reader;

void bpi_reader_free(bpi_reader *r);
/* Begins a statement. */
void bpi_reader_empty(bpi_reader *r);

/* An error at `len` bytes of the source. Returns false. */
bool bpi_reader_error(bpi_reader *r, bpi_message number, uint32_t at, uint32_t len,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The value of an expression; false after an error, or when the draft has stopped. */
bool bpi_read_value(bpi_reader *r, bpi_slice code, bpi_rvalue *out);
/* The same of a condition. */
bool bpi_read_condition(bpi_reader *r, bpi_slice code, bpi_rvalue *out);
/* The same of a constant number. */
bool bpi_read_constant(bpi_reader *r, bpi_slice code, int64_t *out);

/* A bool as 0 or 1. */
bpi_number bpi_value_number(bpi_reader *r, const bpi_rvalue *v);
/* Where the value is an index of an array of `length` elements. */
uint32_t bpi_index_fits(bpi_reader *r, bpi_number index, uint32_t length);

#endif
