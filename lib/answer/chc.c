/* SPDX-License-Identifier: MIT
 * A query as constrained Horn clauses: the facts of path edges and summary edges (Bebop, section 3;
 * Reps, Horwitz & Sagiv, POPL 1995) as relations, one clause for each way a fact comes about.
 *
 *   pV(entry, now)            vertex V is reached, in a frame that was entered with these values
 *   pX(entry, now, results)   an exit
 *   sP(entry, exit)           procedure P, entered so, can return so
 *   reached                   a target is reached
 *
 * Variables of a clause: eN, cN, nN are the values of variable N at the entry, before the statement
 * and after it; rN is a result, vN one that a call gave, kN a choice. What nothing else in the clause
 * restricts is arbitrary.
 *
 * Nothing of the engine is used, nor of its analyses: every variable is there, alive or not. */
#include "answer/smt.h"
#include "engine/query.h"

static const char *const ENTRY = "e", *const CURRENT = "c", *const NEXT = "n", *const RESULT = "r",
                         *const RETURNED = "v";

typedef struct chc {
  const bp_query *q;
  const bp_cfg *cfg;
  const bp_program *p;
  bpi_smt smt;
  bpi_watch watch;
  bpi_clause clause;
  bpi_symbol *now;           /* by variable */
  BPI_VEC(uint32_t) changed; /* variables whose `now` is not CURRENT */
  BPI_VEC(uint32_t) todo;
  uint8_t *reached; /* by vertex: the graph has a way from the entry */
  uint8_t *called;  /* by procedure: its entry values matter to a caller */
} chc;

static void check(chc *c, bool memory)
{
  if (!memory) c->smt.status = BP_E_NOMEM;
}

/* ---- which vertices there are -------------------------------------------- */

static void reach(chc *c, uint32_t vertex)
{
  if (c->reached[vertex]) return;
  c->reached[vertex] = 1;
  check(c, bpi_vec_push(&c->todo, vertex));
}

static void find_vertices(chc *c)
{
  reach(c, c->cfg->procs.at[c->p->entry].entry);
  while (c->todo.count && bpi_smt_going(&c->smt)) {
    const bpi_vertex *v = &c->cfg->vertices.at[c->todo.at[--c->todo.count]];
    for (uint32_t i = 0; i < bpi_succs(v).count; i++)
      reach(c, c->cfg->succs.at[bpi_succs(v).first + i]);
    if (v->kind == BPI_VERTEX_CALL) {
      const uint32_t callee = bpi_stmt_callee(c->p, v->stmt);
      c->called[callee] = 1;
      reach(c, c->cfg->procs.at[callee].entry);
    }
    if (bpi_watch_expired(&c->watch)) c->smt.status = BP_E_LIMIT;
  }
}

/* ---- the parts of a clause ----------------------------------------------- */

static bpi_symbol vertex_relation(uint32_t vertex)
{
  return (bpi_symbol){"p", vertex};
}

static bpi_symbol summary_relation(uint32_t proc)
{
  return (bpi_symbol){"s", proc};
}

static void bind(chc *c, const char *name, uint32_t number)
{
  check(c, bpi_vec_push(&c->clause.bound, (bpi_symbol){name, number}));
}

static void begin_atom(chc *c, bpi_symbol relation)
{
  c->clause.atoms[c->clause.count++] =
      (bpi_atom){.relation = relation, .args = {c->clause.args.count, 0}};
}

static void add_arg(chc *c, bpi_symbol symbol)
{
  check(c, bpi_vec_push(&c->clause.args, symbol));
  c->clause.atoms[c->clause.count - 1].args.count++;
}

/* The values of the globals and of the first `count` variables of a procedure; no name: those of now. */
static void add_scope(chc *c, uint32_t proc, uint32_t count, const char *name)
{
  const uint32_t first = c->p->procs.at[proc].vars.first;
  for (uint32_t i = 0; i < c->p->globals.count; i++) {
    const uint32_t var = c->p->globals.at[i];
    add_arg(c, name ? (bpi_symbol){name, var} : c->now[var]);
  }
  for (uint32_t var = first; var < first + count; var++)
    add_arg(c, name ? (bpi_symbol){name, var} : c->now[var]);
}

static void bind_scope(chc *c, uint32_t proc, uint32_t count, const char *name)
{
  const uint32_t first = c->p->procs.at[proc].vars.first;
  for (uint32_t i = 0; i < c->p->globals.count; i++)
    bind(c, name, c->p->globals.at[i]);
  for (uint32_t var = first; var < first + count; var++)
    bind(c, name, var);
}

