/* SPDX-License-Identifier: MIT */
#include "product/heads.h"

/* ---- sets of heads ------------------------------------------------------- */

uint32_t bpi_heads_seen(const bpi_heads *h, uint32_t vertex)
{
  const uint32_t proc = h->product->cfg->vertices.at[vertex].proc;
  return bpi_bdd_var(bpi_slot_of(h->e, h->product->seen[proc]), BPI_CURRENT);
}

bool bpi_heads_begins(const bpi_heads *h, uint32_t vertex)
{
  const uint8_t role = h->product->role[vertex];
  return role == BPI_ROLE_AUTOMATON || role == BPI_ROLE_ENDED || role == BPI_ROLE_FAILED;
}

bpi_bdd bpi_heads_reached(const bpi_heads *h, uint32_t vertex, bpi_bdd set)
{
  if (!h->reached) return bpi_bdd_keep(h->e->m, set);
  return bpi_bdd_and(h->e->m, set, h->reached[vertex]);
}

/* `set`, given away, with `seen` forgotten. */
static bpi_bdd forget(bpi_heads *h, uint32_t vertex, bpi_bdd set)
{
  const uint32_t var = bpi_heads_seen(h, vertex);
  bpi_quantify(h->e, &set, bpi_bdd_set(h->e->m, &var, 1));
  return set;
}

/* The same with `seen` 0 then. */
static bpi_bdd unseen(bpi_heads *h, uint32_t vertex, bpi_bdd set)
{
  set = forget(h, vertex, set);
  bpi_conjoin(h->e, &set, bpi_bdd_literal(h->e->m, bpi_heads_seen(h, vertex), false));
  return set;
}

/* ---- moves --------------------------------------------------------------- */

static bpi_bdd lift_of(bpi_heads *h, uint32_t vertex)
{
  bpi_engine *e = h->e;
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt);
  const bpi_call *call = h->lift[vertex] == BPI_FALSE ? bpi_call_of(e, vertex) : NULL;
  if (!call) return h->lift[vertex];
  const bpi_bdd lift = bpi_lift(e, call, e->procs[callee].summary);
  if (bpi_going(e))
    h->lift[vertex] = lift;
  else
    bpi_bdd_drop(e->m, lift);
  return h->lift[vertex];
}

/* Into a callee. Unlike bpi_enter() it leaves ENTRY copies alone. */
static bpi_bdd move_into(bpi_heads *h, const bpi_move *move, bpi_bdd set)
{
  bpi_engine *e = h->e;
  const bpi_call *call = bpi_call_of(e, move->from);
  if (!call) return BPI_FALSE;
  const uint64_t *before = bpi_live(&e->a, move->from), *entry = bpi_live(&e->a, move->to);
  uint64_t *gone = e->sets;
  for (uint32_t w = 0; w < e->a.words; w++)
    gone[w] = before[w];
  for (uint32_t g = 0; g < e->a.globals; g++)
    if (bpi_bit(entry, g)) bpi_bit_remove(gone, g);
  const bpi_bdd quant = bpi_place_set(e, gone, BPI_CURRENT);
  const bpi_bdd inside = bpi_bdd_image(e->m, set, call->args, quant);
  bpi_bdd_drop(e->m, quant);
  return inside;
}

static bpi_bdd image_of(bpi_heads *h, const bpi_move *move, bpi_bdd set)
{
  bpi_engine *e = h->e;
  if (move->kind == BPI_MOVE_INTO) return move_into(h, move, set);
  if (move->kind == BPI_MOVE_EDGE) {
    const bpi_edge *edge = bpi_edge_of(e, move->from, move->succ);
    return edge ? bpi_image(e, edge, set) : BPI_FALSE;
  }
  const bpi_call *call = bpi_call_of(e, move->from);
  return call ? bpi_return(e, call, set, lift_of(h, move->from)) : BPI_FALSE;
}

