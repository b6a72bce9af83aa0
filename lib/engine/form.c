/* SPDX-License-Identifier: MIT */
#include "engine/form.h"

#include "base/hash.h"

/* ---- writing ------------------------------------------------------------- */

/* Writes e->form. */
typedef struct writer {
  bpi_engine *e;
  const bp_program *p;
  uint32_t *at, *end;   /* where the next word goes; where there is no room any more */
  uint32_t proc, first; /* first: the procedure's first vertex */
  bool memory;
} writer;

static writer begin(bpi_engine *e, uint32_t proc)
{
  return (writer){.e = e,
                  .p = e->p,
                  .at = e->form.at,
                  .end = e->form.at ? e->form.at + e->form.capacity : NULL,
                  .proc = proc,
                  .first = e->cfg->procs.at[proc].vertices.first,
                  .memory = true};
}

static bool grow_form(writer *w, uint64_t count)
{
  w->e->form.count = w->at ? (uint32_t)(w->at - w->e->form.at) : 0;
  w->memory = w->memory && count < UINT32_MAX / 2 && bpi_vec_reserve(&w->e->form, (uint32_t)count);
  if (!w->memory) return false;
  w->at = w->e->form.at + w->e->form.count;
  w->end = w->e->form.at + w->e->form.capacity;
  return true;
}

/* Makes room for `count` words. */
static inline bool room(writer *w, uint64_t count)
{
  return (w->memory && count <= (uint64_t)(w->end - w->at)) || grow_form(w, count);
}

static bool finish(writer *w)
{
  w->e->form.count = w->at ? (uint32_t)(w->at - w->e->form.at) : 0;
  return w->memory;
}

static inline void put(writer *w, uint32_t word)
{
  *w->at++ = word;
}

static void put_set(writer *w, const uint64_t *set)
{
  for (uint32_t i = 0; i < w->e->a.words; i++) {
    put(w, (uint32_t)set[i]);
    put(w, (uint32_t)(set[i] >> 32));
  }
}

static void put_expr(writer *w, uint32_t expr)
{
  const bpi_expr x = bpi_expr_at(w->p, expr);
  if (!room(w, (uint64_t)x.count + 1)) return;
  put(w, x.count);
  for (uint32_t i = x.first; i < x.first + x.count; i++) {
    const bpi_instr in = w->p->code.at[i];
    const bool var = in.op == BPI_OP_VAR || in.op == BPI_OP_NEXT;
    put(w, in.op | (var ? w->e->a.place[in.arg] : in.op >= BPI_OP_KEEP ? in.arg : 0) << 5);
  }
}

static uint32_t target_place(const writer *w, const bpi_stmt *s, uint32_t k)
{
  const uint32_t target = w->p->ids.at[s->targets.first + k];
  return target == BP_NONE || !w->e->a.var_matters[target] ? BP_NONE : w->e->a.place[target];
}

static void put_targets(writer *w, const bpi_stmt *s)
{
  if (!room(w, (uint64_t)s->targets.count + 1)) return;
  put(w, s->targets.count);
  for (uint32_t k = 0; k < s->targets.count; k++)
    put(w, target_place(w, s, k));
}

static void put_assign(writer *w, const bpi_vertex *v, const bpi_stmt *s)
{
  put_targets(w, s);
  for (uint32_t k = 0; k < s->targets.count && w->memory; k++)
    if (target_place(w, s, k) != BP_NONE) put_expr(w, s->exprs.first + k);
  if (s->constrain != BP_NONE) put_expr(w, s->constrain);
  for (uint32_t n = bpi_enforce_of(w->e->cfg, v); n != BP_NONE && w->memory;
       n = w->e->cfg->enforces.at[n].outer)
    put_expr(w, w->e->cfg->enforces.at[n].expr);
  if (room(w, 1)) put(w, s->constrain != BP_NONE);
}

