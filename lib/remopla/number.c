/* SPDX-License-Identifier: MIT */
#include "remopla/circuit.h"

static uint32_t length_of(int64_t value)
{
  uint32_t bits = 0;
  for (; value > 0; value >>= 1)
    bits++;
  return bits;
}

/* As many bits as the values need. */
static uint32_t width_of(int64_t low, int64_t high)
{
  const uint32_t above = high > 0 ? length_of(high) : 0;
  if (low >= 0) return above;
  const uint32_t below = length_of(-(low + 1));
  return (above > below ? above : below) + 1;
}

static void push(bpi_circuit *c, uint32_t gate)
{
  if (!bpi_vec_push(&c->bits, gate)) c->memory = false;
}

bpi_number bpi_number_constant(bpi_circuit *c, int64_t value)
{
  bpi_number x = {value, value, c->bits.count, width_of(value, value)};
  for (uint32_t i = 0; i < x.count; i++)
    push(c, (uint64_t)value >> i & 1 ? BPI_GATE_TRUE : BPI_GATE_FALSE);
  return x;
}

bpi_number bpi_number_of_bits(const bpi_circuit *c, uint32_t first)
{
  const uint32_t count = c->bits.count - first;
  return (bpi_number){0, (int64_t)(((uint64_t)1 << count) - 1), first, count};
}

uint32_t bpi_number_bit(const bpi_circuit *c, bpi_number x, uint32_t i)
{
  if (!c->memory) return BPI_GATE_FALSE;
  if (i < x.count) return c->bits.at[x.first + i];
  return x.low < 0 ? c->bits.at[x.first + x.count - 1] : BPI_GATE_FALSE;
}

/* A number of that range whose bits are about to be pushed. */
static bpi_number begin(const bpi_circuit *c, int64_t low, int64_t high)
{
  return (bpi_number){low, high, c->bits.count, width_of(low, high)};
}

static bool allowed(int64_t low, int64_t high)
{
  return low >= -BPI_MOST_VALUE && high <= BPI_MOST_VALUE;
}

/* a + b, or a - b, in the bits of `out`. */
static void ripple(bpi_circuit *c, bpi_number a, bpi_number b, bool minus, bpi_number *out)
{
  uint32_t carry = minus ? BPI_GATE_TRUE : BPI_GATE_FALSE;
  for (uint32_t i = 0; i < out->count && bpi_circuit_good(c); i++) {
    const uint32_t x = bpi_number_bit(c, a, i);
    uint32_t y = bpi_number_bit(c, b, i);
    if (minus) y = bpi_gate_not(c, y);
    const uint32_t differ = bpi_gate_xor(c, x, y);
    push(c, bpi_gate_xor(c, differ, carry));
    carry = bpi_gate_cond(c, differ, carry, x);
  }
}

bool bpi_number_add(bpi_circuit *c, bpi_number a, bpi_number b, bpi_number *out)
{
  *out = begin(c, a.low + b.low, a.high + b.high);
  if (!allowed(out->low, out->high)) return false;
  ripple(c, a, b, false, out);
  return true;
}

bool bpi_number_sub(bpi_circuit *c, bpi_number a, bpi_number b, bpi_number *out)
{
  *out = begin(c, a.low - b.high, a.high - b.low);
  if (!allowed(out->low, out->high)) return false;
  ripple(c, a, b, true, out);
  return true;
}

static bool product_range(bpi_number a, bpi_number b, int64_t *low, int64_t *high)
{
  const int64_t left[] = {a.low, a.high}, right[] = {b.low, b.high};
  *low = INT64_MAX;
  *high = INT64_MIN;
  for (int i = 0; i < 4; i++) {
    int64_t product;
    if (__builtin_mul_overflow(left[i / 2], right[i % 2], &product)) return false;
    if (product < *low) *low = product;
    if (product > *high) *high = product;
  }
  return allowed(*low, *high);
}

bool bpi_number_mul(bpi_circuit *c, bpi_number a, bpi_number b, bpi_number *out)
{
  int64_t low, high;
  if (!product_range(a, b, &low, &high)) return false;
  const uint32_t width = width_of(low, high);
  bpi_number sum = bpi_number_constant(c, 0);
  for (uint32_t i = 0; i < width && bpi_circuit_good(c); i++) {
    const uint32_t factor = bpi_number_bit(c, b, i);
    if (factor == BPI_GATE_FALSE) continue;
    /* Everything is meant modulo 2^width; the last sum has the right range. */
    bpi_number shifted = {low, high, c->bits.count, width};
    for (uint32_t k = 0; k < width; k++)
      push(c, k < i ? BPI_GATE_FALSE : bpi_gate_and(c, factor, bpi_number_bit(c, a, k - i)));
    bpi_number next = {low, high, c->bits.count, width};
    ripple(c, sum, shifted, false, &next);
    sum = next;
  }
  sum.low = low;
  sum.high = high;
  *out = sum;
  /* Without a bit that can be 1 it is 0. */
  if (sum.count < width) *out = bpi_number_constant(c, 0);
  return true;
}

