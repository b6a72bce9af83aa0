/* SPDX-License-Identifier: MIT
 * Rounds of a region as relations. A cycle of the region passes its first vertex or stays in what is left
 * without it, which falls into regions again. Those come first; the closure of a round of theirs then
 * stands for any number of rounds when the outer region makes its own. */
#include "product/relation.h"

typedef struct task {
  bpi_region region;
  uint32_t first; /* its first vertex */
  bool opened;    /* its inner regions are done */
  bool outermost;
} task;

struct bpi_closing {
  bpi_cycle *c;
  BPI_VEC(task) tasks;
  bpi_frame_of *frames; /* by vertex: of first vertices of inner regions */
  bpi_pair *rounds;     /* the same: any number of rounds, in the form of a move */
  bpi_pair *at;         /* by vertex, of the round at hand: from the first vertex to there */
  bpi_pair *waits;
  BPI_VEC(uint32_t) todo;
  BPI_VEC(uint32_t) firsts; /* vertices that have a frame */
};
typedef struct bpi_closing closing;

/* ---- one round ----------------------------------------------------------- */

/* Lets pairs (given away) arrive at a vertex. */
static void arrive(closing *x, uint32_t vertex, bpi_pair pair)
{
  bpi_cycle *c = x->c;
  bpi_engine *e = c->h->e;
  bpi_pair *at = &x->at[vertex], *waits = &x->waits[vertex];
  const bpi_bdd known = bpi_bdd_or(e->m, at->no, at->yes);
  const bpi_pair fresh = {bpi_bdd_diff(e->m, pair.no, known),
                          bpi_bdd_diff(e->m, pair.yes, at->yes)};
  bpi_bdd_drop(e->m, known);
  bpi_pair_drop(e, pair);
  if ((fresh.no == BPI_FALSE && fresh.yes == BPI_FALSE) || !bpi_going(e)) {
    bpi_pair_drop(e, fresh);
    return;
  }
  const bool idle = waits->no == BPI_FALSE && waits->yes == BPI_FALSE;
  if (idle && !bpi_vec_push(&x->todo, vertex)) e->stop = BP_REASON_MEMORY;
  bpi_relation_join(c, at, (bpi_pair){bpi_bdd_keep(e->m, fresh.no), bpi_bdd_keep(e->m, fresh.yes)});
  bpi_relation_join(c, waits, fresh);
}

static bpi_pair move_pair(bpi_cycle *c, const bpi_move *move, bpi_pair pair)
{
  bpi_pair one = bpi_heads_move(c->h, move, pair.no);
  bpi_join(c->h->e, &one.yes, bpi_pair_all(c->h->e, bpi_heads_move(c->h, move, pair.yes)));
  return one;
}

/* Moves on what waits at a vertex; what comes back to the first vertex is joined to `back`. */
static void move_on(closing *x, const task *t, uint32_t vertex, bpi_pair *back)
{
  bpi_cycle *c = x->c;
  const bpi_heads *h = c->h;
  bpi_pair set = x->waits[vertex];
  x->waits[vertex] = (bpi_pair){BPI_FALSE, BPI_FALSE};
  if (x->frames[vertex].to_move) {
    const bpi_pair more = bpi_relation_compose(c, &x->frames[vertex], set, x->rounds[vertex]);
    bpi_relation_join(c, &x->at[vertex],
                      (bpi_pair){bpi_bdd_keep(h->e->m, more.no), bpi_bdd_keep(h->e->m, more.yes)});
    bpi_relation_join(c, &set, more);
  }
  for (uint32_t i = h->first[vertex]; i < h->first[vertex + 1] && bpi_going(h->e); i++) {
    const bpi_move *move = &h->moves.at[i];
    if (!bpi_cycle_inside(c, move)) continue;
    const bpi_pair pair = move_pair(c, move, set);
    if (move->to == t->first)
      bpi_relation_join(c, back, pair);
    else
      arrive(x, move->to, pair);
  }
  bpi_pair_drop(h->e, set);
}

