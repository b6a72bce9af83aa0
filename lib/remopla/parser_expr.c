/* SPDX-License-Identifier: MIT */
#include "remopla/parser.h"

/* What waits on the stack of pending operators. */
enum { BINARY, NOT, PAREN, INDEX, LOW, HIGH, BODY };
enum { BODY_LEVEL = 0 };

typedef struct binary {
  uint8_t op, level; /* higher binds tighter; 0: no operator */
  uint8_t right;     /* associates to the right */
} binary;

static const binary binaries[] = {
    [BPI_R_IFF] = {BPI_ROP_IFF, 1, 0},    [BPI_R_ARROW] = {BPI_ROP_IMPLIES, 2, 1},
    [BPI_R_OR] = {BPI_ROP_OR, 3, 0},      [BPI_R_XOR] = {BPI_ROP_XOR, 4, 0},
    [BPI_R_AND] = {BPI_ROP_AND, 5, 0},    [BPI_R_EQ] = {BPI_ROP_EQ, 6, 0},
    [BPI_R_NE] = {BPI_ROP_NE, 6, 0},      [BPI_R_LT] = {BPI_ROP_LT, 7, 0},
    [BPI_R_LE] = {BPI_ROP_LE, 7, 0},      [BPI_R_GT] = {BPI_ROP_GT, 7, 0},
    [BPI_R_GE] = {BPI_ROP_GE, 7, 0},      [BPI_R_PLUS] = {BPI_ROP_ADD, 8, 0},
    [BPI_R_MINUS] = {BPI_ROP_SUB, 8, 0},  [BPI_R_TIMES] = {BPI_ROP_MUL, 9, 0},
    [BPI_R_DIVIDE] = {BPI_ROP_DIV, 9, 0},
};

static const binary *binary_of(uint32_t token)
{
  return token < sizeof binaries / sizeof *binaries && binaries[token].level ? &binaries[token]
                                                                             : NULL;
}

/* ---- code -------------------------------------------------------------- */

static bool emit(bpi_rparser *p, bpi_rop op, uint32_t arg, uint32_t at, uint32_t jump)
{
  const bpi_rinstr in = {.op = (uint8_t)op, .arg = arg, .at = at, .jump = jump};
  return bpi_vec_push(&p->t->code, in) || bpi_rparser_no_memory(p);
}

static bool push(bpi_rparser *p, bpi_rpending pending)
{
  return bpi_vec_push(&p->pending, pending) || bpi_rparser_no_memory(p);
}

typedef struct state {
  uint32_t base; /* pending operators below belong to someone else */
  bool guard;
} state;

static bpi_rpending *top(bpi_rparser *p, const state *s)
{
  return p->pending.count > s->base ? &p->pending.at[p->pending.count - 1] : NULL;
}

static bool end_body(bpi_rparser *p, const bpi_rpending *body)
{
  p->t->code.at[body->jump].jump = p->t->code.count;
  return emit(p, (bpi_rop)body->op, body->arg, body->at, body->jump);
}

/* Ends operators that bind tighter than `level`; bodies of quantifiers reach as far as they can. */
static bool reduce(bpi_rparser *p, const state *s, uint8_t level)
{
  for (const bpi_rpending *t; (t = top(p, s)) != NULL;) {
    const bpi_rpending op = *t;
    const bool ends = op.kind == NOT || (op.kind == BINARY && op.level >= level) ||
                      (op.kind == BODY && level == BODY_LEVEL);
    if (!ends) break;
    p->pending.count--;
    if (op.kind == BODY ? !end_body(p, &op) : !emit(p, (bpi_rop)op.op, 0, op.at, 0)) return false;
  }
  return true;
}

/* ---- where an operand is due ------------------------------------------- */

static bool number(bpi_rparser *p)
{
  uint64_t value = 0;
  const uint64_t most = (uint64_t)1 << 61;
  for (uint32_t i = p->now.offset; i < p->now.end; i++) {
    value = value * 10 + (uint64_t)(p->source->text[i] - '0');
    if (value <= most) continue;
    const bp_range range = bpi_rtoken_range(p->now);
    bpi_draft_error(p->d, BPI_MSG_TOO_LARGE, NULL, &range, "a number beyond 2^61");
    return false;
  }
  if (!bpi_vec_push(&p->t->numbers, value)) return bpi_rparser_no_memory(p);
  return emit(p, BPI_ROP_NUMBER, p->t->numbers.count - 1, p->now.offset, 0);
}

/* `A i (low, high) condition`: the bounds are read first. */
static bool quantifier(bpi_rparser *p)
{
  bpi_rpending low = {.kind = LOW, .op = BPI_ROP_ALL, .at = p->now.offset};
  if (p->source->text[p->now.offset] == 'E') low.op = BPI_ROP_ANY;
  uint32_t at;
  bpi_rparser_step(p);
  return bpi_rparser_name(p, "a name", &low.arg, &at) &&
         bpi_rparser_expect(p, BPI_R_LPAREN, "'('") && push(p, low);
}

static bool at_quantifier(const bpi_rparser *p)
{
  const char letter = p->source->text[p->now.offset];
  return p->now.end - p->now.offset == 1 && (letter == 'A' || letter == 'E') &&
         p->next.kind == BPI_R_NAME;
}

