/* SPDX-License-Identifier: MIT */
#include "program/builder.h"

#include <stdarg.h>

enum { MAX_COMPLAINTS = 100, MAX_RESULTS = 65535 };

/* ---- life -------------------------------------------------------------- */

bp_status bp_builder_new(bp_builder **out, bp_context *ctx, const char *name,
                         const bp_program_options *options)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  const char *wrong = out ? bpi_options_check(options) : "out is NULL";
  if (wrong) return bpi_invalid(ctx, "%s", wrong);
  bpi_context_begin(ctx);
  bp_builder *b = bpi_zalloc(1, sizeof *b);
  if (!b) return bpi_no_memory(ctx);
  b->proc = BP_NONE;
  b->ctx = bp_context_ref(ctx);
  if (bpi_draft_init(&b->draft, ctx, name, options) != BP_OK) {
    bpi_release(b);
    bp_context_unref(ctx);
    return bpi_no_memory(ctx);
  }
  b->file = b->draft.program->name;
  if (options && options->entry) {
    /* The entry is a name of the host's, as those of procedures are. */
    b->draft.entry = bpi_builder_symbol(b, options->entry, BPI_NAME_PROC);
    if (b->draft.entry == BP_NONE) {
      const bool memory = b->draft.status != BP_OK;
      bp_builder_free(b);
      return memory ? bpi_no_memory(ctx) : BP_E_INVALID;
    }
  }
  *out = b;
  return BP_OK;
}

void bp_builder_free(bp_builder *b)
{
  if (!b) return;
  for (uint32_t i = 0; i < b->complaints.count; i++)
    bpi_release(b->complaints.at[i].text);
  bpi_vec_free(&b->complaints);
  bpi_vec_free(&b->nodes);
  bpi_vec_free(&b->walk);
  bpi_vec_free(&b->blocks);
  bpi_draft_free(&b->draft);
  bp_context_unref(b->ctx);
  bpi_release(b);
}

static void report_complaints(const bp_builder *b, bpi_draft *d)
{
  for (uint32_t i = 0; i < b->complaints.count; i++) {
    const bpi_complaint *c = &b->complaints.at[i];
    bpi_draft_error(d, c->number, bpi_name(d->program, c->file), &c->range, "%s", c->text);
  }
  d->errors += b->forgotten;
}

bp_status bp_builder_finish(bp_builder *b, bp_program **out)
{
  if (out) *out = NULL;
  if (!b) return BP_E_INVALID;
  if (!out) return bpi_invalid(b->ctx, "out is NULL");
  bpi_context_begin(b->ctx);
  if (b->proc != BP_NONE)
    return bpi_fail(b->ctx, BP_E_STATE, BPI_MSG_STATE, "procedure %s is still open",
                    bpi_draft_quote(&b->draft, b->draft.program->procs.at[b->proc].name).text);
  bpi_draft d;
  if (b->draft.status != BP_OK || bpi_draft_copy(&d, &b->draft) != BP_OK)
    return bpi_no_memory(b->ctx);
  d.watch = bpi_context_watch(b->ctx);
  report_complaints(b, &d);
  const bp_status status = bpi_draft_finish(&d, out);
  bpi_draft_free(&d);
  return status;
}

/* ---- mistakes ---------------------------------------------------------- */

bool bpi_builder_call(bp_builder *b)
{
  if (b) bpi_context_begin(b->ctx);
  return b != NULL;
}

static void tell(bp_builder *b, bpi_message number, uint32_t file, const bp_range *range,
                 const char *line)
{
  bpi_diagnose(b->ctx, BP_ERROR, number, bpi_name(b->draft.program, file), range, NULL, 0, "%s",
               line);
}

/* The first mistake is the likeliest reason. */
void bpi_remind(bp_builder *b)
{
  if (!b->complaints.count) return;
  const bpi_complaint *c = &b->complaints.at[0];
  tell(b, c->number, c->file, &c->range, c->text);
}

uint32_t bpi_complain(bp_builder *b, bpi_message number, const char *format, ...)
{
  char line[256];
  int used = 0;
  if (b->proc != BP_NONE)
    used = snprintf(line, sizeof line, "in procedure %s: ",
                    bpi_draft_quote(&b->draft, b->draft.program->procs.at[b->proc].name).text);
  va_list args;
  va_start(args, format);
  vsnprintf(line + used, sizeof line - (size_t)used, format, args);
  va_end(args);
  tell(b, number, b->file, &b->range, line);
  if (b->complaints.count >= MAX_COMPLAINTS) {
    b->forgotten++;
    return BP_NONE;
  }
  bpi_complaint c = {number, b->file, b->range, bpi_strndup(line, strlen(line))};
  if (!c.text || !bpi_vec_push(&b->complaints, c)) {
    bpi_release(c.text);
    bpi_draft_stop(&b->draft, BP_E_NOMEM);
  }
  return BP_NONE;
}

