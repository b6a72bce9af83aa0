/* SPDX-License-Identifier: MIT */
#include "remopla/parser.h"

/* ---- simple statements ------------------------------------------------- */

static bool read_target(bpi_rparser *p, bpi_rside *side)
{
  *side = (bpi_rside){0};
  if (!bpi_rparser_name(p, "the name of a variable", &side->name, &side->at)) return false;
  if (!bpi_rparser_take(p, BPI_R_LBRACKET)) return true;
  return bpi_rparse_expr(p, &side->index, false) && bpi_rparser_expect(p, BPI_R_RBRACKET, "']'");
}

static bool add_side(bpi_rparser *p, bpi_rstmt *s, const bpi_rside *side)
{
  s->sides.count++;
  return bpi_vec_push(&p->t->sides, *side) || bpi_rparser_no_memory(p);
}

/* `(e, ...)` behind the name of a module. */
static bool read_args(bpi_rparser *p, bpi_rstmt *s)
{
  s->kind = BPI_RSTMT_CALL;
  s->args = (bpi_slice){p->t->args.count, 0};
  if (!bpi_rparser_expect(p, BPI_R_LPAREN, "'('")) return false;
  if (bpi_rparser_take(p, BPI_R_RPAREN)) return true;
  do {
    bpi_slice arg;
    if (!bpi_rparse_expr(p, &arg, false)) return false;
    if (!bpi_vec_push(&p->t->args, arg)) return bpi_rparser_no_memory(p);
    s->args.count++;
  } while (bpi_rparser_take(p, BPI_R_COMMA));
  return bpi_rparser_expect(p, BPI_R_RPAREN, "')'");
}

static bool read_value(bpi_rparser *p, bpi_slice *value)
{
  if (!bpi_rat(p, BPI_R_UNDEF)) return bpi_rparse_expr(p, value, false);
  const bpi_rinstr in = {.op = BPI_ROP_UNDEF, .at = p->now.offset};
  *value = (bpi_slice){p->t->code.count, 1};
  if (!bpi_vec_push(&p->t->code, in)) return bpi_rparser_no_memory(p);
  bpi_rparser_step(p);
  return true;
}

static bool read_assign(bpi_rparser *p, bpi_rstmt *s)
{
  s->kind = BPI_RSTMT_ASSIGN;
  s->sides = (bpi_slice){p->t->sides.count, 0};
  do {
    bpi_rside side;
    if (!read_target(p, &side) || !bpi_rparser_expect(p, BPI_R_ASSIGN, "'='")) return false;
    if (bpi_rat(p, BPI_R_NAME) && p->next.kind == BPI_R_LPAREN && !s->sides.count)
      return add_side(p, s, &side) && bpi_rparser_name(p, "a module", &s->name, &s->at) &&
             read_args(p, s);
    if (!read_value(p, &side.value) || !add_side(p, s, &side)) return false;
  } while (bpi_rparser_take(p, BPI_R_COMMA));
  return true;
}

static bool ends_statement(const bpi_rparser *p)
{
  return bpi_rat(p, BPI_R_SEMICOLON) || bpi_rat(p, BPI_R_FI) || bpi_rat(p, BPI_R_OD) ||
         bpi_rat(p, BPI_R_CLAUSE) || bpi_rat(p, BPI_R_RBRACE);
}

static bool read_simple(bpi_rparser *p, bpi_rstmt *s)
{
  switch (p->now.kind) {
  case BPI_R_SKIP:
    s->kind = BPI_RSTMT_SKIP;
    bpi_rparser_step(p);
    if (ends_statement(p)) return true;
    return bpi_rparser_expect(p, BPI_R_LPAREN, "'(' or ';'") &&
           bpi_rparse_expr(p, &s->expr, false) && bpi_rparser_expect(p, BPI_R_RPAREN, "')'");
  case BPI_R_GOTO:
    s->kind = BPI_RSTMT_GOTO;
    bpi_rparser_step(p);
    return bpi_rparser_name(p, "a label", &s->name, &s->at);
  case BPI_R_RETURN:
    s->kind = BPI_RSTMT_RETURN;
    bpi_rparser_step(p);
    return ends_statement(p) || bpi_rparse_expr(p, &s->expr, false);
  case BPI_R_BREAK:
    s->kind = BPI_RSTMT_BREAK;
    bpi_rparser_step(p);
    return true;
  default: break;
  }
  if (!bpi_rat(p, BPI_R_NAME)) return bpi_rparser_missing(p, "a statement");
  if (p->next.kind != BPI_R_LPAREN) return read_assign(p, s);
  return bpi_rparser_name(p, "a module", &s->name, &s->at) && read_args(p, s);
}

/* ---- blocks ------------------------------------------------------------ */

static bpi_ropen *innermost(bpi_rparser *p)
{
  return p->open.count ? &p->open.at[p->open.count - 1] : NULL;
}

static bool add(bpi_rparser *p, bpi_rstmt *s, uint32_t labels)
{
  s->labels = (bpi_slice){labels, p->t->labels.count - labels};
  return bpi_vec_push(&p->t->stmts, *s) || bpi_rparser_no_memory(p);
}

static bool read_labels(bpi_rparser *p)
{
  while (bpi_rat(p, BPI_R_NAME) && p->next.kind == BPI_R_COLON) {
    bpi_rlabel label;
    if (!bpi_rparser_name(p, "a label", &label.name, &label.at)) return false;
    bpi_rparser_step(p);
    if (!bpi_vec_push(&p->t->labels, label)) return bpi_rparser_no_memory(p);
  }
  return true;
}

