/* SPDX-License-Identifier: MIT
 * bp reach: can control reach these targets? */
#include "cmd.h"
#include "verdict.h"

static bool ask(cli_run *run, const char *const *targets, uint32_t count)
{
  if (!cli_run_graph(run)) return false;
  const uint32_t asserts = run->args->asserts ? bp_cfg_assert_count(run->cfg) : 0;
  return cli_run_query(run, count + asserts) && cli_run_add_all(run, targets, count, asserts) &&
         cli_run_decide(run);
}

cli_exit cmd_reach(const cli_args *args)
{
  const char *const *targets = args->operands + 1;
  const uint32_t count = (uint32_t)args->operand_count - 1;
  if (!count && !args->asserts) {
    cli_usage_error(args->command, "reach needs a TARGET");
    return CLI_TROUBLE;
  }
  cli_run run;
  if (cli_run_read(&run, args, args->operands[0]) && ask(&run, targets, count))
    cli_verdict_print(&run, targets, count, args->asserts);
  else if (run.exit == CLI_UNDECIDED)
    cli_verdict_undecided(&run, targets, count, args->asserts);
  return cli_run_end(&run);
}
