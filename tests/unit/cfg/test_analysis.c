/* SPDX-License-Identifier: MIT
 * What is known before any BDD: live ranges, MOD and REF, the cone of influence, relevance. */
#include "cfg/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bp_context *ctx;
static bp_program *p;
static bp_cfg *cfg;
static bpi_analysis a;

static uint32_t vertex(const char *label)
{
  return bp_cfg_vertex_of_stmt(cfg, bp_program_find_label(p, BP_NONE, label, 0));
}

/* Analyses for one goal, a label. */
static void open_analysis(const char *text, const char *label, bpi_analysis_options options)
{
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_program_parse(&p, ctx, text, strlen(text), "analysis", NULL), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  const bpi_goal goal = {.vertex = vertex(label)};
  assert_int_equal(bpi_analysis_make(&a, cfg, &goal, 1, options), BP_OK);
}

static void close_analysis(void)
{
  bpi_analysis_clear(&a);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
  bp_context_unref(ctx);
}

static bool has(const uint64_t *set, const char *proc, const char *name)
{
  const uint32_t home = proc ? bp_program_find_proc(p, proc) : BP_NONE;
  return bpi_bit(set, a.place[bp_program_find_var(p, home, name)]);
}

/* The variables of one letter in a set, as text. */
static void check_live(const char *label, const char *proc, const char *all, const char *expected)
{
  char found[16], *end = found;
  for (; *all; all++) {
    const char name[] = {*all, 0};
    if (has(bpi_live(&a, vertex(label)), proc, name)) *end++ = *all;
  }
  *end = 0;
  assert_string_equal(found, expected);
}

/* The example of the paper, section 4, with its results used. Without that nothing is live: what only
 * a dead variable depends on is dead as well, which is more than the paper's live ranges. */
static void test_live_ranges(void **state)
{
  (void)state;
#define EXAMPLE                                                                                    \
  "void main() begin decl a, b, c, d, e, f;\n"                                                     \
  "  L1: a := b | c; L2: d := a | e; L3: e := d | e; L4: f := d;\n"
  static const char used[] = EXAMPLE "  L5: assume(e & f); L6: skip; end\n";
  static const char unused[] = EXAMPLE "  L5: skip; L6: skip; end\n";
#undef EXAMPLE
  open_analysis(used, "L6", (bpi_analysis_options){.live = true, .modref = true});
  check_live("L1", "main", "abcdef", "bce");
  check_live("L2", "main", "abcdef", "ae");
  check_live("L3", "main", "abcdef", "de");
  check_live("L4", "main", "abcdef", "de");
  check_live("L5", "main", "abcdef", "ef");
  check_live("L6", "main", "abcdef", "");
  close_analysis();
  open_analysis(unused, "L6", (bpi_analysis_options){.live = true, .modref = true});
  check_live("L1", "main", "abcdef", "");
  close_analysis();
  open_analysis(used, "L6", (bpi_analysis_options){.live = false});
  check_live("L6", "main", "abcdef", "abcdef");
  close_analysis();
}

/* A loop keeps alive what its next round reads; a call what the callee reads. */
static void test_live_loop(void **state)
{
  (void)state;
  open_analysis("decl g, h;\n"
                "void f(x) begin assume(h | x); g := x; end\n"
                "void main() begin decl a, b;\n"
                "  while (*) do L1: assume(a); L2: b := a; L3: f(b); L4: a := g; od\n"
                "  END: skip;\n"
                "end\n",
                "END", (bpi_analysis_options){.live = true, .modref = true});
  check_live("L1", "main", "ab", "a");
  check_live("L3", "main", "ab", "b");
  check_live("L4", "main", "ab", "");
  check_live("L3", NULL, "gh", "h");
  check_live("L4", NULL, "gh", "gh");
  check_live("END", NULL, "gh", "");
  close_analysis();
}

static void test_modref(void **state)
{
  (void)state;
  open_analysis("decl a, b, c, d;\n"
                "void main() begin f(); END: skip; end\n"
                "void f() begin a := b; g(); end\n"
                "void g() begin decl l; assume(c | l); dead d; f(); end\n"
                "void leaf(x) begin x := a; end\n",
                "END", (bpi_analysis_options){.live = false, .modref = true, .summaries = true});
  static const struct {
    const char *proc, *mod, *touch;
  } x[] = {{"main", "ad", "abcd"}, {"f", "ad", "abcd"}, {"g", "ad", "abcd"}, {"leaf", "", "a"}};
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t proc = bp_program_find_proc(p, x[i].proc);
    for (const char *name = "abcd"; *name; name++) {
      const char one[] = {*name, 0};
      assert_int_equal(has(bpi_proc_set(&a, a.mod, proc), NULL, one), !!strchr(x[i].mod, *name));
      if (!strcmp(x[i].proc, "leaf")) continue; /* never called */
      assert_int_equal(has(bpi_proc_set(&a, a.touch, proc), NULL, one),
                       !!strchr(x[i].touch, *name));
    }
  }
  close_analysis();
}

