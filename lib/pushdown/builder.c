/* SPDX-License-Identifier: MIT */
#include "pushdown/pushdown.h"

#include "program/draft.h"

struct bp_pushdown_builder {
  bp_context *ctx;
  bp_pushdown *p; /* NULL: finished */
  bool failed;
  char *cause; /* the message of the first failure; NULL without memory */
};

bp_status bp_pushdown_builder_new(bp_pushdown_builder **out, bp_context *ctx)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out) return bpi_invalid(ctx, "out is NULL");
  bpi_context_begin(ctx);
  bp_pushdown_builder *b = bpi_zalloc(1, sizeof *b);
  if (b) b->p = bpi_pushdown_begin();
  if (!b || !b->p) {
    bpi_release(b);
    return bpi_no_memory(ctx);
  }
  b->ctx = bp_context_ref(ctx);
  *out = b;
  return BP_OK;
}

void bp_pushdown_builder_free(bp_pushdown_builder *b)
{
  if (!b) return;
  bp_pushdown_unref(b->p);
  bp_context_unref(b->ctx);
  bpi_release(b->cause);
  bpi_release(b);
}

static bp_status failed(bp_pushdown_builder *b, bp_status status)
{
  const char *cause = bp_context_message(b->ctx);
  if (!b->failed && cause) b->cause = bpi_strndup(cause, strlen(cause));
  b->failed = true;
  return status;
}

/* Why nothing can be done with the builder. */
static bp_status unusable(const bp_pushdown_builder *b)
{
  if (!b->failed)
    return bpi_fail(b->ctx, BP_E_STATE, BPI_MSG_STATE, "the system is finished already");
  return bpi_fail(b->ctx, BP_E_STATE, BPI_MSG_STATE, "the builder has failed before: %s",
                  b->cause ? b->cause : "out of memory");
}

/* ---- declarations ---------------------------------------------------------- */

bool bpi_name_good(const char *name, bool variable)
{
  if (!name || !*name || strlen(name) > BPI_MAX_ARGS) return false;
  for (const char *c = name; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) return false;
  return !variable || name[strlen(name) - 1] != '$';
}

static uint32_t declare(bp_pushdown_builder *b, const char *function, bpi_name_kind kind,
                        uint32_t scope, const char *name)
{
  bpi_context_begin(b->ctx);
  bool taken = false;
  if (!b->p) {
    unusable(b);
    return BP_NONE;
  }
  if (kind >= BPI_NAME_GLOBAL && b->p->rules.count) {
    failed(b, bpi_fail(b->ctx, BP_E_STATE, BPI_MSG_STATE, "there are rules already"));
    return BP_NONE;
  }
  if (!bpi_name_good(name, kind >= BPI_NAME_GLOBAL)) {
    failed(b, bpi_refuse(b->ctx, function, "that is not a name"));
    return BP_NONE;
  }
  const uint32_t id = bpi_pushdown_declare(b->p, kind, scope, name, &taken);
  if (id < BPI_MOST_NAMES) return id;
  if (taken)
    failed(b,
           bpi_refuse(b->ctx, function, "%s is there already", bpi_quote(name, strlen(name)).text));
  else if (id == BP_NONE)
    failed(b, bpi_no_memory(b->ctx));
  else
    failed(b, bpi_fail(b->ctx, BP_E_LIMIT, BPI_MSG_TOO_LARGE, "there are too many names"));
  return BP_NONE;
}

uint32_t bp_pushdown_builder_control(bp_pushdown_builder *b, const char *name)
{
  return b ? declare(b, __func__, BPI_NAME_CONTROL, 0, name) : BP_NONE;
}

uint32_t bp_pushdown_builder_symbol(bp_pushdown_builder *b, const char *name)
{
  if (!b) return BP_NONE;
  const uint32_t id = declare(b, __func__, BPI_NAME_SYMBOL, 0, name);
  if (id == BP_NONE) return BP_NONE;
  b->p->symbols.at[id].scope = b->p->scopes.count;
  if (bpi_vec_push(&b->p->scopes, (bpi_scope){0})) return id;
  failed(b, bpi_no_memory(b->ctx));
  return BP_NONE;
}

uint32_t bp_pushdown_builder_global(bp_pushdown_builder *b, const char *name)
{
  return b ? declare(b, __func__, BPI_NAME_GLOBAL, 0, name) : BP_NONE;
}

