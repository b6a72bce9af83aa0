/* SPDX-License-Identifier: MIT
 * Propositions of a formula or an automaton, as they read for one program. docs/ltl.md has their meaning. */
#ifndef BPI_PROPOSITION_H
#define BPI_PROPOSITION_H

#include "cfg/cfg.h"
#include "text/expression.h"

#include <bp/automaton.h>

typedef enum bpi_prop_kind {
  BPI_PROP_LABEL,      /* control is at one of these statements */
  BPI_PROP_VALUE,      /* an expression over variables */
  BPI_PROP_IN,         /* the frame of `proc` is on top */
  BPI_PROP_ENTER,      /* control is at the first statement of `proc` */
  BPI_PROP_EXIT,       /* control is at a return of `proc`, or about to fall off its end */
  BPI_PROP_TERMINATED, /* the entry procedure has returned */
  BPI_PROP_FAILED,     /* an assertion has failed */
  BPI_PROP_NEVER       /* an expression over locals of two procedures: never in scope */
} bpi_prop_kind;

typedef struct bpi_prop {
  bpi_prop_kind kind;
  uint32_t proc;  /* IN, ENTER, EXIT; VALUE: whose locals it reads, BP_NONE: globals alone */
  uint64_t *set;  /* LABEL, ENTER, EXIT: vertices, a bit each */
  bpi_code value; /* VALUE */
} bpi_prop;

typedef struct bpi_props {
  bpi_prop *at;
  uint32_t count;
} bpi_props;

/* Reads the propositions of an automaton for the program of `cfg`. `file` names the text that they come
 * from, `text` is that text of `len` bytes or NULL. BP_E_INPUT: each mistake is diagnosed at the proposition's place. BP_E_NOMEM. */
bp_status bpi_props_make(bpi_props *props, bp_context *ctx, const bp_cfg *cfg,
                         const bp_automaton *automaton, const char *file, const char *text,
                         size_t len);
void bpi_props_clear(bpi_props *props);

/* A vertex that is no position of an execution: it happens silently between two. */
static inline bool bpi_vertex_is_silent(const bpi_vertex *v)
{
  return !v->weight && v->stmt != BP_NONE;
}

/* What a proposition is at a place: 0, 1, or -1: what its expression says. `vertex` BP_NONE: control has
 * ended, by a failed assertion (`failed`) or the return of the entry procedure. */
int bpi_prop_at(const bpi_prop *prop, const bp_cfg *cfg, uint32_t vertex, bool failed);

#endif
