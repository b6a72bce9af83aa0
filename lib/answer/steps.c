/* SPDX-License-Identifier: MIT */
#include "answer/steps.h"

#include "program/program.h"

void bpi_steps_init(bpi_steps *s, bpi_json *json, const bp_program *p)
{
  *s = (bpi_steps){.json = json, .p = p, .proc = BP_NONE};
}

void bpi_steps_clear(bpi_steps *s)
{
  bpi_vec_free(&s->vars);
  bpi_vec_free(&s->values);
}

static void put_text(bpi_steps *s, const char *key, const char *text)
{
  bpi_json_key(s->json, key);
  bpi_json_string(s->json, text);
}

static void put_number(bpi_steps *s, const char *key, uint64_t number)
{
  bpi_json_key(s->json, key);
  bpi_json_u64(s->json, number);
}

/* The globals that nothing hides, in the order of declaration, then formals, then locals. */
static bool enter_scope(bpi_steps *s, uint32_t proc)
{
  if (s->proc == proc) return true;
  s->vars.count = 0;
  s->proc = BP_NONE;
  const bpi_slice own = s->p->procs.at[proc].vars;
  if (!bpi_vec_reserve(&s->vars, (uint64_t)s->p->globals.count + own.count + 1)) return false;
  for (uint32_t i = 0; i < s->p->globals.count; i++) {
    const uint32_t var = s->p->globals.at[i];
    if (bp_program_find_var(s->p, proc, bp_var_name(s->p, var)) == var)
      s->vars.at[s->vars.count++] = var;
  }
  for (uint32_t i = 0; i < own.count; i++)
    s->vars.at[s->vars.count++] = own.first + i;
  s->proc = proc;
  return true;
}

/* All that can fail comes before the first byte of a step. */
static bp_status gather_step(bpi_steps *s, bp_cursor *cursor, uint64_t *inside)
{
  if (!enter_scope(s, bp_cursor_proc(cursor))) return BP_E_NOMEM;
  s->values.count = 0;
  if (!bpi_vec_reserve(&s->values, s->vars.count + 1)) return BP_E_NOMEM;
  for (uint32_t i = 0; i < s->vars.count; i++) {
    const bp_status status = bp_cursor_value(cursor, s->vars.at[i], &s->values.at[i]);
    if (status != BP_OK) return status;
  }
  *inside = 0;
  return bp_cursor_closed(cursor) ? bp_cursor_inside(cursor, inside) : BP_OK;
}

static void put_state(bpi_steps *s)
{
  bpi_json_key(s->json, "state");
  bpi_json_push(s->json, '{');
  for (uint32_t i = 0; i < s->vars.count; i++)
    if (s->values.at[i] != BP_ANY)
      put_number(s, bp_var_name(s->p, s->vars.at[i]), s->values.at[i] == BP_TRUE);
  bpi_json_pop(s->json, '}');
}

static bp_status put_step(bpi_steps *s, bp_cursor *cursor)
{
  uint64_t inside;
  const bp_status status = gather_step(s, cursor, &inside);
  if (status != BP_OK) return status;
  bp_range place;
  bp_cursor_range(cursor, &place);
  bpi_json_push(s->json, '{');
  put_text(s, "proc", bp_proc_name(s->p, bp_cursor_proc(cursor)));
  put_number(s, "line", place.line);
  put_number(s, "depth", (uint64_t)s->depth + bp_cursor_depth(cursor));
  put_text(s, "kind", bp_stmt_kind_name(bp_stmt_kind_of(s->p, bp_cursor_stmt(cursor))));
  put_state(s);
  if (bp_cursor_closed(cursor)) {
    bpi_json_key(s->json, "closed");
    bpi_json_bool(s->json, true);
    put_number(s, "inside", inside);
  }
  if (bp_cursor_origin(cursor)) put_number(s, "origin", bp_cursor_origin(cursor));
  bpi_json_pop(s->json, '}');
  s->count++;
  return BP_OK;
}

bp_status bpi_steps_put(bpi_steps *s, bp_trace *trace, bp_status (*poll)(void *user), void *user)
{
  bp_cursor *cursor = NULL;
  bp_status status = bp_cursor_new(&cursor, trace);
  while (status == BP_OK && (status = bp_cursor_next(cursor)) == BP_OK) {
    status = put_step(s, cursor);
    if (status == BP_OK) status = poll(user);
  }
  bp_cursor_free(cursor);
  return status == BP_END ? BP_OK : status;
}
