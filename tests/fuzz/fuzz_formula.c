/* SPDX-License-Identifier: MIT
 * Any bytes are read as a formula or refused with a message; what is read prints so that it reads back
 * the same, and its forms and its automaton come or are refused. */
#include "collect.h"
#include "fuzz.h"

#include <bp/bp.h>
#include <stdlib.h>
#include <string.h>

static void check_again(bp_context *ctx, const bp_formula *f)
{
  static text first, second;
  bp_formula *again;
  bp_sink sink = {.size = sizeof sink, .write = collect, .user = &first};
  first.used = second.used = 0;
  if (bp_formula_write(f, &sink) != BP_OK) return;
  if (bp_formula_parse(&again, ctx, first.at, first.used, "again") != BP_OK) abort();
  sink.user = &second;
  if (bp_formula_write(again, &sink) != BP_OK || first.used != second.used ||
      memcmp(first.at, second.at, first.used) ||
      bp_formula_node_count(f) != bp_formula_node_count(again))
    abort();
  bp_formula_unref(again);
}

static void check_automaton(bp_context *ctx, const bp_formula *f)
{
  const bp_automaton_options options = {.size = sizeof options, .states = 200};
  bp_formula *no;
  bp_automaton *a, *b = NULL, *both = NULL;
  if (bp_formula_negate(&no, ctx, f) != BP_OK) return;
  if (bp_automaton_from_formula(&a, ctx, f, &options) == BP_OK &&
      bp_automaton_from_formula(&b, ctx, no, &options) == BP_OK &&
      bp_automaton_intersect(&both, ctx, a, b) == BP_OK && !bp_automaton_is_empty(both))
    abort();
  bp_automaton_unref(a);
  bp_automaton_unref(b);
  bp_automaton_unref(both);
  bp_formula_unref(no);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bp_context *ctx;
  bp_formula *f;
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 200};
  if (bp_context_new(&ctx) != BP_OK) return 0;
  bp_context_set_limits(ctx, &limits);
  const bp_status status = bp_formula_parse(&f, ctx, (const char *)data, size, "fuzz");
  if (status != BP_OK && !bp_context_message(ctx)[0]) abort();
  if ((status == BP_OK) != (f != NULL)) abort();
  if (f) {
    check_again(ctx, f);
    check_automaton(ctx, f);
  }
  bp_formula_unref(f);
  bp_context_unref(ctx);
  return 0;
}