bpi_pair bpi_heads_move(bpi_heads *h, const bpi_move *move, bpi_bdd set)
{
  bpi_engine *e = h->e;
  bpi_pair pair = {BPI_FALSE, BPI_FALSE};
  if (set == BPI_FALSE || !bpi_engine_tick(e)) return pair;
  const bpi_bdd image = image_of(h, move, set);
  const bpi_bdd seen = bpi_bdd_literal(e->m, bpi_heads_seen(h, move->to), true);
  pair.no = bpi_bdd_diff(e->m, image, seen);
  if (move->accepts) pair.yes = unseen(h, move->to, bpi_bdd_and(e->m, image, seen));
  bpi_bdd_drop(e->m, seen);
  bpi_bdd_drop(e->m, image);
  return pair;
}

bpi_bdd bpi_heads_back(bpi_heads *h, const bpi_move *move, bpi_bdd set, bool accepting)
{
  bpi_engine *e = h->e;
  if (set == BPI_FALSE || (accepting && !move->accepts) || !bpi_engine_tick(e)) return BPI_FALSE;
  bpi_bdd after = bpi_bdd_keep(e->m, set), before = BPI_FALSE;
  if (move->accepts) {
    after = forget(h, move->to, after);
    if (accepting) bpi_conjoin(e, &after, bpi_bdd_literal(e->m, bpi_heads_seen(h, move->to), true));
  }
  const bpi_call *call = move->kind == BPI_MOVE_EDGE ? NULL : bpi_call_of(e, move->from);
  if (move->kind == BPI_MOVE_EDGE)
    before = bpi_before_edge(e, move->from, move->succ, after);
  else if (move->kind == BPI_MOVE_OVER)
    before = bpi_mover_back_return(&h->mover, move->from, lift_of(h, move->from), after);
  else if (call)
    before = bpi_before_enter(e, call, e->cfg->vertices.at[move->to].proc, after);
  bpi_bdd_drop(e->m, after);
  bpi_conjoin(e, &before, bpi_bdd_literal(e->m, bpi_heads_seen(h, move->from), false));
  return before;
}

/* ---- the heads ----------------------------------------------------------- */

/* What the exploration knows at a vertex. */
static bpi_bdd known_at(bpi_heads *h, uint32_t vertex)
{
  bpi_engine *e = h->e;
  const uint32_t proc = e->cfg->vertices.at[vertex].proc;
  const bpi_bdd edges = bpi_path_edges(e, vertex);
  if (edges == BPI_FALSE) return BPI_FALSE;
  bpi_bdd set = bpi_bdd_keep(e->m, edges);
  bpi_quantify(e, &set, bpi_place_set(e, bpi_proc_set(&e->a, e->a.entry_copy, proc), BPI_ENTRY));
  return unseen(h, vertex, set);
}

/* The exploration keeps path edges at nodes only, and not even there inside a loop that it has closed.
 * From what it keeps the rest follows, along edges and over calls. A set that is stopped half-way arrives
 * again later; what of it is there already is no news then. */
static bool arrive(bpi_heads *h, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = h->e;
  bpi_filling *f = &h->filling;
  const bpi_bdd fresh = bpi_bdd_diff(e->m, set, h->at[vertex]);
  bpi_bdd_drop(e->m, set);
  if (bpi_going(e) && fresh != BPI_FALSE) {
    if (f->waits[vertex] == BPI_FALSE && !bpi_vec_push(&f->todo, vertex))
      e->stop = BP_REASON_MEMORY;
    else if (bpi_heads_add(e, &f->waits[vertex], bpi_bdd_keep(e->m, fresh)))
      bpi_heads_add(e, &h->at[vertex], bpi_bdd_keep(e->m, fresh));
  }
  bpi_bdd_drop(e->m, fresh);
  return bpi_going(e);
}

/* All rounds of a loop that was closed join the set at work. */
static bool close_round(bpi_heads *h)
{
  bpi_engine *e = h->e;
  bpi_filling *f = &h->filling;
  const uint32_t vertex = f->vertex, proc = e->cfg->vertices.at[vertex].proc;
  const bpi_body *body = e->procs[proc].body;
  const uint32_t node = bpi_node_of(e, vertex);
  if (node == BP_NONE || body->nodes[node].closure == BP_NONE) return true;
  if (!bpi_engine_tick(e)) return false;
  const bpi_edge *closure = &body->extra.at[body->nodes[node].closure];
  const bpi_bdd all = unseen(h, vertex, bpi_image(e, closure, f->set));
  const bpi_bdd fresh = bpi_bdd_diff(e->m, all, h->at[vertex]);
  bpi_bdd_drop(e->m, all);
  if (bpi_heads_add(e, &f->set, bpi_bdd_keep(e->m, fresh)))
    bpi_heads_add(e, &h->at[vertex], bpi_bdd_keep(e->m, fresh));
  bpi_bdd_drop(e->m, fresh);
  return bpi_going(e);
}

