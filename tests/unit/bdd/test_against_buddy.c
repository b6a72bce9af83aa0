/* SPDX-License-Identifier: MIT
 * The native kernel against BuDDy: the same random operations on both, in one process. Results must
 * have the same structure, which for the same order of variables is canonical: every one is compared
 * by its number of nodes and by values, and now and then node by node. Tables are small, so that
 * collections, growth, reuse of nodes and full tables are what happens all the time.
 *
 * usage: test_bdd_against_buddy [--count OPERATIONS] [--seed SEED] */
#include "functions.h"

#include <stdio.h>
#include <stdlib.h>

enum { POOL = 50, SLOTS = 8, MORE_SLOTS = 12, VARS = 3 * MORE_SLOTS, SETS = 12, RENAMES = 4 };
enum { ROUND = 20000, LARGE = 250, PLAIN = 250000 };

typedef enum side { NATIVE, BUDDY, SIDES } side;

/* One function on both sides. */
typedef struct pair {
  bpi_bdd at[SIDES];
} pair;

typedef struct renaming {
  const bpi_rename *at[SIDES];
  pair gone; /* what must not occur */
} renaming;

static bp_manager *m[SIDES];
static pair pool[POOL], sets[SETS];
static renaming renames[RENAMES];
static uint64_t state, operations, compared, walked, seen_nodes, constants, full[SIDES],
    collections[SIDES];

static uint32_t below(uint32_t count)
{
  return (uint32_t)(random_u64(&state) >> 33) % count;
}

#define BOTH(expression)                                                                           \
  do                                                                                               \
    for (int s = 0; s < SIDES; s++)                                                                \
      expression;                                                                                  \
  while (0)

static void drop(pair p)
{
  BOTH(bpi_bdd_drop(m[s], p.at[s]));
}

/* ---- comparing ---------------------------------------------------------------- */

static void wrong(const char *what)
{
  fail_msg("operation %lu: %s", (unsigned long)operations, what);
}

static void compare_values(pair p)
{
  uint8_t values[VARS];
  for (int n = 0; n < 4; n++) {
    const uint64_t bits = random_u64(&state);
    for (uint32_t v = 0; v < VARS; v++)
      values[v] = bits >> v & 1;
    if (bdd_eval(m[NATIVE], p.at[NATIVE], values) != bdd_eval(m[BUDDY], p.at[BUDDY], values))
      wrong("values differ");
  }
}

/* Handles of BuDDy by handles of the native kernel, of one walk. */
static struct {
  bpi_bdd native, buddy;
} met[8 * LARGE];
static uint32_t met_count;

static void walk(bpi_bdd a, bpi_bdd b)
{
  if (a < 2 || b < 2) {
    if (a != b) wrong("a constant and something else");
    return;
  }
  for (uint32_t i = met_count; i--;)
    if (met[i].native == a || met[i].buddy == b) {
      if (met[i].native != a || met[i].buddy != b) wrong("one node and two");
      return;
    }
  if (met_count == sizeof met / sizeof *met) return;
  met[met_count].native = a;
  met[met_count++].buddy = b;
  if (bpi_bdd_top(m[NATIVE], a) != bpi_bdd_top(m[BUDDY], b)) wrong("variables differ");
  walk(bpi_bdd_low(m[NATIVE], a), bpi_bdd_low(m[BUDDY], b));
  walk(bpi_bdd_high(m[NATIVE], a), bpi_bdd_high(m[BUDDY], b));
}

static void compare_structure(pair p)
{
  met_count = 0;
  walk(p.at[NATIVE], p.at[BUDDY]);
  walked++;
}

static void compare_looking(pair p)
{
  bpi_vars vars[SIDES] = {{0}, {0}};
  uint8_t values[SIDES][VARS];
  BOTH(assert_true(bpi_bdd_support(m[s], p.at[s], &vars[s])));
  if (vars[0].count != vars[1].count) wrong("supports differ");
  for (uint32_t i = 0; i < vars[0].count; i++)
    if (vars[0].at[i] != vars[1].at[i]) wrong("supports differ");
  BOTH(bpi_vec_free(&vars[s]));
  memset(values, 9, sizeof values);
  bool picked[SIDES];
  BOTH(picked[s] = bpi_bdd_pick(m[s], p.at[s], values[s]));
  if (picked[0] != picked[1] || memcmp(values[0], values[1], VARS)) wrong("paths differ");
}

/* The number of nodes. */
static uint64_t compare(pair p)
{
  const uint64_t nodes = bpi_bdd_node_count(m[NATIVE], p.at[NATIVE]);
  if (nodes != bpi_bdd_node_count(m[BUDDY], p.at[BUDDY])) wrong("sizes differ");
  compare_values(p);
  if (operations % 32 == 0 && nodes < 4 * LARGE) compare_structure(p);
  if (operations % 32 == 1) compare_looking(p);
  compared++;
  seen_nodes += nodes;
  constants += !nodes;
  return nodes;
}

