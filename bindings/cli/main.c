/* SPDX-License-Identifier: MIT
 * bp: can this boolean program go wrong? A thin door to libbp: nothing here decides anything. */
#include "cmd.h"
#include "screen.h"

#include <bp/version.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static cli_exit run_command(const cli_args *args)
{
  if (args->version) {
    printf("bp %s\n", bp_version_string());
    return CLI_HOLDS;
  }
  if (args->help) {
    cli_help(args->command && args->command->run != cmd_help ? args->command : NULL);
    return CLI_HOLDS;
  }
  cli_color_init();
  return args->command->run(args);
}

/* What was not written was not answered. */
static cli_exit finish_output(cli_exit status)
{
  errno = 0;
  const int flushed = fflush(stdout);
  const int why = errno;
  if (!flushed && !ferror(stdout)) return status;
  fprintf(stderr, "bp: standard output: %s\n", why ? strerror(why) : "write error");
  return CLI_TROUBLE;
}

int main(int argc, char **argv)
{
  cli_args args;
  const cli_exit status = cli_args_read(&args, argc, argv) ? run_command(&args) : CLI_TROUBLE;
  cli_args_free(&args);
  return (int)finish_output(status);
}
