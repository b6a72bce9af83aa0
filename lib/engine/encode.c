/* SPDX-License-Identifier: MIT
 * Statements as relations between CURRENT and NEXT copies. */
#include "engine/body.h"
#include "engine/operators.h"

/* Conjuncts of a wide assignment are gathered until their relation has this many nodes; then a new
 * one begins, so that old values are quantified as early as possible. */
enum { PART_NODES = 1000 };

/* ---- expressions --------------------------------------------------------- */

typedef bpi_choices value;

static value constant(bool truth)
{
  return (value){truth ? BPI_TRUE : BPI_FALSE, truth ? BPI_FALSE : BPI_TRUE};
}

static value read_var(bpi_engine *e, bpi_instr in, bpi_reading reading, const uint64_t *assigned)
{
  const bool after =
      reading == BPI_READ_AFTER || (reading == BPI_READ_PRIMED && in.op == BPI_OP_NEXT);
  const bool next = after && bpi_bit(assigned, e->a.place[in.arg]);
  const uint32_t var = bpi_bdd_var(bpi_slot_of(e, in.arg), next ? BPI_NEXT : BPI_CURRENT);
  return (value){bpi_bdd_literal(e->m, var, true), bpi_bdd_literal(e->m, var, false)};
}

static value leaf(bpi_engine *e, bpi_instr in, bpi_reading reading, const uint64_t *assigned)
{
  switch (in.op) {
  case BPI_OP_FALSE: return constant(false);
  case BPI_OP_TRUE: return constant(true);
  case BPI_OP_VAR:
  case BPI_OP_NEXT: return read_var(e, in, reading, assigned);
  default: return (value){BPI_TRUE, BPI_TRUE}; /* a free choice */
  }
}

static void drop_value(bp_manager *m, value v)
{
  bpi_bdd_drop(m, v.yes);
  bpi_bdd_drop(m, v.no);
}

void bpi_encode(bpi_engine *e, const bpi_instr *code, uint32_t count, bpi_reading reading,
                const uint64_t *assigned, bpi_bdd *can_hold, bpi_bdd *can_fail)
{
  BPI_VEC(value) stack = {0};
  bpi_registers kept = {0};
  bool memory = true;
  for (uint32_t i = 0; i < count && memory; i++) {
    const uint32_t arity = bpi_op_arity(code[i].op);
    value v;
    if (code[i].op == BPI_OP_KEEP) {
      memory = bpi_registers_keep(e->m, &kept, code[i].arg, stack.at[stack.count - 1]);
      continue;
    }
    if (code[i].op == BPI_OP_KEPT) {
      v = bpi_registers_kept(e->m, &kept, code[i].arg);
    } else if (arity) {
      const value *x = stack.at + stack.count - arity;
      v = bpi_choices_combine(e->m, code[i].op, x);
      for (uint32_t k = 0; k < arity; k++)
        drop_value(e->m, x[k]);
      stack.count -= arity;
    } else {
      v = leaf(e, code[i], reading, assigned);
    }
    memory = bpi_vec_push(&stack, v);
    if (!memory) drop_value(e->m, v);
  }
  if (!memory && e->stop == BP_REASON_NONE) e->stop = BP_REASON_MEMORY;
  const bool done = memory && stack.count == 1;
  *can_hold = done ? stack.at[0].yes : BPI_FALSE;
  *can_fail = done ? stack.at[0].no : BPI_FALSE;
  for (uint32_t i = 0; !done && i < stack.count; i++)
    drop_value(e->m, stack.at[i]);
  bpi_vec_free(&stack);
  bpi_registers_clear(e->m, &kept);
}

static void encode_expr(bpi_engine *e, uint32_t expr, bpi_reading reading, const uint64_t *assigned,
                        bpi_bdd *can_hold, bpi_bdd *can_fail)
{
  const bpi_expr x = bpi_expr_at(e->p, expr);
  bpi_encode(e, e->p->code.at + x.first, x.count, reading, assigned, can_hold, can_fail);
}

bpi_bdd bpi_place_set(bpi_engine *e, const uint64_t *places, bpi_copy copy)
{
  e->vars.count = 0;
  for (uint32_t w = 0; w < e->a.words; w++)
    for (uint64_t left = places[w]; left; left &= left - 1) {
      const uint32_t place = w * 64 + (uint32_t)__builtin_ctzll(left);
      if (!bpi_vec_push(&e->vars, bpi_bdd_var(e->layout.slot[place], copy)))
        e->stop = BP_REASON_MEMORY;
    }
  return bpi_bdd_set(e->m, e->vars.at, e->vars.count);
}

