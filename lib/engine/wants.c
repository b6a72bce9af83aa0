/* SPDX-License-Identifier: MIT
 * What is wanted at vertices on the way to a goal, in frames of completed calls. */
#include "engine/wants.h"

#include "engine/back.h"
#include "engine/query.h"

enum {
  FIRST_ROOM = 256,
  MOST_FRAMES = 1024, /* one above the other */
  MOST_NODES = 500,   /* of a set that is passed on at once */
  NARROWED = 16       /* images that it costs to find a part */
};

/* In time for what was in it, more or less. */
static void clear_table(bpi_executions *x)
{
  if (x->room > FIRST_ROOM && x->room / 8 > x->wants.count) {
    bpi_release(x->table);
    x->table = NULL;
    x->room = 0;
  }
  for (uint32_t i = 0; i < x->room; i++)
    x->table[i] = BP_NONE;
}

void bpi_wants_forget(bpi_executions *x)
{
  if (!x->frames.count) return;
  for (uint32_t i = 0; i < x->wants.count; i++) {
    bpi_bdd_drop(x->e->m, x->wants.at[i].passed);
    bpi_bdd_drop(x->e->m, x->wants.at[i].waits);
  }
  for (uint32_t i = 0; i < x->log.count; i++)
    bpi_bdd_drop(x->e->m, x->log.at[i].set);
  for (uint32_t i = 0; i < x->frames.count; i++)
    bpi_bdd_drop(x->e->m, x->frames.at[i].kept);
  clear_table(x);
  bpi_bdd_drop(x->e->m, x->set);
  x->set = BPI_FALSE;
  x->want = BP_NONE;
  x->wants.count = x->frames.count = x->heap.count = x->log.count = 0;
  x->begun = false;
}

static uint32_t place_in_table(const bpi_executions *x, uint32_t frame, uint32_t vertex)
{
  const uint64_t hash = (frame * (uint64_t)0x9e3779b97f4a7c15 ^ vertex) * 0xbf58476d1ce4e5b9;
  uint32_t at = (uint32_t)(hash >> 32) & (x->room - 1);
  while (x->table[at] != BP_NONE &&
         (x->wants.at[x->table[at]].frame != frame || x->wants.at[x->table[at]].vertex != vertex))
    at = (at + 1) & (x->room - 1);
  return at;
}

static bool grow_table(bpi_executions *x)
{
  const uint32_t room = x->room ? 2 * x->room : FIRST_ROOM;
  uint32_t *table = bpi_alloc(room, sizeof *table);
  if (!table) return false;
  bpi_release(x->table);
  x->table = table;
  x->room = room;
  for (uint32_t i = 0; i < room; i++)
    table[i] = BP_NONE;
  for (uint32_t i = 0; i < x->wants.count; i++)
    table[place_in_table(x, x->wants.at[i].frame, x->wants.at[i].vertex)] = i;
  return true;
}

/* BP_NONE and e->stop without memory. */
static uint32_t want_of(bpi_executions *x, uint32_t frame, uint32_t vertex)
{
  const bpi_want none = {.frame = frame, .vertex = vertex, .newest = BP_NONE};
  if ((2 * (x->wants.count + 1) > x->room && !grow_table(x)) || !bpi_vec_reserve(&x->wants, 1)) {
    x->e->stop = BP_REASON_MEMORY;
    return BP_NONE;
  }
  const uint32_t at = place_in_table(x, frame, vertex);
  if (x->table[at] == BP_NONE) {
    x->table[at] = x->wants.count;
    (void)bpi_vec_push(&x->wants, none);
  }
  return x->table[at];
}

uint32_t bpi_want_at(const bpi_executions *x, uint32_t frame, uint32_t vertex)
{
  return x->room ? x->table[place_in_table(x, frame, vertex)] : BP_NONE;
}

/* Steps from the start of the program to the entry of the procedure of a vertex, whoever called. */
static uint32_t entry_behind(const bpi_executions *x, uint32_t vertex)
{
  return x->behind[x->e->cfg->vertices.count + x->e->cfg->vertices.at[vertex].proc];
}

bool bpi_room_for_frame(const bpi_executions *x, uint32_t frame, uint32_t vertex)
{
  return x->frames.at[frame].depth < MOST_FRAMES && x->behind[vertex] != BP_NONE;
}

