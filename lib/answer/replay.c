/* SPDX-License-Identifier: MIT
 * Replaying a trace: a concrete interpreter over the statements of the program.
 *
 * It runs one execution, with a bit for every variable, and shares no code with the exploration: it
 * reads the program's own expressions. The trace's recorded states resolve its choices: where a step
 * leaves several outcomes, the one that the next recorded state shows is taken, and must be possible.
 * Variables that no recorded state mentions start as 0: what nothing depends on may have any value. */
#include "answer/trace.h"

/* ---- states -------------------------------------------------------------- */

/* One activation: its path, where it is in it, and the caller's locals. */
typedef struct level {
  bpi_path *path;
  uint32_t at;
  uint32_t levels;
  uint32_t vertex; /* where its control stands: the next step must be there */
  bool through;    /* ends at the exit of its procedure, and is left there */
  uint8_t *saved;  /* values of the caller's variables, or NULL */
} level;

typedef struct machine {
  bp_trace *t;
  const bp_program *p;
  const bpi_engine *e; /* for the places that recorded states speak about */
  uint8_t *now, *next; /* by variable: 0 or 1 */
  uint8_t *results;
  BPI_VEC(level) levels;
  BPI_VEC(uint8_t) stack;
  BPI_VEC(uint8_t) kept; /* by register */
  const char *wrong;     /* what failed */
  bool no_memory;        /* then nothing is known to be wrong */
  bool at_start; /* names mean what is recorded of the start, where nothing is either value */
} machine;

static bool fail(machine *mc, const char *wrong)
{
  if (!mc->wrong && !mc->no_memory) mc->wrong = wrong;
  return false;
}

/* ---- expressions --------------------------------------------------------- */

enum { CAN_0 = 1, CAN_1 = 2 };

static uint8_t of_bit(uint8_t bit)
{
  return bit ? CAN_1 : CAN_0;
}

static uint8_t negate(uint8_t can)
{
  return (uint8_t)((can & CAN_0 ? CAN_1 : 0) | (can & CAN_1 ? CAN_0 : 0));
}

static uint8_t apply(uint32_t op, const uint8_t *x)
{
  uint8_t can = 0;
  for (uint8_t a = 0; a < 2; a++)
    for (uint8_t b = 0; b < 2; b++) {
      if (!(x[0] & of_bit(a)) || !(x[1] & of_bit(b))) continue;
      switch (op) {
      case BPI_OP_AND: can |= of_bit(a & b); break;
      case BPI_OP_OR: can |= of_bit(a | b); break;
      case BPI_OP_XOR:
      case BPI_OP_NE: can |= of_bit(a ^ b); break;
      case BPI_OP_EQ: can |= of_bit(a == b); break;
      case BPI_OP_IMPLIES: can |= of_bit((uint8_t)(!a) | b); break;
      default: can |= a ? CAN_1 : b ? CAN_0 : CAN_0 | CAN_1; /* schoose */
      }
    }
  return can;
}

static uint8_t recorded(const machine *mc, const level *l, uint32_t var);

static bool keep(machine *mc, uint32_t number, uint8_t can)
{
  while (mc->kept.count <= number)
    if (!bpi_vec_push(&mc->kept, 0)) {
      mc->no_memory = true;
      return false;
    }
  mc->kept.at[number] = can;
  return true;
}

/* What an expression can give. `after` tells what a primed name means; NULL where there are none;
 * `all_after`: every name is one. */
static uint8_t evaluate(machine *mc, const bpi_instr *code, uint32_t count, const uint8_t *after,
                        bool all_after)
{
  mc->stack.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    const bpi_instr in = code[i];
    const uint32_t arity = bpi_op_arity(in.op);
    uint8_t can = CAN_0 | CAN_1;
    uint8_t *x = arity ? mc->stack.at + mc->stack.count - arity : NULL;
    if (in.op == BPI_OP_KEEP) {
      if (keep(mc, in.arg, x[0])) continue;
      return 0;
    }
    if (in.op == BPI_OP_KEPT) can = mc->kept.at[in.arg];
    if (in.op == BPI_OP_FALSE) can = CAN_0;
    if (in.op == BPI_OP_TRUE) can = CAN_1;
    if (in.op == BPI_OP_VAR && mc->at_start)
      can = recorded(mc, &mc->levels.at[0], in.arg);
    else if (in.op == BPI_OP_VAR)
      can = of_bit(all_after ? after[in.arg] : mc->now[in.arg]);
    if (in.op == BPI_OP_NEXT) can = of_bit(after ? after[in.arg] : mc->now[in.arg]);
    if (in.op == BPI_OP_NOT) can = negate(x[0]);
    if (arity == 2) can = apply(in.op, x);
    if (in.op == BPI_OP_COND)
      can = (uint8_t)((x[0] & CAN_1 ? x[1] : 0) | (x[0] & CAN_0 ? x[2] : 0));
    mc->stack.count -= arity;
    if (bpi_vec_push(&mc->stack, can)) continue;
    mc->no_memory = true;
    return 0;
  }
  return mc->stack.count == 1 ? mc->stack.at[0] : 0;
}

