/* SPDX-License-Identifier: MIT
 * Remopla's scanner: bytes to tokens. */
#ifndef BPI_REMOPLA_LEXER_H
#define BPI_REMOPLA_LEXER_H

#include "base/context.h"
#include "base/source.h"

typedef enum bpi_rtoken_kind {
  BPI_R_END_OF_FILE,
  BPI_R_BAD, /* bytes that mean nothing */
  BPI_R_NAME,
  BPI_R_NUMBER,
  /* punctuation */
  BPI_R_SEMICOLON,
  BPI_R_COMMA,
  BPI_R_COLON,
  BPI_R_CLAUSE, /* `::` */
  BPI_R_ASSIGN, /* `=` */
  BPI_R_LPAREN,
  BPI_R_RPAREN,
  BPI_R_LBRACKET,
  BPI_R_RBRACKET,
  BPI_R_LBRACE,
  BPI_R_RBRACE,
  BPI_R_DOT,
  /* operators */
  BPI_R_NOT,
  BPI_R_IFF,
  BPI_R_ARROW, /* the implication, and what ends a guard */
  BPI_R_OR,
  BPI_R_XOR,
  BPI_R_AND,
  BPI_R_EQ,
  BPI_R_NE,
  BPI_R_LT,
  BPI_R_LE,
  BPI_R_GT,
  BPI_R_GE,
  BPI_R_PLUS,
  BPI_R_MINUS,
  BPI_R_TIMES,
  BPI_R_DIVIDE,
  /* reserved words */
  BPI_R_BOOL,
  BPI_R_BREAK,
  BPI_R_DEFINE,
  BPI_R_DO,
  BPI_R_ELSE,
  BPI_R_ENUM,
  BPI_R_FALSE,
  BPI_R_FI,
  BPI_R_GOTO,
  BPI_R_IF,
  BPI_R_INIT,
  BPI_R_INT,
  BPI_R_MODULE,
  BPI_R_OD,
  BPI_R_RETURN,
  BPI_R_SKIP,
  BPI_R_TRUE,
  BPI_R_UNDEF,
  BPI_R_VOID
} bpi_rtoken_kind;

typedef struct bpi_rtoken {
  uint32_t kind; /* bpi_rtoken_kind */
  uint32_t offset, end;
  uint32_t line, line_at; /* its line, and where that begins */
} bpi_rtoken;

/* It goes through the text up to its last newline, then through the tail. */
typedef struct bpi_rlexer {
  const bpi_source *source;
  const unsigned char *cursor, *limit; /* a newline stands at the limit */
  const unsigned char *start;          /* the byte of offset `base` */
  uint32_t base;
  uint32_t line, line_at;
} bpi_rlexer;

void bpi_rlexer_init(bpi_rlexer *lexer, const bpi_source *source);
bpi_rtoken bpi_rlexer_next(bpi_rlexer *lexer);

#endif
