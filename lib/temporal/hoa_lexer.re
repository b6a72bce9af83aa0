/* SPDX-License-Identifier: MIT */
#include "temporal/hoa.h"

void bpi_hoa_lexer_init(bpi_hoa_lexer *lexer, const char *text, size_t len)
{
  *lexer = (bpi_hoa_lexer){
      .text = text, .cursor = text, .limit = text + len, .line_at = text, .line = 1};
}

static void new_line(bpi_hoa_lexer *lexer, const unsigned char *at)
{
  lexer->line++;
  lexer->line_at = (const char *)at;
}

/* Behind the comment whose opening stands before `at`, those inside it included; NULL: it is open. */
static const unsigned char *skip_comment(bpi_hoa_lexer *lexer, const unsigned char *at)
{
  const unsigned char *const limit = (const unsigned char *)lexer->limit;
  for (uint32_t depth = 1; at < limit;) {
    if (at[0] == '*' && at[1] == '/') {
      at += 2;
      if (!--depth) return at;
    } else if (at[0] == '/' && at[1] == '*') {
      at += 2;
      depth++;
    } else if (*at++ == '\n') {
      new_line(lexer, at);
    }
  }
  return NULL;
}

/* Behind the string whose quote stands before `at`; NULL: it is open. */
static const unsigned char *skip_string(bpi_hoa_lexer *lexer, const unsigned char *at)
{
  const unsigned char *const limit = (const unsigned char *)lexer->limit;
  while (at < limit) {
    const unsigned char c = *at++;
    if (c == '"') return at;
    if (c == '\\' && at < limit && *at++ == '\n') new_line(lexer, at);
    if (c == '\n') new_line(lexer, at);
  }
  return NULL;
}

static bpi_hoa_kind bad(bpi_hoa_lexer *lexer, bpi_message error, const char *message)
{
  lexer->error = error;
  lexer->message = message;
  return BPI_H_BAD;
}

/*!re2c
  re2c:eof = 0;
  re2c:yyfill:enable = 0;
  re2c:define:YYCTYPE = "unsigned char";
  re2c:define:YYCURSOR = at;
  re2c:define:YYMARKER = marker;
  re2c:define:YYLIMIT = limit;
*/

#define TOKEN(which) return *end = at, (which)

/* Sets the place of the token's first byte before strings and comments move the line on. */
static bpi_hoa_kind scan(bpi_hoa_lexer *lexer, bpi_hoa_token *token, const unsigned char **end)
{
  const unsigned char *at = (const unsigned char *)lexer->cursor, *marker;
  const unsigned char *const limit = (const unsigned char *)lexer->limit;
  for (;;) {
    token->at = (const char *)at;
    token->range.line = lexer->line;
    token->range.column = (uint32_t)((const char *)at - lexer->line_at) + 1;
    /*!re2c
      letter = [A-Za-z_];
      more   = [A-Za-z0-9_-];

      [ \t\r\f\v]+ { continue; }
      "\n"         { new_line(lexer, at); continue; }
      "/*" {
        at = skip_comment(lexer, at);
        if (at) continue;
        *end = limit;
        return bad(lexer, BPI_MSG_OPEN_COMMENT, "this comment has no end");
      }
      "\"" {
        at = skip_string(lexer, at);
        if (at) TOKEN(BPI_H_STRING);
        *end = limit;
        return bad(lexer, BPI_MSG_OPEN_STRING, "this string has no end");
      }
      "--BODY--"   { TOKEN(BPI_H_BODY); }
      "--END--"    { TOKEN(BPI_H_END); }
      "--ABORT--"  { TOKEN(BPI_H_ABORT); }
      letter (more | ".")* ":"  { TOKEN(BPI_H_HEADER); }
      letter (more | ".")*      { TOKEN(BPI_H_WORD); }
      "@" more+         { TOKEN(BPI_H_ALIAS); }
      [0-9]+            { TOKEN(BPI_H_NUMBER); }
      "!"  { TOKEN(BPI_H_NOT); }
      "&"  { TOKEN(BPI_H_AND); }
      "|"  { TOKEN(BPI_H_OR); }
      "("  { TOKEN(BPI_H_OPEN); }
      ")"  { TOKEN(BPI_H_CLOSE); }
      "["  { TOKEN(BPI_H_OPEN_LABEL); }
      "]"  { TOKEN(BPI_H_CLOSE_LABEL); }
      "{"  { TOKEN(BPI_H_OPEN_SETS); }
      "}"  { TOKEN(BPI_H_CLOSE_SETS); }
      [^]  { *end = at; return bad(lexer, BPI_MSG_CHARACTER, "this byte has no meaning here"); }
      $    { TOKEN(BPI_H_END_OF_TEXT); }
    */
  }
}

static uint32_t value_of(const bpi_hoa_token *token)
{
  uint64_t value = 0;
  for (uint32_t i = 0; i < token->len && value < UINT32_MAX; i++)
    value = 10 * value + (uint64_t)(token->at[i] - '0');
  return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

bpi_hoa_token bpi_hoa_lexer_next(bpi_hoa_lexer *lexer)
{
  const unsigned char *end;
  bpi_hoa_token token = {0};
  token.kind = scan(lexer, &token, &end);
  lexer->cursor = (const char *)end;
  token.len = (uint32_t)(lexer->cursor - token.at);
  token.range.offset = (uint32_t)(token.at - lexer->text);
  token.range.end = token.range.offset + token.len;
  if (token.kind == BPI_H_NUMBER) token.number = value_of(&token);
  return token;
}