static uint8_t evaluate_expr(machine *mc, uint32_t expr)
{
  const bpi_expr x = bpi_expr_at(mc->p, expr);
  return evaluate(mc, mc->p->code.at + x.first, x.count, NULL, false);
}

/* ---- recorded states ----------------------------------------------------- */

static const uint64_t *point_of(const level *l)
{
  return l->path->words.at + l->path->steps.at[l->at].point;
}

/* The same behind the last step of the innermost level, whose path ends at the procedure's exit: the
 * caller's step tells with which state the call was left. */
static uint8_t recorded_at_exit(const machine *mc, uint32_t var)
{
  const bpi_engine *e = mc->e;
  if (!mc->levels.at[mc->levels.count - 1].through) return CAN_0 | CAN_1; /* no end is known */
  const level *outer = &mc->levels.at[mc->levels.count - 2];
  const bpi_step *call = &outer->path->steps.at[outer->at];
  const uint32_t callee = bpi_stmt_callee(mc->p, e->cfg->vertices.at[call->vertex].stmt);
  const uint32_t place = e->a.place[var];
  if (mc->p->vars.at[var].proc != BP_NONE || !e->a.var_matters[var] ||
      !bpi_bit(bpi_live(&e->a, e->cfg->procs.at[callee].exit), place))
    return CAN_0 | CAN_1;
  return of_bit(bpi_bit(outer->path->words.at + call->key + bpi_point_words(e), place));
}

/* The recorded value of a variable before the step that the innermost level stands on: CAN_0, CAN_1,
 * or both when it is not recorded. */
static uint8_t recorded(const machine *mc, const level *l, uint32_t var)
{
  if (l->at >= l->path->steps.count) return recorded_at_exit(mc, var);
  const uint32_t place = mc->e->a.place[var];
  const uint32_t vertex = l->path->steps.at[l->at].vertex;
  const uint32_t home = mc->p->vars.at[var].proc;
  if (home != BP_NONE && home != mc->e->cfg->vertices.at[vertex].proc) return CAN_0 | CAN_1;
  if (!mc->e->a.var_matters[var] || !bpi_bit(bpi_live(&mc->e->a, vertex), place))
    return CAN_0 | CAN_1;
  return of_bit(bpi_bit(point_of(l), place));
}

/* Everything that the record says about the present step must hold. */
static bool agrees(machine *mc)
{
  const level *l = &mc->levels.at[mc->levels.count - 1];
  for (uint32_t v = 0; v < mc->p->vars.count; v++)
    if (!(recorded(mc, l, v) & of_bit(mc->now[v]))) return fail(mc, "a state differs");
  return true;
}

/* Sets variables of a procedure (BP_NONE: globals) to what is recorded, 0 where nothing is. */
static void take_recorded(machine *mc, uint32_t proc)
{
  const level *l = &mc->levels.at[mc->levels.count - 1];
  for (uint32_t v = 0; v < mc->p->vars.count; v++)
    if (mc->p->vars.at[v].proc == proc) mc->now[v] = recorded(mc, l, v) == CAN_1;
}

/* ---- statements ---------------------------------------------------------- */

/* The places of the vertices behind the present one are known from the next step of the level. */
static bool constraint_holds(machine *mc, const bpi_vertex *v)
{
  const bpi_stmt stmt = bpi_stmt_at(mc->p, v->stmt), *s = &stmt;
  if (s->constrain != BP_NONE) {
    const bpi_expr x = bpi_expr_at(mc->p, s->constrain);
    if (!(evaluate(mc, mc->p->code.at + x.first, x.count, mc->next, false) & CAN_1)) return false;
  }
  for (uint32_t n = bpi_enforce_of(mc->e->cfg, v); n != BP_NONE;
       n = mc->e->cfg->enforces.at[n].outer) {
    const bpi_expr x = bpi_expr_at(mc->p, mc->e->cfg->enforces.at[n].expr);
    if (!(evaluate(mc, mc->p->code.at + x.first, x.count, mc->next, true) & CAN_1)) return false;
  }
  return true;
}

