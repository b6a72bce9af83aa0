/* SPDX-License-Identifier: MIT
 * Systems in PDAAAL's JSON: docs/pushdown.md. States are objects or elements of an array; a state has rules
 * by the label on top, `*` for any label. */
#include "base/json_read.h"
#include "pushdown/pushdown.h"

#include <stdio.h>

typedef enum operation { NO_OPERATION, POP, SWAP, PUSH } operation;

/* A rule; of one for all labels `symbol` is BP_NONE, and so is `label` if it swaps for the same one. */
typedef struct draft {
  uint32_t from, symbol, to, label;
  operation what;
} draft;

typedef struct reader {
  bpi_json_reader j;
  bp_pushdown *p;
  bool numbered, weights, automata;
  uint32_t most_to;  /* highest number of a state that a rule leads to */
  size_t most_to_at; /* where it stands; 0: there is none */
  BPI_VEC(draft) wildcards;
} reader;

static bool failed(reader *r, bp_status status)
{
  if (r->j.status == BP_OK) r->j.status = status;
  return false;
}

static bool wrong(reader *r, const char *what)
{
  bpi_json_wrong(&r->j, BPI_MSG_SYNTAX, what);
  return false;
}

static bool is(const reader *r, const char *word)
{
  return !strcmp(r->j.string.at, word);
}

/* The next token must be that one. */
static bool need(reader *r, bpi_json_token wanted, const char *what)
{
  const bpi_json_token token = bpi_json_next(&r->j);
  return token == wanted || (token != BPI_JSON_ERROR && wrong(r, what));
}

/* ---- names -------------------------------------------------------------------- */

/* The number of the name that was read last, declared if it is new; BP_NONE after an error. */
static uint32_t named(reader *r, bpi_name_kind kind)
{
  const char *name = r->j.string.at;
  bool taken;
  uint32_t id = bpi_pushdown_find(r->p, kind, 0, name, strlen(name));
  if (id != BP_NONE) return id;
  if (!bpi_name_good(name, false)) return wrong(r, "that is not a name"), BP_NONE;
  id = bpi_pushdown_declare(r->p, kind, 0, name, &taken);
  if (id < BPI_MOST_NAMES) return id;
  if (id == BP_NONE)
    failed(r, BP_E_NOMEM);
  else
    bpi_json_wrong(&r->j, BPI_MSG_TOO_LARGE, "there are too many names");
  return BP_NONE;
}

/* The state that a rule leads to. */
static bool read_to(reader *r, uint32_t *to)
{
  const bpi_json_token token = bpi_json_next(&r->j);
  if (token == BPI_JSON_ERROR) return false;
  if (!r->numbered) {
    if (token != BPI_JSON_STRING) return wrong(r, "expected the name of a state");
    return (*to = named(r, BPI_NAME_CONTROL)) != BP_NONE;
  }
  uint64_t number = 0;
  const char *c = r->j.string.at;
  if (token != BPI_JSON_NUMBER) return wrong(r, "expected the number of a state");
  for (; *c >= '0' && *c <= '9' && number < BPI_MOST_NAMES; c++)
    number = 10 * number + (uint64_t)(*c - '0');
  if (*c || number >= BPI_MOST_NAMES) return wrong(r, "there is no such state");
  *to = (uint32_t)number;
  if (r->most_to_at && *to <= r->most_to) return true;
  r->most_to = *to;
  r->most_to_at = r->j.token_at;
  return true;
}

/* ---- rules --------------------------------------------------------------------- */

static bool read_operation(reader *r, draft *d, operation what)
{
  if (d->what != NO_OPERATION) return wrong(r, "a rule has one of pop, swap and push");
  d->what = what;
  if (!need(r, BPI_JSON_STRING, "expected a string")) return false;
  if (what == POP) return !*r->j.string.at || wrong(r, "pop takes an empty string");
  if (what == SWAP && d->symbol == BP_NONE && is(r, "*")) return true;
  return (d->label = named(r, BPI_NAME_SYMBOL)) != BP_NONE;
}

static bool read_key(reader *r, draft *d)
{
  if (is(r, "pop")) return read_operation(r, d, POP);
  if (is(r, "swap")) return read_operation(r, d, SWAP);
  if (is(r, "push")) return read_operation(r, d, PUSH);
  if (is(r, "to")) return d->to == BP_NONE ? read_to(r, &d->to) : wrong(r, "a second 'to'");
  if (!is(r, "weight")) return wrong(r, "a rule has no such key");
  r->weights = true;
  return bpi_json_skip(&r->j, bpi_json_next(&r->j));
}

