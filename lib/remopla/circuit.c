/* SPDX-License-Identifier: MIT */
#include "remopla/circuit.h"

#include "base/hash.h"

enum { FIRST_SLOTS = 256, KEPT_SLOTS = 1 << 14, NO_GATE = 0 };

void bpi_circuit_init(bpi_circuit *c)
{
  *c = (bpi_circuit){.memory = true};
  bpi_circuit_empty(c);
}

void bpi_circuit_free(bpi_circuit *c)
{
  bpi_vec_free(&c->gates);
  bpi_release(c->slots);
  bpi_vec_free(&c->bits);
  bpi_vec_free(&c->stack);
  bpi_vec_free(&c->uses);
  bpi_vec_free(&c->held);
  bpi_vec_free(&c->order);
  c->slots = NULL;
}

void bpi_circuit_empty(bpi_circuit *c)
{
  c->gates.count = c->bits.count = 0;
  c->full = false;
  if (c->slot_count > KEPT_SLOTS) {
    bpi_release(c->slots);
    c->slots = NULL;
    c->slot_count = 0;
  }
  if (c->slots) memset(c->slots, 0, c->slot_count * sizeof *c->slots);
  if (!bpi_vec_push(&c->gates, (bpi_gate){.op = BPI_OP_FALSE}) ||
      !bpi_vec_push(&c->gates, (bpi_gate){.op = BPI_OP_TRUE}))
    c->memory = false;
}

/* ---- gates -------------------------------------------------------------- */

static uint64_t hash_gate(const bpi_gate *g)
{
  uint64_t hash = bpi_hash_u64(BPI_HASH_START, g->op);
  hash = bpi_hash_u64(hash, (uint64_t)g->input[0] << 32 | g->input[1]);
  return bpi_hash_u64(hash, g->input[2]);
}

static uint32_t find_slot(const bpi_circuit *c, const bpi_gate *g)
{
  uint32_t slot = (uint32_t)hash_gate(g) & (c->slot_count - 1);
  for (; c->slots[slot]; slot = (slot + 1) & (c->slot_count - 1)) {
    const bpi_gate *x = &c->gates.at[c->slots[slot] - 1];
    if (x->op == g->op && !memcmp(x->input, g->input, sizeof g->input)) break;
  }
  return slot;
}

static bool grow(bpi_circuit *c)
{
  const uint32_t size = c->slot_count ? c->slot_count * 2 : FIRST_SLOTS;
  uint32_t *slots = bpi_zalloc(size, sizeof *slots);
  if (!slots) return false;
  bpi_release(c->slots);
  c->slots = slots;
  c->slot_count = size;
  for (uint32_t i = 2; i < c->gates.count; i++)
    if (c->gates.at[i].op != BPI_OP_NONDET) c->slots[find_slot(c, &c->gates.at[i])] = i + 1;
  return true;
}

static uint32_t gate(bpi_circuit *c, bpi_gate g)
{
  if (!bpi_circuit_good(c)) return NO_GATE;
  if (c->gates.count >= BPI_MOST_GATES) {
    c->full = true;
    return NO_GATE;
  }
  if (c->gates.count * 2 >= c->slot_count && !grow(c)) {
    c->memory = false;
    return NO_GATE;
  }
  const bool fresh = g.op == BPI_OP_NONDET;
  const uint32_t slot = fresh ? 0 : find_slot(c, &g);
  if (!fresh && c->slots[slot]) return c->slots[slot] - 1;
  if (!bpi_vec_push(&c->gates, g)) {
    c->memory = false;
    return NO_GATE;
  }
  if (!fresh) c->slots[slot] = c->gates.count;
  return c->gates.count - 1;
}

uint32_t bpi_gate_var(bpi_circuit *c, uint32_t var)
{
  return gate(c, (bpi_gate){BPI_OP_VAR, {var, 0, 0}});
}

uint32_t bpi_gate_choice(bpi_circuit *c)
{
  return gate(c, (bpi_gate){BPI_OP_NONDET, {0, 0, 0}});
}

static bool is_not_of(const bpi_circuit *c, uint32_t a, uint32_t b)
{
  return c->gates.at[a].op == BPI_OP_NOT && c->gates.at[a].input[0] == b;
}

static bool opposite(const bpi_circuit *c, uint32_t a, uint32_t b)
{
  return is_not_of(c, a, b) || is_not_of(c, b, a);
}

uint32_t bpi_gate_not(bpi_circuit *c, uint32_t a)
{
  if (a <= BPI_GATE_TRUE) return !a;
  if (c->gates.at[a].op == BPI_OP_NOT) return c->gates.at[a].input[0];
  return gate(c, (bpi_gate){BPI_OP_NOT, {a, 0, 0}});
}

static uint32_t commutative(bpi_circuit *c, bpi_op op, uint32_t a, uint32_t b)
{
  return gate(c, (bpi_gate){(uint8_t)op, {a < b ? a : b, a < b ? b : a, 0}});
}

