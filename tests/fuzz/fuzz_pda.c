/* SPDX-License-Identifier: MIT
 * Any bytes are read as a pushdown system in JSON or refused with a message; what is read and written reads
 * back, and is written the same again, except that states may come in another order: they have that in
 * which they are named first, be it as where a rule leads. */
#include "collect.h"
#include "fuzz.h"

#include <bp/bp.h>
#include <stdbool.h>
#include <stdlib.h>

/* Whether both texts have the same bytes, in any order. */
static bool are_alike(const text *a, const text *b)
{
  uint32_t counts[256] = {0};
  if (a->used != b->used) return false;
  for (size_t i = 0; i < a->used; i++) {
    counts[(unsigned char)a->at[i]]++;
    counts[(unsigned char)b->at[i]]--;
  }
  for (int c = 0; c < 256; c++)
    if (counts[c]) return false;
  return true;
}

static void check_again(bp_context *ctx, const bp_pushdown *p)
{
  static text first, second;
  bp_pushdown *again;
  bp_sink sink = {.size = sizeof sink, .write = collect, .user = &first};
  first.used = second.used = 0;
  if (bp_pushdown_write_json(p, ctx, &sink) != BP_OK) return;
  const bp_status status = bp_pushdown_read_json(&again, ctx, first.at, first.used, "again");
  if (status == BP_E_LIMIT) return;
  if (status != BP_OK || bp_pushdown_rule_count(again) != bp_pushdown_rule_count(p)) abort();
  sink.user = &second;
  if (bp_pushdown_write_json(again, ctx, &sink) == BP_OK && !are_alike(&first, &second)) abort();
  bp_pushdown_unref(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bp_context *ctx;
  bp_pushdown *p;
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 200};
  if (bp_context_new(&ctx) != BP_OK) return 0;
  bp_context_set_limits(ctx, &limits);
  const bp_status status = bp_pushdown_read_json(&p, ctx, (const char *)data, size, "fuzz");
  if (status != BP_OK && !bp_context_message(ctx)[0]) abort();
  if ((status == BP_OK) != (p != NULL)) abort();
  if (p) check_again(ctx, p);
  bp_pushdown_unref(p);
  bp_context_unref(ctx);
  return 0;
}
