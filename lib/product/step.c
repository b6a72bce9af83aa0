/* SPDX-License-Identifier: MIT
 * The automaton's step as an assignment: `q, seen := *, * constrain T`. */
#include "product/emit.h"

/* The number of the state in binary, as a conjunction; `op` VAR: now, NEXT: afterwards. */
static void put_state(bpi_emit *x, uint32_t state, bpi_op op, uint32_t *count)
{
  for (uint32_t bit = 0; bit < x->a->bits; bit++) {
    bpi_emit_op(x, op, x->out->state + bit);
    if (!(state >> bit & 1)) bpi_emit_op(x, BPI_OP_NOT, 0);
    bpi_emit_join(x, BPI_OP_AND, count);
  }
}

static void put_cube(bpi_emit *x, bpi_slice cube, const int8_t *values)
{
  uint32_t count = 0;
  for (uint32_t i = cube.first; i < cube.first + cube.count; i++) {
    const uint32_t literal = x->a->literals.at[i];
    if (values[literal / 2] >= 0) continue;
    const bpi_code *value = &x->props->at[literal / 2].value;
    bpi_emit_copy(x, value->at, value->count, NULL);
    if (literal & 1) bpi_emit_op(x, BPI_OP_NOT, 0);
    bpi_emit_join(x, BPI_OP_AND, &count);
  }
}

static void put_label(bpi_emit *x, const bpi_auto_edge *e, const int8_t *values)
{
  uint32_t count = 0, literals;
  for (uint32_t c = e->cubes.first; c < e->cubes.first + e->cubes.count; c++) {
    if (bpi_auto_excludes(x->a, x->a->cubes.at[c], values, &literals)) continue;
    put_cube(x, x->a->cubes.at[c], values);
    bpi_emit_join(x, BPI_OP_OR, &count);
  }
}

static uint32_t memory_var(const bpi_emit *x)
{
  return x->options.memory == BPI_MEMORY_GLOBAL ? x->out->accepted : x->seen;
}

static void put_memory(bpi_emit *x, const bpi_auto_edge *e, uint32_t *count)
{
  if (x->options.memory == BPI_MEMORY_NONE) return;
  bpi_emit_op(x, BPI_OP_NEXT, memory_var(x));
  if (!e->accepting) {
    bpi_emit_op(x, BPI_OP_VAR, memory_var(x));
    bpi_emit_op(x, BPI_OP_EQ, 0);
  }
  bpi_emit_join(x, BPI_OP_AND, count);
}

/* What follows the edge, given that the automaton is where it begins. */
static void put_edge(bpi_emit *x, const bpi_auto_edge *e, const int8_t *values, bool always)
{
  uint32_t count = 0;
  if (!always) {
    put_label(x, e, values);
    bpi_emit_join(x, BPI_OP_AND, &count);
  }
  put_state(x, e->to, BPI_OP_NEXT, &count);
  put_memory(x, e, &count);
  if (!count) bpi_emit_op(x, BPI_OP_TRUE, 0);
}

/* The transition relation, as one expression. */
static void put_relation(bpi_emit *x, const int8_t *values)
{
  uint32_t states = 0;
  for (uint32_t s = 0; s < x->a->states && bpi_emit_going(x); s++) {
    uint32_t edges = 0, count = 0;
    for (uint32_t i = x->a->first[s]; i < x->a->first[s + 1]; i++) {
      bool always;
      if (!bpi_auto_opens(x->a, &x->a->edges.at[i], values, &always)) continue;
      put_edge(x, &x->a->edges.at[i], values, always);
      bpi_emit_join(x, BPI_OP_OR, &edges);
    }
    if (!edges) continue;
    count = 1;
    put_state(x, s, BPI_OP_VAR, &count);
    bpi_emit_join(x, BPI_OP_OR, &states);
  }
  if (!states) bpi_emit_op(x, BPI_OP_FALSE, 0);
  bpi_emit_expr(x);
}

static void put_free(bpi_emit *x, uint32_t var)
{
  bpi_emit_check(x, bpi_vec_push(&x->p->ids, var));
  bpi_emit_op(x, BPI_OP_NONDET, 0);
  bpi_emit_expr(x);
}

static uint32_t find_step(const bpi_emit *x, const int8_t *values)
{
  for (uint32_t i = 0; i < x->steps.count; i++)
    if (!memcmp(x->values.at + x->steps.at[i].values, values, x->props->count))
      return x->steps.at[i].stmt;
  return BP_NONE;
}

uint32_t bpi_emit_step(bpi_emit *x, uint32_t vertex, bool failed)
{
  const uint32_t aps = x->props->count, mark = x->values.count;
  if (!bpi_vec_reserve(&x->values, aps + 1)) {
    x->status = BP_E_NOMEM;
    return BP_NONE;
  }
  int8_t *values = x->values.at + mark;
  for (uint32_t i = 0; i < aps; i++)
    values[i] = (int8_t)bpi_prop_at(&x->props->at[i], x->source, vertex, failed);
  const uint32_t known = find_step(x, values);
  if (known != BP_NONE) return known;
  x->values.count += aps;
  const uint32_t ids = x->p->ids.count, exprs = x->p->exprs.count;
  for (uint32_t bit = 0; bit < x->a->bits; bit++)
    put_free(x, x->out->state + bit);
  if (x->options.memory != BPI_MEMORY_NONE) put_free(x, memory_var(x));
  put_relation(x, values);
  const uint32_t stmt = bpi_emit_stmt(x, BP_STMT_ASSIGN, ids, exprs, true);
  bpi_emit_check(x, bpi_vec_push(&x->steps, (bpi_auto_step){stmt, mark}));
  return stmt;
}
