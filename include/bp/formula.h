/* SPDX-License-Identifier: MIT
 *
 * Formulas of linear temporal logic (LTL): read from text or made in memory,
 * looked at, negated, simplified, printed. docs/ltl.md has the language.
 *
 * A formula is immutable, owns everything it shows and may be shared by
 * threads. Its subformulas are nodes, dense ids from 0; equal subformulas are
 * one node, and an operand has a smaller id than what it is an operand of. The
 * getters are const and cannot fail: for an id out of range they answer 0,
 * NULL or BP_NONE. Strings are borrowed as long as the formula lives.
 *
 * A formula knows no program: an atom is a kind, a name and a place, and what
 * they mean is settled when formula and program meet. */
#ifndef BP_FORMULA_H
#define BP_FORMULA_H

#include <bp/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_formula bp_formula;
typedef struct bp_formula_builder bp_formula_builder;

/** What a node is. AND and OR have two or more operands, the others as many as is usual. */
typedef enum bp_formula_op {
  BP_FORMULA_FALSE = 0,
  BP_FORMULA_TRUE = 1,
  BP_FORMULA_ATOM = 2,
  BP_FORMULA_NOT = 3,
  BP_FORMULA_AND = 4,
  BP_FORMULA_OR = 5,
  BP_FORMULA_IMPLIES = 6,
  BP_FORMULA_IFF = 7,
  BP_FORMULA_NEXT = 8,           /**< X a */
  BP_FORMULA_EVENTUALLY = 9,     /**< F a, <> a */
  BP_FORMULA_ALWAYS = 10,        /**< G a, [] a */
  BP_FORMULA_UNTIL = 11,         /**< a U b: b comes, and until then a */
  BP_FORMULA_RELEASE = 12,       /**< a R b: b up to and with the first a, or for ever */
  BP_FORMULA_WEAK_UNTIL = 13,    /**< a W b: a U b or G a */
  BP_FORMULA_STRONG_RELEASE = 14 /**< a M b: a R b and F a */
} bp_formula_op;

typedef enum bp_atom_kind {
  BP_ATOM_NAME = 0,       /**< `x` or `PROC.x`: a label or a variable */
  BP_ATOM_IN = 1,         /**< `in(PROC)` */
  BP_ATOM_ENTER = 2,      /**< `enter(PROC)` */
  BP_ATOM_EXIT = 3,       /**< `exit(PROC)` */
  BP_ATOM_TERMINATED = 4, /**< `terminated` */
  BP_ATOM_FAILED = 5,     /**< `failed` */
  BP_ATOM_QUOTED = 6      /**< `"x & !y"`: an expression of the program's language, kept as text */
} bp_atom_kind;

/* ---- reading and writing ----------------------------------------------- */

/** Reads a formula from `len` bytes at `text`; any bytes are allowed. `name` is used in messages,
 *  NULL or "" for none. Neither text nor name needs to live on. Nesting costs no stack.
 *  BP_E_INPUT: what is wrong and where is in the diagnostics. BP_E_NOMEM, BP_E_LIMIT. */
BP_API bp_status bp_formula_parse(bp_formula **out, bp_context *ctx, const char *text, size_t len,
                                  const char *name);
BP_API bp_formula *bp_formula_ref(bp_formula *formula);
BP_API void bp_formula_unref(bp_formula *formula);

/** Writes the formula on one line, without newline, with the parentheses that are needed and no
 *  others; it reads back as the same formula. The text of a formula that shares much may be
 *  exponentially longer than the formula. BP_E_IO, BP_E_NOMEM. */
BP_API bp_status bp_formula_write(const bp_formula *formula, const bp_sink *sink);

/* ---- looking ----------------------------------------------------------- */