/* ---- names and places -------------------------------------------------- */

static uint32_t braced_symbol(bp_builder *b, const char *name, size_t len)
{
  char *braced = bpi_alloc(len + 2, 1);
  if (!braced) {
    bpi_draft_stop(&b->draft, BP_E_NOMEM);
    return BP_NONE;
  }
  braced[0] = '{';
  memcpy(braced + 1, name, len);
  braced[len + 1] = '}';
  const uint32_t symbol = bpi_draft_symbol(&b->draft, braced, len + 2);
  bpi_release(braced);
  return symbol;
}

uint32_t bpi_builder_symbol(bp_builder *b, const char *name, bpi_name_kind kind)
{
  const size_t len = name ? strlen(name) : 0;
  if (b->draft.symbols.count >= BPI_MAX_ARGS)
    return bpi_complain(b, BPI_MSG_TOO_LARGE, "more than %d names", BPI_MAX_ARGS);
  if (len && (bpi_is_plain_name(name, len, kind) || bpi_is_braced_name(name, len)))
    return bpi_draft_symbol(&b->draft, name, len);
  if (len && !strpbrk(name, "{}\n")) return braced_symbol(b, name, len);
  return bpi_complain(b, BPI_MSG_BUILDER, "%s cannot be a name: it %s",
                      bpi_quote(name ? name : "", len).text,
                      !len                 ? "is empty"
                      : strchr(name, '\n') ? "has a newline in it"
                      : strcmp(name, "{}") ? "has a brace in it"
                                           : "is empty");
}

bp_status bp_builder_at(bp_builder *b, const char *file, uint32_t line, uint32_t column)
{
  if (!bpi_builder_call(b)) return BP_E_INVALID;
  uint32_t name = b->draft.program->name;
  if (file) {
    const uint32_t symbol = bpi_draft_symbol(&b->draft, file, strlen(file));
    if (symbol == BP_NONE) return bpi_no_memory(b->ctx);
    name = b->draft.symbols.at[symbol].name;
  }
  b->file = name;
  b->range = (bp_range){.line = line, .column = column};
  return BP_OK;
}

void bp_builder_origin(bp_builder *b, uint64_t origin)
{
  if (b) b->origin = origin;
}

/* ---- declarations ------------------------------------------------------ */

static uint32_t add_var(bp_builder *b, const char *name, bp_var_kind kind, uint32_t init)
{
  bp_program *p = b->draft.program;
  const bpi_var v = {.name = bpi_builder_symbol(b, name, BPI_NAME_VAR),
                     .proc = kind == BP_VAR_GLOBAL ? BP_NONE : b->proc,
                     .kind = (uint8_t)kind,
                     .init = init,
                     .range = b->range};
  if (v.name == BP_NONE) return BP_NONE;
  if (p->vars.count >= BPI_MAX_ARGS)
    return bpi_complain(b, BPI_MSG_TOO_LARGE, "more than %d variables", BPI_MAX_ARGS);
  if (p->vars.count < BP_NONE - 1 && bpi_vec_push(&p->vars, v)) return p->vars.count - 1;
  bpi_draft_stop(&b->draft, BP_E_NOMEM);
  return BP_NONE;
}

uint32_t bp_builder_global(bp_builder *b, const char *name, uint32_t init)
{
  if (!bpi_builder_call(b)) return BP_NONE;
  if (b->proc != BP_NONE)
    return bpi_complain(b, BPI_MSG_BUILDER, "a global is declared inside a procedure");
  bp_program *p = b->draft.program;
  uint32_t expr = BP_NONE;
  if (init != BP_NONE && (expr = bpi_builder_expand(b, init)) == BP_NONE) return BP_NONE;
  if (!bpi_vec_reserve(&p->globals, 1)) {
    bpi_draft_stop(&b->draft, BP_E_NOMEM);
    return BP_NONE;
  }
  const uint32_t var = add_var(b, name, BP_VAR_GLOBAL, expr);
  if (var != BP_NONE) p->globals.at[p->globals.count++] = var;
  return var;
}

uint32_t bp_builder_proc_begin(bp_builder *b, const char *name, uint32_t results)
{
  if (!bpi_builder_call(b)) return BP_NONE;
  bp_program *p = b->draft.program;
  if (b->proc != BP_NONE)
    return bpi_complain(b, BPI_MSG_BUILDER, "a procedure begins inside another one");
  if (results > MAX_RESULTS)
    return bpi_complain(b, BPI_MSG_TOO_LARGE, "more than %d results", MAX_RESULTS);
  const bpi_proc proc = {.name = bpi_builder_symbol(b, name, BPI_NAME_PROC),
                         .results = results,
                         .vars = {p->vars.count, 0},
                         .stmts = {p->stmts.count, 0},
                         .range = b->range,
                         .end = b->range};
  if (proc.name == BP_NONE) return BP_NONE;
  if (!bpi_vec_push(&p->procs, proc)) {
    bpi_draft_stop(&b->draft, BP_E_NOMEM);
    return BP_NONE;
  }
  b->body = false;
  b->proc = p->procs.count - 1;
  return b->proc;
}

