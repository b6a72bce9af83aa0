/* SPDX-License-Identifier: MIT */
#include "program/draft.h"

#include <stdarg.h>

/* Warnings must leave room for errors among the diagnostics that a context keeps. */
enum { MAX_WARNINGS = 60 };

/* ---- life -------------------------------------------------------------- */

const char *bpi_options_check(const bp_program_options *options)
{
  if (!options) return NULL;
  if (options->size != sizeof *options) return "options->size is not sizeof(bp_program_options)";
  if ((unsigned)options->precedence > BP_PRECEDENCE_SATABS) return "unknown options->precedence";
  if ((unsigned)options->dead > BP_DEAD_IGNORE) return "unknown options->dead";
  if ((unsigned)options->fall_off > BP_FALL_OFF_ERROR) return "unknown options->fall_off";
  if ((unsigned)options->undeclared > BP_UNDECLARED_LOCAL) return "unknown options->undeclared";
  if ((unsigned)options->language > BP_LANGUAGE_REMOPLA) return "unknown options->language";
  if ((unsigned)options->overflow > BP_OVERFLOW_ERROR) return "unknown options->overflow";
  if ((unsigned)options->locals > BP_LOCALS_ZERO) return "unknown options->locals";
  return NULL;
}

static void draft_options(bpi_draft *d, const bp_program_options *options)
{
  d->precedence = d->program->precedence = options->precedence;
  d->undeclared = options->undeclared;
  d->strict = options->strict != 0;
  d->entry_optional = options->entry_optional && !options->entry;
  d->program->dead = options->dead;
  d->program->fall_off = options->fall_off;
  d->program->entry_given = options->entry != NULL;
  d->program->language = (uint8_t)options->language;
}

bp_status bpi_draft_init(bpi_draft *d, bp_context *ctx, const char *name,
                         const bp_program_options *options)
{
  *d = (bpi_draft){
      .ctx = ctx, .inside = BP_NONE, .mixed_stmt = BP_NONE, .counted = {.stmt = BP_NONE}};
  d->program = bpi_zalloc(1, sizeof *d->program);
  if (!d->program) return BP_E_NOMEM;
  atomic_init(&d->program->refs, 1);
  atomic_init(&d->program->fingerprint, 0);
  if (options) draft_options(d, options);
  if (!bpi_draft_grow(d)) {
    bpi_draft_free(d);
    return BP_E_NOMEM;
  }
  const char *entry = options && options->entry ? options->entry : "main";
  bpi_draft_symbol(d, "", 0);
  d->entry = bpi_draft_symbol(d, entry, strlen(entry));
  const uint32_t file = bpi_draft_symbol(d, name ? name : "", name ? strlen(name) : 0);
  if (d->status == BP_OK) {
    d->program->name = d->symbols.at[file].name;
    return BP_OK;
  }
  bpi_draft_free(d);
  return BP_E_NOMEM;
}

void bpi_draft_free(bpi_draft *d)
{
  bpi_program_destroy(d->program);
  bpi_vec_free(&d->symbols);
  bpi_release(d->slots);
  bpi_vec_free(&d->label_at);
  d->program = NULL;
  d->slots = NULL;
}

/* A copy of `from`'s elements in `to`, which has none of its own. */
#define COPY_TABLE(to, from)                                                                       \
  ((to)->at = NULL, (to)->count = (to)->capacity = 0,                                              \
   (from)->count == 0 || (bpi_vec_reserve(to, (from)->count) &&                                    \
                          (memcpy((to)->at, (from)->at, (from)->count * sizeof *(to)->at),         \
                           (to)->count = (from)->count, 1)))

static bool copy_tables(bp_program *to, const bp_program *from)
{
  bool good = COPY_TABLE(&to->names, &from->names);
  good &= COPY_TABLE(&to->vars, &from->vars);
  good &= COPY_TABLE(&to->procs, &from->procs);
  good &= COPY_TABLE(&to->stmts, &from->stmts);
  good &= COPY_TABLE(&to->bases, &from->bases);
  good &= COPY_TABLE(&to->wides, &from->wides);
  good &= COPY_TABLE(&to->files, &from->files);
  good &= COPY_TABLE(&to->origins, &from->origins);
  good &= COPY_TABLE(&to->labels, &from->labels);
  good &= COPY_TABLE(&to->code, &from->code);
  good &= COPY_TABLE(&to->exprs, &from->exprs);
  good &= COPY_TABLE(&to->ids, &from->ids);
  good &= COPY_TABLE(&to->globals, &from->globals);
  return good;
}

