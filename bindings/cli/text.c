/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdlib.h>
#include <string.h>

bool cli_text_reserve(cli_text *t, size_t more)
{
  if (more <= t->room - t->len) return true;
  size_t room = t->room ? t->room : 256;
  while (room - t->len < more) {
    if (room > SIZE_MAX / 2) {
      t->failed = true;
      return false;
    }
    room *= 2;
  }
  char *grown = realloc(t->at, room);
  if (!grown) {
    t->failed = true;
    return false;
  }
  t->at = grown;
  t->room = room;
  return true;
}

void cli_text_add(cli_text *t, const char *bytes, size_t len)
{
  if (!len || !cli_text_reserve(t, len)) return;
  memcpy(t->at + t->len, bytes, len);
  t->len += len;
}

void cli_text_puts(cli_text *t, const char *text)
{
  cli_text_add(t, text, strlen(text));
}

void cli_text_pad(cli_text *t, size_t count)
{
  if (!count || !cli_text_reserve(t, count)) return;
  memset(t->at + t->len, ' ', count);
  t->len += count;
}

void cli_text_number(cli_text *t, uint64_t number)
{
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  cli_text_add(t, digits + first, sizeof digits - first);
}

void cli_text_clear(cli_text *t)
{
  t->len = 0;
  t->failed = false;
}

void cli_text_free(cli_text *t)
{
  free(t->at);
  *t = (cli_text){0};
}

static int append(void *user, const char *bytes, size_t len)
{
  cli_text *t = user;
  cli_text_add(t, bytes, len);
  return t->failed;
}

bp_sink cli_text_sink(cli_text *t)
{
  return (bp_sink){.size = sizeof(bp_sink), .write = append, .user = t};
}

size_t cli_text_columns(const char *bytes, size_t len)
{
  size_t columns = 0;
  for (size_t i = 0; i < len; i++)
    columns += ((unsigned char)bytes[i] & 0xc0) != 0x80;
  return columns;
}
