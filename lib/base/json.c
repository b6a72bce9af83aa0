/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"

void bpi_json_init(bpi_json *json, bpi_out *out)
{
  *json = (bpi_json){.out = out};
}

/* ---- structure --------------------------------------------------------- */

/* What stands before a value. */
static void begin_value(bpi_json *json)
{
  if (json->comma) bpi_out_char(json->out, ',');
  json->comma = true;
}

void bpi_json_push(bpi_json *json, char bracket)
{
  begin_value(json);
  bpi_out_char(json->out, bracket);
  json->comma = false;
}

void bpi_json_pop(bpi_json *json, char bracket)
{
  bpi_out_char(json->out, bracket);
  json->comma = true;
}

void bpi_json_key(bpi_json *json, const char *key)
{
  bpi_json_string(json, key);
  bpi_out_char(json->out, ':');
  json->comma = false;
}

/* ---- strings ----------------------------------------------------------- */

size_t bpi_utf8_length(const char *s, size_t len)
{
  const unsigned char *b = (const unsigned char *)s;
  if (!len) return 0;
  if (b[0] < 0x80) return 1;
  if (b[0] < 0xc2 || b[0] > 0xf4) return 0;
  const size_t want = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
  if (len < want) return 0;
  for (size_t i = 1; i < want; i++)
    if ((b[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (b[0] == 0xe0 && b[1] < 0xa0) || (b[0] == 0xf0 && b[1] < 0x90);
  const bool surrogate = b[0] == 0xed && b[1] > 0x9f;
  const bool too_large = b[0] == 0xf4 && b[1] > 0x8f;
  return overlong || surrogate || too_large ? 0 : want;
}

static void write_control(bpi_out *out, unsigned char c)
{
  static const char hex[] = "0123456789abcdef";
  static const char named[] = "\bb\ff\nn\rr\tt";
  const char *name = c ? memchr(named, c, sizeof named - 1) : NULL;
  bpi_out_char(out, '\\');
  if (name) {
    bpi_out_char(out, name[1]);
    return;
  }
  bpi_out_text(out, "u00");
  bpi_out_char(out, hex[c >> 4]);
  bpi_out_char(out, hex[c & 15]);
}

void bpi_json_string(bpi_json *json, const char *text)
{
  bpi_out *out = json->out;
  begin_value(json);
  bpi_out_char(out, '"');
  for (size_t left = strlen(text); left;) {
    const unsigned char c = (unsigned char)*text;
    const size_t len = bpi_utf8_length(text, left);
    if (!len) {
      bpi_out_text(out, REPLACEMENT);
    } else if (c < ' ' || c == 0x7f) {
      write_control(out, c);
    } else {
      if (c == '"' || c == '\\') bpi_out_char(out, '\\');
      bpi_out_bytes(out, text, len);
    }
    text += len ? len : 1;
    left -= len ? len : 1;
  }
  bpi_out_char(out, '"');
}

/* ---- numbers and words ------------------------------------------------- */

void bpi_json_u64(bpi_json *json, uint64_t number)
{
  const bool as_text = number > (uint64_t)1 << 53;
  begin_value(json);
  if (as_text) bpi_out_char(json->out, '"');
  bpi_out_u64(json->out, number);
  if (as_text) bpi_out_char(json->out, '"');
}

/* `billionths` as a fraction without zeros at its end. */
static void write_fraction(bpi_out *out, uint32_t billionths)
{
  char digits[9];
  size_t len = sizeof digits;
  for (size_t i = len; i-- > 0; billionths /= 10)
    digits[i] = (char)('0' + billionths % 10);
  while (len && digits[len - 1] == '0')
    len--;
  if (len) bpi_out_char(out, '.');
  bpi_out_bytes(out, digits, len);
}

void bpi_json_double(bpi_json *json, double number)
{
  bpi_out *out = json->out;
  const double size = number < 0 ? -number : number;
  uint32_t exponent = 0;
  double scaled = size;
  if (!(size <= 1.7976931348623157e308)) {
    bpi_json_null(json);
    return;
  }
  begin_value(json);
  if (number < 0) bpi_out_char(out, '-');
  for (; scaled >= 1e18; exponent++)
    scaled /= 10;
  uint64_t whole = (uint64_t)scaled;
  uint32_t billionths = (uint32_t)((scaled - (double)whole) * 1e9 + 0.5);
  if (billionths >= 1000000000) {
    billionths -= 1000000000;
    whole++;
  }
  bpi_out_u64(out, whole);
  write_fraction(out, billionths);
  if (!exponent) return;
  bpi_out_char(out, 'e');
  bpi_out_u64(out, exponent);
}

void bpi_json_bool(bpi_json *json, bool value)
{
  begin_value(json);
  bpi_out_text(json->out, value ? "true" : "false");
}

void bpi_json_null(bpi_json *json)
{
  begin_value(json);
  bpi_out_text(json->out, "null");
}

void bpi_json_put_text(bpi_json *json, const char *key, const char *text)
{
  bpi_json_key(json, key);
  bpi_json_string(json, text ? text : "");
}

void bpi_json_put_number(bpi_json *json, const char *key, uint64_t number)
{
  bpi_json_key(json, key);
  bpi_json_u64(json, number);
}

void bpi_json_put_seconds(bpi_json *json, const char *key, double seconds)
{
  bpi_json_key(json, key);
  bpi_json_double(json, seconds);
}