static void add_results(chc *c, uint32_t proc, const char *name)
{
  for (uint32_t k = 0; k < c->p->procs.at[proc].results; k++)
    add_arg(c, (bpi_symbol){name, k});
}

static void bind_results(chc *c, uint32_t proc, const char *name)
{
  for (uint32_t k = 0; k < c->p->procs.at[proc].results; k++)
    bind(c, name, k);
}

static void add_code(chc *c, bpi_conjunct conjunct)
{
  check(c, bpi_vec_push(&c->clause.conjuncts, conjunct));
}

static bpi_conjunct holds(const chc *c, uint32_t expr, bpi_reading reading)
{
  const bpi_expr x = bpi_expr_at(c->p, expr);
  return (bpi_conjunct){.code = c->p->code.at + x.first, .count = x.count, .reading = reading};
}

static void add_value(chc *c, bpi_symbol symbol, uint32_t expr)
{
  bpi_conjunct conjunct = holds(c, expr, BPI_READ_CURRENT);
  conjunct.symbol = symbol;
  add_code(c, conjunct);
}

/* From now on the variable has the value of that symbol. */
static void change(chc *c, uint32_t var, bpi_symbol symbol)
{
  c->now[var] = symbol;
  check(c, bpi_vec_push(&c->changed, var));
}

static void change_fresh(chc *c, uint32_t var)
{
  change(c, var, (bpi_symbol){NEXT, var});
  bind(c, NEXT, var);
}

static void begin_clause(chc *c)
{
  while (c->changed.count) {
    const uint32_t var = c->changed.at[--c->changed.count];
    c->now[var] = (bpi_symbol){CURRENT, var};
  }
  c->clause.bound.count = c->clause.args.count = c->clause.conjuncts.count = c->clause.count = 0;
}

/* Begins a clause about what follows from a vertex being reached. */
static void begin_at(chc *c, uint32_t vertex)
{
  const bpi_vertex *v = &c->cfg->vertices.at[vertex];
  const bpi_proc *proc = &c->p->procs.at[v->proc];
  begin_clause(c);
  begin_atom(c, vertex_relation(vertex));
  if (c->called[v->proc]) {
    bind_scope(c, v->proc, proc->formals, ENTRY);
    add_scope(c, v->proc, proc->formals, ENTRY);
  }
  bind_scope(c, v->proc, proc->vars.count, CURRENT);
  add_scope(c, v->proc, proc->vars.count, CURRENT);
  if (v->kind != BPI_VERTEX_EXIT) return;
  bind_results(c, v->proc, RESULT);
  add_results(c, v->proc, RESULT);
}

/* Ends it: then this vertex is reached, with the values of now; `entering`: in a frame that begins. */
static void end_at(chc *c, uint32_t vertex, bool entering)
{
  const bpi_vertex *v = &c->cfg->vertices.at[vertex];
  const bpi_proc *proc = &c->p->procs.at[v->proc];
  begin_atom(c, vertex_relation(vertex));
  if (c->called[v->proc]) add_scope(c, v->proc, proc->formals, entering ? NULL : ENTRY);
  add_scope(c, v->proc, proc->vars.count, NULL);
  if (v->kind == BPI_VERTEX_EXIT) {
    bind_results(c, v->proc, RESULT);
    add_results(c, v->proc, RESULT);
  }
  bpi_smt_clause(&c->smt, &c->clause);
}

/* ---- statements ---------------------------------------------------------- */

static void add_assignment(chc *c, const bpi_vertex *v)
{
  const bpi_stmt stmt = bpi_stmt_at(c->p, v->stmt), *s = &stmt;
  for (uint32_t k = s->targets.count; k-- > 0;) {
    const uint32_t target = c->p->ids.at[s->targets.first + k];
    if (target == BP_NONE) continue;
    if (c->now[target].name == NEXT) continue; /* given again further right */
    change_fresh(c, target);
    add_value(c, c->now[target], s->exprs.first + k);
  }
  if (s->constrain != BP_NONE) add_code(c, holds(c, s->constrain, BPI_READ_PRIMED));
  for (uint32_t n = bpi_enforce_of(c->cfg, v); n != BP_NONE; n = c->cfg->enforces.at[n].outer)
    add_code(c, holds(c, c->cfg->enforces.at[n].expr, BPI_READ_AFTER));
}

