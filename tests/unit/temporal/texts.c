/* SPDX-License-Identifier: MIT */
#include "texts.h"

static int collect(void *user, const char *bytes, size_t len)
{
  page *p = user;
  if (p->used + len >= sizeof p->text) return 1;
  memcpy(p->text + p->used, bytes, len);
  p->used += len;
  p->text[p->used] = '\0';
  return 0;
}

void page_begin(page *p)
{
  p->used = 0;
  p->text[0] = '\0';
  p->sink = (bp_sink){.size = sizeof p->sink, .write = collect, .user = p};
}

bp_formula *formula_of(bp_context *ctx, const char *text)
{
  bp_formula *f;
  const bp_status status = bp_formula_parse(&f, ctx, text, strlen(text), "f");
  if (status != BP_OK) fail_msg("%s: %s", text, bp_context_message(ctx));
  return f;
}

bp_automaton *automaton_of(bp_context *ctx, const char *text)
{
  bp_automaton *a;
  bp_formula *f = formula_of(ctx, text);
  const bp_status status = bp_automaton_from_formula(&a, ctx, f, NULL);
  if (status != BP_OK) fail_msg("%s: %s", text, bp_context_message(ctx));
  bp_formula_unref(f);
  return a;
}

bp_automaton *hoa_of(bp_context *ctx, const char *text)
{
  bp_automaton *a;
  const bp_status status = bp_automaton_read_hoa(&a, ctx, text, strlen(text), "a.hoa");
  if (status != BP_OK) fail_msg("%s: %s", text, bp_context_message(ctx));
  return a;
}

void assert_prints(const bp_formula *f, const char *expected)
{
  page p;
  page_begin(&p);
  assert_int_equal(bp_formula_write(f, &p.sink), BP_OK);
  assert_string_equal(p.text, expected);
}

void assert_reads(bp_context *ctx, const char *text, const char *expected)
{
  bp_formula *f = formula_of(ctx, text);
  assert_prints(f, expected);
  bp_formula_unref(f);
}
