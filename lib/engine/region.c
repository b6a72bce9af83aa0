/* SPDX-License-Identifier: MIT */
#include "engine/region.h"

enum {
  MOST_VERTICES = 2000,
  MOST_NESTING = 24 /* of loops and calls in one another: levels of recursion here */
};

/* ---- which vertices ------------------------------------------------------ */

static bool is_back_edge(const bpi_engine *e, uint32_t from, uint32_t to)
{
  return bpi_place_of(e->cfg, from) >= bpi_place_of(e->cfg, to);
}

bool bpi_is_head(const bpi_engine *e, uint32_t vertex)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  for (uint32_t i = 0; i < bpi_preds(v).count; i++) {
    const uint32_t pred = e->cfg->preds.at[bpi_preds(v).first + i];
    if (e->a.explore[pred] && is_back_edge(e, pred, vertex)) return true;
  }
  return false;
}

static uint32_t place_of(const bpi_region *r, uint32_t vertex)
{
  return r->place.at[vertex - r->first];
}

static uint32_t callee_of(const bpi_engine *e, uint32_t vertex)
{
  return bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt);
}

/* What may be inside: of a loop not the exit, and its head is no call: what is still under way in it would
 * be forgotten. */
static bool fits(const bpi_region *r, uint32_t vertex)
{
  const bpi_engine *e = r->e;
  const bpi_vertex_kind kind = e->cfg->vertices.at[vertex].kind;
  if (kind == BPI_VERTEX_CALL) {
    const uint32_t callee = callee_of(e, vertex);
    if (e->cfg->procs.at[callee].recursive || e->procs[callee].never_whole) return false;
  }
  return !r->loop || (kind != BPI_VERTEX_EXIT && (kind != BPI_VERTEX_CALL || vertex != r->head));
}

static bool take_in(bpi_region *r, uint32_t vertex)
{
  if (place_of(r, vertex)) return true;
  if (!fits(r, vertex) || r->inside.count >= MOST_VERTICES) {
    r->open = true;
    return false;
  }
  if (!bpi_vec_push(&r->inside, vertex)) return false;
  r->place.at[vertex - r->first] = r->inside.count;
  return true;
}

/* What leads to a back edge without passing the head. Coming to vertices before it that way means that
 * the loop is entered elsewhere too. */
static bool take_loop(bpi_region *r)
{
  const bp_cfg *cfg = r->e->cfg;
  const uint32_t least = bpi_place_of(cfg, r->head);
  if (!take_in(r, r->head)) return false;
  for (uint32_t i = 0; i < r->inside.count; i++) {
    const uint32_t vertex = r->inside.at[i];
    const bpi_vertex *v = &cfg->vertices.at[vertex];
    for (uint32_t k = 0; k < bpi_preds(v).count; k++) {
      const uint32_t pred = cfg->preds.at[bpi_preds(v).first + k];
      if (!r->e->a.explore[pred]) continue;
      if (vertex == r->head && !is_back_edge(r->e, pred, vertex)) continue;
      if (bpi_place_of(cfg, pred) < least)
        r->several = true;
      else if (!take_in(r, pred))
        return false;
    }
  }
  return true;
}

static bool take_procedure(bpi_region *r)
{
  const bpi_slice all = r->e->cfg->procs.at[r->proc].vertices;
  for (uint32_t v = all.first; v < all.first + all.count; v++)
    if (r->e->a.explore[v] && !take_in(r, v)) return false;
  return true;
}

/* In reverse postorder, which puts the head first. */
static void sort_inside(bpi_region *r)
{
  const bp_cfg *cfg = r->e->cfg;
  const uint32_t least = bpi_place_of(cfg, r->head);
  uint32_t count = 0, most = least;
  for (uint32_t i = 0; i < r->inside.count; i++) {
    const uint32_t place = bpi_place_of(cfg, r->inside.at[i]);
    if (place > most) most = place;
  }
  for (uint32_t o = least; o <= most; o++) {
    const uint32_t vertex = bpi_vertex_at_place(cfg, r->proc, o);
    if (!place_of(r, vertex)) continue;
    r->inside.at[count++] = vertex;
    r->place.at[vertex - r->first] = count;
  }
}