/* ---- operations ---------------------------------------------------------------- */

static bpi_bdd literal(side s, uint32_t choice)
{
  return bpi_bdd_literal(m[s], choice / 2 % (3 * bpi_bdd_slot_count(m[s])), choice & 1);
}

static bpi_bdd borrowed(side s, bpi_bdd a, bool high)
{
  if (a < 2) return a;
  return bpi_bdd_keep(m[s], high ? bpi_bdd_high(m[s], a) : bpi_bdd_low(m[s], a));
}

static bpi_bdd renamed(side s, bpi_bdd a, const renaming *r)
{
  const bpi_bdd less = bpi_bdd_exists(m[s], a, r->gone.at[s]);
  const bpi_bdd result = bpi_bdd_rename(m[s], less, r->at[s]);
  bpi_bdd_drop(m[s], less);
  return result;
}

typedef struct choice {
  uint32_t op, a, b, c, set, rename, literal;
} choice;

static bpi_bdd run(side s, const choice *x)
{
  const bpi_bdd a = pool[x->a].at[s], b = pool[x->b].at[s], c = pool[x->c].at[s];
  const bpi_bdd set = sets[x->set].at[s];
  switch (x->op) {
  case 0: return literal(s, x->literal);
  case 1: return bpi_bdd_not(m[s], a);
  case 2: return bpi_bdd_and(m[s], a, b);
  case 3: return bpi_bdd_or(m[s], a, b);
  case 4:
  case 5: return bpi_bdd_xor(m[s], a, b);
  case 6: return bpi_bdd_iff(m[s], a, b);
  case 7: return bpi_bdd_diff(m[s], a, b);
  case 8:
  case 9: return bpi_bdd_ite(m[s], a, b, c);
  case 10: return bpi_bdd_exists(m[s], a, set);
  case 11:
  case 12: return bpi_bdd_and_exists(m[s], a, b, set);
  case 13:
  case 14: return bpi_bdd_image(m[s], a, b, sets[x->set % (SETS / 2)].at[s]);
  case 15: return borrowed(s, a, x->literal & 1);
  default: return renamed(s, a, &renames[x->rename]);
  }
}

static choice choose(void)
{
  return (choice){below(18),   below(POOL),    below(POOL),    below(POOL),
                  below(SETS), below(RENAMES), below(2 * VARS)};
}

/* ---- a round -------------------------------------------------------------------- */

/* What is left after a full table is whole; half of it goes. */
static void make_room(void)
{
  for (int s = 0; s < SIDES; s++) {
    if (bpi_bdd_ok(m[s])) continue;
    assert_int_equal(bpi_bdd_status(m[s]), BPI_BDD_NODES);
    full[s]++;
    assert_true(bpi_bdd_recover(m[s]));
  }
  for (uint32_t i = 0; i < POOL; i++) {
    compare(pool[i]);
    if (i % 2) continue;
    drop(pool[i]);
    pool[i] = (pair){{BPI_FALSE, BPI_FALSE}};
  }
}

static void step(void)
{
  const choice x = choose();
  const uint32_t to = below(POOL);
  pair result;
  operations++;
  BOTH(result.at[s] = run((side)s, &x));
  if (!bpi_bdd_ok(m[NATIVE]) || !bpi_bdd_ok(m[BUDDY])) {
    drop(result);
    make_room();
    return;
  }
  const uint64_t nodes = compare(result);
  if (nodes > LARGE || (nodes < 3 && below(8))) {
    drop(result); /* large ones are compared, and no more; small ones would take over */
    return;
  }
  drop(pool[to]);
  pool[to] = result;
}

static pair make_set(const uint32_t *vars, uint32_t count)
{
  pair set;
  BOTH(set.at[s] = bpi_bdd_set(m[s], vars, count));
  return set;
}

/* In the first half of them every slot has its CURRENT or its NEXT copy. */
static void make_sets(void)
{
  for (uint32_t i = 0; i < SETS; i++) {
    uint32_t vars[2 * VARS], count = 0;
    for (uint32_t slot = 0; slot < MORE_SLOTS && i < SETS / 2; slot++)
      vars[count++] = bpi_bdd_var(slot, below(3) ? BPI_CURRENT : BPI_NEXT);
    for (uint32_t more = 1 + below(6); more; more--)
      vars[count++] = below(VARS);
    uint32_t fit = 0;
    for (uint32_t k = 0; k < count; k++)
      if (vars[k] < 3 * bpi_bdd_slot_count(m[NATIVE])) vars[fit++] = vars[k];
    sets[i] = make_set(vars, fit);
  }
}

