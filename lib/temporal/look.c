/* SPDX-License-Identifier: MIT
 * The getters of automata. */
#include "temporal/automaton.h"

const char *bp_automaton_name(const bp_automaton *automaton)
{
  return automaton ? automaton->name : NULL;
}

uint32_t bp_automaton_state_count(const bp_automaton *automaton)
{
  return automaton ? automaton->states : 0;
}

uint32_t bp_automaton_edge_count(const bp_automaton *automaton)
{
  return automaton ? automaton->edges.count : 0;
}

uint32_t bp_automaton_set_count(const bp_automaton *automaton)
{
  return automaton ? automaton->sets : 0;
}

uint32_t bp_automaton_initial_count(const bp_automaton *automaton)
{
  return automaton ? automaton->initial.count : 0;
}

uint32_t bp_automaton_initial(const bp_automaton *automaton, uint32_t index)
{
  return automaton && index < automaton->initial.count ? automaton->initial.at[index] : BP_NONE;
}

int bp_automaton_is_empty(const bp_automaton *automaton)
{
  return automaton ? automaton->empty : 0;
}

int bp_automaton_is_deterministic(const bp_automaton *automaton)
{
  return automaton ? automaton->deterministic : 0;
}

uint32_t bp_automaton_state_edge_first(const bp_automaton *automaton, uint32_t state)
{
  return automaton && state < automaton->states ? automaton->first[state] : BP_NONE;
}

uint32_t bp_automaton_state_edge_count(const bp_automaton *automaton, uint32_t state)
{
  if (!automaton || state >= automaton->states) return 0;
  return automaton->first[state + 1] - automaton->first[state];
}

static const bpi_fixed_edge *edge_at(const bp_automaton *a, uint32_t edge)
{
  return a && edge < a->edges.count ? &a->edges.at[edge] : NULL;
}

uint32_t bp_automaton_edge_from(const bp_automaton *automaton, uint32_t edge)
{
  const bpi_fixed_edge *e = edge_at(automaton, edge);
  return e ? e->from : BP_NONE;
}

uint32_t bp_automaton_edge_to(const bp_automaton *automaton, uint32_t edge)
{
  const bpi_fixed_edge *e = edge_at(automaton, edge);
  return e ? e->to : BP_NONE;
}

uint64_t bp_automaton_edge_sets(const bp_automaton *automaton, uint32_t edge)
{
  const bpi_fixed_edge *e = edge_at(automaton, edge);
  return e ? e->sets : 0;
}

uint32_t bp_automaton_edge_cube_count(const bp_automaton *automaton, uint32_t edge)
{
  const bpi_fixed_edge *e = edge_at(automaton, edge);
  if (!e) return 0;
  const bool last = edge + 1 == automaton->edges.count;
  return (last ? automaton->cubes.count - 1 : e[1].cubes) - e->cubes;
}

int bp_automaton_edge_literal(const bp_automaton *automaton, uint32_t edge, uint32_t cube,
                              uint32_t ap)
{
  if (cube >= bp_automaton_edge_cube_count(automaton, edge)) return 0;
  const uint32_t c = automaton->edges.at[edge].cubes + cube;
  for (uint32_t i = automaton->cubes.at[c]; i < automaton->cubes.at[c + 1]; i++) {
    const uint32_t literal = automaton->literals.at[i];
    if (literal / 2 == ap) return literal % 2 ? -1 : 1;
  }
  return 0;
}

/* ---- propositions ------------------------------------------------------ */

static const bpi_atom *atom_at(const bp_automaton *a, uint32_t ap)
{
  return a && ap < a->atoms.atoms.count ? &a->atoms.atoms.at[ap] : NULL;
}

uint32_t bp_automaton_ap_count(const bp_automaton *automaton)
{
  return automaton ? automaton->atoms.atoms.count : 0;
}

bp_atom_kind bp_automaton_ap_kind(const bp_automaton *automaton, uint32_t ap)
{
  const bpi_atom *atom = atom_at(automaton, ap);
  return atom ? (bp_atom_kind)atom->kind : BP_ATOM_NAME;
}

const char *bp_automaton_ap_text(const bp_automaton *automaton, uint32_t ap)
{
  const bpi_atom *atom = atom_at(automaton, ap);
  return atom ? automaton->atoms.chars.at + atom->text : NULL;
}

const char *bp_automaton_ap_proc(const bp_automaton *automaton, uint32_t ap)
{
  const bpi_atom *atom = atom_at(automaton, ap);
  return atom ? automaton->atoms.chars.at + atom->proc : NULL;
}

void bp_automaton_ap_range(const bp_automaton *automaton, uint32_t ap, bp_range *out)
{
  const bpi_atom *atom = atom_at(automaton, ap);
  if (out) *out = atom ? atom->range : (bp_range){0};
}
