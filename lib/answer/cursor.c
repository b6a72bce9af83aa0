/* SPDX-License-Identifier: MIT
 * Walking over a trace: a stack of frames, each at a step. */
#include "answer/trace.h"

typedef struct spot {
  bpi_frame *frame;
  uint32_t at;    /* the step stood on, BP_NONE: before the first */
  uint32_t depth; /* of that step */
  bool by_hand;   /* opened with bp_cursor_open() */
  bool done;      /* the call stood on has been listed opened */
} spot;

struct bp_cursor {
  bp_trace *trace;
  BPI_VEC(spot) spots;
  bool on; /* stands on a step */
};

/* ---- life ---------------------------------------------------------------- */

bp_status bp_cursor_new(bp_cursor **out, bp_trace *trace)
{
  if (out) *out = NULL;
  if (!trace) return BP_E_INVALID;
  if (!out) return bpi_invalid(trace->q->ctx, "out is NULL");
  bpi_context_begin(trace->q->ctx);
  bp_cursor *c = bpi_zalloc(1, sizeof *c);
  spot first = {.at = BP_NONE};
  if (!c || bpi_frame_new(&first.frame, trace->path, NULL, 0, 0, trace->levels) != BP_OK) {
    bpi_release(c);
    return bpi_no_memory(trace->q->ctx);
  }
  c->trace = bp_trace_ref(trace);
  if (bpi_vec_push(&c->spots, first)) {
    *out = c;
    return BP_OK;
  }
  bpi_frame_unref(trace, first.frame);
  bp_cursor_free(c);
  return bpi_no_memory(trace->q->ctx);
}

bp_status bp_cursor_copy(bp_cursor **out, const bp_cursor *cursor)
{
  if (out) *out = NULL;
  if (!cursor) return BP_E_INVALID;
  if (!out) return bpi_invalid(cursor->trace->q->ctx, "out is NULL");
  bpi_context_begin(cursor->trace->q->ctx);
  bp_cursor *c = bpi_zalloc(1, sizeof *c);
  if (!c || !bpi_vec_reserve(&c->spots, cursor->spots.count)) {
    bpi_release(c);
    return bpi_no_memory(cursor->trace->q->ctx);
  }
  c->trace = bp_trace_ref(cursor->trace);
  c->on = cursor->on;
  for (uint32_t i = 0; i < cursor->spots.count; i++) {
    c->spots.at[i] = cursor->spots.at[i];
    c->spots.at[i].frame->refs++;
  }
  c->spots.count = cursor->spots.count;
  *out = c;
  return BP_OK;
}

static void pop(bp_cursor *c)
{
  bpi_frame_unref(c->trace, c->spots.at[--c->spots.count].frame);
}

void bp_cursor_free(bp_cursor *cursor)
{
  if (!cursor) return;
  while (cursor->spots.count)
    pop(cursor);
  bpi_vec_free(&cursor->spots);
  bp_trace_unref(cursor->trace);
  bpi_release(cursor);
}

/* ---- moving -------------------------------------------------------------- */

static spot *top_of(const bp_cursor *c)
{
  return &c->spots.at[c->spots.count - 1];
}

static const bpi_step *step_of(const bp_cursor *c)
{
  const spot *top = top_of(c);
  return top->at < top->frame->path->steps.count ? &top->frame->path->steps.at[top->at] : NULL;
}

/* Goes into the completed call stood on, before its first step. */
static bp_status descend(bp_cursor *c, uint32_t levels, bool by_hand)
{
  const spot *top = top_of(c);
  bpi_path *inner;
  bp_status status = bpi_trace_inner(c->trace, top->frame->path, step_of(c), &inner);
  if (status != BP_OK) return status;
  spot next = {.at = BP_NONE, .depth = top->depth + 1, .by_hand = by_hand};
  if (bpi_frame_new(&next.frame, inner, top->frame, top->at, next.depth, levels) != BP_OK)
    return bpi_no_memory(c->trace->q->ctx);
  if (bpi_vec_push(&c->spots, next)) return BP_OK;
  bpi_frame_unref(c->trace, next.frame);
  return bpi_no_memory(c->trace->q->ctx);
}

