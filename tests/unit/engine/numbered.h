/* SPDX-License-Identifier: MIT
 * A program of numbers, and an engine for it. */
#ifndef NUMBERED_H
#define NUMBERED_H

#include "engine/engine.h"

#include <bp/bp.h>

extern bp_context *ctx;
extern bp_program *p;
extern bp_cfg *cfg;
extern bp_manager *m;
extern bpi_engine *e;

/* x and y meet, u and v too, i chooses from a, p and q get what is chosen, by a call and its result. */
extern const char numbered_text[];

/* Everything but the engine, for a program of Remopla. */
void open_program(const char *program);
bp_status make_engine(void);
void close_program(void);

#endif
