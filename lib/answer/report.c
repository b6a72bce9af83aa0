/* SPDX-License-Identifier: MIT
 * The JSON document of docs/json.md. Traces are written as they are walked. A verdict stands
 * without its trace, so when a trace cannot be finished the document says so and goes on: it is
 * valid JSON unless the sink itself refuses. */
#include "base/json.h"
#include "engine/query.h"

#include <bp/trace.h>
#include <string.h>

/* The value of a number or bool, if all of it is known. */
typedef struct element {
  int known;
  uint64_t value;
} element;

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
  uint32_t proc;        /* whose scope is in `data`; BP_NONE: none yet */
  BPI_VEC(uint32_t) data;
  BPI_VEC(element) values; /* of their elements, one datum after the other */
} report;

static void put_text(report *r, const char *key, const char *text)
{
  bpi_json_key(&r->json, key);
  bpi_json_string(&r->json, text ? text : "");
}

static void put_number(report *r, const char *key, uint64_t number)
{
  bpi_json_key(&r->json, key);
  bpi_json_u64(&r->json, number);
}

static void put_seconds(report *r, const char *key, double seconds)
{
  bpi_json_key(&r->json, key);
  bpi_json_double(&r->json, seconds);
}

/* Whether the document must come to its end. */
static bp_status poll_stop(report *r)
{
  if (r->deadline_ns && bpi_now_ns() >= r->deadline_ns) r->stopped = BP_REASON_TIME;
  return r->stopped ? BP_E_LIMIT : r->json.out->status;
}

/* ---- steps ------------------------------------------------------------- */

/* The globals that nothing hides, in the order of declaration, then formals, then locals. */
static bool enter_scope(report *r, uint32_t proc)
{
  if (r->proc == proc) return true;
  const uint32_t globals = bpi_global_data(r->p);
  const bpi_slice own = bpi_own_data(r->p, proc);
  r->data.count = 0;
  r->proc = BP_NONE;
  if (!bpi_vec_reserve(&r->data, (uint64_t)globals + own.count + 1)) return false;
  for (uint32_t i = 0; i < globals; i++) {
    const uint32_t datum = bpi_global_datum(r->p, i);
    if (bp_program_find_datum(r->p, proc, bp_datum_name(r->p, datum)) == datum)
      r->data.at[r->data.count++] = datum;
  }
  for (uint32_t i = 0; i < own.count; i++)
    r->data.at[r->data.count++] = own.first + i;
  r->proc = proc;
  return true;
}

/* How many elements the datum has. */
static uint32_t length_of(const report *r, uint32_t datum)
{
  const uint32_t length = bp_datum_length(r->p, datum);
  return length ? length : 1;
}

/* All that can fail comes before the first byte of a step. */
static bp_status gather_step(report *r, bp_cursor *cursor, uint64_t *inside)
{
  if (!enter_scope(r, bp_cursor_proc(cursor))) return BP_E_NOMEM;
  r->values.count = 0;
  for (uint32_t i = 0; i < r->data.count; i++)
    for (uint32_t k = 0; k < length_of(r, r->data.at[i]); k++) {
      element n;
      const bp_status status = bp_cursor_number(cursor, r->data.at[i], k, &n.known, &n.value);
      if (status != BP_OK) return status;
      if (!bpi_vec_push(&r->values, n)) return BP_E_NOMEM;
    }
  *inside = 0;
  return bp_cursor_closed(cursor) ? bp_cursor_inside(cursor, inside) : BP_OK;
}

/* An array with something known in it; null is what is not. */
static void put_array(report *r, const char *name, const element *elements, uint32_t length)
{
  bool any = false;
  for (uint32_t k = 0; k < length; k++)
    any |= elements[k].known != 0;
  if (!any) return;
  bpi_json_key(&r->json, name);
  bpi_json_push(&r->json, '[');
  for (uint32_t k = 0; k < length; k++)
    if (elements[k].known)
      bpi_json_u64(&r->json, elements[k].value);
    else
      bpi_json_null(&r->json);
  bpi_json_pop(&r->json, ']');
}

static void put_state(report *r)
{
  const element *at = r->values.at;
  bpi_json_key(&r->json, "state");
  bpi_json_push(&r->json, '{');
  for (uint32_t i = 0; i < r->data.count; i++) {
    const uint32_t datum = r->data.at[i];
    const char *name = bp_datum_name(r->p, datum);
    if (bp_datum_length(r->p, datum))
      put_array(r, name, at, length_of(r, datum));
    else if (at->known)
      put_number(r, name, at->value);
    at += length_of(r, datum);
  }
  bpi_json_pop(&r->json, '}');
}

