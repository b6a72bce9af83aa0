/* SPDX-License-Identifier: MIT
 * What the exploration knows besides a verdict: the states at a vertex as cubes, the invariant
 * there as an expression, the summary of a procedure.   usage: 05_states_and_invariants FILE.bp */
#include <bp/bp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_VARS = 16 };

static int print_cube(const bp_value *values, uint32_t count, void *user)
{
  (void)user;
  fputs("   ", stdout);
  for (uint32_t i = 0; i < count; i++)
    printf(" %c", "01*"[values[i]]);
  putchar('\n');
  return 0;
}

/* For each procedure: at its exit, the globals, the invariant, and what a call of it does. */
static bp_status show(bp_query *q, const bp_cfg *cfg, const bp_sink *out)
{
  const bp_program *p = bp_cfg_program(cfg);
  uint32_t globals[MOST_VARS], count = 0;
  while (count < MOST_VARS && count < bp_program_global_count(p)) {
    globals[count] = count;
    count++;
  }
  bp_status status = BP_OK;
  for (uint32_t proc = 0; proc < bp_program_proc_count(p) && status == BP_OK; proc++) {
    const uint32_t end = bp_cfg_proc_exit(cfg, proc);
    printf("%s\n  globals at its end:\n", bp_proc_name(p, proc));
    status = bp_query_states(q, end, globals, count, print_cube, NULL);
    if (status != BP_OK) break;
    fputs("  invariant there: ", stdout);
    status = bp_query_invariant(q, end, out);
    if (status != BP_OK) break;
    puts("\n  summary (globals and formals before, globals and results after):");
    status = bp_query_summary(q, proc, print_cube, NULL);
  }
  return status;
}

static char *read_all(const char *name, size_t *len)
{
  enum { MOST = 1 << 20 };
  FILE *file = fopen(name, "rb");
  char *text = file ? malloc(MOST) : NULL;
  *len = text ? fread(text, 1, MOST, file) : 0;
  if (file) fclose(file);
  return text;
}

int main(int argc, char **argv)
{
  size_t len = 0;
  char *text = argc == 2 ? read_all(argv[1], &len) : NULL;
  bp_context *ctx = NULL;
  bp_program *program = NULL;
  bp_cfg *cfg = NULL;
  bp_manager *manager = NULL;
  bp_query *q = NULL;
  bp_sink out, err;
  bp_sink_stdio(&out, stdout);
  bp_sink_stdio(&err, stderr);

  if (!text || bp_context_new(&ctx) != BP_OK) return 2;
  bp_status status = bp_program_parse(&program, ctx, text, len, argv[1], NULL);
  if (status == BP_OK) status = bp_cfg_new(&cfg, ctx, program);
  if (status == BP_OK) status = bp_manager_new(&manager, ctx, NULL);
  if (status == BP_OK) status = bp_query_new(&q, ctx, manager, cfg, NULL);
  if (status == BP_OK) status = show(q, cfg, &out);
  if (status != BP_OK) bp_context_write_diagnostics(ctx, &err);

  bp_query_unref(q);
  bp_manager_unref(manager);
  bp_cfg_unref(cfg);
  bp_program_unref(program);
  bp_context_unref(ctx);
  free(text);
  return status == BP_OK ? 0 : 2;
}
