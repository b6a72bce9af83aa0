/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <string.h>

void world_open(world *w, const char *text, const char *init, uint32_t levels)
{
  const bp_trace_options options = {.size = sizeof options, .levels = levels};
  memset(w, 0, sizeof *w);
  assert_int_equal(bp_context_new(&w->ctx), BP_OK);
  if (bp_program_parse(&w->p, w->ctx, text, strlen(text), "world", NULL) != BP_OK)
    fail_msg("%s", bp_context_message(w->ctx));
  assert_int_equal(bp_cfg_new(&w->cfg, w->ctx, w->p), BP_OK);
  assert_int_equal(bp_manager_new(&w->m, w->ctx, NULL), BP_OK);
  assert_int_equal(bp_query_new(&w->q, w->ctx, w->m, w->cfg, NULL), BP_OK);
  if (init) assert_int_equal(bp_query_set_init(w->q, init), BP_OK);
  assert_int_equal(bp_query_add_label(w->q, NULL, "R", NULL), BP_OK);
  assert_int_equal(bp_query_run(w->q), BP_OK);
  assert_int_equal(bp_query_verdict(w->q, 0), BP_REACHABLE);
  assert_int_equal(bp_trace_new(&w->t, w->q, 0, &options), BP_OK);
}

void world_close(world *w)
{
  bp_trace_unref(w->t);
  bp_query_unref(w->q);
  bp_manager_unref(w->m);
  bp_cfg_unref(w->cfg);
  bp_program_unref(w->p);
  bp_context_unref(w->ctx);
}

uint32_t world_proc(const world *w, const char *name)
{
  const uint32_t proc = bp_program_find_proc(w->p, name);
  assert_int_not_equal(proc, BP_NONE);
  return proc;
}

uint32_t world_vertex(const world *w, uint32_t line)
{
  const uint32_t vertex = bp_cfg_vertex_at(w->cfg, BP_NONE, line, 0);
  assert_int_not_equal(vertex, BP_NONE);
  return vertex;
}

uint32_t world_var(const world *w, const char *proc, const char *name)
{
  const uint32_t var = bp_program_find_var(w->p, proc ? world_proc(w, proc) : BP_NONE, name);
  assert_int_not_equal(var, BP_NONE);
  return var;
}

uint32_t world_step(const world *w, const bpi_path *path, uint32_t line)
{
  for (uint32_t i = 0; i < path->steps.count; i++) {
    bp_range range;
    bp_stmt_range(w->p, bp_cfg_vertex_stmt(w->cfg, path->steps.at[i].vertex), &range);
    if (range.line == line) return i;
  }
  fail_msg("no step on line %u", (unsigned)line);
  return BP_NONE;
}

/* ---- movers --------------------------------------------------------------- */

void mover_open(world *w, bpi_mover *mv)
{
  *mv = (bpi_mover){.t = w->t};
  assert_int_equal(bpi_query_begin(w->q), BP_OK);
  assert_int_equal(bpi_query_full(w->q, &mv->f), BP_OK);
  mv->changed = bpi_zalloc(mv->f->a.words, sizeof *mv->changed);
  assert_non_null(mv->changed);
}

void mover_close(world *w, bpi_mover *mv)
{
  assert_true(bpi_going(mv->f));
  assert_false(mv->f->broken);
  bpi_release(mv->changed);
  bpi_query_end(w->q);
}

bpi_bdd mover_literal(bpi_mover *mv, uint32_t var, int value)
{
  return bpi_bdd_literal(mv->f->m, bpi_bdd_var(bpi_slot_of(mv->f, var), BPI_CURRENT), value != 0);
}

int mover_values(bpi_mover *mv, bpi_bdd set, uint32_t var)
{
  int can = 0;
  for (int value = 0; value < 2; value++) {
    const bpi_bdd literal = mover_literal(mv, var, value);
    const bpi_bdd both = bpi_bdd_and(mv->f->m, set, literal);
    can |= (both != BPI_FALSE) << value;
    bpi_bdd_drop(mv->f->m, literal);
    bpi_bdd_drop(mv->f->m, both);
  }
  return can;
}
