/* SPDX-License-Identifier: MIT
 * bp ltl: does every infinite execution satisfy the formula? */
#include "cmd.h"
#include "interrupt.h"
#include "json_text.h"
#include "read.h"
#include "trace_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct question {
  cli_run *run;
  const char *name; /* what is asked, for output */
  bp_formula *formula;
  bp_automaton *automaton;
  bp_manager *manager;
  cli_ticker ticker;
} question;

/* ---- asking -------------------------------------------------------------- */

static bool read_automaton(question *q)
{
  cli_run *run = q->run;
  cli_text text = {0};
  bool ok = false;
  switch (cli_read_file(&text, run->args->automaton, cli_run_stop_reading, run)) {
  case CLI_READ_OK: {
    const bp_status status = bp_automaton_read_hoa(&q->automaton, run->ctx, text.len ? text.at : "",
                                                   text.len, run->args->automaton);
    ok = status == BP_OK || cli_run_fail(run, status);
    break;
  }
  case CLI_READ_FAILED: run->exit = CLI_TROUBLE; break;
  case CLI_READ_STOPPED: cli_run_fail(run, BP_E_LIMIT); break;
  }
  cli_text_free(&text);
  return ok;
}

static bool read_question(question *q)
{
  cli_run *run = q->run;
  if (run->args->automaton) return read_automaton(q);
  const bp_status status =
      bp_formula_parse(&q->formula, run->ctx, q->name, strlen(q->name), "FORMULA");
  return status == BP_OK || cli_run_fail(run, status);
}

static bp_status make(question *q)
{
  cli_run *run = q->run;
  const cli_args *args = run->args;
  const bp_manager_options kernel = cli_manager_options(args);
  const bp_ltl_options options = {.size = sizeof options,
                                  .off = args->engine_off,
                                  .search = args->search,
                                  .no_safety = args->no_safety,
                                  .no_monotone = args->no_monotone};
  bp_status status = bp_manager_new(&q->manager, run->ctx, &kernel);
  if (status != BP_OK) return status;
  if (q->formula)
    return bp_ltl_new(&run->ltl, run->ctx, q->manager, run->cfg, q->formula, &options);
  return bp_ltl_new_automaton(&run->ltl, run->ctx, q->manager, run->cfg, q->automaton,
                              args->automaton, &options);
}

static bool prepare(question *q)
{
  cli_run *run = q->run;
  if (!cli_run_graph(run) || !read_question(q)) return false;
  bp_status status = make(q);
  if (status != BP_OK) return cli_run_fail(run, status);
  run->at_option = true;
  if (run->args->init) status = bp_ltl_set_init(run->ltl, run->args->init);
  if (status != BP_OK) return cli_run_fail(run, status);
  run->at_option = false;
  run->in_engine = true;
  cli_interrupt_ltl(run->ltl);
  if (cli_interrupt_count()) bp_ltl_cancel(run->ltl); /* the signal was too early for it */
  if (!run->args->quiet && cli_progress_wanted())
    bp_ltl_set_progress(run->ltl, cli_progress_step, &q->ticker);
  return true;
}

static bool decide(question *q)
{
  cli_run *run = q->run;
  bp_limits limits;
  if (!cli_run_limits(run, &limits)) return false;
  bp_ltl_set_limits(run->ltl, &limits);
  const bp_status status = bp_ltl_run(run->ltl);
  cli_progress_end();
  if (status != BP_OK) return cli_run_fail(run, status);
  limits = cli_run_show(run, cli_interrupt_count());
  bp_ltl_set_limits(run->ltl, &limits);
  return true;
}

/* ---- answering ----------------------------------------------------------- */

static void print_line(bp_ltl_verdict verdict, bp_reason reason)
{
  static const cli_color colors[] = {
      [BP_LTL_UNDECIDED] = CLI_DOUBT, [BP_LTL_VIOLATED] = CLI_BAD, [BP_LTL_HOLDS] = CLI_GOOD};
  printf("ltl: %s%s%s", cli_color_code(colors[verdict]),
         verdict == BP_LTL_VIOLATED ? "VIOLATED" : bp_ltl_verdict_name(verdict),
         cli_color_code(CLI_PLAIN));
  if (verdict == BP_LTL_UNDECIDED) printf(" (%s)", bp_reason_name(reason));
  putchar('\n');
}

/* What stands between the prefix and the loop. */
static void print_turn(const bp_ltl *ltl)
{
  const uint32_t growth = bp_ltl_growth(ltl);
  switch (bp_ltl_end_of(ltl)) {
  case BP_LTL_TERMINATED: puts("-- terminated, for ever"); break;
  case BP_LTL_FAILED: puts("-- failed, for ever"); break;
  default:
    if (growth)
      printf("-- for ever, with %" PRIu32 " more frame%s on the stack each time:\n", growth,
             growth == 1 ? "" : "s");
    else
      puts("-- for ever:");
  }
}

static bp_status print_steps(cli_view *view, bp_trace *trace)
{
  bp_cursor *cursor;
  bp_status status = bp_cursor_new(&cursor, trace);
  if (status != BP_OK) return status;
  status = cli_trace_forward(view, cursor);
  bp_cursor_free(cursor);
  return status;
}

