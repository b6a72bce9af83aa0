/* SPDX-License-Identifier: MIT
 * Building, post*, pre*, questions and printing, on small systems whose answers are known. */
#include "systems.h"

#include <stdio.h>

typedef struct world {
  bp_context *ctx;
  bp_manager *m;
  bp_pushdown *p;
  bp_configurations *start;
} world;

static const uint8_t zero[4] = {0}, ones[4] = {1, 1, 1, 1};
static const uint32_t just_m[] = {M};

static int set_up(void **state)
{
  world *w = calloc(1, sizeof *w);
  assert_non_null(w);
  assert_int_equal(bp_context_new(&w->ctx), BP_OK);
  assert_int_equal(bp_manager_new(&w->m, w->ctx, NULL), BP_OK);
  assert_int_equal(make_system(&w->p, w->ctx), BP_OK);
  assert_int_equal(bp_configurations_new(&w->start, w->ctx, w->m, w->p), BP_OK);
  *state = w;
  return 0;
}

static int tear_down(void **state)
{
  world *w = *state;
  bp_configurations_unref(w->start);
  bp_pushdown_unref(w->p);
  bp_manager_unref(w->m);
  bp_context_unref(w->ctx);
  free(w);
  return 0;
}

/* <p with g = 0, m with x> */
static void begin(world *w, const uint8_t *x)
{
  const bp_configuration one = {0, 1, zero, just_m, x};
  assert_int_equal(bp_configurations_add(w->start, &one), BP_OK);
}

static int has(const bp_configurations *set, uint8_t g, uint32_t height, const uint32_t *symbols,
               const uint8_t *locals)
{
  int found = -1;
  const bp_configuration one = {0, height, &g, symbols, locals};
  assert_int_equal(bp_configurations_contains(&found, set, &one), BP_OK);
  return found;
}

static int head(const bp_configurations *set, uint32_t symbol, const char *when)
{
  int found = -1;
  assert_int_equal(bp_configurations_has_head(&found, set, 0, symbol, when), BP_OK);
  return found;
}

static void test_getters(void **state)
{
  const world *w = *state;
  assert_int_equal(bp_pushdown_control_count(w->p), 1);
  assert_int_equal(bp_pushdown_symbol_count(w->p), 3);
  assert_int_equal(bp_pushdown_global_count(w->p), 1);
  assert_int_equal(bp_pushdown_rule_count(w->p), 4);
  assert_int_equal(bp_pushdown_local_count(w->p, F), 1);
  assert_int_equal(bp_pushdown_local_count(w->p, R), 0);
  assert_int_equal(bp_pushdown_local_count(w->p, 7), 0);
  assert_string_equal(bp_pushdown_control_name(w->p, 0), "p");
  assert_string_equal(bp_pushdown_symbol_name(w->p, F), "f");
  assert_string_equal(bp_pushdown_global_name(w->p, 0), "g");
  assert_string_equal(bp_pushdown_local_name(w->p, F, 0), "y");
  assert_null(bp_pushdown_local_name(w->p, F, 1));
  assert_null(bp_pushdown_control_name(w->p, 1));
  assert_int_equal(bp_pushdown_find_symbol(w->p, "r"), R);
  assert_int_equal(bp_pushdown_find_symbol(w->p, "p"), BP_NONE);
  assert_int_equal(bp_pushdown_find_control(w->p, "p"), 0);
}

static void test_post(void **state)
{
  world *w = *state;
  bp_configurations *post;
  const uint32_t deep[] = {F, F, F, R}, rest[] = {R};
  begin(w, ones);
  assert_int_equal(bp_pushdown_post(&post, w->start, NULL), BP_OK);
  assert_true(has(post, 0, 4, deep, ones));
  assert_false(has(post, 0, 4, deep, zero));
  assert_true(has(post, 1, 4, deep, ones)); /* deeper before, and back */
  assert_true(has(post, 1, 1, rest, NULL));
  assert_true(has(post, 0, 1, rest, NULL));
  assert_false(has(post, 0, 0, NULL, NULL));
  assert_false(has(post, 1, 1, just_m, ones));
  assert_true(head(post, F, "y & g"));
  assert_false(head(post, F, "!y"));
  assert_true(head(post, R, NULL));
  bp_configurations_unref(post);
}

