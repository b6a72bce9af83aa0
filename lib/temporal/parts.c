/* SPDX-License-Identifier: MIT
 * Formulas with many parts. One tableau tells apart what 2^n letters do to n parts, so from a number
 * of parts on each has an automaton of its own. Those of a disjunction stand side by side, behind one
 * state that waits when F is before them. Those of a conjunction intersect, and G F of a state formula
 * becomes a condition on the edges of the others. */
#include "temporal/translate.h"

enum { MANY = 6, DEPTH = 4 };

typedef struct splitter {
  bpi_translation *t;
  bool one;
  uint8_t *plain; /* by node: no temporal operator in it */
  uint32_t nodes;
} splitter;

/* `depth`: how often parts may still have parts. */
static bool translate(const splitter *s, bpi_graph *out, uint32_t node, uint32_t depth);

static bool is_op(const splitter *s, uint32_t node, bp_formula_op op)
{
  return bpi_ltl_op(s->t->ltl, node) == op;
}

static uint32_t count_of(const splitter *s, uint32_t node)
{
  return bpi_ltl_count(s->t->ltl, node);
}

static uint32_t arg(const splitter *s, uint32_t node, uint32_t index)
{
  return bpi_ltl_arg(s->t->ltl, node, index);
}

static bool is_plain(const splitter *s, uint32_t node)
{
  return node < s->nodes && s->plain[node];
}

static bool push(const splitter *s, bpi_ids *ids, uint32_t node)
{
  return bpi_vec_push(ids, node) || bpi_job_no_memory(s->t->job);
}

/* One node for all. */
static bool joined(const splitter *s, bp_formula_op op, const bpi_ids *ids, uint32_t *node)
{
  *node = bpi_ltl_chain(s->t->ltl, op, ids);
  return *node != BP_NONE;
}

/* ---- which formulas ---------------------------------------------------- */

/* The state formula g of GF g, or BP_NONE. */
static uint32_t recurrent(const splitter *s, uint32_t node)
{
  const uint32_t goal = bpi_ltl_recurrent(s->t->ltl, node);
  return goal != BP_NONE && is_plain(s, goal) ? goal : BP_NONE;
}

/* Whether the node is a conjunction with many GF g. */
static bool recurs_much(const splitter *s, uint32_t node)
{
  uint32_t count = 0;
  for (uint32_t i = 0; is_op(s, node, BP_FORMULA_AND) && i < count_of(s, node); i++)
    count += recurrent(s, arg(s, node, i)) != BP_NONE;
  return count >= MANY;
}

static bool has_many_operands(const splitter *s, uint32_t node)
{
  uint32_t count = 0;
  for (uint32_t i = 0; is_op(s, node, BP_FORMULA_OR) && i < count_of(s, node); i++) {
    if (recurs_much(s, arg(s, node, i))) return true;
    count += !is_plain(s, arg(s, node, i));
  }
  return count >= MANY;
}

/* Whether the node is a disjunction of many, or F of one. */
static bool chooses_much(const splitter *s, uint32_t node)
{
  return has_many_operands(s, is_op(s, node, BP_FORMULA_EVENTUALLY) ? arg(s, node, 0) : node);
}

/* ---- disjunctions ------------------------------------------------------ */

/* Puts a part beside the others, or behind a state that waits. It is in all sets that it has not. */
static bool put_beside(bpi_graph *out, const bpi_graph *part, uint32_t waiting)
{
  const uint32_t base = out->states;
  const uint64_t others = ~bpi_all_sets(part->sets);
  bool good = true;
  out->states += part->states;
  if (part->sets > out->sets) out->sets = part->sets;
  for (uint32_t i = 0; good && i < part->edges.count; i++) {
    const bpi_edge *e = &part->edges.at[i];
    good = bpi_graph_add(out, base + e->from, base + e->to, e->label, e->sets | others);
  }
  for (uint32_t i = 0; good && i < part->initial.count; i++) {
    const uint32_t start = part->initial.at[i];
    if (waiting == BP_NONE && !bpi_vec_push(&out->initial, base + start))
      return bpi_job_no_memory(out->labels->job);
    for (uint32_t k = part->first[start]; waiting != BP_NONE && k < part->first[start + 1]; k++)
      good = good &&
             bpi_graph_add(out, waiting, base + part->edges.at[k].to, part->edges.at[k].label, 0);
  }
  return good;
}

