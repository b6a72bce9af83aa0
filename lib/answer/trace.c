/* SPDX-License-Identifier: MIT
 * Finding a trace, and the ways through its calls. */
#include "answer/trace.h"

#include "base/hash.h"

#ifndef BPI_RELATION_WORK /* 0 for tests: relations never */
#define BPI_RELATION_WORK 600
#endif

enum {
  RELATION_WORK = BPI_RELATION_WORK,
  APART_WORK = BPI_RELATION_WORK / 8, /* where the exploration did not reach the target */
  EXECUTE_WORK = 600,
  MOST_LOST = 2
};

bp_status bpi_trace_failed(bp_trace *t, const bpi_engine *e)
{
  if (!e->broken) return bpi_query_stopped(t->q, e);
  return bpi_fail(t->q->ctx, BP_E_INTERNAL, BPI_MSG_INTERNAL, "a trace has a gap (a bug in libbp)");
}

/* ---- ways through calls -------------------------------------------------- */

static uint64_t hash_key(uint32_t proc, const uint64_t *key, uint32_t words)
{
  uint64_t hash = bpi_hash_u64(BPI_HASH_START, proc);
  for (uint32_t i = 0; i < words; i++)
    hash = bpi_hash_u64(hash, key[i]);
  return hash | 1;
}

static bpi_inner *find_inner(const bp_trace *t, uint64_t hash, uint32_t proc, const uint64_t *key,
                             uint32_t words)
{
  uint32_t i = (uint32_t)hash & (t->inner_size - 1);
  for (; t->inner[i].hash; i = (i + 1) & (t->inner_size - 1))
    if (t->inner[i].hash == hash && t->inner[i].proc == proc &&
        !memcmp(t->inner[i].key, key, words * sizeof *key))
      break;
  return &t->inner[i];
}

static bool grow_inner(bp_trace *t)
{
  const uint32_t size = t->inner_size ? t->inner_size * 2 : 64;
  bpi_inner *grown = bpi_zalloc(size, sizeof *grown);
  if (!grown) return false;
  for (uint32_t i = 0; i < t->inner_size; i++) {
    if (!t->inner[i].hash) continue;
    uint32_t at = (uint32_t)t->inner[i].hash & (size - 1);
    while (grown[at].hash)
      at = (at + 1) & (size - 1);
    grown[at] = t->inner[i];
  }
  bpi_release(t->inner);
  t->inner = grown;
  t->inner_size = size;
  return true;
}

bp_status bpi_trace_inner(bp_trace *t, const bpi_path *path, const bpi_step *step, bpi_path **out)
{
  const uint32_t words = bpi_key_words(t->e);
  const uint64_t *key = path->words.at + step->key;
  const uint32_t proc = bpi_stmt_callee(t->q->p, t->q->cfg->vertices.at[step->vertex].stmt);
  const uint64_t hash = hash_key(proc, key, words);
  if (t->inner_count * 2 >= t->inner_size && !grow_inner(t)) return bpi_no_memory(t->q->ctx);
  bpi_inner *inner = find_inner(t, hash, proc, key, words);
  if (!inner->hash) {
    uint64_t *copy = bpi_alloc(words, sizeof *copy);
    if (!copy) return bpi_no_memory(t->q->ctx);
    memcpy(copy, key, words * sizeof *copy);
    bpi_path *found = bpi_query_ready(t->q, t->e) ? bpi_path_through(t->s, proc, copy) : NULL;
    if (!found) {
      bpi_release(copy);
      return bpi_trace_failed(t, t->e);
    }
    *inner = (bpi_inner){.hash = hash, .proc = proc, .path = found, .key = copy};
    t->inner_count++;
  }
  *out = inner->path;
  return BP_OK;
}

/* ---- lengths ------------------------------------------------------------- */

typedef struct measure {
  bpi_path *path;
  uint32_t at; /* the next step to look at */
  uint64_t sum;
} measure;

