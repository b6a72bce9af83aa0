/* SPDX-License-Identifier: MIT */
#include "remopla/parser.h"

enum { MOST_NAME = 255 };

void bpi_rparser_init(bpi_rparser *p, bpi_draft *d, bpi_rtree *t, bpi_source *source)
{
  d->text = source->text;
  d->len = source->len;
  *p = (bpi_rparser){.d = d, .t = t, .source = source};
  bpi_rlexer_init(&p->lexer, source);
  bpi_rparser_step(p);
  bpi_rparser_step(p);
  p->last_end = 0;
}

void bpi_rparser_free(bpi_rparser *p)
{
  bpi_vec_free(&p->pending);
  bpi_vec_free(&p->open);
}

/* ---- tokens ------------------------------------------------------------ */

bool bpi_rparser_no_memory(bpi_rparser *p)
{
  return bpi_draft_stop(p->d, BP_E_NOMEM);
}

bp_range bpi_rtoken_range(bpi_rtoken token)
{
  return (bp_range){.offset = token.offset,
                    .end = token.end,
                    .line = token.line,
                    .column = token.offset - token.line_at + 1};
}

static void report_bad(bpi_rparser *p, bpi_rtoken token)
{
  const unsigned char c = (unsigned char)p->source->text[token.offset];
  const bp_range range = bpi_rtoken_range(token);
  if (p->quiet) return;
  if (c < ' ' || c > 126)
    bpi_draft_error(p->d, BPI_MSG_CHARACTER, NULL, &range, "the byte 0x%02X has no meaning here",
                    c);
  else
    bpi_draft_error(p->d, BPI_MSG_CHARACTER, NULL, &range, "the character '%c' has no meaning%s", c,
                    c == '&'   ? "; '&&' is the conjunction"
                    : c == '|' ? "; '||' is the disjunction"
                    : c == '^' ? "; '^^' is the exclusive or"
                               : "");
}

void bpi_rparser_step(bpi_rparser *p)
{
  p->last_end = p->now.end;
  p->now = p->next;
  p->next = bpi_rlexer_next(&p->lexer);
  if (p->next.kind == BPI_R_BAD && !bpi_rat(p, BPI_R_BAD)) report_bad(p, p->next);
}

bool bpi_rparser_take(bpi_rparser *p, bpi_rtoken_kind kind)
{
  if (!bpi_rat(p, kind)) return false;
  bpi_rparser_step(p);
  return true;
}

bool bpi_rparser_missing(bpi_rparser *p, const char *what)
{
  if (bpi_rat(p, BPI_R_BAD) || p->d->status != BP_OK) return false;
  const bp_range range = bpi_rtoken_range(p->now);
  const bpi_quoted before =
      bpi_rat(p, BPI_R_END_OF_FILE)
          ? (bpi_quoted){"the end of the text"}
          : bpi_quote(p->source->text + p->now.offset, p->now.end - p->now.offset);
  bpi_draft_error(p->d, BPI_MSG_SYNTAX, NULL, &range, "expected %s before %s", what, before.text);
  return false;
}

bool bpi_rparser_expect(bpi_rparser *p, bpi_rtoken_kind kind, const char *what)
{
  return bpi_rparser_take(p, kind) || bpi_rparser_missing(p, what);
}

bool bpi_rparser_name(bpi_rparser *p, const char *what, uint32_t *symbol, uint32_t *at)
{
  if (!bpi_rat(p, BPI_R_NAME)) return bpi_rparser_missing(p, what);
  *at = p->now.offset;
  if (p->now.end - p->now.offset > MOST_NAME) {
    const bp_range range = bpi_rtoken_range(p->now);
    bpi_draft_error(p->d, BPI_MSG_TOO_LARGE, NULL, &range, "a name of more than %d bytes",
                    MOST_NAME);
    return false;
  }
  *symbol = bpi_draft_symbol(p->d, p->source->text + p->now.offset, p->now.end - p->now.offset);
  bpi_rparser_step(p);
  return *symbol != BP_NONE;
}

/* ---- declarations ------------------------------------------------------ */

/* A constant in brackets behind a name, if it is there. */
static bool read_size(bpi_rparser *p, bpi_rtoken_kind open, bpi_rtoken_kind close, const char *what,
                      bpi_slice *out)
{
  *out = (bpi_slice){0, 0};
  if (!bpi_rparser_take(p, open)) return true;
  return bpi_rparse_expr(p, out, false) && bpi_rparser_expect(p, close, what);
}

