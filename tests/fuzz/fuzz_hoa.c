/* SPDX-License-Identifier: MIT
 * Any bytes are read as an automaton or refused with a message; what is read prints so that it reads
 * back the same. */
#include "collect.h"
#include "fuzz.h"

#include <bp/bp.h>
#include <stdlib.h>
#include <string.h>

static void check_again(bp_context *ctx, const bp_automaton *a)
{
  static text first, second;
  bp_automaton *again;
  bp_sink sink = {.size = sizeof sink, .write = collect, .user = &first};
  first.used = second.used = 0;
  if (bp_automaton_write_hoa(a, &sink) != BP_OK) return;
  const bp_status status = bp_automaton_read_hoa(&again, ctx, first.at, first.used, "again");
  if (status == BP_E_LIMIT) return;
  if (status != BP_OK) abort();
  sink.user = &second;
  if (bp_automaton_write_hoa(again, &sink) != BP_OK || first.used != second.used ||
      memcmp(first.at, second.at, first.used))
    abort();
  bp_automaton_unref(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bp_context *ctx;
  bp_automaton *a, *small;
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 200};
  if (bp_context_new(&ctx) != BP_OK) return 0;
  bp_context_set_limits(ctx, &limits);
  const bp_status status = bp_automaton_read_hoa(&a, ctx, (const char *)data, size, "fuzz");
  if (status != BP_OK && !bp_context_message(ctx)[0]) abort();
  if ((status == BP_OK) != (a != NULL)) abort();
  if (a) check_again(ctx, a);
  if (a && bp_automaton_degeneralize(&small, ctx, a) == BP_OK) {
    if (bp_automaton_is_empty(a) != bp_automaton_is_empty(small)) abort();
    bp_automaton_unref(small);
  }
  bp_automaton_unref(a);
  bp_context_unref(ctx);
  return 0;
}
