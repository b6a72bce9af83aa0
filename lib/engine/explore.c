/* SPDX-License-Identifier: MIT
 * The fixpoint: sets of path edges move along edges until nothing new arrives anywhere.
 *
 * A step of the work is one item, a set at a node, and has parts: the stages of a call, the hops that
 * lead on. A part is done entirely or, when something stops it, done anew in the next run; the parts
 * before it are not. So work that stops and goes on is the same as work that does not stop. */
#include "engine/loops.h"

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

/* ---- adding facts -------------------------------------------------------- */

/* Room for what is known of a procedure, in one block. */
bool bpi_make_facts(bpi_engine *e, bpi_instance *p)
{
  const bpi_body *b = p->body;
  const size_t facts = b->node_count * sizeof *p->facts, words = b->words * sizeof(uint64_t);
  const size_t lifts = b->call_count * sizeof(bpi_lifted);
  char *block = bpi_zalloc(facts + words + lifts, 1);
  if (!block) {
    e->stop = BP_REASON_MEMORY;
    return false;
  }
  p->facts = (bpi_fact *)(void *)(block + words);
  return true;
}

static uint32_t vertex_of(const bpi_engine *e, const bpi_instance *in, uint32_t node)
{
  return e->cfg->procs.at[in->proc].vertices.first + in->body->nodes[node].vertex;
}

uint32_t bpi_node_of(const bpi_engine *e, uint32_t vertex)
{
  const uint32_t proc = e->cfg->vertices.at[vertex].proc;
  return e->procs[proc].body->spots[vertex - e->cfg->procs.at[proc].vertices.first].node;
}

bpi_bdd bpi_path_edges(const bpi_engine *e, uint32_t vertex)
{
  const uint32_t proc = e->cfg->vertices.at[vertex].proc;
  const bpi_instance *in = &e->procs[proc];
  const uint32_t node = in->body ? bpi_node_of(e, vertex) : BP_NONE;
  if (node == BP_NONE) return BPI_FALSE;
  if (in->facts && in->facts[node].path_edges != BPI_FALSE) return in->facts[node].path_edges;
  for (const bpi_single *s = e->singles ? e->singles[proc] : NULL; s; s = s->next)
    if (s->in.facts[node].path_edges != BPI_FALSE) return s->in.facts[node].path_edges;
  return BPI_FALSE;
}

static void hit_goals(bpi_engine *e, uint32_t vertex, bpi_bdd fresh)
{
  for (uint32_t i = bpi_goal_at(&e->a, vertex); i < e->goal_count; i++) {
    const uint32_t g = e->a.goals_sorted[i], group = e->goals[g].group;
    if (e->goals[g].vertex != vertex) break;
    if (e->group_hit[group] != BP_NONE) continue;
    const bpi_bdd both = bpi_bdd_and(e->m, fresh, e->goal_set[g]);
    if (bpi_going(e) && both != BPI_FALSE) {
      e->group_hit[group] = vertex;
      e->groups_left--;
    }
    bpi_bdd_drop(e->m, both);
  }
}

void bpi_add_path_edges(bpi_engine *e, bpi_instance *in, uint32_t node, bpi_bdd set)
{
  bpi_fact *fact = &in->facts[node];
  if (set == BPI_FALSE || set == fact->path_edges) {
    bpi_bdd_drop(e->m, set);
    return;
  }
  if (fact->path_edges == BPI_FALSE && bpi_going(e) && !in->body->nodes[node].goal) {
    *fact = (bpi_fact){set, bpi_bdd_keep(e->m, set)};
    bpi_queue_node(e, in, node);
    return;
  }
  const bpi_bdd fresh = bpi_bdd_diff(e->m, set, fact->path_edges);
  if (bpi_going(e) && fresh != BPI_FALSE) {
    const bpi_bdd all = bpi_bdd_or(e->m, fact->path_edges, fresh);
    const bpi_bdd waits = bpi_bdd_or(e->m, fact->delta, fresh);
    if (in->body->nodes[node].goal) hit_goals(e, vertex_of(e, in, node), fresh);
    if (bpi_going(e)) {
      bpi_bdd_drop(e->m, fact->path_edges);
      bpi_bdd_drop(e->m, fact->delta);
      *fact = (bpi_fact){all, waits};
      bpi_queue_node(e, in, node);
    } else {
      bpi_bdd_drop(e->m, all);
      bpi_bdd_drop(e->m, waits);
    }
  }
  bpi_bdd_drop(e->m, fresh);
  bpi_bdd_drop(e->m, set);
}

