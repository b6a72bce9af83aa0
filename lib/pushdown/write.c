/* SPDX-License-Identifier: MIT
 * Sets as text and for Graphviz. */
#include "pushdown/pushdown.h"

#include "base/sink.h"
#include "pushdown/cube.h"

enum { MOST_CUBES = 16 };

/* A variable with its value. */
typedef struct fixed {
  uint32_t var;
  bool positive;
} fixed;

/* Two copies of one variable that are the same in a relation; `kind` is a place in equal_copies. */
typedef struct equality {
  uint32_t left, right, kind;
} equality;

typedef struct writer {
  bpi_run *run;
  const bp_configurations *c;
  bpi_out out;
  bp_symbol_name_fn name;
  void *user;
  bpi_cube cube;
  BPI_VEC(bpi_bdd) path; /* nodes from the top */
  BPI_VEC(uint8_t) side; /* of each: 0 low, 1 high */
  BPI_VEC(fixed) fixed;  /* literals to be written together */
  BPI_VEC(equality) equal;
  bpi_keys made;             /* (control, symbol) of states that calls have made */
  BPI_VEC(uint32_t) made_by; /* of each: the first such state */
} writer;

/* ---- names ------------------------------------------------------------------ */

static const char *symbol_name(const writer *w, uint32_t symbol)
{
  const char *name = w->name ? w->name(symbol, w->user) : NULL;
  return name ? name : bp_pushdown_symbol_name(w->c->p, symbol);
}

static void write_escaped(writer *w, const char *text, bool dot)
{
  for (; *text; text++) {
    if (dot && (*text == '"' || *text == '\\')) bpi_out_char(&w->out, '\\');
    bpi_out_char(&w->out, *text);
  }
}

/* A set that calls were made on several times has several states for the same. */
static void find_made(writer *w)
{
  const bp_configurations *c = w->c;
  for (uint32_t i = c->p->controls.count; i < c->states.count && bpi_run_look(w->run); i++) {
    const bpi_state *s = &c->states.at[i];
    if (s->control == BP_NONE || bpi_set_idle(c, i)) continue;
    const uint32_t key = bpi_keys_add(&w->made, s->control, s->symbol, 0);
    if (key == BP_NONE || (key == w->made_by.count && !bpi_vec_push(&w->made_by, i)))
      bpi_run_no_memory(w->run);
  }
}

static void write_number(writer *w, uint32_t state)
{
  const bpi_state *s = &w->c->states.at[state];
  const uint32_t key = bpi_keys_find(&w->made, s->control, s->symbol, 0);
  if (key == BP_NONE || w->made_by.at[key] == state) return;
  bpi_out_char(&w->out, '#');
  bpi_out_u64(&w->out, state);
}

static void write_state(writer *w, uint32_t state, bool dot)
{
  const bp_pushdown *p = w->c->p;
  const bpi_state *s = &w->c->states.at[state];
  if (s->name != BP_NONE) {
    write_escaped(w, w->c->chars.at + s->name, dot);
  } else if (s->control == BP_NONE) {
    bpi_out_char(&w->out, 's');
    bpi_out_u64(&w->out, state);
  } else if (s->symbol == BP_NONE) {
    write_escaped(w, bp_pushdown_control_name(p, s->control), dot);
    if (state < p->controls.count) return;
    bpi_out_char(&w->out, '+');
    write_number(w, state);
  } else {
    bpi_out_char(&w->out, '<');
    write_escaped(w, bp_pushdown_control_name(p, s->control), dot);
    bpi_out_text(&w->out, ", ");
    write_escaped(w, symbol_name(w, s->symbol), dot);
    bpi_out_char(&w->out, '>');
    write_number(w, state);
  }
}

/* ---- relations ---------------------------------------------------------------- */

/* A variable as a relation reads it. */
typedef struct literal {
  const char *name;
  uint32_t local; /* its number, where it has no name */
  uint32_t var;   /* of the program, or BP_NONE */
  uint32_t copy;  /* 0: x, 1: 'x, 2: x@ of the state where a transition begins */
  bool carried;   /* x@, 'x@ */
} literal;

