/* SPDX-License-Identifier: MIT
 * Liveness: a formula, and an automaton from elsewhere that accepts the bad executions; both under limits,
 * and for what is violated the execution that shows it: some steps, and then a loop for ever.
 * usage: 07_temporal FILE.bp [FORMULA] */
#include <bp/bp.h>
#include <stdio.h>
#include <string.h>

/* "From some time on the driver is never in serve": as a HOA file, as translators write it. */
static const char automaton_text[] = "HOA: v1\n"
                                     "States: 2\n"
                                     "Start: 0\n"
                                     "AP: 1 \"in(serve)\"\n"
                                     "acc-name: Buchi\n"
                                     "Acceptance: 1 Inf(0)\n"
                                     "--BODY--\n"
                                     "State: 0\n"
                                     "  [t] 0\n"
                                     "  [!0] 1\n"
                                     "State: 1 {0}\n"
                                     "  [!0] 1\n"
                                     "--END--\n";

static bp_status print_steps(bp_trace *trace, const bp_program *program, uint32_t depth)
{
  bp_cursor *at = NULL;
  bp_status status = bp_cursor_new(&at, trace);
  while (status == BP_OK && (status = bp_cursor_next(at)) == BP_OK) {
    bp_range range;
    bp_cursor_range(at, &range);
    const int indent = 2 * (int)(depth + bp_cursor_depth(at));
    printf("%*s%s, line %u%s\n", indent + 2, "", bp_proc_name(program, bp_cursor_proc(at)),
           (unsigned)range.line, bp_cursor_closed(at) ? " (a call that returns)" : "");
  }
  bp_cursor_free(at);
  return status == BP_END ? BP_OK : status;
}

/* Traces open their calls on request, so a long one costs nothing that is not looked at. */
static bp_status print_lasso(bp_ltl *ltl, const bp_program *program)
{
  bp_trace *prefix = NULL, *loop = NULL;
  bp_status status = bp_ltl_prefix(&prefix, ltl, NULL);
  if (status == BP_OK) status = bp_ltl_loop(&loop, ltl, NULL);
  if (status == BP_OK) status = bp_trace_replay(prefix, 1); /* not that it needs to be doubted */
  if (status == BP_OK) status = print_steps(prefix, program, 0);
  if (status == BP_OK) {
    const bp_ltl_end end = bp_ltl_end_of(ltl);
    printf("%s\n", end == BP_LTL_TERMINATED ? "and has terminated"
                   : end == BP_LTL_FAILED   ? "and has failed an assertion"
                                            : "and then for ever");
    status = print_steps(loop, program, bp_ltl_depth(ltl));
  }
  bp_trace_unref(prefix);
  bp_trace_unref(loop);
  return status;
}

/* Ten seconds and a million BDD nodes; what was explored is kept, so more of both could follow. */
static bp_status decide(bp_ltl *ltl, const char *name, const bp_program *program)
{
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 10000, .nodes = 1000000};
  bp_status status = bp_ltl_set_limits(ltl, &limits);
  if (status == BP_OK) status = bp_ltl_run(ltl);
  if (status != BP_OK) return status;
  const bp_ltl_verdict verdict = bp_ltl_verdict_of(ltl);
  printf("%s: %s", name, bp_ltl_verdict_name(verdict));
  if (verdict == BP_LTL_UNDECIDED) printf(" (%s)", bp_reason_name(bp_ltl_reason(ltl)));
  putchar('\n');
  return verdict == BP_LTL_VIOLATED ? print_lasso(ltl, program) : BP_OK;
}

static bp_status ask(bp_context *ctx, const bp_program *program, const char *text)
{
  bp_cfg *cfg = NULL;
  bp_manager *manager = NULL;
  bp_formula *formula = NULL;
  bp_automaton *automaton = NULL;
  bp_ltl *by_formula = NULL, *by_automaton = NULL;
  bp_status status = bp_cfg_new(&cfg, ctx, program);
  if (status == BP_OK) status = bp_manager_new(&manager, ctx, NULL);
  if (status == BP_OK) status = bp_formula_parse(&formula, ctx, text, strlen(text), "formula");
  if (status == BP_OK) status = bp_ltl_new(&by_formula, ctx, manager, cfg, formula, NULL);
  if (status == BP_OK) status = decide(by_formula, text, program);
  if (status == BP_OK)
    status = bp_automaton_read_hoa(&automaton, ctx, automaton_text, sizeof automaton_text - 1,
                                   "idle.hoa");
  if (status == BP_OK)
    status = bp_ltl_new_automaton(&by_automaton, ctx, manager, cfg, automaton, "idle.hoa", NULL);
  if (status == BP_OK) status = decide(by_automaton, "idle.hoa", program);
  bp_ltl_unref(by_automaton);
  bp_ltl_unref(by_formula);
  bp_automaton_unref(automaton);
  bp_formula_unref(formula);
  bp_manager_unref(manager);
  bp_cfg_unref(cfg);
  return status;
}

int main(int argc, char **argv)
{
  enum { MOST = 1 << 20 };
  static char text[MOST];
  bp_context *ctx = NULL;
  bp_program *program = NULL;
  bp_sink err;
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  const size_t len = file ? fread(text, 1, MOST, file) : 0;
  if (file) fclose(file);
  bp_sink_stdio(&err, stderr);
  if (!len || bp_context_new(&ctx) != BP_OK) return 2;
  bp_status status = bp_program_parse(&program, ctx, text, len, argv[1], NULL);
  if (status == BP_OK) status = ask(ctx, program, argc > 2 ? argv[2] : "F (terminated || failed)");
  if (status != BP_OK) bp_context_write_diagnostics(ctx, &err);
  bp_program_unref(program);
  bp_context_unref(ctx);
  return status == BP_OK ? 0 : 2;
}
