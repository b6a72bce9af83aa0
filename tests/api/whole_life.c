/* SPDX-License-Identifier: MIT */
#include "whole_life.h"

int is_shortage(bp_status status)
{
  return status == BP_E_NOMEM || status == BP_E_LIMIT || status == BP_E_POISONED;
}

static int swallow(void *user, const char *bytes, size_t len)
{
  (void)bytes;
  *(size_t *)user += len;
  return 0;
}

static bp_status write_documents(const handles *h)
{
  size_t len = 0;
  const bp_sink sink = {.size = sizeof sink, .write = swallow, .user = &len};
  const bp_json_options options = {.size = sizeof options, .levels = BP_NONE};
  bp_status status = bp_program_write(h->p, &sink);
  if (status == BP_OK) status = bp_stmt_write(h->p, 0, &sink);
  if (status == BP_OK) status = bp_query_write_json(h->q, &sink, &options);
  if (status == BP_OK) status = bp_query_write_chc(h->q, &sink);
  if (status == BP_OK) status = bp_cfg_write_dot(h->cfg, h->ctx, &sink, h->q);
  if (status == BP_OK) assert_true(len > 1000);
  return status;
}

static bp_status take_answer(const handles *h, const sample *s)
{
  bp_answer *answer;
  bp_stats stats = {.size = sizeof stats};
  const bp_status status = bp_query_answer(&answer, h->q);
  assert_int_equal(answer != NULL, status == BP_OK);
  if (status != BP_OK) return status;
  for (uint32_t t = 0; t < bp_answer_target_count(answer); t++)
    assert_int_equal(bp_answer_verdict(answer, t), s->verdicts[t]);
  assert_int_equal(bp_answer_stats(answer, &stats), BP_OK);
  bp_answer_unref(answer);
  return BP_OK;
}

/* Opens the first closed call of a trace by hand, with a copy of the cursor beside. */
static bp_status open_call(bp_trace *trace)
{
  bp_cursor *c, *copy = NULL;
  bp_status status = bp_cursor_new(&c, trace);
  while (status == BP_OK && (status = bp_cursor_next(c)) == BP_OK && !bp_cursor_closed(c)) {
  }
  if (status == BP_OK) status = bp_cursor_copy(&copy, c);
  if (status == BP_OK) status = bp_cursor_open(copy);
  if (status == BP_OK) {
    status = bp_cursor_next(copy);
    if (status == BP_OK) assert_int_equal(bp_cursor_depth(copy), bp_cursor_depth(c) + 1);
    if (status == BP_OK || status == BP_END) status = bp_cursor_close(copy);
    if (status == BP_OK) assert_int_equal(bp_cursor_vertex(copy), bp_cursor_vertex(c));
  }
  bp_cursor_free(c);
  bp_cursor_free(copy);
  return status == BP_END ? BP_OK : status;
}

static bp_status open_calls(const handles *h)
{
  bp_status status = BP_OK;
  for (uint32_t t = 0; status == BP_OK && t < bp_query_target_count(h->q); t++) {
    bp_trace *trace;
    if (bp_query_verdict(h->q, t) != BP_REACHABLE) continue;
    status = bp_trace_new(&trace, h->q, t, NULL);
    if (status == BP_OK) status = open_call(trace);
    if (status == BP_OK) status = bp_trace_replay(trace, 0);
    bp_trace_unref(trace);
  }
  return status;
}

/* Looks at no status on the way, as hosts may. */
static bp_status build(const handles *h)
{
  bp_builder *b;
  bp_program *p;
  bp_status status = bp_builder_new(&b, h->ctx, "built", NULL);
  if (status != BP_OK) return status;
  const uint32_t g = bp_builder_global(b, "a == b", bp_builder_nondet(b));
  bp_builder_at(b, "host.c", 7, 1);
  bp_builder_proc_begin(b, "main", 0);
  bp_builder_if(b, bp_builder_not(b, bp_builder_var(b, g)));
  bp_builder_label(b, "L");
  bp_builder_skip(b);
  bp_builder_end(b);
  bp_builder_proc_end(b);
  status = bp_builder_finish(b, &p);
  assert_int_equal(p != NULL, status == BP_OK);
  bp_program_unref(p);
  bp_builder_free(b);
  return status;
}

static bp_status one_call(const handles *h, const sample *s)
{
  bp_verdict verdict, right = s->verdicts[0];
  bp_trace *trace;
  const char *target = strcmp(s->targets[0], "assert") ? s->targets[0] : NULL;
  const bp_status status = bp_reachable(&verdict, &trace, h->ctx, h->m, h->p, target, NULL);
  assert_true(verdict == right || verdict == BP_UNDECIDED);
  if (status == BP_OK && verdict == BP_REACHABLE) assert_non_null(trace);
  if (trace) assert_int_equal(status, BP_OK);
  bp_trace_unref(trace);
  return status == BP_OK && verdict != right ? BP_E_LIMIT : status;
}

bp_status whole_life(handles *h, const sample *s, facts *f)
{
  bp_status status = handles_try_sample(h, s, 0);
  if (status == BP_OK) status = bp_query_set_init(h->q, "1 | *");
  if (status == BP_OK) status = ask_all(h, f, NULL);
  if (status == BP_OK) status = open_calls(h);
  if (status == BP_OK) status = take_answer(h, s);
  if (status == BP_OK) status = write_documents(h);
  if (status == BP_OK) status = build(h);
  if (status == BP_OK) status = one_call(h, s);
  return status;
}
