/* SPDX-License-Identifier: MIT
 * From the tree to the draft of a program: names, sizes and variables first (declare.c), then statements
 * (lower.c). */
#ifndef BPI_REMOPLA_WORLD_H
#define BPI_REMOPLA_WORLD_H

#include "remopla/value.h"

/* What a symbol means. */
typedef struct bpi_rmeanings {
  uint32_t define, global, module; /* in the tree's defines, decls, modules; BP_NONE */
  uint32_t local, local_module;    /* a formal or local, in that module */
  uint32_t label_module;           /* the last module that has the label */
  uint32_t enumeration; /* in the tree's enums; names of enums are apart from the others */
} bpi_rmeanings;

typedef struct bpi_world {
  bpi_draft *d;
  bpi_rtree *t;
  bpi_source *source;
  bpi_reader reader;
  BPI_VEC(bpi_rmeanings) names; /* by symbol */
  BPI_VEC(int64_t) values;      /* by define */
  uint32_t module;              /* whose names count, or BP_NONE */
  uint32_t bits;                /* of all variables */
  bool overflow_fails, zero_locals;
} bpi_world;

/* An error at a name. Returns false. */
bool bpi_world_error(bpi_world *w, bpi_message number, uint32_t at, uint32_t symbol,
                     const char *format);

/* declare.c: gives everything its meaning; false after errors. */
bool bpi_declare(bpi_world *w);
/* Its formals and locals count from now on. */
void bpi_world_enter(bpi_world *w, uint32_t module);
/* The variable of a name, or BP_NONE: a decl. */
uint32_t bpi_world_variable(const bpi_world *w, uint32_t symbol);
/* Finds the module of a name; BP_NONE after an error. */
uint32_t bpi_world_module(bpi_world *w, uint32_t symbol, uint32_t at);

/* Whether what a call returns goes through spare variables on its way to the target. */
bool bpi_needs_spares(const bpi_rside *side, const bpi_rdecl *target, const bpi_rmodule *callee);

/* lower.c: the statements of all modules. */
bool bpi_lower(bpi_world *w);

#endif
