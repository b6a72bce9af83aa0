/* SPDX-License-Identifier: MIT
 * Live ranges: a variable is live where some execution to a goal may still read its value. Backward
 * over each procedure, through calls by what is live at the callee's entry, into exits by what is
 * live behind the calls. */
#include "cfg/analysis.h"

typedef struct flow {
  bpi_analysis *a;
  const bp_cfg *cfg;
  const bp_program *p;
  uint64_t *work, *assigned;
  uint64_t *exit_extra; /* by procedure: what its summary needs to see of its entry */
  /* What waits: procedures in a ring; in each, vertices, a bit by place in reverse postorder. */
  uint64_t *waiting;
  uint32_t *ring;
  uint8_t *queued;  /* by procedure */
  uint32_t *latest; /* by procedure: no vertex waits at later places */
  uint32_t head, count;
} flow;

/* Sets have one word as a rule, and at least one: not worth the call that a loop would become. */
static inline void clear(uint64_t *set, uint32_t words)
{
  set[0] = 0;
  for (uint32_t w = 1; w < words; w++)
    set[w] = 0;
}

static inline void copy(uint64_t *to, const uint64_t *from, uint32_t words)
{
  to[0] = from[0];
  for (uint32_t w = 1; w < words; w++)
    to[w] = from[w];
}

static void wait_for(flow *f, uint32_t vertex)
{
  if (!f->a->explore[vertex]) return;
  const uint32_t proc = f->cfg->vertices.at[vertex].proc, place = bpi_place_of(f->cfg, vertex);
  bpi_bit_add(f->waiting, f->cfg->procs.at[proc].vertices.first + place);
  if (place > f->latest[proc]) f->latest[proc] = place;
  if (f->queued[proc]) return;
  f->queued[proc] = 1;
  const uint32_t at = f->head + f->count++, size = f->cfg->procs.count;
  f->ring[at < size ? at : at - size] = proc;
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

static void join(flow *f, const uint64_t *set)
{
  for (uint32_t w = 0; w < f->a->words; w++)
    f->work[w] |= set[w];
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

/* From what is live after (in work) to what is live before. `needed` starts as what is live after. */
static void through_assign(flow *f, const bpi_vertex *v, uint64_t *needed)
{
  const bpi_stmt stmt = bpi_stmt_at(f->p, v->stmt), *s = &stmt;
  clear(f->assigned, f->a->words);
  copy(needed, f->work, f->a->words);
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = f->p->ids.at[s->targets.first + k];
    if (target == BP_NONE || !f->a->var_matters[target]) continue;
    bpi_bit_add(f->assigned, f->a->place[target]);
    bpi_bit_remove(f->work, f->a->place[target]);
  }
  if (v->kind != BPI_VERTEX_ASSIGN) return;
  if (s->constrain != BP_NONE) constrain(f, s->constrain, false, needed);
  for (uint32_t e = bpi_enforce_of(f->cfg, v); e != BP_NONE; e = f->cfg->enforces.at[e].outer)
    constrain(f, f->cfg->enforces.at[e].expr, true, needed);
  for (uint32_t k = s->targets.count; k-- > 0;) {
    const uint32_t target = f->p->ids.at[s->targets.first + k];
    const uint32_t place = target == BP_NONE ? BP_NONE : f->a->place[target];
    if (place == BP_NONE || !bpi_bit(f->assigned, place)) continue;
    bpi_bit_remove(f->assigned, place); /* the last one wins */
    if (bpi_bit(needed, place)) add_expr(f, s->exprs.first + k);
  }
}

/* Before a call: what is live after it and passes it by, what the callee reads, the arguments. Adds
 * to the callee's exit what is live after the call and may change in it. */
static void through_call(flow *f, const bpi_vertex *v, uint64_t *after)
{
  bpi_analysis *a = f->a;
  const bpi_stmt stmt = bpi_stmt_at(f->p, v->stmt), *s = &stmt;
  const bpi_cfg_proc *callee = &f->cfg->procs.at[s->callee];
  const uint64_t *mod = bpi_proc_set(a, a->mod, s->callee);
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = f->p->ids.at[s->targets.first + k];
    if (target != BP_NONE && a->var_matters[target]) bpi_bit_remove(f->work, a->place[target]);
  }
  uint64_t *exit = bpi_live(a, callee->exit);
  bool more = false;
  for (uint32_t w = 0; w < a->words; w++) {
    const uint64_t changed = f->work[w] & mod[w];
    more |= (changed & ~exit[w]) != 0;
    exit[w] |= changed;
    f->work[w] &= ~changed;
  }
  if (more) wait_for(f, callee->exit);
  copy(after, bpi_live(a, callee->entry), a->words);
  const uint32_t *formal = a->place + f->p->procs.at[s->callee].vars.first;
  for (uint32_t i = 0; i < s->exprs.count; i++)
    if (formal[i] != BP_NONE && bpi_bit(after, formal[i])) add_expr(f, s->exprs.first + i);
  for (uint32_t g = 0; g < a->globals; g++)
    if (bpi_bit(after, g)) bpi_bit_add(f->work, g);
}

static void after_vertex(flow *f, const bpi_vertex *v)
{
  clear(f->work, f->a->words);
  for (uint32_t i = 0; i < bpi_succs(v).count; i++) {
    const uint32_t succ = f->cfg->succs.at[bpi_succs(v).first + i];
    if (f->a->explore[succ]) join(f, bpi_live(f->a, succ));
  }
}

