/* SPDX-License-Identifier: MIT */
#include "text/source.h"

bool bpi_source_init(bpi_source *s, const char *text, size_t len)
{
  *s = (bpi_source){.len = (uint32_t)len};
  s->text = bpi_strndup(text, len);
  bool good = s->text && bpi_vec_push(&s->lines, 0);
  const char *at = s->text;
  while (good && (at = memchr(at, '\n', (size_t)(s->text + len - at))) != NULL) {
    at++;
    good = bpi_vec_push(&s->lines, (uint32_t)(at - s->text));
  }
  if (!good) bpi_source_free(s);
  return good;
}

void bpi_source_free(bpi_source *s)
{
  bpi_release(s->text);
  bpi_vec_free(&s->lines);
  s->text = NULL;
}

static bool in_line(const bpi_source *s, uint32_t line, uint32_t offset)
{
  return line < s->lines.count && s->lines.at[line] <= offset &&
         (line + 1 == s->lines.count || offset < s->lines.at[line + 1]);
}

static uint32_t search_line(const bpi_source *s, uint32_t offset)
{
  uint32_t low = 0, high = s->lines.count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (s->lines.at[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

bp_range bpi_source_range(bpi_source *s, uint32_t offset, uint32_t end)
{
  if (in_line(s, s->last + 1, offset))
    s->last++;
  else if (!in_line(s, s->last, offset))
    s->last = search_line(s, offset);
  return (bp_range){.offset = offset,
                    .end = end,
                    .line = s->last + 1,
                    .column = offset - s->lines.at[s->last] + 1};
}
