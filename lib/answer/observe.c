/* SPDX-License-Identifier: MIT
 * What an exploration found, for the host: states, summaries, invariants. */
#include "base/sink.h"
#include "engine/query.h"

/* ---- cubes --------------------------------------------------------------- */

/* An open node on the way to the present cube. */
typedef struct branch {
  bpi_bdd node;
  uint8_t side; /* 0: low not taken yet, 1: high not taken yet, 2: both done */
} branch;

/* Gets the present cube: values by BDD variable, BP_ANY where the path does not look. Nonzero stops. */
typedef int (*path_fn)(const uint8_t *values, void *user);

/* Calls `fn` for each path to TRUE. The walk computes no BDD, so nothing can fail in it but memory and
 * the limits. */
static bp_status each_path(bp_query *q, bpi_bdd set, path_fn fn, void *user)
{
  BPI_VEC(branch) way = {0};
  const uint32_t vars = 3 * bpi_bdd_slot_count(q->m);
  uint8_t *values = bpi_alloc(vars, 1);
  bp_status status = values ? BP_OK : bpi_no_memory(q->ctx);
  if (values) memset(values, BP_ANY, vars);
  if (status == BP_OK && set == BPI_TRUE && fn(values, user)) status = BP_E_USER;
  if (status == BP_OK && set > BPI_TRUE && !bpi_vec_push(&way, (branch){set, 0}))
    status = bpi_no_memory(q->ctx);
  while (status == BP_OK && way.count) {
    branch *top = &way.at[way.count - 1];
    const uint32_t var = bpi_bdd_top(q->m, top->node);
    if (top->side == 2) {
      values[var] = BP_ANY;
      way.count--;
      continue;
    }
    const bpi_bdd next = top->side ? bpi_bdd_high(q->m, top->node) : bpi_bdd_low(q->m, top->node);
    values[var] = top->side++ ? BP_TRUE : BP_FALSE;
    if (next == BPI_TRUE && fn(values, user)) status = BP_E_USER;
    if (next > BPI_TRUE && !bpi_vec_push(&way, (branch){next, 0})) status = bpi_no_memory(q->ctx);
    if (bpi_watch_expired(&q->watch)) status = bpi_query_expired(q);
  }
  bpi_vec_free(&way);
  bpi_release(values);
  return status;
}

/* A list of BDD variables, in the order in which the host wants them. */
typedef BPI_VEC(uint32_t) wanted;

typedef struct teller {
  const uint32_t *vars;
  uint32_t count;
  bp_value *values;
  bp_cube_fn fn;
  void *user;
} teller;

static int tell(const uint8_t *values, void *user)
{
  const teller *t = user;
  for (uint32_t i = 0; i < t->count; i++)
    t->values[i] = (bp_value)values[t->vars[i]];
  return t->fn(t->values, t->count, t->user);
}

/* `set` without all variables that are not wanted. */
static bpi_bdd project(bp_query *q, bpi_bdd set, const wanted *keep)
{
  bpi_vars vars = {0};
  bool memory = bpi_bdd_support(q->m, set, &vars);
  const bpi_bdd all = bpi_bdd_set(q->m, vars.at, vars.count);
  bpi_vars kept = {0};
  for (uint32_t i = 0; i < keep->count; i++)
    memory &= bpi_vec_push(&kept, keep->at[i]);
  const bpi_bdd stay = bpi_bdd_set(q->m, kept.at, kept.count);
  const bpi_bdd gone = bpi_bdd_exists(q->m, all, stay);
  const bpi_bdd rest = bpi_bdd_exists(q->m, set, gone);
  bpi_bdd_drop(q->m, all);
  bpi_bdd_drop(q->m, stay);
  bpi_bdd_drop(q->m, gone);
  bpi_vec_free(&vars);
  bpi_vec_free(&kept);
  if (memory) return rest;
  q->seen->stop = BP_REASON_MEMORY;
  bpi_bdd_drop(q->m, rest);
  return BPI_FALSE;
}

