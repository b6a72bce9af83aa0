/* SPDX-License-Identifier: MIT */
#include "base/context.h"
#include "base/hash.h"
#include "base/sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <string.h>

static void test_vector(void **state)
{
  (void)state;
  BPI_VEC(uint32_t) v = {0};
  for (uint32_t i = 0; i < 1000; i++)
    assert_int_equal(bpi_vec_push(&v, i), 1);
  for (uint32_t i = 0; i < 1000; i++)
    assert_int_equal(v.at[i], i);
  assert_int_equal(bpi_vec_reserve(&v, UINT64_MAX / 2), 0);
  assert_int_equal(v.count, 1000);
  bpi_vec_free(&v);
  assert_null(v.at);
}

static void test_allocation(void **state)
{
  (void)state;
  assert_null(bpi_alloc(SIZE_MAX, 2));
  void *nothing = bpi_zalloc(0, 8);
  assert_non_null(nothing);
  bpi_release(nothing);
  char *copy = bpi_strndup("abc", 2);
  assert_string_equal(copy, "ab");
  bpi_release(copy);
}

static void test_hash(void **state)
{
  (void)state;
  assert_true(bpi_hash_bytes(BPI_HASH_START, "ab", 2) != bpi_hash_bytes(BPI_HASH_START, "ba", 2));
  assert_true(bpi_hash_u64(BPI_HASH_START, 1) != bpi_hash_u64(BPI_HASH_START, 2));
}

static void test_diagnostics(void **state)
{
  (void)state;
  bp_context *ctx;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  const char *text = "one\ntwo three\n";
  const bp_range range = {.offset = 8, .end = 13, .line = 2, .column = 5};
  bpi_diagnose(ctx, BP_WARNING, BPI_MSG_SHADOW, "f", &range, text, strlen(text), "hm %d", 1);
  assert_string_equal(bp_context_message(ctx), "");
  assert_int_equal(bpi_fail(ctx, BP_E_STATE, BPI_MSG_STATE, "no %s", "way"), BP_E_STATE);
  assert_string_equal(bp_context_message(ctx), "no way");
  assert_int_equal(bp_context_diagnostic_count(ctx), 2);
  assert_int_equal(bp_context_error_count(ctx), 1);
  assert_int_equal(bp_context_diagnostic_number(ctx, 0), BPI_MSG_SHADOW);
  assert_string_equal(bp_context_diagnostic_file(ctx, 0), "f");
  assert_null(bp_context_diagnostic_text(ctx, 2));
  bp_range got;
  bp_context_diagnostic_range(ctx, 0, &got);
  assert_int_equal(got.line, 2);
  bpi_context_begin(ctx);
  assert_int_equal(bp_context_diagnostic_count(ctx), 0);
  for (int i = 0; i < 1000; i++)
    bpi_diagnose(ctx, BP_ERROR, BPI_MSG_SYNTAX, NULL, NULL, NULL, 0, "x");
  assert_int_equal(bp_context_error_count(ctx), 1000);
  assert_true(bp_context_diagnostic_count(ctx) <= 100);
  bp_context_unref(ctx);
}

/* How often it may be asked until it stops the call; more than `most`: it did not. */
static int asked(bpi_watch *watch, int most)
{
  int times = 1;
  while (times <= most && !bpi_watch_expired(watch))
    times++;
  return times;
}

static void test_watch(void **state)
{
  (void)state;
  bp_context *ctx;
  assert_int_equal(bp_context_new(&ctx), BP_OK);
  bpi_watch watch = bpi_context_watch(ctx);
  assert_true(asked(&watch, 1000) > 1000);
  bp_context_cancel(ctx);
  assert_true(asked(&watch, 256) <= 256);
  assert_true(watch.cancelled);
  assert_true(asked(&watch, 1000) > 1000); /* the request is consumed */
  bp_context_cancel(ctx);
  watch = bpi_context_watch(ctx);
  assert_int_equal(asked(&watch, 1), 1);
  const bp_limits limits = {.size = sizeof limits, .wall_ms = 1};
  bp_context_set_limits(ctx, &limits);
  watch = bpi_context_watch(ctx);
  const uint64_t now = bpi_now_ns();
  while (bpi_now_ns() - now < 1000000)
    ;
  assert_int_equal(asked(&watch, 1), 1);
  const bp_limits endless = {.size = sizeof endless, .wall_ms = UINT64_MAX};
  bp_context_set_limits(ctx, &endless);
  watch = bpi_context_watch(ctx);
  assert_true(asked(&watch, 1000) > 1000);
  bp_context_unref(ctx);
}

static void test_deadline(void **state)
{
  (void)state;
  const uint64_t now = bpi_now_ns();
  assert_true(bpi_deadline_ns(0) == 0);
  assert_true(bpi_deadline_ns(1) >= now + 1000000);
  assert_true(bpi_deadline_ns(1000) < bpi_now_ns() + 1000000001);
  assert_true(bpi_deadline_ns(UINT64_MAX) == UINT64_MAX);
  assert_true(bpi_deadline_ns(UINT64_MAX / 1000000) == UINT64_MAX);
  assert_true(bpi_deadline_ns(UINT64_MAX / 1000000 + 2) == UINT64_MAX);
}

typedef struct letters {
  char at[64];
  size_t len;
} letters;

static int take(void *user, const char *bytes, size_t len)
{
  letters *l = user;
  if (l->len + len >= sizeof l->at) return 1;
  memcpy(l->at + l->len, bytes, len);
  l->len += len;
  l->at[l->len] = '\0';
  return 0;
}

static void test_output(void **state)
{
  (void)state;
  letters l = {{0}, 0};
  const bp_sink sink = {.size = sizeof sink, .write = take, .user = &l};
  bpi_out out;
  bpi_out_init(&out, &sink);
  bpi_out_u64(&out, UINT64_MAX);
  bpi_out_i64(&out, INT64_MIN);
  bpi_out_repeat(&out, '-', 3);
  assert_int_equal(bpi_out_flush(&out), BP_OK);
  assert_string_equal(l.at, "18446744073709551615-9223372036854775808---");
  bpi_out_repeat(&out, 'x', 5000);
  assert_int_equal(bpi_out_flush(&out), BP_E_IO);
  assert_int_equal(bpi_sink_check(NULL), BP_E_INVALID);
}

static void test_status(void **state)
{
  (void)state;
  assert_string_equal(bp_status_name(BP_E_INPUT), "BP_E_INPUT");
  assert_string_equal(bp_status_name((bp_status)99), "unknown status");
  assert_int_equal(bp_version() >> 16, BP_VERSION_MAJOR);
  assert_int_equal(bp_has_feature(0), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_vector), cmocka_unit_test(test_allocation),
      cmocka_unit_test(test_hash),   cmocka_unit_test(test_diagnostics),
      cmocka_unit_test(test_watch),  cmocka_unit_test(test_deadline),
      cmocka_unit_test(test_output), cmocka_unit_test(test_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
