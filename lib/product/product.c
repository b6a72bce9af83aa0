/* SPDX-License-Identifier: MIT
 * The product's variables, procedures and graph. */
#include "product/emit.h"

#include "cfg/shown.h"

/* ---- variables ----------------------------------------------------------- */

static uint32_t add_var(bpi_emit *x, uint32_t name, uint32_t proc, uint8_t kind)
{
  const bpi_var v = {.name = name, .proc = proc, .kind = kind, .init = BP_NONE};
  bpi_emit_check(x, x->p->vars.count < BPI_MAX_ARGS && bpi_vec_push(&x->p->vars, v));
  if (proc == BP_NONE) bpi_emit_check(x, bpi_vec_push(&x->p->globals, x->p->vars.count - 1));
  return x->p->vars.count - 1;
}

/* A source variable that becomes `var`; `first` is what the first bit of its number becomes. */
static void take_number(bpi_emit *x, const bpi_var *from, uint32_t var, uint32_t first)
{
  if (!bpi_emit_going(x) || !from->number) return;
  x->p->vars.at[var].number = first + 1;
  x->p->vars.at[var].weight = from->weight;
}

static uint32_t add_name(bpi_emit *x, const char *name)
{
  const uint32_t at = x->p->names.count, len = (uint32_t)strlen(name) + 1;
  if (!bpi_vec_reserve(&x->p->names, len)) {
    x->status = BP_E_NOMEM;
    return 0;
  }
  memcpy(x->p->names.at + at, name, len);
  x->p->names.count += len;
  return at;
}

static void declare_globals(bpi_emit *x)
{
  for (uint32_t g = 0; g < x->from->globals.count; g++) {
    const uint32_t var = x->from->globals.at[g], init = x->from->vars.at[var].init;
    const bpi_var *from = &x->from->vars.at[var];
    x->globals[var] = add_var(x, from->name, BP_NONE, BP_VAR_GLOBAL);
    if (from->number) take_number(x, from, x->globals[var], x->globals[from->number - 1]);
    if (init == BP_NONE || x->options.loop || !bpi_emit_going(x)) continue;
    const bpi_expr e = bpi_expr_at(x->from, init);
    bpi_emit_copy(x, x->from->code.at + e.first, e.count, NULL);
    x->p->vars.at[x->globals[var]].init = x->p->exprs.count;
    bpi_emit_expr(x);
  }
  const uint32_t name = add_name(x, "{state of the automaton}");
  x->out->state = x->p->vars.count;
  x->out->bits = x->a->bits;
  for (uint32_t bit = 0; bit < x->a->bits; bit++)
    add_var(x, name, BP_NONE, BP_VAR_GLOBAL);
  x->out->accepted = add_var(x, add_name(x, "{accepted}"), BP_NONE, BP_VAR_GLOBAL);
}

/* The variables of a source procedure, in their order, and two bits. */
static void declare_proc(bpi_emit *x, uint32_t source, uint32_t seen, uint32_t taken)
{
  const bpi_proc *s = &x->from->procs.at[source];
  const uint32_t proc = x->p->procs.count;
  const bool frames = x->options.memory == BPI_MEMORY_FRAME;
  bpi_proc made = {.name = s->name,
                   .results = s->results + frames,
                   .formals = s->formals,
                   .vars = {x->p->vars.count, s->vars.count + 2}};
  for (uint32_t i = 0; i < s->vars.count; i++) {
    const bpi_var *v = &x->from->vars.at[s->vars.first + i];
    const uint32_t var = add_var(x, v->name, proc, v->kind);
    take_number(x, v, var, v->number - 1 - s->vars.first + made.vars.first);
  }
  x->out->seen[proc] = add_var(x, seen, proc, BP_VAR_LOCAL);
  add_var(x, taken, proc, BP_VAR_LOCAL);
  bpi_emit_check(x, bpi_vec_push(&x->p->procs, made));
}

static void declare(bpi_emit *x)
{
  const uint32_t seen = add_name(x, "{seen}"), taken = add_name(x, "{taken}");
  declare_globals(x);
  for (uint32_t i = 0; i < x->from->procs.count && bpi_emit_going(x); i++)
    declare_proc(x, i, seen, taken);
  if (bpi_emit_going(x)) declare_proc(x, x->out->entry_of, seen, taken);
  x->out->entry = x->p->entry = x->from->procs.count;
}

/* ---- one procedure ------------------------------------------------------- */

/* Where the vertices of a source vertex are; of the first one of its procedure on. */
typedef struct place {
  uint32_t step, automaton, returned;
  uint32_t failing; /* the automaton's step before a silent assertion fails */
} place;

