/* SPDX-License-Identifier: MIT */
#include "json_text.h"

#include <stdio.h>
#include <string.h>

/* The bytes of the UTF-8 character at `s`, 0 when there is none. */
static size_t character(const unsigned char *s)
{
  if (s[0] < 0x80) return 1;
  const size_t len = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
  if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
  for (size_t i = 1; i < len; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  const bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
  const bool surrogate = s[0] == 0xed && s[1] > 0x9f;
  const bool too_large = s[0] == 0xf4 && s[1] > 0x8f;
  return overlong || surrogate || too_large ? 0 : len;
}

void cli_json_string(cli_text *out, const char *text)
{
  cli_text_puts(out, "\"");
  for (const char *c = text; *c;) {
    const size_t len = character((const unsigned char *)c);
    char escape[8];
    if (!len) {
      cli_text_puts(out, "\xef\xbf\xbd");
    } else if ((unsigned char)*c < ' ' || *c == 0x7f) {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*c);
      cli_text_puts(out, escape);
    } else {
      if (*c == '"' || *c == '\\') cli_text_puts(out, "\\");
      cli_text_add(out, c, len);
    }
    c += len ? len : 1;
  }
  cli_text_puts(out, "\"");
}

void cli_json_seconds(cli_text *out, double seconds)
{
  const uint64_t micro = seconds > 0 && seconds < 1e12 ? (uint64_t)(seconds * 1e6 + 0.5) : 0;
  char fraction[8];
  cli_text_number(out, micro / 1000000);
  snprintf(fraction, sizeof fraction, ".%06u", (unsigned)(micro % 1000000));
  cli_text_puts(out, fraction);
}

void cli_json_begin(cli_text *out, const char *command, const char *file)
{
  cli_text_puts(out, "{\"version\":1,\"command\":");
  cli_json_string(out, command);
  cli_text_puts(out, ",\"file\":");
  cli_json_string(out, file);
}
