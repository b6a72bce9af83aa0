/* SPDX-License-Identifier: MIT
 * The JSON document of docs/json.md. The verdict stands without its lasso, so when a trace cannot be
 * finished the document says so and goes on. */
#include "product/ltl.h"

#include "answer/steps.h"

typedef struct report {
  bpi_json json;
  bp_ltl *ltl;
  bp_json_options options;
  uint64_t deadline_ns; /* 0: none */
  bool late;
  bp_status status; /* of the first trace that was not finished */
} report;

static bp_status poll_steps(void *user)
{
  report *r = user;
  r->late = r->deadline_ns && bpi_now_ns() >= r->deadline_ns;
  return r->late ? BP_E_LIMIT : r->json.out->status;
}

/* Why the lasso is missing or ends early. */
static void put_incomplete(report *r, bp_status status)
{
  bp_reason reason = BP_REASON_NONE;
  r->status = status;
  if (status == BP_E_LIMIT) reason = r->late ? BP_REASON_TIME : bp_ltl_reason(r->ltl);
  if (status == BP_E_NOMEM || status == BP_E_POISONED) reason = BP_REASON_MEMORY;
  bpi_json_put_text(&r->json, "incomplete",
                    reason ? bp_reason_name(reason) : bp_status_name(status));
}

static bp_status put_lengths(report *r, bp_trace *prefix, bp_trace *loop)
{
  uint64_t before = 0, round = 0;
  bp_status status = bp_trace_length(prefix, &before);
  if (status == BP_OK) status = bp_trace_length(loop, &round);
  if (status != BP_OK) return status;
  bpi_json_put_number(&r->json, "length", bpi_plus(before, round));
  bpi_json_put_number(
      &r->json, "hierarchical_length",
      bpi_plus(bp_trace_hierarchical_length(prefix), bp_trace_hierarchical_length(loop)));
  bpi_json_put_number(&r->json, "growth", bp_ltl_growth(r->ltl));
  const bp_ltl_end end = bp_ltl_end_of(r->ltl);
  if (end != BP_LTL_RUNS)
    bpi_json_put_text(&r->json, "end", end == BP_LTL_FAILED ? "failed" : "terminated");
  return BP_OK;
}

static bp_status put_steps(report *r, bp_trace *prefix, bp_trace *loop)
{
  bpi_steps steps;
  bpi_steps_init(&steps, &r->json, r->ltl->cfg->program);
  bpi_json_key(&r->json, "steps");
  bpi_json_push(&r->json, '[');
  bp_status status = bpi_steps_put(&steps, prefix, poll_steps, r);
  const uint64_t start = steps.count;
  steps.depth = bp_ltl_depth(r->ltl);
  if (status == BP_OK) status = bpi_steps_put(&steps, loop, poll_steps, r);
  bpi_json_pop(&r->json, ']');
  if (status == BP_OK) bpi_json_put_number(&r->json, "loop_start", start);
  bpi_steps_clear(&steps);
  return status;
}

static void put_lasso(report *r)
{
  const bp_trace_options options = {
      .size = sizeof options, .shortest = r->options.shortest, .levels = r->options.levels};
  bp_trace *prefix = NULL, *loop = NULL;
  bpi_json_key(&r->json, "trace");
  bpi_json_push(&r->json, '{');
  bp_status status = bp_ltl_prefix(&prefix, r->ltl, &options);
  if (status == BP_OK) status = bp_ltl_loop(&loop, r->ltl, &options);
  if (status == BP_OK) status = put_lengths(r, prefix, loop);
  if (status == BP_OK) status = put_steps(r, prefix, loop);
  if (bp_trace_pinned(prefix) || bp_trace_pinned(loop)) {
    bpi_json_key(&r->json, "pinned");
    bpi_json_bool(&r->json, true);
  }
  if (status != BP_OK) put_incomplete(r, status);
  bp_trace_unref(prefix);
  bp_trace_unref(loop);
  bpi_json_pop(&r->json, '}');
}

