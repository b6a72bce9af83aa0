/* SPDX-License-Identifier: MIT
 * The tableau: Couvreur, "On-the-Fly Verification of Linear Temporal Logic", FM 1999, with decision
 * diagrams over propositions, promises and what must hold next; Duret-Lutz, VECoS 2011, for the
 * successors letter by letter and states of equal diagrams. A promise of g stands on each edge that
 * puts g off; the acceptance set of g has the edges without it. */
#include "temporal/translate.h"

/* What a variable behind the propositions stands for. */
typedef struct variable {
  uint32_t node;
  bool promise;
  uint32_t set; /* of a promise */
} variable;

/* Letters by which a state behaves alike: the rest of its diagram, and the letters as a label. */
typedef struct behaviour {
  uint32_t rest, label;
} behaviour;

typedef struct successor {
  uint32_t node;
  uint64_t promises;
} successor;

typedef struct tableau {
  bpi_translation *t;
  bpi_graph *out;
  bpi_tactic tactic;
  BPI_VEC(variable) vars;
  bpi_ids diagrams;              /* by node; BP_NONE where not made */
  bpi_ids nexts, promises;       /* by node: the variable or BP_NONE */
  bpi_ids state_of;              /* by diagram */
  bpi_ids states;                /* by state: its diagram */
  bpi_ids known;                 /* by diagram: where in `behaviours` it begins, BP_NONE */
  bpi_ids where;                 /* by diagram: its place in the list that is joined, BP_NONE */
  BPI_VEC(behaviour) behaviours; /* lists that end with a label FALSE */
  BPI_VEC(successor) successors;
  uint32_t sets;
} tableau;

/* ---- variables --------------------------------------------------------- */

static bool fill(tableau *b, bpi_ids *ids, uint32_t id)
{
  while (ids->count <= id)
    if (!bpi_vec_push(ids, BP_NONE)) return bpi_job_no_memory(b->t->job);
  return true;
}

static uint32_t variable_of(tableau *b, uint32_t node, bool promise)
{
  bpi_ids *known = promise ? &b->promises : &b->nexts;
  if (!fill(b, known, node)) return BPI_LABEL_FALSE;
  if (known->at[node] == BP_NONE) {
    if (b->vars.count + b->t->aps >= BPI_LABEL_VARS)
      return bpi_job_too_large(b->t->job, BP_E_LIMIT, "subformulas", BPI_LABEL_VARS);
    if (promise && b->sets == BP_AUTOMATON_MAX_SETS)
      return bpi_job_too_large(b->t->job, BP_E_UNSUPPORTED, "acceptance sets",
                               BP_AUTOMATON_MAX_SETS);
    const variable v = {node, promise, promise ? b->sets++ : 0};
    if (!bpi_vec_push(&b->vars, v)) return bpi_job_no_memory(b->t->job);
    known->at[node] = b->t->aps + b->vars.count - 1;
  }
  return bpi_label_var(b->t->labels, known->at[node]);
}

/* ---- diagrams of formulas ---------------------------------------------- */

static uint32_t diagram_of(const tableau *b, uint32_t node, uint32_t index)
{
  return b->diagrams.at[bpi_ltl_arg(b->t->ltl, node, index)];
}

/* Now `keep`, and the same node again next time; put off with a promise of `promised`. */
static uint32_t again(tableau *b, uint32_t node, uint32_t keep, uint32_t promised)
{
  bpi_labels *d = b->t->labels;
  if (promised != BP_NONE) keep = bpi_label_and(d, keep, variable_of(b, promised, true));
  return bpi_label_and(d, keep, variable_of(b, node, false));
}

static uint32_t expand_chain(tableau *b, uint32_t node, bool all)
{
  uint32_t made = all ? BPI_LABEL_TRUE : BPI_LABEL_FALSE;
  for (uint32_t i = 0; i < bpi_ltl_count(b->t->ltl, node); i++)
    made = (all ? bpi_label_and : bpi_label_or)(b->t->labels, made, diagram_of(b, node, i));
  return made;
}