/* The k-th target of a statement; BP_NONE when it is dropped or given again further right. */
static uint32_t target_of(const machine *mc, const bpi_stmt *s, uint32_t k)
{
  const uint32_t *targets = mc->p->ids.at + s->targets.first;
  for (uint32_t i = k + 1; i < s->targets.count; i++)
    if (targets[i] == targets[k]) return BP_NONE;
  return targets[k];
}

/* Stores one of `can` into a target, the recorded one if there is a record. */
static bool store(machine *mc, const level *after, uint32_t target, uint8_t can, bool flip)
{
  const uint8_t wanted = recorded(mc, after, target);
  if (!(can & wanted)) return fail(mc, "a value cannot come about");
  can &= wanted;
  mc->next[target] = can == (CAN_0 | CAN_1) ? flip : can == CAN_1;
  return true;
}

/* An assignment. Choices that no record resolves are tried one after the other, as a constraint may
 * want some of them: at most 2^16 of them. */
static bool run_assign(machine *mc, const bpi_vertex *v, const level *after)
{
  const bpi_stmt stmt = bpi_stmt_at(mc->p, v->stmt), *s = &stmt;
  const uint32_t n = s->targets.count < 16 ? s->targets.count : 16;
  for (uint32_t flips = 0; flips < 1u << n; flips++) {
    memcpy(mc->next, mc->now, mc->p->vars.count);
    for (uint32_t k = 0; k < s->targets.count; k++) {
      const uint32_t target = target_of(mc, s, k);
      if (target != BP_NONE &&
          !store(mc, after, target, evaluate_expr(mc, s->exprs.first + k), flips >> (k % 16) & 1))
        return false;
    }
    if (!constraint_holds(mc, v)) continue;
    memcpy(mc->now, mc->next, mc->p->vars.count);
    return true;
  }
  return fail(mc, "a constraint does not hold");
}

static bool run_havoc(machine *mc, const bpi_vertex *v, const level *after)
{
  const bpi_stmt stmt = bpi_stmt_at(mc->p, v->stmt), *s = &stmt;
  memcpy(mc->next, mc->now, mc->p->vars.count);
  for (uint32_t k = 0; k < s->targets.count; k++)
    if (!store(mc, after, mc->p->ids.at[s->targets.first + k], CAN_0 | CAN_1, false)) return false;
  memcpy(mc->now, mc->next, mc->p->vars.count);
  return true;
}

static bool run_condition(machine *mc, const bpi_vertex *v, const bpi_step *step)
{
  const uint8_t can = evaluate_expr(mc, bpi_stmt_at(mc->p, v->stmt).exprs.first);
  const bool wants = v->kind == BPI_VERTEX_BRANCH ? step->succ == 0 : !v->negated;
  return can & of_bit(wants) ? true : fail(mc, "a condition does not hold");
}

/* Moves the control of a level over its step, along successor `succ`. */
static bool follow(machine *mc, level *l, uint32_t succ)
{
  const bpi_vertex *v = &mc->e->cfg->vertices.at[l->vertex];
  if (succ >= bpi_succs(v).count) return fail(mc, "a step has no such successor");
  l->vertex = mc->e->cfg->succs.at[bpi_succs(v).first + succ];
  l->at++;
  return true;
}

static bool run_plain(machine *mc, level *l)
{
  const bpi_step step = l->path->steps.at[l->at];
  const bpi_vertex *v = &mc->e->cfg->vertices.at[step.vertex];
  if (!follow(mc, l, step.succ)) return false;
  const level after = *l;
  switch (v->kind) {
  case BPI_VERTEX_ASSIGN: return run_assign(mc, v, &after);
  case BPI_VERTEX_HAVOC: return run_havoc(mc, v, &after);
  case BPI_VERTEX_BRANCH:
  case BPI_VERTEX_ASSUME:
  case BPI_VERTEX_ASSERT: return run_condition(mc, v, &step);
  case BPI_VERTEX_RETURN: {
    const bpi_stmt none = {0}, stmt = v->stmt == BP_NONE ? none : bpi_stmt_at(mc->p, v->stmt);
    const bpi_stmt *s = v->stmt == BP_NONE ? NULL : &stmt;
    for (uint32_t r = 0; r < mc->p->procs.at[v->proc].results; r++)
      mc->results[r] = s && s->exprs.count ? evaluate_expr(mc, s->exprs.first + r) : CAN_0 | CAN_1;
    return true;
  }
  default: return true;
  }
}

