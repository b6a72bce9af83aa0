/* SPDX-License-Identifier: MIT
 * The inside of a program: flat tables of dense ids, immutable once finished.
 *
 * Expressions are postfix code (operands before operators), so that reading one is a scan with a
 * stack and nesting costs no C stack. Every occurrence of a `*` is an instruction of its own.
 *
 * What an expression computes twice can be shared: KEEP and KEPT. Registers are numbered from 0 in each
 * expression. Nothing that is kept has a choice in it. */
#ifndef BPI_PROGRAM_H
#define BPI_PROGRAM_H

#include "base/context.h"

#include <bp/program.h>

/* ---- expressions ------------------------------------------------------- */

typedef enum bpi_op {
  BPI_OP_FALSE,
  BPI_OP_TRUE,
  BPI_OP_NONDET,     /* `*` and `?` */
  BPI_OP_VAR,        /* arg: variable */
  BPI_OP_NEXT,       /* arg: variable; its value after the assignment */
  BPI_OP_MIXED,      /* arg: variable; `x$`, the copy in the other threads */
  BPI_OP_MIXED_NEXT, /* arg: variable; `'x$`, its value after the assignment */
  BPI_OP_NOT,
  BPI_OP_AND,
  BPI_OP_OR,
  BPI_OP_XOR,
  BPI_OP_NE, /* the same as XOR, spelled `!=` */
  BPI_OP_EQ,
  BPI_OP_IMPLIES,
  BPI_OP_SCHOOSE, /* a b: a, else not b, else free */
  BPI_OP_COND,    /* c a b: c ? a : b */
  BPI_OP_KEEP,    /* arg: register; the operand's value, kept under that number */
  BPI_OP_KEPT     /* arg: register; the value kept there further left in the same expression */
} bpi_op;

typedef struct bpi_instr {
  uint32_t op : 5;
  uint32_t arg : 27; /* variable or register, otherwise 0 */
} bpi_instr;

typedef BPI_VEC(bpi_instr) bpi_code;

/* How many names and how many variables there can be. */
enum { BPI_MAX_ARGS = (1 << 27) - 1 };

/* How many operands an operator takes from the stack. */
static inline uint32_t bpi_op_arity(uint32_t op)
{
  if (op < BPI_OP_NOT || op == BPI_OP_KEPT) return 0;
  return op == BPI_OP_NOT || op == BPI_OP_KEEP ? 1 : op == BPI_OP_COND ? 3 : 2;
}

/* An expression: code[first .. first + count - 1]. */
typedef struct bpi_expr {
  uint32_t first, count;
} bpi_expr;

/* A slice of one of the tables below. */
typedef struct bpi_slice {
  uint32_t first, count;
} bpi_slice;

/* ---- tables ------------------------------------------------------------ */

typedef struct bpi_var {
  uint32_t name; /* offset in `names` */
  uint32_t proc; /* BP_NONE: global */
  uint8_t kind;  /* bp_var_kind */
  uint8_t thread_local_;
  uint16_t weight; /* of a bit of a number: 0 is the lowest */
  uint32_t number; /* 1 + the first variable that is a bit of the same number; 0: none is */
  uint32_t init;   /* globals: expression of constants and choices, BP_NONE: arbitrary */
  bp_range range;
} bpi_var;

typedef struct bpi_proc {
  uint32_t name;
  uint32_t results, formals;
  bpi_slice vars;  /* formals, then locals */
  bpi_slice stmts; /* in text order */
  uint8_t dfs;
  uint32_t concurrent; /* how many concurrent constructs its text uses */
  bp_range range;      /* of its name */
  bp_range end;        /* of the closing word */
} bpi_proc;

typedef struct bpi_label {
  uint32_t name;
  uint32_t stmt; /* global statement id */
} bpi_label;

/* A statement, unpacked by bpi_stmt_at(). What the fields hold, by kind:
 *
 *   ASSIGN     targets: variables or BP_NONE; exprs: as many values; constrain
 *   CALL       callee; targets: variables or BP_NONE, none when results are dropped;
 *              exprs: arguments
 *   RETURN     exprs: results, none for a bare return
 *   GOTO       targets: indices in `labels`, each the first of its name
 *   DEAD DECL  targets: variables; a DECL with an initialiser has one target and one expr
 *   PRINT      exprs
 *   SYNC       exprs: one VAR
 *   others     exprs: the condition, if there is one
 *
 * A target `x$` is BP_NONE in `ids` and named in `mixed`. An item of a `decl` with an initialiser is
 * a DECL of its own; the others of one `decl` share one. */