/* ---- edges --------------------------------------------------------------- */

static void add_part(bpi_engine *e, bpi_edge *edge, bpi_bdd rel, bpi_bdd quant)
{
  const bpi_part part = {rel, quant};
  if (bpi_vec_push(&e->parts, part)) {
    edge->count++;
    return;
  }
  bpi_bdd_drop(e->m, rel);
  bpi_bdd_drop(e->m, quant);
  e->stop = BP_REASON_MEMORY;
}

/* (var and can_hold) or (not var and can_fail), which drops both */
static bpi_bdd becomes(bpi_engine *e, uint32_t var, bpi_bdd can_hold, bpi_bdd can_fail)
{
  const bpi_bdd literal = bpi_bdd_literal(e->m, var, true);
  const bpi_bdd rel = bpi_bdd_ite(e->m, literal, can_hold, can_fail);
  bpi_bdd_drop(e->m, literal);
  bpi_bdd_drop(e->m, can_hold);
  bpi_bdd_drop(e->m, can_fail);
  return rel;
}

/* The guard of an edge, TRUE when the vertex has none. */
static bpi_bdd guard_of(bpi_engine *e, const bpi_vertex *v, uint32_t i)
{
  bpi_bdd can_hold = BPI_TRUE, can_fail = BPI_TRUE;
  if (v->kind != BPI_VERTEX_BRANCH && v->kind != BPI_VERTEX_ASSUME && v->kind != BPI_VERTEX_ASSERT)
    return BPI_TRUE;
  encode_expr(e, bpi_stmt_at(e->p, v->stmt).exprs.first, BPI_READ_CURRENT, NULL, &can_hold,
              &can_fail);
  const bool fails = v->negated != (v->kind == BPI_VERTEX_BRANCH && i == 1);
  bpi_bdd_drop(e->m, fails ? can_hold : can_fail);
  return fails ? can_fail : can_hold;
}

/* The constraint clause and the enforce statements in force over the values after. */
static bpi_bdd constraint_of(bpi_engine *e, const bpi_vertex *v, const uint64_t *assigned)
{
  const bpi_stmt stmt = bpi_stmt_at(e->p, v->stmt), *s = &stmt;
  bpi_bdd all = BPI_TRUE, can_hold, can_fail;
  if (s->constrain != BP_NONE) {
    encode_expr(e, s->constrain, BPI_READ_PRIMED, assigned, &can_hold, &can_fail);
    bpi_bdd_drop(e->m, can_fail);
    bpi_conjoin(e, &all, can_hold);
  }
  for (uint32_t n = bpi_enforce_of(e->cfg, v); n != BP_NONE; n = e->cfg->enforces.at[n].outer) {
    encode_expr(e, e->cfg->enforces.at[n].expr, BPI_READ_AFTER, assigned, &can_hold, &can_fail);
    bpi_bdd_drop(e->m, can_fail);
    bpi_conjoin(e, &all, can_hold);
  }
  return all;
}

/* The conjuncts of an assignment, appended to e->operands: for each effective target that is live
 * after or constrained, what it becomes; last the constraint. Returns false when stopped. Fills
 * `assigned` and marks in `fresh` the places that get a NEXT copy. */
static void assignment_conjuncts(bpi_engine *e, const bpi_vertex *v, const uint64_t *live,
                                 uint64_t *assigned, uint64_t *fresh)
{
  const bpi_stmt stmt = bpi_stmt_at(e->p, v->stmt), *s = &stmt;
  const bool constrained = s->constrain != BP_NONE || bpi_enforce_of(e->cfg, v) != BP_NONE;
  memset(assigned, 0, e->a.words * sizeof *assigned);
  memset(fresh, 0, e->a.words * sizeof *fresh);
  e->operands.count = 0;
  /* Without constraint, what is dead afterwards needs no value; with one, it may be asked about. */
  for (uint32_t k = s->targets.count; k-- > 0;) {
    const uint32_t target = e->p->ids.at[s->targets.first + k];
    if (target == BP_NONE || !e->a.var_matters[target]) continue;
    const uint32_t place = e->a.place[target];
    if (bpi_bit(assigned, place)) continue; /* given again further right */
    bpi_bit_add(assigned, place);
    if (!constrained && !bpi_bit(live, place)) continue;
    bpi_bdd can_hold, can_fail;
    bpi_bit_add(fresh, place);
    encode_expr(e, s->exprs.first + k, BPI_READ_CURRENT, NULL, &can_hold, &can_fail);
    const bpi_bdd rel =
        becomes(e, bpi_bdd_var(bpi_slot_of(e, target), BPI_NEXT), can_hold, can_fail);
    if (!bpi_vec_push(&e->operands, rel)) {
      bpi_bdd_drop(e->m, rel);
      e->stop = BP_REASON_MEMORY;
    }
  }
  if (!constrained) return;
  const bpi_bdd all = constraint_of(e, v, assigned);
  if (!bpi_vec_push(&e->operands, all)) {
    bpi_bdd_drop(e->m, all);
    e->stop = BP_REASON_MEMORY;
  }
}

