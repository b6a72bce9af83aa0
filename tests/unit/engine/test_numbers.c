/* SPDX-License-Identifier: MIT
 * Numbers in the variable order. */
#include "numbered.h"

#include "engine/numbers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

static uint32_t slot(const char *name, uint32_t element, uint32_t bit)
{
  const uint32_t main = bp_program_find_proc(p, "main");
  const uint32_t var = bp_datum_var(p, bp_program_find_datum(p, main, name), element, bit);
  assert_int_not_equal(var, BP_NONE);
  return bpi_slot_of(e, var);
}

static uint32_t apart(uint32_t a, uint32_t b)
{
  return a > b ? a - b : b - a;
}

/* Bits of one weight are neighbours, and the highest comes first. */
static void assert_together(const char *a, const char *b)
{
  for (uint32_t bit = 0; bit < 3; bit++) {
    assert_int_equal(apart(slot(a, 0, bit), slot(b, 0, bit)), 1);
    if (bit) assert_true(slot(a, 0, bit) < slot(a, 0, bit - 1));
    if (bit) assert_true(slot(a, 0, bit) < slot(b, 0, bit - 1));
  }
}

static void test_partners(void **state)
{
  (void)state;
  open_program(numbered_text);
  assert_int_equal(make_engine(), BP_OK);
  assert_together("x", "y");
  const uint32_t first = slot("x", 0, 2) < slot("y", 0, 2) ? slot("x", 0, 2) : slot("y", 0, 2);
  for (uint32_t bit = 0; bit < 3; bit++) {
    assert_true(slot("u", 0, bit) < first || slot("u", 0, bit) >= first + 6);
    assert_true(slot("i", 0, bit) < slot("a", 0, 2));
  }
  close_program();
}

/* All that the array's elements are copied to stands with them, and the result on its way; within a weight nothing else does. */
static void test_arrays(void **state)
{
  (void)state;
  open_program(numbered_text);
  assert_int_equal(make_engine(), BP_OK);
  static const char *const together[] = {"p", "q"};
  for (uint32_t bit = 0; bit < 3; bit++) {
    uint32_t least = slot("a", 0, bit), most = least;
    for (uint32_t k = 0; k < 6; k++) {
      const uint32_t at = k < 4 ? slot("a", k, bit) : slot(together[k - 4], 0, bit);
      least = at < least ? at : least;
      most = at > most ? at : most;
    }
    assert_int_equal(most - least, 6);
  }
  close_program();
}

/* Thirty numbers that meet do not stand together all of them. */
static void test_parts(void **state)
{
  (void)state;
  open_program("define DEFAULT_INT_BITS 2 int a[30]; init main; module void main() {\n"
               "  if :: A k (0, 28) a[k] <= a[k + 1] -> E: skip; :: else -> skip; fi; }");
  assert_int_equal(make_engine(), BP_OK);
  uint32_t before = 0; /* low bits that come before some high bit */
  for (uint32_t k = 0; k < 30; k++) {
    uint32_t later = 0;
    assert_true(slot("a", k, 1) < slot("a", k, 0));
    for (uint32_t i = 0; i < 30; i++)
      later += slot("a", i, 1) > slot("a", k, 0);
    before += later > 0;
  }
  assert_int_equal(before, 15);
  close_program();
}

/* A place of its own, all of them below their number. */
static void test_slots(void **state)
{
  (void)state;
  open_program(numbered_text);
  assert_int_equal(make_engine(), BP_OK);
  uint8_t used[64] = {0};
  assert_true(e->layout.slots <= 64);
  for (uint32_t i = 0; i < e->a.places; i++)
    used[e->layout.slot[i]]++;
  for (uint32_t i = 0; i < e->layout.results; i++)
    used[e->layout.result_slot[i]]++;
  for (uint32_t i = 0; i < e->layout.slots; i++)
    assert_int_equal(used[i], 1);
  close_program();
}

/* A boolean program has no numbers, nor do variables that do not matter. */
static void test_none(void **state)
{
  bpi_numbers n;
  (void)state;
  open_program("bool a, b; init main; module void main() { a = b; }");
  assert_int_equal(make_engine(), BP_OK);
  assert_true(bpi_numbers_make(&n, &e->a));
  assert_int_equal(n.classes, 0);
  bpi_numbers_clear(&n);
  close_program();
}

/* A host's own numbers. */
static void test_builder(void **state)
{
  static const char *const names[] = {"x0", "x1", "x2", "y0", "y1", "y2"};
  bp_builder *b;
  uint32_t v[6], next[3], values[3];
  (void)state;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_builder_new(&b, ctx, "host", NULL), BP_OK);
  for (uint32_t i = 0; i < 6; i++)
    v[i] = bp_builder_global(b, names[i], BP_NONE);
  assert_int_equal(bp_builder_number(b, v, 3), BP_OK);
  assert_int_equal(bp_builder_number(b, v + 3, 3), BP_OK);
  bp_builder_proc_begin(b, "main", 0);
  for (uint32_t i = 0; i < 3; i++) {
    next[i] = bp_builder_xor(b, bp_builder_var(b, v[i]), bp_builder_nondet(b));
    values[i] = v[3 + i];
  }
  assert_int_equal(bp_builder_assign(b, values, next, 3, BP_NONE), 0);
  bp_builder_proc_end(b);
  assert_int_equal(bp_builder_finish(b, &p), BP_OK);
  bp_builder_free(b);
  assert_int_equal(bp_cfg_new(&cfg, ctx, p), BP_OK);
  assert_int_equal(bp_manager_new(&m, ctx, NULL), BP_OK);
  assert_int_equal(make_engine(), BP_OK);
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(bpi_slot_of(e, v[i]) / 2, 2 - i);
    assert_int_equal(bpi_slot_of(e, v[3 + i]) / 2, 2 - i);
  }
  close_program();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_partners), cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_parts),    cmocka_unit_test(test_slots),
      cmocka_unit_test(test_none),     cmocka_unit_test(test_builder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
