/* SPDX-License-Identifier: MIT
 * A sink into memory, for texts that are read back. */
#ifndef COLLECT_H
#define COLLECT_H

#include <stddef.h>
#include <string.h>

typedef struct text {
  char at[1 << 20];
  size_t used;
} text;

static inline int collect(void *user, const char *bytes, size_t len)
{
  text *t = user;
  if (t->used + len > sizeof t->at) return 1;
  memcpy(t->at + t->used, bytes, len);
  t->used += len;
  return 0;
}

#endif
