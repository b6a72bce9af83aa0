/* SPDX-License-Identifier: MIT
 * Traces from the target back to the start.
 *
 * Cursors only go forward, and a trace can be too long to be kept as text. So a first walk leaves
 * copies of the cursor behind, `stride` steps apart; then the stretches between them are walked
 * again, last stretch first, each turned round in memory. When there are more copies than a stretch
 * has steps, every other one is dropped and the stride doubles: both stay near the square root of
 * the number of steps. */
#include "trace_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct marks {
  bp_cursor **at; /* at[i] stands before step i * stride */
  size_t count, room;
  uint64_t stride, steps;
} marks;

static void thin_out(marks *m)
{
  size_t kept = 0;
  for (size_t i = 0; i < m->count; i++) {
    if (i % 2)
      bp_cursor_free(m->at[i]);
    else
      m->at[kept++] = m->at[i];
  }
  m->count = kept;
  m->stride *= 2;
}

static bp_status add_mark(marks *m, const bp_cursor *cursor)
{
  if (m->count == m->room) {
    const size_t room = m->room ? 2 * m->room : 64;
    bp_cursor **grown = realloc(m->at, room * sizeof *grown);
    if (!grown) return BP_E_NOMEM;
    m->at = grown;
    m->room = room;
  }
  const bp_status status = bp_cursor_copy(&m->at[m->count], cursor);
  if (status == BP_OK) m->count++;
  return status;
}

/* Walks to the end; `cursor` stands before the first step. */
static bp_status walk(marks *m, const cli_view *view, bp_cursor *cursor)
{
  bp_status status = BP_OK;
  while (status == BP_OK) {
    if (m->count > m->stride) thin_out(m);
    if (m->steps % m->stride == 0) status = add_mark(m, cursor);
    if (status == BP_OK) status = cli_trace_poll(view);
    if (status == BP_OK) status = bp_cursor_next(cursor);
    if (status == BP_OK) m->steps++;
  }
  return status == BP_END ? BP_OK : status;
}

/* Prints `count` steps behind the cursor, the last one first. */
static bp_status print_stretch(cli_view *view, bp_cursor *cursor, size_t count, cli_text *text,
                               size_t *ends)
{
  cli_text_clear(text);
  for (size_t i = 0; i < count; i++) {
    bp_status status = bp_cursor_next(cursor);
    if (status == BP_OK) status = cli_view_step(view, cursor, text);
    if (status != BP_OK) return status;
    ends[i] = text->len;
  }
  cli_progress_end();
  for (size_t i = count; i-- > 0;) {
    const size_t first = i ? ends[i - 1] : 0;
    fwrite(text->at + first, 1, ends[i] - first, stdout);
  }
  return cli_trace_poll(view);
}

static bp_status print_marks(marks *m, cli_view *view)
{
  size_t *ends = malloc((size_t)m->stride * sizeof *ends);
  cli_text text = {0};
  bp_status status = ends ? BP_OK : BP_E_NOMEM;
  for (size_t i = m->count; i-- > 0 && status == BP_OK;) {
    const uint64_t left = m->steps - i * m->stride;
    status =
        print_stretch(view, m->at[i], (size_t)(left < m->stride ? left : m->stride), &text, ends);
  }
  cli_text_free(&text);
  free(ends);
  return status;
}

bp_status cli_trace_reverse(cli_view *view, bp_cursor *cursor)
{
  marks m = {.stride = 64};
  bp_status status = walk(&m, view, cursor);
  if (status == BP_OK) status = print_marks(&m, view);
  for (size_t i = 0; i < m.count; i++)
    bp_cursor_free(m.at[i]);
  free(m.at);
  return status;
}
