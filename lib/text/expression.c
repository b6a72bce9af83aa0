/* SPDX-License-Identifier: MIT */
#include "text/expression.h"

#include "remopla/remopla.h"
#include "text/parser.h"

typedef struct place {
  const bp_program *program; /* NULL: the default precedence */
  uint32_t proc;
  bpi_meaning_fn *meaning; /* NULL: names are variables in scope in `proc` */
  void *user;
} place;

/* Every name is looked up once; the symbol remembers its variable. */
static uint32_t var_of(bpi_draft *d, const place *in, uint32_t symbol)
{
  bpi_symbol *s = &d->symbols.at[symbol];
  if (s->local_proc == BP_NONE) {
    s->local = bp_program_find_var(in->program, in->proc, bpi_draft_text(d, symbol));
    s->local_proc = 0;
  }
  return s->local;
}

static void resolve(bpi_draft *d, const place *in)
{
  uint32_t names = 0;
  for (uint32_t i = 0; i < d->program->code.count; i++) {
    bpi_instr *instr = &d->program->code.at[i];
    if (instr->op != BPI_OP_VAR && instr->op != BPI_OP_NEXT) continue;
    const uint32_t symbol = instr->arg, var = var_of(d, in, symbol);
    const uint32_t name = names++;
    if (instr->op == BPI_OP_VAR && var != BP_NONE) {
      instr->arg = var;
      continue;
    }
    const uint32_t offset = d->places->part(d->source, BP_STMT_SKIP, 0, BPI_PART_NAME, name);
    const bp_range range = bpi_draft_place(d, offset, d->symbols.at[symbol].len, &(bp_range){0});
    if (instr->op == BPI_OP_NEXT)
      bpi_draft_error(d, BPI_MSG_PRIME, NULL, &range, "a primed name has no meaning here");
    if (var != BP_NONE || d->symbols.at[symbol].reported == 0) continue;
    d->symbols.at[symbol].reported = 0;
    bpi_draft_error(d, BPI_MSG_UNDECLARED, NULL, &range, "%s is not declared%s",
                    bpi_draft_quote(d, symbol).text,
                    in->proc == BP_NONE ? " as a global" : " there");
  }
}

static void resolve_by(bpi_draft *d, const place *in)
{
  uint32_t names = 0;
  for (uint32_t i = 0; i < d->program->code.count; i++) {
    bpi_instr *instr = &d->program->code.at[i];
    if (instr->op != BPI_OP_VAR && instr->op != BPI_OP_NEXT) continue;
    const uint32_t symbol = instr->arg, name = names++;
    if (in->meaning(in->user, bpi_draft_text(d, symbol), instr)) continue;
    const uint32_t offset = d->places->part(d->source, BP_STMT_SKIP, 0, BPI_PART_NAME, name);
    const bp_range range = bpi_draft_place(d, offset, d->symbols.at[symbol].len, &(bp_range){0});
    bpi_draft_error(d, BPI_MSG_UNDECLARED, NULL, &range, "%s%s is not declared there",
                    instr->op == BPI_OP_NEXT ? "after the step, " : "",
                    bpi_draft_quote(d, symbol).text);
  }
}

static bp_status read(bpi_code *out, bpi_draft *d, bpi_text *text, const place *in)
{
  bpi_parser p;
  if (in->program && in->program->language == BP_LANGUAGE_REMOPLA) {
    bpi_remopla_condition(out, d, &text->source, in->program, in->proc);
    if (d->status != BP_OK) return bpi_no_memory(d->ctx);
    return d->errors ? BP_E_INPUT : BP_OK;
  }
  bpi_parser_init(&p, d, text);
  if (bpi_parse_expr(&p) != BP_NONE && !bpi_at(&p, BPI_T_END_OF_FILE))
    bpi_parser_missing(&p, "an operator or the end");
  bpi_parser_free(&p);
  if (d->status == BP_OK && !d->errors) (in->meaning ? resolve_by : resolve)(d, in);
  if (d->status != BP_OK) return bpi_no_memory(d->ctx);
  if (d->errors) return BP_E_INPUT;
  *out = (bpi_code){d->program->code.at, d->program->code.count, d->program->code.capacity};
  memset(&d->program->code, 0, sizeof d->program->code);
  return BP_OK;
}

static bp_status parse(bpi_code *out, bp_context *ctx, const char *text, const char *what,
                       const place *in)
{
  bpi_text source = {0};
  bpi_draft d;
  if (strlen(text) >= UINT32_MAX - 1)
    return bpi_fail(ctx, BP_E_INPUT, BPI_MSG_TOO_LARGE, "a text must be smaller than 4 GB");
  if (!bpi_source_init(&source.source, text, strlen(text))) return bpi_no_memory(ctx);
  if (bpi_draft_init(&d, ctx, what, NULL) != BP_OK) {
    bpi_source_free(&source.source);
    return bpi_no_memory(ctx);
  }
  if (in->program) d.precedence = in->program->precedence;
  const bp_status status = read(out, &d, &source, in);
  bpi_draft_free(&d);
  bpi_source_free(&source.source);
  return status;
}

bp_status bpi_expression_parse(bpi_code *out, bp_context *ctx, const bp_program *program,
                               uint32_t proc, const char *text, const char *what)
{
  return parse(out, ctx, text, what, &(place){.program = program, .proc = proc});
}

bp_status bpi_expression_read(bpi_code *out, bp_context *ctx, const char *text, const char *what,
                              bpi_meaning_fn *meaning, void *user)
{
  return parse(out, ctx, text, what, &(place){.proc = BP_NONE, .meaning = meaning, .user = user});
}

bp_status bpi_expression_scoped(bpi_code *out, bp_context *ctx, const bp_program *program,
                                const char *text, const char *what, bpi_meaning_fn *meaning,
                                void *user)
{
  const place in = {.program = program, .proc = BP_NONE, .meaning = meaning, .user = user};
  return parse(out, ctx, text, what, &in);
}
