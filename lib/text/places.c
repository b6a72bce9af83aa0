/* SPDX-License-Identifier: MIT */
#include "text/places.h"

static bpi_token next(bpi_text *t)
{
  bpi_token token;
  bpi_lexer_read(&t->lexer, &token, 1);
  return token;
}

/* Goes behind the next token of that kind. */
static void pass(bpi_text *t, bpi_token_kind kind)
{
  uint32_t at;
  do {
    at = next(t).kind;
  } while (at != (uint32_t)kind && at != BPI_T_END_OF_FILE);
}

/* Goes to where the parts begin. */
static void begin(bpi_text *t, uint8_t kind, uint32_t offset, bpi_part part)
{
  t->offset = offset;
  t->part = (uint8_t)(part + 1);
  t->kind = kind;
  t->depth = t->found = 0;
  t->item = kind == BP_STMT_DECL;
  bpi_lexer_init(&t->lexer, &t->source, offset);
  const bool assigns = kind == BP_STMT_ASSIGN || kind == BP_STMT_CALL;
  if (kind == BP_STMT_SKIP) return;
  if (!assigns)
    next(t); /* its word */
  else if (part == BPI_PART_NAME)
    pass(t, kind == BP_STMT_CALL ? BPI_T_LPAREN : BPI_T_ASSIGN);
}

/* Whether the token is a name in an expression, or the prime before one. */
static bool is_operand(bpi_text *t, bpi_token token, uint32_t *prime)
{
  const uint32_t before = *prime;
  *prime = token.kind == BPI_T_PRIME ? token.offset : BP_NONE;
  switch (token.kind) {
  case BPI_T_LPAREN:
  case BPI_T_LBRACKET: t->depth++; return false;
  case BPI_T_RPAREN:
  case BPI_T_RBRACKET: t->depth--; return false;
  case BPI_T_COMMA: t->item = t->kind == BP_STMT_DECL && !t->depth; return false;
  case BPI_T_ASSIGN: t->item = false; return false;
  default: break;
  }
  if (!bpi_is_name(token.kind)) return false;
  *prime = before;
  if (!t->item) return true;
  t->item = token.kind == BPI_T_THREAD_LOCAL;
  return false;
}

static uint32_t find(bpi_text *t, bpi_part part, uint32_t n)
{
  uint32_t prime = BP_NONE;
  for (;;) {
    const bpi_token token = next(t);
    if (token.kind == BPI_T_END_OF_FILE) return BP_NONE;
    if (part == BPI_PART_TARGET ? token.kind == BPI_T_COMMA : !is_operand(t, token, &prime))
      continue;
    if (t->found++ == n) return prime != BP_NONE ? prime : token.offset;
    prime = BP_NONE;
  }
}

/* `a, b := f(c)` or `f(c)`: the callee is the last name before the bracket. */
static uint32_t find_callee(bpi_text *t)
{
  uint32_t offset = BP_NONE;
  for (;;) {
    const bpi_token token = next(t);
    if (token.kind == BPI_T_LPAREN || token.kind == BPI_T_END_OF_FILE) return offset;
    offset = token.offset;
  }
}

static uint32_t locate_part(void *source, uint8_t kind, uint32_t offset, bpi_part part, uint32_t n)
{
  bpi_text *t = source;
  if (part == BPI_PART_CALLEE || t->part != part + 1 || t->offset != offset || t->kind != kind ||
      t->found > n)
    begin(t, kind, offset, part);
  return part == BPI_PART_CALLEE ? find_callee(t) : find(t, part, n);
}

static bp_range locate_range(void *source, uint32_t offset, uint32_t end)
{
  bpi_text *t = source;
  return bpi_source_range(&t->source, offset, end);
}

const bpi_places bpi_text_places = {locate_range, locate_part};
