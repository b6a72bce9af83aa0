/* SPDX-License-Identifier: MIT
 * The names of a draft: each has one symbol, whatever it shares with others. */
#include "program/draft.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static bp_context *ctx;
static bpi_draft d;

static int setup(void **state)
{
  (void)state;
  return bp_context_new(&ctx) != BP_OK || bpi_draft_init(&d, ctx, "file", NULL) != BP_OK;
}

static int teardown(void **state)
{
  (void)state;
  bpi_draft_free(&d);
  bp_context_unref(ctx);
  return 0;
}

static void add(const char *text, size_t len)
{
  const uint32_t before = d.symbols.count;
  assert_int_equal(bpi_draft_find(&d, text, len), BP_NONE);
  assert_int_equal(bpi_draft_symbol(&d, text, len), before);
  assert_int_equal(d.symbols.count, before + 1);
}

static void check(const char *text, size_t len, uint32_t symbol)
{
  assert_int_equal(bpi_draft_find(&d, text, len), symbol);
  assert_int_equal(bpi_draft_symbol(&d, text, len), symbol);
  assert_int_equal(d.symbols.at[symbol].len, len);
  assert_memory_equal(bpi_draft_text(&d, symbol), text, len);
  assert_int_equal(bpi_draft_text(&d, symbol)[len], 0);
}

/* The n-th word of `len` letters a and b. */
static void spell(char *to, uint32_t n, size_t len)
{
  for (size_t i = 0; i < len; i++)
    to[i] = n >> i & 1 ? 'b' : 'a';
}

/* All words of 1 to 12 letters. They end where the next text begins: no byte behind them counts. */
static void test_words(void **state)
{
  char word[13] = "";
  (void)state;
  const uint32_t first = d.symbols.count;
  for (int round = 0; round < 2; round++) {
    uint32_t symbol = first;
    for (size_t len = 1; len <= 12; len++)
      for (uint32_t n = 0; n < (uint32_t)1 << len; n++) {
        spell(word, n, len);
        memset(word + len, round ? 'a' : 'b', sizeof word - len);
        if (round == 0)
          add(word, len);
        else
          check(word, len, symbol++);
      }
  }
}

/* Long words that differ in one place. */
static void test_places(void **state)
{
  char word[64];
  (void)state;
  const uint32_t first = d.symbols.count;
  for (int round = 0; round < 2; round++) {
    uint32_t symbol = first;
    for (size_t len = 7; len < sizeof word; len++)
      for (size_t at = 0; at < len; at++) {
        memset(word, '_', sizeof word);
        word[at] = 'x';
        if (round == 0)
          add(word, len);
        else
          check(word, len, symbol++);
      }
  }
}

static void test_bytes(void **state)
{
  (void)state;
  assert_int_equal(bpi_draft_symbol(&d, "", 0), 0);
  assert_int_equal(bpi_draft_find(&d, "", 0), 0);
  for (unsigned c = 0; c < 256; c++) {
    const char byte = (char)c, pair[2] = {'x', (char)c};
    add(&byte, 1);
    add(pair, 2);
  }
  add("\0\0", 2 + 1);
}

/* What symbols.c makes of the first eight bytes of a name with sixteen. */
static uint64_t mixed(uint64_t word)
{
  word *= 0x9e3779b97f4a7c15u;
  return word ^ word >> 32;
}

/* Names of sixteen bytes made so that the table knows both by one word. */
static void test_collisions(void **state)
{
  (void)state;
  for (uint64_t n = 1; n < 100; n++) {
    const uint64_t one[2] = {n, n * n}, other[2] = {~n, n * n ^ mixed(n) ^ mixed(~n)};
    const uint32_t first = d.symbols.count;
    add((const char *)one, sizeof one);
    add((const char *)other, sizeof other);
    check((const char *)one, sizeof one, first);
    check((const char *)other, sizeof other, first + 1);
  }
}

/* The most slots taken one behind the other. */
static uint32_t longest_run(void)
{
  uint32_t longest = 0, run = 0;
  for (uint32_t i = 0; i <= d.slot_mask; i++) {
    run = d.slots[i].symbol ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/* Names that differ in few bytes, those at the places marked by `?`, do not crowd together. */
static void test_spread(void **state)
{
  static const char *const patterns[] = {"ab??",      "??ab",       "a??b",     "abc??",
                                         "abcd??",    "ab??ab??",   "abcd??cd", "??cdabcd",
                                         "v_??_next", "v??????",    "level_??", "level_a??",
                                         "??_level",  "x????x????", "??aaaaaa"};
  (void)state;
  for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
    bpi_draft_free(&d);
    assert_int_equal(bpi_draft_init(&d, ctx, "", NULL), BP_OK);
    const size_t len = strlen(patterns[p]);
    for (uint32_t n = 0; n < 4096; n++) {
      char name[16];
      uint32_t place = 0;
      for (size_t i = 0; i < len; i++)
        name[i] =
            patterns[p][i] == '?' ? (char)('0' + (n >> (place++ % 2 * 6) & 63)) : patterns[p][i];
      add(name, len);
    }
    const uint32_t run = longest_run();
    if (run > 200) fail_msg("%s: %u slots one behind the other", patterns[p], run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_words, setup, teardown),
      cmocka_unit_test_setup_teardown(test_places, setup, teardown),
      cmocka_unit_test_setup_teardown(test_bytes, setup, teardown),
      cmocka_unit_test_setup_teardown(test_collisions, setup, teardown),
      cmocka_unit_test_setup_teardown(test_spread, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
