/* SPDX-License-Identifier: MIT
 * The cone of influence: the variables that some condition on a way to a goal depends on. */
#include "cfg/analysis.h"

/* Dependences of variables and results, as pairs sorted by what depends. Results are numbered behind
 * the variables. */
typedef struct pair {
  uint32_t on, by; /* `by` depends on `on` */
} pair;

typedef struct cone {
  bpi_analysis *a;
  const bp_program *p;
  BPI_VEC(pair) pairs;
  uint32_t *first; /* by `by`: its slice of `sorted` */
  uint32_t *sorted;
  uint8_t *matters; /* variables, then results */
  uint32_t *todo;
  uint32_t todo_count, nodes;
  bool failed;
} cone;

static void seed(cone *c, uint32_t node)
{
  if (c->matters[node]) return;
  c->matters[node] = 1;
  c->todo[c->todo_count++] = node;
}

static void seed_expr(cone *c, uint32_t expr)
{
  uint32_t var;
  const bpi_expr x = bpi_expr_at(c->p, expr);
  BPI_FOR_VARS(c->p, &x, var) seed(c, var);
}

static void seed_code(cone *c, const bpi_instr *code, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (code[i].op == BPI_OP_VAR) seed(c, code[i].arg);
}

static void depend(cone *c, uint32_t by, uint32_t on)
{
  const pair d = {on, by};
  if (!bpi_vec_push(&c->pairs, d)) c->failed = true;
}

static void depend_expr(cone *c, uint32_t by, uint32_t expr)
{
  uint32_t var;
  const bpi_expr x = bpi_expr_at(c->p, expr);
  BPI_FOR_VARS(c->p, &x, var) depend(c, by, var);
}

static void scan_call(cone *c, const bpi_stmt *s)
{
  const bpi_proc *callee = &c->p->procs.at[s->callee];
  for (uint32_t i = 0; i < s->exprs.count; i++)
    depend_expr(c, callee->vars.first + i, s->exprs.first + i);
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = c->p->ids.at[s->targets.first + k];
    if (target != BP_NONE) depend(c, target, c->p->vars.count + c->a->result_first[s->callee] + k);
  }
}

static void scan_vertex(cone *c, const bpi_vertex *v)
{
  if (v->stmt == BP_NONE) return;
  const bpi_stmt stmt = bpi_stmt_at(c->p, v->stmt), *s = &stmt;
  switch (v->kind) {
  case BPI_VERTEX_BRANCH:
  case BPI_VERTEX_ASSUME:
  case BPI_VERTEX_ASSERT: seed_expr(c, s->exprs.first); break;
  case BPI_VERTEX_ASSIGN:
    for (uint32_t k = 0; k < s->exprs.count; k++) {
      const uint32_t target = c->p->ids.at[s->targets.first + k];
      if (target != BP_NONE) depend_expr(c, target, s->exprs.first + k);
    }
    if (s->constrain != BP_NONE) seed_expr(c, s->constrain);
    for (uint32_t e = bpi_enforce_of(c->a->cfg, v); e != BP_NONE;
         e = c->a->cfg->enforces.at[e].outer)
      seed_expr(c, c->a->cfg->enforces.at[e].expr);
    break;
  case BPI_VERTEX_CALL: scan_call(c, s); break;
  case BPI_VERTEX_RETURN:
    for (uint32_t k = 0; k < s->exprs.count; k++)
      depend_expr(c, c->p->vars.count + c->a->result_first[v->proc] + k, s->exprs.first + k);
    break;
  default: break;
  }
}

static bool sort_pairs(cone *c)
{
  c->first = bpi_zalloc((size_t)c->nodes + 2, sizeof *c->first);
  c->sorted = bpi_alloc(c->pairs.count, sizeof *c->sorted);
  if (!c->first || !c->sorted) return false;
  for (uint32_t i = 0; i < c->pairs.count; i++)
    c->first[c->pairs.at[i].by + 2]++;
  for (uint32_t n = 0; n < c->nodes; n++)
    c->first[n + 2] += c->first[n + 1];
  for (uint32_t i = 0; i < c->pairs.count; i++)
    c->sorted[c->first[c->pairs.at[i].by + 1]++] = c->pairs.at[i].on;
  return true;
}

static void close_cone(cone *c)
{
  while (c->todo_count) {
    const uint32_t node = c->todo[--c->todo_count];
    for (uint32_t i = c->first[node]; i < c->first[node + 1]; i++)
      seed(c, c->sorted[i]);
  }
}

static void take(cone *c, bool all)
{
  const uint32_t vars = c->p->vars.count;
  for (uint32_t i = 0; i < vars; i++) {
    c->a->var_matters[i] = all || c->matters[i];
    c->a->dropped_vars += !c->a->var_matters[i];
  }
  for (uint32_t i = vars; i < c->nodes; i++)
    c->a->result_matters[i - vars] = all || c->matters[i];
}

bp_status bpi_cone(bpi_analysis *a, const bpi_goal *goals, uint32_t count,
                   const bpi_analysis_options *options)
{
  const bool on = options->cone;
  const bp_cfg *cfg = a->cfg;
  const uint32_t results = a->result_first[cfg->program->procs.count];
  cone c = {.a = a, .p = cfg->program, .nodes = cfg->program->vars.count + results};
  a->var_matters = bpi_zalloc(c.p->vars.count, 1);
  a->result_matters = bpi_zalloc(results, 1);
  c.matters = bpi_zalloc(c.nodes, 1);
  c.todo = bpi_alloc(c.nodes, sizeof *c.todo);
  c.failed = !a->var_matters || !a->result_matters || !c.matters || !c.todo;
  for (uint32_t v = 0; on && !c.failed && v < cfg->vertices.count; v++)
    if (a->explore[v]) scan_vertex(&c, &cfg->vertices.at[v]);
  for (uint32_t g = 0; on && !c.failed && g < count; g++)
    seed_code(&c, goals[g].when, goals[g].when_count);
  if (on && !c.failed) seed_code(&c, options->start, options->start_count);
  if (on && !c.failed) c.failed = !sort_pairs(&c);
  if (on && !c.failed) close_cone(&c);
  if (!c.failed) take(&c, !on);
  bpi_vec_free(&c.pairs);
  bpi_release(c.first);
  bpi_release(c.sorted);
  bpi_release(c.matters);
  bpi_release(c.todo);
  return c.failed ? BP_E_NOMEM : BP_OK;
}
