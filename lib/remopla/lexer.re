/* SPDX-License-Identifier: MIT */
#include "remopla/lexer.h"

static void go_to(bpi_rlexer *lexer, uint32_t offset)
{
  const bpi_source *s = lexer->source;
  const bool tail = offset >= s->cut;
  lexer->start = (const unsigned char *)(tail ? s->tail : s->text);
  lexer->base = tail ? s->cut : 0;
  lexer->limit = lexer->start + (tail ? s->len - s->cut : s->cut);
  lexer->cursor = lexer->start + (offset - lexer->base);
}

void bpi_rlexer_init(bpi_rlexer *lexer, const bpi_source *source)
{
  *lexer = (bpi_rlexer){.source = source, .line = 1};
  go_to(lexer, 0);
}

/* At a limit: whether that was the end of all. Otherwise goes on in the tail. */
static bool at_end(bpi_rlexer *lexer)
{
  if (lexer->base + (uint32_t)(lexer->limit - lexer->start) == lexer->source->len) return true;
  go_to(lexer, lexer->source->cut);
  return false;
}

static uint32_t offset_of(const bpi_rlexer *lexer, const unsigned char *at)
{
  return lexer->base + (uint32_t)(at - lexer->start);
}

/* One token for a run of bytes that mean nothing, such as a character of several bytes. */
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
  re2c:define:YYLIMIT = lexer->limit;
*/

static bpi_rtoken_kind scan(bpi_rlexer *lexer, uint32_t *offset)
{
  const unsigned char *at = lexer->cursor, *start;
#define TOKEN(kind) return lexer->cursor = at, *offset = offset_of(lexer, start), (kind)
  for (;;) {
    start = at;
    /*!re2c
      [ \t\f\v\r]+     { continue; }
      "\n" {
        lexer->line++;
        lexer->line_at = offset_of(lexer, at);
        continue;
      }
      ("#" | "//" | "%") [^\n]* { continue; }

      "bool"     { TOKEN(BPI_R_BOOL); }
      "break"    { TOKEN(BPI_R_BREAK); }
      "define"   { TOKEN(BPI_R_DEFINE); }
      "do"       { TOKEN(BPI_R_DO); }
      "else"     { TOKEN(BPI_R_ELSE); }
      "enum"     { TOKEN(BPI_R_ENUM); }
      "false"    { TOKEN(BPI_R_FALSE); }
      "fi"       { TOKEN(BPI_R_FI); }
      "goto"     { TOKEN(BPI_R_GOTO); }
      "if"       { TOKEN(BPI_R_IF); }
      "init"     { TOKEN(BPI_R_INIT); }
      "int"      { TOKEN(BPI_R_INT); }
      "module"   { TOKEN(BPI_R_MODULE); }
      "od"       { TOKEN(BPI_R_OD); }
      "return"   { TOKEN(BPI_R_RETURN); }
      "skip"     { TOKEN(BPI_R_SKIP); }
      "true"     { TOKEN(BPI_R_TRUE); }
      "undef"    { TOKEN(BPI_R_UNDEF); }
      "void"     { TOKEN(BPI_R_VOID); }
      [A-Za-z_][A-Za-z_0-9]* { TOKEN(BPI_R_NAME); }
      [0-9]+     { TOKEN(BPI_R_NUMBER); }

      ";"        { TOKEN(BPI_R_SEMICOLON); }
      ","        { TOKEN(BPI_R_COMMA); }
      ":"        { TOKEN(BPI_R_COLON); }
      "::"       { TOKEN(BPI_R_CLAUSE); }
      "="        { TOKEN(BPI_R_ASSIGN); }
      "("        { TOKEN(BPI_R_LPAREN); }
      ")"        { TOKEN(BPI_R_RPAREN); }
      "["        { TOKEN(BPI_R_LBRACKET); }
      "]"        { TOKEN(BPI_R_RBRACKET); }
      "{"        { TOKEN(BPI_R_LBRACE); }
      "}"        { TOKEN(BPI_R_RBRACE); }
      "."        { TOKEN(BPI_R_DOT); }
      "!"        { TOKEN(BPI_R_NOT); }
      "<=>"      { TOKEN(BPI_R_IFF); }
      "->"       { TOKEN(BPI_R_ARROW); }
      "||"       { TOKEN(BPI_R_OR); }
      "^^"       { TOKEN(BPI_R_XOR); }
      "&&"       { TOKEN(BPI_R_AND); }
      "=="       { TOKEN(BPI_R_EQ); }
      "!="       { TOKEN(BPI_R_NE); }
      "<"        { TOKEN(BPI_R_LT); }
      "<="       { TOKEN(BPI_R_LE); }
      ">"        { TOKEN(BPI_R_GT); }
      ">="       { TOKEN(BPI_R_GE); }
      "+"        { TOKEN(BPI_R_PLUS); }
      "-"        { TOKEN(BPI_R_MINUS); }
      "*"        { TOKEN(BPI_R_TIMES); }
      "/"        { TOKEN(BPI_R_DIVIDE); }

      [^]  {
        at = foreign_run(at, lexer->limit);
        TOKEN(BPI_R_BAD);
      }
      $ {
        if (at_end(lexer)) {
          lexer->cursor = lexer->limit;
          *offset = lexer->source->len;
          return BPI_R_END_OF_FILE;
        }
        at = lexer->cursor;
        continue;
      }
    */
  }
#undef TOKEN
}

bpi_rtoken bpi_rlexer_next(bpi_rlexer *lexer)
{
  uint32_t offset;
  const bpi_rtoken_kind kind = scan(lexer, &offset);
  return (bpi_rtoken){.kind = (uint32_t)kind,
                      .offset = offset,
                      .end = offset_of(lexer, lexer->cursor),
                      .line = lexer->line,
                      .line_at = lexer->line_at};
}
