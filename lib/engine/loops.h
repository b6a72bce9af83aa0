/* SPDX-License-Identifier: MIT
 * Loops closed at once: the reflexive transitive closure of a loop as one relation. */
#ifndef BPI_LOOPS_H
#define BPI_LOOPS_H

#include "engine/body.h"

/* Called when work comes to a node: after enough visits tries to close the loop of which it is the
 * head. Then the node has its closure and its hops lead out of the loop. An attempt that would cost
 * more than the work so far is given up, and made again later. */
void bpi_loop_visit(bpi_engine *e, const bpi_instance *in, uint32_t node);

#endif
