/* SPDX-License-Identifier: MIT
 * Every operation on all functions of three variables, in all pairs and triples, and on all of four.
 * The BDD of each function is made once; from then on a result is right when it is the very handle of
 * the function that the truth table says. */
#include "functions.h"

#include <stdlib.h>

enum { THREE = 1 << 8, FOUR = 1 << 16, PAIRS = 300000 };
enum { SLOTS = 6, UNUSED = 3 * SLOTS - TABLE_VARS };

static bp_manager *m;
static bp_kernel kernel;

/* ---- functions and their handles ------------------------------------------- */

/* All functions of `vars` variables, which are names[0..]. */
typedef struct family {
  uint32_t vars, count, names[TABLE_VARS];
  bpi_bdd *at;
} family;

static table widen(const family *f, uint32_t function)
{
  return function * (f->vars == 3 ? 0x0101010101010101u : 0x0001000100010001u);
}

static family make_family(uint32_t vars, const uint32_t *names)
{
  family f = {.vars = vars, .count = vars == 3 ? THREE : FOUR};
  for (uint32_t v = 0; v < TABLE_VARS; v++)
    f.names[v] = v < vars ? names[v] : UNUSED + v;
  f.at = malloc(f.count * sizeof *f.at);
  assert_non_null(f.at);
  for (uint32_t i = 0; i < f.count; i++) {
    f.at[i] = table_bdd(m, widen(&f, i), f.names);
    assert_true(bpi_bdd_ok(m) && bdd_table(m, f.at[i], f.names) == widen(&f, i));
  }
  return f;
}

static void drop_family(family *f)
{
  for (uint32_t i = 0; i < f->count; i++)
    bpi_bdd_drop(m, f->at[i]);
  free(f->at);
}

/* The result is the function of the table, of the family; gives it back. */
static void is(const family *f, bpi_bdd a, table expected)
{
  const bpi_bdd right = f->at[expected & (f->count - 1)];
  if (a != right) fail_msg("%d instead of %d", a, right);
  bpi_bdd_drop(m, a);
}

static bpi_bdd set_of(const family *f, uint32_t mask)
{
  uint32_t vars[TABLE_VARS], count = 0;
  for (uint32_t v = f->vars; v--;)
    if (mask >> v & 1) vars[count++] = f->names[v];
  return bpi_bdd_set(m, vars, count);
}

/* ---- unary ------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
  return *(const bpi_bdd *)a - *(const bpi_bdd *)b;
}

static void check_distinct(const family *f)
{
  bpi_bdd *sorted = malloc(f->count * sizeof *sorted);
  assert_non_null(sorted);
  memcpy(sorted, f->at, f->count * sizeof *sorted);
  qsort(sorted, f->count, sizeof *sorted, by_number);
  for (uint32_t i = 1; i < f->count; i++)
    assert_int_not_equal(sorted[i], sorted[i - 1]);
  free(sorted);
}

static void check_looking(const family *f, uint32_t i)
{
  const table t = widen(f, i);
  bpi_vars vars = {0};
  uint32_t mask = 0;
  assert_true(bpi_bdd_support(m, f->at[i], &vars));
  for (uint32_t k = 0, v = 0; k < vars.count; k++, v++) {
    while (v < f->vars && f->names[v] != vars.at[k])
      v++;
    mask |= 1u << v;
  }
  assert_int_equal(mask, table_support(t));
  bpi_vec_free(&vars);
  assert_int_equal(bpi_bdd_node_count(m, f->at[i]), table_nodes(t));
  uint8_t values[3 * SLOTS];
  memset(values, 9, sizeof values);
  assert_int_equal(bpi_bdd_pick(m, f->at[i], values), t != 0);
  table path = t;
  for (uint32_t v = 0; v < f->vars; v++)
    if (values[f->names[v]] != 9) path = table_cofactor(path, v, values[f->names[v]]);
  assert_true(!t || !~path);
}

static void check_unary(const family *f)
{
  check_distinct(f);
  bpi_bdd sets[16];
  for (uint32_t mask = 0; mask < 1u << f->vars; mask++)
    sets[mask] = set_of(f, mask);
  for (uint32_t i = 0; i < f->count; i++) {
    const table t = widen(f, i);
    is(f, bpi_bdd_not(m, f->at[i]), ~t);
    for (uint32_t mask = 0; mask < 1u << f->vars; mask++)
      is(f, bpi_bdd_exists(m, f->at[i], sets[mask]), table_exists(t, mask));
    check_looking(f, i);
  }
  for (uint32_t mask = 0; mask < 1u << f->vars; mask++)
    bpi_bdd_drop(m, sets[mask]);
}

/* To other variables in the same order, and back. */
static void check_rename(const family *f, const uint32_t *names)
{
  family g = make_family(f->vars, names);
  const bpi_rename *there = bpi_bdd_rename_new(m, f->names, names, f->vars);
  const bpi_rename *back = bpi_bdd_rename_new(m, names, f->names, f->vars);
  for (uint32_t i = 0; i < f->count; i++) {
    is(&g, bpi_bdd_rename(m, f->at[i], there), i);
    is(f, bpi_bdd_rename(m, g.at[i], back), i);
  }
  drop_family(&g);
}

