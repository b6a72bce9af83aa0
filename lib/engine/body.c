/* SPDX-License-Identifier: MIT */
#include "engine/body.h"

#include "base/hash.h"

#ifndef BPI_FIRST_TRY /* 1 for tests: every loop, at once */
#define BPI_FIRST_TRY 16
#endif

enum {
  SHARED_VERTICES = 1000,   /* larger procedures are not compared with others */
  FIRST_TRY = BPI_FIRST_TRY /* visits of a head before its loop is looked at */
};

/* ---- the form of a procedure --------------------------------------------- */

/* Writes e->form: equal forms have equal bodies. */
typedef struct writer {
  bpi_engine *e;
  const bp_program *p;
  uint32_t *at;         /* where the next word goes; there is room for it */
  uint32_t proc, first; /* first: the procedure's first vertex */
  bool memory;
} writer;

/* Makes room for `count` words. */
static bool room(writer *w, uint64_t count)
{
  w->e->form.count = w->at ? (uint32_t)(w->at - w->e->form.at) : 0;
  w->memory = w->memory && count < UINT32_MAX / 2 && bpi_vec_reserve(&w->e->form, (uint32_t)count);
  if (w->memory) w->at = w->e->form.at + w->e->form.count;
  return w->memory;
}

static inline void put(writer *w, uint32_t word)
{
  *w->at++ = word;
}

static void put_set(writer *w, const uint64_t *set)
{
  for (uint32_t i = 0; i < w->e->a.words; i++) {
    put(w, (uint32_t)set[i]);
    put(w, (uint32_t)(set[i] >> 32));
  }
}

static void put_expr(writer *w, uint32_t expr)
{
  const bpi_expr x = bpi_expr_at(w->p, expr);
  if (!room(w, (uint64_t)x.count + 1)) return;
  put(w, x.count);
  for (uint32_t i = x.first; i < x.first + x.count; i++) {
    const bpi_instr in = w->p->code.at[i];
    const bool var = in.op == BPI_OP_VAR || in.op == BPI_OP_NEXT;
    put(w, in.op | (var ? w->e->a.place[in.arg] << 4 : 0));
  }
}

static uint32_t target_place(const writer *w, const bpi_stmt *s, uint32_t k)
{
  const uint32_t target = w->p->ids.at[s->targets.first + k];
  return target == BP_NONE || !w->e->a.var_matters[target] ? BP_NONE : w->e->a.place[target];
}

static void put_targets(writer *w, const bpi_stmt *s)
{
  if (!room(w, (uint64_t)s->targets.count + 1)) return;
  put(w, s->targets.count);
  for (uint32_t k = 0; k < s->targets.count; k++)
    put(w, target_place(w, s, k));
}

static void put_assign(writer *w, const bpi_vertex *v, const bpi_stmt *s)
{
  put_targets(w, s);
  for (uint32_t k = 0; k < s->targets.count && w->memory; k++)
    if (target_place(w, s, k) != BP_NONE) put_expr(w, s->exprs.first + k);
  if (s->constrain != BP_NONE) put_expr(w, s->constrain);
  for (uint32_t n = bpi_enforce_of(w->e->cfg, v); n != BP_NONE && w->memory;
       n = w->e->cfg->enforces.at[n].outer)
    put_expr(w, w->e->cfg->enforces.at[n].expr);
  if (room(w, 1)) put(w, s->constrain != BP_NONE);
}

/* Of the callee: its formals, what is live at its entry, what it may change. */
static void put_call(writer *w, const bpi_stmt *s)
{
  const bpi_analysis *a = &w->e->a;
  const bpi_proc *callee = &w->p->procs.at[s->callee];
  put_targets(w, s);
  if (!room(w, 3 + 4 * (uint64_t)a->words)) return;
  put(w, callee->results);
  put(w, a->summary[s->callee]);
  put(w, a->formals[s->callee]);
  put_set(w, bpi_live(a, w->e->cfg->procs.at[s->callee].entry));
  put_set(w, bpi_proc_set(a, a->mod, s->callee));
  for (uint32_t k = 0; k < s->exprs.count && room(w, 1); k++) {
    const uint32_t place = a->place[callee->vars.first + k];
    put(w, place);
    if (place != BP_NONE) put_expr(w, s->exprs.first + k);
  }
}

static void put_return(writer *w, const bpi_stmt *s)
{
  const bpi_analysis *a = &w->e->a;
  for (uint32_t k = 0; k < s->exprs.count && a->summary[w->proc] && room(w, 1); k++) {
    const bool matters = a->result_matters[a->result_first[w->proc] + k];
    put(w, matters);
    if (matters) put_expr(w, s->exprs.first + k);
  }
}

