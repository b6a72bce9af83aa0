/* SPDX-License-Identifier: MIT */
#include "run.h"
#include "cmd.h"
#include "interrupt.h"
#include "read.h"
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

bool cli_run_stop_reading(void *user)
{
  return cli_interrupt_count() || time_over(user);
}

bp_reason cli_run_stop_reason(const cli_run *run, bp_status status)
{
  if (status == BP_E_NOMEM || status == BP_E_POISONED) return BP_REASON_MEMORY;
  if (cli_interrupt_count() > run->signals) return BP_REASON_CANCELLED;
  if (run->show_until && cli_now_ns() >= run->show_until) return BP_REASON_TIME;
  const bp_reason reason = run->ltl     ? bp_ltl_reason(run->ltl)
                           : run->query ? bp_query_reason(run->query)
                                        : BP_REASON_NONE;
  if (reason != BP_REASON_NONE) return reason;
  /* Nothing was asked yet: what was read took too long, or grew too large. */
  return time_over(run) ? BP_REASON_TIME : BP_REASON_NODES;
}

void cli_run_say_cut(cli_run *run, bp_status status, const char *what)
{
  cli_progress_end();
  if (status == BP_OK || status == BP_E_IO) return;
  const bool limit = status == BP_E_LIMIT || status == BP_E_NOMEM || status == BP_E_POISONED;
  fflush(stdout);
  fprintf(stderr, "bp: %s (%s)\n", what,
          limit ? bp_reason_name(cli_run_stop_reason(run, status)) : bp_status_name(status));
  if (status == BP_E_INTERNAL) run->exit = CLI_TROUBLE;
}

bp_limits cli_run_show(cli_run *run, int signals)
{
  run->signals = signals;
  if (run->args->timeout_ms) run->show_until = cli_now_ns() + run->args->timeout_ms * MILLISECOND;
  return (bp_limits){
      .size = sizeof(bp_limits), .wall_ms = run->args->timeout_ms, .nodes = run->args->max_nodes};
}