static literal local_of(const writer *w, uint32_t symbol, uint32_t local, uint32_t copy)
{
  const bp_pushdown *p = w->c->p;
  literal l = {.local = local, .var = BP_NONE, .copy = copy};
  l.name = bp_pushdown_local_name(p, symbol, local);
  if (p->program && l.name)
    l.var = p->program->procs.at[p->symbols.at[symbol].scope].vars.first + local;
  return l;
}

/* At a transition with these ends; of a state that accepts, the last two are BP_NONE. */
static literal literal_of(const writer *w, const bpi_key *ends, uint32_t var)
{
  const bp_pushdown *p = w->c->p;
  if (var < 3 * p->globals.count) {
    literal l = {.name = bp_pushdown_global_name(p, var / 3), .var = BP_NONE};
    l.copy = var % 3 == BPI_THERE;
    if (p->program && var / 3 < p->program->globals.count) l.var = p->program->globals.at[var / 3];
    return l;
  }
  const uint32_t local = (var - 3 * p->globals.count) / 6, copy = (var - 3 * p->globals.count) % 6;
  if (copy == BPI_HERE) return local_of(w, ends->at[1], local, 0);
  const bool there = copy == BPI_THERE;
  const uint32_t carrier = w->c->states.at[there ? ends->at[2] : ends->at[0]].symbol;
  literal l = local_of(w, carrier, local, there ? 1 : 2);
  l.carried = true;
  return l;
}

/* The name of a variable, or with `number` of the number that it is a bit of. */
static void write_variable(writer *w, const literal *l, bool number)
{
  if (l->copy == 1) bpi_out_char(&w->out, '\'');
  if (number)
    bpi_cube_name(&w->cube, l->var, &w->out);
  else if (l->name)
    bpi_out_text(&w->out, l->name);
  else
    bpi_out_u64(&w->out, l->local);
  if (l->carried) bpi_out_char(&w->out, '@');
}

static void write_literal(writer *w, const literal *l, bool positive)
{
  const bpi_cube_part part = bpi_cube_part_of(&w->cube, l->var, l->copy);
  const bool whole = part == BPI_CUBE_WHOLE;
  if (!positive && !whole) bpi_out_char(&w->out, '!');
  write_variable(w, l, whole || part == BPI_CUBE_ELEMENT);
  if (!whole) return;
  bpi_out_char(&w->out, '=');
  bpi_cube_value(&w->cube, l->var, l->copy, &w->out);
}

/* Writes w->fixed as a conjunction, `before` before the first. */
static void write_fixed(writer *w, const bpi_key *ends, const char *before)
{
  for (uint32_t i = 0; i < w->fixed.count; i++) {
    const literal l = literal_of(w, ends, w->fixed.at[i].var);
    bpi_cube_add(&w->cube, l.var, l.copy, w->fixed.at[i].positive);
  }
  for (uint32_t i = 0; i < w->fixed.count; i++) {
    const literal l = literal_of(w, ends, w->fixed.at[i].var);
    if (bpi_cube_written(&w->cube, l.var, l.copy)) continue;
    bpi_out_text(&w->out, before);
    before = " & ";
    write_literal(w, &l, w->fixed.at[i].positive);
  }
  for (uint32_t i = 0; i < w->fixed.count; i++) {
    const literal l = literal_of(w, ends, w->fixed.at[i].var);
    bpi_cube_forget(&w->cube, l.var, l.copy);
  }
}

static void write_cube(writer *w, const bpi_key *ends)
{
  w->fixed.count = 0;
  for (uint32_t i = 0; i < w->path.count; i++) {
    const fixed f = {bpi_bdd_top(w->run->m, w->path.at[i]), w->side.at[i]};
    if (!bpi_vec_push(&w->fixed, f)) bpi_run_no_memory(w->run);
  }
  write_fixed(w, ends, "");
}