/* To the next step of the top frame, listed or not; false behind its last one. */
static bool advance(spot *top)
{
  const bpi_path *path = top->frame->path;
  if (top->at == BP_NONE)
    top->at = 0;
  else if (top->at < path->steps.count)
    top->depth += path->steps.at[top->at++].kind == BPI_STEP_ENTERS;
  top->done = false;
  return top->at < path->steps.count;
}

static bp_status move(bp_cursor *c)
{
  for (;;) {
    spot *top = top_of(c);
    const bpi_step *step = step_of(c);
    const uint32_t levels = top->frame->levels;
    if (step && step->kind == BPI_STEP_CALLS && levels && !top->done) {
      const bp_status status = descend(c, levels == BP_NONE ? BP_NONE : levels - 1, false);
      if (status != BP_OK) return status;
      /* The stack may have moved. */
      c->spots.at[c->spots.count - 2].done = true;
      top = top_of(c);
    }
    if (advance(top)) {
      if (bpi_step_shown(c->trace, step_of(c))) return BP_OK;
    } else if (c->spots.count == 1 || top->by_hand) {
      return BP_END;
    } else {
      pop(c);
    }
  }
}

bp_status bp_cursor_next(bp_cursor *cursor)
{
  if (!cursor) return BP_E_INVALID;
  bp_query *q = cursor->trace->q;
  bp_status status = bpi_query_begin(q);
  if (status != BP_OK) return status;
  /* Most moves compute nothing, and still a long walk must end when it is cancelled. */
  status = bpi_watch_expired(&q->watch) ? bpi_query_expired(q) : move(cursor);
  if (status == BP_OK || status == BP_END) cursor->on = status == BP_OK;
  bpi_query_end(q);
  return status;
}

bp_status bp_cursor_open(bp_cursor *cursor)
{
  if (!cursor) return BP_E_INVALID;
  if (!bp_cursor_closed(cursor)) {
    bpi_context_begin(cursor->trace->q->ctx);
    return bpi_fail(cursor->trace->q->ctx, BP_E_STATE, BPI_MSG_STATE,
                    "the cursor stands on no closed call");
  }
  bp_status status = bpi_query_begin(cursor->trace->q);
  if (status != BP_OK) return status;
  status = descend(cursor, 0, true);
  if (status == BP_OK) cursor->on = false;
  bpi_query_end(cursor->trace->q);
  return status;
}

bp_status bp_cursor_close(bp_cursor *cursor)
{
  if (!cursor) return BP_E_INVALID;
  bpi_context_begin(cursor->trace->q->ctx);
  uint32_t left = cursor->spots.count;
  while (left && !cursor->spots.at[left - 1].by_hand)
    left--;
  if (!left)
    return bpi_fail(cursor->trace->q->ctx, BP_E_STATE, BPI_MSG_STATE, "no call was opened");
  while (cursor->spots.count >= left)
    pop(cursor);
  cursor->on = true;
  return BP_OK;
}

/* ---- the step ------------------------------------------------------------ */

uint32_t bp_cursor_vertex(const bp_cursor *cursor)
{
  return cursor && cursor->on ? bpi_shown_vertex(cursor->trace->q->cfg, step_of(cursor)->vertex)
                              : BP_NONE;
}

/* The graph that the cursor speaks of. */
static const bp_cfg *graph_of(const bp_cursor *cursor)
{
  return bpi_shown_cfg(cursor->trace->q->cfg);
}

uint32_t bp_cursor_stmt(const bp_cursor *cursor)
{
  return cursor && cursor->on ? bp_cfg_vertex_stmt(graph_of(cursor), bp_cursor_vertex(cursor))
                              : BP_NONE;
}

uint32_t bp_cursor_proc(const bp_cursor *cursor)
{
  return cursor && cursor->on ? bp_cfg_vertex_proc(graph_of(cursor), bp_cursor_vertex(cursor))
                              : BP_NONE;
}

uint32_t bp_cursor_depth(const bp_cursor *cursor)
{
  return cursor && cursor->on ? top_of(cursor)->depth : 0;
}

void bp_cursor_range(const bp_cursor *cursor, bp_range *out)
{
  if (out) bp_stmt_range(cursor ? graph_of(cursor)->program : NULL, bp_cursor_stmt(cursor), out);
}

uint64_t bp_cursor_origin(const bp_cursor *cursor)
{
  return cursor ? bp_stmt_origin(graph_of(cursor)->program, bp_cursor_stmt(cursor)) : 0;
}

