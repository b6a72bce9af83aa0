/* SPDX-License-Identifier: MIT
 * JSON (RFC 8259), read as it comes: a token at a time, of any nesting, without recursion. Strict: one value,
 * nothing behind it, UTF-8 in strings. */
#ifndef BPI_JSON_READ_H
#define BPI_JSON_READ_H

#include "base/context.h"

typedef enum bpi_json_token {
  BPI_JSON_END, /* behind the value */
  BPI_JSON_OBJECT,
  BPI_JSON_OBJECT_END,
  BPI_JSON_ARRAY,
  BPI_JSON_ARRAY_END,
  BPI_JSON_KEY, /* its value follows */
  BPI_JSON_STRING,
  BPI_JSON_NUMBER,
  BPI_JSON_TRUE,
  BPI_JSON_FALSE,
  BPI_JSON_NULL,
  BPI_JSON_ERROR /* for good: see `status` */
} bpi_json_token;

typedef struct bpi_json_reader {
  bp_context *ctx;
  const char *file, *text;
  size_t len, at;
  size_t token_at;         /* where the last token begins */
  BPI_VEC(char) string;    /* of KEY, STRING, NUMBER; with a NUL behind, NULs inside are refused */
  BPI_VEC(uint8_t) inside; /* of what is open: 1 object, 0 array */
  int expect;              /* what may stand here */
  bpi_watch watch;
  bp_status status;
} bpi_json_reader;

/* `text` must be there until the end. It is smaller than 4 GB. */
void bpi_json_read_init(bpi_json_reader *r, bp_context *ctx, const char *text, size_t len,
                        const char *file);
void bpi_json_read_free(bpi_json_reader *r);
bpi_json_token bpi_json_next(bpi_json_reader *r);
/* Reads on to the end of the value of which `first` is the first token. False: an error. */
bool bpi_json_skip(bpi_json_reader *r, bpi_json_token first);
/* Says at the last token what is wrong with it; answers ERROR. */
bpi_json_token bpi_json_wrong(bpi_json_reader *r, bpi_message number, const char *what);

#endif
