/* SPDX-License-Identifier: MIT
 * The inside of a builder. Its variables are final ids from the start; names are symbols of the
 * draft. Mistakes are kept and reported at every finish. */
#ifndef BPI_BUILDER_H
#define BPI_BUILDER_H

#include "program/draft.h"
#include "program/spelling.h"

#include <bp/builder.h>

/* A node of the expression graph. */
typedef struct bpi_node {
  uint32_t op;
  uint32_t arg;      /* variable */
  uint32_t child[3]; /* earlier nodes */
  uint32_t size;     /* instructions when written out */
} bpi_node;

typedef struct bpi_complaint {
  bpi_message number;
  uint32_t file;
  bp_range range;
  char *text;
} bpi_complaint;

typedef struct bpi_open_block {
  uint8_t kind;  /* BP_STMT_IF, after its else BP_STMT_ELSE, or BP_STMT_WHILE */
  uint32_t line; /* where it began; 0: unknown */
} bpi_open_block;

struct bp_builder {
  bp_context *ctx;
  bpi_draft draft;
  BPI_VEC(bpi_node) nodes;
  BPI_VEC(uint32_t) walk;
  BPI_VEC(bpi_complaint) complaints;
  uint32_t forgotten; /* complaints beyond those that are kept */
  BPI_VEC(bpi_open_block) blocks;
  uint32_t proc; /* the open one, or BP_NONE */
  bool body;     /* it has statements or labels */
  uint32_t file; /* offset in names */
  bp_range range;
  uint64_t origin;
};

/* Every public call begins with it: forgets the last messages of the context. False for NULL. */
bool bpi_builder_call(bp_builder *b);
/* Remembers a mistake, and tells the context now. Returns BP_NONE. */
uint32_t bpi_complain(bp_builder *b, bpi_message number, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Tells the context why a call cannot be done whose operand an earlier call failed to make. */
void bpi_remind(bp_builder *b);
/* The symbol of a name of the host, in braces if need be; BP_NONE after a complaint. */
uint32_t bpi_builder_symbol(bp_builder *b, const char *name, bpi_name_kind kind);
/* Whether the variable exists and can be seen in the open procedure; complains if not. */
bool bpi_builder_sees(bp_builder *b, uint32_t var);
/* Writes the expression out; its index in `exprs`, or BP_NONE. */
uint32_t bpi_builder_expand(bp_builder *b, uint32_t expr);
/* Ends the declarations of the open procedure. False when none is open. */
bool bpi_builder_body(bp_builder *b);
/* Appends a statement with the place, file and tag that were given last; its id, or BP_NONE. */
uint32_t bpi_builder_add(bp_builder *b, const bpi_stmt *s);
/* A skip for labels that have no statement. */
void bpi_builder_settle(bp_builder *b);

#endif