static bp_status put_step(report *r, bp_cursor *cursor)
{
  uint64_t inside;
  const bp_status status = gather_step(r, cursor, &inside);
  if (status != BP_OK) return status;
  bp_range place;
  bp_cursor_range(cursor, &place);
  bpi_json_push(&r->json, '{');
  put_text(r, "proc", bp_proc_name(r->p, bp_cursor_proc(cursor)));
  put_number(r, "line", place.line);
  put_number(r, "depth", bp_cursor_depth(cursor));
  put_text(r, "kind", bp_stmt_kind_name(bp_stmt_kind_of(r->p, bp_cursor_stmt(cursor))));
  put_state(r);
  if (bp_cursor_closed(cursor)) {
    bpi_json_key(&r->json, "closed");
    bpi_json_bool(&r->json, true);
    put_number(r, "inside", inside);
  }
  if (bp_cursor_origin(cursor)) put_number(r, "origin", bp_cursor_origin(cursor));
  bpi_json_pop(&r->json, '}');
  return BP_OK;
}

static bp_status put_steps(report *r, bp_trace *trace)
{
  bp_cursor *cursor = NULL;
  bpi_json_key(&r->json, "steps");
  bpi_json_push(&r->json, '[');
  bp_status status = bp_cursor_new(&cursor, trace);
  while (status == BP_OK && (status = bp_cursor_next(cursor)) == BP_OK) {
    status = put_step(r, cursor);
    if (status == BP_OK) status = poll_stop(r);
  }
  bp_cursor_free(cursor);
  bpi_json_pop(&r->json, ']');
  return status == BP_END ? BP_OK : status;
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
  put_text(r, "incomplete", reason ? bp_reason_name(reason) : bp_status_name(status));
}

static void put_trace(report *r, uint32_t target)
{
  const bp_trace_options options = {
      .size = sizeof options, .shortest = r->options.shortest, .levels = r->options.levels};
  bp_trace *trace = NULL;
  uint64_t length = 0;
  bpi_json_key(&r->json, "trace");
  bpi_json_push(&r->json, '{');
  bp_status status = poll_stop(r);
  if (status == BP_OK) status = bp_trace_new(&trace, r->q, target, &options);
  if (status == BP_OK) status = bp_trace_length(trace, &length);
  if (status == BP_OK) {
    put_number(r, "length", length);
    put_number(r, "hierarchical_length", bp_trace_hierarchical_length(trace));
    status = put_steps(r, trace);
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
  put_text(r, "kind", kinds[bp_answer_target_kind(r->answer, target)]);
  put_text(r, "name", bp_answer_target_name(r->answer, target));
  put_text(r, "proc", bp_answer_target_proc(r->answer, target));
  put_number(r, "line", bp_answer_target_line(r->answer, target));
  if (origin) put_number(r, "origin", origin);
  bpi_json_pop(&r->json, '}');
}

static void put_result(report *r, uint32_t target)
{
  const bp_verdict verdict = bp_answer_verdict(r->answer, target);
  bpi_json_push(&r->json, '{');
  put_target(r, target);
  put_text(r, "verdict", bp_verdict_name(verdict));
  if (verdict == BP_UNDECIDED)
    put_text(r, "reason", bp_reason_name(bp_answer_reason(r->answer, target)));
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
  put_seconds(r, "parse_seconds", r->options.parse_seconds);
  put_seconds(r, "build_seconds", r->options.build_seconds);
  put_seconds(r, "engine_seconds", s.engine_seconds);
  put_number(r, "peak_nodes", s.peak_nodes);
  put_number(r, "bdd_vars", s.bdd_vars);
  put_number(r, "cfg_vertices", s.cfg_vertices);
  put_number(r, "cfg_edges", s.cfg_edges);
  put_number(r, "images", s.steps);
  put_number(r, "path_edges", s.path_edges);
  put_number(r, "summaries", s.summaries);
  put_number(r, "collections", s.collections);
  put_number(r, "dropped_vars", s.dropped_vars);
  put_number(r, "skipped_vertices", s.skipped_vertices);
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
  put_number(r, "version", 1);
  put_text(r, "command", r->options.command ? r->options.command : "reach");
  put_text(r, "file", bp_program_name(r->p));
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
  put_document(r);
  const bp_status status = bpi_out_flush(&out);
  bpi_vec_free(&r->data);
  bpi_vec_free(&r->values);
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
  for (uint32_t i = 1; i < count; i++)
    if (!queries[i] || queries[i]->cfg != q->cfg)
      return bpi_invalid(q->ctx, "query %u is %s", (unsigned)i,
                         queries[i] ? "about another graph" : "NULL");
  report r = {.queries = queries, .count = count, .p = q->p, .proc = BP_NONE};
  r.answers = bpi_zalloc(count, sizeof *r.answers);
  if (!r.answers) return bpi_no_memory(q->ctx);
  if (options) r.options = *options;
  if (q->limits.wall_ms) r.deadline_ns = bpi_now_ns() + q->limits.wall_ms * 1000000u;
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
