/* SPDX-License-Identifier: MIT
 * Automata as regular expressions, by equations: Arden's rule turns a state that leads to itself into a
 * star. A state is put in place of its name only where that makes the text no longer: where it is used
 * once, or small. */
#include "pushdown/stacks.h"

enum { SMALL = 3 };

static void failed(bpi_equations *e)
{
  if (e->status == BP_OK) e->status = BP_E_NOMEM;
}

/* ---- expressions ------------------------------------------------------------------ */

static uint32_t node(bpi_equations *e, bpi_re_kind kind, uint32_t a, uint32_t b)
{
  const bpi_re re = {kind, a, b};
  if (e->pool.count < UINT32_MAX - 1 && bpi_vec_push(&e->pool, re)) return e->pool.count - 1;
  failed(e);
  return 0;
}

uint32_t bpi_re_cat(bpi_equations *e, uint32_t a, uint32_t b)
{
  return !a ? b : !b ? a : node(e, BPI_RE_CAT, a, b);
}

static uint32_t maybe(bpi_equations *e, uint32_t a)
{
  if (!a) return 0;
  const bpi_re_kind kind = e->pool.at[a].kind;
  return kind == BPI_RE_STAR || kind == BPI_RE_MAYBE ? a : node(e, BPI_RE_MAYBE, a, 0);
}

static uint32_t either(bpi_equations *e, uint32_t a, uint32_t b)
{
  return !a ? maybe(e, b) : !b ? maybe(e, a) : node(e, BPI_RE_OR, a, b);
}

static uint32_t looped(bpi_equations *e, const bpi_equation *q)
{
  return q->loop ? node(e, BPI_RE_STAR, q->loop, 0) : 0;
}

/* ---- making ------------------------------------------------------------------------ */

static void add_term(bpi_equations *e, bpi_equation *q, uint32_t expr, uint32_t to)
{
  const bpi_term term = {expr, to};
  if (!bpi_vec_push(&q->terms, term))
    failed(e);
  else
    e->states[to].uses++;
}

/* Which states lead to an end; NULL without memory. */
static uint8_t *live_states(const bp_stacks *s)
{
  const uint32_t count = s->states.count;
  uint64_t edges = 0;
  for (uint32_t i = 0; i < count; i++)
    edges += s->states.at[i].edges.count + 1;
  uint8_t *live = bpi_zalloc(count, 1);
  uint32_t *first = bpi_alloc(count, sizeof *first), *stack = bpi_alloc(count, sizeof *stack);
  bpi_stack_edge *back = bpi_alloc(edges, sizeof *back); /* symbol: the next of the list */
  const bool memory = live && first && stack && back;
  if (memory) {
    uint32_t used = 0, height = 0;
    memset(first, 0xFF, count * sizeof *first);
    for (uint32_t i = 0; i < count; i++) {
      const bpi_stack_state *state = &s->states.at[i];
      for (uint32_t k = 0; k <= state->edges.count; k++) {
        const uint32_t to = k < state->edges.count ? state->edges.at[k].to : state->otherwise;
        if (to == BP_NONE) continue;
        back[used] = (bpi_stack_edge){first[to], i};
        first[to] = used++;
      }
      if (state->accepts) live[stack[height++] = i] = 1;
    }
    while (height) {
      const uint32_t at = stack[--height];
      for (uint32_t k = first[at]; k != BP_NONE; k = back[k].symbol)
        if (!live[back[k].to]) live[stack[height++] = back[k].to] = 1;
    }
  }
  bpi_release(first);
  bpi_release(stack);
  bpi_release(back);
  if (memory) return live;
  bpi_release(live);
  return NULL;
}

static void make_equation(bpi_equations *e, uint32_t state, const uint8_t *live)
{
  const bpi_stack_state *from = &e->s->states.at[state];
  bpi_equation *q = &e->states[state];
  q->ends = from->accepts;
  for (uint32_t i = 0; i < from->edges.count && e->status == BP_OK; i++)
    if (live[from->edges.at[i].to])
      add_term(e, q, node(e, BPI_RE_SYMBOL, from->edges.at[i].symbol, 0), from->edges.at[i].to);
  if (from->otherwise != BP_NONE && live[from->otherwise])
    add_term(e, q, node(e, BPI_RE_ANY, 0, 0), from->otherwise);
}

/* ---- simplifying ------------------------------------------------------------------- */

static void drop_term(bpi_equations *e, bpi_equation *q, uint32_t i)
{
  e->states[q->terms.at[i].to].uses--;
  q->terms.at[i] = q->terms.at[--q->terms.count];
}

/* One term for each state, none back to `state` itself. The order of terms is kept. */
static void merge(bpi_equations *e, uint32_t state)
{
  bpi_equation *q = &e->states[state];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < q->terms.count; i++) {
    const bpi_term term = q->terms.at[i];
    uint32_t *place = &e->place[term.to];
    if (term.to == state) {
      q->loop = q->loop ? either(e, q->loop, term.expr) : term.expr;
    } else if (*place) {
      bpi_term *first = &q->terms.at[*place - 1];
      first->expr = either(e, first->expr, term.expr);
    } else {
      q->terms.at[kept++] = term;
      *place = kept;
      continue;
    }
    e->states[term.to].uses--;
  }
  q->terms.count = kept;
  for (uint32_t i = 0; i < kept; i++)
    e->place[q->terms.at[i].to] = 0;
}

