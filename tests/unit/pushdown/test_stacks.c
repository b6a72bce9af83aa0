/* SPDX-License-Identifier: MIT
 * Sets of stacks: built by hand, taken from sets with data, as text; restricting a set to them. */
#include "systems.h"

#include <stdio.h>

/* A program whose data decide which stacks there are. */
static const char text[] = "decl g;\n"
                           "void main() begin g := 0; f(0); g := 1; f(1); end\n"
                           "void f(x) begin if (*) then f(x); fi w(x); end\n"
                           "void w(y) begin if (y = g) then GOOD: skip; else BAD: skip; fi end\n";

typedef struct world {
  bp_context *ctx;
  bp_manager *m;
  bp_program *program;
  bp_cfg *cfg;
  bp_pushdown *p;
  bp_configurations *start, *post;
  page page;
} world;

static int set_up(void **state)
{
  world *w = calloc(1, sizeof *w);
  assert_non_null(w);
  assert_int_equal(bp_context_new(&w->ctx), BP_OK);
  assert_int_equal(bp_manager_new(&w->m, w->ctx, NULL), BP_OK);
  assert_int_equal(bp_program_parse(&w->program, w->ctx, text, sizeof text - 1, NULL, NULL), BP_OK);
  assert_int_equal(bp_cfg_new(&w->cfg, w->ctx, w->program), BP_OK);
  assert_int_equal(bp_pushdown_from_cfg(&w->p, w->ctx, w->cfg), BP_OK);
  assert_int_equal(bp_configurations_new(&w->start, w->ctx, w->m, w->p), BP_OK);
  assert_int_equal(bp_configurations_add_start(w->start), BP_OK);
  assert_int_equal(bp_pushdown_post(&w->post, w->start, NULL), BP_OK);
  page_begin(&w->page);
  *state = w;
  return 0;
}

static int tear_down(void **state)
{
  world *w = *state;
  bp_configurations_unref(w->post);
  bp_configurations_unref(w->start);
  bp_pushdown_unref(w->p);
  bp_cfg_unref(w->cfg);
  bp_program_unref(w->program);
  bp_manager_unref(w->m);
  bp_context_unref(w->ctx);
  free(w);
  return 0;
}

static uint32_t symbol(const world *w, const char *name)
{
  const uint32_t id = bp_pushdown_find_symbol(w->p, name);
  assert_int_not_equal(id, BP_NONE);
  return id;
}

/* All stacks with that symbol on top. */
static bp_stacks *topped(world *w, uint32_t top)
{
  bp_stacks *s;
  assert_int_equal(bp_stacks_new(&s, w->ctx, w->p), BP_OK);
  const uint32_t rest = bp_stacks_state(s);
  assert_int_equal(rest, 1);
  assert_int_equal(bp_stacks_edge(s, 0, top, rest), BP_OK);
  assert_int_equal(bp_stacks_otherwise(s, rest, rest), BP_OK);
  assert_int_equal(bp_stacks_accept(s, rest), BP_OK);
  return s;
}

static bp_stacks *reached(world *w, uint32_t top, const char *when)
{
  bp_configurations *some;
  bp_stacks *wanted = topped(w, top), *stacks;
  assert_int_equal(bp_configurations_restrict(&some, w->post, wanted, when, NULL), BP_OK);
  assert_int_equal(bp_configurations_stacks(&stacks, some, NULL), BP_OK);
  bp_stacks_unref(wanted);
  bp_configurations_unref(some);
  return stacks;
}

static void written(world *w, const bp_stacks *s, const char *expected)
{
  page_begin(&w->page);
  assert_int_equal(bp_stacks_write(s, &w->page.sink, 0, NULL, NULL), BP_OK);
  assert_string_equal(w->page.text, expected);
}

/* f(x) keeps x, and g is what it was when main called f: a stack from the first call with the data of the
 * second is none. */
static void test_exact(void **state)
{
  world *w = *state;
  bp_stacks *good = reached(w, symbol(w, "w.1"), NULL), *bad = reached(w, symbol(w, "w.2"), NULL);
  bp_stacks *first = reached(w, symbol(w, "w.1"), "!g");
  written(w, good, "w.1 f.2.back f.1.back* (main.1.back | main.3.back)\n");
  written(w, first, "w.1 f.2.back f.1.back* main.1.back\n");
  written(w, bad, "");
  assert_int_equal(bp_stacks_state_count(bad), 1);
  assert_int_equal(bp_stacks_edge_count(bad, 0), 0);
  const uint32_t stack[] = {symbol(w, "w.1"), symbol(w, "f.2.back"), symbol(w, "f.1.back"),
                            symbol(w, "main.3.back")};
  assert_int_equal(bp_stacks_contains(good, 0, stack, 4), 1);
  assert_int_equal(bp_stacks_contains(first, 0, stack, 4), 0);
  assert_int_equal(bp_stacks_contains(good, 0, stack, 3), 0);
  assert_int_equal(bp_stacks_contains(good, 1, stack, 4), 0);
  bp_stacks_unref(good);
  bp_stacks_unref(bad);
  bp_stacks_unref(first);
}

