/* SPDX-License-Identifier: MIT
 * What is known: path edges at nodes, contexts of procedures; and with what it begins. */
#include "engine/stage.h"

/* ---- adding facts -------------------------------------------------------- */

/* Before the facts stand the words of nodes with work, unless the instance has them. */
static size_t words_before(const bpi_body *b)
{
  return b->words == 1 ? 0 : b->words * sizeof(uint64_t);
}

/* Room for what is known of a procedure, in one block. */
bool bpi_make_facts(bpi_engine *e, bpi_instance *p)
{
  const bpi_body *b = p->body;
  const size_t facts = b->node_count * sizeof *p->facts, words = words_before(b);
  const size_t lifts = b->call_count * sizeof(bpi_lifted);
  char *block = bpi_zalloc(facts + words + lifts, 1);
  if (!block) {
    e->stop = BP_REASON_MEMORY;
    return false;
  }
  p->facts = (bpi_fact *)(void *)(block + words);
  return true;
}

void bpi_facts_free(bpi_engine *e, const bpi_body *body, bpi_fact *facts)
{
  if (!facts) return;
  const bpi_lifted *lifts = (const bpi_lifted *)(const void *)(facts + body->node_count);
  for (uint32_t i = 0; i < body->node_count; i++) {
    bpi_bdd_drop(e->m, facts[i].path_edges);
    bpi_bdd_drop(e->m, facts[i].delta);
  }
  for (uint32_t i = 0; i < body->call_count; i++) {
    bpi_bdd_drop(e->m, lifts[i].lift);
    bpi_bdd_drop(e->m, lifts[i].summary);
    bpi_bdd_drop(e->m, lifts[i].back);
  }
  bpi_release((char *)facts - words_before(body));
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

void bpi_hit_goals(bpi_engine *e, uint32_t vertex, bpi_bdd fresh)
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

/* Of what is new in `set` (given away) so much as may be passed on. Goals are asked for all of it. */
static bpi_bdd narrowed(bpi_engine *e, bpi_instance *in, uint32_t node, bpi_bdd set)
{
  const bpi_bdd fresh = bpi_bdd_diff(e->m, set, in->facts[node].path_edges);
  bpi_bdd_drop(e->m, set);
  if (in->body->nodes[node].goal && bpi_going(e) && fresh != BPI_FALSE)
    bpi_hit_goals(e, bpi_node_vertex(e, in, node), fresh);
  const bpi_bdd some = bpi_narrow(e, fresh, e->narrow);
  e->cut |= some != fresh;
  bpi_bdd_drop(e->m, fresh);
  return some;
}

void bpi_add_path_edges(bpi_engine *e, bpi_instance *in, uint32_t node, bpi_bdd set)
{
  bpi_fact *fact = &in->facts[node];
  if (e->narrow) set = narrowed(e, in, node, set);
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
    if (in->body->nodes[node].goal) bpi_hit_goals(e, bpi_node_vertex(e, in, node), fresh);
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

/* Adds contexts that come for the first time at the callee's stage, if it is at one. */
static void add_contexts(bpi_engine *e, uint32_t proc, bpi_bdd contexts)
{
  bpi_instance *callee = &e->procs[proc];
  const bpi_bdd fresh = bpi_bdd_diff(e->m, contexts, callee->entries);
  const bpi_linkage *linkage = bpi_going(e) && fresh != BPI_FALSE ? bpi_linkage_of(e, proc) : NULL;
  if (linkage && bpi_stage_leave(e, callee)) {
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

void bpi_add_contexts(bpi_engine *e, uint32_t proc, bpi_bdd contexts)
{
  bpi_instance *callee = &e->procs[proc];
  if (!callee->facts) bpi_stage_begin(e, callee);
  bpi_stage *from = callee->stage;
  bpi_turn *turn = from ? bpi_stage_turn(callee, BP_NONE, contexts) : NULL;
  if (turn) {
    bpi_stage_take(e, callee, turn);
    return;
  }
  add_contexts(e, proc, contexts);
  if (from && bpi_going(e))
    bpi_stage_note(e, callee, from, (bpi_turn){.node = BP_NONE, .told = contexts});
}

const bpi_gains *bpi_gains_of(const bpi_engine *e, uint32_t proc)
{
  static const bpi_gains none = {{0}};
  return e->procs[proc].gains ? e->procs[proc].gains : &none;
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
