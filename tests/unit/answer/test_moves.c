/* SPDX-License-Identifier: MIT
 * How states move along a trace: single statements, calls, whole frames. */
#include "world.h"

enum { CAN_0 = 1, CAN_1 = 2, BOTH = 3 };

static const char text[] = "decl g, h;\n"           /* 1 */
                           "bool<1> inv(x) begin\n" /* 2 */
                           "  h := g;\n"            /* 3 */
                           "  return !x;\n"         /* 4 */
                           "end\n"                  /* 5 */
                           "void main() begin\n"    /* 6 */
                           "  decl a;\n"            /* 7 */
                           "  a := *;\n"            /* 8 */
                           "  g := a;\n"            /* 9 */
                           "  a := inv(g);\n"       /* 10 */
                           "  h := h & !a;\n"       /* 11 */
                           "  if (h) then\n"        /* 12 */
                           "    last(h);\n"         /* 13 */
                           "  fi\n"                 /* 14 */
                           "end\n"                  /* 15 */
                           "void last(y) begin\n"   /* 16 */
                           "  R: skip;\n"           /* 17 */
                           "end\n";

typedef struct names {
  uint32_t g, h, a, x, y;
} names;

static names names_of(const world *w)
{
  return (names){world_var(w, NULL, "g"), world_var(w, NULL, "h"), world_var(w, "main", "a"),
                 world_var(w, "inv", "x"), world_var(w, "last", "y")};
}

/* ---- mover.c, route.c ------------------------------------------------------- */

/* What can be before the edge of a line when `var` is `value` after it. */
static bpi_bdd before_edge(world *w, bpi_mover *mv, uint32_t line, uint32_t var, int value)
{
  const bpi_bdd after = mover_literal(mv, var, value);
  const bpi_bdd before = bpi_before_edge(mv->f, world_vertex(w, line), 0, after);
  bpi_bdd_drop(w->m, after);
  return before;
}

static void test_statements_backward(void **state)
{
  (void)state;
  world w;
  bpi_mover mv;
  world_open(&w, text, NULL, 0);
  const names n = names_of(&w);
  mover_open(&w, &mv);
  bpi_bdd set = before_edge(&w, &mv, 9, n.g, 1); /* g := a */
  assert_int_equal(mover_values(&mv, set, n.a), CAN_1);
  assert_int_equal(mover_values(&mv, set, n.g), BOTH);
  bpi_bdd_drop(w.m, set);
  set = before_edge(&w, &mv, 9, n.h, 0);
  assert_int_equal(mover_values(&mv, set, n.h), CAN_0);
  bpi_bdd_drop(w.m, set);
  set = before_edge(&w, &mv, 8, n.a, 1); /* a := * */
  assert_int_equal(mover_values(&mv, set, n.a), BOTH);
  bpi_bdd_drop(w.m, set);
  set = before_edge(&w, &mv, 11, n.h, 1); /* h := h & !a */
  assert_int_equal(mover_values(&mv, set, n.a), CAN_0);
  assert_int_equal(mover_values(&mv, set, n.h), CAN_1);
  bpi_bdd_drop(w.m, set);
  set = before_edge(&w, &mv, 12, n.h, 0); /* the true edge of if (h) */
  assert_true(set == BPI_FALSE);
  mover_close(&w, &mv);
  world_close(&w);
}

static void test_changes(void **state)
{
  (void)state;
  world w;
  bpi_mover mv;
  world_open(&w, text, NULL, 0);
  const names n = names_of(&w);
  mover_open(&w, &mv);
  const uint32_t *place = mv.f->a.place;
  const struct {
    uint32_t line;
    bool g, h, a;
  } cases[] = {{8, false, false, true},
               {9, true, false, false},
               {10, false, true, true},
               {11, false, true, false},
               {12, false, false, false}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bpi_changed_places(mv.f, &w.cfg->vertices.at[world_vertex(&w, cases[i].line)], mv.changed);
    assert_int_equal(bpi_bit(mv.changed, place[n.g]), cases[i].g);
    assert_int_equal(bpi_bit(mv.changed, place[n.h]), cases[i].h);
    assert_int_equal(bpi_bit(mv.changed, place[n.a]), cases[i].a);
  }
  /* What moves to the other copy says nothing any more about this one; the rest stays. */
  bpi_changed_places(mv.f, &w.cfg->vertices.at[world_vertex(&w, 8)], mv.changed);
  bpi_bdd set = mover_literal(&mv, n.a, 1);
  bpi_conjoin(mv.f, &set, mover_literal(&mv, n.g, 0));
  const bpi_bdd moved = bpi_to_next(mv.f, set, mv.changed);
  assert_int_equal(mover_values(&mv, moved, n.a), BOTH);
  assert_int_equal(mover_values(&mv, moved, n.g), CAN_0);
  bpi_bdd_drop(w.m, set);
  bpi_bdd_drop(w.m, moved);
  mover_close(&w, &mv);
  world_close(&w);
}

