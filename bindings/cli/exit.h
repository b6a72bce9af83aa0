/* SPDX-License-Identifier: MIT
 * The exit statuses of bp, in one place. */
#ifndef CLI_EXIT_H
#define CLI_EXIT_H

typedef enum cli_exit {
  CLI_HOLDS = 0,    /* no assertion can fail, no target is reachable; or simply done */
  CLI_VIOLATED = 1, /* something is reachable */
  CLI_TROUBLE = 2,  /* usage, input or system error */
  CLI_UNDECIDED = 3 /* a limit was hit, or a signal came */
} cli_exit;

/* With several targets the worst decides: 1 over 3 over 0; trouble over all. */
static inline cli_exit cli_worse(cli_exit a, cli_exit b)
{
  static const int rank[] = {
      [CLI_HOLDS] = 0, [CLI_VIOLATED] = 2, [CLI_TROUBLE] = 3, [CLI_UNDECIDED] = 1};
  return rank[a] >= rank[b] ? a : b;
}

#endif
