/* SPDX-License-Identifier: MIT
 * Sets of stacks as regular expressions and for Graphviz. */
#include "pushdown/stacks.h"

#include "base/sink.h"

/* What is still to be written: text, or an expression in a place that takes what binds as tightly. */
enum { IN_OR, IN_CAT, IN_STAR };
typedef struct task {
  const char *text; /* NULL: the expression */
  uint32_t expr;
  uint8_t place;
} task;

typedef struct writer {
  bpi_equations e;
  bpi_out out;
  bp_symbol_name_fn name;
  void *user;
  BPI_VEC(task) tasks;
  BPI_VEC(uint32_t) apart; /* states to be written by themselves, in the order of their numbers */
  uint32_t *number;        /* by state, from 1; 0: none yet */
} writer;

static const char *symbol_name(const bp_stacks *s, uint32_t symbol, bp_symbol_name_fn name,
                               void *user)
{
  const char *text = name ? name(symbol, user) : NULL;
  return text ? text : bp_pushdown_symbol_name(s->p, symbol);
}

static void later(writer *w, const char *text, uint32_t expr, uint8_t place)
{
  const task one = {text, expr, place};
  if (!bpi_vec_push(&w->tasks, one)) w->e.status = BP_E_NOMEM;
}

static void write_number(writer *w, uint32_t state)
{
  if (!w->number[state]) {
    if (!bpi_vec_push(&w->apart, state)) w->e.status = BP_E_NOMEM;
    w->number[state] = w->apart.count;
  }
  bpi_out_char(&w->out, '<');
  bpi_out_u64(&w->out, w->number[state]);
  bpi_out_char(&w->out, '>');
}

/* Two operands with `between`; parentheses where the place binds more tightly. */
static void write_two(writer *w, bpi_re re, const char *between, uint8_t own, uint8_t place)
{
  if (place > own) {
    bpi_out_char(&w->out, '(');
    later(w, ")", 0, 0);
  }
  later(w, NULL, re.b, own);
  later(w, between, 0, 0);
  later(w, NULL, re.a, own);
}

static void write_node(writer *w, uint32_t expr, uint8_t place)
{
  const bpi_re re = w->e.pool.at[expr];
  switch (re.kind) {
  case BPI_RE_EMPTY: bpi_out_char(&w->out, '_'); return;
  case BPI_RE_ANY: bpi_out_char(&w->out, '.'); return;
  case BPI_RE_SYMBOL: bpi_out_text(&w->out, symbol_name(w->e.s, re.a, w->name, w->user)); return;
  case BPI_RE_OR: write_two(w, re, " | ", IN_OR, place); return;
  case BPI_RE_CAT: write_two(w, re, " ", IN_CAT, place); return;
  case BPI_RE_STAR:
  case BPI_RE_MAYBE:
    later(w, re.kind == BPI_RE_STAR ? "*" : "?", 0, 0);
    later(w, NULL, re.a, IN_STAR);
    return;
  case BPI_RE_STATE:
    if (bpi_equations_apart(&w->e, re.a))
      write_number(w, re.a);
    else
      later(w, NULL, bpi_equations_expr(&w->e, re.a), place);
  }
}

static bool going(writer *w)
{
  if (w->e.status == BP_OK && bpi_watch_expired(&w->e.watch)) w->e.status = BP_E_LIMIT;
  return w->e.status == BP_OK && w->out.status == BP_OK;
}

static void write_expr(writer *w, uint32_t expr)
{
  later(w, NULL, expr, IN_OR);
  while (w->tasks.count && going(w)) {
    const task one = w->tasks.at[--w->tasks.count];
    if (one.text)
      bpi_out_text(&w->out, one.text);
    else
      write_node(w, one.expr, one.place);
  }
  bpi_out_char(&w->out, '\n');
}

