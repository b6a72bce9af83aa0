/* SPDX-License-Identifier: MIT
 * The documents, JSON, Graphviz and Horn clauses: what is in them, sinks and limits that end them. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

static const char text[] = "decl g, {a\"b\\c};\n"              /* 1 */
                           "void flip(x) begin g := !x; end\n" /* 2 */
                           "void main() begin\n"               /* 3 */
                           "  g, {a\"b\\c} := 1, 0;\n"         /* 4 */
                           "  flip(g);\n"                      /* 5 */
                           "  if (g) then\n"                   /* 6 */
                           "    DEAD: skip;\n"                 /* 7 */
                           "  fi\n"                            /* 8 */
                           "  R: assume(!g & !{a\"b\\c});\n"   /* 9 */
                           "end\n";

typedef struct page {
  char bytes[1 << 14];
  size_t len, most; /* most: refuses what goes beyond */
  int refused, calls_after;
} page;

static int take(void *user, const char *bytes, size_t len)
{
  page *p = user;
  p->calls_after += p->refused;
  if (p->len + len > p->most) return p->refused = 1;
  memcpy(p->bytes + p->len, bytes, len);
  p->len += len;
  p->bytes[p->len] = '\0';
  return 0;
}

static page new_page(size_t most)
{
  page p = {.most = most < sizeof p.bytes ? most : sizeof p.bytes - 1};
  return p;
}

static bp_status write_json(world *w, page *p, const bp_json_options *options)
{
  const bp_sink sink = {.size = sizeof sink, .write = take, .user = p};
  return bp_query_write_json(w->q, &sink, options);
}

static bp_status write_dot(world *w, page *p, bp_query *reached)
{
  const bp_sink sink = {.size = sizeof sink, .write = take, .user = p};
  return bp_cfg_write_dot(w->cfg, w->ctx, &sink, reached);
}

static bp_status write_chc(world *w, page *p)
{
  const bp_sink sink = {.size = sizeof sink, .write = take, .user = p};
  return bp_query_write_chc(w->q, &sink);
}

static uint32_t times(const page *p, const char *part)
{
  uint32_t count = 0;
  for (const char *at = p->bytes; (at = strstr(at, part)); at += strlen(part))
    count++;
  return count;
}

static void must_have(const page *p, const char *part)
{
  if (!times(p, part)) fail_msg("no %s in %s", part, p->bytes);
}

/* ---- JSON ------------------------------------------------------------------ */

static void test_json(void **state)
{
  (void)state;
  world w;
  page p = new_page(SIZE_MAX);
  world_open(&w, text, NULL, 0);
  assert_int_equal(write_json(&w, &p, NULL), BP_OK);
  must_have(&p, "{\"version\":1,\"command\":\"reach\",\"file\":\"world\",\"results\":[{");
  must_have(&p, "\"kind\":\"label\",\"name\":\"R\",\"proc\":\"main\",\"line\":9");
  must_have(&p, "\"length\":5,\"hierarchical_length\":4");
  must_have(&p, "\"state\":{\"g\":1,\"{a\\\"b\\\\c}\":0},\"closed\":true,\"inside\":1");
  must_have(&p, "\"stats\":{\"parse_seconds\":");
  assert_int_equal(times(&p, "\"depth\":"), 4);
  p = new_page(SIZE_MAX);
  const bp_json_options all = {.size = sizeof all, .command = "check", .levels = BP_NONE};
  assert_int_equal(write_json(&w, &p, &all), BP_OK);
  must_have(&p, "\"command\":\"check\"");
  assert_int_equal(times(&p, "\"depth\":"), 5);
  assert_int_equal(times(&p, "\"closed\""), 0);
  p = new_page(SIZE_MAX);
  const bp_json_options none = {.size = sizeof none, .no_trace = 1};
  assert_int_equal(write_json(&w, &p, &none), BP_OK);
  assert_int_equal(times(&p, "\"trace\""), 0);
  const bp_json_options wrong = {.size = 1};
  assert_int_equal(write_json(&w, &p, &wrong), BP_E_INVALID);
  world_close(&w);
}