static bool read_variable(bpi_rparser *p, bpi_rtyping of)
{
  bpi_rdecl decl = {.of = of, .datum = BP_NONE};
  if (!bpi_rparser_name(p, "the name of a variable", &decl.name, &decl.at)) return false;
  if (of.type == BPI_RTYPE_INT && !read_size(p, BPI_R_LPAREN, BPI_R_RPAREN, "')'", &decl.bits))
    return false;
  if (!read_size(p, BPI_R_LBRACKET, BPI_R_RBRACKET, "']'", &decl.length)) return false;
  return bpi_vec_push(&p->t->decls, decl) || bpi_rparser_no_memory(p);
}

static bool at_type(const bpi_rparser *p)
{
  return bpi_rat(p, BPI_R_INT) || bpi_rat(p, BPI_R_BOOL) || bpi_rat(p, BPI_R_ENUM);
}

/* `int`, `bool` or `enum NAME`. */
static bool read_type(bpi_rparser *p, bpi_rtyping *of)
{
  *of = (bpi_rtyping){.type = bpi_rat(p, BPI_R_INT)    ? BPI_RTYPE_INT
                              : bpi_rat(p, BPI_R_BOOL) ? BPI_RTYPE_BOOL
                                                       : BPI_RTYPE_ENUM};
  if (!at_type(p)) return bpi_rparser_missing(p, "'int', 'bool' or 'enum'");
  bpi_rparser_step(p);
  return of->type != BPI_RTYPE_ENUM ||
         bpi_rparser_name(p, "the name of an enum", &of->name, &of->at);
}

/* The variables of `int x(3), a[4];` */
static bool read_variables(bpi_rparser *p, bpi_rtyping of)
{
  bpi_rline line = {.of = of, .vars = {p->t->decls.count, 0}};
  do {
    if (!read_variable(p, of)) return false;
    line.vars.count++;
  } while (bpi_rparser_take(p, BPI_R_COMMA));
  if (!bpi_vec_push(&p->t->lines, line)) return bpi_rparser_no_memory(p);
  return bpi_rparser_expect(p, BPI_R_SEMICOLON, "';'");
}

static bool read_formals(bpi_rparser *p, bpi_rmodule *m)
{
  m->formals = (bpi_slice){p->t->decls.count, 0};
  if (!bpi_rparser_expect(p, BPI_R_LPAREN, "'('")) return false;
  if (bpi_rparser_take(p, BPI_R_RPAREN)) return true;
  if (bpi_rat(p, BPI_R_VOID) && p->next.kind == BPI_R_RPAREN) {
    bpi_rparser_step(p);
    return bpi_rparser_take(p, BPI_R_RPAREN);
  }
  do {
    bpi_rtyping of;
    if (!read_type(p, &of) || !read_variable(p, of)) return false;
    m->formals.count++;
  } while (bpi_rparser_take(p, BPI_R_COMMA));
  return bpi_rparser_expect(p, BPI_R_RPAREN, "')'");
}

static bool read_heading(bpi_rparser *p, bpi_rmodule *m)
{
  uint32_t at;
  bpi_rparser_step(p);
  if (!bpi_rparser_take(p, BPI_R_VOID)) {
    if (!at_type(p)) return bpi_rparser_missing(p, "'void', 'int', 'bool' or 'enum'");
    if (!read_type(p, &m->of)) return false;
  }
  if (m->of.type == BPI_RTYPE_INT && !read_size(p, BPI_R_LPAREN, BPI_R_RPAREN, "')'", &m->bits))
    return false;
  m->range = bpi_rtoken_range(p->now);
  return bpi_rparser_name(p, "the name of a module", &m->name, &at) && read_formals(p, m);
}

static bool add_module(bpi_rparser *p, const bpi_rmodule *m)
{
  const bpi_ritem item = {BPI_RITEM_MODULE, p->t->modules.count, m->range.offset};
  if (!bpi_vec_push(&p->t->modules, *m) || !bpi_vec_push(&p->t->items, item))
    return bpi_rparser_no_memory(p);
  return true;
}

static bool read_module(bpi_rparser *p)
{
  bpi_rmodule m = {.proc = BP_NONE, .spares = BP_NONE};
  if (!read_heading(p, &m)) return false;
  if (bpi_rparser_take(p, BPI_R_SEMICOLON)) return add_module(p, &m);
  if (!bpi_rparser_expect(p, BPI_R_LBRACE, "'{' or ';'")) return false;
  m.proc = 0; /* it has a body; declare.c numbers it */
  m.lines = (bpi_slice){p->t->lines.count, 0};
  bool good = true;
  while (good && at_type(p)) {
    bpi_rtyping of;
    good = read_type(p, &of) && read_variables(p, of);
    m.lines.count++;
  }
  m.stmts.first = p->t->stmts.count;
  if (!good || !bpi_rparse_body(p)) return false;
  m.stmts.count = p->t->stmts.count - m.stmts.first;
  m.end = bpi_source_range(p->source, p->last_end - 1, p->last_end);
  bpi_rparser_take(p, BPI_R_SEMICOLON);
  return add_module(p, &m);
}

