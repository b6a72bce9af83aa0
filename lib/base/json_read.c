/* SPDX-License-Identifier: MIT */
#include "base/json_read.h"

#include "base/json.h"

/* What may stand at a place. */
enum { VALUE, VALUE_OR_END, KEY_OR_END, KEY, COMMA_OR_END, NOTHING };

void bpi_json_read_init(bpi_json_reader *r, bp_context *ctx, const char *text, size_t len,
                        const char *file)
{
  *r = (bpi_json_reader){.ctx = ctx, .file = file, .text = text, .len = len, .expect = VALUE};
  r->watch = bpi_context_watch(ctx);
}

void bpi_json_read_free(bpi_json_reader *r)
{
  bpi_vec_free(&r->string);
  bpi_vec_free(&r->inside);
}

/* ---- failures ----------------------------------------------------------------- */

static bpi_json_token failed(bpi_json_reader *r, bp_status status)
{
  if (r->status == BP_OK) r->status = status;
  return BPI_JSON_ERROR;
}

static bpi_json_token wrong_at(bpi_json_reader *r, size_t begin, size_t end, bpi_message number,
                               const char *what)
{
  uint32_t line = 1;
  size_t line_begin = 0;
  if (r->status != BP_OK) return BPI_JSON_ERROR;
  for (size_t i = 0; i < begin; i++)
    if (r->text[i] == '\n') {
      line++;
      line_begin = i + 1;
    }
  const bp_range range = {(uint32_t)begin, (uint32_t)end, line, (uint32_t)(begin - line_begin) + 1};
  bpi_diagnose(r->ctx, BP_ERROR, number, r->file ? r->file : "", &range, r->text, r->len, "%s",
               what);
  return failed(r, BP_E_INPUT);
}

bpi_json_token bpi_json_wrong(bpi_json_reader *r, bpi_message number, const char *what)
{
  return wrong_at(r, r->token_at, r->at > r->token_at ? r->at : r->token_at + 1, number, what);
}

static bpi_json_token here(bpi_json_reader *r, bpi_message number, const char *what)
{
  return wrong_at(r, r->at, r->at + (r->at < r->len), number, what);
}

/* ---- strings -------------------------------------------------------------------- */

static bool take(bpi_json_reader *r, char c)
{
  return bpi_vec_push(&r->string, c) || (failed(r, BP_E_NOMEM), false);
}

/* Four hexadecimal digits; -1 after an error. */
static int32_t read_unit(bpi_json_reader *r)
{
  int32_t unit = 0;
  for (int i = 0; i < 4; i++) {
    const char c = r->at < r->len ? r->text[r->at] : '\0';
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) {
      here(r, BPI_MSG_CHARACTER, "expected four hexadecimal digits");
      return -1;
    }
    unit = unit * 16 + digit;
    r->at++;
  }
  return unit;
}

static bool take_utf8(bpi_json_reader *r, uint32_t c)
{
  if (!c) return here(r, BPI_MSG_CHARACTER, "a NUL cannot stand in a name"), false;
  if (c < 0x80) return take(r, (char)c);
  if (c < 0x800) return take(r, (char)(0xc0 | c >> 6)) && take(r, (char)(0x80 | (c & 0x3f)));
  if (c < 0x10000)
    return take(r, (char)(0xe0 | c >> 12)) && take(r, (char)(0x80 | (c >> 6 & 0x3f))) &&
           take(r, (char)(0x80 | (c & 0x3f)));
  return take(r, (char)(0xf0 | c >> 18)) && take(r, (char)(0x80 | (c >> 12 & 0x3f))) &&
         take(r, (char)(0x80 | (c >> 6 & 0x3f))) && take(r, (char)(0x80 | (c & 0x3f)));
}

/* Behind `\u`: one unit of UTF-16, or two that belong together. */
static bool read_unicode(bpi_json_reader *r)
{
  const int32_t high = read_unit(r);
  if (high < 0) return false;
  if (high < 0xd800 || high > 0xdfff) return take_utf8(r, (uint32_t)high);
  const bool pair =
      high < 0xdc00 && r->len - r->at >= 2 && r->text[r->at] == '\\' && r->text[r->at + 1] == 'u';
  if (!pair) return here(r, BPI_MSG_CHARACTER, "half of a surrogate pair"), false;
  r->at += 2;
  const int32_t low = read_unit(r);
  if (low < 0) return false;
  if (low < 0xdc00 || low > 0xdfff)
    return here(r, BPI_MSG_CHARACTER, "half of a surrogate pair"), false;
  return take_utf8(r, 0x10000 + (((uint32_t)high & 0x3ff) << 10) + ((uint32_t)low & 0x3ff));
}

static bool read_escape(bpi_json_reader *r)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char c = ++r->at < r->len ? r->text[r->at] : '\0';
  if (c == 'u') {
    r->at++;
    return read_unicode(r);
  }
  const char *found = c ? memchr(from, c, sizeof from - 1) : NULL;
  if (!found) return here(r, BPI_MSG_CHARACTER, "that is no escape"), false;
  r->at++;
  return take(r, to[found - from]);
}

static bool read_string(bpi_json_reader *r)
{
  r->string.count = 0;
  for (r->at++; r->at < r->len && r->text[r->at] != '"';) {
    const char *c = r->text + r->at;
    if (*c == '\\') {
      if (!read_escape(r)) return false;
      continue;
    }
    const size_t size = bpi_utf8_length(c, r->len - r->at);
    if (!size || (unsigned char)*c < ' ')
      return here(r, BPI_MSG_CHARACTER, size ? "a control character in a string" : "not UTF-8"),
             false;
    for (size_t i = 0; i < size; i++)
      if (!take(r, c[i])) return false;
    r->at += size;
    if (bpi_watch_expired(&r->watch)) return failed(r, BP_E_LIMIT), false;
  }
  if (r->at == r->len) return bpi_json_wrong(r, BPI_MSG_OPEN_STRING, "a '\"' has no end"), false;
  r->at++;
  return take(r, '\0');
}

