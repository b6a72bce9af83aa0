/* SPDX-License-Identifier: MIT */
#include "verdict.h"
#include "cmd.h"
#include "json_text.h"
#include "trace_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- lines ------------------------------------------------------------- */

static void print_word(cli_color color, const char *word)
{
  printf("%s%s%s", cli_color_code(color), word, cli_color_code(CLI_PLAIN));
}

static void print_undecided(bp_reason reason)
{
  print_word(CLI_DOUBT, "undecided");
  printf(" (%s)\n", bp_reason_name(reason));
}

static void print_reach_line(const char *target, bp_verdict verdict, bp_reason reason)
{
  printf("reach: %s ", target);
  if (verdict == BP_UNDECIDED) {
    print_undecided(reason);
    return;
  }
  print_word(verdict == BP_REACHABLE ? CLI_BAD : CLI_GOOD, bp_verdict_name(verdict));
  putchar('\n');
}

static void begin_check_line(const cli_run *run)
{
  if (run->named) printf("%s: ", run->file);
  fputs("check: ", stdout);
}

static void print_failed_line(const cli_run *run, uint32_t target)
{
  begin_check_line(run);
  print_word(CLI_BAD, "FAILED");
  printf("  %s:%" PRIu32 ": %s in %s\n", run->file, bp_answer_target_line(run->answer, target),
         bp_answer_target_name(run->answer, target), bp_answer_target_proc(run->answer, target));
}

/* ---- traces ------------------------------------------------------------ */

static bp_status walk_trace(cli_view *view, bp_trace *trace)
{
  bp_cursor *cursor;
  bp_status status = bp_cursor_new(&cursor, trace);
  if (status != BP_OK) return status;
  status =
      view->run->args->reverse ? cli_trace_reverse(view, cursor) : cli_trace_forward(view, cursor);
  bp_cursor_free(cursor);
  return status;
}

/* The verdict stands, whatever happens to its trace. */
static void print_trace(cli_view *view, uint32_t target)
{
  cli_run *run = view->run;
  if (run->args->no_trace || ferror(stdout)) return;
  const bp_trace_options options = {.size = sizeof options,
                                    .shortest = run->args->shortest,
                                    .any = run->args->any_trace,
                                    .levels = run->args->levels};
  bp_trace *trace = NULL;
  bp_status status = cli_trace_poll(view);
  if (status == BP_OK) status = bp_trace_new(&trace, run->query, target, &options);
  if (status == BP_OK) status = walk_trace(view, trace);
  bp_trace_unref(trace);
  cli_run_say_cut(run, status, "the trace is not complete");
}

/* ---- answers as text --------------------------------------------------- */

static void note(cli_run *run, bp_verdict verdict)
{
  static const cli_exit exits[] = {
      [BP_UNDECIDED] = CLI_UNDECIDED, [BP_REACHABLE] = CLI_VIOLATED, [BP_UNREACHABLE] = CLI_HOLDS};
  run->exit = cli_worse(run->exit, exits[verdict]);
}

static void print_targets(cli_view *view, const char *const *targets, uint32_t count)
{
  cli_run *run = view->run;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t at = cli_run_turn_to(run, i);
    const bp_verdict verdict = bp_answer_verdict(run->answer, at);
    print_reach_line(targets[i], verdict, bp_answer_reason(run->answer, at));
    if (verdict == BP_REACHABLE) print_trace(view, at);
  }
}

static void print_asserts(cli_view *view, uint32_t first)
{
  cli_run *run = view->run;
  bool failed = false;
  bp_reason reason = BP_REASON_NONE;
  for (uint32_t i = first; i < run->target_count; i++) {
    const uint32_t at = cli_run_turn_to(run, i);
    const bp_verdict verdict = bp_answer_verdict(run->answer, at);
    if (verdict == BP_UNDECIDED && reason == BP_REASON_NONE)
      reason = bp_answer_reason(run->answer, at);
    if (verdict != BP_REACHABLE) continue;
    failed = true;
    print_failed_line(run, at);
    print_trace(view, at);
  }
  if (reason != BP_REASON_NONE) {
    begin_check_line(run);
    print_undecided(reason);
  } else if (!failed) {
    begin_check_line(run);
    print_word(CLI_GOOD, "safe");
    putchar('\n');
  }
}

