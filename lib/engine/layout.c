/* SPDX-License-Identifier: MIT
 * The static variable order. Places and results are the cells of a line; statements tie cells
 * together; FORCE (Aloul, Markov & Sakallah, GLSVLSI 2003) moves each cell to the middle of what it
 * is tied to until the ties stop getting shorter. */
#include "base/hash.h"
#include "engine/engine.h"
#include "engine/numbers.h"

#include <stdlib.h>

enum { ROUNDS = 40, PATIENCE = 5, MOST_PINS = 4000000, SMALL_PART = 12, FEW_CELLS = 5 };

typedef struct line {
  const bpi_analysis *a;
  const bp_program *p;
  uint32_t cells;          /* places, then results */
  BPI_VEC(uint32_t) pins;  /* the cells of all ties, one tie after the other */
  BPI_VEC(uint32_t) ties;  /* where each tie begins in pins; one more for the end */
  BPI_VEC(uint64_t) table; /* hashes of ties seen, open addressing, 0: free */
  uint32_t seen;
  BPI_VEC(uint32_t) begins; /* by operand: where its code begins */
  uint32_t *spot;           /* by cell: its number on the line */
  bool failed;
} line;

/* ---- ties ---------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void pin(line *l, uint32_t cell)
{
  if (!bpi_vec_push(&l->pins, cell)) l->failed = true;
}

static void pin_var(line *l, uint32_t var)
{
  if (l->a->var_matters[var]) pin(l, l->a->place[var]);
}

static void pin_expr(line *l, uint32_t expr)
{
  uint32_t var;
  const bpi_expr x = bpi_expr_at(l->p, expr);
  BPI_FOR_VARS(l->p, &x, var) pin_var(l, var);
}

static bool grow_table(line *l)
{
  const uint32_t size = l->table.count ? l->table.count * 2 : 256;
  uint64_t *grown = bpi_zalloc(size, sizeof *grown);
  if (!grown) return false;
  for (uint32_t i = 0; i < l->table.count; i++) {
    if (!l->table.at[i]) continue;
    uint32_t at = (uint32_t)l->table.at[i] & (size - 1);
    while (grown[at])
      at = (at + 1) & (size - 1);
    grown[at] = l->table.at[i];
  }
  bpi_release(l->table.at);
  l->table.at = grown;
  l->table.count = l->table.capacity = size;
  return true;
}

/* Whether a tie with this hash was there before; remembers it. */
static bool seen_before(line *l, uint64_t hash)
{
  hash |= 1;
  if (l->seen * 2 >= l->table.count && !grow_table(l)) {
    l->failed = true;
    return true;
  }
  const uint32_t mask = l->table.count - 1;
  uint32_t at = (uint32_t)hash & mask;
  for (; l->table.at[at]; at = (at + 1) & mask)
    if (l->table.at[at] == hash) return true;
  l->table.at[at] = hash;
  l->seen++;
  return false;
}

/* Ends the tie whose pins were added since the last one: sorted, each cell once, no tie twice. */
static void tie(line *l)
{
  if (l->failed || !l->pins.count) return;
  const uint32_t first = l->ties.at[l->ties.count - 1];
  uint32_t count = l->pins.count - first, kept = 0;
  uint32_t *pins = l->pins.at + first;
  if (count > 1) qsort(pins, count, sizeof *pins, by_number);
  uint64_t hash = BPI_HASH_START;
  for (uint32_t i = 0; i < count; i++) {
    if (i && pins[i] == pins[i - 1]) continue;
    pins[kept++] = pins[i];
  }
  for (uint32_t i = 0; i < kept; i++)
    hash = bpi_hash_u64(hash, pins[i]);
  l->pins.count = first + kept;
  if (kept < 2 || seen_before(l, hash))
    l->pins.count = first;
  else if (!bpi_vec_push(&l->ties, l->pins.count))
    l->failed = true;
}

/* The small parts of a large expression are ties of their own: in a conjunction of twenty equations the
 * two sides of each belong together. */
