/* SPDX-License-Identifier: MIT
 * Each allocation fails once, and each and all after it: BP_E_NOMEM or the right answer. */
#include "failing_malloc.h"
#include "systems.h"

#include <stdio.h>

enum { ALL_AFTER = 1000000000 };

typedef struct life {
  bp_context *ctx;
  bp_manager *m;
  bp_pushdown *p, *of_program, *read;
  bp_configurations *start, *post, *pre, *run, *runs, *some;
  bp_stacks *wanted, *stacks;
  page page;
  uint32_t members;
} life;

static int count(const bp_configuration *one, void *user)
{
  (void)one;
  ++*(uint32_t *)user;
  return 0;
}

static bp_status regular(life *l)
{
  bp_status status = bp_configurations_new(&l->start, l->ctx, l->m, l->p);
  if (status != BP_OK) return status;
  const uint32_t s = bp_configurations_state(l->start, "s");
  if (s == BP_NONE) return BP_E_NOMEM;
  status = bp_configurations_transition(l->start, 0, M, s, "x & !g");
  return status == BP_OK ? bp_configurations_accept(l->start, s, "!g") : status;
}

static bp_status saturate(life *l)
{
  int yes = 0;
  static const uint32_t stack[] = {F, F, R};
  static const uint8_t ones[] = {1, 1};
  const bp_configuration one = {0, 3, ones, stack, ones};
  bp_status status = bp_pushdown_post(&l->post, l->start, NULL);
  if (status == BP_OK) status = bp_configurations_transition(l->start, 0, M, 0, NULL);
  if (status == BP_OK) status = bp_configurations_add(l->start, &one);
  if (status == BP_OK) status = bp_configurations_transition(l->start, 0, R, 0, NULL);
  if (status == BP_OK) status = bp_pushdown_pre(&l->pre, l->post, NULL);
  if (status == BP_OK) status = bp_configurations_add(l->post, &one);
  if (status == BP_OK) status = bp_configurations_contains(&yes, l->post, &one);
  if (status == BP_OK && !yes) return BP_E_INTERNAL;
  if (status == BP_OK) status = bp_configurations_has_head(&yes, l->pre, 0, F, "y");
  if (status == BP_OK && !yes) return BP_E_INTERNAL;
  if (status == BP_OK) status = bp_configurations_is_empty(&yes, l->pre);
  if (status == BP_OK && yes) return BP_E_INTERNAL;
  l->members = 0;
  if (status == BP_OK) status = bp_configurations_each(l->post, 2, count, &l->members);
  if (status == BP_OK && l->members != 5) return BP_E_INTERNAL;
  if (status == BP_OK) status = bp_configurations_write(l->pre, &l->page.sink, NULL, NULL);
  return status;
}

static int count_heads(const bp_head *head, void *user)
{
  (void)head;
  ++*(uint32_t *)user;
  return 0;
}

static bp_status without_data(life *l)
{
  uint32_t heads = 0;
  bp_status status = bp_configurations_heads(l->post, 1, count_heads, &heads);
  if (status == BP_OK && heads != 3) return BP_E_INTERNAL;
  if (status == BP_OK) status = bp_stacks_new(&l->wanted, l->ctx, l->p);
  if (status != BP_OK) return status;
  const uint32_t rest = bp_stacks_state(l->wanted);
  if (rest == BP_NONE) return BP_E_NOMEM;
  status = bp_stacks_edge(l->wanted, 0, F, rest);
  if (status == BP_OK) status = bp_stacks_otherwise(l->wanted, rest, rest);
  if (status == BP_OK) status = bp_stacks_accept(l->wanted, rest);
  if (status == BP_OK)
    status = bp_configurations_restrict(&l->some, l->post, l->wanted, "y | !y", NULL);
  if (status == BP_OK) status = bp_configurations_stacks(&l->stacks, l->some, NULL);
  if (status == BP_OK && !bp_stacks_contains(l->stacks, 0, (const uint32_t[]){F, F, R}, 3))
    return BP_E_INTERNAL;
  if (status == BP_OK) status = bp_stacks_write(l->stacks, &l->page.sink, 0, NULL, NULL);
  if (status == BP_OK) status = bp_stacks_write(l->wanted, &l->page.sink, 0, NULL, NULL);
  return status == BP_OK ? bp_stacks_write_dot(l->stacks, &l->page.sink, NULL, NULL) : status;
}

