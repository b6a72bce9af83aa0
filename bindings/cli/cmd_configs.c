/* SPDX-License-Identifier: MIT
 * bp configs: the stacks with which a target is reached. */
#include "cmd.h"
#include "interrupt.h"
#include "json_text.h"
#include "run.h"
#include "screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct question {
  cli_run *run;
  bp_manager *manager;
  bp_query *query; /* knows what the target means; it is never run */
  bp_pushdown *pushdown;
  bp_configurations *set;
  bp_stacks *stacks;
  uint8_t *crowded; /* by vertex: its line has more places that stand on stacks */
  char name[512];   /* of the symbol written last */
  cli_ticker ticker;
  cli_set_stats stats;
} question;

/* ---- failures ------------------------------------------------------------ */

/* Sets of configurations say why they stopped in their message. */
static bp_reason reason_of(const bp_context *ctx)
{
  static const char stopped[] = "stopped: ";
  const char *message = bp_context_message(ctx);
  for (int reason = BP_REASON_TIME; reason < BP_REASON_NOT_RUN; reason++)
    if (!strncmp(message, stopped, sizeof stopped - 1) &&
        !strcmp(message + sizeof stopped - 1, bp_reason_name((bp_reason)reason)))
      return (bp_reason)reason;
  if (strstr(message, "variables")) return BP_REASON_VARIABLES;
  return cli_interrupt_count() ? BP_REASON_CANCELLED : BP_REASON_TIME;
}

static bool step(cli_run *run, bp_status status)
{
  if (status == BP_OK) return true;
  if (status == BP_E_LIMIT) return cli_run_undecided(run, reason_of(run->ctx));
  return cli_run_fail(run, status);
}

/* ---- the question ---------------------------------------------------------- */

static bool read_target(question *q)
{
  cli_run *run = q->run;
  const cli_args *args = run->args;
  const bp_manager_options kernel = cli_manager_options(args);
  if (!step(run, bp_manager_new(&q->manager, run->ctx, &kernel))) return false;
  if (!step(run, bp_query_new(&q->query, run->ctx, q->manager, run->cfg, NULL))) return false;
  run->at_option = true;
  if (args->init && !step(run, bp_query_set_init(q->query, args->init))) return false;
  if (!step(run, bp_query_add(q->query, args->at, args->when))) return false;
  run->at_option = false;
  return true;
}

static bool find_proc(cli_run *run, const char *name, uint32_t *proc)
{
  *proc = name ? bp_program_find_proc(run->program, name) : BP_NONE;
  if (!name || *proc != BP_NONE) return true;
  fprintf(stderr, "%s: error: unknown procedure '%s'\n", run->file, name);
  run->exit = CLI_TROUBLE;
  return false;
}

/* Edges for all return points of a procedure. */
static bp_status add_returns(question *q, bp_stacks *s, uint32_t from, uint32_t proc, uint32_t to)
{
  const bp_cfg *cfg = q->run->cfg;
  bp_status status = BP_OK;
  for (uint32_t i = bp_cfg_vertex_count(cfg);
       proc != BP_NONE && i < bp_pushdown_symbol_count(q->pushdown) && status == BP_OK; i++) {
    const uint32_t vertex = bp_pushdown_symbol_vertex(q->pushdown, i);
    if (bp_cfg_vertex_proc(cfg, vertex) == proc) status = bp_stacks_edge(s, from, i, to);
  }
  return status;
}

/* The stacks that are asked for: the target on top; below it a frame of --below, none of --not-below. */
static bp_status describe(question *q, bp_stacks *s, uint32_t below, uint32_t not_below)
{
  uint32_t vertex;
  const uint32_t without = bp_stacks_state(s), with = bp_stacks_state(s),
                 never = bp_stacks_state(s);
  bp_status status = never == BP_NONE ? BP_E_NOMEM : BP_OK;
  for (uint32_t i = 0; (vertex = bp_query_target_vertex(q->query, 0, i)) != BP_NONE; i++)
    if (status == BP_OK && bp_stacks_next(s, 0, vertex) == BP_NONE)
      status = bp_stacks_edge(s, 0, vertex, without);
  if (status == BP_OK) status = bp_stacks_otherwise(s, without, without);
  if (status == BP_OK) status = bp_stacks_otherwise(s, with, with);
  if (status == BP_OK) status = add_returns(q, s, without, not_below, never);
  if (status == BP_OK) status = add_returns(q, s, with, not_below, never);
  if (status == BP_OK && below != not_below) status = add_returns(q, s, without, below, with);
  if (status == BP_OK) status = bp_stacks_accept(s, with);
  if (status == BP_OK && below == BP_NONE) status = bp_stacks_accept(s, without);
  return status;
}

