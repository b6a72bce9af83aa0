/* SPDX-License-Identifier: MIT
 * The data that a state shows. */
#ifndef CLI_SCOPE_H
#define CLI_SCOPE_H

#include <bp/program.h>
#include <stdbool.h>

/* The data of one procedure's scope: globals that no formal or local hides, in the order of their
 * declaration, then formals, then locals. */
typedef struct cli_scope {
  const bp_program *program;
  uint32_t proc;  /* BP_NONE: none yet */
  uint32_t *data; /* has room for all */
  uint32_t count;
} cli_scope;

void cli_scope_init(cli_scope *scope, const bp_program *program);
/* Turns to another procedure; false without memory. */
bool cli_scope_enter(cli_scope *scope, uint32_t proc);
void cli_scope_free(cli_scope *scope);

#endif
