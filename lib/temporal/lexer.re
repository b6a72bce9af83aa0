/* SPDX-License-Identifier: MIT */
#include "temporal/lexer.h"

void bpi_ltl_lexer_init(bpi_ltl_lexer *lexer, const char *text, size_t len)
{
  *lexer = (bpi_ltl_lexer){
      .text = text, .cursor = text, .limit = text + len, .line_at = text, .line = 1};
}

/*!re2c
  re2c:eof = 0;
  re2c:yyfill:enable = 0;
  re2c:tags = 1;
  re2c:define:YYCTYPE = "unsigned char";
  re2c:define:YYCURSOR = at;
  re2c:define:YYMARKER = marker;
  re2c:define:YYLIMIT = limit;

  blank  = [ \t\f\v\r];
  more   = [A-Za-z0-9_$#];
  word   = [A-Za-z_$] (more | "-" more)*;
  braced = "{" [^{}\n\x00]+ "}";
  number = [0-9]+;
  name   = word | braced;
  string = "\"" ([^"\\\n\x00] | "\\" ["\\])* "\"";
*/

static const unsigned char *foreign_run(const unsigned char *at, const unsigned char *limit)
{
  if (at[-1] < 128) return at;
  while (at < limit && *at >= 128) at++;
  return at;
}

static bpi_span span(const unsigned char *from, const unsigned char *to)
{
  return (bpi_span){(const char *)from, (size_t)(to - from)};
}

static bpi_ltl_token bad(bpi_ltl_lexer *lexer, bpi_message error, const char *message)
{
  lexer->error = error;
  lexer->message = message;
  return (bpi_ltl_token){.kind = BPI_L_BAD};
}

static bpi_ltl_token frame(bp_atom_kind kind, const unsigned char *from, const unsigned char *to)
{
  return (bpi_ltl_token){.kind = BPI_L_ATOM, .atom = kind, .proc = span(from, to)};
}

/* What is between the quotes: a name, or an expression. */
bpi_ltl_token bpi_ltl_lexer_quoted(const char *text, size_t len)
{
  const unsigned char *const from = (const unsigned char *)text, *const to = from + len;
  bpi_ltl_token token = {.kind = BPI_L_ATOM, .atom = BP_ATOM_QUOTED, .text = span(from, to)};
  const unsigned char *at = from, *limit = to, *marker, *a, *b, *c, *d;
  token.escaped = memchr(from, '\\', (size_t)(to - from)) != NULL;
  /*!stags:re2c:quoted format = 'const unsigned char *@@ = NULL;\n'; */
  /*!re2c:quoted
    blank* @a (name | number) @b blank* {
      if (at != to) return token;
      token.atom = BP_ATOM_NAME;
      token.text = span(a, b);
      token.escaped = false;
      return token;
    }
    blank* @a name @b "." @c (name | number) @d blank* {
      if (at != to) return token;
      token.atom = BP_ATOM_NAME;
      token.proc = span(a, b);
      token.text = span(c, d);
      token.escaped = false;
      return token;
    }
    *  { return token; }
    $  { return token; }
  */
}

#define BINARY(which) return (bpi_ltl_token){.kind = BPI_L_BINARY, .op = (which)}
#define CONST(which) return (bpi_ltl_token){.kind = BPI_L_CONST, .op = (which)}
#define TOKEN(which) return (bpi_ltl_token){.kind = (which)}

