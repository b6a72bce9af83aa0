/* SPDX-License-Identifier: MIT
 * Components against reachability by Warshall's algorithm. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "product/component.h"
#include "random.h"

enum { MOST = 24 };

static void check_graph(uint64_t seed)
{
  uint8_t reach[MOST][MOST] = {{0}}, edge[MOST][MOST] = {{0}};
  bpi_components c;
  const uint32_t n = 1 + (uint32_t)(random_u64(&seed) % MOST);
  const uint32_t edges = (uint32_t)(random_u64(&seed) % (2 * n + 1));
  assert_true(bpi_components_begin(&c, n));
  for (uint32_t i = 0; i < edges; i++) {
    const uint32_t from = (uint32_t)(random_u64(&seed) % n), to = (uint32_t)(random_u64(&seed) % n);
    bpi_components_edge(&c, from, to);
    reach[from][to] = edge[from][to] = 1;
  }
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n; j++)
        reach[i][j] |= reach[i][k] & reach[k][j];
  assert_true(bpi_components_find(&c));
  for (uint32_t i = 0; i < n; i++) {
    assert_true(c.of[i] < c.count);
    for (uint32_t j = 0; j < n; j++) {
      assert_int_equal(c.of[i] == c.of[j], i == j || (reach[i][j] && reach[j][i]));
      if (edge[i][j]) assert_true(c.of[j] <= c.of[i]);
    }
  }
  bpi_components_end(&c);
}

static void test_random(void **state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 2000; seed++)
    check_graph(seed);
}

/* A path of a million nodes that ends in a cycle: no stack is needed for it. */
static void test_long(void **state)
{
  (void)state;
  const uint32_t n = 1000000;
  bpi_components c;
  assert_true(bpi_components_begin(&c, n));
  for (uint32_t i = 0; i + 1 < n; i++)
    bpi_components_edge(&c, i, i + 1);
  bpi_components_edge(&c, n - 1, n / 2);
  assert_true(bpi_components_find(&c));
  assert_int_equal(c.count, n / 2 + 1);
  assert_int_equal(c.of[n - 1], c.of[n / 2]);
  assert_int_not_equal(c.of[n / 2 - 1], c.of[n / 2]);
  bpi_components_end(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_long)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
