/* SPDX-License-Identifier: MIT */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise() */
#endif
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Where the system sets memory up by pages of 4 KB, that is dearer than writing them. So large blocks
 * lie on large pages, if it has any: only then is the hint of use. */
enum { LARGE_PAGE = 1 << 21, LARGE = 2 * LARGE_PAGE, HEAD = 64 };

static size_t block_size(size_t count, size_t size)
{
  if (size && count > (SIZE_MAX / 2) / size) return 0;
  const size_t bytes = count * size;
  return bytes ? bytes : 1;
}

static void *alloc_large(size_t bytes)
{
  const size_t whole = (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  void *block = aligned_alloc(LARGE_PAGE, whole);
  if (!block) return malloc(bytes);
#ifdef MADV_HUGEPAGE
  madvise(block, whole, MADV_HUGEPAGE);
#endif
  return block;
}

void *bpi_alloc(size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  if (bytes >= LARGE) return alloc_large(bytes);
  return bytes ? malloc(bytes) : NULL;
}

/* Fresh memory is zero already, which calloc() knows: only its first large page is made of small ones,
 * as malloc's head stands in it. */
static void *zalloc_large(size_t bytes)
{
  const size_t whole = (bytes + HEAD + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE - HEAD;
  void *block = calloc(1, whole);
  if (!block) return calloc(1, bytes);
#ifdef MADV_HUGEPAGE
  const size_t skip = LARGE_PAGE - (uintptr_t)block % LARGE_PAGE;
  madvise((char *)block + skip, (whole - skip) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
#endif
  return block;
}

void *bpi_zalloc(size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  if (bytes >= LARGE) return zalloc_large(bytes);
  return bytes ? calloc(1, bytes) : NULL;
}

void *bpi_realloc(void *block, size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  return bytes ? realloc(block, bytes) : NULL;
}

void *bpi_grow(void *block, size_t used, size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  if (bytes < LARGE) return bpi_realloc(block, count, size);
  void *grown = alloc_large(bytes);
  if (!grown) return NULL;
  if (used) memcpy(grown, block, used * size);
  free(block);
  return grown;
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
