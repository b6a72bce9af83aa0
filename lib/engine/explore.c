/* SPDX-License-Identifier: MIT
 * The fixpoint: sets of path edges move along edges until nothing new arrives anywhere.
 *
 * A step of the work is one item, a set at a node, and has parts: the stages of a call, the hops that
 * lead on. A part is done entirely or, when something stops it, done anew in the next run; the parts
 * before it are not. So work that stops and goes on is the same as work that does not stop. */
#include "engine/loops.h"
#include "engine/stage.h"

/* Images from one look at the limits to the next, as far as no node limit is set. */
enum { STRIDE = 64 };

/* ---- stopping ------------------------------------------------------------ */

static bp_reason expiry(const bpi_engine *e)
{
  return e->watch->cancelled ? BP_REASON_CANCELLED : BP_REASON_TIME;
}

bp_reason bpi_engine_reason(const bpi_engine *e)
{
  if (e->stop != BP_REASON_NONE) return e->stop;
  switch (bpi_bdd_status(e->m)) {
  case BPI_BDD_OK: return BP_REASON_NONE;
  case BPI_BDD_NODES: return BP_REASON_NODES;
  case BPI_BDD_STOPPED: return expiry(e);
  default: return BP_REASON_MEMORY;
  }
}

static void report_progress(bpi_engine *e)
{
  if (!e->progress) return;
  const uint64_t now = bpi_now_ns();
  if (now - e->progress_ns < 20000000u) return;
  e->progress_ns = now;
  if (e->progress(e->steps, bpi_bdd_peak(e->m), e->progress_user) == BP_STOP)
    e->stop = BP_REASON_CANCELLED;
}

bool bpi_engine_glance(bpi_engine *e)
{
  if (bpi_going(e) && bpi_watch_expired(e->watch)) e->stop = expiry(e);
  return bpi_going(e);
}

bool bpi_engine_look(bpi_engine *e)
{
  e->watch->countdown = 0;
  if (bpi_watch_expired(e->watch)) {
    e->stop = expiry(e);
    return false;
  }
  if (e->steps >= e->step_limit) {
    e->stop = BP_REASON_STEPS;
    return false;
  }
  e->steps++;
  report_progress(e);
  e->next_look = e->steps + (bpi_bdd_limited(e->m) ? 0 : STRIDE);
  if (e->next_look > e->step_limit) e->next_look = e->step_limit;
  return bpi_bdd_within_limit(e->m);
}

/* The callee of the call at a node. */
static uint32_t callee_at(const bpi_engine *e, const bpi_instance *in, uint32_t node)
{
  return bpi_stmt_callee(e->p, e->cfg->vertices.at[bpi_node_vertex(e, in, node)].stmt);
}

/* ---- moving sets --------------------------------------------------------- */

/* The set that goes along hop `at` of the node. */
static bpi_bdd before_hop(const bpi_engine *e, const bpi_hop *hop)
{
  return hop->from == BP_NONE ? e->item.root : e->passed.at[hop->from];
}

static void drop_before_hop(bpi_engine *e, const bpi_hop *hop)
{
  bpi_bdd *set = hop->from == BP_NONE ? &e->item.root : &e->passed.at[hop->from];
  bpi_bdd_drop(e->m, *set);
  *set = BPI_FALSE;
}

/* Whether the work at hand may be left as it is: nothing is looked for any more. */
static bool enough(const bpi_engine *e)
{
  return e->early && !e->groups_left;
}

static inline const bpi_edge *edge_of_hop(bpi_engine *e, const bpi_body *body, uint32_t first,
                                          const bpi_hop *hop)
{
  if (hop->succ == BP_NONE) return &body->extra.at[hop->vertex];
  const bpi_edge *edge = &body->edges[hop->edge];
  return edge->made ? edge : bpi_edge_of(e, first + hop->vertex, hop->succ);
}

