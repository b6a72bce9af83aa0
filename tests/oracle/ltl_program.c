/* SPDX-License-Identifier: MIT
 * Asks formulas of programs in every way there is, for ltl_programs.py: the three searches, with and
 * without the way for safety and the preprocessing, parts of the engine off, either kernel, and by the
 * automaton of the negation instead of the formula, in one run or in many with a few steps each, which
 * must not cost more than twice as much. All must say the same, and every counterexample must replay. Arguments are pairs of files, a program and formulas, one a line. Prints what differs. */
#include <bp/bp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bp_context *ctx;
static bp_manager *managers[2]; /* by bp_kernel */
static unsigned wrong, asked, violated;
static const char *file, *formula_text;

static void need(bp_status status)
{
  if (status == BP_OK) return;
  fprintf(stderr, "ltl_program: %s: %s: %s\n", file, formula_text, bp_context_message(ctx));
  exit(2);
}

static char *read_file(const char *name, size_t *len)
{
  FILE *in = fopen(name, "rb");
  char *text = malloc(1 << 20);
  if (!in || !text) exit(2);
  *len = fread(text, 1, (1 << 20) - 1, in);
  text[*len] = '\0';
  fclose(in);
  return text;
}

typedef struct variant {
  const char *name;
  bp_ltl_search search;
  int no_safety, no_monotone;
  uint32_t off;
  bp_kernel kernel;
  int automaton;
  uint64_t slice; /* steps of each run; 0: all in one */
} variant;