/* With x = 0 nothing comes back. */
static void test_post_stuck(void **state)
{
  world *w = *state;
  bp_configurations *post;
  begin(w, zero);
  assert_int_equal(bp_pushdown_post(&post, w->start, NULL), BP_OK);
  assert_true(head(post, F, NULL));
  assert_false(head(post, R, NULL));
  assert_false(head(post, F, "g"));
  bp_configurations_unref(post);
}

static void test_pre(void **state)
{
  world *w = *state;
  bp_configurations *goal, *pre, *both;
  const uint32_t rest[] = {R}, wrong[] = {R, M};
  const bp_configuration one = {0, 1, ones, rest, NULL};
  assert_int_equal(bp_configurations_new(&goal, w->ctx, w->m, w->p), BP_OK);
  assert_int_equal(bp_configurations_add(goal, &one), BP_OK);
  assert_int_equal(bp_pushdown_pre(&pre, goal, NULL), BP_OK);
  assert_true(has(pre, 0, 1, just_m, ones));
  assert_true(has(pre, 1, 1, just_m, ones));
  assert_false(has(pre, 0, 1, just_m, zero));
  assert_true(has(pre, 1, 1, rest, NULL));
  assert_false(has(pre, 0, 1, rest, NULL));
  assert_false(has(pre, 1, 2, wrong, zero));
  assert_int_equal(bp_pushdown_post(&both, pre, NULL), BP_OK);
  assert_true(has(both, 0, 1, rest, NULL));
  bp_configurations_unref(both);
  bp_configurations_unref(pre);
  bp_configurations_unref(goal);
}

/* The rest of a stack, as a loop; what a run carries. */
static void test_regular(void **state)
{
  world *w = *state;
  int empty = 0;
  const uint32_t rest[] = {R}, three[] = {F, F, R}, two[] = {F, F};
  const uint8_t mixed[] = {0, 1};
  assert_int_equal(bp_configurations_is_empty(&empty, w->start), BP_OK);
  assert_true(empty);
  const uint32_t s = bp_configurations_state(w->start, "s");
  assert_int_equal(s, 1);
  assert_int_equal(bp_configurations_transition(w->start, 0, F, s, "y = g"), BP_OK);
  assert_int_equal(bp_configurations_transition(w->start, s, F, s, "(y != g) & ('g = y)"), BP_OK);
  assert_int_equal(bp_configurations_is_empty(&empty, w->start), BP_OK);
  assert_true(empty);
  assert_int_equal(bp_configurations_accept(w->start, s, "!g"), BP_OK);
  assert_int_equal(bp_configurations_is_empty(&empty, w->start), BP_OK);
  assert_false(empty);
  assert_false(has(w->start, 1, 1, rest, NULL));
  assert_false(has(w->start, 0, 2, two, mixed));
  assert_true(has(w->start, 1, 2, two, (const uint8_t[]){1, 0}));
  assert_false(has(w->start, 1, 2, two, ones));
  assert_false(has(w->start, 0, 3, three, mixed));
}

typedef struct listing {
  char text[512];
  uint32_t left;
} listing;

static int list(const bp_configuration *one, void *user)
{
  listing *l = user;
  char *at = l->text + strlen(l->text);
  const uint8_t *locals = one->locals;
  at += sprintf(at, "%d", one->globals[0]);
  for (uint32_t i = 0; i < one->height; i++)
    at += sprintf(at, one->symbols[i] == R ? " r" : " %c%d", "mf"[one->symbols[i]],
                  one -> symbols[i] == R ? 0 : *locals++);
  sprintf(at, ";");
  return l->left && --l->left == 0;
}

