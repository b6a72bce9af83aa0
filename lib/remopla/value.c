/* SPDX-License-Identifier: MIT */
#include "remopla/value.h"

#include <stdarg.h>

void bpi_reader_free(bpi_reader *r)
{
  bpi_circuit_free(&r->circuit);
  bpi_vec_free(&r->stack);
  bpi_vec_free(&r->frames);
}

void bpi_reader_empty(bpi_reader *r)
{
  bpi_circuit_empty(&r->circuit);
  r->stack.count = r->frames.count = 0;
  r->work = 0;
}

bool bpi_reader_error(bpi_reader *r, bpi_message number, uint32_t at, uint32_t len,
                      const char *format, ...)
{
  char line[256];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  const bp_range range = bpi_source_range(r->source, at, at + len);
  bpi_draft_error(r->d, number, NULL, &range, "%s", line);
  return false;
}

static bool no_memory(bpi_reader *r)
{
  return bpi_draft_stop(r->d, BP_E_NOMEM);
}

/* ---- values ------------------------------------------------------------- */

static bpi_rvalue of_bit(uint32_t bit, uint32_t ok, uint32_t at)
{
  return (bpi_rvalue){.truth = true, .bit = bit, .ok = ok, .at = at};
}

static bpi_rvalue of_number(bpi_number number, uint32_t ok, uint32_t at)
{
  return (bpi_rvalue){.number = number, .ok = ok, .at = at};
}

bpi_number bpi_value_number(bpi_reader *r, const bpi_rvalue *v)
{
  bpi_circuit *c = &r->circuit;
  if (!v->truth) return v->number;
  if (v->bit <= BPI_GATE_TRUE) return bpi_number_constant(c, v->bit == BPI_GATE_TRUE);
  const uint32_t first = c->bits.count;
  if (!bpi_vec_push(&c->bits, v->bit)) c->memory = false;
  return c->memory ? bpi_number_of_bits(c, first) : bpi_number_constant(c, 0);
}

/* Numbers that are 0 or 1 anyway can be conditions. */
static bool to_truth(bpi_reader *r, bpi_rvalue *v)
{
  if (v->truth) return true;
  if (v->number.low < 0 || v->number.high > 1)
    return bpi_reader_error(r, BPI_MSG_TYPE, v->at, 1, "this is a number, not a condition");
  *v = of_bit(bpi_number_bit(&r->circuit, v->number, 0), v->ok, v->at);
  return true;
}

uint32_t bpi_index_fits(bpi_reader *r, bpi_number index, uint32_t length)
{
  bpi_circuit *c = &r->circuit;
  if (index.low >= 0 && index.high < (int64_t)length) return BPI_GATE_TRUE;
  const bpi_number end = bpi_number_constant(c, length), zero = bpi_number_constant(c, 0);
  return bpi_gate_and(c, bpi_number_less(c, index, end),
                      bpi_gate_not(c, bpi_number_less(c, index, zero)));
}

/* ---- names -------------------------------------------------------------- */

static uint32_t symbol_length(const bpi_reader *r, uint32_t symbol)
{
  return r->d->symbols.at[symbol].len;
}

static bool find(bpi_reader *r, const bpi_rinstr *in, bpi_rmeaning *out)
{
  for (uint32_t i = r->frames.count; in->jump == BP_NONE && i-- > 0;)
    if (r->frames.at[i].name == in->arg) {
      *out = (bpi_rmeaning){NULL, r->frames.at[i].value};
      return true;
    }
  if (r->find(r->user, in->jump, in->arg, out)) return true;
  return bpi_reader_error(r, BPI_MSG_UNDECLARED, in->at, symbol_length(r, in->arg),
                          "%s is not declared%s", bpi_draft_quote(r->d, in->arg).text,
                          in->jump == BP_NONE ? "" : " there");
}

/* The value of a datum: an enum is never beyond its constants. */
static bpi_rvalue of_datum(const bpi_reader *r, const bpi_datum *datum, uint32_t first, uint32_t ok,
                           uint32_t at)
{
  bpi_number number = bpi_number_of_bits(&r->circuit, first);
  if (datum->values.count) number.high = (int64_t)datum->values.count - 1;
  return of_number(number, ok, at);
}

