/* SPDX-License-Identifier: MIT
 * bp_many: the command line, many times in one process, which spares most of the time that a long
 * comparison would spend in starting processes. Standard input has a request after the other: the
 * arguments, each ended by a newline, then an empty line. Standard output has what bp prints, a byte
 * 0x1e, the exit status and a newline. */
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_main(int argc, char **argv);

enum { MOST = 64, LONGEST = 4096 };

/* Reads one request; its number of arguments, 0 at the end. */
static int read_request(char *lines, char **argv)
{
  int argc = 1;
  for (; argc < MOST; argc++) {
    argv[argc] = lines + (size_t)argc * LONGEST;
    if (!fgets(argv[argc], LONGEST, stdin)) return 0;
    argv[argc][strcspn(argv[argc], "\n")] = 0;
    if (!*argv[argc]) break;
  }
  if (argc == MOST) return 0;
  argv[argc] = NULL;
  return argc;
}

int main(void)
{
  static char name[] = "bp";
  char *argv[MOST] = {name};
  char *lines = malloc((size_t)MOST * LONGEST);
  for (int argc; lines && (argc = read_request(lines, argv));) {
    const int status = cli_main(argc, argv);
    printf("\x1e%d\n", status);
    fflush(stdout);
  }
  free(lines);
  return 0;
}
