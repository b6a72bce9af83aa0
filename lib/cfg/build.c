/* SPDX-License-Identifier: MIT
 * From the flat statement list to vertices and edges. */
#include "cfg/cfg.h"

/* ---- one procedure ------------------------------------------------------ */

/* An `if` or `while` that is open in the walk over the statements from the last to the first. */
typedef struct frame {
  uint32_t after; /* where control goes behind the construct */
  uint32_t fails; /* if: where the preceding condition goes when it fails */
} frame;

typedef struct build {
  bp_cfg *cfg;
  const bp_program *program;
  bp_context *ctx;
  bpi_watch watch;
  uint32_t *arrival; /* by statement, one more for the end: the vertex that control comes to */
  BPI_VEC(frame) frames;
  BPI_VEC(uint32_t) opens; /* forward walk: while statements and enforce chains */
  bp_status status;
} build;

static bool is_mark(const bpi_stmt *s)
{
  return s->kind == BP_STMT_ELSE || s->kind == BP_STMT_FI || s->kind == BP_STMT_OD;
}

static bpi_vertex_kind kind_of(const bp_program *p, const bpi_stmt *s)
{
  switch (s->kind) {
  case BP_STMT_ASSIGN: return BPI_VERTEX_ASSIGN;
  case BP_STMT_CALL: return BPI_VERTEX_CALL;
  case BP_STMT_RETURN: return BPI_VERTEX_RETURN;
  case BP_STMT_IF:
  case BP_STMT_ELSIF:
  case BP_STMT_WHILE: return BPI_VERTEX_BRANCH;
  case BP_STMT_ASSERT:
  case BP_STMT_ABORTIF: return BPI_VERTEX_ASSERT;
  case BP_STMT_ASSUME:
  case BP_STMT_CONSTRAIN:
  case BP_STMT_ENFORCE: return BPI_VERTEX_ASSUME;
  case BP_STMT_DEAD: return p->dead == BP_DEAD_HAVOC ? BPI_VERTEX_HAVOC : BPI_VERTEX_STEP;
  case BP_STMT_DECL: return s->exprs.count ? BPI_VERTEX_ASSIGN : BPI_VERTEX_HAVOC;
  default: return BPI_VERTEX_STEP;
  }
}

static uint32_t add_vertex(build *b, bpi_vertex v)
{
  if (!bpi_vec_push(&b->cfg->vertices, v)) {
    b->status = BP_E_NOMEM;
    return BP_NONE;
  }
  return b->cfg->vertices.count - 1;
}

static void add_succ(build *b, uint32_t vertex, uint32_t succ)
{
  bp_cfg *cfg = b->cfg;
  if (vertex == BP_NONE || succ == BP_NONE) return;
  bpi_vertex *v = &cfg->vertices.at[vertex];
  if (!v->succs.count) v->succs.first = cfg->succs.count;
  if (bpi_vec_push(&cfg->succs, succ))
    v->succs.count++;
  else
    b->status = BP_E_NOMEM;
}

/* First walk: a vertex for each statement that runs. `opens` holds, for each open if or while, the
 * enforce chain at its beginning. */
static void make_vertices(build *b, uint32_t proc)
{
  const bpi_slice stmts = b->program->procs.at[proc].stmts;
  uint32_t enforce = BP_NONE;
  bool at_head = true;
  b->opens.count = 0;
  for (uint32_t i = stmts.first; i < stmts.first + stmts.count && b->status == BP_OK; i++) {
    const bpi_stmt *s = &b->program->stmts.at[i];
    /* Locals are arbitrary at entry anyway. */
    const bool idle = s->kind == BP_STMT_DECL && !s->exprs.count && at_head;
    at_head = idle;
    if (!is_mark(s) && !idle) {
      const bpi_vertex v = {.kind = (uint8_t)kind_of(b->program, s),
                            .weight = bpi_stmt_counts(s),
                            .negated = s->kind == BP_STMT_ABORTIF,
                            .proc = proc,
                            .stmt = i,
                            .enforce = s->kind == BP_STMT_DECL ? BP_NONE : enforce};
      b->cfg->vertex_of_stmt[i] = add_vertex(b, v);
    }
    if (s->kind == BP_STMT_IF || s->kind == BP_STMT_WHILE) {
      if (!bpi_vec_push(&b->opens, enforce)) b->status = BP_E_NOMEM;
    } else if ((s->kind == BP_STMT_ELSIF || s->kind == BP_STMT_ELSE) && b->opens.count) {
      enforce = b->opens.at[b->opens.count - 1];
    } else if ((s->kind == BP_STMT_FI || s->kind == BP_STMT_OD) && b->opens.count) {
      enforce = b->opens.at[--b->opens.count];
    } else if (s->kind == BP_STMT_ENFORCE) {
      const bpi_enforce link = {s->exprs.first, enforce};
      if (bpi_vec_push(&b->cfg->enforces, link))
        enforce = b->cfg->enforces.count - 1;
      else
        b->status = BP_E_NOMEM;
    }
    if (bpi_watch_expired(&b->watch)) b->status = BP_E_LIMIT;
  }
}

