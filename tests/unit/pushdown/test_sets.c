/* SPDX-License-Identifier: MIT
 * Sets whose transitions lead to control locations, and single configurations beside them. */
#include "systems.h"

#include <stdio.h>

typedef struct world {
  bp_context *ctx;
  bp_manager *m;
  bp_pushdown *p;
  bp_configurations *set;
} world;

enum { C, D };
enum { A, B };

/* Control locations c, d; symbols a, b; a global g:   c a -> d     d b -> c b a */
static const char system_text[] = "pushdown\ncontrol c d\nglobal g\nsymbol a\nsymbol b\n"
                                  "rule c a -> d\nrule d b -> c b a\n";

static int set_up(void **state)
{
  world *w = calloc(1, sizeof *w);
  assert_non_null(w);
  assert_int_equal(bp_context_new(&w->ctx), BP_OK);
  assert_int_equal(bp_manager_new(&w->m, w->ctx, NULL), BP_OK);
  assert_int_equal(bp_pushdown_read(&w->p, w->ctx, system_text, sizeof system_text - 1, "text"),
                   BP_OK);
  assert_int_equal(bp_configurations_new(&w->set, w->ctx, w->m, w->p), BP_OK);
  *state = w;
  return 0;
}

static int tear_down(void **state)
{
  world *w = *state;
  bp_configurations_unref(w->set);
  bp_pushdown_unref(w->p);
  bp_manager_unref(w->m);
  bp_context_unref(w->ctx);
  free(w);
  return 0;
}

/* Adds <control, stack> with g = 0; `stack` is a text of a and b. */
static bp_status add(bp_configurations *set, uint32_t control, const char *stack)
{
  uint32_t symbols[8], height = 0;
  const uint8_t zero = 0;
  for (; *stack; stack++)
    symbols[height++] = *stack == 'a' ? A : B;
  const bp_configuration one = {control, height, &zero, symbols, NULL};
  return bp_configurations_add(set, &one);
}

static int list(const bp_configuration *one, void *user)
{
  char *at = (char *)user + strlen(user);
  at += sprintf(at, one->globals[0] ? "%c'" : "%c", "cd"[one->control]);
  for (uint32_t i = 0; i < one->height; i++)
    at += sprintf(at, "%c", "ab"[one->symbols[i]]);
  strcpy(at, " ");
  return 0;
}

static int list_values(const bp_configuration *one, void *user)
{
  char *at = (char *)user + strlen(user);
  at += sprintf(at, "%d%d", one->globals[0], one->globals[1]);
  for (uint32_t i = 0; i < 3; i++)
    at += sprintf(at, "%d", one->locals[i]);
  strcpy(at, " ");
  return 0;
}

static void expect(const bp_configurations *set, uint32_t height, const char *members)
{
  char all[1024] = "";
  assert_int_equal(bp_configurations_each(set, height, list, all), BP_OK);
  assert_string_equal(all, members);
}

/* One configuration is one, before and behind the transition that leads to its control location. */
static void test_one(void **state)
{
  const world *w = *state;
  assert_int_equal(bp_configurations_transition(w->set, C, A, C, "!g"), BP_OK);
  assert_int_equal(add(w->set, C, "b"), BP_OK);
  expect(w->set, 3, "cb ");
  assert_int_equal(add(w->set, C, ""), BP_OK);
  assert_int_equal(add(w->set, D, "b"), BP_OK);
  assert_int_equal(bp_configurations_transition(w->set, C, B, D, "!g"), BP_OK);
  expect(w->set, 3, "c cb db ");
  assert_int_equal(bp_configurations_accept(w->set, D, "g"), BP_OK);
  expect(w->set, 3, "c cb db d' ");
  assert_int_equal(bp_configurations_accept(w->set, D, NULL), BP_OK);
  expect(w->set, 3, "c caab cab cb d db d' ");
}