/* Of the variables in `quant`, those that no later part mentions; the others stay in `quant`. */
static bpi_bdd free_now(bpi_engine *e, bpi_bdd *quant, uint32_t from)
{
  bpi_vars later = {0};
  bool memory = true;
  for (uint32_t k = from; k < e->operands.count; k++)
    memory &= bpi_bdd_support(e->m, e->operands.at[k], &later);
  if (!memory) e->stop = BP_REASON_MEMORY;
  const bpi_bdd used = bpi_bdd_set(e->m, later.at, later.count);
  bpi_vec_free(&later);
  const bpi_bdd now = bpi_bdd_exists(e->m, *quant, used);
  const bpi_bdd rest = bpi_bdd_exists(e->m, *quant, now);
  bpi_bdd_drop(e->m, used);
  bpi_bdd_drop(e->m, *quant);
  *quant = rest;
  return now;
}

/* Gathers the conjuncts into parts. `quant` is given away. */
static void gather_parts(bpi_engine *e, bpi_edge *edge, bpi_bdd quant)
{
  bpi_bdd rel = BPI_TRUE;
  for (uint32_t k = 0; k < e->operands.count; k++) {
    bpi_conjoin(e, &rel, e->operands.at[k]);
    e->operands.at[k] = BPI_FALSE;
    const bool last = k + 1 == e->operands.count;
    if (last || (k % 8 == 7 && bpi_bdd_node_count(e->m, rel) > PART_NODES)) {
      if (last) break;
      add_part(e, edge, rel, free_now(e, &quant, k + 1));
      rel = BPI_TRUE;
    }
  }
  e->operands.count = 0;
  add_part(e, edge, rel, quant);
}

void bpi_add_open(const bpi_engine *e, uint32_t expr, const uint64_t *live, uint64_t *places)
{
  uint32_t var;
  const bpi_expr x = bpi_expr_at(e->p, expr);
  BPI_FOR_VARS(e->p, &x, var)
  {
    const uint32_t place = e->a.place[var];
    if (place != BP_NONE && !bpi_bit(live, place)) bpi_bit_add(places, place);
  }
}

/* What the expressions at a vertex read of what is not tracked. */
static void add_open_of(bpi_engine *e, const bpi_vertex *v, const uint64_t *live, uint64_t *places)
{
  if (v->stmt == BP_NONE) return;
  const bpi_stmt s = bpi_stmt_at(e->p, v->stmt);
  for (uint32_t k = 0; k < s.exprs.count; k++)
    bpi_add_open(e, s.exprs.first + k, live, places);
  if (v->kind != BPI_VERTEX_ASSIGN) return;
  if (s.constrain != BP_NONE) bpi_add_open(e, s.constrain, live, places);
  for (uint32_t n = bpi_enforce_of(e->cfg, v); n != BP_NONE; n = e->cfg->enforces.at[n].outer)
    bpi_add_open(e, e->cfg->enforces.at[n].expr, live, places);
}

/* What is quantified: what is known before and not live after, what is overwritten, and what is not
 * tracked. */
static bpi_bdd quant_of(bpi_engine *e, const bpi_vertex *v, const uint64_t *before,
                        const uint64_t *after, const uint64_t *overwritten)
{
  uint64_t *gone = e->sets;
  for (uint32_t w = 0; w < e->a.words; w++)
    gone[w] = before[w] & (~after[w] | (overwritten ? overwritten[w] : 0));
  if (e->a.tracked) add_open_of(e, v, before, gone);
  return bpi_place_set(e, gone, BPI_CURRENT);
}