typedef struct bpi_stmt {
  uint8_t kind;       /* bp_stmt_kind */
  uint8_t implicit;   /* a skip made for a label on a declaration, an enforce or a closing word */
  uint8_t silent;     /* no step of an execution: see bpi_statement_silent() */
  uint32_t callee;    /* CALL, else BP_NONE */
  uint32_t constrain; /* index in exprs, or BP_NONE */
  bpi_slice targets;  /* in `ids` */
  bpi_slice exprs;    /* in `exprs` */
} bpi_stmt;

/* A statement as it is kept; most numbers count from those of the base that stands for the rows round
 * it. The callee of a CALL stands in `ids` behind its targets, a constrain in `exprs` behind the
 * values. Its place is from its first token after its labels. A statement that does not fit has all its numbers in `wides`. */
typedef struct bpi_row {
  uint32_t kind : 5, implicit : 1, constrained : 1, labelled : 1, wide : 1, silent : 1;
  uint32_t targets : 11, exprs : 11; /* how many */
  uint16_t first_target, first_expr; /* from the base's */
  uint16_t offset, line;             /* the same */
  uint16_t column, len;              /* column: from the base's if they share the line */
} bpi_row;

enum { BPI_BASE_ROWS = 64 };
typedef struct bpi_base {
  uint32_t first_target, first_expr, offset, line, column;
} bpi_base;

typedef struct bpi_wide {
  uint32_t stmt;
  bpi_slice targets, exprs;
  bp_range range;
} bpi_wide;

/* Why a procedure is concurrent: its first construct in the text. The text itself is not kept. */
typedef struct bpi_concurrent {
  uint32_t proc;
  uint32_t file; /* offset in `names` */
  bp_range range;
  uint32_t excerpt; /* offset in `names` of the excerpt's line, 0: none */
  uint32_t caret, underline;
} bpi_concurrent;

/* A target `x$`: the place in `ids` and the variable x. */
typedef struct bpi_mixed_target {
  uint32_t id, var;
} bpi_mixed_target;

/* A variable of the source: one boolean variable for each bit of each element. In a boolean program
 * every variable is a datum of its own, and the table is empty. */
typedef struct bpi_datum {
  uint32_t name;    /* offset in `names` */
  uint32_t proc;    /* BP_NONE: global */
  uint32_t bits;    /* of an element; 0: it is a bool */
  uint32_t length;  /* of an array; 0: it is none */
  bpi_slice values; /* of an enum: its constants, in `defines`; they are 0, 1 ... */
  uint32_t first;   /* in data_vars: element by element, the lowest bit first */
  uint8_t kind;     /* bp_var_kind */
  bp_range range;
} bpi_datum;

/* A name of the source for a number. */
typedef struct bpi_define {
  uint32_t name; /* offset in `names` */
  int64_t value;
} bpi_define;

typedef struct bpi_user_data bpi_user_data;

struct bp_program {
  atomic_uint refs;
  uint32_t name; /* offset in `names` */
  uint32_t entry;
  int entry_given;          /* options.entry was set */
  bp_precedence precedence; /* of its text, and of conditions about it */
  bp_dead dead;
  bp_fall_off fall_off;
  uint32_t concurrent;

  BPI_VEC(char) names; /* NUL-terminated strings; offset 0 is "" */
  BPI_VEC(bpi_var) vars;
  BPI_VEC(bpi_proc) procs;
  BPI_VEC(bpi_row) stmts;    /* procedure by procedure */
  BPI_VEC(bpi_base) bases;   /* for BPI_BASE_ROWS statements each */
  BPI_VEC(bpi_wide) wides;   /* in the order of their statements */
  BPI_VEC(uint32_t) files;   /* by statement, offsets in `names`; empty: all have the program's */
  BPI_VEC(uint64_t) origins; /* by statement; empty: none has one */
  BPI_VEC(bpi_label) labels; /* in the order of their statements */
  bpi_code code;
  BPI_VEC(uint32_t) exprs; /* where each ends in `code`; the next one begins there */
  BPI_VEC(uint32_t) ids;
  BPI_VEC(uint32_t) globals;           /* variable ids in text order */
  BPI_VEC(bpi_concurrent) concurrents; /* by procedure; last, one that is a thread by its name */
  BPI_VEC(bpi_mixed_target) mixed;     /* in the order of `id`; only concurrent programs have any */
  /* Of a program in another language than that of boolean programs: */
  uint8_t language;            /* bp_language */
  BPI_VEC(bpi_datum) data;     /* globals, then procedure by procedure */
  BPI_VEC(uint32_t) data_vars; /* their variables */
  BPI_VEC(bpi_define) defines;
  BPI_VEC(char) source;          /* the program, printed again in its language */
  BPI_VEC(bpi_slice) stmt_texts; /* by statement: its text in `source` */

