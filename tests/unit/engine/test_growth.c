/* SPDX-License-Identifier: MIT
 * T(N) of the Bebop paper, section 5: N procedures, each calling the next one twice. Nodes do not
 * grow with N, images grow with it linearly. */
#include <bp/bp.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *program_text(uint32_t n)
{
  const size_t size = 400 * (size_t)n + 1000;
  char *text = malloc(size), *end = text;
  assert_non_null(text);
#define PUT(...) (end += snprintf(end, size - (size_t)(end - text), __VA_ARGS__))
  PUT("decl g;\nvoid main() begin\n  level1(); level1();\n"
      "  if (!g) then REACH: skip; fi\nend\n");
  for (uint32_t i = 1; i <= n; i++) {
    PUT("void level%u() begin decl a, b, c;\n", i);
    PUT("  if (g) then\n    a, b, c := 0, 0, 0;\n    while (!a | !b | !c) do\n"
        "      if (!a) then a := 1; elsif (!b) then a, b := 0, 1;\n"
        "      elsif (!c) then a, b, c := 0, 0, 1; else skip; fi\n    od\n  else\n    ");
    if (i < n)
      PUT("level%u(); level%u();\n", i + 1, i + 1);
    else
      PUT("skip;\n");
    PUT("  fi\n  g := !g;\nend\n");
  }
#undef PUT
  return text;
}

static bp_stats ask(uint32_t n, uint32_t off)
{
  bp_context *ctx;
  bp_program *p;
  bp_cfg *cfg;
  bp_manager *m;
  bp_query *q;
  bp_answer *answer;
  bp_stats stats = {.size = sizeof stats};
  const bp_query_options options = {.size = sizeof options, .off = off};
  char *text = program_text(n);
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_program_parse(&p, ctx, text, strlen(text), "T", NULL), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  assert_int_equal(bp_cfg_call_depth(cfg), n);
  assert_int_equal(bp_manager_new(&m, ctx, NULL), BP_OK);
  assert_int_equal(bp_query_new(&q, ctx, m, cfg, &options), BP_OK);
  assert_int_equal(bp_query_add(q, "REACH", NULL), BP_OK);
  assert_int_equal(bp_query_run(q), BP_OK);
  assert_int_equal(bp_query_verdict(q, 0), BP_REACHABLE);
  assert_int_equal(bp_query_answer(&answer, q), BP_OK);
  assert_int_equal(bp_answer_stats(answer, &stats), BP_OK);
  bp_answer_unref(answer);
  bp_query_unref(q);
  bp_manager_unref(m);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
  bp_context_unref(ctx);
  free(text);
  return stats;
}

static void test_nodes(void **state)
{
  (void)state;
  const bp_stats few = ask(50, 0), many = ask(400, 0);
  print_message("N = 50: %lu nodes, %lu images; N = 400: %lu nodes, %lu images\n",
                (unsigned long)few.peak_nodes, (unsigned long)few.steps,
                (unsigned long)many.peak_nodes, (unsigned long)many.steps);
  assert_int_equal(few.peak_nodes, many.peak_nodes);
  assert_int_equal(few.bdd_vars, many.bdd_vars);
}

static void test_steps(void **state)
{
  (void)state;
  for (uint32_t off = 0; off <= BP_ENGINE_ALL; off += BP_ENGINE_ALL) {
    const uint64_t s50 = ask(50, off).steps, s100 = ask(100, off).steps;
    const uint64_t s200 = ask(200, off).steps;
    assert_true(s100 > s50);
    assert_int_equal(s200 - s100, 2 * (s100 - s50));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nodes),
      cmocka_unit_test(test_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
