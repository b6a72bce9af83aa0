/* SPDX-License-Identifier: MIT */
#include "text/parser.h"

/* ---- recovery ---------------------------------------------------------- */

static bool is_heading(const bpi_parser *p)
{
  switch (p->now->kind) {
  case BPI_T_VOID:
  case BPI_T_BOOL:
  case BPI_T_END_OF_FILE: return true;
  case BPI_T_DFS: return p->now[1].kind == BPI_T_VOID || p->now[1].kind == BPI_T_BOOL;
  default: return false;
  }
}

static bool is_closing(const bpi_parser *p)
{
  return bpi_at(p, BPI_T_END) || bpi_at(p, BPI_T_FI) || bpi_at(p, BPI_T_OD) ||
         bpi_at(p, BPI_T_ELSE) || bpi_at(p, BPI_T_ELSIF);
}

void bpi_parser_recover(bpi_parser *p)
{
  p->quiet = true;
  while (!is_closing(p) && !is_heading(p) && !bpi_at(p, BPI_T_SEMICOLON) && bpi_draft_going(p->d))
    bpi_parser_step(p);
  p->quiet = false;
  bpi_parser_take(p, BPI_T_SEMICOLON);
}

/* After a bad condition: to its `then` or `do`, or to where the statement ends anyway. */
static void recover_condition(bpi_parser *p)
{
  p->quiet = true;
  while (!is_closing(p) && !is_heading(p) && !bpi_at(p, BPI_T_SEMICOLON) &&
         !bpi_at(p, BPI_T_THEN) && !bpi_at(p, BPI_T_DO) && bpi_draft_going(p->d))
    bpi_parser_step(p);
  p->quiet = false;
  if (!bpi_parser_take(p, BPI_T_THEN)) bpi_parser_take(p, BPI_T_DO);
}

/* Whether the token looks like the beginning of a statement, so that only a `;` is missing. */
static bool begins_statement(const bpi_parser *p)
{
  const uint32_t kind = bpi_parse_leader(p), next = p->now[1].kind;
  if (kind == BPI_T_ID)
    return next == BPI_T_ASSIGN || next == BPI_T_COMMA || next == BPI_T_COLON ||
           next == BPI_T_LPAREN;
  return kind == BPI_T_DECL || kind == BPI_T_IF || kind == BPI_T_WHILE ||
         (kind >= BPI_T_SKIP && kind <= BPI_T_ENFORCE) ||
         (kind >= BPI_T_DEAD && kind <= BPI_T_SYNC) ||
         (kind == BPI_T_NUMBER && next == BPI_T_COLON);
}

static void end_simple(bpi_parser *p)
{
  if (bpi_parser_take(p, BPI_T_SEMICOLON) || is_closing(p) || is_heading(p)) return;
  bpi_parser_missing(p, "';'");
  if (!begins_statement(p)) bpi_parser_recover(p);
}

/* ---- labels ------------------------------------------------------------ */

static bool at_label(const bpi_parser *p)
{
  return p->now[1].kind == BPI_T_COLON && (bpi_is_name(p->now->kind) || bpi_at(p, BPI_T_NUMBER) ||
                                           bpi_at(p, BPI_T_TRUE) || bpi_at(p, BPI_T_FALSE));
}

static bool read_labels(bpi_parser *p)
{
  bool any = false;
  while (at_label(p) && bpi_draft_going(p->d)) {
    any = true;
    if (!bpi_draft_label(p->d, bpi_parser_symbol(p, p->now), p->now->offset)) return any;
    bpi_parser_step(p);
    bpi_parser_step(p);
  }
  return any;
}

/* The labels of a declaration or of a closing word stand on a skip of their own. */
static void add_implicit(bpi_parser *p)
{
  bpi_stmt s = bpi_stmt_blank(BP_STMT_SKIP);
  s.implicit = 1;
  bpi_parse_add(p, &s, p->now);
}

static void add_implicit_at_end(bpi_parser *p)
{
  const bpi_draft *d = p->d;
  if (d->status != BP_OK) return;
  const uint32_t last = d->program->labels.count - 1;
  const uint32_t symbol = d->program->labels.at[last].name, at = d->label_at.at[last];
  const bp_range range = bpi_source_range(p->source, at, at + d->symbols.at[symbol].len);
  bpi_draft_doubt(p->d, BPI_MSG_LABEL_AT_END, NULL, &range,
                  "label %s has no statement; it stands on a skip of its own",
                  bpi_draft_quote(d, symbol).text);
  add_implicit(p);
}

/* ---- blocks ------------------------------------------------------------ */

static bool open_block(bpi_parser *p, uint8_t kind, uint32_t line)
{
  uint32_t *open = kind == BP_STMT_WHILE ? &p->open_whiles : &p->open_ifs;
  if (!bpi_vec_push(&p->blocks, (bpi_block){kind, line})) return bpi_draft_stop(p->d, BP_E_NOMEM);
  ++*open;
  return true;
}

static void pop_block(bpi_parser *p)
{
  const bpi_block *b = &p->blocks.at[--p->blocks.count];
  --*(b->kind == BP_STMT_WHILE ? &p->open_whiles : &p->open_ifs);
}

/* Reports that the innermost block is still open at this token. */
static void complain_open(bpi_parser *p)
{
  const bpi_block *b = &p->blocks.at[p->blocks.count - 1];
  const bool loop = b->kind == BP_STMT_WHILE;
  const uint32_t line = b->line;
  if (p->cut || bpi_at(p, BPI_T_BAD)) return;
  const bp_range range = bpi_token_range(*p->now);
  bpi_draft_error(p->d, BPI_MSG_UNCLOSED, NULL, &range,
                  "expected '%s' before %s: the '%s' of line %u is still open", loop ? "od" : "fi",
                  bpi_parser_quote(p, *p->now).text, loop ? "while" : "if", line);
}

