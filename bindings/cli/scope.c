/* SPDX-License-Identifier: MIT */
#include "scope.h"

#include <stdlib.h>

void cli_scope_init(cli_scope *scope, const bp_program *program)
{
  *scope = (cli_scope){.program = program, .proc = BP_NONE};
}

/* Whether a state of the procedure shows the datum, apart from what is hidden. */
static bool belongs(const bp_program *p, uint32_t datum, uint32_t proc)
{
  const uint32_t home = bp_datum_proc(p, datum);
  return home == BP_NONE || home == proc;
}

bool cli_scope_enter(cli_scope *scope, uint32_t proc)
{
  const bp_program *p = scope->program;
  const uint32_t all = bp_program_datum_count(p);
  if (scope->data && scope->proc == proc) return true;
  size_t count = 1;
  for (uint32_t i = 0; i < all; i++)
    count += belongs(p, i, proc);
  uint32_t *data = realloc(scope->data, count * sizeof *data);
  if (!data) return false;
  scope->data = data;
  scope->proc = proc;
  scope->count = 0;
  for (int own = 0; own < 2; own++)
    for (uint32_t i = 0; i < all; i++)
      if (belongs(p, i, proc) && (bp_datum_proc(p, i) != BP_NONE) == own &&
          (own || bp_program_find_datum(p, proc, bp_datum_name(p, i)) == i))
        scope->data[scope->count++] = i;
  return true;
}

void cli_scope_free(cli_scope *scope)
{
  free(scope->data);
  scope->data = NULL;
}
