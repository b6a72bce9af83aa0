/* SPDX-License-Identifier: MIT */
#include "answer/steps.h"

#include "program/program.h"

void bpi_steps_init(bpi_steps *s, bpi_json *json, const bp_program *p)
{
  *s = (bpi_steps){.json = json, .p = p, .proc = BP_NONE};
}

void bpi_steps_clear(bpi_steps *s)
{
  bpi_vec_free(&s->data);
  bpi_vec_free(&s->values);
}

/* The globals that nothing hides, in the order of declaration, then formals, then locals. */
static bool enter_scope(bpi_steps *s, uint32_t proc)
{
  if (s->proc == proc) return true;
  const uint32_t globals = bpi_global_data(s->p);
  const bpi_slice own = bpi_own_data(s->p, proc);
  s->data.count = 0;
  s->proc = BP_NONE;
  if (!bpi_vec_reserve(&s->data, (uint64_t)globals + own.count + 1)) return false;
  for (uint32_t i = 0; i < globals; i++) {
    const uint32_t datum = bpi_global_datum(s->p, i);
    if (bp_program_find_datum(s->p, proc, bp_datum_name(s->p, datum)) == datum)
      s->data.at[s->data.count++] = datum;
  }
  for (uint32_t i = 0; i < own.count; i++)
    s->data.at[s->data.count++] = own.first + i;
  s->proc = proc;
  return true;
}

/* How many elements the datum has. */
static uint32_t length_of(const bpi_steps *s, uint32_t datum)
{
  const uint32_t length = bp_datum_length(s->p, datum);
  return length ? length : 1;
}

/* All that can fail comes before the first byte of a step. */
static bp_status gather_step(bpi_steps *s, bp_cursor *cursor, uint64_t *inside)
{
  if (!enter_scope(s, bp_cursor_proc(cursor))) return BP_E_NOMEM;
  s->values.count = 0;
  for (uint32_t i = 0; i < s->data.count; i++)
    for (uint32_t k = 0; k < length_of(s, s->data.at[i]); k++) {
      bpi_element n;
      const bp_status status = bp_cursor_number(cursor, s->data.at[i], k, &n.known, &n.value);
      if (status != BP_OK) return status;
      if (!bpi_vec_push(&s->values, n)) return BP_E_NOMEM;
    }
  *inside = 0;
  return bp_cursor_closed(cursor) ? bp_cursor_inside(cursor, inside) : BP_OK;
}

/* A number; of an enum, the name of the constant. */
static void put_value(bpi_steps *s, uint32_t datum, uint64_t value)
{
  const char *name = bp_datum_value_name(s->p, datum, value);
  if (name)
    bpi_json_string(s->json, name);
  else
    bpi_json_u64(s->json, value);
}

/* An array with something known in it; null is what is not. */
static void put_array(bpi_steps *s, uint32_t datum, const bpi_element *elements, uint32_t length)
{
  bool any = false;
  for (uint32_t k = 0; k < length; k++)
    any |= elements[k].known != 0;
  if (!any) return;
  bpi_json_key(s->json, bp_datum_name(s->p, datum));
  bpi_json_push(s->json, '[');
  for (uint32_t k = 0; k < length; k++)
    if (elements[k].known)
      put_value(s, datum, elements[k].value);
    else
      bpi_json_null(s->json);
  bpi_json_pop(s->json, ']');
}

static void put_state(bpi_steps *s)
{
  const bpi_element *at = s->values.at;
  bpi_json_key(s->json, "state");
  bpi_json_push(s->json, '{');
  for (uint32_t i = 0; i < s->data.count; i++) {
    const uint32_t datum = s->data.at[i];
    if (bp_datum_length(s->p, datum)) {
      put_array(s, datum, at, length_of(s, datum));
    } else if (at->known) {
      bpi_json_key(s->json, bp_datum_name(s->p, datum));
      put_value(s, datum, at->value);
    }
    at += length_of(s, datum);
  }
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
  bpi_json_put_text(s->json, "proc", bp_proc_name(s->p, bp_cursor_proc(cursor)));
  bpi_json_put_number(s->json, "line", place.line);
  bpi_json_put_number(s->json, "depth", (uint64_t)s->depth + bp_cursor_depth(cursor));
  bpi_json_put_text(s->json, "kind",
                    bp_stmt_kind_name(bp_stmt_kind_of(s->p, bp_cursor_stmt(cursor))));
  put_state(s);
  if (bp_cursor_closed(cursor)) {
    bpi_json_key(s->json, "closed");
    bpi_json_bool(s->json, true);
    bpi_json_put_number(s->json, "inside", inside);
  }
  if (bp_cursor_origin(cursor)) bpi_json_put_number(s->json, "origin", bp_cursor_origin(cursor));
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
