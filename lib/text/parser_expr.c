/* SPDX-License-Identifier: MIT */
#include "text/parser.h"

/* What waits on the stack of pending operators. */
enum { BINARY, NOT, PAREN, SCHOOSE_FIRST, SCHOOSE_SECOND, TEST, CHOICE };

typedef struct binary {
  uint8_t op;
  uint8_t level[2]; /* by bp_precedence; higher binds tighter */
  uint8_t right[2]; /* associates to the right */
  uint8_t shape;    /* operators of one shape may mix without a doubt */
} binary;

enum { SHAPE_NONE, SHAPE_IMPLIES, SHAPE_EQ, SHAPE_XOR, SHAPE_AND, SHAPE_OR };

static const binary binaries[] = {
    [BPI_T_IMPLIES] = {BPI_OP_IMPLIES, {1, 1}, {0, 1}, SHAPE_IMPLIES},
    [BPI_T_OR] = {BPI_OP_OR, {2, 3}, {0, 0}, SHAPE_OR},
    [BPI_T_XOR] = {BPI_OP_XOR, {3, 2}, {0, 0}, SHAPE_XOR},
    [BPI_T_AND] = {BPI_OP_AND, {4, 4}, {0, 0}, SHAPE_AND},
    [BPI_T_EQ] = {BPI_OP_EQ, {5, 1}, {0, 1}, SHAPE_EQ},
    [BPI_T_NE] = {BPI_OP_NE, {5, 1}, {0, 1}, SHAPE_EQ},
};

static const binary *binary_of(uint32_t token)
{
  return token < sizeof binaries / sizeof *binaries && binaries[token].level[0] ? &binaries[token]
                                                                                : NULL;
}

/* ---- code -------------------------------------------------------------- */

static bool emit(bpi_parser *p, bpi_op op, uint32_t arg)
{
  if (!bpi_vec_push(&p->d->program->code, (bpi_instr){op, arg}))
    return bpi_draft_stop(p->d, BP_E_NOMEM);
  return true;
}

static bool operand(bpi_parser *p, bpi_op op, uint32_t arg)
{
  if (!bpi_vec_push(&p->shapes, SHAPE_NONE)) return bpi_draft_stop(p->d, BP_E_NOMEM);
  return emit(p, op, arg);
}

/* Replaces `count` operands by one. */
static bool combine(bpi_parser *p, bpi_op op, uint32_t count, uint8_t shape)
{
  p->shapes.count -= count - 1;
  p->shapes.at[p->shapes.count - 1] = shape;
  return emit(p, op, 0);
}

static bool push(bpi_parser *p, uint8_t kind, const binary *b)
{
  bpi_pending pending = {.kind = kind, .offset = p->now->offset, .token = (uint8_t)p->now->kind};
  if (b) {
    pending.op = b->op;
    pending.level = b->level[p->d->precedence];
  }
  if (!bpi_vec_push(&p->pending, pending)) return bpi_draft_stop(p->d, BP_E_NOMEM);
  bpi_parser_step(p);
  return true;
}

/* ---- doubtful mixtures ------------------------------------------------- */

static bool doubtful(uint8_t above, uint8_t below)
{
  if (below == SHAPE_NONE) return false;
  if (above == below) return above == SHAPE_IMPLIES;
  return above == SHAPE_EQ || above == SHAPE_XOR || below == SHAPE_EQ || below == SHAPE_XOR;
}

/* One warning for an expression is enough. */
static void check_mixture(bpi_parser *p, const bpi_pending *op, bool *told)
{
  const uint8_t shape = binaries[op->token].shape;
  const uint8_t left = p->shapes.at[p->shapes.count - 2], right = p->shapes.at[p->shapes.count - 1];
  if (*told || (!doubtful(shape, left) && !doubtful(shape, right))) return;
  *told = true;
  const char *at = p->source->text + op->offset;
  const bool twice = (*at == '&' || *at == '|') && at[1] == *at;
  const uint32_t len = twice || op->token == BPI_T_NE || op->token == BPI_T_IMPLIES ? 2 : 1;
  const bp_range range = bpi_source_range(p->source, op->offset, op->offset + len);
  if (shape == SHAPE_IMPLIES && (left == shape || right == shape))
    bpi_draft_doubt(p->d, BPI_MSG_PRECEDENCE, NULL, &range,
                    "a chain of '=>': tools group it differently, use parentheses");
  else
    bpi_draft_doubt(p->d, BPI_MSG_PRECEDENCE, NULL, &range,
                    "'=', '!=' and '^' bind differently in other tools, use parentheses");
}

