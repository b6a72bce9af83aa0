/* SPDX-License-Identifier: MIT
 * Implication by form: [SB] section 3, with W, M and the traits of [EH] added. */
#include "temporal/simplify.h"

enum { FUEL = 3000, DEPTH = 24 };

static bool implies(bpi_simplifier *s, uint32_t a, uint32_t b, uint32_t depth);

typedef struct question {
  bpi_simplifier *s;
  uint32_t a, b;
  bp_formula_op a_op, b_op;
  uint32_t a0, a1, b0, b1; /* first and second operand, or BP_NONE */
  uint32_t depth;
} question;

static bool ask(const question *q, uint32_t a, uint32_t b)
{
  return implies(q->s, a, b, q->depth - 1);
}

static bool every_operand(const question *q)
{
  if (q->a_op == BP_FORMULA_OR) {
    for (uint32_t i = 0; i < bpi_ltl_count(q->s->l, q->a); i++)
      if (!ask(q, bpi_ltl_arg(q->s->l, q->a, i), q->b)) return false;
    return true;
  }
  for (uint32_t i = 0; i < bpi_ltl_count(q->s->l, q->b); i++)
    if (!ask(q, q->a, bpi_ltl_arg(q->s->l, q->b, i))) return false;
  return true;
}

static bool some_operand(const question *q)
{
  for (uint32_t i = 0; q->a_op == BP_FORMULA_AND && i < bpi_ltl_count(q->s->l, q->a); i++)
    if (ask(q, bpi_ltl_arg(q->s->l, q->a, i), q->b)) return true;
  for (uint32_t i = 0; q->b_op == BP_FORMULA_OR && i < bpi_ltl_count(q->s->l, q->b); i++)
    if (ask(q, q->a, bpi_ltl_arg(q->s->l, q->b, i))) return true;
  return false;
}

/* ---- what is on the right ---------------------------------------------- */

static bool is_universal(const question *q)
{
  return (bpi_traits(q->s, q->a) & BPI_UNIVERSAL) != 0;
}

static bool of_unary(const question *q)
{
  if (q->b_op == BP_FORMULA_NEXT)
    return (q->a_op == BP_FORMULA_NEXT && ask(q, q->a0, q->b0)) ||
           (is_universal(q) && ask(q, q->a, q->b0));
  if (q->b_op == BP_FORMULA_ALWAYS) return is_universal(q) && ask(q, q->a, q->b0);
  if (q->b_op == BP_FORMULA_EVENTUALLY) return ask(q, q->a, q->b0);
  return false;
}

/* Where x U y goes on it holds at the next position too, which may be all that Xz on the right asks for. */
static bool goes_on_in(const question *q, uint32_t b)
{
  return ask(q, q->a0, b) ||
         (bpi_ltl_op(q->s->l, b) == BP_FORMULA_NEXT && ask(q, q->a, bpi_ltl_arg(q->s->l, b, 0)));
}

/* x U y, x W y on the left, or x M y, x R y, which are y U (x & y), y W (x & y). */
static bool of_until(const question *q)
{
  const bool weak = q->b_op == BP_FORMULA_WEAK_UNTIL;
  if (ask(q, q->a, q->b1) || (weak && is_universal(q) && ask(q, q->a, q->b0))) return true;
  if (q->a_op == BP_FORMULA_NEXT) return ask(q, q->a, q->b0) && ask(q, q->a0, q->b);
  if (q->a_op == BP_FORMULA_UNTIL || (weak && q->a_op == BP_FORMULA_WEAK_UNTIL))
    return ask(q, q->a1, q->b1) && goes_on_in(q, q->b0);
  if (q->a_op == BP_FORMULA_STRONG_RELEASE || (weak && q->a_op == BP_FORMULA_RELEASE))
    return ask(q, q->a1, q->b0) && (ask(q, q->a0, q->b1) || ask(q, q->a1, q->b1));
  return false;
}

static bool of_release(const question *q)
{
  const bool weak = q->b_op == BP_FORMULA_RELEASE;
  if (!weak || !is_universal(q) || !ask(q, q->a, q->b1)) {
    if (ask(q, q->a, q->b0) && ask(q, q->a, q->b1)) return true;
  } else {
    return true;
  }
  if (q->a_op == BP_FORMULA_STRONG_RELEASE || (weak && q->a_op == BP_FORMULA_RELEASE))
    return ask(q, q->a0, q->b0) && ask(q, q->a1, q->b1);
  if (q->a_op == BP_FORMULA_UNTIL || (weak && q->a_op == BP_FORMULA_WEAK_UNTIL))
    return ask(q, q->a0, q->b1) && ask(q, q->a1, q->b0) && ask(q, q->a1, q->b1);
  return false;
}

