/* SPDX-License-Identifier: MIT
 * A program, a query about its label R that was run, and a trace, with their insides in reach. */
#ifndef TEST_WORLD_H
#define TEST_WORLD_H

#include "answer/mover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct world {
  bp_context *ctx;
  bp_program *p;
  bp_cfg *cfg;
  bp_manager *m;
  bp_query *q;
  bp_trace *t;
} world;

/* Everything must succeed. `init` may be NULL. */
void world_open(world *w, const char *text, const char *init, uint32_t levels);
void world_close(world *w);

uint32_t world_proc(const world *w, const char *name);
/* The vertex of the index-th statement that begins on a line. */
uint32_t world_vertex(const world *w, uint32_t line);
uint32_t world_var(const world *w, const char *proc, const char *name);
/* The number of the path's step on a line; it must have one. */
uint32_t world_step(const world *w, const bpi_path *path, uint32_t line);

/* Calls work: nothing but the full exploration, entered and ready. */
void mover_open(world *w, bpi_mover *mv);
void mover_close(world *w, bpi_mover *mv);
/* The literal of a variable, and `set` as "can it be": 1: only 0, 2: only 1, 3: both, 0: empty. */
bpi_bdd mover_literal(bpi_mover *mv, uint32_t var, int value);
int mover_values(bpi_mover *mv, bpi_bdd set, uint32_t var);

#endif
