/* SPDX-License-Identifier: MIT
 * What a query asks for: from names and lines to goals. */
#include "engine/query.h"

#include <stdlib.h>

static bp_status unknown(bp_query *q, const char *what, const char *name, const char *proc)
{
  if (proc)
    return bpi_fail(q->ctx, BP_E_INPUT, BPI_MSG_TARGET, "unknown %s '%.80s' in procedure '%.80s'",
                    what, name, proc);
  return bpi_fail(q->ctx, BP_E_INPUT, BPI_MSG_TARGET, "unknown %s '%.80s'", what, name);
}

/* A target being made: on failure everything goes back to how it was. */
typedef struct draft {
  bp_query *q;
  bpi_target target;
  uint32_t goals, codes; /* how many there were */
  const char *when;
  uint32_t when_proc; /* the procedure that the last code was read for */
  const bpi_instr *code;
  uint32_t code_count;
} draft;

static draft begin(bp_query *q, bp_target_kind kind, const char *when)
{
  bpi_context_begin(q->ctx);
  return (draft){.q = q,
                 .target = {.kind = kind,
                            .goals = {q->goals.count, 0},
                            .vertex = BP_NONE,
                            .verdict = BP_UNDECIDED},
                 .goals = q->goals.count,
                 .codes = q->codes.count,
                 .when = when};
}

/* The condition for a place in the scope of `proc`, BP_NONE: of globals; read anew for each. */
static bp_status read_when(draft *d, uint32_t proc)
{
  if (!d->when || (d->code && d->when_proc == proc)) return BP_OK;
  bpi_code code = {0};
  const bp_status status = bpi_expression_parse(&code, d->q->ctx, d->q->p, proc, d->when, "when");
  if (status == BP_OK && bpi_vec_push(&d->q->codes, code.at)) {
    d->code = code.at;
    d->code_count = code.count;
    d->when_proc = proc;
    return BP_OK;
  }
  bpi_vec_free(&code);
  return status == BP_OK ? bpi_no_memory(d->q->ctx) : status;
}

static bp_status add_goal(draft *d, uint32_t vertex, bool fails)
{
  const bp_status status = read_when(d, bpi_query_scope(d->q, vertex));
  if (status != BP_OK) return status;
  const bpi_goal goal = {.vertex = vertex,
                         .group = d->q->targets.count,
                         .fails = fails,
                         .when = d->code,
                         .when_count = d->code_count};
  if (!bpi_vec_push(&d->q->goals, goal)) return bpi_no_memory(d->q->ctx);
  d->target.goals.count++;
  return BP_OK;
}

/* Other parts of the program may matter to a new target, so the exploration begins anew. */
static bp_status forget_exploration(bp_query *q)
{
  if (!q->engine) return BP_OK;
  if (!bpi_bdd_enter(q->m, NULL, 0))
    return bpi_fail(
        q->ctx, BP_E_BUSY, BPI_MSG_BUSY,
        "the manager is at work, on another thread or in the call whose callback this is");
  bpi_localize_clear(q);
  q->pauses = (bpi_pauses){.work = 0};
  bpi_recursion_clear(q);
  bpi_backward_clear(q);
  bpi_executions_clear(q);
  q->lost = 0;
  bpi_query_retire(q, &q->known);
  bpi_query_retire(q, &q->traced);
  bpi_query_retire(q, &q->engine);
  bpi_bdd_leave(q->m);
  return BP_OK;
}

/* Takes the target up. A finished query has something to do again. */
static bp_status finish(draft *d, bp_status status, const char *name, size_t len)
{
  bp_query *q = d->q;
  if (status == BP_OK) status = forget_exploration(q);
  d->target.name = status == BP_OK ? bpi_strndup(name, len) : NULL;
  if (status == BP_OK && (!d->target.name || !bpi_vec_push(&q->targets, d->target)))
    status = bpi_no_memory(q->ctx);
  if (status != BP_OK) {
    bpi_release(d->target.name);
    while (q->codes.count > d->codes)
      bpi_release(q->codes.at[--q->codes.count]);
    q->goals.count = d->goals;
    return status;
  }
  if (q->state != BP_QUERY_FAILED) q->state = BP_QUERY_NEW;
  q->reason = BP_REASON_NOT_RUN;
  return BP_OK;
}

/* `proc` as an id; false when there is none of that name. */
static bool find_proc(const bp_query *q, const char *proc, uint32_t *id)
{
  *id = proc ? bp_program_find_proc(q->p, proc) : BP_NONE;
  return !proc || *id != BP_NONE;
}