static bool is_op(const tableau *b, uint32_t node, bp_formula_op op)
{
  return bpi_ltl_op(b->t->ltl, node) == op;
}

/* GF g or F h or the rest: which of the first two it will be need not be chosen while it lasts. It stays
 * as it is, putting g off at times, or begins with h now. */
static uint32_t expand_stay(tableau *b, const bpi_ids *parts, uint32_t goal, uint32_t rest)
{
  bpi_labels *d = b->t->labels;
  const uint32_t same = bpi_ltl_node(b->t->ltl, BP_FORMULA_OR, parts->at, parts->count);
  if (same == BP_NONE) return BPI_LABEL_FALSE;
  const uint32_t now = bpi_label_or(d, b->diagrams.at[goal], variable_of(b, goal, true));
  return bpi_label_or(d, rest, bpi_label_and(d, now, variable_of(b, same, false)));
}

static uint32_t expand_or(tableau *b, uint32_t node)
{
  const bpi_ltl *l = b->t->ltl;
  bpi_ids parts = {0};
  uint32_t goal = BP_NONE, made = BPI_LABEL_FALSE;
  bool several = false, good = true;
  for (uint32_t i = 0; good && i < bpi_ltl_count(l, node); i++) {
    const uint32_t x = bpi_ltl_arg(l, node, i), g = bpi_ltl_recurrent(l, x);
    const bool stays = is_op(b, x, BP_FORMULA_EVENTUALLY), begins = g != BP_NONE && goal == BP_NONE;
    if (begins) goal = g;
    several = several || stays;
    if (stays || begins) good = bpi_vec_push(&parts, x);
    const uint32_t now = stays ? b->diagrams.at[bpi_ltl_arg(l, x, 0)] : b->diagrams.at[x];
    if (!begins) made = bpi_label_or(b->t->labels, made, now);
  }
  if (!good) bpi_job_no_memory(b->t->job);
  if (good && several && goal != BP_NONE)
    made = expand_stay(b, &parts, goal, made);
  else
    made = expand_chain(b, node, false);
  bpi_vec_free(&parts);
  return made;
}

static uint32_t expand_binary(tableau *b, bp_formula_op op, uint32_t node)
{
  bpi_labels *d = b->t->labels;
  const uint32_t x = diagram_of(b, node, 0), y = diagram_of(b, node, 1);
  const uint32_t x_node = bpi_ltl_arg(b->t->ltl, node, 0);
  const uint32_t y_node = bpi_ltl_arg(b->t->ltl, node, 1);
  switch (op) {
  case BP_FORMULA_UNTIL: return bpi_label_or(d, y, again(b, node, x, y_node));
  case BP_FORMULA_WEAK_UNTIL: return bpi_label_or(d, y, again(b, node, x, BP_NONE));
  case BP_FORMULA_RELEASE:
    return bpi_label_and(d, y, bpi_label_or(d, x, again(b, node, BPI_LABEL_TRUE, BP_NONE)));
  default: return bpi_label_and(d, y, bpi_label_or(d, x, again(b, node, BPI_LABEL_TRUE, x_node)));
  }
}

static uint32_t expand(tableau *b, uint32_t node)
{
  bpi_labels *d = b->t->labels;
  const bpi_ltl *l = b->t->ltl;
  const bp_formula_op op = bpi_ltl_op(l, node);
  switch (op) {
  case BP_FORMULA_FALSE: return BPI_LABEL_FALSE;
  case BP_FORMULA_TRUE: return BPI_LABEL_TRUE;
  case BP_FORMULA_ATOM: return bpi_label_var(d, l->nodes.at[node].first);
  case BP_FORMULA_NOT: return bpi_label_not(d, diagram_of(b, node, 0));
  case BP_FORMULA_AND: return expand_chain(b, node, true);
  case BP_FORMULA_OR: return expand_or(b, node);
  case BP_FORMULA_NEXT: return variable_of(b, bpi_ltl_arg(l, node, 0), false);
  case BP_FORMULA_EVENTUALLY:
    return bpi_label_or(d, diagram_of(b, node, 0),
                        again(b, node, BPI_LABEL_TRUE, bpi_ltl_arg(l, node, 0)));
  case BP_FORMULA_ALWAYS: return again(b, node, diagram_of(b, node, 0), BP_NONE);
  default: return expand_binary(b, op, node);
  }
}

