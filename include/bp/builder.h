/* SPDX-License-Identifier: MIT
 *
 * The builder: programs made in memory, with places in the host's own source
 * and a 64-bit tag of the host's that comes back in every trace step.
 *
 * Declare globals and procedures, give each procedure its statements in text
 * order, then bp_builder_finish(). Names may be any nonempty text without
 * newline or braces; a name that the language cannot spell gets braces, and is
 * printed and asked for with them: `{the end}`. A name may be given with its
 * braces too, so whatever a getter of a program returns is a name here, and
 * means the same thing: `the end` and `{the end}` are one name. (A variable `_`
 * and a procedure `abortif`, which only text can have, become `{_}` and
 * `{abortif}`.)
 *
 * Expressions are ids. An id may be used any number of times; each use is a
 * copy of its own, so a `*` inside is a fresh choice at each place. A failed
 * expression call gives BP_NONE, which later calls carry along silently and
 * bp_builder_finish() reports; so a host may build without checking every call.
 * Every call clears the context's messages, and one that fails leaves its own
 * there at once, with the procedure that is open.
 * After a call that failed for memory the builder can only be freed: every
 * finish answers BP_E_NOMEM. A mistake that a call reported stays reported; what
 * finish finds itself (a missing procedure, say) can be mended.
 *
 * Threads: one thread at a time. One owner; bp_builder_free() when done, also
 * after a finish. */
#ifndef BP_BUILDER_H
#define BP_BUILDER_H

#include <bp/program.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_builder bp_builder;

/** Makes an empty builder. `name` names the program, and is the file of places that
 *  bp_builder_at() gives none; NULL: it has no name, and messages show such places as `5:2:`.
 *  `options` as for parsing, or NULL (precedence and undeclared have no meaning here). The builder
 *  keeps the context. BP_E_NOMEM. */
BP_API bp_status bp_builder_new(bp_builder **out, bp_context *ctx, const char *name,
                                const bp_program_options *options);
BP_API void bp_builder_free(bp_builder *b);

/** Checks everything and makes the program. All errors are reported at once (BP_E_INPUT); the
 *  builder is as before on failure, so a host may mend and finish again. After BP_OK the builder is
 *  as before too: more may be added and finished as another program. BP_E_NOMEM, BP_E_LIMIT,
 *  BP_E_STATE while a procedure is open. */
BP_API bp_status bp_builder_finish(bp_builder *b, bp_program **out);

/** The place of what is added next, in the host's own source. `file` is copied; NULL: the program's
 *  name. line 0: unknown. BP_E_NOMEM. */
BP_API bp_status bp_builder_at(bp_builder *b, const char *file, uint32_t line, uint32_t column);
/** The host's tag of the statements that are added next. */
BP_API void bp_builder_origin(bp_builder *b, uint64_t origin);

/* ---- declarations ------------------------------------------------------ */

/** A new global; its id counts variables from 0 in the order of declaration. With `init` an
 *  expression of constants and choices, or BP_NONE for an arbitrary start value.
 *  The id is BP_NONE on failure, here and in all calls below that return an id. */
BP_API uint32_t bp_builder_global(bp_builder *b, const char *name, uint32_t init);
/** Opens a procedure with `results` return values; its statements follow until _proc_end(). */
BP_API uint32_t bp_builder_proc_begin(bp_builder *b, const char *name, uint32_t results);
/** Closes the procedure. BP_E_STATE when none is open, or with an if or while still open: the
 *  procedure is closed then too, and the mistake stays reported. BP_E_NOMEM. */