static void clear_round(closing *x, const task *t)
{
  for (uint32_t i = 0; i < t->region.members.count; i++) {
    const uint32_t v = t->region.members.at[i];
    bpi_pair_drop(x->c->h->e, x->at[v]);
    bpi_pair_drop(x->c->h->e, x->waits[v]);
    x->at[v] = x->waits[v] = (bpi_pair){BPI_FALSE, BPI_FALSE};
  }
  x->todo.count = 0;
}

static bpi_pair make_round(closing *x, const task *t, const bpi_frame_of *frame)
{
  bpi_pair back = {BPI_FALSE, BPI_FALSE};
  arrive(x, t->first, (bpi_pair){bpi_relation_identity(x->c, frame), BPI_FALSE});
  while (x->todo.count && bpi_going(x->c->h->e))
    move_on(x, t, x->todo.at[--x->todo.count], &back);
  clear_round(x, t);
  return back;
}

/* ---- what a round tells -------------------------------------------------- */

/* Whether a head of the first vertex is on an accepting cycle. */
static void judge(closing *x, const task *t, const bpi_frame_of *frame, bpi_pair round)
{
  bpi_cycle *c = x->c;
  bpi_engine *e = c->h->e;
  bpi_pair rel = {bpi_bdd_keep(e->m, round.no), bpi_bdd_keep(e->m, round.yes)};
  if (c->monotone) rel = bpi_relation_monotone(c, frame, rel);
  if (rel.yes != BPI_FALSE) rel = bpi_relation_close(c, frame, rel, true);
  const bpi_bdd heads = bpi_relation_diagonal(c, frame, rel);
  if (bpi_going(e) && heads != BPI_FALSE) bpi_cycle_take(c, t->first, heads);
  bpi_bdd_drop(e->m, heads);
  bpi_pair_drop(e, rel);
}

/* Any number of rounds, for the regions around. */
static void remember(closing *x, const task *t, bpi_frame_of *frame, bpi_pair round)
{
  bpi_cycle *c = x->c;
  bpi_engine *e = c->h->e;
  bpi_pair all = {bpi_bdd_keep(e->m, round.no), bpi_bdd_keep(e->m, round.yes)};
  all = bpi_relation_close(c, frame, all, false);
  x->rounds[t->first] = bpi_relation_form(c, frame, all);
  x->frames[t->first] = *frame;
  *frame = (bpi_frame_of){0};
  if (!bpi_vec_push(&x->firsts, t->first)) e->stop = BP_REASON_MEMORY;
  bpi_pair_drop(e, all);
}

static void close_task(closing *x, task *t)
{
  bpi_cycle *c = x->c;
  bpi_frame_of frame = {0};
  bpi_cycle_enter(c, &t->region);
  if (bpi_relation_begin(c, &frame, t->first)) {
    const bpi_pair round = make_round(x, t, &frame);
    if (bpi_going(c->h->e)) judge(x, t, &frame, round);
    if (bpi_going(c->h->e) && !c->found && !t->outermost) remember(x, t, &frame, round);
    bpi_pair_drop(c->h->e, round);
  }
  bpi_relation_end(c, &frame);
}

/* ---- regions in regions -------------------------------------------------- */

/* Loops begin early in their procedure, and callers come before callees. */
static bool comes_first(const bp_cfg *cfg, uint32_t a, uint32_t b)
{
  const uint32_t rank_a = cfg->procs.at[cfg->vertices.at[a].proc].rank;
  const uint32_t rank_b = cfg->procs.at[cfg->vertices.at[b].proc].rank;
  if (rank_a != rank_b) return rank_a > rank_b;
  return bpi_place_of(cfg, a) < bpi_place_of(cfg, b);
}

static uint32_t choose_first(const bpi_cycle *c, const bpi_region *region)
{
  uint32_t first = BP_NONE;
  for (uint32_t i = 0; i < region->members.count; i++) {
    const uint32_t v = region->members.at[i];
    if (bpi_heads_begins(c->h, v) && (first == BP_NONE || comes_first(c->h->e->cfg, v, first)))
      first = v;
  }
  return first;
}

