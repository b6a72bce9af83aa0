/* SPDX-License-Identifier: MIT
 * Live ranges: a variable is live where some execution to a goal may still read its value. Backward
 * over each procedure, through calls by what is live at the callee's entry, into exits by what is
 * live behind the calls. */
#include "cfg/analysis.h"
#include "cfg/sets.h"

/* What twins come to depends on what they are told alone: in a row, that and what is live at the vertices then. */
typedef BPI_VEC(uint64_t) outcomes;

enum { MOST_OUTCOMES = 8 };

typedef struct flow {
  bpi_analysis *a;
  const bp_cfg *cfg;
  const bp_program *p;
  uint64_t *globals;                  /* the places of globals */
  uint64_t *work, *assigned, *needed; /* scratch */
  uint64_t *exit_extra;               /* by procedure: what its summary needs to see of its entry */
  /* What waits: procedures on a stack; in each, vertices, a bit by place in reverse postorder. */
  uint64_t *waiting;
  uint32_t *stack;
  uint8_t *queued;  /* by procedure */
  uint32_t *latest; /* by procedure: no vertex waits at later places */
  uint32_t count;
  outcomes *known; /* by twin */
  BPI_VEC(uint64_t) told;
} flow;

/* An explored vertex of a procedure that is being worked at, or will be. */
static inline void wait_inside(flow *f, uint32_t proc, uint32_t vertex)
{
  const bpi_cfg_proc *p = &f->cfg->procs.at[proc];
  const uint32_t at = vertex - p->vertices.first;
  const uint32_t place = p->order == BP_NONE ? at : f->cfg->orders.at[p->order + at];
  bpi_bit_add(f->waiting, p->vertices.first + place);
  if (place > f->latest[proc]) f->latest[proc] = place;
}

static void queue(flow *f, uint32_t proc)
{
  if (f->queued[proc]) return;
  f->queued[proc] = 1;
  f->stack[f->count++] = proc;
}

static void wait_for(flow *f, uint32_t vertex)
{
  if (!f->a->explore[vertex]) return;
  const uint32_t proc = f->cfg->vertices.at[vertex].proc;
  wait_inside(f, proc, vertex);
  queue(f, proc);
}

/* The last vertex in reverse postorder that waits in a procedure, BP_NONE: none does. */
static uint32_t take_vertex(flow *f, uint32_t proc)
{
  const uint32_t first = f->cfg->procs.at[proc].vertices.first;
  uint32_t at = first + f->latest[proc];
  uint64_t word = f->waiting[at / 64] & (~(uint64_t)0 >> (63 - at % 64));
  while (!word && at / 64 > first / 64) {
    at = (at / 64) * 64 - 1;
    word = f->waiting[at / 64];
  }
  const uint32_t found = word ? at / 64 * 64 + 63 - (uint32_t)__builtin_clzll(word) : 0;
  if (!word || found < first) {
    f->latest[proc] = 0;
    return BP_NONE;
  }
  bpi_bit_remove(f->waiting, found);
  f->latest[proc] = found - first;
  return bpi_vertex_at_place(f->cfg, proc, found - first);
}

static void add_var(flow *f, uint32_t var)
{
  if (f->a->var_matters[var]) bpi_bit_add(f->work, f->a->place[var]);
}

static void add_code(flow *f, const bpi_instr *code, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (code[i].op == BPI_OP_VAR) add_var(f, code[i].arg);
}

static void add_expr(flow *f, uint32_t expr)
{
  const bpi_expr e = bpi_expr_at(f->p, expr);
  add_code(f, f->p->code.at + e.first, e.count);
}

/* The variables of a constraint on the values after an assignment: of a target the value it gets is
 * needed, of another variable the value it has. `primed` reads every variable as one after. */