  atomic_ullong fingerprint; /* 0: nobody asked so far */
  bpi_user_data *user_data;
};

/* The text of a name offset. A name in braces keeps them. */
static inline const char *bpi_name(const bp_program *p, uint32_t name)
{
  return p->names.at + name;
}

/* data.c: variables become the bits of one number, the lowest first. */
void bpi_program_number(bp_program *p, const uint32_t *vars, uint32_t count);
/* data.c: the global data, by number, and those of a procedure. */
uint32_t bpi_global_data(const bp_program *p);
uint32_t bpi_global_datum(const bp_program *p, uint32_t i);
bpi_slice bpi_own_data(const bp_program *p, uint32_t proc);

/* Looking at statements. Places, labels and procedures are looked up: not for every step of a loop. */
bpi_slice bpi_stmt_labels(const bp_program *p, uint32_t stmt);
bp_range bpi_stmt_range(const bp_program *p, uint32_t stmt);
uint32_t bpi_stmt_proc(const bp_program *p, uint32_t stmt);
const bpi_wide *bpi_stmt_wide(const bp_program *p, uint32_t stmt);

static inline bpi_expr bpi_expr_at(const bp_program *p, uint32_t expr)
{
  const uint32_t first = expr ? p->exprs.at[expr - 1] : 0;
  return (bpi_expr){first, p->exprs.at[expr] - first};
}

static inline uint8_t bpi_stmt_kind(const bp_program *p, uint32_t stmt)
{
  return (uint8_t)p->stmts.at[stmt].kind;
}

/* Whether it has neither targets nor expressions. */
static inline bool bpi_stmt_bare(const bp_program *p, uint32_t stmt)
{
  const bpi_row *r = &p->stmts.at[stmt];
  return !r->targets && !r->exprs && !r->constrained && !r->wide;
}

static inline bpi_stmt bpi_stmt_at(const bp_program *p, uint32_t stmt)
{
  const bpi_row *r = &p->stmts.at[stmt];
  const bpi_base *base = &p->bases.at[stmt / BPI_BASE_ROWS];
  bpi_stmt s = {.kind = (uint8_t)r->kind,
                .implicit = r->implicit,
                .silent = r->silent,
                .callee = BP_NONE,
                .constrain = BP_NONE,
                .targets = {base->first_target + r->first_target, r->targets},
                .exprs = {base->first_expr + r->first_expr, r->exprs}};
  if (r->wide) {
    const bpi_wide *w = bpi_stmt_wide(p, stmt);
    s.targets = w->targets;
    s.exprs = w->exprs;
  }
  if (s.kind == BP_STMT_CALL) s.callee = p->ids.at[s.targets.first + s.targets.count];
  if (r->constrained) s.constrain = s.exprs.first + s.exprs.count;
  return s;
}

/* The callee of a CALL. */
static inline uint32_t bpi_stmt_callee(const bp_program *p, uint32_t stmt)
{
  return bpi_stmt_at(p, stmt).callee;
}

static inline uint32_t bpi_stmt_file(const bp_program *p, uint32_t stmt)
{
  return stmt < p->files.count ? p->files.at[stmt] : p->name;
}

static inline uint64_t bpi_stmt_origin(const bp_program *p, uint32_t stmt)
{
  return stmt < p->origins.count ? p->origins.at[stmt] : 0;
}

/* Whether statements of that kind count as steps of an execution (design of lengths: docs/language.md). */
static inline bool bpi_kind_counts(uint32_t kind)
{
  switch (kind) {
  case BP_STMT_ELSE:
  case BP_STMT_FI:
  case BP_STMT_OD:
  case BP_STMT_ENFORCE:
  case BP_STMT_DECL: return false;
  default: return true;
  }
}

/* Whether a statement is no step: it counts in no length, no trace lists it, and no position of an
 * execution is at it, except that a trace may end at one that is its target. Control passes through it at
 * once, or is stuck there. The statements of one kind that are steps can be marked so (Remopla's `if` and
 * `do`, and what guards a call, a return or a jump). There is no loop of such statements alone. */
static inline bool bpi_statement_silent(const bp_program *p, uint32_t stmt)
{
  return p->stmts.at[stmt].silent || !bpi_kind_counts(p->stmts.at[stmt].kind);
}

/* fingerprint.c */
uint64_t bpi_fingerprint(bp_program *program);

/* Gives back the room that its tables do not use. */
void bpi_program_trim(bp_program *program);
/* Frees a program or a half-made one. */
void bpi_program_destroy(bp_program *program);

#endif
