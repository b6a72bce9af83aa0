/* SPDX-License-Identifier: MIT
 * Sets of configurations: their tables, and building them. */
#include "pushdown/pushdown.h"

/* ---- tables ---------------------------------------------------------------- */

uint32_t bpi_set_state(bp_configurations *c, uint32_t control, uint32_t symbol)
{
  const bpi_state s = {control, symbol, BP_NONE, BP_NONE, BP_NONE, BPI_FALSE};
  if (c->states.count >= BPI_MOST_NAMES || !bpi_vec_push(&c->states, s)) return BP_NONE;
  return c->states.count - 1;
}

uint32_t bpi_set_transition(bp_configurations *c, uint32_t from, uint32_t symbol, uint32_t to)
{
  if (!bpi_vec_reserve(&c->transitions, 1)) return BP_NONE;
  const uint32_t id = bpi_keys_add(&c->keys, from, symbol, to);
  if (id == BP_NONE || id < c->transitions.count) return id;
  bpi_state *a = &c->states.at[from], *b = &c->states.at[to];
  c->transitions.at[c->transitions.count++] =
      (bpi_transition){a->first_out, b->first_in, BPI_FALSE};
  a->first_out = b->first_in = id;
  return id;
}

bp_configurations *bpi_set_begin(bp_context *ctx, bp_manager *m, bp_pushdown *p)
{
  bp_configurations *c = bpi_zalloc(1, sizeof *c);
  if (!c) return NULL;
  atomic_init(&c->refs, 1);
  c->ctx = bp_context_ref(ctx);
  c->m = bp_manager_ref(m);
  c->p = bp_pushdown_ref(p);
  bool memory = true;
  for (uint32_t i = 0; i < p->controls.count && memory; i++)
    memory = bpi_set_state(c, i, BP_NONE) != BP_NONE;
  if (memory) return c;
  bp_configurations_unref(c);
  return NULL;
}

void bp_configurations_set_progress(bp_configurations *c, bp_progress_fn fn, void *user)
{
  if (!c) return;
  c->progress = fn;
  c->progress_user = user;
}

uint64_t bp_configurations_steps(const bp_configurations *c)
{
  return c ? c->steps : 0;
}

uint32_t bp_configurations_transition_count(const bp_configurations *c)
{
  return c ? c->transitions.count : 0;
}

bp_configurations *bp_configurations_ref(bp_configurations *c)
{
  if (c) atomic_fetch_add_explicit(&c->refs, 1, memory_order_relaxed);
  return c;
}

void bp_configurations_unref(bp_configurations *c)
{
  if (!c || atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) != 1) return;
  for (uint32_t i = 0; i < c->states.count; i++)
    bpi_bdd_drop(c->m, c->states.at[i].accepts);
  for (uint32_t i = 0; i < c->transitions.count; i++)
    bpi_bdd_drop(c->m, c->transitions.at[i].rel);
  bpi_vec_free(&c->chars);
  bpi_vec_free(&c->states);
  bpi_keys_free(&c->keys);
  bpi_vec_free(&c->transitions);
  bp_pushdown_unref(c->p);
  bp_manager_unref(c->m);
  bp_context_unref(c->ctx);
  bpi_release(c);
}

/* ---- copies ---------------------------------------------------------------- */

static bool copy_states(const bp_configurations *from, bp_configurations *to, uint32_t *twin)
{
  const uint32_t controls = from->p->controls.count;
  if (!bpi_vec_reserve(&to->chars, from->chars.count)) return false;
  if (from->chars.count) memcpy(to->chars.at, from->chars.at, from->chars.count);
  to->chars.count = from->chars.count;
  for (uint32_t i = controls; i < from->states.count; i++) {
    const bpi_state *s = &from->states.at[i];
    const uint32_t id = bpi_set_state(to, s->control, s->symbol);
    if (id == BP_NONE) return false;
    to->states.at[id].name = s->name;
  }
  for (uint32_t i = 0; i < controls; i++) {
    twin[i] = BP_NONE;
    if (from->states.at[i].first_in == BP_NONE) continue;
    twin[i] = bpi_set_state(to, i, BP_NONE);
    if (twin[i] == BP_NONE) return false;
  }
  for (uint32_t i = 0; i < from->states.count; i++) {
    const bpi_bdd accepts = from->states.at[i].accepts;
    to->states.at[i].accepts = bpi_bdd_keep(to->m, accepts);
    if (i < controls && twin[i] != BP_NONE)
      to->states.at[twin[i]].accepts = bpi_bdd_keep(to->m, accepts);
  }
  return true;
}

