/* SPDX-License-Identifier: MIT
 * A front end at work: it makes the program in memory, tells where each statement comes from in its
 * own source (at), tags it (origin), and meets both again in the trace. */
#include <bp/bp.h>
#include <inttypes.h>
#include <stdio.h>

/* What this front end knows about its statements; the tag is the index. */
static const char *const meaning[] = {"x = 0", "flip(&x)", "x = !x", "assert(x == 0)"};

static void at(bp_builder *b, uint32_t line, uint64_t origin)
{
  bp_builder_at(b, "flip.c", line, 3);
  bp_builder_origin(b, origin);
}

/* Expression calls need no checking: a failed one is reported by bp_builder_finish(). */
static void build(bp_builder *b)
{
  const uint32_t x = bp_builder_global(b, "x == 1", BP_NONE);
  uint32_t value;

  bp_builder_proc_begin(b, "main", 0);
  at(b, 10, 0);
  value = bp_builder_const(b, 0);
  bp_builder_assign(b, &x, &value, 1, BP_NONE);
  at(b, 11, 1);
  bp_builder_call(b, "flip", NULL, 0, NULL, 0);
  at(b, 12, 3);
  bp_builder_assert(b, bp_builder_not(b, bp_builder_var(b, x)));
  bp_builder_proc_end(b);

  bp_builder_proc_begin(b, "flip", 0);
  at(b, 4, 2);
  value = bp_builder_not(b, bp_builder_var(b, x));
  bp_builder_assign(b, &x, &value, 1, BP_NONE);
  bp_builder_proc_end(b);
}

/* Every step, completed calls opened wherever the walk meets them. */
static bp_status show(bp_trace *trace)
{
  bp_cursor *c = NULL;
  bp_status status = bp_cursor_new(&c, trace);
  while (status == BP_OK) {
    status = bp_cursor_next(c);
    if (status == BP_END && bp_cursor_close(c) == BP_OK) {
      status = BP_OK;
      continue;
    }
    if (status != BP_OK) break;
    bp_range place;
    bp_cursor_range(c, &place);
    printf("flip.c:%" PRIu32 ": %*s%s\n", place.line, 2 * (int)bp_cursor_depth(c), "",
           meaning[bp_cursor_origin(c)]);
    if (bp_cursor_closed(c)) status = bp_cursor_open(c);
  }
  bp_cursor_free(c);
  return status == BP_END ? BP_OK : status;
}

int main(void)
{
  bp_context *ctx = NULL;
  bp_builder *b = NULL;
  bp_program *program = NULL;
  bp_trace *trace = NULL;
  bp_verdict verdict = BP_UNDECIDED;
  bp_sink out;
  bp_sink_stdio(&out, stdout);

  if (bp_context_new(&ctx) != BP_OK) return 2;
  bp_status status = bp_builder_new(&b, ctx, "flip", NULL);
  if (status == BP_OK) {
    build(b);
    status = bp_builder_finish(b, &program);
  }
  if (status == BP_OK) status = bp_program_write(program, &out);
  if (status == BP_OK) status = bp_reachable(&verdict, &trace, ctx, NULL, program, NULL, NULL);
  if (status == BP_OK) printf("\nan assertion can fail: %s\n", bp_verdict_name(verdict));
  if (status == BP_OK && trace) status = show(trace);
  if (status != BP_OK) fprintf(stderr, "%s: %s\n", bp_status_name(status), bp_context_message(ctx));

  bp_trace_unref(trace);
  bp_program_unref(program);
  bp_builder_free(b);
  bp_context_unref(ctx);
  return status == BP_OK ? 0 : 2;
}
