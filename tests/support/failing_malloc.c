/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "failing_malloc.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

#ifdef __SANITIZE_ADDRESS__
#define WITH_ASAN 1
#endif
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif

#ifdef WITH_ASAN
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif
extern void *REAL(malloc)(size_t size);
extern void *REAL(calloc)(size_t count, size_t size);
extern void *REAL(realloc)(void *block, size_t size);
extern void REAL(free)(void *block);

static long calls, first, past, failures;
static size_t largest;
static _Thread_local size_t at_hand; /* bytes of the block freed last, while nothing came between */

void malloc_fail_at(long k, long more)
{
  calls = failures = 0;
  largest = 0;
  first = k;
  past = k ? k + 1 + more : 0;
}

long malloc_calls(void)
{
  return calls;
}

long malloc_failures(void)
{
  return failures;
}

size_t malloc_largest(void)
{
  return largest;
}

static int fails(size_t size)
{
  calls++;
  if (size > largest) largest = size;
  if (!first || calls < first || calls >= past) return 0;
  failures++;
  errno = ENOMEM;
  return 1;
}

#ifdef WITH_ASAN
/* The sanitizer itself asks before it is ready to give: served from here until constructors run.
 * `ready` is volatile because clang runs such a constructor when it compiles. */
static _Alignas(16) char early[1 << 16];
static size_t early_used;
static volatile int ready;

__attribute__((constructor)) static void begin(void)
{
  ready = 1;
}

static void *early_block(size_t size)
{
  void *block = early + early_used;
  early_used += (size + 15) / 16 * 16;
  return early_used <= sizeof early ? block : NULL;
}

static int is_early(const void *block)
{
  return (const char *)block >= early && (const char *)block < early + sizeof early;
}
#else
enum { ready = 1 };
static void *early_block(size_t size)
{
  (void)size;
  return NULL;
}
static int is_early(const void *block)
{
  (void)block;
  return 0;
}
#endif

void *malloc(size_t size)
{
  if (!ready) return early_block(size);
  const size_t enough = at_hand;
  at_hand = 0;
  return size > enough && fails(size) ? NULL : REAL(malloc)(size);
}

void *calloc(size_t count, size_t size)
{
  if (!ready) return early_block(count * size);
  at_hand = 0;
  return fails(count * size) ? NULL : REAL(calloc)(count, size);
}

void *realloc(void *block, size_t size)
{
  if (is_early(block)) return NULL;
  if (!ready) return early_block(size);
  at_hand = 0;
  if (block && size && size <= malloc_usable_size(block)) return REAL(realloc)(block, size);
  return fails(size) ? NULL : REAL(realloc)(block, size);
}

void free(void *block)
{
  if (!ready || is_early(block)) return;
  at_hand = block ? malloc_usable_size(block) : 0;
  REAL(free)(block);
}