uint32_t bp_pushdown_builder_local(bp_pushdown_builder *b, uint32_t symbol, const char *name)
{
  if (!b) return BP_NONE;
  if (b->p && !b->failed && symbol < b->p->symbols.count)
    return declare(b, __func__, BPI_NAME_LOCAL, b->p->symbols.at[symbol].scope, name);
  failed(b, bpi_invalid(b->ctx, "there is no such symbol, or the builder failed before"));
  return BP_NONE;
}

/* ---- relations --------------------------------------------------------------- */

/* The operand that a name is in the scope of a symbol; BP_NONE. */
static uint32_t operand(const bp_pushdown *p, uint32_t symbol, const char *name, size_t len)
{
  const uint32_t local =
      symbol == BP_NONE
          ? BP_NONE
          : bpi_pushdown_find(p, BPI_NAME_LOCAL, p->symbols.at[symbol].scope, name, len);
  return local != BP_NONE ? local | BPI_LOCAL : bpi_pushdown_find(p, BPI_NAME_GLOBAL, 0, name, len);
}

static bool below_operand(const bpi_relation_scope *scope, const char *name, bpi_instr *in)
{
  const size_t len = strlen(name);
  if (scope->below == BP_NONE || len < 2 || name[len - 1] != '$') return false;
  const uint32_t var = operand(scope->p, scope->below, name, len - 1);
  if (var == BP_NONE || !(var & BPI_LOCAL)) return false;
  *in = (bpi_instr){BPI_OP_MIXED_NEXT, var};
  return true;
}

static bool meaning(void *user, const char *name, bpi_instr *in)
{
  const bpi_relation_scope *scope = user;
  if (in->op == BPI_OP_NEXT && !scope->primes) return false;
  const uint32_t symbol = in->op == BPI_OP_NEXT ? scope->top : scope->symbol;
  const uint32_t var = operand(scope->p, symbol, name, strlen(name));
  if (var == BP_NONE) return in->op == BPI_OP_NEXT && below_operand(scope, name, in);
  in->arg = var;
  return true;
}

bp_status bpi_relation_parse(bpi_code *out, bp_context *ctx, const bpi_relation_scope *scope,
                             const char *text, const char *what)
{
  bpi_relation_scope copy = *scope;
  if (!text) return BP_OK;
  if (scope->p->program)
    return bpi_expression_scoped(out, ctx, scope->p->program, text, what, meaning, &copy);
  return bpi_expression_read(out, ctx, text, what, meaning, &copy);
}

/* ---- rules ------------------------------------------------------------------- */

bp_status bp_pushdown_builder_rule(bp_pushdown_builder *b, uint32_t from, uint32_t symbol,
                                   uint32_t to, uint32_t top, uint32_t below, const char *relation)
{
  if (!b) return BP_E_INVALID;
  bpi_context_begin(b->ctx);
  const bp_pushdown *p = b->p;
  if (!p || b->failed) return unusable(b);
  const uint32_t controls = p->controls.count, symbols = p->symbols.count;
  if (from >= controls || to >= controls || symbol >= symbols ||
      (top == BP_NONE ? below != BP_NONE
                      : top >= symbols || (below != BP_NONE && below >= symbols)))
    return failed(b, bpi_invalid(b->ctx, "there is no such control location or symbol"));
  bpi_code code = {0};
  const bpi_relation_scope scope = {p, symbol, true, top, below};
  bp_status status = bpi_relation_parse(&code, b->ctx, &scope, relation, "relation");
  const bpi_rule rule = {.from = from, .symbol = symbol, .to = to, .top = top, .below = below};
  if (status == BP_OK && !bpi_pushdown_add_rule(b->p, &rule, code.at, code.count))
    status = bpi_no_memory(b->ctx);
  bpi_vec_free(&code);
  return status == BP_OK ? status : failed(b, status);
}

bp_status bp_pushdown_builder_finish(bp_pushdown_builder *b, bp_pushdown **out)
{
  if (out) *out = NULL;
  if (!b) return BP_E_INVALID;
  if (!out) return bpi_invalid(b->ctx, "out is NULL");
  bpi_context_begin(b->ctx);
  if (!b->p || b->failed) return unusable(b);
  *out = b->p;
  b->p = NULL;
  return BP_OK;
}