static void tie_parts(line *l, uint32_t expr)
{
  const bpi_expr x = bpi_expr_at(l->p, expr);
  const bpi_instr *code = l->p->code.at + x.first;
  l->begins.count = 0;
  for (uint32_t i = 0; x.count > SMALL_PART && i < x.count && !l->failed; i++) {
    const uint32_t arity = bpi_op_arity(code[i].op);
    const uint32_t begin = arity ? l->begins.at[l->begins.count - arity] : i;
    l->begins.count -= arity;
    if (!bpi_vec_push(&l->begins, begin)) l->failed = true;
    if (arity < 2 || i - begin >= SMALL_PART) continue;
    for (uint32_t k = begin; k < i; k++)
      if (code[k].op == BPI_OP_VAR || code[k].op == BPI_OP_NEXT) pin_var(l, code[k].arg);
    tie(l);
  }
}

static void tie_expr(line *l, uint32_t expr)
{
  tie_parts(l, expr);
  pin_expr(l, expr);
  tie(l);
}

static void tie_call(line *l, const bpi_stmt *s)
{
  for (uint32_t i = 0; i < s->exprs.count; i++) {
    pin_var(l, l->p->procs.at[s->callee].vars.first + i);
    pin_expr(l, s->exprs.first + i);
    tie(l);
  }
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = l->p->ids.at[s->targets.first + k];
    if (target == BP_NONE) continue;
    pin_var(l, target);
    pin(l, l->a->places + k);
    tie(l);
  }
}

static void tie_vertex(line *l, const bpi_vertex *v)
{
  if (v->stmt == BP_NONE) return;
  const bpi_stmt stmt = bpi_stmt_at(l->p, v->stmt), *s = &stmt;
  switch (v->kind) {
  case BPI_VERTEX_BRANCH:
  case BPI_VERTEX_ASSUME:
  case BPI_VERTEX_ASSERT: tie_expr(l, s->exprs.first); break;
  case BPI_VERTEX_ASSIGN:
    for (uint32_t k = 0; k < s->exprs.count; k++) {
      const uint32_t target = l->p->ids.at[s->targets.first + k];
      if (target == BP_NONE || !l->a->var_matters[target]) continue;
      tie_parts(l, s->exprs.first + k);
      pin_var(l, target);
      pin_expr(l, s->exprs.first + k);
      tie(l);
    }
    if (s->constrain == BP_NONE) break;
    tie_expr(l, s->constrain);
    break;
  case BPI_VERTEX_CALL: tie_call(l, s); break;
  case BPI_VERTEX_RETURN:
    for (uint32_t k = 0; k < s->exprs.count; k++) {
      pin(l, l->a->places + k);
      pin_expr(l, s->exprs.first + k);
      tie(l);
    }
    break;
  default: break;
  }
}

/* ---- moving -------------------------------------------------------------- */

typedef struct weight {
  double middle;
  uint32_t cell;
} weight;

static int by_middle(const void *a, const void *b)
{
  const weight *x = a, *y = b;
  if (x->middle != y->middle) return x->middle < y->middle ? -1 : 1;
  return (x->cell > y->cell) - (x->cell < y->cell);
}

static uint64_t total_span(const line *l)
{
  uint64_t total = 0;
  for (uint32_t t = 0; t + 1 < l->ties.count; t++) {
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = l->ties.at[t]; i < l->ties.at[t + 1]; i++) {
      const uint32_t spot = l->spot[l->pins.at[i]];
      if (spot < least) least = spot;
      if (spot > most) most = spot;
    }
    total += most - least;
  }
  return total;
}

static void take_weights(line *l, weight *weights)
{
  if (l->cells > 1) qsort(weights, l->cells, sizeof *weights, by_middle);
  for (uint32_t i = 0; i < l->cells; i++)
    l->spot[weights[i].cell] = i;
}

