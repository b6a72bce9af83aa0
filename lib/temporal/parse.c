/* SPDX-License-Identifier: MIT */
#include "temporal/lexer.h"

/* What waits for an operand; how tight it binds. */
enum { LEVEL_OPEN, LEVEL_IFF, LEVEL_IMPLIES, LEVEL_OR, LEVEL_AND, LEVEL_UNTIL, LEVEL_PREFIX };

typedef struct pending {
  uint8_t op, level;
  uint32_t operands; /* what it takes from the stack */
  bp_range range;    /* of an open parenthesis */
} pending;

typedef struct parser {
  bpi_job job;
  bpi_ltl ltl;
  bpi_ltl_lexer lexer;
  const char *name;
  bpi_ltl_token now;
  BPI_VEC(pending) pending;
  bpi_ids operands;
} parser;

/* ---- errors ------------------------------------------------------------ */

static bool report(parser *p, bpi_message number, const bp_range *range, const char *text)
{
  const size_t len = (size_t)(p->lexer.limit - p->lexer.text);
  bpi_diagnose(p->job.ctx, BP_ERROR, number, p->name, range, p->lexer.text, len, "%s", text);
  return bpi_job_stop(&p->job, BP_E_INPUT);
}

static bool report_character(parser *p)
{
  char text[64];
  const unsigned char c = (unsigned char)p->lexer.text[p->now.range.offset];
  if (strchr("=<>+*/^?,.;:'[]-", c) && c)
    snprintf(text, sizeof text, "'%c' has no meaning here; an expression has quotes", c);
  else if (c > ' ' && c < 127)
    snprintf(text, sizeof text, "'%c' has no meaning here", c);
  else
    snprintf(text, sizeof text, "the byte 0x%02x has no meaning here", c);
  return report(p, BPI_MSG_CHARACTER, &p->now.range, text);
}

/* What may have been meant by a letter. */
static const char *hint(char letter)
{
  switch (letter) {
  case 'V': return " (release is R)";
  case 'U':
  case 'R':
  case 'W':
  case 'M': return " (an operator; quote it where it is a name)";
  default: return "";
  }
}

static bool unexpected(parser *p, const char *expected)
{
  char text[160];
  const bp_range *r = &p->now.range;
  const unsigned len = r->end - r->offset;
  if (p->now.kind == BPI_L_BAD)
    return p->lexer.message ? report(p, p->lexer.error, r, p->lexer.message) : report_character(p);
  if (p->now.kind == BPI_L_END)
    snprintf(text, sizeof text, "expected %s before the end", expected);
  else
    snprintf(text, sizeof text, "expected %s before '%.*s'%s", expected, (int)(len > 60 ? 60 : len),
             p->lexer.text + r->offset, len == 1 ? hint(p->lexer.text[r->offset]) : "");
  return report(p, BPI_MSG_SYNTAX, r, text);
}

/* ---- stacks ------------------------------------------------------------ */

static bool push(parser *p, bp_formula_op op, uint8_t level, uint32_t operands)
{
  const pending item = {(uint8_t)op, level, operands, p->now.range};
  return bpi_vec_push(&p->pending, item) || bpi_job_no_memory(&p->job);
}

static bool operand(parser *p, uint32_t node)
{
  if (node == BP_NONE) return false;
  return bpi_vec_push(&p->operands, node) || bpi_job_no_memory(&p->job);
}

static bool reduce(parser *p)
{
  const pending top = p->pending.at[--p->pending.count];
  p->operands.count -= top.operands;
  return operand(p, bpi_ltl_node(&p->ltl, (bp_formula_op)top.op, p->operands.at + p->operands.count,
                                 top.operands));
}

/* Applies what binds tighter than `level`, or as tight. */
static bool reduce_to(parser *p, uint8_t level, bool equal)
{
  while (p->pending.count) {
    const uint8_t top = p->pending.at[p->pending.count - 1].level;
    if (top < level || (top == level && !equal)) break;
    if (!reduce(p)) return false;
  }
  return true;
}

/* ---- grammar ----------------------------------------------------------- */

static uint8_t level_of(bp_formula_op op)
{
  switch (op) {
  case BP_FORMULA_IFF: return LEVEL_IFF;
  case BP_FORMULA_IMPLIES: return LEVEL_IMPLIES;
  case BP_FORMULA_OR: return LEVEL_OR;
  case BP_FORMULA_AND: return LEVEL_AND;
  default: return LEVEL_UNTIL;
  }
}