static void compute(flow *f, uint32_t vertex, uint64_t *scratch)
{
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  const bpi_stmt none = {0}, stmt = v->stmt == BP_NONE ? none : bpi_stmt_at(f->p, v->stmt);
  const bpi_stmt *s = v->stmt == BP_NONE ? NULL : &stmt;
  if (v->kind == BPI_VERTEX_CALL && !f->a->returns[s->callee])
    clear(f->work, f->a->words);
  else
    after_vertex(f, v);
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN:
  case BPI_VERTEX_HAVOC: through_assign(f, v, scratch); break;
  case BPI_VERTEX_BRANCH:
  case BPI_VERTEX_ASSUME:
  case BPI_VERTEX_ASSERT: add_expr(f, s->exprs.first); break;
  case BPI_VERTEX_CALL: through_call(f, v, scratch); break;
  case BPI_VERTEX_RETURN:
    for (uint32_t k = 0; s && k < s->exprs.count; k++)
      if (f->a->result_matters[f->a->result_first[v->proc] + k]) add_expr(f, s->exprs.first + k);
    break;
  case BPI_VERTEX_EXIT:
    join(f, bpi_live(f->a, vertex));
    join(f, bpi_proc_set(f->a, f->exit_extra, v->proc));
    break;
  default: break;
  }
  if (f->a->kept && v->kind != BPI_VERTEX_EXIT) add_var(f, f->a->kept[v->proc]);
  if (!(f->a->explore[vertex] & BPI_GOAL)) return;
  for (uint32_t i = bpi_goal_at(f->a, vertex);
       i < f->a->goal_count && f->a->goal_vertices[i] == vertex; i++) {
    const bpi_goal *goal = &f->a->goals[f->a->goals_sorted[i]];
    add_code(f, goal->when, goal->when_count);
  }
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

/* Computes what is live before a vertex anew; what depends on it waits if it is more. */
static void update(flow *f, uint32_t vertex, uint64_t *scratch)
{
  const bpi_vertex *v = &f->cfg->vertices.at[vertex];
  uint64_t *live = bpi_live(f->a, vertex);
  bool more = v->kind == BPI_VERTEX_EXIT; /* was added to from elsewhere */
  compute(f, vertex, scratch);
  keep_tracked(f->a, v->proc, f->work);
  for (uint32_t w = 0; w < f->a->words; w++) {
    more |= f->work[w] != live[w];
    live[w] = f->work[w];
  }
  if (!more) return;
  const bpi_slice preds = bpi_preds(v);
  for (uint32_t i = 0; i < preds.count; i++)
    wait_for(f, f->cfg->preds.at[preds.first + i]);
  if (vertex == f->cfg->procs.at[v->proc].entry) wake_callers(f, v->proc);
}

static void settle(flow *f, uint64_t *scratch)
{
  while (f->count) {
    const uint32_t proc = f->ring[f->head];
    for (uint32_t vertex; (vertex = take_vertex(f, proc)) != BP_NONE;)
      update(f, vertex, scratch);
    f->queued[proc] = 0;
    f->head = f->head + 1 < f->cfg->procs.count ? f->head + 1 : 0;
    f->count--;
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

/* Callers come first: what they need at the exits of their callees is then known in time. */
static void start(flow *f, uint32_t *by_rank)
{
  const uint32_t procs = f->cfg->procs.count;
  for (uint32_t p = 0; p < procs; p++)
    by_rank[f->cfg->procs.at[p].rank] = p;
  for (uint32_t r = procs; r-- > 0;) {
    const bpi_slice all = f->cfg->procs.at[by_rank[r]].vertices;
    for (uint32_t i = all.first; i < all.first + all.count; i++)
      wait_for(f, i);
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
  f->work = bpi_zalloc((size_t)f->a->words * 3, sizeof *f->work);
  f->waiting = bpi_zalloc(n / 64 + 1, sizeof *f->waiting);
  f->ring = bpi_alloc(procs, sizeof *f->ring);
  f->queued = bpi_zalloc(procs, 1);
  f->latest = bpi_zalloc(procs, sizeof *f->latest);
  return f->a->live && f->a->entry_copy && f->exit_extra && f->work && f->waiting && f->ring &&
         f->queued && f->latest;
}

bp_status bpi_liveness(bpi_analysis *a, bool live)
{
  flow f = {.a = a, .cfg = a->cfg, .p = a->cfg->program};
  uint32_t *by_rank = bpi_alloc(f.cfg->procs.count, sizeof *by_rank);
  const bool memory = allocate(&f) && by_rank;
  if (memory) {
    f.assigned = f.work + a->words;
    keep_unchanged(&f);
    if (live) {
      start(&f, by_rank);
      settle(&f, f.work + (size_t)2 * a->words);
    } else {
      all_live(&f);
    }
    entry_copies(&f);
  }
  bpi_release(by_rank);
  bpi_release(f.exit_extra);
  bpi_release(f.work);
  bpi_release(f.waiting);
  bpi_release(f.ring);
  bpi_release(f.queued);
  bpi_release(f.latest);
  return memory ? BP_OK : BP_E_NOMEM;
}
