/* SPDX-License-Identifier: MIT
 * bp cfg: control-flow graphs as Graphviz. */
#include "cmd.h"
#include "run.h"
#include "text.h"

#include <stdio.h>

static bool print_graph(cli_run *run)
{
  cli_text out = {0};
  const bp_sink sink = cli_text_sink(&out);
  const bp_status status = bp_cfg_write_dot(run->cfg, run->ctx, &sink, run->query);
  cli_progress_end();
  const bool ok = status == BP_OK || cli_run_fail(run, status == BP_E_IO ? BP_E_NOMEM : status);
  if (ok) fwrite(out.at, 1, out.len, stdout);
  cli_text_free(&out);
  return ok;
}

cli_exit cmd_cfg(const cli_args *args)
{
  cli_run run;
  if (!cli_run_read(&run, args, args->operands[0]) || !cli_run_graph(&run) ||
      (args->reached && !(cli_run_query(&run, 0) && cli_run_limit(&run))) || !print_graph(&run))
    cli_run_say_undecided(&run);
  return cli_run_end(&run);
}
