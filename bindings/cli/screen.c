/* SPDX-License-Identifier: MIT */
#include "screen.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint64_t SECOND = 1000000000;

/* ---- colour ------------------------------------------------------------ */

static bool colored;

void cli_color_init(void)
{
  const char *terminal = getenv("TERM");
  colored = isatty(STDOUT_FILENO) && !getenv("NO_COLOR") && terminal && strcmp(terminal, "dumb");
}

const char *cli_color_code(cli_color color)
{
  static const char *const codes[CLI_COLORS] = {
      [CLI_PLAIN] = "\033[0m",  [CLI_GOOD] = "\033[32m", [CLI_BAD] = "\033[1;31m",
      [CLI_DOUBT] = "\033[33m", [CLI_PLACE] = "\033[2m", [CLI_VALUE] = "\033[36m"};
  return colored ? codes[color] : "";
}

/* ---- progress ---------------------------------------------------------- */

bool cli_progress_wanted(void)
{
  return isatty(STDERR_FILENO);
}

bp_progress_answer cli_progress_step(uint64_t steps, uint64_t live, void *progress)
{
  cli_progress *p = progress;
  const uint64_t now = cli_now_ns();
  if (now - p->start < 2 * SECOND || now - p->shown < SECOND / 5) return BP_CONTINUE;
  p->shown = now;
  fprintf(stderr, "\rbp: %" PRIu64 " s, %" PRIu64 " images, %" PRIu64 " nodes\033[K",
          (now - p->start) / SECOND, steps, live);
  fflush(stderr);
  return BP_CONTINUE;
}

void cli_progress_end(cli_progress *progress)
{
  if (progress->shown) fputs("\r\033[K", stderr);
  progress->shown = 0;
}

/* ---- clocks ------------------------------------------------------------ */

static struct timespec look_at(clockid_t clock)
{
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return now;
}

uint64_t cli_now_ns(void)
{
  const struct timespec now = look_at(CLOCK_MONOTONIC);
  return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

double cli_cpu_seconds(void)
{
  const struct timespec now = look_at(CLOCK_PROCESS_CPUTIME_ID);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
