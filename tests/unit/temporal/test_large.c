/* SPDX-License-Identifier: MIT
 * Large and deep input: an answer or an error, on a small stack, and in time. */
#define _GNU_SOURCE
#include "texts.h"

#include <pthread.h>

enum { DEEP = 200000, STACK = 512 * 1024 };

typedef struct shape {
  const char *before, *middle, *after;
  bp_status parsed, translated;
} shape;

static const shape shapes[] = {
    {"(", "a", ")", BP_OK, BP_OK},     {"(", "a", "", BP_E_INPUT, BP_OK},
    {"!", "a", "", BP_OK, BP_OK},      {"X ", "a", "", BP_OK, BP_E_LIMIT},
    {"F G ", "a", "", BP_OK, BP_OK},   {"a && ", "a", "", BP_OK, BP_OK},
    {"a U ", "b", "", BP_OK, BP_OK},   {"(a U ", "b", ")", BP_OK, BP_OK},
    {"(", "b", " U a)", BP_OK, BP_OK}, {"a -> X ", "b", "", BP_OK, BP_OK},
};

static char *text_of(const shape *s)
{
  const size_t before = strlen(s->before), middle = strlen(s->middle), after = strlen(s->after);
  char *text = malloc(DEEP * (before + after) + middle + 1), *at = text;
  assert_non_null(text);
  for (int i = 0; i < DEEP; i++, at += before)
    memcpy(at, s->before, before);
  memcpy(at, s->middle, middle);
  at += middle;
  for (int i = 0; i < DEEP; i++, at += after)
    memcpy(at, s->after, after);
  *at = '\0';
  return text;
}

static int swallow(void *user, const char *bytes, size_t len)
{
  (void)bytes;
  *(size_t *)user += len;
  return 0;
}

/* Returns NULL, or what is wrong. */
static const char *try_shape(const shape *s, const char *text)
{
  bp_context *ctx;
  bp_formula *f, *g = NULL;
  bp_automaton *a = NULL;
  size_t written = 0;
  const bp_sink sink = {.size = sizeof sink, .write = swallow, .user = &written};
  if (bp_context_new(&ctx) != BP_OK) return "no context";
  const char *wrong = NULL;
  if (bp_formula_parse(&f, ctx, text, strlen(text), NULL) != s->parsed) wrong = "parse";
  if (f && bp_formula_negate(&g, ctx, f) != BP_OK) wrong = "negate";
  if (f && bp_formula_write(f, &sink) != BP_OK) wrong = "write";
  if (f && bp_automaton_from_formula(&a, ctx, f, NULL) != s->translated) wrong = "translate";
  bp_automaton_unref(a);
  bp_formula_unref(g);
  bp_formula_unref(f);
  bp_context_unref(ctx);
  return wrong;
}

static void *try_all(void *user)
{
  (void)user;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    char *text = text_of(&shapes[i]);
    const char *wrong = try_shape(&shapes[i], text);
    free(text);
    if (wrong) return (void *)(uintptr_t)wrong;
  }
  return NULL;
}

static void test_deep(void **state)
{
  (void)state;
  pthread_attr_t attributes;
  pthread_t thread;
  void *wrong;
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
  assert_int_equal(pthread_create(&thread, &attributes, try_all, NULL), 0);
  assert_int_equal(pthread_join(thread, &wrong), 0);
  pthread_attr_destroy(&attributes);
  if (wrong) fail_msg("%s", (const char *)wrong);
}

/* 3^40 edges: only the clock, the cancel request or a limit ends that. */
static bp_formula *hopeless(bp_context *ctx)
{
  char text[1000], *at = text;
  for (int i = 0; i < 40; i++) {
    memcpy(at, "(F a00) && ", 11);
    at[4] = (char)('0' + i / 10);
    at[5] = (char)('0' + i % 10);
    at += 11;
  }
  memcpy(at, "b", 2);
  return formula_of(ctx, text);
}

static void test_limits(void **state)
{
  (void)state;
  bp_context *ctx;
  bp_automaton *a;
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 50};
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  bp_formula *f = hopeless(ctx);
  assert_int_equal(bp_context_set_limits(ctx, &limits), BP_OK);
  assert_int_equal(bp_automaton_from_formula(&a, ctx, f, NULL), BP_E_LIMIT);
  assert_string_equal(bp_context_message(ctx), "stopped while translating a formula");
  assert_int_equal(bp_context_set_limits(ctx, NULL), BP_OK);
  bp_context_cancel(ctx);
  assert_int_equal(bp_automaton_from_formula(&a, ctx, f, NULL), BP_E_LIMIT);
  assert_int_equal(bp_automaton_from_formula(&a, ctx, f, NULL), BP_E_LIMIT);
  assert_string_equal(bp_context_message(ctx),
                      "the automaton has more than 2097152 nodes in its labels");
  bp_formula_unref(f);
  bp_context_unref(ctx);
}

/* The parity of 30 propositions: a small diagram, 2^29 cubes. */
static void test_cover(void **state)
{
  (void)state;
  char text[4000], *at = text;
  at += sprintf(at, "HOA: v1 States: 1 Start: 0 AP: 30");
  for (int i = 0; i < 30; i++)
    at += sprintf(at, " \"a%d\"", i);
  at += sprintf(at, " Acceptance: 0 t Alias: @p0 0");
  for (int i = 1; i < 30; i++)
    at += sprintf(at, " Alias: @p%d @p%d & !%d | !@p%d & %d", i, i - 1, i, i - 1, i);
  sprintf(at, " --BODY-- State: 0 [@p29] 0 --END--");
  bp_context *ctx;
  bp_automaton *a;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  assert_int_equal(bp_automaton_read_hoa(&a, ctx, text, strlen(text), "parity"), BP_E_LIMIT);
  assert_string_equal(bp_context_message(ctx),
                      "the automaton has more than 8388608 literals in its labels");
  bp_context_unref(ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cover),
      cmocka_unit_test(test_deep),
      cmocka_unit_test(test_limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
