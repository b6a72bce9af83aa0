/* SPDX-License-Identifier: MIT */
#include "engine/numbers.h"

#include <stdlib.h>

/* As many numbers stand together at most: relations between a few of them multiply where many stand
 * together. And so many meetings are gathered before equal ones become one. */
enum { MOST_TOGETHER = 16, FIRST_TIDYING = 4096 };

typedef struct survey {
  const bpi_analysis *a;
  const bp_program *p;
  bpi_numbers *n;
  uint32_t *by_number; /* by number, less 1: its class; BP_NONE: it has no place of its own */
  uint32_t *uses;      /* by variable */
  uint32_t *results;   /* by result: a variable that takes it */
  BPI_VEC(bpi_meeting) met;
  uint32_t tidying;       /* when so many have met */
  BPI_VEC(uint32_t) bits; /* operands: the variable, BP_NONE: something else */
  bool memory;
} survey;

/* ---- classes ------------------------------------------------------------- */

static uint32_t class_of(const survey *s, uint32_t var)
{
  const uint32_t number = s->p->vars.at[var].number;
  return number && s->a->var_matters[var] ? s->by_number[number - 1] : BP_NONE;
}

/* The variable that a place stands with: of those that share it, the most used one. */
static void choose_vars(survey *s, uint32_t *best)
{
  for (uint32_t i = 0; i < s->p->code.count; i++)
    if (s->p->code.at[i].op == BPI_OP_VAR || s->p->code.at[i].op == BPI_OP_NEXT)
      s->uses[s->p->code.at[i].arg]++;
  for (uint32_t i = 0; i < s->a->places; i++)
    best[i] = BP_NONE;
  for (uint32_t var = 0; var < s->p->vars.count; var++) {
    const uint32_t place = s->a->place[var];
    if (s->a->var_matters[var] && (best[place] == BP_NONE || s->uses[var] > s->uses[best[place]]))
      best[place] = var;
  }
}

static void make_classes(survey *s, const uint32_t *best)
{
  bpi_numbers *n = s->n;
  for (uint32_t var = 0; var < s->p->vars.count; var++)
    s->by_number[var] = BP_NONE;
  for (uint32_t i = 0; i < s->a->places; i++) {
    const bpi_var *v = best[i] == BP_NONE ? NULL : &s->p->vars.at[best[i]];
    uint32_t *class = v && v->number ? &s->by_number[v->number - 1] : NULL;
    n->class[i] = class && *class != BP_NONE ? *class : n->classes++;
    n->weight[i] = v ? v->weight : 0;
    if (class) *class = n->class[i];
  }
  for (uint32_t c = 0; c < n->classes; c++)
    n->block[c] = c;
}

/* ---- blocks -------------------------------------------------------------- */

static uint32_t block_of(bpi_numbers *n, uint32_t class)
{
  for (; n->block[class] != class; class = n->block[class])
    n->block[class] = n->block[n->block[class]];
  return class;
}

static void stand_together(survey *s, uint32_t a, uint32_t b)
{
  a = block_of(s->n, a);
  b = block_of(s->n, b);
  s->n->block[a > b ? a : b] = a > b ? b : a;
}

/* ---- what meets ---------------------------------------------------------- */

static int by_pair(const void *a, const void *b)
{
  const bpi_meeting *x = a, *y = b;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return y->above - x->above;
}

/* Each pair once; that a bit of more weight is read stays. */
static void tidy(survey *s)
{
  uint32_t kept = 0;
  if (s->met.count > 1) qsort(s->met.at, s->met.count, sizeof *s->met.at, by_pair);
  for (uint32_t i = 0; i < s->met.count; i++) {
    const bpi_meeting m = s->met.at[i];
    if (kept && s->met.at[kept - 1].from == m.from && s->met.at[kept - 1].to == m.to) continue;
    s->met.at[kept++] = m;
  }
  s->met.count = kept;
  s->tidying = kept < FIRST_TIDYING / 2 ? FIRST_TIDYING : 2 * kept;
}

static void meet(survey *s, bpi_meeting m)
{
  if (m.from == m.to || m.from == BP_NONE) return;
  if (s->met.count >= s->tidying) tidy(s);
  if (!bpi_vec_push(&s->met, m)) s->memory = false;
}

/* A bit of a number becomes an expression. In sums and copies it depends on bits of no more weight. */
static void becomes(survey *s, uint32_t target, uint32_t expr)
{
  const uint32_t to = target == BP_NONE ? BP_NONE : class_of(s, target);
  const bpi_expr x = bpi_expr_at(s->p, expr);
  uint32_t var;
  if (to == BP_NONE) return;
  BPI_FOR_VARS(s->p, &x, var)
  meet(s, (bpi_meeting){class_of(s, var), to,
                        s->p->vars.at[var].weight > s->p->vars.at[target].weight});
}

