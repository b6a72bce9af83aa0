/* SPDX-License-Identifier: MIT
 * Aims: what accepting cycles cannot depend on is not explored, and its variables have no place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "made.h"

#include "product/aims.h"
#include "product/heads.h"

static const char loops[] =
    "decl p, x; void main() begin while (*) do p := x; od if (x) then L: skip; fi end";
static const char calls[] = "decl x, y, z; bool up(a) begin decl r; if (x & a) then r := up(z); fi "
                            "return r; end\n"
                            "void main() begin decl r; r := up(1); if (y) then y := r; fi end";
static const char inside[] =
    "decl g, h; void step() begin S: g := h; end\n"
    "void main() begin again: step(); goto again; if (h) then step(); fi end";

static const struct row {
  const char *program, *formula; /* of bad executions */
  const char *matter;            /* globals, a letter each; NULL: there are no aims */
} rows[] = {
    {loops, "G !terminated", ""},
    {loops, "F L", "x"},
    {loops, "G F p", "px"},
    {loops, "G F L", NULL},
    {loops, "F (L && F G !terminated)", NULL}, /* only with states of the automaton told apart */
    {loops, "F failed", NULL},
    {calls, "G !terminated", "xz"},
    {calls, "F terminated", "xyz"},
    {inside, "G F S", ""},
    {inside, "G F (S && g)", "gh"},
    {inside, "F G !S", NULL},
};

static void check(const struct row *row)
{
  made x;
  bpi_aims aims = {0};
  bpi_engine *e;
  made_make(&x, row->program, row->formula);
  assert_int_equal(bpi_aims_find(&aims, &x.product, &x.a, &x.props, &x.watch), BP_OK);
  if (!aims.count != !row->matter) fail_msg("%u aims: %s", aims.count, row->formula);
  for (uint32_t i = 0; i < aims.count; i++)
    assert_true(x.product.role[aims.at[i]] == BPI_ROLE_AUTOMATON ||
                x.product.role[aims.at[i]] == BPI_ROLE_ENDED ||
                x.product.role[aims.at[i]] == BPI_ROLE_FAILED);
  const bpi_engine_options options = {
      .kept = x.product.seen, .aims = aims.at, .aim_count = aims.count, .enters_all = true};
  assert_int_equal(bpi_engine_new(&e, x.m, x.product.cfg, &options), BP_OK);
  for (uint32_t g = 0; g < x.program->globals.count; g++) {
    const uint32_t var = x.program->globals.at[g];
    const char name = x.program->names.at[x.program->vars.at[var].name];
    const bool expected = row->matter && strchr(row->matter, name);
    if (e->a.var_matters[g] != expected) fail_msg("%c: %s", name, row->formula);
  }
  for (uint32_t v = 0; !row->matter && v < x.product.cfg->vertices.count; v++)
    assert_int_equal(e->a.explore[v], 0);
  bpi_engine_unref(e);
  bpi_vec_free(&aims);
  made_drop(&x);
}

static void test_rows(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++)
    check(&rows[i]);
}

static void test_stopped(void **state)
{
  made x;
  bpi_aims aims = {0};
  atomic_int cancel = 1;
  (void)state;
  made_make(&x, loops, "G F p");
  x.watch = (bpi_watch){.cancel = &cancel};
  assert_int_equal(bpi_aims_find(&aims, &x.product, &x.a, &x.props, &x.watch), BP_E_LIMIT);
  assert_true(x.watch.cancelled);
  assert_int_equal(aims.count, 0);
  made_drop(&x);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_stopped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