/* Replaces the set by one that a call made from it. */
static bool take(question *q, bp_status status, bp_configurations *next)
{
  if (!step(q->run, status)) return false;
  bp_configurations_unref(q->set);
  q->set = next;
  q->stats.images = bp_configurations_steps(next);
  q->ticker.steps = 0; /* each call counts its own */
  return true;
}

static bool start(question *q)
{
  cli_run *run = q->run;
  bp_limits limits;
  bp_configurations *next;
  if (!cli_run_limits(run, &limits)) return false;
  bp_context_set_limits(run->ctx, &limits);
  run->in_engine = true;
  if (!step(run, bp_pushdown_from_cfg(&q->pushdown, run->ctx, run->cfg)) ||
      !step(run, bp_configurations_new(&q->set, run->ctx, q->manager, q->pushdown)) ||
      !step(run, bp_configurations_add_start(q->set)))
    return false;
  if (!run->args->quiet && cli_progress_wanted())
    bp_configurations_set_progress(q->set, cli_progress_step, &q->ticker);
  if (!run->args->init) return true;
  const bp_status status =
      bp_configurations_restrict(&next, q->set, NULL, run->args->init, &limits);
  return take(q, status, next);
}

static bool explore(question *q, const bp_stacks *wanted)
{
  cli_run *run = q->run;
  bp_limits limits;
  bp_configurations *next;
  if (!cli_run_limits(run, &limits)) return false;
  bp_status status = bp_pushdown_post(&next, q->set, &limits);
  if (!take(q, status, next) || !cli_run_limits(run, &limits)) return false;
  q->stats.transitions = bp_configurations_transition_count(next);
  status = bp_configurations_restrict(&next, q->set, wanted, run->args->when, &limits);
  if (!take(q, status, next) || !cli_run_limits(run, &limits)) return false;
  return step(run, bp_configurations_stacks(&q->stacks, q->set, &limits));
}

static bool decide(question *q)
{
  cli_run *run = q->run;
  uint32_t below, not_below;
  bp_stacks *wanted = NULL;
  if (!cli_run_graph(run) || !read_target(q) || !find_proc(run, run->args->below, &below) ||
      !find_proc(run, run->args->not_below, &not_below))
    return false;
  const double before = cli_cpu_seconds();
  bool ok = start(q) && step(run, bp_stacks_new(&wanted, run->ctx, q->pushdown)) &&
            step(run, describe(q, wanted, below, not_below)) && explore(q, wanted);
  q->stats.engine_seconds = cli_cpu_seconds() - before;
  cli_progress_end();
  bp_stacks_unref(wanted);
  const bp_limits limits = cli_run_show(run, cli_interrupt_count());
  if (ok) ok = step(run, bp_context_set_limits(run->ctx, &limits));
  return ok;
}

/* ---- names ------------------------------------------------------------------ */

static bool stands_on_stacks(const question *q, uint32_t vertex)
{
  const uint32_t stmt = bp_cfg_vertex_stmt(q->run->cfg, vertex);
  return stmt != BP_NONE && (bp_stmt_callee(q->run->program, stmt) != BP_NONE ||
                             bp_stacks_next(q->stacks, 0, vertex) != BP_NONE);
}

static bp_range place_of(const question *q, uint32_t vertex)
{
  bp_range range = {0};
  const uint32_t stmt = bp_cfg_vertex_stmt(q->run->cfg, vertex);
  if (stmt != BP_NONE) bp_stmt_range(q->run->program, stmt, &range);
  return range;
}

/* Marks the vertices that need a column beside their line. Those of a line are neighbours. */
static bool find_crowded(question *q)
{
  const bp_cfg *cfg = q->run->cfg;
  const uint32_t count = bp_cfg_vertex_count(cfg);
  q->crowded = calloc((size_t)count + 1, 1);
  if (!q->crowded) return cli_run_fail(q->run, BP_E_NOMEM);
  for (uint32_t first = 0, end; first < count; first = end) {
    const uint32_t line = place_of(q, first).line, proc = bp_cfg_vertex_proc(cfg, first);
    uint32_t places = 0;
    for (end = first;
         end < count && bp_cfg_vertex_proc(cfg, end) == proc && place_of(q, end).line == line;
         end++)
      places += stands_on_stacks(q, end);
    memset(q->crowded + first, places > 1, end - first);
  }
  return true;
}

