/* SPDX-License-Identifier: MIT */
#include "product/aims.h"

#include "product/component.h"

enum { MOST_NODES = 1 << 20 }; /* beyond it, states of the automaton are not told apart */

/* An edge between two nodes that is accepting at the vertex of the first. */
typedef struct accepting {
  uint32_t from, to;
} accepting;

typedef struct search {
  const bpi_product *product;
  const bp_cfg *cfg;
  const bpi_auto *a;
  const bpi_props *props;
  uint32_t states; /* told apart: all, or one */
  uint32_t *row;   /* by statement: where its edges are in `open`; BP_NONE: not known yet */
  BPI_VEC(uint8_t) open;
  int8_t *values;  /* of the propositions */
  uint8_t *known;  /* by node: it was come to */
  uint8_t *called; /* by vertex: a call that was come to */
  BPI_VEC(uint32_t) todo;
  bpi_components parts;
  BPI_VEC(accepting) list;
  bool memory;
} search;

/* Nodes are pairs of a vertex and a state. */
static uint32_t node_of(const search *s, uint32_t vertex, uint32_t state)
{
  return s->states == 1 ? vertex : vertex * s->states + state;
}

static void come_to(search *s, uint32_t node)
{
  if (s->known[node]) return;
  s->known[node] = 1;
  s->memory = s->memory && bpi_vec_push(&s->todo, node);
}

static void link_to(search *s, uint32_t from, uint32_t vertex, uint32_t state)
{
  const uint32_t to = node_of(s, vertex, state);
  bpi_components_edge(&s->parts, from, to);
  come_to(s, to);
}

static bool is_automatons(uint8_t role)
{
  return role == BPI_ROLE_AUTOMATON || role == BPI_ROLE_ENDED || role == BPI_ROLE_FAILED;
}

/* Which edges of the automaton there can be at a step of its own: a byte each. */
static const uint8_t *open_edges(search *s, uint32_t vertex)
{
  const uint32_t stmt = s->cfg->vertices.at[vertex].stmt;
  const uint8_t role = s->product->role[vertex];
  if (s->row[stmt] != BP_NONE) return s->open.at + s->row[stmt];
  if (!bpi_vec_reserve(&s->open, s->a->edges.count + 1)) {
    s->memory = false;
    return NULL;
  }
  for (uint32_t i = 0; i < s->props->count; i++)
    s->values[i] = (int8_t)bpi_prop_at(&s->props->at[i], s->product->source, s->product->of[vertex],
                                       role == BPI_ROLE_FAILED);
  s->row[stmt] = s->open.count;
  for (uint32_t i = 0; i < s->a->edges.count; i++) {
    bool always;
    s->open.at[s->open.count++] = bpi_auto_opens(s->a, &s->a->edges.at[i], s->values, &always);
  }
  return s->open.at + s->row[stmt];
}

static void step(search *s, uint32_t node, uint32_t vertex, uint32_t state)
{
  const uint8_t *open = open_edges(s, vertex);
  const uint32_t succ = bpi_first_succ(s->cfg, vertex);
  const bool all = s->states == 1;
  const uint32_t end = all ? s->a->edges.count : s->a->first[state + 1];
  for (uint32_t i = all ? 0 : s->a->first[state]; open && i < end; i++) {
    const bpi_auto_edge *edge = &s->a->edges.at[i];
    if (!open[i]) continue;
    link_to(s, node, succ, edge->to);
    if (edge->accepting && !bpi_vec_push(&s->list, (accepting){node, node_of(s, succ, edge->to)}))
      s->memory = false;
  }
}

/* Returns go to the calls that were come to, in any state. */
static void call(search *s, uint32_t node, uint32_t vertex, uint32_t state)
{
  const bp_cfg *cfg = s->cfg;
  const bpi_slice behind = bpi_succs(&cfg->vertices.at[vertex]);
  const bpi_cfg_proc *callee =
      &cfg->procs.at[bpi_stmt_callee(cfg->program, cfg->vertices.at[vertex].stmt)];
  link_to(s, node, callee->entry, state);
  if (s->called[vertex] || !behind.count) return;
  s->called[vertex] = 1;
  for (uint32_t i = 0; i < s->states; i++) {
    const uint32_t exit = node_of(s, callee->exit, i);
    if (s->known[exit]) link_to(s, exit, cfg->succs.at[behind.first], i);
  }
}