/* The while of each od: od statements get the vertex of their while as arrival. */
static void match_loops(build *b, bpi_slice stmts)
{
  b->opens.count = 0;
  for (uint32_t i = stmts.first; i < stmts.first + stmts.count; i++) {
    const uint8_t kind = b->program->stmts.at[i].kind;
    if (kind == BP_STMT_WHILE && !bpi_vec_push(&b->opens, i)) b->status = BP_E_NOMEM;
    if (kind == BP_STMT_OD && b->opens.count)
      b->arrival[i] = b->cfg->vertex_of_stmt[b->opens.at[--b->opens.count]];
  }
}

/* Second walk, from the last statement to the first: where control goes from each. */
static void link_structure(build *b, bpi_slice stmts)
{
  uint32_t *arrival = b->arrival;
  for (uint32_t i = stmts.first + stmts.count; i-- > stmts.first && b->status == BP_OK;) {
    const bpi_stmt *s = &b->program->stmts.at[i];
    const uint32_t v = b->cfg->vertex_of_stmt[i];
    const uint32_t next = arrival[i + 1];
    frame *open = b->frames.count ? &b->frames.at[b->frames.count - 1] : NULL;
    switch (s->kind) {
    case BP_STMT_FI:
    case BP_STMT_OD: {
      if (s->kind == BP_STMT_FI) arrival[i] = next;
      const frame f = {next, next};
      if (!bpi_vec_push(&b->frames, f)) b->status = BP_E_NOMEM;
      break;
    }
    case BP_STMT_ELSE:
      open->fails = next;
      arrival[i] = open->after;
      break;
    case BP_STMT_ELSIF:
      add_succ(b, v, next);
      add_succ(b, v, open->fails);
      open->fails = v;
      arrival[i] = open->after;
      break;
    case BP_STMT_IF:
    case BP_STMT_WHILE:
      add_succ(b, v, next);
      add_succ(b, v, open->fails);
      arrival[i] = v;
      b->frames.count--;
      break;
    default: arrival[i] = v == BP_NONE ? next : v;
    }
  }
}

/* The plain successors: all that need nothing but the arrivals. */
static void link_plain(build *b, uint32_t proc, bpi_slice stmts, uint32_t exit)
{
  const bp_program *p = b->program;
  const bool blocks = p->fall_off == BP_FALL_OFF_BLOCK && p->procs.at[proc].results;
  for (uint32_t i = stmts.first; i < stmts.first + stmts.count && b->status == BP_OK; i++) {
    const bpi_stmt *s = &p->stmts.at[i];
    const uint32_t v = b->cfg->vertex_of_stmt[i];
    if (v == BP_NONE || b->cfg->vertices.at[v].kind == BPI_VERTEX_BRANCH) continue;
    if (s->kind == BP_STMT_GOTO) {
      for (uint32_t t = 0; t < s->targets.count; t++)
        add_succ(b, v, b->arrival[p->labels.at[p->ids.at[s->targets.first + t]].stmt]);
    } else if (s->kind == BP_STMT_RETURN) {
      if (s->exprs.count || !blocks) add_succ(b, v, exit);
    } else {
      add_succ(b, v, b->arrival[i + 1]);
    }
  }
}

static void build_proc(build *b, uint32_t proc)
{
  const bp_program *p = b->program;
  const bpi_slice stmts = p->procs.at[proc].stmts;
  bpi_cfg_proc *out = &b->cfg->procs.at[proc];
  out->vertices.first = b->cfg->vertices.count;
  make_vertices(b, proc);
  uint32_t end = BP_NONE;
  if (p->procs.at[proc].results && p->fall_off != BP_FALL_OFF_ERROR)
    end = add_vertex(
        b,
        (bpi_vertex){.kind = BPI_VERTEX_RETURN, .proc = proc, .stmt = BP_NONE, .enforce = BP_NONE});
  const bpi_vertex last = {
      .kind = BPI_VERTEX_EXIT, .proc = proc, .stmt = BP_NONE, .enforce = BP_NONE};
  const uint32_t exit = add_vertex(b, last);
  if (b->status != BP_OK) return;
  if (end != BP_NONE && p->fall_off == BP_FALL_OFF_ANY) add_succ(b, end, exit);
  b->arrival[stmts.first + stmts.count] = end == BP_NONE ? exit : end;
  match_loops(b, stmts);
  link_structure(b, stmts);
  link_plain(b, proc, stmts, exit);
  out->entry = b->arrival[stmts.first];
  out->exit = exit;
  out->vertices.count = b->cfg->vertices.count - out->vertices.first;
}

/* ---- the whole graph ---------------------------------------------------- */