/* A chain of one of && and || is one node. */
static bool binary(parser *p, bp_formula_op op)
{
  const uint8_t level = level_of(op);
  const bool chain = op == BP_FORMULA_AND || op == BP_FORMULA_OR;
  if (!reduce_to(p, level, op == BP_FORMULA_IFF)) return false;
  if (chain && !reduce_to(p, level + 1, true)) return false;
  pending *top = p->pending.count ? &p->pending.at[p->pending.count - 1] : NULL;
  if (chain && top && top->op == op && top->level == level) {
    top->operands++;
    return true;
  }
  return push(p, op, level, 2);
}

static bool prefix(parser *p)
{
  if (p->now.op) return push(p, p->now.op, LEVEL_PREFIX, 1);
  for (uint32_t at = p->now.range.offset; at < p->now.range.end; at++) {
    const char c = p->lexer.text[at];
    const bp_formula_op op = c == 'F'   ? BP_FORMULA_EVENTUALLY
                             : c == 'G' ? BP_FORMULA_ALWAYS
                                        : BP_FORMULA_NEXT;
    if (!push(p, op, LEVEL_PREFIX, 1)) return false;
  }
  return true;
}

/* Reads up to behind an operand. */
static bool read_operand(parser *p)
{
  for (;; p->now = bpi_ltl_lexer_next(&p->lexer)) {
    if (!bpi_job_going(&p->job)) return false;
    switch (p->now.kind) {
    case BPI_L_NOT:
      if (!push(p, BP_FORMULA_NOT, LEVEL_PREFIX, 1)) return false;
      break;
    case BPI_L_PREFIX:
      if (!prefix(p)) return false;
      break;
    case BPI_L_OPEN:
      if (!push(p, BP_FORMULA_FALSE, LEVEL_OPEN, 0)) return false;
      break;
    case BPI_L_CONST: return operand(p, bpi_ltl_node(&p->ltl, p->now.op, NULL, 0));
    case BPI_L_ATOM: return operand(p, bpi_ltl_token_atom(&p->ltl, &p->now));
    default: return unexpected(p, "a formula");
    }
  }
}

static bool close(parser *p)
{
  if (!reduce_to(p, LEVEL_OPEN + 1, true)) return false;
  if (!p->pending.count) return report(p, BPI_MSG_SYNTAX, &p->now.range, "this ')' closes nothing");
  p->pending.count--;
  return true;
}

/* Reads the operator behind an operand; `*more`: another operand follows. */
static bool read_operator(parser *p, bool *more)
{
  for (;;) {
    p->now = bpi_ltl_lexer_next(&p->lexer);
    if (!bpi_job_going(&p->job)) return false;
    *more = p->now.kind == BPI_L_BINARY;
    if (*more) {
      if (!binary(p, p->now.op)) return false;
      p->now = bpi_ltl_lexer_next(&p->lexer);
      return true;
    }
    if (p->now.kind == BPI_L_END) return true;
    if (p->now.kind != BPI_L_CLOSE) return unexpected(p, "an operator");
    if (!close(p)) return false;
  }
}

static uint32_t read_all(parser *p)
{
  bool more = true;
  p->now = bpi_ltl_lexer_next(&p->lexer);
  while (more)
    if (!read_operand(p) || !read_operator(p, &more)) return BP_NONE;
  if (!reduce_to(p, LEVEL_OPEN + 1, true)) return BP_NONE;
  if (!p->pending.count) return p->operands.at[0];
  report(p, BPI_MSG_UNCLOSED, &p->pending.at[p->pending.count - 1].range,
         "this '(' is never closed");
  return BP_NONE;
}

bp_status bp_formula_parse(bp_formula **out, bp_context *ctx, const char *text, size_t len,
                           const char *name)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || (!text && len)) return bpi_invalid(ctx, "%s is NULL", out ? "text" : "out");
  parser p = {.name = name};
  bpi_job_begin(&p.job, ctx);
  if (len >= UINT32_MAX - 1)
    return bpi_fail(ctx, BP_E_INPUT, BPI_MSG_TOO_LARGE, "a text must be smaller than 4 GB");
  char *copy = bpi_strndup(text, len);
  if (!copy) return bpi_no_memory(ctx);
  bpi_ltl_lexer_init(&p.lexer, copy, len);
  if (bpi_ltl_init(&p.ltl, &p.job)) bpi_ltl_finish(&p.ltl, read_all(&p), name, out);
  bpi_ltl_free(&p.ltl);
  bpi_vec_free(&p.pending);
  bpi_vec_free(&p.operands);
  if (*out) {
    (*out)->source = copy;
    (*out)->source_len = len;
    copy = NULL;
  }
  bpi_release(copy);
  return bpi_job_end(&p.job, "reading a formula");
}