/* Passes item.root on, from hop number e->passed.count. */
static void move_on(bpi_engine *e, bpi_instance *in, const bpi_node *node)
{
  const bpi_body *body = in->body;
  const uint32_t first = e->cfg->procs.at[in->proc].vertices.first;
  if (!bpi_vec_reserve(&e->passed, node->count)) e->stop = BP_REASON_MEMORY;
  for (; e->passed.count < node->count && bpi_going(e) && !enough(e); e->passed.count++) {
    const bpi_hop *hop = &body->hops[node->first + e->passed.count];
    const bpi_bdd set = before_hop(e, hop);
    bpi_bdd image = BPI_FALSE;
    if (set != BPI_FALSE) {
      const bpi_edge *edge = bpi_engine_tick(e) ? edge_of_hop(e, body, first, hop) : NULL;
      if (!edge) return;
      image = bpi_image(e, edge, set);
      if (bpi_going(e) && hop->node != BP_NONE) {
        bpi_add_path_edges(e, in, hop->node, image);
        image = BPI_FALSE;
      }
      if (!bpi_going(e)) {
        bpi_bdd_drop(e->m, image);
        return;
      }
    }
    if (hop->last) drop_before_hop(e, hop);
    e->passed.at[e->passed.count] = image;
  }
}

static void enter_callee(bpi_engine *e, bpi_call *call, uint32_t vertex, uint32_t callee)
{
  const bpi_bdd contexts =
      e->singles ? bpi_enter_singles(e, call, vertex) : bpi_enter(e, call, e->item.set);
  if (bpi_going(e) && contexts != BPI_FALSE) bpi_add_contexts(e, callee, contexts);
  if (e->item.from && bpi_going(e)) {
    bpi_bdd_drop(e->m, e->item.contexts);
    e->item.contexts = bpi_bdd_keep(e->m, contexts);
  }
  bpi_bdd_drop(e->m, contexts);
}

/* Through the call: the item's set by the summary as it was, all path edges by what it has gained. */
static void return_from(bpi_engine *e, const bpi_call *call, const bpi_instance *callee,
                        bpi_fact *fact, bpi_lifted *lifted)
{
  bpi_bdd lift = bpi_bdd_keep(e->m, lifted->lift), root = bpi_bdd_keep(e->m, lifted->back);
  if (lifted->summary != callee->summary) {
    bpi_bdd_drop(e->m, lift);
    lift = bpi_lift(e, call, callee->summary);
    const bpi_bdd more = bpi_bdd_diff(e->m, lift, lifted->lift);
    bpi_join(e, &root, bpi_return(e, call, fact->path_edges, more));
    bpi_bdd_drop(e->m, more);
  }
  bpi_join(e, &root, bpi_return(e, call, e->item.set, lifted->lift));
  if (!bpi_going(e)) {
    bpi_bdd_drop(e->m, lift);
    bpi_bdd_drop(e->m, root);
    return;
  }
  const bpi_bdd summary = bpi_bdd_keep(e->m, callee->summary);
  bpi_bdd_drop(e->m, lifted->lift);
  bpi_bdd_drop(e->m, lifted->summary);
  bpi_bdd_drop(e->m, lifted->back);
  *lifted = (bpi_lifted){lift, summary, BPI_FALSE};
  bpi_bdd_drop(e->m, e->item.root);
  e->item.root = root;
}

/* The parts of a call: into the callee; back from it; on. */
static void move_call(bpi_engine *e, bpi_instance *in, const bpi_node *node)
{
  const uint32_t vertex = bpi_node_vertex(e, in, e->item.node),
                 callee = callee_at(e, in, e->item.node);
  bpi_call *call = bpi_call_of(e, vertex);
  if (!call) return;
  if (e->item.part == 0) {
    if (e->item.set != BPI_FALSE && e->a.explore[e->cfg->procs.at[callee].entry] &&
        bpi_engine_tick(e))
      enter_callee(e, call, vertex, callee);
    if (!bpi_going(e)) return;
    e->item.part = 1;
    if (enough(e)) return;
  }
  if (e->item.part == 1) {
    bpi_lifted *lifted = &bpi_lifts(in)[node->call];
    const bool passes = e->item.set != BPI_FALSE && lifted->lift != BPI_FALSE;
    const bool gained = lifted->summary != e->procs[callee].summary || lifted->back != BPI_FALSE;
    if (node->count && (passes || gained) && bpi_engine_tick(e))
      return_from(e, call, &e->procs[callee], &in->facts[e->item.node], lifted);
    if (!bpi_going(e)) return;
    e->item.part = 2;
  }
  move_on(e, in, node);
}

