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

/* Where offset 0 would be: what to take from the address of a byte to get its offset. */
static uintptr_t origin_of(const bpi_lexer *lexer)
{
  return (uintptr_t)lexer->start - lexer->base;
}

static uint32_t offset_of(const bpi_lexer *lexer, const unsigned char *at)
{
  return (uint32_t)((uintptr_t)at - origin_of(lexer));
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
      lexer->line++;
      lexer->line_at = offset_of(lexer, at);
    } else if (c == '*' && *at == '/') {
      lexer->cursor = at + 1;
      return true;
    }
  }
  token->end = offset_of(lexer, at);
  lexer->error = BPI_MSG_OPEN_COMMENT;
  return false;
}

/* An open comment: behind other tokens it waits for the next time. */
static uint32_t put_back(bpi_lexer *lexer, const bpi_token *bad, uint32_t before)
{
  if (!before) return 1;
  go_to(lexer, bad->offset);
  lexer->line = bad->line;
  lexer->line_at = bad->line_at;
  return before;
}

uint32_t bpi_lexer_read(bpi_lexer *lexer, bpi_token *tokens, uint32_t most)
{
  const unsigned char *at = lexer->cursor, *marker, *start;
  const bpi_token *const end = tokens + most;
  uintptr_t origin = origin_of(lexer);
  uint32_t line = lexer->line, line_at = lexer->line_at;
  bpi_token *token = tokens;
  bpi_token_kind kind;
#define TOKEN(is)                                                                                  \
  kind = (is);                                                                                     \
  break
#define OFFSET(byte) ((uint32_t)((uintptr_t)(byte) - origin))
  do {
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
          line++;
          line_at = OFFSET(at);
          continue;
        }
        "//" [^\n]*      { continue; }
        "/*" {
          lexer->line = line;
          lexer->line_at = line_at;
          if (!skip_comment(lexer, token, at))
            return put_back(lexer, token, (uint32_t)(token - tokens));
          at = lexer->cursor;
          line = lexer->line;
          line_at = lexer->line_at;
          origin = origin_of(lexer);
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
          origin = origin_of(lexer);
          continue;
        }
      */
    }
    *token = (bpi_token){kind, OFFSET(start), OFFSET(at), line, line_at};
    if (kind == BPI_T_BAD && token != tokens) {
      at = start; /* it begins those read next time */
      break;
    }
    token++;
  } while (token < end && kind != BPI_T_END_OF_FILE && kind != BPI_T_BAD);
#undef OFFSET
#undef TOKEN
  lexer->cursor = at;
  lexer->line = line;
  lexer->line_at = line_at;
  return (uint32_t)(token - tokens);
}