static bpi_rvalue read_element(bpi_reader *r, const bpi_datum *datum, uint32_t element, uint32_t at)
{
  bpi_circuit *c = &r->circuit;
  const uint32_t width = datum->bits ? datum->bits : 1, first = c->bits.count;
  const uint32_t *vars = r->p->data_vars.at + datum->first + (size_t)element * width;
  if (!datum->bits) return of_bit(bpi_gate_var(c, vars[0]), BPI_GATE_TRUE, at);
  for (uint32_t i = 0; i < width; i++)
    if (!bpi_vec_push(&c->bits, bpi_gate_var(c, vars[i]))) c->memory = false;
  if (!c->memory) return of_bit(BPI_GATE_FALSE, BPI_GATE_TRUE, at);
  return of_datum(r, datum, first, BPI_GATE_TRUE, at);
}

static bool name(bpi_reader *r, const bpi_rinstr *in, bpi_rvalue *out)
{
  bpi_rmeaning m;
  if (!find(r, in, &m)) return false;
  if (!m.datum) {
    *out = of_number(bpi_number_constant(&r->circuit, m.value), BPI_GATE_TRUE, in->at);
    return true;
  }
  if (m.datum->length)
    return bpi_reader_error(r, BPI_MSG_TYPE, in->at, symbol_length(r, in->arg),
                            "%s is an array: it needs an index",
                            bpi_draft_quote(r->d, in->arg).text);
  *out = read_element(r, m.datum, 0, in->at);
  return true;
}

/* One bit of the element that the index selects, by halving: where the index is outside, anything. */
static uint32_t select_bit(bpi_reader *r, const bpi_datum *datum, bpi_number index, uint32_t bit)
{
  bpi_circuit *c = &r->circuit;
  const uint32_t width = datum->bits ? datum->bits : 1, first = c->bits.count;
  const uint32_t *vars = r->p->data_vars.at + datum->first + bit;
  uint32_t count = datum->length;
  if (index.high < (int64_t)count) count = index.high < 0 ? 1 : (uint32_t)index.high + 1;
  for (uint32_t k = 0; k < count; k++)
    if (!bpi_vec_push(&c->bits, bpi_gate_var(c, vars[(size_t)k * width]))) c->memory = false;
  for (uint32_t level = 0; count > 1 && bpi_circuit_good(c); level++, count = (count + 1) / 2) {
    const uint32_t test = bpi_number_bit(c, index, level);
    uint32_t *at = c->bits.at + first;
    for (uint32_t k = 0; k < count; k += 2)
      at[k / 2] = k + 1 < count ? bpi_gate_cond(c, test, at[k + 1], at[k]) : at[k];
  }
  const uint32_t gate = c->memory ? c->bits.at[first] : BPI_GATE_FALSE;
  c->bits.count = first;
  return gate;
}

static bool element(bpi_reader *r, const bpi_rinstr *in, bpi_rvalue *top)
{
  bpi_circuit *c = &r->circuit;
  bpi_rmeaning m;
  if (!find(r, in, &m)) return false;
  if (!m.datum || !m.datum->length)
    return bpi_reader_error(r, BPI_MSG_TYPE, in->at, symbol_length(r, in->arg), "%s is no array",
                            bpi_draft_quote(r->d, in->arg).text);
  const bpi_number index = bpi_value_number(r, top);
  const uint32_t ok = bpi_gate_and(c, top->ok, bpi_index_fits(r, index, m.datum->length));
  r->work += (uint64_t)m.datum->length * (m.datum->bits + 1);
  if (index.low == index.high && index.low >= 0 && index.low < (int64_t)m.datum->length) {
    *top = read_element(r, m.datum, (uint32_t)index.low, in->at);
  } else if (!m.datum->bits) {
    *top = of_bit(select_bit(r, m.datum, index, 0), ok, in->at);
  } else {
    uint32_t bits[BPI_MOST_BITS];
    for (uint32_t i = 0; i < m.datum->bits; i++)
      bits[i] = select_bit(r, m.datum, index, i);
    const uint32_t first = c->bits.count;
    for (uint32_t i = 0; i < m.datum->bits; i++)
      if (!bpi_vec_push(&c->bits, bits[i])) c->memory = false;
    if (c->memory) *top = of_datum(r, m.datum, first, ok, in->at);
  }
  top->ok = ok;
  return true;
}

/* ---- operators ---------------------------------------------------------- */

