/* SPDX-License-Identifier: MIT */
#include "remopla/remopla.h"
#include "text/parser.h"

enum { MAX_RESULTS = 65535, SHORT = 1 << 14 };

void bpi_parser_init(bpi_parser *p, bpi_draft *d, bpi_text *text)
{
  d->text = text->source.text;
  d->len = text->source.len;
  d->source = text;
  d->places = &bpi_text_places;
  *p = (bpi_parser){.d = d, .source = &text->source, .proc = BP_NONE};
  bpi_lexer_init(&p->lexer, p->source, 0);
  p->now = p->tokens;
  bpi_parser_refill(p);
  bpi_parser_step(p);
  p->last_end = 0;
}

void bpi_parser_free(bpi_parser *p)
{
  bpi_vec_free(&p->blocks);
  bpi_vec_free(&p->pending);
  bpi_vec_free(&p->shapes);
  bpi_vec_free(&p->items);
}

/* ---- tokens ------------------------------------------------------------ */

static void report_character(bpi_parser *p, bpi_token token)
{
  const char *at = p->source->text + token.offset;
  const unsigned char c = (unsigned char)*at;
  const bp_range range = bpi_token_range(token);
  const char *hint = "";
  if (c == '-' && token.offset + 1 < p->source->len && at[1] == '>')
    hint = "; '=>' is the implication";
  if (c == '}') hint = "; blocks end with 'end', 'fi' or 'od'";
  if (c < ' ' || c > 126)
    bpi_draft_error(p->d, BPI_MSG_CHARACTER, NULL, &range, "the byte 0x%02X has no meaning here",
                    c);
  else
    bpi_draft_error(p->d, BPI_MSG_CHARACTER, NULL, &range, "the character '%c' has no meaning%s", c,
                    hint);
}

/* What is wrong with a `{` that begins no name. */
static const char *open_brace(const bpi_parser *p, bpi_token token)
{
  const char *at = p->source->text + token.offset + 1, *end = p->source->text + p->source->len;
  if (at < end && *at == '}') return "a name in braces cannot be empty";
  while (at < end && *at && *at != '{' && *at != '}' && *at != '\n')
    at++;
  if (at < end && *at == '{') return "a name in braces cannot have another '{' in it";
  if (at < end && !*at) return "a name in braces cannot have a NUL in it";
  return "'{' begins a name here, and no '}' ends it on this line; blocks begin with 'begin', "
         "'then' or 'do'";
}

static void report_bad(bpi_parser *p, bpi_token token)
{
  if (p->quiet) return;
  const bp_range range = bpi_source_range(p->source, token.offset, token.offset + 2);
  switch (p->lexer.error) {
  case BPI_MSG_OPEN_COMMENT:
    bpi_draft_error(p->d, BPI_MSG_OPEN_COMMENT, NULL, &range, "this comment does not end");
    break;
  case BPI_MSG_OPEN_BRACE: {
    const bp_range brace = bpi_token_range(token);
    bpi_draft_error(p->d, BPI_MSG_OPEN_BRACE, NULL, &brace, "%s", open_brace(p, token));
    break;
  }
  default: report_character(p, token); break;
  }
}

/* A stopped draft is at its end, which ends every loop. The lexer puts a bad token at the beginning of a
 * batch: it is reported when it is looked at first. */
void bpi_parser_refill(bpi_parser *p)
{
  p->tokens[0] = *p->now;
  p->now = p->tokens;
  if (!bpi_draft_going(p->d)) {
    p->tokens[0].kind = p->tokens[1].kind = BPI_T_END_OF_FILE;
    p->last = p->tokens + 1;
    return;
  }
  p->last = p->tokens + bpi_lexer_read(&p->lexer, p->tokens + 1, BPI_BATCH);
  if (p->tokens[1].kind != BPI_T_BAD) return;
  if (p->lexer.error == BPI_MSG_OPEN_COMMENT) p->cut = true;
  if (!bpi_at(p, BPI_T_BAD)) report_bad(p, p->tokens[1]);
}

bool bpi_parser_missing(bpi_parser *p, const char *what)
{
  if (bpi_at(p, BPI_T_BAD) || p->d->status != BP_OK) return false;
  const bp_range range = bpi_token_range(*p->now);
  bpi_draft_error(p->d, BPI_MSG_SYNTAX, NULL, &range, "expected %s before %s", what,
                  bpi_parser_quote(p, *p->now).text);
  return false;
}

