/* SPDX-License-Identifier: MIT
 * The only place that allocates: every byte of libbp outside the BDD kernel comes from here. */
#ifndef BPI_ALLOC_H
#define BPI_ALLOC_H

#include <stddef.h>

/* All return NULL on failure or overflow; a request for 0 bytes gives a valid block. */
void *bpi_alloc(size_t count, size_t size);
void *bpi_zalloc(size_t count, size_t size);
void *bpi_realloc(void *block, size_t count, size_t size);
/* The block with room for more, of which `used` are in use: the others need not be kept. */
void *bpi_grow(void *block, size_t used, size_t count, size_t size);
/* The block with room for fewer; as it was when that fails. */
void *bpi_shrink(void *block, size_t count, size_t size);
void bpi_release(void *block);
/* A copy of `len` bytes with a NUL behind. */
char *bpi_strndup(const char *text, size_t len);

#endif