static bool name_operand(bpi_rparser *p, bool *again)
{
  bpi_rpending index = {.kind = INDEX, .op = BPI_ROP_ELEMENT, .jump = BP_NONE};
  if (!bpi_rparser_name(p, "a name", &index.arg, &index.at)) return false;
  if (bpi_rat(p, BPI_R_LPAREN)) {
    const bp_range range = bpi_rtoken_range(p->now);
    bpi_draft_error(p->d, BPI_MSG_CALL_IN_EXPR, NULL, &range,
                    "a call cannot stand in an expression; assign its result first");
    return false;
  }
  if (bpi_rparser_take(p, BPI_R_DOT)) {
    index.jump = index.arg;
    if (!bpi_rparser_name(p, "a name", &index.arg, &index.at)) return false;
  }
  if (!bpi_rparser_take(p, BPI_R_LBRACKET))
    return emit(p, BPI_ROP_NAME, index.arg, index.at, index.jump);
  *again = true;
  return push(p, index);
}

/* Takes prefix operators and opening brackets, then one operand. */
static bool read_operand(bpi_rparser *p)
{
  for (bool again = true; again;) {
    again = false;
    if (!bpi_draft_going(p->d)) return false;
    const bpi_rtoken token = p->now;
    switch (token.kind) {
    case BPI_R_NOT:
    case BPI_R_LPAREN: {
      const bool bracket = token.kind == BPI_R_LPAREN;
      again = true;
      bpi_rparser_step(p);
      if (!push(p, (bpi_rpending){
                       .kind = bracket ? PAREN : NOT, .op = BPI_ROP_NOT, .at = token.offset}))
        return false;
      break;
    }
    case BPI_R_NAME:
      if (at_quantifier(p)) {
        again = true;
        if (!quantifier(p)) return false;
      } else if (!name_operand(p, &again)) {
        return false;
      }
      break;
    case BPI_R_TRUE:
    case BPI_R_FALSE:
      if (!emit(p, token.kind == BPI_R_TRUE ? BPI_ROP_TRUE : BPI_ROP_FALSE, 0, token.offset, 0))
        return false;
      bpi_rparser_step(p);
      break;
    case BPI_R_NUMBER:
      if (!number(p)) return false;
      bpi_rparser_step(p);
      break;
    default: return bpi_rparser_missing(p, "an expression");
    }
  }
  return true;
}

/* ---- where an operator is due ------------------------------------------ */

typedef enum verdict { FAILED, AGAIN, OPERAND, DONE } verdict;

/* From the bounds of a quantifier to its condition. */
static verdict begin_body(bpi_rparser *p, bpi_rpending *t)
{
  t->kind = BODY;
  t->jump = p->t->code.count;
  return emit(p, BPI_ROP_EACH, t->arg, t->at, 0) ? OPERAND : FAILED;
}

static verdict read_closing(bpi_rparser *p, const state *s)
{
  static const char *const wanted[] = {
      [PAREN] = "')'", [INDEX] = "']'", [LOW] = "','", [HIGH] = "')'"};
  static const uint8_t closes[] = {
      [PAREN] = BPI_R_RPAREN, [INDEX] = BPI_R_RBRACKET, [LOW] = BPI_R_COMMA, [HIGH] = BPI_R_RPAREN};
  if (!reduce(p, s, BODY_LEVEL)) return FAILED;
  bpi_rpending *t = top(p, s);
  if (!t) return DONE;
  if (!bpi_rparser_take(p, (bpi_rtoken_kind)closes[t->kind])) {
    bpi_rparser_missing(p, wanted[t->kind]);
    return FAILED;
  }
  if (t->kind == HIGH) return begin_body(p, t);
  if (t->kind == LOW) {
    t->kind = HIGH;
    return OPERAND;
  }
  const bpi_rpending bracket = *t;
  p->pending.count--;
  if (bracket.kind == PAREN) return AGAIN;
  return emit(p, BPI_ROP_ELEMENT, bracket.arg, bracket.at, bracket.jump) ? AGAIN : FAILED;
}

/* Whether an `->` here ends the guard. */
static bool ends_guard(bpi_rparser *p, const state *s)
{
  if (!s->guard || !bpi_rat(p, BPI_R_ARROW)) return false;
  for (uint32_t i = s->base; i < p->pending.count; i++)
    if (p->pending.at[i].kind != BINARY && p->pending.at[i].kind != NOT &&
        p->pending.at[i].kind != BODY)
      return false;
  return true;
}

static verdict read_operator(bpi_rparser *p, const state *s)
{
  const binary *b = binary_of(p->now.kind);
  if (!b || ends_guard(p, s)) return read_closing(p, s);
  if (!reduce(p, s, (uint8_t)(b->level + b->right))) return FAILED;
  const bpi_rpending op = {.kind = BINARY, .op = b->op, .level = b->level, .at = p->now.offset};
  bpi_rparser_step(p);
  return push(p, op) ? OPERAND : FAILED;
}

bool bpi_rparse_expr(bpi_rparser *p, bpi_slice *out, bool guard)
{
  const state s = {.base = p->pending.count, .guard = guard};
  const uint32_t first = p->t->code.count;
  verdict v = OPERAND;
  while (v == OPERAND || v == AGAIN) {
    if (v == OPERAND && !read_operand(p))
      v = FAILED;
    else
      v = read_operator(p, &s);
  }
  p->pending.count = s.base;
  *out = (bpi_slice){first, p->t->code.count - first};
  return v == DONE;
}
