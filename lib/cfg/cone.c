/* SPDX-License-Identifier: MIT
 * The cone of influence: the variables that some condition on a way to a goal depends on. */
#include "cfg/depend.h"

typedef struct cone {
  bpi_analysis *a;
  const bp_program *p;
  bpi_depends depends;
  uint8_t *matters; /* variables, then results */
  uint32_t *todo;
  uint32_t todo_count, nodes;
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

/* The conditions at a vertex. */
static void seed_vertex(cone *c, const bpi_vertex *v)
{
  if (v->stmt == BP_NONE) return;
  if (v->kind == BPI_VERTEX_BRANCH || v->kind == BPI_VERTEX_ASSUME || v->kind == BPI_VERTEX_ASSERT)
    seed_expr(c, bpi_stmt_at(c->p, v->stmt).exprs.first);
  if (v->kind != BPI_VERTEX_ASSIGN) return;
  const uint32_t constrain = bpi_stmt_at(c->p, v->stmt).constrain;
  if (constrain != BP_NONE) seed_expr(c, constrain);
  for (uint32_t e = bpi_enforce_of(c->a->cfg, v); e != BP_NONE; e = c->a->cfg->enforces.at[e].outer)
    seed_expr(c, c->a->cfg->enforces.at[e].expr);
}

static void close_cone(cone *c)
{
  while (c->todo_count) {
    const uint32_t node = c->todo[--c->todo_count];
    for (uint32_t i = c->depends.first[node]; i < c->depends.first[node + 1]; i++)
      seed(c, c->depends.sorted[i]);
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

/* False without memory. */
static bool compute(cone *c, const bpi_goal *goals, uint32_t count,
                    const bpi_analysis_options *options)
{
  const bp_cfg *cfg = c->a->cfg;
  for (uint32_t v = 0; v < cfg->vertices.count; v++)
    if (c->a->explore[v]) seed_vertex(c, &cfg->vertices.at[v]);
  for (uint32_t g = 0; g < count; g++)
    seed_code(c, goals[g].when, goals[g].when_count);
  seed_code(c, options->start, options->start_count);
  for (uint32_t p = 0; options->kept && p < c->p->procs.count; p++)
    seed(c, options->kept[p]);
  if (c->todo_count == c->nodes) return true; /* all of them: nothing to find */
  bpi_depend_on_values(&c->depends);
  bpi_depend_sort(&c->depends);
  if (c->depends.failed) return false;
  close_cone(c);
  return true;
}

bp_status bpi_cone(bpi_analysis *a, const bpi_goal *goals, uint32_t count,
                   const bpi_analysis_options *options)
{
  cone c = {.a = a, .p = a->cfg->program};
  bpi_depend_begin(&c.depends, a);
  c.nodes = c.depends.nodes;
  a->var_matters = bpi_zalloc(c.p->vars.count, 1);
  a->result_matters = bpi_zalloc(c.nodes - c.p->vars.count, 1);
  c.matters = bpi_zalloc(c.nodes, 1);
  c.todo = bpi_alloc(c.nodes, sizeof *c.todo);
  bool memory = a->var_matters && a->result_matters && c.matters && c.todo;
  if (memory && options->cone) memory = compute(&c, goals, count, options);
  if (memory) take(&c, !options->cone);
  bpi_depend_end(&c.depends);
  bpi_release(c.matters);
  bpi_release(c.todo);
  return memory ? BP_OK : BP_E_NOMEM;
}
