/* SPDX-License-Identifier: MIT
 * Any bytes are read or refused; a refusal has a message. The first byte chooses the switches. */
#include "fuzz.h"

#include <bp/program.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bp_context *ctx;
  bp_program *program;
  const uint8_t choice = size ? data[0] : 0;
  const bp_program_options options = {.size = sizeof options,
                                      .precedence = (bp_precedence)(choice & 1),
                                      .undeclared = (bp_undeclared)(choice >> 1 & 1),
                                      .strict = choice >> 2 & 1,
                                      .fall_off = (bp_fall_off)((choice >> 3) % 3)};
  if (bp_context_new(&ctx) != BP_OK) return 0;
  const bp_status status = bp_program_parse(&program, ctx, (const char *)data + (size > 0),
                                            size - (size > 0), "fuzz", &options);
  if (status != BP_OK && !bp_context_message(ctx)[0]) abort();
  if ((status == BP_OK) != (program != NULL)) abort();
  bp_program_unref(program);
  bp_context_unref(ctx);
  return 0;
}
