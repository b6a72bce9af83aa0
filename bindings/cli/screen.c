/* SPDX-License-Identifier: MIT */
#include "screen.h"

#include <inttypes.h>
#include <pthread.h>
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

static struct {
  pthread_mutex_t lock;
  uint64_t start, shown; /* shown: when the line was written last; 0: it is not there */
  uint64_t steps, live;
} line = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool cli_progress_wanted(void)
{
  return isatty(STDERR_FILENO);
}

void cli_progress_begin(void)
{
  if (!line.start) line.start = cli_now_ns();
}

static void show(uint64_t now)
{
  line.shown = now;
  fprintf(stderr, "\rbp: %" PRIu64 " s, %" PRIu64 " images, %" PRIu64 " nodes\033[K",
          (now - line.start) / SECOND, line.steps, line.live);
  fflush(stderr);
}

bp_progress_answer cli_progress_step(uint64_t steps, uint64_t live, void *ticker)
{
  cli_ticker *t = ticker;
  const uint64_t now = cli_now_ns();
  pthread_mutex_lock(&line.lock);
  line.steps += steps - t->steps;
  line.live += live - t->live;
  *t = (cli_ticker){steps, live};
  if (now - line.start >= 2 * SECOND && now - line.shown >= SECOND / 5) show(now);
  pthread_mutex_unlock(&line.lock);
  return BP_CONTINUE;
}

void cli_progress_leave(cli_ticker *ticker)
{
  line.live -= ticker->live;
  ticker->live = 0;
}

void cli_progress_end(void)
{
  if (line.shown) fputs("\r\033[K", stderr);
  line.shown = 0;
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
