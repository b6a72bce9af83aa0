/* SPDX-License-Identifier: MIT
 * From the flat statement list to vertices and edges. */
#include "cfg/shown.h"

/* ---- one procedure ------------------------------------------------------ */

/* An `if` or `while` that is open in the walk over the statements from the last to the first. */
typedef struct frame {
  uint32_t after; /* where control goes behind the construct */
  uint32_t fails; /* if: where the preceding condition goes when it fails */
} frame;

/* An `if` or `while` that is open in the walk from the first to the last. */
typedef struct opening {
  uint32_t vertex;
  uint32_t enforce; /* the chain in force at its beginning */
} opening;

/* What the walks find out about a statement of the procedure. */
typedef struct place {
  uint32_t vertex;  /* BP_NONE: none */
  uint32_t arrival; /* the vertex that control comes to */
  uint32_t fails;   /* if, elsif, while: the vertex where control goes when the condition fails */
} place;

typedef struct build {
  bp_cfg *cfg;
  const bp_program *program;
  bp_context *ctx;
  bpi_watch watch;
  BPI_VEC(place) places; /* of the procedure at hand, one more for its end */
  BPI_VEC(frame) frames;
  BPI_VEC(opening) opens;
  bool jumps; /* the procedure at hand has a goto */
  bpi_call_sites sites;
  bpi_order order;
  bp_status status;
} build;

static bool going(build *b)
{
  if (b->status == BP_OK && bpi_watch_expired(&b->watch)) b->status = BP_E_LIMIT;
  return b->status == BP_OK;
}

static bool is_mark(uint8_t kind)
{
  return kind == BP_STMT_ELSE || kind == BP_STMT_FI || kind == BP_STMT_OD;
}

static bpi_vertex_kind kind_of(const bp_program *p, const bpi_row *s)
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
  case BP_STMT_DECL: return s->exprs ? BPI_VERTEX_ASSIGN : BPI_VERTEX_HAVOC;
  default: return BPI_VERTEX_STEP;
  }
}

static void note_enforce(build *b, uint32_t enforce)
{
  bp_cfg *cfg = b->cfg;
  bool good = true;
  while (good && cfg->enforced.count < cfg->vertices.count)
    good = bpi_vec_push(&cfg->enforced, BP_NONE);
  if (!good || !bpi_vec_push(&cfg->enforced, enforce)) b->status = BP_E_NOMEM;
}

/* There is room for all vertices. */
static inline uint32_t add_vertex(build *b, bpi_vertex v, uint32_t enforce)
{
  bp_cfg *cfg = b->cfg;
  if (cfg->enforces.count) note_enforce(b, enforce);
  cfg->vertices.at[cfg->vertices.count] = v;
  return cfg->vertices.count++;
}

static void add_succ(build *b, uint32_t succ)
{
  if (succ != BP_NONE && !bpi_vec_push(&b->cfg->succs, succ)) b->status = BP_E_NOMEM;
}

static void add_enforce(build *b, uint32_t stmt, uint32_t *enforce)
{
  const bpi_enforce link = {bpi_stmt_at(b->program, stmt).exprs.first, *enforce};
  if (bpi_vec_push(&b->cfg->enforces, link))
    *enforce = b->cfg->enforces.count - 1;
  else
    b->status = BP_E_NOMEM;
}

static void open_block(build *b, uint32_t i, uint32_t enforce)
{
  if (!bpi_vec_push(&b->opens, (opening){b->places.at[i].vertex, enforce})) b->status = BP_E_NOMEM;
}

/* First walk: a vertex for each statement that runs. Where an od is, control comes to its while. */
static void make_vertices(build *b, uint32_t proc)
{
  const bpi_slice stmts = b->program->procs.at[proc].stmts;
  uint32_t enforce = BP_NONE;
  bool at_head = true;
  b->opens.count = 0;
  for (uint32_t i = 0; i < stmts.count && going(b); i++) {
    const bpi_row *s = &b->program->stmts.at[stmts.first + i];
    /* Locals are arbitrary at entry anyway. */
    const bool idle = s->kind == BP_STMT_DECL && !s->exprs && at_head;
    at_head = idle;
    b->places.at[i].vertex = BP_NONE;
    if (!is_mark((uint8_t)s->kind) && !idle) {
      const bpi_vertex v = {.kind = (uint8_t)kind_of(b->program, s),
                            .weight = !bpi_statement_silent(b->program, stmts.first + i),
                            .negated = s->kind == BP_STMT_ABORTIF,
                            .proc = proc,
                            .stmt = stmts.first + i};
      b->places.at[i].vertex = add_vertex(b, v, s->kind == BP_STMT_DECL ? BP_NONE : enforce);
    }
    switch (s->kind) {
    case BP_STMT_IF:
    case BP_STMT_WHILE: open_block(b, i, enforce); break;
    case BP_STMT_ELSIF:
    case BP_STMT_ELSE: enforce = b->opens.at[b->opens.count - 1].enforce; break;
    case BP_STMT_FI:
    case BP_STMT_OD:
      enforce = b->opens.at[--b->opens.count].enforce;
      b->places.at[i].arrival = b->opens.at[b->opens.count].vertex;
      break;
    case BP_STMT_GOTO: b->jumps = true; break;
    case BP_STMT_ENFORCE: add_enforce(b, stmts.first + i, &enforce); break;
    default: break;
    }
  }
}

