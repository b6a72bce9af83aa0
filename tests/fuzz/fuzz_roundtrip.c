/* SPDX-License-Identifier: MIT
 * What is printed reads back as the same program, prints the same again, and raises no doubt that
 * the first text did not raise. */
#include "fuzz.h"

#include <bp/program.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
  char *at;
  size_t len, room;
} text;

static int append(void *user, const char *bytes, size_t len)
{
  text *t = user;
  if (t->len + len > t->room) {
    t->room = (t->len + len) * 2;
    t->at = realloc(t->at, t->room);
    if (!t->at) abort();
  }
  memcpy(t->at + t->len, bytes, len);
  t->len += len;
  return 0;
}

static text print(const bp_program *program)
{
  text t = {0};
  const bp_sink sink = {.size = sizeof sink, .write = append, .user = &t};
  if (bp_program_write(program, &sink) != BP_OK) abort();
  return t;
}

static void check(bp_context *ctx, const bp_program *program)
{
  bp_program *again;
  const text once = print(program);
  if (bp_program_parse(&again, ctx, once.at, once.len, "printed", NULL) != BP_OK) abort();
  const text twice = print(again);
  if (bp_program_fingerprint(program) != bp_program_fingerprint(again)) abort();
  if (once.len != twice.len || memcmp(once.at, twice.at, once.len)) abort();
  free(once.at);
  free(twice.at);
  bp_program_unref(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bp_context *ctx;
  bp_program *program;
  const uint8_t choice = size ? data[0] : 0;
  const bp_program_options options = {.size = sizeof options,
                                      .precedence = (bp_precedence)(choice & 1),
                                      .undeclared = (bp_undeclared)(choice >> 1 & 1)};
  if (bp_context_new(&ctx) != BP_OK) return 0;
  if (bp_program_parse(&program, ctx, (const char *)data + (size > 0), size - (size > 0), "fuzz",
                       &options) == BP_OK)
    check(ctx, program);
  bp_program_unref(program);
  bp_context_unref(ctx);
  return 0;
}
