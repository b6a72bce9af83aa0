/* SPDX-License-Identifier: MIT */
#include "samples.h"

const char fig1_text[] = "decl g;\n"
                         "\n"
                         "main()\n"
                         "begin\n"
                         "  decl h;\n"
                         "  h := !g;\n"
                         "  A(g, h);\n"
                         "  skip;\n"
                         "  A(g, h);\n"
                         "  skip;\n"
                         "  if (g) then\n"
                         "    R: skip;\n"
                         "  else\n"
                         "    skip;\n"
                         "  fi\n"
                         "end\n"
                         "\n"
                         "A(a1, a2)\n"
                         "begin\n"
                         "  if (a1) then\n"
                         "    A(a2, a1);\n"
                         "    skip;\n"
                         "  else\n"
                         "    g := a2;\n"
                         "  fi\n"
                         "end\n";

static const char lock_text[] =
    "decl locked, fail;\n"
    "void acquire() begin if (locked) then fail := 1; E: skip; fi; locked := 1; end\n"
    "void release() begin if (!locked) then F: skip; fi; locked := 0; end\n"
    "void work(again) begin\n"
    "  decl more;\n"
    "  acquire();\n"
    "  if (again) then release(); work(more); acquire(); fi\n"
    "  release();\n"
    "  D: skip;\n"
    "end\n"
    "void main() begin assume(!locked & !fail); work(*); assert(!fail & !locked); end\n";

static const char values_text[] =
    "decl g, h;\n"
    "bool<2> swap(x, y) begin return y, x; end\n"
    "bool pick(x, y) begin decl r; r := *; if (r) then return x; fi; return y; end\n"
    "void main() begin\n"
    "  decl a, b, c;\n"
    "  a, b := 1, 0;\n"
    "  a, b := swap(a, b);\n"
    "  if (a | !b) then BAD: skip; fi\n"
    "  c := pick(a, b);\n"
    "  g, h := swap(c, !c);\n"
    "  if (h) then ONE: skip; else NIL: skip; fi\n"
    "  if (g = h) then EQ: skip; fi\n"
    "end\n";

static const char loop_text[] = "decl a, b, c;\n"
                                "bool add(x, y) begin return x ^ y; end\n"
                                "void main() begin\n"
                                "  decl k;\n"
                                "  a, b, c := 0, 0, 0;\n"
                                "  k := 1;\n"
                                "  while (!(a & b & c)) do\n"
                                "    k := 1;\n"
                                "    if (a & b) then c := add(c, k); fi\n"
                                "    if (a) then b := add(b, k); fi\n"
                                "    a := add(a, k);\n"
                                "    if (c & !b & !a) then FOUR: skip; fi\n"
                                "    if (!k) then NEVER: skip; fi\n"
                                "  od\n"
                                "  OUT: skip;\n"
                                "end\n";

static const char choice_text[] =
    "decl p, q, r, s;\n"
    "void step() begin\n"
    "  p, q := schoose[p & q, p & r], schoose[q | r, !p & !r] constrain 'p => 'q;\n"
    "  r := * ? p : !q;\n"
    "end\n"
    "void main() begin\n"
    "  p, q, r, s := 0, 0, 0, 0;\n"
    "  while * do step(); if (p) then s := 1; fi; od\n"
    "  if (p & !q) then BAD: skip; fi\n"
    "  if (q & !r & !s) then HIT: skip; fi\n"
    "  if (s) then GOT: skip; fi\n"
    "end\n";

static const char asserts_text[] =
    "decl x, y;\n"
    "void flip(v) begin assert(v = x); x := !v; abortif(x = v); end\n"
    "void main() begin\n"
    "  y := x;\n"
    "  flip(x);\n"
    "  assert(x != y);\n"
    "  flip(y);\n"
    "end\n";

static const char parity_text[] = "decl d0, d1;\n"
                                  "bool even() begin\n"
                                  "  decl r;\n"
                                  "  if (!d0 & !d1) then return 1; fi\n"
                                  "  d0, d1 := !d0, d1 ^ !d0;\n"
                                  "  r := odd();\n"
                                  "  return r;\n"
                                  "end\n"
                                  "bool odd() begin\n"
                                  "  decl r;\n"
                                  "  if (!d0 & !d1) then return 0; fi\n"
                                  "  d0, d1 := !d0, d1 ^ !d0;\n"
                                  "  r := even();\n"
                                  "  return r;\n"
                                  "end\n"
                                  "void main() begin\n"
                                  "  decl p, e;\n"
                                  "  p := d0;\n"
                                  "  e := even();\n"
                                  "  if (e) then EVEN: skip; else ODD: skip; fi\n"
                                  "  if (e = p) then WRONG: skip; fi\n"
                                  "end\n";

static const char jumps_text[] =
    "decl a, b := 0, c := *;\n"
    "bool twice(x) begin\n"
    "  decl y;\n"
    "  enforce(!(x & y));\n"
    "  y := *;\n"
    "  if (x & y) then NEVER: skip; fi\n"
    "  x := !y;\n"
    "  return y;\n"
    "end\n"
    "void main() begin\n"
    "  decl t;\n"
    "  L: t := twice(b);\n"
    "  b := t;\n"
    "  goto L, M, N;\n"
    "  M: if (b & !c) then dead b; if (!b) then IN: skip; goto L; fi; fi\n"
    "  assume(0);\n"
    "  BEHIND: skip;\n"
    "  N: assume(a = c);\n"
    "end\n";