/* Second walk, from the last statement to the first: where control goes from each. */
static void link_structure(build *b, bpi_slice stmts)
{
  for (uint32_t i = stmts.count; i-- > 0 && going(b);) {
    place *at = &b->places.at[i];
    const uint8_t kind = bpi_stmt_kind(b->program, stmts.first + i);
    const uint32_t next = at[1].arrival;
    frame *open = b->frames.count ? &b->frames.at[b->frames.count - 1] : NULL;
    switch (kind) {
    case BP_STMT_FI:
    case BP_STMT_OD: {
      if (kind == BP_STMT_FI) at->arrival = next;
      const frame f = {next, next};
      if (!bpi_vec_push(&b->frames, f)) b->status = BP_E_NOMEM;
      break;
    }
    case BP_STMT_ELSE:
      open->fails = next;
      at->arrival = open->after;
      break;
    case BP_STMT_ELSIF:
      at->fails = open->fails;
      open->fails = at->vertex;
      at->arrival = open->after;
      break;
    case BP_STMT_IF:
    case BP_STMT_WHILE:
      at->fails = open->fails;
      at->arrival = at->vertex;
      b->frames.count--;
      break;
    default: at->arrival = at->vertex == BP_NONE ? next : at->vertex;
    }
  }
}

static void link_goto(build *b, uint32_t stmt, uint32_t first_stmt)
{
  const bp_program *p = b->program;
  const bpi_slice targets = bpi_stmt_at(p, stmt).targets;
  for (uint32_t t = 0; t < targets.count && going(b); t++) {
    const uint32_t label = p->ids.at[targets.first + t];
    add_succ(b, b->places.at[p->labels.at[label].stmt - first_stmt].arrival);
  }
}

static void link_call(build *b, uint32_t vertex, uint32_t stmt)
{
  const bpi_call_site site = {vertex, bpi_stmt_callee(b->program, stmt)};
  if (!bpi_vec_push(&b->sites, site)) b->status = BP_E_NOMEM;
}

/* Third walk: the successors, vertex by vertex. */
static void link_vertices(build *b, uint32_t proc, bpi_slice stmts, uint32_t exit)
{
  const bp_program *p = b->program;
  const bool blocks = p->fall_off == BP_FALL_OFF_BLOCK && p->procs.at[proc].results;
  for (uint32_t i = 0; i < stmts.count && going(b); i++) {
    const place *at = &b->places.at[i];
    const bpi_row *s = &p->stmts.at[stmts.first + i];
    if (at->vertex == BP_NONE) continue;
    b->cfg->vertices.at[at->vertex].first_succ = b->cfg->succs.count;
    switch (s->kind) {
    case BP_STMT_GOTO: link_goto(b, stmts.first + i, stmts.first); break;
    case BP_STMT_RETURN:
      if (!blocks || bpi_stmt_at(p, stmts.first + i).exprs.count) add_succ(b, exit);
      break;
    case BP_STMT_IF:
    case BP_STMT_ELSIF:
    case BP_STMT_WHILE:
      add_succ(b, at[1].arrival);
      add_succ(b, at->fails);
      break;
    case BP_STMT_CALL: link_call(b, at->vertex, stmts.first + i); /* fall through */
    default: add_succ(b, at[1].arrival);
    }
  }
}

