/* SPDX-License-Identifier: MIT
 * JSON, written as it comes. The caller opens and closes in the right order; commas are the
 * writer's business. No locale, no memory. */
#ifndef BPI_JSON_H
#define BPI_JSON_H

#include "base/sink.h"

#include <stdbool.h>

typedef struct bpi_json {
  bpi_out *out;
  bool comma; /* a value stands before the next one */
} bpi_json;

void bpi_json_init(bpi_json *json, bpi_out *out);
/* '{' or '[' and their ends. */
void bpi_json_push(bpi_json *json, char bracket);
void bpi_json_pop(bpi_json *json, char bracket);
/* The key of the next value. */
void bpi_json_key(bpi_json *json, const char *key);
/* Strings end at NUL. Bytes that are not UTF-8 become U+FFFD, so the document is always valid. */
void bpi_json_string(bpi_json *json, const char *text);
/* Above 2^53, where many readers lose digits, a string of digits. */
void bpi_json_u64(bpi_json *json, uint64_t number);
/* Nine decimals at most; what is not finite is null. */
void bpi_json_double(bpi_json *json, double number);
void bpi_json_bool(bpi_json *json, bool value);
void bpi_json_null(bpi_json *json);

/* Members: a key and its value. NULL is "". */
void bpi_json_put_text(bpi_json *json, const char *key, const char *text);
void bpi_json_put_number(bpi_json *json, const char *key, uint64_t number);
void bpi_json_put_seconds(bpi_json *json, const char *key, double seconds);

/* The length of the UTF-8 character at `s`, of which `len` bytes are there; 0: not one. */
size_t bpi_utf8_length(const char *s, size_t len);

#endif