/* The blocks get their ends, so that the rest can be checked. */
static bp_status close_blocks(bp_builder *b)
{
  if (!b->blocks.count) return BP_OK;
  const bpi_open_block *inner = &b->blocks.at[b->blocks.count - 1];
  const char *word = inner->kind == BP_STMT_WHILE ? "while" : "if";
  char line[24] = "";
  if (inner->line) snprintf(line, sizeof line, " of line %u", (unsigned)inner->line);
  if (b->blocks.count == 1)
    bpi_complain(b, BPI_MSG_BUILDER, "the '%s'%s is still open at the end", word, line);
  else
    bpi_complain(b, BPI_MSG_BUILDER,
                 "%u blocks are still open at the end, the innermost is the '%s'%s",
                 (unsigned)b->blocks.count, word, line);
  while (b->blocks.count) {
    const uint8_t kind = b->blocks.at[--b->blocks.count].kind;
    const bpi_stmt s = bpi_stmt_blank(kind == BP_STMT_WHILE ? BP_STMT_OD : BP_STMT_FI);
    const uint32_t stmt = bpi_draft_stmt(&b->draft, &s, &b->range);
    if (stmt != BP_NONE) bpi_draft_origin(&b->draft, stmt, b->file, 0);
  }
  return BP_E_STATE;
}

bp_status bp_builder_proc_end(bp_builder *b)
{
  if (!bpi_builder_call(b)) return BP_E_INVALID;
  if (b->proc == BP_NONE)
    return bpi_fail(b->ctx, BP_E_STATE, BPI_MSG_STATE, "no procedure is open");
  bp_program *p = b->draft.program;
  bpi_builder_body(b);
  bpi_builder_settle(b);
  const bp_status status = close_blocks(b);
  bpi_proc *proc = &p->procs.at[b->proc];
  proc->end = b->range;
  proc->vars.count = p->vars.count - proc->vars.first;
  proc->stmts.count = p->stmts.count - proc->stmts.first;
  b->proc = BP_NONE;
  return b->draft.status == BP_OK ? status : bpi_no_memory(b->ctx);
}

uint32_t bp_builder_formal(bp_builder *b, const char *name)
{
  if (!bpi_builder_call(b)) return BP_NONE;
  bp_program *p = b->draft.program;
  if (b->proc == BP_NONE || b->body ||
      p->procs.at[b->proc].vars.first + p->procs.at[b->proc].formals != p->vars.count)
    return bpi_complain(b, BPI_MSG_BUILDER,
                        "a parameter must come first in a procedure, before locals");
  const uint32_t var = add_var(b, name, BP_VAR_FORMAL, BP_NONE);
  if (var != BP_NONE) p->procs.at[b->proc].formals++;
  return var;
}

uint32_t bp_builder_local(bp_builder *b, const char *name)
{
  if (!bpi_builder_call(b)) return BP_NONE;
  if (b->proc == BP_NONE || b->body)
    return bpi_complain(b, BPI_MSG_BUILDER,
                        "a local must come before the statements of a procedure");
  return add_var(b, name, BP_VAR_LOCAL, BP_NONE);
}

/* Whether these can be the bits of a number; complains if not. */
static bool can_be_bits(bp_builder *b, const uint32_t *vars, uint32_t count)
{
  const bp_program *p = b->draft.program;
  bool good = count <= UINT16_MAX && (vars || !count);
  if (!good)
    bpi_complain(b, BPI_MSG_BUILDER, "a number of too many bits, or of none that are given");
  for (uint32_t i = 0; good && i < count; i++) {
    good = bpi_builder_sees(b, vars[i]);
    if (good &&
        (p->vars.at[vars[i]].number || p->vars.at[vars[i]].proc != p->vars.at[vars[0]].proc)) {
      bpi_complain(b, BPI_MSG_BUILDER, "variable %u %s", (unsigned)vars[i],
                   p->vars.at[vars[i]].number ? "is a bit of a number already"
                                              : "is not where the other bits of the number are");
      good = false;
    }
  }
  return good;
}

bp_status bp_builder_number(bp_builder *b, const uint32_t *vars, uint32_t count)
{
  if (!bpi_builder_call(b) || !can_be_bits(b, vars, count)) return BP_E_INVALID;
  bp_program *p = b->draft.program;
  bpi_program_number(p, vars, count);
  for (uint32_t i = 0; i < count; i++) {
    if (p->vars.at[vars[i]].weight == i) continue;
    for (uint32_t k = 0; k < count; k++)
      p->vars.at[vars[k]].number = 0;
    bpi_complain(b, BPI_MSG_BUILDER, "variable %u is two bits of one number", (unsigned)vars[i]);
    return BP_E_INVALID;
  }
  return BP_OK;
}