/* ---- numbers and words ------------------------------------------------------------ */

static bool digits(bpi_json_reader *r)
{
  const size_t begin = r->at;
  while (r->at < r->len && r->text[r->at] >= '0' && r->text[r->at] <= '9')
    if (!take(r, r->text[r->at++])) return false;
  if (r->at > begin) return true;
  here(r, BPI_MSG_SYNTAX, "expected a digit");
  return false;
}

static bool at_char(const bpi_json_reader *r, const char *set)
{
  return r->at < r->len && r->text[r->at] && strchr(set, r->text[r->at]);
}

static bool read_number(bpi_json_reader *r)
{
  r->string.count = 0;
  if (at_char(r, "-") && !take(r, r->text[r->at++])) return false;
  if (at_char(r, "0")) {
    if (!take(r, r->text[r->at++])) return false;
  } else if (!digits(r)) {
    return false;
  }
  if (at_char(r, ".") && (!take(r, r->text[r->at++]) || !digits(r))) return false;
  if (at_char(r, "eE")) {
    if (!take(r, r->text[r->at++])) return false;
    if (at_char(r, "+-") && !take(r, r->text[r->at++])) return false;
    if (!digits(r)) return false;
  }
  return take(r, '\0');
}

static bool is_word(bpi_json_reader *r, const char *word)
{
  const size_t len = strlen(word);
  if (r->len - r->at < len || memcmp(r->text + r->at, word, len)) return false;
  r->at += len;
  return true;
}

/* ---- tokens ------------------------------------------------------------------------ */

/* What follows a value. */
static void value_read(bpi_json_reader *r)
{
  r->expect = r->inside.count ? COMMA_OR_END : NOTHING;
}

static bpi_json_token open(bpi_json_reader *r, bool object)
{
  r->at++;
  if (!bpi_vec_push(&r->inside, object)) return failed(r, BP_E_NOMEM);
  r->expect = object ? KEY_OR_END : VALUE_OR_END;
  return object ? BPI_JSON_OBJECT : BPI_JSON_ARRAY;
}

static bpi_json_token close(bpi_json_reader *r)
{
  const bool object = r->inside.at[--r->inside.count];
  r->at++;
  value_read(r);
  return object ? BPI_JSON_OBJECT_END : BPI_JSON_ARRAY_END;
}

static bpi_json_token read_key(bpi_json_reader *r)
{
  if (!at_char(r, "\"")) return here(r, BPI_MSG_SYNTAX, "expected a key in quotes");
  if (!read_string(r)) return BPI_JSON_ERROR;
  while (at_char(r, " \t\r\n"))
    r->at++;
  if (!at_char(r, ":")) return here(r, BPI_MSG_SYNTAX, "expected ':'");
  r->at++;
  r->expect = VALUE;
  return BPI_JSON_KEY;
}

static bpi_json_token read_value(bpi_json_reader *r)
{
  if (at_char(r, "{")) return open(r, true);
  if (at_char(r, "[")) return open(r, false);
  bpi_json_token token = BPI_JSON_ERROR;
  if (at_char(r, "\""))
    token = read_string(r) ? BPI_JSON_STRING : BPI_JSON_ERROR;
  else if (at_char(r, "-0123456789"))
    token = read_number(r) ? BPI_JSON_NUMBER : BPI_JSON_ERROR;
  else if (is_word(r, "true"))
    token = BPI_JSON_TRUE;
  else if (is_word(r, "false"))
    token = BPI_JSON_FALSE;
  else if (is_word(r, "null"))
    token = BPI_JSON_NULL;
  else
    here(r, BPI_MSG_SYNTAX, "expected a value");
  value_read(r);
  return token;
}

static void skip_blanks(bpi_json_reader *r)
{
  while (at_char(r, " \t\r\n"))
    r->at++;
}

bpi_json_token bpi_json_next(bpi_json_reader *r)
{
  if (r->status == BP_OK && bpi_watch_expired(&r->watch)) failed(r, BP_E_LIMIT);
  if (r->status != BP_OK) return BPI_JSON_ERROR;
  skip_blanks(r);
  if (r->expect == NOTHING) {
    r->token_at = r->at;
    return r->at == r->len ? BPI_JSON_END : here(r, BPI_MSG_SYNTAX, "expected the end");
  }
  const bool object = r->inside.count && r->inside.at[r->inside.count - 1];
  const bool may_end =
      r->expect == COMMA_OR_END || r->expect == KEY_OR_END || r->expect == VALUE_OR_END;
  r->token_at = r->at;
  if (may_end && at_char(r, object ? "}" : "]")) return close(r);
  if (r->expect == COMMA_OR_END) {
    if (!at_char(r, ","))
      return here(r, BPI_MSG_SYNTAX, object ? "expected ',' or '}'" : "expected ',' or ']'");
    r->at++;
    skip_blanks(r);
    r->token_at = r->at;
    r->expect = object ? KEY : VALUE;
  }
  return r->expect == KEY || r->expect == KEY_OR_END ? read_key(r) : read_value(r);
}

bool bpi_json_skip(bpi_json_reader *r, bpi_json_token first)
{
  const bool opens = first == BPI_JSON_OBJECT || first == BPI_JSON_ARRAY;
  const uint32_t outside = r->inside.count - opens;
  while (first != BPI_JSON_ERROR && r->inside.count > outside)
    first = bpi_json_next(r);
  return first != BPI_JSON_ERROR;
}
