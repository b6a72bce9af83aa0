/* SPDX-License-Identifier: MIT */
#include "base/context.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

enum { MAX_DIAGNOSTICS = 100, MAX_MESSAGE = 400 };

/* ---- life -------------------------------------------------------------- */

bp_status bp_context_new(bp_context **out)
{
  if (!out) return BP_E_INVALID;
  *out = bpi_zalloc(1, sizeof **out);
  if (!*out) return BP_E_NOMEM;
  atomic_init(&(*out)->refs, 1);
  return BP_OK;
}

bp_context *bp_context_ref(bp_context *ctx)
{
  if (ctx) atomic_fetch_add_explicit(&ctx->refs, 1, memory_order_relaxed);
  return ctx;
}

static void diagnostic_clear(bpi_diagnostic *d)
{
  bpi_release(d->file);
  bpi_release(d->text);
  bpi_release(d->excerpt);
}

void bpi_context_begin(bp_context *ctx)
{
  for (uint32_t i = 0; i < ctx->diagnostics.count; i++)
    diagnostic_clear(&ctx->diagnostics.at[i]);
  ctx->diagnostics.count = 0;
  ctx->errors = 0;
  ctx->memory_line[0] = '\0';
}

void bp_context_unref(bp_context *ctx)
{
  if (!ctx || atomic_fetch_sub_explicit(&ctx->refs, 1, memory_order_acq_rel) != 1) return;
  bpi_context_begin(ctx);
  bpi_vec_free(&ctx->diagnostics);
  if (ctx->drop_shared) ctx->drop_shared(ctx->shared);
  bpi_release(ctx);
}

void bp_free(void *block)
{
  bpi_release(block);
}

/* ---- limits ------------------------------------------------------------ */

bp_status bp_context_set_limits(bp_context *ctx, const bp_limits *limits)
{
  if (!ctx) return BP_E_INVALID;
  if (limits && limits->size != sizeof *limits)
    return bpi_invalid(ctx, "limits->size is not sizeof(bp_limits)");
  bpi_context_begin(ctx);
  ctx->wall_ms = limits ? limits->wall_ms : 0;
  return BP_OK;
}

void bp_context_cancel(bp_context *ctx)
{
  if (ctx) atomic_store(&ctx->cancel, 1);
}

