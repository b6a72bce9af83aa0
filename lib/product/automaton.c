/* SPDX-License-Identifier: MIT
 * Automata as the product needs them. */
#include "product/component.h"
#include "product/product.h"

#include "temporal/automaton.h"

/* Cubes are kept there as here. */
static bool take_cubes(bpi_auto *out, const bp_automaton *a)
{
  if (!bpi_vec_reserve(&out->cubes, a->cubes.count) ||
      !bpi_vec_reserve(&out->literals, a->literals.count))
    return false;
  for (uint32_t i = 0; i + 1 < a->cubes.count; i++)
    out->cubes.at[i] = (bpi_slice){a->cubes.at[i], a->cubes.at[i + 1] - a->cubes.at[i]};
  out->cubes.count = a->cubes.count ? a->cubes.count - 1 : 0;
  if (a->literals.count)
    memcpy(out->literals.at, a->literals.at, a->literals.count * sizeof *a->literals.at);
  out->literals.count = a->literals.count;
  return true;
}

static bool take_edges(bpi_auto *out, const bp_automaton *a)
{
  out->first = bpi_alloc((size_t)out->states + 1, sizeof *out->first);
  if (!out->first || !bpi_vec_reserve(&out->edges, a->edges.count)) return false;
  for (uint32_t i = 0; i < a->edges.count; i++) {
    const bpi_fixed_edge *e = &a->edges.at[i];
    out->edges.at[i] = (bpi_auto_edge){.from = e->from,
                                       .to = e->to,
                                       .accepting = !a->sets || e->sets,
                                       .cubes = {e->cubes, bp_automaton_edge_cube_count(a, i)}};
  }
  out->edges.count = a->edges.count;
  memcpy(out->first, a->first, ((size_t)out->states + 1) * sizeof *out->first);
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
  bool good = take_cubes(out, automaton) && take_edges(out, automaton);
  for (uint32_t i = 0; good && i < bp_automaton_initial_count(automaton); i++)
    good = bpi_vec_push(&out->initial, bp_automaton_initial(automaton, i));
  if (good && classify(out)) return BP_OK;
  bpi_auto_clear(out);
  return BP_E_NOMEM;
}

bool bpi_auto_excludes(const bpi_auto *a, bpi_slice cube, const int8_t *values, uint32_t *literals)
{
  *literals = 0;
  for (uint32_t i = cube.first; i < cube.first + cube.count; i++) {
    const uint32_t literal = a->literals.at[i];
    const int8_t value = values[literal / 2];
    if (value < 0)
      ++*literals;
    else if (value == (int)(literal & 1))
      return true;
  }
  return false;
}

bool bpi_auto_opens(const bpi_auto *a, const bpi_auto_edge *edge, const int8_t *values,
                    bool *always)
{
  bool any = false;
  uint32_t literals;
  *always = false;
  for (uint32_t c = edge->cubes.first; c < edge->cubes.first + edge->cubes.count; c++) {
    if (bpi_auto_excludes(a, a->cubes.at[c], values, &literals)) continue;
    any = true;
    *always |= !literals;
  }
  return any;
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
