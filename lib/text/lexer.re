/* SPDX-License-Identifier: MIT */
#include "text/lexer.h"

static void go_to(bpi_lexer *lexer, uint32_t offset)
{
  const bpi_source *s = lexer->source;
  const bool tail = offset >= s->cut;
  lexer->start = (const unsigned char *)(tail ? s->tail : s->text);
  lexer->base = tail ? s->cut : 0;
  lexer->limit = lexer->start + (tail ? s->len - s->cut : s->cut);
  lexer->cursor = lexer->start + (offset - lexer->base);
}

void bpi_lexer_init(bpi_lexer *lexer, const bpi_source *source, uint32_t offset)
{
  *lexer = (bpi_lexer){.source = source, .line = 1, .line_at = offset};
  go_to(lexer, offset);
}

/* At a limit: whether that was the end of all. Otherwise goes on in the tail. */
static bool at_end(bpi_lexer *lexer)
{
  if (lexer->base + (uint32_t)(lexer->limit - lexer->start) == lexer->source->len) return true;
  go_to(lexer, lexer->source->cut);
  return false;
}

static uint32_t offset_of(const bpi_lexer *lexer, const unsigned char *at)
{
  return lexer->base + (uint32_t)(at - lexer->start);
}

static void new_line(bpi_lexer *lexer, const unsigned char *at)
{
  lexer->line++;
  lexer->line_at = offset_of(lexer, at);
}

/* One message for a run of bytes that mean nothing, such as a character of several bytes. */
static const unsigned char *foreign_run(const unsigned char *at, const unsigned char *limit)
{
  if (at[-1] >= ' ' && at[-1] < 127) return at;
  while (at < limit && (*at > 126 || (*at < ' ' && (*at < '\t' || *at > '\r')))) at++;
  return at;
}

/*!re2c
  re2c:eof = 10;
  re2c:yyfill:enable = 0;
  re2c:define:YYCTYPE = "unsigned char";
  re2c:define:YYCURSOR = at;
  re2c:define:YYMARKER = marker;
  re2c:define:YYLIMIT = lexer->limit;
*/

/* Goes behind the comment that begins before `at`. False when the text ends in it: a bad token. */
static bool skip_comment(bpi_lexer *lexer, bpi_token *token, const unsigned char *at)
{
  *token = (bpi_token){.kind = BPI_T_BAD,
                       .offset = offset_of(lexer, at) - 2,
                       .line = lexer->line,
                       .line_at = lexer->line_at};
  for (;;) {
    if (at == lexer->limit) {
      lexer->cursor = at;
      if (at_end(lexer)) break;
      at = lexer->cursor;
    }
    const unsigned char c = *at++;
    if (c == '\n') {
      new_line(lexer, at);
    } else if (c == '*' && *at == '/') {
      lexer->cursor = at + 1;
      return true;
    }
  }
  token->end = offset_of(lexer, at);
  lexer->error = BPI_MSG_OPEN_COMMENT;
  return false;
}

void bpi_lexer_next(bpi_lexer *lexer, bpi_token *token)
{
  const unsigned char *at = lexer->cursor, *marker, *start;
  bpi_token_kind kind;
#define TOKEN(is)                                                                                  \
  kind = (is);                                                                                     \
  break
  for (;;) {
    while (*at == ' ')
      at++; /* most blanks: the limit is none */
    start = at;
    /*!re2c
      blank = [ \t\f\v\r];
      more  = [A-Za-z0-9_$#];
      name  = [A-Za-z_$] (more | "-" more)*;

      blank+           { continue; }
      "\n" {
        new_line(lexer, at);
        continue;
      }
      "//" [^\n]*      { continue; }
      "/*" {
        if (!skip_comment(lexer, token, at)) return;
        at = lexer->cursor;
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

      "{"  { lexer->error = BPI_MSG_OPEN_BRACE; TOKEN(BPI_T_BAD); }
      [^]  {
        lexer->error = BPI_MSG_CHARACTER;
        at = foreign_run(at, lexer->limit);
        TOKEN(BPI_T_BAD);
      }
      $ {
        if (at_end(lexer)) {
          start = at = lexer->limit;
          TOKEN(BPI_T_END_OF_FILE);
        }
        at = lexer->cursor;
        continue;
      }
    */
  }
#undef TOKEN
  lexer->cursor = at;
  *token = (bpi_token){.kind = (uint32_t)kind,
                       .offset = offset_of(lexer, start),
                       .end = offset_of(lexer, at),
                       .line = lexer->line,
                       .line_at = lexer->line_at};
}
