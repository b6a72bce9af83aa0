/* SPDX-License-Identifier: MIT */
#include "text/parser.h"

/* ---- statements in general --------------------------------------------- */

bool bpi_parse_add(bpi_parser *p, const bpi_stmt *stmt, const bpi_token *start)
{
  bp_range range = bpi_token_range(*start);
  if (p->last_end > range.end) range.end = p->last_end;
  return bpi_draft_stmt(p->d, stmt, &range) != BP_NONE;
}

uint32_t bpi_parse_leader(const bpi_parser *p)
{
  const uint32_t kind = p->now->kind, next = p->now[1].kind;
  if (!bpi_is_name(kind)) return kind;
  if (next == BPI_T_ASSIGN || next == BPI_T_COMMA || next == BPI_T_COLON) return BPI_T_ID;
  if (next == BPI_T_LPAREN && kind != BPI_T_ABORTIF) return BPI_T_ID;
  return kind;
}

/* ---- assignments and calls --------------------------------------------- */

static bool read_target(bpi_parser *p)
{
  if (bpi_at(p, BPI_T_TRUE) || bpi_at(p, BPI_T_FALSE)) {
    const bp_range range = bpi_token_range(*p->now);
    bpi_draft_error(p->d, BPI_MSG_RESERVED, NULL, &range, "%s is a constant",
                    bpi_parser_quote(p, *p->now).text);
    return false;
  }
  if (!bpi_is_name(p->now->kind)) return bpi_parser_missing(p, "a variable");
  const uint32_t symbol = bpi_parser_symbol(p, p->now);
  if (symbol == BP_NONE || !bpi_parser_id(p, symbol)) return false;
  bpi_parser_step(p);
  return true;
}

static bool read_arguments(bpi_parser *p, bpi_slice *args)
{
  *args = (bpi_slice){p->d->program->exprs.count, 0};
  bpi_parser_step(p); /* `(` */
  if (bpi_parser_take(p, BPI_T_RPAREN)) return true;
  return bpi_parse_exprs(p, args) && bpi_parser_expect(p, BPI_T_RPAREN, "')'");
}

/* What stands behind a call that was meant to be part of an expression. */
static bool goes_on(const bpi_parser *p)
{
  return (p->now->kind >= BPI_T_AND && p->now->kind <= BPI_T_QUERY) || bpi_at(p, BPI_T_COMMA);
}

static bool read_call(bpi_parser *p, bpi_token start, bpi_slice targets)
{
  const bpi_token callee = *p->now;
  const uint32_t symbol = bpi_parser_symbol(p, &callee);
  bpi_slice args;
  bpi_parser_step(p);
  if (symbol == BP_NONE || !bpi_parser_id(p, symbol) || !read_arguments(p, &args)) return false;
  if (goes_on(p)) {
    const bp_range range = bpi_token_range(callee);
    bpi_draft_error(p->d, BPI_MSG_CALL_IN_EXPR, NULL, &range,
                    "a call cannot stand in an expression; assign its result first");
    return false;
  }
  bpi_stmt s = bpi_stmt_blank(BP_STMT_CALL);
  s.targets = targets;
  s.exprs = args;
  return bpi_parse_add(p, &s, &start);
}

static bool read_assignment(bpi_parser *p)
{
  const bpi_token start = *p->now;
  const uint32_t first = p->d->program->ids.count;
  do {
    if (!read_target(p)) return false;
  } while (bpi_parser_take(p, BPI_T_COMMA));
  const bpi_slice targets = {first, p->d->program->ids.count - first};
  if (!bpi_parser_expect(p, BPI_T_ASSIGN, targets.count == 1 ? "':=' or '('" : "':='"))
    return false;
  if (bpi_is_name(p->now->kind) && p->now[1].kind == BPI_T_LPAREN)
    return read_call(p, start, targets);
  bpi_slice values;
  uint32_t constrain = BP_NONE;
  if (!bpi_parse_exprs(p, &values)) return false;
  if (bpi_parser_take(p, BPI_T_CONSTRAIN) && (constrain = bpi_parse_expr(p)) == BP_NONE)
    return false;
  bpi_stmt s = bpi_stmt_blank(BP_STMT_ASSIGN);
  s.targets = targets;
  s.exprs = values;
  s.constrain = constrain;
  return bpi_parse_add(p, &s, &start);
}