/* Goes down from `node` to TRUE, on the low side where that is possible. */
static bool descend(writer *w, bpi_bdd node)
{
  while (node >= 2) {
    const bpi_bdd low = bpi_bdd_low(w->run->m, node);
    const bool high = low == BPI_FALSE;
    if (!bpi_vec_push(&w->path, node) || !bpi_vec_push(&w->side, high))
      return bpi_run_no_memory(w->run);
    node = high ? bpi_bdd_high(w->run->m, node) : low;
  }
  return true;
}

/* To the next path to TRUE; false: there is none. */
static bool next_cube(writer *w)
{
  while (w->path.count) {
    const bpi_bdd node = w->path.at[w->path.count - 1];
    const bpi_bdd high = bpi_bdd_high(w->run->m, node);
    if (!w->side.at[w->path.count - 1] && high != BPI_FALSE) {
      w->side.at[w->path.count - 1] = 1;
      return descend(w, high);
    }
    w->path.count--;
    w->side.count = w->path.count;
  }
  return false;
}

/* ---- what all cubes of a relation share ----------------------------------------- */

/* `rest` is `one` and what is left without the variable, if `one` holds wherever *rest does. */
static bool take_out(writer *w, bpi_bdd *rest, bpi_bdd one, uint32_t var)
{
  bp_manager *m = w->run->m;
  const bpi_bdd others = bpi_bdd_diff(m, *rest, one);
  const bool always = others == BPI_FALSE && bpi_run_good(w->run);
  bpi_bdd_drop(m, others);
  if (!always) return false;
  const bpi_bdd set = bpi_bdd_set(m, &var, 1), left = bpi_bdd_exists(m, *rest, set);
  bpi_bdd_drop(m, set);
  bpi_bdd_drop(m, *rest);
  *rest = left;
  return true;
}

/* Takes variables with a value out of *rest. */
static void find_fixed(writer *w, bpi_bdd *rest, const bpi_vars *vars)
{
  bp_manager *m = w->run->m;
  w->fixed.count = 0;
  for (uint32_t i = 0; i < vars->count && bpi_run_look(w->run); i++) {
    const uint32_t var = vars->at[i];
    const bpi_bdd yes = bpi_bdd_literal(m, var, true), no = bpi_bdd_literal(m, var, false);
    const bool positive = take_out(w, rest, yes, var);
    if ((positive || take_out(w, rest, no, var)) &&
        !bpi_vec_push(&w->fixed, ((fixed){var, positive})))
      bpi_run_no_memory(w->run);
    bpi_bdd_drop(m, yes);
    bpi_bdd_drop(m, no);
  }
}

static const uint8_t equal_copies[BPI_CUBE_COPIES][2] = {
    {BPI_THERE, BPI_HERE}, {BPI_THERE, BPI_BELOW_HERE}, {BPI_HERE, BPI_BELOW_HERE}};

static bool occurs(const bpi_vars *vars, uint32_t var)
{
  uint32_t low = 0, high = vars->count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (vars->at[middle] < var)
      low = middle + 1;
    else
      high = middle;
  }
  return low < vars->count && vars->at[low] == var;
}

/* Takes one out for the variable, whose copies begin at `base`. */
static void find_equal(writer *w, bpi_bdd *rest, const bpi_vars *vars, uint32_t base, bool local)
{
  bp_manager *m = w->run->m;
  bool gone = false;
  for (uint32_t kind = 0; kind < (local ? BPI_CUBE_COPIES : 1) && !gone; kind++) {
    const equality e = {base + equal_copies[kind][0], base + equal_copies[kind][1], kind};
    if (!occurs(vars, e.left) || !occurs(vars, e.right)) continue;
    const bpi_bdd left = bpi_bdd_literal(m, e.left, true),
                  right = bpi_bdd_literal(m, e.right, true);
    const bpi_bdd same = bpi_bdd_iff(m, left, right);
    gone = take_out(w, rest, same, e.left);
    if (gone && !bpi_vec_push(&w->equal, e)) bpi_run_no_memory(w->run);
    bpi_bdd_drop(m, left);
    bpi_bdd_drop(m, right);
    bpi_bdd_drop(m, same);
  }
}

