/* SPDX-License-Identifier: MIT
 * The JSON writer: structure, strings with any bytes, numbers without a locale. */
#include "base/json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

typedef struct page {
  char text[4096];
  size_t used;
  bpi_out out;
  bp_sink sink;
  bpi_json json;
} page;

static int collect(void *user, const char *bytes, size_t len)
{
  page *p = user;
  if (p->used + len >= sizeof p->text) return 1;
  memcpy(p->text + p->used, bytes, len);
  p->used += len;
  p->text[p->used] = '\0';
  return 0;
}

static void begin(page *p)
{
  p->used = 0;
  p->text[0] = '\0';
  p->sink = (bp_sink){.size = sizeof p->sink, .write = collect, .user = p};
  bpi_out_init(&p->out, &p->sink);
  bpi_json_init(&p->json, &p->out);
}

static void assert_page(page *p, const char *expected)
{
  assert_int_equal(bpi_out_flush(&p->out), BP_OK);
  assert_string_equal(p->text, expected);
}

static void assert_string_as(const char *text, const char *expected)
{
  page p;
  begin(&p);
  bpi_json_string(&p.json, text);
  assert_page(&p, expected);
}

static void assert_double_as(double number, const char *expected)
{
  page p;
  begin(&p);
  bpi_json_double(&p.json, number);
  assert_page(&p, expected);
}

static void assert_u64_as(uint64_t number, const char *expected)
{
  page p;
  begin(&p);
  bpi_json_u64(&p.json, number);
  assert_page(&p, expected);
}

static void commas_stand_between_values(void **state)
{
  (void)state;
  page p;
  begin(&p);
  bpi_json_push(&p.json, '{');
  bpi_json_key(&p.json, "a");
  bpi_json_push(&p.json, '[');
  bpi_json_pop(&p.json, ']');
  bpi_json_key(&p.json, "b");
  bpi_json_push(&p.json, '[');
  bpi_json_push(&p.json, '{');
  bpi_json_pop(&p.json, '}');
  bpi_json_null(&p.json);
  bpi_json_bool(&p.json, true);
  bpi_json_u64(&p.json, 7);
  bpi_json_pop(&p.json, ']');
  bpi_json_key(&p.json, "c");
  bpi_json_bool(&p.json, false);
  bpi_json_pop(&p.json, '}');
  assert_page(&p, "{\"a\":[],\"b\":[{},null,true,7],\"c\":false}");
}

static void strings_are_escaped(void **state)
{
  (void)state;
  assert_string_as("", "\"\"");
  assert_string_as("{p==q}", "\"{p==q}\"");
  assert_string_as("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
  assert_string_as("\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"");
  assert_string_as("\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"");
}

static void utf8_passes(void **state)
{
  (void)state;
  assert_string_as("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
                   "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
  assert_string_as("\xf4\x8f\xbf\xbf", "\"\xf4\x8f\xbf\xbf\"");
}

static void other_bytes_are_replaced(void **state)
{
  (void)state;
#define FFFD "\xef\xbf\xbd"
  assert_string_as("a\xff"
                   "b",
                   "\"a" FFFD "b\"");
  assert_string_as("\xc3", "\"" FFFD "\"");          /* cut short */
  assert_string_as("\xc0\xaf", "\"" FFFD FFFD "\""); /* overlong */
  assert_string_as("\xe0\x80\x80", "\"" FFFD FFFD FFFD "\"");
  assert_string_as("\xed\xa0\x80", "\"" FFFD FFFD FFFD "\""); /* a surrogate */
  assert_string_as("\xf4\x90\x80\x80", "\"" FFFD FFFD FFFD FFFD "\"");
  assert_string_as("\xe2\x82x", "\"" FFFD FFFD "x\"");
#undef FFFD
}

static void large_integers_are_strings(void **state)
{
  (void)state;
  assert_u64_as(0, "0");
  assert_u64_as((uint64_t)1 << 53, "9007199254740992");
  assert_u64_as(((uint64_t)1 << 53) + 1, "\"9007199254740993\"");
  assert_u64_as(UINT64_MAX, "\"18446744073709551615\"");
}

static void doubles_are_decimal(void **state)
{
  (void)state;
  assert_double_as(0, "0");
  assert_double_as(1.5, "1.5");
  assert_double_as(-0.25, "-0.25");
  assert_double_as(0.000001, "0.000001");
  assert_double_as(12.000000001, "12.000000001");
  assert_double_as(0.9999999999, "1");
  assert_double_as(1e-30, "0");
  assert_double_as(1e20, "100000000000000000e3");
  assert_double_as(HUGE_VAL, "null");
  assert_double_as(-HUGE_VAL, "null");
  assert_double_as(HUGE_VAL - HUGE_VAL, "null");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(commas_stand_between_values),
      cmocka_unit_test(strings_are_escaped),
      cmocka_unit_test(utf8_passes),
      cmocka_unit_test(other_bytes_are_replaced),
      cmocka_unit_test(large_integers_are_strings),
      cmocka_unit_test(doubles_are_decimal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
