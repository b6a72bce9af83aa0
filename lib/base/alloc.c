/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t block_size(size_t count, size_t size)
{
  if (size && count > (SIZE_MAX / 2) / size) return 0;
  const size_t bytes = count * size;
  return bytes ? bytes : 1;
}

void *bpi_alloc(size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  return bytes ? malloc(bytes) : NULL;
}

void *bpi_zalloc(size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  return bytes ? calloc(1, bytes) : NULL;
}

void *bpi_realloc(void *block, size_t count, size_t size)
{
  const size_t bytes = block_size(count, size);
  return bytes ? realloc(block, bytes) : NULL;
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
