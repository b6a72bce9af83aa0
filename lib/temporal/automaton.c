/* SPDX-License-Identifier: MIT */
#include "temporal/automaton.h"
#include "temporal/source.h"

bp_automaton *bp_automaton_ref(bp_automaton *automaton)
{
  if (automaton) atomic_fetch_add_explicit(&automaton->refs, 1, memory_order_relaxed);
  return automaton;
}

void bp_automaton_unref(bp_automaton *a)
{
  if (!a || atomic_fetch_sub_explicit(&a->refs, 1, memory_order_acq_rel) != 1) return;
  bpi_ltl_free(&a->atoms);
  bpi_vec_free(&a->edges);
  bpi_vec_free(&a->cubes);
  bpi_vec_free(&a->literals);
  bpi_vec_free(&a->initial);
  bpi_release(a->first);
  bpi_release(a->name);
  bpi_release(a->source);
  bpi_release(a);
}

const char *bpi_automaton_source(const bp_automaton *automaton, size_t *len)
{
  *len = automaton->source_len;
  return automaton->source;
}

bool bpi_automaton_keep_source(bp_automaton **a, bpi_job *job, const char *text, size_t len)
{
  if (!text) return true;
  (*a)->source = bpi_strndup(text, len);
  (*a)->source_len = len;
  if ((*a)->source) return true;
  bp_automaton_unref(*a);
  *a = NULL;
  return bpi_job_no_memory(job);
}

/* ---- from a graph ------------------------------------------------------ */

typedef struct maker {
  bp_automaton *a;
  bpi_job *job;
  bpi_ids map; /* from variables to propositions */
} maker;

enum { MOST_LITERALS = 1 << 23 }; /* a cover can be exponentially larger than its diagram */

static bool take_cube(const bpi_cube *cube, void *user)
{
  maker *m = user;
  if (m->a->literals.count > MOST_LITERALS)
    return bpi_job_too_large(m->job, BP_E_LIMIT, "literals in its labels", MOST_LITERALS);
  bool good = bpi_vec_push(&m->a->cubes, m->a->literals.count);
  for (uint32_t i = 0; good && i < cube->count; i++) {
    const uint32_t literal = cube->literals[i];
    good = bpi_vec_push(&m->a->literals, 2 * m->map.at[literal / 2] + literal % 2);
  }
  return good || bpi_job_no_memory(m->job);
}

static bool mark_variable(const bpi_cube *cube, void *user)
{
  maker *m = user;
  for (uint32_t i = 0; i < cube->count; i++)
    m->map.at[cube->literals[i] / 2] = 1;
  return true;
}

/* The propositions: in `map` first 1 for those wanted, then their numbers. */
static bool take_atoms(maker *m, const bpi_graph *g, const bpi_ltl *atoms, bool all)
{
  bool good = bpi_vec_reserve(&m->map, atoms->atoms.count + 1) || bpi_job_no_memory(m->job);
  for (uint32_t i = 0; good && i < atoms->atoms.count; i++)
    m->map.at[m->map.count++] = all;
  for (uint32_t i = 0; good && !all && i < g->edges.count; i++)
    good = bpi_label_cover(g->labels, g->edges.at[i].label, mark_variable, m);
  good = good && bpi_ltl_init(&m->a->atoms, m->job);
  for (uint32_t i = 0; good && i < atoms->atoms.count; i++) {
    const bpi_atom *atom = &atoms->atoms.at[i];
    const char *proc = atoms->chars.at + atom->proc, *text = atoms->chars.at + atom->text;
    if (!m->map.at[i]) continue;
    m->map.at[i] = m->a->atoms.atoms.count;
    good = bpi_ltl_atom(&m->a->atoms, (bp_atom_kind)atom->kind, proc, strlen(proc), text,
                        strlen(text), &atom->range) != BP_NONE;
  }
  return good;
}

