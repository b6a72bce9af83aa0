/* SPDX-License-Identifier: MIT
 * Answers as plain data. */
#include "engine/query.h"

typedef struct entry {
  bp_target_kind kind;
  bp_verdict verdict;
  char *name, *proc;
  bp_range range;
  uint64_t origin;
} entry;

struct bp_answer {
  atomic_uint refs;
  bp_reason reason;
  bp_stats stats;
  BPI_VEC(entry) entries;
};

static void add_engine(bp_stats *stats, const bpi_engine *e)
{
  if (!e) return;
  stats->dropped_vars = e->a.dropped_vars;
  stats->skipped_vertices = e->a.skipped_vertices;
  stats->path_edges = stats->summaries = 0;
  for (uint32_t v = 0; v < e->cfg->vertices.count; v++)
    stats->path_edges += bpi_path_edges(e, v) != BPI_FALSE;
  for (uint32_t p = 0; p < e->cfg->procs.count; p++)
    stats->summaries += e->procs[p].summary != BPI_FALSE;
}

static void take_stats(bp_stats *stats, const bp_query *q)
{
  bp_manager_stats m = {.size = sizeof m};
  *stats = (bp_stats){.size = sizeof *stats, .steps = bpi_query_steps(q, NULL)};
  stats->engine_seconds = (double)q->engine_ns / 1e9;
  stats->cfg_vertices = q->cfg->vertices.count;
  stats->cfg_edges = q->cfg->succs.count;
  add_engine(stats, q->full);
  add_engine(stats, q->seen);
  add_engine(stats, q->traced);
  add_engine(stats, q->engine);
  if (bp_manager_get_stats(q->m, &m) != BP_OK) return;
  stats->peak_nodes = m.peak_nodes;
  stats->collections = m.collections;
  stats->bdd_vars = m.vars;
}

static bool take_target(bp_answer *answer, const bp_query *q, const bpi_target *target)
{
  entry x = {.kind = target->kind, .verdict = target->verdict};
  uint32_t vertex = target->vertex;
  if (vertex == BP_NONE && target->goals.count) vertex = q->goals.at[target->goals.first].vertex;
  const char *proc = "";
  x.range.line = target->line;
  if (vertex != BP_NONE) {
    const bpi_vertex *v = &q->cfg->vertices.at[vertex];
    proc = bp_proc_name(q->p, v->proc);
    bp_stmt_range(q->p, v->stmt, &x.range);
    x.origin = bp_stmt_origin(q->p, v->stmt);
  }
  x.name = bpi_strndup(target->name, strlen(target->name));
  x.proc = bpi_strndup(proc, strlen(proc));
  if (x.name && x.proc && bpi_vec_push(&answer->entries, x)) return true;
  bpi_release(x.name);
  bpi_release(x.proc);
  return false;
}

bp_status bp_query_answer(bp_answer **out, const bp_query *q)
{
  if (out) *out = NULL;
  if (!q) return BP_E_INVALID;
  if (!out) return bpi_invalid(q->ctx, "out is NULL");
  bpi_context_begin(q->ctx);
  bp_answer *answer = bpi_zalloc(1, sizeof *answer);
  if (!answer) return bpi_no_memory(q->ctx);
  atomic_init(&answer->refs, 1);
  answer->reason = q->reason;
  take_stats(&answer->stats, q);
  for (uint32_t t = 0; t < q->targets.count; t++)
    if (!take_target(answer, q, &q->targets.at[t])) {
      bp_answer_unref(answer);
      return bpi_no_memory(q->ctx);
    }
  *out = answer;
  return BP_OK;
}

bp_answer *bp_answer_ref(bp_answer *answer)
{
  if (answer) atomic_fetch_add_explicit(&answer->refs, 1, memory_order_relaxed);
  return answer;
}

void bp_answer_unref(bp_answer *answer)
{
  if (!answer || atomic_fetch_sub_explicit(&answer->refs, 1, memory_order_acq_rel) != 1) return;
  for (uint32_t i = 0; i < answer->entries.count; i++) {
    bpi_release(answer->entries.at[i].name);
    bpi_release(answer->entries.at[i].proc);
  }
  bpi_vec_free(&answer->entries);
  bpi_release(answer);
}

/* ---- looking ------------------------------------------------------------- */

static const entry *entry_at(const bp_answer *answer, uint32_t target)
{
  return answer && target < answer->entries.count ? &answer->entries.at[target] : NULL;
}

uint32_t bp_answer_target_count(const bp_answer *answer)
{
  return answer ? answer->entries.count : 0;
}

bp_target_kind bp_answer_target_kind(const bp_answer *answer, uint32_t target)
{
  const entry *x = entry_at(answer, target);
  return x ? x->kind : BP_TARGET_LABEL;
}

const char *bp_answer_target_name(const bp_answer *answer, uint32_t target)
{
  const entry *x = entry_at(answer, target);
  return x ? x->name : NULL;
}

const char *bp_answer_target_proc(const bp_answer *answer, uint32_t target)
{
  const entry *x = entry_at(answer, target);
  return x ? x->proc : NULL;
}

uint32_t bp_answer_target_line(const bp_answer *answer, uint32_t target)
{
  const entry *x = entry_at(answer, target);
  return x ? x->range.line : 0;
}

uint32_t bp_answer_target_column(const bp_answer *answer, uint32_t target)
{
  const entry *x = entry_at(answer, target);
  return x ? x->range.column : 0;
}

uint64_t bp_answer_target_origin(const bp_answer *answer, uint32_t target)
{
  const entry *x = entry_at(answer, target);
  return x ? x->origin : 0;
}

bp_verdict bp_answer_verdict(const bp_answer *answer, uint32_t target)
{
  const entry *x = entry_at(answer, target);
  return x ? x->verdict : BP_UNDECIDED;
}

bp_reason bp_answer_reason(const bp_answer *answer, uint32_t target)
{
  const entry *x = entry_at(answer, target);
  return x && x->verdict == BP_UNDECIDED ? answer->reason : BP_REASON_NONE;
}

bp_status bp_answer_stats(const bp_answer *answer, bp_stats *out)
{
  if (!answer || !out || out->size != sizeof *out) return BP_E_INVALID;
  *out = answer->stats;
  return BP_OK;
}

static uint32_t less(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

bp_status bp_stats_add(bp_stats *sum, const bp_stats *more)
{
  if (!sum || !more || sum->size != sizeof *sum || more->size != sizeof *more) return BP_E_INVALID;
  sum->engine_seconds += more->engine_seconds;
  sum->steps += more->steps;
  sum->path_edges += more->path_edges;
  sum->summaries += more->summaries;
  sum->peak_nodes += more->peak_nodes;
  sum->collections += more->collections;
  if (more->bdd_vars > sum->bdd_vars) sum->bdd_vars = more->bdd_vars;
  sum->dropped_vars = less(sum->dropped_vars, more->dropped_vars);
  sum->skipped_vertices = less(sum->skipped_vertices, more->skipped_vertices);
  return BP_OK;
}