static void force_round(line *l, weight *weights, uint32_t *degree)
{
  for (uint32_t c = 0; c < l->cells; c++) {
    weights[c] = (weight){0, c};
    degree[c] = 0;
  }
  for (uint32_t t = 0; t + 1 < l->ties.count; t++) {
    const uint32_t first = l->ties.at[t], end = l->ties.at[t + 1];
    double middle = 0;
    for (uint32_t i = first; i < end; i++)
      middle += l->spot[l->pins.at[i]];
    middle /= end - first;
    for (uint32_t i = first; i < end; i++) {
      weights[l->pins.at[i]].middle += middle;
      degree[l->pins.at[i]]++;
    }
  }
  for (uint32_t c = 0; c < l->cells; c++)
    weights[c].middle = degree[c] ? weights[c].middle / degree[c] : l->spot[c];
  take_weights(l, weights);
}

static void force(line *l)
{
  weight *weights = bpi_alloc(l->cells, sizeof *weights);
  uint32_t *degree = bpi_alloc(l->cells, sizeof *degree);
  uint32_t *best = bpi_alloc(l->cells, sizeof *best);
  if (weights && degree && best) {
    uint64_t least = total_span(l);
    memcpy(best, l->spot, l->cells * sizeof *best);
    for (uint32_t round = 0, worse = 0; round < ROUNDS && worse < PATIENCE; round++) {
      force_round(l, weights, degree);
      const uint64_t span = total_span(l);
      worse = span < least ? 0 : worse + 1;
      if (span >= least) continue;
      least = span;
      memcpy(best, l->spot, l->cells * sizeof *best);
    }
    memcpy(l->spot, best, l->cells * sizeof *best);
  } else {
    l->failed = true;
  }
  bpi_release(weights);
  bpi_release(degree);
  bpi_release(best);
}

/* ---- the layout ---------------------------------------------------------- */

/* The declared order: locals, globals (Esparza & Schwoon, section 5), results. */
static void declared_order(line *l)
{
  const uint32_t globals = l->a->globals, locals = l->a->places - globals;
  for (uint32_t c = 0; c < l->cells; c++)
    l->spot[c] = c < globals ? locals + c : c < l->a->places ? c - globals : c;
}

/* Each result stands for the first place that it is tied to, in all ties. */
static void find_partners(line *l, uint32_t *partner)
{
  const uint32_t places = l->a->places;
  for (uint32_t k = 0; k < l->cells - places; k++)
    partner[k] = BP_NONE;
  for (uint32_t t = 0; t + 1 < l->ties.count; t++) {
    const uint32_t *pins = l->pins.at + l->ties.at[t];
    const uint32_t count = l->ties.at[t + 1] - l->ties.at[t];
    const uint32_t last = pins[count - 1]; /* they are sorted, and there is one result at most */
    if (last >= places && partner[last - places] == BP_NONE) partner[last - places] = pins[0];
  }
  for (uint32_t i = 0; i < l->pins.count; i++)
    if (l->pins.at[i] >= places) l->pins.at[i] = partner[l->pins.at[i] - places];
}

/* Makes room behind its partner for each result. */
static void seat_results(line *l, const uint32_t *partner)
{
  const uint32_t places = l->a->places;
  weight *weights = bpi_alloc(l->cells, sizeof *weights);
  l->failed = !weights;
  for (uint32_t c = 0; c < l->cells && weights; c++) {
    const uint32_t beside = c < places ? c : partner[c - places];
    weights[c] = (weight){beside == BP_NONE ? l->cells : l->spot[beside], c};
  }
  if (weights) take_weights(l, weights);
  bpi_release(weights);
}

/* ---- numbers -------------------------------------------------------------- */

/* Ties of places become ties of classes, each class once; last[class] is 0 at first. */
static void tie_classes(line *l, const bpi_numbers *n, uint32_t *last)
{
  uint32_t begin = 0, kept = 0;
  for (uint32_t t = 1; t < l->ties.count; t++) {
    const uint32_t end = l->ties.at[t];
    for (uint32_t i = begin; i < end; i++) {
      const uint32_t class = n->class[l->pins.at[i]];
      if (last[class] == t) continue;
      last[class] = t;
      l->pins.at[kept++] = class;
    }
    begin = end;
    l->ties.at[t] = kept;
  }
  l->pins.count = kept;
}

