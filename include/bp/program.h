/* SPDX-License-Identifier: MIT
 *
 * Programs: what a boolean program consists of, made from text here or in
 * memory by builder.h.
 *
 * A program is immutable and owns everything it shows; it may be shared by
 * threads and outlives the context it was made with. Procedures, variables and
 * statements are dense ids from 0; the getters are const and cannot fail: for
 * an id out of range they answer 0, NULL or BP_NONE. Strings are borrowed as
 * long as the program lives. Names in braces have them in every string, here
 * and in answers; every function that takes a name takes it so.
 *
 * Statements stand in text order in one flat list. An `if` is the statements
 * IF ... ELSIF ... ELSE ... FI, a loop WHILE ... OD; ELSE, FI and OD are
 * marks that never run. */
#ifndef BP_PROGRAM_H
#define BP_PROGRAM_H

#include <bp/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_program bp_program;

/* ---- reading ----------------------------------------------------------- */

/** How the binary operators bind where tools disagree (docs/language.md). */
typedef enum bp_precedence { BP_PRECEDENCE_GETAFIX = 0, BP_PRECEDENCE_SATABS = 1 } bp_precedence;
/** What `dead x` does: x becomes arbitrary, or nothing. */
typedef enum bp_dead { BP_DEAD_HAVOC = 0, BP_DEAD_IGNORE = 1 } bp_dead;
/** What falling off the end of a procedure with results does. */
typedef enum bp_fall_off {
  BP_FALL_OFF_ANY = 0,   /**< arbitrary results, with a warning */
  BP_FALL_OFF_BLOCK = 1, /**< the run ends there */
  BP_FALL_OFF_ERROR = 2  /**< an error when the program is read */
} bp_fall_off;
/** What an undeclared name is: an error, or a local variable of the procedure (Getafix). */
typedef enum bp_undeclared { BP_UNDECLARED_ERROR = 0, BP_UNDECLARED_LOCAL = 1 } bp_undeclared;

/** The language of a program: that of boolean programs (docs/language.md), or Remopla, the input language
 *  of Moped (docs/remopla.md). */
typedef enum bp_language { BP_LANGUAGE_BOOLEAN = 0, BP_LANGUAGE_REMOPLA = 1 } bp_language;
/** In Remopla, a step whose value does not fit its variable, or that uses an index outside its array or
 *  divides by zero: there is no such step, or it is a failed assertion. */
typedef enum bp_overflow { BP_OVERFLOW_BLOCK = 0, BP_OVERFLOW_ERROR = 1 } bp_overflow;
/** In Remopla, the start values of locals: arbitrary, or 0. */
typedef enum bp_locals { BP_LOCALS_ANY = 0, BP_LOCALS_ZERO = 1 } bp_locals;

typedef struct bp_program_options {
  size_t size; /**< sizeof(bp_program_options); zero the rest for the defaults */
  const char
      *entry; /**< the start procedure; NULL means "main", in Remopla what its `init` names */
  bp_precedence precedence;
  bp_dead dead;
  bp_fall_off fall_off;
  bp_undeclared undeclared;
  int strict;         /**< nonzero: doubtful constructs are errors instead of warnings */
  int entry_optional; /**< nonzero, with `entry` NULL: a program without `main` is good to look at and
                       *   to print; its entry is BP_NONE, and bp_cfg_new() refuses it */
  bp_language language; /**< of the text; Remopla has no use for precedence, dead, undeclared */
  bp_overflow overflow;
  bp_locals locals;
} bp_program_options;

/** Reads a program from `len` bytes at `text`; any bytes are allowed. `name` is used in messages.
 *  `options` may be NULL. Neither text nor name needs to live on.
 *  BP_E_INPUT: the text has errors, all of them in the diagnostics (warnings may be there after
 *  BP_OK too). BP_E_NOMEM, BP_E_LIMIT. *out is NULL on failure. */
BP_API bp_status bp_program_parse(bp_program **out, bp_context *ctx, const char *text, size_t len,
                                  const char *name, const bp_program_options *options);
BP_API bp_program *bp_program_ref(bp_program *program);
BP_API void bp_program_unref(bp_program *program);

/* ---- writing ----------------------------------------------------------- */

/** Writes the whole program as text that reads back as the same program. BP_E_IO, BP_E_NOMEM. */
BP_API bp_status bp_program_write(const bp_program *program, const bp_sink *sink);

