/* SPDX-License-Identifier: MIT
 * Heads: what is filled in after an exploration that closes loops and keeps path edges at nodes alone is
 * what an exploration finds that does neither; moves and their reversals belong together; among all heads
 * those are known that are reached. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "made.h"

#include "product/heads.h"

static const char *const programs[] = {
    /* a counter: its loop is closed, and has places inside where ways meet */
    "decl a, b, c, d, e, f; void main() begin a, b, c, d, e, f := 0, 0, 0, 0, 0, 0;\n"
    "while (!(a & b & c & d & e & f)) do\n"
    "if (!a) then a := 1; elsif (!b) then a, b := 0, 1; elsif (!c) then a, b, c := 0, 0, 1;\n"
    "elsif (!d) then a, b, c, d := 0, 0, 0, 1; elsif (!e) then a, b, c, d, e := 0, 0, 0, 0, 1;\n"
    "else L: a, b, c, d, e, f := 0, 0, 0, 0, 0, 1; fi od while (1) do N: skip; od end",
    /* nested */
    "decl a, b, c, d; void main() begin a, b := 0, 0; while (!(a & b)) do c, d := 0, 0;\n"
    "while (!(c & d)) do c, d := !c, c != d; od L: a, b := !a, a != b; od N: skip; end",
    /* recursion, calls in loops, results */
    "decl g; bool f(x, y) begin decl l; l := x; if (x & !y) then l := f(y, x); g := !g; fi\n"
    "while (*) do l := !l; od return l; end\n"
    "void main() begin decl r; L: while (*) do r := f(g, r); assert(r | g | *); od\n"
    "if (r) then N: goto L; fi assume(!r); end",
};
static const char *const formulas[] = {"G (L -> F N)", "F G (!L && a)", "G F N"};

static bpi_engine *explore(made *x, bpi_heads *h, const bpi_code *init, uint32_t off, bool all)
{
  bpi_engine *e;
  const bpi_engine_options options = {.init = init->at,
                                      .init_count = init->count,
                                      .off = off | BP_ENGINE_CONE | BP_ENGINE_EARLY |
                                             BP_ENGINE_CONTEXT,
                                      .kept = x->product.seen};
  assert_int_equal(bpi_engine_new(&e, x->m, x->product.cfg, &options), BP_OK);
  e->watch = &x->watch;
  e->step_limit = UINT64_MAX;
  assert_true(bpi_engine_resume(e) && bpi_engine_prepare(e));
  bpi_engine_start(e, init->at, init->count);
  assert_true(bpi_engine_work(e, BP_NONE, false));
  assert_true(bpi_heads_make(h, e, &x->product, all));
  return e;
}

/* Something comes of a move just when it comes from somewhere, and so for what is left of both. */
static void check_move(bpi_heads *h, const bpi_move *move)
{
  bp_manager *m = h->e->m;
  const bpi_pair after = bpi_heads_move(h, move, h->at[move->from]);
  for (int accepting = 0; accepting < 2; accepting++) {
    const bpi_bdd all = accepting ? bpi_bdd_keep(m, after.yes) : bpi_bdd_or(m, after.no, after.yes);
    const bpi_bdd before = bpi_heads_back(h, move, all, accepting);
    const bpi_bdd origin = bpi_bdd_and(m, before, h->at[move->from]);
    assert_int_equal(all != BPI_FALSE, origin != BPI_FALSE);
    /* All that comes of it comes from there. */
    const bpi_pair again = bpi_heads_move(h, move, origin);
    assert_true(again.yes == after.yes || !accepting);
    const bpi_bdd rest = bpi_bdd_diff(m, all, accepting ? again.yes : BPI_FALSE);
    const bpi_bdd both = bpi_bdd_or(m, again.no, again.yes);
    assert_int_equal(bpi_bdd_diff(m, all, both), BPI_FALSE);
    bpi_bdd_drop(m, rest);
    bpi_bdd_drop(m, both);
    bpi_pair_drop(h->e, again);
    bpi_bdd_drop(m, all);
    bpi_bdd_drop(m, before);
    bpi_bdd_drop(m, origin);
  }
  /* Heads are closed under moves. */
  const bpi_bdd out = bpi_bdd_diff(m, after.no, h->at[move->to]);
  assert_int_equal(out, BPI_FALSE);
  bpi_pair_drop(h->e, after);
}

static uint32_t closed_loops(const bpi_engine *e)
{
  uint32_t count = 0;
  for (uint32_t b = 0; b < e->bodies.count; b++)
    for (uint32_t n = 0; n < e->bodies.at[b]->node_count; n++)
      count += e->bodies.at[b]->nodes[n].closure != BP_NONE;
  return count;
}

/* All heads are every state with `seen` 0, what is reached is what is found without them, and what leads
 * from one to another still does. The answer: how many vertices have others. */
