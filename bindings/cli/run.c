/* SPDX-License-Identifier: MIT */
#include "run.h"
#include "cmd.h"
#include "interrupt.h"
#include "read.h"
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const uint64_t MILLISECOND = 1000000;

/* ---- limits ------------------------------------------------------------ */

/* Milliseconds left for the verdicts: 0 when there is no limit, and at least 1 otherwise. */
static uint64_t time_left(const cli_run *run)
{
  const uint64_t limit = run->args->timeout_ms;
  const uint64_t spent = (cli_now_ns() - run->start) / MILLISECOND;
  return !limit ? 0 : spent < limit ? limit - spent : 1;
}

static bool time_over(const cli_run *run)
{
  return run->args->timeout_ms &&
         (cli_now_ns() - run->start) / MILLISECOND >= run->args->timeout_ms;
}

static bool stop_reading(void *user)
{
  return cli_interrupt_count() || time_over(user);
}

bp_reason cli_run_stop_reason(const cli_run *run, bp_status status)
{
  if (status == BP_E_NOMEM || status == BP_E_POISONED) return BP_REASON_MEMORY;
  if (cli_interrupt_count() > run->signals) return BP_REASON_CANCELLED;
  if (run->show_until && cli_now_ns() >= run->show_until) return BP_REASON_TIME;
  const bp_reason reason = run->query ? bp_query_reason(run->query) : BP_REASON_NONE;
  return reason != BP_REASON_NONE ? reason : BP_REASON_TIME;
}

/* For what is computed after the verdicts. */
static void set_show_limits(cli_run *run)
{
  const bp_limits limits = {
      .size = sizeof limits, .wall_ms = run->args->timeout_ms, .nodes = run->args->max_nodes};
  bp_query_set_limits(run->query, &limits);
}

bool cli_run_show_stopped(const cli_run *run)
{
  return cli_interrupt_count() > run->signals ||
         (run->show_until && cli_now_ns() >= run->show_until);
}

/* ---- failures ---------------------------------------------------------- */

/* Whether a line of the text of all diagnostics begins the one of that number. */
static bool begins_diagnostic(const bp_context *ctx, uint32_t index, const char *line, size_t len)
{
  bp_range place;
  char head[64];
  bp_context_diagnostic_range(ctx, index, &place);
  const int size = snprintf(head, sizeof head, "%s:%" PRIu32 ":%" PRIu32 ": ",
                            bp_context_diagnostic_file(ctx, index), place.line, place.column);
  return size > 0 && (size_t)size < sizeof head && len > (size_t)size &&
         !memcmp(line, head, (size_t)size);
}

/* Once there is a query, only the expressions of --when and --init are read. The library calls them
 * `when` and `init`; here they get the names that they were given under. With --quiet errors only. */
static void print_placed_diagnostics(const cli_run *run)
{
  bool silent = false;
  cli_text text = {0};
  const bp_sink sink = cli_text_sink(&text);
  bp_context_write_diagnostics(run->ctx, &sink);
  uint32_t next = 0;
  for (size_t at = 0; at < text.len;) {
    const char *line = text.at + at, *end = memchr(line, '\n', text.len - at);
    const size_t len = end ? (size_t)(end - line) + 1 : text.len - at;
    if (begins_diagnostic(run->ctx, next, line, len)) {
      silent = run->args->quiet && bp_context_diagnostic_severity(run->ctx, next) != BP_ERROR;
      if (run->query && !silent) fputs("--", stderr);
      next++;
    }
    if (!silent) fwrite(line, 1, len, stderr);
    at += len;
  }
  cli_text_free(&text);
}