static bool arithmetic(bpi_reader *r, const bpi_rinstr *in, bpi_rvalue *a, const bpi_rvalue *b)
{
  bpi_circuit *c = &r->circuit;
  const bpi_number x = bpi_value_number(r, a), y = bpi_value_number(r, b);
  uint32_t ok = bpi_gate_and(c, a->ok, b->ok);
  bpi_number out = {0};
  bool good = true;
  switch (in->op) {
  case BPI_ROP_ADD: good = bpi_number_add(c, x, y, &out); break;
  case BPI_ROP_SUB: good = bpi_number_sub(c, x, y, &out); break;
  case BPI_ROP_MUL: good = bpi_number_mul(c, x, y, &out); break;
  default:
    ok = bpi_gate_and(c, ok, bpi_gate_not(c, bpi_number_equal(c, y, bpi_number_constant(c, 0))));
    bpi_number_div(c, x, y, &out);
  }
  if (!good)
    return bpi_reader_error(r, BPI_MSG_TOO_LARGE, in->at, 1, "values here can go beyond 2^61");
  *a = of_number(out, ok, a->at);
  return true;
}

/* Two bools can be compared as such; as numbers they are 0 and 1. */
static void compare(bpi_reader *r, const bpi_rinstr *in, bpi_rvalue *a, const bpi_rvalue *b)
{
  bpi_circuit *c = &r->circuit;
  const bpi_number x = bpi_value_number(r, a), y = bpi_value_number(r, b);
  const uint32_t ok = bpi_gate_and(c, a->ok, b->ok);
  uint32_t bit;
  switch (in->op) {
  case BPI_ROP_EQ: bit = bpi_number_equal(c, x, y); break;
  case BPI_ROP_NE: bit = bpi_gate_not(c, bpi_number_equal(c, x, y)); break;
  case BPI_ROP_LT: bit = bpi_number_less(c, x, y); break;
  case BPI_ROP_LE: bit = bpi_gate_not(c, bpi_number_less(c, y, x)); break;
  case BPI_ROP_GT: bit = bpi_number_less(c, y, x); break;
  default: bit = bpi_gate_not(c, bpi_number_less(c, x, y));
  }
  *a = of_bit(bit, ok, a->at);
}

/* a becomes a op b; b is asked only where a does not decide. */
static void connect(bpi_reader *r, uint32_t op, bpi_rvalue *a, const bpi_rvalue *b)
{
  bpi_circuit *c = &r->circuit;
  const uint32_t not_a = bpi_gate_not(c, a->bit);
  switch (op) {
  case BPI_ROP_AND:
  case BPI_ROP_ALL:
    a->ok = bpi_gate_and(c, a->ok, bpi_gate_or(c, not_a, b->ok));
    a->bit = bpi_gate_and(c, a->bit, b->bit);
    break;
  case BPI_ROP_OR:
  case BPI_ROP_ANY:
    a->ok = bpi_gate_and(c, a->ok, bpi_gate_or(c, a->bit, b->ok));
    a->bit = bpi_gate_or(c, a->bit, b->bit);
    break;
  case BPI_ROP_IMPLIES:
    a->ok = bpi_gate_and(c, a->ok, bpi_gate_or(c, not_a, b->ok));
    a->bit = bpi_gate_or(c, not_a, b->bit);
    break;
  default:
    a->ok = bpi_gate_and(c, a->ok, b->ok);
    a->bit = bpi_gate_xor(c, op == BPI_ROP_IFF ? not_a : a->bit, b->bit);
  }
}

/* ---- quantifiers -------------------------------------------------------- */

static bool constant_of(bpi_reader *r, const bpi_rvalue *v, int64_t *out)
{
  const bpi_number x = bpi_value_number(r, v);
  if (x.low != x.high || v->ok != BPI_GATE_TRUE)
    return bpi_reader_error(r, BPI_MSG_TYPE, v->at, 1, "this must be a constant");
  *out = x.low;
  return true;
}

/* The bounds on the stack become what the condition is gathered in. */
static bool begin_each(bpi_reader *r, const bpi_rinstr *in, uint32_t at, uint32_t *next)
{
  bpi_rvalue *top = &r->stack.at[r->stack.count - 1];
  bpi_rframe f = {.name = in->arg, .begin = at + 1};
  if (!constant_of(r, top - 1, &f.value) || !constant_of(r, top, &f.last)) return false;
  r->stack.count--;
  const bool all = r->t->code.at[in->jump].op == BPI_ROP_ALL;
  top[-1] = of_bit(all ? BPI_GATE_TRUE : BPI_GATE_FALSE, BPI_GATE_TRUE, in->at);
  if (f.value > f.last) {
    *next = in->jump + 1;
    return true;
  }
  return bpi_vec_push(&r->frames, f) || no_memory(r);
}