typedef struct copy {
  bpi_emit *x;
  uint32_t proc, from;  /* of the product, of the source */
  bool outermost, ends; /* of the entry; of these: leaving it ends the program */
  bpi_slice source;     /* vertices */
  place *places;
  uint32_t begin, ended, failed, exit; /* BP_NONE: not there */
} copy;

static uint32_t add_vertex(bpi_emit *x, uint32_t proc, uint32_t of, bpi_role role)
{
  const bpi_vertex v = {.proc = proc, .stmt = BP_NONE};
  bpi_emit_check(x, bpi_vec_push(&x->cfg->vertices, v) && bpi_vec_push(&x->of, of) &&
                        bpi_vec_push(&x->role, (uint8_t)role));
  return x->cfg->vertices.count - 1;
}

/* Returns and what falls off the end are positions; an exit itself is one only without results, where
 * control comes to it by falling off. */
static bool is_position(const copy *c, uint32_t vertex)
{
  const bpi_vertex *v = &c->x->source->vertices.at[vertex];
  if (v->kind == BPI_VERTEX_EXIT) return !c->x->from->procs.at[c->from].results;
  return !bpi_vertex_is_silent(v);
}

/* A silent assertion is a position of the executions that fail it; the others pass on to the statement that
 * it guards, which is one. */
static bool can_fail_silently(const copy *c, uint32_t vertex)
{
  const bpi_vertex *v = &c->x->source->vertices.at[vertex];
  return v->kind == BPI_VERTEX_ASSERT && bpi_vertex_is_silent(v);
}

static void number(copy *c)
{
  bpi_emit *x = c->x;
  const bool frames = x->options.memory == BPI_MEMORY_FRAME;
  bool asserts = false;
  c->begin = frames ? add_vertex(x, c->proc, BP_NONE, BPI_ROLE_BEGIN) : BP_NONE;
  for (uint32_t i = 0; i < c->source.count && bpi_emit_going(x); i++) {
    const uint32_t vertex = c->source.first + i;
    const uint32_t kind = x->source->vertices.at[vertex].kind;
    place *p = &c->places[i];
    *p = (place){BP_NONE, BP_NONE, BP_NONE, BP_NONE};
    if (kind == BPI_VERTEX_EXIT && !is_position(c, vertex)) continue;
    if (is_position(c, vertex)) p->automaton = add_vertex(x, c->proc, vertex, BPI_ROLE_AUTOMATON);
    p->step = add_vertex(x, c->proc, vertex, BPI_ROLE_STEP);
    if (can_fail_silently(c, vertex))
      p->failing = add_vertex(x, c->proc, vertex, BPI_ROLE_AUTOMATON);
    if (kind == BPI_VERTEX_CALL && frames)
      p->returned = add_vertex(x, c->proc, vertex, BPI_ROLE_RETURNED);
    asserts |= kind == BPI_VERTEX_ASSERT;
  }
  c->failed = asserts ? add_vertex(x, c->proc, BP_NONE, BPI_ROLE_FAILED) : BP_NONE;
  c->ended = c->ends ? add_vertex(x, c->proc, BP_NONE, BPI_ROLE_ENDED) : BP_NONE;
  c->exit = add_vertex(x, c->proc, BP_NONE, BPI_ROLE_EXIT);
}

static uint32_t arrival(const copy *c, uint32_t vertex)
{
  const place *p = &c->places[vertex - c->source.first];
  return p->automaton != BP_NONE ? p->automaton : p->step;
}

static void add_succ(copy *c, uint32_t succ)
{
  if (succ != BP_NONE) bpi_emit_check(c->x, bpi_vec_push(&c->x->cfg->succs, succ));
}

/* Begins the next vertex: its successors follow. */
static bpi_vertex *begin_vertex(copy *c, uint32_t vertex, bpi_vertex_kind kind, uint32_t stmt)
{
  bpi_vertex *v = &c->x->cfg->vertices.at[vertex];
  v->kind = kind;
  v->stmt = stmt;
  v->first_succ = c->x->cfg->succs.count;
  return v;
}

/* Where a return goes, or the end of a body. */
static uint32_t after_return(const copy *c, const bpi_vertex *v)
{
  if (v->kind == BPI_VERTEX_RETURN && !bpi_succs(v).count) return BP_NONE; /* blocks */
  return !c->outermost ? c->exit : c->ended;
}

