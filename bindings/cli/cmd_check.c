/* SPDX-License-Identifier: MIT
 * bp check: can an assertion fail? */
#include "cmd.h"
#include "verdict.h"

cli_exit cmd_check(const cli_args *args)
{
  cli_run run;
  if (cli_run_read(&run, args) && cli_run_graph(&run) && cli_run_query(&run) &&
      cli_run_add_asserts(&run) && cli_run_decide(&run))
    cli_verdict_print(&run, NULL, 0, true);
  else if (run.exit == CLI_UNDECIDED)
    cli_verdict_undecided(&run, NULL, 0, true);
  return cli_run_end(&run);
}
