/* SPDX-License-Identifier: MIT
 * The scanner: however many tokens it reads at a time, they are the same. */
#include "text/lexer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { MOST_TOKENS = 4096, MOST_BATCH = 70 };

typedef struct tokens {
  bpi_token at[MOST_TOKENS];
  bpi_message errors[MOST_TOKENS]; /* of the bad ones */
  uint32_t count;
} tokens;

/* All tokens up to the end and once more the end, `batch` at a time. */
static void read_all(tokens *all, const char *text, size_t len, uint32_t batch)
{
  bpi_source source;
  bpi_lexer lexer;
  bpi_token read[MOST_BATCH];
  assert_true(bpi_source_init(&source, text, len));
  bpi_lexer_init(&lexer, &source, 0);
  all->count = 0;
  for (int ends = 0; ends < 2;) {
    const uint32_t count = bpi_lexer_read(&lexer, read, batch);
    assert_in_range(count, 1, batch);
    for (uint32_t i = 0; i < count; i++) {
      assert_true(all->count < MOST_TOKENS);
      all->errors[all->count] = read[i].kind == BPI_T_BAD ? lexer.error : 0;
      all->at[all->count++] = read[i];
      if (read[i].kind == BPI_T_BAD) assert_int_equal(count, 1);
      if (read[i].kind == BPI_T_END_OF_FILE) assert_int_equal(i, count - 1);
      ends += read[i].kind == BPI_T_END_OF_FILE;
    }
  }
  bpi_source_free(&source);
}

static void compare(const char *text, size_t len)
{
  static tokens one, many;
  read_all(&one, text, len, 1);
  for (uint32_t batch = 2; batch <= MOST_BATCH; batch++) {
    read_all(&many, text, len, batch);
    assert_int_equal(one.count, many.count);
    for (uint32_t i = 0; i < one.count; i++) {
      const bpi_token *x = &one.at[i], *y = &many.at[i];
      if (x->kind != y->kind || x->offset != y->offset || x->end != y->end || x->line != y->line ||
          x->line_at != y->line_at || one.errors[i] != many.errors[i])
        fail_msg("token %u, %u at a time: kind %u at %u, not %u at %u: %.40s", i, batch, y->kind,
                 y->offset, x->kind, x->offset, text);
    }
  }
}

static const char *const texts[] = {
    "",
    "\n",
    "x",
    "x\n",
    "a b\tc\f\v\r\n  d\n\n e",
    "decl g; void main() begin\n  g := !g & (a | b) ^ c = d != e => 'f;\nend\n",
    "a /* b */ c /* d\n e */ f\n /* g */",
    "a // b\nc // d",
    "a b c /* open",
    "a b c /* open\n over\n lines",
    "a /* x */ b /* open /*",
    "a b ` c `` d\n` e \x01\x02 f \xff\xfe\n",
    "`",
    "``\n`x`",
    "a {b} c {d e f} {} { x\n {y {z}} }",
    "elsif atomic_begin atomic_beginx thread_local true T F false 0 1 17 a-b a--b x$ $y _ a#b",
    "a-/* x */b",
};

static void test_batches(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    compare(texts[i], strlen(texts[i]));
  compare("a\0b /* \0 */ c", 14);
}

/* Where a bad token or the end of a line stands among those read together changes with the text. */
static void test_places(void **state)
{
  static const char *const tails[] = {"`", "/* open", "/* x */ `", "{", "\n`\n", "x"};
  char text[600];
  (void)state;
  for (size_t names = 0; names < 140; names += 3)
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
      size_t len = 0;
      for (size_t n = 0; n < names; n++)
        len += (size_t)snprintf(text + len, sizeof text - len, n % 7 ? "a " : "b\n");
      len += (size_t)snprintf(text + len, sizeof text - len, "%s", tails[i]);
      compare(text, len);
    }
}

static void test_random(void **state)
{
  static const char *const parts[] = {"a",  " ",  "  ", "\n",       ":=", ":",  "`",
                                      "/*", "*/", "//", "{",        "}",  "if", "elsif",
                                      "x1", "0",  ";",  "\xc3\xa4", "*",  "/",  "-"};
  char text[600];
  uint32_t seed = 1;
  (void)state;
  for (int round = 0; round < 300; round++) {
    size_t len = 0;
    while (len < 560 && seed % 97) {
      seed = seed * 1664525 + 1013904223;
      const char *part = parts[(seed >> 16) % (sizeof parts / sizeof *parts)];
      memcpy(text + len, part, strlen(part));
      len += strlen(part);
    }
    compare(text, len);
    seed = seed * 1664525 + 1013904223;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_batches), cmocka_unit_test(test_places),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
