/* SPDX-License-Identifier: MIT */
#include "asked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 100000 };

draft draft_begin(uint32_t random)
{
  char *text = malloc(SIZE);
  assert_non_null(text);
  return (draft){text, text, random};
}

void put(draft *t, const char *format, ...)
{
  const size_t room = SIZE - (size_t)(t->end - t->start);
  va_list list;
  va_start(list, format);
  const int len = vsnprintf(t->end, room, format, list);
  va_end(list);
  assert_true(len >= 0 && (size_t)len < room);
  t->end += len;
}

uint32_t pick(draft *t, uint32_t count)
{
  t->random = t->random * 1664525u + 1013904223u;
  return (t->random >> 8) % count;
}

bp_query *ask_about(const char *text, uint32_t off)
{
  bp_context *ctx;
  bp_program *p;
  bp_cfg *cfg;
  bp_manager *m;
  bp_query *q;
  const bp_query_options options = {.size = sizeof options, .off = off};
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_program_parse(&p, ctx, text, strlen(text), "T", NULL), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  assert_int_equal(bp_manager_new(&m, ctx, NULL), BP_OK);
  assert_int_equal(bp_query_new(&q, ctx, m, cfg, &options), BP_OK);
  assert_int_equal(bp_query_add(q, "BAD", NULL), BP_OK);
  bp_manager_unref(m);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
  bp_context_unref(ctx);
  return q;
}

bp_stats stats_of(bp_query *q)
{
  bp_answer *answer;
  bp_stats stats = {.size = sizeof stats};
  assert_int_equal(bp_query_answer(&answer, q), BP_OK);
  assert_int_equal(bp_answer_stats(answer, &stats), BP_OK);
  bp_answer_unref(answer);
  return stats;
}

void run_in_slices(bp_query *q, uint64_t stride, uint64_t most)
{
  bp_limits limits = {.size = sizeof limits};
  do {
    limits.steps += stride;
    assert_int_equal(bp_query_set_limits(q, &limits), BP_OK);
    assert_int_equal(bp_query_run(q), BP_OK);
    assert_true(bp_query_verdict(q, 0) != BP_UNDECIDED || bp_query_reason(q) == BP_REASON_STEPS);
    assert_true(stats_of(q).steps <= limits.steps && limits.steps < most);
  } while (bp_query_verdict(q, 0) == BP_UNDECIDED);
}

void run_with_nodes(bp_query *q, uint64_t nodes)
{
  const bp_limits limits = {.size = sizeof limits, .nodes = nodes};
  assert_int_equal(bp_query_set_limits(q, &limits), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_true(bp_query_verdict(q, 0) == BP_UNREACHABLE || bp_query_reason(q) == BP_REASON_NODES);
  assert_int_equal(bp_query_set_limits(q, NULL), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_UNREACHABLE);
  bp_query_unref(q);
}