static uint64_t clock_ns(clockid_t id)
{
  struct timespec now;
  if (clock_gettime(id, &now)) return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t bpi_now_ns(void)
{
  return clock_ns(CLOCK_MONOTONIC);
}

uint64_t bpi_cpu_ns(void)
{
  return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t bpi_deadline_ns(uint64_t wall_ms)
{
  const uint64_t now = bpi_now_ns(), most = (UINT64_MAX - now) / 1000000;
  if (!wall_ms) return 0;
  return wall_ms < most ? now + wall_ms * 1000000 : UINT64_MAX;
}

bpi_watch bpi_context_watch(bp_context *ctx)
{
  return (bpi_watch){.cancel = &ctx->cancel, .deadline_ns = bpi_deadline_ns(ctx->wall_ms)};
}

bool bpi_watch_look(bpi_watch *watch)
{
  watch->countdown = 255;
  if (watch->cancel && atomic_load_explicit(watch->cancel, memory_order_relaxed)) {
    atomic_store(watch->cancel, 0);
    watch->cancelled = true;
    return true;
  }
  return watch->deadline_ns && bpi_now_ns() >= watch->deadline_ns;
}

/* ---- diagnostics ------------------------------------------------------- */

bpi_excerpt bpi_cut_excerpt(const char *text, size_t len, const bp_range *range)
{
  bpi_excerpt cut;
  const size_t at = range->offset <= len ? range->offset : len;
  size_t first = at, last = at;
  while (first > 0 && at - first < BPI_EXCERPT / 2 && text[first - 1] != '\n')
    first--;
  while (last < len && last - first < BPI_EXCERPT && text[last] != '\n' && text[last] != '\r')
    last++;
  for (size_t i = first; i < last; i++)
    cut.line[i - first] = (unsigned char)text[i] < ' ' && text[i] != '\t' ? '?' : text[i];
  cut.line[last - first] = '\0';
  size_t end = range->end > at ? range->end : at + 1;
  if (end > last) end = last > at ? last : at + 1;
  cut.caret = (uint32_t)(at - first);
  cut.underline = (uint32_t)(end - at);
  return cut;
}

void bpi_diagnose_cut(bp_context *ctx, bp_severity severity, bpi_message number, const char *file,
                      const bp_range *range, const bpi_excerpt *excerpt, const char *format, ...)
{
  if (!ctx) return;
  if (severity == BP_ERROR) ctx->errors++;
  if (ctx->diagnostics.count >= MAX_DIAGNOSTICS) return;
  char line[MAX_MESSAGE];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  bpi_diagnostic d = {.severity = severity, .number = number};
  if (range) d.range = *range;
  d.file = bpi_strndup(file ? file : "", file ? strlen(file) : 0);
  d.text = bpi_strndup(line, strlen(line));
  if (excerpt && excerpt->line[0]) { /* an empty line tells nothing */
    d.excerpt = bpi_strndup(excerpt->line, strlen(excerpt->line));
    d.caret = excerpt->caret;
    d.underline = excerpt->underline;
  }
  if (d.file && d.text && bpi_vec_push(&ctx->diagnostics, d)) return;
  diagnostic_clear(&d);
  memcpy(ctx->memory_line, "out of memory", sizeof "out of memory");
}

void bpi_diagnose(bp_context *ctx, bp_severity severity, bpi_message number, const char *file,
                  const bp_range *range, const char *text, size_t len, const char *format, ...)
{
  if (!ctx) return;
  char line[MAX_MESSAGE];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  bpi_excerpt excerpt;
  const bool shown = text && range && range->line;
  if (shown) excerpt = bpi_cut_excerpt(text, len, range);
  bpi_diagnose_cut(ctx, severity, number, file, range, shown ? &excerpt : NULL, "%s", line);
}

void bpi_diagnostic_move(bp_context *ctx, uint32_t index, const bp_range *range, const char *text,
                         size_t len)
{
  bpi_diagnostic *d = &ctx->diagnostics.at[index];
  const bpi_excerpt excerpt = bpi_cut_excerpt(text, len, range);
  bpi_release(d->excerpt);
  d->range = *range;
  d->excerpt = excerpt.line[0] ? bpi_strndup(excerpt.line, strlen(excerpt.line)) : NULL;
  d->caret = excerpt.caret;
  d->underline = excerpt.underline;
}

bp_status bpi_fail(bp_context *ctx, bp_status status, bpi_message number, const char *format, ...)
{
  char line[MAX_MESSAGE];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  bpi_diagnose(ctx, BP_ERROR, number, NULL, NULL, NULL, 0, "%s", line);
  return status;
}

bp_status bpi_no_memory(bp_context *ctx)
{
  return bpi_fail(ctx, BP_E_NOMEM, BPI_MSG_MEMORY, "out of memory");
}

bp_status bpi_sink_refused(bp_context *ctx)
{
  bpi_context_begin(ctx);
  return bpi_fail(ctx, BP_E_IO, BPI_MSG_IO, "the sink refused the bytes");
}

bp_status bpi_refuse(bp_context *ctx, const char *function, const char *format, ...)
{
  char line[MAX_MESSAGE];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  bpi_context_begin(ctx);
  return bpi_fail(ctx, BP_E_INVALID, BPI_MSG_ARGUMENT, "%s(): %s", function, line);
}

uint32_t bp_context_diagnostic_count(const bp_context *ctx)
{
  return ctx ? ctx->diagnostics.count : 0;
}

uint32_t bp_context_error_count(const bp_context *ctx)
{
  return ctx ? ctx->errors : 0;
}

static const bpi_diagnostic *diagnostic_at(const bp_context *ctx, uint32_t index)
{
  return ctx && index < ctx->diagnostics.count ? &ctx->diagnostics.at[index] : NULL;
}

bp_severity bp_context_diagnostic_severity(const bp_context *ctx, uint32_t index)
{
  const bpi_diagnostic *d = diagnostic_at(ctx, index);
  return d ? d->severity : BP_ERROR;
}

uint32_t bp_context_diagnostic_number(const bp_context *ctx, uint32_t index)
{
  const bpi_diagnostic *d = diagnostic_at(ctx, index);
  return d ? (uint32_t)d->number : 0;
}

const char *bp_context_diagnostic_text(const bp_context *ctx, uint32_t index)
{
  const bpi_diagnostic *d = diagnostic_at(ctx, index);
  return d ? d->text : NULL;
}

const char *bp_context_diagnostic_file(const bp_context *ctx, uint32_t index)
{
  const bpi_diagnostic *d = diagnostic_at(ctx, index);
  return d ? d->file : NULL;
}

void bp_context_diagnostic_range(const bp_context *ctx, uint32_t index, bp_range *out)
{
  const bpi_diagnostic *d = diagnostic_at(ctx, index);
  if (out) *out = d ? d->range : (bp_range){0};
}

const char *bp_context_message(const bp_context *ctx)
{
  if (!ctx) return "";
  for (uint32_t i = 0; i < ctx->diagnostics.count; i++)
    if (ctx->diagnostics.at[i].severity == BP_ERROR) return ctx->diagnostics.at[i].text;
  return ctx->memory_line;
}

void bp_context_set_log(bp_context *ctx, bp_log_fn fn, void *user)
{
  if (!ctx) return;
  ctx->log = fn;
  ctx->log_user = user;
}

void bpi_context_log(bp_context *ctx, const char *format, ...)
{
  if (!ctx->log) return;
  char line[MAX_MESSAGE];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  ctx->log(line, ctx->log_user);
}