/* Puts in place of the i-th term what its state is, which nothing else uses: all of it, if that is one
 * term; otherwise the way through it back to here. */
static bool substitute(bpi_equations *e, uint32_t state, uint32_t i)
{
  bpi_equation *q = &e->states[state];
  const bpi_term term = q->terms.at[i];
  bpi_equation *other = &e->states[term.to];
  if (other->uses != 1 || other == q) return false;
  uint32_t back = 0;
  while (back < other->terms.count && other->terms.at[back].to != state)
    back++;
  const bool whole = other->terms.count == 1 && !other->ends;
  if (whole) back = 0;
  if (back == other->terms.count) return false;
  const bpi_term through = other->terms.at[back];
  const uint32_t expr = bpi_re_cat(e, bpi_re_cat(e, term.expr, looped(e, other)), through.expr);
  if (e->status != BP_OK) return false;
  drop_term(e, other, back);
  if (whole || (!other->terms.count && !other->ends)) {
    q->terms.at[i] = (bpi_term){expr, through.to};
    other->uses--;
    e->states[through.to].uses++;
  } else {
    add_term(e, q, expr, through.to);
  }
  return true;
}

static bool simplify(bpi_equations *e, uint32_t state)
{
  bool changed = false;
  bpi_equation *q = &e->states[state];
  merge(e, state);
  for (uint32_t i = 0; i < q->terms.count && e->status == BP_OK; i++)
    while (e->status == BP_OK && substitute(e, state, i)) {
      changed = true;
      if (bpi_watch_expired(&e->watch)) e->status = BP_E_LIMIT;
      if (q->terms.at[i].to == state) break;
    }
  if (changed) merge(e, state);
  return changed;
}

void bpi_equations_make(bpi_equations *e, const bp_stacks *s)
{
  const uint32_t count = s->states.count, controls = s->p->controls.count;
  *e = (bpi_equations){.s = s, .watch = bpi_context_watch(s->ctx), .status = BP_OK};
  uint8_t *live = live_states(s);
  e->states = bpi_zalloc(count, sizeof *e->states);
  e->place = bpi_zalloc(count, sizeof *e->place);
  if (!live || !e->states || !e->place) failed(e);
  node(e, BPI_RE_EMPTY, 0, 0);
  for (uint32_t i = 0; i < count && e->status == BP_OK; i++)
    make_equation(e, i, live);
  bpi_release(live);
  for (bool changed = true; changed && e->status == BP_OK;) {
    changed = false;
    for (uint32_t i = controls; i < count && e->status == BP_OK; i++)
      if (e->states[i].uses) changed = simplify(e, i) || changed;
  }
}

void bpi_equations_free(bpi_equations *e)
{
  for (uint32_t i = 0; e->states && i < e->s->states.count; i++)
    bpi_vec_free(&e->states[i].terms);
  bpi_release(e->states);
  bpi_release(e->place);
  bpi_vec_free(&e->pool);
}

/* ---- what is written ------------------------------------------------------------------ */

/* It accepts the empty word alone. */
static bool is_end(const bpi_equation *q)
{
  return q->ends && !q->loop && !q->terms.count;
}

/* A few symbols, one after the other or to choose from. */
static bool is_small(const bpi_equations *e, const bpi_equation *q)
{
  if (q->loop || q->terms.count > 1) return false;
  if (!q->terms.count) return true;
  uint32_t expr = q->terms.at[0].expr;
  for (uint32_t i = 0; i < SMALL && e->pool.at[expr].kind >= BPI_RE_CAT; i++) {
    const bpi_re re = e->pool.at[expr];
    if ((re.kind != BPI_RE_CAT && re.kind != BPI_RE_OR) || e->pool.at[re.b].kind >= BPI_RE_CAT)
      return false;
    expr = re.a;
  }
  return e->pool.at[expr].kind < BPI_RE_CAT && is_end(&e->states[q->terms.at[0].to]);
}

bool bpi_equations_apart(const bpi_equations *e, uint32_t state)
{
  const bpi_equation *q = &e->states[state];
  return q->uses > 1 && !is_small(e, q);
}

uint32_t bpi_equations_expr(bpi_equations *e, uint32_t state)
{
  const bpi_equation *q = &e->states[state];
  uint32_t all = 0;
  for (uint32_t i = 0; i < q->terms.count && e->status == BP_OK; i++) {
    const bpi_term term = q->terms.at[i];
    const uint32_t rest = is_end(&e->states[term.to]) ? 0 : node(e, BPI_RE_STATE, term.to, 0);
    const uint32_t one = bpi_re_cat(e, term.expr, rest);
    all = i ? either(e, all, one) : one;
  }
  if (q->ends && q->terms.count) all = maybe(e, all);
  return bpi_re_cat(e, looped(e, q), all);
}
