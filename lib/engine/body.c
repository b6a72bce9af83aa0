/* SPDX-License-Identifier: MIT */
#include "engine/form.h"
#include "engine/stage.h"

#ifndef BPI_FIRST_TRY /* 1 for tests: every loop, at once */
#define BPI_FIRST_TRY 16
#endif

enum {
  SHARED_VERTICES = 1000,   /* larger procedures are not compared with others */
  FIRST_TRY = BPI_FIRST_TRY /* visits of a head before its loop is looked at */
};

/* ---- nodes and hops ------------------------------------------------------ */

static bool is_node(const bpi_engine *e, uint32_t vertex)
{
  const bpi_vertex *x = &e->cfg->vertices.at[vertex];
  if ((e->off & BP_ENGINE_CHAIN) || x->kind == BPI_VERTEX_CALL || x->kind == BPI_VERTEX_EXIT ||
      vertex == e->cfg->procs.at[x->proc].entry || e->a.explore[vertex] & BPI_GOAL)
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
    if (!call && vertex != e->cfg->procs.at[proc].exit && b->node_count < 64)
      b->plain |= (uint64_t)1 << b->node_count;
    b->nodes[b->node_count++] = (bpi_node){.vertex = vertex - all.first,
                                           .call = call ? b->call_count++ : BP_NONE,
                                           .closure = BP_NONE,
                                           .next_try = FIRST_TRY,
                                           .goal = e->a.explore[vertex] & BPI_GOAL};
  }
  return true;
}

/* The edges that lead on from a vertex wait to become hops. The last one will be the first: ways out of
 * loops come before ways into them. */
static bool add_edges(bpi_engine *e, const bpi_body *b, const bpi_slice all, uint32_t vertex,
                      uint32_t from)
{
  const uint32_t edge = b->spots[vertex].edge;
  const bpi_slice succs = bpi_succs(&e->cfg->vertices.at[all.first + vertex]);
  bool last = true, memory = true;
  for (uint32_t i = 0; memory && i < succs.count; i++) {
    if (!e->a.explore[e->cfg->succs.at[succs.first + i]]) continue;
    memory = bpi_vec_push(&e->pending, (bpi_hop){vertex, i, edge + i, from, BP_NONE, last});
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
    if (memory && hop.node == BP_NONE) memory = add_edges(e, b, all, to, e->hops.count - 1 - first);
  }
  return memory;
}

static bool add_hops(bpi_engine *e, const bpi_body *b, const bpi_slice all, bpi_node *node)
{
  node->first = e->hops.count;
  e->pending.count = 0;
  if (!add_edges(e, b, all, node->vertex, BP_NONE) || !add_pending(e, b, all, node->first))
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
  const bpi_hop hop = {extra, BP_NONE, BP_NONE, BP_NONE, body->spots[to].node, last};
  if (!bpi_vec_push(&e->hops, hop)) return false;
  if (hop.node != BP_NONE) return true;
  return add_edges(e, body, all, to, e->hops.count - 1) && add_pending(e, body, all, 0);
}

bool bpi_body_append_hops(bpi_engine *e, bpi_body *body)
{
  bpi_hop *hops = bpi_realloc(body->hops, (size_t)body->hop_count + e->hops.count, sizeof *hops);
  if (!hops) return false;
  if (e->hops.count) memcpy(hops + body->hop_count, e->hops.at, e->hops.count * sizeof *hops);
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
  if (b->hop_count) memcpy(b->hops, e->hops.at, b->hop_count * sizeof *b->hops);
  return true;
}

static void body_free(bpi_engine *e, bpi_body *b)
{
  if (!b) return;
  bpi_bdd_drop(e->m, b->linkage.identity);
  bpi_bdd_drop(e->m, b->linkage.formals_next);
  bpi_release(b->nodes);
  bpi_release(b->hops);
  bpi_release(b->spots);
  bpi_release(b->edges);
  bpi_stages_free(e, b);
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

static bpi_body *new_body(bpi_engine *e, uint32_t proc)
{
  bpi_body *b = bpi_vec_reserve(&e->bodies, 1) ? make(e, proc) : NULL;
  if (b) e->bodies.at[e->bodies.count++] = b;
  return b;
}

static bpi_body *shared(bpi_engine *e, uint32_t proc)
{
  const uint32_t twin = e->a.twin[proc];
  if (twin != BP_NONE && e->procs[twin].body && bpi_same_form(e, proc, twin))
    return e->procs[twin].body;
  void **place = bpi_write_form(e, proc) ? bpi_form_find(e, &e->body_forms) : NULL;
  if (place && !*place) *place = new_body(e, proc);
  return place ? *place : NULL;
}

/* Goals are told apart by their vertices, so what has one keeps its body for itself. */
static bool can_share(const bpi_engine *e, uint32_t proc)
{
  const bpi_slice all = e->cfg->procs.at[proc].vertices;
  return !(e->off & BP_ENGINE_SHARE) && all.count <= SHARED_VERTICES &&
         !bpi_goal_between(&e->a, all.first, all.first + all.count);
}

bpi_body *bpi_body_of(bpi_engine *e, uint32_t proc)
{
  bpi_instance *p = &e->procs[proc];
  if (p->body) return p->body;
  p->body = can_share(e, proc) ? shared(e, proc) : new_body(e, proc);
  if (!p->body) e->stop = BP_REASON_MEMORY;
  return p->body;
}

void bpi_bodies_free(bpi_engine *e)
{
  for (uint32_t i = 0; i < e->bodies.count; i++)
    body_free(e, e->bodies.at[i]);
  bpi_vec_free(&e->bodies);
  bpi_forms_free(&e->body_forms);
  for (uint32_t i = 0; i < e->calls.count; i++) {
    bpi_call_drop(e, e->calls.at[i]);
    bpi_release(e->calls.at[i]);
  }
  bpi_vec_free(&e->calls);
  bpi_forms_free(&e->call_forms);
  bpi_vec_free(&e->form);
  bpi_vec_free(&e->hops);
  bpi_vec_free(&e->pending);
}