/* Adds the rule with that symbol on top. */
static bool add_rule(reader *r, const draft *d, uint32_t symbol)
{
  const uint32_t label = d->label == BP_NONE ? symbol : d->label;
  const bpi_rule rule = {.from = d->from,
                         .symbol = symbol,
                         .to = d->to,
                         .top = d->what == POP ? BP_NONE : label,
                         .below = d->what == PUSH ? symbol : BP_NONE};
  return bpi_pushdown_add_rule(r->p, &rule, NULL, 0) || failed(r, BP_E_NOMEM);
}

/* The keys of a rule, whose brace is read. */
static bool read_rule(reader *r, uint32_t from, uint32_t symbol)
{
  draft d = {.from = from, .symbol = symbol, .to = BP_NONE, .label = BP_NONE};
  bpi_json_token token;
  while ((token = bpi_json_next(&r->j)) == BPI_JSON_KEY)
    if (!read_key(r, &d)) return false;
  if (token == BPI_JSON_ERROR) return false;
  if (d.to == BP_NONE || d.what == NO_OPERATION)
    return wrong(r, d.what ? "the rule has no 'to'" : "the rule has neither pop, swap nor push");
  if (symbol != BP_NONE) return add_rule(r, &d, symbol);
  return bpi_vec_push(&r->wildcards, d) || failed(r, BP_E_NOMEM);
}

/* ---- states -------------------------------------------------------------------- */

static bool read_rules(reader *r, uint32_t from, uint32_t symbol)
{
  bpi_json_token token = bpi_json_next(&r->j);
  if (token == BPI_JSON_OBJECT) return read_rule(r, from, symbol);
  if (token == BPI_JSON_ERROR) return false;
  if (token != BPI_JSON_ARRAY) return wrong(r, "expected a rule or an array of rules");
  while ((token = bpi_json_next(&r->j)) == BPI_JSON_OBJECT)
    if (!read_rule(r, from, symbol)) return false;
  return token == BPI_JSON_ARRAY_END || (token != BPI_JSON_ERROR && wrong(r, "expected a rule"));
}

/* The rules of a state, whose brace is read. */
static bool read_state(reader *r, uint32_t from)
{
  bpi_json_token token;
  while ((token = bpi_json_next(&r->j)) == BPI_JSON_KEY) {
    const bool any = is(r, "*");
    const uint32_t symbol = any ? BP_NONE : named(r, BPI_NAME_SYMBOL);
    if ((!any && symbol == BP_NONE) || !read_rules(r, from, symbol)) return false;
  }
  return token != BPI_JSON_ERROR;
}

static bool read_named(reader *r)
{
  bpi_json_token token;
  while ((token = bpi_json_next(&r->j)) == BPI_JSON_KEY) {
    const uint32_t state = named(r, BPI_NAME_CONTROL);
    if (state == BP_NONE || !need(r, BPI_JSON_OBJECT, "expected the rules of a state") ||
        !read_state(r, state))
      return false;
  }
  return token != BPI_JSON_ERROR;
}

static bool read_numbered(reader *r)
{
  bpi_json_token token;
  r->numbered = true;
  while ((token = bpi_json_next(&r->j)) == BPI_JSON_OBJECT) {
    char name[16];
    bool taken;
    snprintf(name, sizeof name, "%u", (unsigned)r->p->controls.count);
    const uint32_t state = bpi_pushdown_declare(r->p, BPI_NAME_CONTROL, 0, name, &taken);
    if (state == BP_NONE) return failed(r, BP_E_NOMEM);
    if (state >= BPI_MOST_NAMES) return wrong(r, "there are too many states");
    if (!read_state(r, state)) return false;
  }
  if (token == BPI_JSON_ERROR) return false;
  if (token != BPI_JSON_ARRAY_END) return wrong(r, "expected the rules of a state");
  if (!r->most_to_at || r->most_to < r->p->controls.count) return true;
  r->j.token_at = r->most_to_at;
  r->j.at = r->most_to_at + 1;
  return wrong(r, "there is no such state");
}

