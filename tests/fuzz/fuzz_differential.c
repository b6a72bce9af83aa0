/* SPDX-License-Identifier: MIT
 * The engine against itself with every part switched off, and against the concrete interpreter: the
 * same verdict for every assertion and label, the same shortest lengths, traces that replay. */
#include "fuzz.h"

#include <bp/bp.h>
#include <stdlib.h>

enum { MOST_STMTS = 120, MOST_VARS = 14, MOST_TARGETS = 6, MOST_STEPS = 20000, MOST_LENGTH = 2000 };

static bp_query *ask(bp_context *ctx, bp_manager *manager, bp_cfg *cfg, uint32_t off)
{
  const bp_query_options options = {.size = sizeof options, .off = off};
  const bp_limits limits = {.size = sizeof limits, .steps = MOST_STEPS};
  const bp_program *program = bp_cfg_program(cfg);
  bp_query *q;
  if (bp_query_new(&q, ctx, manager, cfg, &options) != BP_OK) abort();
  if (bp_query_set_limits(q, &limits) != BP_OK) abort();
  uint32_t targets = 0;
  for (uint32_t s = 0; s < bp_program_stmt_count(program) && targets < MOST_TARGETS; s++) {
    const uint32_t vertex = bp_cfg_vertex_of_stmt(cfg, s);
    if (vertex == BP_NONE || !bp_stmt_label_count(program, s)) continue;
    if (bp_query_add_vertex(q, vertex, NULL) != BP_OK) abort();
    targets++;
  }
  if (bp_query_add_asserts(q) != BP_OK) abort();
  if (bp_query_target_count(q) && bp_query_run(q) != BP_OK) abort();
  return q;
}

/* The minimal length of a trace, replayed; 0 when a limit was in the way. */
static uint64_t length_of(bp_query *q, uint32_t target, int shortest)
{
  const bp_trace_options options = {.size = sizeof options, .shortest = shortest};
  bp_trace *trace;
  uint64_t length = 0;
  bp_status status = bp_trace_new(&trace, q, target, &options);
  if (status == BP_OK) status = bp_trace_length(trace, &length);
  if (status == BP_OK) status = bp_trace_replay(trace, 0);
  if (status == BP_OK && length < MOST_LENGTH) status = bp_trace_replay(trace, BP_NONE);
  if (status != BP_OK && status != BP_E_LIMIT) abort();
  if (!shortest) length = bp_trace_hierarchical_length(trace);
  bp_trace_unref(trace);
  return status == BP_OK ? length : 0;
}

static void compare(bp_query *a, bp_query *b)
{
  for (uint32_t t = 0; t < bp_query_target_count(a); t++) {
    const bp_verdict one = bp_query_verdict(a, t), other = bp_query_verdict(b, t);
    if (one == BP_UNDECIDED || other == BP_UNDECIDED) continue;
    if (one != other) abort();
    if (one != BP_REACHABLE) continue;
    for (int shortest = 0; shortest < 2; shortest++) {
      const uint64_t length = length_of(a, t, shortest), same = length_of(b, t, shortest);
      if (length && same && length != same) abort();
    }
  }
}

static void check(bp_context *ctx, const bp_program *program)
{
  bp_cfg *cfg;
  bp_manager *manager;
  if (bp_program_stmt_count(program) > MOST_STMTS || bp_program_var_count(program) > MOST_VARS)
    return;
  if (bp_cfg_new(&cfg, ctx, program) != BP_OK) return;
  if (bp_manager_new(&manager, ctx, NULL) != BP_OK) abort();
  bp_query *a = ask(ctx, manager, cfg, 0);
  bp_query *b = ask(ctx, manager, cfg, BP_ENGINE_ALL);
  compare(a, b);
  bp_query_unref(a);
  bp_query_unref(b);
  bp_manager_unref(manager);
  bp_cfg_unref(cfg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bp_context *ctx;
  bp_program *program;
  const uint8_t choice = size ? data[0] : 0;
  const bp_program_options options = {.size = sizeof options,
                                      .precedence = (bp_precedence)(choice & 1),
                                      .dead = (bp_dead)(choice >> 1 & 1),
                                      .fall_off = (bp_fall_off)(choice >> 2 & 1),
                                      .undeclared = (bp_undeclared)(choice >> 3 & 1)};
  if (bp_context_new(&ctx) != BP_OK) return 0;
  if (bp_program_parse(&program, ctx, (const char *)data + (size > 0), size - (size > 0), "fuzz",
                       &options) == BP_OK)
    check(ctx, program);
  bp_program_unref(program);
  bp_context_unref(ctx);
  return 0;
}
