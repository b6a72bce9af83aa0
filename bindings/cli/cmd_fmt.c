/* SPDX-License-Identifier: MIT
 * bp fmt: the program, parsed and printed again, or as Horn clauses, or as a pushdown system. */
#include "cmd.h"
#include "run.h"
#include "text.h"

#include <stdio.h>

static bp_status write_pushdown(cli_run *run, const bp_sink *sink)
{
  bp_pushdown *pushdown;
  bp_status status = bp_pushdown_from_cfg(&pushdown, run->ctx, run->cfg);
  if (status == BP_OK) status = bp_pushdown_write(pushdown, sink);
  bp_pushdown_unref(pushdown);
  return status;
}

static bp_status write_as_asked(cli_run *run, const bp_sink *sink)
{
  if (run->args->chc) return bp_query_write_chc(run->query, sink);
  if (run->args->pushdown) return write_pushdown(run, sink);
  if (run->args->boolean) return bp_program_write_boolean(run->program, sink);
  return bp_program_write(run->program, sink);
}

static bool print_program(cli_run *run)
{
  cli_text out = {0};
  const bp_sink sink = cli_text_sink(&out);
  const bp_status status = write_as_asked(run, &sink);
  if (status == BP_E_UNSUPPORTED && !run->query) {
    fprintf(stderr, "%s: error: an expression is too large for a %s\n", run->file,
            run->args->pushdown ? "pushdown system's text" : "boolean program");
    run->exit = CLI_TROUBLE;
    cli_text_free(&out);
    return false;
  }
  const bool ok = status == BP_OK || cli_run_fail(run, status == BP_E_IO ? BP_E_NOMEM : status);
  if (ok && out.len) fwrite(out.at, 1, out.len, stdout);
  cli_text_free(&out);
  return ok;
}

static bool make_query(cli_run *run)
{
  const cli_args *args = run->args;
  if (!cli_run_graph(run)) return false;
  const uint32_t targets = (uint32_t)args->operand_count - 1;
  const uint32_t asserts = targets ? 0 : bp_cfg_assert_count(run->cfg);
  return cli_run_query(run, targets + asserts) &&
         cli_run_add_all(run, args->operands + 1, targets, asserts) && cli_run_limit(run);
}

/* What makes sense with a question only, and a condition with a target only. */
static bool check_line(const cli_args *args)
{
  const char *option = args->when ? "--when" : "--init";
  if (!args->chc && args->operand_count > 1)
    cli_usage_error(args->command, "too many operands: '%s' (a TARGET needs --chc)",
                    args->operands[1]);
  else if (!args->chc && (args->when || args->init))
    cli_usage_error(args->command, "fmt takes %s only with --chc", option);
  else if (args->chc + args->boolean + args->pushdown > 1)
    cli_usage_error(args->command, "fmt takes one of --chc, --boolean and --pushdown");
  else if (args->when && args->operand_count == 1)
    cli_usage_error(args->command, "--when needs a TARGET");
  else
    return true;
  return false;
}

cli_exit cmd_fmt(const cli_args *args)
{
  cli_run run;
  if (!check_line(args)) return CLI_TROUBLE;
  if (!cli_run_read(&run, args, args->operands[0]) || (args->chc && !make_query(&run)) ||
      (args->pushdown && !cli_run_graph(&run)) || !print_program(&run))
    cli_run_say_undecided(&run);
  return cli_run_end(&run);
}
