/* SPDX-License-Identifier: MIT
 * bp check: can an assertion fail? */
#include "cmd.h"
#include "interrupt.h"
#include "verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool prepare(cli_run *run)
{
  if (!cli_run_graph(run)) return false;
  const uint32_t asserts = bp_cfg_assert_count(run->cfg);
  return cli_run_query(run, asserts) && cli_run_add_all(run, NULL, 0, asserts);
}

static void answer(cli_run *run, bool decided)
{
  if (decided)
    cli_verdict_print(run, NULL, 0, true);
  else if (run->exit == CLI_UNDECIDED)
    cli_verdict_undecided(run, NULL, 0, true);
}

static cli_exit check_one(const cli_args *args)
{
  cli_run run;
  answer(&run,
         cli_run_read(&run, args, args->operands[0]) && prepare(&run) && cli_run_decide(&run));
  return cli_run_end(&run);
}

/* ---- several files ----------------------------------------------------- */

/* So many files for each thread are read before they are answered: a last one that takes long is then
 * seldom alone, and what is in memory stays within bounds. */
enum { FILES_A_THREAD = 8 };

typedef struct batch {
  cli_run *runs;
  bool *ready;         /* by run: its query runs */
  bp_query **queries;  /* of these, in order, NULL behind the last */
  bp_status *statuses; /* of these */
  uint32_t count;      /* of runs */
} batch;

static void read_files(batch *b, const cli_args *args, const char *const *files)
{
  uint32_t queries = 0;
  for (uint32_t i = 0; i < b->count; i++) {
    cli_run *run = &b->runs[i];
    const bool read = cli_run_read(run, args, files[i]);
    run->named = true;
    run->jobs = 1;
    b->ready[i] = read && prepare(run) && cli_run_limit(run);
    if (b->ready[i]) b->queries[queries++] = run->query;
  }
  b->queries[queries] = NULL;
}

/* Prints the answers in order; a query is gone before the next one is printed. */
static cli_exit answer_files(batch *b)
{
  cli_exit worst = CLI_HOLDS;
  cli_run_queries(b->queries, b->statuses, b->runs[0].args->jobs);
  const int signals = cli_interrupt_count();
  for (uint32_t i = 0, query = 0; i < b->count; query += b->ready[i++]) {
    cli_interrupt_queries(b->queries + query);
    answer(&b->runs[i], b->ready[i] && cli_run_answers(&b->runs[i], b->statuses + query, signals));
    worst = cli_worse(worst, cli_run_end(&b->runs[i]));
  }
  return worst;
}

static cli_exit check_several(const cli_args *args)
{
  const uint32_t files = (uint32_t)args->operand_count;
  const uint32_t most = args->jobs > 1 ? args->jobs * FILES_A_THREAD : 1;
  batch b = {.runs = calloc(most, sizeof *b.runs),
             .ready = calloc(most, sizeof *b.ready),
             .queries = calloc((size_t)most + 1, sizeof *b.queries),
             .statuses = calloc(most, sizeof *b.statuses)};
  const bool memory = b.runs && b.ready && b.queries && b.statuses;
  cli_exit worst = memory ? CLI_HOLDS : CLI_TROUBLE;
  if (!memory) fputs("bp: out of memory\n", stderr);
  for (uint32_t i = 0; i < files && memory; i += b.count) {
    b.count = files - i < most ? files - i : most;
    read_files(&b, args, args->operands + i);
    worst = cli_worse(worst, answer_files(&b));
  }
  free(b.runs);
  free(b.ready);
  free(b.queries);
  free(b.statuses);
  return worst;
}

cli_exit cmd_check(const cli_args *args)
{
  int inputs = 0;
  for (int i = 0; i < args->operand_count; i++)
    inputs += !strcmp(args->operands[i], "-");
  if (inputs > 1) {
    cli_usage_error(args->command, "standard input can be read once only");
    return CLI_TROUBLE;
  }
  return args->operand_count > 1 ? check_several(args) : check_one(args);
}
