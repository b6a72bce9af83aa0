/* SPDX-License-Identifier: MIT */
#include "text/lexer.h"

void bpi_lexer_init(bpi_lexer *lexer, const char *text, size_t len)
{
  const unsigned char *bytes = (const unsigned char *)text;
  *lexer = (bpi_lexer){.text = bytes, .cursor = bytes, .limit = bytes + len};
}

/* One message for a run of bytes that mean nothing, such as a character of several bytes. */
static const unsigned char *foreign_run(const unsigned char *at, const unsigned char *limit)
{
  if (at[-1] >= ' ' && at[-1] < 127) return at;
  while (at < limit && (*at > 126 || (*at < ' ' && (*at < '\t' || *at > '\r')))) at++;
  return at;
}

/*!re2c
  re2c:eof = 0;
  re2c:yyfill:enable = 0;
  re2c:define:YYCTYPE = "unsigned char";
  re2c:define:YYCURSOR = at;
  re2c:define:YYMARKER = marker;
  re2c:define:YYLIMIT = lexer->limit;
*/

/* The place after the comment, or NULL when the text ends in it. */
static const unsigned char *skip_comment(const bpi_lexer *lexer, const unsigned char *at)
{
  for (;;) {
    /*!re2c
      "*" [/]  { return at; }
      [^]      { continue; }
      $        { return NULL; }
    */
  }
}

static bpi_token_kind bad(bpi_lexer *lexer, bpi_message error)
{
  lexer->error = error;
  return BPI_T_BAD;
}

static bpi_token_kind scan(bpi_lexer *lexer, const unsigned char **start)
{
  const unsigned char *at = lexer->cursor, *marker;
#define TOKEN(kind) return lexer->cursor = at, (kind)
  for (;;) {
    *start = at;
    /*!re2c
      blank = [ \t\n\f\v\r];
      more  = [A-Za-z0-9_$#];
      name  = [A-Za-z_$] (more | "-" more)*;

      blank+           { continue; }
      "//" [^\n]*      { continue; }
      "/*" {
        const unsigned char *behind = skip_comment(lexer, at);
        if (!behind) {
          lexer->cursor = lexer->limit;
          return bad(lexer, BPI_MSG_OPEN_COMMENT);
        }
        at = behind;
        continue;
      }

      "decl"         { TOKEN(BPI_T_DECL); }
      "void"         { TOKEN(BPI_T_VOID); }
      "bool"         { TOKEN(BPI_T_BOOL); }
      "begin"        { TOKEN(BPI_T_BEGIN); }
      "end"          { TOKEN(BPI_T_END); }
      "if"           { TOKEN(BPI_T_IF); }
      "then"         { TOKEN(BPI_T_THEN); }
      "else"         { TOKEN(BPI_T_ELSE); }
      "elsif"        { TOKEN(BPI_T_ELSIF); }
      "fi"           { TOKEN(BPI_T_FI); }
      "while"        { TOKEN(BPI_T_WHILE); }
      "do"           { TOKEN(BPI_T_DO); }
      "od"           { TOKEN(BPI_T_OD); }
      "skip"         { TOKEN(BPI_T_SKIP); }
      "goto"         { TOKEN(BPI_T_GOTO); }
      "return"       { TOKEN(BPI_T_RETURN); }
      "assert"       { TOKEN(BPI_T_ASSERT); }
      "assume"       { TOKEN(BPI_T_ASSUME); }
      "print"        { TOKEN(BPI_T_PRINT); }
      "constrain"    { TOKEN(BPI_T_CONSTRAIN); }
      "enforce"      { TOKEN(BPI_T_ENFORCE); }
      "schoose"      { TOKEN(BPI_T_SCHOOSE); }
      "dfs"          { TOKEN(BPI_T_DFS); }
      "dead"         { TOKEN(BPI_T_DEAD); }
      "abortif"      { TOKEN(BPI_T_ABORTIF); }
      "start_thread" { TOKEN(BPI_T_START_THREAD); }
      "end_thread"   { TOKEN(BPI_T_END_THREAD); }
      "atomic_begin" { TOKEN(BPI_T_ATOMIC_BEGIN); }
      "atomic_end"   { TOKEN(BPI_T_ATOMIC_END); }
      "sync"         { TOKEN(BPI_T_SYNC); }
      "thread_local" { TOKEN(BPI_T_THREAD_LOCAL); }
      "T" | "true"   { TOKEN(BPI_T_TRUE); }
      "F" | "false"  { TOKEN(BPI_T_FALSE); }
      name           { TOKEN(BPI_T_ID); }
      [0-9]+         { TOKEN(BPI_T_NUMBER); }
      "{" [^{}\n\x00]+ "}" { TOKEN(BPI_T_ID); }

      ";"            { TOKEN(BPI_T_SEMICOLON); }
      ","            { TOKEN(BPI_T_COMMA); }
      ":"            { TOKEN(BPI_T_COLON); }
      ":="           { TOKEN(BPI_T_ASSIGN); }
      "("            { TOKEN(BPI_T_LPAREN); }
      ")"            { TOKEN(BPI_T_RPAREN); }
      "["            { TOKEN(BPI_T_LBRACKET); }
      "]"            { TOKEN(BPI_T_RBRACKET); }
      "<"            { TOKEN(BPI_T_LESS); }
      ">"            { TOKEN(BPI_T_GREATER); }
      "'"            { TOKEN(BPI_T_PRIME); }
      "!" | "~"      { TOKEN(BPI_T_NOT); }
      "&" | "&&"     { TOKEN(BPI_T_AND); }
      "|" | "||"     { TOKEN(BPI_T_OR); }
      "^"            { TOKEN(BPI_T_XOR); }
      "="            { TOKEN(BPI_T_EQ); }
      "!="           { TOKEN(BPI_T_NE); }
      "=>"           { TOKEN(BPI_T_IMPLIES); }
      "*"            { TOKEN(BPI_T_STAR); }
      "?"            { TOKEN(BPI_T_QUERY); }

      "{"  { lexer->cursor = at; return bad(lexer, BPI_MSG_OPEN_BRACE); }
      [^]  { lexer->cursor = foreign_run(at, lexer->limit); return bad(lexer, BPI_MSG_CHARACTER); }
      $    { TOKEN(BPI_T_END_OF_FILE); }
    */
  }
#undef TOKEN
}

bpi_token bpi_lexer_next(bpi_lexer *lexer)
{
  const unsigned char *start = lexer->cursor;
  const bpi_token_kind kind = scan(lexer, &start);
  return (bpi_token){.kind = (uint32_t)kind,
                     .offset = (uint32_t)(start - lexer->text),
                     .end = (uint32_t)(lexer->cursor - lexer->text)};
}
