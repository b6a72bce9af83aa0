/* SPDX-License-Identifier: MIT
 * A half-made program: what the parser and the builder both fill.
 *
 * Until bpi_draft_finish() the tables of the program hold symbols where the finished ones hold
 * something else: names are symbols instead of offsets, the callee of a CALL and the targets of a
 * GOTO are symbols too. Variables are resolved before (text/names.c; the builder has ids anyway).
 *
 * Memory trouble and limits stick in `status`; whoever fills the draft may go on and ask at the
 * end. */
#ifndef BPI_DRAFT_H
#define BPI_DRAFT_H

#include "program/program.h"

/* A function for what is rare: kept apart, and calls to it off the straight way. */
#define BPI_COLD __attribute__((cold, noinline))

/* A distinct name, and what it means at the moment. */
typedef struct bpi_symbol {
  uint32_t name, len;         /* offset in `names`, bytes */
  uint32_t proc;              /* the procedure of that name */
  uint32_t global;            /* the global of that name */
  uint32_t local, local_proc; /* the formal or local of that name in that procedure */
  uint32_t label, label_proc; /* the first label of that name in that procedure */
  uint32_t reported;          /* the last procedure that was told about this name */
} bpi_symbol;

/* A part of a statement that a message may point at. */
typedef enum bpi_part {
  BPI_PART_TARGET, /* number n */
  BPI_PART_CALLEE,
  BPI_PART_NAME /* number n of the names in its expressions, or the prime before it */
} bpi_part;

/* What the text tells about places. Tables hold only where statements begin; the few places inside
 * them that messages need are found by reading the statement again. */
typedef struct bpi_places {
  /* The line and column of bytes of the source. */
  bp_range (*range)(void *source, uint32_t offset, uint32_t end);
  /* The offset of a part of the statement of that kind at `offset`. For a DECL with an initialiser,
   * names count from the first initialiser of the whole `decl`; SKIP is an expression alone. */
  uint32_t (*part)(void *source, uint8_t kind, uint32_t offset, bpi_part part, uint32_t n);
} bpi_places;

/* How far names of a statement's expressions were counted, as the next question is often about a
 * later one. */
typedef struct bpi_name_count {
  uint32_t stmt, first; /* the statement; the first one that shares its `decl` */
  uint32_t to, names;   /* so many names from there up to that place in `code` */
} bpi_name_count;

typedef struct bpi_slot {
  uint64_t word;   /* of its name, see symbols.c */
  uint32_t symbol; /* plus 1; 0: free */
  uint32_t len;    /* of its name */
} bpi_slot;

typedef struct bpi_draft {
  bp_context *ctx;
  bp_program *program;
  uint32_t entry; /* symbol */
  bp_precedence precedence;
  bp_undeclared undeclared;
  bool strict, entry_optional;

  const char *text; /* NULL: no source */
  size_t len;
  void *source;
  const bpi_places *places;
  bpi_name_count counted;

  uint32_t
      inside; /* symbol of the procedure that a message without a place must name, or BP_NONE */

  bpi_watch watch;
  bp_status status; /* BP_OK, BP_E_NOMEM or BP_E_LIMIT */
  uint32_t errors, warnings;

  BPI_VEC(bpi_symbol) symbols; /* 0 is "" */
  bpi_slot *slots;             /* hash table of symbols */
  uint32_t slot_mask;

  BPI_VEC(uint32_t) label_at; /* offsets of the labels in the source; empty without one */
  uint32_t mixed;             /* how many targets `x$` the checks have met */
  uint32_t mixed_stmt; /* the last statement with an `x$` in an expression whose place is known */
  uint32_t label_mark; /* labels from here on belong to the next statement */
} bpi_draft;

/* A name as messages show it: quoted, cut, without control characters. */
typedef struct bpi_quoted {
  char text[72];
} bpi_quoted;

/* NULL when the options can be used, else what is wrong with them. NULL is allowed. */
const char *bpi_options_check(const bp_program_options *options);

/* Begins a draft. On failure it is empty and needs no bpi_draft_free(). */
bp_status bpi_draft_init(bpi_draft *d, bp_context *ctx, const char *name,
                         const bp_program_options *options);
void bpi_draft_free(bpi_draft *d);
/* A copy that can be finished while `from` goes on. Sources are not copied. */
bp_status bpi_draft_copy(bpi_draft *to, const bpi_draft *from);