/* For what is computed after the verdicts. */
static void set_show_limits(cli_run *run, int signals)
{
  const bp_limits limits = cli_run_show(run, signals);
  for (uint32_t i = 0; i < run->part_count; i++)
    bp_query_set_limits(run->queries[i], &limits);
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
      if ((run->query || run->at_option) && !silent) fputs("--", stderr);
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
  if (status == BP_E_LIMIT || (memory && run->in_engine)) {
    cli_run_undecided(run, cli_run_stop_reason(run, status));
    if (status == BP_E_LIMIT && run->reason == BP_REASON_NODES && !run->ltl && !run->query)
      fprintf(stderr, "%s: %s\n", run->file, bp_context_message(run->ctx));
    return false;
  }
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

static bool ends_in(const char *name, const char *end)
{
  const size_t len = strlen(name), tail = strlen(end);
  return len >= tail && !strcmp(name + len - tail, end);
}

static bool parse(cli_run *run, const cli_text *text)
{
  const bp_limits limits = {.size = sizeof limits, .wall_ms = time_left(run)};
  bp_context_set_limits(run->ctx, &limits);
  bp_program_options reading = run->args->reading;
  reading.entry_optional = (run->args->command->bit & (CLI_FMT | CLI_INFO)) != 0 &&
                           !run->args->chc && !run->args->pushdown;
  if (!run->args->language_given && ends_in(run->file, ".rem"))
    reading.language = BP_LANGUAGE_REMOPLA;
  const double before = cli_cpu_seconds();
  const bp_status status = bp_program_parse(&run->program, run->ctx, text->len ? text->at : "",
                                            text->len, run->file, &reading);
  run->parse_seconds = cli_cpu_seconds() - before;
  if (status != BP_OK) return cli_run_fail(run, status);
  if (!run->args->quiet) print_diagnostics(run);
  return true;
}

bool cli_run_read(cli_run *run, const cli_args *args, const char *file)
{
  *run = (cli_run){.args = args, .file = file, .jobs = args->jobs, .start = cli_now_ns()};
  cli_progress_begin();
  if (bp_context_new(&run->reader) != BP_OK) {
    fputs("bp: out of memory\n", stderr);
    run->exit = CLI_TROUBLE;
    return false;
  }
  run->ctx = run->reader;
  cli_interrupt_context(run->ctx);
  cli_text text = {0};
  bool ok = false;
  switch (cli_read_file(&text, run->file, cli_run_stop_reading, run)) {
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

/* ---- queries ----------------------------------------------------------- */

static void take_in_hand(cli_run *run, uint32_t part)
{
  run->ctx = run->parts[part].ctx;
  run->query = run->queries[part];
  run->answer = run->parts[part].answer;
}

/* The first target of a part, also of the one behind the last. */
static uint32_t first_target(const cli_run *run, uint32_t part)
{
  return (uint32_t)((uint64_t)run->target_count * part / run->part_count);
}

static bool make_room(cli_run *run, uint32_t targets)
{
  const uint32_t parts = targets < run->jobs ? targets : run->jobs;
  run->target_count = targets;
  run->part_count = parts ? parts : 1;
  run->parts = calloc(run->part_count, sizeof *run->parts);
  run->queries = calloc((size_t)run->part_count + 1, sizeof *run->queries);
  run->statuses = calloc(run->part_count, sizeof *run->statuses);
  if (run->parts && run->queries && run->statuses) return true;
  run->part_count = 0;
  return false;
}

static bp_status make_part(cli_run *run, uint32_t number)
{
  const bp_query_options options = {.size = sizeof options, .off = run->args->engine_off};
  const bp_manager_options kernel = cli_manager_options(run->args);
  cli_part *part = &run->parts[number];
  bp_query **query = &run->queries[number];
  bp_status status = BP_OK;
  part->first = first_target(run, number);
  if (number)
    status = bp_context_new(&part->ctx);
  else
    part->ctx = bp_context_ref(run->reader);
  if (status != BP_OK) return status;
  run->ctx = part->ctx;
  status = bp_manager_new(&part->manager, part->ctx, &kernel);
  if (status == BP_OK) status = bp_query_new(query, part->ctx, part->manager, run->cfg, &options);
  if (status != BP_OK) return status;
  take_in_hand(run, number);
  if (!run->args->quiet && cli_progress_wanted())
    bp_query_set_progress(*query, cli_progress_step, &part->ticker);
  return run->args->init ? bp_query_set_init(*query, run->args->init) : BP_OK;
}

bool cli_run_query(cli_run *run, uint32_t targets)
{
  run->in_engine = true;
  bp_status status = make_room(run, targets) ? BP_OK : BP_E_NOMEM;
  for (uint32_t i = 0; i < run->part_count && status == BP_OK; i++)
    status = make_part(run, i);
  if (status != BP_OK) return cli_run_fail(run, status);
  cli_interrupt_queries(run->queries);
  return true;
}

bool cli_run_add_all(cli_run *run, const char *const *targets, uint32_t count, uint32_t asserts)
{
  for (uint32_t part = 0; part < run->part_count; part++) {
    const uint32_t first = first_target(run, part), end = first_target(run, part + 1);
    bp_status status = BP_OK;
    take_in_hand(run, part);
    for (uint32_t i = first; i < end && i < count && status == BP_OK; i++)
      status = bp_query_add(run->query, targets[i], run->args->when);
    const uint32_t from = first > count ? first : count;
    if (status == BP_OK && asserts && end > from)
      status = bp_query_add_assert_range(run->query, from - count, end - from);
    if (status != BP_OK) return cli_run_fail(run, status);
  }
  return true;
}

uint32_t cli_run_turn_to(cli_run *run, uint32_t target)
{
  uint32_t part = run->part_count - 1;
  while (part && run->parts[part].first > target)
    part--;
  take_in_hand(run, part);
  return target - run->parts[part].first;
}

bool cli_run_limits(cli_run *run, bp_limits *limits)
{
  if (time_over(run)) return cli_run_undecided(run, BP_REASON_TIME);
  *limits = (bp_limits){.size = sizeof *limits,
                        .wall_ms = time_left(run),
                        .nodes = run->args->max_nodes,
                        .steps = run->args->max_steps};
  return true;
}

bool cli_run_limit(cli_run *run)
{
  bp_limits limits;
  if (!cli_run_limits(run, &limits)) return false;
  for (uint32_t i = 0; i < run->part_count; i++)
    bp_query_set_limits(run->queries[i], &limits);
  return true;
}

/* ---- verdicts ---------------------------------------------------------- */

void cli_run_queries(bp_query *const *queries, bp_status *statuses, uint32_t jobs)
{
  uint32_t count = 0;
  cli_interrupt_queries(queries);
  for (; queries[count]; count++) {
    statuses[count] = BP_E_NOMEM; /* when that keeps the call from running them */
    if (cli_interrupt_count())
      bp_query_cancel(queries[count]); /* the signal was too early for it */
  }
  bp_query_run_all(queries, count, jobs, statuses);
  cli_progress_end();
}

bool cli_run_answers(cli_run *run, const bp_status *statuses, int signals)
{
  for (uint32_t i = 0; i < run->part_count; i++) {
    bp_status status = statuses[i];
    take_in_hand(run, i);
    if (!bp_query_target_count(run->query)) status = BP_OK;
    if (status != BP_OK && status != BP_E_POISONED && status != BP_E_NOMEM)
      return cli_run_fail(run, status);
    if (status == BP_E_NOMEM && bp_query_reason(run->query) == BP_REASON_NOT_RUN)
      return cli_run_fail(run, status);
    status = bp_query_answer(&run->parts[i].answer, run->query);
    if (status != BP_OK) return cli_run_fail(run, status);
  }
  take_in_hand(run, 0);
  set_show_limits(run, signals);
  return true;
}

bool cli_run_decide(cli_run *run)
{
  if (!cli_run_limit(run)) return false;
  cli_run_queries(run->queries, run->statuses, run->jobs);
  return cli_run_answers(run, run->statuses, cli_interrupt_count());
}

bp_json_options cli_run_json_options(const cli_run *run)
{
  return (bp_json_options){.size = sizeof(bp_json_options),
                           .command = run->args->command->name,
                           .no_trace = run->args->no_trace,
                           .shortest = run->args->shortest,
                           .any = run->args->any_trace,
                           .levels = run->args->levels,
                           .parse_seconds = run->parse_seconds,
                           .build_seconds = run->build_seconds};
}

static void drop_part(cli_part *part, bp_query *query)
{
  cli_progress_leave(&part->ticker);
  bp_answer_unref(part->answer);
  bp_query_unref(query);
  bp_manager_unref(part->manager);
  bp_context_unref(part->ctx);
}

cli_exit cli_run_end(cli_run *run)
{
  cli_progress_end();
  if (run->args->stats && run->program) cli_stats_print(run);
  cli_interrupt_queries(NULL);
  cli_interrupt_ltl(NULL);
  cli_interrupt_context(NULL);
  for (uint32_t i = 0; i < run->part_count; i++)
    drop_part(&run->parts[i], run->queries[i]);
  bp_ltl_unref(run->ltl);
  free(run->parts);
  free(run->queries);
  free(run->statuses);
  bp_cfg_unref(run->cfg);
  bp_program_unref(run->program);
  bp_context_unref(run->reader);
  return run->exit;
}