static void emit_succs(copy *c, const bpi_vertex *v, uint32_t failing)
{
  bpi_emit *x = c->x;
  if (v->kind == BPI_VERTEX_RETURN || v->kind == BPI_VERTEX_EXIT) {
    add_succ(c, after_return(c, v));
    return;
  }
  for (uint32_t i = 0; i < bpi_succs(v).count; i++)
    add_succ(c, arrival(c, x->source->succs.at[bpi_succs(v).first + i]));
  if (v->kind == BPI_VERTEX_ASSERT) add_succ(c, failing != BP_NONE ? failing : c->failed);
}

static bpi_vertex_kind step_kind(const copy *c, const bpi_vertex *v)
{
  switch (v->kind) {
  case BPI_VERTEX_ASSERT: return BPI_VERTEX_BRANCH;
  case BPI_VERTEX_RETURN:
  case BPI_VERTEX_EXIT: return c->outermost ? BPI_VERTEX_STEP : BPI_VERTEX_RETURN;
  default: return (bpi_vertex_kind)v->kind;
  }
}

/* seen := seen | t */
static uint32_t returned_stmt(bpi_emit *x)
{
  const uint32_t ids = x->p->ids.count, exprs = x->p->exprs.count;
  bpi_emit_check(x, bpi_vec_push(&x->p->ids, x->seen));
  bpi_emit_op(x, BPI_OP_VAR, x->seen);
  bpi_emit_op(x, BPI_OP_VAR, x->taken);
  bpi_emit_op(x, BPI_OP_OR, 0);
  bpi_emit_expr(x);
  return bpi_emit_stmt(x, BP_STMT_ASSIGN, ids, exprs, false);
}

static uint32_t begin_stmt(bpi_emit *x)
{
  const uint32_t ids = x->p->ids.count, exprs = x->p->exprs.count;
  bpi_emit_check(x, bpi_vec_push(&x->p->ids, x->seen));
  bpi_emit_op(x, BPI_OP_FALSE, 0);
  bpi_emit_expr(x);
  return bpi_emit_stmt(x, BP_STMT_ASSIGN, ids, exprs, false);
}

static void emit_vertex(copy *c, uint32_t i)
{
  bpi_emit *x = c->x;
  const uint32_t vertex = c->source.first + i;
  const bpi_vertex *v = &x->source->vertices.at[vertex];
  const place *p = &c->places[i];
  if (p->step == BP_NONE) return;
  if (p->automaton != BP_NONE) {
    begin_vertex(c, p->automaton, BPI_VERTEX_ASSIGN, bpi_emit_step(x, vertex, false));
    add_succ(c, p->step);
  }
  const uint32_t stmt = bpi_emit_source(x, vertex);
  if (!bpi_emit_going(x)) return;
  begin_vertex(c, p->step, step_kind(c, v), stmt)->weight = v->weight;
  if (v->kind == BPI_VERTEX_CALL)
    bpi_emit_check(
        x, bpi_vec_push(&x->sites, (bpi_call_site){p->step, bpi_stmt_callee(x->from, v->stmt)}));
  if (p->returned != BP_NONE) {
    add_succ(c, p->returned);
    begin_vertex(c, p->returned, BPI_VERTEX_ASSIGN, returned_stmt(x));
  }
  emit_succs(c, v, p->failing);
  if (p->failing == BP_NONE) return;
  begin_vertex(c, p->failing, BPI_VERTEX_ASSIGN, bpi_emit_step(x, vertex, false))->weight = 1;
  add_succ(c, c->failed);
}

/* Stuttering counts as a step, so that no loop is silent. */
static void emit_end(copy *c, uint32_t vertex, bool failed)
{
  if (vertex == BP_NONE) return;
  begin_vertex(c, vertex, BPI_VERTEX_ASSIGN, bpi_emit_step(c->x, BP_NONE, failed))->weight = 1;
  add_succ(c, vertex);
}

static uint32_t entry_of(const copy *c)
{
  const bpi_emit *x = c->x;
  const bpi_product_options *o = &x->options;
  if (!c->outermost || !o->loop)
    return c->begin != BP_NONE ? c->begin : arrival(c, x->source->procs.at[c->from].entry);
  if (o->role == BPI_ROLE_ENDED) return c->ended;
  if (o->role == BPI_ROLE_FAILED) return c->failed;
  const place *p = &c->places[o->start - c->source.first];
  if (o->role != BPI_ROLE_AUTOMATON) return p->step;
  return p->failing != BP_NONE ? p->failing : p->automaton;
}