bpi_quoted bpi_parser_quote(const bpi_parser *p, bpi_token token)
{
  if (token.kind == BPI_T_END_OF_FILE) return (bpi_quoted){"the end of the text"};
  return bpi_quote(p->source->text + token.offset, token.end - token.offset);
}

/* ---- procedures -------------------------------------------------------- */

/* `void`, `bool`, `bool<n>` or nothing. */
static bool read_type(bpi_parser *p, uint32_t *results)
{
  *results = 0;
  if (bpi_parser_take(p, BPI_T_VOID) || !bpi_parser_take(p, BPI_T_BOOL)) return true;
  *results = 1;
  if (!bpi_parser_take(p, BPI_T_LESS)) return true;
  if (!bpi_at(p, BPI_T_NUMBER)) return bpi_parser_missing(p, "a number");
  uint32_t n = 0;
  for (uint32_t i = p->now->offset; i < p->now->end && n <= MAX_RESULTS; i++)
    n = n * 10 + (uint32_t)(p->source->text[i] - '0');
  if (n > MAX_RESULTS) {
    const bp_range range = bpi_token_range(*p->now);
    bpi_draft_error(p->d, BPI_MSG_TOO_LARGE, NULL, &range, "more than %d results", MAX_RESULTS);
    return false;
  }
  *results = n;
  bpi_parser_step(p);
  return bpi_parser_expect(p, BPI_T_GREATER, "'>'");
}

static bool read_formals(bpi_parser *p)
{
  if (!bpi_parser_expect(p, BPI_T_LPAREN, "'('")) return false;
  if (bpi_parser_take(p, BPI_T_RPAREN)) return true;
  bpi_proc *proc = &p->d->program->procs.at[p->proc];
  bool ignored;
  if (!bpi_is_name(p->now->kind) && !bpi_at(p, BPI_T_TRUE) && !bpi_at(p, BPI_T_FALSE))
    return bpi_parser_missing(p, "a parameter or ')'");
  if (!bpi_parse_items(p, &ignored)) return false;
  for (uint32_t i = 0; i < p->items.count; i++) {
    const bpi_item *item = &p->items.at[i];
    if (item->init != BP_NONE) {
      const bp_range range =
          bpi_source_range(p->source, item->token.offset, item->token.offset + 1);
      bpi_draft_error(p->d, BPI_MSG_SYNTAX, NULL, &range, "a parameter cannot have a value");
    }
    if (!bpi_parse_declare(p, item, BP_VAR_FORMAL, false)) return false;
  }
  proc->formals = p->items.count;
  return bpi_parser_expect(p, BPI_T_RPAREN, "')'");
}

static bool read_heading(bpi_parser *p)
{
  bpi_proc proc = {.stmts = {p->d->program->stmts.count, 0}};
  const bool dfs = bpi_at(p, BPI_T_DFS) && p->now[1].kind != BPI_T_LPAREN;
  if (dfs) bpi_parser_step(p);
  proc.dfs = dfs;
  if (!read_type(p, &proc.results)) return false;
  if (!bpi_is_name(p->now->kind)) return bpi_parser_missing(p, "the name of a procedure");
  proc.range = bpi_token_range(*p->now);
  proc.name = bpi_parser_symbol(p, p->now);
  if (proc.name == BP_NONE) return false;
  bpi_parser_step(p);
  p->proc = p->d->program->procs.count;
  if (!bpi_vec_push(&p->d->program->procs, proc)) return bpi_draft_stop(p->d, BP_E_NOMEM);
  return read_formals(p) && bpi_parser_expect(p, BPI_T_BEGIN, "'begin'");
}

/* A place for the names that turn out to be undeclared; names.c fills it or takes it out. */
static void reserve_decl(bpi_parser *p)
{
  if (p->d->undeclared != BP_UNDECLARED_LOCAL) return;
  const bpi_stmt s = bpi_stmt_blank(BP_STMT_DECL);
  const uint32_t stmt = bpi_draft_stmt(p->d, &s, &p->d->program->procs.at[p->proc].range);
  if (stmt != BP_NONE) bpi_draft_widen(p->d, stmt);
}

static bool read_proc(bpi_parser *p)
{
  const bool good = read_heading(p);
  if (good) {
    reserve_decl(p);
    bpi_parse_body(p);
    bpi_proc *proc = &p->d->program->procs.at[p->proc];
    proc->stmts.count = p->d->program->stmts.count - proc->stmts.first;
  }
  p->proc = BP_NONE;
  return good;
}

/* ---- the whole text ---------------------------------------------------- */

