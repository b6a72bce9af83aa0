/* SPDX-License-Identifier: MIT */
#include "temporal/source.h"

#include "temporal/ltl.h"

bp_formula *bp_formula_ref(bp_formula *formula)
{
  if (formula) atomic_fetch_add_explicit(&formula->refs, 1, memory_order_relaxed);
  return formula;
}

void bp_formula_unref(bp_formula *formula)
{
  if (!formula || atomic_fetch_sub_explicit(&formula->refs, 1, memory_order_acq_rel) != 1) return;
  bpi_ltl_free(&formula->ltl);
  bpi_release(formula->name);
  bpi_release(formula->source);
  bpi_release(formula);
}

const char *bpi_formula_source(const bp_formula *formula, size_t *len)
{
  *len = formula->source_len;
  return formula->source;
}

/* ---- getters ----------------------------------------------------------- */

static const bpi_node *node_at(const bp_formula *f, uint32_t node)
{
  return f && node < f->ltl.nodes.count ? &f->ltl.nodes.at[node] : NULL;
}

const char *bp_formula_name(const bp_formula *formula)
{
  return formula ? formula->name : NULL;
}

uint32_t bp_formula_node_count(const bp_formula *formula)
{
  return formula ? formula->ltl.nodes.count : 0;
}

uint32_t bp_formula_root(const bp_formula *formula)
{
  return formula ? formula->root : BP_NONE;
}

bp_formula_op bp_formula_op_of(const bp_formula *formula, uint32_t node)
{
  const bpi_node *n = node_at(formula, node);
  return n ? (bp_formula_op)n->op : BP_FORMULA_FALSE;
}

uint32_t bp_formula_operand_count(const bp_formula *formula, uint32_t node)
{
  const bpi_node *n = node_at(formula, node);
  return n && n->op != BP_FORMULA_ATOM ? n->count : 0;
}

uint32_t bp_formula_operand(const bp_formula *formula, uint32_t node, uint32_t index)
{
  if (index >= bp_formula_operand_count(formula, node)) return BP_NONE;
  return bpi_ltl_arg(&formula->ltl, node, index);
}

uint32_t bp_formula_atom_of(const bp_formula *formula, uint32_t node)
{
  const bpi_node *n = node_at(formula, node);
  return n && n->op == BP_FORMULA_ATOM ? n->first : BP_NONE;
}

static const bpi_atom *atom_at(const bp_formula *f, uint32_t atom)
{
  return f && atom < f->ltl.atoms.count ? &f->ltl.atoms.at[atom] : NULL;
}

uint32_t bp_formula_atom_count(const bp_formula *formula)
{
  return formula ? formula->ltl.atoms.count : 0;
}

bp_atom_kind bp_formula_atom_kind(const bp_formula *formula, uint32_t atom)
{
  const bpi_atom *a = atom_at(formula, atom);
  return a ? (bp_atom_kind)a->kind : BP_ATOM_NAME;
}

const char *bp_formula_atom_text(const bp_formula *formula, uint32_t atom)
{
  const bpi_atom *a = atom_at(formula, atom);
  return a ? formula->ltl.chars.at + a->text : NULL;
}

const char *bp_formula_atom_proc(const bp_formula *formula, uint32_t atom)
{
  const bpi_atom *a = atom_at(formula, atom);
  return a ? formula->ltl.chars.at + a->proc : NULL;
}

void bp_formula_atom_range(const bp_formula *formula, uint32_t atom, bp_range *out)
{
  const bpi_atom *a = atom_at(formula, atom);
  if (out) *out = a ? a->range : (bp_range){0};
}

uint64_t bp_formula_size(const bp_formula *formula)
{
  return formula ? formula->size : 0;
}
