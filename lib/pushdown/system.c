/* SPDX-License-Identifier: MIT
 * The tables of a system. */
#include "pushdown/pushdown.h"

#include "base/hash.h"

bp_pushdown *bpi_pushdown_begin(void)
{
  bp_pushdown *p = bpi_zalloc(1, sizeof *p);
  if (!p) return NULL;
  atomic_init(&p->refs, 1);
  p->start = BP_NONE;
  return p;
}

bp_status bpi_pushdown_begin_text(bp_pushdown **out, bp_context *ctx, const char *text, size_t len)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || (!text && len)) return bpi_invalid(ctx, "%s is NULL", out ? "text" : "out");
  bpi_context_begin(ctx);
  if (len < UINT32_MAX - 1) return BP_OK;
  return bpi_fail(ctx, BP_E_INPUT, BPI_MSG_TOO_LARGE, "a text must be smaller than 4 GB");
}

bp_status bpi_pushdown_end_text(bp_pushdown **out, bp_context *ctx, bp_pushdown *p,
                                bp_status status)
{
  if (status == BP_OK)
    *out = p;
  else
    bp_pushdown_unref(p);
  if (status == BP_E_NOMEM) return bpi_no_memory(ctx);
  if (status == BP_E_LIMIT)
    return bpi_fail(ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped while reading a pushdown system");
  return status;
}

bp_pushdown *bp_pushdown_ref(bp_pushdown *p)
{
  if (p) atomic_fetch_add_explicit(&p->refs, 1, memory_order_relaxed);
  return p;
}

void bp_pushdown_unref(bp_pushdown *p)
{
  if (!p || atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) != 1) return;
  for (uint32_t i = 0; i < p->scopes.count; i++)
    bpi_vec_free(&p->scopes.at[i].locals);
  bpi_vec_free(&p->chars);
  bpi_keys_free(&p->words);
  bpi_vec_free(&p->word_first);
  bpi_keys_free(&p->declared);
  bpi_vec_free(&p->declared_id);
  bpi_vec_free(&p->controls);
  bpi_vec_free(&p->globals);
  bpi_vec_free(&p->symbols);
  bpi_vec_free(&p->scopes);
  bpi_vec_free(&p->rules);
  bpi_vec_free(&p->code);
  bpi_keys_free(&p->lefts);
  bpi_keys_free(&p->rights);
  bpi_vec_free(&p->first_left);
  bpi_vec_free(&p->first_right);
  bp_program_unref(p->program);
  bpi_vec_free(&p->vertices);
  bpi_release(p);
}

/* ---- names --------------------------------------------------------------- */

/* The number of a word; if it is new, *probe is a free place for it. */
static uint32_t find_word(const bp_pushdown *p, const char *text, size_t len, bpi_key *probe)
{
  const uint64_t hash = bpi_hash_bytes(BPI_HASH_START, text, len);
  *probe = (bpi_key){{(uint32_t)hash, (uint32_t)(hash >> 32), 0}};
  for (;; probe->at[2]++) {
    const uint32_t word = bpi_keys_find(&p->words, probe->at[0], probe->at[1], probe->at[2]);
    if (word == BP_NONE) return word;
    const char *other = bpi_word_text(p, word);
    if (!strncmp(other, text, len) && !other[len]) return word;
  }
}

static uint32_t add_word(bp_pushdown *p, const char *text)
{
  bpi_key probe;
  const size_t size = strlen(text) + 1;
  const uint32_t old = find_word(p, text, size - 1, &probe);
  if (old != BP_NONE) return old;
  if (size > UINT32_MAX / 2 || !bpi_vec_reserve(&p->chars, size) ||
      !bpi_vec_reserve(&p->word_first, 1))
    return BP_NONE;
  const uint32_t word = bpi_keys_add(&p->words, probe.at[0], probe.at[1], probe.at[2]);
  if (word == BP_NONE) return BP_NONE;
  memcpy(p->chars.at + p->chars.count, text, size);
  p->word_first.at[p->word_first.count++] = p->chars.count;
  p->chars.count += (uint32_t)size;
  return word;
}

uint32_t bpi_pushdown_find(const bp_pushdown *p, bpi_name_kind kind, uint32_t scope,
                           const char *name, size_t len)
{
  bpi_key probe;
  const uint32_t word = find_word(p, name, len, &probe);
  if (word == BP_NONE) return BP_NONE;
  const uint32_t key = bpi_keys_find(&p->declared, kind, scope, word);
  return key == BP_NONE ? BP_NONE : p->declared_id.at[key];
}

bool bpi_pushdown_knows(const bp_pushdown *p, const char *name)
{
  bpi_key probe;
  return find_word(p, name, strlen(name), &probe) != BP_NONE;
}

/* Appends what is named `word`; the id. */
static uint32_t append(bp_pushdown *p, bpi_name_kind kind, uint32_t scope, uint32_t word)
{
  switch (kind) {
  case BPI_NAME_CONTROL: return bpi_vec_push(&p->controls, word) ? p->controls.count - 1 : BP_NONE;
  case BPI_NAME_SYMBOL:
    return bpi_vec_push(&p->symbols, (bpi_stack_symbol){word, 0}) ? p->symbols.count - 1 : BP_NONE;
  case BPI_NAME_GLOBAL: return bpi_vec_push(&p->globals, word) ? p->globals.count - 1 : BP_NONE;
  default: break;
  }
  bpi_scope *s = &p->scopes.at[scope];
  if (!bpi_vec_push(&s->locals, word)) return BP_NONE;
  if (s->locals.count > p->max_locals) p->max_locals = s->locals.count;
  return s->locals.count - 1;
}