/** The same as a boolean program: what is written reads back, with `bp_language` BP_LANGUAGE_BOOLEAN and the
 *  entry given, as one in which the same labels can be reached and the same assertions fail. What is no
 *  step in the other language (bp_stmt_silent()) is one there, so lengths differ. An entry other than
 *  main, which the text cannot choose, is named in a comment. BP_E_UNSUPPORTED: an expression is too large to be written so. BP_E_IO, BP_E_NOMEM. */
BP_API bp_status bp_program_write_boolean(const bp_program *program, const bp_sink *sink);

/** Writes one statement on one line, without labels, newline or semicolon: `g, h := A(g)`,
 *  `if (g)`. BP_E_INVALID, BP_E_IO, BP_E_NOMEM. */
BP_API bp_status bp_stmt_write(const bp_program *program, uint32_t stmt, const bp_sink *sink);

/** A hash of what the program says: names, structure, expressions, options that change the meaning;
 *  not of places, file names, origins. */
BP_API uint64_t bp_program_fingerprint(const bp_program *program);

/* ---- looking ----------------------------------------------------------- */

BP_API const char *bp_program_name(const bp_program *program);
BP_API bp_language bp_program_language(const bp_program *program);
BP_API uint32_t bp_program_proc_count(const bp_program *program);
BP_API uint32_t bp_program_var_count(const bp_program *program);
BP_API uint32_t bp_program_stmt_count(const bp_program *program);
BP_API uint32_t bp_program_global_count(const bp_program *program);
/** The procedure where runs start; BP_NONE when there is none (`entry_optional`). */
BP_API uint32_t bp_program_entry(const bp_program *program);
/** How many constructs of concurrent programs it uses: start_thread, end_thread, atomic_begin,
 *  atomic_end, sync, ASYNC_ labels, references `x$` to other threads' copies, and thread procedures
 *  in the style of Getafix. 0 means sequential. */
BP_API uint32_t bp_program_concurrent_count(const bp_program *program);
/** BP_NONE when there is none of that name. */
BP_API uint32_t bp_program_find_proc(const bp_program *program, const char *name);
/** The index-th statement that carries label `name`, in procedure `proc` or, with BP_NONE, in any,
 *  in text order; BP_NONE when there are no more. */
BP_API uint32_t bp_program_find_label(const bp_program *program, uint32_t proc, const char *name,
                                      uint32_t index);
/** The variable that `name` means inside `proc` (BP_NONE: the global); BP_NONE when none. */
BP_API uint32_t bp_program_find_var(const bp_program *program, uint32_t proc, const char *name);

BP_API const char *bp_proc_name(const bp_program *program, uint32_t proc);
BP_API void bp_proc_range(const bp_program *program, uint32_t proc, bp_range *out);
BP_API uint32_t bp_proc_result_count(const bp_program *program, uint32_t proc);
BP_API uint32_t bp_proc_formal_count(const bp_program *program, uint32_t proc);
/** Formals first, then locals; their ids are first .. first + count - 1. */
BP_API uint32_t bp_proc_var_first(const bp_program *program, uint32_t proc);
BP_API uint32_t bp_proc_var_count(const bp_program *program, uint32_t proc);
BP_API uint32_t bp_proc_stmt_first(const bp_program *program, uint32_t proc);
BP_API uint32_t bp_proc_stmt_count(const bp_program *program, uint32_t proc);

typedef enum bp_var_kind { BP_VAR_GLOBAL = 0, BP_VAR_FORMAL = 1, BP_VAR_LOCAL = 2 } bp_var_kind;
BP_API const char *bp_var_name(const bp_program *program, uint32_t var);
BP_API bp_var_kind bp_var_kind_of(const bp_program *program, uint32_t var);
/** BP_NONE for a global. */
BP_API uint32_t bp_var_proc(const bp_program *program, uint32_t var);
BP_API void bp_var_range(const bp_program *program, uint32_t var, bp_range *out);

/* Data: variables as the source has them. A number is as many boolean variables as it has bits, an array
 * those of all its elements. In a boolean program the data are the variables themselves, with the same
 * ids. Globals come first, then each procedure's formals and locals. */

