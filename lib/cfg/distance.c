/* SPDX-License-Identifier: MIT
 * How far variables are from the goals, for explorations that leave far ones out (Kurshan's localization
 * reduction): at distance 0 are those of the goals' own conditions and of the branches right above
 * them, often enough to see that the two contradict each other; a step further, what their values are
 * computed from and the branches right above the assignments. What is only handed on, as an argument, a
 * result or a copy, is as far as what it is handed to, at least 1. Where the nearest branch is found by a
 * rule of thumb: a wrong one costs time, no more. */
#include "cfg/influence.h"

enum { MOST_PAIRS_OF_BRANCH = 8 }; /* for each vertex; within one, for each operand and operation */

typedef struct walk {
  const bpi_analysis *a;
  const bp_cfg *cfg;
  const bp_program *p;
  bpi_depends near, far; /* nodes as there, and behind them one for each procedure */
  uint32_t values;       /* how many variables and results there are */
  uint32_t *branch;      /* by vertex: the one right above; BP_NONE */
  uint32_t *depth;       /* by vertex: how many there are above */
  uint32_t *distance;
  uint32_t value_pairs;    /* of `far`: how many are not of branches */
  BPI_VEC(uint32_t) order; /* nodes, by distance */
  bool failed;
} walk;

/* ---- branches ------------------------------------------------------------ */

static bool is_branch(const bpi_vertex *v)
{
  return v->kind == BPI_VERTEX_BRANCH || v->kind == BPI_VERTEX_ASSUME;
}

/* Edges back are not looked at; where several meet, the branch that they come from is over. */
static void find_branch(walk *w, uint32_t vertex)
{
  const bp_cfg *cfg = w->cfg;
  const bpi_slice preds = bpi_preds(&cfg->vertices.at[vertex]);
  uint32_t above = BP_NONE, depth = UINT32_MAX, forward = 0;
  for (uint32_t i = 0; i < preds.count; i++) {
    const uint32_t pred = cfg->preds.at[preds.first + i];
    if (!w->a->explore[pred] || bpi_place_of(cfg, pred) >= bpi_place_of(cfg, vertex)) continue;
    const bool branch = is_branch(&cfg->vertices.at[pred]);
    const uint32_t at = w->depth[pred] + branch;
    forward++;
    if (at >= depth) continue;
    depth = at;
    above = branch ? pred : w->branch[pred];
  }
  if (forward > 1 && above != BP_NONE) {
    depth = w->depth[above];
    above = w->branch[above];
  }
  w->branch[vertex] = above;
  w->depth[vertex] = above == BP_NONE ? 0 : depth;
}

static void find_branches(walk *w)
{
  for (uint32_t p = 0; p < w->cfg->procs.count; p++)
    for (uint32_t i = 0; i < w->cfg->procs.at[p].vertices.count; i++)
      find_branch(w, bpi_vertex_at_place(w->cfg, p, i));
}

/* ---- dependences --------------------------------------------------------- */

/* The variable that the expression is, or is the negation of; BP_NONE: it is more. */
static uint32_t copied_by(const walk *w, uint32_t expr)
{
  const bpi_expr x = bpi_expr_at(w->p, expr);
  const bpi_instr *code = w->p->code.at + x.first;
  const bool literal = x.count == 1 || (x.count == 2 && code[1].op == BPI_OP_NOT);
  return literal && code[0].op == BPI_OP_VAR ? code[0].arg : BP_NONE;
}

static void hand_on(walk *w, uint32_t to, uint32_t expr, bool both)
{
  const uint32_t from = copied_by(w, expr);
  if (from == BP_NONE) return;
  bpi_depend_on(&w->near, to, from);
  if (both) bpi_depend_on(&w->near, from, to);
}

static void scan_copies(walk *w, const bpi_vertex *v)
{
  if (v->stmt == BP_NONE) return;
  const bpi_stmt s = bpi_stmt_at(w->p, v->stmt);
  const uint32_t *targets = s.targets.count ? w->p->ids.at + s.targets.first : NULL;
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN:
    for (uint32_t k = 0; k < s.exprs.count; k++)
      if (targets[k] != BP_NONE) hand_on(w, targets[k], s.exprs.first + k, false);
    break;
  case BPI_VERTEX_CALL:
    for (uint32_t k = 0; k < s.exprs.count; k++)
      hand_on(w, w->p->procs.at[s.callee].vars.first + k, s.exprs.first + k, true);
    for (uint32_t k = 0; k < s.targets.count; k++)
      if (targets[k] != BP_NONE)
        bpi_depend_on(&w->near, targets[k], bpi_depend_result(&w->near, s.callee, k));
    break;
  case BPI_VERTEX_RETURN:
    for (uint32_t k = 0; k < s.exprs.count; k++)
      hand_on(w, bpi_depend_result(&w->near, v->proc, k), s.exprs.first + k, false);
    break;
  default: break;
  }
}

/* The node that stands for the branches above the calls of a procedure. */
static uint32_t calls_of(const walk *w, uint32_t proc)
{
  return w->values + proc;
}

static void depend_on_branch(walk *w, uint32_t node, uint32_t vertex)
{
  const uint32_t branch = w->branch[vertex], proc = w->cfg->vertices.at[vertex].proc;
  if (branch == BP_NONE)
    bpi_depend_on(&w->near, node, calls_of(w, proc));
  else
    bpi_depend_on_expr(&w->far, node,
                       bpi_stmt_at(w->p, w->cfg->vertices.at[branch].stmt).exprs.first);
}

static bool has_room(const walk *w, uint32_t size)
{
  return (w->far.pairs.count - w->value_pairs) / MOST_PAIRS_OF_BRANCH <= size;
}

/* Whether something is assigned or called depends on the branch above. Many targets under a long condition would be
 * as many pairs as their product. */