bp_status bpi_trace_measure(bp_trace *t, bpi_path *path, uint64_t *out)
{
  BPI_VEC(measure) stack = {0};
  bp_status status = BP_OK;
  if (!path->expanded && !bpi_vec_push(&stack, (measure){path, 0, 0}))
    status = bpi_no_memory(t->q->ctx);
  while (stack.count && status == BP_OK) {
    measure *top = &stack.at[stack.count - 1];
    if (top->at == top->path->steps.count) {
      top->path->expanded = bpi_plus(top->sum, 1); /* one more, so that 0 means unknown */
      stack.count--;
      continue;
    }
    const bpi_step *step = &top->path->steps.at[top->at];
    uint64_t inside = 0;
    if (step->kind == BPI_STEP_CALLS) {
      bpi_path *inner;
      status = bpi_trace_inner(t, top->path, step, &inner);
      if (status == BP_OK && !inner->expanded) {
        if (!bpi_vec_push(&stack, (measure){inner, 0, 0})) status = bpi_no_memory(t->q->ctx);
        continue;
      }
      inside = status == BP_OK ? inner->expanded - 1 : 0;
    }
    top->sum = bpi_plus(top->sum, bpi_plus(inside, bpi_step_shown(t, step)));
    top->at++;
  }
  bpi_vec_free(&stack);
  if (status == BP_OK) *out = path->expanded - (path->expanded != UINT64_MAX);
  return status;
}

/* ---- life ---------------------------------------------------------------- */

/* How calls are passed: by relations of the callees, in the order of their expanded length, by instances
 * of contexts, or by those relations that are known. */
typedef enum manner { RELATIONS, SHORTEST, CONTEXTS, KNOWN } manner;

static bool begin_search(bp_trace *t, bpi_engine *e, bool expanded)
{
  bpi_search_free(t->s);
  if (t->e) bpi_engine_unref(t->e);
  t->e = bpi_engine_ref(e);
  if (bpi_search_new(&t->s, e, expanded) == BP_OK) return true;
  e->stop = BP_REASON_MEMORY;
  return false;
}

/* The path to a target, NULL when stopped or there is none. */
static bpi_path *look(bp_trace *t, bpi_engine *e, uint32_t target, manner how)
{
  if (!begin_search(t, e, how == SHORTEST)) return NULL;
  t->s->by_contexts = how == CONTEXTS;
  t->s->known = how == KNOWN;
  const bpi_bdd start = bpi_start_set(e, t->q->init.at, t->q->init.count);
  const bool done = bpi_going(e) && bpi_search_goal(t->s, target, start);
  bpi_bdd_drop(t->q->m, start);
  if (!done) return NULL;
  if (t->s->found == BP_NONE) {
    e->broken = how != KNOWN;
    return NULL;
  }
  return bpi_path_extract(t->s, NULL);
}

uint64_t bpi_trace_budget(const bp_trace *t)
{
  return bpi_bdd_budget(t->q->m, RELATION_WORK + t->q->work);
}

/* With the bound on recursion under which the target was reached. */
static bp_status search_shallow(bp_trace *t, uint32_t target, uint32_t depth)
{
  bpi_engine *e;
  const bp_status status = bpi_query_shallow(t->q, depth, &e);
  if (status != BP_OK) return status;
  t->shallow = true;
  t->path = look(t, e, target, CONTEXTS);
  return t->path ? BP_OK : bpi_trace_failed(t, e);
}

/* Takes over a way through a completed call; false without memory. */
static bool keep_way(bp_trace *t, bpi_through *way)
{
  const uint32_t words = bpi_key_words(t->e);
  const uint64_t hash = hash_key(way->path->proc, way->key, words);
  if (t->inner_count * 2 >= t->inner_size && !grow_inner(t)) return false;
  *find_inner(t, hash, way->path->proc, way->key, words) =
      (bpi_inner){.hash = hash, .proc = way->path->proc, .path = way->path, .key = way->key};
  t->inner_count++;
  *way = (bpi_through){NULL, NULL};
  return true;
}

/* Backwards from the target, as long as the work compares to that of the verdict. Leaves t->path NULL without
 * success. */
static bp_status search_executions(bp_trace *t, uint32_t target, bpi_engine *e)
{
  bp_query *q = t->q;
  if (!bpi_query_ready(q, e)) return bpi_trace_failed(t, e);
  bpi_ways ways = {{0}};
  const uint64_t work = EXECUTE_WORK + q->work, outer = bpi_bdd_budget(q->m, work);
  t->path = bpi_executions_path(q, target, work, &ways);
  const bp_reason why = bpi_engine_reason(e);
  const bool spent = bpi_bdd_end_budget(q->m, outer);
  bool kept = t->path && begin_search(t, e, false);
  for (uint32_t i = 0; kept && i < ways.list.count; i++)
    kept = keep_way(t, &ways.list.at[i]);
  bpi_ways_clear(&ways);
  t->any = t->path != NULL;
  if (t->path) return kept ? BP_OK : bpi_no_memory(q->ctx);
  if (!e->broken && (spent || !bpi_must_stop(why)) && bpi_query_ready(q, e)) return BP_OK;
  return bpi_trace_failed(t, e);
}