static const char deep_text[] =
    "decl g;\n"
    "void c0() begin g := !g; end\n"
    "void c1() begin c0(); c0(); end\n"
    "void c2() begin c1(); c1(); end\n"
    "void c3() begin c2(); c2(); end\n"
    "void c4() begin c3(); c3(); c0(); end\n"
    "void main() begin g := 0; c4(); if (g) then ON: skip; else OFF: skip; fi end\n";

const sample samples[] = {
    {"fig1", fig1_text, {"R", "14"}, {BP_REACHABLE, BP_UNREACHABLE}},
    {"lock",
     lock_text,
     {"E", "F", "D", "assert"},
     {BP_UNREACHABLE, BP_UNREACHABLE, BP_REACHABLE, BP_UNREACHABLE}},
    {"values",
     values_text,
     {"BAD", "ONE", "NIL", "EQ"},
     {BP_UNREACHABLE, BP_REACHABLE, BP_REACHABLE, BP_UNREACHABLE}},
    {"loop", loop_text, {"FOUR", "NEVER", "OUT"}, {BP_REACHABLE, BP_UNREACHABLE, BP_REACHABLE}},
    {"choice", choice_text, {"BAD", "HIT", "GOT"}, {BP_UNREACHABLE, BP_REACHABLE, BP_REACHABLE}},
    {"asserts", asserts_text, {"assert"}, {BP_REACHABLE, BP_UNREACHABLE, BP_UNREACHABLE}},
    {"parity",
     parity_text,
     {"EVEN", "main:ODD", "WRONG"},
     {BP_REACHABLE, BP_REACHABLE, BP_UNREACHABLE}},
    {"jumps",
     jumps_text,
     {"NEVER", "IN", "BEHIND"},
     {BP_UNREACHABLE, BP_REACHABLE, BP_UNREACHABLE}},
    {"deep", deep_text, {"ON", "OFF"}, {BP_REACHABLE, BP_UNREACHABLE}},
};
const uint32_t sample_count = sizeof samples / sizeof *samples;

/* ---- handles ------------------------------------------------------------- */

bp_kernel sample_kernel = BP_KERNEL_NATIVE;

/* What a failed test left open would keep the next one from making a manager on BuDDy. */
static handles last;

bp_status add_targets(bp_query *q, const sample *s)
{
  bp_status status = BP_OK;
  for (uint32_t i = 0; status == BP_OK && i < SAMPLE_TARGETS && s->targets[i]; i++)
    status = strcmp(s->targets[i], "assert") ? bp_query_add(q, s->targets[i], NULL)
                                             : bp_query_add_asserts(q);
  return status;
}

bp_status handles_try_sample(handles *h, const sample *s, uint32_t off)
{
  const bp_query_options options = {.size = sizeof options, .off = off};
  const bp_manager_options on = {.size = sizeof on, .kernel = sample_kernel};
  *h = (handles){0};
  bp_status status = bp_context_new(&h->ctx);
  if (status == BP_OK)
    status = bp_program_parse(&h->p, h->ctx, s->text, strlen(s->text), s->name, NULL);
  if (status == BP_OK) status = bp_cfg_new(&h->cfg, h->ctx, h->p);
  if (status == BP_OK) status = bp_manager_new(&h->m, h->ctx, &on);
  if (status == BP_OK) status = bp_query_new(&h->q, h->ctx, h->m, h->cfg, &options);
  if (status == BP_OK) status = add_targets(h->q, s);
  return status;
}

void handles_open_sample(handles *h, const sample *s, uint32_t off)
{
  handles_close(&last);
  const bp_status status = handles_try_sample(h, s, off);
  if (status != BP_OK)
    fail_msg("%s: %s %s", s->name, bp_status_name(status), bp_context_message(h->ctx));
  last = *h;
}

void handles_open(handles *h, const char *text, uint32_t off)
{
  const sample s = {.name = "test", .text = text};
  handles_open_sample(h, &s, off);
}

void handles_close(handles *h)
{
  if (h != &last && h->ctx == last.ctx) last = (handles){0};
  bp_query_unref(h->q);
  bp_manager_unref(h->m);
  bp_cfg_unref(h->cfg);
  bp_program_unref(h->p);
  bp_context_unref(h->ctx);
  *h = (handles){0};
}

uint32_t vertex_of_label(const handles *h, const char *label)
{
  return bp_cfg_vertex_of_stmt(h->cfg, bp_program_find_label(h->p, BP_NONE, label, 0));
}

/* ---- sinks --------------------------------------------------------------- */

static int append(void *user, const char *bytes, size_t len)
{
  text_buffer *t = user;
  if (len >= sizeof t->bytes - t->len) return 1;
  memcpy(t->bytes + t->len, bytes, len);
  t->len += len;
  t->bytes[t->len] = 0;
  return 0;
}

bp_sink text_sink(text_buffer *t)
{
  t->len = 0;
  t->bytes[0] = 0;
  return (bp_sink){.size = sizeof(bp_sink), .write = append, .user = t};
}

static int refuse(void *user, const char *bytes, size_t len)
{
  (void)user;
  (void)bytes;
  (void)len;
  return 1;
}

bp_sink refusing_sink(void)
{
  return (bp_sink){.size = sizeof(bp_sink), .write = refuse};
}

uint64_t steps_of(bp_query *q)
{
  bp_answer *answer;
  bp_stats stats = {.size = sizeof stats};
  assert_int_equal(bp_query_answer(&answer, q), BP_OK);
  assert_int_equal(bp_answer_stats(answer, &stats), BP_OK);
  bp_answer_unref(answer);
  return stats.steps;
}