static const variant variants[] = {
    {"default", BP_LTL_DEFAULT, 0, 0, 0, BP_KERNEL_NATIVE, 0, 0},
    {"closure", BP_LTL_CLOSURE, 1, 0, 0, BP_KERNEL_NATIVE, 0, 0},
    {"closure without preprocessing", BP_LTL_CLOSURE, 1, 1, 0, BP_KERNEL_NATIVE, 0, 0},
    {"Emerson-Lei", BP_LTL_EMERSON_LEI, 1, 0, 0, BP_KERNEL_NATIVE, 0, 0},
    {"Xie-Beerel", BP_LTL_XIE_BEEREL, 1, 0, 0, BP_KERNEL_NATIVE, 0, 0},
    {"everything off", BP_LTL_CLOSURE, 1, 0, BP_ENGINE_ALL, BP_KERNEL_NATIVE, 0, 0},
    {"live off", BP_LTL_EMERSON_LEI, 1, 0, BP_ENGINE_LIVE, BP_KERNEL_NATIVE, 0, 0},
    {"modref off", BP_LTL_CLOSURE, 0, 0, BP_ENGINE_MODREF | BP_ENGINE_CONE, BP_KERNEL_NATIVE, 0, 0},
    {"loop and chain off", BP_LTL_XIE_BEEREL, 1, 0, BP_ENGINE_LOOP | BP_ENGINE_CHAIN,
     BP_KERNEL_NATIVE, 0, 0},
    {"all heads", BP_LTL_DEFAULT, 1, 0, BP_ENGINE_POST, BP_KERNEL_NATIVE, 0, 0},
    {"all heads, closure", BP_LTL_CLOSURE, 1, 0, BP_ENGINE_POST, BP_KERNEL_BUDDY, 0, 0},
    {"all heads, Emerson-Lei", BP_LTL_EMERSON_LEI, 1, 0, BP_ENGINE_POST, BP_KERNEL_NATIVE, 0, 0},
    {"all heads, Xie-Beerel", BP_LTL_XIE_BEEREL, 1, 0, BP_ENGINE_POST, BP_KERNEL_NATIVE, 0, 0},
    {"BuDDy", BP_LTL_DEFAULT, 1, 0, 0, BP_KERNEL_BUDDY, 0, 0},
    {"BuDDy, Emerson-Lei", BP_LTL_EMERSON_LEI, 0, 0, 0, BP_KERNEL_BUDDY, 0, 0},
    {"automaton", BP_LTL_DEFAULT, 0, 0, 0, BP_KERNEL_NATIVE, 1, 0},
    {"a step at a time", BP_LTL_DEFAULT, 1, 0, 0, BP_KERNEL_NATIVE, 0, 1},
    {"closure in slices", BP_LTL_CLOSURE, 0, 0, 0, BP_KERNEL_NATIVE, 0, 1},
    {"Emerson-Lei in slices", BP_LTL_EMERSON_LEI, 1, 0, 0, BP_KERNEL_NATIVE, 0, 2},
    {"Xie-Beerel in slices", BP_LTL_XIE_BEEREL, 1, 0, 0, BP_KERNEL_NATIVE, 0, 1},
    {"all heads, a step at a time", BP_LTL_DEFAULT, 1, 0, BP_ENGINE_POST, BP_KERNEL_NATIVE, 0, 1},
    {"all heads, closure in slices", BP_LTL_CLOSURE, 1, 0, BP_ENGINE_POST, BP_KERNEL_NATIVE, 0, 1},
    {"all heads, Emerson-Lei in slices", BP_LTL_EMERSON_LEI, 1, 0, BP_ENGINE_POST, BP_KERNEL_NATIVE,
     0, 2},
    {"all heads, Xie-Beerel in slices", BP_LTL_XIE_BEEREL, 1, 0, BP_ENGINE_POST, BP_KERNEL_NATIVE,
     0, 1},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void complain(const variant *v, const char *what)
{
  wrong++;
  printf("%s: %s: %s: %s\n", file, formula_text, v->name, what);
}

/* Whether `to` is where control goes from `from` in the same procedure, over declarations and the like. */
static int follows(const bp_cfg *cfg, uint32_t from, uint32_t to, int depth)
{
  for (uint32_t i = 0; i < bp_cfg_succ_count(cfg, from); i++) {
    const uint32_t next = bp_cfg_succ(cfg, from, i);
    if (next == to) return 1;
    const uint32_t stmt = bp_cfg_vertex_stmt(cfg, next);
    if (stmt == BP_NONE || !depth) continue;
    const bp_stmt_kind kind = bp_stmt_kind_of(bp_cfg_program(cfg), stmt);
    if ((kind == BP_STMT_DECL || kind == BP_STMT_ENFORCE) && follows(cfg, next, to, depth - 1))
      return 1;
  }
  return 0;
}

typedef struct ends {
  uint32_t first, last; /* vertices of the first and the last step; BP_NONE: there is none */
} ends;

static ends ends_of(bp_trace *trace)
{
  bp_cursor *cursor;
  ends found = {BP_NONE, BP_NONE};
  need(bp_cursor_new(&cursor, trace));
  while (bp_cursor_next(cursor) == BP_OK) {
    found.last = bp_cursor_vertex(cursor);
    if (found.first == BP_NONE) found.first = found.last;
  }
  bp_cursor_free(cursor);
  return found;
}

/* Whether control can leave the procedure behind the statement of a vertex. */
static int leaves(const bp_cfg *cfg, uint32_t vertex)
{
  for (uint32_t i = 0; i < bp_cfg_succ_count(cfg, vertex); i++)
    if (bp_cfg_vertex_stmt(cfg, bp_cfg_succ(cfg, vertex, i)) == BP_NONE) return 1;
  return 0;
}

/* The loop goes on where the prefix ends, and where it ends itself. Where a frame may have been entered or
 * left in between it is left to replay. */
static void check_turn(const variant *v, const bp_cfg *cfg, bp_trace *prefix, bp_trace *loop)
{
  const ends one = ends_of(prefix), two = ends_of(loop);
  const uint32_t before[] = {one.last, two.last};
  for (int i = 0; i < 2 && two.first != BP_NONE; i++) {
    const uint32_t stmt = bp_cfg_vertex_stmt(cfg, before[i]);
    if (stmt == BP_NONE) continue;
    const bp_stmt_kind kind = bp_stmt_kind_of(bp_cfg_program(cfg), stmt);
    if (bp_cfg_vertex_proc(cfg, before[i]) == bp_cfg_vertex_proc(cfg, two.first) &&
        kind != BP_STMT_CALL && !leaves(cfg, before[i]) && !follows(cfg, before[i], two.first, 20))
      complain(v, i ? "the loop does not go on where it ends" : "the prefix ends elsewhere");
  }
}

/* Looks at every value of every step. */
static uint64_t walk(bp_trace *trace, const bp_program *p)
{
  bp_cursor *cursor;
  uint64_t steps = 0;
  bp_status status;
  need(bp_cursor_new(&cursor, trace));
  while ((status = bp_cursor_next(cursor)) == BP_OK) {
    const uint32_t proc = bp_cursor_proc(cursor);
    bp_value value;
    steps++;
    if (bp_cursor_stmt(cursor) >= bp_program_stmt_count(p)) exit(3);
    for (uint32_t var = 0; var < bp_program_var_count(p); var++)
      if (bp_var_proc(p, var) == BP_NONE || bp_var_proc(p, var) == proc)
        need(bp_cursor_value(cursor, var, &value));
  }
  if (status != BP_END) need(status);
  bp_cursor_free(cursor);
  return steps;
}

static void look_at(bp_ltl *ltl, const variant *v, const bp_program *p, int values)
{
  for (int shortest = 0; shortest < 2; shortest++) {
    const bp_trace_options options = {
        .size = sizeof options, .shortest = shortest, .levels = BP_NONE};
    bp_trace *traces[2] = {NULL, NULL};
    need(bp_ltl_prefix(&traces[0], ltl, &options));
    need(bp_ltl_loop(&traces[1], ltl, &options));
    uint64_t round = 0;
    for (int i = 0; i < 2; i++) {
      uint64_t length;
      if (bp_trace_replay(traces[i], BP_NONE) != BP_OK)
        complain(v, i ? "the loop does not replay" : "the prefix does not replay");
      need(bp_trace_length(traces[i], &length));
      if (values && walk(traces[i], p) != length) complain(v, "a trace has another length");
      round = length;
    }
    check_turn(v, bp_query_cfg(bp_trace_query(traces[0])), traces[0], traces[1]);
    if ((bp_ltl_end_of(ltl) == BP_LTL_RUNS) != (round > 0))
      complain(v, "the loop is empty, or not");
    bp_trace_unref(traces[0]);
    bp_trace_unref(traces[1]);
  }
}

static uint64_t steps_of(bp_ltl *ltl)
{
  bp_ltl_stats stats = {.size = sizeof stats};
  need(bp_ltl_get_stats(ltl, &stats));
  return stats.steps;
}

/* Runs with so many steps more each time, until the verdict is there; then without limits. */
static void run_in_slices(bp_ltl *ltl, uint64_t slice)
{
  bp_limits limits = {.size = sizeof limits};
  while (slice && bp_ltl_verdict_of(ltl) == BP_LTL_UNDECIDED) {
    limits.steps += slice;
    need(bp_ltl_set_limits(ltl, &limits));
    need(bp_ltl_run(ltl));
  }
  need(bp_ltl_set_limits(ltl, NULL));
  need(bp_ltl_run(ltl));
}

static bp_ltl_verdict ask(const variant *v, bp_cfg *cfg, const bp_formula *formula, int values,
                          uint64_t *steps)
{
  const bp_ltl_options options = {.size = sizeof options,
                                  .off = v->off,
                                  .search = v->search,
                                  .no_safety = v->no_safety,
                                  .no_monotone = v->no_monotone};
  bp_ltl *ltl;
  if (v->automaton) {
    bp_formula *negation;
    bp_automaton *automaton;
    need(bp_formula_negate(&negation, ctx, formula));
    need(bp_automaton_from_formula(&automaton, ctx, negation, NULL));
    need(bp_ltl_new_automaton(&ltl, ctx, managers[v->kernel], cfg, automaton, NULL, &options));
    bp_formula_unref(negation);
    bp_automaton_unref(automaton);
  } else {
    need(bp_ltl_new(&ltl, ctx, managers[v->kernel], cfg, formula, &options));
  }
  run_in_slices(ltl, v->slice);
  const bp_ltl_verdict verdict = bp_ltl_verdict_of(ltl);
  *steps = steps_of(ltl);
  if (verdict == BP_LTL_VIOLATED) look_at(ltl, v, bp_cfg_program(cfg), values);
  bp_ltl_unref(ltl);
  return verdict;
}

static void ask_all(bp_cfg *cfg, const char *text)
{
  bp_formula *formula;
  bp_ltl_verdict first = BP_LTL_UNDECIDED;
  formula_text = text;
  need(bp_formula_parse(&formula, ctx, text, strlen(text), "formula"));
  for (int i = 0; i < VARIANTS; i++) {
    variant whole = variants[i];
    whole.slice = 0;
    uint64_t steps, least = 0;
    const bp_ltl_verdict verdict = ask(&variants[i], cfg, formula, i < 2, &steps);
    if (variants[i].slice) ask(&whole, cfg, formula, 0, &least);
    if (variants[i].slice && steps > 2 * least) complain(&variants[i], "too much work");
    if (!i) first = verdict;
    if (verdict == BP_LTL_UNDECIDED || verdict != first)
      complain(&variants[i], bp_ltl_verdict_name(verdict));
  }
  asked++;
  violated += first == BP_LTL_VIOLATED;
  bp_formula_unref(formula);
}

static void ask_about(const char *name, const char *formulas)
{
  size_t len, rest;
  bp_program *program;
  bp_cfg *cfg;
  file = name;
  formula_text = "";
  char *text = read_file(name, &len), *lines = read_file(formulas, &rest);
  need(bp_program_parse(&program, ctx, text, len, name, NULL));
  need(bp_cfg_new(&cfg, ctx, program));
  for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n"))
    ask_all(cfg, line);
  bp_cfg_unref(cfg);
  bp_program_unref(program);
  free(text);
  free(lines);
}

int main(int argc, char **argv)
{
  const bp_manager_options buddy = {.size = sizeof buddy, .kernel = BP_KERNEL_BUDDY};
  if (bp_context_new(&ctx) != BP_OK) return 2;
  need(bp_manager_new(&managers[BP_KERNEL_NATIVE], ctx, NULL));
  need(bp_manager_new(&managers[BP_KERNEL_BUDDY], ctx, &buddy));
  for (int i = 1; i + 1 < argc; i += 2)
    ask_about(argv[i], argv[i + 1]);
  bp_manager_unref(managers[0]);
  bp_manager_unref(managers[1]);
  bp_context_unref(ctx);
  printf("%u asked, %u violated, %u wrong\n", asked, violated, wrong);
  return wrong != 0;
}