static char *qualified(const char *proc, const char *name)
{
  const size_t left = proc ? strlen(proc) : 0, right = strlen(name);
  char *text = bpi_alloc(left + right + 2, 1);
  if (!text) return NULL;
  if (proc) {
    memcpy(text, proc, left);
    text[left] = ':';
  }
  memcpy(text + left + (proc != NULL), name, right + 1);
  return text;
}

bp_status bp_query_add_label(bp_query *q, const char *proc, const char *label, const char *when)
{
  if (!q) return BP_E_INVALID;
  if (!label) return bpi_invalid(q->ctx, "label is NULL");
  draft d = begin(q, BP_TARGET_LABEL, when);
  uint32_t id;
  if (!find_proc(q, proc, &id)) return unknown(q, "procedure", proc, NULL);
  bp_status status = BP_OK;
  uint32_t stmt, found = 0;
  while (status == BP_OK && (stmt = bp_program_find_label(q->p, id, label, found)) != BP_NONE) {
    const uint32_t vertex = bpi_vertex_of(q->cfg, stmt);
    found++;
    /* A procedure without graph cannot be reached. */
    if (vertex != BP_NONE) status = add_goal(&d, vertex, false);
  }
  if (status == BP_OK && !found) status = unknown(q, "label", label, proc);
  char *name = qualified(proc, label);
  if (!name && status == BP_OK) status = bpi_no_memory(q->ctx);
  status = finish(&d, status, name, name ? strlen(name) : 0);
  bpi_release(name);
  return status;
}

bp_status bp_query_add_line(bp_query *q, const char *proc, uint32_t line, const char *when)
{
  if (!q) return BP_E_INVALID;
  draft d = begin(q, BP_TARGET_LINE, when);
  char text[16];
  snprintf(text, sizeof text, "%u", (unsigned)line);
  uint32_t id, found = 0;
  if (!find_proc(q, proc, &id)) return unknown(q, "procedure", proc, NULL);
  bp_status status = BP_OK;
  for (uint32_t i = 0; status == BP_OK && i < q->p->stmts.count; i++) {
    if (bpi_stmt_range(q->p, i).line != line || !bpi_kind_counts(bpi_stmt_kind(q->p, i)) ||
        (id != BP_NONE && bpi_stmt_proc(q->p, i) != id))
      continue;
    found++;
    const uint32_t vertex = bpi_vertex_of(q->cfg, i);
    if (vertex != BP_NONE) status = add_goal(&d, vertex, false);
  }
  if (status == BP_OK && (!found || !line))
    status = unknown(q, "line (no statement begins there)", text, proc);
  d.target.line = line;
  char *name = qualified(proc, text);
  if (!name && status == BP_OK) status = bpi_no_memory(q->ctx);
  status = finish(&d, status, name, name ? strlen(name) : 0);
  bpi_release(name);
  return status;
}

bp_status bp_query_add_vertex(bp_query *q, uint32_t vertex, const char *when)
{
  if (!q) return BP_E_INVALID;
  draft d = begin(q, BP_TARGET_VERTEX, when);
  char text[32];
  const int len = snprintf(text, sizeof text, "vertex %u", (unsigned)vertex);
  if (vertex >= q->cfg->vertices.count) return bpi_invalid(q->ctx, "there is no %s", text);
  return finish(&d, add_goal(&d, vertex, false), text, (size_t)len);
}

bp_status bpi_query_add_spots(bp_query *q, bpi_spot_of_target *spots, uint32_t count)
{
  draft d = begin(q, BP_TARGET_VERTEX, NULL);
  bp_status status = BP_OK;
  for (uint32_t i = 0; i < count; i++) {
    const bpi_code *when = &spots[i].when;
    if (when->at && status == BP_OK && !bpi_vec_push(&q->codes, when->at))
      status = bpi_no_memory(q->ctx);
    if (status != BP_OK) {
      bpi_release(when->at);
      continue;
    }
    if (when->at) {
      d.code = when->at;
      d.code_count = when->count;
    }
    status = add_goal(&d, spots[i].vertex, false);
  }
  return finish(&d, status, "places", 6);
}