/* ---- calls --------------------------------------------------------------- */

/* Enters the callee of a step: arguments are read in the caller's state, other locals are what the
 * record shows of them. */
static bool enter(machine *mc, level l, const bpi_stmt *s)
{
  const bpi_proc *callee = &mc->p->procs.at[s->callee];
  l.vertex = mc->e->cfg->procs.at[s->callee].entry;
  l.saved = bpi_alloc(mc->p->vars.count, 1);
  uint8_t *args = bpi_alloc(s->exprs.count, 1);
  bool going = l.saved && args;
  for (uint32_t i = 0; going && i < s->exprs.count; i++)
    args[i] = evaluate_expr(mc, s->exprs.first + i);
  if (going) memcpy(l.saved, mc->now, mc->p->vars.count);
  if (!going || !bpi_vec_push(&mc->levels, l)) {
    bpi_release(l.saved);
    bpi_release(args);
    return fail(mc, NULL);
  }
  take_recorded(mc, s->callee);
  for (uint32_t i = 0; going && i < callee->formals; i++) {
    const uint8_t can = args[i] & recorded(mc, &l, callee->vars.first + i);
    if (!can) going = fail(mc, "an argument differs");
    mc->now[callee->vars.first + i] = can == CAN_1;
  }
  bpi_release(args);
  return going;
}

/* Leaves the innermost level: the caller's locals come back, results go to their targets. */
static bool leave(machine *mc)
{
  level *inner = &mc->levels.at[mc->levels.count - 1];
  for (uint32_t v = 0; v < mc->p->vars.count; v++)
    if (mc->p->vars.at[v].proc != BP_NONE) mc->now[v] = inner->saved[v];
  bpi_release(inner->saved);
  mc->levels.count--;
  level *outer = &mc->levels.at[mc->levels.count - 1];
  const bpi_vertex *v = &mc->e->cfg->vertices.at[outer->path->steps.at[outer->at].vertex];
  const bpi_stmt stmt = bpi_stmt_at(mc->p, v->stmt), *s = &stmt;
  if (!follow(mc, outer, 0)) return false;
  memcpy(mc->next, mc->now, mc->p->vars.count);
  for (uint32_t k = 0; k < s->targets.count; k++) {
    const uint32_t target = target_of(mc, s, k);
    if (target != BP_NONE && !store(mc, outer, target, mc->results[k], false)) return false;
  }
  memcpy(mc->now, mc->next, mc->p->vars.count);
  return true;
}

/* A call that stays closed is believed: the record shows what it did to what matters. */
static bool skip_call(machine *mc, level *l, const bpi_stmt *s)
{
  if (!follow(mc, l, 0)) return false;
  for (uint32_t v = 0; v < mc->p->vars.count; v++) {
    const uint8_t shown = recorded(mc, l, v);
    bool target = false;
    for (uint32_t k = 0; k < s->targets.count; k++)
      target |= mc->p->ids.at[s->targets.first + k] == v;
    if ((target || mc->p->vars.at[v].proc == BP_NONE) && shown != (CAN_0 | CAN_1))
      mc->now[v] = shown == CAN_1;
  }
  return true;
}

static bool run_call(machine *mc, level *l, bp_status *status)
{
  const bpi_step step = l->path->steps.at[l->at];
  const bpi_stmt stmt = bpi_stmt_at(mc->p, mc->e->cfg->vertices.at[step.vertex].stmt), *s = &stmt;
  const uint32_t below = l->levels == BP_NONE ? BP_NONE : l->levels - 1;
  if (step.kind == BPI_STEP_ENTERS)
    return enter(mc, (level){.path = l->path, .at = l->at + 1, .levels = l->levels}, s);
  if (!l->levels) return skip_call(mc, l, s);
  bpi_path *inner;
  *status = bpi_trace_inner(mc->t, l->path, &step, &inner);
  return *status == BP_OK && enter(mc, (level){.path = inner, .levels = below, .through = true}, s);
}

/* ---- the run ------------------------------------------------------------- */

