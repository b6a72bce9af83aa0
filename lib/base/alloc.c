/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise() */
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, LARGE = 1 << 22 };

/* A large block is written once from its beginning to its end, and where the system sets memory up by
 * small pages that can be dearer than what is written. It is a hint: nothing depends on it. The whole
 * mapping gets it, malloc's head included, as realloc() cannot move one that is half and half. */
static void *advise(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  if (block && bytes >= LARGE) {
    const size_t before = (uintptr_t)block % PAGE;
    madvise((char *)block - before, (before + bytes + PAGE - 1) / PAGE * PAGE, MADV_HUGEPAGE);
  }
#else
  (void)bytes;
#endif
  return block;
}

static size_t block_size(size_t count, size_t size)
{
  if (size && count > (SIZE_MAX / 2) / size) return 0;
  const size_t bytes = count * size;
  return bytes ? bytes : 1;
}

void *bpi_alloc(size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  return bytes ? advise(malloc(bytes), bytes) : NULL;
}

void *bpi_zalloc(size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  return bytes ? advise(calloc(1, bytes), bytes) : NULL;
}

void *bpi_realloc(void *block, size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  return bytes ? advise(realloc(block, bytes), bytes) : NULL;
}

void *bpi_shrink(void *block, size_t count, size_t size)
{
  void *shrunk = bpi_realloc(block, count, size);
  return shrunk ? shrunk : block;
}

void bpi_release(void *block)
{
  free(block);
}

char *bpi_strndup(const char *text, size_t len)
{
  char *copy = bpi_alloc(len + 1, 1);
  if (!copy) return NULL;
  if (len) memcpy(copy, text, len);
  copy[len] = '\0';
  return copy;
}
