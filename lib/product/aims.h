/* SPDX-License-Identifier: MIT
 * Where accepting cycles can be, as far as control alone tells: which vertices of the product have an
 * accepting edge of the automaton on a cycle of the graph of vertices and states of the automaton,
 * where the propositions about control decide which edges there are and the others leave them open.
 * Returns go to every call that there is a way to. What has no way to such a vertex, and the variables that only what is left
 * out depends on, cannot matter to a cycle (the cone of influence). */
#ifndef BPI_AIMS_H
#define BPI_AIMS_H

#include "product/product.h"

/* Appends these vertices to `aims`. BP_E_NOMEM, BP_E_LIMIT: the watch expired. */
typedef BPI_VEC(uint32_t) bpi_aims;
bp_status bpi_aims_find(bpi_aims *aims, const bpi_product *product, const bpi_auto *a,
                        const bpi_props *props, bpi_watch *watch);

#endif