static void write_lines(writer *w, uint32_t control)
{
  const bpi_equation *q = &w->e.states[control];
  if (q->ends) bpi_out_text(&w->out, "_\n");
  for (uint32_t i = 0; i < q->terms.count && going(w); i++) {
    const bpi_term term = q->terms.at[i];
    const bpi_equation *below = &w->e.states[term.to];
    const bool end = below->ends && !below->loop && !below->terms.count;
    const bpi_re rest = {BPI_RE_STATE, term.to, 0};
    uint32_t expr = 0;
    if (!end && bpi_vec_push(&w->e.pool, rest)) expr = w->e.pool.count - 1;
    if (!end && !expr) w->e.status = BP_E_NOMEM;
    write_expr(w, bpi_re_cat(&w->e, term.expr, expr));
  }
  for (uint32_t i = 0; i < w->apart.count && going(w); i++) {
    write_number(w, w->apart.at[i]);
    bpi_out_text(&w->out, " = ");
    write_expr(w, bpi_equations_expr(&w->e, w->apart.at[i]));
  }
}

bp_status bp_stacks_write(const bp_stacks *s, const bp_sink *sink, uint32_t control,
                          bp_symbol_name_fn name, void *user)
{
  if (!s) return BP_E_INVALID;
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(s->ctx, BPI_BAD_SINK);
  if (control >= s->p->controls.count)
    return bpi_invalid(s->ctx, "there is no such control location");
  bpi_context_begin(s->ctx);
  writer w = {.name = name, .user = user};
  bpi_out_init(&w.out, sink);
  bpi_equations_make(&w.e, s);
  w.number = bpi_zalloc(s->states.count, sizeof *w.number);
  if (!w.number) w.e.status = BP_E_NOMEM;
  if (w.e.status == BP_OK) write_lines(&w, control);
  const bp_status status = w.e.status, written = bpi_out_flush(&w.out);
  bpi_equations_free(&w.e);
  bpi_vec_free(&w.tasks);
  bpi_vec_free(&w.apart);
  bpi_release(w.number);
  if (written != BP_OK) return bpi_sink_refused(s->ctx);
  if (status == BP_E_LIMIT)
    return bpi_fail(s->ctx, status, BPI_MSG_LIMIT, "stopped while writing stacks");
  return status == BP_OK ? BP_OK : bpi_no_memory(s->ctx);
}

/* ---- Graphviz ---------------------------------------------------------------------- */

static void write_edge(bpi_out *out, uint32_t from, uint32_t to, const char *label)
{
  bpi_out_text(out, "  s");
  bpi_out_u64(out, from);
  bpi_out_text(out, " -> s");
  bpi_out_u64(out, to);
  bpi_out_text(out, " [label=");
  bpi_out_quoted(out, label);
  bpi_out_text(out, "];\n");
}

static void write_dot(const bp_stacks *s, bpi_out *out, bp_symbol_name_fn name, void *user,
                      bool *stopped)
{
  bpi_watch watch = bpi_context_watch(s->ctx);
  const uint32_t controls = s->p->controls.count;
  bpi_out_text(out, "digraph {\n  rankdir=LR;\n  node [shape=circle];\n");
  for (uint32_t i = 0; i < s->states.count && !*stopped && out->status == BP_OK; i++) {
    const bpi_stack_state *state = &s->states.at[i];
    bpi_out_text(out, "  s");
    bpi_out_u64(out, i);
    bpi_out_text(out, " [label=");
    bpi_out_quoted(out, i < controls ? bp_pushdown_control_name(s->p, i) : "");
    if (state->accepts) bpi_out_text(out, ", peripheries=2");
    bpi_out_text(out, i < controls ? ", style=bold];\n" : "];\n");
    for (uint32_t k = 0; k < state->edges.count; k++)
      write_edge(out, i, state->edges.at[k].to,
                 symbol_name(s, state->edges.at[k].symbol, name, user));
    if (state->otherwise != BP_NONE) write_edge(out, i, state->otherwise, ".");
    *stopped = bpi_watch_expired(&watch);
  }
  bpi_out_text(out, "}\n");
}

bp_status bp_stacks_write_dot(const bp_stacks *s, const bp_sink *sink, bp_symbol_name_fn name,
                              void *user)
{
  if (!s) return BP_E_INVALID;
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(s->ctx, BPI_BAD_SINK);
  bpi_context_begin(s->ctx);
  bool stopped = false;
  bpi_out out;
  bpi_out_init(&out, sink);
  write_dot(s, &out, name, user, &stopped);
  if (bpi_out_flush(&out) != BP_OK) return bpi_sink_refused(s->ctx);
  if (stopped) return bpi_fail(s->ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped while writing stacks");
  return BP_OK;
}
