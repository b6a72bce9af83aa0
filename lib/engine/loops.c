/* SPDX-License-Identifier: MIT
 * A loop whose inside has no calls and no goals, and is entered at its head only, is a relation between
 * the values before and after one round. Its reflexive transitive closure, found by squaring, takes a
 * set at the head to all states in which executions come back there, however many rounds they make:
 * a counter of n bits closes after about n squarings (Burch, Clarke, McMillan, Dill & Hwang, LICS 1990).
 *
 * While a relation is built it has the form of path edges, ENTRY copies being the values at the head, so
 * that the edges of the loop move it as they move any set. */
#include "engine/loops.h"

enum {

  MOST_VERTICES = 2000,
  MOST_NESTING = 8,
  MOST_SQUARINGS = 300,
  MOST_NODES = 50000, /* of a relation */
  LEAST_BUDGET = 4    /* polls of the BDD kernel */
};

/* An edge out of the loop. */
typedef struct way_out {
  uint32_t vertex;
  bpi_bdd rel;
} way_out;

typedef struct loop {
  bpi_engine *e;
  bpi_body *body;
  uint32_t proc, first; /* first vertex of the procedure */
  uint32_t head;        /* this and all vertices are numbers in the graph */
  BPI_VEC(uint32_t) inside;
  BPI_VEC(uint32_t) place; /* by vertex of the procedure: 1 + its place in `inside`, 0: outside */
  BPI_VEC(bpi_bdd) at;     /* by place in `inside`: the relation from the head to there */
  BPI_VEC(way_out) out;
  uint64_t *changed; /* places that may differ from their values at the head, or get lost */
  uint64_t *copied;  /* of these, those that are live at the head: they have ENTRY copies */
  bpi_bdd back;      /* from the head to the head */
} loop;

static bool close_loop(bpi_engine *e, uint32_t proc, uint32_t head, uint32_t nesting);

/* ---- which vertices ------------------------------------------------------ */

static bool is_back_edge(const bpi_engine *e, uint32_t from, uint32_t to)
{
  return bpi_place_of(e->cfg, from) >= bpi_place_of(e->cfg, to);
}

static uint32_t place_of(const loop *l, uint32_t vertex)
{
  return l->place.at[vertex - l->first];
}

static bool take_in(loop *l, uint32_t vertex)
{
  if (place_of(l, vertex)) return true;
  const bpi_vertex *v = &l->e->cfg->vertices.at[vertex];
  const bool plain = v->kind != BPI_VERTEX_CALL && v->kind != BPI_VERTEX_EXIT;
  const bool good = plain && (vertex == l->head || (vertex != l->e->cfg->procs.at[l->proc].entry &&
                                                    !(l->e->a.explore[vertex] & BPI_GOAL)));
  if (!good || l->inside.count >= MOST_VERTICES) return false;
  if (!bpi_vec_push(&l->inside, vertex)) return false;
  l->place.at[vertex - l->first] = l->inside.count;
  return true;
}

/* What leads to a back edge without passing the head. Reaching the entry that way means that the loop
 * is entered elsewhere too. */
static bool find_inside(loop *l)
{
  const bp_cfg *cfg = l->e->cfg;
  if (!take_in(l, l->head)) return false;
  for (uint32_t i = 0; i < l->inside.count; i++) {
    const uint32_t vertex = l->inside.at[i];
    const bpi_vertex *v = &cfg->vertices.at[vertex];
    for (uint32_t k = 0; k < bpi_preds(v).count; k++) {
      const uint32_t pred = cfg->preds.at[bpi_preds(v).first + k];
      if (!l->e->a.explore[pred]) continue;
      if (vertex == l->head && !is_back_edge(l->e, pred, vertex)) continue;
      if (!take_in(l, pred)) return false;
    }
  }
  return true;
}

/* In reverse postorder, which puts the head first. */
static void sort_inside(loop *l)
{
  const bp_cfg *cfg = l->e->cfg;
  const uint32_t least = bpi_place_of(cfg, l->head);
  uint32_t count = 0, most = least;
  for (uint32_t i = 0; i < l->inside.count; i++) {
    const uint32_t place = bpi_place_of(cfg, l->inside.at[i]);
    if (place > most) most = place;
  }
  for (uint32_t o = least; o <= most; o++) {
    const uint32_t vertex = bpi_vertex_at_place(cfg, l->proc, o);
    if (!place_of(l, vertex)) continue;
    l->inside.at[count++] = vertex;
    l->place.at[vertex - l->first] = count;
  }
}

