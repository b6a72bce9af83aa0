/* SPDX-License-Identifier: MIT
 * Which names the language can spell without braces. */
#ifndef BPI_SPELLING_H
#define BPI_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

/* An identifier that is no word of the language and no constant. */
bool bpi_is_plain_name(const char *text, size_t len);
/* The same or decimal digits. */
bool bpi_is_plain_label(const char *text, size_t len);

#endif