static void add_havoc(chc *c, const bpi_vertex *v)
{
  const bpi_stmt stmt = bpi_stmt_at(c->p, v->stmt), *s = &stmt;
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = c->p->ids.at[s->targets.first + k];
    if (target != BP_NONE && c->now[target].name != NEXT) change_fresh(c, target);
  }
}

static void add_condition(chc *c, const bpi_vertex *v, bool fails)
{
  bpi_conjunct conjunct = holds(c, bpi_stmt_at(c->p, v->stmt).exprs.first, BPI_READ_CURRENT);
  conjunct.fails = fails;
  add_code(c, conjunct);
}

/* The results, which end_at() binds; without values they are arbitrary. */
static void add_return(chc *c, const bpi_vertex *v)
{
  const bpi_slice exprs = v->stmt == BP_NONE ? (bpi_slice){0} : bpi_stmt_at(c->p, v->stmt).exprs;
  for (uint32_t k = 0; k < exprs.count; k++)
    add_value(c, (bpi_symbol){RESULT, k}, exprs.first + k);
}

static void write_edge(chc *c, uint32_t vertex, uint32_t i)
{
  const bpi_vertex *v = &c->cfg->vertices.at[vertex];
  begin_at(c, vertex);
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN: add_assignment(c, v); break;
  case BPI_VERTEX_HAVOC: add_havoc(c, v); break;
  case BPI_VERTEX_BRANCH: add_condition(c, v, i == 1); break;
  case BPI_VERTEX_ASSUME: add_condition(c, v, false); break;
  case BPI_VERTEX_ASSERT: add_condition(c, v, v->negated); break;
  case BPI_VERTEX_RETURN: add_return(c, v); break;
  default: break;
  }
  end_at(c, c->cfg->succs.at[bpi_succs(v).first + i], false);
}

/* ---- calls --------------------------------------------------------------- */

/* Begins a clause about a call: the callee's formals get the arguments. */
static void begin_call(chc *c, uint32_t vertex)
{
  const bpi_stmt stmt = bpi_stmt_at(c->p, c->cfg->vertices.at[vertex].stmt), *s = &stmt;
  const uint32_t first = c->p->procs.at[s->callee].vars.first;
  begin_at(c, vertex);
  for (uint32_t k = 0; k < s->exprs.count; k++) {
    bind(c, NEXT, first + k);
    add_value(c, (bpi_symbol){NEXT, first + k}, s->exprs.first + k);
  }
}

static void write_enter(chc *c, uint32_t vertex)
{
  const uint32_t callee = bpi_stmt_callee(c->p, c->cfg->vertices.at[vertex].stmt);
  const bpi_proc *proc = &c->p->procs.at[callee];
  begin_call(c, vertex);
  for (uint32_t i = 0; i < proc->vars.count; i++) {
    const uint32_t var = proc->vars.first + i;
    if (i < proc->formals)
      change(c, var, (bpi_symbol){NEXT, var});
    else
      change_fresh(c, var);
  }
  end_at(c, c->cfg->procs.at[callee].entry, true);
}

static void write_return(chc *c, uint32_t vertex, uint32_t behind)
{
  const bpi_stmt stmt = bpi_stmt_at(c->p, c->cfg->vertices.at[vertex].stmt), *s = &stmt;
  const bpi_proc *proc = &c->p->procs.at[s->callee];
  begin_call(c, vertex);
  begin_atom(c, summary_relation(s->callee));
  add_scope(c, s->callee, 0, CURRENT);
  for (uint32_t k = 0; k < proc->formals; k++)
    add_arg(c, (bpi_symbol){NEXT, proc->vars.first + k});
  for (uint32_t i = 0; i < c->p->globals.count; i++)
    change_fresh(c, c->p->globals.at[i]);
  add_scope(c, s->callee, 0, NULL);
  bind_results(c, s->callee, RETURNED);
  add_results(c, s->callee, RETURNED);
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = c->p->ids.at[s->targets.first + k];
    if (target != BP_NONE) change(c, target, (bpi_symbol){RETURNED, k});
  }
  end_at(c, behind, false);
}

/* At an exit: the summary. */
static void write_summary(chc *c, uint32_t vertex)
{
  const uint32_t proc = c->cfg->vertices.at[vertex].proc;
  begin_at(c, vertex);
  begin_atom(c, summary_relation(proc));
  add_scope(c, proc, c->p->procs.at[proc].formals, ENTRY);
  add_scope(c, proc, 0, NULL);
  add_results(c, proc, RESULT);
  bpi_smt_clause(&c->smt, &c->clause);
}