/* All rounds of a closed loop at once, then out of it. */
static void move_loop(bpi_engine *e, bpi_instance *in, const bpi_node *node)
{
  bpi_fact *fact = &in->facts[e->item.node];
  if (e->item.part == 0) {
    if (!bpi_engine_tick(e)) return;
    const bpi_edge *closure = &in->body->extra.at[node->closure];
    const bpi_bdd all = bpi_image(e, closure, e->item.set);
    const bpi_bdd fresh = bpi_bdd_diff(e->m, all, fact->path_edges);
    const bpi_bdd known = bpi_bdd_or(e->m, fact->path_edges, fresh);
    const bpi_bdd root = bpi_bdd_or(e->m, e->item.set, fresh);
    if (node->goal) bpi_hit_goals(e, bpi_node_vertex(e, in, e->item.node), fresh);
    bpi_bdd_drop(e->m, all);
    bpi_bdd_drop(e->m, fresh);
    if (!bpi_going(e)) {
      bpi_bdd_drop(e->m, known);
      bpi_bdd_drop(e->m, root);
      return;
    }
    bpi_bdd_drop(e->m, fact->path_edges);
    fact->path_edges = known;
    bpi_bdd_drop(e->m, e->item.root);
    e->item.root = root;
    e->item.part = 1;
  }
  move_on(e, in, node);
}

/* Remembers when a recursive procedure's summary gained what. False when stopped. */
static bool note_gain(bpi_engine *e, bpi_instance *in, bpi_bdd more)
{
  if (!e->cfg->procs.at[in->proc].recursive) return true;
  if (!in->gains) in->gains = bpi_zalloc(1, sizeof *in->gains);
  const bpi_gain gain = {++e->stamp, bpi_bdd_diff(e->m, more, in->summary)};
  if (in->gains && bpi_going(e) && bpi_vec_push(&in->gains->list, gain)) return true;
  bpi_bdd_drop(e->m, gain.pairs);
  if (bpi_going(e)) e->stop = BP_REASON_MEMORY;
  return false;
}

/* In all instances of a caller, the calls that something has come to look at the summary again. */
static void wake_callers(bpi_engine *e, uint32_t proc)
{
  const bpi_slice calls = e->cfg->procs.at[proc].calls;
  for (uint32_t i = 0; i < calls.count; i++) {
    const uint32_t vertex = e->cfg->calls.at[calls.first + i];
    const uint32_t caller = e->cfg->vertices.at[vertex].proc;
    const uint32_t node = e->procs[caller].body ? bpi_node_of(e, vertex) : BP_NONE;
    if (node == BP_NONE) continue;
    bpi_instance *in = &e->procs[caller];
    if (in->facts && in->facts[node].path_edges != BPI_FALSE) bpi_queue_node(e, in, node);
    for (bpi_single *s = e->singles ? e->singles[caller] : NULL; s; s = s->next)
      if (s->in.facts[node].path_edges != BPI_FALSE) bpi_queue_node(e, &s->in, node);
  }
}

/* New path edges at an exit: the summary grows, the callers have to look again. */
static void move_exit(bpi_engine *e, bpi_instance *in, bpi_bdd set)
{
  if (!e->a.summary[in->proc] || !bpi_engine_tick(e)) return;
  const bpi_linkage *linkage = bpi_linkage_of(e, in->proc);
  if (!linkage) return;
  const bpi_bdd more = bpi_bdd_rename(e->m, set, linkage->to_summary);
  const bpi_bdd all = bpi_bdd_or(e->m, in->summary, more);
  if (in->single && bpi_going(e)) bpi_tell_users(e, (bpi_single *)in, more);
  const bool noted = bpi_going(e) && (in->single || note_gain(e, in, more));
  bpi_bdd_drop(e->m, more);
  if (!noted) {
    bpi_bdd_drop(e->m, all);
    return;
  }
  bpi_bdd_drop(e->m, in->summary);
  in->summary = all;
  if (!in->single) wake_callers(e, in->proc);
}

static bool is_exit(const bpi_engine *e, const bpi_instance *in, uint32_t node)
{
  return !in->body->nodes[node].count &&
         e->cfg->procs.at[in->proc].exit == bpi_node_vertex(e, in, node);
}