static const char cut[] = "the trace is not complete";

static void print_lasso(cli_run *run)
{
  const bp_trace_options options = {
      .size = sizeof options, .shortest = run->args->shortest, .levels = run->args->levels};
  bp_trace *prefix = NULL, *loop = NULL;
  cli_view view;
  cli_view_init(&view, run);
  bp_status status = cli_trace_poll(&view);
  if (status == BP_OK) status = bp_ltl_prefix(&prefix, run->ltl, &options);
  if (status == BP_OK) status = bp_ltl_loop(&loop, run->ltl, &options);
  if (status == BP_OK) status = print_steps(&view, prefix);
  if (status == BP_OK) {
    cli_progress_end();
    print_turn(run->ltl);
    view.depth = bp_ltl_depth(run->ltl);
    status = print_steps(&view, loop);
  }
  cli_run_say_cut(run, status, cut);
  bp_trace_unref(prefix);
  bp_trace_unref(loop);
  cli_view_free(&view);
}

static void print_json(question *q)
{
  cli_run *run = q->run;
  const bp_json_options options = cli_run_json_options(run);
  bp_sink sink;
  bp_sink_stdio(&sink, stdout);
  cli_run_say_cut(run, bp_ltl_write_json(run->ltl, &sink, q->name, &options), cut);
}

static void answer(question *q)
{
  static const cli_exit exits[] = {[BP_LTL_UNDECIDED] = CLI_UNDECIDED,
                                   [BP_LTL_VIOLATED] = CLI_VIOLATED,
                                   [BP_LTL_HOLDS] = CLI_HOLDS};
  cli_run *run = q->run;
  const bp_ltl_verdict verdict = bp_ltl_verdict_of(run->ltl);
  run->exit = exits[verdict];
  if (run->args->json) {
    print_json(q);
    return;
  }
  print_line(verdict, bp_ltl_reason(run->ltl));
  if (verdict == BP_LTL_VIOLATED && !run->args->no_trace && !ferror(stdout)) print_lasso(run);
}

/* The document when there is nothing to ask any more. */
static void print_open_json(const question *q)
{
  const cli_run *run = q->run;
  cli_text out = {0};
  cli_json_begin(&out, run->args->command->name, run->file);
  cli_text_puts(&out, ",\"results\":[{\"target\":{\"kind\":\"formula\",\"name\":");
  cli_json_string(&out, q->name);
  cli_text_puts(&out, ",\"proc\":\"\",\"line\":0},\"verdict\":\"undecided\",\"reason\":");
  cli_json_string(&out, bp_reason_name(run->reason));
  cli_text_puts(&out, "}],\"stats\":{\"parse_seconds\":");
  cli_json_seconds(&out, run->parse_seconds);
  cli_text_puts(&out, ",\"build_seconds\":");
  cli_json_seconds(&out, run->build_seconds);
  cli_text_puts(&out, ",\"engine_seconds\":0,\"peak_nodes\":0,\"bdd_vars\":0,\"cfg_vertices\":0,"
                      "\"cfg_edges\":0,\"images\":0,\"collections\":0,\"way\":\"none\","
                      "\"automaton_states\":0,\"automaton_edges\":0,\"product_vertices\":0,"
                      "\"product_edges\":0,\"components\":0,\"rounds\":0}}\n");
  fwrite(out.at, 1, out.len, stdout);
  cli_text_free(&out);
}

static void print_automaton(const question *q)
{
  bp_sink sink;
  bp_sink_stdio(&sink, stdout);
  const bp_status status = bp_automaton_write_hoa(bp_ltl_automaton(q->run->ltl), &sink);
  if (status != BP_OK && status != BP_E_IO) cli_run_fail(q->run, status);
}

static void run_question(question *q, const cli_args *args)
{
  cli_run *run = q->run;
  const bool ready = cli_run_read(run, args, args->operands[0]) && prepare(q);
  if (ready && args->print_automaton)
    print_automaton(q);
  else if (ready && decide(q))
    answer(q);
  else if (run->exit == CLI_UNDECIDED && args->json)
    print_open_json(q);
  else if (run->exit == CLI_UNDECIDED)
    print_line(BP_LTL_UNDECIDED, run->reason);
}

cli_exit cmd_ltl(const cli_args *args)
{
  cli_run run;
  question q = {.run = &run, .name = args->automaton};
  if ((args->operand_count == 2) == (args->automaton != NULL)) {
    cli_usage_error(args->command, "ltl needs either a FORMULA or --automaton");
    return CLI_TROUBLE;
  }
  if (!args->automaton) q.name = args->operands[1];
  if (args->automaton && !strcmp(args->automaton, "-") && !strcmp(args->operands[0], "-")) {
    cli_usage_error(args->command, "standard input can be read once only");
    return CLI_TROUBLE;
  }
  run_question(&q, args);
  bp_formula_unref(q.formula);
  bp_automaton_unref(q.automaton);
  bp_manager_unref(q.manager);
  const cli_exit status = cli_run_end(&run);
  cli_progress_leave(&q.ticker);
  return status;
}
