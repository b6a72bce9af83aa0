/* SPDX-License-Identifier: MIT
 * A Remopla program as it was read: flat tables. Names are symbols of the draft.
 *
 * Expressions are postfix code, statements a flat list in text order in which IF ... FI and DO ... OD
 * enclose clauses. */
#ifndef BPI_REMOPLA_TREE_H
#define BPI_REMOPLA_TREE_H

#include "base/source.h"
#include "program/draft.h"

/* ---- expressions ------------------------------------------------------- */

typedef enum bpi_rop {
  BPI_ROP_NUMBER, /* arg: in `numbers` */
  BPI_ROP_TRUE,
  BPI_ROP_FALSE,
  BPI_ROP_UNDEF,
  BPI_ROP_NAME,    /* arg: symbol; jump: symbol of the module before the dot, or BP_NONE */
  BPI_ROP_ELEMENT, /* index; arg, jump: the same */
  BPI_ROP_NOT,
  BPI_ROP_IFF,
  BPI_ROP_IMPLIES,
  BPI_ROP_OR,
  BPI_ROP_XOR,
  BPI_ROP_AND,
  BPI_ROP_EQ,
  BPI_ROP_NE,
  BPI_ROP_LT,
  BPI_ROP_LE,
  BPI_ROP_GT,
  BPI_ROP_GE,
  BPI_ROP_ADD,
  BPI_ROP_SUB,
  BPI_ROP_MUL,
  BPI_ROP_DIV,
  BPI_ROP_EACH, /* low, high; arg: symbol of the counter; jump: its end */
  BPI_ROP_ALL,  /* what EACH made, condition: ends EACH; jump: where that is */
  BPI_ROP_ANY
} bpi_rop;

typedef struct bpi_rinstr {
  uint8_t op; /* bpi_rop */
  uint32_t arg;
  uint32_t at; /* offset of its token in the source */
  uint32_t jump;
} bpi_rinstr;

static inline uint32_t bpi_rop_arity(uint32_t op)
{
  if (op < BPI_ROP_ELEMENT) return 0;
  return op == BPI_ROP_ELEMENT || op == BPI_ROP_NOT ? 1 : 2;
}

/* ---- declarations ------------------------------------------------------ */

typedef enum bpi_rtype { BPI_RTYPE_VOID, BPI_RTYPE_BOOL, BPI_RTYPE_INT, BPI_RTYPE_ENUM } bpi_rtype;

/* A type, but for the bits of an int. */
typedef struct bpi_rtyping {
  uint8_t type;      /* bpi_rtype */
  uint32_t name, at; /* of an enum: its symbol and place */
} bpi_rtyping;

/* Bits of a number, and of all variables of a program. */
enum { BPI_MOST_BITS = 32, BPI_MOST_VARS = 1 << 16 };

/* A variable. */
typedef struct bpi_rdecl {
  uint32_t name, at;
  bpi_rtyping of;
  bpi_slice bits, length; /* in `code`; count 0: not given */
  uint32_t width, size;   /* what these come to: 0 for a bool, and for what is no array */
  bpi_slice values;       /* the constants of an enum, in `defines` */
  uint32_t datum;         /* in the program's `data`, when declared */
} bpi_rdecl;

/* `int x(3), y;` */
typedef struct bpi_rline {
  bpi_rtyping of;
  bpi_slice vars; /* in `decls` */
} bpi_rline;

typedef struct bpi_rdefine {
  uint32_t name, at;
  bpi_slice value;
} bpi_rdefine;

/* `enum color { RED, GREEN };`: its constants are defines, of 0, 1 ... */
typedef struct bpi_renum {
  uint32_t name, at;
  bpi_slice values; /* in `defines` */
} bpi_renum;

typedef struct bpi_rmodule {
  uint32_t name;
  bp_range range;    /* of its name */
  bp_range end;      /* of its closing brace */
  bpi_rtyping of;    /* what it returns */
  bpi_slice values;  /* of that, if it is an enum */
  bpi_slice bits;    /* of that; count 0: not given */
  bpi_slice formals; /* in `decls` */
  bpi_slice lines;   /* of its locals */
  bpi_slice stmts;
  uint32_t width;  /* of what it returns: 0 for a bool */
  uint32_t spare;  /* how many bits a result may have to wait in */
  uint32_t spares; /* the first of those variables */
  uint32_t proc;   /* in the program; BP_NONE: a declaration without a body */
} bpi_rmodule;

/* What stands outside of modules, and they, in text order. */
typedef enum bpi_ritem_kind {
  BPI_RITEM_DEFINE,
  BPI_RITEM_ENUM,
  BPI_RITEM_LINE,
  BPI_RITEM_INIT,
  BPI_RITEM_MODULE
} bpi_ritem_kind;

typedef struct bpi_ritem {
  uint8_t kind;
  uint32_t index; /* in the table of its kind; INIT: a symbol */
  uint32_t at;
} bpi_ritem;

/* ---- statements -------------------------------------------------------- */

typedef enum bpi_rkind {
  BPI_RSTMT_SKIP,   /* expr: the condition, if any */
  BPI_RSTMT_ASSIGN, /* sides */
  BPI_RSTMT_CALL,   /* name; args; sides: the target, if any */
  BPI_RSTMT_RETURN, /* expr: the value, if any */
  BPI_RSTMT_GOTO,   /* name */
  BPI_RSTMT_BREAK,
  BPI_RSTMT_IF, /* jump: its FI */
  BPI_RSTMT_DO,
  BPI_RSTMT_CLAUSE, /* expr: the guard, none for `else`; jump: the next clause or the end */
  BPI_RSTMT_FI,     /* jump: its IF */
  BPI_RSTMT_OD
} bpi_rkind;

/* A part of an assignment. */
typedef struct bpi_rside {
  uint32_t name, at;
  bpi_slice index; /* count 0: none */
  bpi_slice value; /* count 0: what a call returns */
} bpi_rside;

typedef struct bpi_rlabel {
  uint32_t name, at;
} bpi_rlabel;

typedef struct bpi_rstmt {
  uint8_t kind; /* bpi_rkind */
  bp_range range;
  bpi_slice labels, expr, sides;
  bpi_slice args; /* in `args` */
  uint32_t name, at;
  uint32_t jump;
  bpi_slice text; /* in the program's `source`, once it is printed */
} bpi_rstmt;

/* ---- everything -------------------------------------------------------- */

typedef struct bpi_rtree {
  BPI_VEC(bpi_rinstr) code;
  BPI_VEC(uint64_t) numbers;
  BPI_VEC(bpi_rdecl) decls;
  BPI_VEC(bpi_rline) lines;
  BPI_VEC(bpi_rdefine) defines;
  BPI_VEC(bpi_renum) enums;
  BPI_VEC(bpi_rmodule) modules;
  BPI_VEC(bpi_ritem) items;
  BPI_VEC(bpi_rstmt) stmts;
  BPI_VEC(bpi_rside) sides;
  BPI_VEC(bpi_slice) args;
  BPI_VEC(bpi_rlabel) labels;
} bpi_rtree;

void bpi_rtree_free(bpi_rtree *t);

/* print.c: writes the program into the `source` of `p`, and notes the text of each statement. Names are
 * the symbols of the draft. False without memory. */
bool bpi_rtree_print(bpi_rtree *t, bpi_draft *d);

#endif
