/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "failing_makenode.h"

#include <bdd.h>
#include <dlfcn.h>
#include <string.h>

extern int bdd_makenode(unsigned int level, int low, int high);
extern int bdd_error(int code);
extern int bdderrorcond;

typedef int makenode_fn(unsigned int level, int low, int high);
static makenode_fn *real;
static long calls, chosen;
static int failed;

void makenode_fail_at(long k)
{
  calls = failed = 0;
  chosen = k;
}

long makenode_calls(void)
{
  return calls;
}

int makenode_failed(void)
{
  return failed;
}

int bdd_makenode(unsigned int level, int low, int high)
{
  if (!real) {
    void *symbol = dlsym(RTLD_NEXT, "bdd_makenode");
    memcpy(&real, &symbol, sizeof real);
  }
  if (++calls == chosen) {
    failed = 1;
    bdd_error(BDD_NODENUM);
    bdderrorcond = -BDD_NODENUM;
    return 0;
  }
  return real(level, low, high);
}