static bool by_right(const question *q)
{
  switch (q->b_op) {
  case BP_FORMULA_NEXT:
  case BP_FORMULA_ALWAYS:
  case BP_FORMULA_EVENTUALLY: return of_unary(q);
  case BP_FORMULA_UNTIL:
  case BP_FORMULA_WEAK_UNTIL: return of_until(q);
  case BP_FORMULA_RELEASE:
  case BP_FORMULA_STRONG_RELEASE: return of_release(q);
  default: return false;
  }
}

/* ---- what is on the left ----------------------------------------------- */

static bool by_left(const question *q)
{
  const bool eventual = (bpi_traits(q->s, q->b) & BPI_EVENTUAL) != 0;
  switch (q->a_op) {
  case BP_FORMULA_ALWAYS: return ask(q, q->a0, q->b);
  case BP_FORMULA_EVENTUALLY:
  case BP_FORMULA_NEXT: return eventual && ask(q, q->a0, q->b);
  case BP_FORMULA_UNTIL: return ask(q, q->a1, q->b) && (eventual || ask(q, q->a0, q->b));
  case BP_FORMULA_WEAK_UNTIL: return ask(q, q->a0, q->b) && ask(q, q->a1, q->b);
  case BP_FORMULA_RELEASE: return ask(q, q->a1, q->b);
  case BP_FORMULA_STRONG_RELEASE: return ask(q, q->a1, q->b) || (eventual && ask(q, q->a0, q->b));
  default: return false;
  }
}

static void operands(const bpi_ltl *l, uint32_t id, uint32_t *first, uint32_t *second)
{
  const uint32_t count = bpi_ltl_op(l, id) == BP_FORMULA_ATOM ? 0 : bpi_ltl_count(l, id);
  *first = count ? bpi_ltl_arg(l, id, 0) : BP_NONE;
  *second = count > 1 ? bpi_ltl_arg(l, id, 1) : BP_NONE;
}

static bool decide(bpi_simplifier *s, uint32_t a, uint32_t b, uint32_t depth)
{
  question q = {s, a, b, bpi_ltl_op(s->l, a), bpi_ltl_op(s->l, b), 0, 0, 0, 0, depth};
  operands(s->l, a, &q.a0, &q.a1);
  operands(s->l, b, &q.b0, &q.b1);
  if (q.a_op == BP_FORMULA_OR || q.b_op == BP_FORMULA_AND) return every_operand(&q);
  return some_operand(&q) || by_right(&q) || by_left(&q);
}

static bool implies(bpi_simplifier *s, uint32_t a, uint32_t b, uint32_t depth)
{
  if (a == b || a == BPI_LTL_FALSE || b == BPI_LTL_TRUE) return true;
  if (a == BPI_LTL_TRUE || b == BPI_LTL_FALSE) return false;
  const uint32_t slot = (a * 2654435761u ^ b * 40503u) % BPI_KNOWN;
  if (s->known[slot].a == a && s->known[slot].b == b) return s->known[slot].yes;
  if (!depth || !s->fuel || !bpi_job_going(s->l->job)) return false;
  s->fuel--;
  const bool yes = decide(s, a, b, depth);
  s->known[slot].a = a;
  s->known[slot].b = b;
  s->known[slot].yes = yes;
  return yes;
}

bool bpi_implies(bpi_simplifier *s, uint32_t a, uint32_t b)
{
  if (a == BP_NONE || b == BP_NONE) return false;
  s->fuel = FUEL;
  return implies(s, a, b, DEPTH);
}

/* ---- traits [EH, Lemma 1] ---------------------------------------------- */

static unsigned trait_of(const bpi_ltl *l, uint32_t id, const uint8_t *below)
{
  const bp_formula_op op = bpi_ltl_op(l, id);
  if (op == BP_FORMULA_ATOM || op == BP_FORMULA_NOT) return 0;
  unsigned both = BPI_EVENTUAL | BPI_UNIVERSAL;
  for (uint32_t i = 0; i < bpi_ltl_count(l, id); i++)
    both &= below[bpi_ltl_arg(l, id, i)];
  const unsigned last =
      bpi_ltl_count(l, id) ? below[bpi_ltl_arg(l, id, bpi_ltl_count(l, id) - 1)] : 0;
  switch (op) {
  case BP_FORMULA_EVENTUALLY: return both | BPI_EVENTUAL;
  case BP_FORMULA_ALWAYS: return both | BPI_UNIVERSAL;
  case BP_FORMULA_UNTIL: return both | (last & BPI_EVENTUAL);
  case BP_FORMULA_RELEASE: return both | (last & BPI_UNIVERSAL);
  default: return both;
  }
}

unsigned bpi_traits(bpi_simplifier *s, uint32_t id)
{
  while (s->traits.count <= id) {
    const uint8_t trait = (uint8_t)trait_of(s->l, s->traits.count, s->traits.at);
    if (!bpi_vec_push(&s->traits, trait)) {
      bpi_job_no_memory(s->l->job);
      return 0;
    }
  }
  return s->traits.at[id];
}