int bp_cursor_closed(const bp_cursor *cursor)
{
  return cursor && cursor->on && step_of(cursor)->kind == BPI_STEP_CALLS &&
         !top_of(cursor)->frame->levels;
}

bp_status bp_cursor_inside(bp_cursor *cursor, uint64_t *out)
{
  if (!cursor) return BP_E_INVALID;
  if (!out) return bpi_invalid(cursor->trace->q->ctx, "out is NULL");
  bpi_context_begin(cursor->trace->q->ctx);
  *out = 0;
  if (!cursor->on || step_of(cursor)->kind != BPI_STEP_CALLS) return BP_OK;
  bp_status status = bpi_query_begin(cursor->trace->q);
  if (status != BP_OK) return status;
  bpi_path *inner;
  status = bpi_trace_inner(cursor->trace, top_of(cursor)->frame->path, step_of(cursor), &inner);
  if (status == BP_OK) status = bpi_trace_measure(cursor->trace, inner, out);
  bpi_query_end(cursor->trace->q);
  return status;
}

static bp_status value_of(bp_cursor *c, uint32_t var, bp_value *out)
{
  bp_query *q = c->trace->q;
  const spot *top = top_of(c);
  bp_status status = bpi_frame_states(c->trace, top->frame);
  if (status != BP_OK) return status;
  const bpi_bdd set = top->frame->states[top->at];
  const uint32_t own = bpi_shown_var(q->cfg, step_of(c)->vertex, var);
  const uint32_t bdd_var = bpi_bdd_var(bpi_slot_of(q->full, own), BPI_CURRENT);
  bool can[2];
  for (int value = 0; value < 2; value++) {
    const bpi_bdd literal = bpi_bdd_literal(q->m, bdd_var, value);
    const bpi_bdd both = bpi_bdd_and(q->m, set, literal);
    can[value] = both != BPI_FALSE;
    bpi_bdd_drop(q->m, literal);
    bpi_bdd_drop(q->m, both);
  }
  if (!bpi_bdd_ok(q->m)) return bpi_query_stopped(q, q->full);
  *out = can[0] && can[1] ? BP_ANY : can[1] ? BP_TRUE : BP_FALSE;
  return BP_OK;
}

bp_status bp_cursor_value(bp_cursor *cursor, uint32_t var, bp_value *out)
{
  if (!cursor) return BP_E_INVALID;
  bp_query *q = cursor->trace->q;
  if (!out) return bpi_invalid(q->ctx, "out is NULL");
  *out = BP_ANY;
  bpi_context_begin(q->ctx);
  if (!cursor->on) return bpi_fail(q->ctx, BP_E_STATE, BPI_MSG_STATE, "no step to look at");
  const bp_program *p = graph_of(cursor)->program;
  if (!bpi_program_sees(p, var, bp_cursor_proc(cursor)))
    return bpi_invalid(q->ctx, "variable %u is not in scope in procedure '%.80s'", var,
                       bp_proc_name(p, bp_cursor_proc(cursor)));
  bp_status status = bpi_query_begin(q);
  if (status != BP_OK) return status;
  status = value_of(cursor, var, out);
  bpi_query_end(q);
  return status;
}

bp_status bp_cursor_number(bp_cursor *cursor, uint32_t datum, uint32_t element, int *known,
                           uint64_t *out)
{
  if (!cursor) return BP_E_INVALID;
  bp_query *q = cursor->trace->q;
  if (!known || !out) return bpi_invalid(q->ctx, "%s is NULL", known ? "out" : "known");
  *known = 0;
  *out = 0;
  const bp_program *p = graph_of(cursor)->program;
  if (bp_datum_var(p, datum, element, 0) == BP_NONE)
    return bpi_invalid(q->ctx, "there is no element %u of datum %u", element, datum);
  uint64_t number = 0;
  uint32_t var;
  for (uint32_t bit = 0; (var = bp_datum_var(p, datum, element, bit)) != BP_NONE; bit++) {
    bp_value value;
    const bp_status status = bp_cursor_value(cursor, var, &value);
    if (status != BP_OK || value == BP_ANY) return status;
    number |= (uint64_t)(value == BP_TRUE) << bit;
  }
  *known = 1;
  *out = number;
  return BP_OK;
}