/* The same set, restricted and without data. */
static void test_restricted(void **state)
{
  const world *w = *state;
  bp_configurations *some;
  bp_stacks *all, *wanted;
  const uint32_t end = bp_configurations_state(w->set, NULL);
  assert_int_equal(bp_configurations_transition(w->set, C, A, C, "!g"), BP_OK);
  assert_int_equal(add(w->set, C, "bb"), BP_OK);
  assert_int_equal(bp_configurations_transition(w->set, C, B, end, "!g"), BP_OK);
  assert_int_equal(bp_configurations_accept(w->set, end, NULL), BP_OK);
  expect(w->set, 3, "caab cab cb cbb ");
  assert_int_equal(bp_configurations_restrict(&some, w->set, NULL, "!g", NULL), BP_OK);
  expect(some, 3, "caab cab cb cbb ");
  bp_configurations_unref(some);
  assert_int_equal(bp_configurations_stacks(&all, w->set, NULL), BP_OK);
  assert_true(bp_stacks_contains(all, C, (const uint32_t[]){A, A, B}, 3));
  assert_true(bp_stacks_contains(all, C, (const uint32_t[]){B, B}, 2));
  assert_false(bp_stacks_contains(all, C, (const uint32_t[]){A, B, B}, 3));
  bp_stacks_unref(all);
  /* Two symbols. */
  assert_int_equal(bp_stacks_new(&wanted, w->ctx, w->p), BP_OK);
  const uint32_t one = bp_stacks_state(wanted), two = bp_stacks_state(wanted);
  assert_int_equal(bp_stacks_otherwise(wanted, C, one), BP_OK);
  assert_int_equal(bp_stacks_otherwise(wanted, one, two), BP_OK);
  assert_int_equal(bp_stacks_accept(wanted, two), BP_OK);
  assert_int_equal(bp_configurations_restrict(&some, w->set, wanted, NULL, NULL), BP_OK);
  expect(some, 9, "cab cbb ");
  bp_configurations_unref(some);
  bp_stacks_unref(wanted);
}

/* Each transition from a control location counts where others lead to it, whichever comes first. */
static void test_order(void **state)
{
  const world *w = *state;
  bp_configurations *again;
  for (int backwards = 0; backwards < 2; backwards++) {
    assert_int_equal(bp_configurations_new(&again, w->ctx, w->m, w->p), BP_OK);
    const uint32_t end = bp_configurations_state(again, NULL);
    for (int i = 0; i < 4; i++) {
      bp_status status = BP_E_INTERNAL;
      switch (backwards ? 3 - i : i) {
      case 0: status = add(again, C, "bb"); break;
      case 1: status = bp_configurations_transition(again, D, A, C, "!g"); break;
      case 2: status = bp_configurations_transition(again, C, B, end, "!g"); break;
      default: status = bp_configurations_accept(again, end, NULL); break;
      }
      assert_int_equal(status, BP_OK);
    }
    expect(again, 3, "cb cbb dab ");
    bp_configurations_unref(again);
  }
}

/* pre* makes transitions to control locations. */
static void test_after_pre(void **state)
{
  const world *w = *state;
  bp_configurations *pre, *post, *more;
  assert_int_equal(add(w->set, D, "b"), BP_OK);
  assert_int_equal(bp_pushdown_pre(&pre, w->set, NULL), BP_OK);
  expect(pre, 3, "cab db ");
  assert_int_equal(add(pre, D, "aa"), BP_OK);
  expect(pre, 4, "cab daa db ");
  assert_int_equal(bp_pushdown_pre(&more, pre, NULL), BP_OK);
  expect(more, 3, "caaa cab daa db ");
  assert_int_equal(bp_pushdown_post(&post, pre, NULL), BP_OK);
  expect(post, 2, "cab cba daa db ");
  bp_configurations_unref(more);
  assert_int_equal(bp_pushdown_post(&more, post, NULL), BP_OK);
  expect(more, 2, "cab cba daa db ");
  page out;
  page_begin(&out);
  assert_int_equal(bp_configurations_write(more, &out.sink, NULL, NULL), BP_OK);
  assert_non_null(strstr(out.text, "c -- b -> <c, b> when "));
  assert_non_null(strstr(out.text, "c -- b -> <c, b>#"));
  bp_configurations_unref(post);
  bp_configurations_unref(more);
  bp_configurations_unref(pre);
}

/* Saturation of a set in which stacks go on in control locations: rules apply to whole stacks alone. */
static void test_saturated(void **state)
{
  const world *w = *state;
  bp_configurations *post, *pre;
  const uint32_t end = bp_configurations_state(w->set, NULL);
  assert_int_equal(bp_configurations_transition(w->set, D, A, C, "!g"), BP_OK);
  assert_int_equal(bp_configurations_transition(w->set, C, A, end, "!g"), BP_OK);
  assert_int_equal(bp_configurations_accept(w->set, end, NULL), BP_OK);
  expect(w->set, 3, "ca daa ");
  assert_int_equal(bp_pushdown_post(&post, w->set, NULL), BP_OK);
  expect(post, 3, "ca d daa ");
  assert_int_equal(bp_pushdown_pre(&pre, w->set, NULL), BP_OK);
  expect(pre, 3, "ca caaa daa ");
  bp_configurations_unref(pre);
  bp_configurations_unref(post);
}