/* Whether the diagrams of the operands are there; those that are not go on the stack. */
static bool operands_ready(tableau *b, uint32_t node, bpi_ids *stack, bool *ready)
{
  const bpi_ltl *l = b->t->ltl;
  const bp_formula_op op = bpi_ltl_op(l, node);
  *ready = true;
  if (op == BP_FORMULA_ATOM || op == BP_FORMULA_NEXT) return true;
  for (uint32_t i = 0; i < bpi_ltl_count(l, node); i++) {
    const uint32_t below = bpi_ltl_arg(l, node, i);
    if (b->diagrams.at[below] != BP_NONE) continue;
    *ready = false;
    if (!bpi_vec_push(stack, below)) return bpi_job_no_memory(b->t->job);
  }
  return true;
}

/* The diagram of a node; only in a going job it means something. */
static uint32_t diagram(tableau *b, uint32_t node)
{
  bpi_ids stack = {0};
  if (!fill(b, &b->diagrams, node)) return BPI_LABEL_FALSE;
  bool ready, good = bpi_vec_push(&stack, node) || bpi_job_no_memory(b->t->job);
  while (good && stack.count && bpi_job_going(b->t->job)) {
    const uint32_t top = stack.at[stack.count - 1];
    good = operands_ready(b, top, &stack, &ready);
    if (!good || !ready) continue;
    stack.count--;
    if (b->diagrams.at[top] == BP_NONE) b->diagrams.at[top] = expand(b, top);
  }
  bpi_vec_free(&stack);
  return b->t->job->status == BP_OK ? b->diagrams.at[node] : BPI_LABEL_FALSE;
}

/* ---- letters ----------------------------------------------------------- */

static uint32_t behaviours_of(tableau *b, uint32_t diagram);

static bool note(tableau *b, uint32_t rest, uint32_t label)
{
  if (b->behaviours.count >= BPI_MOST_EDGES)
    return bpi_job_too_large(b->t->job, BP_E_LIMIT, "edges", BPI_MOST_EDGES);
  return bpi_vec_push(&b->behaviours, (behaviour){rest, label}) || bpi_job_no_memory(b->t->job);
}

/* Notes in `where` where the rests of a list stand in it, or that they stand nowhere. */
static bool locate(tableau *b, uint32_t list, bool forget)
{
  for (uint32_t i = list; b->behaviours.at[i].label != BPI_LABEL_FALSE; i++) {
    const uint32_t rest = b->behaviours.at[i].rest;
    if (!fill(b, &b->where, rest)) return false;
    b->where.at[rest] = forget ? BP_NONE : i;
  }
  return true;
}

static uint32_t label_at(const tableau *b, uint32_t rest)
{
  const uint32_t at = rest < b->where.count ? b->where.at[rest] : BP_NONE;
  return at == BP_NONE ? BPI_LABEL_FALSE : b->behaviours.at[at].label;
}

static bool join_behaviours(tableau *b, uint32_t var, uint32_t low, uint32_t high)
{
  if (!locate(b, high, false)) return false;
  for (uint32_t i = low; b->behaviours.at[i].label != BPI_LABEL_FALSE; i++) {
    const behaviour x = b->behaviours.at[i];
    const uint32_t label = bpi_label_node_of(b->t->labels, var, x.label, label_at(b, x.rest));
    if (!note(b, x.rest, label)) return false;
  }
  if (!locate(b, high, true) || !locate(b, low, false)) return false;
  for (uint32_t i = high; b->behaviours.at[i].label != BPI_LABEL_FALSE; i++) {
    const behaviour x = b->behaviours.at[i];
    if (label_at(b, x.rest) != BPI_LABEL_FALSE) continue;
    const uint32_t label = bpi_label_node_of(b->t->labels, var, BPI_LABEL_FALSE, x.label);
    if (!note(b, x.rest, label)) return false;
  }
  return locate(b, low, true) && bpi_job_going(b->t->job);
}