/* Puts the inner regions on top. */
static void open_task(closing *x, uint32_t number)
{
  bpi_cycle *c = x->c;
  bpi_regions inner = {0};
  task *t = &x->tasks.at[number];
  t->opened = true;
  t->first = choose_first(c, &t->region);
  if (t->first == BP_NONE) {
    c->h->e->broken = true;
    return;
  }
  BPI_VEC(uint32_t) rest = {0};
  bool memory = true;
  for (uint32_t i = 0; i < t->region.members.count; i++)
    if (t->region.members.at[i] != t->first) memory &= bpi_vec_push(&rest, t->region.members.at[i]);
  memory = memory && bpi_cycle_split(c, rest.at, rest.count, &inner) &&
           bpi_vec_reserve(&x->tasks, inner.count + 1);
  for (uint32_t i = 0; memory && i < inner.count; i++)
    x->tasks.at[x->tasks.count++] = (task){.region = inner.at[i], .first = BP_NONE};
  if (memory) inner.count = 0;
  if (!memory) c->h->e->stop = BP_REASON_MEMORY;
  bpi_regions_clear(&inner);
  bpi_vec_free(&rest);
}

/* The tables serve all regions. */
static closing *tables(bpi_cycle *c)
{
  const uint32_t n = c->h->e->cfg->vertices.count;
  closing *x = c->closing ? c->closing : bpi_zalloc(1, sizeof *x);
  if (!x) return NULL;
  if (c->closing) return x;
  c->closing = x;
  x->c = c;
  x->frames = bpi_zalloc(n, sizeof *x->frames);
  x->rounds = bpi_zalloc(n, sizeof *x->rounds);
  x->at = bpi_zalloc(n, sizeof *x->at);
  x->waits = bpi_zalloc(n, sizeof *x->waits);
  return x;
}

static bool begin(closing *x, const bpi_region *region)
{
  task outer = {.outermost = true, .first = BP_NONE};
  bool memory = x && x->frames && x->rounds && x->at && x->waits;
  for (uint32_t i = 0; memory && i < region->members.count; i++)
    memory = bpi_vec_push(&outer.region.members, region->members.at[i]);
  if (memory && bpi_vec_push(&x->tasks, outer)) return true;
  bpi_vec_free(&outer.region.members);
  return false;
}

static void end(closing *x)
{
  for (uint32_t i = 0; i < x->firsts.count; i++) {
    const uint32_t v = x->firsts.at[i];
    bpi_relation_end(x->c, &x->frames[v]);
    bpi_pair_drop(x->c->h->e, x->rounds[v]);
    x->rounds[v] = (bpi_pair){BPI_FALSE, BPI_FALSE};
  }
  x->firsts.count = 0;
  for (uint32_t i = 0; i < x->tasks.count; i++)
    bpi_vec_free(&x->tasks.at[i].region.members);
  x->tasks.count = 0;
}

void bpi_cycle_closure(bpi_cycle *c, const bpi_region *region)
{
  closing *x = tables(c);
  if (!begin(x, region)) {
    c->h->e->stop = BP_REASON_MEMORY;
    return;
  }
  while (x->tasks.count && bpi_going(c->h->e) && !c->h->e->broken && !c->found) {
    const uint32_t top = x->tasks.count - 1;
    if (!x->tasks.at[top].opened) {
      open_task(x, top);
      continue;
    }
    close_task(x, &x->tasks.at[top]);
    bpi_vec_free(&x->tasks.at[top].region.members);
    x->tasks.count--;
  }
  end(x);
}

void bpi_cycle_closure_end(bpi_cycle *c)
{
  closing *x = c->closing;
  if (!x) return;
  bpi_vec_free(&x->tasks);
  bpi_vec_free(&x->todo);
  bpi_vec_free(&x->firsts);
  bpi_release(x->frames);
  bpi_release(x->rounds);
  bpi_release(x->at);
  bpi_release(x->waits);
  bpi_release(x);
  c->closing = NULL;
}
