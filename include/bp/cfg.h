/* SPDX-License-Identifier: MIT
 *
 * Control-flow graphs: one vertex for each statement that can run, one exit
 * vertex for each procedure, edges between them (Ball & Rajamani, SPIN 2000,
 * section 2.3).
 *
 * A graph is immutable, keeps its program, and may be shared by threads.
 * Vertices are dense ids, those of one procedure next to each other. Getters
 * are const and cannot fail: an id out of range gives 0 or BP_NONE. */
#ifndef BP_CFG_H
#define BP_CFG_H

#include <bp/program.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_cfg bp_cfg;

/** Builds the graphs of all procedures. A program without an entry is refused with BP_E_INPUT. A program that uses concurrent constructs is refused with
 *  BP_E_UNSUPPORTED and the place, except that with an entry procedure given when it was read, only
 *  that procedure and its callees must be free of them; procedures that do use them then have no
 *  vertices. BP_E_NOMEM, BP_E_LIMIT. */
BP_API bp_status bp_cfg_new(bp_cfg **out, bp_context *ctx, const bp_program *program);
BP_API bp_cfg *bp_cfg_ref(bp_cfg *cfg);
BP_API void bp_cfg_unref(bp_cfg *cfg);

/** Borrowed from the graph. */
BP_API const bp_program *bp_cfg_program(const bp_cfg *cfg);

BP_API uint32_t bp_cfg_vertex_count(const bp_cfg *cfg);
BP_API uint32_t bp_cfg_edge_count(const bp_cfg *cfg);
BP_API uint32_t bp_cfg_vertex_proc(const bp_cfg *cfg, uint32_t vertex);
/** BP_NONE for the exit of a procedure and for falling off its end. */
BP_API uint32_t bp_cfg_vertex_stmt(const bp_cfg *cfg, uint32_t vertex);
/** The first vertex of a procedure to run, and its exit; BP_NONE when it has no vertices. */
BP_API uint32_t bp_cfg_proc_entry(const bp_cfg *cfg, uint32_t proc);
BP_API uint32_t bp_cfg_proc_exit(const bp_cfg *cfg, uint32_t proc);
/** Successors inside the procedure: of a condition first the true one, then the false one; of a call
 *  the place after it. */
BP_API uint32_t bp_cfg_succ_count(const bp_cfg *cfg, uint32_t vertex);
BP_API uint32_t bp_cfg_succ(const bp_cfg *cfg, uint32_t vertex, uint32_t index);

/** The vertex of a statement; BP_NONE when it never runs (else, fi, od, most declarations). */
BP_API uint32_t bp_cfg_vertex_of_stmt(const bp_cfg *cfg, uint32_t stmt);
/** The index-th vertex whose statement begins on `line` of the program's text, in procedure `proc`
 *  or, with BP_NONE, in any; BP_NONE when there are no more. */
BP_API uint32_t bp_cfg_vertex_at(const bp_cfg *cfg, uint32_t proc, uint32_t line, uint32_t index);
/** How many assertions (assert and abortif) there are: the targets of bp_query_add_asserts(). */
BP_API uint32_t bp_cfg_assert_count(const bp_cfg *cfg);

/** The length of the longest chain of calls from the entry, BP_NONE when there is recursion. */
BP_API uint32_t bp_cfg_call_depth(const bp_cfg *cfg);
/** Whether the procedure can call itself, directly or through others. */
BP_API int bp_cfg_proc_recursive(const bp_cfg *cfg, uint32_t proc);

#ifdef __cplusplus
}
#endif
#endif