static void take_set(bpi_heads *h)
{
  bpi_filling *f = &h->filling;
  f->vertex = f->todo.at[--f->todo.count];
  f->set = f->waits[f->vertex];
  f->waits[f->vertex] = BPI_FALSE;
  f->next = h->first[f->vertex];
  f->closed = false;
}

/* Moves the set at work along all moves. */
static bool move_on(bpi_heads *h)
{
  bpi_filling *f = &h->filling;
  if (!f->closed && !close_round(h)) return false;
  f->closed = true;
  for (; f->next < h->first[f->vertex + 1]; f->next++) {
    const bpi_move *move = &h->moves.at[f->next];
    if (move->kind == BPI_MOVE_INTO) continue; /* entries are known */
    if (!arrive(h, move->to, bpi_pair_all(h->e, bpi_heads_move(h, move, f->set)))) return false;
  }
  bpi_bdd_drop(h->e->m, f->set);
  f->set = BPI_FALSE;
  return true;
}

/* Whether the vertex has heads. */
static bool is_place(const bpi_heads *h, uint32_t vertex)
{
  return h->e->a.explore[vertex] && h->product->role[vertex] != BPI_ROLE_EXIT;
}

static bool fill(bpi_heads *h)
{
  bpi_engine *e = h->e;
  bpi_filling *f = &h->filling;
  for (; f->seeded < e->cfg->vertices.count; f->seeded++) {
    const uint32_t v = f->seeded;
    if (is_place(h, v) && !arrive(h, v, known_at(h, v))) return false;
  }
  while (f->set != BPI_FALSE || f->todo.count) {
    if (f->set == BPI_FALSE) take_set(h);
    if (!move_on(h)) return false;
  }
  return true;
}

/* ---- the graph ----------------------------------------------------------- */

static void add_move(bpi_heads *h, uint32_t from, uint32_t to, uint32_t succ, bpi_move_kind kind)
{
  const uint8_t role = h->product->role[from];
  const bool accepts =
      kind == BPI_MOVE_EDGE && (role == BPI_ROLE_AUTOMATON || role == BPI_ROLE_RETURNED ||
                                role == BPI_ROLE_ENDED || role == BPI_ROLE_FAILED);
  if (!is_place(h, to)) return;
  if (!bpi_vec_push(&h->moves, (bpi_move){from, to, succ, (uint8_t)kind, accepts}))
    h->e->stop = BP_REASON_MEMORY;
}

static void add_moves(bpi_heads *h, uint32_t vertex)
{
  bpi_engine *e = h->e;
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  const uint32_t *succs = e->cfg->succs.at + bpi_succs(v).first;
  if (v->kind != BPI_VERTEX_CALL) {
    for (uint32_t i = 0; i < bpi_succs(v).count; i++)
      add_move(h, vertex, succs[i], i, BPI_MOVE_EDGE);
    return;
  }
  const uint32_t callee = bpi_stmt_callee(e->p, v->stmt);
  if (e->procs[callee].summary != BPI_FALSE) add_move(h, vertex, succs[0], 0, BPI_MOVE_OVER);
  add_move(h, vertex, e->cfg->procs.at[callee].entry, 0, BPI_MOVE_INTO);
}

static bool link_moves(bpi_heads *h)
{
  const uint32_t n = h->e->cfg->vertices.count;
  h->moves.count = 0;
  for (uint32_t v = 0; v < n && bpi_going(h->e); v++) {
    h->first[v] = h->moves.count;
    if (h->e->a.explore[v]) add_moves(h, v);
  }
  if (!bpi_vec_reserve(&h->back, h->moves.count + 1)) h->e->stop = BP_REASON_MEMORY;
  if (!bpi_going(h->e)) return false;
  h->first[n] = h->back.count = h->moves.count;
  for (uint32_t i = 0; i < h->moves.count; i++)
    h->first_back[h->moves.at[i].to + 2]++;
  for (uint32_t v = 0; v < n; v++)
    h->first_back[v + 1] += h->first_back[v];
  for (uint32_t i = 0; i < h->moves.count; i++)
    h->back.at[h->first_back[h->moves.at[i].to + 1]++] = i;
  return true;
}