static void test_entering(void **state)
{
  (void)state;
  world w;
  bpi_mover mv;
  world_open(&w, text, NULL, 0);
  const names n = names_of(&w);
  mover_open(&w, &mv);
  const bpi_call *call = bpi_call_of(mv.f, world_vertex(&w, 13));
  assert_non_null(call);
  for (int value = 0; value < 2; value++) {
    const int only = value ? CAN_1 : CAN_0;
    const bpi_bdd before = mover_literal(&mv, n.h, value);
    const bpi_bdd inside = bpi_mover_enter(&mv, call, before);
    assert_int_equal(mover_values(&mv, inside, n.y), only);
    assert_int_equal(mover_values(&mv, inside, n.h), only);
    assert_int_equal(mover_values(&mv, inside, n.g), BOTH);
    const bpi_bdd formal = mover_literal(&mv, n.y, value);
    const bpi_bdd back = bpi_before_enter(mv.f, call, world_proc(&w, "last"), formal);
    assert_int_equal(mover_values(&mv, back, n.h), only);
    assert_int_equal(mover_values(&mv, back, n.g), BOTH);
    bpi_bdd_drop(w.m, before);
    bpi_bdd_drop(w.m, inside);
    bpi_bdd_drop(w.m, formal);
    bpi_bdd_drop(w.m, back);
  }
  mover_close(&w, &mv);
  world_close(&w);
}

static void test_routes(void **state)
{
  (void)state;
  world w;
  bpi_mover mv;
  world_open(&w, text, NULL, 0);
  const names n = names_of(&w);
  mover_open(&w, &mv);
  const bpi_path *path = w.t->path;
  assert_int_equal(bpi_route_next(&mv, path, 0), world_vertex(&w, 8));
  assert_int_equal(bpi_route_next(&mv, path, path->steps.count), world_vertex(&w, 17));
  /* Both edges of the condition lead on; only one of them to the call. */
  const uint32_t branch = world_vertex(&w, 12), goal = world_vertex(&w, 13);
  bpi_bdd set = bpi_route_back(&mv, branch, goal, BPI_TRUE);
  assert_int_equal(mover_values(&mv, set, n.h), CAN_1);
  bpi_bdd_drop(w.m, set);
  set = bpi_route_depart(&mv, goal, goal, BPI_TRUE);
  assert_true(set == BPI_TRUE);
  set = bpi_route_depart(&mv, branch, goal, BPI_TRUE); /* not silently */
  assert_true(set == BPI_FALSE);
  mover_close(&w, &mv);
  world_close(&w);
}

/* ---- frame.c, effect.c ------------------------------------------------------ */

static void check_values(bpi_mover *mv, bpi_bdd set, const names *n, int g, int h, int a)
{
  assert_int_equal(mover_values(mv, set, n->g), g);
  assert_int_equal(mover_values(mv, set, n->h), h);
  assert_int_equal(mover_values(mv, set, n->a), a);
}

static bpi_frame *outermost(world *w, uint32_t levels)
{
  bpi_frame *frame;
  assert_int_equal(bpi_frame_new(&frame, w->t->path, NULL, 0, 0, levels), BP_OK);
  assert_null(frame->states);
  assert_int_equal(bpi_frame_states(w->t, frame), BP_OK);
  return frame;
}