static void constrain(flow *f, uint32_t expr, bool primed, uint64_t *needed)
{
  const bpi_expr e = bpi_expr_at(f->p, expr);
  for (uint32_t i = e.first; i < e.first + e.count; i++) {
    const bpi_instr in = f->p->code.at[i];
    if (in.op != BPI_OP_VAR && in.op != BPI_OP_NEXT) continue;
    const uint32_t place = f->a->place[in.arg];
    if ((primed || in.op == BPI_OP_NEXT) && bpi_bit(f->assigned, place))
      bpi_bit_add(needed, place);
    else
      add_var(f, in.arg);
  }
}

/* Of an assignment whose values are needed one by one; in work is what is live behind it. */
static void through_assign(flow *f, const bpi_vertex *v, const uint64_t *changes)
{
  const bpi_stmt stmt = bpi_stmt_at(f->p, v->stmt), *s = &stmt;
  const uint32_t words = f->a->words;
  bpi_set_copy(f->needed, f->work, words);
  bpi_set_copy(f->assigned, changes, words);
  bpi_set_take(f->work, changes, words);
  if (s->constrain != BP_NONE) constrain(f, s->constrain, false, f->needed);
  for (uint32_t e = bpi_enforce_of(f->cfg, v); e != BP_NONE; e = f->cfg->enforces.at[e].outer)
    constrain(f, f->cfg->enforces.at[e].expr, true, f->needed);
  for (uint32_t k = s->targets.count; k-- > 0;) {
    const uint32_t target = f->p->ids.at[s->targets.first + k];
    const uint32_t place = target == BP_NONE ? BP_NONE : f->a->place[target];
    if (place == BP_NONE || !bpi_bit(f->assigned, place)) continue;
    bpi_bit_remove(f->assigned, place); /* the last one wins */
    if (bpi_bit(f->needed, place)) add_expr(f, s->exprs.first + k);
  }
}

/* Of what is live after a call, in work: adds to the callee's exit what may change in it, and takes that away. */
static void into_callee(flow *f, uint32_t callee, const uint64_t *changes)
{
  bpi_analysis *a = f->a;
  const uint32_t vertex = f->cfg->procs.at[callee].exit;
  const uint64_t *mod = bpi_proc_set(a, a->mod, callee);
  uint64_t *exit = bpi_live(a, vertex);
  bool more = false;
  if (!a->returns[callee]) bpi_set_clear(f->work, a->words);
  bpi_set_take(f->work, changes, a->words);
  for (uint32_t w = 0; w < a->words; w++) {
    const uint64_t changed = f->work[w] & mod[w];
    more |= (changed & ~exit[w]) != 0;
    exit[w] |= changed;
    f->work[w] &= ~changed;
  }
  if (more) wait_for(f, vertex);
}

/* Before a call: what is live after it and passes it by, what the callee reads, the arguments. */
static void through_call(flow *f, const bpi_vertex *v, const uint64_t *changes)
{
  bpi_analysis *a = f->a;
  const bpi_stmt stmt = bpi_stmt_at(f->p, v->stmt), *s = &stmt;
  const uint64_t *inside = bpi_live(a, f->cfg->procs.at[s->callee].entry);
  into_callee(f, s->callee, changes);
  for (uint32_t w = 0; w < a->words; w++)
    f->work[w] |= inside[w] & f->globals[w];
  const uint32_t *formal = a->place + f->p->procs.at[s->callee].vars.first;
  for (uint32_t i = 0; i < s->exprs.count; i++)
    if (formal[i] != BP_NONE && bpi_bit(inside, formal[i])) add_expr(f, s->exprs.first + i);
}

/* Into work: what is live behind a vertex. */
static void gather(flow *f, const bpi_vertex *v)
{
  const uint32_t *succs = f->cfg->succs.at;
  bpi_set_clear(f->work, f->a->words);
  for (uint32_t i = v[0].first_succ; i < v[1].first_succ; i++)
    if (f->a->explore[succs[i]]) bpi_set_add(f->work, bpi_live(f->a, succs[i]), f->a->words);
}

