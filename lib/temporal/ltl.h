/* SPDX-License-Identifier: MIT
 * Nodes of formulas in one table, each made once. Operands come before what uses them, so ids in
 * ascending order go from the leaves to the root. */
#ifndef BPI_LTL_H
#define BPI_LTL_H

#include "temporal/job.h"

#include <bp/formula.h>

typedef struct bpi_node {
  uint8_t op;     /* bp_formula_op */
  uint32_t first; /* its operands in `args`; of an atom: the atom */
  uint32_t count;
} bpi_node;

typedef struct bpi_atom {
  uint8_t kind;        /* bp_atom_kind */
  uint32_t proc, text; /* offsets in `chars` */
  bp_range range;
} bpi_atom;

typedef BPI_VEC(uint32_t) bpi_ids;

void bpi_ids_sort(bpi_ids *ids);
void bpi_ids_sort_unique(bpi_ids *ids); /* each one once */

typedef struct bpi_ltl {
  bpi_job *job; /* NULL in a finished formula */
  BPI_VEC(bpi_node) nodes;
  bpi_ids args;
  BPI_VEC(bpi_atom) atoms;
  BPI_VEC(char) chars;
  uint32_t *slots; /* hash table of nodes, BP_NONE in free ones */
  uint32_t slot_count;
  uint32_t *atom_slots;
  uint32_t atom_slot_count;
} bpi_ltl;

enum { BPI_LTL_FALSE = 0, BPI_LTL_TRUE = 1 };

struct bp_formula {
  atomic_uint refs;
  char *name;
  char *source; /* the text it was read from, or NULL */
  size_t source_len;
  bpi_ltl ltl;
  uint32_t root;
  uint64_t size; /* of the written formula */
  uint32_t classes;
};

/* An empty table with the constants as nodes 0 and 1. False without memory. */
bool bpi_ltl_init(bpi_ltl *l, bpi_job *job);
void bpi_ltl_free(bpi_ltl *l);

static inline bp_formula_op bpi_ltl_op(const bpi_ltl *l, uint32_t id)
{
  return (bp_formula_op)l->nodes.at[id].op;
}
static inline uint32_t bpi_ltl_arg(const bpi_ltl *l, uint32_t id, uint32_t index)
{
  return l->args.at[l->nodes.at[id].first + index];
}
static inline uint32_t bpi_ltl_count(const bpi_ltl *l, uint32_t id)
{
  return l->nodes.at[id].count;
}

/* The node, or BP_NONE: the job stopped, or an operand is BP_NONE. The operands may lie in `args`. */
uint32_t bpi_ltl_node(bpi_ltl *l, bp_formula_op op, const uint32_t *args, uint32_t count);
uint32_t bpi_ltl_unary(bpi_ltl *l, bp_formula_op op, uint32_t a);
uint32_t bpi_ltl_binary(bpi_ltl *l, bp_formula_op op, uint32_t a, uint32_t b);
/* The conjunction (AND) or disjunction (OR) of any number of nodes; of one it is that one. */
uint32_t bpi_ltl_chain(bpi_ltl *l, bp_formula_op op, const bpi_ids *nodes);
/* The g of a node GF g, or BP_NONE. */
uint32_t bpi_ltl_recurrent(const bpi_ltl *l, uint32_t node);
/* The node of an atom; the first place that is given for it stays. */
uint32_t bpi_ltl_atom(bpi_ltl *l, bp_atom_kind kind, const char *proc, size_t proc_len,
                      const char *text, size_t text_len, const bp_range *range);

/* Copies what is below `root` of another table, atoms too; the new root or BP_NONE. */
uint32_t bpi_ltl_copy(bpi_ltl *to, const bpi_ltl *from, uint32_t root);
/* Makes a formula of what is below `root`. False when the job stopped. */
bool bpi_ltl_finish(bpi_ltl *l, uint32_t root, const char *name, bp_formula **out);

/* Marks what is below `root`, itself included: an array of nodes.count, or NULL without memory. */
uint8_t *bpi_ltl_below(const bpi_ltl *l, uint32_t root);

/* ---- rewriting --------------------------------------------------------- */

/* The negation normal form of a node, or of its negation; BP_NONE when the job stopped. */
uint32_t bpi_ltl_nnf(bpi_ltl *l, uint32_t root, bool negate);

/* The operator of the negation, the operands negated too. */
bp_formula_op bpi_ltl_dual(bp_formula_op op);
/* An equivalent node, as a rule a smaller one. */
uint32_t bpi_ltl_simplify(bpi_ltl *l, uint32_t root);

/* The classes (bp_formula_class) of all nodes, by form; NULL without memory. */
uint8_t *bpi_ltl_classes(const bpi_ltl *l);

#endif