/* A limit cuts the trace, not the document. */
static void test_json_cut(void **state)
{
  (void)state;
  world w;
  page p = new_page(SIZE_MAX);
  world_open(&w, text, NULL, 0);
  const bp_limits limits = {.size = sizeof limits, .steps = 1};
  assert_int_equal(bp_query_set_limits(w.q, &limits), BP_OK);
  assert_int_equal(write_json(&w, &p, NULL), BP_E_LIMIT);
  must_have(&p, "\"incomplete\":\"steps\"}}],\"stats\":{");
  must_have(&p, "\"verdict\":\"reachable\"");
  world_close(&w);
}

/* ---- Graphviz ---------------------------------------------------------------- */

static void test_dot(void **state)
{
  (void)state;
  world w;
  page p = new_page(SIZE_MAX);
  world_open(&w, text, NULL, 0);
  assert_int_equal(write_dot(&w, &p, NULL), BP_OK);
  must_have(&p, "digraph \"world\" {");
  must_have(&p, "label=\"flip(x)\";");
  must_have(&p, "label=\"main()\";");
  must_have(&p, "{a\\\"b\\\\c}");
  assert_int_equal(times(&p, "[label=T]"), 1);
  assert_int_equal(times(&p, "[label=F]"), 1);
  assert_int_equal(times(&p, "style=dashed"), 1);
  assert_int_equal(times(&p, "shape=ellipse"), 2);
  assert_int_equal(times(&p, " [label=\""), w.cfg->vertices.count);
  assert_int_equal(times(&p, "fillcolor"), 0);
  p = new_page(SIZE_MAX);
  assert_int_equal(write_dot(&w, &p, w.q), BP_OK);
  /* All is reached but what g forbids. */
  assert_int_equal(times(&p, "fillcolor"), w.cfg->vertices.count - 1);
  const char *dead = strstr(p.bytes, "DEAD: skip");
  assert_non_null(dead);
  assert_null(memchr(dead, '#', strcspn(dead, "\n")));
  world_close(&w);
}

static void test_dot_refusals(void **state)
{
  (void)state;
  world w;
  bp_cfg *other;
  page p = new_page(SIZE_MAX);
  world_open(&w, text, NULL, 0);
  assert_int_equal(bp_cfg_new(&other, w.ctx, w.p), BP_OK);
  const bp_sink sink = {.size = sizeof sink, .write = take, .user = &p};
  assert_int_equal(bp_cfg_write_dot(other, w.ctx, &sink, w.q), BP_E_INVALID);
  bp_cfg_unref(other);
  /* Nothing is written when what is reached is not known. */
  bp_query_cancel(w.q);
  assert_int_equal(write_dot(&w, &p, w.q), BP_E_LIMIT);
  assert_int_equal(p.len, 0);
  assert_int_equal(write_dot(&w, &p, w.q), BP_OK);
  world_close(&w);
}

/* ---- Horn clauses ------------------------------------------------------------ */

static void test_chc(void **state)
{
  (void)state;
  world w;
  page p = new_page(SIZE_MAX);
  world_open(&w, text, NULL, 0);
  assert_int_equal(write_chc(&w, &p), BP_OK);
  must_have(&p, "; variable 1: {a\"b\\c}\n; variable 2: x of procedure 0\n(set-logic HORN)\n");
  assert_int_equal(times(&p, "(declare-fun p"), w.cfg->vertices.count);
  assert_int_equal(times(&p, "(declare-fun s"), 1); /* nobody calls main */
  assert_int_equal(times(&p, "    reached)))\n"), 1);
  must_have(&p, "\n(assert (=> reached false))\n(check-sat)\n");
  /* A second target is one more way. */
  page more = new_page(SIZE_MAX);
  assert_int_equal(bp_query_add(w.q, "DEAD", "!g & x"), BP_E_INPUT);
  assert_int_equal(bp_query_add(w.q, "DEAD", "!g"), BP_OK);
  assert_int_equal(write_chc(&w, &more), BP_OK);
  assert_int_equal(times(&more, "    reached)))\n"), 2);
  world_close(&w);
}

