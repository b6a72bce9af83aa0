/* SPDX-License-Identifier: MIT */
#include "texts.h"

void buffer_add(buffer *b, const char *bytes, size_t len)
{
  if (b->len + len + 1 > b->room) {
    b->room = (b->len + len + 1) * 2;
    b->at = realloc(b->at, b->room);
    assert_non_null(b->at);
  }
  if (len) memcpy(b->at + b->len, bytes, len);
  b->len += len;
  b->at[b->len] = '\0';
}

static int write_buffer(void *user, const char *bytes, size_t len)
{
  buffer_add(user, bytes, len);
  return 0;
}

bp_sink buffer_sink(buffer *b)
{
  buffer_add(b, "", 0);
  return (bp_sink){.size = sizeof(bp_sink), .write = write_buffer, .user = b};
}

void buffer_free(buffer *b)
{
  free(b->at);
  *b = (buffer){0};
}

static void show(const bp_context *ctx)
{
  bp_sink out;
  bp_sink_stdio(&out, stdout);
  bp_context_write_diagnostics(ctx, &out);
}

bp_program *parse(bp_context *ctx, const char *text, size_t len, const bp_program_options *options,
                  bp_status expected)
{
  bp_program *program = NULL;
  const bp_status status = bp_program_parse(&program, ctx, text, len, "t.bp", options);
  if (status != expected) {
    printf("--- %.*s\n", len < 2000 ? (int)len : 2000, text);
    show(ctx);
  }
  assert_string_equal(bp_status_name(status), bp_status_name(expected));
  assert_true((program != NULL) == (status == BP_OK));
  assert_true((bp_context_error_count(ctx) != 0) == (status != BP_OK));
  return program;
}

buffer print(const bp_program *program)
{
  buffer b = {0};
  const bp_sink sink = buffer_sink(&b);
  assert_int_equal(bp_program_write(program, &sink), BP_OK);
  return b;
}

void check_round_trip(bp_context *ctx, const bp_program *program, const char *entry)
{
  const bp_program_options options = {.size = sizeof options, .entry = entry};
  buffer once = print(program);
  bp_program *again = parse(ctx, once.at, once.len, &options, BP_OK);
  buffer twice = print(again);
  assert_int_equal(bp_program_fingerprint(program), bp_program_fingerprint(again));
  assert_string_equal(once.at, twice.at);
  buffer_free(&once);
  buffer_free(&twice);
  bp_program_unref(again);
}

int has_diagnostic(const bp_context *ctx, bp_severity severity, uint32_t number, uint32_t line,
                   uint32_t column)
{
  for (uint32_t i = 0; i < bp_context_diagnostic_count(ctx); i++) {
    bp_range range;
    bp_context_diagnostic_range(ctx, i, &range);
    if (bp_context_diagnostic_severity(ctx, i) == severity &&
        bp_context_diagnostic_number(ctx, i) == number && range.line == line &&
        range.column == column)
      return 1;
  }
  return 0;
}

void check_diagnostic(const bp_context *ctx, const char *text, bp_severity severity,
                      uint32_t number, uint32_t line, uint32_t column)
{
  if (has_diagnostic(ctx, severity, number, line, column)) return;
  printf("--- no %u at %u:%u in\n%s\n", number, line, column, text);
  show(ctx);
  fail();
}