/* ---- which places -------------------------------------------------------- */

static void add_targets(bpi_region *r, const bpi_vertex *v)
{
  const bpi_engine *e = r->e;
  const bool call = v->kind == BPI_VERTEX_CALL;
  if (!call && v->kind != BPI_VERTEX_ASSIGN && v->kind != BPI_VERTEX_HAVOC) return;
  const bpi_stmt stmt = bpi_stmt_at(e->p, v->stmt), *s = &stmt;
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = e->p->ids.at[s->targets.first + k];
    if (target != BP_NONE && e->a.var_matters[target]) bpi_bit_add(r->changed, e->a.place[target]);
  }
  for (uint32_t w = 0; call && w < e->a.words; w++)
    r->changed[w] |= bpi_proc_set(&e->a, e->a.mod, s->callee)[w];
}

static void find_places(bpi_region *r)
{
  const bpi_engine *e = r->e;
  const uint64_t *at_head = bpi_live(&e->a, r->head);
  for (uint32_t i = 0; i < r->inside.count; i++) {
    const bpi_vertex *v = &e->cfg->vertices.at[r->inside.at[i]];
    add_targets(r, v);
    for (uint32_t k = 0; k < bpi_succs(v).count; k++) {
      const uint32_t succ = e->cfg->succs.at[bpi_succs(v).first + k];
      for (uint32_t w = 0; w < e->a.words && e->a.explore[succ]; w++)
        r->changed[w] |= at_head[w] & ~bpi_live(&e->a, succ)[w];
    }
  }
  for (uint32_t w = 0; w < e->a.words; w++)
    r->copied[w] = r->changed[w] & at_head[w];
}

static bpi_bdd identity(bpi_region *r)
{
  bpi_engine *e = r->e;
  bpi_bdd all = BPI_TRUE;
  for (uint32_t i = e->a.places; i-- > 0;) {
    if (!bpi_bit(r->copied, i)) continue;
    const uint32_t slot = e->layout.slot[i];
    const bpi_bdd before = bpi_bdd_literal(e->m, bpi_bdd_var(slot, BPI_ENTRY), true);
    const bpi_bdd after = bpi_bdd_literal(e->m, bpi_bdd_var(slot, BPI_CURRENT), true);
    bpi_conjoin(e, &all, bpi_bdd_iff(e->m, before, after));
    bpi_bdd_drop(e->m, before);
    bpi_bdd_drop(e->m, after);
  }
  return all;
}

/* ---- moving -------------------------------------------------------------- */

static bool whole_of(bpi_engine *e, uint32_t proc, uint32_t nesting);

static bool leave(bpi_region *r, uint32_t vertex, bpi_bdd rel)
{
  for (uint32_t i = 0; i < r->out.count; i++)
    if (r->out.at[i].vertex == vertex) {
      bpi_join(r->e, &r->out.at[i].rel, rel);
      return true;
    }
  if (bpi_vec_push(&r->out, (bpi_way_out){vertex, rel})) return true;
  bpi_bdd_drop(r->e->m, rel);
  return false;
}

/* Lets `image` (given away) arrive at the successor of a vertex. */
static bool arrive(bpi_region *r, uint32_t succ, bpi_bdd image)
{
  bpi_engine *e = r->e;
  if (r->loop && succ == r->head)
    bpi_join(e, &r->through, image);
  else if (place_of(r, succ))
    bpi_join(e, &r->at.at[place_of(r, succ) - 1], image);
  else if (!leave(r, succ, image))
    return false;
  return bpi_going(e);
}

/* Whether the edge leads back to the head of an inner loop, all of whose rounds have been made. */
static bool is_inner_back_edge(const bpi_region *r, uint32_t vertex, uint32_t succ)
{
  return place_of(r, succ) && !(r->loop && succ == r->head) && is_back_edge(r->e, vertex, succ);
}

