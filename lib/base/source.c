/* SPDX-License-Identifier: MIT */
#include "base/source.h"

bool bpi_source_init(bpi_source *s, const char *text, size_t len)
{
  *s = (bpi_source){.text = len ? text : "", .len = (uint32_t)len, .last = {.line = 1}};
  uint32_t cut = s->len;
  while (cut > 0 && text[cut - 1] != '\n')
    cut--;
  s->cut = cut ? cut - 1 : 0;
  s->tail = bpi_alloc(len - s->cut + 1, 1);
  if (!s->tail) return false;
  if (len) memcpy(s->tail, text + s->cut, len - s->cut);
  s->tail[len - s->cut] = '\n';
  return true;
}

void bpi_source_free(bpi_source *s)
{
  bpi_release(s->tail);
  s->tail = NULL;
}

static void go_forward(bpi_source *s, uint32_t offset)
{
  const char *at = s->text + s->last.offset, *end = s->text + offset;
  while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
    at++;
    s->last.line++;
    s->last.line_at = (uint32_t)(at - s->text);
  }
}

static void go_back(bpi_source *s, uint32_t offset)
{
  if (offset >= s->last.line_at) return;
  for (uint32_t i = s->last.line_at; i > offset; i--)
    s->last.line -= s->text[i - 1] == '\n';
  for (s->last.line_at = offset; s->last.line_at > 0; s->last.line_at--)
    if (s->text[s->last.line_at - 1] == '\n') break;
}

bp_range bpi_source_range(bpi_source *s, uint32_t offset, uint32_t end)
{
  if (offset >= s->last.offset)
    go_forward(s, offset);
  else
    go_back(s, offset);
  s->last.offset = offset;
  return (bp_range){
      .offset = offset, .end = end, .line = s->last.line, .column = offset - s->last.line_at + 1};
}