uint32_t bpi_gate_and(bpi_circuit *c, uint32_t a, uint32_t b)
{
  if (a == BPI_GATE_FALSE || b == BPI_GATE_FALSE || opposite(c, a, b)) return BPI_GATE_FALSE;
  if (a == BPI_GATE_TRUE || a == b) return b;
  return b == BPI_GATE_TRUE ? a : commutative(c, BPI_OP_AND, a, b);
}

uint32_t bpi_gate_or(bpi_circuit *c, uint32_t a, uint32_t b)
{
  if (a == BPI_GATE_TRUE || b == BPI_GATE_TRUE || opposite(c, a, b)) return BPI_GATE_TRUE;
  if (a == BPI_GATE_FALSE || a == b) return b;
  return b == BPI_GATE_FALSE ? a : commutative(c, BPI_OP_OR, a, b);
}

uint32_t bpi_gate_xor(bpi_circuit *c, uint32_t a, uint32_t b)
{
  if (a == b) return BPI_GATE_FALSE;
  if (opposite(c, a, b)) return BPI_GATE_TRUE;
  if (a <= BPI_GATE_TRUE) return a == BPI_GATE_TRUE ? bpi_gate_not(c, b) : b;
  if (b <= BPI_GATE_TRUE) return b == BPI_GATE_TRUE ? bpi_gate_not(c, a) : a;
  return commutative(c, BPI_OP_XOR, a, b);
}

uint32_t bpi_gate_cond(bpi_circuit *c, uint32_t test, uint32_t yes, uint32_t no)
{
  if (test <= BPI_GATE_TRUE) return test == BPI_GATE_TRUE ? yes : no;
  if (yes == no) return yes;
  if (yes == BPI_GATE_TRUE) return bpi_gate_or(c, test, no);
  if (no == BPI_GATE_FALSE) return bpi_gate_and(c, test, yes);
  if (yes == BPI_GATE_FALSE) return bpi_gate_and(c, bpi_gate_not(c, test), no);
  if (no == BPI_GATE_TRUE) return bpi_gate_or(c, bpi_gate_not(c, test), yes);
  return gate(c, (bpi_gate){BPI_OP_COND, {test, yes, no}});
}

/* ---- code --------------------------------------------------------------- */

static uint32_t inputs(const bpi_gate *g)
{
  return bpi_op_arity(g->op);
}

/* Lists the gates that `root` needs, each before those it needs, and counts their uses. */
static bool find_uses(bpi_circuit *c, uint32_t root)
{
  while (c->uses.count < c->gates.count)
    if (!bpi_vec_push(&c->uses, 0) || !bpi_vec_push(&c->held, 0)) return false;
  c->order.count = c->stack.count = 0;
  if (!bpi_vec_push(&c->stack, root)) return false;
  while (c->stack.count) {
    const uint32_t at = c->stack.at[--c->stack.count];
    if (c->uses.at[at]++) continue;
    if (!bpi_vec_push(&c->order, at)) return false;
    for (uint32_t i = 0; i < inputs(&c->gates.at[at]); i++)
      if (!bpi_vec_push(&c->stack, c->gates.at[at].input[i])) return false;
  }
  return true;
}

/* The stack holds gates to be opened, and gates plus the number of gates: their inputs are written. */
static bool write_gates(bpi_circuit *c, uint32_t root, bpi_code *out)
{
  const uint32_t closed = c->gates.count;
  uint32_t registers = 0;
  c->stack.count = 0;
  if (!bpi_vec_push(&c->stack, root)) return false;
  while (c->stack.count) {
    const uint32_t top = c->stack.at[--c->stack.count], at = top < closed ? top : top - closed;
    const bpi_gate *g = &c->gates.at[at];
    bool good = true;
    if (top < closed && c->held.at[at]) {
      good = bpi_vec_push(out, (bpi_instr){BPI_OP_KEPT, c->held.at[at] - 1});
    } else if (top < closed && inputs(g)) {
      good = bpi_vec_push(&c->stack, at + closed);
      for (uint32_t i = inputs(g); good && i-- > 0;)
        good = bpi_vec_push(&c->stack, g->input[i]);
    } else {
      good = bpi_vec_push(out, (bpi_instr){g->op, g->op == BPI_OP_VAR ? g->input[0] : 0});
      if (good && inputs(g) && c->uses.at[at] > 1) {
        c->held.at[at] = ++registers;
        good = bpi_vec_push(out, (bpi_instr){BPI_OP_KEEP, registers - 1});
      }
    }
    if (!good) return false;
  }
  return true;
}

bool bpi_circuit_write(bpi_circuit *c, uint32_t root, bpi_code *out)
{
  const bool good = bpi_circuit_good(c) && find_uses(c, root) && write_gates(c, root, out);
  for (uint32_t i = 0; i < c->order.count; i++)
    c->uses.at[c->order.at[i]] = c->held.at[c->order.at[i]] = 0;
  if (!good) c->memory = false;
  return good;
}