/* Whether all rounds of what came to this vertex have been made. No: it is no head, or nothing came to
 * it, or rounds can begin elsewhere too. */
static bool is_closed(const bpi_region *r, uint32_t head)
{
  const uint32_t node = r->body->spots[head - r->first].node;
  return node != BP_NONE && r->body->nodes[node].closure != BP_NONE &&
         !r->body->nodes[node].several;
}

static bool move_edges(bpi_region *r, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = r->e;
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  for (uint32_t i = 0; i < bpi_succs(v).count; i++) {
    const uint32_t succ = e->cfg->succs.at[bpi_succs(v).first + i];
    if (!e->a.explore[succ]) continue;
    if (is_inner_back_edge(r, vertex, succ)) {
      if (!is_closed(r, succ)) return false;
      continue;
    }
    const bpi_edge *edge = bpi_edge_of(e, vertex, i);
    if (!edge || !arrive(r, succ, bpi_image(e, edge, set))) return false;
  }
  return true;
}

static bool move_over(bpi_region *r, uint32_t vertex, bpi_bdd set, uint32_t nesting)
{
  bpi_engine *e = r->e;
  const uint32_t callee = callee_of(e, vertex);
  const uint32_t behind = bpi_first_succ(e->cfg, vertex);
  if (!e->a.explore[e->cfg->procs.at[callee].entry]) return true;
  if (!whole_of(e, callee, nesting + 1)) {
    r->open |= e->procs[callee].never_whole;
    return false;
  }
  if (!e->a.explore[behind]) return true;
  if (is_inner_back_edge(r, vertex, behind)) return is_closed(r, behind);
  const bpi_call *call = bpi_call_of(e, vertex);
  if (!call) return false;
  const bpi_bdd lift = bpi_lift(e, call, e->procs[callee].whole);
  const bool done = arrive(r, behind, bpi_return(e, call, set, lift));
  bpi_bdd_drop(e->m, lift);
  return done;
}

/* At the head of an inner loop: all its rounds. */
static bool go_round(bpi_region *r, uint32_t vertex, bpi_bdd *set, uint32_t nesting)
{
  bpi_engine *e = r->e;
  const bpi_node *node = &r->body->nodes[r->body->spots[vertex - r->first].node];
  if (!bpi_loop_close(e, r->proc, vertex, nesting + 1) || node->several) {
    r->open |= node->open || node->several;
    return false;
  }
  const bpi_bdd all = bpi_image(e, &r->body->extra.at[node->closure], *set);
  bpi_bdd_drop(e->m, *set);
  *set = all;
  return bpi_going(e);
}

static bool move(bpi_region *r, uint32_t vertex, bpi_bdd set, uint32_t nesting)
{
  switch (r->e->cfg->vertices.at[vertex].kind) {
  case BPI_VERTEX_EXIT: bpi_join(r->e, &r->through, bpi_bdd_keep(r->e->m, set)); return true;
  case BPI_VERTEX_CALL: return move_over(r, vertex, set, nesting);
  default: return move_edges(r, vertex, set);
  }
}

/* What has come to a goal, or to a call with goals behind it, goes there in its own right, too. */
static bool show_goals(bpi_region *r, uint32_t vertex, bpi_bdd set)
{
  const bpi_engine *e = r->e;
  bool goal = e->a.explore[vertex] & BPI_GOAL;
  if (e->cfg->vertices.at[vertex].kind == BPI_VERTEX_CALL)
    goal |= e->procs[callee_of(e, vertex)].goals || e->enters_all;
  r->goals |= goal;
  return !goal || !r->loop || vertex == r->head || leave(r, vertex, bpi_bdd_keep(e->m, set));
}

