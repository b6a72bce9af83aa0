/* SPDX-License-Identifier: MIT */
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>

static void count(const char *name, uint64_t value)
{
  fprintf(stderr, "%s: %" PRIu64 "\n", name, value);
}

void cli_stats_print(const cli_run *run)
{
  fprintf(stderr, "parse_seconds: %.6f\n", run->parse_seconds);
  if (!run->cfg) return;
  fprintf(stderr, "build_seconds: %.6f\n", run->build_seconds);
  bp_stats s = {.size = sizeof s};
  if (!run->answer || bp_answer_stats(run->answer, &s) != BP_OK) {
    count("cfg_vertices", bp_cfg_vertex_count(run->cfg));
    count("cfg_edges", bp_cfg_edge_count(run->cfg));
    return;
  }
  fprintf(stderr, "engine_seconds: %.6f\n", s.engine_seconds);
  count("peak_nodes", s.peak_nodes);
  count("bdd_vars", s.bdd_vars);
  count("cfg_vertices", s.cfg_vertices);
  count("cfg_edges", s.cfg_edges);
  count("images", s.steps);
  count("path_edges", s.path_edges);
  count("summaries", s.summaries);
  count("collections", s.collections);
  count("dropped_vars", s.dropped_vars);
  count("skipped_vertices", s.skipped_vertices);
}