static bool add_parts(const splitter *s, bpi_graph *out, const bpi_ids *parts, uint32_t waiting,
                      uint32_t depth)
{
  bool good = true;
  for (uint32_t i = 0; good && i < parts->count; i++) {
    bpi_graph part = {.labels = s->t->labels};
    good = translate(s, &part, parts->at[i], depth) && put_beside(out, &part, waiting);
    if (good && out->states > s->t->most_states)
      good = bpi_job_too_large(s->t->job, BP_E_LIMIT, "states", s->t->most_states);
    bpi_graph_free(&part);
  }
  return good;
}

/* Those without a temporal operator are one. */
static bool list_operands(const splitter *s, uint32_t node, bpi_ids *list)
{
  bpi_ids plain = {0};
  bool good = true;
  uint32_t made;
  for (uint32_t i = 0; good && i < count_of(s, node); i++)
    good = push(s, is_plain(s, arg(s, node, i)) ? &plain : list, arg(s, node, i));
  if (good && plain.count) good = joined(s, BP_FORMULA_OR, &plain, &made) && push(s, list, made);
  bpi_vec_free(&plain);
  return good;
}

/* Divides the operands into those now and those that F is before. */
static bool list_parts(const splitter *s, uint32_t node, bpi_ids *now, bpi_ids *later)
{
  bpi_ids all = {0};
  bool good = is_op(s, node, BP_FORMULA_OR) ? list_operands(s, node, &all) : push(s, &all, node);
  for (uint32_t i = 0; good && i < all.count; i++) {
    const uint32_t x = all.at[i];
    const uint32_t below = is_op(s, x, BP_FORMULA_EVENTUALLY) ? arg(s, x, 0) : BP_NONE;
    if (below == BP_NONE)
      good = push(s, now, x);
    else if (is_op(s, below, BP_FORMULA_OR))
      good = list_operands(s, below, later);
    else
      good = push(s, later, below);
  }
  bpi_vec_free(&all);
  return good;
}

static bool wait(bpi_graph *out)
{
  out->states = out->sets = 1;
  if (!bpi_vec_push(&out->initial, 0)) return bpi_job_no_memory(out->labels->job);
  return bpi_graph_add(out, 0, 0, BPI_LABEL_TRUE, 0);
}

static bool disjunction(const splitter *s, bpi_graph *out, uint32_t node, uint32_t depth)
{
  bpi_ids now = {0}, later = {0};
  bool good = list_parts(s, node, &now, &later);
  if (good && later.count) good = wait(out) && add_parts(s, out, &later, 0, depth);
  good = good && add_parts(s, out, &now, BP_NONE, depth);
  for (uint32_t i = 0; i < out->edges.count; i++)
    out->edges.at[i].sets &= bpi_all_sets(out->sets);
  bpi_vec_free(&now);
  bpi_vec_free(&later);
  return good && bpi_graph_sort(out) && bpi_graph_reduce(out);
}

/* ---- conjunctions ------------------------------------------------------ */

typedef struct conjuncts {
  bpi_ids recurring; /* the g of the GF g, when they are many */
  bpi_ids choices;   /* disjunctions of many */
  bpi_ids rest;
} conjuncts;

static bool list_conjuncts(const splitter *s, uint32_t node, conjuncts *c)
{
  const bool much = recurs_much(s, node);
  bool good = true;
  for (uint32_t i = 0; good && i < count_of(s, node); i++) {
    const uint32_t x = arg(s, node, i), g = much ? recurrent(s, x) : BP_NONE;
    bpi_ids *other = chooses_much(s, x) ? &c->choices : &c->rest;
    good = g != BP_NONE ? push(s, &c->recurring, g) : push(s, other, x);
  }
  return good;
}

static bool narrow(const splitter *s, bpi_graph *out, uint32_t node, uint32_t depth)
{
  bpi_graph part = {.labels = s->t->labels}, both = {.labels = s->t->labels};
  bool good = translate(s, &part, node, depth);
  if (good && out->sets + part.sets > BP_AUTOMATON_MAX_SETS)
    good = bpi_job_too_large(s->t->job, BP_E_UNSUPPORTED, "acceptance sets", BP_AUTOMATON_MAX_SETS);
  good = good && bpi_graph_intersect(&both, out, &part, s->t->most_states) &&
         bpi_graph_reduce(&both) && (!s->one || bpi_graph_degeneralize(&both));
  if (good) bpi_graph_move(out, &both);
  bpi_graph_free(&part);
  bpi_graph_free(&both);
  return good;
}

