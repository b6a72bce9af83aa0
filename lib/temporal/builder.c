/* SPDX-License-Identifier: MIT */
#include "temporal/lexer.h"

struct bp_formula_builder {
  bp_context *ctx;
  bpi_job job;
  bpi_ltl ltl;
};

bp_status bp_formula_builder_new(bp_formula_builder **out, bp_context *ctx)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out) return bpi_invalid(ctx, "out is NULL");
  bpi_context_begin(ctx);
  bp_formula_builder *b = bpi_zalloc(1, sizeof *b);
  if (!b) return bpi_no_memory(ctx);
  b->ctx = bp_context_ref(ctx);
  b->job = (bpi_job){.ctx = ctx, .status = BP_OK};
  if (bpi_ltl_init(&b->ltl, &b->job)) {
    *out = b;
    return BP_OK;
  }
  bp_formula_builder_free(b);
  return bpi_no_memory(ctx);
}

void bp_formula_builder_free(bp_formula_builder *b)
{
  if (!b) return;
  bpi_ltl_free(&b->ltl);
  bp_context_unref(b->ctx);
  bpi_release(b);
}

static uint32_t refuse(bp_formula_builder *b, const char *function, const char *text)
{
  bpi_refuse(b->ctx, function, "%s", text);
  return BP_NONE;
}

static uint32_t answer(bp_formula_builder *b, uint32_t node)
{
  if (node == BP_NONE && b->job.status == BP_E_NOMEM) bpi_no_memory(b->ctx);
  return node;
}

/* ---- atoms ------------------------------------------------------------- */

static bool is_name(const char *text)
{
  return text && bpi_ltl_is_name(text, strlen(text));
}

/* A procedure cannot be a number. */
static bool is_proc(const char *text)
{
  return is_name(text) && !(text[0] >= '0' && text[0] <= '9');
}

/* What is wrong with an atom, or NULL. */
static const char *wrong_atom(bp_atom_kind kind, const char *proc, const char *text)
{
  const bool has_proc = proc && *proc, has_text = text && *text;
  switch (kind) {
  case BP_ATOM_NAME:
    if (!is_name(text)) return "text is no name";
    return has_proc && !is_proc(proc) ? "proc is no name" : NULL;
  case BP_ATOM_IN:
  case BP_ATOM_ENTER:
  case BP_ATOM_EXIT:
    if (!is_proc(proc)) return "proc is no name";
    return has_text ? "this kind of atom has no text" : NULL;
  case BP_ATOM_TERMINATED:
  case BP_ATOM_FAILED: return has_proc || has_text ? "this kind of atom has no names" : NULL;
  case BP_ATOM_QUOTED:
    if (has_proc) return "this kind of atom has no procedure";
    return has_text && bpi_ltl_is_line(text, strlen(text)) ? NULL : "text is not one line";
  }
  return "unknown kind";
}

uint32_t bp_formula_builder_atom(bp_formula_builder *b, bp_atom_kind kind, const char *proc,
                                 const char *text)
{
  if (!b) return BP_NONE;
  const char *wrong = wrong_atom(kind, proc, text);
  if (wrong) return refuse(b, __func__, wrong);
  bpi_context_begin(b->ctx);
  if (!proc) proc = "";
  if (!text) text = "";
  if (kind == BP_ATOM_QUOTED) return answer(b, bpi_ltl_expression(&b->ltl, text));
  return answer(b, bpi_ltl_atom(&b->ltl, kind, proc, strlen(proc), text, strlen(text), NULL));
}

/* ---- nodes ------------------------------------------------------------- */

static uint32_t least_operands(bp_formula_op op)
{
  switch (op) {
  case BP_FORMULA_FALSE:
  case BP_FORMULA_TRUE: return 0;
  case BP_FORMULA_NOT:
  case BP_FORMULA_NEXT:
  case BP_FORMULA_EVENTUALLY:
  case BP_FORMULA_ALWAYS: return 1;
  default: return 2;
  }
}

uint32_t bp_formula_builder_node(bp_formula_builder *b, bp_formula_op op, const uint32_t *operands,
                                 uint32_t count)
{
  if (!b) return BP_NONE;
  if ((unsigned)op > BP_FORMULA_STRONG_RELEASE || op == BP_FORMULA_ATOM)
    return refuse(b, __func__, "unknown op");
  if (count && !operands) return refuse(b, __func__, "operands is NULL");
  const bool more = op == BP_FORMULA_AND || op == BP_FORMULA_OR;
  const uint32_t least = least_operands(op);
  if (count < least || (count > least && !more))
    return refuse(b, __func__, "the operator does not have so many operands");
  for (uint32_t i = 0; i < count; i++) {
    if (operands[i] == BP_NONE) return BP_NONE;
    if (operands[i] >= b->ltl.nodes.count) return refuse(b, __func__, "an operand is no node");
  }
  bpi_context_begin(b->ctx);
  return answer(b, bpi_ltl_node(&b->ltl, op, operands, count));
}

bp_status bp_formula_builder_finish(bp_formula_builder *b, uint32_t node, bp_formula **out)
{
  if (out) *out = NULL;
  if (!b) return BP_E_INVALID;
  if (!out) return bpi_invalid(b->ctx, "out is NULL");
  if (b->job.status != BP_OK) {
    bpi_context_begin(b->ctx);
    return bpi_fail(b->ctx, BP_E_STATE, BPI_MSG_STATE, "a call of the builder failed for memory");
  }
  if (node >= b->ltl.nodes.count) return bpi_invalid(b->ctx, "node is no node of the builder");
  bpi_context_begin(b->ctx);
  bpi_ltl_finish(&b->ltl, node, NULL, out);
  const bp_status status = bpi_job_end(&b->job, "building a formula");
  b->job.status = BP_OK; /* the builder itself is whole */
  return status;
}
