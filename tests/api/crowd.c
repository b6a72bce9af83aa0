/* SPDX-License-Identifier: MIT */
#include "crowd.h"

void add(crowd *c, const sample *s, uint32_t off)
{
  handles *h = &c->at[c->count];
  assert_int_equal(handles_try_sample(h, s, off), BP_OK);
  c->queries[c->count] = h->q;
  c->statuses[c->count++] = BP_END;
}

void add_beside(crowd *c, const char *target, uint32_t off)
{
  const bp_query_options options = {.size = sizeof options, .off = off};
  handles *h = &c->at[c->count];
  *h = (handles){.p = bp_program_ref(c->at[0].p), .cfg = bp_cfg_ref(c->at[0].cfg)};
  assert_int_equal(bp_context_new(&h->ctx), BP_OK);
  assert_int_equal(bp_manager_new(&h->m, h->ctx, NULL), BP_OK);
  assert_int_equal(bp_query_new(&h->q, h->ctx, h->m, h->cfg, &options), BP_OK);
  if (target) assert_int_equal(bp_query_add(h->q, target, NULL), BP_OK);
  c->queries[c->count] = h->q;
  c->statuses[c->count++] = BP_END;
}

void drop(crowd *c)
{
  for (uint32_t i = 0; i < c->count; i++)
    handles_close(&c->at[i]);
  c->count = 0;
}

bp_status run(crowd *c, uint32_t threads)
{
  return bp_query_run_all(c->queries, c->count, threads, c->statuses);
}

void check_right(const crowd *c, uint32_t number, const sample *s)
{
  const bp_query *q = c->queries[number];
  assert_int_equal(c->statuses[number], BP_OK);
  assert_int_equal(bp_query_state_of(q), BP_QUERY_DONE);
  for (uint32_t t = 0; t < bp_query_target_count(q); t++)
    assert_int_equal(bp_query_verdict(q, t), s->verdicts[t]);
}

const sample *sample_of(uint32_t number)
{
  return &samples[number % sample_count];
}

void check_all_samples(uint32_t threads)
{
  crowd c = {.count = 0};
  for (uint32_t i = 0; i < MANY; i++)
    add(&c, sample_of(i), 0);
  assert_int_equal(run(&c, threads), BP_OK);
  for (uint32_t i = 0; i < MANY; i++) {
    facts f = {0};
    check_right(&c, i, sample_of(i));
    if (i < sample_count) assert_int_equal(ask_all(&c.at[i], &f, NULL), BP_OK); /* as ever */
  }
  drop(&c);
}
