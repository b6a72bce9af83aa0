/* SPDX-License-Identifier: MIT */
#include "pushdown/stacks.h"

bp_stacks *bpi_stacks_begin(bp_context *ctx, bp_pushdown *p)
{
  bp_stacks *s = bpi_zalloc(1, sizeof *s);
  if (!s) return NULL;
  atomic_init(&s->refs, 1);
  s->ctx = bp_context_ref(ctx);
  s->p = bp_pushdown_ref(p);
  for (uint32_t i = 0; i < p->controls.count; i++)
    if (bpi_stacks_state(s) == BP_NONE) {
      bp_stacks_unref(s);
      return NULL;
    }
  return s;
}

bp_status bp_stacks_new(bp_stacks **out, bp_context *ctx, bp_pushdown *p)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || !p) return bpi_invalid(ctx, "an argument is NULL");
  bpi_context_begin(ctx);
  *out = bpi_stacks_begin(ctx, p);
  return *out ? BP_OK : bpi_no_memory(ctx);
}

bp_stacks *bp_stacks_ref(bp_stacks *s)
{
  if (s) atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
  return s;
}

void bp_stacks_unref(bp_stacks *s)
{
  if (!s || atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1) return;
  for (uint32_t i = 0; i < s->states.count; i++)
    bpi_vec_free(&s->states.at[i].edges);
  bpi_vec_free(&s->states);
  bpi_keys_free(&s->keys);
  bpi_vec_free(&s->key_to);
  bp_pushdown_unref(s->p);
  bp_context_unref(s->ctx);
  bpi_release(s);
}

/* ---- building ------------------------------------------------------------------ */

uint32_t bpi_stacks_state(bp_stacks *s)
{
  const bpi_stack_state state = {.otherwise = BP_NONE};
  if (s->states.count >= UINT32_MAX / 2 || !bpi_vec_push(&s->states, state)) return BP_NONE;
  return s->states.count - 1;
}

bool bpi_stacks_edge(bp_stacks *s, uint32_t from, uint32_t symbol, uint32_t to)
{
  const bpi_stack_edge edge = {symbol, to};
  if (!bpi_vec_reserve(&s->states.at[from].edges, 1) || !bpi_vec_reserve(&s->key_to, 1))
    return false;
  if (bpi_keys_add(&s->keys, from, symbol, 0) == BP_NONE) return false;
  return bpi_vec_push(&s->key_to, to) && bpi_vec_push(&s->states.at[from].edges, edge);
}

uint32_t bp_stacks_state(bp_stacks *s)
{
  if (!s) return BP_NONE;
  bpi_context_begin(s->ctx);
  const uint32_t id = bpi_stacks_state(s);
  if (id == BP_NONE) bpi_no_memory(s->ctx);
  return id;
}

bp_status bp_stacks_edge(bp_stacks *s, uint32_t from, uint32_t symbol, uint32_t to)
{
  if (!s) return BP_E_INVALID;
  if (from >= s->states.count || symbol >= s->p->symbols.count || to >= s->states.count ||
      to < s->p->controls.count || bpi_keys_find(&s->keys, from, symbol, 0) != BP_NONE)
    return bpi_invalid(s->ctx, "there is no such state or symbol, or there is an edge already");
  bpi_context_begin(s->ctx);
  return bpi_stacks_edge(s, from, symbol, to) ? BP_OK : bpi_no_memory(s->ctx);
}

bp_status bp_stacks_otherwise(bp_stacks *s, uint32_t from, uint32_t to)
{
  if (!s) return BP_E_INVALID;
  if (from >= s->states.count ||
      (to != BP_NONE && (to >= s->states.count || to < s->p->controls.count)))
    return bpi_invalid(s->ctx, "there is no such state");
  bpi_context_begin(s->ctx);
  s->states.at[from].otherwise = to;
  return BP_OK;
}

bp_status bp_stacks_accept(bp_stacks *s, uint32_t state)
{
  if (!s) return BP_E_INVALID;
  if (state >= s->states.count) return bpi_invalid(s->ctx, "there is no such state");
  bpi_context_begin(s->ctx);
  s->states.at[state].accepts = true;
  return BP_OK;
}

/* ---- looking ------------------------------------------------------------------- */

uint32_t bp_stacks_state_count(const bp_stacks *s)
{
  return s ? s->states.count : 0;
}

int bp_stacks_accepts(const bp_stacks *s, uint32_t state)
{
  return s && state < s->states.count && s->states.at[state].accepts;
}

uint32_t bp_stacks_edge_count(const bp_stacks *s, uint32_t state)
{
  return s && state < s->states.count ? s->states.at[state].edges.count : 0;
}

uint32_t bp_stacks_edge_symbol(const bp_stacks *s, uint32_t state, uint32_t index)
{
  return index < bp_stacks_edge_count(s, state) ? s->states.at[state].edges.at[index].symbol
                                                : BP_NONE;
}

uint32_t bp_stacks_edge_to(const bp_stacks *s, uint32_t state, uint32_t index)
{
  return index < bp_stacks_edge_count(s, state) ? s->states.at[state].edges.at[index].to : BP_NONE;
}

uint32_t bp_stacks_next(const bp_stacks *s, uint32_t state, uint32_t symbol)
{
  if (!s || state >= s->states.count || symbol >= s->p->symbols.count) return BP_NONE;
  const uint32_t key = bpi_keys_find(&s->keys, state, symbol, 0);
  return key == BP_NONE ? s->states.at[state].otherwise : s->key_to.at[key];
}

int bp_stacks_contains(const bp_stacks *s, uint32_t control, const uint32_t *symbols,
                       uint32_t height)
{
  uint32_t at = s && control < s->p->controls.count && (symbols || !height) ? control : BP_NONE;
  for (uint32_t i = 0; i < height && at != BP_NONE; i++)
    at = bp_stacks_next(s, at, symbols[i]);
  return bp_stacks_accepts(s, at);
}