static void test_members(void **state)
{
  world *w = *state;
  bp_configurations *post;
  listing l = {{0}, 0}, two = {{0}, 2};
  begin(w, ones);
  begin(w, ones);
  assert_int_equal(bp_pushdown_post(&post, w->start, NULL), BP_OK);
  assert_int_equal(bp_configurations_each(post, 3, list, &l), BP_OK);
  assert_string_equal(l.text, "0 m1;0 f1 f1 r;0 f1 r;0 r;1 f1 f1 r;1 f1 r;1 r;");
  assert_int_equal(bp_configurations_each(post, 3, list, &two), BP_E_USER);
  assert_string_equal(two.text, "0 m1;0 f1 f1 r;");
  bp_configurations_unref(post);
}

static void test_writing(void **state)
{
  world *w = *state;
  page out;
  bp_configurations *post;
  begin(w, ones);
  assert_int_equal(bp_pushdown_post(&post, w->start, NULL), BP_OK);
  page_begin(&out);
  assert_int_equal(bp_configurations_write(w->start, &out.sink, NULL, NULL), BP_OK);
  assert_string_equal(out.text, "accept s1\np -- m -> s1 when !g & x\n");
  page_begin(&out);
  assert_int_equal(bp_configurations_write(post, &out.sink, NULL, NULL), BP_OK);
  assert_non_null(strstr(out.text, "<p, f> -- r -> s1 when "));
  assert_non_null(strstr(out.text, "p -- f -> <p, f> when "));
  assert_non_null(strstr(out.text, "'y@"));
  page_begin(&out);
  assert_int_equal(bp_configurations_write_dot(post, &out.sink, NULL, NULL), BP_OK);
  assert_non_null(strstr(out.text, "s1 [label=\"s1\", peripheries=2];"));
  out.used = sizeof out.text - 4;
  assert_int_equal(bp_configurations_write_dot(post, &out.sink, NULL, NULL), BP_E_IO);
  assert_int_equal(bp_configurations_write(post, NULL, NULL, NULL), BP_E_INVALID);
  bp_configurations_unref(post);
}

static const char system_text[] = "pushdown\n"
                                  "control p\n"
                                  "global g\n"
                                  "symbol m x\n"
                                  "symbol f y\n"
                                  "symbol r\n"
                                  "rule p m -> p f r when ('y = x)\n"
                                  "rule p f -> p f f when (('y = y) & ('y$ = y))\n"
                                  "rule p f -> p when (y & ('g = !g))\n"
                                  "rule p r -> p r\n";

static void test_text(void **state)
{
  const world *w = *state;
  page out;
  bp_pushdown *p;
  page_begin(&out);
  assert_int_equal(bp_pushdown_write(w->p, &out.sink), BP_OK);
  assert_string_equal(out.text, system_text);
  static const char odd[] =
      "# a system\r\n pushdown \n\ncontrol \"a b\" c # two\nglobal g\nglobal h\n"
      "symbol \"when\" {x y}\nsymbol \"-\\\">\"\n"
      "rule \"a b\" \"when\" -> c \"-\\\">\" when schoose [g, 0] ^ (h ? * : 'g)\nstart \"when\" "
      "when g";
  assert_int_equal(bp_pushdown_read(&p, w->ctx, odd, sizeof odd - 1, "odd"), BP_OK);
  assert_string_equal(bp_pushdown_control_name(p, 0), "a b");
  assert_string_equal(bp_pushdown_symbol_name(p, 1), "-\">");
  page_begin(&out);
  assert_int_equal(bp_pushdown_write(p, &out.sink), BP_OK);
  assert_non_null(strstr(out.text,
                         "\nrule \"a b\" \"when\" -> c \"-\\\">\" when (schoose [g, 0] ^ (h ? "
                         "* : 'g))\nstart \"when\" when g\n"));
  char copy[sizeof out.text];
  strcpy(copy, out.text);
  bp_pushdown_unref(p);
  assert_int_equal(bp_pushdown_read(&p, w->ctx, copy, strlen(copy), "copy"), BP_OK);
  page_begin(&out);
  assert_int_equal(bp_pushdown_write(p, &out.sink), BP_OK);
  assert_string_equal(out.text, copy);
  bp_pushdown_unref(p);
}

