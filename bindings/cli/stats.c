/* SPDX-License-Identifier: MIT */
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>

static void head(const cli_run *run, const char *name)
{
  if (run->named) fprintf(stderr, "%s: ", run->file);
  fprintf(stderr, "%s: ", name);
}

static void seconds(const cli_run *run, const char *name, double value)
{
  head(run, name);
  fprintf(stderr, "%.6f\n", value);
}

static void count(const cli_run *run, const char *name, uint64_t value)
{
  head(run, name);
  fprintf(stderr, "%" PRIu64 "\n", value);
}

/* What the queries came to together, as far as they have answers. */
static bool add_up(const cli_run *run, bp_stats *sum)
{
  bool any = false;
  for (uint32_t i = 0; i < run->part_count; i++) {
    bp_answer *answer = bp_answer_ref(run->parts[i].answer);
    bp_stats more = {.size = sizeof more};
    if (!answer && run->queries[i]) bp_query_answer(&answer, run->queries[i]);
    if (answer && bp_answer_stats(answer, &more) == BP_OK) {
      if (any)
        bp_stats_add(sum, &more);
      else
        *sum = more;
      any = true;
    }
    bp_answer_unref(answer);
  }
  return any;
}

static void print_ltl(const cli_run *run, const bp_ltl_stats *s)
{
  seconds(run, "engine_seconds", s->engine_seconds);
  count(run, "peak_nodes", s->peak_nodes);
  count(run, "bdd_vars", s->bdd_vars);
  count(run, "cfg_vertices", s->cfg_vertices);
  count(run, "cfg_edges", s->cfg_edges);
  count(run, "images", s->steps);
  count(run, "collections", s->collections);
  head(run, "way");
  fprintf(stderr, "%s\n", bp_ltl_way_name(s->way));
  count(run, "automaton_states", s->automaton_states);
  count(run, "automaton_edges", s->automaton_edges);
  count(run, "product_vertices", s->product_vertices);
  count(run, "product_edges", s->product_edges);
  count(run, "components", s->components);
  count(run, "rounds", s->rounds);
}

static void print_set(const cli_run *run, const cli_set_stats *s)
{
  seconds(run, "engine_seconds", s->engine_seconds);
  count(run, "peak_nodes", s->manager.peak_nodes);
  count(run, "bdd_vars", s->manager.vars);
  count(run, "cfg_vertices", bp_cfg_vertex_count(run->cfg));
  count(run, "cfg_edges", bp_cfg_edge_count(run->cfg));
  count(run, "images", s->images);
  count(run, "collections", s->manager.collections);
  count(run, "transitions", s->transitions);
}

void cli_stats_print(const cli_run *run)
{
  seconds(run, "parse_seconds", run->parse_seconds);
  if (!run->cfg) return;
  seconds(run, "build_seconds", run->build_seconds);
  bp_ltl_stats ltl = {.size = sizeof ltl};
  if (run->ltl && bp_ltl_get_stats(run->ltl, &ltl) == BP_OK) {
    print_ltl(run, &ltl);
    return;
  }
  if (run->set) {
    print_set(run, run->set);
    return;
  }
  bp_stats s = {.size = sizeof s};
  if (!add_up(run, &s)) {
    count(run, "cfg_vertices", bp_cfg_vertex_count(run->cfg));
    count(run, "cfg_edges", bp_cfg_edge_count(run->cfg));
    return;
  }
  seconds(run, "engine_seconds", s.engine_seconds);
  count(run, "peak_nodes", s.peak_nodes);
  count(run, "bdd_vars", s.bdd_vars);
  count(run, "cfg_vertices", s.cfg_vertices);
  count(run, "cfg_edges", s.cfg_edges);
  count(run, "images", s.steps);
  count(run, "path_edges", s.path_edges);
  count(run, "summaries", s.summaries);
  count(run, "collections", s.collections);
  count(run, "dropped_vars", s.dropped_vars);
  count(run, "skipped_vertices", s.skipped_vertices);
}