static bool begin_block(bpi_rparser *p, bpi_rstmt *s, uint32_t labels)
{
  s->kind = bpi_rat(p, BPI_R_IF) ? BPI_RSTMT_IF : BPI_RSTMT_DO;
  const bpi_ropen open = {.stmt = p->t->stmts.count, .clause = BP_NONE};
  bpi_rparser_step(p);
  return add(p, s, labels) && (bpi_vec_push(&p->open, open) || bpi_rparser_no_memory(p));
}

/* Whether the innermost open block is an `if` (`do`) that the word at hand may close. */
static bool may_close(bpi_rparser *p, const bpi_ropen *open, bool fi)
{
  if (open && (p->t->stmts.at[open->stmt].kind == BPI_RSTMT_IF) == fi) return true;
  const bp_range range = bpi_rtoken_range(p->now);
  bpi_draft_error(p->d, BPI_MSG_SYNTAX, NULL, &range, "'%s' without '%s'", fi ? "fi" : "od",
                  fi ? "if" : "do");
  return false;
}

static void link_clause(bpi_rparser *p, bpi_ropen *open)
{
  if (open->clause != BP_NONE) p->t->stmts.at[open->clause].jump = p->t->stmts.count;
  open->clause = p->t->stmts.count;
}

static bool end_block(bpi_rparser *p, bpi_rstmt *s)
{
  const bool fi = bpi_rat(p, BPI_R_FI);
  bpi_ropen *open = innermost(p);
  if (!may_close(p, open, fi)) return false;
  link_clause(p, open);
  s->kind = fi ? BPI_RSTMT_FI : BPI_RSTMT_OD;
  s->jump = open->stmt;
  p->t->stmts.at[open->stmt].jump = p->t->stmts.count;
  p->open.count--;
  bpi_rparser_step(p);
  bpi_rparser_take(p, BPI_R_SEMICOLON);
  return add(p, s, p->t->labels.count);
}

/* `:: guard ->` */
static bool read_clause(bpi_rparser *p, bpi_rstmt *s)
{
  bpi_ropen *open = innermost(p);
  if (!open) return bpi_rparser_missing(p, "a statement");
  s->kind = BPI_RSTMT_CLAUSE;
  bpi_rparser_step(p);
  if (open->otherwise) {
    const bp_range range = bpi_rtoken_range(p->now);
    bpi_draft_error(p->d, BPI_MSG_SYNTAX, NULL, &range, "'else' must be the last clause");
  }
  s->range = bpi_rtoken_range(p->now);
  open->otherwise = bpi_rparser_take(p, BPI_R_ELSE);
  if (!open->otherwise && !bpi_rparse_expr(p, &s->expr, true)) return false;
  s->range.end = p->last_end;
  if (!bpi_rparser_expect(p, BPI_R_ARROW, "'->'")) return false;
  link_clause(p, open);
  return add(p, s, p->t->labels.count);
}

/* What stands where a statement may: false after an error. */
static bool read_statement(bpi_rparser *p)
{
  const uint32_t labels = p->t->labels.count;
  bpi_rstmt s = {0};
  if (!read_labels(p)) return false;
  s.range = bpi_rtoken_range(p->now);
  const bool labelled = labels != p->t->labels.count;
  switch (p->now.kind) {
  case BPI_R_IF:
  case BPI_R_DO: return begin_block(p, &s, labels);
  case BPI_R_FI:
  case BPI_R_OD:
  case BPI_R_CLAUSE:
    if (labelled) return bpi_rparser_missing(p, "a statement for the label");
    return bpi_rat(p, BPI_R_CLAUSE) ? read_clause(p, &s) : end_block(p, &s);
  default: break;
  }
  const bpi_ropen *open = innermost(p);
  if (open && open->clause == BP_NONE) return bpi_rparser_missing(p, "'::'");
  if (!read_simple(p, &s)) return false;
  s.range.end = p->last_end;
  if (!add(p, &s, labels)) return false;
  if (bpi_rparser_take(p, BPI_R_SEMICOLON) || ends_statement(p)) return true;
  return bpi_rparser_missing(p, "';'");
}

static void recover(bpi_rparser *p)
{
  p->quiet = true;
  while (!ends_statement(p) && !bpi_rat(p, BPI_R_END_OF_FILE) && !bpi_rat(p, BPI_R_MODULE) &&
         bpi_draft_going(p->d))
    bpi_rparser_step(p);
  p->quiet = false;
  bpi_rparser_take(p, BPI_R_SEMICOLON);
}

static bool unclosed(bpi_rparser *p)
{
  const bpi_rstmt *s = &p->t->stmts.at[p->open.at[p->open.count - 1].stmt];
  const bool is_if = s->kind == BPI_RSTMT_IF;
  const bp_range range = bpi_rtoken_range(p->now);
  bpi_draft_error(p->d, BPI_MSG_UNCLOSED, NULL, &range, "expected '%s' for the '%s' of line %u",
                  is_if ? "fi" : "od", is_if ? "if" : "do", (unsigned)s->range.line);
  return false;
}

bool bpi_rparse_body(bpi_rparser *p)
{
  p->open.count = 0;
  while (!bpi_rat(p, BPI_R_RBRACE)) {
    if (!bpi_draft_going(p->d)) return false;
    if (bpi_rat(p, BPI_R_END_OF_FILE) || bpi_rat(p, BPI_R_MODULE))
      return p->open.count ? unclosed(p) : bpi_rparser_missing(p, "'}'");
    if (bpi_rparser_take(p, BPI_R_SEMICOLON)) continue;
    const uint32_t before = p->now.offset;
    if (read_statement(p)) continue;
    recover(p);
    if (p->now.offset == before) bpi_rparser_step(p);
  }
  if (p->open.count) return unclosed(p);
  bpi_rparser_step(p);
  return true;
}