/* ---- answers as JSON --------------------------------------------------- */

static void print_json(cli_run *run)
{
  const bp_json_options options = cli_run_json_options(run);
  bp_sink sink;
  bp_sink_stdio(&sink, stdout);
  const bp_status status = bp_query_write_json_all(run->queries, run->part_count, &sink, &options);
  cli_run_say_cut(run, status, "not all traces are complete");
}

void cli_verdict_print(cli_run *run, const char *const *targets, uint32_t count, bool asserts)
{
  for (uint32_t i = 0; i < run->target_count; i++) {
    const uint32_t at = cli_run_turn_to(run, i);
    note(run, bp_answer_verdict(run->answer, at));
  }
  if (run->args->json) {
    print_json(run);
    return;
  }
  cli_view view;
  cli_view_init(&view, run);
  print_targets(&view, targets, count);
  if (asserts) print_asserts(&view, count);
  cli_view_free(&view);
}

/* ---- without a query --------------------------------------------------- */

/* Digits, or a procedure and digits, are a line. */
static bool is_line(const char *target)
{
  const char *colon = strrchr(target, ':');
  if (colon && !strncmp(target, "label:", 6)) return false;
  const char *digits = colon ? colon + 1 : target;
  return *digits && !digits[strspn(digits, "0123456789")];
}

static void write_open_result(cli_text *out, const char *kind, const char *name, bp_reason reason)
{
  if (!strncmp(name, "label:", 6)) name += 6;
  cli_text_puts(out, "{\"target\":{\"kind\":");
  cli_json_string(out, kind);
  cli_text_puts(out, ",\"name\":");
  cli_json_string(out, name);
  cli_text_puts(out, ",\"proc\":\"\",\"line\":0},\"verdict\":\"undecided\",\"reason\":");
  cli_json_string(out, bp_reason_name(reason));
  cli_text_puts(out, "}");
}

static void print_open_json(const cli_run *run, const char *const *targets, uint32_t count,
                            bool asserts)
{
  cli_text out = {0};
  cli_json_begin(&out, run->args->command->name, run->file);
  cli_text_puts(&out, ",\"results\":[");
  for (uint32_t i = 0; i < count; i++) {
    if (i) cli_text_puts(&out, ",");
    write_open_result(&out, is_line(targets[i]) ? "line" : "label", targets[i], run->reason);
  }
  if (asserts) {
    if (count) cli_text_puts(&out, ",");
    write_open_result(&out, "assert", "assert", run->reason);
  }
  cli_text_puts(&out, "],\"stats\":{\"parse_seconds\":");
  cli_json_seconds(&out, run->parse_seconds);
  cli_text_puts(&out, ",\"build_seconds\":");
  cli_json_seconds(&out, run->build_seconds);
  static const char *const names[] = {
      "engine_seconds", "peak_nodes", "bdd_vars",    "cfg_vertices", "cfg_edges",       "images",
      "path_edges",     "summaries",  "collections", "dropped_vars", "skipped_vertices"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    cli_text_puts(&out, ",");
    cli_json_string(&out, names[i]);
    cli_text_puts(&out, ":0");
  }
  cli_text_puts(&out, "}}\n");
  fwrite(out.at, 1, out.len, stdout);
  cli_text_free(&out);
}

void cli_verdict_undecided(cli_run *run, const char *const *targets, uint32_t count, bool asserts)
{
  if (run->args->json) {
    print_open_json(run, targets, count, asserts);
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    print_reach_line(targets[i], BP_UNDECIDED, run->reason);
  if (!asserts) return;
  begin_check_line(run);
  print_undecided(run->reason);
}
