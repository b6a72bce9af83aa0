/* SPDX-License-Identifier: MIT */
#include "temporal/automaton.h"
#include "temporal/print.h"

static void write_acceptance(bpi_out *out, uint32_t sets)
{
  if (sets == 0) {
    bpi_out_text(out, "acc-name: all\n");
  } else if (sets == 1) {
    bpi_out_text(out, "acc-name: Buchi\n");
  } else {
    bpi_out_text(out, "acc-name: generalized-Buchi ");
    bpi_out_u64(out, sets);
    bpi_out_char(out, '\n');
  }
  bpi_out_text(out, "Acceptance: ");
  bpi_out_u64(out, sets);
  bpi_out_text(out, sets ? "" : " t");
  for (uint32_t i = 0; i < sets; i++) {
    bpi_out_text(out, i ? "&Inf(" : " Inf(");
    bpi_out_u64(out, i);
    bpi_out_char(out, ')');
  }
  bpi_out_char(out, '\n');
}

static void write_header(bpi_out *out, const bp_automaton *a)
{
  bpi_out_text(out, "HOA: v1\n");
  if (a->name[0]) {
    bpi_out_text(out, "name: ");
    bpi_out_quoted(out, a->name);
    bpi_out_char(out, '\n');
  }
  bpi_out_text(out, "States: ");
  bpi_out_u64(out, a->states);
  for (uint32_t i = 0; i < a->initial.count; i++) {
    bpi_out_text(out, "\nStart: ");
    bpi_out_u64(out, a->initial.at[i]);
  }
  bpi_out_text(out, "\nAP: ");
  bpi_out_u64(out, a->atoms.atoms.count);
  for (uint32_t i = 0; i < a->atoms.atoms.count; i++) {
    bpi_out_char(out, ' ');
    bpi_ltl_print_proposition(out, &a->atoms, i);
  }
  bpi_out_char(out, '\n');
  write_acceptance(out, a->sets);
  bpi_out_text(out, "properties: trans-labels explicit-labels trans-acc");
  bpi_out_text(out, a->deterministic ? " deterministic\n" : "\n");
}

static void write_cube(bpi_out *out, const bp_automaton *a, uint32_t cube)
{
  const uint32_t first = a->cubes.at[cube], end = a->cubes.at[cube + 1];
  if (first == end) bpi_out_char(out, 't');
  for (uint32_t i = first; i < end; i++) {
    if (i > first) bpi_out_char(out, '&');
    if (a->literals.at[i] % 2) bpi_out_char(out, '!');
    bpi_out_u64(out, a->literals.at[i] / 2);
  }
}

static void write_edge(bpi_out *out, const bp_automaton *a, uint32_t edge)
{
  const bpi_fixed_edge *e = &a->edges.at[edge];
  const uint32_t count = bp_automaton_edge_cube_count(a, edge);
  bpi_out_char(out, '[');
  for (uint32_t c = 0; c < count; c++) {
    if (c) bpi_out_text(out, " | ");
    write_cube(out, a, e->cubes + c);
  }
  bpi_out_text(out, "] ");
  bpi_out_u64(out, e->to);
  for (uint32_t i = 0, first = 1; i < a->sets; i++) {
    if (!(e->sets >> i & 1)) continue;
    bpi_out_text(out, first ? " {" : " ");
    bpi_out_u64(out, i);
    first = 0;
  }
  bpi_out_text(out, e->sets ? "}\n" : "\n");
}

bp_status bp_automaton_write_hoa(const bp_automaton *automaton, const bp_sink *sink)
{
  const bp_automaton *a = automaton;
  if (!a || bpi_sink_check(sink) != BP_OK) return BP_E_INVALID;
  bpi_out out;
  bpi_out_init(&out, sink);
  write_header(&out, a);
  bpi_out_text(&out, "--BODY--\n");
  for (uint32_t s = 0; s < a->states && out.status == BP_OK; s++) {
    bpi_out_text(&out, "State: ");
    bpi_out_u64(&out, s);
    bpi_out_char(&out, '\n');
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
      write_edge(&out, a, i);
  }
  bpi_out_text(&out, "--END--\n");
  return bpi_out_flush(&out);
}
