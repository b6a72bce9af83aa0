/* SPDX-License-Identifier: MIT
 * Operations on the deepest functions stay within the stack that <bp/manager.h> asks for: 128 bytes
 * a variable. Each runs on a painted stack, on both kernels. On the native one a table without a free
 * node makes every operation collect where it is deepest, where marking must not come on top. */
#define _DEFAULT_SOURCE
#include "bdd/native/native.h"
#include "functions.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SLOTS = 3000, VARS = 3 * SLOTS, PER_VAR = 128, PAINT = 0xa5 };
enum { STACK = VARS * 2048 };

/* The promise is about optimized code; sanitizers put more on the stack, though not on BuDDy's. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || !defined __OPTIMIZE__
#define WITH_PROMISE 0
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define WITH_PROMISE 0
#endif
#endif
#ifndef WITH_PROMISE
#define WITH_PROMISE 1
#endif

static bp_manager *m;
static bpi_bdd all, even, odd, currents, last, cube, parity, entries_parity, mixed;
static const bpi_rename *shift;

/* The parity of the variables, of all or of the ENTRY copies, from the bottom up: two nodes a level,
 * and no short paths. */
static bpi_bdd make_parity(uint32_t step)
{
  bpi_bdd is = BPI_FALSE, is_not = BPI_TRUE;
  for (uint32_t v = VARS - step;; v -= step) {
    const bpi_bdd var = bpi_bdd_literal(m, v, true);
    const bpi_bdd a = bpi_bdd_ite(m, var, is_not, is), b = bpi_bdd_ite(m, var, is, is_not);
    bpi_bdd_drop(m, var);
    bpi_bdd_drop(m, is);
    bpi_bdd_drop(m, is_not);
    is = a;
    is_not = b;
    if (!v) break;
  }
  bpi_bdd_drop(m, is_not);
  return is;
}

/* ---- what is measured ------------------------------------------------------ */

static bpi_bdd do_nothing(void)
{
  return BPI_TRUE;
}

static bpi_bdd do_ite(void)
{
  return bpi_bdd_ite(m, parity, even, odd);
}

static bpi_bdd do_xor(void)
{
  return bpi_bdd_xor(m, parity, even);
}

static bpi_bdd do_and(void)
{
  return bpi_bdd_and(m, parity, even);
}

static bpi_bdd do_or(void)
{
  return bpi_bdd_or(m, parity, odd);
}

static bpi_bdd do_not(void)
{
  return bpi_bdd_not(m, parity);
}

static bpi_bdd do_and_exists(void)
{
  return bpi_bdd_and_exists(m, entries_parity, cube, currents);
}

static bpi_bdd do_and_exists_last(void)
{
  return bpi_bdd_and_exists(m, parity, even, last);
}

static bpi_bdd do_exists(void)
{
  return bpi_bdd_exists(m, mixed, currents);
}

static bpi_bdd do_image(void)
{
  return bpi_bdd_image(m, entries_parity, cube, currents);
}

static bpi_bdd do_rename(void)
{
  return bpi_bdd_rename(m, even, shift);
}

static bpi_bdd do_node_count(void)
{
  bpi_bdd_node_count(m, parity);
  return BPI_TRUE;
}

static bpi_bdd do_collect(void)
{
  bpi_bdd_live(m);
  return BPI_TRUE;
}

typedef bpi_bdd action(void);
static const struct {
  const char *name;
  action *act;
} actions[] = {{"ite", do_ite},
               {"xor", do_xor},
               {"and", do_and},
               {"or", do_or},
               {"not", do_not},
               {"and_exists", do_and_exists},
               {"and_exists of one", do_and_exists_last},
               {"exists", do_exists},
               {"image", do_image},
               {"rename", do_rename},
               {"node_count", do_node_count},
               {"collect", do_collect}};

/* ---- measuring --------------------------------------------------------------- */

static void *work(void *user)
{
  action *const *act = user;
  bpi_bdd_drop(m, (*act)());
  return NULL;
}

/* Bytes of stack that an action touches. */
static size_t measure(action *act)
{
  uint8_t *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(stack != MAP_FAILED);
  memset(stack, PAINT, STACK);
  pthread_attr_t attr;
  pthread_t thread;
  pthread_attr_init(&attr);
  assert_int_equal(pthread_attr_setstack(&attr, stack, STACK), 0);
  assert_int_equal(pthread_create(&thread, &attr, work, &act), 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attr);
  size_t clean = 0;
  while (clean < STACK && stack[clean] == PAINT)
    clean++;
  munmap(stack, STACK);
  return STACK - clean;
}

/* Garbage until no node is free, so that the next one collects. */
static void fill_table(bp_kernel kernel)
{
  if (kernel != BP_KERNEL_NATIVE) return;
  const bpi_native *native = bpi_native_of(m);
  for (uint32_t i = 0; native->free || native->fresh < native->capacity; i++) {
    const bpi_bdd a = bpi_bdd_literal(m, i % VARS, true);
    const bpi_bdd b = bpi_bdd_literal(m, (i + 1 + i / VARS) % VARS, i & 1);
    if (native->free || native->fresh < native->capacity) bpi_bdd_drop(m, bpi_bdd_xor(m, a, b));
    bpi_bdd_drop(m, a);
    bpi_bdd_drop(m, b);
  }
}

static void run(bp_kernel kernel)
{
  static uint32_t evens[VARS / 2], odds[VARS / 2], each[VARS], current[SLOTS], both[2 * SLOTS];
  for (uint32_t i = 0; i < VARS / 2; i++) {
    evens[i] = 2 * i;
    odds[i] = 2 * i + 1;
  }
  for (uint32_t i = 0; i < VARS; i++)
    each[i] = i;
  for (uint32_t i = 0; i < SLOTS; i++)
    both[i] = current[i] = bpi_bdd_var(i, BPI_CURRENT);
  for (uint32_t i = 0; i < SLOTS; i++)
    both[SLOTS + i] = bpi_bdd_var(i, BPI_NEXT);
  m = manager_open(kernel, 0, SLOTS);
  even = bpi_bdd_set(m, evens, VARS / 2);
  odd = bpi_bdd_set(m, odds, VARS / 2);
  all = bpi_bdd_set(m, each, VARS);
  last = bpi_bdd_set(m, &evens[VARS / 2 - 1], 1);
  cube = bpi_bdd_set(m, both, 2 * SLOTS);
  currents = bpi_bdd_set(m, current, SLOTS);
  parity = make_parity(1);
  entries_parity = make_parity(3);
  mixed = bpi_bdd_and(m, entries_parity, cube);
  shift = bpi_bdd_rename_new(m, evens, odds, VARS / 2);
  assert_true(bpi_bdd_ok(m));
  const size_t floor = measure(do_nothing);
  print_message("bytes of stack a variable:");
  size_t most = 0;
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
    const uint64_t collections = m->collections;
    fill_table(kernel);
    const size_t bytes = measure(actions[i].act);
    print_message(" %s %.1f%s", actions[i].name, (double)(bytes - floor) / VARS,
                  m->collections > collections ? "*" : "");
    const size_t per = (bytes - floor) / VARS;
    most = per > most ? per : most;
  }
  print_message("\n");
  assert_true(bpi_bdd_ok(m));
  if (WITH_PROMISE) assert_true(most <= PER_VAR);
  manager_close(m);
}

static void test_native(void **state)
{
  (void)state;
  run(BP_KERNEL_NATIVE);
}

static void test_buddy(void **state)
{
  (void)state;
  run(BP_KERNEL_BUDDY);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_native), cmocka_unit_test(test_buddy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