/* Adds `set` (given away) to the path edges of the entry. */
static void add_entries(bpi_engine *e, uint32_t proc, bpi_bdd set)
{
  bpi_instance *in = &e->procs[proc];
  if (bpi_going(e) && (in->facts || bpi_make_facts(e, in)))
    bpi_add_path_edges(e, in, bpi_node_of(e, e->cfg->procs.at[proc].entry), set);
  else
    bpi_bdd_drop(e->m, set);
}

void bpi_add_contexts(bpi_engine *e, uint32_t proc, bpi_bdd contexts)
{
  bpi_instance *callee = &e->procs[proc];
  const bpi_bdd fresh = bpi_bdd_diff(e->m, contexts, callee->entries);
  const bpi_linkage *linkage = bpi_going(e) && fresh != BPI_FALSE ? bpi_linkage_of(e, proc) : NULL;
  if (linkage) {
    const bpi_bdd all = bpi_bdd_or(e->m, callee->entries, fresh);
    add_entries(e, proc, bpi_bdd_and(e->m, fresh, linkage->identity));
    /* Known only when its path edges wait: a stop in between must not lose it. */
    if (bpi_going(e)) {
      bpi_bdd_drop(e->m, callee->entries);
      callee->entries = all;
    } else {
      bpi_bdd_drop(e->m, all);
    }
  }
  bpi_bdd_drop(e->m, fresh);
}

