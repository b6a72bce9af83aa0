/* SPDX-License-Identifier: MIT
 * Walking over a trace: which steps, how deep, and cursors that do not disturb each other. */
#include "world.h"

static const char text[] = "decl g;\n"                        /* 1 */
                           "void leaf() begin g := !g; end\n" /* 2 */
                           "void twice() begin\n"             /* 3 */
                           "  leaf();\n"                      /* 4 */
                           "  leaf();\n"                      /* 5 */
                           "end\n"                            /* 6 */
                           "void main() begin\n"              /* 7 */
                           "  twice();\n"                     /* 8 */
                           "  down();\n"                      /* 9 */
                           "end\n"                            /* 10 */
                           "void down() begin\n"              /* 11 */
                           "  twice();\n"                     /* 12 */
                           "  R: skip;\n"                     /* 13 */
                           "end\n";

typedef struct seen {
  uint32_t line, depth;
} seen;

static seen look(const bp_cursor *c)
{
  bp_range range;
  bp_cursor_range(c, &range);
  return (seen){range.line, bp_cursor_depth(c)};
}

static void must_see(const bp_cursor *c, uint32_t line, uint32_t depth)
{
  const seen s = look(c);
  if (s.line != line || s.depth != depth)
    fail_msg("line %u, depth %u", (unsigned)s.line, (unsigned)s.depth);
}

static void walk(uint32_t levels, const seen *steps, uint32_t count)
{
  world w;
  bp_cursor *c;
  world_open(&w, text, NULL, levels);
  assert_int_equal(bp_cursor_new(&c, w.t), BP_OK);
  assert_int_equal(bp_cursor_stmt(c), BP_NONE);
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(bp_cursor_next(c), BP_OK);
    must_see(c, steps[i].line, steps[i].depth);
  }
  for (int i = 0; i < 2; i++) {
    assert_int_equal(bp_cursor_next(c), BP_END);
    assert_int_equal(bp_cursor_stmt(c), BP_NONE);
  }
  bp_cursor_free(c);
  world_close(&w);
}

static void test_levels(void **state)
{
  (void)state;
  const seen none[] = {{8, 0}, {9, 0}, {12, 1}, {13, 1}};
  const seen one[] = {{8, 0}, {4, 1}, {5, 1}, {9, 0}, {12, 1}, {4, 2}, {5, 2}, {13, 1}};
  const seen all[] = {{8, 0},  {4, 1}, {2, 2}, {5, 1}, {2, 2}, {9, 0},
                      {12, 1}, {4, 2}, {2, 3}, {5, 2}, {2, 3}, {13, 1}};
  walk(0, none, 4);
  walk(1, one, 8);
  walk(2, all, 12);
  walk(BP_NONE, all, 12);
}

static void test_by_hand(void **state)
{
  (void)state;
  world w;
  bp_cursor *c;
  uint64_t inside;
  world_open(&w, text, NULL, 0);
  assert_int_equal(bp_cursor_new(&c, w.t), BP_OK);
  assert_int_equal(bp_cursor_open(c), BP_E_STATE); /* stands on nothing */
  assert_int_equal(bp_cursor_close(c), BP_E_STATE);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  assert_true(bp_cursor_closed(c));
  assert_int_equal(bp_cursor_inside(c, &inside), BP_OK);
  assert_int_equal(inside, 4);
  assert_int_equal(bp_cursor_open(c), BP_OK);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  must_see(c, 4, 1);
  assert_int_equal(bp_cursor_open(c), BP_OK);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  must_see(c, 2, 2);
  assert_int_equal(bp_cursor_open(c), BP_E_STATE); /* no call */
  assert_int_equal(bp_cursor_next(c), BP_END);
  assert_int_equal(bp_cursor_close(c), BP_OK);
  must_see(c, 4, 1);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  must_see(c, 5, 1);
  assert_int_equal(bp_cursor_next(c), BP_END);
  assert_int_equal(bp_cursor_close(c), BP_OK);
  must_see(c, 8, 0);
  assert_int_equal(bp_cursor_close(c), BP_E_STATE);
  assert_int_equal(bp_cursor_next(c), BP_OK);
  must_see(c, 9, 0);
  assert_false(bp_cursor_closed(c)); /* entered and not left */
  bp_cursor_free(c);
  world_close(&w);
}

static void test_copies(void **state)
{
  (void)state;
  world w;
  bp_cursor *c, *copies[13];
  seen places[13] = {{0, 0}};
  world_open(&w, text, NULL, BP_NONE);
  assert_int_equal(bp_cursor_new(&c, w.t), BP_OK);
  for (uint32_t i = 0; i < 13; i++) {
    places[i] = look(c);
    assert_int_equal(bp_cursor_copy(&copies[i], c), BP_OK);
    assert_int_equal(bp_cursor_next(c), i < 12 ? BP_OK : BP_END);
  }
  bp_cursor_free(c);
  for (uint32_t i = 13; i-- > 0;) {
    must_see(copies[i], places[i].line, places[i].depth);
    for (uint32_t k = i + 1; k < 13; k++) {
      assert_int_equal(bp_cursor_next(copies[i]), BP_OK);
      must_see(copies[i], places[k].line, places[k].depth);
    }
    assert_int_equal(bp_cursor_next(copies[i]), BP_END);
    bp_cursor_free(copies[i]);
  }
  assert_int_equal(w.t->refs, 1);
  world_close(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_levels),
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_copies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
