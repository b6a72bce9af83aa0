/* SPDX-License-Identifier: MIT
 * Remopla's parser: tokens to a tree. It keeps its own stacks, so that nesting costs no C stack. */
#ifndef BPI_REMOPLA_PARSER_H
#define BPI_REMOPLA_PARSER_H

#include "remopla/lexer.h"
#include "remopla/tree.h"

/* An operator or a bracket that waits for what follows. */
typedef struct bpi_rpending {
  uint8_t kind; /* see parser_expr.c */
  uint8_t op, level;
  uint32_t arg, at, jump;
} bpi_rpending;

/* An `if` or `do` that waits for its end. */
typedef struct bpi_ropen {
  uint32_t stmt;
  uint32_t clause; /* the last one, or BP_NONE */
  bool otherwise;  /* it has an `else` */
} bpi_ropen;

typedef struct bpi_rparser {
  bpi_draft *d;
  bpi_rtree *t;
  bpi_source *source;
  bpi_rlexer lexer;
  bpi_rtoken now, next; /* two tokens of look-ahead */
  uint32_t last_end;    /* of the token before */
  bool quiet;           /* while recovering: bad tokens are skipped silently */
  BPI_VEC(bpi_rpending) pending;
  BPI_VEC(bpi_ropen) open;
} bpi_rparser;

void bpi_rparser_init(bpi_rparser *p, bpi_draft *d, bpi_rtree *t, bpi_source *source);
void bpi_rparser_free(bpi_rparser *p);

/* ---- tokens (parser.c) ------------------------------------------------- */

void bpi_rparser_step(bpi_rparser *p);
static inline bool bpi_rat(const bpi_rparser *p, bpi_rtoken_kind kind)
{
  return p->now.kind == (uint32_t)kind;
}
bool bpi_rparser_take(bpi_rparser *p, bpi_rtoken_kind kind);
bool bpi_rparser_expect(bpi_rparser *p, bpi_rtoken_kind kind, const char *what);
/* Reports "expected `what` before ..." unless the token was reported as bad. Returns false. */
bool bpi_rparser_missing(bpi_rparser *p, const char *what);
/* Takes a name: its symbol and place. */
bool bpi_rparser_name(bpi_rparser *p, const char *what, uint32_t *symbol, uint32_t *at);
bp_range bpi_rtoken_range(bpi_rtoken token);
/* Sticks in the draft: false. */
bool bpi_rparser_no_memory(bpi_rparser *p);

/* ---- expressions (parser_expr.c) --------------------------------------- */

/* Reads one expression into `code`; as a guard it ends before an `->` outside of brackets. */
bool bpi_rparse_expr(bpi_rparser *p, bpi_slice *out, bool guard);

/* ---- statements (parser_stmt.c) ---------------------------------------- */

/* Reads the statements of a module, its closing brace included. */
bool bpi_rparse_body(bpi_rparser *p);

/* Reads a whole program. */
void bpi_rparse(bpi_rparser *p);

#endif
