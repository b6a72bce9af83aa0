/* SPDX-License-Identifier: MIT */
#include "numbered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

bp_context *ctx;
bp_program *p;
bp_cfg *cfg;
bp_manager *m;
bpi_engine *e;

const char numbered_text[] =
    "define DEFAULT_INT_BITS 3 int u, x, a[4], v, q, y, i, p; bool b; init main;\n"
    "module int get(int k) { return a[k]; }\n"
    "module void main() {\n"
    "  if :: x < y && b -> skip; :: else -> u = v + 1; fi;\n"
    "  p = a[i]; a[i] = p; q = get(i);\n"
    "  E: skip (x != y);\n"
    "}\n";

void open_program(const char *program)
{
  const bp_program_options options = {.size = sizeof options, .language = BP_LANGUAGE_REMOPLA};
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  const bp_status status = bp_program_parse(&p, ctx, program, strlen(program), "n", &options);
  if (status != BP_OK) fail_msg("%s", bp_context_message(ctx));
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  assert_int_equal(bp_manager_new(&m, ctx, NULL), BP_OK);
}

bp_status make_engine(void)
{
  return bpi_engine_new(&e, m, cfg, &(bpi_engine_options){.off = BP_ENGINE_CONE});
}

void close_program(void)
{
  bpi_engine_unref(e);
  bp_manager_unref(m);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
  bp_context_unref(ctx);
}
