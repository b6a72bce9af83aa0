/* SPDX-License-Identifier: MIT
 * Systems from text: docs/pushdown.md. A line at a time; the first error ends it. */
#include "pushdown/pushdown.h"

#include "program/draft.h"

typedef struct reader {
  bp_context *ctx;
  bp_pushdown *p;
  const char *file, *text;
  size_t len, at, line_begin;
  uint32_t line;
  bpi_watch watch;
  bp_status status;
  BPI_VEC(char) word; /* with a NUL behind */
  size_t word_at;
  bool quoted;
} reader;

/* ---- failures ----------------------------------------------------------------- */

static bool failed(reader *r, bp_status status)
{
  if (r->status == BP_OK) r->status = status;
  return false;
}

/* An error at the word that was read last. */
static bool wrong(reader *r, bpi_message number, const char *what)
{
  const bp_range range = {(uint32_t)r->word_at, (uint32_t)r->at, r->line,
                          (uint32_t)(r->word_at - r->line_begin) + 1};
  if (r->status == BP_OK)
    bpi_diagnose(r->ctx, BP_ERROR, number, r->file ? r->file : "", &range, r->text, r->len, "%s",
                 what);
  return failed(r, BP_E_INPUT);
}

/* ---- words -------------------------------------------------------------------- */

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\r';
}

static bool line_ends(const reader *r)
{
  return r->at == r->len || r->text[r->at] == '\n';
}

static bool take_char(reader *r, char c)
{
  return bpi_vec_push(&r->word, c) || failed(r, BP_E_NOMEM);
}

static bool read_quoted(reader *r)
{
  r->at++;
  while (!line_ends(r) && r->text[r->at] != '"') {
    if (r->text[r->at] == '\\') r->at++;
    if (line_ends(r)) break;
    if (!take_char(r, r->text[r->at++])) return false;
  }
  if (line_ends(r)) return wrong(r, BPI_MSG_OPEN_STRING, "a '\"' has no end on its line");
  r->at++;
  return true;
}

/* The next word of the line; false: there is none, or a failure. */
static bool next_word(reader *r)
{
  while (!line_ends(r) && is_blank(r->text[r->at]))
    r->at++;
  r->word.count = 0;
  r->word_at = r->at;
  r->quoted = !line_ends(r) && r->text[r->at] == '"';
  if (r->status != BP_OK || line_ends(r) || r->text[r->at] == '#') return false;
  if (r->quoted) {
    if (!read_quoted(r)) return false;
  } else {
    while (!line_ends(r) && !is_blank(r->text[r->at]))
      if (!take_char(r, r->text[r->at++])) return false;
  }
  if (r->word.count && memchr(r->word.at, '\0', r->word.count))
    return wrong(r, BPI_MSG_CHARACTER, "a name cannot hold a NUL");
  return take_char(r, '\0');
}

static bool is_word(const reader *r, const char *word)
{
  return !r->quoted && !strcmp(r->word.at, word);
}

/* ---- lines -------------------------------------------------------------------- */

static uint32_t declare(reader *r, bpi_name_kind kind, uint32_t scope)
{
  bool taken = false;
  uint32_t id = BP_NONE;
  /* The names of a program's variables are taken as they are. */
  if (!bpi_name_good(r->word.at, false))
    wrong(r, BPI_MSG_SYNTAX, "that is not a name");
  else if (kind >= BPI_NAME_GLOBAL && r->p->rules.count)
    wrong(r, BPI_MSG_STATE, "variables are declared before the first rule");
  else if ((id = bpi_pushdown_declare(r->p, kind, scope, r->word.at, &taken)) < BPI_MOST_NAMES)
    return id;
  else if (taken)
    wrong(r, BPI_MSG_DUPLICATE, "that name is there already");
  else if (id == BP_NONE)
    failed(r, BP_E_NOMEM);
  else
    wrong(r, BPI_MSG_TOO_LARGE, "there are too many names");
  return BP_NONE;
}

static void declare_all(reader *r, bpi_name_kind kind, uint32_t scope)
{
  while (next_word(r) && declare(r, kind, scope) != BP_NONE)
    continue;
}

static void read_symbol(reader *r)
{
  if (!next_word(r)) {
    wrong(r, BPI_MSG_SYNTAX, "expected the name of a symbol");
    return;
  }
  const uint32_t id = declare(r, BPI_NAME_SYMBOL, 0);
  if (id == BP_NONE) return;
  const uint32_t scope = r->p->scopes.count;
  r->p->symbols.at[id].scope = scope;
  if (!bpi_vec_push(&r->p->scopes, (bpi_scope){0})) failed(r, BP_E_NOMEM);
  if (r->status == BP_OK) declare_all(r, BPI_NAME_LOCAL, scope);
}

static uint32_t find(reader *r, bpi_name_kind kind)
{
  const uint32_t id = bpi_pushdown_find(r->p, kind, 0, r->word.at, strlen(r->word.at));
  if (id == BP_NONE)
    wrong(r, BPI_MSG_UNDECLARED,
          kind == BPI_NAME_CONTROL ? "there is no such control location"
                                   : "there is no such symbol");
  return id;
}

static uint32_t need(reader *r, bpi_name_kind kind)
{
  if (next_word(r)) return find(r, kind);
  wrong(r, BPI_MSG_SYNTAX,
        kind == BPI_NAME_CONTROL ? "expected a control location" : "expected a symbol");
  return BP_NONE;
}

/* Messages about a relation get their places in the file. */
static void shift_places(reader *r, size_t begin)
{
  for (uint32_t i = 0; i < r->ctx->diagnostics.count; i++) {
    bp_range range = r->ctx->diagnostics.at[i].range;
    if (!range.line) continue;
    range.line += r->line - 1;
    range.column += (uint32_t)(begin - r->line_begin);
    range.offset += (uint32_t)begin;
    range.end += (uint32_t)begin;
    bpi_diagnostic_move(r->ctx, i, &range, r->text, r->len);
  }
}