/* PROC:LINE, and the column where a line has several. */
static const char *name_of(uint32_t symbol, void *user)
{
  question *q = user;
  const uint32_t vertex = bp_pushdown_symbol_vertex(q->pushdown, symbol);
  const bp_range range = place_of(q, vertex);
  const char *proc = bp_proc_name(q->run->program, bp_cfg_vertex_proc(q->run->cfg, vertex));
  if (!range.line || !proc) return NULL;
  int len = snprintf(q->name, sizeof q->name, "%s:%" PRIu32, proc, range.line);
  if (q->crowded[vertex] && len > 0 && (size_t)len < sizeof q->name)
    len += snprintf(q->name + len, sizeof q->name - (size_t)len, ":%" PRIu32, range.column);
  return len > 0 && (size_t)len < sizeof q->name ? q->name : NULL;
}

/* ---- answers ------------------------------------------------------------------ */

static bool any(const question *q)
{
  return bp_stacks_edge_count(q->stacks, 0) > 0;
}

static void print_line(const cli_run *run, bp_verdict verdict)
{
  static const cli_color colors[] = {
      [BP_UNDECIDED] = CLI_DOUBT, [BP_REACHABLE] = CLI_BAD, [BP_UNREACHABLE] = CLI_GOOD};
  printf("configs: %s %s%s%s", run->args->at, cli_color_code(colors[verdict]),
         bp_verdict_name(verdict), cli_color_code(CLI_PLAIN));
  if (verdict == BP_UNDECIDED) printf(" (%s)", bp_reason_name(run->reason));
  putchar('\n');
}

/* The verdict stands, whatever happens to the text. */
static void say_cut(cli_run *run, bp_status status)
{
  if (status == BP_OK || status == BP_E_IO) return;
  const bp_reason reason = status == BP_E_LIMIT ? reason_of(run->ctx) : BP_REASON_NONE;
  fflush(stdout);
  fprintf(stderr, "bp: the stacks are not complete (%s)\n",
          reason != BP_REASON_NONE ? bp_reason_name(reason) : bp_status_name(status));
}

static void print_set(question *q)
{
  cli_run *run = q->run;
  bp_sink sink;
  bp_sink_stdio(&sink, stdout);
  const bool data = run->args->data;
  bp_status status;
  if (run->args->dot)
    status = data ? bp_configurations_write_dot(q->set, &sink, name_of, q)
                  : bp_stacks_write_dot(q->stacks, &sink, name_of, q);
  else
    status = data ? bp_configurations_write(q->set, &sink, name_of, q)
                  : bp_stacks_write(q->stacks, &sink, 0, name_of, q);
  say_cut(run, status);
}

/* ---- JSON ------------------------------------------------------------------------ */

static void put_number(cli_text *out, const char *key, uint64_t number)
{
  cli_text_puts(out, key);
  cli_text_number(out, number);
}

static void put_edge(question *q, cli_text *out, uint32_t from, uint32_t index)
{
  const uint32_t symbol = bp_stacks_edge_symbol(q->stacks, from, index);
  const uint32_t vertex = bp_pushdown_symbol_vertex(q->pushdown, symbol);
  const bp_range range = place_of(q, vertex);
  const char *proc = bp_proc_name(q->run->program, bp_cfg_vertex_proc(q->run->cfg, vertex));
  put_number(out, "{\"from\":", from);
  put_number(out, ",\"to\":", bp_stacks_edge_to(q->stacks, from, index));
  cli_text_puts(out, ",\"proc\":");
  cli_json_string(out, proc ? proc : "");
  put_number(out, ",\"line\":", range.line);
  put_number(out, ",\"column\":", range.column);
  cli_text_puts(out, "}");
}

static void put_stacks(question *q, cli_text *out)
{
  const uint32_t count = bp_stacks_state_count(q->stacks);
  const char *comma = "";
  put_number(out, ",\"stacks\":{\"states\":", count);
  cli_text_puts(out, ",\"start\":0,\"accepting\":[");
  for (uint32_t i = 0; i < count; i++) {
    if (!bp_stacks_accepts(q->stacks, i)) continue;
    put_number(out, comma, i);
    comma = ",";
  }
  cli_text_puts(out, "],\"edges\":[");
  comma = "";
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < bp_stacks_edge_count(q->stacks, i); k++) {
      cli_text_puts(out, comma);
      put_edge(q, out, i, k);
      comma = ",";
    }
  cli_text_puts(out, "]}");
}

static void look_at_manager(question *q)
{
  q->stats.manager.size = sizeof q->stats.manager;
  if (q->manager) bp_manager_get_stats(q->manager, &q->stats.manager);
}

