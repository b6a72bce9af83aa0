/* SPDX-License-Identifier: MIT */
#include "temporal/ltl.h"

/* The syntactic classes of Cerna & Pelanek, MFCS 2003, for all operators. */
enum {
  S = BP_CLASS_SAFETY,
  G = BP_CLASS_GUARANTEE,
  O = BP_CLASS_OBLIGATION,
  P = BP_CLASS_PERSISTENCE,
  R = BP_CLASS_RECURRENCE,
  ALL = S | G | O | P | R
};

static uint8_t closed(unsigned bits)
{
  if (bits & (S | G)) bits |= O;
  if (bits & O) bits |= P | R;
  return (uint8_t)bits;
}

/* Of the negation. */
static uint8_t dual(uint8_t c)
{
  unsigned bits = c & O;
  if (c & S) bits |= G;
  if (c & G) bits |= S;
  if (c & P) bits |= R;
  if (c & R) bits |= P;
  return (uint8_t)bits;
}

/* The class `result` when the operands are in classes `x` and `y`. */
static unsigned when(uint8_t a, unsigned x, uint8_t b, unsigned y, unsigned result)
{
  return (a & x) && (b & y) ? result : 0;
}

static uint8_t temporal(bp_formula_op op, uint8_t a, uint8_t b)
{
  switch (op) {
  case BP_FORMULA_UNTIL:
    return closed(when(a, G, b, G, G) | when(a, O, b, G, O) | when(a, P, b, P, P) |
                  when(a, R, b, G, R));
  case BP_FORMULA_RELEASE:
    return closed(when(a, S, b, S, S) | when(a, O, b, S, O) | when(a, P, b, S, P) |
                  when(a, R, b, R, R));
  case BP_FORMULA_WEAK_UNTIL:
    return closed(when(a, S, b, S, S) | when(a, S, b, O, O) | when(a, S, b, P, P) |
                  when(a, R, b, R, R));
  default:
    return closed(when(a, G, b, G, G) | when(a, G, b, O, O) | when(a, P, b, P, P) |
                  when(a, G, b, R, R));
  }
}

static uint8_t class_of(const bpi_ltl *l, uint32_t id, const uint8_t *below)
{
  const bp_formula_op op = bpi_ltl_op(l, id);
  const uint32_t count = op == BP_FORMULA_ATOM ? 0 : bpi_ltl_count(l, id);
  const uint8_t a = count ? below[bpi_ltl_arg(l, id, 0)] : ALL;
  const uint8_t b = count > 1 ? below[bpi_ltl_arg(l, id, 1)] : ALL;
  uint8_t all = ALL;
  switch (op) {
  case BP_FORMULA_NOT: return dual(a);
  case BP_FORMULA_IMPLIES: return dual(a) & b;
  case BP_FORMULA_IFF: return a & b & dual(a) & dual(b);
  case BP_FORMULA_EVENTUALLY: return closed(a & (G | P));
  case BP_FORMULA_ALWAYS: return closed(a & (S | R));
  case BP_FORMULA_UNTIL:
  case BP_FORMULA_RELEASE:
  case BP_FORMULA_WEAK_UNTIL:
  case BP_FORMULA_STRONG_RELEASE: return temporal(op, a, b);
  default: break;
  }
  for (uint32_t i = 0; i < count; i++)
    all &= below[bpi_ltl_arg(l, id, i)];
  return all;
}

uint8_t *bpi_ltl_classes(const bpi_ltl *l)
{
  uint8_t *classes = bpi_alloc(l->nodes.count, 1);
  for (uint32_t id = 0; classes && id < l->nodes.count; id++)
    classes[id] = class_of(l, id, classes);
  return classes;
}

uint32_t bp_formula_classes(const bp_formula *formula)
{
  return formula ? formula->classes : 0;
}