/* By relations of what is called, for so much work. Leaves t->path NULL when that was not enough, or nodes ran
 * out. */
static bp_status search_relations(bp_trace *t, uint32_t target, bpi_engine *e, uint64_t work)
{
  if (!bpi_query_ready(t->q, e)) return bpi_trace_failed(t, e);
  const uint64_t outer = bpi_bdd_budget(t->q->m, work);
  t->path = look(t, e, target, RELATIONS);
  const bool nodes = !e->broken && bpi_engine_reason(e) == BP_REASON_NODES;
  if (!bpi_bdd_end_budget(t->q->m, outer) && !nodes)
    return t->path ? BP_OK : bpi_trace_failed(t, e);
  bpi_path_unref(t->path);
  bpi_search_free(t->s);
  t->path = NULL;
  t->s = NULL;
  return bpi_query_ready(t->q, e) ? BP_OK : bpi_trace_failed(t, e);
}

/* What can be tried where relations of what is called may be large beyond hope: with them as long as their work
 * compares to that of the exploration, which is what the target's `depth` and `apart` tell. `relations` says whether
 * they are worth a try: a trace that ran into that tells the next ones. */
static bp_status search_around(bp_trace *t, uint32_t target, bpi_engine *e, bool relations)
{
  bp_query *q = t->q;
  const bool apart = q->targets.at[target].apart;
  const uint32_t depth = q->targets.at[target].depth;
  bp_status status = BP_OK;
  relations = relations && RELATION_WORK != 0 && !q->traced;
  if (relations && apart) status = search_relations(t, target, e, APART_WORK + q->work);
  if (status == BP_OK && !t->path && apart && !(q->off & BP_ENGINE_EXECUTE))
    status = search_executions(t, target, e);
  if (status == BP_OK && !t->path && relations)
    status = search_relations(t, target, e, RELATION_WORK + q->work);
  if (status != BP_OK || t->path) return status;
  if (depth) return search_shallow(t, target, depth);
  const manner how = e->singles ? CONTEXTS : RELATIONS;
  status = e->singles ? bpi_query_traced(q, &e) : bpi_query_engine(q, &e);
  if (status != BP_OK) return status;
  t->path = look(t, e, target, how);
  return t->path ? BP_OK : bpi_trace_failed(t, e);
}

static bp_status search(bp_trace *t, uint32_t target, bool shortest, bool relations)
{
  bp_query *q = t->q;
  bpi_engine *e;
  const bp_status status = bpi_query_engine(q, &e);
  if (status != BP_OK) return status;
  const bpi_target *g = &q->targets.at[target];
  if (!shortest && (e->singles || g->depth || g->apart))
    return search_around(t, target, e, relations);
  t->path = look(t, e, target, shortest ? SHORTEST : RELATIONS);
  return t->path ? BP_OK : bpi_trace_failed(t, e);
}

/* Among what an exploration by relations finds out until it reaches the target, as long as its work compares to
 * that of the verdict; `spent` says whether it was more. Leaves t->path NULL without success. */
static bp_status search_any(bp_trace *t, uint32_t target, bool *spent)
{
  bp_query *q = t->q;
  bpi_engine *e = NULL;
  const bp_reason reason = q->reason;
  if (q->lost == MOST_LOST) {
    *spent = true; /* it would be, as the last times */
    return BP_OK;
  }
  const uint64_t outer = bpi_trace_budget(t);
  const bp_status status = bpi_query_known(q, target, &e);
  if (status == BP_OK) t->path = look(t, e, target, KNOWN);
  t->any = t->path != NULL;
  if (t->any) q->lost = 0;
  const bool nodes = e && !e->broken && bpi_engine_reason(e) == BP_REASON_NODES;
  *spent = bpi_bdd_end_budget(q->m, outer) || (nodes && !t->path);
  if (!*spent) return status != BP_OK || t->path || bpi_going(e) ? status : bpi_trace_failed(t, e);
  bpi_path_unref(t->path);
  t->path = NULL;
  t->any = false;
  q->lost++;
  q->reason = reason;
  bpi_context_begin(q->ctx); /* that was no failure */
  return BP_OK;
}

