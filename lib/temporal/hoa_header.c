/* SPDX-License-Identifier: MIT */
#include "temporal/hoa.h"
#include "temporal/lexer.h"

static bool is_header(const bpi_hoa *h, const char *name)
{
  return h->now.kind == BPI_H_HEADER && bpi_hoa_has_word(&h->now, name);
}

static bool twice(bpi_hoa *h, const bp_range *range, const char *what)
{
  return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_HEADER, range, "%s is there twice", what);
}

/* The text of a STRING without quotes and escapes; NULL without memory. */
static char *string_of(bpi_hoa *h, const bpi_hoa_token *t)
{
  char *text = bpi_strndup(t->at + 1, t->len - 2), *to = text;
  if (!text) {
    bpi_job_no_memory(h->job);
    return NULL;
  }
  for (const char *at = text, *end = text + t->len - 2; at < end; at++)
    *to++ = *at == '\\' ? *++at : *at;
  *to = '\0';
  return text;
}

/* ---- propositions ------------------------------------------------------ */

static bool read_ap(bpi_hoa *h, uint32_t number)
{
  const bpi_hoa_token t = h->now;
  if (!bpi_hoa_take(h, BPI_H_STRING, "the name of a proposition")) return false;
  char *text = string_of(h, &t);
  if (!text) return false;
  const size_t len = strlen(text);
  bool good = bpi_ltl_is_line(text, len);
  if (!good || memchr(t.at, '\0', t.len))
    good = bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_HEADER, &t.range,
                          "the name of a proposition is something on one line");
  good = good && bpi_ltl_proposition(&h->atoms, text, len, &t.range) != BP_NONE;
  bpi_release(text);
  if (good && h->atoms.atoms.count != number + 1)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_HEADER, &t.range,
                          "two propositions have one name");
  return good;
}

static bool read_aps(bpi_hoa *h)
{
  const bp_range range = h->now.range;
  if (h->aps != BP_NONE) return twice(h, &range, "AP:");
  bpi_hoa_step(h);
  if (h->now.kind == BPI_H_NUMBER && h->now.number > BP_AUTOMATON_MAX_APS)
    return bpi_hoa_report(h, BP_E_UNSUPPORTED, BPI_MSG_AUTOMATON, &h->now.range,
                          "there are more than %d propositions", BP_AUTOMATON_MAX_APS);
  if (!bpi_hoa_number(h, "the number of propositions", BP_NONE, &h->aps)) return false;
  for (uint32_t i = 0; i < h->aps; i++)
    if (!read_ap(h, i)) return false;
  return true;
}

static bool read_alias(bpi_hoa *h)
{
  uint32_t alias, label;
  bpi_hoa_step(h);
  const bpi_hoa_token t = h->now;
  if (!bpi_hoa_take(h, BPI_H_ALIAS, "an alias, as @a")) return false;
  if (!bpi_hoa_alias_of(h, &t, &alias)) return false;
  if (alias < h->alias_labels.count) return twice(h, &t.range, "this alias");
  if (!bpi_hoa_label(h, &label)) return false;
  return bpi_vec_push(&h->alias_labels, label) || bpi_job_no_memory(h->job);
}

/* ---- states ------------------------------------------------------------ */

static bool read_states(bpi_hoa *h)
{
  const bp_range range = h->now.range;
  if (h->states != BP_NONE) return twice(h, &range, "States:");
  bpi_hoa_step(h);
  if (h->now.kind == BPI_H_NUMBER && h->now.number > BPI_HOA_STATES)
    return bpi_hoa_report(h, BP_E_UNSUPPORTED, BPI_MSG_AUTOMATON, &h->now.range,
                          "there are more than %d states", BPI_HOA_STATES);
  return bpi_hoa_number(h, "the number of states", BP_NONE, &h->states);
}