/* ---- reductions -------------------------------------------------------- */

typedef struct state {
  uint32_t base; /* pending operators below belong to someone else */
  bool told;
} state;

static bpi_pending *top(bpi_parser *p, const state *s)
{
  return p->pending.count > s->base ? &p->pending.at[p->pending.count - 1] : NULL;
}

/* Ends binary operators that bind tighter than `level`. */
static bool reduce_binaries(bpi_parser *p, state *s, uint8_t level)
{
  for (bpi_pending *t; (t = top(p, s)) != NULL && t->kind == BINARY && t->level >= level;) {
    const bpi_pending op = *t;
    check_mixture(p, &op, &s->told);
    p->pending.count--;
    if (!combine(p, (bpi_op)op.op, 2, binaries[op.token].shape)) return false;
  }
  return true;
}

/* Ends everything up to an open bracket or `?`. */
static bool reduce_all(bpi_parser *p, state *s)
{
  for (;;) {
    if (!reduce_binaries(p, s, 0)) return false;
    const bpi_pending *t = top(p, s);
    if (!t || t->kind != CHOICE) return true;
    p->pending.count--;
    if (!combine(p, BPI_OP_COND, 3, SHAPE_NONE)) return false;
  }
}

static bool reduce_nots(bpi_parser *p, state *s)
{
  for (const bpi_pending *t; (t = top(p, s)) != NULL && t->kind == NOT;) {
    p->pending.count--;
    if (!combine(p, BPI_OP_NOT, 1, SHAPE_NONE)) return false;
  }
  return true;
}

/* ---- where an operand is due ------------------------------------------- */

static bool name_operand(bpi_parser *p, bpi_op op)
{
  if (!bpi_is_name(p->now->kind)) return bpi_parser_missing(p, "a name");
  if (p->now[1].kind == BPI_T_LPAREN) {
    const bp_range range = bpi_token_range(*p->now);
    bpi_draft_error(p->d, BPI_MSG_CALL_IN_EXPR, NULL, &range,
                    "a call cannot stand in an expression; assign its result first");
    return false;
  }
  const uint32_t symbol = bpi_parser_symbol(p, p->now);
  if (symbol == BP_NONE || !operand(p, op, symbol)) return false;
  bpi_parser_step(p);
  return true;
}

static bool number_operand(bpi_parser *p)
{
  const char digit = p->source->text[p->now->offset];
  if (p->now->end - p->now->offset == 1 && digit <= '1')
    return operand(p, digit == '0' ? BPI_OP_FALSE : BPI_OP_TRUE, 0);
  const bp_range range = bpi_token_range(*p->now);
  bpi_draft_error(p->d, BPI_MSG_NUMBER, NULL, &range, "%s is not a value: constants are 0 and 1",
                  bpi_parser_quote(p, *p->now).text);
  return false;
}

static bool simple_operand(bpi_parser *p)
{
  bool good;
  if (bpi_is_name(p->now->kind)) return name_operand(p, BPI_OP_VAR);
  switch (p->now->kind) {
  case BPI_T_TRUE: good = operand(p, BPI_OP_TRUE, 0); break;
  case BPI_T_FALSE: good = operand(p, BPI_OP_FALSE, 0); break;
  case BPI_T_STAR:
  case BPI_T_QUERY: good = operand(p, BPI_OP_NONDET, 0); break;
  case BPI_T_NUMBER: good = number_operand(p); break;
  case BPI_T_PRIME: bpi_parser_step(p); return name_operand(p, BPI_OP_NEXT);
  default: return bpi_parser_missing(p, "an expression");
  }
  if (good) bpi_parser_step(p);
  return good;
}

/* Takes prefix operators and opening brackets, then one operand. */
static bool read_operand(bpi_parser *p, state *s)
{
  for (;;) {
    if (!bpi_draft_going(p->d)) return false;
    switch (p->now->kind) {
    case BPI_T_NOT:
      if (!push(p, NOT, NULL)) return false;
      break;
    case BPI_T_LPAREN:
      if (!push(p, PAREN, NULL)) return false;
      break;
    case BPI_T_SCHOOSE:
      if (!push(p, SCHOOSE_FIRST, NULL) || !bpi_parser_expect(p, BPI_T_LBRACKET, "'['"))
        return false;
      break;
    default: return simple_operand(p) && reduce_nots(p, s);
    }
  }
}