static void test_restrict(void **state)
{
  world *w = *state;
  bp_configurations *some = NULL, *same = NULL;
  int empty = -1, found = -1;
  bp_stacks *wanted = topped(w, symbol(w, "w.2"));
  assert_int_equal(bp_configurations_restrict(&some, w->post, wanted, NULL, NULL), BP_OK);
  assert_int_equal(bp_configurations_is_empty(&empty, some), BP_OK);
  assert_int_equal(empty, 1);
  bp_configurations_unref(some);
  some = w->start; /* must become NULL */
  assert_int_equal(bp_configurations_restrict(&some, w->post, NULL, "y", NULL), BP_E_INPUT);
  assert_null(some);
  assert_int_equal(bp_configurations_restrict(&same, w->post, NULL, NULL, NULL), BP_OK);
  assert_int_equal(bp_configurations_has_head(&found, same, 0, symbol(w, "w.1"), "g & y"), BP_OK);
  assert_int_equal(found, 1);
  assert_int_equal(bp_configurations_has_head(&found, same, 0, symbol(w, "w.1"), "g & !y"), BP_OK);
  assert_int_equal(found, 0);
  const bp_limits few = {.size = sizeof few, .steps = 3};
  assert_int_equal(bp_configurations_restrict(&some, w->post, NULL, NULL, &few), BP_E_LIMIT);
  assert_string_equal(bp_context_message(w->ctx), "stopped: steps");
  bp_stacks *none = wanted;
  assert_int_equal(bp_configurations_stacks(&none, w->post, &few), BP_E_LIMIT);
  assert_null(none);
  bp_configurations_unref(same);
  bp_stacks_unref(wanted);
}

typedef struct listed {
  const bp_pushdown *p;
  char text[512];
  uint32_t left; /* heads before it refuses */
} listed;

static int list(const bp_head *head, void *user)
{
  listed *l = user;
  const size_t used = strlen(l->text);
  const char *name = bp_pushdown_symbol_name(l->p, head->symbol);
  if (!l->left--) return 1;
  if (strncmp(name, "w.", 2) && strncmp(name, "main.", 5)) return 0;
  assert_int_equal(head->control, 0);
  int len = snprintf(l->text + used, sizeof l->text - used, "%s %c", name, "01*"[head->globals[0]]);
  if (name[0] == 'w')
    snprintf(l->text + used + len, sizeof l->text - used - (size_t)len, "%c",
             "01*"[head->locals[0]]);
  strcat(l->text, ";");
  return 0;
}

static void test_heads(void **state)
{
  world *w = *state;
  listed all = {.p = w->p, .left = 100}, first = all, none = {.p = w->p};
  assert_int_equal(bp_configurations_heads(w->post, 0, list, &all), BP_OK);
  assert_string_equal(all.text, "main.0 *;main.1 0;main.2 0;main.3 1;main.4 1;w.0 00;w.0 11;w.1 00;"
                                "w.1 11;w.3 00;w.3 11;main.1.back 0;main.3.back 1;");
  assert_int_equal(bp_configurations_heads(w->post, 1, list, &first), BP_OK);
  assert_string_equal(first.text,
                      "main.0 *;main.1 0;main.2 0;main.3 1;main.4 1;w.0 00;w.1 00;w.3 00;"
                      "main.1.back 0;main.3.back 1;");
  assert_int_equal(bp_configurations_heads(w->post, 0, list, &none), BP_E_USER);
  assert_int_equal(bp_configurations_heads(w->post, 0, NULL, NULL), BP_E_INVALID);
}