/* A text and the place and words of its error. */
static void test_text_errors(void **state)
{
  const world *w = *state;
  static const char *const bad[][2] = {
      {"", "1:1: error: expected a line that is 'pushdown'"},
      {"control p", "1:1: error: expected a line"},
      {"pushdown\ncontrol p p", "2:11: error: that name is there"},
      {"pushdown\ncontrol \"p", "2:9: error: a '\"' has no end"},
      {"pushdown\nfoo", "2:1: error: expected control, global"},
      {"pushdown\ncontrol p\nsymbol s\nrule p s", "4:9: error: expected '->'"},
      {"pushdown\ncontrol p\nsymbol s\nrule p s -> q", "4:13: error: there is no such control"},
      {"pushdown\ncontrol p\nsymbol s\nrule p s -> p t", "4:15: error: there is no such symbol"},
      {"pushdown\ncontrol p\nsymbol s\nrule p s -> p s s s", "4:19: error: expected 'when'"},
      {"pushdown\ncontrol p\nsymbol s\nrule p s -> p when x", "'x' is not declared there"},
      {"pushdown\ncontrol p\nsymbol s\nrule p s -> p when (", "expected an expression"},
      {"pushdown\ncontrol p\nsymbol s\nrule p s -> p\nglobal g", "5:8: error: variables are"},
      {"pushdown\nstart s", "2:1: error: expected a control location before"},
      {"pushdown\ncontrol p\nsymbol s\nstart s\nstart s", "5:1: error: there is a start already"},
      {"pushdown\ncontrol p\nglobal g\nsymbol s\nrule p s -> p when g & 'g & 'h",
       "5:29: error: after the step, 'h' is not declared there\n"
       "rule p s -> p when g & 'g & 'h\n"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    bp_pushdown *p;
    page out;
    page_begin(&out);
    assert_int_equal(bp_pushdown_read(&p, w->ctx, bad[i][0], strlen(bad[i][0]), NULL), BP_E_INPUT);
    assert_null(p);
    assert_int_equal(bp_context_write_diagnostics(w->ctx, &out.sink), BP_OK);
    if (!strstr(out.text, bad[i][1])) fail_msg("%s\n---\n%s", bad[i][1], out.text);
  }
}

static void test_refused(void **state)
{
  const world *w = *state;
  bp_pushdown_builder *b;
  bp_pushdown *p;
  assert_int_equal(bp_pushdown_builder_new(&b, w->ctx), BP_OK);
  const uint32_t c = bp_pushdown_builder_control(b, "c"), s = bp_pushdown_builder_symbol(b, "s");
  assert_int_equal(bp_pushdown_builder_global(b, "g"), 0);
  assert_int_equal(bp_pushdown_builder_rule(b, c, s, c, s, BP_NONE, "g & 'h"), BP_E_INPUT);
  assert_non_null(strstr(bp_context_message(w->ctx), "h"));
  assert_int_equal(bp_pushdown_builder_rule(b, c, s, c, s, BP_NONE, "g"), BP_E_STATE);
  assert_int_equal(bp_pushdown_builder_finish(b, &p), BP_E_STATE);
  assert_null(p);
  assert_non_null(strstr(bp_context_message(w->ctx), "the builder has failed before: "));
  assert_non_null(strstr(bp_context_message(w->ctx), "'h' is not declared there"));
  bp_pushdown_builder_free(b);
  assert_int_equal(bp_pushdown_builder_new(&b, w->ctx), BP_OK);
  assert_int_equal(bp_pushdown_builder_control(b, "c"), 0);
  assert_int_equal(bp_pushdown_builder_control(b, "c"), BP_NONE);
  assert_int_equal(bp_pushdown_builder_global(b, "x$"), BP_NONE);
  assert_int_equal(bp_pushdown_builder_symbol(b, ""), BP_NONE);
  assert_int_equal(bp_pushdown_builder_local(b, 9, "x"), BP_NONE);
  bp_pushdown_builder_free(b);
  assert_int_equal(bp_configurations_transition(w->start, 0, M, 5, NULL), BP_E_INVALID);
  assert_int_equal(bp_configurations_transition(w->start, 0, M, 0, "y"), BP_E_INPUT);
  assert_int_equal(bp_configurations_accept(w->start, 0, "'g"), BP_E_INPUT);
  assert_int_equal(bp_configurations_add_start(w->start), BP_E_INVALID);
}

static void test_limits(void **state)
{
  world *w = *state;
  bp_configurations *post;
  const bp_limits steps = {.size = sizeof steps, .steps = 3}, bad = {.size = 1};
  begin(w, ones);
  assert_int_equal(bp_pushdown_post(&post, w->start, &steps), BP_E_LIMIT);
  assert_null(post);
  assert_int_equal(bp_pushdown_pre(&post, w->start, &steps), BP_E_LIMIT);
  assert_int_equal(bp_pushdown_post(&post, w->start, &bad), BP_E_INVALID);
  bp_context_cancel(w->ctx);
  assert_int_equal(bp_pushdown_post(&post, w->start, NULL), BP_E_LIMIT);
  assert_non_null(strstr(bp_context_message(w->ctx), "cancelled"));
  assert_int_equal(bp_pushdown_post(&post, w->start, NULL), BP_OK);
  assert_true(head(post, R, "g"));
  bp_configurations_unref(post);
}

/* Whatever runs out, there is no answer or the right one. */
static void test_running_out(void **state)
{
  world *w = *state;
  bp_configurations *post, *pre;
  uint32_t done = 0;
  begin(w, ones);
  for (uint64_t i = 1; i < 400; i++) {
    const bp_limits limits = {
        .size = sizeof limits, .steps = i % 2 ? i : 0, .nodes = i % 2 ? 0 : i};
    const bp_status status = bp_pushdown_post(&post, w->start, &limits);
    assert_true(status == BP_OK ? !!post : status == BP_E_LIMIT && !post);
    if (status != BP_OK) continue;
    done++;
    assert_true(head(post, R, "g") && head(post, R, "!g") && !head(post, F, "!y"));
    const bp_status back = bp_pushdown_pre(&pre, post, &limits);
    assert_true(back == BP_OK ? !!pre : back == BP_E_LIMIT && !pre);
    if (back == BP_OK)
      assert_true(has(pre, 0, 1, just_m, ones) && has(pre, 0, 1, (uint32_t[]){F}, ones) == 0);
    bp_configurations_unref(post);
    bp_configurations_unref(pre);
  }
  assert_true(done > 100);
}

static void test_variables(void **state)
{
  const world *w = *state;
  bp_manager *small;
  bp_configurations *set;
  const bp_manager_options options = {.size = sizeof options, .max_vars = 6};
  const bp_configuration one = {0, 1, zero, just_m, ones};
  assert_int_equal(bp_manager_new(&small, w->ctx, &options), BP_OK);
  assert_int_equal(bp_configurations_new(&set, w->ctx, small, w->p), BP_OK);
  assert_int_equal(bp_configurations_add(set, &one), BP_E_LIMIT);
  bp_configurations_unref(set);
  bp_manager_unref(small);
}

static void test_program(void **state)
{
  const world *w = *state;
  static const char text[] = "decl g := 0; bool f(x) begin L: g := x; return !x; end\n"
                             "void main() begin decl l; l := f(g); if (l) then R: skip; else E: "
                             "skip; fi end";
  bp_program *program;
  bp_cfg *cfg;
  bp_pushdown *p;
  bp_configurations *start, *post;
  assert_int_equal(bp_program_parse(&program, w->ctx, text, sizeof text - 1, NULL, NULL), BP_OK);
  assert_int_equal(bp_cfg_new(&cfg, w->ctx, program), BP_OK);
  assert_int_equal(bp_pushdown_from_cfg(&p, w->ctx, cfg), BP_OK);
  assert_string_equal(bp_pushdown_global_name(p, 1), "{return 0}");
  const uint32_t back = bp_pushdown_find_symbol(p, "main.0.back");
  assert_int_not_equal(back, BP_NONE);
  assert_int_equal(bp_configurations_new(&start, w->ctx, w->m, p), BP_OK);
  assert_int_equal(bp_configurations_add_start(start), BP_OK);
  assert_int_equal(bp_pushdown_post(&post, start, NULL), BP_OK);
  const uint32_t r = bp_pushdown_find_symbol(p, "main.2"), e = bp_pushdown_find_symbol(p, "main.3");
  assert_true(head(post, r, "l & !g"));
  assert_false(head(post, e, NULL));
  const uint32_t inside[] = {bp_pushdown_find_symbol(p, "f.1"), back};
  const uint8_t globals[] = {0, 0}; /* g, {return 0} */
  const bp_configuration one = {0, 2, globals, inside, NULL};
  int found = 0;
  assert_int_equal(bp_configurations_contains(&found, post, &one), BP_OK);
  assert_true(found);
  bp_configurations_unref(post);
  bp_configurations_unref(start);
  bp_pushdown_unref(p);
  bp_cfg_unref(cfg);
  bp_program_unref(program);
}

typedef struct report {
  uint64_t steps;
  uint32_t calls;
  bp_progress_answer answer;
} report;

static bp_progress_answer note(uint64_t steps, uint64_t live, void *user)
{
  report *r = user;
  (void)live;
  r->steps = steps;
  r->calls++;
  return r->answer;
}

static void test_progress(void **state)
{
  world *w = *state;
  report seen = {.answer = BP_CONTINUE};
  bp_configurations *post, *more;
  begin(w, ones);
  bp_configurations_set_progress(w->start, note, &seen);
  assert_int_equal(bp_configurations_steps(w->start), 0);
  assert_int_equal(bp_pushdown_post(&post, w->start, NULL), BP_OK);
  assert_true(seen.calls > 0 && seen.steps > 0);
  assert_true(bp_configurations_steps(post) >= seen.steps);
  assert_true(bp_configurations_transition_count(post) >
              bp_configurations_transition_count(w->start));
  /* The callback goes along, and what it stops leaves everything as it was. */
  seen = (report){.answer = BP_STOP};
  assert_int_equal(bp_pushdown_pre(&more, post, NULL), BP_E_LIMIT);
  assert_string_equal(bp_context_message(w->ctx), "stopped: cancelled");
  assert_null(more);
  assert_int_equal(seen.calls, 1);
  bp_configurations_set_progress(post, NULL, NULL);
  assert_int_equal(bp_pushdown_pre(&more, post, NULL), BP_OK);
  assert_true(bp_configurations_steps(more) > bp_configurations_steps(post));
  bp_configurations_set_progress(NULL, note, &seen);
  assert_int_equal(bp_configurations_steps(NULL), 0);
  assert_int_equal(bp_configurations_transition_count(NULL), 0);
  bp_configurations_unref(more);
  bp_configurations_unref(post);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(test_getters),     TEST(test_post),        TEST(test_post_stuck), TEST(test_pre),
      TEST(test_regular),     TEST(test_members),     TEST(test_writing),    TEST(test_refused),
      TEST(test_text),        TEST(test_text_errors), TEST(test_limits),     TEST(test_variables),
      TEST(test_running_out), TEST(test_program),     TEST(test_progress),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