/* ---- where an operator is due ------------------------------------------ */

typedef enum verdict { FAILED, AGAIN, OPERAND, DONE } verdict;

static verdict close_bracket(bpi_parser *p, state *s, bpi_pending *t)
{
  const bpi_pending open = *t;
  p->pending.count--;
  bpi_parser_step(p);
  p->shapes.at[p->shapes.count - 1] = SHAPE_NONE;
  if (open.kind == SCHOOSE_SECOND && !combine(p, BPI_OP_SCHOOSE, 2, SHAPE_NONE)) return FAILED;
  return reduce_nots(p, s) ? AGAIN : FAILED;
}

static verdict complain(bpi_parser *p, const bpi_pending *t)
{
  static const char *const wanted[] = {
      [PAREN] = "')'", [SCHOOSE_FIRST] = "','", [SCHOOSE_SECOND] = "']'", [TEST] = "':'"};
  bpi_parser_missing(p, wanted[t->kind]);
  return FAILED;
}

/* A token that is no binary operator: it ends what can end. */
static verdict read_closing(bpi_parser *p, state *s)
{
  if (!reduce_all(p, s)) return FAILED;
  bpi_pending *t = top(p, s);
  if (!t) return DONE;
  if (t->kind == PAREN && bpi_at(p, BPI_T_RPAREN)) return close_bracket(p, s, t);
  if (t->kind == SCHOOSE_SECOND && bpi_at(p, BPI_T_RBRACKET)) return close_bracket(p, s, t);
  if (t->kind == SCHOOSE_FIRST && bpi_at(p, BPI_T_COMMA))
    t->kind = SCHOOSE_SECOND;
  else if (t->kind == TEST && bpi_at(p, BPI_T_COLON))
    t->kind = CHOICE;
  else
    return complain(p, t);
  bpi_parser_step(p);
  return OPERAND;
}

static verdict read_operator(bpi_parser *p, state *s)
{
  const binary *b = binary_of(p->now->kind);
  if (bpi_at(p, BPI_T_QUERY)) {
    /* The test of `a ? b : c` is everything since the last bracket, `?` or `:`. */
    if (!reduce_binaries(p, s, 0)) return FAILED;
    return push(p, TEST, NULL) ? OPERAND : FAILED;
  }
  if (!b) return read_closing(p, s);
  const uint8_t level = b->level[p->d->precedence];
  const uint8_t right = b->right[p->d->precedence];
  if (!reduce_binaries(p, s, (uint8_t)(level + right))) return FAILED;
  return push(p, BINARY, b) ? OPERAND : FAILED;
}

/* ---- expressions ------------------------------------------------------- */

/* Whether one operand is the whole of it, as so often. */
static bool is_lone(const bpi_parser *p)
{
  const uint32_t first = p->now->kind, then = p->now[1].kind;
  return (then == BPI_T_SEMICOLON || then == BPI_T_COMMA || then == BPI_T_RPAREN) &&
         first != BPI_T_NOT && first != BPI_T_LPAREN && first != BPI_T_SCHOOSE;
}

static bool read_operators(bpi_parser *p)
{
  state s = {.base = p->pending.count};
  verdict v = OPERAND;
  while (v == OPERAND || v == AGAIN) {
    if (v == OPERAND && !read_operand(p, &s))
      v = FAILED;
    else
      v = read_operator(p, &s);
  }
  p->pending.count = s.base;
  return v == DONE;
}

uint32_t bpi_parse_expr(bpi_parser *p)
{
  const uint32_t shapes = p->shapes.count;
  const bool good = is_lone(p) ? bpi_draft_going(p->d) && simple_operand(p) : read_operators(p);
  p->shapes.count = shapes;
  if (!good) return BP_NONE;
  if (bpi_vec_push(&p->d->program->exprs, p->d->program->code.count))
    return p->d->program->exprs.count - 1;
  bpi_draft_stop(p->d, BP_E_NOMEM);
  return BP_NONE;
}

bool bpi_parse_exprs(bpi_parser *p, bpi_slice *out)
{
  *out = (bpi_slice){p->d->program->exprs.count, 0};
  do {
    if (bpi_parse_expr(p) == BP_NONE) return false;
    out->count++;
  } while (bpi_parser_take(p, BPI_T_COMMA));
  return true;
}
