/* SPDX-License-Identifier: MIT
 * Automata as the product needs them. */
#include "product/component.h"
#include "product/product.h"

static bool take_cubes(bpi_auto *out, const bp_automaton *a, uint32_t edge)
{
  const uint32_t aps = bp_automaton_ap_count(a);
  for (uint32_t c = 0; c < bp_automaton_edge_cube_count(a, edge); c++) {
    const uint32_t first = out->literals.count;
    for (uint32_t ap = 0; ap < aps; ap++) {
      const int literal = bp_automaton_edge_literal(a, edge, c, ap);
      if (literal && !bpi_vec_push(&out->literals, 2 * ap + (literal < 0))) return false;
    }
    if (!bpi_vec_push(&out->cubes, (bpi_slice){first, out->literals.count - first})) return false;
  }
  return true;
}

static bool take_edges(bpi_auto *out, const bp_automaton *a)
{
  const bool all = !bp_automaton_set_count(a);
  out->first = bpi_alloc((size_t)out->states + 1, sizeof *out->first);
  if (!out->first) return false;
  for (uint32_t s = 0; s < out->states; s++) {
    const uint32_t first = bp_automaton_state_edge_first(a, s);
    out->first[s] = out->edges.count;
    for (uint32_t e = first; e < first + bp_automaton_state_edge_count(a, s); e++) {
      bpi_auto_edge edge = {.from = s,
                            .to = bp_automaton_edge_to(a, e),
                            .accepting = all || bp_automaton_edge_sets(a, e),
                            .cubes = {out->cubes.count, 0}};
      if (!take_cubes(out, a, e)) return false;
      edge.cubes.count = out->cubes.count - edge.cubes.first;
      if (!bpi_vec_push(&out->edges, edge)) return false;
    }
  }
  out->first[out->states] = out->edges.count;
  return true;
}

/* Whether the edge goes round its state by every letter. */
static bool is_final(const bpi_auto *a, const bpi_auto_edge *edge)
{
  if (edge->from != edge->to || !edge->accepting) return false;
  for (uint32_t c = edge->cubes.first; c < edge->cubes.first + edge->cubes.count; c++)
    if (!a->cubes.at[c].count) return true;
  return false;
}

/* An accepting run stays in a component with an accepting edge. When each of these is a state that
 * accepts everything, whether a word is accepted shows after finitely many letters. */
static bool classify(bpi_auto *a)
{
  bpi_components c;
  a->final = bpi_zalloc(a->states / 64 + 1, sizeof *a->final);
  if (!a->final || !bpi_components_begin(&c, a->states)) return false;
  for (uint32_t i = 0; i < a->edges.count; i++)
    bpi_components_edge(&c, a->edges.at[i].from, a->edges.at[i].to);
  const bool good = bpi_components_find(&c);
  a->safe = true;
  for (uint32_t i = 0; good && i < a->edges.count; i++) {
    const bpi_auto_edge *edge = &a->edges.at[i];
    if (is_final(a, edge)) bpi_bit_add(a->final, edge->from);
  }
  for (uint32_t i = 0; good && i < a->edges.count; i++) {
    const bpi_auto_edge *edge = &a->edges.at[i];
    if (edge->accepting && c.of[edge->from] == c.of[edge->to] && !bpi_bit(a->final, edge->from))
      a->safe = false;
  }
  bpi_components_end(&c);
  return good;
}

bp_status bpi_auto_make(bpi_auto *out, const bp_automaton *automaton)
{
  *out = (bpi_auto){.states = bp_automaton_state_count(automaton)};
  while (out->bits < 32 && (uint64_t)1 << out->bits < out->states)
    out->bits++;
  bool good = take_edges(out, automaton);
  for (uint32_t i = 0; good && i < bp_automaton_initial_count(automaton); i++)
    good = bpi_vec_push(&out->initial, bp_automaton_initial(automaton, i));
  if (good && classify(out)) return BP_OK;
  bpi_auto_clear(out);
  return BP_E_NOMEM;
}

void bpi_auto_clear(bpi_auto *a)
{
  bpi_vec_free(&a->edges);
  bpi_vec_free(&a->cubes);
  bpi_vec_free(&a->literals);
  bpi_vec_free(&a->initial);
  bpi_release(a->first);
  bpi_release(a->final);
  *a = (bpi_auto){0};
}
