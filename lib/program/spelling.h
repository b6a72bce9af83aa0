/* SPDX-License-Identifier: MIT
 * Which names the language can spell without braces. */
#ifndef BPI_SPELLING_H
#define BPI_SPELLING_H

#include <stdbool.h>
#include <stddef.h>

typedef enum bpi_name_kind { BPI_NAME_VAR, BPI_NAME_PROC, BPI_NAME_LABEL } bpi_name_kind;

/* Whether the text reads as a name of that kind wherever a program prints one. Words that are only
 * sometimes keywords do, but for a procedure `abortif`: calling it would read as the statement. A
 * variable `_` would read as a dropped value. */
bool bpi_is_plain_name(const char *text, size_t len, bpi_name_kind kind);
/* Whether it is a name in braces as it stands: something, but no newline and no other brace. */
bool bpi_is_braced_name(const char *text, size_t len);

#endif