static void add_goals(flow *f, uint32_t vertex)
{
  for (uint32_t i = bpi_goal_at(f->a, vertex);
       i < f->a->goal_count && f->a->goal_vertices[i] == vertex; i++) {
    const bpi_goal *goal = &f->a->goals[f->a->goals_sorted[i]];
    add_code(f, goal->when, goal->when_count);
  }
}

/* Into work: what is live before a vertex. */
static void compute(flow *f, uint32_t vertex)
{
  const bpi_analysis *a = f->a;
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  const uint32_t transfer = bpi_transfer_of(a, v->proc, vertex), words = a->words;
  const uint64_t *reads = bpi_transfer_reads(a, transfer), *changes = reads + words;
  gather(f, v);
  switch (a->transfers[transfer].kind) {
  case BPI_TRANSFER_TARGET:
    if (!bpi_bit(f->work, a->transfers[transfer].target)) break;
    /* fall through */
  case BPI_TRANSFER_PLAIN:
    bpi_set_take(f->work, changes, words);
    bpi_set_add(f->work, reads, words);
    break;
  case BPI_TRANSFER_ASSIGN: through_assign(f, v, changes); break;
  case BPI_TRANSFER_CALL: through_call(f, v, changes); break;
  case BPI_TRANSFER_EXIT:
    bpi_set_add(f->work, bpi_live(a, vertex), words);
    bpi_set_add(f->work, bpi_proc_set(a, f->exit_extra, v->proc), words);
    break;
  }
  if (a->kept && v->kind != BPI_VERTEX_EXIT) add_var(f, a->kept[v->proc]);
  if (a->explore[vertex] & BPI_GOAL) add_goals(f, vertex);
}

/* What is not tracked is never live. */
static void keep_tracked(const bpi_analysis *a, uint32_t proc, uint64_t *live)
{
  const uint64_t *tracked = a->tracked ? bpi_proc_set(a, a->tracked, proc) : NULL;
  for (uint32_t w = 0; tracked && w < a->words; w++)
    live[w] &= tracked[w];
}

static void wake_callers(flow *f, uint32_t proc)
{
  const bpi_slice calls = f->cfg->procs.at[proc].calls;
  for (uint32_t i = 0; i < calls.count; i++)
    wait_for(f, f->cfg->calls.at[calls.first + i]);
}

/* More is live before a vertex: what depends on it waits. */
static void wake(flow *f, uint32_t vertex)
{
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  for (uint32_t i = v[0].first_pred; i < v[1].first_pred; i++)
    if (f->a->explore[f->cfg->preds.at[i]]) wait_inside(f, v->proc, f->cfg->preds.at[i]);
  if (vertex == f->cfg->procs.at[v->proc].entry) wake_callers(f, v->proc);
}

/* Computes what is live before a vertex anew. */
static void update(flow *f, uint32_t vertex)
{
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  uint64_t *live = bpi_live(f->a, vertex);
  bool more = v->kind == BPI_VERTEX_EXIT; /* was added to from elsewhere */
  compute(f, vertex);
  if (f->a->tracked) keep_tracked(f->a, v->proc, f->work);
  for (uint32_t w = 0; w < f->a->words; w++) {
    more |= f->work[w] != live[w];
    live[w] = f->work[w];
  }
  if (more) wake(f, vertex);
}

/* What waits of the vertices in `all`, at most 64, a bit for each. */
static inline uint64_t waiting_of(const flow *f, bpi_slice all)
{
  const uint64_t *words = &f->waiting[all.first / 64];
  const uint32_t shift = all.first % 64;
  const uint64_t low = words[0] >> shift,
                 high = shift + all.count > 64 ? words[1] << (64 - shift) : 0;
  return (low | high) & ~(uint64_t)0 >> (64 - all.count);
}