bp_status bpi_draft_copy(bpi_draft *to, const bpi_draft *from)
{
  *to = (bpi_draft){.ctx = from->ctx,
                    .entry = from->entry,
                    .precedence = from->precedence,
                    .undeclared = from->undeclared,
                    .strict = from->strict,
                    .entry_optional = from->entry_optional,
                    .inside = BP_NONE,
                    .mixed_stmt = BP_NONE,
                    .counted = {.stmt = BP_NONE},
                    .label_mark = from->label_mark};
  to->program = bpi_zalloc(1, sizeof *to->program);
  if (!to->program) return BP_E_NOMEM;
  bp_program *p = to->program;
  atomic_init(&p->refs, 1);
  atomic_init(&p->fingerprint, 0);
  p->name = from->program->name;
  p->entry_given = from->program->entry_given;
  p->dead = from->program->dead;
  p->fall_off = from->program->fall_off;
  bool good = copy_tables(p, from->program);
  good &= COPY_TABLE(&to->symbols, &from->symbols);
  if (good) return BP_OK;
  bpi_draft_free(to);
  return BP_E_NOMEM;
}

/* ---- statements -------------------------------------------------------- */

/* What does not fit gets cut; false then. */
static bool pack(bpi_row *r, const bpi_base *base, const bpi_stmt *s, const bp_range *range,
                 bool labelled)
{
  const uint32_t first_target = s->targets.first - base->first_target;
  const uint32_t first_expr = s->exprs.first - base->first_expr;
  const uint32_t offset = range->offset - base->offset, line = range->line - base->line;
  const uint32_t column = range->column - (line ? 0 : base->column);
  const uint32_t len = range->end - range->offset;
  *r = (bpi_row){.kind = s->kind,
                 .implicit = s->implicit,
                 .silent = s->silent & 1,
                 .constrained = s->constrain != BP_NONE,
                 .labelled = labelled,
                 .targets = s->targets.count,
                 .exprs = s->exprs.count,
                 .first_target = (uint16_t)first_target,
                 .first_expr = (uint16_t)first_expr,
                 .offset = (uint16_t)offset,
                 .line = (uint16_t)line,
                 .column = (uint16_t)column,
                 .len = (uint16_t)len};
  return r->targets == s->targets.count && r->exprs == s->exprs.count &&
         (first_target | first_expr | offset | line | column | len) <= UINT16_MAX;
}

BPI_COLD static bool add_base(bp_program *p, const bpi_stmt *s, const bp_range *range)
{
  const bpi_base base = {s->targets.first, s->exprs.first, range->offset, range->line,
                         range->column};
  return bpi_vec_push(&p->bases, base);
}

BPI_COLD static bool widen(bp_program *p, uint32_t stmt, const bpi_stmt *s, const bp_range *range)
{
  const bpi_wide wide = {stmt, s->targets, s->exprs, *range};
  p->stmts.at[stmt].wide = 1;
  return bpi_vec_push(&p->wides, wide);
}

uint32_t bpi_draft_stmt(bpi_draft *d, const bpi_stmt *stmt, const bp_range *range)
{
  bp_program *p = d->program;
  const uint32_t id = p->stmts.count;
  bpi_stmt s = *stmt;
  /* Where nothing is, the tables' ends are as good as any place, and near. */
  if (!s.targets.count && !s.targets.first && s.kind != BP_STMT_CALL)
    s.targets.first = p->ids.count;
  if (!s.exprs.count && !s.exprs.first) s.exprs.first = p->exprs.count;
  const bool good = id < BP_NONE - 1 && bpi_vec_reserve(&p->stmts, 1) &&
                    (id % BPI_BASE_ROWS || add_base(p, &s, range)) &&
                    (pack(&p->stmts.at[id], &p->bases.at[id / BPI_BASE_ROWS], &s, range,
                          d->label_mark != p->labels.count) ||
                     widen(p, id, &s, range));
  if (!good) {
    bpi_draft_stop(d, BP_E_NOMEM);
    return BP_NONE;
  }
  d->label_mark = p->labels.count;
  return p->stmts.count++;
}