static void test_outer_frame(void **state)
{
  (void)state;
  for (uint32_t levels = 0; levels < 2; levels++) {
    world w;
    bpi_mover mv;
    world_open(&w, text, NULL, levels);
    const names n = names_of(&w);
    mover_open(&w, &mv);
    bpi_frame *frame = outermost(&w, levels);
    uint32_t at[18] = {0};
    for (uint32_t line = 8; line <= 13; line++)
      at[line] = world_step(&w, frame->path, line);
    /* Only what the target needs is known, and it is known backwards. */
    check_values(&mv, frame->forward[at[9]], &n, BOTH, BOTH, BOTH);
    check_values(&mv, frame->states[at[8]], &n, BOTH, BOTH, BOTH);
    check_values(&mv, frame->states[at[9]], &n, BOTH, BOTH, CAN_1);
    check_values(&mv, frame->states[at[10]], &n, CAN_1, BOTH, CAN_1);
    check_values(&mv, frame->forward[at[11]], &n, BOTH, BOTH, BOTH);
    check_values(&mv, frame->states[at[11]], &n, CAN_1, CAN_1, CAN_0);
    check_values(&mv, frame->states[at[13]], &n, CAN_1, CAN_1, CAN_0);
    /* The opened call has an effect of its own way, the closed one a whole summary. */
    assert_int_equal(w.t->effect_count, levels);
    bpi_frame_unref(w.t, frame);
    mover_close(&w, &mv);
    world_close(&w);
  }
}

static void test_effect_of_call(void **state)
{
  (void)state;
  for (uint32_t levels = 0; levels < 2; levels++) {
    world w;
    bpi_mover mv;
    world_open(&w, text, NULL, levels);
    const names n = names_of(&w);
    mover_open(&w, &mv);
    bpi_frame *frame = outermost(&w, levels);
    const uint32_t at = world_step(&w, frame->path, 10);
    const bpi_bdd lift =
        bpi_effect_lift(&mv, frame, &frame->path->steps.at[at], frame->forward[at]);
    assert_true(lift != BPI_FALSE);
    const struct {
      uint32_t var;
      int value, g;
    } cases[] = {{n.h, 1, CAN_1}, {n.h, 0, CAN_0}, {n.a, 1, CAN_0}, {n.a, 0, CAN_1}};
    for (uint32_t i = 0; i < 4; i++) {
      const bpi_bdd after = mover_literal(&mv, cases[i].var, cases[i].value);
      const bpi_bdd before = bpi_mover_back_return(&mv, world_vertex(&w, 10), lift, after);
      check_values(&mv, before, &n, cases[i].g, BOTH, BOTH);
      bpi_bdd_drop(w.m, after);
      bpi_bdd_drop(w.m, before);
    }
    bpi_bdd_drop(w.m, lift);
    bpi_frame_unref(w.t, frame);
    mover_close(&w, &mv);
    world_close(&w);
  }
}

static void test_inner_frame(void **state)
{
  (void)state;
  world w;
  bpi_mover mv;
  world_open(&w, text, NULL, 0);
  const names n = names_of(&w);
  mover_open(&w, &mv);
  bpi_frame *outer, *inner;
  bpi_path *way, *again;
  assert_int_equal(bpi_frame_new(&outer, w.t->path, NULL, 0, 0, 0), BP_OK);
  const uint32_t at = world_step(&w, outer->path, 10);
  assert_int_equal(bpi_trace_inner(w.t, outer->path, &outer->path->steps.at[at], &way), BP_OK);
  assert_int_equal(bpi_trace_inner(w.t, outer->path, &outer->path->steps.at[at], &again), BP_OK);
  assert_ptr_equal(way, again);
  assert_int_equal(bpi_frame_new(&inner, way, outer, at, 1, 0), BP_OK);
  assert_int_equal(outer->refs, 2);
  assert_int_equal(bpi_frame_states(w.t, inner), BP_OK); /* and those of the outer one first */
  assert_non_null(outer->states);
  const bpi_bdd first = inner->states[world_step(&w, way, 3)];
  assert_int_equal(mover_values(&mv, first, n.x), CAN_1);
  assert_int_equal(mover_values(&mv, first, n.g), CAN_1);
  assert_int_equal(mover_values(&mv, first, n.h), BOTH);
  assert_int_equal(mover_values(&mv, inner->states[world_step(&w, way, 4)], n.h), CAN_1);
  bpi_frame_unref(w.t, inner);
  assert_int_equal(outer->refs, 1);
  bpi_frame_unref(w.t, outer);
  mover_close(&w, &mv);
  world_close(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_statements_backward),
      cmocka_unit_test(test_changes),
      cmocka_unit_test(test_entering),
      cmocka_unit_test(test_routes),
      cmocka_unit_test(test_outer_frame),
      cmocka_unit_test(test_effect_of_call),
      cmocka_unit_test(test_inner_frame),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
