/* SPDX-License-Identifier: MIT
 * The scanner of formulas, and what a proposition's text means. */
#ifndef BPI_LTL_LEXER_H
#define BPI_LTL_LEXER_H

#include "temporal/ltl.h"

typedef enum bpi_ltl_kind {
  BPI_L_END,
  BPI_L_BAD, /* `error` and `message` say why */
  BPI_L_CONST,
  BPI_L_ATOM,
  BPI_L_PREFIX, /* one or more of F G X, written together */
  BPI_L_NOT,
  BPI_L_BINARY,
  BPI_L_OPEN,
  BPI_L_CLOSE
} bpi_ltl_kind;

/* A part of the text. */
typedef struct bpi_span {
  const char *at;
  size_t len;
} bpi_span;

typedef struct bpi_ltl_token {
  bpi_ltl_kind kind;
  bp_formula_op op;  /* of BINARY and CONST; of a PREFIX `[]` or `<>` */
  bp_atom_kind atom; /* of ATOM; its parts: */
  bpi_span proc, text;
  bool escaped; /* there are escapes in `text` */
  bp_range range;
} bpi_ltl_token;

typedef struct bpi_ltl_lexer {
  const char *text, *cursor, *limit; /* a NUL stands at the limit */
  const char *line_at;
  uint32_t line;
  bpi_message error;
  const char *message;
} bpi_ltl_lexer;

/* The text must have a NUL behind its `len` bytes. */
void bpi_ltl_lexer_init(bpi_ltl_lexer *lexer, const char *text, size_t len);
bpi_ltl_token bpi_ltl_lexer_next(bpi_ltl_lexer *lexer);
/* The ATOM that stands between quotes; a NUL or a quote follows. */
bpi_ltl_token bpi_ltl_lexer_quoted(const char *text, size_t len);

/* The node of an ATOM token. */
uint32_t bpi_ltl_token_atom(bpi_ltl *l, const bpi_ltl_token *token);
/* The node of an atom of that name, as automata have them: `in(p)`, `p.x`, `"x"` as in a formula, any
 * name or number for the name, anything else for an expression. The text must end in NUL. */
uint32_t bpi_ltl_proposition(bpi_ltl *l, const char *text, size_t len, const bp_range *range);
/* The node of what stands between quotes: of a name, or of an expression. The text ends in NUL. */
uint32_t bpi_ltl_expression(bpi_ltl *l, const char *text);
/* Whether the text can be kept: something, on one line. */
bool bpi_ltl_is_line(const char *text, size_t len);
/* Whether the text is a name of the program's language: a word, a number, or something in braces. */
bool bpi_ltl_is_name(const char *text, size_t len);
/* Whether a formula means that name by it where it stands alone, without quotes. */
bool bpi_ltl_is_plain(const char *text, size_t len);

#endif