static bpi_ltl_token scan(bpi_ltl_lexer *lexer, const unsigned char **begin, const unsigned char **end)
{
  const unsigned char *at = (const unsigned char *)lexer->cursor, *marker, *start, *a, *b, *c;
  const unsigned char *const limit = (const unsigned char *)lexer->limit;
  /*!stags:re2c:formula format = 'const unsigned char *@@ = NULL;\n'; */
  for (;;) {
    start = *begin = at;
    /*!re2c:formula
      blank+  { continue; }
      "\n"    { lexer->line++; lexer->line_at = (const char *)at; continue; }

      "true" | "1"   { *end = at; CONST(BP_FORMULA_TRUE); }
      "false" | "0"  { *end = at; CONST(BP_FORMULA_FALSE); }
      [FGX]+         { *end = at; TOKEN(BPI_L_PREFIX); }
      "[]"  { *end = at; return (bpi_ltl_token){.kind = BPI_L_PREFIX, .op = BP_FORMULA_ALWAYS}; }
      "<>"  { *end = at; return (bpi_ltl_token){.kind = BPI_L_PREFIX, .op = BP_FORMULA_EVENTUALLY}; }
      "U"   { *end = at; BINARY(BP_FORMULA_UNTIL); }
      "R"   { *end = at; BINARY(BP_FORMULA_RELEASE); }
      "W"   { *end = at; BINARY(BP_FORMULA_WEAK_UNTIL); }
      "M"   { *end = at; BINARY(BP_FORMULA_STRONG_RELEASE); }
      "&&" | "&"     { *end = at; BINARY(BP_FORMULA_AND); }
      "||" | "|"     { *end = at; BINARY(BP_FORMULA_OR); }
      "->" | "=>"    { *end = at; BINARY(BP_FORMULA_IMPLIES); }
      "<->" | "<=>"  { *end = at; BINARY(BP_FORMULA_IFF); }
      "!" | "~"      { *end = at; TOKEN(BPI_L_NOT); }
      "("            { *end = at; TOKEN(BPI_L_OPEN); }
      ")"            { *end = at; TOKEN(BPI_L_CLOSE); }

      "terminated"   { *end = at; return (bpi_ltl_token){.kind = BPI_L_ATOM, .atom = BP_ATOM_TERMINATED}; }
      "failed"       { *end = at; return (bpi_ltl_token){.kind = BPI_L_ATOM, .atom = BP_ATOM_FAILED}; }
      "in" blank* "(" blank* @a name @b blank* ")"     { *end = at; return frame(BP_ATOM_IN, a, b); }
      "enter" blank* "(" blank* @a name @b blank* ")"  { *end = at; return frame(BP_ATOM_ENTER, a, b); }
      "exit" blank* "(" blank* @a name @b blank* ")"   { *end = at; return frame(BP_ATOM_EXIT, a, b); }
      ("in" | "enter" | "exit") blank* "(" {
        *end = at;
        return bad(lexer, BPI_MSG_SYNTAX, "expected the name of one procedure in these parentheses");
      }
      name {
        *end = at;
        return (bpi_ltl_token){.kind = BPI_L_ATOM, .atom = BP_ATOM_NAME, .text = span(start, at)};
      }
      @a name @b "." @c (name | number) {
        *end = at;
        return (bpi_ltl_token){.kind = BPI_L_ATOM, .atom = BP_ATOM_NAME, .proc = span(a, b), .text = span(c, at)};
      }
      string { *end = at; return bpi_ltl_lexer_quoted((const char *)start + 1, (size_t)(at - start) - 2); }

      "\"" { *end = at; return bad(lexer, BPI_MSG_OPEN_STRING, "this string has no end on its line, or a \\ before something other than \\ and \""); }
      "{"  { *end = at; return bad(lexer, BPI_MSG_OPEN_BRACE, "this '{' has no '}' on its line, or nothing between"); }
      [0-9] more* { *end = at; return bad(lexer, BPI_MSG_NUMBER, "a number other than 0 and 1 is no formula; a label that is a number has quotes"); }
      [^]  {
        *end = at = foreign_run(at, limit);
        return bad(lexer, BPI_MSG_CHARACTER, NULL);
      }
      $    { *end = at; TOKEN(BPI_L_END); }
    */
  }
}

bpi_ltl_token bpi_ltl_lexer_next(bpi_ltl_lexer *lexer)
{
  const unsigned char *begin, *end;
  bpi_ltl_token token = scan(lexer, &begin, &end);
  lexer->cursor = (const char *)end;
  token.range = (bp_range){.offset = (uint32_t)((const char *)begin - lexer->text),
                           .end = (uint32_t)((const char *)end - lexer->text),
                           .line = lexer->line,
                           .column = (uint32_t)((const char *)begin - lexer->line_at) + 1};
  return token;
}