/* Of the callee: its formals, what is live at its entry, what it may change, what it copies. */
static void put_callee(writer *w, const bpi_stmt *s)
{
  const bpi_analysis *a = &w->e->a;
  const bpi_proc *callee = &w->p->procs.at[s->callee];
  if (!room(w, 3 + 6 * (uint64_t)a->words)) return;
  put(w, callee->results);
  put(w, a->summary[s->callee]);
  put(w, a->formals[s->callee]);
  put_set(w, bpi_live(a, w->e->cfg->procs.at[s->callee].entry));
  put_set(w, bpi_proc_set(a, a->mod, s->callee));
  put_set(w, bpi_proc_set(a, a->entry_copy, s->callee));
}

static void put_call(writer *w, const bpi_stmt *s)
{
  const bpi_analysis *a = &w->e->a;
  const bpi_proc *callee = &w->p->procs.at[s->callee];
  put_targets(w, s);
  put_callee(w, s);
  for (uint32_t k = 0; k < s->exprs.count && room(w, 1); k++) {
    const uint32_t place = a->place[callee->vars.first + k];
    put(w, place);
    if (place != BP_NONE) put_expr(w, s->exprs.first + k);
  }
}

static void put_return(writer *w, const bpi_stmt *s)
{
  const bpi_analysis *a = &w->e->a;
  for (uint32_t k = 0; k < s->exprs.count && a->summary[w->proc] && room(w, 1); k++) {
    const bool matters = a->result_matters[a->result_first[w->proc] + k];
    put(w, matters);
    if (matters) put_expr(w, s->exprs.first + k);
  }
}

static void put_stmt(writer *w, const bpi_vertex *v)
{
  const bpi_stmt stmt = bpi_stmt_at(w->p, v->stmt);
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN: put_assign(w, v, &stmt); break;
  case BPI_VERTEX_HAVOC: put_targets(w, &stmt); break;
  case BPI_VERTEX_BRANCH:
  case BPI_VERTEX_ASSUME:
  case BPI_VERTEX_ASSERT: put_expr(w, stmt.exprs.first); break;
  case BPI_VERTEX_CALL: put_call(w, &stmt); break;
  case BPI_VERTEX_RETURN: put_return(w, &stmt); break;
  default: break;
  }
}

static void put_vertex(writer *w, uint32_t vertex)
{
  const bp_cfg *cfg = w->e->cfg;
  const bpi_vertex *v = &cfg->vertices.at[vertex];
  const bpi_slice succs = bpi_succs(v);
  if (!room(w, 2 + succs.count + 2 * (uint64_t)w->e->a.words)) return;
  put(w, (vertex - w->first) << 8 | v->kind | v->negated << 5 | (v->stmt == BP_NONE) << 6);
  put(w, succs.count);
  for (uint32_t i = 0; i < succs.count; i++) {
    const uint32_t succ = cfg->succs.at[succs.first + i];
    put(w, w->e->a.explore[succ] ? succ - w->first : BP_NONE);
  }
  put_set(w, bpi_live(&w->e->a, vertex));
  if (v->stmt != BP_NONE) put_stmt(w, v);
}

/* Loops are closed over their calls, so of these it counts who is called. */
static void put_callees(writer *w)
{
  const bp_cfg *cfg = w->e->cfg;
  const bpi_cfg_proc *graph = &cfg->procs.at[w->proc];
  for (uint32_t i = graph->back; i <= graph->fore && room(w, 1); i++) {
    const uint32_t vertex = bpi_vertex_at_place(cfg, w->proc, i);
    if (w->e->a.explore[vertex] && cfg->vertices.at[vertex].kind == BPI_VERTEX_CALL)
      put(w, bpi_stmt_callee(w->p, cfg->vertices.at[vertex].stmt));
  }
}