/* ---- which places -------------------------------------------------------- */

static void add_targets(loop *l, const bpi_vertex *v)
{
  const bpi_engine *e = l->e;
  if (v->kind != BPI_VERTEX_ASSIGN && v->kind != BPI_VERTEX_HAVOC) return;
  const bpi_stmt stmt = bpi_stmt_at(e->p, v->stmt), *s = &stmt;
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = e->p->ids.at[s->targets.first + k];
    if (target != BP_NONE && e->a.var_matters[target]) bpi_bit_add(l->changed, e->a.place[target]);
  }
}

static void find_places(loop *l)
{
  const bpi_engine *e = l->e;
  const uint64_t *at_head = bpi_live(&e->a, l->head);
  for (uint32_t i = 0; i < l->inside.count; i++) {
    const bpi_vertex *v = &e->cfg->vertices.at[l->inside.at[i]];
    add_targets(l, v);
    for (uint32_t k = 0; k < bpi_succs(v).count; k++) {
      const uint32_t succ = e->cfg->succs.at[bpi_succs(v).first + k];
      for (uint32_t w = 0; w < e->a.words && e->a.explore[succ]; w++)
        l->changed[w] |= at_head[w] & ~bpi_live(&e->a, succ)[w];
    }
  }
  for (uint32_t w = 0; w < e->a.words; w++)
    l->copied[w] = l->changed[w] & at_head[w];
}

/* ---- the round ----------------------------------------------------------- */

static bpi_bdd identity(loop *l)
{
  bpi_engine *e = l->e;
  bpi_bdd all = BPI_TRUE;
  for (uint32_t i = e->a.places; i-- > 0;) {
    if (!bpi_bit(l->copied, i)) continue;
    const uint32_t slot = e->layout.slot[i];
    const bpi_bdd before = bpi_bdd_literal(e->m, bpi_bdd_var(slot, BPI_ENTRY), true);
    const bpi_bdd after = bpi_bdd_literal(e->m, bpi_bdd_var(slot, BPI_CURRENT), true);
    bpi_conjoin(e, &all, bpi_bdd_iff(e->m, before, after));
    bpi_bdd_drop(e->m, before);
    bpi_bdd_drop(e->m, after);
  }
  return all;
}

static bool leave(loop *l, uint32_t vertex, bpi_bdd rel)
{
  for (uint32_t i = 0; i < l->out.count; i++)
    if (l->out.at[i].vertex == vertex) {
      bpi_join(l->e, &l->out.at[i].rel, rel);
      return true;
    }
  if (bpi_vec_push(&l->out, (way_out){vertex, rel})) return true;
  bpi_bdd_drop(l->e->m, rel);
  return false;
}

static bool is_closed(const loop *l, uint32_t head)
{
  const uint32_t node = l->body->spots[head - l->first].node;
  return node != BP_NONE && l->body->nodes[node].closure != BP_NONE;
}

/* Moves what has come to a vertex along its edges, but not back to the head of an inner loop, all of
 * whose rounds have been made. */
static bool move_from(loop *l, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = l->e;
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  for (uint32_t i = 0; i < bpi_succs(v).count; i++) {
    const uint32_t succ = e->cfg->succs.at[bpi_succs(v).first + i];
    if (!e->a.explore[succ]) continue;
    const bool inner = place_of(l, succ) && succ != l->head;
    if (inner && is_back_edge(e, vertex, succ)) {
      if (!is_closed(l, succ))
        return false; /* no loop with one way in, or nothing came to its head */
      continue;
    }
    const bpi_edge *edge = bpi_edge_of(e, vertex, i);
    if (!edge) return false;
    const bpi_bdd image = bpi_image(e, edge, set);
    if (succ == l->head)
      bpi_join(e, &l->back, image);
    else if (inner)
      bpi_join(e, &l->at.at[place_of(l, succ) - 1], image);
    else if (!leave(l, succ, image))
      return false;
    if (!bpi_going(e)) return false;
  }
  return true;
}

static bool is_head(const bpi_engine *e, uint32_t vertex)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  for (uint32_t i = 0; i < bpi_preds(v).count; i++) {
    const uint32_t pred = e->cfg->preds.at[bpi_preds(v).first + i];
    if (e->a.explore[pred] && is_back_edge(e, pred, vertex)) return true;
  }
  return false;
}