uint32_t bpi_call_frame_of(bpi_executions *x, uint32_t parent, uint32_t vertex, bpi_bdd kept)
{
  const bpi_call_frame *up = &x->frames.at[parent];
  uint32_t i = up->newest;
  while (i != BP_NONE && (x->frames.at[i].vertex != vertex || x->frames.at[i].kept != kept))
    i = x->frames.at[i].older;
  if (i == BP_NONE) {
    const uint32_t to_entry = parent ? up->behind : entry_behind(x, vertex);
    const bpi_call_frame f = {.parent = parent,
                              .newest = BP_NONE,
                              .older = up->newest,
                              .vertex = vertex,
                              .kept = kept,
                              .behind = bpi_further(to_entry, x->behind[vertex] + 1),
                              .depth = up->depth + 1};
    if (bpi_vec_push(&x->frames, f)) return x->frames.at[parent].newest = x->frames.count - 1;
    x->e->stop = BP_REASON_MEMORY;
  }
  bpi_bdd_drop(x->e->m, kept);
  return i;
}

/* ---- states -------------------------------------------------------------- */

static bool queue(bpi_executions *x, uint32_t want)
{
  const bpi_want *s = &x->wants.at[want];
  const uint32_t entry = s->frame ? x->frames.at[s->frame].behind : entry_behind(x, s->vertex);
  /* A visit counts as a step, so that others have their turn. */
  const uint64_t rank = (uint64_t)entry + x->behind[s->vertex] + s->visits;
  if (!bpi_vec_reserve(&x->heap, 1)) return false;
  bpi_waiting_add(x->heap.at, &x->heap.count, (bpi_waiting){rank, {.vertex = want}});
  return true;
}

void bpi_wants_add(bpi_executions *x, uint32_t frame, uint32_t vertex, bpi_bdd set)
{
  bpi_engine *e = x->e;
  const bool leads = x->behind[vertex] != BP_NONE && (frame || entry_behind(x, vertex) != BP_NONE);
  const uint32_t at =
      set != BPI_FALSE && leads && bpi_going(e) ? want_of(x, frame, vertex) : BP_NONE;
  x->images++;
  if (at == BP_NONE) {
    bpi_bdd_drop(e->m, set);
    return;
  }
  bpi_want *s = &x->wants.at[at];
  bpi_bdd waits = bpi_bdd_diff(e->m, set, s->passed);
  bpi_bdd_drop(e->m, set);
  bpi_join(e, &waits, bpi_bdd_keep(e->m, s->waits));
  if (!bpi_going(e) || waits == s->waits) {
    bpi_bdd_drop(e->m, waits);
    return;
  }
  if (s->waits == BPI_FALSE && !queue(x, at)) e->stop = BP_REASON_MEMORY;
  bpi_bdd_drop(e->m, s->waits);
  s->waits = waits;
}

/* False without memory. */
static bool log_part(bpi_executions *x, bpi_want *s, bpi_bdd part)
{
  const bpi_part_of_want logged = {part, s->newest};
  if (!x->logs) return true;
  if (!bpi_vec_push(&x->log, logged)) {
    x->e->stop = BP_REASON_MEMORY;
    return false;
  }
  (void)bpi_bdd_keep(x->e->m, part);
  s->newest = x->log.count - 1;
  return true;
}

bool bpi_wants_take(bpi_executions *x)
{
  bpi_engine *e = x->e;
  const uint32_t at = x->heap.at[0].vertex;
  bpi_want *s = &x->wants.at[at];
  const bpi_bdd part = bpi_narrow(e, s->waits, MOST_NODES);
  const bpi_bdd rest = bpi_bdd_diff(e->m, s->waits, part), all = bpi_bdd_or(e->m, s->passed, part);
  if (!bpi_going(e) || !log_part(x, s, part)) {
    bpi_bdd_drop(e->m, part);
    bpi_bdd_drop(e->m, rest);
    bpi_bdd_drop(e->m, all);
    return false;
  }
  bpi_waiting_drop_first(x->heap.at, &x->heap.count);
  bpi_bdd_drop(e->m, s->waits);
  bpi_bdd_drop(e->m, s->passed);
  s->waits = rest;
  s->passed = all;
  s->visits++;
  x->want = at;
  x->set = part;
  if (rest != BPI_FALSE) x->images += NARROWED;
  if (rest != BPI_FALSE) (void)queue(x, at); /* there is room */
  return true;
}

void bpi_wants_put_back(bpi_executions *x, uint32_t want, bpi_bdd later)
{
  bpi_engine *e = x->e;
  bpi_want *s = &x->wants.at[want];
  if (later == BPI_FALSE) return;
  const bpi_bdd passed = bpi_bdd_diff(e->m, s->passed, later);
  bpi_bdd waits = bpi_bdd_keep(e->m, s->waits);
  bpi_join(e, &waits, later);
  if (bpi_going(e) && s->waits == BPI_FALSE && waits != BPI_FALSE && !queue(x, want))
    e->stop = BP_REASON_MEMORY;
  if (!bpi_going(e)) {
    bpi_bdd_drop(e->m, passed);
    bpi_bdd_drop(e->m, waits);
    return;
  }
  bpi_bdd_drop(e->m, s->passed);
  bpi_bdd_drop(e->m, s->waits);
  s->passed = passed;
  s->waits = waits;
}
