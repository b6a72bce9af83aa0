/* SPDX-License-Identifier: MIT
 * Remopla: any bytes are read or refused with a message. What is printed reads back as the same program and
 * prints the same again; the boolean program that it becomes reads back, unless it is too large. The first
 * byte chooses the switches. */
#include "collect.h"
#include "fuzz.h"

#include <bp/program.h>
#include <stdlib.h>
#include <string.h>

static bp_program *read(bp_context *ctx, const text *t, const bp_program_options *options)
{
  bp_program *program;
  const bp_status status = bp_program_parse(&program, ctx, t->at, t->used, "printed", options);
  if (status != BP_OK) abort();
  return program;
}

/* False: the text does not fit. */
static int print(text *t, const bp_program *program)
{
  const bp_sink sink = {.size = sizeof sink, .write = collect, .user = t};
  const bp_status status = bp_program_write(program, &sink);
  if (status != BP_OK && status != BP_E_IO) abort();
  return status == BP_OK;
}

static void check_again(bp_context *ctx, const bp_program *program,
                        const bp_program_options *options)
{
  static text once, twice;
  once.used = twice.used = 0;
  if (!print(&once, program)) return;
  bp_program *again = read(ctx, &once, options);
  if (!print(&twice, again)) abort();
  if (bp_program_fingerprint(program) != bp_program_fingerprint(again)) abort();
  if (once.used != twice.used || memcmp(once.at, twice.at, once.used)) abort();
  bp_program_unref(again);
}

static void check_boolean(bp_context *ctx, const bp_program *program)
{
  static text t;
  t.used = 0;
  const bp_sink sink = {.size = sizeof sink, .write = collect, .user = &t};
  const bp_program_options options = {.size = sizeof options, .entry_optional = 1};
  const bp_status status = bp_program_write_boolean(program, &sink);
  if (status == BP_OK)
    bp_program_unref(read(ctx, &t, &options));
  else if (status != BP_E_UNSUPPORTED && status != BP_E_IO)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bp_context *ctx;
  bp_program *program;
  const uint8_t choice = size ? data[0] : 0;
  const bp_program_options options = {.size = sizeof options,
                                      .language = BP_LANGUAGE_REMOPLA,
                                      .overflow = (bp_overflow)(choice & 1),
                                      .locals = (bp_locals)(choice >> 1 & 1),
                                      .entry_optional = 1,
                                      .fall_off = (bp_fall_off)((choice >> 2) % 2)};
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 2000};
  if (bp_context_new(&ctx) != BP_OK) return 0;
  bp_context_set_limits(ctx, &limits);
  const bp_status status = bp_program_parse(&program, ctx, (const char *)data + (size > 0),
                                            size - (size > 0), "fuzz", &options);
  if (status != BP_OK && !bp_context_message(ctx)[0]) abort();
  if ((status == BP_OK) != (program != NULL)) abort();
  bp_context_set_limits(ctx, NULL);
  if (program) check_again(ctx, program, &options);
  if (program) check_boolean(ctx, program);
  bp_program_unref(program);
  bp_context_unref(ctx);
  return 0;
}