/* At the head of an inner loop: all its rounds. */
static bool go_round(loop *l, uint32_t vertex, bpi_bdd *set, uint32_t nesting)
{
  bpi_engine *e = l->e;
  if (nesting >= MOST_NESTING || !close_loop(e, l->proc, vertex, nesting + 1)) return false;
  const uint32_t node = l->body->spots[vertex - l->first].node;
  const bpi_bdd all = bpi_image(e, &l->body->extra.at[l->body->nodes[node].closure], *set);
  bpi_bdd_drop(e->m, *set);
  *set = all;
  return bpi_going(e);
}

static bool make_round(loop *l, uint32_t nesting)
{
  bpi_engine *e = l->e;
  for (uint32_t i = 0; i < l->inside.count; i++) {
    const uint32_t vertex = l->inside.at[i];
    bpi_bdd set = l->at.at[i];
    l->at.at[i] = BPI_FALSE;
    const bool head = i && set != BPI_FALSE && is_head(e, vertex);
    const bool done = set == BPI_FALSE ||
                      ((!head || go_round(l, vertex, &set, nesting)) && move_from(l, vertex, set));
    bpi_bdd_drop(e->m, set);
    if (!done) return false;
  }
  return true;
}

/* ---- the closure --------------------------------------------------------- */

/* From the form of path edges to that of an edge, and the set to quantify. False when stopped. */
static bool edge_form(loop *l, const bpi_rename **rename, bpi_bdd *quant)
{
  bpi_engine *e = l->e;
  BPI_VEC(uint32_t) from = {0}, to = {0};
  bool memory = true;
  for (uint32_t i = 0; i < e->a.places; i++) {
    const uint32_t slot = e->layout.slot[i];
    if (bpi_bit(l->copied, i))
      memory &= bpi_vec_push(&from, bpi_bdd_var(slot, BPI_ENTRY)) &&
                bpi_vec_push(&to, bpi_bdd_var(slot, BPI_CURRENT));
    if (bpi_bit(l->changed, i))
      memory &= bpi_vec_push(&from, bpi_bdd_var(slot, BPI_CURRENT)) &&
                bpi_vec_push(&to, bpi_bdd_var(slot, BPI_NEXT));
  }
  if (memory)
    *rename = bpi_bdd_rename_new(e->m, from.at, to.at, from.count);
  else
    e->stop = BP_REASON_MEMORY;
  bpi_vec_free(&from);
  bpi_vec_free(&to);
  *quant = bpi_place_set(e, l->copied, BPI_CURRENT);
  return bpi_going(e);
}

static bool add_extra(bpi_engine *e, bpi_body *body, bpi_bdd rel, bpi_bdd quant)
{
  const bpi_part part = {rel, bpi_bdd_keep(e->m, quant)};
  const bpi_edge edge = {.first = e->parts.count, .count = 1, .made = 1, .shifts = 1};
  if (bpi_going(e) && bpi_vec_reserve(&e->parts, 1) && bpi_vec_push(&body->extra, edge)) {
    e->parts.at[e->parts.count++] = part;
    return true;
  }
  bpi_bdd_drop(e->m, part.rel);
  bpi_bdd_drop(e->m, part.quant);
  return false;
}

/* Squares `rel`, which is given away, until it stays the same; FALSE: not to be had. */
static bpi_bdd closure_of(bpi_engine *e, bpi_bdd rel, const bpi_rename *rename, bpi_bdd quant)
{
  for (uint32_t i = 0; i < MOST_SQUARINGS && bpi_going(e); i++) {
    const bpi_bdd step = bpi_bdd_rename(e->m, rel, rename);
    const bpi_bdd twice = bpi_bdd_image(e->m, rel, step, quant);
    const bool done = twice == rel && bpi_going(e);
    bpi_bdd_drop(e->m, step);
    bpi_bdd_drop(e->m, rel);
    rel = twice;
    if (done) return rel;
    if (bpi_bdd_node_count(e->m, rel) > MOST_NODES) break;
  }
  bpi_bdd_drop(e->m, rel);
  return BPI_FALSE;
}

/* The hops of the head become the ways out of the loop, each going on as the edges did that it ends
 * with. */