static void write_equal(writer *w, const bpi_key *ends, const char *before)
{
  for (uint32_t i = 0; i < w->equal.count; i++)
    bpi_cube_add(&w->cube, literal_of(w, ends, w->equal.at[i].left).var, w->equal.at[i].kind, true);
  for (uint32_t i = 0; i < w->equal.count; i++) {
    const equality *e = &w->equal.at[i];
    const literal l = literal_of(w, ends, e->left), r = literal_of(w, ends, e->right);
    if (bpi_cube_written(&w->cube, l.var, e->kind)) continue;
    const bpi_cube_part part = bpi_cube_part_of(&w->cube, l.var, e->kind);
    const bool number = part == BPI_CUBE_WHOLE || part == BPI_CUBE_ELEMENT;
    bpi_out_text(&w->out, before);
    before = " & ";
    bpi_out_char(&w->out, '(');
    write_variable(w, &l, number);
    bpi_out_text(&w->out, " = ");
    write_variable(w, &r, number);
    bpi_out_char(&w->out, ')');
  }
  for (uint32_t i = 0; i < w->equal.count; i++)
    bpi_cube_forget(&w->cube, literal_of(w, ends, w->equal.at[i].left).var, w->equal.at[i].kind);
}

static void write_cubes(writer *w, const bpi_key *ends, bpi_bdd rel, bool inside)
{
  w->path.count = w->side.count = 0;
  bool more = descend(w, rel);
  const bool several = w->path.count && next_cube(w);
  w->path.count = w->side.count = 0;
  more = more && descend(w, rel);
  if (inside) bpi_out_text(&w->out, several ? " & (" : " & ");
  for (uint32_t i = 0; more && i < MOST_CUBES && bpi_run_look(w->run); i++) {
    if (i) bpi_out_text(&w->out, " | ");
    write_cube(w, ends);
    more = next_cube(w);
  }
  if (more) bpi_out_text(&w->out, " | ...");
  if (inside && several) bpi_out_char(&w->out, ')');
}

/* Variables with a value, what stays the same, and the cubes of what is left. */
static void write_relation(writer *w, const bpi_key *ends, bpi_bdd rel)
{
  const uint32_t globals = w->c->p->globals.count;
  bpi_vars vars = {0};
  if (rel == BPI_TRUE) return;
  bpi_bdd rest = bpi_bdd_keep(w->run->m, rel);
  if (!bpi_bdd_support(w->run->m, rel, &vars)) bpi_run_no_memory(w->run);
  bpi_out_text(&w->out, " when ");
  w->equal.count = 0;
  for (uint32_t i = 0; i < globals + w->c->p->max_locals && bpi_run_look(w->run); i++)
    find_equal(w, &rest, &vars,
               i < globals ? bpi_global_var(i, 0) : bpi_local_var(w->c->p, i - globals, 0),
               i >= globals);
  find_fixed(w, &rest, &vars);
  write_fixed(w, ends, "");
  const bool some = w->fixed.count > 0;
  write_equal(w, ends, some ? " & " : "");
  if (rest != BPI_TRUE && bpi_run_good(w->run)) write_cubes(w, ends, rest, some || w->equal.count);
  bpi_bdd_drop(w->run->m, rest);
  bpi_vec_free(&vars);
}

/* ---- the whole ------------------------------------------------------------------ */

