/* SPDX-License-Identifier: MIT
 * Operations on the deepest functions stay within the stack that <bp/manager.h> asks for: 128 bytes
 * a variable. Painted stacks measured at most 99 (ite), 80 for and, xor, the relational product and
 * simplify, 64 or less for the others. */
#include "functions.h"

#include <pthread.h>
#include <stdlib.h>

enum { SLOTS = 3000, VARS = 3 * SLOTS, PER_VAR = 128, FLOOR = 32 * 1024 };

static bp_manager *m;
static bpi_bdd even, odd, parity;
static const bpi_rename *shift;

/* The parity of all variables, from the bottom up: two nodes a level, and no short paths. */
static bpi_bdd make_parity(void)
{
  bpi_bdd is = BPI_FALSE, is_not = BPI_TRUE;
  for (uint32_t v = VARS; v--;) {
    const bpi_bdd var = bpi_bdd_literal(m, v, true);
    const bpi_bdd a = bpi_bdd_ite(m, var, is_not, is), b = bpi_bdd_ite(m, var, is, is_not);
    bpi_bdd_drop(m, var);
    bpi_bdd_drop(m, is);
    bpi_bdd_drop(m, is_not);
    is = a;
    is_not = b;
  }
  bpi_bdd_drop(m, is_not);
  return is;
}

static void *work(void *user)
{
  (void)user;
  bpi_bdd_enter(m, NULL, 0);
  bpi_bdd_drop(m, bpi_bdd_ite(m, parity, even, odd));
  bpi_bdd_drop(m, bpi_bdd_xor(m, parity, even));
  bpi_bdd_drop(m, bpi_bdd_and(m, odd, even));
  bpi_bdd_drop(m, bpi_bdd_not(m, parity));
  bpi_bdd_drop(m, bpi_bdd_and_exists(m, parity, even, odd));
  bpi_bdd_drop(m, bpi_bdd_exists(m, parity, odd));
  bpi_bdd_drop(m, bpi_bdd_rename(m, even, shift));
  bpi_bdd_drop(m, bpi_bdd_simplify(m, parity, even));
  bpi_bdd_node_count(m, parity);
  bpi_bdd_live(m);
  bpi_bdd_leave(m);
  return NULL;
}

static void test_deep(void **state)
{
  (void)state;
  static uint32_t evens[VARS / 2], odds[VARS / 2];
  for (uint32_t i = 0; i < VARS / 2; i++) {
    evens[i] = 2 * i;
    odds[i] = 2 * i + 1;
  }
  m = manager_open(0, SLOTS);
  even = bpi_bdd_set(m, evens, VARS / 2);
  odd = bpi_bdd_set(m, odds, VARS / 2);
  parity = make_parity();
  shift = bpi_bdd_rename_new(m, evens, odds, VARS / 2);
  assert_true(bpi_bdd_ok(m));
  bpi_bdd_leave(m);
  pthread_attr_t attr;
  pthread_t thread;
  pthread_attr_init(&attr);
  assert_int_equal(pthread_attr_setstacksize(&attr, (VARS * PER_VAR + FLOOR) / 4096 * 4096), 0);
  assert_int_equal(pthread_create(&thread, &attr, work, NULL), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attr);
  assert_true(bpi_bdd_ok(m));
  bp_manager_unref(m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_deep)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