static bool move_all(bpi_region *r, uint32_t nesting)
{
  bpi_engine *e = r->e;
  for (uint32_t i = 0; i < r->inside.count; i++) {
    const uint32_t vertex = r->inside.at[i];
    bpi_bdd set = r->at.at[i];
    r->at.at[i] = BPI_FALSE;
    const bool head = set != BPI_FALSE && !(r->loop && vertex == r->head) && bpi_is_head(e, vertex);
    const bool done =
        set == BPI_FALSE || ((!head || go_round(r, vertex, &set, nesting)) &&
                             move(r, vertex, set, nesting) && show_goals(r, vertex, set));
    bpi_bdd_drop(e->m, set);
    if (!done) return false;
  }
  return bpi_going(e);
}

/* ---- regions ------------------------------------------------------------- */

static bool prepare(bpi_region *r, bpi_engine *e, uint32_t proc, uint32_t head, bool loop)
{
  *r = (bpi_region){.e = e, .proc = proc, .head = head, .loop = loop};
  r->body = bpi_body_of(e, proc);
  r->first = e->cfg->procs.at[proc].vertices.first;
  r->changed = bpi_zalloc((size_t)2 * e->a.words, sizeof *r->changed);
  r->copied = r->changed ? r->changed + e->a.words : NULL;
  r->place.at = bpi_zalloc(e->cfg->procs.at[proc].vertices.count, sizeof *r->place.at);
  return r->body && r->changed && r->place.at;
}

static bool move_through(bpi_region *r, uint32_t nesting)
{
  if (!bpi_vec_reserve(&r->at, r->inside.count)) return false;
  memset(r->at.at, 0, r->inside.count * sizeof *r->at.at);
  r->at.count = r->inside.count;
  r->at.at[0] = bpi_bdd_keep(r->e->m, r->start);
  return bpi_going(r->e) && move_all(r, nesting);
}

bool bpi_region_of_loop(bpi_region *r, bpi_engine *e, uint32_t proc, uint32_t head,
                        uint32_t nesting)
{
  if (!prepare(r, e, proc, head, true) || nesting >= MOST_NESTING || !take_loop(r)) return false;
  sort_inside(r);
  find_places(r);
  r->start = identity(r);
  return move_through(r, nesting);
}

static bool region_of_procedure(bpi_region *r, bpi_engine *e, uint32_t proc, uint32_t nesting)
{
  const uint32_t entry = e->cfg->procs.at[proc].entry;
  if (!prepare(r, e, proc, entry, false) || nesting >= MOST_NESTING || !take_procedure(r))
    return false;
  sort_inside(r);
  const bpi_linkage *linkage = bpi_linkage_of(e, proc);
  if (linkage) r->start = bpi_bdd_keep(e->m, linkage->identity);
  return linkage && move_through(r, nesting);
}

void bpi_region_clear(bpi_region *r)
{
  bp_manager *m = r->e->m;
  for (uint32_t i = 0; i < r->at.count; i++)
    bpi_bdd_drop(m, r->at.at[i]);
  for (uint32_t i = 0; i < r->out.count; i++)
    bpi_bdd_drop(m, r->out.at[i].rel);
  bpi_bdd_drop(m, r->start);
  bpi_bdd_drop(m, r->through);
  bpi_vec_free(&r->inside);
  bpi_vec_free(&r->at);
  bpi_vec_free(&r->out);
  bpi_release(r->place.at);
  bpi_release(r->changed);
}

/* Makes the summary of a procedure for all contexts, once. Nothing else is known of contexts that
 * nobody enters with: there are no path edges for them. */
static bool whole_of(bpi_engine *e, uint32_t proc, uint32_t nesting)
{
  bpi_instance *in = &e->procs[proc];
  if (in->is_whole) return true;
  if (in->never_whole) return false;
  bpi_region r;
  if (region_of_procedure(&r, e, proc, nesting)) {
    const bpi_rename *to_summary = e->a.summary[proc] ? r.body->linkage.to_summary : NULL;
    in->whole = to_summary ? bpi_bdd_rename(e->m, r.through, to_summary) : BPI_FALSE;
    in->goals = r.goals;
    in->is_whole = bpi_going(e);
    if (!in->is_whole) in->whole = BPI_FALSE;
  } else {
    in->never_whole = r.open;
  }
  bpi_region_clear(&r);
  return in->is_whole;
}
