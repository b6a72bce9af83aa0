/* SPDX-License-Identifier: MIT
 * The walk through everything that a query can be asked. */
#include "samples.h"

static int stopped(bp_status status)
{
  return status == BP_E_LIMIT || status == BP_E_NOMEM;
}

/* Calls until the answer is no stop, or patience ends. */
#define UNTIL(status, patience, call)                                                              \
  do                                                                                               \
    status = (call);                                                                               \
  while (stopped(status) && (patience) && (patience)->again((patience)->user))

static bp_status run_once(bp_query *q)
{
  const bp_status status = bp_query_run(q);
  const bp_query_state state = bp_query_state_of(q);
  if (status == BP_E_POISONED) assert_int_equal(state, BP_QUERY_FAILED);
  if (status != BP_OK) return status;
  assert_true(state == BP_QUERY_DONE || state == BP_QUERY_UNDECIDED);
  assert_int_equal(bp_query_reason(q) == BP_REASON_NONE, state == BP_QUERY_DONE);
  return state == BP_QUERY_DONE ? BP_OK : BP_E_LIMIT;
}

bp_status ask_run(const handles *h, facts *f, const patience *p)
{
  bp_query *q = h->q;
  bp_status status;
  UNTIL(status, p, run_once(q));
  assert_true(bp_query_target_count(q) <= SAMPLE_TARGETS);
  for (uint32_t t = 0; t < bp_query_target_count(q); t++)
    f->verdicts[t] = bp_query_verdict(q, t);
  return status;
}

/* ---- traces -------------------------------------------------------------- */

static bp_status walk(bp_cursor *c, const bp_program *program, uint64_t *steps, const patience *p)
{
  bp_status status;
  for (;; ++*steps) {
    UNTIL(status, p, bp_cursor_next(c));
    if (status != BP_OK) return status == BP_END ? BP_OK : status;
    const uint32_t proc = bp_cursor_proc(c);
    for (uint32_t v = 0; v < bp_program_var_count(program); v++) {
      bp_value value;
      if (bp_var_proc(program, v) != BP_NONE && bp_var_proc(program, v) != proc) continue;
      UNTIL(status, p, bp_cursor_value(c, v, &value));
      if (status != BP_OK) return status;
      assert_in_range(value, BP_FALSE, BP_ANY);
    }
    uint64_t inside;
    UNTIL(status, p, bp_cursor_inside(c, &inside));
    if (status != BP_OK) return status;
  }
}

typedef enum wanted { USUAL, SHORTEST, ANY } wanted;

/* One trace, walked at all levels: its listing has as many steps as its length says. */
static bp_status one_trace(const handles *h, uint32_t target, wanted kind, uint64_t lengths[2],
                           const patience *p)
{
  const bp_trace_options options = {
      .size = sizeof options, .shortest = kind == SHORTEST, .any = kind == ANY, .levels = BP_NONE};
  bp_trace *trace;
  bp_cursor *cursor = NULL;
  bp_status status;
  uint64_t steps = 0;
  UNTIL(status, p, bp_trace_new(&trace, h->q, target, &options));
  assert_int_equal(trace != NULL, status == BP_OK);
  if (status != BP_OK) return status;
  lengths[0] = bp_trace_hierarchical_length(trace);
  UNTIL(status, p, bp_trace_length(trace, &lengths[1]));
  if (status == BP_OK) UNTIL(status, p, bp_cursor_new(&cursor, trace));
  if (status == BP_OK) status = walk(cursor, h->p, &steps, p);
  if (status == BP_OK) assert_int_equal(steps, lengths[1]);
  if (status == BP_OK) UNTIL(status, p, bp_trace_replay(trace, BP_NONE));
  bp_cursor_free(cursor);
  bp_trace_unref(trace);
  return status;
}