static bp_status find(bp_trace *t, uint32_t target, const bp_trace_options *options)
{
  const bp_query *q = t->q;
  bool spent = false;
  bp_status status = options && options->any ? search_any(t, target, &spent) : BP_OK;
  if (status == BP_OK && !t->path) status = search(t, target, options && options->shortest, !spent);
  if (status != BP_OK) return status;
  t->choice = q->engine && (q->engine->singles || q->targets.at[target].apart);
  t->pinned = t->path->by_contexts || (RELATION_WORK == 0 && t->choice);
  const uint32_t end = t->path->steps.at[t->path->steps.count - 1].vertex;
  const bpi_slice goals = q->targets.at[target].goals;
  for (uint32_t g = goals.first; g < goals.first + goals.count; g++)
    if (q->goals.at[g].vertex == end) t->goal = q->goals.at[g];
  return BP_OK;
}

bp_status bp_trace_new(bp_trace **out, bp_query *q, uint32_t target,
                       const bp_trace_options *options)
{
  if (out) *out = NULL;
  if (!q) return BP_E_INVALID;
  if (!out) return bpi_invalid(q->ctx, "out is NULL");
  if (options && options->size != sizeof *options)
    return bpi_invalid(q->ctx, "options->size is not sizeof(bp_trace_options)");
  if (options && options->shortest && options->any)
    return bpi_invalid(q->ctx, "options->any and options->shortest exclude each other");
  if (target >= q->targets.count) return bpi_invalid(q->ctx, "there is no target %u", target);
  bpi_context_begin(q->ctx);
  if (q->targets.at[target].verdict != BP_REACHABLE)
    return bpi_fail(q->ctx, BP_E_STATE, BPI_MSG_STATE, "the target is not known to be reachable");
  bp_status status = bpi_query_begin(q);
  if (status != BP_OK) return status;
  bp_trace *t = bpi_zalloc(1, sizeof *t);
  if (t) {
    atomic_init(&t->refs, 1);
    t->q = bp_query_ref(q);
    t->levels = options ? options->levels : 0;
    status = find(t, target, options);
  } else {
    status = bpi_no_memory(q->ctx);
  }
  bpi_query_end(q);
  if (status == BP_OK)
    *out = t;
  else
    bp_trace_unref(t);
  return status;
}

bp_trace *bp_trace_ref(bp_trace *trace)
{
  if (trace) atomic_fetch_add_explicit(&trace->refs, 1, memory_order_relaxed);
  return trace;
}

void bp_trace_unref(bp_trace *t)
{
  if (!t || atomic_fetch_sub_explicit(&t->refs, 1, memory_order_acq_rel) != 1) return;
  for (uint32_t i = 0; i < t->inner_size; i++) {
    bpi_path_unref(t->inner[i].path);
    bpi_release(t->inner[i].key);
  }
  for (uint32_t i = 0; i < t->effects.count; i++)
    if (t->effects.at[i].path) bpi_bdd_drop(t->q->m, t->effects.at[i].summary);
  if (t->e) bpi_query_settle(t->q, t->e);
  bpi_release(t->inner);
  bpi_vec_free(&t->effects);
  bpi_path_unref(t->path);
  bpi_search_free(t->s);
  if (t->e) bpi_engine_unref(t->e);
  bp_query_unref(t->q);
  bpi_release(t);
}

const bp_query *bp_trace_query(const bp_trace *trace)
{
  return trace ? trace->q : NULL;
}

uint64_t bp_trace_hierarchical_length(const bp_trace *trace)
{
  uint64_t hidden = 0;
  for (uint32_t i = 0; trace && i < trace->path->steps.count; i++) {
    const bpi_step *step = &trace->path->steps.at[i];
    hidden += bpi_step_listed(trace, step) && !bpi_step_shown(trace, step);
  }
  return trace ? trace->path->hierarchical - hidden : 0;
}

int bp_trace_pinned(const bp_trace *trace)
{
  return trace && trace->pinned;
}

int bp_trace_any(const bp_trace *trace)
{
  return trace && trace->any;
}

int bp_trace_shallow(const bp_trace *trace)
{
  return trace && trace->shallow;
}

bp_status bp_trace_length(bp_trace *trace, uint64_t *out)
{
  if (!trace) return BP_E_INVALID;
  if (!out) return bpi_invalid(trace->q->ctx, "out is NULL");
  *out = 0;
  bp_status status = bpi_query_begin(trace->q);
  if (status != BP_OK) return status;
  status = bpi_trace_measure(trace, trace->path, out);
  bpi_query_end(trace->q);
  return status;
}
