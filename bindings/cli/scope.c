/* SPDX-License-Identifier: MIT */
#include "scope.h"

#include <stdlib.h>

void cli_scope_init(cli_scope *scope, const bp_program *program)
{
  *scope = (cli_scope){.program = program, .proc = BP_NONE};
}

bool cli_scope_enter(cli_scope *scope, uint32_t proc)
{
  const bp_program *p = scope->program;
  if (scope->vars && scope->proc == proc) return true;
  const uint32_t all = bp_program_var_count(p);
  const uint32_t first = bp_proc_var_first(p, proc), own = bp_proc_var_count(p, proc);
  const uint32_t want = bp_program_global_count(p) + own;
  if (!scope->vars || want > scope->room) {
    uint32_t *vars = realloc(scope->vars, ((size_t)want + 1) * sizeof *vars);
    if (!vars) return false;
    scope->vars = vars;
    scope->room = want;
  }
  scope->proc = proc;
  scope->count = 0;
  for (uint32_t v = 0; v < all; v++)
    if (bp_var_kind_of(p, v) == BP_VAR_GLOBAL &&
        bp_program_find_var(p, proc, bp_var_name(p, v)) == v)
      scope->vars[scope->count++] = v;
  for (uint32_t i = 0; i < own; i++)
    scope->vars[scope->count++] = first + i;
  return true;
}

void cli_scope_free(cli_scope *scope)
{
  free(scope->vars);
  scope->vars = NULL;
}