static bp_status json(life *l)
{
  static const char text[] =
      "{\"x\": [[{}]], \"pda\": {\"states\": {\"p\": {\"a\": [{\"to\": \"q\", "
      "\"push\": \"b\", \"weight\": 7}], \"*\": {\"to\": \"p\", \"swap\": "
      "\"*\"}}}}}";
  static const char longer[] = "pushdown\ncontrol p\nsymbol a\nsymbol b\nrule p a -> p b b\n";
  static const char instance[] = "{\"instance\": [{}, {\"states\": {\"p\": {\"a\": {\"to\": \"p\", "
                                 "\"pop\": \"\"}}}}, {}, {}]}";
  bp_pushdown *p = NULL;
  page out;
  page_begin(&out);
  bp_status status = bp_pushdown_read_json(&p, l->ctx, instance, sizeof instance - 1, "i");
  bp_pushdown_unref(p);
  p = NULL;
  if (status == BP_OK) status = bp_pushdown_read_json(&p, l->ctx, text, sizeof text - 1, "t");
  if (status == BP_OK) status = bp_pushdown_write_json(p, l->ctx, &out.sink);
  bp_pushdown_unref(p);
  p = NULL;
  if (status == BP_OK) status = bp_pushdown_read(&p, l->ctx, longer, sizeof longer - 1, NULL);
  if (status == BP_OK) status = bp_pushdown_write_json(p, l->ctx, &out.sink);
  bp_pushdown_unref(p);
  return status;
}

static bp_status program(life *l)
{
  static const char text[] = "decl g := 0; bool f(x) begin decl y; enforce (!x); y, g := !x, * "
                             "constrain ('g | y); return y; end "
                             "void main() begin decl l; l := f(g); assert (l); end";
  bp_program *program = NULL;
  bp_cfg *cfg = NULL;
  bp_status status = bp_program_parse(&program, l->ctx, text, sizeof text - 1, NULL, NULL);
  if (status == BP_OK) status = bp_cfg_new(&cfg, l->ctx, program);
  if (status == BP_OK) status = bp_pushdown_from_cfg(&l->of_program, l->ctx, cfg);
  page out;
  page_begin(&out);
  if (status == BP_OK) status = bp_pushdown_write(l->of_program, &out.sink);
  if (status == BP_OK) status = bp_pushdown_read(&l->read, l->ctx, out.text, out.used, NULL);
  if (status == BP_OK) status = bp_configurations_new(&l->run, l->ctx, l->m, l->of_program);
  if (status == BP_OK) status = bp_configurations_add_start(l->run);
  if (status == BP_OK) status = bp_pushdown_post(&l->runs, l->run, NULL);
  bp_cfg_unref(cfg);
  bp_program_unref(program);
  return status;
}

static bp_status live(life *l)
{
  bp_status status = bp_context_new(&l->ctx);
  page_begin(&l->page);
  if (status == BP_OK) status = bp_manager_new(&l->m, l->ctx, NULL);
  if (status == BP_OK) status = make_system(&l->p, l->ctx);
  if (status == BP_OK) status = regular(l);
  if (status == BP_OK) status = saturate(l);
  if (status == BP_OK) status = without_data(l);
  if (status == BP_OK) status = json(l);
  if (status == BP_OK) status = program(l);
  return status;
}

static void die(life *l)
{
  bp_configurations *const sets[] = {l->start, l->post, l->pre, l->run, l->runs, l->some};
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    bp_configurations_unref(sets[i]);
  bp_stacks_unref(l->wanted);
  bp_stacks_unref(l->stacks);
  bp_pushdown_unref(l->p);
  bp_pushdown_unref(l->of_program);
  bp_pushdown_unref(l->read);
  bp_manager_unref(l->m);
  bp_context_unref(l->ctx);
}

static void each(int all)
{
  char expected[8192] = "";
  for (long k = 0;; k++) {
    life *l = calloc(1, sizeof *l);
    assert_non_null(l);
    malloc_fail_at(k, all ? ALL_AFTER : 0);
    const bp_status status = live(l);
    const long failed = malloc_failures();
    malloc_fail_at(0, 0);
    if (status != BP_OK && status != BP_E_NOMEM)
      fail_msg("allocation %ld: %s: %s", k, bp_status_name(status), bp_context_message(l->ctx));
    if (!failed) assert_int_equal(status, BP_OK);
    if (!k) strcpy(expected, l->page.text);
    if (status == BP_OK) assert_string_equal(l->page.text, expected);
    die(l);
    free(l);
    if (!k || failed) continue;
    print_message("%ld allocations\n", k);
    assert_true(k > 300);
    break;
  }
}

static void test_one(void **state)
{
  (void)state;
  each(0);
}

static void test_all_after(void **state)
{
  (void)state;
  each(1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one), cmocka_unit_test(test_all_after)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