BP_API bp_status bp_builder_proc_end(bp_builder *b);
/** A formal parameter of the open procedure; all formals come before locals and statements. */
BP_API uint32_t bp_builder_formal(bp_builder *b, const char *name);
/** A local of the open procedure; arbitrary at each call. Only before its first statement. */
BP_API uint32_t bp_builder_local(bp_builder *b, const char *name);
/** These variables are the bits of one number, the lowest first. This is a hint: it changes no answer,
 *  but the BDDs of copies, sums and comparisons stay small where bits of one weight stand together.
 *  All of them are globals, or belong to the open procedure, and a variable is a bit of one number at
 *  most. BP_E_INVALID: they do not; it stays reported, as other mistakes do. Up to 65535 bits. */
BP_API bp_status bp_builder_number(bp_builder *b, const uint32_t *vars, uint32_t count);

/* ---- expressions ------------------------------------------------------- */

/** 0, or 1 for any other value. */
BP_API uint32_t bp_builder_const(bp_builder *b, int value);
BP_API uint32_t bp_builder_var(bp_builder *b, uint32_t var);
/** The value after the assignment; only inside a `constrain` of an assignment. */
BP_API uint32_t bp_builder_next(bp_builder *b, uint32_t var);
/** A free choice. */
BP_API uint32_t bp_builder_nondet(bp_builder *b);
BP_API uint32_t bp_builder_not(bp_builder *b, uint32_t a);
BP_API uint32_t bp_builder_and(bp_builder *b, uint32_t a, uint32_t c);
BP_API uint32_t bp_builder_or(bp_builder *b, uint32_t a, uint32_t c);
BP_API uint32_t bp_builder_xor(bp_builder *b, uint32_t a, uint32_t c);
BP_API uint32_t bp_builder_eq(bp_builder *b, uint32_t a, uint32_t c);
BP_API uint32_t bp_builder_implies(bp_builder *b, uint32_t a, uint32_t c);
/** if a then 1, else if c then 0, else a free choice. */
BP_API uint32_t bp_builder_schoose(bp_builder *b, uint32_t a, uint32_t c);
BP_API uint32_t bp_builder_cond(bp_builder *b, uint32_t test, uint32_t yes, uint32_t no);

/* ---- statements -------------------------------------------------------- */

/** A label of the next statement. BP_E_INVALID: not a name; BP_E_STATE outside of procedures;
 *  BP_E_NOMEM. */
BP_API bp_status bp_builder_label(bp_builder *b, const char *name);

/* The statement calls return the id that the statement has in the finished program, or BP_NONE. */
BP_API uint32_t bp_builder_skip(bp_builder *b);
/** Parallel assignment; a target BP_NONE drops its value. `constrain` may be BP_NONE. */
BP_API uint32_t bp_builder_assign(bp_builder *b, const uint32_t *targets, const uint32_t *values,
                                  uint32_t count, uint32_t constrain);
/** A call by name; the procedure may be defined later. With 0 targets the results are dropped. */
BP_API uint32_t bp_builder_call(bp_builder *b, const char *callee, const uint32_t *targets,
                                uint32_t target_count, const uint32_t *args, uint32_t arg_count);
BP_API uint32_t bp_builder_return(bp_builder *b, const uint32_t *values, uint32_t count);
BP_API uint32_t bp_builder_goto(bp_builder *b, const char *const *labels, uint32_t count);
BP_API uint32_t bp_builder_if(bp_builder *b, uint32_t condition);
BP_API uint32_t bp_builder_elsif(bp_builder *b, uint32_t condition);
BP_API uint32_t bp_builder_else(bp_builder *b);
BP_API uint32_t bp_builder_while(bp_builder *b, uint32_t condition);
/** Ends the innermost open if or while. */
BP_API uint32_t bp_builder_end(bp_builder *b);
BP_API uint32_t bp_builder_assert(bp_builder *b, uint32_t condition);
BP_API uint32_t bp_builder_assume(bp_builder *b, uint32_t condition);
BP_API uint32_t bp_builder_enforce(bp_builder *b, uint32_t condition);
/** The variables' values are not needed any more. */
BP_API uint32_t bp_builder_dead(bp_builder *b, const uint32_t *vars, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
