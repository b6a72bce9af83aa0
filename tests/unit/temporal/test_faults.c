/* SPDX-License-Identifier: MIT
 * Each allocation fails once, and each and all after it: BP_E_NOMEM or the right answer. */
#include "failing_malloc.h"
#include "texts.h"

#include <stdio.h>

enum { ALL_AFTER = 1000000000 };

static int swallow(void *user, const char *bytes, size_t len)
{
  page *p = user;
  if (p->used + len >= sizeof p->text) return 1;
  memcpy(p->text + p->used, bytes, len);
  p->used += len;
  p->text[p->used] = '\0';
  return 0;
}

typedef struct life {
  bp_context *ctx;
  bp_formula *f, *g, *h, *crowd;
  bp_formula_builder *b;
  bp_automaton *a, *one, *both, *again, *reduced, *parts, *parts_one;
  page page;
  int writing; /* which has no context for a message */
} life;

static bp_status build(life *l)
{
  bp_status status = bp_formula_builder_new(&l->b, l->ctx);
  if (status != BP_OK) return status;
  const uint32_t x = bp_formula_builder_atom(l->b, BP_ATOM_NAME, NULL, "x");
  const uint32_t y = bp_formula_builder_atom(l->b, BP_ATOM_QUOTED, NULL, "y = z");
  const uint32_t pair[2] = {x, y};
  const uint32_t top = bp_formula_builder_node(l->b, BP_FORMULA_UNTIL, pair, 2);
  status = bp_formula_builder_finish(l->b, top, &l->h);
  /* A call that failed for memory says so later too. */
  return status == BP_E_STATE || (status == BP_E_INVALID && malloc_failures()) ? BP_E_NOMEM
                                                                               : status;
}

static bp_status automata(life *l)
{
  const bp_automaton_options options = {.size = sizeof options, .degeneralize = 1};
  bp_status status = bp_automaton_from_formula(&l->a, l->ctx, l->f, NULL);
  if (status == BP_OK) status = bp_automaton_from_formula(&l->one, l->ctx, l->g, &options);
  if (status == BP_OK) status = bp_automaton_intersect(&l->both, l->ctx, l->a, l->one);
  if (status == BP_OK && !bp_automaton_is_empty(l->both)) return BP_E_INTERNAL;
  if (status == BP_OK) status = bp_automaton_write_hoa(l->a, &l->page.sink);
  if (status == BP_OK)
    status = bp_automaton_read_hoa(&l->again, l->ctx, l->page.text, l->page.used, "again");
  if (status == BP_OK) status = bp_automaton_reduce(&l->reduced, l->ctx, l->again);
  if (status == BP_OK && bp_automaton_state_count(l->again) != bp_automaton_state_count(l->a))
    return BP_E_INTERNAL;
  return status;
}

/* A formula that is taken apart: conditions, a choice of many, and what F is before. */
static bp_status parts(life *l)
{
  static const char text[] = "G F a && G F b && G F c && G F d && G F e && G F !a && "
                             "(F G !b || F G !c || F G !d || F G !e || F G a || G !b || e || d)";
  const bp_automaton_options options = {.size = sizeof options, .degeneralize = 1};
  bp_status status = bp_formula_parse(&l->crowd, l->ctx, text, sizeof text - 1, "parts");
  if (status == BP_OK) status = bp_automaton_from_formula(&l->parts, l->ctx, l->crowd, NULL);
  if (status == BP_OK)
    status = bp_automaton_from_formula(&l->parts_one, l->ctx, l->crowd, &options);
  return status;
}

static bp_status whole_life(life *l)
{
  static const char text[] = "G (a -> F \"b = c\") && (p.x U ({y} R !in(q)) <-> X F G a)";
  *l = (life){0};
  l->page.sink = (bp_sink){.size = sizeof l->page.sink, .write = swallow, .user = &l->page};
  bp_status status = bp_context_new(&l->ctx);
  if (status == BP_OK) status = bp_formula_parse(&l->f, l->ctx, text, sizeof text - 1, "f");
  if (status == BP_OK) status = bp_formula_negate(&l->g, l->ctx, l->f);
  l->writing = status == BP_OK;
  if (status == BP_OK) status = bp_formula_write(l->g, &l->page.sink);
  l->writing = l->writing && status != BP_OK;
  l->page.used = 0;
  if (status == BP_OK) status = build(l);
  if (status == BP_OK) status = automata(l);
  if (status == BP_OK) status = parts(l);
  return status;
}

static void close_life(life *l)
{
  bp_automaton_unref(l->a);
  bp_automaton_unref(l->one);
  bp_automaton_unref(l->both);
  bp_automaton_unref(l->again);
  bp_automaton_unref(l->reduced);
  bp_automaton_unref(l->parts);
  bp_automaton_unref(l->parts_one);
  bp_formula_unref(l->crowd);
  bp_formula_unref(l->f);
  bp_formula_unref(l->g);
  bp_formula_unref(l->h);
  bp_formula_builder_free(l->b);
  bp_context_unref(l->ctx);
}

static void sweep(int all)
{
  life l;
  long k = 1, refused = 0;
  for (;; k += k < 400 ? 1 : 7) {
    malloc_fail_at(k, all ? ALL_AFTER : 0);
    const bp_status status = whole_life(&l);
    const long failed = malloc_failures();
    malloc_fail_at(0, 0);
    if (status != BP_OK && (status != BP_E_NOMEM || !failed))
      fail_msg("case %ld: %s: %s", k, bp_status_name(status), bp_context_message(l.ctx));
    if (l.ctx && status == BP_E_NOMEM && !l.writing) assert_true(bp_context_message(l.ctx)[0]);
    refused += status == BP_E_NOMEM;
    close_life(&l);
    if (!failed) break;
  }
  printf("%ld cases, %ld refused\n", k, refused);
  assert_true(refused > 50);
}

static void test_one_fails(void **state)
{
  (void)state;
  sweep(0);
}

static void test_all_fail(void **state)
{
  (void)state;
  sweep(1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_fails),
      cmocka_unit_test(test_all_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