/* All (control location's g and h, x, and g and h behind) that a relation of a transition allows: the second symbol's
 * locals u and v tell what is carried. */
static void relation_members(const world *w, bp_pushdown *p, const char *relation, char *all,
                             page *written)
{
  bp_configurations *set;
  assert_int_equal(bp_configurations_new(&set, w->ctx, w->m, p), BP_OK);
  const uint32_t middle = bp_configurations_state(set, "m"),
                 end = bp_configurations_state(set, "e");
  if (bp_configurations_transition(set, 0, 0, middle, relation) != BP_OK)
    fail_msg("%s: %s", relation, bp_context_message(w->ctx));
  page_begin(written);
  assert_int_equal(bp_configurations_write(set, &written->sink, NULL, NULL), BP_OK);
  assert_int_equal(bp_configurations_transition(set, middle, 1, end, "(u = g) & (v = h)"), BP_OK);
  assert_int_equal(bp_configurations_accept(set, end, NULL), BP_OK);
  *all = '\0';
  assert_int_equal(bp_configurations_each(set, 2, list_values, all), BP_OK);
  bp_configurations_unref(set);
}

/* What is written of a relation is the relation: read again, with what it does not mention arbitrary. */
static void test_relations(void **state)
{
  const world *w = *state;
  static const char two[] = "pushdown\ncontrol p\nglobal g h\nsymbol a x\nsymbol b u v\n";
  static const char *const relations[][2] = {
      {"x", "x & ('g = g) & ('h = h)"},
      {"!g & 'h", "!g & 'h & ('g = g)"},
      {"'g = h", "('h = h) & (!'g & !h | 'g & h)"},
      {"x ^ g ^ h", NULL},
      {"('g = *) & ('h = *) & (x | 'g | h)", NULL},
      {"('g = *) & ('h = *)", ""},
      {"('g = h) & ('h = g) & x", NULL},
      {"('g = g & x) & ('h = h | 'g)", NULL},
      {"('g = g) & (x => 'h)", NULL},
      {"'g ^ 'h ^ x ^ g", NULL},
      {"0", NULL},
  };
  bp_pushdown *p;
  assert_int_equal(bp_pushdown_read(&p, w->ctx, two, sizeof two - 1, "two"), BP_OK);
  for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
    char first[2048], second[2048], again[9000];
    page written, ignored;
    relation_members(w, p, relations[i][0], first, &written);
    char *text = strstr(written.text, " when ");
    if (!strcmp(relations[i][0], "0")) {
      assert_string_equal(written.text, "");
      continue;
    }
    if (text) text[strlen(text) - 1] = '\0';
    text = text ? text + strlen(" when ") : written.text + strlen(written.text);
    if (relations[i][1]) assert_string_equal(text, relations[i][1]);
    snprintf(again, sizeof again, "(%s) & ('g = *) & ('h = *)", *text ? text : "1");
    relation_members(w, p, again, second, &ignored);
    assert_string_equal(first, second);
    assert_true(*first);
  }
  bp_pushdown_unref(p);
}

/* Steps, nodes and time may end a call anywhere: nothing or all of it. */
static void test_all_or_nothing(void **state)
{
  const world *w = *state;
  page out;
  assert_int_equal(bp_configurations_transition(w->set, C, A, C, "!g"), BP_OK);
  bp_context_cancel(w->ctx);
  assert_int_equal(add(w->set, C, "bb"), BP_E_LIMIT);
  expect(w->set, 3, "");
  assert_int_equal(add(w->set, C, "bb"), BP_OK);
  expect(w->set, 3, "cbb ");
  page_begin(&out);
  assert_int_equal(bp_configurations_write(w->set, &out.sink, NULL, NULL), BP_OK);
  assert_non_null(strstr(out.text, "c -- a -> c+ when !g & ('g = g)\n"));
  assert_non_null(strstr(out.text, "c+ -- a -> c+ when !g & ('g = g)\n"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_one),       TEST(test_order),     TEST(test_after_pre),      TEST(test_restricted),
      TEST(test_saturated), TEST(test_relations), TEST(test_all_or_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
