/* SPDX-License-Identifier: MIT
 * The layout of variables, and the order of the work list. */
#include "engine/body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static bp_context *ctx;
static bp_program *p;
static bp_cfg *cfg;
static bp_manager *m;
static bpi_engine *e;

static const char text[] = "decl a, b, c, d, e, f, g, h;\n"
                           "bool<2> two(x, y) begin return x & y, x | y; end\n"
                           "bool one(x) begin decl l, k; l := x; k := l; return k; end\n"
                           "void main() begin decl l;\n"
                           "  a := h; b := g; c := f; d := e;\n"
                           "  while (*) do a, b := two(c, d); l := one(a); od\n"
                           "  END: assume(a & h | b & g | c & f | d & e | l);\n"
                           "end\n";

static void open_engine(uint32_t off)
{
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_program_parse(&p, ctx, text, strlen(text), "layout", NULL), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  assert_int_equal(bp_manager_new(&m, ctx, NULL), BP_OK);
  assert_int_equal(bpi_engine_new(&e, m, cfg, &(bpi_engine_options){.off = off, .summaries = true}),
                   BP_OK);
}

static void close_engine(void)
{
  bpi_engine_unref(e);
  bp_manager_unref(m);
  bp_cfg_unref(cfg);
  bp_program_unref(p);
  bp_context_unref(ctx);
}

/* Every place and every result has a slot of its own; locals of different procedures share theirs. */
static void test_slots(void **state)
{
  (void)state;
  for (uint32_t off = 0; off <= BP_ENGINE_ORDER; off += BP_ENGINE_ORDER) {
    open_engine(off | BP_ENGINE_CONE);
    assert_int_equal(e->a.places, 8 + 3);
    assert_int_equal(e->layout.results, 2);
    assert_true(e->layout.slots >= 11 + 2);
    uint8_t used[64] = {0};
    for (uint32_t i = 0; i < e->a.places; i++)
      used[e->layout.slot[i]]++;
    for (uint32_t i = 0; i < e->layout.results; i++)
      used[e->layout.result_slot[i]]++;
    for (uint32_t i = 0; i < 64; i++)
      assert_true(used[i] <= (i < e->layout.slots));
    const uint32_t x = bp_program_find_var(p, 0, "x"), x1 = bp_program_find_var(p, 1, "x");
    assert_int_equal(bpi_slot_of(e, x), bpi_slot_of(e, x1));
    close_engine();
  }
}

static uint32_t distance(const char *left, const char *right)
{
  const uint32_t l = bpi_slot_of(e, bp_program_find_var(p, BP_NONE, left));
  const uint32_t r = bpi_slot_of(e, bp_program_find_var(p, BP_NONE, right));
  return l > r ? l - r : r - l;
}

static uint32_t spread(void)
{
  return distance("a", "h") + distance("b", "g") + distance("c", "f") + distance("d", "e");
}

/* The computed order brings together what one statement connects. */
static void test_order(void **state)
{
  (void)state;
  open_engine(BP_ENGINE_CONE | BP_ENGINE_ORDER);
  const uint32_t declared = spread();
  close_engine();
  open_engine(BP_ENGINE_CONE);
  const uint32_t computed = spread();
  close_engine();
  assert_true(computed < declared);
}

static bpi_instance *instance(uint32_t proc)
{
  bpi_instance *in = &e->procs[proc];
  in->proc = proc;
  const bpi_body *body = bpi_body_of(e, proc);
  assert_non_null(body);
  assert_ptr_equal(in->body, body);
  assert_true(bpi_make_facts(e, in));
  return in;
}

/* Nodes are numbered in reverse postorder. */
static void test_nodes(void **state)
{
  (void)state;
  open_engine(BP_ENGINE_CONE);
  for (uint32_t proc = 0; proc < 3; proc++) {
    const bpi_body *body = bpi_body_of(e, proc);
    assert_non_null(body);
    const uint32_t first = cfg->procs.at[proc].vertices.first;
    assert_int_equal(body->nodes[0].vertex, bp_cfg_proc_entry(cfg, proc) - first);
    for (uint32_t i = 1; i < body->node_count; i++)
      assert_true(bpi_place_of(cfg, first + body->nodes[i - 1].vertex) <
                  bpi_place_of(cfg, first + body->nodes[i].vertex));
  }
  close_engine();
}

/* Callees before callers, in a procedure by node, nothing twice. */
static void test_worklist(void **state)
{
  (void)state;
  open_engine(BP_ENGINE_CONE);
  uint32_t expected = 0;
  for (uint32_t proc = 0; proc < 3; proc++) {
    bpi_instance *in = instance(proc);
    const uint32_t n = in->body->node_count;
    for (uint32_t i = n; i--;) {
      bpi_queue_node(e, in, i);
      bpi_queue_node(e, in, (i + 1) % n);
    }
    expected += n;
  }
  uint32_t count = 0, node, node_before = 0;
  const bpi_instance *before = NULL;
  for (const bpi_instance *in; (in = bpi_queue_take(e, BP_NONE, &node)) != NULL; count++) {
    if (before == in) assert_true(node_before < node);
    if (before && before != in)
      assert_true(cfg->procs.at[before->proc].rank < cfg->procs.at[in->proc].rank);
    before = in;
    node_before = node;
  }
  assert_int_equal(count, expected);
  close_engine();
}

static void test_worklist_rank(void **state)
{
  (void)state;
  uint32_t node = BP_NONE;
  open_engine(BP_ENGINE_CONE);
  const uint32_t callee_rank = cfg->procs.at[1].rank;
  bpi_instance *one = instance(1), *caller = instance(2);
  bpi_queue_node(e, caller, 1);
  assert_null(bpi_queue_take(e, callee_rank, &node));
  bpi_queue_node(e, one, 0);
  assert_ptr_equal(bpi_queue_take(e, callee_rank, &node), one);
  assert_int_equal(node, 0);
  assert_null(bpi_queue_take(e, callee_rank, &node));
  bpi_queue_node(e, caller, 0); /* before what waits */
  for (uint32_t i = 0; i < 2; i++) {
    assert_ptr_equal(bpi_queue_take(e, BP_NONE, &node), caller);
    assert_int_equal(node, i);
  }
  assert_null(bpi_queue_take(e, BP_NONE, &node));
  close_engine();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_slots),         cmocka_unit_test(test_order),
      cmocka_unit_test(test_nodes),         cmocka_unit_test(test_worklist),
      cmocka_unit_test(test_worklist_rank),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