/* ---- the document -------------------------------------------------------- */

static void write_name(chc *c, const char *what, uint32_t id, uint32_t name, uint32_t proc)
{
  bpi_out *out = &c->smt.out;
  if (bpi_watch_expired(&c->watch)) c->smt.status = BP_E_LIMIT;
  if (!bpi_smt_going(&c->smt)) return;
  bpi_out_text(out, "; ");
  bpi_out_text(out, what);
  bpi_out_char(out, ' ');
  bpi_out_u64(out, id);
  bpi_out_text(out, ": ");
  bpi_smt_comment(&c->smt, bpi_name(c->p, name));
  if (proc != BP_NONE) {
    bpi_out_text(out, " of procedure ");
    bpi_out_u64(out, proc);
  }
  bpi_out_char(out, '\n');
}

static void write_names(chc *c)
{
  bpi_out *out = &c->smt.out;
  bpi_out_text(out,
               "; sat: no target can be reached; unsat: one can.\n"
               "; pN: vertex N is reached (values at the procedure's entry, values now)\n"
               "; sN: procedure N can return (values at its entry, globals behind it, results)\n"
               "; eN cN nN: variable N at the entry, before, after\n"
               "; rN: a result; vN: one that a call gave; kN: a choice\n");
  for (uint32_t i = 0; i < c->p->procs.count; i++)
    write_name(c, "procedure", i, c->p->procs.at[i].name, BP_NONE);
  for (uint32_t i = 0; i < c->p->vars.count; i++)
    write_name(c, "variable", i, c->p->vars.at[i].name, c->p->vars.at[i].proc);
}

static void write_place(chc *c, uint32_t vertex)
{
  bpi_out *out = &c->smt.out;
  const bpi_vertex *v = &c->cfg->vertices.at[vertex];
  bpi_out_text(out, "; vertex ");
  bpi_out_u64(out, vertex);
  bpi_out_text(out, " of procedure ");
  bpi_out_u64(out, v->proc);
  if (v->stmt == BP_NONE) {
    bpi_out_text(out, v->kind == BPI_VERTEX_EXIT ? ": exit\n" : ": end\n");
    return;
  }
  const bpi_stmt stmt = bpi_stmt_at(c->p, v->stmt), *s = &stmt;
  bpi_out_text(out, ", line ");
  bpi_out_u64(out, bpi_stmt_range(c->p, v->stmt).line);
  bpi_out_text(out, ": ");
  bpi_out_text(out, bp_stmt_kind_name((bp_stmt_kind)s->kind));
  bpi_out_char(out, '\n');
}

static void declare_all(chc *c)
{
  const uint64_t globals = c->p->globals.count;
  for (uint32_t i = 0; i < c->cfg->vertices.count && bpi_smt_going(&c->smt); i++) {
    const bpi_vertex *v = &c->cfg->vertices.at[i];
    const bpi_proc *proc = &c->p->procs.at[v->proc];
    if (!c->reached[i]) continue;
    bpi_smt_declare(&c->smt, vertex_relation(i),
                    globals + proc->vars.count +
                        (c->called[v->proc] ? globals + proc->formals : 0) +
                        (v->kind == BPI_VERTEX_EXIT ? proc->results : 0));
  }
  for (uint32_t i = 0; i < c->p->procs.count && bpi_smt_going(&c->smt); i++) {
    const bpi_proc *proc = &c->p->procs.at[i];
    if (!c->called[i]) continue;
    bpi_smt_declare(&c->smt, summary_relation(i), 2 * globals + proc->formals + proc->results);
  }
  bpi_smt_declare(&c->smt, (bpi_symbol){"reached", BP_NONE}, 0);
}

/* The start is no context: `init` may hold the entry's locals, which a recursive call leaves free. */
static void write_start(chc *c)
{
  const uint32_t entry = c->p->entry;
  begin_clause(c);
  bind_scope(c, entry, c->p->procs.at[entry].vars.count, CURRENT);
  for (uint32_t i = 0; i < c->p->globals.count; i++) {
    const uint32_t var = c->p->globals.at[i], init = c->p->vars.at[var].init;
    if (init != BP_NONE) add_value(c, c->now[var], init);
  }
  if (c->q->init.count)
    add_code(c, (bpi_conjunct){.code = c->q->init.at, .count = c->q->init.count});
  bpi_out_text(&c->smt.out, "; the start\n");
  end_at(c, c->cfg->procs.at[entry].entry, true);
}