static uint32_t check_all(const bpi_heads *reached, bpi_heads *all)
{
  bp_manager *m = all->e->m;
  uint32_t more = 0;
  for (uint32_t v = 0; v < all->e->cfg->vertices.count; v++) {
    if (all->reached[v] != reached->at[v]) fail_msg("another set is reached at vertex %u", v);
    assert_int_equal(bpi_bdd_diff(m, all->reached[v], all->at[v]), BPI_FALSE);
    more += all->at[v] != all->reached[v];
    if (!all->e->a.explore[v] || all->product->role[v] == BPI_ROLE_EXIT) {
      assert_int_equal(all->at[v], BPI_FALSE);
      continue;
    }
    const bpi_bdd unseen = bpi_bdd_literal(m, bpi_heads_seen(all, v), false);
    assert_int_equal(all->at[v], unseen);
    const bpi_bdd back = bpi_heads_reached(all, v, unseen);
    assert_int_equal(back, reached->at[v]);
    bpi_bdd_drop(m, back);
    bpi_bdd_drop(m, unseen);
  }
  assert_true(all->moves.count >= reached->moves.count);
  for (uint32_t i = 0; i < all->moves.count; i++) {
    const bpi_move *move = &all->moves.at[i];
    check_move(all, move);
    const bpi_pair after = bpi_heads_move(all, move, all->reached[move->from]);
    const bpi_bdd any = bpi_bdd_or(m, after.no, after.yes);
    assert_int_equal(bpi_bdd_diff(m, any, all->reached[move->to]), BPI_FALSE);
    bpi_bdd_drop(m, any);
    bpi_pair_drop(all->e, after);
  }
  return more;
}

static void compare(const char *program, const char *formula)
{
  made x;
  bpi_heads one = {0}, other = {0}, all = {0};
  bpi_code init = {0};
  made_make(&x, program, formula);
  assert_true(bpi_product_states(&x.product, x.a.initial.at, x.a.initial.count, &init));
  assert_true(bpi_bdd_enter(x.m, &x.watch, 0));
  bpi_engine *fast = explore(&x, &one, &init, 0, false);
  bpi_engine *slow =
      explore(&x, &other, &init, BP_ENGINE_LOOP | BP_ENGINE_CHAIN | BP_ENGINE_DELTA, false);
  bpi_engine *wide = explore(&x, &all, &init, 0, true);
  if (program == programs[0]) assert_true(closed_loops(fast) > 0);
  assert_int_equal(closed_loops(slow), 0);
  uint32_t reached = 0;
  for (uint32_t v = 0; v < x.product.cfg->vertices.count; v++) {
    if (one.at[v] != other.at[v])
      fail_msg("%s: heads differ at vertex %u, role %d", formula, v, x.product.role[v]);
    reached += one.at[v] != BPI_FALSE;
  }
  assert_true(reached > x.cfg->vertices.count);
  for (uint32_t i = 0; i < one.moves.count; i++)
    if (one.at[one.moves.at[i].from] != BPI_FALSE) check_move(&one, &one.moves.at[i]);
  assert_null(one.reached);
  assert_true(check_all(&one, &all) > 0);
  bpi_heads_clear(&one);
  bpi_heads_clear(&other);
  bpi_heads_clear(&all);
  bpi_engine_unref(fast);
  bpi_engine_unref(slow);
  bpi_engine_unref(wide);
  bpi_bdd_leave(x.m);
  bpi_vec_free(&init);
  made_drop(&x);
}

static void test_heads(void **state)
{
  (void)state;
  for (uint32_t p = 0; p < sizeof programs / sizeof *programs; p++)
    for (uint32_t f = 0; f < sizeof formulas / sizeof *formulas; f++)
      if (p < 2 || f != 1) compare(programs[p], formulas[f]);
}

/* Each position of the source has its automaton's step, and every vertex that is shown is a copy of one of
 * the source with the same procedure behind it. */
static void test_product(void **state)
{
  (void)state;
  for (uint32_t p = 0; p < sizeof programs / sizeof *programs; p++) {
    made x;
    made_make(&x, programs[p], formulas[0]);
    const bp_cfg *cfg = x.product.cfg;
    const uint32_t entry = x.product.entry;
    assert_int_equal(entry, x.program->procs.count);
    for (uint32_t v = 0; v < cfg->vertices.count; v++) {
      const bpi_vertex *vertex = &cfg->vertices.at[v];
      const uint32_t of = x.product.of[v],
                     proc = vertex->proc == entry ? x.product.entry_of : vertex->proc;
      if (of != BP_NONE) assert_int_equal(x.cfg->vertices.at[of].proc, proc);
      if (x.product.role[v] == BPI_ROLE_AUTOMATON) {
        assert_int_equal(vertex->weight, 0);
        assert_int_equal(bpi_succs(vertex).count, 1);
        const uint32_t step = cfg->succs.at[bpi_succs(vertex).first];
        assert_int_equal(x.product.of[step], of);
        assert_int_equal(x.product.role[step], BPI_ROLE_STEP);
        assert_int_equal(bpi_product_find(&x.product, vertex->proc, of, BPI_ROLE_AUTOMATON), v);
      }
      if (x.product.role[v] == BPI_ROLE_ENDED) assert_int_equal(vertex->proc, entry);
    }
    made_drop(&x);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_heads), cmocka_unit_test(test_product)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