static void move(bpi_engine *e)
{
  bpi_instance *in = e->item.in;
  const bpi_node *node = &in->body->nodes[e->item.node];
  if (node->call != BP_NONE)
    move_call(e, in, node);
  else if (node->closure != BP_NONE)
    move_loop(e, in, node);
  else if (is_exit(e, in, e->item.node))
    move_exit(e, in, e->item.set);
  else
    move_on(e, in, node);
}

/* ---- the loop ------------------------------------------------------------ */

/* What a node of a twin is told that goes on there. */
static bpi_bdd told_at(const bpi_engine *e, const bpi_instance *in, uint32_t node)
{
  const bool call = in->body->nodes[node].call != BP_NONE;
  return call ? e->procs[callee_at(e, in, node)].summary : BPI_FALSE;
}

/* An item whose outcome is known from a twin. False: it is not, or the work is stopped. */
static bool follow(bpi_engine *e, bpi_instance *in, uint32_t node)
{
  bpi_turn *turn = bpi_stage_turn(in, node, told_at(e, in, node));
  if (!turn || !bpi_engine_tick(e)) return false;
  if (turn->contexts != BPI_FALSE) bpi_add_contexts(e, callee_at(e, in, node), turn->contexts);
  if (!bpi_going(e)) return false;
  bpi_stage_take(e, in, turn);
  if (is_exit(e, in, node) && e->a.summary[in->proc]) wake_callers(e, in->proc);
  return true;
}

/* What waits at a node becomes the item at hand. */
static void begin_item(bpi_engine *e, bpi_instance *in, uint32_t node)
{
  bpi_stage *from = in->stage;
  bpi_loop_visit(e, in, node);
  if (!bpi_stage_leave(e, in)) return;
  bpi_fact *fact = &in->facts[node];
  const bpi_bdd waits = fact->delta;
  const bool all = (e->off & BP_ENGINE_DELTA) && waits != BPI_FALSE;
  fact->delta = BPI_FALSE;
  e->item = (bpi_item){.in = in,
                       .node = node,
                       .set = bpi_bdd_keep(e->m, all ? fact->path_edges : waits),
                       .from = from};
  if (in->body->nodes[node].call == BP_NONE) e->item.root = bpi_bdd_keep(e->m, e->item.set);
  e->passed.count = 0;
  bpi_bdd_drop(e->m, waits);
}

/* Twins need not do the item at hand again. */
static void note_item(bpi_engine *e)
{
  const bpi_turn turn = {.node = e->item.node,
                         .told = told_at(e, e->item.in, e->item.node),
                         .contexts = e->item.contexts};
  bpi_stage_note(e, e->item.in, e->item.from, turn);
  bpi_bdd_drop(e->m, e->item.contexts);
}

/* Finishes the item at hand. False when stopped, or when there is enough before it is done. */
static bool finish_item(bpi_engine *e)
{
  if (!e->item.in) return true;
  move(e);
  if (!bpi_going(e) || enough(e)) return false;
  if (e->item.from) note_item(e);
  bpi_bdd_drop(e->m, e->item.set);
  bpi_bdd_drop(e->m, e->item.root);
  for (uint32_t i = 0; i < e->passed.count; i++)
    bpi_bdd_drop(e->m, e->passed.at[i]);
  e->item = (bpi_item){.in = NULL};
  e->passed.count = 0;
  return true;
}

bool bpi_engine_resume(bpi_engine *e)
{
  e->stop = BP_REASON_NONE;
  e->next_look = 0;
  if (!bpi_bdd_ok(e->m) && !bpi_bdd_recover(e->m)) return false;
  return true;
}

bool bpi_engine_work(bpi_engine *e, uint32_t last_rank, bool to_goals)
{
  uint32_t node;
  e->early = to_goals && !(e->off & BP_ENGINE_EARLY);
  if (!bpi_going(e)) return false;
  while (!enough(e) && finish_item(e)) {
    bpi_instance *in = bpi_queue_take(e, last_rank, &node);
    if (!in) return true;
    if (in->stage && follow(e, in, node)) continue;
    if (bpi_going(e)) begin_item(e, in, node);
    if (e->item.in) continue;
    bpi_queue_node(e, in, node); /* stopped before it began */
    return false;
  }
  return bpi_going(e);
}