static bool matters(const char *proc, const char *name)
{
  const uint32_t home = proc ? bp_program_find_proc(p, proc) : BP_NONE;
  return a.var_matters[bp_program_find_var(p, home, name)];
}

static void test_cone(void **state)
{
  (void)state;
  static const char text[] = "decl a, b, c, d, e;\n"
                             "bool<2> f(x, y) begin return x, y; end\n"
                             "void main() begin decl l, m;\n"
                             "  l, m := f(b, d);\n"
                             "  c := m & e;\n"
                             "  a := l;\n"
                             "  if (a) then R: skip; fi\n"
                             "  NEVER: assume(c);\n"
                             "end\n";
  open_analysis(text, "R", (bpi_analysis_options){.cone = true, .modref = true, .live = true});
  assert_true(matters(NULL, "a") && matters(NULL, "b") && matters("main", "l"));
  assert_true(matters("f", "x"));
  assert_false(matters(NULL, "c") || matters(NULL, "d") || matters(NULL, "e"));
  assert_false(matters("main", "m") || matters("f", "y"));
  assert_int_equal(a.dropped_vars, 5);
  assert_int_equal(a.globals, 2); /* places are for what matters */
  assert_int_equal(a.places, 3);
  assert_int_equal(a.place[bp_program_find_var(p, BP_NONE, "e")], BP_NONE);
  assert_int_equal(a.place[bp_program_find_var(p, bp_program_find_proc(p, "f"), "x")], 2);
  assert_int_equal(a.formals[bp_program_find_proc(p, "f")], 1);
  assert_true(a.explore[vertex("R")]);
  assert_false(a.explore[vertex("NEVER")]); /* the goal cannot be reached from there */
  close_analysis();
  open_analysis(text, "R", (bpi_analysis_options){.cone = false, .modref = true, .live = true});
  assert_true(matters(NULL, "c") && matters(NULL, "e") && matters("f", "y"));
  assert_int_equal(a.dropped_vars, 0);
  assert_int_equal(a.places, 7);
  close_analysis();
}

/* The condition on the start state is part of the question: what it mentions matters. */
static void test_start_condition(void **state)
{
  (void)state;
  static const bpi_instr start[] = {{BPI_OP_VAR, 1}};
  open_analysis("decl a, b, c; void main() begin if (a) then R: skip; fi end", "R",
                (bpi_analysis_options){.cone = true, .start = start, .start_count = 1});
  assert_true(matters(NULL, "a") && matters(NULL, "b"));
  assert_false(matters(NULL, "c"));
  close_analysis();
}

static void test_too_many(void **state)
{
  (void)state;
  static const char text[] = "decl a, b; bool<2> f(x) begin return x, x; end\n"
                             "void main() begin decl l, m; l, m := f(b); a := m; R: assume(a); end";
  open_analysis(text, "R", (bpi_analysis_options){.most = 6});
  const bpi_goal goal = {.vertex = vertex("R")};
  bpi_analysis_clear(&a);
  assert_int_equal(bpi_analysis_make(&a, cfg, &goal, 1, (bpi_analysis_options){.most = 5}),
                   BP_E_LIMIT);
  close_analysis();
}

static void test_relevance(void **state)
{
  (void)state;
  open_analysis("void main() begin decl a;\n"
                "  f(); A: skip; goto B;\n"
                "  DEAD: skip;\n"
                "  B: stuck(); C: skip;\n"
                "end\n"
                "void f() begin end\n"
                "void stuck() begin IN: skip; L: goto L; end\n"
                "void never() begin N: skip; end\n",
                "C", (bpi_analysis_options){.cone = true, .modref = true, .live = true});
  assert_true(a.reached[vertex("A")] && a.reached[vertex("B")] && a.reached[vertex("IN")]);
  assert_false(a.reached[vertex("DEAD")] || a.reached[vertex("N")] || a.reached[vertex("C")]);
  assert_true(a.returns[bp_program_find_proc(p, "f")]);
  assert_false(a.returns[bp_program_find_proc(p, "stuck")]);
  close_analysis();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_live_ranges), cmocka_unit_test(test_live_loop),
      cmocka_unit_test(test_modref),      cmocka_unit_test(test_cone),
      cmocka_unit_test(test_relevance),   cmocka_unit_test(test_start_condition),
      cmocka_unit_test(test_too_many),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