static void test_by_hand(void **state)
{
  world *w = *state;
  bp_stacks *s;
  const uint32_t a = symbol(w, "main.0"), b = symbol(w, "main.1");
  assert_int_equal(bp_stacks_new(&s, w->ctx, w->p), BP_OK);
  written(w, s, "");
  assert_int_equal(bp_stacks_accept(s, 0), BP_OK);
  written(w, s, "_\n");
  const uint32_t q = bp_stacks_state(s), dead = bp_stacks_state(s), end = bp_stacks_state(s);
  assert_int_equal(bp_stacks_edge(s, 0, a, q), BP_OK);
  assert_int_equal(bp_stacks_edge(s, 0, a, end), BP_E_INVALID);
  assert_int_equal(bp_stacks_edge(s, q, a, 0), BP_E_INVALID);
  assert_int_equal(bp_stacks_edge(s, q, 1000, q), BP_E_INVALID);
  assert_int_equal(bp_stacks_edge(s, 0, b, dead), BP_OK);
  assert_int_equal(bp_stacks_edge(s, q, b, end), BP_OK);
  assert_int_equal(bp_stacks_otherwise(s, q, q), BP_OK);
  assert_int_equal(bp_stacks_otherwise(s, q, 0), BP_E_INVALID);
  assert_int_equal(bp_stacks_otherwise(s, 9, q), BP_E_INVALID);
  assert_int_equal(bp_stacks_accept(s, end), BP_OK);
  assert_int_equal(bp_stacks_accept(s, 9), BP_E_INVALID);
  written(w, s, "_\nmain.0 .* main.1\n");
  assert_int_equal(bp_stacks_accept(s, q), BP_OK);
  written(w, s, "_\nmain.0 .* main.1?\n");
  assert_int_equal(bp_stacks_next(s, q, a), q);
  assert_int_equal(bp_stacks_next(s, q, b), end);
  assert_int_equal(bp_stacks_next(s, end, b), BP_NONE);
  assert_int_equal(bp_stacks_edge_symbol(s, 0, 1), b);
  assert_int_equal(bp_stacks_edge_to(s, 0, 1), dead);
  assert_int_equal(bp_stacks_edge_to(s, 0, 2), BP_NONE);
  assert_int_equal(bp_stacks_write(s, &w->page.sink, 1, NULL, NULL), BP_E_INVALID);
  assert_int_equal(bp_stacks_write(s, NULL, 0, NULL, NULL), BP_E_INVALID);
  bp_stacks_unref(bp_stacks_ref(s));
  bp_stacks_unref(s);
}

/* What is shared or recursive has a line of its own; a long chain of it is no recursion of the writer. */
static void test_long(void **state)
{
  enum { LONG = 100000 };
  world *w = *state;
  bp_stacks *s;
  bp_sink nothing;
  const uint32_t a = symbol(w, "main.0"), b = symbol(w, "main.1");
  assert_int_equal(bp_stacks_new(&s, w->ctx, w->p), BP_OK);
  uint32_t at = bp_stacks_state(s);
  assert_int_equal(bp_stacks_edge(s, 0, a, at), BP_OK);
  for (int i = 0; i < LONG; i++) {
    const uint32_t next = bp_stacks_state(s);
    assert_int_equal(bp_stacks_edge(s, at, a, next), BP_OK);
    if (i % 3) assert_int_equal(bp_stacks_edge(s, at, b, next), BP_OK);
    if (i % 7 == 0) assert_int_equal(bp_stacks_accept(s, at), BP_OK);
    at = next;
  }
  assert_int_equal(bp_stacks_accept(s, at), BP_OK);
  FILE *file = tmpfile();
  assert_non_null(file);
  bp_sink_stdio(&nothing, file);
  assert_int_equal(bp_stacks_write(s, &nothing, 0, NULL, NULL), BP_OK);
  assert_true(ftell(file) > LONG * 7L);
  fclose(file);
  bp_context_cancel(w->ctx);
  assert_int_equal(bp_stacks_write(s, &w->page.sink, 0, NULL, NULL), BP_E_LIMIT);
  bp_context_cancel(w->ctx);
  assert_int_equal(bp_stacks_write_dot(s, &w->page.sink, NULL, NULL), BP_E_LIMIT);
  bp_stacks_unref(s);
}

static const char *two_names(uint32_t id, void *user)
{
  return id == *(const uint32_t *)user ? "\"here\"" : NULL;
}

static void test_dot(void **state)
{
  world *w = *state;
  uint32_t top = symbol(w, "w.1");
  bp_stacks *s = topped(w, top);
  page_begin(&w->page);
  assert_int_equal(bp_stacks_write_dot(s, &w->page.sink, two_names, &top), BP_OK);
  assert_string_equal(w->page.text, "digraph {\n  rankdir=LR;\n  node [shape=circle];\n"
                                    "  s0 [label=\"run\", style=bold];\n"
                                    "  s0 -> s1 [label=\"\\\"here\\\"\"];\n"
                                    "  s1 [label=\"\", peripheries=2];\n"
                                    "  s1 -> s1 [label=\".\"];\n}\n");
  bp_stacks_unref(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_exact, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_restrict, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_heads, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_by_hand, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_long, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_dot, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