static bool allocate(bpi_heads *h, bpi_engine *e, const bpi_product *product)
{
  const uint32_t n = e->cfg->vertices.count;
  *h = (bpi_heads){.e = bpi_engine_ref(e), .product = product, .mover = {.f = e}};
  h->at = bpi_zalloc(n, sizeof *h->at);
  h->lift = bpi_zalloc(n, sizeof *h->lift);
  h->first = bpi_zalloc((size_t)n + 1, sizeof *h->first);
  h->first_back = bpi_zalloc((size_t)n + 2, sizeof *h->first_back);
  h->filling.waits = bpi_zalloc(n, sizeof *h->filling.waits);
  h->mover.changed = bpi_zalloc(e->a.words, sizeof *h->mover.changed);
  if (h->at && h->lift && h->first && h->first_back && h->filling.waits && h->mover.changed)
    return true;
  bpi_heads_clear(h);
  e->stop = BP_REASON_MEMORY;
  return false;
}

/* ---- all heads ----------------------------------------------------------- */

/* Keeps what is reached, and begins anew: summaries, and so moves over calls, become more. */
static bool widen(bpi_heads *h)
{
  bpi_heads wide = {0};
  if (!allocate(&wide, h->e, h->product)) return false;
  wide.reached = h->at;
  h->at = NULL;
  bpi_heads_clear(h);
  *h = wide;
  return true;
}

/* Summaries for every state at the entry. What else a procedure does follows from its heads. */
static bool open_procedures(bpi_heads *h)
{
  bpi_engine *e = h->e;
  bpi_filling *f = &h->filling;
  for (; f->opened < e->cfg->procs.count; f->opened++) {
    if (!e->a.summary[f->opened] || !e->a.explore[e->cfg->procs.at[f->opened].entry]) continue;
    bpi_add_contexts(e, f->opened, BPI_TRUE);
    if (!bpi_going(e)) return false;
  }
  return bpi_engine_work(e, BP_NONE, false);
}

static bool take_all(bpi_heads *h)
{
  bpi_filling *f = &h->filling;
  for (; f->seeded < h->e->cfg->vertices.count; f->seeded++) {
    const bpi_bdd all = is_place(h, f->seeded) ? unseen(h, f->seeded, BPI_TRUE) : BPI_FALSE;
    if (!bpi_heads_add(h->e, &h->at[f->seeded], all)) return false;
  }
  return true;
}

bool bpi_heads_make(bpi_heads *h, bpi_engine *e, const bpi_product *product, bool all)
{
  bpi_filling *f = &h->filling;
  if (!bpi_going(e) || (!h->e && !allocate(h, e, product))) return false;
  if (!h->reached) {
    if (!f->linked) f->linked = link_moves(h);
    if (!f->linked || !fill(h)) return false;
    if (!all) return true;
    if (!widen(h)) return false;
  }
  if (!open_procedures(h)) return false;
  if (!f->linked) f->linked = link_moves(h);
  return f->linked && take_all(h);
}

void bpi_heads_clear(bpi_heads *h)
{
  if (!h->e) return;
  for (uint32_t v = 0; v < h->e->cfg->vertices.count; v++) {
    if (h->at) bpi_bdd_drop(h->e->m, h->at[v]);
    if (h->reached) bpi_bdd_drop(h->e->m, h->reached[v]);
    if (h->lift) bpi_bdd_drop(h->e->m, h->lift[v]);
    if (h->filling.waits) bpi_bdd_drop(h->e->m, h->filling.waits[v]);
  }
  bpi_bdd_drop(h->e->m, h->filling.set);
  bpi_release(h->filling.waits);
  bpi_vec_free(&h->filling.todo);
  bpi_release(h->at);
  bpi_release(h->reached);
  bpi_release(h->lift);
  bpi_release(h->first);
  bpi_release(h->first_back);
  bpi_vec_free(&h->moves);
  bpi_vec_free(&h->back);
  bpi_release(h->mover.changed);
  bpi_engine_unref(h->e);
  *h = (bpi_heads){0};
}
