/* SPDX-License-Identifier: MIT */
#include "temporal/lexer.h"

static uint32_t unescaped(bpi_ltl *l, const bpi_ltl_token *t)
{
  char *copy = bpi_strndup(t->text.at, t->text.len), *to = copy;
  if (!copy) {
    bpi_job_no_memory(l->job);
    return BP_NONE;
  }
  for (const char *at = copy, *end = copy + t->text.len; at < end; at++)
    *to++ = *at == '\\' ? *++at : *at;
  const uint32_t node = bpi_ltl_atom(l, t->atom, "", 0, copy, (size_t)(to - copy), &t->range);
  bpi_release(copy);
  return node;
}

uint32_t bpi_ltl_token_atom(bpi_ltl *l, const bpi_ltl_token *t)
{
  if (t->escaped) return unescaped(l, t);
  return bpi_ltl_atom(l, t->atom, t->proc.at, t->proc.len, t->text.at, t->text.len, &t->range);
}

bool bpi_ltl_is_line(const char *text, size_t len)
{
  return len && !memchr(text, '\0', len) && !memchr(text, '\n', len);
}

/* Whether the text is one token and nothing else. */
static bool single(const char *text, size_t len, bpi_ltl_token *token)
{
  bpi_ltl_lexer lexer;
  bpi_ltl_lexer_init(&lexer, text, len);
  *token = bpi_ltl_lexer_next(&lexer);
  return token->range.offset == 0 && token->range.end == len && len;
}

static bool is_braced(const char *text, size_t len)
{
  if (len < 3 || text[0] != '{' || text[len - 1] != '}') return false;
  return bpi_ltl_is_line(text, len) && !memchr(text + 1, '{', len - 1) &&
         !memchr(text, '}', len - 1);
}

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

bool bpi_ltl_is_name(const char *text, size_t len)
{
  size_t at = 0;
  while (at < len && is_digit(text[at]))
    at++;
  if (!len || at == len) return len > 0;
  if (at || !is_letter(text[0])) return is_braced(text, len);
  for (at = 1; at < len; at++)
    if (!is_more(text[at]) && !(text[at] == '-' && at + 1 < len && is_more(text[at + 1])))
      return false;
  return true;
}

bool bpi_ltl_is_plain(const char *text, size_t len)
{
  bpi_ltl_token token;
  return single(text, len, &token) && token.kind == BPI_L_ATOM && token.atom == BP_ATOM_NAME &&
         !token.proc.len && token.text.len == len;
}

uint32_t bpi_ltl_proposition(bpi_ltl *l, const char *text, size_t len, const bp_range *range)
{
  bpi_ltl_token token;
  if (single(text, len, &token) && token.kind == BPI_L_ATOM) {
    token.range = *range;
    return bpi_ltl_token_atom(l, &token);
  }
  const bp_atom_kind kind = bpi_ltl_is_name(text, len) ? BP_ATOM_NAME : BP_ATOM_QUOTED;
  return bpi_ltl_atom(l, kind, "", 0, text, len, range);
}

/* Escapes are how a formula spells it; this is the text itself. */
uint32_t bpi_ltl_expression(bpi_ltl *l, const char *text)
{
  bpi_ltl_token token = bpi_ltl_lexer_quoted(text, strlen(text));
  token.escaped = false;
  return bpi_ltl_token_atom(l, &token);
}
