/* SPDX-License-Identifier: MIT */
#include "program/spelling.h"

#include <string.h>

/* Every word with a meaning somewhere; `_` drops a value. */
static const char *const words[] = {
    "F",
    "T",
    "_",
    "abortif",
    "assert",
    "assume",
    "atomic_begin",
    "atomic_end",
    "begin",
    "bool",
    "constrain",
    "dead",
    "decl",
    "dfs",
    "do",
    "else",
    "elsif",
    "end",
    "end_thread",
    "enforce",
    "false",
    "fi",
    "goto",
    "if",
    "od",
    "print",
    "return",
    "schoose",
    "skip",
    "start_thread",
    "sync",
    "then",
    "thread_local",
    "true",
    "void",
    "while",
};

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

static bool is_more(char c)
{
  return is_letter(c) || is_digit(c) || c == '#';
}

bool bpi_is_plain_name(const char *text, size_t len)
{
  if (!len || !is_letter(text[0])) return false;
  for (size_t i = 1; i < len; i++)
    if (!is_more(text[i]) && !(text[i] == '-' && i + 1 < len && is_more(text[i + 1]))) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == len && !memcmp(words[i], text, len)) return false;
  return true;
}

bool bpi_is_plain_label(const char *text, size_t len)
{
  size_t digits = 0;
  while (digits < len && is_digit(text[digits]))
    digits++;
  return (len && digits == len) || bpi_is_plain_name(text, len);
}
