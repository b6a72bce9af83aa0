/* SPDX-License-Identifier: MIT */
#include "ltl_life.h"

#include <string.h>

#define COUNTER                                                                                    \
  "decl a, b, c, d; void main() begin a, b, c, d := 0, 0, 0, 0;\n"                                 \
  "while (!(a & b & c & d)) do I: a, b, c, d := !a, a != b, (a & b) != c, (a & b & c) != d; od\n"  \
  "E: skip; end"
#define RECURSION                                                                                  \
  "decl g; bool down(x) begin decl l; l := x; if (x) then P: l := down(g); fi return l; end\n"     \
  "void main() begin decl r; r := down(1); r := down(0); S: skip; end"
#define FAILURE                                                                                    \
  "decl g; void check(x) begin assert(x | g); end\n"                                               \
  "void main() begin g := *; check(1); if (*) then check(0); fi while (*) do L: skip; od end"

const ltl_sample ltl_samples[] = {
    {COUNTER, "F terminated", BP_LTL_HOLDS, BP_LTL_RUNS, 0, 0, 0},
    {COUNTER, "G (I -> X X I)", BP_LTL_VIOLATED, BP_LTL_TERMINATED, 33, 0, 0},
    {COUNTER, "G F I", BP_LTL_VIOLATED, BP_LTL_TERMINATED, 33, 0, 0},
    {COUNTER, "!E W \"a & b & c & d\"", BP_LTL_HOLDS, BP_LTL_RUNS, 0, 0, 0},
    {RECURSION, "F terminated", BP_LTL_VIOLATED, BP_LTL_RUNS, 1, 3, 1},
    {RECURSION, "G (exit(down) -> F S)", BP_LTL_HOLDS, BP_LTL_RUNS, 0, 0, 0},
    {RECURSION, "G F (in(main) || P)", BP_LTL_VIOLATED, BP_LTL_TERMINATED, 13, 0, 0},
    {FAILURE, "G !failed", BP_LTL_VIOLATED, BP_LTL_FAILED, 6, 0, 0},
    {FAILURE, "F (failed || terminated)", BP_LTL_VIOLATED, BP_LTL_RUNS, 4, 2, 0},
    {FAILURE, "G F L || F (failed || terminated)", BP_LTL_HOLDS, BP_LTL_RUNS, 0, 0, 0},
};
const uint32_t ltl_sample_count = sizeof ltl_samples / sizeof *ltl_samples;

bp_status ltl_open(ltl_handles *h, const ltl_sample *s, const bp_ltl_options *options,
                   bp_kernel kernel)
{
  const bp_manager_options manager = {.size = sizeof manager, .kernel = kernel};
  *h = (ltl_handles){0};
  bp_status status = bp_context_new(&h->ctx);
  if (status == BP_OK)
    status = bp_program_parse(&h->program, h->ctx, s->program, strlen(s->program), "p", NULL);
  if (status == BP_OK) status = bp_cfg_new(&h->cfg, h->ctx, h->program);
  if (status == BP_OK) status = bp_manager_new(&h->m, h->ctx, &manager);
  if (status == BP_OK)
    status = bp_formula_parse(&h->formula, h->ctx, s->formula, strlen(s->formula), "f");
  if (status == BP_OK) status = bp_ltl_new(&h->ltl, h->ctx, h->m, h->cfg, h->formula, options);
  return status;
}

void ltl_close(ltl_handles *h)
{
  bp_ltl_unref(h->ltl);
  bp_formula_unref(h->formula);
  bp_manager_unref(h->m);
  bp_cfg_unref(h->cfg);
  bp_program_unref(h->program);
  bp_context_unref(h->ctx);
  *h = (ltl_handles){0};
}

static bp_status walk(bp_trace *trace, const bp_program *p, uint64_t *steps)
{
  bp_cursor *cursor = NULL;
  bp_status status = bp_cursor_new(&cursor, trace);
  *steps = 0;
  while (status == BP_OK && (status = bp_cursor_next(cursor)) == BP_OK) {
    ++*steps;
    assert_true(bp_cursor_stmt(cursor) < bp_program_stmt_count(p));
    assert_int_equal(bp_stmt_proc(p, bp_cursor_stmt(cursor)), bp_cursor_proc(cursor));
    for (uint32_t var = 0; var < bp_program_var_count(p) && status == BP_OK; var++) {
      const uint32_t home = bp_var_proc(p, var);
      bp_value value;
      if (home == BP_NONE || home == bp_cursor_proc(cursor))
        status = bp_cursor_value(cursor, var, &value);
    }
  }
  bp_cursor_free(cursor);
  return status == BP_END ? BP_OK : status;
}

static bp_status look_at(bp_trace *trace, const bp_program *p, uint64_t *length)
{
  uint64_t steps = 0, known = 0;
  bp_status status = walk(trace, p, &steps);
  if (status == BP_OK) status = bp_trace_length(trace, &known);
  if (status == BP_OK) status = bp_trace_replay(trace, BP_NONE);
  if (status != BP_OK) return status;
  assert_int_equal(steps, known);
  *length = known;
  return BP_OK;
}

static int count_bytes(void *user, const char *bytes, size_t len)
{
  uint64_t *count = user;
  (void)bytes;
  *count += len;
  return 0;
}

bp_status ltl_ask(ltl_handles *h, ltl_facts *f)
{
  const bp_trace_options options = {.size = sizeof options, .levels = BP_NONE};
  const bp_sink sink = {.size = sizeof sink, .write = count_bytes, .user = &f->bytes};
  bp_trace *prefix = NULL, *loop = NULL;
  *f = (ltl_facts){.prefix = UINT64_MAX, .round = UINT64_MAX};
  bp_status status = bp_ltl_run(h->ltl);
  if (status != BP_OK) return status;
  f->verdict = bp_ltl_verdict_of(h->ltl);
  if (f->verdict == BP_LTL_UNDECIDED) return BP_OK;
  if (f->verdict == BP_LTL_VIOLATED) {
    status = bp_ltl_prefix(&prefix, h->ltl, &options);
    if (status == BP_OK) status = bp_ltl_loop(&loop, h->ltl, &options);
    if (status == BP_OK) status = look_at(prefix, h->program, &f->prefix);
    if (status == BP_OK) status = look_at(loop, h->program, &f->round);
  }
  if (status == BP_OK) status = bp_ltl_write_json(h->ltl, &sink, "f", NULL);
  bp_trace_unref(prefix);
  bp_trace_unref(loop);
  return status;
}

int ltl_right(const ltl_sample *s, const ltl_handles *h, const ltl_facts *f, int partly)
{
  if (f->verdict != s->verdict) return partly && f->verdict == BP_LTL_UNDECIDED;
  if (s->verdict != BP_LTL_VIOLATED) return 1;
  if (f->prefix == UINT64_MAX || f->round == UINT64_MAX) return partly;
  return f->prefix == s->prefix && f->round == s->round && bp_ltl_end_of(h->ltl) == s->end &&
         bp_ltl_growth(h->ltl) == s->growth;
}