static void write_vertex(chc *c, uint32_t vertex)
{
  const bpi_vertex *v = &c->cfg->vertices.at[vertex];
  write_place(c, vertex);
  if (v->kind == BPI_VERTEX_EXIT) {
    if (c->called[v->proc]) write_summary(c, vertex);
    return;
  }
  if (v->kind == BPI_VERTEX_CALL) {
    write_enter(c, vertex);
    write_return(c, vertex, c->cfg->succs.at[bpi_succs(v).first]);
    return;
  }
  for (uint32_t i = 0; i < bpi_succs(v).count && bpi_smt_going(&c->smt); i++)
    write_edge(c, vertex, i);
}

static void write_goal(chc *c, const bpi_goal *goal)
{
  const bpi_vertex *v = &c->cfg->vertices.at[goal->vertex];
  if (!c->reached[goal->vertex]) return;
  begin_at(c, goal->vertex);
  if (goal->fails) add_condition(c, v, !v->negated);
  if (goal->when_count) add_code(c, (bpi_conjunct){.code = goal->when, .count = goal->when_count});
  begin_atom(c, (bpi_symbol){"reached", BP_NONE});
  bpi_smt_clause(&c->smt, &c->clause);
}

static void write_document(chc *c)
{
  write_names(c);
  bpi_out_text(&c->smt.out, "(set-logic HORN)\n");
  declare_all(c);
  write_start(c);
  for (uint32_t i = 0; i < c->cfg->vertices.count && bpi_smt_going(&c->smt); i++)
    if (c->reached[i]) write_vertex(c, i);
  bpi_out_text(&c->smt.out, "; the targets\n");
  for (uint32_t i = 0; i < c->q->goals.count && bpi_smt_going(&c->smt); i++)
    write_goal(c, &c->q->goals.at[i]);
  if (!bpi_smt_going(&c->smt)) return;
  bpi_out_text(&c->smt.out, "(assert (=> reached false))\n(check-sat)\n");
}

/* ---- the call ------------------------------------------------------------ */

static bool make_tables(chc *c)
{
  c->now = bpi_alloc((size_t)c->p->vars.count + 1, sizeof *c->now);
  c->reached = bpi_zalloc((size_t)c->cfg->vertices.count + 1, 1);
  c->called = bpi_zalloc((size_t)c->p->procs.count + 1, 1);
  for (uint32_t i = 0; c->now && i < c->p->vars.count; i++)
    c->now[i] = (bpi_symbol){CURRENT, i};
  c->smt.now = c->now;
  return c->now && c->reached && c->called;
}

static void drop_tables(chc *c)
{
  bpi_release(c->now);
  bpi_release(c->reached);
  bpi_release(c->called);
  bpi_vec_free(&c->changed);
  bpi_vec_free(&c->todo);
  bpi_vec_free(&c->clause.bound);
  bpi_vec_free(&c->clause.args);
  bpi_vec_free(&c->clause.conjuncts);
  bpi_smt_clear(&c->smt);
}

bp_status bp_query_write_chc(bp_query *q, const bp_sink *sink)
{
  if (!q) return BP_E_INVALID;
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(q->ctx, BPI_BAD_SINK);
  bpi_context_begin(q->ctx);
  chc c = {.q = q, .cfg = q->cfg, .p = q->p, .watch = {.cancel = q->asked}};
  c.watch.deadline_ns = bpi_deadline_ns(q->limits.wall_ms);
  bpi_out_init(&c.smt.out, sink);
  c.smt.watch = &c.watch;
  check(&c, make_tables(&c));
  if (bpi_smt_going(&c.smt)) find_vertices(&c);
  if (bpi_smt_going(&c.smt)) write_document(&c);
  const bp_status written = bpi_out_flush(&c.smt.out);
  drop_tables(&c);
  if (written != BP_OK) return bpi_sink_refused(q->ctx);
  if (c.smt.status == BP_E_NOMEM) return bpi_no_memory(q->ctx);
  if (c.smt.status == BP_OK) return BP_OK;
  if (c.smt.status == BP_E_UNSUPPORTED)
    return bpi_fail(q->ctx, BP_E_UNSUPPORTED, BPI_MSG_TOO_LARGE, BPI_TOO_LARGE_TO_WRITE);
  q->watch = c.watch;
  return bpi_query_expired(q);
}
