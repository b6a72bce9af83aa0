/* SPDX-License-Identifier: MIT
 * Makes chosen allocations of the whole process fail: those of libbp, of libbdd.so and of the test.
 *
 * failing_malloc.c defines malloc, calloc, realloc and free for the program; they pass on to glibc,
 * or to AddressSanitizer when it is there. Two kinds of request never fail, because no allocator
 * fails them: a realloc that the block has room for, and a malloc no larger than the block freed
 * just before it. Under valgrind nothing fails, since it brings its own functions. */
#ifndef FAILING_MALLOC_H
#define FAILING_MALLOC_H

#include <stddef.h>

/* The k-th allocation from now fails, and the `more` after it; k 0: none. The count begins anew. */
void malloc_fail_at(long k, long more);
long malloc_calls(void);
/* How many have failed. */
long malloc_failures(void);
/* The bytes of the largest request; 0 under valgrind. */
size_t malloc_largest(void);

#endif