static void refuse(bp_context *ctx, const bp_program *p, const bpi_concurrent *c, const char *why)
{
  bpi_excerpt cut = {.caret = c->caret, .underline = c->underline};
  memcpy(cut.line, bpi_name(p, c->excerpt), strlen(bpi_name(p, c->excerpt)) + 1);
  bpi_diagnose_cut(ctx, BP_ERROR, BPI_MSG_CONCURRENT, bpi_name(p, c->file), &c->range,
                   c->excerpt ? &cut : NULL,
                   "concurrent programs are not supported: procedure '%.80s' %s",
                   bpi_name(p, p->procs.at[c->proc].name), why);
}

/* Names each procedure in the way with its first concurrent construct. */
static bool refuse_concurrent(bp_context *ctx, const bp_program *p, const uint8_t *called)
{
  if (!p->concurrent) return false;
  bool any = false;
  for (uint32_t i = 0; i < p->concurrents.count; i++) {
    const bpi_concurrent *c = &p->concurrents.at[i];
    if (!p->procs.at[c->proc].concurrent || (p->entry_given && !called[c->proc])) continue;
    any = true;
    refuse(ctx, p, c, "uses threads");
  }
  if (any || p->entry_given) return any;
  refuse(ctx, p, &p->concurrents.at[p->concurrents.count - 1],
         "is a thread (name a sequential entry procedure)");
  return true;
}

static bp_status build_all(bp_cfg *cfg, bp_context *ctx, const uint8_t *called)
{
  const bp_program *p = cfg->program;
  build b = {.cfg = cfg, .program = p, .ctx = ctx, .watch = bpi_context_watch(ctx)};
  b.arrival = bpi_alloc((size_t)p->stmts.count + p->procs.count + 1, sizeof *b.arrival);
  cfg->vertex_of_stmt = bpi_alloc((size_t)p->stmts.count + 1, sizeof *cfg->vertex_of_stmt);
  if (!b.arrival || !cfg->vertex_of_stmt || !bpi_vec_reserve(&cfg->procs, p->procs.count))
    b.status = BP_E_NOMEM;
  for (uint32_t i = 0; b.status == BP_OK && i < p->stmts.count; i++)
    cfg->vertex_of_stmt[i] = BP_NONE;
  for (uint32_t i = 0; b.status == BP_OK && i < p->procs.count; i++) {
    cfg->procs.at[i] = (bpi_cfg_proc){.entry = BP_NONE, .exit = BP_NONE};
    cfg->procs.count = i + 1;
    if (called[i] || !p->procs.at[i].concurrent) build_proc(&b, i);
  }
  if (b.status == BP_OK) b.status = bpi_cfg_order(cfg);
  if (b.status == BP_OK) b.status = bpi_cfg_callgraph(cfg);
  bpi_release(b.arrival);
  bpi_vec_free(&b.frames);
  bpi_vec_free(&b.opens);
  return b.status;
}

bp_status bp_cfg_new(bp_cfg **out, bp_context *ctx, const bp_program *program)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || !program) return bpi_invalid(ctx, "%s is NULL", out ? "program" : "out");
  bpi_context_begin(ctx);
  if (program->entry == BP_NONE)
    return bpi_fail(ctx, BP_E_INPUT, BPI_MSG_NO_ENTRY, "there is no procedure 'main' to start in");
  uint8_t *called = bpi_cfg_called(program);
  if (!called) return bpi_no_memory(ctx);
  if (refuse_concurrent(ctx, program, called)) {
    bpi_release(called);
    return BP_E_UNSUPPORTED;
  }
  bp_cfg *cfg = bpi_zalloc(1, sizeof *cfg);
  bp_status status = cfg ? BP_OK : BP_E_NOMEM;
  if (cfg) {
    atomic_init(&cfg->refs, 1);
    /* Only the count changes: a program is shared, not altered. */
    cfg->program = bp_program_ref((bp_program *)(uintptr_t)program);
    status = build_all(cfg, ctx, called);
  }
  bpi_release(called);
  if (status == BP_OK) {
    *out = cfg;
    return BP_OK;
  }
  bp_cfg_unref(cfg);
  if (status == BP_E_LIMIT)
    return bpi_fail(ctx, status, BPI_MSG_LIMIT, "stopped while building the graph");
  return bpi_no_memory(ctx);
}

bp_cfg *bp_cfg_ref(bp_cfg *cfg)
{
  if (cfg) atomic_fetch_add_explicit(&cfg->refs, 1, memory_order_relaxed);
  return cfg;
}

void bp_cfg_unref(bp_cfg *cfg)
{
  if (!cfg || atomic_fetch_sub_explicit(&cfg->refs, 1, memory_order_acq_rel) != 1) return;
  bp_program_unref(cfg->program);
  bpi_vec_free(&cfg->vertices);
  bpi_vec_free(&cfg->succs);
  bpi_vec_free(&cfg->preds);
  bpi_vec_free(&cfg->enforces);
  bpi_vec_free(&cfg->procs);
  bpi_vec_free(&cfg->calls);
  bpi_release(cfg->vertex_of_stmt);
  bpi_release(cfg->order);
  bpi_release(cfg->vertex_at_order);
  bpi_release(cfg);
}
