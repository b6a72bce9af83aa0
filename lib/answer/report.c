/* SPDX-License-Identifier: MIT
 * The JSON document of docs/json.md. Traces are written as they are walked. A verdict stands
 * without its trace, so when a trace cannot be finished the document says so and goes on: it is
 * valid JSON unless the sink itself refuses. */
#include "answer/steps.h"
#include "engine/query.h"

#include <bp/trace.h>
#include <string.h>

typedef struct report {
  bpi_json json;
  bp_query *const *queries;
  bp_answer **answers; /* of the queries */
  uint32_t count;
  bp_query *q; /* whose result is written */
  const bp_answer *answer;
  const bp_program *p;
  bp_json_options options;
  uint64_t deadline_ns; /* for all of the document; 0: none */
  bp_status status;     /* of the first trace that was not finished */
  bp_reason stopped;    /* time or cancelled: no further traces */
  bpi_steps steps;
} report;

/* Whether the document must come to its end. */
static bp_status poll_stop(report *r)
{
  if (r->deadline_ns && bpi_now_ns() >= r->deadline_ns) r->stopped = BP_REASON_TIME;
  return r->stopped ? BP_E_LIMIT : r->json.out->status;
}

/* ---- steps ------------------------------------------------------------- */

static bp_status poll_steps(void *user)
{
  return poll_stop(user);
}

static bp_status put_steps(report *r, bp_trace *trace)
{
  bpi_json_key(&r->json, "steps");
  bpi_json_push(&r->json, '[');
  const bp_status status = bpi_steps_put(&r->steps, trace, poll_steps, r);
  bpi_json_pop(&r->json, ']');
  return status;
}

/* ---- results ----------------------------------------------------------- */

/* Why a trace is missing or ends early. */
static void put_incomplete(report *r, bp_status status)
{
  if (r->status == BP_OK) r->status = status;
  bp_reason reason = BP_REASON_NONE;
  if (status == BP_E_LIMIT) reason = r->stopped ? r->stopped : bp_query_reason(r->q);
  if (status == BP_E_NOMEM || status == BP_E_POISONED) reason = BP_REASON_MEMORY;
  if (reason == BP_REASON_TIME || reason == BP_REASON_CANCELLED) r->stopped = reason;
  bpi_json_put_text(&r->json, "incomplete",
                    reason ? bp_reason_name(reason) : bp_status_name(status));
}

static void put_flag(report *r, const char *key, int set)
{
  if (!set) return;
  bpi_json_key(&r->json, key);
  bpi_json_bool(&r->json, true);
}

static void put_trace(report *r, uint32_t target)
{
  const bp_trace_options options = {.size = sizeof options,
                                    .shortest = r->options.shortest,
                                    .any = r->options.any,
                                    .levels = r->options.levels};
  bp_trace *trace = NULL;
  uint64_t length = 0;
  bpi_json_key(&r->json, "trace");
  bpi_json_push(&r->json, '{');
  bp_status status = poll_stop(r);
  if (status == BP_OK) status = bp_trace_new(&trace, r->q, target, &options);
  if (status == BP_OK) status = bp_trace_length(trace, &length);
  if (status == BP_OK) {
    bpi_json_put_number(&r->json, "length", length);
    bpi_json_put_number(&r->json, "hierarchical_length", bp_trace_hierarchical_length(trace));
    status = put_steps(r, trace);
    put_flag(r, "pinned", bp_trace_pinned(trace));
    put_flag(r, "shallow", bp_trace_shallow(trace));
    put_flag(r, "any", bp_trace_any(trace));
  }
  if (status != BP_OK) put_incomplete(r, status);
  bp_trace_unref(trace);
  bpi_json_pop(&r->json, '}');
}

static void put_target(report *r, uint32_t target)
{
  static const char *const kinds[] = {[BP_TARGET_LABEL] = "label",
                                      [BP_TARGET_LINE] = "line",
                                      [BP_TARGET_VERTEX] = "vertex",
                                      [BP_TARGET_ASSERT] = "assert"};
  const uint64_t origin = bp_answer_target_origin(r->answer, target);
  bpi_json_key(&r->json, "target");
  bpi_json_push(&r->json, '{');
  bpi_json_put_text(&r->json, "kind", kinds[bp_answer_target_kind(r->answer, target)]);
  bpi_json_put_text(&r->json, "name", bp_answer_target_name(r->answer, target));
  bpi_json_put_text(&r->json, "proc", bp_answer_target_proc(r->answer, target));
  bpi_json_put_number(&r->json, "line", bp_answer_target_line(r->answer, target));
  if (origin) bpi_json_put_number(&r->json, "origin", origin);
  bpi_json_pop(&r->json, '}');
}

static void put_result(report *r, uint32_t target)
{
  const bp_verdict verdict = bp_answer_verdict(r->answer, target);
  bpi_json_push(&r->json, '{');
  put_target(r, target);
  bpi_json_put_text(&r->json, "verdict", bp_verdict_name(verdict));
  if (verdict == BP_UNDECIDED)
    bpi_json_put_text(&r->json, "reason", bp_reason_name(bp_answer_reason(r->answer, target)));
  if (verdict == BP_REACHABLE && !r->options.no_trace) put_trace(r, target);
  bpi_json_pop(&r->json, '}');
}