/* update() for a vertex of those that most are: whether more is live before it. */
static inline bool update_plain(flow *f, uint32_t vertex, const bpi_transfer *transfer,
                                const uint64_t *reads)
{
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  uint64_t behind = 0, *live = &f->a->live[vertex];
  for (uint32_t i = v[0].first_succ; i < v[1].first_succ; i++)
    behind |= f->a->explore[f->cfg->succs.at[i]] ? f->a->live[f->cfg->succs.at[i]] : 0;
  const bool read = transfer->kind == BPI_TRANSFER_PLAIN || behind >> transfer->target & 1;
  const uint64_t before = (behind & ~reads[1]) | (read ? reads[0] : 0);
  const bool more = before != *live;
  *live = before;
  return more;
}

/* A procedure whose vertices are in order and fit into one word, as most do, where sets have one word. */
static void settle_small(flow *f, uint32_t proc)
{
  const bpi_analysis *a = f->a;
  const bpi_slice all = f->cfg->procs.at[proc].vertices;
  const uint32_t transfer = a->transfer_first[proc];
  for (uint64_t bits; (bits = waiting_of(f, all));) {
    const uint32_t i = 63 - (uint32_t)__builtin_clzll(bits), vertex = all.first + i;
    const bpi_transfer *t = &a->transfers[transfer + i];
    bpi_bit_remove(f->waiting, vertex);
    if (t->kind > BPI_TRANSFER_TARGET || a->explore[vertex] & BPI_GOAL)
      update(f, vertex);
    else if (update_plain(f, vertex, t, bpi_transfer_reads(a, transfer + i)))
      wake(f, vertex);
  }
}

/* Into f->told: what small procedures depend on beside their code. False without memory. */
static bool ask(flow *f, uint32_t proc)
{
  bpi_analysis *a = f->a;
  const bpi_slice all = f->cfg->procs.at[proc].vertices;
  f->told.count = 0;
  bool memory = bpi_vec_push(&f->told, a->live[f->cfg->procs.at[proc].exit]) &&
                bpi_vec_push(&f->told, f->exit_extra[proc]);
  for (uint32_t v = all.first; memory && v < all.first + all.count; v++) {
    const bpi_vertex *x = &f->cfg->vertices.at[v];
    if (x->kind != BPI_VERTEX_CALL || !a->explore[v]) continue;
    const uint32_t callee = bpi_stmt_callee(f->p, x->stmt);
    memory = bpi_vec_push(&f->told, a->live[f->cfg->procs.at[callee].entry]) &&
             bpi_vec_push(&f->told, a->mod[callee]) && bpi_vec_push(&f->told, a->returns[callee]);
  }
  return memory;
}

/* What is live in a procedure of `count` vertices that is told this; NULL: no twin was. */
static const uint64_t *outcome(const flow *f, const outcomes *known, uint32_t count)
{
  const uint32_t told = f->told.count;
  for (uint32_t i = 0; i < known->count; i += told + count)
    if (!memcmp(known->at + i, f->told.at, told * sizeof *f->told.at)) return known->at + i + told;
  return NULL;
}

/* A procedure comes to what its twin came to. */
static void take_over(flow *f, uint32_t proc, const uint64_t *live)
{
  bpi_analysis *a = f->a;
  const bpi_cfg_proc *graph = &f->cfg->procs.at[proc];
  const bpi_slice all = graph->vertices;
  const bool more = a->live[graph->entry] != live[graph->entry - all.first];
  memcpy(a->live + all.first, live, all.count * sizeof *live);
  for (uint64_t bits = waiting_of(f, all); bits; bits &= bits - 1)
    bpi_bit_remove(f->waiting, all.first + (uint32_t)__builtin_ctzll(bits));
  for (uint32_t v = all.first; v < all.first + all.count; v++) {
    const bpi_vertex *x = &f->cfg->vertices.at[v];
    if (x->kind != BPI_VERTEX_CALL || !a->explore[v]) continue;
    gather(f, x);
    into_callee(f, bpi_stmt_callee(f->p, x->stmt),
                bpi_transfer_changes(a, bpi_transfer_of(a, proc, v)));
  }
  if (more) wake_callers(f, proc);
}