uint32_t bpi_pushdown_declare(bp_pushdown *p, bpi_name_kind kind, uint32_t scope, const char *name,
                              bool *taken)
{
  const uint32_t word = add_word(p, name);
  *taken = false;
  if (word == BP_NONE || !bpi_vec_reserve(&p->declared_id, 1)) return BP_NONE;
  *taken = bpi_keys_find(&p->declared, kind, scope, word) != BP_NONE;
  if (*taken || bpi_keys_add(&p->declared, kind, scope, word) == BP_NONE) return BP_NONE;
  const uint32_t id = append(p, kind, scope, word);
  p->declared_id.at[p->declared_id.count++] = id;
  return id;
}

/* ---- rules --------------------------------------------------------------- */

static uint32_t first_of(const bpi_keys *keys, const uint32_t *first, uint32_t control,
                         uint32_t symbol)
{
  const uint32_t key = bpi_keys_find(keys, control, symbol, 0);
  return key == BP_NONE ? BP_NONE : first[key];
}

uint32_t bpi_first_left(const bp_pushdown *p, uint32_t control, uint32_t symbol)
{
  return first_of(&p->lefts, p->first_left.at, control, symbol);
}

uint32_t bpi_first_right(const bp_pushdown *p, uint32_t control, uint32_t top)
{
  return first_of(&p->rights, p->first_right.at, control, top);
}

bool bpi_pushdown_add_rule(bp_pushdown *p, const bpi_rule *rule, const bpi_instr *code,
                           uint32_t count)
{
  if (!bpi_vec_reserve(&p->rules, 1) || !bpi_vec_reserve(&p->code, count) ||
      !bpi_vec_reserve(&p->first_left, 1) || !bpi_vec_reserve(&p->first_right, 1))
    return false;
  const uint32_t id = p->rules.count;
  const uint32_t left = bpi_keys_add(&p->lefts, rule->from, rule->symbol, 0);
  if (left == BP_NONE) return false;
  if (left == p->first_left.count) p->first_left.at[p->first_left.count++] = BP_NONE;
  const uint32_t right = bpi_keys_add(&p->rights, rule->to, rule->top, 0);
  if (right == BP_NONE) return false;
  if (right == p->first_right.count) p->first_right.at[p->first_right.count++] = BP_NONE;
  bpi_rule r = *rule;
  r.code = (bpi_slice){p->code.count, count};
  if (count) memcpy(p->code.at + p->code.count, code, count * sizeof *code);
  p->code.count += count;
  r.next_left = p->first_left.at[left];
  r.next_right = p->first_right.at[right];
  p->first_left.at[left] = p->first_right.at[right] = id;
  p->rules.at[p->rules.count++] = r;
  return true;
}

/* ---- looking ------------------------------------------------------------- */

uint32_t bp_pushdown_control_count(const bp_pushdown *p)
{
  return p ? p->controls.count : 0;
}

uint32_t bp_pushdown_symbol_count(const bp_pushdown *p)
{
  return p ? p->symbols.count : 0;
}

uint32_t bp_pushdown_global_count(const bp_pushdown *p)
{
  return p ? p->globals.count : 0;
}

uint32_t bp_pushdown_rule_count(const bp_pushdown *p)
{
  return p ? p->rules.count : 0;
}

uint32_t bp_pushdown_local_count(const bp_pushdown *p, uint32_t symbol)
{
  return symbol < bp_pushdown_symbol_count(p) ? bpi_scope_of(p, symbol)->locals.count : 0;
}

const char *bp_pushdown_control_name(const bp_pushdown *p, uint32_t control)
{
  return control < bp_pushdown_control_count(p) ? bpi_word_text(p, p->controls.at[control]) : NULL;
}

uint32_t bp_pushdown_symbol_vertex(const bp_pushdown *p, uint32_t symbol)
{
  return p && symbol < p->vertices.count ? p->vertices.at[symbol] : BP_NONE;
}

const char *bp_pushdown_symbol_name(const bp_pushdown *p, uint32_t symbol)
{
  return symbol < bp_pushdown_symbol_count(p) ? bpi_word_text(p, p->symbols.at[symbol].word) : NULL;
}

const char *bp_pushdown_global_name(const bp_pushdown *p, uint32_t global)
{
  return global < bp_pushdown_global_count(p) ? bpi_word_text(p, p->globals.at[global]) : NULL;
}

const char *bp_pushdown_local_name(const bp_pushdown *p, uint32_t symbol, uint32_t local)
{
  if (local >= bp_pushdown_local_count(p, symbol)) return NULL;
  return bpi_word_text(p, bpi_scope_of(p, symbol)->locals.at[local]);
}

uint32_t bp_pushdown_find_control(const bp_pushdown *p, const char *name)
{
  return p && name ? bpi_pushdown_find(p, BPI_NAME_CONTROL, 0, name, strlen(name)) : BP_NONE;
}

uint32_t bp_pushdown_find_symbol(const bp_pushdown *p, const char *name)
{
  return p && name ? bpi_pushdown_find(p, BPI_NAME_SYMBOL, 0, name, strlen(name)) : BP_NONE;
}
