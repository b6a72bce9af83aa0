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

/* The region at work, the last one of the tasks. */
typedef struct work {
  bool (*phase)(struct bpi_closing *x, task *t); /* NULL: not begun. Sets the next, or is stopped */
  bpi_frame_of frame;
  bpi_pair round;    /* what came back to the first vertex */
  uint32_t vertex;   /* where the set at work is; BP_NONE: there is none */
  bpi_pair set;      /* from the first vertex to there */
  uint32_t next;     /* half-moves that it has gone along, see move_half() */
  bool looped;       /* any number of rounds of an inner region are in it */
  bpi_pair relation; /* what is made of the round */
  bpi_pinning pinning;
} work;

struct bpi_closing {
  bpi_cycle *c;
  bool begun;
  BPI_VEC(task) tasks;
  work w;
  bpi_frame_of *frames; /* by vertex: of first vertices of inner regions */
  bpi_pair *rounds;     /* the same: any number of rounds, in the form of a move */
  bpi_pair *at;         /* by vertex, of the round at hand: from the first vertex to there */
  bpi_pair *waits;
  BPI_VEC(uint32_t) todo;
  BPI_VEC(uint32_t) firsts; /* vertices that have a frame */
};
typedef struct bpi_closing closing;

static const bpi_pair NOTHING = {BPI_FALSE, BPI_FALSE};

static bpi_pair keep_pair(bpi_engine *e, bpi_pair pair)
{
  return (bpi_pair){bpi_bdd_keep(e->m, pair.no), bpi_bdd_keep(e->m, pair.yes)};
}

static bool is_nothing(bpi_pair pair)
{
  return pair.no == BPI_FALSE && pair.yes == BPI_FALSE;
}

/* ---- one round ----------------------------------------------------------- */

/* Lets pairs (given away) arrive at a vertex. What is stopped half-way arrives again later; what of it is
 * there already is no news then. */
static bool arrive(closing *x, uint32_t vertex, bpi_pair pair)
{
  bpi_cycle *c = x->c;
  bpi_engine *e = c->h->e;
  bpi_pair *at = &x->at[vertex], *waits = &x->waits[vertex];
  const bpi_bdd known = bpi_bdd_or(e->m, at->no, at->yes);
  const bpi_pair fresh = {bpi_bdd_diff(e->m, pair.no, known),
                          bpi_bdd_diff(e->m, pair.yes, at->yes)};
  bpi_bdd_drop(e->m, known);
  bpi_pair_drop(e, pair);
  if (bpi_going(e) && !is_nothing(fresh)) {
    if (is_nothing(*waits) && !bpi_vec_push(&x->todo, vertex)) e->stop = BP_REASON_MEMORY;
    if (bpi_going(e)) bpi_relation_join(c, waits, keep_pair(e, fresh));
    if (bpi_going(e)) bpi_relation_join(c, at, keep_pair(e, fresh));
  }
  bpi_pair_drop(e, fresh);
  return bpi_going(e);
}

/* Along a move: first the pairs of ways without an accepting move, then, `accepted`, the others. */
static bpi_pair move_half(bpi_cycle *c, const bpi_move *move, bpi_pair pair, bool accepted)
{
  if (!accepted) return bpi_heads_move(c->h, move, pair.no);
  return (bpi_pair){BPI_FALSE, bpi_pair_all(c->h->e, bpi_heads_move(c->h, move, pair.yes))};
}

/* Any number of rounds of the inner region that the vertex is the first of join the set at work. */
static bool loop_inside(closing *x)
{
  bpi_cycle *c = x->c;
  bpi_engine *e = c->h->e;
  work *w = &x->w;
  if (!x->frames[w->vertex].to_move) return true;
  const bpi_pair more =
      bpi_relation_compose(c, &x->frames[w->vertex], w->set, x->rounds[w->vertex]);
  if (bpi_going(e)) bpi_relation_join(c, &x->at[w->vertex], keep_pair(e, more));
  if (bpi_going(e)) bpi_relation_join(c, &w->set, keep_pair(e, more));
  bpi_pair_drop(e, more);
  return bpi_going(e);
}

static void take_set(closing *x)
{
  work *w = &x->w;
  w->vertex = x->todo.at[--x->todo.count];
  w->set = x->waits[w->vertex];
  x->waits[w->vertex] = NOTHING;
  w->next = 0;
  w->looped = false;
}