/* `States:` may come later. */
static bool read_start(bpi_hoa *h)
{
  uint32_t state;
  bpi_hoa_step(h);
  if (!bpi_hoa_number(h, "an initial state", BPI_HOA_STATES, &state)) return false;
  if (h->now.kind == BPI_H_AND)
    return bpi_hoa_report(h, BP_E_UNSUPPORTED, BPI_MSG_HOA_KIND, &h->now.range,
                          "this automaton is alternating; only nondeterministic ones are read");
  return bpi_vec_push(&h->graph.initial, state) || bpi_job_no_memory(h->job);
}

/* ---- acceptance -------------------------------------------------------- */

static bool other_acceptance(bpi_hoa *h)
{
  return bpi_hoa_report(h, BP_E_UNSUPPORTED, BPI_MSG_HOA_KIND, &h->now.range,
                        "this acceptance is not generalised Buechi: supported are t, Inf(i), and "
                        "conjunctions of these");
}

/* Inf(i) or t; everything else is well-formed and another acceptance, or neither. */
static bool read_condition(bpi_hoa *h)
{
  uint32_t set;
  if (h->now.kind == BPI_H_WORD && bpi_hoa_has_word(&h->now, "t")) {
    bpi_hoa_step(h);
    return true;
  }
  if (h->now.kind == BPI_H_WORD &&
      (bpi_hoa_has_word(&h->now, "Fin") || bpi_hoa_has_word(&h->now, "f")))
    return other_acceptance(h);
  if (h->now.kind != BPI_H_WORD || !bpi_hoa_has_word(&h->now, "Inf"))
    return bpi_hoa_missing(h, "Inf(i) or t");
  bpi_hoa_step(h);
  if (!bpi_hoa_take(h, BPI_H_OPEN, "'('")) return false;
  if (h->now.kind == BPI_H_NOT) return other_acceptance(h);
  if (!bpi_hoa_number(h, "an acceptance set", h->sets, &set)) return false;
  h->used |= (uint64_t)1 << set;
  return bpi_hoa_take(h, BPI_H_CLOSE, "')'");
}

bool bpi_hoa_acceptance(bpi_hoa *h)
{
  uint32_t open = 0;
  for (;;) {
    for (; h->now.kind == BPI_H_OPEN; open++)
      if (!bpi_hoa_take(h, BPI_H_OPEN, "'('")) return false;
    if (!read_condition(h)) return false;
    for (; open && h->now.kind == BPI_H_CLOSE; open--)
      if (!bpi_hoa_take(h, BPI_H_CLOSE, "')'")) return false;
    if (h->now.kind == BPI_H_OR) return other_acceptance(h);
    if (h->now.kind != BPI_H_AND) return !open || bpi_hoa_missing(h, "')'");
    bpi_hoa_step(h);
  }
}

static bool read_acceptance(bpi_hoa *h)
{
  const bp_range range = h->now.range;
  if (h->sets != BP_NONE) return twice(h, &range, "Acceptance:");
  bpi_hoa_step(h);
  if (h->now.kind == BPI_H_NUMBER && h->now.number > BP_AUTOMATON_MAX_SETS)
    return bpi_hoa_report(h, BP_E_UNSUPPORTED, BPI_MSG_AUTOMATON, &h->now.range,
                          "there are more than %d acceptance sets", BP_AUTOMATON_MAX_SETS);
  return bpi_hoa_number(h, "the number of acceptance sets", BP_NONE, &h->sets) &&
         bpi_hoa_acceptance(h);
}

static void skip_item(bpi_hoa *h)
{
  do
    bpi_hoa_step(h);
  while (h->now.kind == BPI_H_WORD || h->now.kind == BPI_H_NUMBER || h->now.kind == BPI_H_STRING ||
         h->now.kind == BPI_H_ALIAS ||
         (h->now.kind >= BPI_H_NOT && h->now.kind <= BPI_H_CLOSE_SETS));
}