/* Of twins the code is the same: it does not stand in the form. */
static void put_twin(writer *w, const bpi_slice all)
{
  const bp_cfg *cfg = w->e->cfg;
  if (!room(w, 2 * (uint64_t)w->e->a.words * all.count)) return;
  for (uint32_t v = all.first; v < all.first + all.count; v++)
    put_set(w, bpi_live(&w->e->a, v));
  for (uint32_t v = all.first; v < all.first + all.count && w->memory; v++) {
    if (cfg->vertices.at[v].kind != BPI_VERTEX_CALL) continue;
    const bpi_stmt stmt = bpi_stmt_at(w->p, cfg->vertices.at[v].stmt);
    put_callee(w, &stmt);
  }
}

bool bpi_write_form(bpi_engine *e, uint32_t proc)
{
  const bpi_cfg_proc *graph = &e->cfg->procs.at[proc];
  const bpi_slice all = graph->vertices;
  writer w = begin(e, proc);
  if (!room(&w, 4 + 4 * (uint64_t)e->a.words)) return false;
  const bool twin = e->a.twin[proc] != BP_NONE;
  put(&w, twin ? BP_NONE : all.count);
  put(&w, twin ? e->a.twin[proc] : graph->entry - all.first);
  put(&w, e->a.formals[proc] | (uint32_t)e->a.summary[proc] << 31);
  put(&w, e->p->procs.at[proc].results);
  put_set(&w, bpi_proc_set(&e->a, e->a.entry_copy, proc));
  put_set(&w, bpi_proc_set(&e->a, e->a.mod, proc));
  if (twin) put_twin(&w, all);
  for (uint32_t v = all.first; !twin && v < all.first + all.count && w.memory; v++)
    if (e->a.explore[v]) put_vertex(&w, v);
  put_callees(&w);
  return finish(&w);
}

static bool same_set(const bpi_engine *e, const uint64_t *one, const uint64_t *other)
{
  return !memcmp(one, other, e->a.words * sizeof *one);
}

static bool same_proc_set(const bpi_engine *e, uint64_t *sets, uint32_t one, uint32_t other)
{
  return same_set(e, bpi_proc_set(&e->a, sets, one), bpi_proc_set(&e->a, sets, other));
}

/* Whether put_callee() writes the same. */
static bool same_callee(const bpi_engine *e, uint32_t one, uint32_t other)
{
  const bpi_analysis *a = &e->a;
  return one == other ||
         (e->p->procs.at[one].results == e->p->procs.at[other].results &&
          a->summary[one] == a->summary[other] && a->formals[one] == a->formals[other] &&
          same_set(e, bpi_live(a, e->cfg->procs.at[one].entry),
                   bpi_live(a, e->cfg->procs.at[other].entry)) &&
          same_proc_set(e, a->mod, one, other) && same_proc_set(e, a->entry_copy, one, other));
}

/* Whether put_callees() writes the same. */
static bool same_in_loops(const bpi_engine *e, uint32_t proc, uint32_t twin)
{
  const bpi_cfg_proc *graph = &e->cfg->procs.at[proc];
  const uint32_t first = graph->vertices.first, other = e->cfg->procs.at[twin].vertices.first;
  for (uint32_t i = graph->back; i <= graph->fore; i++) {
    const uint32_t vertex = bpi_vertex_at_place(e->cfg, proc, i);
    const bpi_vertex *v = &e->cfg->vertices.at[vertex],
                     *w = &e->cfg->vertices.at[other + vertex - first];
    if (v->kind == BPI_VERTEX_CALL &&
        bpi_stmt_callee(e->p, v->stmt) != bpi_stmt_callee(e->p, w->stmt))
      return false;
  }
  return true;
}

