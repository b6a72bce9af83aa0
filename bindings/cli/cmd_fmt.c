/* SPDX-License-Identifier: MIT
 * bp fmt: the program, parsed and printed again. */
#include "cmd.h"
#include "run.h"
#include "text.h"

#include <stdio.h>

static void print_program(cli_run *run)
{
  cli_text out = {0};
  const bp_sink sink = cli_text_sink(&out);
  const bp_status status = bp_program_write(run->program, &sink);
  if (status == BP_OK)
    fwrite(out.at, 1, out.len, stdout);
  else
    cli_run_fail(run, status == BP_E_IO ? BP_E_NOMEM : status);
  cli_text_free(&out);
}

cli_exit cmd_fmt(const cli_args *args)
{
  cli_run run;
  if (cli_run_read(&run, args))
    print_program(&run);
  else
    cli_run_say_undecided(&run);
  return cli_run_end(&run);
}