BP_API const char *bp_formula_name(const bp_formula *formula);
BP_API uint32_t bp_formula_node_count(const bp_formula *formula);
/** The node that is the whole formula: the last one. */
BP_API uint32_t bp_formula_root(const bp_formula *formula);
/** Atoms and operators of the written formula; UINT64_MAX when there are more. */
BP_API uint64_t bp_formula_size(const bp_formula *formula);
BP_API bp_formula_op bp_formula_op_of(const bp_formula *formula, uint32_t node);
BP_API uint32_t bp_formula_operand_count(const bp_formula *formula, uint32_t node);
BP_API uint32_t bp_formula_operand(const bp_formula *formula, uint32_t node, uint32_t index);
/** The atom of an ATOM; BP_NONE otherwise. */
BP_API uint32_t bp_formula_atom_of(const bp_formula *formula, uint32_t node);

/** Different atoms are different in kind, procedure or text. */
BP_API uint32_t bp_formula_atom_count(const bp_formula *formula);
BP_API bp_atom_kind bp_formula_atom_kind(const bp_formula *formula, uint32_t atom);
/** The name or the expression, without quotes; "" for the kinds that have none. */
BP_API const char *bp_formula_atom_text(const bp_formula *formula, uint32_t atom);
/** The procedure; "" when none is named. */
BP_API const char *bp_formula_atom_proc(const bp_formula *formula, uint32_t atom);
/** Where the atom stands first in the text; line 0: there was no text. */
BP_API void bp_formula_atom_range(const bp_formula *formula, uint32_t atom, bp_range *out);

/* ---- making others ----------------------------------------------------- */

/** The negation, in negation normal form. BP_E_NOMEM, BP_E_LIMIT, here and below. */
BP_API bp_status bp_formula_negate(bp_formula **out, bp_context *ctx, const bp_formula *formula);
/** An equivalent formula without IMPLIES and IFF, with NOT before atoms only. */
BP_API bp_status bp_formula_nnf(bp_formula **out, bp_context *ctx, const bp_formula *formula);
/** An equivalent formula in negation normal form, as a rule a smaller one. */
BP_API bp_status bp_formula_simplify(bp_formula **out, bp_context *ctx, const bp_formula *formula);

/** Classes of the hierarchy of temporal properties, as bits. */
typedef enum bp_formula_class {
  BP_CLASS_SAFETY = 1,      /**< a violation is seen after finitely many steps */
  BP_CLASS_GUARANTEE = 2,   /**< the negation is a safety property */
  BP_CLASS_OBLIGATION = 4,  /**< a boolean combination of these two */
  BP_CLASS_PERSISTENCE = 8, /**< as FG p */
  BP_CLASS_RECURRENCE = 16  /**< as GF p */
} bp_formula_class;

/** The classes to which the formula belongs by its form. That is sound and incomplete: a property
 *  may be in a class of which its formula does not look. 0 for NULL. Simplify first to see more. */
BP_API uint32_t bp_formula_classes(const bp_formula *formula);

/* ---- building ---------------------------------------------------------- */

/** Makes an empty builder. It keeps the context. One thread, one owner. BP_E_NOMEM. */
BP_API bp_status bp_formula_builder_new(bp_formula_builder **out, bp_context *ctx);
BP_API void bp_formula_builder_free(bp_formula_builder *b);

/** A node for an atom. `proc` may be NULL; `text` is NULL for kinds without one. BP_NONE on failure,
 *  with a message; a later call that is given BP_NONE gives BP_NONE too, and so finish fails. */
BP_API uint32_t bp_formula_builder_atom(bp_formula_builder *b, bp_atom_kind kind, const char *proc,
                                        const char *text);
/** A node with these operands: none for the constants, two or more for AND and OR. The same node
 *  comes back for the same operator and operands. */
BP_API uint32_t bp_formula_builder_node(bp_formula_builder *b, bp_formula_op op,
                                        const uint32_t *operands, uint32_t count);
/** Makes the formula whose root is `node`; the builder stays as it is. BP_E_INVALID, BP_E_STATE when
 *  a call failed for memory before, BP_E_NOMEM. */
BP_API bp_status bp_formula_builder_finish(bp_formula_builder *b, uint32_t node, bp_formula **out);

#ifdef __cplusplus
}
#endif
#endif