bool bpi_draft_widen(bpi_draft *d, uint32_t stmt)
{
  bp_program *p = d->program;
  if (p->stmts.at[stmt].wide) return true;
  const bpi_stmt s = bpi_stmt_at(p, stmt);
  const bp_range range = bpi_stmt_range(p, stmt);
  return widen(p, stmt, &s, &range) || bpi_draft_stop(d, BP_E_NOMEM);
}

bool bpi_draft_origin(bpi_draft *d, uint32_t stmt, uint32_t file, uint64_t origin)
{
  bp_program *p = d->program;
  while (file != bpi_stmt_file(p, stmt) && p->files.count <= stmt)
    if (!bpi_vec_push(&p->files, p->name)) return bpi_draft_stop(d, BP_E_NOMEM);
  while (origin != bpi_stmt_origin(p, stmt) && p->origins.count <= stmt)
    if (!bpi_vec_push(&p->origins, 0)) return bpi_draft_stop(d, BP_E_NOMEM);
  if (stmt < p->files.count) p->files.at[stmt] = file;
  if (stmt < p->origins.count) p->origins.at[stmt] = origin;
  return true;
}

bool bpi_draft_label(bpi_draft *d, uint32_t symbol, uint32_t offset)
{
  bp_program *p = d->program;
  if (symbol == BP_NONE) return false;
  if (offset != BP_NONE && !bpi_vec_push(&d->label_at, offset))
    return bpi_draft_stop(d, BP_E_NOMEM);
  if (!bpi_vec_push(&p->labels, (bpi_label){symbol, p->stmts.count}))
    return bpi_draft_stop(d, BP_E_NOMEM);
  return true;
}

/* ---- stops ------------------------------------------------------------- */

bool bpi_draft_stop(bpi_draft *d, bp_status status)
{
  if (d->status == BP_OK) d->status = status;
  return false;
}

bool bpi_draft_many(bpi_draft *d, const char *what)
{
  bpi_draft_error(d, BPI_MSG_TOO_LARGE, NULL, &(bp_range){0}, "more than %d %s", BPI_MAX_ARGS,
                  what);
  return false;
}

bpi_quoted bpi_quote(const char *text, size_t len)
{
  enum { SHOWN = 60 };
  bpi_quoted q;
  size_t used = 0;
  q.text[used++] = '\'';
  for (size_t i = 0; i < len && i < SHOWN; i++) {
    const unsigned char c = (unsigned char)text[i];
    q.text[used++] = c < ' ' || c == 127 ? '?' : (char)c;
  }
  if (len > SHOWN) {
    memcpy(q.text + used, "...", 3);
    used += 3;
  }
  q.text[used++] = '\'';
  q.text[used] = '\0';
  return q;
}

bpi_quoted bpi_draft_quote(const bpi_draft *d, uint32_t symbol)
{
  return bpi_quote(bpi_draft_text(d, symbol), d->symbols.at[symbol].len);
}

/* ---- places ------------------------------------------------------------ */

bp_range bpi_draft_place(const bpi_draft *d, uint32_t offset, uint32_t len,
                         const bp_range *otherwise)
{
  if (!d->places || offset == BP_NONE) return *otherwise;
  return d->places->range(d->source, offset, offset + len);
}

bp_range bpi_draft_label_place(const bpi_draft *d, uint32_t label)
{
  const bpi_label *l = &d->program->labels.at[label];
  const bp_range stmt = bpi_stmt_range(d->program, l->stmt);
  const uint32_t offset = label < d->label_at.count ? d->label_at.at[label] : BP_NONE;
  return bpi_draft_place(d, offset, d->symbols.at[l->name].len, &stmt);
}