static void put_stmt(writer *w, const bpi_vertex *v)
{
  const bpi_stmt stmt = bpi_stmt_at(w->p, v->stmt);
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN: put_assign(w, v, &stmt); break;
  case BPI_VERTEX_HAVOC: put_targets(w, &stmt); break;
  case BPI_VERTEX_BRANCH:
  case BPI_VERTEX_ASSUME:
  case BPI_VERTEX_ASSERT: put_expr(w, stmt.exprs.first); break;
  case BPI_VERTEX_CALL: put_call(w, &stmt); break;
  case BPI_VERTEX_RETURN: put_return(w, &stmt); break;
  default: break;
  }
}

static void put_vertex(writer *w, uint32_t vertex)
{
  const bp_cfg *cfg = w->e->cfg;
  const bpi_vertex *v = &cfg->vertices.at[vertex];
  const bpi_slice succs = bpi_succs(v);
  if (!room(w, 2 + succs.count + 2 * (uint64_t)w->e->a.words)) return;
  put(w, (vertex - w->first) << 8 | v->kind | v->negated << 5 | (v->stmt == BP_NONE) << 6);
  put(w, succs.count);
  for (uint32_t i = 0; i < succs.count; i++) {
    const uint32_t succ = cfg->succs.at[succs.first + i];
    put(w, w->e->a.explore[succ] ? succ - w->first : BP_NONE);
  }
  put_set(w, bpi_live(&w->e->a, vertex));
  if (v->stmt != BP_NONE) put_stmt(w, v);
}

static bool write_form(bpi_engine *e, uint32_t proc)
{
  const bpi_cfg_proc *graph = &e->cfg->procs.at[proc];
  const bpi_slice all = graph->vertices;
  writer w = {e, e->p, NULL, proc, all.first, true};
  if (!room(&w, 4 + 4 * (uint64_t)e->a.words)) return false;
  put(&w, all.count);
  put(&w, graph->entry - all.first);
  put(&w, e->a.formals[proc] | (uint32_t)e->a.summary[proc] << 31);
  put(&w, e->p->procs.at[proc].results);
  put_set(&w, bpi_proc_set(&e->a, e->a.entry_copy, proc));
  put_set(&w, bpi_proc_set(&e->a, e->a.mod, proc));
  for (uint32_t v = all.first; v < all.first + all.count && w.memory; v++)
    if (e->a.explore[v]) put_vertex(&w, v);
  return room(&w, 0);
}

/* ---- nodes and hops ------------------------------------------------------ */

static bool is_node(const bpi_engine *e, uint32_t vertex)
{
  const bpi_vertex *x = &e->cfg->vertices.at[vertex];
  if ((e->off & BP_ENGINE_CHAIN) || x->kind == BPI_VERTEX_CALL || x->kind == BPI_VERTEX_EXIT ||
      vertex == e->cfg->procs.at[x->proc].entry || bpi_goal_at(&e->a, vertex) != BP_NONE)
    return true;
  uint32_t ways = 0;
  for (uint32_t i = 0; i < bpi_preds(x).count; i++)
    ways += e->a.explore[e->cfg->preds.at[bpi_preds(x).first + i]] != 0;
  return ways != 1;
}

static bool place_nodes(bpi_engine *e, bpi_body *b, uint32_t proc, const bpi_slice all)
{
  for (uint32_t i = 0; i < all.count; i++) {
    const uint32_t vertex = all.first + i;
    b->spots[i] = (bpi_spot){BP_NONE, b->edge_count};
    if (!e->a.explore[vertex]) continue;
    b->edge_count += bpi_succs(&e->cfg->vertices.at[vertex]).count;
    b->node_count += is_node(e, vertex);
  }
  b->nodes = bpi_alloc(b->node_count, sizeof *b->nodes);
  if (!b->nodes) return false;
  b->node_count = 0;
  for (uint32_t i = 0; i < all.count; i++) {
    const uint32_t vertex = bpi_vertex_at_place(e->cfg, proc, i);
    if (!e->a.explore[vertex] || !is_node(e, vertex)) continue;
    const bool call = e->cfg->vertices.at[vertex].kind == BPI_VERTEX_CALL;
    b->spots[vertex - all.first].node = b->node_count;
    b->nodes[b->node_count++] = (bpi_node){.vertex = vertex - all.first,
                                           .call = call ? b->call_count++ : BP_NONE,
                                           .closure = BP_NONE,
                                           .next_try = FIRST_TRY,
                                           .goal = bpi_goal_at(&e->a, vertex) != BP_NONE};
  }
  return true;
}