static bp_status tell_cubes(bp_query *q, bpi_bdd set, const wanted *keep, bp_cube_fn fn, void *user)
{
  teller t = {keep->at, keep->count, bpi_alloc(keep->count, sizeof(bp_value)), fn, user};
  bp_status status = t.values ? BP_OK : bpi_no_memory(q->ctx);
  if (status == BP_OK) {
    const bpi_bdd rest = project(q, set, keep);
    status = bpi_going(q->seen) ? each_path(q, rest, tell, &t) : bpi_query_stopped(q, q->seen);
    bpi_bdd_drop(q->m, rest);
  }
  bpi_release(t.values);
  return status;
}

/* ---- the calls ----------------------------------------------------------- */

bp_status bp_query_reached(bp_query *q, uint32_t vertex, int *out)
{
  if (!q) return BP_E_INVALID;
  if (!out) return bpi_invalid(q->ctx, "out is NULL");
  *out = 0;
  if (vertex >= q->cfg->vertices.count) return bpi_invalid(q->ctx, "there is no vertex %u", vertex);
  bp_status status = bpi_query_begin(q);
  if (status != BP_OK) return status;
  bpi_engine *e;
  status = bpi_query_seen(q, &e);
  if (status == BP_OK) *out = bpi_path_edges(e, vertex) != BPI_FALSE;
  bpi_query_end(q);
  return status;
}

bp_status bp_query_states(bp_query *q, uint32_t vertex, const uint32_t *vars, uint32_t count,
                          bp_cube_fn fn, void *user)
{
  if (!q) return BP_E_INVALID;
  if ((count && !vars) || !fn) return bpi_invalid(q->ctx, "%s is NULL", fn ? "vars" : "fn");
  if (vertex >= q->cfg->vertices.count) return bpi_invalid(q->ctx, "there is no vertex %u", vertex);
  const uint32_t proc = q->cfg->vertices.at[vertex].proc;
  for (uint32_t i = 0; i < count; i++)
    if (!bpi_query_sees(q, vars[i], proc))
      return bpi_invalid(q->ctx, "variable %u is not in scope in procedure '%.80s'", vars[i],
                         bp_proc_name(q->p, proc));
  bp_status status = bpi_query_begin(q);
  if (status != BP_OK) return status;
  bpi_engine *e;
  wanted keep = {0};
  status = bpi_query_seen(q, &e);
  for (uint32_t i = 0; status == BP_OK && i < count; i++)
    if (!bpi_vec_push(&keep, bpi_bdd_var(bpi_slot_of(e, vars[i]), BPI_CURRENT)))
      status = bpi_no_memory(q->ctx);
  if (status == BP_OK) status = tell_cubes(q, bpi_path_edges(e, vertex), &keep, fn, user);
  bpi_vec_free(&keep);
  bpi_query_end(q);
  return status;
}

/* Where the exit's path edges keep the entry value of a place. */
static uint32_t entry_var(const bpi_engine *e, uint32_t proc, uint32_t place)
{
  const bool copied = bpi_bit(bpi_proc_set(&e->a, e->a.entry_copy, proc), place);
  return bpi_bdd_var(e->layout.slot[place], copied ? BPI_ENTRY : BPI_CURRENT);
}

static bool want_summary(const bpi_engine *e, uint32_t proc, wanted *keep)
{
  bool memory = true;
  const bpi_analysis *a = &e->a;
  for (uint32_t g = 0; g < a->globals; g++)
    memory &= bpi_vec_push(keep, entry_var(e, proc, g));
  for (uint32_t i = 0; i < e->p->procs.at[proc].formals; i++)
    memory &= bpi_vec_push(keep, entry_var(e, proc, a->globals + i));
  for (uint32_t g = 0; g < a->globals; g++)
    memory &= bpi_vec_push(keep, bpi_bdd_var(e->layout.slot[g], BPI_CURRENT));
  for (uint32_t r = 0; r < e->p->procs.at[proc].results; r++)
    memory &= bpi_vec_push(keep, bpi_bdd_var(e->layout.result_slot[r], BPI_CURRENT));
  return memory;
}