/* Classes in the order of their first places. `at` has room for all places. */
static void declare_classes(const line *l, const bpi_numbers *n, uint32_t *at, uint32_t *spot)
{
  uint32_t next = 0;
  for (uint32_t c = 0; c < n->classes; c++)
    spot[c] = BP_NONE;
  for (uint32_t i = 0; i < l->cells; i++)
    at[l->spot[i]] = i;
  for (uint32_t i = 0; i < l->cells; i++)
    if (spot[n->class[at[i]]] == BP_NONE) spot[n->class[at[i]]] = next++;
}

/* Whole numbers move, then their bits take their seats. */
static void force_numbers(line *l, const bpi_numbers *n)
{
  const uint32_t places = l->cells;
  uint32_t *const spots = l->spot;
  uint32_t *last = bpi_zalloc(places, sizeof *last), *at = bpi_alloc(places, sizeof *at);
  uint32_t *spot = bpi_alloc(n->classes, sizeof *spot);
  l->failed = !last || !at || !spot;
  if (!l->failed) {
    tie_classes(l, n, last);
    declare_classes(l, n, at, spot);
    l->cells = n->classes;
    l->spot = spot;
    force(l);
    l->cells = places;
    l->spot = spots;
    l->failed |= !bpi_numbers_seat(n, spot, places, spots);
  }
  bpi_release(last);
  bpi_release(at);
  bpi_release(spot);
}

static void arrange(line *l)
{
  const uint32_t first = 0, cells = l->cells;
  if (!bpi_vec_push(&l->ties, first)) l->failed = true;
  for (uint32_t v = 0; v < l->a->cfg->vertices.count && !l->failed; v++)
    if (l->a->explore[v] && l->pins.count < MOST_PINS) tie_vertex(l, &l->a->cfg->vertices.at[v]);
  uint32_t *partner = bpi_alloc(cells - l->a->places, sizeof *partner);
  bpi_numbers numbers;
  l->failed |= !bpi_numbers_make(&numbers, l->a) || !partner;
  if (!l->failed && l->ties.count > 1) {
    find_partners(l, partner);
    l->cells = l->a->places;
    if (numbers.classes)
      force_numbers(l, &numbers);
    else
      force(l);
    l->cells = cells;
    if (!l->failed) seat_results(l, partner);
  }
  bpi_numbers_clear(&numbers);
  bpi_release(partner);
}

bp_status bpi_layout_make(bpi_layout *layout, const bpi_analysis *a, bool order)
{
  const bp_program *p = a->cfg->program;
  *layout = (bpi_layout){.results = a->results};
  line l = {.a = a, .p = p, .cells = a->places + layout->results};
  layout->slots = l.cells;
  layout->slot = bpi_alloc(a->places, sizeof *layout->slot);
  layout->result_slot = bpi_alloc(layout->results, sizeof *layout->result_slot);
  l.spot = bpi_alloc(l.cells, sizeof *l.spot);
  l.failed = !layout->slot || !layout->result_slot || !l.spot;
  if (!l.failed) declared_order(&l);
  if (!l.failed && order && l.cells > FEW_CELLS) arrange(&l);
  for (uint32_t c = 0; !l.failed && c < l.cells; c++) {
    if (c < a->places)
      layout->slot[c] = l.spot[c];
    else
      layout->result_slot[c - a->places] = l.spot[c];
  }
  bpi_release(l.spot);
  bpi_vec_free(&l.pins);
  bpi_vec_free(&l.ties);
  bpi_vec_free(&l.table);
  bpi_vec_free(&l.begins);
  if (l.failed) bpi_layout_clear(layout);
  return l.failed ? BP_E_NOMEM : BP_OK;
}

void bpi_layout_clear(bpi_layout *layout)
{
  bpi_release(layout->slot);
  bpi_release(layout->result_slot);
  *layout = (bpi_layout){0};
}
