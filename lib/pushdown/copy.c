/* SPDX-License-Identifier: MIT
 * Copies of sets in which no transition leads to a control location, as pre* and post* need them (Bouajjani,
 * Esparza & Maler, CONCUR 1997; Schwoon's thesis, section 3.1): a control location that something leads to gets
 * a twin, which has all that leads there. A set that gains single configurations is parted in the same way, so that
 * stacks that only go on in a control location do not see them. */
#include "pushdown/pushdown.h"

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

/* In twin[i] the copy's other half of a control location, or BP_NONE. */
static bp_configurations *copy_set(bpi_run *run, const bp_configurations *c, uint32_t *twin)
{
  bp_configurations *copy = bpi_set_begin(c->ctx, c->m, c->p);
  if (copy && twin && copy_states(c, copy, twin) && copy_transitions(c, copy, twin)) return copy;
  bp_configurations_unref(copy);
  bpi_run_no_memory(run);
  return NULL;
}

bp_configurations *bpi_set_copy(bpi_run *run, const bp_configurations *c)
{
  uint32_t *twin = bpi_alloc(c->p->controls.count, sizeof *twin);
  bp_configurations *copy = copy_set(run, c, twin);
  bpi_release(twin);
  return copy;
}

/* ---- two halves -------------------------------------------------------------- */

static void swap(void *a, void *b, size_t size)
{
  unsigned char *x = a, *y = b;
  for (size_t i = 0; i < size; i++) {
    const unsigned char kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

/* From now on nothing leads to a control location. */
static bool part(bpi_run *run, bp_configurations *c)
{
  if (c->inside) return true;
  uint32_t *twin = bpi_alloc(c->p->controls.count, sizeof *twin);
  bp_configurations *copy = copy_set(run, c, twin);
  if (!copy) {
    bpi_release(twin);
    return false;
  }
  swap(&c->chars, &copy->chars, sizeof c->chars);
  swap(&c->states, &copy->states, sizeof c->states);
  swap(&c->keys, &copy->keys, sizeof c->keys);
  swap(&c->transitions, &copy->transitions, sizeof c->transitions);
  c->inside = twin;
  bp_configurations_unref(copy);
  return true;
}

uint32_t bpi_set_inside(bpi_run *run, bp_configurations *c, uint32_t control)
{
  if (!part(run, c)) return BP_NONE;
  if (c->inside[control] != BP_NONE) return c->inside[control];
  const uint32_t id = bpi_set_state(c, control, BP_NONE);
  if (id == BP_NONE) return bpi_run_no_memory(run), BP_NONE;
  for (uint32_t t = c->states.at[control].first_out; t != BP_NONE;
       t = c->transitions.at[t].next_out) {
    const bpi_key ends = bpi_ends(c, t);
    const uint32_t copy = bpi_set_transition(c, id, ends.at[1], ends.at[2]);
    if (copy == BP_NONE) return bpi_run_no_memory(run), BP_NONE;
    c->transitions.at[copy].rel = bpi_bdd_keep(c->m, c->transitions.at[t].rel);
  }
  c->states.at[id].accepts = bpi_bdd_keep(c->m, c->states.at[control].accepts);
  return c->inside[control] = id;
}