static bool copy_transitions(const bp_configurations *from, bp_configurations *to,
                             const uint32_t *twin)
{
  const uint32_t controls = from->p->controls.count;
  for (uint32_t i = 0; i < from->transitions.count; i++) {
    const bpi_key ends = bpi_ends(from, i);
    const uint32_t source = ends.at[0], target = ends.at[2];
    const uint32_t end = target < controls ? twin[target] : target;
    const uint32_t starts[2] = {source, source < controls ? twin[source] : BP_NONE};
    for (uint32_t k = 0; k < 2 && starts[k] != BP_NONE; k++) {
      const uint32_t id = bpi_set_transition(to, starts[k], ends.at[1], end);
      if (id == BP_NONE) return false;
      to->transitions.at[id].rel = bpi_bdd_keep(to->m, from->transitions.at[i].rel);
    }
  }
  return true;
}

bp_configurations *bpi_set_copy(bpi_run *run, const bp_configurations *c)
{
  bp_configurations *copy = bpi_set_begin(c->ctx, c->m, c->p);
  uint32_t *twin = bpi_alloc(c->p->controls.count, sizeof *twin);
  if (copy && twin && copy_states(c, copy, twin) && copy_transitions(c, copy, twin)) {
    bpi_release(twin);
    return copy;
  }
  bpi_release(twin);
  bp_configurations_unref(copy);
  bpi_run_no_memory(run);
  return NULL;
}

/* ---- the host's -------------------------------------------------------------- */

bp_status bp_configurations_new(bp_configurations **out, bp_context *ctx, bp_manager *m,
                                bp_pushdown *p)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || !m || !p) return bpi_invalid(ctx, "an argument is NULL");
  bpi_context_begin(ctx);
  *out = bpi_set_begin(ctx, m, p);
  return *out ? BP_OK : bpi_no_memory(ctx);
}

uint32_t bpi_set_name(bp_configurations *c, const char *name)
{
  const size_t size = strlen(name) + 1;
  const uint32_t at = c->chars.count;
  if (size > UINT32_MAX / 2 || !bpi_vec_reserve(&c->chars, size)) return BP_NONE;
  memcpy(c->chars.at + at, name, size);
  c->chars.count += (uint32_t)size;
  return at;
}

uint32_t bp_configurations_state(bp_configurations *c, const char *name)
{
  if (!c) return BP_NONE;
  bpi_context_begin(c->ctx);
  const uint32_t at = name ? bpi_set_name(c, name) : BP_NONE;
  const uint32_t id = name && at == BP_NONE ? BP_NONE : bpi_set_state(c, BP_NONE, BP_NONE);
  if (id == BP_NONE)
    bpi_no_memory(c->ctx);
  else
    c->states.at[id].name = at;
  return id;
}

/* Adds to what a transition allows; `rel` is given away. */
static void widen(bpi_run *run, bp_configurations *c, uint32_t id, bpi_bdd rel)
{
  bpi_bdd all = bpi_bdd_or(run->m, c->transitions.at[id].rel, rel);
  bpi_bdd_drop(run->m, rel);
  if (bpi_run_good(run)) {
    const bpi_bdd old = c->transitions.at[id].rel;
    c->transitions.at[id].rel = all;
    all = old;
  }
  bpi_bdd_drop(run->m, all);
}

static void widen_accepts(bpi_run *run, bp_configurations *c, uint32_t state, bpi_bdd set)
{
  bpi_bdd all = bpi_bdd_or(run->m, c->states.at[state].accepts, set);
  bpi_bdd_drop(run->m, set);
  if (bpi_run_good(run)) {
    const bpi_bdd old = c->states.at[state].accepts;
    c->states.at[state].accepts = all;
    all = old;
  }
  bpi_bdd_drop(run->m, all);
}

static const bpi_view transition_view = {
    .global_before = BPI_HERE, .global_after = BPI_THERE, .local_before = BPI_HERE};

bp_status bpi_read_relation(bpi_run *run, const bp_configurations *c, uint32_t symbol, bool primes,
                            const char *text, bpi_bdd *rel)
{
  bpi_code code = {0};
  const bpi_relation_scope scope = {c->p, symbol, primes, BP_NONE, BP_NONE};
  const bp_status status = bpi_relation_parse(&code, c->ctx, &scope, text, "relation");
  *rel = BPI_TRUE;
  if (status == BP_OK && primes) bpi_keep_globals(run, code.at, code.count, &transition_view, rel);
  if (status == BP_OK)
    bpi_run_meet(run, rel, bpi_relation_encode(run, code.at, code.count, &transition_view));
  bpi_vec_free(&code);
  return status;
}

