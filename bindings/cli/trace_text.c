/* SPDX-License-Identifier: MIT */
#include "trace_text.h"

#include <stdio.h>
#include <string.h>

/* Deeper calls are not indented further: the output stays linear in the number of steps. The printer
 * of programs ends at the same depth. */
enum { STATEMENT_WIDTH = 32, MAX_INDENT = 40 };

/* The widest place of the program, so that statements stand in one column. */
static size_t widest_place(const bp_program *program)
{
  size_t widest = 0, columns = 0;
  const char *last = NULL;
  for (uint32_t s = 0; s < bp_program_stmt_count(program); s++) {
    bp_range place;
    bp_stmt_range(program, s, &place);
    const char *file = bp_stmt_file(program, s);
    if (file != last) columns = cli_text_columns(file, strlen(file));
    last = file;
    size_t width = columns + 2;
    for (uint32_t n = place.line; n; n /= 10)
      width++;
    if (width > widest) widest = width;
  }
  return widest;
}

void cli_view_init(cli_view *view, cli_run *run)
{
  *view = (cli_view){.run = run};
  cli_scope_init(&view->scope, run->program);
}

void cli_view_free(cli_view *view)
{
  cli_scope_free(&view->scope);
  cli_text_free(&view->line);
}

/* ---- one step ---------------------------------------------------------- */

/* Pads with blanks up to `column` columns behind byte `from`. */
static void pad_to(cli_text *out, size_t from, size_t column)
{
  const size_t used = cli_text_columns(out->at + from, out->len - from);
  if (used < column) cli_text_pad(out, column - used);
}

static void add_place(cli_view *view, const bp_cursor *cursor, cli_text *out)
{
  bp_range place;
  bp_cursor_range(cursor, &place);
  const size_t from = out->len;
  cli_text_puts(out, bp_stmt_file(view->run->program, bp_cursor_stmt(cursor)));
  cli_text_puts(out, ":");
  if (place.line) {
    cli_text_number(out, place.line);
    cli_text_puts(out, ":");
  }
  if (!view->place_width) view->place_width = widest_place(view->run->program);
  if (!out->failed) pad_to(out, from, view->place_width);
}

static bp_status add_statement(cli_view *view, bp_cursor *cursor, cli_text *out)
{
  const bp_sink sink = cli_text_sink(out);
  bp_status status = bp_stmt_write(view->run->program, bp_cursor_stmt(cursor), &sink);
  if (status != BP_OK || !bp_cursor_closed(cursor)) return status;
  uint64_t inside;
  status = bp_cursor_inside(cursor, &inside);
  if (status != BP_OK) return status;
  cli_text_puts(out, " ... returns, ");
  cli_text_number(out, inside);
  cli_text_puts(out, inside == 1 ? " step" : " steps");
  return BP_OK;
}

/* The elements of an array that are known: `a[0]=1 a[2]=3`; of anything else its value: `x=1`. */
static bp_status add_datum(const bp_program *program, bp_cursor *cursor, uint32_t datum,
                           cli_text *out, bool *first)
{
  const uint32_t length = bp_datum_length(program, datum);
  for (uint32_t i = 0; i < (length ? length : 1); i++) {
    int known;
    uint64_t value;
    const bp_status status = bp_cursor_number(cursor, datum, i, &known, &value);
    if (status != BP_OK) return status;
    if (!known) continue;
    cli_text_puts(out, *first ? cli_color_code(CLI_VALUE) : " ");
    cli_text_puts(out, bp_datum_name(program, datum));
    if (length) {
      cli_text_puts(out, "[");
      cli_text_number(out, i);
      cli_text_puts(out, "]");
    }
    cli_text_puts(out, "=");
    const char *constant = bp_datum_value_name(program, datum, value);
    if (constant)
      cli_text_puts(out, constant);
    else
      cli_text_number(out, value);
    *first = false;
  }
  return BP_OK;
}

static bp_status add_values(cli_view *view, bp_cursor *cursor, cli_text *out)
{
  if (!cli_scope_enter(&view->scope, bp_cursor_proc(cursor))) return BP_E_NOMEM;
  bool first = true;
  for (uint32_t i = 0; i < view->scope.count; i++) {
    const bp_status status =
        add_datum(view->run->program, cursor, view->scope.data[i], out, &first);
    if (status != BP_OK) return status;
  }
  if (!first) cli_text_puts(out, cli_color_code(CLI_PLAIN));
  return BP_OK;
}

bp_status cli_view_step(cli_view *view, bp_cursor *cursor, cli_text *out)
{
  const uint64_t depth = (uint64_t)view->depth + bp_cursor_depth(cursor);
  cli_text_pad(out, (size_t)2 * (depth < MAX_INDENT ? depth : MAX_INDENT));
  cli_text_puts(out, cli_color_code(CLI_PLACE));
  add_place(view, cursor, out);
  cli_text_puts(out, cli_color_code(CLI_PLAIN));
  cli_text_puts(out, " ");
  const size_t from = out->len;
  bp_status status = add_statement(view, cursor, out);
  if (status != BP_OK) return status;

  cli_text_clear(&view->line);
  status = add_values(view, cursor, &view->line);
  if (status != BP_OK) return status;
  if (view->line.len && !out->failed) {
    pad_to(out, from, STATEMENT_WIDTH);
    cli_text_pad(out, 2);
    cli_text_add(out, view->line.at, view->line.len);
  }
  cli_text_puts(out, "\n");
  return out->failed || view->line.failed ? BP_E_NOMEM : BP_OK;
}

/* ---- all steps --------------------------------------------------------- */

bp_status cli_trace_poll(const cli_view *view)
{
  if (ferror(stdout)) return BP_E_IO;
  return cli_run_show_stopped(view->run) ? BP_E_LIMIT : BP_OK;
}

bp_status cli_trace_forward(cli_view *view, bp_cursor *cursor)
{
  cli_text out = {0};
  bp_status status = bp_cursor_next(cursor);
  while (status == BP_OK) {
    cli_text_clear(&out);
    status = cli_view_step(view, cursor, &out);
    if (status != BP_OK) break;
    cli_progress_end();
    fwrite(out.at, 1, out.len, stdout);
    status = cli_trace_poll(view);
    if (status == BP_OK) status = bp_cursor_next(cursor);
  }
  cli_text_free(&out);
  return status == BP_END ? BP_OK : status;
}
