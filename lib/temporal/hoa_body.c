/* SPDX-License-Identifier: MIT */
#include "temporal/hoa.h"

typedef struct state {
  uint32_t number;
  uint32_t label; /* of all its edges, when it has one */
  uint64_t sets;  /* of all its edges */
  bool labelled;
  bp_range range;
  uint64_t implicit; /* edges without a label so far */
} state;

static bool read_label(bpi_hoa *h, uint32_t *label)
{
  bpi_hoa_step(h);
  return bpi_hoa_label(h, label) && bpi_hoa_take(h, BPI_H_CLOSE_LABEL, "']'");
}

static bool read_sets(bpi_hoa *h, uint64_t *sets)
{
  uint32_t set;
  if (h->now.kind != BPI_H_OPEN_SETS) return true;
  bpi_hoa_step(h);
  while (h->now.kind == BPI_H_NUMBER) {
    if (!bpi_hoa_number(h, "an acceptance set", h->sets, &set)) return false;
    *sets |= (uint64_t)1 << set;
  }
  return bpi_hoa_take(h, BPI_H_CLOSE_SETS, "'}'");
}

static bool read_state_number(bpi_hoa *h, const char *what, uint32_t *number)
{
  const uint32_t limit = h->states != BP_NONE ? h->states : BPI_HOA_STATES;
  if (!bpi_hoa_number(h, what, limit, number)) return false;
  while (h->defined.count <= *number)
    if (!bpi_vec_push(&h->defined, 0)) return bpi_job_no_memory(h->job);
  return true;
}

/* The letter whose number in binary says which propositions hold. */
static uint32_t letter(bpi_hoa *h, uint64_t number)
{
  uint32_t label = BPI_LABEL_TRUE;
  for (uint32_t i = h->aps; i-- > 0;) {
    const bool holds = i < 64 && (number >> i & 1);
    label = bpi_label_node_of(&h->labels, i, holds ? BPI_LABEL_FALSE : label,
                              holds ? label : BPI_LABEL_FALSE);
  }
  return label;
}

static bool implicit_label(bpi_hoa *h, state *s, uint32_t *label)
{
  if (h->aps < 64 && s->implicit >> h->aps)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_NUMBER, &h->now.range,
                          "this state has more edges than there are letters");
  *label = letter(h, s->implicit++);
  return true;
}

static bool read_edge(bpi_hoa *h, state *s)
{
  uint32_t label = s->label, to;
  uint64_t sets = s->sets;
  const bool own = h->now.kind == BPI_H_OPEN_LABEL;
  if (own && s->labelled)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_SYNTAX, &h->now.range,
                          "the state has a label already");
  if (own && s->implicit)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_SYNTAX, &h->now.range,
                          "the edge before has no label");
  if (own && !read_label(h, &label)) return false;
  if (!own && !s->labelled && !implicit_label(h, s, &label)) return false;
  if (!read_state_number(h, "a state", &to)) return false;
  if (h->now.kind == BPI_H_AND)
    return bpi_hoa_report(h, BP_E_UNSUPPORTED, BPI_MSG_HOA_KIND, &h->now.range,
                          "this automaton is alternating; only nondeterministic ones are read");
  return read_sets(h, &sets) && bpi_graph_add(&h->graph, s->number, to, label, sets);
}

static bool read_state(bpi_hoa *h)
{
  state s = {.label = BPI_LABEL_TRUE, .range = h->now.range};
  bpi_hoa_step(h);
  if (h->now.kind == BPI_H_OPEN_LABEL) {
    s.labelled = true;
    if (!read_label(h, &s.label)) return false;
  }
  if (!read_state_number(h, "the number of a state", &s.number)) return false;
  if (h->defined.at[s.number])
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_HEADER, &s.range,
                          "the state %u is there twice", (unsigned)s.number);
  h->defined.at[s.number] = 1;
  if (h->now.kind == BPI_H_STRING) bpi_hoa_step(h);
  if (!read_sets(h, &s.sets)) return false;
  while (h->now.kind == BPI_H_OPEN_LABEL || h->now.kind == BPI_H_NUMBER)
    if (!read_edge(h, &s)) return false;
  if (s.implicit && (h->aps >= 64 || s.implicit >> h->aps != 1))
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_NUMBER, &s.range,
                          "a state without labels needs an edge for each letter");
  return true;
}

/* Initial states that the body does not mention are states too. */
static bool count_initial(bpi_hoa *h)
{
  for (uint32_t i = 0; i < h->graph.initial.count; i++)
    while (h->defined.count <= h->graph.initial.at[i])
      if (!bpi_vec_push(&h->defined, 0)) return bpi_job_no_memory(h->job);
  return true;
}

bool bpi_hoa_body(bpi_hoa *h)
{
  bpi_hoa_step(h);
  while (h->now.kind == BPI_H_HEADER && bpi_hoa_has_word(&h->now, "State:"))
    if (!read_state(h)) return false;
  if (!bpi_hoa_take(h, BPI_H_END, "an edge, 'State:' or --END--")) return false;
  if (h->now.kind != BPI_H_END_OF_TEXT)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_SYNTAX, &h->now.range,
                          "only one automaton is read, but the text goes on behind --END--");
  return count_initial(h);
}