static bp_range part_place(const bpi_draft *d, uint32_t stmt, bpi_part part, uint32_t n,
                           uint32_t len)
{
  const bp_range range = bpi_stmt_range(d->program, stmt);
  if (!d->places) return range;
  const uint8_t kind = bpi_stmt_kind(d->program, stmt);
  const uint32_t offset = d->places->part(d->source, kind, range.offset, part, n);
  return bpi_draft_place(d, offset, len, &range);
}

bp_range bpi_draft_target_place(const bpi_draft *d, uint32_t stmt, uint32_t n, uint32_t len)
{
  return part_place(d, stmt, BPI_PART_TARGET, n, len);
}

bp_range bpi_draft_callee_place(const bpi_draft *d, uint32_t stmt, uint32_t len)
{
  return part_place(d, stmt, BPI_PART_CALLEE, 0, len);
}

/* The statements of one `decl` share their place; the first one of them. */
static uint32_t first_of_decl(const bpi_draft *d, uint32_t stmt)
{
  const bp_program *p = d->program;
  const uint32_t offset = bpi_stmt_range(p, stmt).offset;
  while (bpi_stmt_kind(p, stmt) == BP_STMT_DECL && stmt > 0 &&
         bpi_stmt_kind(p, stmt - 1) == BP_STMT_DECL &&
         bpi_stmt_range(p, stmt - 1).offset == offset) {
    if (stmt == d->counted.stmt) return d->counted.first;
    stmt--;
  }
  return stmt;
}

bp_range bpi_draft_name_place(bpi_draft *d, uint32_t stmt, uint32_t code, uint32_t len)
{
  const bp_program *p = d->program;
  bpi_name_count *c = &d->counted;
  if (!d->places) return bpi_stmt_range(p, stmt);
  const uint32_t first = first_of_decl(d, stmt);
  if (c->stmt == BP_NONE || c->first != first || c->to > code) {
    /* The items of a `decl` without an initialiser come first. */
    const uint32_t skipped = bpi_stmt_at(p, first).exprs.count == 0;
    c->to = bpi_expr_at(p, bpi_stmt_at(p, first + skipped).exprs.first).first;
    c->names = 0;
  }
  c->stmt = stmt;
  c->first = first;
  for (; c->to < code; c->to++)
    c->names += p->code.at[c->to].op >= BPI_OP_VAR && p->code.at[c->to].op <= BPI_OP_MIXED_NEXT;
  return part_place(d, stmt, BPI_PART_NAME, c->names, len);
}

/* It stands like an assignment: a name, `:=`, an expression. */
bp_range bpi_draft_initialiser_place(const bpi_draft *d, const bp_range *range, uint32_t len)
{
  if (!d->places) return *range;
  return bpi_draft_place(
      d, d->places->part(d->source, BP_STMT_ASSIGN, range->offset, BPI_PART_NAME, 0), len, range);
}

/* ---- messages ---------------------------------------------------------- */

static void diagnose(bpi_draft *d, bp_severity severity, bpi_message number, const char *file,
                     const bp_range *range, const char *format, va_list args)
{
  char line[512];
  int used = 0;
  if (d->inside != BP_NONE && !range->line)
    used = snprintf(line, sizeof line, "in procedure %s: ", bpi_draft_quote(d, d->inside).text);
  vsnprintf(line + used, sizeof line - (size_t)used, format, args);
  if (!file) file = bpi_name(d->program, d->program->name);
  bpi_diagnose(d->ctx, severity, number, file, range, d->text, d->len, "%s", line);
}

void bpi_draft_error(bpi_draft *d, bpi_message number, const char *file, const bp_range *range,
                     const char *format, ...)
{
  va_list args;
  if (d->status != BP_OK) return; /* what follows a stop is no news */
  d->errors++;
  va_start(args, format);
  diagnose(d, BP_ERROR, number, file, range, format, args);
  va_end(args);
}

void bpi_draft_doubt(bpi_draft *d, bpi_message number, const char *file, const bp_range *range,
                     const char *format, ...)
{
  va_list args;
  if (d->status != BP_OK) return;
  if (d->strict)
    d->errors++;
  else if (++d->warnings > MAX_WARNINGS)
    return;
  va_start(args, format);
  diagnose(d, d->strict ? BP_ERROR : BP_WARNING, number, file, range, format, args);
  va_end(args);
}