static bool read_globals(bpi_parser *p)
{
  bool thread_local_;
  bpi_parser_step(p);
  if (!bpi_parse_items(p, &thread_local_)) return false;
  for (uint32_t i = 0; i < p->items.count; i++)
    if (!bpi_parse_declare(p, &p->items.at[i], BP_VAR_GLOBAL, thread_local_)) return false;
  return bpi_parser_expect(p, BPI_T_SEMICOLON, "';'");
}

static bool at_top_word(const bpi_parser *p)
{
  return bpi_at(p, BPI_T_DECL) || bpi_at(p, BPI_T_VOID) || bpi_at(p, BPI_T_BOOL) ||
         bpi_at(p, BPI_T_END_OF_FILE);
}

static void recover_top(bpi_parser *p)
{
  p->quiet = true;
  while (!at_top_word(p) && !bpi_at(p, BPI_T_END) && bpi_draft_going(p->d))
    bpi_parser_step(p);
  p->quiet = false;
  bpi_parser_take(p, BPI_T_END);
}

static void read_all(bpi_parser *p)
{
  while (!bpi_at(p, BPI_T_END_OF_FILE) && bpi_draft_going(p->d)) {
    bool good;
    if (bpi_parser_take(p, BPI_T_SEMICOLON)) continue;
    if (bpi_at(p, BPI_T_DECL))
      good = read_globals(p);
    else if (bpi_at(p, BPI_T_VOID) || bpi_at(p, BPI_T_BOOL) || bpi_is_name(p->now->kind))
      good = read_proc(p);
    else {
      good = bpi_parser_missing(p, "a declaration or a procedure");
      bpi_parser_step(p);
    }
    if (!good) recover_top(p);
  }
}

/* All but short texts get the room at once that most of them need: what is not used is never touched,
 * and given back at the end. Without memory for it the tables grow as usual. */
static void make_room(bpi_draft *d, uint32_t len)
{
  bp_program *p = d->program;
  if (len < SHORT) return;
  (void)(bpi_vec_reserve(&p->stmts, len / 16) && bpi_vec_reserve(&p->code, len / 8) &&
         bpi_vec_reserve(&p->exprs, len / 16) && bpi_vec_reserve(&p->ids, len / 16) &&
         bpi_vec_reserve(&p->vars, len / 64) && bpi_vec_reserve(&p->procs, len / 256) &&
         bpi_vec_reserve(&d->symbols, len / 128));
}

static bp_status parse_text(bp_program **out, bpi_draft *d, bpi_text *text)
{
  d->watch = bpi_context_watch(d->ctx);
  make_room(d, text->source.len);
  bpi_parser p;
  bpi_parser_init(&p, d, text);
  read_all(&p);
  bpi_parser_free(&p);
  /* Consequences of a bad syntax are no news. */
  if (d->errors && d->status == BP_OK) return BP_E_INPUT;
  if (d->status == BP_OK) bpi_names_resolve(d);
  return bpi_draft_finish(d, out);
}

static bp_status parse_remopla(bp_program **out, bpi_draft *d, bpi_source *source,
                               const bp_program_options *options)
{
  d->watch = bpi_context_watch(d->ctx);
  bpi_remopla_read(d, source, options);
  if (d->errors && d->status == BP_OK) return BP_E_INPUT;
  return bpi_draft_finish(d, out);
}

bp_status bp_program_parse(bp_program **out, bp_context *ctx, const char *text, size_t len,
                           const char *name, const bp_program_options *options)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || (!text && len)) return bpi_invalid(ctx, "%s is NULL", out ? "text" : "out");
  const char *wrong = bpi_options_check(options);
  if (wrong) return bpi_invalid(ctx, "%s", wrong);
  bpi_context_begin(ctx);
  if (len >= UINT32_MAX - 1)
    return bpi_fail(ctx, BP_E_INPUT, BPI_MSG_TOO_LARGE, "a text must be smaller than 4 GB");
  bpi_text source = {0};
  bpi_draft d;
  if (!bpi_source_init(&source.source, text, len)) return bpi_no_memory(ctx);
  bp_status status = bpi_draft_init(&d, ctx, name, options);
  if (status == BP_OK) {
    status = options && options->language == BP_LANGUAGE_REMOPLA
                 ? parse_remopla(out, &d, &source.source, options)
                 : parse_text(out, &d, &source);
    bpi_draft_free(&d);
  } else {
    bpi_no_memory(ctx);
  }
  bpi_source_free(&source.source);
  bpi_diagnostics_sort(ctx);
  return status;
}