static void emit_all(copy *c, bpi_order *order)
{
  bpi_emit *x = c->x;
  bpi_cfg_proc *graph = &x->cfg->procs.at[c->proc];
  const uint32_t first = x->cfg->vertices.count;
  number(c);
  /* One behind all ends the slices of the last. */
  bpi_emit_check(x, bpi_vec_reserve(&x->cfg->vertices, 1));
  if (!bpi_emit_going(x)) return;
  graph->vertices = (bpi_slice){first, x->cfg->vertices.count - first};
  if (c->begin != BP_NONE) {
    begin_vertex(c, c->begin, BPI_VERTEX_ASSIGN, begin_stmt(x));
    add_succ(c, arrival(c, x->source->procs.at[c->from].entry));
  }
  for (uint32_t i = 0; i < c->source.count && bpi_emit_going(x); i++)
    emit_vertex(c, i);
  emit_end(c, c->failed, true);
  emit_end(c, c->ended, false);
  bpi_vertex *exit = begin_vertex(c, c->exit, BPI_VERTEX_EXIT, BP_NONE);
  exit[1] = (bpi_vertex){.proc = c->proc, .stmt = BP_NONE, .first_succ = x->cfg->succs.count};
  graph->entry = entry_of(c);
  graph->exit = c->exit;
  if (bpi_emit_going(x)) bpi_emit_check(x, bpi_cfg_order(x->cfg, graph, true, order));
}

static void emit_proc(bpi_emit *x, uint32_t proc, uint32_t from, bpi_order *order)
{
  copy c = {.x = x, .proc = proc, .from = from, .source = x->source->procs.at[from].vertices};
  c.outermost = proc == x->out->entry;
  c.ends = c.outermost && (!x->options.loop || x->options.in_entry);
  c.places = bpi_alloc(c.source.count, sizeof *c.places);
  bpi_emit_check(x, c.places != NULL);
  x->steps.count = x->values.count = 0;
  x->seen = x->out->seen[proc];
  x->taken = x->seen + 1;
  x->var_shift = x->p->procs.at[proc].vars.first - x->from->procs.at[from].vars.first;
  x->p->procs.at[proc].stmts.first = x->p->stmts.count;
  if (bpi_emit_going(x)) emit_all(&c, order);
  x->p->procs.at[proc].stmts.count = x->p->stmts.count - x->p->procs.at[proc].stmts.first;
  bpi_release(c.places);
}

/* ---- the whole ----------------------------------------------------------- */

/* The procedures that what begins in `root` can come to call; NULL without memory. */
static uint8_t *find_called(const bp_cfg *cfg, uint32_t root)
{
  const uint32_t n = cfg->procs.count;
  uint8_t *called = bpi_zalloc(n, 1);
  uint32_t *todo = bpi_alloc((size_t)n + 1, sizeof *todo), count = 0;
  if (!called || !todo) {
    bpi_release(called);
    bpi_release(todo);
    return NULL;
  }
  todo[count++] = root;
  while (count) {
    const bpi_slice all = cfg->procs.at[todo[--count]].vertices;
    for (uint32_t i = all.first; i < all.first + all.count; i++) {
      if (cfg->vertices.at[i].kind != BPI_VERTEX_CALL) continue;
      const uint32_t callee = bpi_stmt_callee(cfg->program, cfg->vertices.at[i].stmt);
      if (called[callee]) continue;
      called[callee] = 1;
      if (callee != root) todo[count++] = callee;
    }
  }
  bpi_release(todo);
  return called;
}

static void emit_procs(bpi_emit *x)
{
  const uint32_t n = x->from->procs.count;
  bpi_order order = {0};
  uint8_t *called = find_called(x->source, x->out->entry_of);
  bpi_emit_check(x, called && bpi_vec_reserve(&x->cfg->procs, n + 1));
  for (uint32_t i = 0; i <= n && bpi_emit_going(x); i++) {
    x->cfg->procs.at[i] =
        (bpi_cfg_proc){.entry = BP_NONE, .exit = BP_NONE, .order = BP_NONE, .back = BP_NONE};
    x->cfg->procs.count = i + 1;
    if (i == n || called[i]) emit_proc(x, i, i == n ? x->out->entry_of : i, &order);
  }
  bpi_release(called);
  bpi_vec_free(&order.stack);
  bpi_vec_free(&order.left);
  bpi_vec_free(&order.place);
  if (bpi_emit_going(x))
    bpi_emit_check(x, bpi_cfg_callgraph(x->cfg, &x->sites) == BP_OK && bpi_cfg_shapes(x->cfg));
}