static void scan_control(walk *w, uint32_t vertex)
{
  const bpi_vertex *v = &w->cfg->vertices.at[vertex];
  const bool assigns = v->kind == BPI_VERTEX_ASSIGN || v->kind == BPI_VERTEX_HAVOC;
  const uint32_t size = w->cfg->vertices.count + w->p->code.count;
  if (v->stmt == BP_NONE || !has_room(w, w->cfg->vertices.count)) return;
  const bpi_stmt s = bpi_stmt_at(w->p, v->stmt);
  for (uint32_t k = 0; assigns && k < s.targets.count && has_room(w, size); k++) {
    const uint32_t target = w->p->ids.at[s.targets.first + k];
    if (target != BP_NONE) depend_on_branch(w, target, vertex);
  }
  for (uint32_t k = 0; v->kind == BPI_VERTEX_RETURN && k < s.exprs.count && has_room(w, size); k++)
    depend_on_branch(w, bpi_depend_result(&w->far, v->proc, k), vertex);
  if (v->kind == BPI_VERTEX_CALL) depend_on_branch(w, calls_of(w, s.callee), vertex);
}

static void scan(walk *w)
{
  bpi_depend_on_values(&w->far);
  w->value_pairs = w->far.pairs.count;
  for (uint32_t v = 0; v < w->cfg->vertices.count; v++) {
    if (!w->a->explore[v]) continue;
    scan_copies(w, &w->cfg->vertices.at[v]);
    scan_control(w, v);
  }
  bpi_depend_sort(&w->near);
  bpi_depend_sort(&w->far);
  w->failed |= w->near.failed || w->far.failed;
}

/* ---- distances ----------------------------------------------------------- */

static void reach(walk *w, uint32_t node, uint32_t distance)
{
  const uint32_t vars = w->p->vars.count;
  const bool matters = node >= w->values ||
                       (node < vars ? w->a->var_matters[node] : w->a->result_matters[node - vars]);
  if (!matters || w->distance[node] != BP_NONE) return;
  w->distance[node] = distance;
  w->order.at[w->order.count++] = node; /* there is room for all */
}

/* Whether there is a variable in it that matters. */
static bool reach_code(walk *w, const bpi_instr *code, uint32_t count)
{
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    if (code[i].op != BPI_OP_VAR) continue;
    reach(w, code[i].arg, 0);
    any |= w->distance[code[i].arg] != BP_NONE;
  }
  return any;
}

static bool reach_condition(walk *w, uint32_t vertex)
{
  const bpi_expr x = bpi_vertex_condition(w->cfg, &w->cfg->vertices.at[vertex]);
  return reach_code(w, w->p->code.at + x.first, x.count);
}

/* The nearest branch above that asks for a variable; or the branches above the calls. */
static void reach_branch(walk *w, uint32_t vertex)
{
  uint32_t branch = w->branch[vertex];
  while (branch != BP_NONE && !reach_condition(w, branch))
    branch = w->branch[branch];
  if (branch == BP_NONE) reach(w, calls_of(w, w->cfg->vertices.at[vertex].proc), 0);
}

static void reach_goals(walk *w, const bpi_goal *goals, uint32_t count)
{
  for (uint32_t g = 0; g < count; g++) {
    if (!w->a->explore[goals[g].vertex]) continue;
    reach_code(w, goals[g].when, goals[g].when_count);
    if (goals[g].fails)
      reach_condition(w, goals[g].vertex);
    else
      reach_branch(w, goals[g].vertex);
  }
}

/* From the goals' own, which stand in the order already. */
static void spread(walk *w)
{
  uint32_t first = 0;
  for (uint32_t distance = 1; first < w->order.count; distance++) {
    for (uint32_t i = first; i < w->order.count; i++)
      for (uint32_t k = w->near.first[w->order.at[i]]; k < w->near.first[w->order.at[i] + 1]; k++)
        reach(w, w->near.sorted[k], distance);
    for (const uint32_t end = w->order.count; first < end; first++)
      for (uint32_t k = w->far.first[w->order.at[first]]; k < w->far.first[w->order.at[first] + 1];
           k++)
        reach(w, w->far.sorted[k], distance + 1);
  }
}

static bool allocate(walk *w)
{
  const uint32_t vertices = w->cfg->vertices.count;
  w->values = w->near.nodes;
  w->branch = bpi_alloc(vertices, sizeof *w->branch);
  w->depth = bpi_alloc(vertices, sizeof *w->depth);
  w->near.nodes = w->far.nodes = w->values + w->cfg->procs.count;
  w->distance = bpi_alloc(w->near.nodes, sizeof *w->distance);
  return w->branch && w->depth && w->distance && bpi_vec_reserve(&w->order, w->near.nodes);
}

uint32_t *bpi_distances(const bpi_analysis *a, const bpi_goal *goals, uint32_t count,
                        bpi_influence *influence)
{
  walk w = {.a = a, .cfg = a->cfg, .p = a->cfg->program};
  bpi_depend_begin(&w.near, a);
  bpi_depend_begin(&w.far, a);
  w.failed = !allocate(&w);
  if (!w.failed) {
    for (uint32_t i = 0; i < w.near.nodes; i++)
      w.distance[i] = BP_NONE;
    find_branches(&w);
    scan(&w);
  }
  if (!w.failed) {
    reach_goals(&w, goals, count);
    spread(&w);
    w.failed = !bpi_influence_begin(influence, &w.far);
  }
  bpi_depend_end(&w.near);
  bpi_depend_end(&w.far);
  bpi_release(w.branch);
  bpi_release(w.depth);
  bpi_vec_free(&w.order);
  if (!w.failed) return w.distance;
  bpi_release(w.distance);
  return NULL;
}