static void put_result(report *r, const char *name)
{
  const bp_ltl_verdict verdict = bp_ltl_verdict_of(r->ltl);
  bpi_json_push(&r->json, '{');
  bpi_json_key(&r->json, "target");
  bpi_json_push(&r->json, '{');
  bpi_json_put_text(&r->json, "kind", "formula");
  bpi_json_put_text(&r->json, "name", name);
  bpi_json_put_text(&r->json, "proc", "");
  bpi_json_put_number(&r->json, "line", 0);
  bpi_json_pop(&r->json, '}');
  bpi_json_put_text(&r->json, "verdict", bp_ltl_verdict_name(verdict));
  if (verdict == BP_LTL_UNDECIDED)
    bpi_json_put_text(&r->json, "reason", bp_reason_name(bp_ltl_reason(r->ltl)));
  if (verdict == BP_LTL_VIOLATED && !r->options.no_trace) put_lasso(r);
  bpi_json_pop(&r->json, '}');
}

static void put_stats(report *r, const bp_ltl_stats *s)
{
  bpi_json_key(&r->json, "stats");
  bpi_json_push(&r->json, '{');
  bpi_json_put_seconds(&r->json, "parse_seconds", r->options.parse_seconds);
  bpi_json_put_seconds(&r->json, "build_seconds", r->options.build_seconds);
  bpi_json_put_seconds(&r->json, "engine_seconds", s->engine_seconds);
  bpi_json_put_number(&r->json, "peak_nodes", s->peak_nodes);
  bpi_json_put_number(&r->json, "bdd_vars", s->bdd_vars);
  bpi_json_put_number(&r->json, "cfg_vertices", s->cfg_vertices);
  bpi_json_put_number(&r->json, "cfg_edges", s->cfg_edges);
  bpi_json_put_number(&r->json, "images", s->steps);
  bpi_json_put_number(&r->json, "collections", s->collections);
  bpi_json_put_text(&r->json, "way", bp_ltl_way_name(s->way));
  bpi_json_put_number(&r->json, "automaton_states", s->automaton_states);
  bpi_json_put_number(&r->json, "automaton_edges", s->automaton_edges);
  bpi_json_put_number(&r->json, "product_vertices", s->product_vertices);
  bpi_json_put_number(&r->json, "product_edges", s->product_edges);
  bpi_json_put_number(&r->json, "components", s->components);
  bpi_json_put_number(&r->json, "rounds", s->rounds);
  bpi_json_pop(&r->json, '}');
}

bp_status bp_ltl_write_json(bp_ltl *ltl, const bp_sink *sink, const char *name,
                            const bp_json_options *options)
{
  if (!ltl) return BP_E_INVALID;
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(ltl->ctx, BPI_BAD_SINK);
  if (!name) return bpi_invalid(ltl->ctx, "name is NULL");
  if (options && options->size != sizeof *options)
    return bpi_invalid(ltl->ctx, "options->size is not sizeof(bp_json_options)");
  bpi_context_begin(ltl->ctx);
  report r = {.ltl = ltl, .status = BP_OK};
  if (options) r.options = *options;
  r.deadline_ns = bpi_deadline_ns(ltl->limits.wall_ms);
  bp_ltl_stats stats = {.size = sizeof stats};
  bp_status status = bp_ltl_get_stats(ltl, &stats);
  if (status != BP_OK) return status;
  bpi_out out;
  bpi_out_init(&out, sink);
  bpi_json_init(&r.json, &out);
  bpi_json_push(&r.json, '{');
  bpi_json_put_number(&r.json, "version", 1);
  bpi_json_put_text(&r.json, "command", r.options.command ? r.options.command : "ltl");
  bpi_json_put_text(&r.json, "file", bp_program_name(ltl->cfg->program));
  bpi_json_key(&r.json, "results");
  bpi_json_push(&r.json, '[');
  put_result(&r, name);
  bpi_json_pop(&r.json, ']');
  put_stats(&r, &stats);
  bpi_json_pop(&r.json, '}');
  bpi_out_char(&out, '\n');
  status = bpi_out_flush(&out);
  return status != BP_OK ? bpi_sink_refused(ltl->ctx) : r.status;
}