/* Makes the block that the closing word belongs to the innermost one. */
static bool find_block(bpi_parser *p, bool loop)
{
  if (!(loop ? p->open_whiles : p->open_ifs)) {
    const bp_range range = bpi_token_range(*p->now);
    bpi_draft_error(p->d, BPI_MSG_SYNTAX, NULL, &range, "%s without %s",
                    bpi_parser_quote(p, *p->now).text, loop ? "'while'" : "'if'");
    return false;
  }
  if ((p->blocks.at[p->blocks.count - 1].kind == BP_STMT_WHILE) != loop) complain_open(p);
  while ((p->blocks.at[p->blocks.count - 1].kind == BP_STMT_WHILE) != loop)
    pop_block(p);
  return true;
}

/* `if e then`, `elsif e then`, `while e do`. */
static void read_header(bpi_parser *p, bp_stmt_kind kind)
{
  const bpi_token start = *p->now;
  const bool loop = kind == BP_STMT_WHILE;
  if (kind != BP_STMT_ELSIF && !open_block(p, (uint8_t)kind, start.line)) return;
  bpi_parser_step(p);
  const uint32_t expr = bpi_parse_expr(p);
  if (expr == BP_NONE || !(loop ? bpi_at(p, BPI_T_DO) || bpi_parser_missing(p, "'do'")
                                : bpi_at(p, BPI_T_THEN) || bpi_parser_missing(p, "'then'"))) {
    recover_condition(p);
    return;
  }
  bpi_stmt s = bpi_stmt_blank(kind);
  s.exprs = (bpi_slice){expr, 1};
  bpi_parse_add(p, &s, &start);
  bpi_parser_step(p);
}

static void add_mark(bpi_parser *p, bp_stmt_kind kind)
{
  const bpi_token start = *p->now;
  bpi_parser_step(p);
  const bpi_stmt s = bpi_stmt_blank(kind);
  bpi_parse_add(p, &s, &start);
}

static void read_branch(bpi_parser *p, bool last)
{
  if (!find_block(p, false)) {
    bpi_parser_step(p);
    return;
  }
  bpi_block *b = &p->blocks.at[p->blocks.count - 1];
  if (b->kind == BP_STMT_ELSE) {
    const bp_range range = bpi_token_range(*p->now);
    bpi_draft_error(p->d, BPI_MSG_SYNTAX, NULL, &range, "%s after 'else'",
                    bpi_parser_quote(p, *p->now).text);
  }
  if (last) {
    b->kind = BP_STMT_ELSE;
    add_mark(p, BP_STMT_ELSE);
  } else {
    read_header(p, BP_STMT_ELSIF);
  }
}

static void read_close(bpi_parser *p, bool loop)
{
  if (find_block(p, loop)) pop_block(p);
  add_mark(p, loop ? BP_STMT_OD : BP_STMT_FI);
}

/* ---- bodies ------------------------------------------------------------ */

static void read_start_thread(bpi_parser *p)
{
  const bpi_token start = *p->now;
  bpi_parser_step(p);
  const bpi_stmt s = bpi_stmt_blank(BP_STMT_START_THREAD);
  if (!bpi_parse_add(p, &s, &start)) return;
  if (bpi_at(p, BPI_T_SEMICOLON) || is_closing(p) || is_heading(p) || at_label(p) ||
      bpi_at(p, BPI_T_DECL) || bpi_at(p, BPI_T_ENFORCE))
    bpi_parser_missing(p, "a statement to start");
}

static void end_body(bpi_parser *p)
{
  bpi_proc *proc = &p->d->program->procs.at[p->proc];
  if (p->blocks.count)
    complain_open(p);
  else if (is_heading(p) && !p->cut) {
    const bp_range range = bpi_token_range(*p->now);
    bpi_draft_error(p->d, BPI_MSG_UNCLOSED, NULL, &range,
                    "expected 'end' before %s: procedure %s of line %u is still open",
                    bpi_parser_quote(p, *p->now).text, bpi_draft_quote(p->d, proc->name).text,
                    proc->range.line);
  }
  while (p->blocks.count)
    pop_block(p);
  proc->end = bpi_token_range(*p->now);
  bpi_parser_take(p, BPI_T_END);
}

static void read_statement(bpi_parser *p, bool labelled)
{
  const uint32_t leader = bpi_parse_leader(p);
  switch (leader) {
  case BPI_T_IF: read_header(p, BP_STMT_IF); return;
  case BPI_T_WHILE: read_header(p, BP_STMT_WHILE); return;
  case BPI_T_ELSIF: read_branch(p, false); return;
  case BPI_T_ELSE: read_branch(p, true); return;
  case BPI_T_FI: read_close(p, false); return;
  case BPI_T_OD: read_close(p, true); return;
  case BPI_T_START_THREAD: read_start_thread(p); return;
  case BPI_T_DECL:
  case BPI_T_ENFORCE:
    if (labelled) add_implicit(p);
    break;
  default: break;
  }
  if (bpi_parse_simple(p, leader))
    end_simple(p);
  else
    bpi_parser_recover(p);
}

void bpi_parse_body(bpi_parser *p)
{
  while (bpi_draft_going(p->d)) {
    if (bpi_parser_take(p, BPI_T_SEMICOLON)) continue;
    const bool labelled = read_labels(p);
    if (labelled && (is_closing(p) || is_heading(p))) add_implicit_at_end(p);
    if (is_heading(p) || bpi_at(p, BPI_T_END)) {
      end_body(p);
      return;
    }
    read_statement(p, labelled);
  }
}