static bool take_edges(maker *m, const bpi_graph *g)
{
  bool good = true;
  for (uint32_t i = 0; good && i < g->edges.count; i++) {
    const bpi_edge *e = &g->edges.at[i];
    const bpi_fixed_edge fixed = {e->from, e->to, m->a->cubes.count, e->sets};
    if (!bpi_vec_push(&m->a->edges, fixed)) return bpi_job_no_memory(m->job);
    good = bpi_label_cover(g->labels, e->label, take_cube, m);
  }
  return good && (bpi_vec_push(&m->a->cubes, m->a->literals.count) || bpi_job_no_memory(m->job));
}

static bool take_states(maker *m, const bpi_graph *g)
{
  bp_automaton *a = m->a;
  a->states = g->states;
  a->sets = g->sets;
  a->first = bpi_alloc(g->states + (size_t)1, sizeof *a->first);
  if (!a->first) return bpi_job_no_memory(m->job);
  memcpy(a->first, g->first, (g->states + (size_t)1) * sizeof *a->first);
  for (uint32_t i = 0; i < g->initial.count; i++)
    if (!bpi_vec_push(&a->initial, g->initial.at[i])) return bpi_job_no_memory(m->job);
  a->deterministic = bpi_graph_is_deterministic(g);
  return true;
}

static bool find_empty(maker *m, const bpi_graph *g)
{
  bpi_graph copy;
  const bool good = bpi_graph_copy(&copy, g) && bpi_graph_prune(&copy);
  m->a->empty = good && bpi_graph_is_empty(&copy);
  bpi_graph_free(&copy);
  return good;
}

bool bpi_automaton_make(bp_automaton **out, const bpi_graph *g, const bpi_ltl *atoms, bool all,
                        const char *name)
{
  maker m = {.job = g->labels->job};
  m.a = bpi_zalloc(1, sizeof *m.a);
  if (!m.a) return bpi_job_no_memory(m.job);
  atomic_init(&m.a->refs, 1);
  m.a->name = bpi_strndup(name, strlen(name));
  bool good = m.a->name ? true : bpi_job_no_memory(m.job);
  good = good && take_atoms(&m, g, atoms, all) && take_states(&m, g) && take_edges(&m, g) &&
         find_empty(&m, g) && m.job->status == BP_OK;
  m.a->atoms.job = NULL;
  bpi_vec_free(&m.map);
  if (good)
    *out = m.a;
  else
    bp_automaton_unref(m.a);
  return good;
}

/* ---- to a graph -------------------------------------------------------- */

static uint32_t label_of(bpi_labels *labels, const bp_automaton *a, uint32_t edge,
                         const uint32_t *map)
{
  uint32_t label = BPI_LABEL_FALSE;
  const uint32_t end = edge + 1 < a->edges.count ? a->edges.at[edge + 1].cubes : a->cubes.count - 1;
  for (uint32_t c = a->edges.at[edge].cubes; c < end; c++) {
    uint32_t cube = BPI_LABEL_TRUE;
    for (uint32_t i = a->cubes.at[c]; i < a->cubes.at[c + 1]; i++) {
      const uint32_t ap = a->literals.at[i] / 2;
      const uint32_t var = bpi_label_var(labels, map ? map[ap] : ap);
      cube = bpi_label_and(labels, cube, a->literals.at[i] % 2 ? bpi_label_not(labels, var) : var);
    }
    label = bpi_label_or(labels, label, cube);
  }
  return label;
}

bool bpi_automaton_thaw(bpi_graph *g, bpi_labels *labels, const bp_automaton *a,
                        const uint32_t *map)
{
  *g = (bpi_graph){.labels = labels, .states = a->states, .sets = a->sets};
  for (uint32_t i = 0; i < a->initial.count; i++)
    if (!bpi_vec_push(&g->initial, a->initial.at[i])) return bpi_job_no_memory(labels->job);
  for (uint32_t i = 0; i < a->edges.count; i++) {
    const bpi_fixed_edge *e = &a->edges.at[i];
    if (!bpi_graph_add(g, e->from, e->to, label_of(labels, a, i, map), e->sets)) return false;
  }
  return bpi_graph_sort(g);
}