bp_status ask_traces(const handles *h, facts *f, const patience *p)
{
  for (uint32_t t = 0; t < bp_query_target_count(h->q); t++) {
    uint64_t shortest[2], listed[2], any[2];
    if (f->verdicts[t] != BP_REACHABLE) continue;
    bp_status status = one_trace(h, t, ANY, any, p);
    if (status == BP_OK) status = one_trace(h, t, USUAL, listed, p);
    if (status == BP_OK) status = one_trace(h, t, SHORTEST, shortest, p);
    if (status != BP_OK) return status;
    assert_true(any[0] >= listed[0] && any[1] >= shortest[1]);
    assert_true(listed[0] <= shortest[0] && shortest[1] <= listed[1]);
    f->lengths[t] = listed[0];
    f->expanded[t] = shortest[1];
  }
  return BP_OK;
}

/* ---- states -------------------------------------------------------------- */

static void mix(uint64_t *hash, uint64_t value)
{
  *hash = (*hash ^ value) * 0x100000001b3u;
  *hash ^= *hash >> 29;
}

static int add_cube(const bp_value *values, uint32_t count, void *user)
{
  for (uint32_t i = 0; i < count; i++)
    mix(user, values[i] + 1);
  mix(user, 77);
  return 0;
}

static int add_bytes(void *user, const char *bytes, size_t len)
{
  for (size_t i = 0; i < len; i++)
    mix(user, (unsigned char)bytes[i]);
  return 0;
}

static bp_status states_at(const handles *h, uint32_t vertex, uint64_t *hash)
{
  uint32_t vars[64], count = 0;
  const uint32_t proc = bp_cfg_vertex_proc(h->cfg, vertex);
  for (uint32_t v = 0; v < bp_program_var_count(h->p) && count < 64; v++)
    if (bp_var_proc(h->p, v) == BP_NONE || bp_var_proc(h->p, v) == proc) vars[count++] = v;
  *hash = vertex;
  return bp_query_states(h->q, vertex, vars, count, add_cube, hash);
}

static bp_status summary_of(bp_query *q, uint32_t proc, uint64_t *hash)
{
  *hash = proc;
  return bp_query_summary(q, proc, add_cube, hash);
}

static bp_status invariant_at(bp_query *q, uint32_t vertex, uint64_t *hash)
{
  const bp_sink sink = {.size = sizeof sink, .write = add_bytes, .user = hash};
  *hash = vertex;
  return bp_query_invariant(q, vertex, &sink);
}

bp_status ask_states(const handles *h, facts *f, const patience *p)
{
  bp_query *q = h->q;
  uint64_t hash;
  bp_status status;
  f->states = 1;
  for (uint32_t v = 0; v < bp_cfg_vertex_count(h->cfg); v++) {
    int reached;
    UNTIL(status, p, bp_query_reached(q, v, &reached));
    if (status != BP_OK) return status;
    mix(&f->states, (uint64_t)reached);
    UNTIL(status, p, states_at(h, v, &hash));
    if (status != BP_OK) return status;
    mix(&f->states, hash);
    UNTIL(status, p, invariant_at(q, v, &hash));
    if (status != BP_OK) return status;
    mix(&f->states, hash);
  }
  for (uint32_t i = 0; i < bp_program_proc_count(h->p); i++) {
    UNTIL(status, p, summary_of(q, i, &hash));
    if (status != BP_OK) return status;
    mix(&f->states, hash);
  }
  return BP_OK;
}

/* ---- all ----------------------------------------------------------------- */

bp_status ask_all(const handles *h, facts *f, const patience *p)
{
  bp_status status = ask_run(h, f, p);
  if (status == BP_OK) status = ask_traces(h, f, p);
  if (status == BP_OK) status = ask_states(h, f, p);
  return status;
}

void check_verdicts(const sample *s, const facts *f, int decided)
{
  for (uint32_t t = 0; t < SAMPLE_TARGETS; t++)
    if (f->verdicts[t] != s->verdicts[t] && (decided || f->verdicts[t] != BP_UNDECIDED))
      fail_msg("%s, target %u: %s", s->name, t, bp_verdict_name(f->verdicts[t]));
}

const char *difference(const facts *a, const facts *b)
{
  if (memcmp(a->verdicts, b->verdicts, sizeof a->verdicts)) return "verdicts";
  if (memcmp(a->lengths, b->lengths, sizeof a->lengths)) return "hierarchical lengths";
  if (memcmp(a->expanded, b->expanded, sizeof a->expanded)) return "expanded lengths";
  return a->states == b->states ? NULL : "states";
}