static bool read_named(bpi_parser *p)
{
  if (bpi_is_name(p->now->kind) && p->now[1].kind == BPI_T_LPAREN)
    return read_call(p, *p->now, (bpi_slice){p->d->program->ids.count, 0});
  return read_assignment(p);
}

/* ---- declarations ------------------------------------------------------ */

static bool read_item(bpi_parser *p)
{
  if (bpi_at(p, BPI_T_TRUE) || bpi_at(p, BPI_T_FALSE)) {
    const bp_range range = bpi_token_range(*p->now);
    bpi_draft_error(p->d, BPI_MSG_RESERVED, NULL, &range, "%s is a constant and cannot be declared",
                    bpi_parser_quote(p, *p->now).text);
    return false;
  }
  if (!bpi_is_name(p->now->kind)) return bpi_parser_missing(p, "a name");
  bpi_item item = {bpi_parser_symbol(p, p->now), BP_NONE, *p->now};
  bpi_parser_step(p);
  if (item.name == BP_NONE) return false;
  if (bpi_parser_take(p, BPI_T_ASSIGN) && (item.init = bpi_parse_expr(p)) == BP_NONE) return false;
  if (!bpi_vec_push(&p->items, item)) return bpi_draft_stop(p->d, BP_E_NOMEM);
  return true;
}

bool bpi_parse_items(bpi_parser *p, bool *thread_local_)
{
  *thread_local_ = bpi_at(p, BPI_T_THREAD_LOCAL) && bpi_is_name(p->now[1].kind);
  if (*thread_local_) bpi_parser_step(p);
  p->items.count = 0;
  do {
    if (!read_item(p)) return false;
  } while (bpi_parser_take(p, BPI_T_COMMA));
  return true;
}

bool bpi_parse_declare(bpi_parser *p, const bpi_item *item, bp_var_kind kind, bool thread_local_)
{
  if (p->d->program->vars.count >= BPI_MAX_ARGS) return bpi_draft_many(p->d, "variables");
  const bpi_var var = {.name = item->name,
                       .proc = p->proc,
                       .kind = (uint8_t)kind,
                       .thread_local_ = thread_local_,
                       .init = kind == BP_VAR_GLOBAL ? item->init : BP_NONE,
                       .range = bpi_token_range(item->token)};
  return bpi_vec_push(&p->d->program->vars, var) || bpi_draft_stop(p->d, BP_E_NOMEM);
}

/* The items without a value share one statement, the others follow with one each. */
static bool read_decl(bpi_parser *p)
{
  const bpi_token start = *p->now;
  bool thread_local_;
  bpi_parser_step(p);
  if (!bpi_parse_items(p, &thread_local_)) return false;
  bpi_stmt s = bpi_stmt_blank(BP_STMT_DECL);
  s.targets.first = p->d->program->ids.count;
  for (uint32_t i = 0; i < p->items.count; i++) {
    const bpi_item *item = &p->items.at[i];
    if (!bpi_parse_declare(p, item, BP_VAR_LOCAL, thread_local_)) return false;
    if (item->init == BP_NONE && !bpi_parser_id(p, item->name)) return false;
  }
  s.targets.count = p->d->program->ids.count - s.targets.first;
  if (s.targets.count && !bpi_parse_add(p, &s, &start)) return false;
  for (uint32_t i = 0; i < p->items.count; i++) {
    const bpi_item *item = &p->items.at[i];
    if (item->init == BP_NONE) continue;
    s.targets = (bpi_slice){p->d->program->ids.count, 1};
    s.exprs = (bpi_slice){item->init, 1};
    if (!bpi_parser_id(p, item->name) || !bpi_parse_add(p, &s, &start)) return false;
  }
  return true;
}

/* ---- the others -------------------------------------------------------- */

static bool read_bare(bpi_parser *p, bp_stmt_kind kind)
{
  const bpi_token start = *p->now;
  bpi_parser_step(p);
  const bpi_stmt s = bpi_stmt_blank(kind);
  return bpi_parse_add(p, &s, &start);
}

static bool read_condition(bpi_parser *p, bp_stmt_kind kind)
{
  const bpi_token start = *p->now;
  bpi_parser_step(p);
  const uint32_t expr = bpi_parse_expr(p);
  if (expr == BP_NONE) return false;
  bpi_stmt s = bpi_stmt_blank(kind);
  s.exprs = (bpi_slice){expr, 1};
  return bpi_parse_add(p, &s, &start);
}