/* Remembers what a procedure came to, unless it told itself more on the way. */
static void remember(flow *f, uint32_t proc, outcomes *known)
{
  const bpi_slice all = f->cfg->procs.at[proc].vertices;
  const uint32_t told = f->told.count, row = told + all.count;
  if (known->count == MOST_OUTCOMES * row || !bpi_vec_reserve(known, row)) return;
  uint64_t *at = known->at + known->count;
  memcpy(at, f->told.at, told * sizeof *at);
  if (!ask(f, proc) || memcmp(at, f->told.at, told * sizeof *at) != 0) return;
  memcpy(at + told, f->a->live + all.first, all.count * sizeof *at);
  known->count += row;
}

static void settle_twin(flow *f, uint32_t proc)
{
  outcomes *known = &f->known[bpi_twin_of(f->a, proc)];
  const bool asked = ask(f, proc);
  const uint64_t *live = asked ? outcome(f, known, f->cfg->procs.at[proc].vertices.count) : NULL;
  if (live) {
    take_over(f, proc, live);
    return;
  }
  settle_small(f, proc);
  if (asked) remember(f, proc, known);
}

static void settle(flow *f)
{
  const bool plain = f->a->words == 1 && !f->a->tracked && !f->a->kept;
  while (f->count) {
    const uint32_t proc = f->stack[--f->count];
    const bpi_cfg_proc *graph = &f->cfg->procs.at[proc];
    f->queued[proc] = 0;
    const bool small = plain && graph->order == BP_NONE && graph->vertices.count <= 64;
    if (small && f->a->twin[proc] != BP_NONE)
      settle_twin(f, proc);
    else if (small)
      settle_small(f, proc);
    else
      for (uint32_t vertex; (vertex = take_vertex(f, proc)) != BP_NONE;)
        update(f, vertex);
  }
}

/* A formal or global that is read but never changed needs no entry copy in a summary: its value at
 * the exit is the one at the entry, provided that it stays to the end. */
static void keep_unchanged(flow *f)
{
  bpi_analysis *a = f->a;
  for (uint32_t p = 0; p < f->cfg->procs.count; p++) {
    if (!a->summary[p]) continue;
    const uint64_t *mod = bpi_proc_set(a, a->mod, p), *own = bpi_proc_set(a, a->own_mod, p);
    const uint64_t *touch = bpi_proc_set(a, a->touch, p);
    uint64_t *extra = bpi_proc_set(a, f->exit_extra, p);
    for (uint32_t g = 0; g < a->globals; g++)
      if (bpi_bit(touch, g) && !bpi_bit(mod, g)) bpi_bit_add(extra, g);
    for (uint32_t i = a->globals; i < a->globals + a->formals[p]; i++)
      if (bpi_bit(touch, i) && !bpi_bit(own, i)) bpi_bit_add(extra, i);
  }
}

/* Callers come first: what they need at the exits of their callees is then known in time. What a callee needs
 * takes its callers up again at once, while they are in the processor's cache. */
static void start(flow *f, uint32_t *by_rank)
{
  const uint32_t procs = f->cfg->procs.count;
  for (uint32_t p = 0; p < procs; p++)
    by_rank[f->cfg->procs.at[p].rank] = p;
  for (uint32_t r = 0; r < procs; r++) {
    const uint32_t proc = by_rank[r];
    const bpi_slice all = f->cfg->procs.at[proc].vertices;
    for (uint32_t i = all.first; i < all.first + all.count; i++)
      if (f->a->explore[i]) wait_inside(f, proc, i);
    if (all.count) queue(f, proc);
  }
}

/* Without live ranges every variable in scope counts as live; at an exit, the globals touched and the
 * formals that still have their entry value. */