static void put_stats(question *q, cli_text *out)
{
  const cli_run *run = q->run;
  const bp_manager_stats *manager = &q->stats.manager;
  look_at_manager(q);
  cli_text_puts(out, ",\"stats\":{\"parse_seconds\":");
  cli_json_seconds(out, run->parse_seconds);
  cli_text_puts(out, ",\"build_seconds\":");
  cli_json_seconds(out, run->build_seconds);
  cli_text_puts(out, ",\"engine_seconds\":");
  cli_json_seconds(out, q->stats.engine_seconds);
  put_number(out, ",\"peak_nodes\":", manager->peak_nodes);
  put_number(out, ",\"bdd_vars\":", manager->vars);
  put_number(out, ",\"cfg_vertices\":", bp_cfg_vertex_count(run->cfg));
  put_number(out, ",\"cfg_edges\":", bp_cfg_edge_count(run->cfg));
  put_number(out, ",\"images\":", q->stats.images);
  put_number(out, ",\"collections\":", manager->collections);
  put_number(out, ",\"transitions\":", q->stats.transitions);
  cli_text_puts(out, "}");
}

static bool is_line(const char *target)
{
  const char *name = strrchr(target, ':');
  name = name ? name + 1 : target;
  return *name && !name[strspn(name, "0123456789")] && !strstr(target, "label:");
}

static void print_json(question *q, bp_verdict verdict)
{
  const cli_run *run = q->run;
  const uint32_t vertex = bp_query_target_vertex(q->query, 0, 0);
  const char *proc = bp_proc_name(run->program, bp_cfg_vertex_proc(run->cfg, vertex));
  cli_text out = {0};
  cli_json_begin(&out, run->args->command->name, run->file);
  cli_text_puts(&out, ",\"results\":[{\"target\":{\"kind\":");
  cli_json_string(&out, is_line(run->args->at) ? "line" : "label");
  cli_text_puts(&out, ",\"name\":");
  cli_json_string(&out, run->args->at);
  cli_text_puts(&out, ",\"proc\":");
  cli_json_string(&out, proc && q->query ? proc : "");
  put_number(&out, ",\"line\":", q->query ? place_of(q, vertex).line : 0);
  cli_text_puts(&out, "},\"verdict\":");
  cli_json_string(&out, bp_verdict_name(verdict));
  if (verdict == BP_UNDECIDED) {
    cli_text_puts(&out, ",\"reason\":");
    cli_json_string(&out, bp_reason_name(run->reason));
  } else {
    put_stacks(q, &out);
  }
  cli_text_puts(&out, "}]");
  put_stats(q, &out);
  cli_text_puts(&out, "}\n");
  if (out.failed)
    cli_run_fail(q->run, BP_E_NOMEM);
  else
    fwrite(out.at, 1, out.len, stdout);
  cli_text_free(&out);
}

/* ---- the command ------------------------------------------------------------------- */

static void answer(question *q)
{
  cli_run *run = q->run;
  const bp_verdict verdict = any(q) ? BP_REACHABLE : BP_UNREACHABLE;
  if (!find_crowded(q)) return;
  run->exit = any(q) ? CLI_VIOLATED : CLI_HOLDS;
  if (run->args->json) {
    print_json(q, verdict);
    return;
  }
  if (!run->args->dot) print_line(run, verdict);
  if ((any(q) || run->args->dot) && !ferror(stdout)) print_set(q);
}

static bool check_options(const cli_args *args)
{
  if (!args->at)
    cli_usage_error(args->command, "configs needs --at TARGET");
  else if (args->json && (args->dot || args->data))
    cli_usage_error(args->command, "--json goes neither with --dot nor with --data");
  else
    return true;
  return false;
}

cli_exit cmd_configs(const cli_args *args)
{
  cli_run run;
  question q = {.run = &run};
  if (!check_options(args)) return CLI_TROUBLE;
  if (cli_run_read(&run, args, args->operands[0]) && decide(&q))
    answer(&q);
  else if (run.exit == CLI_UNDECIDED && args->json)
    print_json(&q, BP_UNDECIDED);
  else if (run.exit == CLI_UNDECIDED && !args->dot)
    print_line(&run, BP_UNDECIDED);
  else if (run.exit == CLI_UNDECIDED)
    cli_run_say_undecided(&run);
  look_at_manager(&q);
  if (q.manager) run.set = &q.stats;
  bp_query_unref(q.query);
  bp_stacks_unref(q.stacks);
  bp_configurations_unref(q.set);
  bp_pushdown_unref(q.pushdown);
  bp_manager_unref(q.manager);
  free(q.crowded);
  const cli_exit status = cli_run_end(&run);
  cli_progress_leave(&q.ticker);
  return status;
}