static void write_text(writer *w)
{
  const bp_configurations *c = w->c;
  for (uint32_t i = 0; i < c->states.count && bpi_run_tick(w->run); i++) {
    if (c->states.at[i].accepts == BPI_FALSE || bpi_set_idle(c, i)) continue;
    bpi_out_text(&w->out, "accept ");
    write_state(w, i, false);
    write_relation(w, &(bpi_key){{i, BP_NONE, BP_NONE}}, c->states.at[i].accepts);
    bpi_out_char(&w->out, '\n');
  }
  for (uint32_t i = 0; i < c->transitions.count && bpi_run_tick(w->run); i++) {
    const bpi_key ends = bpi_ends(c, i);
    if (c->transitions.at[i].rel == BPI_FALSE || bpi_set_idle(c, ends.at[0])) continue;
    write_state(w, ends.at[0], false);
    bpi_out_text(&w->out, " -- ");
    bpi_out_text(&w->out, symbol_name(w, ends.at[1]));
    bpi_out_text(&w->out, " -> ");
    write_state(w, ends.at[2], false);
    write_relation(w, &ends, c->transitions.at[i].rel);
    bpi_out_char(&w->out, '\n');
  }
}

static void write_dot(writer *w)
{
  const bp_configurations *c = w->c;
  bpi_out_text(&w->out, "digraph {\n  rankdir=LR;\n  node [shape=circle];\n");
  for (uint32_t i = 0; i < c->states.count && bpi_run_tick(w->run); i++) {
    if (bpi_set_idle(c, i)) continue;
    bpi_out_text(&w->out, "  s");
    bpi_out_u64(&w->out, i);
    bpi_out_text(&w->out, " [label=\"");
    write_state(w, i, true);
    bpi_out_text(&w->out, c->states.at[i].accepts == BPI_FALSE ? "\"" : "\", peripheries=2");
    bpi_out_text(&w->out, i < c->p->controls.count ? ", style=bold];\n" : "];\n");
  }
  for (uint32_t i = 0; i < c->transitions.count && bpi_run_tick(w->run); i++) {
    const bpi_key ends = bpi_ends(c, i);
    if (c->transitions.at[i].rel == BPI_FALSE || bpi_set_idle(c, ends.at[0])) continue;
    bpi_out_text(&w->out, "  s");
    bpi_out_u64(&w->out, ends.at[0]);
    bpi_out_text(&w->out, " -> s");
    bpi_out_u64(&w->out, ends.at[2]);
    bpi_out_text(&w->out, " [label=\"");
    write_escaped(w, symbol_name(w, ends.at[1]), true);
    bpi_out_text(&w->out, "\"];\n");
  }
  bpi_out_text(&w->out, "}\n");
}

static bp_status write_set(const bp_configurations *c, const bp_sink *sink, bp_symbol_name_fn name,
                           void *user, void (*write)(writer *w))
{
  bpi_run run;
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(c->ctx, BPI_BAD_SINK);
  const bp_status begun = bpi_run_begin(&run, c, NULL);
  if (begun != BP_OK) return begun;
  writer w = {.run = &run, .c = c, .name = name, .user = user};
  bpi_out_init(&w.out, sink);
  find_made(&w);
  if (!bpi_cube_init(&w.cube, c->p->program)) bpi_run_no_memory(&run);
  if (bpi_run_good(&run)) write(&w);
  bpi_cube_clear(&w.cube);
  bpi_vec_free(&w.path);
  bpi_vec_free(&w.side);
  bpi_vec_free(&w.fixed);
  bpi_vec_free(&w.equal);
  bpi_keys_free(&w.made);
  bpi_vec_free(&w.made_by);
  const bp_status written = bpi_out_flush(&w.out), status = bpi_run_end(&run);
  return status == BP_OK && written != BP_OK ? bpi_sink_refused(c->ctx) : status;
}

bp_status bp_configurations_write(const bp_configurations *c, const bp_sink *sink,
                                  bp_symbol_name_fn name, void *user)
{
  return c ? write_set(c, sink, name, user, write_text) : BP_E_INVALID;
}

bp_status bp_configurations_write_dot(const bp_configurations *c, const bp_sink *sink,
                                      bp_symbol_name_fn name, void *user)
{
  return c ? write_set(c, sink, name, user, write_dot) : BP_E_INVALID;
}