/* symbols.c: room for more names, or for the first ones. False without memory. */
BPI_COLD bool bpi_draft_grow(bpi_draft *d);
/* The symbol of a name, made if need be; BP_NONE without memory. */
uint32_t bpi_draft_symbol(bpi_draft *d, const char *text, size_t len);
/* The symbol of a name, or BP_NONE when nobody used it so far. */
BPI_COLD uint32_t bpi_draft_find(const bpi_draft *d, const char *text, size_t len);
static inline const char *bpi_draft_text(const bpi_draft *d, uint32_t symbol)
{
  return d->program->names.at + d->symbols.at[symbol].name;
}

/* Appends a statement with the labels that wait for it; its id, or BP_NONE without memory. A CALL has
 * the symbol of its callee in `ids` behind its targets. */
uint32_t bpi_draft_stmt(bpi_draft *d, const bpi_stmt *stmt, const bp_range *range);
/* Gives the last statement an entry in `wides`. */
bool bpi_draft_widen(bpi_draft *d, uint32_t stmt);
/* Gives a statement a file and a tag of the host's. False without memory. */
bool bpi_draft_origin(bpi_draft *d, uint32_t stmt, uint32_t file, uint64_t origin);
/* Appends a label of the next statement. */
bool bpi_draft_label(bpi_draft *d, uint32_t symbol, uint32_t offset);
/* A statement of that kind with nothing in it. */
static inline bpi_stmt bpi_stmt_blank(bp_stmt_kind kind)
{
  return (bpi_stmt){.kind = (uint8_t)kind, .callee = BP_NONE, .constrain = BP_NONE};
}

/* Sets the sticky status; the first one stays. Returns false. */
BPI_COLD bool bpi_draft_stop(bpi_draft *d, bp_status status);
/* Reports that there are too many names or variables. Returns false. */
BPI_COLD bool bpi_draft_many(bpi_draft *d, const char *what);
/* True when the work may go on; looks at the limits. */
static inline bool bpi_draft_going(bpi_draft *d)
{
  if (d->status == BP_OK && bpi_watch_expired(&d->watch)) d->status = BP_E_LIMIT;
  return d->status == BP_OK;
}

bpi_quoted bpi_quote(const char *text, size_t len);
bpi_quoted bpi_draft_quote(const bpi_draft *d, uint32_t symbol);
/* The place of `len` bytes at `offset`; without a source or offset, `otherwise`. */
bp_range bpi_draft_place(const bpi_draft *d, uint32_t offset, uint32_t len,
                         const bp_range *otherwise);
/* The place of a label, a target, the callee, and of the name that is the instruction `code`, with
 * as many bytes as the name has, or given. Without a source that of the statement. */
bp_range bpi_draft_label_place(const bpi_draft *d, uint32_t label);
bp_range bpi_draft_target_place(const bpi_draft *d, uint32_t stmt, uint32_t n, uint32_t len);
bp_range bpi_draft_callee_place(const bpi_draft *d, uint32_t stmt, uint32_t len);
bp_range bpi_draft_name_place(bpi_draft *d, uint32_t stmt, uint32_t code, uint32_t len);
/* The place of the first name in the initialiser of a global; `range` is that of the global. */
bp_range bpi_draft_initialiser_place(const bpi_draft *d, const bp_range *range, uint32_t len);

/* An error; a warning that is an error when strict. `file` NULL: the program's. */
BPI_COLD void bpi_draft_error(bpi_draft *d, bpi_message number, const char *file,
                              const bp_range *range, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
BPI_COLD void bpi_draft_doubt(bpi_draft *d, bpi_message number, const char *file,
                              const bp_range *range, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* check.c: the rules of the language beyond grammar and variables; resolves labels and callees. */
void bpi_check(bpi_draft *d);
/* fallthrough.c: procedures with results that end without a return. */
void bpi_check_fall_off(bpi_draft *d, uint32_t proc);

/* Checks everything and turns the draft's program into a finished one, which the caller then owns.
 * On failure the program stays with the draft. */
bp_status bpi_draft_finish(bpi_draft *d, bp_program **out);

/* Puts the diagnostics of a context into the order of the text. */
void bpi_diagnostics_sort(bp_context *ctx);

#endif
