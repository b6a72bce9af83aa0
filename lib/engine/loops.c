/* SPDX-License-Identifier: MIT
 * A loop is a relation between the values before and after one round. Its reflexive transitive closure,
 * found by squaring, takes a set at the head to all states in which executions come back there, however
 * many rounds they make: a counter of n bits closes after about n squarings (Burch, Clarke, McMillan,
 * Dill & Hwang, LICS 1990). */
#include "engine/loops.h"

#include "engine/region.h"

enum {
  MOST_SQUARINGS = 300,
  MOST_NODES = 50000, /* of a relation */
  LEAST_BUDGET = 4    /* work of the BDD kernel */
};

/* ---- the closure --------------------------------------------------------- */

/* From the form of path edges to that of an edge, and the set to quantify. False when stopped. */
static bool edge_form(bpi_region *r, const bpi_rename **rename, bpi_bdd *quant)
{
  bpi_engine *e = r->e;
  BPI_VEC(uint32_t) from = {0}, to = {0};
  bool memory = true;
  for (uint32_t i = 0; i < e->a.places; i++) {
    const uint32_t slot = e->layout.slot[i];
    if (bpi_bit(r->copied, i))
      memory &= bpi_vec_push(&from, bpi_bdd_var(slot, BPI_ENTRY)) &&
                bpi_vec_push(&to, bpi_bdd_var(slot, BPI_CURRENT));
    if (bpi_bit(r->changed, i))
      memory &= bpi_vec_push(&from, bpi_bdd_var(slot, BPI_CURRENT)) &&
                bpi_vec_push(&to, bpi_bdd_var(slot, BPI_NEXT));
  }
  if (memory)
    *rename = bpi_bdd_rename_new(e->m, from.at, to.at, from.count);
  else
    e->stop = BP_REASON_MEMORY;
  bpi_vec_free(&from);
  bpi_vec_free(&to);
  *quant = bpi_place_set(e, r->copied, BPI_CURRENT);
  return bpi_going(e);
}

static bool add_extra(bpi_engine *e, bpi_body *body, bpi_bdd rel, bpi_bdd quant)
{
  const bpi_part part = {rel, bpi_bdd_keep(e->m, quant)};
  const bpi_edge edge = {.first = e->parts.count, .count = 1, .made = 1, .shifts = 1};
  if (bpi_going(e) && bpi_vec_reserve(&e->parts, 1) && bpi_vec_push(&body->extra, edge)) {
    e->parts.at[e->parts.count++] = part;
    return true;
  }
  bpi_bdd_drop(e->m, part.rel);
  bpi_bdd_drop(e->m, part.quant);
  return false;
}

/* Squares `rel`, which is given away, until it stays the same; FALSE: not to be had. */
static bpi_bdd closure_of(bpi_engine *e, bpi_bdd rel, const bpi_rename *rename, bpi_bdd quant)
{
  for (uint32_t i = 0; i < MOST_SQUARINGS && bpi_going(e); i++) {
    const bpi_bdd step = bpi_bdd_rename(e->m, rel, rename);
    const bpi_bdd twice = bpi_bdd_image(e->m, rel, step, quant);
    const bool done = twice == rel && bpi_going(e);
    bpi_bdd_drop(e->m, step);
    bpi_bdd_drop(e->m, rel);
    rel = twice;
    if (done) return rel;
    if (bpi_bdd_node_count(e->m, rel) > MOST_NODES) break;
  }
  bpi_bdd_drop(e->m, rel);
  return BPI_FALSE;
}

/* The hops of the head become the ways out of the loop, each going on as the edges did that it ends
 * with. */
static bool replace_hops(bpi_region *r, bpi_node *node, const bpi_rename *rename, bpi_bdd quant)
{
  bpi_engine *e = r->e;
  const uint32_t first = r->body->hop_count;
  bpi_bodies_begin_hops(e);
  for (uint32_t i = 0; i < r->out.count; i++) {
    const bpi_bdd rel = bpi_bdd_rename(e->m, r->out.at[i].rel, rename);
    if (!add_extra(e, r->body, rel, quant)) return false;
    if (!bpi_body_way_out(e, r->body, r->proc, r->out.at[i].vertex, r->body->extra.count - 1,
                          i + 1 == r->out.count))
      return false;
  }
  if (!bpi_body_append_hops(e, r->body)) return false;
  node->first = first;
  node->count = r->body->hop_count - first;
  return true;
}

static bool close_round(bpi_region *r)
{
  bpi_engine *e = r->e;
  bpi_node *node = &r->body->nodes[r->body->spots[r->head - r->first].node];
  const bpi_rename *rename = NULL;
  bpi_bdd quant = BPI_FALSE, closure = BPI_FALSE;
  bool done = edge_form(r, &rename, &quant);
  if (done) closure = closure_of(e, bpi_bdd_or(e->m, r->start, r->through), rename, quant);
  done = done && closure != BPI_FALSE &&
         add_extra(e, r->body, bpi_bdd_rename(e->m, closure, rename), quant);
  const uint32_t number = r->body->extra.count - 1;
  done = done && replace_hops(r, node, rename, quant);
  if (done) node->closure = number;
  bpi_bdd_drop(e->m, closure);
  bpi_bdd_drop(e->m, quant);
  return done;
}

/* ---- attempts ------------------------------------------------------------ */

bool bpi_loop_close(bpi_engine *e, uint32_t proc, uint32_t head, uint32_t nesting)
{
  const bpi_body *body = e->procs[proc].body;
  bpi_node *node = &body->nodes[body->spots[head - e->cfg->procs.at[proc].vertices.first].node];
  if (node->closure != BP_NONE) return true;
  if (node->open) return false;
  bpi_region r;
  const bool done = bpi_region_of_loop(&r, e, proc, head, nesting) && close_round(&r);
  if (r.open) node->open = true;
  if (r.several) node->several = true;
  bpi_region_clear(&r);
  return done;
}

void bpi_loop_visit(bpi_engine *e, const bpi_instance *in, uint32_t node)
{
  bpi_body *body = in->body;
  bpi_node *n = &body->nodes[node];
  if (n->open || n->closure != BP_NONE || ++n->visits < n->next_try) return;
  const uint32_t vertex = e->cfg->procs.at[in->proc].vertices.first + n->vertex;
  if ((e->off & BP_ENGINE_LOOP) || !bpi_is_head(e, vertex)) {
    n->open = true;
    return;
  }
  const uint64_t budget = ((uint64_t)LEAST_BUDGET << n->attempts++) + bpi_bdd_work(e->m) / 16;
  const uint64_t outer = bpi_bdd_budget(e->m, budget);
  bpi_loop_close(e, in->proc, vertex, 0);
  bpi_bdd_end_budget(e->m, outer);
  if (e->stop == BP_REASON_MEMORY) e->stop = BP_REASON_NONE; /* the work can do without */
  n->next_try = n->visits * 4;
}