static bool end_each(bpi_reader *r, const bpi_rinstr *in, uint32_t *next)
{
  bpi_rvalue *top = &r->stack.at[r->stack.count - 1];
  bpi_rframe *f = &r->frames.at[r->frames.count - 1];
  if (!to_truth(r, top)) return false;
  connect(r, in->op, top - 1, top);
  r->stack.count--;
  if (f->value++ < f->last)
    *next = f->begin;
  else
    r->frames.count--;
  return true;
}

/* ---- everything --------------------------------------------------------- */

static bool binary(bpi_reader *r, const bpi_rinstr *in)
{
  bpi_rvalue *a = &r->stack.at[r->stack.count - 2], *b = a + 1;
  r->stack.count--;
  if (in->op >= BPI_ROP_ADD) return arithmetic(r, in, a, b);
  if (in->op >= BPI_ROP_EQ) {
    compare(r, in, a, b);
    return true;
  }
  if (!to_truth(r, a) || !to_truth(r, b)) return false;
  connect(r, in->op, a, b);
  return true;
}

static bool leaf(bpi_reader *r, const bpi_rinstr *in)
{
  bpi_rvalue v;
  switch (in->op) {
  case BPI_ROP_NUMBER:
    v = of_number(bpi_number_constant(&r->circuit, (int64_t)r->t->numbers.at[in->arg]),
                  BPI_GATE_TRUE, in->at);
    break;
  case BPI_ROP_NAME:
    if (!name(r, in, &v)) return false;
    break;
  case BPI_ROP_UNDEF: v = (bpi_rvalue){.undef = true, .ok = BPI_GATE_TRUE, .at = in->at}; break;
  default:
    v = of_bit(in->op == BPI_ROP_TRUE ? BPI_GATE_TRUE : BPI_GATE_FALSE, BPI_GATE_TRUE, in->at);
  }
  return bpi_vec_push(&r->stack, v) || no_memory(r);
}

static bool run(bpi_reader *r, uint32_t at, uint32_t *next)
{
  const bpi_rinstr *in = &r->t->code.at[at];
  bpi_rvalue *top = r->stack.count ? &r->stack.at[r->stack.count - 1] : NULL;
  switch (in->op) {
  case BPI_ROP_ELEMENT: return element(r, in, top);
  case BPI_ROP_NOT:
    if (!to_truth(r, top)) return false;
    top->bit = bpi_gate_not(&r->circuit, top->bit);
    top->at = in->at;
    return true;
  case BPI_ROP_EACH: return begin_each(r, in, at, next);
  case BPI_ROP_ALL:
  case BPI_ROP_ANY: return end_each(r, in, next);
  default: return bpi_rop_arity(in->op) ? binary(r, in) : leaf(r, in);
  }
}

static bool too_large(bpi_reader *r, uint32_t at)
{
  return bpi_reader_error(r, BPI_MSG_TOO_LARGE, at, 1, "this statement needs too many bits");
}

bool bpi_read_value(bpi_reader *r, bpi_slice code, bpi_rvalue *out)
{
  const uint32_t end = code.first + code.count, base = r->stack.count;
  for (uint32_t at = code.first, next; at < end; at = next) {
    next = at + 1;
    if (!bpi_draft_going(r->d) || !run(r, at, &next)) return false;
    if (!r->circuit.memory) return no_memory(r);
    if (r->circuit.full || ++r->work > BPI_MOST_WORK) return too_large(r, r->t->code.at[at].at);
  }
  *out = r->stack.at[base];
  r->stack.count = base;
  return true;
}

bool bpi_read_condition(bpi_reader *r, bpi_slice code, bpi_rvalue *out)
{
  return bpi_read_value(r, code, out) && to_truth(r, out);
}

bool bpi_read_constant(bpi_reader *r, bpi_slice code, int64_t *out)
{
  bpi_rvalue v;
  return bpi_read_value(r, code, &v) && constant_of(r, &v, out);
}