/* The label of a state formula. */
static bool label_of(const splitter *s, uint32_t node, uint32_t *label)
{
  const bpi_ltl *l = s->t->ltl;
  uint8_t *below = bpi_ltl_below(l, node);
  uint32_t *made = below ? bpi_alloc(node + (size_t)1, sizeof *made) : NULL;
  for (uint32_t id = 0; made && id <= node; id++) {
    if (!below[id]) continue;
    const bp_formula_op op = bpi_ltl_op(l, id);
    const bool all = op == BP_FORMULA_TRUE || op == BP_FORMULA_AND;
    const uint32_t count = op == BP_FORMULA_ATOM ? 0 : bpi_ltl_count(l, id);
    uint32_t x = all ? BPI_LABEL_TRUE : BPI_LABEL_FALSE;
    for (uint32_t i = 0; i < count; i++)
      x = (all ? bpi_label_and : bpi_label_or)(s->t->labels, x, made[bpi_ltl_arg(l, id, i)]);
    if (op == BP_FORMULA_NOT) x = bpi_label_not(s->t->labels, x);
    if (op == BP_FORMULA_ATOM) x = bpi_label_var(s->t->labels, l->nodes.at[id].first);
    made[id] = x;
  }
  if (made) *label = made[node];
  const bool good = made ? bpi_job_going(s->t->job) : bpi_job_no_memory(s->t->job);
  bpi_release(made);
  bpi_release(below);
  return good;
}

static bool recur(const splitter *s, bpi_graph *out, const bpi_ids *recurring)
{
  bpi_ids labels = {0};
  bool good = true;
  uint32_t label = BPI_LABEL_FALSE;
  for (uint32_t i = 0; good && i < recurring->count; i++)
    good = label_of(s, recurring->at[i], &label) && push(s, &labels, label);
  good = good && bpi_graph_recur(out, labels.at, labels.count, s->one);
  bpi_vec_free(&labels);
  if (good && out->states > s->t->most_states)
    return bpi_job_too_large(s->t->job, BP_E_LIMIT, "states", s->t->most_states);
  return good;
}

static bool conjunction(const splitter *s, bpi_graph *out, const conjuncts *c, uint32_t depth)
{
  uint32_t rest;
  bool good = joined(s, BP_FORMULA_AND, &c->rest, &rest) && translate(s, out, rest, depth);
  for (uint32_t i = 0; good && i < c->choices.count; i++)
    good = narrow(s, out, c->choices.at[i], depth);
  if (good && c->recurring.count) good = recur(s, out, &c->recurring) && bpi_graph_reduce(out);
  return good;
}

/* ---- all --------------------------------------------------------------- */

static bool whole(const splitter *s, bpi_graph *out, uint32_t node)
{
  return bpi_translate_best(out, s->t, node) && (!s->one || bpi_graph_degeneralize(out));
}

static bool translate(const splitter *s, bpi_graph *out, uint32_t node, uint32_t depth)
{
  conjuncts c = {0};
  bool good = true;
  if (depth && chooses_much(s, node)) return disjunction(s, out, node, depth - 1);
  if (depth && is_op(s, node, BP_FORMULA_AND)) good = list_conjuncts(s, node, &c);
  if (good && (c.recurring.count || c.choices.count))
    good = conjunction(s, out, &c, depth - 1);
  else
    good = good && whole(s, out, node);
  bpi_vec_free(&c.recurring);
  bpi_vec_free(&c.choices);
  bpi_vec_free(&c.rest);
  return good;
}

bool bpi_translate_parts(bpi_graph *out, bpi_translation *t, uint32_t root, bool one)
{
  const bpi_ltl *l = t->ltl;
  splitter s = {.t = t, .one = one, .nodes = l->nodes.count};
  s.plain = bpi_zalloc(s.nodes, 1);
  if (!s.plain) return bpi_job_no_memory(t->job);
  for (uint32_t id = 0; id < s.nodes; id++) {
    const bp_formula_op op = bpi_ltl_op(l, id);
    s.plain[id] = op <= BP_FORMULA_OR;
    for (uint32_t i = 0; op != BP_FORMULA_ATOM && i < bpi_ltl_count(l, id); i++)
      s.plain[id] &= s.plain[bpi_ltl_arg(l, id, i)];
  }
  const bool good = translate(&s, out, root, DEPTH);
  bpi_release(s.plain);
  return good;
}