/* What is written before it is stopped has no question at its end, so nobody takes it for whole. */
static void test_chc_stopped(void **state)
{
  (void)state;
  world w;
  page p = new_page(SIZE_MAX);
  world_open(&w, text, NULL, 0);
  bp_query_cancel(w.q);
  assert_int_equal(write_chc(&w, &p), BP_E_LIMIT);
  assert_int_equal(bp_query_reason(w.q), BP_REASON_CANCELLED);
  assert_string_equal(bp_context_message(w.ctx), "stopped: cancelled");
  assert_int_equal(times(&p, "(check-sat)"), 0);
  assert_int_equal(write_chc(&w, &p), BP_OK);
  assert_int_equal(times(&p, "(check-sat)"), 1);
  world_close(&w);
}

typedef struct counts {
  size_t len, ands, nots;
} counts;

static int count_bytes(void *user, const char *bytes, size_t len)
{
  counts *c = user;
  c->len += len;
  for (size_t i = 0; i < len; i++) { /* no name in the text has these letters */
    c->ands += bytes[i] == 'a' && i + 2 < len && !memcmp(bytes + i, "and", 3);
    c->nots += bytes[i] == 'n' && i + 2 < len && !memcmp(bytes + i, "not", 3);
  }
  return 0;
}

/* Nesting costs no stack, text is linear, and a chain is flat. */
static void test_chc_deep(void **state)
{
  (void)state;
  enum { DEEP = 300000 };
  world w;
  char *deep = malloc(16 + 6 * (size_t)DEEP), *end = deep;
  assert_non_null(deep);
  end += sprintf(end, "g & ");
  memset(end, '!', DEEP);
  end += DEEP;
  for (int i = 0; i < DEEP; i++)
    end += sprintf(end, "(g&");
  *end++ = 'g';
  memset(end, ')', DEEP);
  end[DEEP] = '\0';
  world_open(&w, text, NULL, 0);
  assert_int_equal(bp_query_add(w.q, "DEAD", deep), BP_OK);
  counts c = {0};
  const bp_sink sink = {.size = sizeof sink, .write = count_bytes, .user = &c};
  assert_int_equal(bp_query_write_chc(w.q, &sink), BP_OK);
  assert_in_range(c.len, 8 * (size_t)DEEP, 10 * (size_t)DEEP);
  assert_true(c.nots > DEEP - DEEP / 100); /* but those that two pieces share */
  assert_in_range(c.ands, 1, 50);
  free(deep);
  world_close(&w);
}

/* ---- sinks ------------------------------------------------------------------- */

static void test_refusing_sinks(void **state)
{
  (void)state;
  world w;
  world_open(&w, text, NULL, 0);
  page whole[3] = {new_page(SIZE_MAX), new_page(SIZE_MAX), new_page(SIZE_MAX)};
  assert_int_equal(write_json(&w, &whole[0], NULL), BP_OK);
  assert_int_equal(write_dot(&w, &whole[1], w.q), BP_OK);
  assert_int_equal(write_chc(&w, &whole[2]), BP_OK);
  for (int i = 0; i < 3; i++)
    for (size_t most = 0; most < whole[i].len - 20; most += 97) { /* times differ in length */
      page p = new_page(most);
      const bp_status status = !i       ? write_json(&w, &p, NULL)
                               : i == 1 ? write_dot(&w, &p, w.q)
                                        : write_chc(&w, &p);
      assert_int_equal(status, BP_E_IO);
      assert_int_equal(p.calls_after, 0);
      assert_true(p.len <= most);
    }
  world_close(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_json),     cmocka_unit_test(test_json_cut),
      cmocka_unit_test(test_dot),      cmocka_unit_test(test_dot_refusals),
      cmocka_unit_test(test_chc),      cmocka_unit_test(test_chc_stopped),
      cmocka_unit_test(test_chc_deep), cmocka_unit_test(test_refusing_sinks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
