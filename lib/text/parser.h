/* SPDX-License-Identifier: MIT
 * The parser: tokens to a draft. It keeps its own stacks, so that nesting costs no C stack.
 *
 * Names are left as symbols; names.c gives them their meaning when the whole text is read. */
#ifndef BPI_PARSER_H
#define BPI_PARSER_H

#include "program/draft.h"
#include "text/places.h"

/* A block that waits for its closing word. */
typedef struct bpi_block {
  uint8_t kind;  /* BP_STMT_IF, BP_STMT_ELSE or BP_STMT_WHILE */
  uint32_t line; /* of its first word */
} bpi_block;

/* An operator or a bracket that waits for what follows. */
typedef struct bpi_pending {
  uint8_t kind; /* see parser_expr.c */
  uint8_t op;   /* bpi_op */
  uint8_t token;
  uint8_t level;
  uint32_t offset;
} bpi_pending;

/* An item of a `decl`. */
typedef struct bpi_item {
  uint32_t name;
  uint32_t init; /* expression or BP_NONE */
  bpi_token token;
} bpi_item;

enum { BPI_BATCH = 63 };

typedef struct bpi_parser {
  bpi_draft *d;
  bpi_source *source;
  bpi_lexer lexer;
  bpi_token tokens[1 + BPI_BATCH]; /* read ahead */
  const bpi_token *now;            /* at hand; another one is behind it */
  const bpi_token *last;           /* of those read */
  uint32_t last_end;               /* of the token before */
  bool quiet;                      /* while recovering: bad tokens are skipped silently */
  bool cut;                        /* an open comment swallowed the rest */
  uint32_t proc;                   /* being read, or BP_NONE */
  uint32_t open_ifs, open_whiles;
  BPI_VEC(bpi_block) blocks;
  BPI_VEC(bpi_pending) pending;
  BPI_VEC(uint8_t) shapes; /* by operand: the operator on top of it, or 0 */
  BPI_VEC(bpi_item) items;
} bpi_parser;

/* Begins to read a text into a draft. */
void bpi_parser_init(bpi_parser *p, bpi_draft *d, bpi_text *text);
void bpi_parser_free(bpi_parser *p);

/* ---- tokens (parser.c) ------------------------------------------------- */

void bpi_parser_refill(bpi_parser *p);
/* Goes to the next token. */
static inline void bpi_parser_step(bpi_parser *p)
{
  p->last_end = p->now->end;
  if (++p->now == p->last) bpi_parser_refill(p);
}
static inline bool bpi_at(const bpi_parser *p, bpi_token_kind kind)
{
  return p->now->kind == (uint32_t)kind;
}
/* Reports "expected `what` before ..." unless the token was reported as bad. Returns false. */
BPI_COLD bool bpi_parser_missing(bpi_parser *p, const char *what);
/* Takes the token if it is there. */
static inline bool bpi_parser_take(bpi_parser *p, bpi_token_kind kind)
{
  if (!bpi_at(p, kind)) return false;
  bpi_parser_step(p);
  return true;
}
/* Takes the token or reports that `what` is missing. */
static inline bool bpi_parser_expect(bpi_parser *p, bpi_token_kind kind, const char *what)
{
  return bpi_parser_take(p, kind) || bpi_parser_missing(p, what);
}
static inline uint32_t bpi_parser_symbol(bpi_parser *p, const bpi_token *token)
{
  return bpi_draft_symbol(p->d, p->source->text + token->offset, token->end - token->offset);
}
bpi_quoted bpi_parser_quote(const bpi_parser *p, bpi_token token);
static inline bp_range bpi_token_range(bpi_token token)
{
  return (bp_range){.offset = token.offset,
                    .end = token.end,
                    .line = token.line,
                    .column = token.offset - token.line_at + 1};
}
/* Appends to `ids`. */
static inline bool bpi_parser_id(bpi_parser *p, uint32_t id)
{
  return bpi_vec_push(&p->d->program->ids, id) || bpi_draft_stop(p->d, BP_E_NOMEM);
}

/* ---- expressions (parser_expr.c) --------------------------------------- */

/* Reads one expression; its index in `exprs`, or BP_NONE after an error. */
uint32_t bpi_parse_expr(bpi_parser *p);
/* Reads expressions with commas between. */
bool bpi_parse_exprs(bpi_parser *p, bpi_slice *out);

/* ---- statements (parser_stmt.c, parser_block.c) ------------------------ */

/* The kind of the token that begins a statement; BPI_T_ID also for a keyword used as a name. */
uint32_t bpi_parse_leader(const bpi_parser *p);
/* Reads a simple statement that begins so, without its labels and its `;`. */
bool bpi_parse_simple(bpi_parser *p, uint32_t leader);
/* Appends a statement that begins at that token and ends with the last token taken. */
bool bpi_parse_add(bpi_parser *p, const bpi_stmt *stmt, const bpi_token *start);
/* Reads what follows `decl` up to its `;` into p->items. */
bool bpi_parse_items(bpi_parser *p, bool *thread_local_);
/* Declares a variable; false without memory. */
bool bpi_parse_declare(bpi_parser *p, const bpi_item *item, bp_var_kind kind, bool thread_local_);
/* Reads a body after `begin`, its `end` included. */
void bpi_parse_body(bpi_parser *p);
/* Skips to the end of a statement: behind `;`, or before a word that closes or begins something. */
void bpi_parser_recover(bpi_parser *p);

/* ---- names (names.c) --------------------------------------------------- */

/* Gives every variable its id: globals first, then procedure by procedure. */
void bpi_names_resolve(bpi_draft *d);

#endif