static void drop_set(closing *x)
{
  bpi_pair_drop(x->c->h->e, x->w.set);
  x->w.set = NOTHING;
  x->w.vertex = BP_NONE;
}

/* Moves the set at work on; what comes back to the first vertex joins the round. */
static bool move_on(closing *x, const task *t)
{
  bpi_cycle *c = x->c;
  const bpi_heads *h = c->h;
  work *w = &x->w;
  if (!w->looped && !loop_inside(x)) return false;
  w->looped = true;
  const uint32_t first = h->first[w->vertex];
  for (; first + w->next / 2 < h->first[w->vertex + 1]; w->next++) {
    const bpi_move *move = &h->moves.at[first + w->next / 2];
    if (!bpi_cycle_inside(c, move)) continue;
    const bpi_pair pair = move_half(c, move, w->set, w->next % 2);
    if (move->to == t->first)
      bpi_relation_join(c, &w->round, pair);
    else
      arrive(x, move->to, pair);
    if (!bpi_going(h->e)) return false;
  }
  drop_set(x);
  return true;
}

static void clear_round(closing *x, const task *t)
{
  drop_set(x);
  for (uint32_t i = 0; i < t->region.members.count; i++) {
    const uint32_t v = t->region.members.at[i];
    bpi_pair_drop(x->c->h->e, x->at[v]);
    bpi_pair_drop(x->c->h->e, x->waits[v]);
    x->at[v] = x->waits[v] = NOTHING;
  }
  x->todo.count = 0;
}

/* Ends the work at a region. */
static void end_work(closing *x)
{
  bpi_engine *e = x->c->h->e;
  if (x->tasks.count) clear_round(x, &x->tasks.at[x->tasks.count - 1]);
  bpi_pair_drop(e, x->w.round);
  bpi_pair_drop(e, x->w.relation);
  bpi_relation_end(x->c, &x->w.frame);
  x->w = (work){.vertex = BP_NONE};
}

static void end_task(closing *x)
{
  end_work(x);
  x->tasks.count--;
  bpi_vec_free(&x->tasks.at[x->tasks.count].region.members);
}

/* ---- what a round tells -------------------------------------------------- */

/* Any number of rounds, for the regions around. */
static bool remember(closing *x, task *t)
{
  bpi_cycle *c = x->c;
  bpi_engine *e = c->h->e;
  if (!bpi_relation_close(c, &x->w.frame, &x->w.relation, false)) return false;
  const bpi_pair form = bpi_relation_form(c, &x->w.frame, x->w.relation);
  if (bpi_going(e) && !bpi_vec_push(&x->firsts, t->first)) e->stop = BP_REASON_MEMORY;
  if (!bpi_going(e)) {
    bpi_pair_drop(e, form);
    return false;
  }
  x->rounds[t->first] = form;
  x->frames[t->first] = x->w.frame;
  x->w.frame = (bpi_frame_of){0};
  end_task(x);
  return true;
}

/* Whether a head of the first vertex is on an accepting cycle. */
static bool judge(closing *x, task *t)
{
  bpi_cycle *c = x->c;
  bpi_engine *e = c->h->e;
  work *w = &x->w;
  if (w->relation.yes != BPI_FALSE && !bpi_relation_close(c, &w->frame, &w->relation, true))
    return false;
  const bpi_bdd heads = bpi_relation_diagonal(c, &w->frame, w->relation);
  if (bpi_going(e) && heads != BPI_FALSE) bpi_cycle_take(c, t->first, heads);
  bpi_bdd_drop(e->m, heads);
  if (!bpi_going(e)) return false;
  if (c->found || t->outermost) {
    end_task(x);
    return true;
  }
  bpi_pair_drop(e, w->relation);
  w->relation = keep_pair(e, w->round);
  w->phase = remember;
  return true;
}

static bool pin(closing *x, task *t)
{
  (void)t;
  if (x->c->monotone && !bpi_relation_monotone(x->c, &x->w.frame, &x->w.relation, &x->w.pinning))
    return false;
  x->w.phase = judge;
  return true;
}