static void make_assign(bpi_engine *e, bpi_edge *edge, const bpi_vertex *v, const uint64_t *before,
                        const uint64_t *after)
{
  uint64_t *assigned = e->sets + e->a.words, *fresh = assigned + e->a.words;
  assignment_conjuncts(e, v, after, assigned, fresh);
  bpi_bdd quant = quant_of(e, v, before, after, assigned);
  edge->shifts = 0;
  for (uint32_t w = 0; w < e->a.words; w++) {
    edge->shifts |= fresh[w] != 0;
    fresh[w] &= ~after[w]; /* had a value for the constraint only */
  }
  bpi_conjoin(e, &quant, bpi_place_set(e, fresh, BPI_NEXT));
  gather_parts(e, edge, quant);
}

static void make_havoc(bpi_engine *e, bpi_edge *edge, const bpi_vertex *v, const uint64_t *before,
                       const uint64_t *after)
{
  const bpi_stmt stmt = bpi_stmt_at(e->p, v->stmt), *s = &stmt;
  uint64_t *assigned = e->sets + e->a.words;
  memset(assigned, 0, e->a.words * sizeof *assigned);
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = e->p->ids.at[s->targets.first + k];
    if (e->a.var_matters[target]) bpi_bit_add(assigned, e->a.place[target]);
  }
  add_part(e, edge, BPI_TRUE, quant_of(e, v, before, after, assigned));
}

static void make_return(bpi_engine *e, bpi_edge *edge, const bpi_vertex *v, const uint64_t *before,
                        const uint64_t *after)
{
  bpi_bdd rel = BPI_TRUE;
  const bpi_stmt stmt = v->stmt == BP_NONE ? (bpi_stmt){0} : bpi_stmt_at(e->p, v->stmt);
  const bpi_stmt *s = v->stmt == BP_NONE ? NULL : &stmt;
  for (uint32_t k = 0; s && k < s->exprs.count && e->a.summary[v->proc]; k++) {
    bpi_bdd can_hold, can_fail;
    if (!e->a.result_matters[e->a.result_first[v->proc] + k]) continue;
    encode_expr(e, s->exprs.first + k, BPI_READ_CURRENT, NULL, &can_hold, &can_fail);
    const uint32_t var = bpi_bdd_var(e->layout.result_slot[k], BPI_CURRENT);
    bpi_conjoin(e, &rel, becomes(e, var, can_hold, can_fail));
  }
  add_part(e, edge, rel, quant_of(e, v, before, after, NULL));
}

static void drop_parts(bpi_engine *e, bpi_edge *edge)
{
  for (uint32_t i = edge->first; i < edge->first + edge->count; i++) {
    bpi_bdd_drop(e->m, e->parts.at[i].rel);
    bpi_bdd_drop(e->m, e->parts.at[i].quant);
  }
  e->parts.count = edge->first;
  edge->count = 0;
}

const bpi_edge *bpi_edge_of(bpi_engine *e, uint32_t vertex, uint32_t i)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  bpi_body *body = bpi_body_of(e, v->proc);
  if (!body) return NULL;
  const uint32_t first = e->cfg->procs.at[v->proc].vertices.first;
  bpi_edge *edge = &body->edges[body->spots[vertex - first].edge + i];
  if (edge->made) return edge;
  const uint64_t *before = bpi_live(&e->a, vertex);
  const uint64_t *after = bpi_live(&e->a, e->cfg->succs.at[bpi_succs(v).first + i]);
  *edge = (bpi_edge){.first = e->parts.count};
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN: make_assign(e, edge, v, before, after); break;
  case BPI_VERTEX_HAVOC: make_havoc(e, edge, v, before, after); break;
  case BPI_VERTEX_RETURN: make_return(e, edge, v, before, after); break;
  default: add_part(e, edge, guard_of(e, v, i), quant_of(e, v, before, after, NULL));
  }
  edge->made = bpi_going(e);
  if (edge->made) return edge;
  drop_parts(e, edge);
  for (uint32_t k = 0; k < e->operands.count; k++)
    bpi_bdd_drop(e->m, e->operands.at[k]);
  e->operands.count = 0;
  return NULL;
}

bpi_bdd bpi_image(bpi_engine *e, const bpi_edge *edge, bpi_bdd set)
{
  const bpi_part *part = &e->parts.at[edge->first], *last = part + edge->count - 1;
  bpi_bdd image = bpi_bdd_keep(e->m, set);
  for (; part <= last && image != BPI_FALSE; part++) {
    const bpi_bdd next = part == last && edge->shifts
                             ? bpi_bdd_image(e->m, image, part->rel, part->quant)
                             : bpi_bdd_and_exists(e->m, image, part->rel, part->quant);
    bpi_bdd_drop(e->m, image);
    image = next;
  }
  return image;
}