static bool read_states(reader *r)
{
  const bpi_json_token token = bpi_json_next(&r->j);
  if (token == BPI_JSON_ERROR) return false;
  if (r->p->scopes.count) return wrong(r, "the states were there already");
  if (!bpi_vec_push(&r->p->scopes, (bpi_scope){0})) return failed(r, BP_E_NOMEM);
  if (token == BPI_JSON_OBJECT) return read_named(r);
  return token == BPI_JSON_ARRAY ? read_numbered(r) : wrong(r, "expected an object or an array");
}

/* ---- the whole -------------------------------------------------------------------- */

/* A key and what reads its value. */
typedef struct known_key {
  const char *name;
  bool (*read)(reader *r);
} known_key;

/* Reads an object, of which it wants the first key or the second one, which may be NULL; others are left out. */
static bool read_object(reader *r, const known_key keys[2])
{
  bpi_json_token token;
  bool found = false;
  char missing[64];
  if (!need(r, BPI_JSON_OBJECT, "expected an object")) return false;
  while ((token = bpi_json_next(&r->j)) == BPI_JSON_KEY) {
    const known_key *key = is(r, keys[0].name) ? &keys[0] : &keys[1];
    const bool here = key->name && is(r, key->name);
    found = found || here;
    if (!(here ? key->read(r) : bpi_json_skip(&r->j, bpi_json_next(&r->j)))) return false;
  }
  if (token == BPI_JSON_ERROR) return false;
  snprintf(missing, sizeof missing, "expected a key \"%s\"", keys[0].name);
  return found || wrong(r, missing);
}

static bool read_pda(reader *r)
{
  static const known_key keys[2] = {{"states", read_states}, {NULL, NULL}};
  return read_object(r, keys);
}

/* An array: what is said about the system, the system, and two automata that accept configurations. */
static bool read_instance(reader *r)
{
  bpi_json_token token;
  if (!need(r, BPI_JSON_ARRAY, "expected an array")) return false;
  token = bpi_json_next(&r->j);
  if (token == BPI_JSON_ARRAY_END) return wrong(r, "expected a pushdown system in the instance");
  if (token == BPI_JSON_ERROR || !bpi_json_skip(&r->j, token) || !read_pda(r)) return false;
  while ((token = bpi_json_next(&r->j)) != BPI_JSON_ARRAY_END) {
    if (token == BPI_JSON_ERROR || !bpi_json_skip(&r->j, token)) return false;
    r->automata = true;
  }
  return true;
}

static void add_wildcards(reader *r)
{
  for (uint32_t i = 0; i < r->wildcards.count; i++)
    for (uint32_t symbol = 0; symbol < r->p->symbols.count && r->j.status == BP_OK; symbol++) {
      add_rule(r, &r->wildcards.at[i], symbol);
      if (bpi_watch_expired(&r->j.watch)) failed(r, BP_E_LIMIT);
    }
}

static void read_all(reader *r)
{
  static const known_key keys[2] = {{"pda", read_pda}, {"instance", read_instance}};
  if (!read_object(r, keys) || bpi_json_next(&r->j) == BPI_JSON_ERROR) return;
  add_wildcards(r);
  if (r->weights && r->j.status == BP_OK)
    bpi_diagnose(r->j.ctx, BP_WARNING, BPI_MSG_WEIGHTS, r->j.file ? r->j.file : "", &(bp_range){0},
                 NULL, 0, "the weights of rules are left out");
  if (r->automata && r->j.status == BP_OK)
    bpi_diagnose(r->j.ctx, BP_WARNING, BPI_MSG_WEIGHTS, r->j.file ? r->j.file : "", &(bp_range){0},
                 NULL, 0, "the automata of the instance are left out");
}

bp_status bp_pushdown_read_json(bp_pushdown **out, bp_context *ctx, const char *text, size_t len,
                                const char *name)
{
  bp_status status = bpi_pushdown_begin_text(out, ctx, text, len);
  if (status != BP_OK) return status;
  reader r = {.p = bpi_pushdown_begin()};
  bpi_json_read_init(&r.j, ctx, len ? text : "", len, name);
  if (r.p)
    read_all(&r);
  else
    failed(&r, BP_E_NOMEM);
  status = r.j.status;
  bpi_json_read_free(&r.j);
  bpi_vec_free(&r.wildcards);
  return bpi_pushdown_end_text(out, ctx, r.p, status);
}
