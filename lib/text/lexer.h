/* SPDX-License-Identifier: MIT
 * The scanner: bytes to tokens. It holds no memory and knows no errors but the kind of a bad token.
 */
#ifndef BPI_LEXER_H
#define BPI_LEXER_H

#include "base/context.h"
#include "base/source.h"

typedef enum bpi_token_kind {
  BPI_T_END_OF_FILE,
  BPI_T_BAD, /* the lexer's `error` says why */
  BPI_T_ID,
  BPI_T_NUMBER,
  BPI_T_TRUE,  /* T true */
  BPI_T_FALSE, /* F false */
  /* punctuation */
  BPI_T_SEMICOLON,
  BPI_T_COMMA,
  BPI_T_COLON,
  BPI_T_ASSIGN,
  BPI_T_LPAREN,
  BPI_T_RPAREN,
  BPI_T_LBRACKET,
  BPI_T_RBRACKET,
  BPI_T_LESS,
  BPI_T_GREATER,
  BPI_T_PRIME,
  /* operators */
  BPI_T_NOT,
  BPI_T_AND,
  BPI_T_OR,
  BPI_T_XOR,
  BPI_T_EQ,
  BPI_T_NE,
  BPI_T_IMPLIES,
  BPI_T_STAR,
  BPI_T_QUERY,
  /* reserved words */
  BPI_T_DECL,
  BPI_T_VOID,
  BPI_T_BOOL,
  BPI_T_BEGIN,
  BPI_T_END,
  BPI_T_IF,
  BPI_T_THEN,
  BPI_T_ELSE,
  BPI_T_ELSIF,
  BPI_T_FI,
  BPI_T_WHILE,
  BPI_T_DO,
  BPI_T_OD,
  BPI_T_SKIP,
  BPI_T_GOTO,
  BPI_T_RETURN,
  BPI_T_ASSERT,
  BPI_T_ASSUME,
  BPI_T_PRINT,
  BPI_T_CONSTRAIN,
  BPI_T_ENFORCE,
  BPI_T_SCHOOSE,
  /* words that are names except where a statement or a heading can begin */
  BPI_T_DFS,
  BPI_T_DEAD,
  BPI_T_ABORTIF,
  BPI_T_START_THREAD,
  BPI_T_END_THREAD,
  BPI_T_ATOMIC_BEGIN,
  BPI_T_ATOMIC_END,
  BPI_T_SYNC,
  BPI_T_THREAD_LOCAL
} bpi_token_kind;

/* Whether the kind can be a name: an identifier or a word that is only sometimes a keyword. */
static inline bool bpi_is_name(uint32_t kind)
{
  return kind == BPI_T_ID || kind >= BPI_T_DFS;
}

typedef struct bpi_token {
  uint32_t kind; /* bpi_token_kind */
  uint32_t offset, end;
  uint32_t line, line_at; /* its line, and where that begins */
} bpi_token;

/* It goes through the text up to its last newline, then through the tail. */
typedef struct bpi_lexer {
  const bpi_source *source;
  const unsigned char *cursor, *limit; /* a newline stands at the limit */
  const unsigned char *start;          /* the byte of offset `base` */
  uint32_t base;
  uint32_t line, line_at;
  bpi_message error; /* of the last bad token */
} bpi_lexer;

/* Begins at `offset`; lines count from there. */
void bpi_lexer_init(bpi_lexer *lexer, const bpi_source *source, uint32_t offset);
/* Reads up to `most` tokens; how many: at least one. None stands behind a bad one or the end of the
 * file, and a bad one is the first; at the end it is the end again. */
uint32_t bpi_lexer_read(bpi_lexer *lexer, bpi_token *tokens, uint32_t most);

#endif
