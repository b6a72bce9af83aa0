/* SPDX-License-Identifier: MIT
 * The reader of the Hanoi Omega-Automata format, versions 1 and 1.1: T. Babiak, F. Blahoudek, A. Duret-Lutz, J.
 * Klein, J. Kretinsky, D. Mueller, D. Parker, J. Strejcek, "The Hanoi Omega-Automata Format", CAV 2015;
 * http://adl.github.io/hoaf/. */
#ifndef BPI_HOA_H
#define BPI_HOA_H

#include "temporal/graph.h"

typedef enum bpi_hoa_kind {
  BPI_H_END_OF_TEXT,
  BPI_H_BAD,    /* the lexer's `error` and `message` say why */
  BPI_H_HEADER, /* `name:` */
  BPI_H_WORD,
  BPI_H_ALIAS, /* `@name` */
  BPI_H_NUMBER,
  BPI_H_STRING,
  BPI_H_BODY,
  BPI_H_END,
  BPI_H_ABORT,
  BPI_H_NOT,
  BPI_H_AND,
  BPI_H_OR,
  BPI_H_OPEN,
  BPI_H_CLOSE,
  BPI_H_OPEN_LABEL,
  BPI_H_CLOSE_LABEL,
  BPI_H_OPEN_SETS,
  BPI_H_CLOSE_SETS
} bpi_hoa_kind;

typedef struct bpi_hoa_token {
  bpi_hoa_kind kind;
  const char *at; /* its text */
  uint32_t len;
  uint32_t number; /* of a NUMBER; BP_NONE: too large */
  bp_range range;
} bpi_hoa_token;

typedef struct bpi_hoa_lexer {
  const char *text, *cursor, *limit; /* a NUL stands at the limit */
  const char *line_at;
  uint32_t line;
  bpi_message error;
  const char *message;
} bpi_hoa_lexer;

void bpi_hoa_lexer_init(bpi_hoa_lexer *lexer, const char *text, size_t len);
bpi_hoa_token bpi_hoa_lexer_next(bpi_hoa_lexer *lexer);

/* ---- the parser -------------------------------------------------------- */

enum { BPI_HOA_STATES = 1000000 };

typedef struct bpi_hoa {
  bpi_job *job;
  const char *file;
  bpi_hoa_lexer lexer;
  bpi_hoa_token now;
  bpi_labels labels;
  bpi_ltl atoms;
  bpi_graph graph;
  char *name;
  bpi_ltl aliases;             /* atoms with their names */
  bpi_ids alias_labels;        /* of those that are defined, in the same order */
  bpi_ids operands, operators; /* of labels */
  BPI_VEC(uint8_t) defined;    /* by state: whether the body has it */
  uint32_t aps;                /* BP_NONE: not said yet */
  uint32_t states;             /* BP_NONE: not said */
  uint32_t sets;               /* declared; BP_NONE: not said */
  uint64_t used;               /* those in the condition */
  uint32_t named_sets;         /* by acc-name; BP_NONE: not said */
  uint32_t most_ap;            /* the largest one in a label before `AP:`, plus 1 */
  bp_range most_ap_range;
} bpi_hoa;

void bpi_hoa_step(bpi_hoa *h);
/* All return false. */
bool bpi_hoa_report(bpi_hoa *h, bp_status status, bpi_message number, const bp_range *range,
                    const char *format, ...) __attribute__((format(printf, 5, 6)));
bool bpi_hoa_missing(bpi_hoa *h, const char *expected);
/* Takes a number; false with a message when there is none, or it is not below `limit`. */
bool bpi_hoa_number(bpi_hoa *h, const char *what, uint32_t limit, uint32_t *number);
bool bpi_hoa_take(bpi_hoa *h, bpi_hoa_kind kind, const char *what);

/* The header up to `--BODY--`, then the rest. False when there is a message. */
bool bpi_hoa_header(bpi_hoa *h);     /* hoa_header.c */
bool bpi_hoa_acceptance(bpi_hoa *h); /* hoa_header.c: behind `Acceptance: n` */
bool bpi_hoa_body(bpi_hoa *h);       /* hoa_body.c */
/* A label expression up to what cannot belong to it. (hoa_label.c) */
bool bpi_hoa_label(bpi_hoa *h, uint32_t *label);
/* The number of an alias; it is defined when that is below alias_labels.count. False without memory. */
bool bpi_hoa_alias_of(bpi_hoa *h, const bpi_hoa_token *token, uint32_t *alias);
bool bpi_hoa_has_word(const bpi_hoa_token *token, const char *word);

#endif
