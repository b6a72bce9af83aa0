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
  bpi_release(c->inside);
  bp_pushdown_unref(c->p);
  bp_manager_unref(c->m);
  bp_context_unref(c->ctx);
  bpi_release(c);
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

/* Adds to what transitions allow, or states accept: to all places or, if the run fails, none. `set` is given
 * away. */
static void widen(bpi_run *run, bpi_bdd *const *places, uint32_t count, bpi_bdd set)
{
  bpi_bdd all[2] = {BPI_FALSE, BPI_FALSE};
  for (uint32_t i = 0; i < count; i++)
    all[i] = bpi_bdd_or(run->m, *places[i], set);
  bpi_bdd_drop(run->m, set);
  const bool good = bpi_run_good(run);
  for (uint32_t i = 0; i < count; i++) {
    bpi_bdd_drop(run->m, good ? *places[i] : all[i]);
    if (good) *places[i] = all[i];
  }
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

/* The other half of a control location (copy.c), if it has one; BP_NONE. */
static uint32_t inside_of(const bp_configurations *c, uint32_t state)
{
  return c->inside && state < c->p->controls.count ? c->inside[state] : BP_NONE;
}

/* `rel` is given away. */
static void add_transition(bpi_run *run, bp_configurations *c, const bpi_key *ends, bpi_bdd rel)
{
  uint32_t to = ends->at[2];
  if (to < c->p->controls.count) to = bpi_set_inside(run, c, to);
  const uint32_t starts[2] = {ends->at[0], inside_of(c, ends->at[0])};
  uint32_t ids[2], count = 0;
  for (; count < 2 && starts[count] != BP_NONE && bpi_run_good(run); count++) {
    ids[count] = bpi_set_transition(c, starts[count], ends->at[1], to);
    if (ids[count] == BP_NONE) bpi_run_no_memory(run);
  }
  if (!bpi_run_good(run)) {
    bpi_bdd_drop(run->m, rel);
    return;
  }
  bpi_bdd *const places[2] = {&c->transitions.at[ids[0]].rel,
                              &c->transitions.at[ids[count - 1]].rel};
  widen(run, places, count, rel);
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
  if (status == BP_OK)
    add_transition(&run, c, &(bpi_key){{from, symbol, to}}, rel);
  else
    run.status = status;
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
  const uint32_t inside = inside_of(c, state);
  bpi_bdd *const places[2] = {&c->states.at[state].accepts,
                              &c->states.at[inside == BP_NONE ? state : inside].accepts};
  if (status == BP_OK)
    widen(&run, places, inside == BP_NONE ? 1 : 2, set);
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

/* States for a line that begins in a control location; the first, or BP_NONE. Where other stacks go on in
 * that control location, the line is not to be seen. */
static uint32_t line_states(bpi_run *run, bp_configurations *c, uint32_t control, uint32_t height)
{
  const uint32_t first = c->states.count;
  for (uint32_t i = 0; i < height && bpi_run_tick(run); i++)
    if (bpi_set_state(c, BP_NONE, BP_NONE) == BP_NONE) bpi_run_no_memory(run);
  if (bpi_run_good(run)) bpi_set_inside(run, c, control);
  return bpi_run_good(run) ? first : BP_NONE;
}

/* A step of a line; `rel` is given away. */
static void line_step(bpi_run *run, bp_configurations *c, const bpi_key *ends, bpi_bdd rel)
{
  const uint32_t id = bpi_set_transition(c, ends->at[0], ends->at[1], ends->at[2]);
  if (id == BP_NONE) {
    bpi_run_no_memory(run);
    bpi_bdd_drop(run->m, rel);
    return;
  }
  bpi_bdd *const place = &c->transitions.at[id].rel;
  widen(run, &place, 1, rel);
}

/* What accepts comes last, so that a failure adds no configuration. */
static void line_end(bpi_run *run, bp_configurations *c, uint32_t state, bpi_bdd set)
{
  bpi_bdd *const place = &c->states.at[state].accepts;
  if (bpi_run_good(run))
    widen(run, &place, 1, set);
  else
    bpi_bdd_drop(run->m, set);
}

static void add_line(bpi_run *run, bp_configurations *c, const bp_configuration *one)
{
  const uint8_t *locals = one->locals;
  const uint32_t first = line_states(run, c, one->control, one->height);
  if (first == BP_NONE) return;
  uint32_t at = one->control;
  bpi_bdd cube = bpi_global_cube(run, one->globals);
  for (uint32_t i = 0; i < one->height && bpi_run_tick(run); i++) {
    const uint32_t symbol = one->symbols[i];
    bpi_run_meet(run, &cube, bpi_local_cube(run, symbol, locals));
    line_step(run, c, &(bpi_key){{at, symbol, first + i}}, cube);
    cube = BPI_TRUE;
    if (locals) locals += bpi_scope_of(c->p, symbol)->locals.count;
    at = first + i;
  }
  line_end(run, c, at, cube);
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
  const uint32_t state = line_states(&run, c, 0, 1);
  if (state == BP_NONE) return bpi_run_end(&run);
  const bpi_bdd values = bpi_relation_encode(&run, code.count ? c->p->code.at + code.first : NULL,
                                             code.count, &transition_view);
  line_step(&run, c, &(bpi_key){{0, c->p->start, state}}, values);
  line_end(&run, c, state, BPI_TRUE);
  return bpi_run_end(&run);
}
