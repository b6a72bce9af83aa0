/* SPDX-License-Identifier: MIT
 *
 * Answers: what a query had found at one moment, as plain data. An answer is
 * immutable, may be shared by threads, and outlives query, manager and
 * program. Getters are const and cannot fail. */
#ifndef BP_ANSWER_H
#define BP_ANSWER_H

#include <bp/query.h>

#ifdef __cplusplus
extern "C" {
#endif

BP_API bp_answer *bp_answer_ref(bp_answer *answer);
BP_API void bp_answer_unref(bp_answer *answer);

typedef enum bp_target_kind {
  BP_TARGET_LABEL = 0,
  BP_TARGET_LINE = 1,
  BP_TARGET_VERTEX = 2,
  BP_TARGET_ASSERT = 3
} bp_target_kind;

BP_API uint32_t bp_answer_target_count(const bp_answer *answer);
BP_API bp_target_kind bp_answer_target_kind(const bp_answer *answer, uint32_t target);
/** The target as it was asked for: `R`, `proc:R`, `12`, `proc:12`, `vertex 7`; of an assertion
 *  `assert`. */
BP_API const char *bp_answer_target_name(const bp_answer *answer, uint32_t target);
/** The name of the procedure of the reached statement, else of the target's first statement. */
BP_API const char *bp_answer_target_proc(const bp_answer *answer, uint32_t target);
BP_API uint32_t bp_answer_target_line(const bp_answer *answer, uint32_t target);
BP_API uint32_t bp_answer_target_column(const bp_answer *answer, uint32_t target);
/** The statement's tag from bp_builder_origin(). */
BP_API uint64_t bp_answer_target_origin(const bp_answer *answer, uint32_t target);
BP_API bp_verdict bp_answer_verdict(const bp_answer *answer, uint32_t target);
BP_API bp_reason bp_answer_reason(const bp_answer *answer, uint32_t target);

typedef struct bp_stats {
  size_t size; /**< in: sizeof(bp_stats) */
  double
      engine_seconds;  /**< CPU time from the start of BDD work to the verdict, analyses included */
  uint64_t steps;      /**< images computed */
  uint64_t path_edges; /**< vertices that carry path edges */
  uint64_t summaries;  /**< procedures with a summary */
  uint64_t peak_nodes; /**< most live BDD nodes seen at a collection or at the end */
  uint64_t collections;
  uint32_t bdd_vars;
  uint32_t cfg_vertices, cfg_edges;
  uint32_t dropped_vars;     /**< program variables that the cone of influence left out */
  uint32_t skipped_vertices; /**< vertices that cannot matter and were not explored */
} bp_stats;

/** Fills the struct. BP_E_INVALID. */
BP_API bp_status bp_answer_stats(const bp_answer *answer, bp_stats *out);

/** Adds the statistics of another query about the same graph: times, counts and nodes are summed;
 *  `bdd_vars` is the most of one; `cfg_*` is as it is; `dropped_vars` and `skipped_vertices` are the
 *  least of one. BP_E_INVALID. */
BP_API bp_status bp_stats_add(bp_stats *sum, const bp_stats *more);

#ifdef __cplusplus
}
#endif
#endif