/* The rest of the line behind `when` is a relation. */
static bool read_relation(reader *r, const bpi_relation_scope *scope, bpi_code *code)
{
  const size_t begin = r->at;
  while (!line_ends(r))
    r->at++;
  r->word_at = begin;
  if (memchr(r->text + begin, '\0', r->at - begin))
    return wrong(r, BPI_MSG_CHARACTER, "a relation cannot hold a NUL");
  char *text = bpi_strndup(r->text + begin, r->at - begin);
  if (!text) return failed(r, BP_E_NOMEM);
  const bp_status status = bpi_relation_parse(code, r->ctx, scope, text, r->file ? r->file : "");
  if (status != BP_OK) shift_places(r, begin);
  bpi_release(text);
  return status == BP_OK || failed(r, status);
}

static void read_rule(reader *r)
{
  bpi_rule rule = {.top = BP_NONE, .below = BP_NONE};
  bpi_code code = {0};
  if ((rule.from = need(r, BPI_NAME_CONTROL)) == BP_NONE) return;
  if ((rule.symbol = need(r, BPI_NAME_SYMBOL)) == BP_NONE) return;
  if (!next_word(r) || !is_word(r, "->")) {
    wrong(r, BPI_MSG_SYNTAX, "expected '->'");
    return;
  }
  if ((rule.to = need(r, BPI_NAME_CONTROL)) == BP_NONE) return;
  bool more = next_word(r);
  uint32_t *const right[2] = {&rule.top, &rule.below};
  for (int i = 0; i < 2 && more && !is_word(r, "when"); i++) {
    *right[i] = find(r, BPI_NAME_SYMBOL);
    more = next_word(r);
  }
  const bpi_relation_scope scope = {r->p, rule.symbol, true, rule.top, rule.below};
  if (more && is_word(r, "when"))
    read_relation(r, &scope, &code);
  else if (more)
    wrong(r, BPI_MSG_SYNTAX, "expected 'when' or the end of the line");
  if (r->status == BP_OK && !bpi_pushdown_add_rule(r->p, &rule, code.at, code.count))
    failed(r, BP_E_NOMEM);
  bpi_vec_free(&code);
}

static void read_start(reader *r)
{
  bpi_code code = {0};
  bp_pushdown *p = r->p;
  if (!p->controls.count || p->start != BP_NONE) {
    wrong(r, p->controls.count ? BPI_MSG_DUPLICATE : BPI_MSG_SYNTAX,
          p->controls.count ? "there is a start already" : "expected a control location before");
    return;
  }
  const uint32_t symbol = need(r, BPI_NAME_SYMBOL);
  const bpi_relation_scope scope = {p, BP_NONE, false, BP_NONE, BP_NONE};
  if (symbol != BP_NONE && next_word(r)) {
    if (is_word(r, "when"))
      read_relation(r, &scope, &code);
    else
      wrong(r, BPI_MSG_SYNTAX, "expected 'when' or the end of the line");
  }
  if (r->status == BP_OK && !bpi_vec_reserve(&p->code, code.count)) failed(r, BP_E_NOMEM);
  if (r->status == BP_OK) {
    p->start = symbol;
    p->start_code = (bpi_slice){p->code.count, code.count};
    if (code.count) memcpy(p->code.at + p->code.count, code.at, code.count * sizeof *code.at);
    p->code.count += code.count;
  }
  bpi_vec_free(&code);
}

static void read_line(reader *r)
{
  if (is_word(r, "control"))
    declare_all(r, BPI_NAME_CONTROL, 0);
  else if (is_word(r, "global"))
    declare_all(r, BPI_NAME_GLOBAL, 0);
  else if (is_word(r, "symbol"))
    read_symbol(r);
  else if (is_word(r, "rule"))
    read_rule(r);
  else if (is_word(r, "start"))
    read_start(r);
  else
    wrong(r, BPI_MSG_SYNTAX, "expected control, global, symbol, rule or start");
  if (r->status == BP_OK && next_word(r)) wrong(r, BPI_MSG_SYNTAX, "expected the end of the line");
}

static void read_all(reader *r)
{
  bool begun = false;
  for (;;) {
    r->line_begin = r->at;
    if (next_word(r)) {
      if (begun)
        read_line(r);
      else if (!is_word(r, "pushdown") || next_word(r))
        wrong(r, BPI_MSG_SYNTAX, "expected a line that is 'pushdown'");
      begun = true;
    }
    if (bpi_watch_expired(&r->watch)) failed(r, BP_E_LIMIT);
    if (r->status != BP_OK) return;
    while (!line_ends(r))
      r->at++;
    if (r->at == r->len) break;
    r->at++;
    r->line++;
  }
  if (!begun) wrong(r, BPI_MSG_SYNTAX, "expected a line that is 'pushdown'");
}

bp_status bp_pushdown_read(bp_pushdown **out, bp_context *ctx, const char *text, size_t len,
                           const char *name)
{
  const bp_status status = bpi_pushdown_begin_text(out, ctx, text, len);
  if (status != BP_OK) return status;
  reader r = {.ctx = ctx, .file = name, .text = len ? text : "", .len = len, .line = 1};
  r.watch = bpi_context_watch(ctx);
  r.p = bpi_pushdown_begin();
  if (r.p)
    read_all(&r);
  else
    failed(&r, BP_E_NOMEM);
  bpi_vec_free(&r.word);
  return bpi_pushdown_end_text(out, ctx, r.p, r.status);
}