/* Where the list for a diagram begins, or BP_NONE. It recurses over the propositions. */
static uint32_t behaviours_of(tableau *b, uint32_t diagram)
{
  if (!fill(b, &b->known, diagram)) return BP_NONE;
  if (b->known.at[diagram] != BP_NONE) return b->known.at[diagram];
  const bpi_label_node n = b->t->labels->nodes.at[diagram];
  uint32_t list;
  if (n.var >= b->t->aps) {
    list = b->behaviours.count;
    if (diagram != BPI_LABEL_FALSE && !note(b, diagram, BPI_LABEL_TRUE)) return BP_NONE;
  } else {
    const uint32_t low = behaviours_of(b, n.low);
    const uint32_t high = low == BP_NONE ? BP_NONE : behaviours_of(b, n.high);
    list = b->behaviours.count;
    if (high == BP_NONE || !join_behaviours(b, n.var, low, high)) return BP_NONE;
  }
  if (!note(b, 0, BPI_LABEL_FALSE)) return BP_NONE;
  return b->known.at[diagram] = list;
}

/* ---- states and edges -------------------------------------------------- */

static uint32_t state_of(tableau *b, uint32_t node)
{
  const uint32_t d = diagram(b, node);
  if (b->t->job->status != BP_OK || !fill(b, &b->state_of, d)) return BP_NONE;
  if (b->state_of.at[d] == BP_NONE) {
    b->state_of.at[d] = b->states.count;
    if (!bpi_vec_push(&b->states, d)) {
      bpi_job_no_memory(b->t->job);
      return BP_NONE;
    }
  }
  return b->state_of.at[d];
}

static bool add_flat(tableau *b, bp_formula_op op, bpi_ids *flat, uint32_t node)
{
  const bpi_ltl *l = b->t->ltl;
  const bool inside = bpi_ltl_op(l, node) == op;
  const uint32_t count = inside ? bpi_ltl_count(l, node) : 1;
  if (!bpi_vec_reserve(flat, count)) return bpi_job_no_memory(b->t->job);
  for (uint32_t i = 0; i < count; i++)
    flat->at[flat->count++] = inside ? bpi_ltl_arg(l, node, i) : node;
  return true;
}

/* One node for all. No rule of the simplifier is used: what is equivalent may put off for ever what
 * the one promises and the other does not. States that behave alike are found by their diagrams. */
static uint32_t combined(tableau *b, bp_formula_op op, const bpi_ids *nodes)
{
  bpi_ids flat = {0};
  uint32_t made = BP_NONE;
  bool good = true;
  for (uint32_t i = 0; good && i < nodes->count; i++)
    good = add_flat(b, op, &flat, nodes->at[i]);
  bpi_ids_sort_unique(&flat);
  if (good) made = bpi_ltl_chain(b->t->ltl, op, &flat);
  bpi_vec_free(&flat);
  return made;
}

/* Diagrams are monotone in what is behind the propositions, so all literals are positive. */
static bool take_product(const bpi_cube *cube, void *user)
{
  tableau *b = user;
  bpi_ids nodes = {0};
  uint64_t promises = 0;
  bool good = true;
  for (uint32_t i = 0; good && i < cube->count; i++) {
    const variable *v = &b->vars.at[cube->literals[i] / 2 - b->t->aps];
    if (v->promise)
      promises |= (uint64_t)1 << v->set;
    else
      good = bpi_vec_push(&nodes, v->node);
  }
  if (!good) bpi_job_no_memory(b->t->job);
  const uint32_t node = good ? combined(b, BP_FORMULA_AND, &nodes) : BP_NONE;
  bpi_vec_free(&nodes);
  if (node == BP_NONE) return false;
  return bpi_vec_push(&b->successors, (successor){node, promises}) || bpi_job_no_memory(b->t->job);
}

