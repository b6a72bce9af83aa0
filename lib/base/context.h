/* SPDX-License-Identifier: MIT
 * The inside of a context: diagnostics, and the watch that stops long calls. */
#ifndef BPI_CONTEXT_H
#define BPI_CONTEXT_H

#include "base/vec.h"

#include <bp/context.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Numbers of the diagnostics: stable, listed in docs/errors.md. Add at the end of a group. */
typedef enum bpi_message {
  BPI_MSG_NONE = 0,
  /* 1xx: bytes and tokens */
  BPI_MSG_CHARACTER = 101,
  BPI_MSG_OPEN_COMMENT = 102,
  BPI_MSG_OPEN_BRACE = 103,
  BPI_MSG_NUMBER = 104,
  BPI_MSG_TOO_LARGE = 105,
  /* 2xx: grammar */
  BPI_MSG_SYNTAX = 201,
  BPI_MSG_CALL_IN_EXPR = 202,
  BPI_MSG_UNCLOSED = 203,
  /* 3xx: names and types */
  BPI_MSG_UNDECLARED = 301,
  BPI_MSG_DUPLICATE = 302,
  BPI_MSG_NO_LABEL = 303,
  BPI_MSG_NO_PROC = 304,
  BPI_MSG_NO_ENTRY = 305,
  BPI_MSG_ARGUMENTS = 306,
  BPI_MSG_RESULTS = 307,
  BPI_MSG_RETURNS = 308,
  BPI_MSG_SIDES = 309,
  BPI_MSG_PRIME = 310,
  BPI_MSG_INITIALISER = 311,
  BPI_MSG_FALL_OFF = 312,
  BPI_MSG_OTHER_THREAD = 313,
  BPI_MSG_RESERVED = 314,
  BPI_MSG_TYPE = 315,
  BPI_MSG_SIZE = 316,
  /* 4xx: doubtful but accepted (errors when strict) */
  BPI_MSG_SHADOW = 401,
  BPI_MSG_LABEL_TWICE = 402,
  BPI_MSG_TARGET_TWICE = 403,
  BPI_MSG_LABEL_AT_END = 404,
  BPI_MSG_PRECEDENCE = 405,
  BPI_MSG_BARE_RETURN = 406,
  /* 5xx: the builder's own */
  BPI_MSG_BUILDER = 501,
  /* 6xx: graphs and queries */
  BPI_MSG_CONCURRENT = 601,
  BPI_MSG_TARGET = 602,
  BPI_MSG_ARGUMENT = 603,
  BPI_MSG_VARIABLES = 604,
  BPI_MSG_WEIGHTS = 605,
  /* 7xx: formulas and automata */
  BPI_MSG_OPEN_STRING = 701,
  BPI_MSG_HOA_KIND = 702,
  BPI_MSG_HOA_NUMBER = 703,
  BPI_MSG_HOA_HEADER = 704,
  BPI_MSG_AUTOMATON = 705,
  BPI_MSG_PROPOSITION = 706,
  /* 9xx: general failures */
  BPI_MSG_MEMORY = 901,
  BPI_MSG_LIMIT = 902,
  BPI_MSG_BUSY = 903,
  BPI_MSG_STATE = 904,
  BPI_MSG_IO = 905,
  BPI_MSG_POISONED = 906,
  BPI_MSG_INTERNAL = 907
} bpi_message;

/* A source line, or the part of it round a place that fits the screen, and where the place is in it. */
enum { BPI_EXCERPT = 160 };
typedef struct bpi_excerpt {
  char line[BPI_EXCERPT + 1];
  uint32_t caret;     /* bytes before the place */
  uint32_t underline; /* bytes under the place, at least 1 */
} bpi_excerpt;

/* Cut from `text`, the whole source of `len` bytes. */
bpi_excerpt bpi_cut_excerpt(const char *text, size_t len, const bp_range *range);

typedef struct bpi_diagnostic {
  bp_severity severity;
  bpi_message number;
  bp_range range; /* line 0: no place */
  char *file;     /* "" when none */
  char *text;
  char *excerpt; /* NULL when unknown; then the next two mean nothing */
  uint32_t caret, underline;
} bpi_diagnostic;

/* Stops long calls: polled every few hundred units of work. */
typedef struct bpi_watch {
  uint64_t deadline_ns; /* on the monotonic clock; 0: none */
  atomic_int *cancel;   /* nonzero: stop; NULL: none */
  uint32_t countdown;
  bool cancelled; /* it expired because of `cancel` */
} bpi_watch;

struct bp_context {
  atomic_uint refs;
  atomic_int cancel;
  uint64_t wall_ms;
  BPI_VEC(bpi_diagnostic) diagnostics;
  uint32_t errors;
  char memory_line[64]; /* the message when there is no memory for one */
  void *shared;         /* what bp_reachable() keeps from call to call */
  void (*drop_shared)(void *shared);
  bp_log_fn log;
  void *log_user;
};

/* Begins a fallible call: forgets the old diagnostics. */
void bpi_context_begin(bp_context *ctx);

/* Adds a diagnostic. `text` is the whole source of `len` bytes or NULL; the excerpt is cut from it.
 * The message is formatted, at most 400 bytes. Past 100 diagnostics only errors are counted.
 * Never fails: without memory the error is still counted. */
void bpi_diagnose(bp_context *ctx, bp_severity severity, bpi_message number, const char *file,
                  const bp_range *range, const char *text, size_t len, const char *format, ...)
    __attribute__((format(printf, 8, 9)));
/* The same with an excerpt that was cut before, or NULL. */
void bpi_diagnose_cut(bp_context *ctx, bp_severity severity, bpi_message number, const char *file,
                      const bp_range *range, const bpi_excerpt *excerpt, const char *format, ...)
    __attribute__((format(printf, 7, 8)));
/* Puts a diagnostic to another place, that of a text of which its own is a part. */
void bpi_diagnostic_move(bp_context *ctx, uint32_t index, const bp_range *range, const char *text,
                         size_t len);

/* Fails a call: adds an error without place and returns `status`. ctx may be NULL. */
bp_status bpi_fail(bp_context *ctx, bp_status status, bpi_message number, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The usual ones. */
bp_status bpi_no_memory(bp_context *ctx);
bp_status bpi_sink_refused(bp_context *ctx); /* instead of what else went wrong */
/* Begins and fails a call that got an argument it cannot use: BP_E_INVALID, and a message that names
 * the function. */
bp_status bpi_refuse(bp_context *ctx, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define bpi_invalid(ctx, ...) bpi_refuse(ctx, __func__, __VA_ARGS__)

void bpi_context_log(bp_context *ctx, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

uint64_t bpi_now_ns(void); /* monotonic clock */
/* When so many milliseconds from now are over, on that clock; 0: none was asked for. */
uint64_t bpi_deadline_ns(uint64_t wall_ms);
uint64_t bpi_cpu_ns(void); /* CPU time of the calling thread */
/* A watch for a call on this context that starts now. */
bpi_watch bpi_context_watch(bp_context *ctx);
bool bpi_watch_look(bpi_watch *watch); /* looks at both now */
/* True when the call must stop. Cheap: looks the first time, and every 256th. A cancel request that it
 * saw is consumed. */
static inline bool bpi_watch_expired(bpi_watch *watch)
{
  return !watch->countdown-- && bpi_watch_look(watch);
}

#endif
