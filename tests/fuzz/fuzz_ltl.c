/* SPDX-License-Identifier: MIT
 * Any formula is asked about a program or refused with a message that has a place; what is decided is
 * decided the same way by another search, and a counterexample replays. */
#include "fuzz.h"

#include <bp/bp.h>
#include <stdlib.h>
#include <string.h>

static const char program[] =
    "decl g, {a b}, h; bool p(x) begin decl y; L: y := !x; if (*) then return y; fi\n"
    "M: g := y; {a b} := *; end\n"
    "void main() begin decl x; while (g | *) do x := p(h); R: skip; od assert(!g | h); 10: skip; "
    "end";

static void check_trace(bp_trace *trace)
{
  if (trace && bp_trace_replay(trace, BP_NONE) == BP_E_INTERNAL) abort();
  bp_trace_unref(trace);
}

static bp_ltl_verdict ask(bp_context *ctx, bp_manager *m, bp_cfg *cfg, const bp_formula *f,
                          bp_ltl_search search)
{
  const bp_ltl_options options = {.size = sizeof options,
                                  .search = search,
                                  .no_safety = search == BP_LTL_EMERSON_LEI,
                                  .states = 60};
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 200, .nodes = 20000, .steps = 20000};
  bp_ltl_verdict verdict = BP_LTL_UNDECIDED;
  bp_ltl *ltl;
  bp_trace *trace;
  const bp_status status = bp_ltl_new(&ltl, ctx, m, cfg, f, &options);
  if (status != BP_OK && !bp_context_message(ctx)[0]) abort();
  if (status == BP_E_INPUT) {
    bp_range place;
    bp_context_diagnostic_range(ctx, 0, &place);
    if (!place.line) abort();
  }
  if (!ltl) return verdict;
  bp_ltl_set_limits(ltl, &limits);
  if (bp_ltl_run(ltl) != BP_OK) abort();
  verdict = bp_ltl_verdict_of(ltl);
  if (verdict == BP_LTL_VIOLATED) {
    if (bp_ltl_prefix(&trace, ltl, NULL) == BP_E_INTERNAL) abort();
    check_trace(trace);
    if (bp_ltl_loop(&trace, ltl, NULL) == BP_E_INTERNAL) abort();
    check_trace(trace);
  }
  bp_ltl_unref(ltl);
  return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  bp_context *ctx;
  bp_program *p;
  bp_cfg *cfg;
  bp_manager *m;
  bp_formula *f;
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 200};
  if (bp_context_new(&ctx) != BP_OK) return 0;
  if (bp_program_parse(&p, ctx, program, sizeof program - 1, "p", NULL) != BP_OK ||
      bp_cfg_new(&cfg, ctx, p) != BP_OK || bp_manager_new(&m, ctx, NULL) != BP_OK)
    abort();
  bp_context_set_limits(ctx, &limits);
  if (bp_formula_parse(&f, ctx, (const char *)data, size, "fuzz") == BP_OK) {
    const bp_ltl_verdict one = ask(ctx, m, cfg, f, BP_LTL_DEFAULT);
    const bp_ltl_verdict other = ask(ctx, m, cfg, f, BP_LTL_EMERSON_LEI);
    if (one && other && one != other) abort();
  }
  bp_formula_unref(f);
  bp_manager_unref(m);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
  bp_context_unref(ctx);
  return 0;
}