static bool begin(machine *mc)
{
  take_recorded(mc, BP_NONE);
  take_recorded(mc, mc->p->entry);
  for (uint32_t g = 0; g < mc->p->globals.count; g++) {
    const uint32_t var = mc->p->globals.at[g], init = mc->p->vars.at[var].init;
    if (init == BP_NONE) continue;
    const uint8_t can = evaluate_expr(mc, init) & recorded(mc, &mc->levels.at[0], var);
    if (!can) return fail(mc, "an initial value differs");
    mc->now[var] = can == CAN_1;
  }
  const bpi_code *init = &mc->t->q->init;
  mc->at_start = true;
  const uint8_t can = init->count ? evaluate(mc, init->at, init->count, NULL, false) : CAN_1;
  mc->at_start = false;
  return can & CAN_1 ? true : fail(mc, "the start is not allowed");
}

static bool at_goal(machine *mc, const level *l)
{
  const bpi_goal *goal = &mc->t->goal;
  if (l->through || l->at + 1 != l->path->steps.count || goal->vertex != l->vertex)
    return fail(mc, "it does not end at the target");
  const bpi_vertex *v = &mc->e->cfg->vertices.at[l->path->steps.at[l->at].vertex];
  if (goal->when_count && !(evaluate(mc, goal->when, goal->when_count, NULL, false) & CAN_1))
    return fail(mc, "the target's condition does not hold");
  if (!goal->fails) return true;
  const uint8_t can = evaluate_expr(mc, bpi_stmt_at(mc->p, v->stmt).exprs.first);
  return can & (v->negated ? CAN_1 : CAN_0) ? true : fail(mc, "the assertion holds");
}

/* The next step must be where control stands, and a call where it says so. */
static bool in_place(machine *mc, const level *l, const bpi_step *step)
{
  if (step->vertex != l->vertex) return fail(mc, "a step does not follow from the one before");
  const bool call = mc->e->cfg->vertices.at[step->vertex].kind == BPI_VERTEX_CALL;
  if (step->succ != BP_NONE && call != (step->kind != BPI_STEP_PLAIN))
    return fail(mc, "a call is no call");
  return true;
}

/* Behind the last step of a level. */
static bool at_end(machine *mc, const level *l)
{
  if (!l->through) return fail(mc, "it ends before the target");
  if (l->vertex != mc->e->cfg->procs.at[l->path->proc].exit)
    return fail(mc, "a call is left before its end");
  return leave(mc);
}

static bp_status run(machine *mc)
{
  bp_status status = BP_OK;
  bool going = begin(mc);
  while (going) {
    level *l = &mc->levels.at[mc->levels.count - 1];
    if (bpi_watch_expired(&mc->t->q->watch)) return bpi_query_expired(mc->t->q);
    if (l->at >= l->path->steps.count) {
      going = at_end(mc, l);
      continue;
    }
    const bpi_step *step = &l->path->steps.at[l->at];
    going = in_place(mc, l, step) && agrees(mc);
    if (!going) break;
    if (step->succ == BP_NONE) {
      going = at_goal(mc, l);
      break;
    }
    going = step->kind == BPI_STEP_PLAIN ? run_plain(mc, l) : run_call(mc, l, &status);
  }
  if (going || status != BP_OK) return status;
  if (!mc->wrong) return bpi_no_memory(mc->t->q->ctx);
  return bpi_fail(mc->t->q->ctx, BP_E_INTERNAL, BPI_MSG_INTERNAL, "the trace does not replay: %s",
                  mc->wrong);
}

bp_status bp_trace_replay(bp_trace *trace, uint32_t levels)
{
  if (!trace) return BP_E_INVALID;
  bp_status status = bpi_query_begin(trace->q);
  if (status != BP_OK) return status;
  const bp_program *p = trace->q->p;
  machine mc = {.t = trace, .p = p, .e = trace->e};
  mc.now = bpi_zalloc(p->vars.count, 1);
  mc.next = bpi_zalloc(p->vars.count, 1);
  mc.results = bpi_zalloc(trace->e->layout.results, 1);
  const level first = {
      .path = trace->path, .levels = levels, .vertex = trace->e->cfg->procs.at[p->entry].entry};
  if (mc.now && mc.next && mc.results && bpi_vec_push(&mc.levels, first))
    status = run(&mc);
  else
    status = bpi_no_memory(trace->q->ctx);
  for (uint32_t i = 0; i < mc.levels.count; i++)
    bpi_release(mc.levels.at[i].saved);
  bpi_vec_free(&mc.levels);
  bpi_vec_free(&mc.stack);
  bpi_vec_free(&mc.kept);
  bpi_release(mc.now);
  bpi_release(mc.next);
  bpi_release(mc.results);
  bpi_query_end(trace->q);
  return status;
}
