/* SPDX-License-Identifier: MIT
 * Control-flow graphs of small programs, with the edges made out by hand. */
#include "cfg/cfg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bp_context *ctx;
static bp_cfg *cfg;

static void open_graph(const char *text)
{
  bp_program *p;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_program_parse(&p, ctx, text, strlen(text), "graph", NULL), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  bp_program_unref(p);
}

static void close_graph(void)
{
  bp_cfg_unref(cfg);
  bp_context_unref(ctx);
}

static uint32_t line_of(uint32_t vertex)
{
  bp_range range;
  bp_stmt_range(bp_cfg_program(cfg), bp_cfg_vertex_stmt(cfg, vertex), &range);
  return range.line;
}

/* The line of a successor; 0 for the exit, 999 for none. */
static uint32_t next_line(uint32_t line, uint32_t i)
{
  const uint32_t v = bp_cfg_vertex_at(cfg, BP_NONE, line, 0);
  assert_int_not_equal(v, BP_NONE);
  const uint32_t succ = bp_cfg_succ(cfg, v, i);
  if (succ == BP_NONE) return 999;
  if (succ == bp_cfg_proc_exit(cfg, bp_cfg_vertex_proc(cfg, v))) return 0;
  return line_of(succ);
}

typedef struct edges {
  uint32_t from, count, to[3];
} edges;

static void check(const edges *x, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t v = bp_cfg_vertex_at(cfg, BP_NONE, x[i].from, 0);
    assert_int_equal(bp_cfg_succ_count(cfg, v), x[i].count);
    for (uint32_t k = 0; k < x[i].count; k++)
      if (next_line(x[i].from, k) != x[i].to[k])
        fail_msg("line %u, successor %u: line %u", x[i].from, k, next_line(x[i].from, k));
    assert_int_equal(next_line(x[i].from, x[i].count), 999);
  }
}

static void test_branches(void **state)
{
  (void)state;
  open_graph("decl g;\n"
             "void main() begin\n"
             "  if (g) then\n"
             "    skip;\n" /* 4 */
             "  elsif (*) then\n"
             "    goto L, M;\n" /* 6 */
             "  else\n"
             "    f();\n" /* 8 */
             "  fi\n"
             "  L: while (g) do\n" /* 10 */
             "    M: g := *;\n"
             "    if (g) then return; fi\n" /* 12 */
             "  od\n"
             "end\n"
             "void f() begin end\n");
  static const edges x[] = {{3, 2, {4, 5}}, {4, 1, {10}},     {5, 2, {6, 8}}, {6, 2, {10, 11}},
                            {8, 1, {10}},   {10, 2, {11, 0}}, {11, 1, {12}}};
  check(x, sizeof x / sizeof *x);
  const uint32_t test = bp_cfg_vertex_at(cfg, BP_NONE, 12, 0);
  const uint32_t leave = bp_cfg_vertex_at(cfg, BP_NONE, 12, 1);
  assert_int_equal(bp_cfg_vertex_at(cfg, BP_NONE, 12, 2), BP_NONE);
  assert_int_equal(bp_cfg_succ(cfg, test, 0), leave);
  assert_int_equal(line_of(bp_cfg_succ(cfg, test, 1)), 10);
  assert_int_equal(bp_cfg_succ(cfg, leave, 0), bp_cfg_proc_exit(cfg, 0));
  assert_int_equal(bp_cfg_proc_entry(cfg, 0), bp_cfg_vertex_at(cfg, 0, 3, 0));
  assert_int_equal(bp_cfg_proc_entry(cfg, 1), bp_cfg_proc_exit(cfg, 1));
  assert_int_equal(bp_cfg_vertex_at(cfg, 1, 3, 0), BP_NONE);
  close_graph();
}

/* Vertices and edges are counted as they are; every predecessor is the inverse of a successor. */
static void test_counts(void **state)
{
  (void)state;
  open_graph("void main() begin decl a; a := 1; while (a) do a := *; f(); od return; end\n"
             "void f() begin if (*) then L: goto L; fi end\n");
  uint32_t edge_count = 0, back = 0;
  for (uint32_t v = 0; v < bp_cfg_vertex_count(cfg); v++) {
    edge_count += bp_cfg_succ_count(cfg, v);
    const bpi_vertex *x = &cfg->vertices.at[v];
    for (uint32_t i = 0; i < bpi_preds(x).count; i++) {
      const uint32_t pred = cfg->preds.at[bpi_preds(x).first + i];
      uint32_t found = 0;
      for (uint32_t k = 0; k < bp_cfg_succ_count(cfg, pred); k++)
        found += bp_cfg_succ(cfg, pred, k) == v;
      assert_true(found > 0);
      back++;
    }
  }
  assert_int_equal(bp_cfg_edge_count(cfg), edge_count);
  assert_int_equal(back, edge_count);
  close_graph();
}

static uint32_t depth_of(const char *text)
{
  open_graph(text);
  const uint32_t depth = bp_cfg_call_depth(cfg);
  close_graph();
  return depth;
}

static void test_calls(void **state)
{
  (void)state;
  assert_int_equal(depth_of("void main() begin skip; end"), 0);
  assert_int_equal(depth_of("void main() begin f(); end void f() begin end"), 1);
  assert_int_equal(depth_of("void main() begin f(); g(); end void f() begin g(); end\n"
                            "void g() begin h(); end void h() begin end"),
                   3);
  assert_int_equal(depth_of("void main() begin main(); end"), BP_NONE);
  open_graph("void main() begin a(); d(); end void a() begin b(); end void b() begin c(); end\n"
             "void c() begin if (*) then a(); fi d(); end void d() begin end\n"
             "void e() begin e(); end");
  static const int recursive[] = {0, 1, 1, 1, 0, 1};
  assert_int_equal(bp_cfg_call_depth(cfg), BP_NONE);
  for (uint32_t i = 0; i < 6; i++)
    assert_int_equal(bp_cfg_proc_recursive(cfg, i), recursive[i]);
  /* Callees come before callers, those of one cycle share their last rank. */
  assert_true(cfg->procs.at[4].rank < cfg->procs.at[1].rank);
  assert_true(cfg->procs.at[1].last_rank < cfg->procs.at[0].rank);
  assert_int_equal(cfg->procs.at[1].last_rank, cfg->procs.at[3].last_rank);
  close_graph();
}

/* A place in reverse postorder: ahead of all its successors, apart from loops. */
static void test_order(void **state)
{
  (void)state;
  open_graph("decl g; void main() begin if (g) then skip; else if (*) then g := 1; fi skip; fi "
             "assume(g); assert(g); end");
  for (uint32_t v = 0; v < bp_cfg_vertex_count(cfg); v++) {
    for (uint32_t i = 0; i < bp_cfg_succ_count(cfg, v); i++)
      assert_true(bpi_place_of(cfg, v) < bpi_place_of(cfg, bp_cfg_succ(cfg, v, i)));
    assert_int_equal(bpi_vertex_at_place(cfg, 0, bpi_place_of(cfg, v)), v);
  }
  close_graph();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
