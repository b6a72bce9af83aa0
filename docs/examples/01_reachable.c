/* SPDX-License-Identifier: MIT */
#include <bp/bp.h>
#include <stdio.h>

int main(void)
{
  static const char text[] = "decl g; void main() begin g := *; if (g) then R: skip; fi end";
  bp_context *ctx = NULL;
  bp_program *program = NULL;
  bp_verdict verdict = BP_UNDECIDED;
  if (bp_context_new(&ctx) != BP_OK) return 2;
  bp_status status = bp_program_parse(&program, ctx, text, sizeof text - 1, "demo.bp", NULL);
  if (status == BP_OK) status = bp_reachable(&verdict, NULL, ctx, NULL, program, "R", NULL);
  if (status == BP_OK)
    printf("R is %s\n", bp_verdict_name(verdict));
  else
    fprintf(stderr, "%s\n", bp_context_message(ctx));
  bp_program_unref(program);
  bp_context_unref(ctx);
  return status == BP_OK ? 0 : 2;
}