BP_API uint32_t bp_program_datum_count(const bp_program *program);
/** What `name` means inside `proc` (BP_NONE: the global); BP_NONE when nothing. */
BP_API uint32_t bp_program_find_datum(const bp_program *program, uint32_t proc, const char *name);
BP_API const char *bp_datum_name(const bp_program *program, uint32_t datum);
BP_API bp_var_kind bp_datum_kind_of(const bp_program *program, uint32_t datum);
/** BP_NONE for a global. */
BP_API uint32_t bp_datum_proc(const bp_program *program, uint32_t datum);
BP_API void bp_datum_range(const bp_program *program, uint32_t datum, bp_range *out);
/** How many bits a number (an array's elements) has; 0: it is a bool. */
BP_API uint32_t bp_datum_bits(const bp_program *program, uint32_t datum);
/** How many elements an array has; 0: it is no array. */
BP_API uint32_t bp_datum_length(const bp_program *program, uint32_t datum);
/** How many values an enum (an array's elements) has: 0 .. that - 1; 0: it is no enum. */
BP_API uint32_t bp_datum_value_count(const bp_program *program, uint32_t datum);
/** The constant that names a value of an enum; NULL when there is none. */
BP_API const char *bp_datum_value_name(const bp_program *program, uint32_t datum, uint64_t value);
/** The variable of a bit, the lowest is 0, of an element; both 0 where there is only one. */
BP_API uint32_t bp_datum_var(const bp_program *program, uint32_t datum, uint32_t element,
                             uint32_t bit);

typedef enum bp_stmt_kind {
  BP_STMT_SKIP = 0,
  BP_STMT_ASSIGN,
  BP_STMT_CALL,
  BP_STMT_RETURN,
  BP_STMT_GOTO,
  BP_STMT_IF,
  BP_STMT_ELSIF,
  BP_STMT_ELSE,
  BP_STMT_FI,
  BP_STMT_WHILE,
  BP_STMT_OD,
  BP_STMT_ASSERT,
  BP_STMT_ABORTIF,
  BP_STMT_ASSUME,
  BP_STMT_CONSTRAIN,
  BP_STMT_ENFORCE,
  BP_STMT_DEAD,
  BP_STMT_DECL,
  BP_STMT_PRINT,
  BP_STMT_START_THREAD, /**< starts the statement that follows it in the list */
  BP_STMT_END_THREAD,
  BP_STMT_ATOMIC_BEGIN,
  BP_STMT_ATOMIC_END,
  BP_STMT_SYNC
} bp_stmt_kind;

/** The name of a kind in output, such as "assign". Static storage. */
BP_API const char *bp_stmt_kind_name(bp_stmt_kind kind);
BP_API bp_stmt_kind bp_stmt_kind_of(const bp_program *program, uint32_t stmt);
BP_API uint32_t bp_stmt_proc(const bp_program *program, uint32_t stmt);
/** The place of the statement, from its first token after its labels. */
BP_API void bp_stmt_range(const bp_program *program, uint32_t stmt, bp_range *out);
/** The file of the place: the program's name, or what the builder was told. */
BP_API const char *bp_stmt_file(const bp_program *program, uint32_t stmt);
/** 1 when the statement is no step of an execution: it counts in no length, and no trace lists it except as
 *  its end, the target. In Remopla `if` and `do`, and what guards a call, a return or a jump; everywhere
 *  declarations, enforce and marks. */
BP_API int bp_stmt_silent(const bp_program *program, uint32_t stmt);
/** The host's tag from bp_builder_origin(); 0 when none was given. */
BP_API uint64_t bp_stmt_origin(const bp_program *program, uint32_t stmt);
/** The called procedure of a CALL; BP_NONE otherwise. */
BP_API uint32_t bp_stmt_callee(const bp_program *program, uint32_t stmt);
BP_API uint32_t bp_stmt_label_count(const bp_program *program, uint32_t stmt);
BP_API const char *bp_stmt_label(const bp_program *program, uint32_t stmt, uint32_t index);

/* ---- the host's own data ----------------------------------------------- */

/** Attaches `data` under `key` (an address of the host's); `destroy`, if not NULL, is called with it
 *  when it is replaced or the program goes. Not thread-safe against itself. BP_E_NOMEM. */
BP_API bp_status bp_program_set_user_data(bp_program *program, const void *key, void *data,
                                          void (*destroy)(void *data));
BP_API void *bp_program_user_data(const bp_program *program, const void *key);

#ifdef __cplusplus
}
#endif
#endif
