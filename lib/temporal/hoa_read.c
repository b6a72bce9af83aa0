/* SPDX-License-Identifier: MIT */
#include "temporal/automaton.h"
#include "temporal/hoa.h"

#include <stdarg.h>

bool bpi_hoa_report(bpi_hoa *h, bp_status status, bpi_message number, const bp_range *range,
                    const char *format, ...)
{
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const size_t len = (size_t)(h->lexer.limit - h->lexer.text);
  if (h->job->status == BP_OK)
    bpi_diagnose(h->job->ctx, BP_ERROR, number, h->file, range, h->lexer.text, len, "%s", text);
  return bpi_job_stop(h->job, status);
}

bool bpi_hoa_missing(bpi_hoa *h, const char *expected)
{
  const bpi_hoa_token *t = &h->now;
  if (t->kind == BPI_H_BAD)
    return bpi_hoa_report(h, BP_E_INPUT, h->lexer.error, &t->range, "%s", h->lexer.message);
  if (t->kind == BPI_H_ABORT)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_HEADER, &t->range,
                          "the automaton was given up by who wrote it: --ABORT--");
  if (t->kind == BPI_H_END_OF_TEXT)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_SYNTAX, &t->range, "expected %s before the end",
                          expected);
  return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_SYNTAX, &t->range, "expected %s before '%.*s'",
                        expected, (int)(t->len > 60 ? 60 : t->len), t->at);
}

void bpi_hoa_step(bpi_hoa *h)
{
  h->now = bpi_hoa_lexer_next(&h->lexer);
}

bool bpi_hoa_take(bpi_hoa *h, bpi_hoa_kind kind, const char *what)
{
  if (h->now.kind != kind) return bpi_hoa_missing(h, what);
  bpi_hoa_step(h);
  return bpi_job_going(h->job);
}

bool bpi_hoa_number(bpi_hoa *h, const char *what, uint32_t limit, uint32_t *number)
{
  if (h->now.kind != BPI_H_NUMBER) return bpi_hoa_missing(h, what);
  *number = h->now.number;
  if (*number >= limit)
    return bpi_hoa_report(h, BP_E_INPUT, BPI_MSG_HOA_NUMBER, &h->now.range,
                          "%s must be less than %u here", what, (unsigned)limit);
  bpi_hoa_step(h);
  return bpi_job_going(h->job);
}

bool bpi_hoa_has_word(const bpi_hoa_token *token, const char *word)
{
  return token->len == strlen(word) && !memcmp(token->at, word, token->len);
}

/* Sets that the condition does not name do not matter. */
static bool finish(bpi_hoa *h)
{
  bpi_graph *g = &h->graph;
  uint32_t map[64], count = 0;
  for (uint32_t i = 0; i < 64; i++)
    map[i] = h->used >> i & 1 ? count++ : BP_NONE;
  for (uint32_t i = 0; i < g->edges.count; i++) {
    bpi_edge *e = &g->edges.at[i];
    uint64_t sets = 0;
    for (uint32_t k = 0; k < 64; k++)
      if ((e->sets & h->used) >> k & 1) sets |= (uint64_t)1 << map[k];
    e->sets = sets;
  }
  g->sets = count;
  g->states = h->states != BP_NONE ? h->states : h->defined.count;
  return bpi_graph_sort(g);
}

static void read_all(bpi_hoa *h, bp_automaton **out)
{
  bpi_hoa_step(h);
  if (!bpi_hoa_header(h)) return;
  const size_t header = h->now.range.offset;
  if (bpi_hoa_body(h) && finish(h) &&
      bpi_automaton_make(out, &h->graph, &h->atoms, true, h->name ? h->name : ""))
    bpi_automaton_keep_source(out, h->job, h->lexer.text, header);
}

bp_status bp_automaton_read_hoa(bp_automaton **out, bp_context *ctx, const char *text, size_t len,
                                const char *name)
{
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || (!text && len)) return bpi_invalid(ctx, "%s is NULL", out ? "text" : "out");
  bpi_job job;
  bpi_job_begin(&job, ctx);
  if (len >= UINT32_MAX - 1)
    return bpi_fail(ctx, BP_E_INPUT, BPI_MSG_TOO_LARGE, "a text must be smaller than 4 GB");
  char *copy = bpi_strndup(text, len);
  if (!copy) return bpi_no_memory(ctx);
  bpi_hoa h = {.job = &job, .file = name, .aps = BP_NONE, .states = BP_NONE};
  h.sets = h.named_sets = BP_NONE;
  h.graph.labels = &h.labels;
  bpi_hoa_lexer_init(&h.lexer, copy, len);
  if (bpi_ltl_init(&h.atoms, &job) && bpi_ltl_init(&h.aliases, &job) &&
      bpi_labels_init(&h.labels, &job))
    read_all(&h, out);
  bpi_graph_free(&h.graph);
  bpi_labels_free(&h.labels);
  bpi_ltl_free(&h.atoms);
  bpi_ltl_free(&h.aliases);
  bpi_vec_free(&h.alias_labels);
  bpi_vec_free(&h.operands);
  bpi_vec_free(&h.operators);
  bpi_vec_free(&h.defined);
  bpi_release(h.name);
  bpi_release(copy);
  return bpi_job_end(&job, "reading an automaton");
}
