/* SPDX-License-Identifier: MIT
 * A pushdown system for the tests, and a page to write on. */
#ifndef TEST_PUSHDOWN_SYSTEMS_H
#define TEST_PUSHDOWN_SYSTEMS_H

#include <bp/bp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* A page that a sink fills; a text that is too long makes it refuse. */
typedef struct page {
  char text[8192];
  size_t used;
  bp_sink sink;
} page;

void page_begin(page *p);

/* One control location p; symbols m (local x), f (local y), r (no local); a global g:
 *   m -> f r with 'y = x     f -> f f     f -> nothing with 'g = !g, if y     r -> r */
enum { M, F, R };
bp_status make_system(bp_pushdown **out, bp_context *ctx);

#endif