/* The edges that lead on from a vertex, in reverse, wait to become hops. */
static bool add_edges(bpi_engine *e, const bpi_slice all, uint32_t vertex, uint32_t from)
{
  const bpi_vertex *v = &e->cfg->vertices.at[all.first + vertex];
  bool last = true, memory = true;
  for (uint32_t i = bpi_succs(v).count; memory && i-- > 0;) {
    if (!e->a.explore[e->cfg->succs.at[bpi_succs(v).first + i]]) continue;
    memory = bpi_vec_push(&e->pending, (bpi_hop){vertex, i, from, BP_NONE, last});
    last = false;
  }
  return memory;
}

/* In preorder, so that a set is made before it is needed, and few are held at a time. `first` is the
 * node's first hop. */
static bool add_pending(bpi_engine *e, const bpi_body *b, const bpi_slice all, uint32_t first)
{
  bool memory = true;
  while (memory && e->pending.count) {
    bpi_hop hop = e->pending.at[--e->pending.count];
    const bpi_vertex *v = &e->cfg->vertices.at[all.first + hop.vertex];
    const uint32_t to = e->cfg->succs.at[bpi_succs(v).first + hop.succ] - all.first;
    hop.node = b->spots[to].node;
    memory = bpi_vec_push(&e->hops, hop);
    if (memory && hop.node == BP_NONE) memory = add_edges(e, all, to, e->hops.count - 1 - first);
  }
  return memory;
}

static bool add_hops(bpi_engine *e, const bpi_body *b, const bpi_slice all, bpi_node *node)
{
  node->first = e->hops.count;
  e->pending.count = 0;
  if (!add_edges(e, all, node->vertex, BP_NONE) || !add_pending(e, b, all, node->first))
    return false;
  node->count = e->hops.count - node->first;
  return true;
}

void bpi_bodies_begin_hops(bpi_engine *e)
{
  e->hops.count = 0;
  e->pending.count = 0;
}

bool bpi_body_way_out(bpi_engine *e, const bpi_body *body, uint32_t proc, uint32_t vertex,
                      uint32_t extra, bool last)
{
  const bpi_slice all = e->cfg->procs.at[proc].vertices;
  const uint32_t to = vertex - all.first;
  const bpi_hop hop = {extra, BP_NONE, BP_NONE, body->spots[to].node, last};
  if (!bpi_vec_push(&e->hops, hop)) return false;
  if (hop.node != BP_NONE) return true;
  return add_edges(e, all, to, e->hops.count - 1) && add_pending(e, body, all, 0);
}

bool bpi_body_append_hops(bpi_engine *e, bpi_body *body)
{
  bpi_hop *hops = bpi_realloc(body->hops, (size_t)body->hop_count + e->hops.count, sizeof *hops);
  if (!hops) return false;
  memcpy(hops + body->hop_count, e->hops.at, e->hops.count * sizeof *hops);
  body->hops = hops;
  body->hop_count += e->hops.count;
  return true;
}

static bool fill(bpi_engine *e, bpi_body *b, uint32_t proc)
{
  const bpi_slice all = e->cfg->procs.at[proc].vertices;
  b->vertex_count = all.count;
  b->spots = bpi_alloc(all.count, sizeof *b->spots);
  if (!b->spots || !place_nodes(e, b, proc, all)) return false;
  e->hops.count = 0;
  for (uint32_t n = 0; n < b->node_count; n++)
    if (!add_hops(e, b, all, &b->nodes[n])) return false;
  b->hop_count = e->hops.count;
  b->words = b->node_count / 64 + 1;
  b->hops = bpi_alloc(b->hop_count, sizeof *b->hops);
  b->edges = bpi_zalloc(b->edge_count, sizeof *b->edges);
  b->calls = bpi_zalloc(b->call_count, sizeof *b->calls);
  if (!b->hops || !b->edges || !b->calls) return false;
  memcpy(b->hops, e->hops.at, b->hop_count * sizeof *b->hops);
  return true;
}

static void body_free(bpi_engine *e, bpi_body *b)
{
  if (!b) return;
  for (uint32_t i = 0; b->calls && i < b->call_count; i++)
    bpi_call_drop(e, &b->calls[i]);
  bpi_bdd_drop(e->m, b->linkage.identity);
  bpi_bdd_drop(e->m, b->linkage.formals_next);
  bpi_release(b->key);
  bpi_release(b->nodes);
  bpi_release(b->hops);
  bpi_release(b->spots);
  bpi_release(b->edges);
  bpi_vec_free(&b->extra);
  bpi_release(b->calls);
  bpi_release(b);
}

