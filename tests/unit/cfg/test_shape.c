/* SPDX-License-Identifier: MIT
 * Procedures of one shape: those that differ in names, places and callees alone, and no others. */
#include "cfg/cfg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The second procedure has the first one's body, but for one thing. */
static const struct row {
  const char *one, *other;
  bool same;
} rows[] = {
    {"decl a, b; a := b;", "decl a, b; a := b;", true},
    {"decl a, b; a := b;", "decl x, y; x := y;", true},
    {"decl a, b; a := b;", "decl x, y;\n\n  x   :=\n (y);", true},
    {"decl a, b; L: a := b; goto L;", "decl x, y; M: x := y; goto M;", true},
    {"decl a; a := f(a); g := a;", "decl x; x := k(x); g := x;", true},
    {"decl a; if (a) then skip; else g := a; fi", "decl x; if (x) then skip; else g := x; fi",
     true},
    {"decl a, b; a, b := b, !a constrain ('a | b);", "decl x, y; x, y := y, !x constrain ('x | y);",
     true},
    /* targets */
    {"decl a, b; a := b;", "decl a, b; b := b;", false},
    {"decl a, b; a := b;", "decl a, b; g := b;", false},
    {"decl a, b; g := b;", "decl a, b; h := b;", false},
    {"decl a, b; a, b := g, g;", "decl a, b; a := g;", false},
    {"decl a, b; a, _ := g, g;", "decl a, b; a, b := g, g;", false},
    {"decl a; a := f(a);", "decl a; f(a);", false},
    {"decl a; g := a;", "decl x; h := x;", false}, /* as far apart as a and x */
    {"decl a, b; dead a;", "decl a, b; dead a, b;", false},
    /* expressions */
    {"decl a, b; a := b;", "decl a, b; a := a;", false},
    {"decl a, b; a := b;", "decl a, b; a := g;", false},
    {"decl a, b; a := g;", "decl a, b; a := h;", false},
    {"decl a, b; a := b;", "decl a, b; a := !b;", false},
    {"decl a, b; a := a & b;", "decl a, b; a := a | b;", false},
    {"decl a, b; a := 0;", "decl a, b; a := 1;", false},
    {"decl a, b; a := 0;", "decl a, b; a := *;", false},
    {"decl a, b; a, b := !a, b;", "decl a, b; a, b := a, !b;", false},
    {"decl a, b; a := b constrain ('a);", "decl a, b; a := b constrain (a);", false},
    {"decl a, b; a := b constrain ('a);", "decl a, b; a := b;", false},
    {"decl a, b; a := b constrain (a); g := a;", "decl a, b; a := b; g := a;", false},
    {"decl a; a := f(a);", "decl a; a := f(g);", false},
    {"f(g);", "m(g, g);", false},
    /* kinds and edges */
    {"assert(g);", "assume(g);", false},
    {"assert(g);", "abortif(g);", false},
    {"decl a; if (a) then skip; else g := a; fi", "decl a; if (a) then skip; fi g := a;", false},
    {"decl a; while (a) do g := a; od", "decl a; if (a) then g := a; fi", false},
    {"goto L; L: skip; M: g := h;", "goto M; L: skip; M: g := h;", false},
    {"goto L; L: skip; M: g := h;", "goto L, M; L: skip; M: g := h;", false},
    {"skip; g := h;", "g := h; skip;", false},
    {"skip;", "skip; skip;", false},
    {"return;", "skip;", false},
    /* variables */
    {"decl a; g := a;", "decl a, b; g := a;", false},
};

/* `gap` blanks stand before the second one's body. */
static void check(const struct row *row, int gap)
{
  static char text[80000];
  bp_context *ctx;
  bp_program *p;
  bp_cfg *cfg;
  /* Neighbours are compared at once, others when they have one hash. */
  snprintf(text, sizeof text,
           "decl g, h;\nvoid main() begin one(); other(); end\nvoid one() begin %s end\n"
           "void other() begin %*s%s end\n"
           "bool f(x) begin return x; end\nbool k(x) begin return !x; end\n"
           "void m(x, y) begin skip; end\n",
           row->one, gap, "", row->other);
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  if (bp_program_parse(&p, ctx, text, strlen(text), "shape", NULL) != BP_OK)
    fail_msg("%.2000s\n%s", text, bp_context_diagnostic_text(ctx, 0));
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  const uint32_t one = bp_program_find_proc(p, "one"), other = bp_program_find_proc(p, "other");
  assert_int_equal(cfg->procs.at[one].shape, one);
  assert_true(gap < 70000 || p->wides.count > 0);
  if ((cfg->procs.at[other].shape == one) != row->same)
    fail_msg("%s | %s: %s", row->one, row->other, row->same ? "of one shape" : "of two shapes");
  bp_cfg_unref(cfg);
  bp_program_unref(p);
  bp_context_unref(ctx);
}

static void test_rows(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check(&rows[i], 0);
}

/* Statements that do not fit into a row. */
static void test_wide(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check(&rows[i], 70000);
}

/* Parameters and results count, and what is between the two does not. */
static void test_headings(void **state)
{
  static const char text[] = "decl g;\n"
                             "void main() begin g := b(g); c(g, g); e(g, g); d(g); f(g, g); end\n"
                             "bool a(x) begin decl y; y := x; return y; end\n"
                             "bool b(x) begin decl y; y := x; return y; end\n"
                             "void c(x, y) begin y := x; end\n"
                             "void d(x) begin decl y; y := x; end\n"
                             "void e(x, y) begin y := x; end\n"
                             "void f(u, v) begin v := u; end\n";
  static const uint32_t shapes[] = {0, 1, 1, 3, 4, 3, 3};
  bp_context *ctx;
  bp_program *p;
  bp_cfg *cfg;
  (void)state;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_program_parse(&p, ctx, text, strlen(text), "shape", NULL), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    assert_int_equal(cfg->procs.at[i].shape, shapes[i]);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
  bp_context_unref(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_wide),
                                     cmocka_unit_test(test_headings)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