static bool replace_hops(loop *l, bpi_node *node, const bpi_rename *rename, bpi_bdd quant)
{
  bpi_engine *e = l->e;
  const uint32_t first = l->body->hop_count;
  bpi_bodies_begin_hops(e);
  for (uint32_t i = 0; i < l->out.count; i++) {
    const bpi_bdd rel = bpi_bdd_rename(e->m, l->out.at[i].rel, rename);
    if (!add_extra(e, l->body, rel, quant)) return false;
    if (!bpi_body_way_out(e, l->body, l->proc, l->out.at[i].vertex, l->body->extra.count - 1,
                          i + 1 == l->out.count))
      return false;
  }
  if (!bpi_body_append_hops(e, l->body)) return false;
  node->first = first;
  node->count = l->body->hop_count - first;
  return true;
}

static bool close_round(loop *l, bpi_bdd start)
{
  bpi_engine *e = l->e;
  bpi_node *node = &l->body->nodes[l->body->spots[l->head - l->first].node];
  const bpi_rename *rename = NULL;
  bpi_bdd quant = BPI_FALSE, closure = BPI_FALSE;
  bool done = edge_form(l, &rename, &quant);
  if (done) closure = closure_of(e, bpi_bdd_or(e->m, start, l->back), rename, quant);
  done = done && closure != BPI_FALSE &&
         add_extra(e, l->body, bpi_bdd_rename(e->m, closure, rename), quant);
  const uint32_t number = l->body->extra.count - 1;
  done = done && replace_hops(l, node, rename, quant);
  if (done) node->closure = number;
  bpi_bdd_drop(e->m, closure);
  bpi_bdd_drop(e->m, quant);
  return done;
}

/* ---- attempts ------------------------------------------------------------ */

static bool prepare(loop *l)
{
  const uint32_t count = l->e->cfg->procs.at[l->proc].vertices.count;
  l->changed = bpi_zalloc((size_t)2 * l->e->a.words, sizeof *l->changed);
  l->copied = l->changed ? l->changed + l->e->a.words : NULL;
  l->place.at = bpi_zalloc(count, sizeof *l->place.at);
  return l->changed && l->place.at;
}

static void clear(loop *l)
{
  bp_manager *m = l->e->m;
  for (uint32_t i = 0; i < l->at.count; i++)
    bpi_bdd_drop(m, l->at.at[i]);
  for (uint32_t i = 0; i < l->out.count; i++)
    bpi_bdd_drop(m, l->out.at[i].rel);
  bpi_bdd_drop(m, l->back);
  bpi_vec_free(&l->inside);
  bpi_vec_free(&l->at);
  bpi_vec_free(&l->out);
  bpi_release(l->place.at);
  bpi_release(l->changed);
}

static bool close_loop(bpi_engine *e, uint32_t proc, uint32_t head, uint32_t nesting)
{
  loop l = {.e = e, .proc = proc, .head = head, .body = e->procs[proc].body};
  l.first = e->cfg->procs.at[proc].vertices.first;
  bpi_node *node = &l.body->nodes[l.body->spots[head - l.first].node];
  if (node->closure != BP_NONE) return true;
  if (node->open) return false;
  bool done = prepare(&l);
  if (done && !find_inside(&l)) {
    node->open = true;
    done = false;
  }
  done = done && bpi_vec_reserve(&l.at, l.inside.count);
  if (done) {
    sort_inside(&l);
    find_places(&l);
    memset(l.at.at, 0, l.inside.count * sizeof *l.at.at);
    l.at.count = l.inside.count;
    const bpi_bdd start = identity(&l);
    l.at.at[0] = bpi_bdd_keep(e->m, start);
    done = bpi_going(e) && make_round(&l, nesting) && close_round(&l, start);
    bpi_bdd_drop(e->m, start);
  }
  clear(&l);
  return done;
}

void bpi_loop_visit(bpi_engine *e, const bpi_instance *in, uint32_t node)
{
  bpi_body *body = in->body;
  bpi_node *n = &body->nodes[node];
  if (n->open || n->closure != BP_NONE || ++n->visits < n->next_try) return;
  const uint32_t vertex = e->cfg->procs.at[in->proc].vertices.first + n->vertex;
  if ((e->off & BP_ENGINE_LOOP) || !bpi_bdd_bounded(e->m) || !is_head(e, vertex)) {
    n->open = true;
    return;
  }
  const uint64_t polls = ((uint64_t)LEAST_BUDGET << n->attempts++) + bpi_bdd_polls(e->m) / 16;
  const uint64_t outer = bpi_bdd_budget(e->m, polls);
  close_loop(e, in->proc, vertex, 0);
  bpi_bdd_end_budget(e->m, outer);
  if (e->stop == BP_REASON_MEMORY) e->stop = BP_REASON_NONE; /* the work can do without */
  n->next_try = n->visits * 4;
}