static bpi_body *make(bpi_engine *e, uint32_t proc)
{
  bpi_body *b = bpi_zalloc(1, sizeof *b);
  if (b && fill(e, b, proc)) return b;
  body_free(e, b);
  return NULL;
}

/* ---- one body for all procedures of a form -------------------------------- */

static bool grow_table(bpi_engine *e)
{
  const uint32_t size = e->body_table.count ? 2 * e->body_table.count : 64;
  bpi_body **grown = bpi_zalloc(size, sizeof *grown);
  if (!grown) return false;
  for (uint32_t i = 0; i < e->body_table.count; i++) {
    bpi_body *b = e->body_table.at[i];
    if (!b) continue;
    uint32_t at = (uint32_t)b->hash & (size - 1);
    while (grown[at])
      at = (at + 1) & (size - 1);
    grown[at] = b;
  }
  bpi_release(e->body_table.at);
  e->body_table.at = grown;
  e->body_table.count = e->body_table.capacity = size;
  return true;
}

/* The place of the body with the form that is written. */
static bpi_body **find(bpi_engine *e, uint64_t hash)
{
  const uint32_t mask = e->body_table.count - 1;
  for (uint32_t at = (uint32_t)hash & mask;; at = (at + 1) & mask) {
    const bpi_body *b = e->body_table.at[at];
    if (!b || (b->hash == hash && b->key_count == e->form.count &&
               !memcmp(b->key, e->form.at, e->form.count * sizeof *b->key)))
      return &e->body_table.at[at];
  }
}

static uint64_t hash_form(const bpi_engine *e)
{
  const uint32_t *at = e->form.at, *const end = at + e->form.count;
  uint64_t one = BPI_HASH_START, two = e->form.count;
  for (; end - at >= 4; at += 4) { /* two chains, so that neither waits for the other */
    one = ((one ^ at[0]) + ((uint64_t)at[1] << 32)) * 0x9e3779b97f4a7c15u;
    two = ((two ^ at[2]) + ((uint64_t)at[3] << 32)) * 0xff51afd7ed558ccdu;
    one ^= one >> 31;
    two ^= two >> 29;
  }
  for (; at < end; at++)
    one = bpi_hash_u64(one, *at);
  return bpi_hash_u64(one, two);
}

static bpi_body *shared(bpi_engine *e, uint32_t proc)
{
  if (2 * e->bodies.count >= e->body_table.count && !grow_table(e)) return NULL;
  const uint64_t hash = hash_form(e);
  bpi_body **place = find(e, hash);
  if (*place) return *place;
  uint32_t *key = bpi_alloc(e->form.count, sizeof *key);
  bpi_body *b = key && bpi_vec_reserve(&e->bodies, 1) ? make(e, proc) : NULL;
  if (!b) {
    bpi_release(key);
    return NULL;
  }
  memcpy(key, e->form.at, e->form.count * sizeof *key);
  b->hash = hash;
  b->key = key;
  b->key_count = e->form.count;
  *place = e->bodies.at[e->bodies.count++] = b;
  return b;
}

static bpi_body *own(bpi_engine *e, uint32_t proc)
{
  bpi_body *b = bpi_vec_reserve(&e->bodies, 1) ? make(e, proc) : NULL;
  if (b) e->bodies.at[e->bodies.count++] = b;
  return b;
}

/* Goals are told apart by their vertices, so what has one keeps its body for itself. */
static bool can_share(const bpi_engine *e, uint32_t proc)
{
  const bpi_slice all = e->cfg->procs.at[proc].vertices;
  return all.count <= SHARED_VERTICES && !bpi_goal_between(&e->a, all.first, all.first + all.count);
}

bpi_body *bpi_body_of(bpi_engine *e, uint32_t proc)
{
  bpi_instance *p = &e->procs[proc];
  if (p->body) return p->body;
  if (!can_share(e, proc))
    p->body = own(e, proc);
  else if (write_form(e, proc))
    p->body = shared(e, proc);
  if (!p->body) e->stop = BP_REASON_MEMORY;
  return p->body;
}

void bpi_bodies_free(bpi_engine *e)
{
  for (uint32_t i = 0; i < e->bodies.count; i++)
    body_free(e, e->bodies.at[i]);
  bpi_vec_free(&e->bodies);
  bpi_vec_free(&e->body_table);
  bpi_vec_free(&e->form);
  bpi_vec_free(&e->hops);
  bpi_vec_free(&e->pending);
}
