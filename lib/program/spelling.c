/* SPDX-License-Identifier: MIT */
#include "program/spelling.h"

#include <string.h>

static const char *const reserved[] = {
    "assert", "assume",  "begin",   "bool", "constrain", "decl",  "do", "else",
    "elsif",  "end",     "enforce", "fi",   "goto",      "if",    "od", "print",
    "return", "schoose", "skip",    "then", "void",      "while",
};
static const char *const statements[] = {"abortif"};
static const char *const constants[] = {"F", "T", "false", "true"};

static bool is_one_of(const char *const *words, size_t count, const char *text, size_t len)
{
  for (size_t i = 0; i < count; i++)
    if (strlen(words[i]) == len && !memcmp(words[i], text, len)) return true;
  return false;
}
#define IS_ONE_OF(words, text, len) is_one_of(words, sizeof(words) / sizeof *(words), text, len)

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

static bool is_number(const char *text, size_t len)
{
  size_t digits = 0;
  while (digits < len && is_digit(text[digits]))
    digits++;
  return len && digits == len;
}

static bool is_word(const char *text, size_t len)
{
  if (!len || !is_letter(text[0])) return false;
  for (size_t i = 1; i < len; i++)
    if (!is_more(text[i]) && !(text[i] == '-' && i + 1 < len && is_more(text[i + 1]))) return false;
  return true;
}

bool bpi_is_plain_name(const char *text, size_t len, bpi_name_kind kind)
{
  if (kind == BPI_NAME_LABEL && is_number(text, len)) return true;
  if (!is_word(text, len) || IS_ONE_OF(reserved, text, len)) return false;
  switch (kind) {
  case BPI_NAME_VAR: return !IS_ONE_OF(constants, text, len) && !(len == 1 && *text == '_');
  case BPI_NAME_PROC: return !IS_ONE_OF(constants, text, len) && !IS_ONE_OF(statements, text, len);
  default: return true;
  }
}

bool bpi_is_braced_name(const char *text, size_t len)
{
  return len > 2 && text[0] == '{' && strcspn(text + 1, "{}\n") == len - 2 && text[len - 1] == '}';
}
