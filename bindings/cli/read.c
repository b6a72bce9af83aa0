/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise() */
#endif
#include "read.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16, LOOK_UP_MS = 100, LARGE_PAGE = 1 << 21 };

static cli_read failed(const char *path, const char *why)
{
  fprintf(stderr, "bp: %s: %s\n", path, why);
  return CLI_READ_FAILED;
}

/* Room for a large file at once, on large pages if the system has any: setting up many small ones takes
 * longer than reading into them. Without it, the room grows on the way. */
static void make_room(cli_text *out, int fd)
{
  struct stat st;
  if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < 2 * LARGE_PAGE) return;
  if ((uintmax_t)st.st_size > SIZE_MAX / 2) return;
  const size_t room = ((size_t)st.st_size + PIECE) / LARGE_PAGE * LARGE_PAGE + LARGE_PAGE;
  void *block = aligned_alloc(LARGE_PAGE, room);
  if (!block) return;
#ifdef MADV_HUGEPAGE
  madvise(block, room, MADV_HUGEPAGE);
#endif
  cli_text_free(out);
  out->at = block;
  out->room = room;
}

static cli_read read_all(cli_text *out, int fd, const char *path, bool (*stop)(void *user),
                         void *user)
{
  for (;;) {
    /* A blocked read() could not be stopped, as signal handlers restart it. */
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    const int polled = poll(&ready, 1, LOOK_UP_MS);
    if (stop(user)) return CLI_READ_STOPPED;
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    if (!cli_text_reserve(out, PIECE)) return failed(path, "out of memory");
    const ssize_t got = read(fd, out->at + out->len, PIECE);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return failed(path, strerror(errno));
    if (got == 0) return CLI_READ_OK;
    out->len += (size_t)got;
  }
}

cli_read cli_read_file(cli_text *out, const char *path, bool (*stop)(void *user), void *user)
{
  if (!strcmp(path, "-")) return read_all(out, STDIN_FILENO, path, stop, user);
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return failed(path, strerror(errno));
  make_room(out, fd);
  const cli_read result = read_all(out, fd, path, stop, user);
  close(fd);
  return result;
}