static void all_live(flow *f)
{
  bpi_analysis *a = f->a;
  for (uint32_t v = 0; v < f->cfg->vertices.count; v++) {
    const bpi_vertex *vertex = &f->cfg->vertices.at[v];
    uint64_t *live = bpi_live(a, v);
    const uint64_t *touch = bpi_proc_set(a, a->touch, vertex->proc);
    if (!a->explore[v]) continue;
    for (uint32_t g = 0; g < a->globals; g++)
      if (bpi_bit(touch, g)) bpi_bit_add(live, g);
    const bpi_slice vars = f->p->procs.at[vertex->proc].vars;
    const uint64_t *own = bpi_proc_set(a, a->own_mod, vertex->proc);
    const uint32_t locals = a->globals + a->formals[vertex->proc];
    for (uint32_t i = 0; i < vars.count; i++) {
      const uint32_t place = a->place[vars.first + i];
      if (place == BP_NONE) continue;
      const bool gone = vertex->kind == BPI_VERTEX_EXIT && (place >= locals || bpi_bit(own, place));
      if (!gone) bpi_bit_add(live, place);
    }
    keep_tracked(a, vertex->proc, live);
  }
}

static void entry_copies(flow *f)
{
  bpi_analysis *a = f->a;
  for (uint32_t p = 0; p < f->cfg->procs.count; p++) {
    if (!a->summary[p]) continue;
    const uint64_t *live = bpi_live(a, f->cfg->procs.at[p].entry);
    const uint64_t *mod = bpi_proc_set(a, a->mod, p), *own = bpi_proc_set(a, a->own_mod, p);
    uint64_t *copy = bpi_proc_set(a, a->entry_copy, p);
    for (uint32_t g = 0; g < a->globals; g++)
      if (bpi_bit(live, g) && bpi_bit(mod, g)) bpi_bit_add(copy, g);
    for (uint32_t i = a->globals; i < a->globals + a->formals[p]; i++)
      if (bpi_bit(live, i) && bpi_bit(own, i)) bpi_bit_add(copy, i);
  }
}

static bool allocate(flow *f)
{
  const uint32_t n = f->cfg->vertices.count, procs = f->cfg->procs.count;
  f->a->live = bpi_zalloc((size_t)n * f->a->words, sizeof *f->a->live);
  f->a->entry_copy = bpi_zalloc((size_t)procs * f->a->words, sizeof *f->a->entry_copy);
  f->exit_extra = bpi_zalloc((size_t)procs * f->a->words, sizeof *f->exit_extra);
  f->work = bpi_zalloc((size_t)f->a->words * 4, sizeof *f->work);
  f->waiting = bpi_zalloc(n / 64 + 1, sizeof *f->waiting);
  f->stack = bpi_alloc(procs, sizeof *f->stack);
  f->queued = bpi_zalloc(procs, 1);
  f->latest = bpi_zalloc(procs, sizeof *f->latest);
  f->known = bpi_zalloc(procs, sizeof *f->known);
  return f->a->live && f->a->entry_copy && f->exit_extra && f->work && f->waiting && f->stack &&
         f->queued && f->latest && f->known;
}

bp_status bpi_liveness(bpi_analysis *a, bool live)
{
  flow f = {.a = a, .cfg = a->cfg, .p = a->cfg->program};
  uint32_t *by_rank = bpi_alloc(f.cfg->procs.count, sizeof *by_rank);
  const bool memory = allocate(&f) && by_rank;
  if (memory) {
    f.assigned = f.work + a->words;
    f.needed = f.assigned + a->words;
    f.globals = f.needed + a->words;
    for (uint32_t g = 0; g < a->globals; g++)
      bpi_bit_add(f.globals, g);
    keep_unchanged(&f);
    if (live) {
      start(&f, by_rank);
      settle(&f);
    } else {
      all_live(&f);
    }
    entry_copies(&f);
  }
  for (uint32_t p = 0; f.known && p < f.cfg->procs.count; p++)
    bpi_vec_free(&f.known[p]);
  bpi_release(f.known);
  bpi_vec_free(&f.told);
  bpi_release(by_rank);
  bpi_release(f.exit_extra);
  bpi_release(f.work);
  bpi_release(f.waiting);
  bpi_release(f.stack);
  bpi_release(f.queued);
  bpi_release(f.latest);
  return memory ? BP_OK : BP_E_NOMEM;
}
