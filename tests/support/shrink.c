/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "shrink.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60 };

static void in_child(shrink_attempt *attempt, const uint32_t *calls, uint32_t count, bool aloud)
{
  /* cmocka catches these, fails its test and goes on. */
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS};
  const struct rlimit none = {0, 0};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    signal(crashes[i], SIG_DFL);
  setrlimit(RLIMIT_CORE, &none);
  const int nowhere = aloud ? -1 : open("/dev/null", O_WRONLY);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  alarm(SECONDS);
  attempt(calls, count);
  exit(0); /* and not _exit(): a leak is a failure where a sanitizer looks for leaks */
}

bool shrink_fails(shrink_attempt *attempt, const uint32_t *calls, uint32_t count, bool aloud)
{
  fflush(NULL);
  const pid_t child = fork();
  if (!child) in_child(attempt, calls, count, aloud);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    perror("fork");
    exit(2);
  }
  if (aloud && WIFSIGNALED(status)) fprintf(stderr, "signal %d\n", WTERMSIG(status));
  return status != 0;
}

uint32_t shrink(shrink_attempt *attempt, uint32_t *calls, uint32_t count)
{
  uint32_t *fewer = malloc(count * sizeof *fewer);
  if (!fewer) return count;
  for (uint32_t piece = count / 2 ? count / 2 : 1; piece;) {
    bool dropped = false;
    for (uint32_t at = 0; at + piece <= count && piece < count;) {
      memcpy(fewer, calls, at * sizeof *calls);
      memcpy(fewer + at, calls + at + piece, (count - at - piece) * sizeof *calls);
      if (shrink_fails(attempt, fewer, count - piece, false)) {
        count -= piece;
        memcpy(calls, fewer, count * sizeof *calls);
        dropped = true;
      } else {
        at += piece;
      }
    }
    /* A call that was needed may not be so after later ones have gone. */
    if (piece > 1 || !dropped) piece /= 2;
  }
  free(fewer);
  return count;
}