static void put_stats(report *r)
{
  bp_stats s = {.size = sizeof s}, more = {.size = sizeof more};
  bp_answer_stats(r->answers[0], &s);
  for (uint32_t i = 1; i < r->count; i++) {
    bp_answer_stats(r->answers[i], &more);
    bp_stats_add(&s, &more);
  }
  bpi_json_key(&r->json, "stats");
  bpi_json_push(&r->json, '{');
  bpi_json_put_seconds(&r->json, "parse_seconds", r->options.parse_seconds);
  bpi_json_put_seconds(&r->json, "build_seconds", r->options.build_seconds);
  bpi_json_put_seconds(&r->json, "engine_seconds", s.engine_seconds);
  bpi_json_put_number(&r->json, "peak_nodes", s.peak_nodes);
  bpi_json_put_number(&r->json, "bdd_vars", s.bdd_vars);
  bpi_json_put_number(&r->json, "cfg_vertices", s.cfg_vertices);
  bpi_json_put_number(&r->json, "cfg_edges", s.cfg_edges);
  bpi_json_put_number(&r->json, "images", s.steps);
  bpi_json_put_number(&r->json, "path_edges", s.path_edges);
  bpi_json_put_number(&r->json, "summaries", s.summaries);
  bpi_json_put_number(&r->json, "collections", s.collections);
  bpi_json_put_number(&r->json, "dropped_vars", s.dropped_vars);
  bpi_json_put_number(&r->json, "skipped_vertices", s.skipped_vertices);
  bpi_json_pop(&r->json, '}');
}

/* ---- the document ------------------------------------------------------ */

static void put_results(report *r, uint32_t query)
{
  r->q = r->queries[query];
  r->answer = r->answers[query];
  const uint32_t count = bp_answer_target_count(r->answer);
  for (uint32_t i = 0; i < count && r->json.out->status == BP_OK; i++)
    put_result(r, i);
}

static void put_document(report *r)
{
  bpi_json_push(&r->json, '{');
  bpi_json_put_number(&r->json, "version", 1);
  bpi_json_put_text(&r->json, "command", r->options.command ? r->options.command : "reach");
  bpi_json_put_text(&r->json, "file", bp_program_name(r->p));
  bpi_json_key(&r->json, "results");
  bpi_json_push(&r->json, '[');
  for (uint32_t i = 0; i < r->count; i++)
    put_results(r, i);
  bpi_json_pop(&r->json, ']');
  put_stats(r);
  bpi_json_pop(&r->json, '}');
  bpi_out_char(r->json.out, '\n');
}

static bp_status write_document(report *r, const bp_sink *sink)
{
  bpi_out out;
  bpi_out_init(&out, sink);
  bpi_json_init(&r->json, &out);
  bpi_steps_init(&r->steps, &r->json, r->p);
  put_document(r);
  const bp_status status = bpi_out_flush(&out);
  bpi_steps_clear(&r->steps);
  return status != BP_OK ? bpi_sink_refused(r->queries[0]->ctx) : r->status;
}

bp_status bp_query_write_json_all(bp_query *const *queries, uint32_t count, const bp_sink *sink,
                                  const bp_json_options *options)
{
  if (!queries || !count || !queries[0]) return BP_E_INVALID;
  bp_query *q = queries[0];
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(q->ctx, BPI_BAD_SINK);
  if (options && options->size != sizeof *options)
    return bpi_invalid(q->ctx, "options->size is not sizeof(bp_json_options)");
  if (options && options->shortest && options->any)
    return bpi_invalid(q->ctx, "options->any and options->shortest exclude each other");
  for (uint32_t i = 1; i < count; i++)
    if (!queries[i] || queries[i]->cfg != q->cfg)
      return bpi_invalid(q->ctx, "query %u is %s", (unsigned)i,
                         queries[i] ? "about another graph" : "NULL");
  report r = {.queries = queries, .count = count, .p = q->p};
  r.answers = bpi_zalloc(count, sizeof *r.answers);
  if (!r.answers) return bpi_no_memory(q->ctx);
  if (options) r.options = *options;
  r.deadline_ns = bpi_deadline_ns(q->limits.wall_ms);
  bp_status status = BP_OK;
  for (uint32_t i = 0; i < count && status == BP_OK; i++)
    status = bp_query_answer(&r.answers[i], queries[i]);
  if (status == BP_OK) status = write_document(&r, sink);
  for (uint32_t i = 0; i < count; i++)
    bp_answer_unref(r.answers[i]);
  bpi_release(r.answers);
  return status;
}

bp_status bp_query_write_json(bp_query *q, const bp_sink *sink, const bp_json_options *options)
{
  if (!q) return BP_E_INVALID;
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(q->ctx, BPI_BAD_SINK);
  if (options && options->size != sizeof *options)
    return bpi_invalid(q->ctx, "options->size is not sizeof(bp_json_options)");
  return bp_query_write_json_all(&q, 1, sink, options);
}