/* The assertions from number `first` to before `end`: all of them or none. */
static bp_status add_asserts(bp_query *q, uint32_t first, uint32_t end)
{
  bpi_context_begin(q->ctx);
  const uint32_t targets = q->targets.count, goals = q->goals.count;
  for (uint32_t i = 0, number = 0; i < q->p->stmts.count && number < end; i++) {
    const uint32_t vertex = bpi_assert_vertex(q->cfg, i);
    if (vertex == BP_NONE || number++ < first) continue;
    draft d = begin(q, BP_TARGET_ASSERT, NULL);
    const bp_status status = finish(&d, add_goal(&d, vertex, true), "assert", 6);
    if (status == BP_OK) continue;
    while (q->targets.count > targets)
      bpi_release(q->targets.at[--q->targets.count].name);
    q->goals.count = goals;
    return status;
  }
  return BP_OK;
}

bp_status bp_query_add_asserts(bp_query *q)
{
  return q ? add_asserts(q, 0, UINT32_MAX) : BP_E_INVALID;
}

bp_status bp_query_add_assert_range(bp_query *q, uint32_t first, uint32_t count)
{
  if (!q) return BP_E_INVALID;
  const uint32_t all = bp_cfg_assert_count(q->cfg);
  if (first > all || count > all - first)
    return bpi_invalid(q->ctx, "there are %u assertions", (unsigned)all);
  return add_asserts(q, first, first + count);
}

uint32_t bp_query_target_vertex(const bp_query *q, uint32_t target, uint32_t index)
{
  if (!q || target >= q->targets.count) return BP_NONE;
  const bpi_slice goals = q->targets.at[target].goals;
  return index < goals.count ? q->goals.at[goals.first + index].vertex : BP_NONE;
}

/* ---- as the command line spells it --------------------------------------- */

static bool all_digits(const char *text)
{
  if (!*text) return false;
  for (; *text; text++)
    if (*text < '0' || *text > '9') return false;
  return true;
}

static uint32_t line_of(const char *digits)
{
  const unsigned long long line = strtoull(digits, NULL, 10);
  return line < UINT32_MAX ? (uint32_t)line : 0;
}

/* The last colon outside braces, NULL: none. */
static const char *last_colon(const char *text)
{
  const char *found = NULL;
  int braces = 0;
  for (; *text; text++) {
    if (*text == '{') braces++;
    if (*text == '}') braces--;
    if (*text == ':' && braces <= 0) found = text;
  }
  return found;
}

/* A target of the command line taken apart. */
typedef struct spelled {
  const char *proc; /* NULL: any */
  size_t proc_len;
  const char *name;
  bool label; /* also when the name is a number */
} spelled;

static const char force[] = "label:";
enum { FORCE = sizeof force - 1 };

static spelled take_apart(const char *target)
{
  spelled s = {.name = target, .label = !strncmp(target, force, FORCE)};
  if (s.label) s.name += FORCE;
  const char *colon = last_colon(s.name);
  if (!colon) return s;
  s.proc = s.name;
  s.name = colon + 1;
  s.proc_len = (size_t)(s.name - 1 - s.proc);
  /* Outside braces no name has a colon, so this is not the end of one. */
  if (s.proc_len >= FORCE && s.name[-1 - FORCE] == ':' && !strncmp(s.name - FORCE, force, FORCE)) {
    s.label = true;
    s.proc_len -= FORCE;
  }
  return s;
}

bp_status bp_query_add(bp_query *q, const char *target, const char *when)
{
  if (!q) return BP_E_INVALID;
  if (!target) return bpi_invalid(q->ctx, "target is NULL");
  const spelled s = take_apart(target);
  bpi_context_begin(q->ctx);
  char *proc = s.proc ? bpi_strndup(s.proc, s.proc_len) : NULL;
  if (s.proc && !proc) return bpi_no_memory(q->ctx);
  bp_status status;
  if (s.label || !all_digits(s.name))
    status = bp_query_add_label(q, proc, s.name, when);
  else if (line_of(s.name))
    status = bp_query_add_line(q, proc, line_of(s.name), when);
  else
    status = unknown(q, "line (no statement begins there)", s.name, proc);
  bpi_release(proc);
  return status;
}

bp_status bp_query_set_init(bp_query *q, const char *expression)
{
  if (!q) return BP_E_INVALID;
  bpi_context_begin(q->ctx);
  if (q->begun)
    return bpi_fail(q->ctx, BP_E_STATE, BPI_MSG_STATE, "the start cannot change after a run");
  bpi_code code = {0};
  if (expression) {
    const bp_status status =
        bpi_expression_parse(&code, q->ctx, q->p, q->p->entry, expression, "init");
    if (status != BP_OK) {
      bpi_vec_free(&code);
      return status;
    }
  }
  bpi_vec_free(&q->init);
  q->init = code;
  return BP_OK;
}