static bool go_round(closing *x, task *t)
{
  while (x->w.vertex != BP_NONE || x->todo.count) {
    if (x->w.vertex == BP_NONE) take_set(x);
    if (!move_on(x, t)) return false;
  }
  clear_round(x, t);
  x->w.relation = keep_pair(x->c->h->e, x->w.round);
  x->w.phase = pin;
  return true;
}

static bool begin_round(closing *x, task *t)
{
  work *w = &x->w;
  if (!w->frame.to_move && !bpi_relation_begin(x->c, &w->frame, t->first)) {
    bpi_relation_end(x->c, &w->frame);
    return false;
  }
  if (!arrive(x, t->first, (bpi_pair){bpi_relation_identity(x->c, &w->frame), BPI_FALSE}))
    return false;
  w->phase = go_round;
  return true;
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
static bool open_task(closing *x, uint32_t number)
{
  bpi_cycle *c = x->c;
  bpi_regions inner = {0};
  task *t = &x->tasks.at[number];
  t->first = choose_first(c, &t->region);
  if (t->first == BP_NONE) {
    c->h->e->broken = true;
    return false;
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
  if (memory) x->tasks.at[number].opened = true;
  if (!memory) c->h->e->stop = BP_REASON_MEMORY;
  bpi_regions_clear(&inner);
  bpi_vec_free(&rest);
  return memory;
}

static bool add_outermost(closing *x, const bpi_region *region)
{
  task outer = {.outermost = true, .first = BP_NONE};
  bool memory = true;
  for (uint32_t i = 0; memory && i < region->members.count; i++)
    memory = bpi_vec_push(&outer.region.members, region->members.at[i]);
  if (memory && bpi_vec_push(&x->tasks, outer)) return true;
  bpi_vec_free(&outer.region.members);
  return false;
}

/* The tables serve all regions. */
static closing *tables(bpi_cycle *c)
{
  const uint32_t n = c->h->e->cfg->vertices.count;
  closing *x = c->closing ? c->closing : bpi_zalloc(1, sizeof *x);
  if (!x) return NULL;
  c->closing = x;
  x->c = c;
  if (!x->frames) x->frames = bpi_zalloc(n, sizeof *x->frames);
  if (!x->rounds) x->rounds = bpi_zalloc(n, sizeof *x->rounds);
  if (!x->at) x->at = bpi_zalloc(n, sizeof *x->at);
  if (!x->waits) x->waits = bpi_zalloc(n, sizeof *x->waits);
  return x->frames && x->rounds && x->at && x->waits ? x : NULL;
}

bool bpi_cycle_closure_begun(const bpi_cycle *c)
{
  return c->closing && c->closing->begun;
}

static bool begin(bpi_cycle *c, const bpi_region *region)
{
  if (bpi_cycle_closure_begun(c)) return true;
  closing *x = tables(c);
  if (!x || !add_outermost(x, region)) {
    c->h->e->stop = BP_REASON_MEMORY;
    return false;
  }
  x->begun = true;
  x->w = (work){.vertex = BP_NONE};
  return true;
}

/* Goes on with the last task. */
static bool go_on(closing *x)
{
  task *t = &x->tasks.at[x->tasks.count - 1];
  if (!t->opened) return open_task(x, x->tasks.count - 1);
  bpi_cycle_enter(x->c, &t->region);
  if (!x->w.phase) x->w.phase = begin_round;
  return x->w.phase(x, t);
}

bool bpi_cycle_closure(bpi_cycle *c, const bpi_region *region)
{
  if (!begin(c, region)) return false;
  while (c->closing->tasks.count && !c->found)
    if (!go_on(c->closing)) return false;
  return true;
}

void bpi_cycle_closure_end(bpi_cycle *c)
{
  closing *x = c->closing;
  if (!x) return;
  while (x->tasks.count)
    end_task(x);
  while (x->firsts.count) {
    const uint32_t v = x->firsts.at[--x->firsts.count];
    bpi_relation_end(c, &x->frames[v]);
    bpi_pair_drop(c->h->e, x->rounds[v]);
    x->rounds[v] = NOTHING;
  }
  x->begun = false;
}

void bpi_cycle_closure_free(bpi_cycle *c)
{
  closing *x = c->closing;
  if (!x) return;
  bpi_cycle_closure_end(c);
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