bp_status bp_configurations_transition(bp_configurations *c, uint32_t from, uint32_t symbol,
                                       uint32_t to, const char *relation)
{
  if (!c) return BP_E_INVALID;
  if (from >= c->states.count || to >= c->states.count || symbol >= c->p->symbols.count)
    return bpi_invalid(c->ctx, "there is no such state or symbol");
  bpi_run run;
  bpi_bdd rel;
  bp_status status = bpi_run_begin(&run, c, NULL);
  if (status != BP_OK) return status;
  status = bpi_read_relation(&run, c, symbol, true, relation, &rel);
  if (status == BP_OK) {
    const uint32_t id = bpi_set_transition(c, from, symbol, to);
    if (id == BP_NONE) bpi_run_no_memory(&run);
    if (id != BP_NONE)
      widen(&run, c, id, rel);
    else
      bpi_bdd_drop(run.m, rel);
  } else {
    run.status = status;
  }
  return bpi_run_end(&run);
}

bp_status bp_configurations_accept(bp_configurations *c, uint32_t state, const char *condition)
{
  if (!c) return BP_E_INVALID;
  if (state >= c->states.count) return bpi_invalid(c->ctx, "there is no such state");
  bpi_run run;
  bpi_bdd set;
  bp_status status = bpi_run_begin(&run, c, NULL);
  if (status != BP_OK) return status;
  status = bpi_read_relation(&run, c, BP_NONE, false, condition, &set);
  if (status == BP_OK)
    widen_accepts(&run, c, state, set);
  else
    run.status = status;
  return bpi_run_end(&run);
}

bool bpi_configuration_good(const bp_configurations *c, const bp_configuration *one)
{
  bool good = one && one->control < c->p->controls.count && (one->symbols || !one->height);
  for (uint32_t i = 0; good && i < one->height; i++)
    good = one->symbols[i] < c->p->symbols.count;
  return good;
}

/* A line of new states; what accepts comes last, so that a failure adds no configuration. */
static void add_line(bpi_run *run, bp_configurations *c, const bp_configuration *one)
{
  const uint8_t *locals = one->locals;
  uint32_t at = one->control;
  bpi_bdd cube = bpi_global_cube(run, one->globals);
  for (uint32_t i = 0; i < one->height && bpi_run_tick(run); i++) {
    const uint32_t symbol = one->symbols[i], next = bpi_set_state(c, BP_NONE, BP_NONE);
    const uint32_t id = next == BP_NONE ? BP_NONE : bpi_set_transition(c, at, symbol, next);
    if (id == BP_NONE) {
      bpi_run_no_memory(run);
      break;
    }
    bpi_run_meet(run, &cube, bpi_local_cube(run, symbol, locals));
    widen(run, c, id, cube);
    cube = BPI_TRUE;
    if (locals) locals += bpi_scope_of(c->p, symbol)->locals.count;
    at = next;
  }
  if (bpi_run_good(run))
    widen_accepts(run, c, at, cube);
  else
    bpi_bdd_drop(run->m, cube);
}

bp_status bp_configurations_add(bp_configurations *c, const bp_configuration *one)
{
  if (!c) return BP_E_INVALID;
  if (!bpi_configuration_good(c, one))
    return bpi_invalid(c->ctx, "there is no such control location or symbol");
  bpi_run run;
  const bp_status status = bpi_run_begin(&run, c, NULL);
  if (status != BP_OK) return status;
  add_line(&run, c, one);
  return bpi_run_end(&run);
}

bp_status bp_configurations_add_start(bp_configurations *c)
{
  if (!c) return BP_E_INVALID;
  if (c->p->start == BP_NONE)
    return bpi_invalid(c->ctx, "the pushdown system was not made from a program");
  bpi_run run;
  const bp_status status = bpi_run_begin(&run, c, NULL);
  if (status != BP_OK) return status;
  const bpi_slice code = c->p->start_code;
  const bpi_bdd values = bpi_relation_encode(&run, code.count ? c->p->code.at + code.first : NULL,
                                             code.count, &transition_view);
  const uint32_t state = bpi_set_state(c, BP_NONE, BP_NONE);
  const uint32_t id = state == BP_NONE ? BP_NONE : bpi_set_transition(c, 0, c->p->start, state);
  if (id != BP_NONE) {
    widen(&run, c, id, values);
    widen_accepts(&run, c, state, BPI_TRUE);
  } else {
    bpi_run_no_memory(&run);
    bpi_bdd_drop(run.m, values);
  }
  return bpi_run_end(&run);
}