bool bpi_same_form(const bpi_engine *e, uint32_t proc, uint32_t twin)
{
  const bpi_analysis *a = &e->a;
  const bpi_cfg_proc *graph = &e->cfg->procs.at[proc];
  const bpi_slice all = graph->vertices;
  const uint32_t other = e->cfg->procs.at[twin].vertices.first;
  if (a->formals[proc] != a->formals[twin] || a->summary[proc] != a->summary[twin] ||
      !same_proc_set(e, a->entry_copy, proc, twin) || !same_proc_set(e, a->mod, proc, twin) ||
      memcmp(bpi_live(a, all.first), bpi_live(a, other),
             (size_t)all.count * a->words * sizeof *a->live) != 0)
    return false;
  const bpi_vertex *v = &e->cfg->vertices.at[all.first], *w = &e->cfg->vertices.at[other];
  for (uint32_t i = 0; i < all.count; i++)
    if (v[i].kind == BPI_VERTEX_CALL &&
        !same_callee(e, bpi_stmt_callee(e->p, v[i].stmt), bpi_stmt_callee(e->p, w[i].stmt)))
      return false;
  return same_in_loops(e, proc, twin);
}

bool bpi_write_call_form(bpi_engine *e, uint32_t vertex)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  const bpi_stmt stmt = bpi_stmt_at(e->p, v->stmt);
  writer w = begin(e, v->proc);
  if (!room(&w, 6 * (uint64_t)e->a.words)) return false;
  put_set(&w, bpi_proc_set(&e->a, e->a.entry_copy, v->proc));
  put_set(&w, bpi_live(&e->a, vertex));
  put_set(&w, bpi_live(&e->a, e->cfg->succs.at[bpi_succs(v).first]));
  put_call(&w, &stmt);
  return finish(&w);
}

/* ---- what was made for a form -------------------------------------------- */

static bool grow(bpi_forms *t)
{
  const uint32_t size = t->size ? 2 * t->size : 64;
  bpi_form *grown = bpi_zalloc(size, sizeof *grown);
  if (!grown) return false;
  for (uint32_t i = 0; i < t->size; i++) {
    if (!t->at[i].key) continue;
    uint32_t at = (uint32_t)t->at[i].hash & (size - 1);
    while (grown[at].key)
      at = (at + 1) & (size - 1);
    grown[at] = t->at[i];
  }
  bpi_release(t->at);
  t->at = grown;
  t->size = size;
  return true;
}

static uint64_t hash_form(const bpi_engine *e)
{
  const uint32_t *at = e->form.at, *const end = at + e->form.count;
  uint64_t one = BPI_HASH_START, two = e->form.count;
  for (; end - at >= 4; at += 4) { /* two chains, so that neither waits for the other */
    one = ((one ^ at[0]) + ((uint64_t)at[1] << 32)) * 0x9e3779b97f4a7c15u;
    two = ((two ^ at[2]) + ((uint64_t)at[3] << 32)) * 0xff51afd7ed558ccdu;
    one ^= one >> 31;
    two ^= two >> 29;
  }
  for (; at < end; at++)
    one = bpi_hash_u64(one, *at);
  return bpi_hash_u64(one, two);
}

void **bpi_form_find(bpi_engine *e, bpi_forms *t)
{
  const uint32_t count = e->form.count;
  if (2 * t->count >= t->size && !grow(t)) return NULL;
  const uint64_t hash = hash_form(e);
  uint32_t at = (uint32_t)hash & (t->size - 1);
  for (; t->at[at].key; at = (at + 1) & (t->size - 1))
    if (t->at[at].hash == hash && t->at[at].count == count &&
        !memcmp(t->at[at].key, e->form.at, count * sizeof *e->form.at))
      return &t->at[at].value;
  uint32_t *key = bpi_alloc(count, sizeof *key);
  if (!key) return NULL;
  memcpy(key, e->form.at, count * sizeof *key);
  t->at[at] = (bpi_form){hash, count, key, NULL};
  t->count++;
  return &t->at[at].value;
}

void bpi_forms_free(bpi_forms *t)
{
  for (uint32_t i = 0; i < t->size; i++)
    bpi_release(t->at[i].key);
  bpi_release(t->at);
}