/* Each v to v + step where v % modulus is `which`; the variables at which they arrive must be gone. */
static renaming make_renaming(int step_by, uint32_t modulus, uint32_t which)
{
  uint32_t from[VARS], to[VARS], gone[VARS], count = 0, gone_count = 0;
  for (uint32_t v = 0; v < 3 * SLOTS; v++) {
    const int target = (int)v + step_by;
    if (v % modulus != which || target < 0 || target >= 3 * SLOTS) continue;
    from[count] = v;
    to[count++] = (uint32_t)target;
  }
  for (uint32_t v = 0; v < 3 * SLOTS; v++) {
    bool moves = false, hit = false;
    for (uint32_t i = 0; i < count; i++) {
      moves |= from[i] == v;
      hit |= to[i] == v;
    }
    if (hit && !moves) gone[gone_count++] = v;
  }
  renaming r = {.gone = make_set(gone, gone_count)};
  BOTH(r.at[s] = bpi_bdd_rename_new(m[s], from, to, count));
  BOTH(assert_non_null(r.at[s]));
  return r;
}

static bp_manager *open_one(bp_kernel kernel, uint32_t nodes)
{
  return manager_open(kernel, nodes, SLOTS);
}

static void open_round(void)
{
  m[NATIVE] = open_one(BP_KERNEL_NATIVE, below(3) ? 4000 + below(4000) : 20000);
  m[BUDDY] = open_one(BP_KERNEL_BUDDY, 6000 + below(20000));
  for (uint32_t i = 0; i < POOL; i++)
    BOTH(pool[i].at[s] = bpi_bdd_literal(m[s], i % (3 * SLOTS), i & 1));
  make_sets();
  renames[0] = make_renaming(1, 3, BPI_CURRENT);
  renames[1] = make_renaming(1, 3, BPI_ENTRY);
  renames[2] = make_renaming(3, 1, 0);
  renames[3] = make_renaming(-3, 1, 0);
  assert_true(bpi_bdd_ok(m[NATIVE]) && bpi_bdd_ok(m[BUDDY]));
}

static void close_round(void)
{
  for (uint32_t i = 0; i < POOL; i++) {
    compare_structure(pool[i]);
    drop(pool[i]);
  }
  for (uint32_t i = 0; i < SETS; i++)
    drop(sets[i]);
  for (uint32_t i = 0; i < RENAMES; i++)
    drop(renames[i].gone);
  for (int s = 0; s < SIDES; s++) {
    assert_true(bpi_bdd_ok(m[s]));
    assert_int_equal(bpi_bdd_live(m[s]), 0);
    bpi_bdd_leave(m[s]);
    bp_manager_stats stats = {.size = sizeof stats};
    assert_int_equal(bp_manager_get_stats(m[s], &stats), BP_OK);
    collections[s] += stats.collections;
    bp_manager_unref(m[s]);
  }
}

static void more_slots(void)
{
  const uint32_t slots = bpi_bdd_slot_count(m[NATIVE]) + 1 + below(2);
  if (slots > MORE_SLOTS) return;
  BOTH(assert_true(bpi_bdd_ensure_slots(m[s], slots) || bpi_bdd_status(m[s]) == BPI_BDD_NODES));
  BOTH(bpi_bdd_recover(m[s]));
  if (bpi_bdd_slot_count(m[NATIVE]) != bpi_bdd_slot_count(m[BUDDY])) return;
  for (uint32_t i = 0; i < SETS; i++)
    drop(sets[i]);
  make_sets();
  if (bpi_bdd_ok(m[NATIVE]) && bpi_bdd_ok(m[BUDDY])) return;
  make_room();
  for (uint32_t i = 0; i < SETS; i++)
    drop(sets[i]);
  make_sets();
}

static uint64_t wanted = PLAIN, seed = 1;

static void test_same(void **unused)
{
  (void)unused;
  print_message("seed %lu\n", (unsigned long)seed);
  state = seed;
  while (operations < wanted) {
    open_round();
    for (uint32_t i = 1; i <= ROUND && operations < wanted; i++) {
      step();
      if (i % (ROUND / 5) == 0) more_slots();
    }
    close_round();
  }
  print_message("%lu operations, %lu results compared, %lu node by node\n",
                (unsigned long)operations, (unsigned long)compared, (unsigned long)walked);
  print_message("%.1f nodes a result, %.1f %% constants\n", (double)seen_nodes / (double)compared,
                100.0 * (double)constants / (double)compared);
  print_message("collections %lu, BuDDy %lu; table full %lu times, BuDDy %lu\n",
                (unsigned long)collections[NATIVE], (unsigned long)collections[BUDDY],
                (unsigned long)full[NATIVE], (unsigned long)full[BUDDY]);
}

int main(int argc, char **argv)
{
  for (int i = 1; i + 1 < argc; i += 2) {
    const uint64_t number = strtoull(argv[i + 1], NULL, 10);
    if (!strcmp(argv[i], "--count"))
      wanted = number;
    else if (!strcmp(argv[i], "--seed"))
      seed = number;
    else
      return 2;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