bp_status bp_query_summary(bp_query *q, uint32_t proc, bp_cube_fn fn, void *user)
{
  if (!q) return BP_E_INVALID;
  if (!fn) return bpi_invalid(q->ctx, "fn is NULL");
  if (proc >= q->p->procs.count) return bpi_invalid(q->ctx, "there is no procedure %u", proc);
  bp_status status = bpi_query_begin(q);
  if (status != BP_OK) return status;
  bpi_engine *e;
  wanted keep = {0};
  status = bpi_query_seen(q, &e);
  const uint32_t exit = q->cfg->procs.at[proc].exit;
  if (status == BP_OK && !want_summary(e, proc, &keep)) status = bpi_no_memory(q->ctx);
  if (status == BP_OK && exit != BP_NONE)
    status = tell_cubes(q, bpi_path_edges(e, exit), &keep, fn, user);
  bpi_vec_free(&keep);
  bpi_query_end(q);
  return status;
}

/* ---- invariants ---------------------------------------------------------- */

typedef struct writer {
  bp_query *q;
  bpi_out out;
  const uint32_t *vars; /* program variables */
  const uint32_t *bdd_vars;
  uint32_t count;
  bool any; /* a cube was written */
} writer;

static int write_cube(const uint8_t *values, void *user)
{
  writer *w = user;
  bool any = false;
  if (w->any) bpi_out_text(&w->out, " | ");
  w->any = true;
  for (uint32_t i = 0; i < w->count; i++) {
    const uint8_t value = values[w->bdd_vars[i]];
    if (value == BP_ANY) continue;
    if (any) bpi_out_text(&w->out, " & ");
    if (value == BP_FALSE) bpi_out_char(&w->out, '!');
    bpi_out_text(&w->out, bp_var_name(w->q->p, w->vars[i]));
    any = true;
  }
  if (!any) bpi_out_char(&w->out, '1');
  return w->out.status != BP_OK;
}

/* The variables whose names mean them at a vertex: globals that nothing hides, those of `proc`. */
static bool list_visible(bp_query *q, const bpi_engine *e, uint32_t proc, wanted *vars,
                         wanted *bdd_vars)
{
  bool memory = true;
  for (uint32_t v = 0; v < q->p->vars.count; v++) {
    if (!bpi_query_sees(q, v, proc) || bp_program_find_var(q->p, proc, bp_var_name(q->p, v)) != v)
      continue;
    memory &= bpi_vec_push(vars, v) &&
              bpi_vec_push(bdd_vars, bpi_bdd_var(bpi_slot_of(e, v), BPI_CURRENT));
  }
  return memory;
}

bp_status bp_query_invariant(bp_query *q, uint32_t vertex, const bp_sink *sink)
{
  if (!q) return BP_E_INVALID;
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(q->ctx, BPI_BAD_SINK);
  if (vertex >= q->cfg->vertices.count) return bpi_invalid(q->ctx, "there is no vertex %u", vertex);
  bp_status status = bpi_query_begin(q);
  if (status != BP_OK) return status;
  bpi_engine *e;
  wanted vars = {0}, bdd_vars = {0};
  status = bpi_query_seen(q, &e);
  if (status == BP_OK && !list_visible(q, e, bpi_query_scope(q, vertex), &vars, &bdd_vars))
    status = bpi_no_memory(q->ctx);
  if (status == BP_OK) {
    writer w = {.q = q, .vars = vars.at, .bdd_vars = bdd_vars.at, .count = vars.count};
    bpi_out_init(&w.out, sink);
    const bpi_bdd set = project(q, bpi_path_edges(e, vertex), &bdd_vars);
    status = bpi_going(e) ? each_path(q, set, write_cube, &w) : bpi_query_stopped(q, e);
    bpi_bdd_drop(q->m, set);
    if (status == BP_OK && !w.any) bpi_out_char(&w.out, '0');
    if (status == BP_OK || status == BP_E_USER) {
      const bool refused = bpi_out_flush(&w.out) != BP_OK || status == BP_E_USER;
      status = refused ? bpi_sink_refused(q->ctx) : BP_OK;
    }
  }
  bpi_vec_free(&vars);
  bpi_vec_free(&bdd_vars);
  bpi_query_end(q);
  return status;
}
