/* SPDX-License-Identifier: MIT
 * An outsider in C: diagnostics, a verdict, a walk over a trace, a document in any locale. */
#include <bp/bp.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const char broken[] = "decl g;\nvoid main() begin\n  g := h;\n  goto nowhere;\nend\n";
static const char text[] = "decl g;\n"
                           "void main() begin\n"
                           "  g := 0;\n"
                           "  flip();\n"
                           "  if (g) then R: skip; fi\n"
                           "end\n"
                           "void flip() begin\n"
                           "  g := !g;\n"
                           "end\n";

static void read_broken(bp_context *ctx, const bp_sink *out)
{
  bp_program *program = NULL;
  const bp_status status =
      bp_program_parse(&program, ctx, broken, sizeof broken - 1, "broken.bp", NULL);
  printf("%s, %u errors\n", bp_status_name(status), (unsigned)bp_context_error_count(ctx));
  bp_context_write_diagnostics(ctx, out);
}

static bp_status walk(bp_query *q)
{
  bp_trace *trace = NULL;
  bp_cursor *c = NULL;
  uint64_t length = 0;
  bp_status status = bp_trace_new(&trace, q, 0, NULL);
  if (status == BP_OK) status = bp_trace_length(trace, &length);
  if (status == BP_OK) status = bp_trace_replay(trace, BP_NONE);
  if (status == BP_OK) status = bp_cursor_new(&c, trace);
  printf("%d steps, %d with calls closed\n", (int)length, (int)bp_trace_hierarchical_length(trace));
  while (status == BP_OK && (status = bp_cursor_next(c)) == BP_OK) {
    bp_range place;
    bp_value g = BP_ANY;
    bp_cursor_range(c, &place);
    status = bp_cursor_value(c, 0, &g);
    printf("line %u g=%c%s\n", (unsigned)place.line, "01*"[g],
           bp_cursor_closed(c) ? " (closed)" : "");
  }
  bp_cursor_free(c);
  bp_trace_unref(trace);
  return status == BP_END ? BP_OK : status;
}

static int keep(void *user, const char *bytes, size_t len)
{
  return strlen(strncat(user, bytes, len)) > 4000;
}

/* Numbers have points, whatever the locale says. */
static bp_status document(bp_query *q)
{
  static char bytes[8192];
  const bp_sink sink = {.size = sizeof sink, .write = keep, .user = bytes};
  const bp_json_options options = {.size = sizeof options, .parse_seconds = 0.25};
  const bp_status status = bp_query_write_json(q, &sink, &options);
  printf("document: %s\n", strstr(bytes, "\"parse_seconds\":0.25,") ? "good" : bytes);
  return status;
}

static bp_status ask(bp_context *ctx)
{
  bp_program *program = NULL;
  bp_cfg *cfg = NULL;
  bp_manager *manager = NULL;
  bp_query *q = NULL;
  bp_answer *answer = NULL;
  bp_status status = bp_program_parse(&program, ctx, text, sizeof text - 1, "text.bp", NULL);
  if (status == BP_OK) status = bp_cfg_new(&cfg, ctx, program);
  if (status == BP_OK) status = bp_manager_new(&manager, ctx, NULL);
  if (status == BP_OK) status = bp_query_new(&q, ctx, manager, cfg, NULL);
  if (status == BP_OK) status = bp_query_add(q, "R", NULL);
  if (status == BP_OK) status = bp_query_run(q);
  if (status == BP_OK) status = bp_query_answer(&answer, q);
  if (status == BP_OK) {
    printf("%s %s\n", bp_answer_target_name(answer, 0),
           bp_verdict_name(bp_answer_verdict(answer, 0)));
    status = walk(q);
  }
  if (status == BP_OK) status = document(q);
  bp_answer_unref(answer);
  bp_query_unref(q);
  bp_manager_unref(manager);
  bp_cfg_unref(cfg);
  bp_program_unref(program);
  return status;
}

int main(void)
{
  bp_context *ctx = NULL;
  bp_sink out;
  setlocale(LC_ALL, "");
  bp_sink_stdio(&out, stdout);
  if (bp_version() >> 16 != BP_VERSION_MAJOR || !BP_VERSION_ATLEAST(0, 1, 0)) return 3;
  if (!bp_has_feature(BP_FEATURE_REACHABILITY) || bp_has_feature(12345)) return 3;
  if (bp_context_new(&ctx) != BP_OK) return 2;
  read_broken(ctx, &out);
  const bp_status status = ask(ctx);
  if (status != BP_OK) printf("%s: %s\n", bp_status_name(status), bp_context_message(ctx));
  bp_context_unref(ctx);
  return status == BP_OK ? 0 : 2;
}
