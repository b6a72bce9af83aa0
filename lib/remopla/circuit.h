/* SPDX-License-Identifier: MIT
 * Expressions over bits in the making: a graph of gates in which equal parts are one. It serves one
 * statement, and is emptied for the next.
 *
 * Numbers are exact: two's complement, as wide as the range of values that an interval analysis finds. */
#ifndef BPI_REMOPLA_CIRCUIT_H
#define BPI_REMOPLA_CIRCUIT_H

#include "program/draft.h"

typedef struct bpi_gate {
  uint8_t op;        /* bpi_op: FALSE TRUE NONDET VAR NOT AND OR XOR COND */
  uint32_t input[3]; /* VAR: the variable; else earlier gates */
} bpi_gate;

enum { BPI_GATE_FALSE = 0, BPI_GATE_TRUE = 1 };
/* How many gates one statement may need, how many instructions may be evaluated for it, and how many all
 * expressions of a program may have. */
enum { BPI_MOST_GATES = 1 << 21, BPI_MOST_WORK = 1 << 22, BPI_MOST_CODE = 1 << 26 };

/* Values from `low` to `high` in bits [first, first + count) of the circuit's list; above them stands 0,
 * or when `low` is negative the last of them. */
typedef struct bpi_number {
  int64_t low, high;
  uint32_t first, count;
} bpi_number;

/* Values beyond are refused. */
#define BPI_MOST_VALUE ((int64_t)1 << 61)

typedef struct bpi_circuit {
  BPI_VEC(bpi_gate) gates;
  uint32_t *slots; /* hash table: gates plus 1 */
  uint32_t slot_count;
  BPI_VEC(uint32_t) bits; /* of numbers: gates */
  BPI_VEC(uint32_t) stack;
  BPI_VEC(uint32_t) uses;  /* by gate: how often the expression being written needs it */
  BPI_VEC(uint32_t) held;  /* by gate: its register plus 1 */
  BPI_VEC(uint32_t) order; /* gates of that expression */
  bool memory;             /* false: there was none, and what came since is worthless */
  bool full;               /* too many gates: the same */
} bpi_circuit;

void bpi_circuit_init(bpi_circuit *c);
void bpi_circuit_free(bpi_circuit *c);
/* Forgets all gates and numbers. */
void bpi_circuit_empty(bpi_circuit *c);
static inline bool bpi_circuit_good(const bpi_circuit *c)
{
  return c->memory && !c->full;
}

/* ---- gates (circuit.c) -------------------------------------------------- */

uint32_t bpi_gate_var(bpi_circuit *c, uint32_t var);
/* A free choice of its own. It must be used once. */
uint32_t bpi_gate_choice(bpi_circuit *c);
uint32_t bpi_gate_not(bpi_circuit *c, uint32_t a);
uint32_t bpi_gate_and(bpi_circuit *c, uint32_t a, uint32_t b);
uint32_t bpi_gate_or(bpi_circuit *c, uint32_t a, uint32_t b);
uint32_t bpi_gate_xor(bpi_circuit *c, uint32_t a, uint32_t b);
uint32_t bpi_gate_cond(bpi_circuit *c, uint32_t test, uint32_t yes, uint32_t no);

/* Appends the gate as an expression, with what it uses twice kept in registers. False without memory. */
bool bpi_circuit_write(bpi_circuit *c, uint32_t gate, bpi_code *out);

/* ---- numbers (number.c) ------------------------------------------------- */

bpi_number bpi_number_constant(bpi_circuit *c, int64_t value);
/* Of the bits that were pushed on c->bits from `first` on, the lowest first: not negative. */
bpi_number bpi_number_of_bits(const bpi_circuit *c, uint32_t first);
uint32_t bpi_number_bit(const bpi_circuit *c, bpi_number x, uint32_t i);

/* False: values may leave the range that is allowed. */
bool bpi_number_add(bpi_circuit *c, bpi_number a, bpi_number b, bpi_number *out);
bool bpi_number_sub(bpi_circuit *c, bpi_number a, bpi_number b, bpi_number *out);
bool bpi_number_mul(bpi_circuit *c, bpi_number a, bpi_number b, bpi_number *out);
/* Towards zero; where b is 0 the value means nothing. */
void bpi_number_div(bpi_circuit *c, bpi_number a, bpi_number b, bpi_number *out);
uint32_t bpi_number_less(bpi_circuit *c, bpi_number a, bpi_number b);
uint32_t bpi_number_equal(bpi_circuit *c, bpi_number a, bpi_number b);
/* Whether it is in 0 .. 2^bits - 1. */
uint32_t bpi_number_fits(bpi_circuit *c, bpi_number a, uint32_t bits);

#endif