/* ---- the whole text ---------------------------------------------------- */

static bool read_define(bpi_rparser *p)
{
  bpi_rdefine define = {0};
  const bpi_ritem item = {BPI_RITEM_DEFINE, p->t->defines.count, p->now.offset};
  bpi_rparser_step(p);
  if (!bpi_rparser_name(p, "a name", &define.name, &define.at) ||
      !bpi_rparse_expr(p, &define.value, false))
    return false;
  bpi_rparser_take(p, BPI_R_SEMICOLON);
  return (bpi_vec_push(&p->t->defines, define) && bpi_vec_push(&p->t->items, item)) ||
         bpi_rparser_no_memory(p);
}

/* A constant of an enum: a define of the next number. */
static bool read_enum_constant(bpi_rparser *p, bpi_renum *e)
{
  bpi_rdefine define = {.value = {p->t->code.count, 1}};
  if (!bpi_rparser_name(p, "the name of a constant", &define.name, &define.at)) return false;
  const bpi_rinstr number = {.op = BPI_ROP_NUMBER, .arg = p->t->numbers.count, .at = define.at};
  return (bpi_vec_push(&p->t->numbers, e->values.count++) && bpi_vec_push(&p->t->code, number) &&
          bpi_vec_push(&p->t->defines, define)) ||
         bpi_rparser_no_memory(p);
}

/* What follows on `enum name {`. */
static bool read_enum(bpi_rparser *p, bpi_rtyping of)
{
  bpi_renum e = {.name = of.name, .at = of.at, .values = {p->t->defines.count, 0}};
  const bpi_ritem item = {BPI_RITEM_ENUM, p->t->enums.count, of.at};
  do {
    if (!bpi_draft_going(p->d) || !read_enum_constant(p, &e)) return false;
  } while (bpi_rparser_take(p, BPI_R_COMMA));
  if (!bpi_vec_push(&p->t->enums, e) || !bpi_vec_push(&p->t->items, item))
    return bpi_rparser_no_memory(p);
  return bpi_rparser_expect(p, BPI_R_RBRACE, "',' or '}'") &&
         bpi_rparser_expect(p, BPI_R_SEMICOLON, "';'");
}

static bool read_init(bpi_rparser *p)
{
  bpi_ritem item = {.kind = BPI_RITEM_INIT};
  bpi_rparser_step(p);
  if (!bpi_rparser_name(p, "the name of a module", &item.index, &item.at)) return false;
  if (!bpi_vec_push(&p->t->items, item)) return bpi_rparser_no_memory(p);
  return bpi_rparser_expect(p, BPI_R_SEMICOLON, "';'");
}

static bool read_globals(bpi_rparser *p)
{
  const bpi_ritem item = {BPI_RITEM_LINE, p->t->lines.count, p->now.offset};
  bpi_rtyping of;
  if (!read_type(p, &of)) return false;
  if (of.type == BPI_RTYPE_ENUM && bpi_rparser_take(p, BPI_R_LBRACE)) return read_enum(p, of);
  return read_variables(p, of) && (bpi_vec_push(&p->t->items, item) || bpi_rparser_no_memory(p));
}

static void recover(bpi_rparser *p)
{
  p->quiet = true;
  while (!at_type(p) && !bpi_rat(p, BPI_R_DEFINE) && !bpi_rat(p, BPI_R_INIT) &&
         !bpi_rat(p, BPI_R_MODULE) && !bpi_rat(p, BPI_R_END_OF_FILE) && bpi_draft_going(p->d))
    bpi_rparser_step(p);
  p->quiet = false;
}

void bpi_rparse(bpi_rparser *p)
{
  while (!bpi_rat(p, BPI_R_END_OF_FILE) && bpi_draft_going(p->d)) {
    bool good;
    if (bpi_rparser_take(p, BPI_R_SEMICOLON)) continue;
    switch (p->now.kind) {
    case BPI_R_DEFINE: good = read_define(p); break;
    case BPI_R_INIT: good = read_init(p); break;
    case BPI_R_INT:
    case BPI_R_BOOL:
    case BPI_R_ENUM: good = read_globals(p); break;
    case BPI_R_MODULE: good = read_module(p); break;
    default: good = bpi_rparser_missing(p, "a declaration or a module"); bpi_rparser_step(p);
    }
    if (!good) recover(p);
  }
}