/* Only of use when `Acceptance:` is missing. */
static bool read_acc_name(bpi_hoa *h)
{
  bpi_hoa_step(h);
  const bpi_hoa_token name = h->now;
  if (!bpi_hoa_take(h, BPI_H_WORD, "the name of an acceptance")) return false;
  if (bpi_hoa_has_word(&name, "all")) h->named_sets = 0;
  if (bpi_hoa_has_word(&name, "Buchi")) h->named_sets = 1;
  if (bpi_hoa_has_word(&name, "generalized-Buchi")) {
    if (!bpi_hoa_number(h, "the number of acceptance sets", BP_AUTOMATON_MAX_SETS + 1,
                        &h->named_sets))
      return false;
  }
  while (h->now.kind == BPI_H_WORD || h->now.kind == BPI_H_NUMBER)
    bpi_hoa_step(h);
  return true;
}

/* ---- items ------------------------------------------------------------- */

static bool read_name(bpi_hoa *h)
{
  bpi_hoa_step(h);
  const bpi_hoa_token t = h->now;
  if (h->name) return twice(h, &t.range, "name:");
  return bpi_hoa_take(h, BPI_H_STRING, "a string") && (h->name = string_of(h, &t)) != NULL;
}

/* What begins with a capital letter may change the meaning, so it must be known. */
static bool skip_unknown(bpi_hoa *h)
{
  if (h->now.at[0] >= 'A' && h->now.at[0] <= 'Z')
    return bpi_hoa_report(h, BP_E_UNSUPPORTED, BPI_MSG_HOA_KIND, &h->now.range,
                          "'%.*s' is not known, and may change what the automaton accepts",
                          (int)(h->now.len > 60 ? 60 : h->now.len), h->now.at);
  skip_item(h);
  return bpi_job_going(h->job);
}

static bool read_item(bpi_hoa *h)
{
  if (h->now.kind != BPI_H_HEADER) return bpi_hoa_missing(h, "a header item or --BODY--");
  if (is_header(h, "AP:")) return read_aps(h);
  if (is_header(h, "Alias:")) return read_alias(h);
  if (is_header(h, "States:")) return read_states(h);
  if (is_header(h, "Start:")) return read_start(h);
  if (is_header(h, "Acceptance:")) return read_acceptance(h);
  if (is_header(h, "acc-name:")) return read_acc_name(h);
  if (is_header(h, "name:")) return read_name(h);
  if (is_header(h, "HOA:")) return twice(h, &h->now.range, "HOA:");
  return skip_unknown(h);
}

static bool read_version(bpi_hoa *h)
{
  if (!is_header(h, "HOA:")) return bpi_hoa_missing(h, "'HOA: v1' at the beginning");
  bpi_hoa_step(h);
  if (h->now.kind == BPI_H_WORD && !bpi_hoa_has_word(&h->now, "v1") &&
      !bpi_hoa_has_word(&h->now, "v1.1"))
    return bpi_hoa_report(h, BP_E_UNSUPPORTED, BPI_MSG_HOA_KIND, &h->now.range,
                          "only versions v1 and v1.1 of the format are read");
  return bpi_hoa_take(h, BPI_H_WORD, "v1");
}

/* What can be said only when all items are there. */
static bool check(bpi_hoa *h)
{
  if (h->aps == BP_NONE) h->aps = 0;
  if (h->most_ap > h->aps)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_NUMBER, &h->most_ap_range,
                          "there are only %u propositions", (unsigned)h->aps);
  if (h->sets == BP_NONE && h->named_sets == BP_NONE)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_HEADER, &h->now.range,
                          "'Acceptance:' is missing");
  if (h->sets == BP_NONE) {
    h->sets = h->named_sets;
    h->used = bpi_all_sets(h->sets);
  }
  for (uint32_t i = 0; i < h->graph.initial.count; i++) {
    if (h->graph.initial.at[i] >= h->states)
      return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_NUMBER, &h->now.range,
                            "the initial state %u is not among the %u states",
                            (unsigned)h->graph.initial.at[i], (unsigned)h->states);
  }
  return true;
}

bool bpi_hoa_header(bpi_hoa *h)
{
  if (!read_version(h)) return false;
  while (h->now.kind != BPI_H_BODY)
    if (!read_item(h)) return false;
  return check(h);
}