/* After a statement: what met only bit by bit stands together. */
static void conclude(survey *s)
{
  tidy(s);
  for (uint32_t i = 0; i < s->met.count && s->memory; i++) {
    const bpi_meeting m = s->met.at[i];
    if (!m.above)
      stand_together(s, m.from, m.to);
    else if (!bpi_vec_push(&s->n->choices, m))
      s->memory = false;
  }
  s->met.count = 0;
}

static bool same_weight(const survey *s, uint32_t a, uint32_t b)
{
  return a != BP_NONE && b != BP_NONE && s->p->vars.at[a].weight == s->p->vars.at[b].weight &&
         class_of(s, a) != BP_NONE && class_of(s, b) != BP_NONE;
}

/* Comparisons and sums ask whether two bits of one weight are the same. */
static void compare(survey *s, uint32_t expr)
{
  const bpi_expr x = bpi_expr_at(s->p, expr);
  s->bits.count = 0;
  for (uint32_t i = x.first; i < x.first + x.count && s->memory; i++) {
    const bpi_instr in = s->p->code.at[i];
    const uint32_t arity = bpi_op_arity(in.op);
    const uint32_t *bits = arity ? &s->bits.at[s->bits.count - arity] : NULL;
    uint32_t made = in.op == BPI_OP_VAR || in.op == BPI_OP_NEXT ? in.arg : BP_NONE;
    if (in.op == BPI_OP_NOT || in.op == BPI_OP_KEEP) made = bits[0];
    if ((in.op == BPI_OP_XOR || in.op == BPI_OP_NE || in.op == BPI_OP_EQ) &&
        same_weight(s, bits[0], bits[1]))
      stand_together(s, class_of(s, bits[0]), class_of(s, bits[1]));
    s->bits.count -= arity;
    if (!bpi_vec_push(&s->bits, made)) s->memory = false;
  }
}

/* Who takes a result stands with all others who do, and for it where it is returned. */
static void take_results(survey *s, const bpi_vertex *v)
{
  const bpi_stmt stmt = bpi_stmt_at(s->p, v->stmt), *x = &stmt;
  for (uint32_t k = 0; v->kind == BPI_VERTEX_CALL && k < x->targets.count; k++) {
    const uint32_t var = s->p->ids.at[x->targets.first + k];
    uint32_t *taker = &s->results[s->a->result_first[x->callee] + k];
    if (var == BP_NONE || class_of(s, var) == BP_NONE) continue;
    if (same_weight(s, *taker, var))
      stand_together(s, class_of(s, *taker), class_of(s, var));
    else if (*taker == BP_NONE)
      *taker = var;
  }
}

static void look_at(survey *s, const bpi_vertex *v)
{
  const bpi_stmt stmt = bpi_stmt_at(s->p, v->stmt), *x = &stmt;
  const uint32_t first = v->kind == BPI_VERTEX_CALL ? s->p->procs.at[x->callee].vars.first : 0;
  for (uint32_t k = 0; k < x->exprs.count && s->memory; k++) {
    compare(s, x->exprs.first + k);
    if (v->kind == BPI_VERTEX_ASSIGN)
      becomes(s, s->p->ids.at[x->targets.first + k], x->exprs.first + k);
    else if (v->kind == BPI_VERTEX_CALL)
      becomes(s, first + k, x->exprs.first + k);
    else if (v->kind == BPI_VERTEX_RETURN)
      becomes(s, s->results[s->a->result_first[v->proc] + k], x->exprs.first + k);
  }
  if (v->kind == BPI_VERTEX_ASSIGN && x->constrain != BP_NONE) compare(s, x->constrain);
  conclude(s);
}

/* ---- the survey ---------------------------------------------------------- */

static bool has_numbers(const bpi_analysis *a)
{
  const bp_program *p = a->cfg->program;
  for (uint32_t var = 0; var < p->vars.count; var++)
    if (p->vars.at[var].number && a->var_matters[var]) return true;
  return false;
}

static bool make_room(survey *s, uint32_t **best)
{
  const uint32_t results = s->a->result_first[s->p->procs.count], places = s->a->places;
  s->n->class = bpi_alloc(places, sizeof *s->n->class);
  s->n->weight = bpi_alloc(places, sizeof *s->n->weight);
  s->n->block = bpi_alloc(places, sizeof *s->n->block);
  s->by_number = bpi_alloc(s->p->vars.count, sizeof *s->by_number);
  s->uses = bpi_zalloc(s->p->vars.count, sizeof *s->uses);
  s->results = bpi_alloc(results, sizeof *s->results);
  *best = bpi_alloc(places, sizeof **best);
  for (uint32_t k = 0; s->results && k < results; k++)
    s->results[k] = BP_NONE;
  return s->n->class && s->n->weight && s->n->block && s->by_number && s->uses && s->results &&
         *best;
}

