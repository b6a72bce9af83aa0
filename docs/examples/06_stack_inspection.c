/* SPDX-License-Identifier: MIT
 * Can one procedure come to run with another one below it on the stack? All reachable stacks are a
 * regular set; it is cut down to those, and printed.
 * usage: 06_stack_inspection FILE.bp [TOP BELOW] */
#include <bp/bp.h>
#include <stdio.h>
#include <stdlib.h>

/* Stacks with any statement of `top` on top and a return point of `below` somewhere under it. */
static bp_status describe(bp_stacks *wanted, const bp_pushdown *system, const bp_cfg *cfg,
                          uint32_t top, uint32_t below)
{
  const uint32_t vertices = bp_cfg_vertex_count(cfg);
  const uint32_t before = bp_stacks_state(wanted), after = bp_stacks_state(wanted);
  bp_status status = after == BP_NONE ? BP_E_NOMEM : BP_OK;
  for (uint32_t i = 0; i < bp_pushdown_symbol_count(system) && status == BP_OK; i++) {
    const uint32_t proc = bp_cfg_vertex_proc(cfg, bp_pushdown_symbol_vertex(system, i));
    if (i < vertices && proc == top) status = bp_stacks_edge(wanted, 0, i, before);
    if (i >= vertices && proc == below) status = bp_stacks_edge(wanted, before, i, after);
  }
  if (status == BP_OK) status = bp_stacks_otherwise(wanted, before, before);
  if (status == BP_OK) status = bp_stacks_otherwise(wanted, after, after);
  return status == BP_OK ? bp_stacks_accept(wanted, after) : status;
}

/* The reachable ones among them; *bad is whether there are any. */
static bp_status inspect(int *bad, bp_configurations *start, const bp_stacks *wanted,
                         const bp_sink *out)
{
  bp_configurations *reachable = NULL, *found = NULL;
  bp_stacks *stacks = NULL;
  int empty = 0;
  bp_status status = bp_pushdown_post(&reachable, start, NULL);
  if (status == BP_OK) status = bp_configurations_restrict(&found, reachable, wanted, NULL, NULL);
  if (status == BP_OK) status = bp_configurations_is_empty(&empty, found);
  if (status == BP_OK) status = bp_configurations_stacks(&stacks, found, NULL);
  if (status == BP_OK) status = bp_stacks_write(stacks, out, 0, NULL, NULL);
  *bad = !empty;
  bp_stacks_unref(stacks);
  bp_configurations_unref(found);
  bp_configurations_unref(reachable);
  return status;
}

static bp_status check(int *bad, bp_context *ctx, const bp_program *program, const char *top,
                       const char *below, const bp_sink *out)
{
  bp_cfg *cfg = NULL;
  bp_manager *manager = NULL;
  bp_pushdown *system = NULL;
  bp_configurations *start = NULL;
  bp_stacks *wanted = NULL;
  bp_status status = bp_cfg_new(&cfg, ctx, program);
  if (status == BP_OK) status = bp_manager_new(&manager, ctx, NULL);
  if (status == BP_OK) status = bp_pushdown_from_cfg(&system, ctx, cfg);
  if (status == BP_OK) status = bp_configurations_new(&start, ctx, manager, system);
  if (status == BP_OK) status = bp_configurations_add_start(start);
  if (status == BP_OK) status = bp_stacks_new(&wanted, ctx, system);
  if (status == BP_OK)
    status = describe(wanted, system, cfg, bp_program_find_proc(program, top),
                      bp_program_find_proc(program, below));
  if (status == BP_OK) status = inspect(bad, start, wanted, out);
  bp_stacks_unref(wanted);
  bp_configurations_unref(start);
  bp_pushdown_unref(system);
  bp_manager_unref(manager);
  bp_cfg_unref(cfg);
  return status;
}

int main(int argc, char **argv)
{
  enum { MOST = 1 << 20 };
  static char text[MOST];
  const char *top = argc == 4 ? argv[2] : "release", *below = argc == 4 ? argv[3] : "serve";
  bp_context *ctx = NULL;
  bp_program *program = NULL;
  bp_sink out, err;
  int bad = 0;
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  const size_t len = file ? fread(text, 1, MOST, file) : 0;
  if (file) fclose(file);
  bp_sink_stdio(&out, stdout);
  bp_sink_stdio(&err, stderr);
  if (!len || bp_context_new(&ctx) != BP_OK) return 2;
  bp_status status = bp_program_parse(&program, ctx, text, len, argv[1], NULL);
  if (status == BP_OK) status = check(&bad, ctx, program, top, below, &out);
  if (status == BP_OK)
    printf("%s %s with %s below it\n", top, bad ? "can run" : "never runs", below);
  else
    bp_context_write_diagnostics(ctx, &err);
  bp_program_unref(program);
  bp_context_unref(ctx);
  return status == BP_OK ? 0 : 2;
}
