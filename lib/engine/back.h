/* SPDX-License-Identifier: MIT
 * Single steps backwards.
 *
 * Everything here answers with something worthless when the exploration is not going any more. */
#ifndef BPI_BACK_H
#define BPI_BACK_H

#include "engine/body.h"

/* *all without the variables of `quant`, which is given away. */
void bpi_quantify(bpi_engine *e, bpi_bdd *all, bpi_bdd quant);
/* Fills `places` with those that a statement itself assigns to. */
void bpi_target_places(const bpi_engine *e, const bpi_vertex *u, uint64_t *places);
/* Fills `changed` with the places that a statement changes, a call with those of its callee too. */
void bpi_changed_places(const bpi_engine *e, const bpi_vertex *u, uint64_t *changed);
/* CURRENT copies of `places` become NEXT copies. */
bpi_bdd bpi_to_next(bpi_engine *e, bpi_bdd set, const uint64_t *places);
/* NEXT copies of `places` become CURRENT copies, of which it has none. */
bpi_bdd bpi_to_current(bpi_engine *e, bpi_bdd set, const uint64_t *places);
/* The set of a procedure's results. */
bpi_bdd bpi_results_set(bpi_engine *e, uint32_t proc);
/* Whether the relation of a wide assignment would have to be made for a step back over it. */
bool bpi_is_dear(bpi_engine *e, uint32_t vertex);
/* The states before the i-th edge of a vertex from those after it. */
bpi_bdd bpi_before_edge(bpi_engine *e, uint32_t vertex, uint32_t i, bpi_bdd after);
/* The states before a call from those at the entry of its callee. */
bpi_bdd bpi_before_enter(bpi_engine *e, const bpi_call *call, uint32_t callee, bpi_bdd inside);
/* The states at the exit of the callee of the call at a vertex from those behind the call. */
bpi_bdd bpi_before_return(bpi_engine *e, const bpi_call *call, uint32_t vertex, bpi_bdd after);

enum { BPI_FURTHEST = 1 << 28 };
/* The sum of two lengths, bounded: calls can double them again and again. */
static inline uint32_t bpi_further(uint32_t a, uint32_t b)
{
  return a + b < BPI_FURTHEST ? a + b : BPI_FURTHEST;
}
/* behind.c: what the graph has behind each vertex, whatever the data: by vertex, steps from the entry of its
 * procedure at least; then by procedure, from the start of the program to its entry. A call is a step, and another
 * one back. BP_NONE: there is no way. NULL when stopped. */
uint32_t *bpi_behind(bpi_engine *e);

#endif