/* ---- two and three operands -------------------------------------------------- */

static void check_pair(const family *f, uint32_t i, uint32_t j)
{
  const bpi_bdd a = f->at[i], b = f->at[j];
  is(f, bpi_bdd_and(m, a, b), i & j);
  is(f, bpi_bdd_or(m, a, b), i | j);
  is(f, bpi_bdd_xor(m, a, b), i ^ j);
  is(f, bpi_bdd_iff(m, a, b), ~(i ^ j));
  is(f, bpi_bdd_diff(m, a, b), i & ~j);
}

/* Whether a set of these variables leaves a NEXT copy only where CURRENT is gone. */
static bool image_defined(const family *f, uint32_t mask)
{
  for (uint32_t v = 1; v < f->vars; v++)
    if (f->names[v] % 3 == BPI_NEXT && f->names[v - 1] == f->names[v] - 1 && !(mask >> v & 1) &&
        !(mask >> (v - 1) & 1))
      return false;
  return true;
}

/* The functions as they are after NEXT has become CURRENT. */
static family shifted_family(const family *f, uint32_t mask)
{
  uint32_t names[TABLE_VARS];
  for (uint32_t v = 0; v < f->vars; v++) {
    names[v] = f->names[v] % 3 == BPI_NEXT ? f->names[v] - 1 : f->names[v];
    if (mask >> v & 1) names[v] = UNUSED + v;
  }
  return make_family(f->vars, names);
}

static void check_products(const family *f, uint32_t pairs)
{
  uint64_t seed = 23;
  for (uint32_t mask = 0; mask < 1u << f->vars; mask++) {
    const bool defined = image_defined(f, mask);
    family g = defined ? shifted_family(f, mask) : (family){0};
    const bpi_bdd set = set_of(f, mask);
    for (uint32_t n = 0; n < pairs; n++) {
      const uint64_t both = pairs == THREE * THREE ? n : random_u64(&seed);
      const uint32_t i = (uint32_t)both % f->count, j = (uint32_t)(both / f->count) % f->count;
      const table t = table_exists(widen(f, i) & widen(f, j), mask);
      is(f, bpi_bdd_and_exists(m, f->at[i], f->at[j], set), t);
      if (defined) is(&g, bpi_bdd_image(m, f->at[i], f->at[j], set), t);
    }
    bpi_bdd_drop(m, set);
    drop_family(&g);
  }
}

/* ---- the tests ---------------------------------------------------------------- */

static const uint32_t first[] = {0, 1, 2, 3}, second[] = {1, 2, 5, 8}, third[] = {2, 4, 5, 10};

static void test_three(void **state)
{
  (void)state;
  family f = make_family(3, first);
  check_unary(&f);
  check_rename(&f, second);
  for (uint32_t i = 0; i < THREE; i++)
    for (uint32_t j = 0; j < THREE; j++)
      check_pair(&f, i, j);
  check_products(&f, THREE * THREE);
  drop_family(&f);
  f = make_family(3, second);
  check_products(&f, THREE * THREE);
  drop_family(&f);
}

static void test_three_ite(void **state)
{
  (void)state;
  family f = make_family(3, third);
  for (uint32_t i = 0; i < THREE; i++)
    for (uint32_t j = 0; j < THREE; j++)
      for (uint32_t k = 0; k < THREE; k++)
        is(&f, bpi_bdd_ite(m, f.at[i], f.at[j], f.at[k]), (i & j) | (~i & k));
  drop_family(&f);
}

static void test_four(void **state)
{
  (void)state;
  uint64_t seed = 29;
  family f = make_family(4, second);
  check_unary(&f);
  check_rename(&f, third);
  for (uint32_t n = 0; n < PAIRS; n++) {
    const uint64_t random = random_u64(&seed);
    const uint32_t i = random & 0xffff, j = random >> 16 & 0xffff, k = random >> 32 & 0xffff;
    check_pair(&f, i, j);
    is(&f, bpi_bdd_ite(m, f.at[i], f.at[j], f.at[k]), (i & j) | (~i & k));
  }
  check_products(&f, PAIRS / 16);
  drop_family(&f);
}

static int setup(void **state)
{
  (void)state;
  m = manager_open(kernel, 0, SLOTS);
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  assert_true(bpi_bdd_ok(m));
  assert_int_equal(bpi_bdd_live(m), 0);
  manager_close(m);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_three, setup, teardown),
      cmocka_unit_test_setup_teardown(test_three_ite, setup, teardown),
      cmocka_unit_test_setup_teardown(test_four, setup, teardown),
  };
  kernel = BP_KERNEL_NATIVE;
  const int native = cmocka_run_group_tests_name("native", tests, NULL, NULL);
  kernel = BP_KERNEL_BUDDY;
  return native + cmocka_run_group_tests_name("BuDDy", tests, NULL, NULL);
}