const bpi_gains *bpi_gains_of(const bpi_engine *e, uint32_t proc)
{
  static const bpi_gains none = {{0}};
  return e->procs[proc].gains ? e->procs[proc].gains : &none;
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

static void enter_callee(bpi_engine *e, bpi_call *call, uint32_t callee)
{
  const bpi_bdd contexts =
      e->singles ? bpi_enter_singles(e, call, callee) : bpi_enter(e, call, e->item.set);
  if (bpi_going(e) && contexts != BPI_FALSE) bpi_add_contexts(e, callee, contexts);
  bpi_bdd_drop(e->m, contexts);
}

/* Through the call: the item's set by the summary as it was, all path edges by what it has gained. */
static void return_from(bpi_engine *e, const bpi_call *call, const bpi_instance *callee,
                        bpi_fact *fact, bpi_lifted *lifted)
{
  bpi_bdd lift = bpi_bdd_keep(e->m, lifted->lift), root = bpi_bdd_keep(e->m, lifted->back);
  if (lifted->version != callee->version) {
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
  bpi_bdd_drop(e->m, lifted->lift);
  bpi_bdd_drop(e->m, lifted->back);
  *lifted = (bpi_lifted){lift, callee->version, BPI_FALSE};
  bpi_bdd_drop(e->m, e->item.root);
  e->item.root = root;
}

/* The parts of a call: into the callee; back from it; on. */
static void move_call(bpi_engine *e, bpi_instance *in, const bpi_node *node)
{
  const uint32_t vertex = vertex_of(e, in, e->item.node);
  const uint32_t callee = bpi_stmt_callee(e->p, e->cfg->vertices.at[vertex].stmt);
  bpi_call *call = bpi_call_of(e, vertex);
  if (!call) return;
  if (e->item.part == 0) {
    if (e->item.set != BPI_FALSE && e->a.explore[e->cfg->procs.at[callee].entry] &&
        bpi_engine_tick(e))
      enter_callee(e, call, callee);
    if (!bpi_going(e)) return;
    e->item.part = 1;
    if (enough(e)) return;
  }
  if (e->item.part == 1) {
    bpi_lifted *lifted = &bpi_lifts(in)[node->call];
    const bool passes = e->item.set != BPI_FALSE && lifted->lift != BPI_FALSE;
    const bool gained = lifted->version != e->procs[callee].version || lifted->back != BPI_FALSE;
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
    if (node->goal) hit_goals(e, vertex_of(e, in, e->item.node), fresh);
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
  in->version++;
  if (!in->single) wake_callers(e, in->proc);
}

static void move(bpi_engine *e)
{
  bpi_instance *in = e->item.in;
  const bpi_node *node = &in->body->nodes[e->item.node];
  if (node->call != BP_NONE)
    move_call(e, in, node);
  else if (node->closure != BP_NONE)
    move_loop(e, in, node);
  else if (!node->count && e->cfg->procs.at[in->proc].exit == vertex_of(e, in, e->item.node))
    move_exit(e, in, e->item.set);
  else
    move_on(e, in, node);
}

/* ---- the loop ------------------------------------------------------------ */

/* What waits at a node becomes the item at hand. */
static void begin_item(bpi_engine *e, bpi_instance *in, uint32_t node)
{
  bpi_loop_visit(e, in, node);
  bpi_fact *fact = &in->facts[node];
  const bpi_bdd waits = fact->delta;
  const bool all = (e->off & BP_ENGINE_DELTA) && waits != BPI_FALSE;
  fact->delta = BPI_FALSE;
  e->item = (bpi_item){in, node, 0, bpi_bdd_keep(e->m, all ? fact->path_edges : waits), BPI_FALSE};
  if (in->body->nodes[node].call == BP_NONE) e->item.root = bpi_bdd_keep(e->m, e->item.set);
  e->passed.count = 0;
  bpi_bdd_drop(e->m, waits);
}

/* Finishes the item at hand. False when stopped, or when there is enough before it is done. */
static bool finish_item(bpi_engine *e)
{
  if (!e->item.in) return true;
  move(e);
  if (!bpi_going(e) || enough(e)) return false;
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
    begin_item(e, in, node);
  }
  return bpi_going(e);
}

/* ---- the start ----------------------------------------------------------- */

/* The values that the initialisers give to globals, and that `init` allows. */
bpi_bdd bpi_start_states(bpi_engine *e, const bpi_instr *init, uint32_t count)
{
  bpi_bdd set = BPI_TRUE, can_hold, can_fail;
  if (count) {
    bpi_encode(e, init, count, BPI_READ_CURRENT, NULL, &set, &can_fail);
    bpi_bdd_drop(e->m, can_fail);
  }
  for (uint32_t g = 0; g < e->p->globals.count; g++) {
    const uint32_t var = e->p->globals.at[g];
    const uint32_t expr = e->p->vars.at[var].init;
    if (expr == BP_NONE || !e->a.var_matters[var]) continue;
    const bpi_expr x = bpi_expr_at(e->p, expr);
    bpi_encode(e, e->p->code.at + x.first, x.count, BPI_READ_CURRENT, NULL, &can_hold, &can_fail);
    const bpi_bdd literal =
        bpi_bdd_literal(e->m, bpi_bdd_var(bpi_slot_of(e, var), BPI_CURRENT), true);
    const bpi_bdd value = bpi_bdd_ite(e->m, literal, can_hold, can_fail);
    const bpi_bdd both = bpi_bdd_and(e->m, set, value);
    bpi_bdd_drop(e->m, set);
    bpi_bdd_drop(e->m, can_hold);
    bpi_bdd_drop(e->m, can_fail);
    bpi_bdd_drop(e->m, literal);
    bpi_bdd_drop(e->m, value);
    set = both;
  }
  return set;
}

/* What is not live at the entry is quantified out: the condition may mention anything in scope. */
bpi_bdd bpi_start_set(bpi_engine *e, const bpi_instr *init, uint32_t count)
{
  const uint64_t *live = bpi_live(&e->a, e->cfg->procs.at[e->p->entry].entry);
  uint64_t *gone = e->sets;
  for (uint32_t i = 0; i < e->a.words; i++)
    gone[i] = ~live[i];
  for (uint32_t i = e->a.places; i < e->a.words * 64; i++)
    bpi_bit_remove(gone, i);
  const bpi_bdd all = bpi_start_states(e, init, count);
  const bpi_bdd quant = bpi_place_set(e, gone, BPI_CURRENT);
  const bpi_bdd set = bpi_bdd_exists(e->m, all, quant);
  bpi_bdd_drop(e->m, all);
  bpi_bdd_drop(e->m, quant);
  return set;
}

/* The start is no context: `init` may hold the entry's locals, which a recursive call leaves free. */
void bpi_engine_start(bpi_engine *e, const bpi_instr *init, uint32_t count)
{
  const uint32_t entry = e->cfg->procs.at[e->p->entry].entry;
  if (e->started || !e->a.explore[entry]) {
    e->started = true;
    return;
  }
  const bpi_linkage *linkage = bpi_linkage_of(e, e->p->entry);
  if (!linkage) return;
  const bpi_bdd set = bpi_start_set(e, init, count);
  add_entries(e, e->p->entry, bpi_bdd_and(e->m, set, linkage->identity));
  bpi_bdd_drop(e->m, set);
  e->started = bpi_going(e);
}