static bool read_goto(bpi_parser *p)
{
  const bpi_token start = *p->now;
  const uint32_t first = p->d->program->ids.count;
  do {
    bpi_parser_step(p); /* `goto` or `,` */
    const bool constant = bpi_at(p, BPI_T_TRUE) || bpi_at(p, BPI_T_FALSE);
    if (!constant && !bpi_is_name(p->now->kind) && !bpi_at(p, BPI_T_NUMBER))
      return bpi_parser_missing(p, "a label");
    const uint32_t symbol = bpi_parser_symbol(p, p->now);
    if (symbol == BP_NONE || !bpi_parser_id(p, symbol)) return false;
    bpi_parser_step(p);
  } while (bpi_at(p, BPI_T_COMMA));
  bpi_stmt s = bpi_stmt_blank(BP_STMT_GOTO);
  s.targets = (bpi_slice){first, p->d->program->ids.count - first};
  return bpi_parse_add(p, &s, &start);
}

static bool ends_statement(const bpi_parser *p)
{
  switch (p->now->kind) {
  case BPI_T_SEMICOLON:
  case BPI_T_END:
  case BPI_T_FI:
  case BPI_T_OD:
  case BPI_T_ELSE:
  case BPI_T_ELSIF:
  case BPI_T_END_OF_FILE: return true;
  default: return false;
  }
}

static bool read_return(bpi_parser *p)
{
  const bpi_token start = *p->now;
  bpi_slice values = {p->d->program->exprs.count, 0};
  bpi_parser_step(p);
  if (!ends_statement(p) && !bpi_parse_exprs(p, &values)) return false;
  bpi_stmt s = bpi_stmt_blank(BP_STMT_RETURN);
  s.exprs = values;
  return bpi_parse_add(p, &s, &start);
}

static bool read_print(bpi_parser *p)
{
  const bpi_token start = *p->now;
  bpi_slice values;
  bpi_parser_step(p);
  if (!bpi_at(p, BPI_T_LPAREN)) return bpi_parser_missing(p, "'('");
  if (!read_arguments(p, &values)) return false;
  bpi_stmt s = bpi_stmt_blank(BP_STMT_PRINT);
  s.exprs = values;
  return bpi_parse_add(p, &s, &start);
}

static bool read_dead(bpi_parser *p)
{
  const bpi_token start = *p->now;
  const uint32_t first = p->d->program->ids.count;
  bpi_parser_step(p);
  do {
    if (!read_target(p)) return false;
  } while (bpi_parser_take(p, BPI_T_COMMA));
  bpi_stmt s = bpi_stmt_blank(BP_STMT_DEAD);
  s.targets = (bpi_slice){first, p->d->program->ids.count - first};
  return bpi_parse_add(p, &s, &start);
}

static bool read_sync(bpi_parser *p)
{
  if (!bpi_is_name(p->now[1].kind)) {
    bpi_parser_step(p);
    return bpi_parser_missing(p, "a variable");
  }
  return read_condition(p, BP_STMT_SYNC);
}

bool bpi_parse_simple(bpi_parser *p, uint32_t leader)
{
  if (leader == BPI_T_ID) return read_named(p);
  switch (leader) {
  case BPI_T_SKIP: return read_bare(p, BP_STMT_SKIP);
  case BPI_T_END_THREAD: return read_bare(p, BP_STMT_END_THREAD);
  case BPI_T_ATOMIC_BEGIN: return read_bare(p, BP_STMT_ATOMIC_BEGIN);
  case BPI_T_ATOMIC_END: return read_bare(p, BP_STMT_ATOMIC_END);
  case BPI_T_ASSERT: return read_condition(p, BP_STMT_ASSERT);
  case BPI_T_ASSUME: return read_condition(p, BP_STMT_ASSUME);
  case BPI_T_ENFORCE: return read_condition(p, BP_STMT_ENFORCE);
  case BPI_T_ABORTIF: return read_condition(p, BP_STMT_ABORTIF);
  case BPI_T_CONSTRAIN: return read_condition(p, BP_STMT_CONSTRAIN);
  case BPI_T_SYNC: return read_sync(p);
  case BPI_T_GOTO: return read_goto(p);
  case BPI_T_RETURN: return read_return(p);
  case BPI_T_PRINT: return read_print(p);
  case BPI_T_DEAD: return read_dead(p);
  case BPI_T_DECL: return read_decl(p);
  case BPI_T_TRUE:
  case BPI_T_FALSE: return read_assignment(p);
  default:
    if (bpi_is_name(p->now->kind)) return read_named(p);
    return bpi_parser_missing(p, "a statement");
  }
}