static void build_proc(build *b, uint32_t proc)
{
  const bp_program *p = b->program;
  bp_cfg *cfg = b->cfg;
  const bpi_slice stmts = p->procs.at[proc].stmts;
  bpi_cfg_proc *out = &cfg->procs.at[proc];
  b->places.count = 0;
  if (!bpi_vec_reserve(&b->places, (uint64_t)stmts.count + 1)) {
    b->status = BP_E_NOMEM;
    return;
  }
  out->vertices.first = cfg->vertices.count;
  b->jumps = false;
  make_vertices(b, proc);
  const bpi_vertex none = {.proc = proc, .stmt = BP_NONE};
  uint32_t end = BP_NONE;
  if (p->procs.at[proc].results && p->fall_off != BP_FALL_OFF_ERROR) {
    end = add_vertex(b, none, BP_NONE);
    cfg->vertices.at[end].kind = BPI_VERTEX_RETURN;
  }
  const uint32_t exit = add_vertex(b, none, BP_NONE);
  cfg->vertices.at[exit].kind = BPI_VERTEX_EXIT;
  b->places.at[stmts.count].arrival = end == BP_NONE ? exit : end;
  link_structure(b, stmts);
  link_vertices(b, proc, stmts, exit);
  if (b->status != BP_OK) return;
  if (end != BP_NONE) {
    cfg->vertices.at[end].first_succ = cfg->succs.count;
    if (p->fall_off == BP_FALL_OFF_ANY) add_succ(b, exit);
  }
  cfg->vertices.at[exit].first_succ = cfg->vertices.at[exit + 1].first_succ = cfg->succs.count;
  out->entry = b->places.at[0].arrival;
  out->exit = exit;
  out->vertices.count = cfg->vertices.count - out->vertices.first;
  if (b->status == BP_OK && !bpi_cfg_order(cfg, out, b->jumps, &b->order)) b->status = BP_E_NOMEM;
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

/* Room for all that can come: what is not used is never touched, and given back at the end. */
static bool make_room(bp_cfg *cfg, const bp_program *p)
{
  const uint64_t most = (uint64_t)p->stmts.count + 2 * (uint64_t)p->procs.count + 1;
  return bpi_vec_reserve(&cfg->vertices, most) && bpi_vec_reserve(&cfg->procs, p->procs.count) &&
         bpi_vec_reserve(&cfg->succs, most) && bpi_vec_reserve(&cfg->preds, most);
}

static void trim(bp_cfg *cfg)
{
  cfg->vertices.count++; /* the one behind all */
  bpi_vec_trim(&cfg->vertices);
  cfg->vertices.count--;
  bpi_vec_trim(&cfg->succs);
  bpi_vec_trim(&cfg->preds);
  bpi_vec_trim(&cfg->orders);
}

static bp_status build_all(bp_cfg *cfg, bp_context *ctx, const uint8_t *called)
{
  const bp_program *p = cfg->program;
  build b = {.cfg = cfg, .program = p, .ctx = ctx, .watch = bpi_context_watch(ctx)};
  if (!make_room(cfg, p)) b.status = BP_E_NOMEM;
  for (uint32_t i = 0; i < p->procs.count && going(&b); i++) {
    cfg->procs.at[i] =
        (bpi_cfg_proc){.entry = BP_NONE, .exit = BP_NONE, .order = BP_NONE, .back = BP_NONE};
    cfg->procs.count = i + 1;
    if (!p->procs.at[i].concurrent || called[i]) build_proc(&b, i);
  }
  if (b.status == BP_OK) b.status = bpi_cfg_callgraph(cfg, &b.sites);
  if (b.status == BP_OK) trim(cfg);
  if (b.status == BP_OK && !bpi_cfg_shapes(cfg)) b.status = BP_E_NOMEM;
  bpi_vec_free(&b.places);
  bpi_vec_free(&b.frames);
  bpi_vec_free(&b.opens);
  bpi_vec_free(&b.sites);
  bpi_vec_free(&b.order.stack);
  bpi_vec_free(&b.order.left);
  bpi_vec_free(&b.order.place);
  return b.status;
}

bp_status bp_cfg_new(bp_cfg **out, bp_context *ctx, const bp_program *program)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || !program) return bpi_invalid(ctx, "%s is NULL", out ? "program" : "out");
  bpi_context_begin(ctx);
  if (program->procs.count > BPI_MAX_PROCS)
    return bpi_fail(ctx, BP_E_INPUT, BPI_MSG_TOO_LARGE, "more than %d procedures", BPI_MAX_PROCS);
  if (program->entry == BP_NONE)
    return bpi_fail(ctx, BP_E_INPUT, BPI_MSG_NO_ENTRY, "there is no procedure 'main' to start in");
  uint8_t *called = program->concurrent ? bpi_cfg_called(program) : NULL;
  if (program->concurrent && !called) return bpi_no_memory(ctx);
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
  bpi_shown_free(cfg->shown);
  bp_program_unref(cfg->program);
  bpi_vec_free(&cfg->vertices);
  bpi_vec_free(&cfg->succs);
  bpi_vec_free(&cfg->preds);
  bpi_vec_free(&cfg->enforces);
  bpi_vec_free(&cfg->procs);
  bpi_vec_free(&cfg->calls);
  bpi_vec_free(&cfg->enforced);
  bpi_vec_free(&cfg->orders);
  bpi_release(cfg);
}
