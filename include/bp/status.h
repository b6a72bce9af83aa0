/* SPDX-License-Identifier: MIT
 *
 * Status codes: how every fallible call answers. The text that goes with a
 * failure is kept in the context (context.h); there is no process-wide or
 * thread-local last error. */
#ifndef BP_STATUS_H
#define BP_STATUS_H

#include <bp/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a call came to. Numbers never change their meaning. */
typedef enum bp_status {
  BP_OK = 0,            /**< done */
  BP_END = 1,           /**< a cursor has no further step (not a failure) */
  BP_E_INVALID = 2,     /**< a bad argument: NULL, an id out of range, an unknown name */
  BP_E_STATE = 3,       /**< not allowed in the present state of the handle */
  BP_E_NOMEM = 4,       /**< an allocation failed; the handles stay usable */
  BP_E_IO = 5,          /**< a sink refused the bytes */
  BP_E_INPUT = 6,       /**< the text or the built program has errors; read the diagnostics */
  BP_E_BUSY = 7,        /**< the BDD kernel (or this handle, on another thread) is in use */
  BP_E_UNSUPPORTED = 8, /**< well-formed, but not what this call can take: a concurrent program
                           *   where a sequential one is needed, another kind of automaton */
  BP_E_USER = 9,        /**< a callback of the host asked to stop */
  BP_E_LIMIT = 10,      /**< a limit or a cancel request stopped the call; calling again goes on */
  BP_E_POISONED = 11,   /**< an allocation failed inside the BDD kernel: this manager is finished */
  BP_E_INTERNAL = 12    /**< an invariant of the library failed: a bug, please report it */
} bp_status;

/** The name of a status, such as "BP_E_INPUT". Static storage; never NULL. */
BP_API const char *bp_status_name(bp_status status);

/** An id that names nothing: "no procedure", "no statement", "any procedure". */
#define BP_NONE UINT32_MAX

/** A place in a source text. Lines and columns count from 1, columns count bytes; 0 means unknown.
 *  `offset` and `end` are byte offsets, `end` one past the last byte. This struct never grows. */
typedef struct bp_range {
  uint32_t offset, end;
  uint32_t line, column;
} bp_range;

#ifdef __cplusplus
}
#endif
#endif
