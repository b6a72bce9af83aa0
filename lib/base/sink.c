/* SPDX-License-Identifier: MIT */
#include "base/sink.h"
#include "base/context.h"

#include <string.h>

static int write_stdio(void *user, const char *bytes, size_t len)
{
  return fwrite(bytes, 1, len, user) == len ? 0 : 1;
}

void bp_sink_stdio(bp_sink *sink, FILE *file)
{
  if (sink) *sink = (bp_sink){.size = sizeof *sink, .write = write_stdio, .user = file};
}

bp_status bpi_sink_check(const bp_sink *sink)
{
  return sink && sink->size == sizeof *sink && sink->write ? BP_OK : BP_E_INVALID;
}

void bpi_out_init(bpi_out *out, const bp_sink *sink)
{
  out->sink = sink;
  out->used = 0;
  out->status = BP_OK;
}

bp_status bpi_out_flush(bpi_out *out)
{
  if (out->status == BP_OK && out->used &&
      out->sink->write(out->sink->user, out->buffer, out->used))
    out->status = BP_E_IO;
  out->used = 0;
  return out->status;
}

void bpi_out_bytes(bpi_out *out, const char *bytes, size_t len)
{
  if (len > sizeof out->buffer - out->used) bpi_out_flush(out);
  if (len > sizeof out->buffer) {
    if (out->status == BP_OK && out->sink->write(out->sink->user, bytes, len))
      out->status = BP_E_IO;
    return;
  }
  memcpy(out->buffer + out->used, bytes, len);
  out->used += len;
}

void bpi_out_text(bpi_out *out, const char *text)
{
  bpi_out_bytes(out, text, strlen(text));
}

void bpi_out_char(bpi_out *out, char c)
{
  bpi_out_bytes(out, &c, 1);
}

void bpi_out_quoted(bpi_out *out, const char *text)
{
  bpi_out_char(out, '"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') bpi_out_char(out, '\\');
    bpi_out_char(out, *text);
  }
  bpi_out_char(out, '"');
}

void bpi_out_repeat(bpi_out *out, char c, size_t times)
{
  while (times--)
    bpi_out_bytes(out, &c, 1);
}

void bpi_out_u64(bpi_out *out, uint64_t number)
{
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  bpi_out_bytes(out, digits + first, sizeof digits - first);
}

void bpi_out_i64(bpi_out *out, int64_t number)
{
  if (number < 0) bpi_out_char(out, '-');
  bpi_out_u64(out, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

/* ---- diagnostics as text ----------------------------------------------- */

static void write_place(bpi_out *out, const bpi_diagnostic *d)
{
  if (d->file[0] || !d->range.line) {
    bpi_out_text(out, d->file[0] ? d->file : "libbp");
    bpi_out_char(out, ':');
  }
  if (!d->range.line) return;
  bpi_out_u64(out, d->range.line);
  bpi_out_char(out, ':');
  bpi_out_u64(out, d->range.column);
  bpi_out_char(out, ':');
}

static void write_excerpt(bpi_out *out, const bpi_diagnostic *d)
{
  bpi_out_text(out, d->excerpt);
  bpi_out_char(out, '\n');
  const size_t len = strlen(d->excerpt);
  for (uint32_t i = 0; i < d->caret; i++)
    bpi_out_char(out, i < len && d->excerpt[i] == '\t' ? '\t' : ' ');
  bpi_out_char(out, '^');
  bpi_out_repeat(out, '~', d->underline > 1 ? d->underline - 1 : 0);
  bpi_out_char(out, '\n');
}

bp_status bp_context_write_diagnostics(const bp_context *ctx, const bp_sink *sink)
{
  if (!ctx || bpi_sink_check(sink) != BP_OK) return BP_E_INVALID;
  bpi_out out;
  bpi_out_init(&out, sink);
  for (uint32_t i = 0; i < ctx->diagnostics.count; i++) {
    const bpi_diagnostic *d = &ctx->diagnostics.at[i];
    write_place(&out, d);
    bpi_out_text(&out, d->severity == BP_ERROR ? " error: " : " warning: ");
    bpi_out_text(&out, d->text);
    bpi_out_char(&out, '\n');
    if (d->excerpt) write_excerpt(&out, d);
  }
  return bpi_out_flush(&out);
}