/* A program with the names of the source, and a graph for it. */
static bool begin(bpi_emit *x, bp_context *ctx, bp_cfg *source)
{
  const bp_program *from = source->program;
  if (bpi_draft_init(&x->draft, ctx, "", NULL) != BP_OK) return false;
  x->p = x->draft.program;
  x->p->names.count = 0;
  x->cfg = bpi_zalloc(1, sizeof *x->cfg);
  if (x->cfg) atomic_init(&x->cfg->refs, 1);
  x->globals = bpi_alloc(from->vars.count, sizeof *x->globals);
  x->out->seen = bpi_alloc((size_t)from->procs.count + 1, sizeof *x->out->seen);
  if (!x->cfg || !x->globals || !x->out->seen || !bpi_vec_reserve(&x->p->names, from->names.count))
    return false;
  x->cfg->program = x->p;
  memcpy(x->p->names.at, from->names.at, from->names.count);
  x->p->names.count = from->names.count;
  x->p->name = from->name;
  x->p->precedence = from->precedence;
  x->p->dead = from->dead;
  x->p->fall_off = from->fall_off;
  return true;
}

/* The graph owns the program, and what it shows. */
static void finish(bpi_emit *x, bp_cfg *source)
{
  x->cfg->shown = bpi_shown_new(x->cfg, source);
  bpi_emit_check(x, x->cfg->shown != NULL);
  if (!x->cfg->shown) return;
  bpi_program_trim(x->p);
  x->out->cfg = x->cfg;
  x->out->of = x->of.at;
  x->out->role = x->role.at;
  for (uint32_t v = 0; v < x->cfg->vertices.count; v++) {
    const uint32_t of = x->of.at[v];
    const bool step = x->role.at[v] == BPI_ROLE_STEP && x->source->vertices.at[of].stmt != BP_NONE;
    const bool fails = x->role.at[v] == BPI_ROLE_AUTOMATON && x->cfg->vertices.at[v].weight;
    x->cfg->shown->vertex[v] = step || fails ? of : BP_NONE;
  }
  memcpy(x->cfg->shown->global, x->globals, x->from->vars.count * sizeof *x->globals);
}

static void clear(bpi_emit *x)
{
  bpi_release(x->globals);
  bpi_vec_free(&x->steps);
  bpi_vec_free(&x->values);
  bpi_vec_free(&x->sites);
  if (x->cfg && x->cfg->program) x->draft.program = NULL; /* it belongs to the graph */
  bpi_draft_free(&x->draft);
  if (x->status == BP_OK) return;
  if (x->cfg) bp_cfg_unref(x->cfg);
  bpi_vec_free(&x->of);
  bpi_vec_free(&x->role);
  bpi_release(x->out->seen);
  *x->out = (bpi_product){0};
}

bp_status bpi_product_make(bpi_product *out, bp_context *ctx, bp_cfg *source, const bpi_auto *a,
                           const bpi_props *props, const bpi_product_options *options,
                           bpi_watch *watch)
{
  bpi_emit x = {.source = source,
                .from = source->program,
                .a = a,
                .props = props,
                .options = *options,
                .out = out,
                .watch = watch,
                .status = BP_OK};
  *out = (bpi_product){.source = source};
  out->entry_of = options->loop ? options->proc : source->program->entry;
  bpi_emit_check(&x, begin(&x, ctx, source));
  if (bpi_emit_going(&x)) {
    /* Expression 0 is nobody's: a statement without expressions begins at none. */
    bpi_emit_op(&x, BPI_OP_TRUE, 0);
    bpi_emit_expr(&x);
    declare(&x);
  }
  if (bpi_emit_going(&x)) emit_procs(&x);
  if (x.status == BP_OK) finish(&x, source);
  clear(&x);
  return x.status;
}

void bpi_product_clear(bpi_product *product)
{
  bp_cfg_unref(product->cfg);
  bpi_release(product->of);
  bpi_release(product->role);
  bpi_release(product->seen);
  *product = (bpi_product){0};
}

uint32_t bpi_product_find(const bpi_product *product, uint32_t proc, uint32_t source, bpi_role role)
{
  const bpi_slice all = product->cfg->procs.at[proc].vertices;
  for (uint32_t v = all.first; v < all.first + all.count; v++)
    if (product->of[v] == source && product->role[v] == role) return v;
  return BP_NONE;
}

bool bpi_product_states(const bpi_product *product, const uint32_t *states, uint32_t count,
                        bpi_code *code)
{
  bool memory = true;
  for (uint32_t i = 0; i < count; i++) {
    memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_TRUE, 0});
    for (uint32_t bit = 0; bit < product->bits; bit++) {
      memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_VAR, (product->state + bit) & BPI_MAX_ARGS});
      if (!(states[i] >> bit & 1)) memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_NOT, 0});
      memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_AND, 0});
    }
    if (i) memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_OR, 0});
  }
  return memory;
}