static void leave(search *s, uint32_t node, const bpi_vertex *exit, uint32_t state)
{
  const bp_cfg *cfg = s->cfg;
  const bpi_slice calls = cfg->procs.at[exit->proc].calls;
  for (uint32_t i = calls.first; i < calls.first + calls.count; i++) {
    const uint32_t from = cfg->calls.at[i];
    if (s->called[from]) link_to(s, node, bpi_first_succ(cfg, from), state);
  }
}

static void go_on(search *s, uint32_t node)
{
  const bp_cfg *cfg = s->cfg;
  const uint32_t vertex = node / s->states, state = node % s->states;
  const bpi_vertex *v = &cfg->vertices.at[vertex];
  const bpi_slice succs = bpi_succs(v);
  if (is_automatons(s->product->role[vertex])) {
    step(s, node, vertex, state);
  } else if (v->kind == BPI_VERTEX_CALL) {
    call(s, node, vertex, state);
  } else if (v->kind == BPI_VERTEX_EXIT) {
    leave(s, node, v, state);
  } else {
    for (uint32_t i = succs.first; i < succs.first + succs.count; i++)
      link_to(s, node, cfg->succs.at[i], state);
  }
}

static bool begin(search *s)
{
  const uint32_t vertices = s->cfg->vertices.count, stmts = s->cfg->program->stmts.count;
  s->states = s->a->states;
  if ((uint64_t)vertices * s->states > MOST_NODES) s->states = 1;
  const uint32_t nodes = vertices * s->states;
  s->row = bpi_alloc((size_t)stmts + 1, sizeof *s->row);
  s->values = bpi_alloc((size_t)s->props->count + 1, sizeof *s->values);
  s->known = bpi_zalloc((size_t)nodes + 1, 1);
  s->called = bpi_zalloc((size_t)vertices + 1, 1);
  const bool parts = bpi_components_begin(&s->parts, nodes);
  if (!s->row || !s->values || !s->known || !s->called || !parts) return false;
  for (uint32_t i = 0; i < stmts; i++)
    s->row[i] = BP_NONE;
  s->memory = true;
  const uint32_t entry = s->cfg->procs.at[s->product->entry].entry;
  for (uint32_t i = 0; i < s->a->initial.count; i++)
    come_to(s, node_of(s, entry, s->a->initial.at[i]));
  return s->memory;
}

static bool gather(const search *s, bpi_aims *aims)
{
  uint32_t last = BP_NONE;
  for (uint32_t i = 0; i < s->list.count; i++) {
    const accepting *one = &s->list.at[i];
    if (s->parts.of[one->from] != s->parts.of[one->to] || one->from / s->states == last) continue;
    last = one->from / s->states;
    if (!bpi_vec_push(aims, last)) return false;
  }
  return true;
}

bp_status bpi_aims_find(bpi_aims *aims, const bpi_product *product, const bpi_auto *a,
                        const bpi_props *props, bpi_watch *watch)
{
  search s = {.product = product, .cfg = product->cfg, .a = a, .props = props};
  bool expired = false;
  s.memory = begin(&s);
  while (s.memory && s.todo.count && !(expired = bpi_watch_expired(watch)))
    go_on(&s, s.todo.at[--s.todo.count]);
  bool done = s.memory && !expired;
  if (done) done = bpi_components_find(&s.parts) && gather(&s, aims);
  bpi_components_end(&s.parts);
  bpi_vec_free(&s.list);
  bpi_vec_free(&s.todo);
  bpi_vec_free(&s.open);
  bpi_release(s.called);
  bpi_release(s.known);
  bpi_release(s.values);
  bpi_release(s.row);
  return done ? BP_OK : expired ? BP_E_LIMIT : BP_E_NOMEM;
}