static void print_diagnostics(const cli_run *run)
{
  const uint32_t count = bp_context_diagnostic_count(run->ctx);
  bp_range place = {0};
  for (uint32_t i = 0; i < count && !place.line; i++)
    bp_context_diagnostic_range(run->ctx, i, &place);
  if (place.line) {
    print_placed_diagnostics(run);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    fprintf(stderr, "%s: %s: %s\n", run->file,
            bp_context_diagnostic_severity(run->ctx, i) == BP_ERROR ? "error" : "warning",
            bp_context_diagnostic_text(run->ctx, i));
}

bool cli_run_undecided(cli_run *run, bp_reason reason)
{
  run->exit = CLI_UNDECIDED;
  run->reason = reason;
  return false;
}

void cli_run_say_undecided(const cli_run *run)
{
  if (run->exit == CLI_UNDECIDED)
    fprintf(stderr, "%s: %s: undecided (%s)\n", run->file, run->args->command->name,
            bp_reason_name(run->reason));
}

bool cli_run_fail(cli_run *run, bp_status status)
{
  const bool memory = status == BP_E_NOMEM || status == BP_E_POISONED;
  if (status == BP_E_LIMIT || (memory && run->in_engine))
    return cli_run_undecided(run, cli_run_stop_reason(run, status));
  run->exit = CLI_TROUBLE;
  if (bp_context_error_count(run->ctx) && bp_context_diagnostic_count(run->ctx))
    print_diagnostics(run);
  else if (status == BP_E_NOMEM)
    fprintf(stderr, "%s: error: out of memory\n", run->file);
  else
    fprintf(stderr, "%s: error: %s\n", run->file, bp_status_name(status));
  return false;
}

/* ---- the steps --------------------------------------------------------- */

static bool parse(cli_run *run, const cli_text *text)
{
  const bp_limits limits = {.size = sizeof limits, .wall_ms = time_left(run)};
  bp_context_set_limits(run->ctx, &limits);
  bp_program_options reading = run->args->reading;
  reading.entry_optional = (run->args->command->bit & (CLI_FMT | CLI_INFO)) != 0 && !run->args->chc;
  const double before = cli_cpu_seconds();
  const bp_status status = bp_program_parse(&run->program, run->ctx, text->len ? text->at : "",
                                            text->len, run->file, &reading);
  run->parse_seconds = cli_cpu_seconds() - before;
  if (status != BP_OK) return cli_run_fail(run, status);
  if (!run->args->quiet) print_diagnostics(run);
  return true;
}

bool cli_run_read(cli_run *run, const cli_args *args)
{
  *run = (cli_run){.args = args, .file = args->operands[0], .start = cli_now_ns()};
  run->progress.start = run->start;
  if (bp_context_new(&run->ctx) != BP_OK) {
    fputs("bp: out of memory\n", stderr);
    run->exit = CLI_TROUBLE;
    return false;
  }
  cli_interrupt_context(run->ctx);
  cli_text text = {0};
  bool ok = false;
  switch (cli_read_file(&text, run->file, stop_reading, run)) {
  case CLI_READ_OK: ok = parse(run, &text); break;
  case CLI_READ_FAILED: run->exit = CLI_TROUBLE; break;
  case CLI_READ_STOPPED: cli_run_fail(run, BP_E_LIMIT); break;
  }
  cli_text_free(&text);
  return ok;
}

bool cli_run_graph(cli_run *run)
{
  const bp_limits limits = {.size = sizeof limits, .wall_ms = time_left(run)};
  bp_context_set_limits(run->ctx, &limits);
  const double before = cli_cpu_seconds();
  const bp_status status = bp_cfg_new(&run->cfg, run->ctx, run->program);
  run->build_seconds = cli_cpu_seconds() - before;
  return status == BP_OK || cli_run_fail(run, status);
}

bool cli_run_query(cli_run *run)
{
  const bp_query_options options = {.size = sizeof options, .off = run->args->engine_off};

  const bp_manager_options kernel = {
      .size = sizeof kernel, .kernel = run->args->kernel, .sift = run->args->sift};

  run->in_engine = true;
  bp_status status = bp_manager_new(&run->manager, run->ctx, &kernel);
  if (status == BP_OK)
    status = bp_query_new(&run->query, run->ctx, run->manager, run->cfg, &options);
  if (status != BP_OK) return cli_run_fail(run, status);
  cli_interrupt_query(run->query);
  if (cli_interrupt_count()) bp_query_cancel(run->query); /* the signal was too early for it */
  if (!run->args->quiet && cli_progress_wanted())
    bp_query_set_progress(run->query, cli_progress_step, &run->progress);
  if (run->args->init) status = bp_query_set_init(run->query, run->args->init);
  return status == BP_OK || cli_run_fail(run, status);
}

bool cli_run_add(cli_run *run, const char *target)
{
  const bp_status status = bp_query_add(run->query, target, run->args->when);
  return status == BP_OK || cli_run_fail(run, status);
}

bool cli_run_add_asserts(cli_run *run)
{
  const bp_status status = bp_query_add_asserts(run->query);
  return status == BP_OK || cli_run_fail(run, status);
}

bool cli_run_limit(cli_run *run)
{
  if (time_over(run)) return cli_run_undecided(run, BP_REASON_TIME);
  const bp_limits limits = {.size = sizeof limits,
                            .wall_ms = time_left(run),
                            .nodes = run->args->max_nodes,
                            .steps = run->args->max_steps};
  bp_query_set_limits(run->query, &limits);
  return true;
}

bool cli_run_decide(cli_run *run)
{
  if (!cli_run_limit(run)) return false;
  bp_status status = bp_query_target_count(run->query) ? bp_query_run(run->query) : BP_OK;
  cli_progress_end(&run->progress);
  if (status != BP_OK && status != BP_E_POISONED && status != BP_E_NOMEM)
    return cli_run_fail(run, status);
  status = bp_query_answer(&run->answer, run->query);
  if (status != BP_OK) return cli_run_fail(run, status);
  run->signals = cli_interrupt_count();
  if (run->args->timeout_ms) run->show_until = cli_now_ns() + run->args->timeout_ms * MILLISECOND;
  set_show_limits(run);
  return true;
}

cli_exit cli_run_end(cli_run *run)
{
  cli_progress_end(&run->progress);
  if (run->args->stats && run->query && !run->answer) bp_query_answer(&run->answer, run->query);
  if (run->args->stats && run->program) cli_stats_print(run);
  cli_interrupt_query(NULL);
  cli_interrupt_context(NULL);
  bp_answer_unref(run->answer);
  bp_query_unref(run->query);
  bp_manager_unref(run->manager);
  bp_cfg_unref(run->cfg);
  bp_program_unref(run->program);
  bp_context_unref(run->ctx);
  return run->exit;
}