/* The absolute value. */
static bpi_number magnitude(bpi_circuit *c, bpi_number a)
{
  if (a.low >= 0) return a;
  const int64_t most = -a.low > a.high ? -a.low : a.high;
  const uint32_t sign = bpi_number_bit(c, a, a.count - 1);
  bpi_number out = begin(c, 0, most);
  uint32_t carry = sign;
  for (uint32_t i = 0; i < out.count; i++) {
    const uint32_t bit = bpi_gate_xor(c, bpi_number_bit(c, a, i), sign);
    push(c, bpi_gate_xor(c, bit, carry));
    carry = bpi_gate_and(c, bit, carry);
  }
  return out;
}

/* Long division of numbers that are not negative. */
static bpi_number divide(bpi_circuit *c, bpi_number a, bpi_number b)
{
  const uint32_t first = c->bits.count;
  for (uint32_t i = 0; i < a.count; i++)
    push(c, BPI_GATE_FALSE);
  bpi_number rest = bpi_number_constant(c, 0);
  for (uint32_t i = a.count; i-- > 0 && bpi_circuit_good(c);) {
    const uint32_t count = rest.count < b.count + 1 ? rest.count + 1 : b.count + 1;
    bpi_number next = {0, (int64_t)(((uint64_t)1 << count) - 1), c->bits.count, count};
    for (uint32_t k = 0; k < count; k++)
      push(c, bpi_number_bit(c, k ? rest : a, k ? k - 1 : i));
    const uint32_t enough = bpi_gate_not(c, bpi_number_less(c, next, b));
    bpi_number less = {0, next.high, c->bits.count, count};
    ripple(c, next, b, true, &less);
    rest = (bpi_number){0, next.high, c->bits.count, count};
    for (uint32_t k = 0; k < count; k++)
      push(c, bpi_gate_cond(c, enough, bpi_number_bit(c, less, k), bpi_number_bit(c, next, k)));
    if (bpi_circuit_good(c)) c->bits.at[first + i] = enough;
  }
  return (bpi_number){0, a.high, first, a.count};
}

void bpi_number_div(bpi_circuit *c, bpi_number a, bpi_number b, bpi_number *out)
{
  if (a.low == a.high && b.low == b.high && b.low) {
    *out = bpi_number_constant(c, a.low / b.low);
    return;
  }
  const bpi_number quotient = divide(c, magnitude(c, a), magnitude(c, b));
  if (a.low >= 0 && b.low >= 0) {
    *out = quotient;
    return;
  }
  const uint32_t sign_a = a.low < 0 ? bpi_number_bit(c, a, a.count - 1) : BPI_GATE_FALSE;
  const uint32_t sign_b = b.low < 0 ? bpi_number_bit(c, b, b.count - 1) : BPI_GATE_FALSE;
  const uint32_t negative = bpi_gate_xor(c, sign_a, sign_b);
  bpi_number zero = bpi_number_constant(c, 0);
  bpi_number minus = begin(c, -quotient.high, quotient.high);
  ripple(c, zero, quotient, true, &minus);
  *out = begin(c, -quotient.high, quotient.high);
  for (uint32_t i = 0; i < out->count; i++)
    push(c,
         bpi_gate_cond(c, negative, bpi_number_bit(c, minus, i), bpi_number_bit(c, quotient, i)));
}

uint32_t bpi_number_less(bpi_circuit *c, bpi_number a, bpi_number b)
{
  if (a.high < b.low) return BPI_GATE_TRUE;
  if (a.low >= b.high) return BPI_GATE_FALSE;
  const uint32_t width = a.count > b.count ? a.count : b.count;
  uint32_t less = BPI_GATE_FALSE;
  for (uint32_t i = 0; i < width; i++) {
    const uint32_t x = bpi_number_bit(c, a, i), y = bpi_number_bit(c, b, i);
    less = bpi_gate_cond(c, bpi_gate_xor(c, x, y), y, less);
  }
  if (a.low >= 0 && b.low >= 0) return less;
  const uint32_t x = bpi_number_bit(c, a, width), y = bpi_number_bit(c, b, width);
  return bpi_gate_cond(c, bpi_gate_xor(c, x, y), x, less);
}

uint32_t bpi_number_equal(bpi_circuit *c, bpi_number a, bpi_number b)
{
  if (a.high < b.low || b.high < a.low) return BPI_GATE_FALSE;
  const uint32_t width = (a.count > b.count ? a.count : b.count) + 1;
  uint32_t equal = BPI_GATE_TRUE;
  for (uint32_t i = 0; i < width; i++)
    equal = bpi_gate_and(
        c, equal,
        bpi_gate_not(c, bpi_gate_xor(c, bpi_number_bit(c, a, i), bpi_number_bit(c, b, i))));
  return equal;
}

uint32_t bpi_number_fits(bpi_circuit *c, bpi_number a, uint32_t bits)
{
  if (a.low >= 0 && a.high <= (int64_t)(((uint64_t)1 << bits) - 1)) return BPI_GATE_TRUE;
  uint32_t fits = BPI_GATE_TRUE;
  for (uint32_t i = bits; i < a.count || i == bits; i++)
    fits = bpi_gate_and(c, fits, bpi_gate_not(c, bpi_number_bit(c, a, i)));
  return a.low < 0 && a.count <= bits ? bpi_gate_not(c, bpi_number_bit(c, a, a.count - 1)) : fits;
}