/* Makes successors with the same promises one. */
static bool postpone(tableau *b)
{
  bpi_ids nodes = {0};
  uint32_t kept = 0;
  bool good = true;
  for (uint32_t i = 0; good && i < b->successors.count; i++) {
    const uint64_t promises = b->successors.at[i].promises;
    bool known = false;
    for (uint32_t k = 0; k < kept && !known; k++)
      known = b->successors.at[k].promises == promises;
    if (known) continue;
    nodes.count = 0;
    for (uint32_t k = i; good && k < b->successors.count; k++)
      if (b->successors.at[k].promises == promises)
        good = bpi_vec_push(&nodes, b->successors.at[k].node) || bpi_job_no_memory(b->t->job);
    const uint32_t node = good ? combined(b, BP_FORMULA_OR, &nodes) : BP_NONE;
    good = node != BP_NONE;
    b->successors.at[kept++] = (successor){node, promises};
  }
  bpi_vec_free(&nodes);
  b->successors.count = kept;
  return good;
}

static bool add_edges(tableau *b, uint32_t from, behaviour by)
{
  b->successors.count = 0;
  if (!bpi_label_cover(b->t->labels, by.rest, take_product, b)) return false;
  if (b->tactic == BPI_TACTIC_POSTPONE && !postpone(b)) return false;
  for (uint32_t i = 0; i < b->successors.count; i++) {
    const successor s = b->successors.at[i];
    if (s.node == BPI_LTL_FALSE) continue;
    if (b->out->edges.count >= BPI_MOST_EDGES)
      return bpi_job_too_large(b->t->job, BP_E_LIMIT, "edges", BPI_MOST_EDGES);
    const uint32_t to = state_of(b, s.node);
    if (to == BP_NONE || !bpi_graph_add(b->out, from, to, by.label, s.promises)) return false;
  }
  return true;
}

static bool explore(tableau *b, uint32_t root, uint32_t most, bool *fits)
{
  const uint32_t start = state_of(b, root);
  if (start == BP_NONE) return false;
  if (!bpi_vec_push(&b->out->initial, start)) return bpi_job_no_memory(b->t->job);
  for (uint32_t s = 0; s < b->states.count; s++) {
    *fits = b->states.count <= most;
    if (!*fits) return true;
    uint32_t list = behaviours_of(b, b->states.at[s]);
    if (list == BP_NONE) return false;
    for (; b->behaviours.at[list].label != BPI_LABEL_FALSE; list++)
      if (!add_edges(b, s, b->behaviours.at[list])) return false;
  }
  b->out->states = b->states.count;
  b->out->sets = b->sets;
  for (uint32_t i = 0; i < b->out->edges.count; i++)
    b->out->edges.at[i].sets = bpi_all_sets(b->sets) & ~b->out->edges.at[i].sets;
  return bpi_graph_sort(b->out);
}

bool bpi_translate(bpi_graph *out, bpi_translation *t, uint32_t root, bpi_tactic tactic,
                   uint32_t most, bool *fits)
{
  tableau b = {.t = t, .out = out, .tactic = tactic};
  *out = (bpi_graph){.labels = t->labels};
  *fits = true;
  const bool good = explore(&b, root, most, fits);
  bpi_vec_free(&b.vars);
  bpi_vec_free(&b.diagrams);
  bpi_vec_free(&b.nexts);
  bpi_vec_free(&b.promises);
  bpi_vec_free(&b.state_of);
  bpi_vec_free(&b.states);
  bpi_vec_free(&b.known);
  bpi_vec_free(&b.where);
  bpi_vec_free(&b.behaviours);
  bpi_vec_free(&b.successors);
  return good && t->job->status == BP_OK;
}