bool bpi_numbers_make(bpi_numbers *n, const bpi_analysis *a)
{
  *n = (bpi_numbers){0};
  if (!has_numbers(a)) return true;
  survey s = {.a = a, .p = a->cfg->program, .n = n, .tidying = FIRST_TIDYING, .memory = true};
  uint32_t *best = NULL;
  s.memory = make_room(&s, &best);
  if (s.memory) {
    choose_vars(&s, best);
    make_classes(&s, best);
  }
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t v = 0; v < a->cfg->vertices.count && s.memory; v++)
      if (a->explore[v] && a->cfg->vertices.at[v].stmt != BP_NONE)
        (pass ? look_at : take_results)(&s, &a->cfg->vertices.at[v]);
  for (uint32_t c = 0; c < n->classes && s.memory; c++)
    n->block[c] = block_of(n, c);
  bpi_release(best);
  bpi_release(s.by_number);
  bpi_release(s.uses);
  bpi_release(s.results);
  bpi_vec_free(&s.met);
  bpi_vec_free(&s.bits);
  return s.memory;
}

void bpi_numbers_clear(bpi_numbers *n)
{
  bpi_release(n->class);
  bpi_release(n->weight);
  bpi_release(n->block);
  bpi_vec_free(&n->choices);
  *n = (bpi_numbers){0};
}

/* ---- seats --------------------------------------------------------------- */

typedef struct seat {
  double middle;  /* of the block */
  uint32_t block; /* where blocks have one middle */
  uint32_t part;  /* of a block with many numbers */
  uint32_t weight, spot, place;
} seat;

static int by_seat(const void *a, const void *b)
{
  const seat *x = a, *y = b;
  if (x->middle != y->middle) return x->middle < y->middle ? -1 : 1;
  if (x->block != y->block) return x->block < y->block ? -1 : 1;
  if (x->part != y->part) return x->part < y->part ? -1 : 1;
  if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
  if (x->spot != y->spot) return x->spot < y->spot ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

/* The middle of each block, but before what its numbers choose from; in `size` how many these are. */
static void find_middles(const bpi_numbers *n, const uint32_t *spot, double *middle, uint32_t *size)
{
  for (uint32_t c = 0; c < n->classes; c++) {
    middle[n->block[c]] += spot[c];
    size[n->block[c]]++;
  }
  for (uint32_t c = 0; c < n->classes; c++)
    if (size[c]) middle[c] /= size[c];
  for (uint32_t i = 0; i < n->choices.count; i++) {
    const uint32_t from = n->block[n->choices.at[i].from], to = n->block[n->choices.at[i].to];
    if (from != to && middle[from] >= middle[to]) middle[from] = middle[to] - 0.25;
  }
}

/* Large blocks fall into parts, by spots: part[class]. `size` is how many there are in a block. */
static void find_parts(const bpi_numbers *n, const uint32_t *spot, const uint32_t *size,
                       uint32_t *scratch, uint32_t *part)
{
  uint32_t *at = scratch, *before = scratch + n->classes;
  for (uint32_t c = 0; c < n->classes; c++)
    at[spot[c]] = c;
  memset(before, 0, n->classes * sizeof *before);
  for (uint32_t i = 0; i < n->classes; i++) {
    const uint32_t block = n->block[at[i]];
    const uint32_t parts = (size[block] + MOST_TOGETHER - 1) / MOST_TOGETHER;
    part[at[i]] = (uint32_t)((uint64_t)before[block]++ * parts / size[block]);
  }
}

bool bpi_numbers_seat(const bpi_numbers *n, const uint32_t *spot, uint32_t places, uint32_t *spots)
{
  seat *seats = bpi_alloc(places, sizeof *seats);
  double *middle = bpi_zalloc(n->classes, sizeof *middle);
  uint32_t *size = bpi_zalloc((size_t)n->classes * 4, sizeof *size);
  const bool memory = seats && middle && size;
  if (memory) {
    uint32_t *part = size + n->classes;
    find_middles(n, spot, middle, size);
    find_parts(n, spot, size, part + n->classes, part);
    for (uint32_t i = 0; i < places; i++) {
      const uint32_t class = n->class[i], block = n->block[class];
      seats[i] = (seat){middle[block], block, part[class], n->weight[i], spot[class], i};
    }
    qsort(seats, places, sizeof *seats, by_seat);
    for (uint32_t i = 0; i < places; i++)
      spots[seats[i].place] = i;
  }
  bpi_release(seats);
  bpi_release(middle);
  bpi_release(size);
  return memory;
}
